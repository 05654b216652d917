//! Rules for migrations: while a portal is upgraded, processes of the earlier version run on the new schema,
//! so a migration must not take away what they use. The tests read the files and need no database.

#![allow(clippy::unwrap_used)]

use std::{collections::BTreeSet, fs, path::Path};

/// The folder of the migrations.
const MIGRATIONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
/// The migrations up to this one were written before the rules.
const LAST_WITHOUT_RULES: u32 = 71;

/// Begins a comment that names the first schema whose program does not use what the migration removes.
const UNUSED: &str = "-- unused since schema ";
/// Begins a comment that says why the program of the earlier version does not notice a change.
const COMPATIBLE: &str = "-- compatible: ";

/// A migration.
struct Migration<'a> {
    number: u32,
    text: &'a str,
}

impl Migration<'_> {
    /// What is wrong with the migration.
    fn problems(&self) -> Vec<String> {
        let statements = statements(self.text);
        let has_reason = self.text.lines().any(|line| has_reason(line, COMPATIBLE));
        let replaced = statements.iter().filter_map(|sql| table_behind_view(sql, &statements));
        let replaced: BTreeSet<(&str, &str)> = replaced.filter(|_| has_reason).collect();
        let created = statements.iter().filter_map(|sql| created_table(sql));
        // The earlier version does not know the new name of a table.
        let created: BTreeSet<&str> = created.chain(replaced.iter().map(|(_, table)| *table)).collect();
        let is_new = |table: &str| created.contains(table);
        let is_renamed = |sql: &&String| renamed_table(sql).is_some_and(|names| replaced.contains(&names));
        let mut problems = Vec::new();
        if let Some(sql) = statements.iter().find(|sql| removes(sql, is_new) && !is_renamed(sql)) {
            problems.extend(self.problem_of_removal(sql, &statements));
        }
        if let Some(sql) = statements.iter().find(|sql| narrows(sql, is_new))
            && !has_reason
        {
            problems.push(format!(
                "`{sql}` may refuse what the earlier version writes; say in a line `{COMPATIBLE}…` why it does not"
            ));
        }
        problems
    }

    /// A removal needs a comment, and raises the schema from which on programs can use the database.
    fn problem_of_removal(&self, sql: &str, statements: &[String]) -> Option<String> {
        let annotation = self.text.lines().find_map(|line| line.strip_prefix(UNUSED));
        let since =
            annotation.and_then(|rest| rest.split_once(": ")).filter(|(_, what)| !what.trim().is_empty());
        let Some(since) = since.and_then(|(number, _)| number.parse::<u32>().ok()) else {
            return Some(format!(
                "`{sql}` removes what the earlier version may use; remove it one release later, with a line \
                `{UNUSED}NUMBER: …` that names the first schema whose program does not use it"
            ));
        };
        if since >= self.number {
            return Some(format!(
                "`{sql}`: the last use must go away in an earlier release than the thing itself"
            ));
        }
        let raise = format!("update portal_state set usable_from_schema = {since}");
        let is_raised = statements.contains(&raise);
        (!is_raised)
            .then(|| format!("the migration must contain `{raise};`, so that older programs do not start"))
    }
}

fn has_reason(line: &str, annotation: &str) -> bool {
    line.strip_prefix(annotation).is_some_and(|reason| !reason.trim().is_empty())
}

/// The statements in lower case, without comments, with single spaces.
fn statements(text: &str) -> Vec<String> {
    let code: Vec<&str> = text.lines().map(|line| line.split("--").next().unwrap_or_default()).collect();
    let code = code.join(" ").to_lowercase();
    let statements = code.split(';').map(|sql| sql.split_whitespace().collect::<Vec<_>>().join(" "));
    statements.filter(|sql| !sql.is_empty()).collect()
}

/// The table that a statement creates.
fn created_table(sql: &str) -> Option<&str> {
    let rest = sql.strip_prefix("create table ").or_else(|| sql.strip_prefix("create unlogged table "))?;
    rest.trim_start_matches("if not exists ").split([' ', '(']).next()
}

/// The old and the new name of a table that a statement renames.
fn renamed_table(sql: &str) -> Option<(&str, &str)> {
    let (table, change) = altered_table(sql)?;
    Some((table, change.strip_prefix("rename to ")?))
}

/// The old and the new name of a table that a statement renames, if the same migration creates a view with the
/// old name.
fn table_behind_view<'a>(sql: &'a str, statements: &[String]) -> Option<(&'a str, &'a str)> {
    let (old, new) = renamed_table(sql)?;
    let view = format!("create view {old} as ");
    statements.iter().any(|sql| sql.starts_with(&view)).then_some((old, new))
}

/// The table that a statement changes, and the changes.
fn altered_table(sql: &str) -> Option<(&str, &str)> {
    let rest = sql.strip_prefix("alter table ")?;
    rest.trim_start_matches("if exists ").trim_start_matches("only ").split_once(' ')
}

/// The table of a new unique index.
fn uniquely_indexed_table(sql: &str) -> Option<&str> {
    let rest = sql.strip_prefix("create unique index ")?;
    rest.split_once(" on ")?.1.split([' ', '(']).next()
}

/// Whether a statement removes, renames or retypes something.
fn removes(sql: &str, is_new: impl Fn(&str) -> bool) -> bool {
    const REMOVALS: [&str; 7] = [
        "drop table ",
        "drop view ",
        "drop materialized view ",
        "drop function ",
        "drop type ",
        "drop sequence ",
        "drop index ",
    ];
    if REMOVALS.iter().any(|removal| sql.starts_with(removal)) || sql.starts_with("truncate ") {
        return true;
    }
    let Some((table, changes)) = altered_table(sql) else {
        return sql.starts_with("alter ") && sql.contains(" rename ");
    };
    let is_removal = |change: &str| {
        change.starts_with("rename ")
            || change.starts_with("drop column ")
            || change.starts_with("drop default")
            || (change.starts_with("drop ") && !change.starts_with("drop constraint "))
            || (change.starts_with("alter ")
                && (change.contains(" type ") || change.contains(" drop default")))
            || change.starts_with("set schema ")
    };
    !is_new(table) && clauses(changes).iter().any(|change| is_removal(change))
}

/// Whether a statement refuses rows that were permitted before.
fn narrows(sql: &str, is_new: impl Fn(&str) -> bool) -> bool {
    if let Some(table) = uniquely_indexed_table(sql) {
        return !is_new(table);
    }
    if sql.starts_with("create trigger ") || sql.starts_with("create constraint trigger ") {
        return true;
    }
    let Some((table, changes)) = altered_table(sql) else { return false };
    let is_narrowing = |change: &str| {
        let adds_column = change.starts_with("add column ");
        let adds_constraint = change.starts_with("add ") && !adds_column;
        let is_required =
            change.contains(" not null") && !change.contains(" default ") && !change.contains(" generated ");
        adds_constraint || (adds_column && is_required) || change.contains(" set not null")
    };
    !is_new(table) && clauses(changes).iter().any(|change| is_narrowing(change))
}

/// The changes of a table, which are separated by commas outside parentheses.
fn clauses(changes: &str) -> Vec<String> {
    let (mut found, mut depth) = (vec![String::new()], 0_i32);
    for character in changes.chars() {
        match character {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                found.push(String::new());
                continue;
            }
            _ => {}
        }
        found.last_mut().unwrap().push(character);
    }
    found.iter().map(|clause| clause.trim().to_owned()).collect()
}

#[test]
fn every_migration_leaves_the_earlier_version_what_it_uses() {
    let mut problems = Vec::new();
    let mut checked = 0;
    for entry in fs::read_dir(Path::new(MIGRATIONS)).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let number: u32 = name.split('_').next().unwrap().parse().unwrap();
        if number > LAST_WITHOUT_RULES {
            let text = fs::read_to_string(&path).unwrap();
            let found = Migration { number, text: &text }.problems();
            problems.extend(found.into_iter().map(|problem| format!("{name}: {problem}")));
            checked += 1;
        }
    }
    assert!(checked > 0);
    assert_eq!(problems, Vec::<String>::new(), "see CONTRIBUTING.md#migrations");
}

#[test]
fn what_the_earlier_version_does_not_notice_is_permitted() {
    for sql in [
        "create table thing (id uuid primary key); create unique index on thing (id); alter table thing add check (true);",
        "alter table users add column note text, add column flag boolean not null default false;",
        "alter table users add column size numeric(10, 2) check (size > 0);",
        "create index users_note on users (note) where note is not null;",
        "update users set note = 'drop table users';",
        "-- drop table users;\nselect 1;",
        "alter table users drop constraint users_role_check, add constraint users_role_check check (true);\n-- compatible: it permits more",
        "-- compatible: it uses only the name, through the view\nalter table users rename to people;\n\
            alter table people drop column note; create view users as select name from people;",
        "-- unused since schema 74: the program with schema 74 stopped writing it\nalter table users drop column note;\n\
            update portal_state set usable_from_schema = 74;",
    ] {
        assert_eq!(Migration { number: 80, text: sql }.problems(), Vec::<String>::new(), "{sql}");
    }
}

#[test]
fn what_breaks_the_earlier_version_is_refused() {
    for (sql, part) in [
        ("drop table users;", "removes what"),
        ("ALTER TABLE users\n    DROP COLUMN note;", "removes what"),
        ("alter table users rename column note to remark;", "removes what"),
        ("alter table users rename to people;", "removes what"),
        ("alter table users rename to people; create view users as select name from people;", "removes what"),
        (
            "-- compatible: x\nalter table users rename to people; create view others as select 1;",
            "removes what",
        ),
        (
            "-- compatible: x\nalter table users drop column note; create view users as select 1;",
            "removes what",
        ),
        ("alter type color rename value 'red' to 'blue';", "removes what"),
        ("alter table users alter column size type bigint;", "removes what"),
        ("alter table users alter size drop default;", "removes what"),
        ("drop index users_email;", "removes what"),
        ("alter table users add column note text not null;", "may refuse"),
        ("alter table users add a int, add column note text not null;", "may refuse"),
        ("alter table users alter column note set not null;", "may refuse"),
        ("alter table users add constraint short check (char_length(note) < 9);", "may refuse"),
        ("create unique index users_note on users (note);", "may refuse"),
        ("alter table users add check (true);\n-- compatible: ", "may refuse"),
        ("-- unused since schema 80: x\ndrop table users;", "an earlier release"),
        ("-- unused since schema soon: x\ndrop table users;", "NUMBER"),
        ("-- unused since schema 74: \ndrop table users;", "NUMBER"),
        ("-- unused since schema 74: x\ndrop table users;", "usable_from_schema = 74"),
        (
            "-- unused since schema 74: x\ndrop table users; update portal_state set usable_from_schema = 73;",
            "usable_from_schema = 74",
        ),
    ] {
        let problems = Migration { number: 80, text: sql }.problems();
        assert!(matches!(problems.as_slice(), [only] if only.contains(part)), "{sql}: {problems:?}");
    }
}

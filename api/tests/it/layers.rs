//! What `ARCHITECTURE.md` says that no crate and no file may know, read from the sources themselves.

use std::{fs, path::Path};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Every file below a folder with one of these endings, with its text.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

#[test]
fn no_arrow_runs_back_up() {
    let dependencies = |member: &str| fs::read_to_string(format!("{ROOT}/{member}/Cargo.toml")).unwrap();
    for (member, barred) in [
        ("index", ["sqlx", "axum", "reqwest", "image", "ingest", "api"].as_slice()),
        ("ingest", ["sqlx", "axum", "api"].as_slice()),
    ] {
        let named: Vec<String> = dependencies(member)
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned))
            .collect();
        for crate_name in barred {
            assert!(!named.contains(&(*crate_name).to_owned()), "{member} stands on {crate_name}");
        }
    }
}

#[test]
fn only_db_holds_queries_and_none_asks_the_database_for_the_time() {
    let is_query =
        |text: &str| ["sqlx::query", "query!(", "query_scalar!("].iter().any(|call| text.contains(call));
    for (path, text) in files("api/src", &[".rs"]) {
        assert!(!is_query(&text) || path.contains("/api/src/storage/"), "{path} holds a query");
    }
    let asks =
        |text: &str| ["now()", "current_timestamp", "clock_timestamp"].iter().any(|call| text.contains(call));
    for (path, text) in files("api/migrations", &[".sql"]) {
        assert!(!asks(&text), "{path} asks the database for the time");
    }
    for (path, text) in files("api/src/storage", &[".rs"]) {
        let sql: String = text.lines().filter(|line| !line.contains("clock.now()")).collect();
        assert!(!asks(&sql), "{path} asks the database for the time");
    }
}

#[test]
fn what_changes_tenders_or_alerts_ends_in_the_log() {
    // Whoever calls what writes a revision also calls what ends such a transaction.
    for (path, text) in
        files("api/src", &[".rs"]).into_iter().filter(|(path, _)| !path.contains("/api/src/storage/"))
    {
        let writes = [
            "tenders::insert(",
            "tenders::revise(",
            "alerts::insert(",
            "alerts::rewrite(",
            "alerts::toggle(",
            "alerts::remove(",
            "alerts::delete_of_user(",
        ];
        if writes.iter().any(|call| text.contains(call)) {
            assert!(text.contains("changes::commit("), "{path} writes a revision outside of the log");
        }
    }
}

#[test]
fn a_plan_holds_through_its_grace_wherever_it_is_asked_about() {
    for (path, text) in files("api/src/storage", &[".rs"]) {
        let asks = text.contains("end_date > $") || text.contains("end_date > of");
        assert!(!asks, "{path} asks for a subscription's end; a plan holds until `holds_until`");
    }
}

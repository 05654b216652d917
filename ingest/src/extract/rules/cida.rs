//! The contractor grades of the Construction Industry Development Authority (CIDA, formerly ICTAD).
//! A grade counts only near the name of the Authority or the word `grade`: `C3` alone may be a
//! road.

use super::pattern::patterns;
use crate::extract::printed::{Found, Printed};
use std::ops::Range;
use tender_model::{
    tender::Cida,
    vocabulary::{Grade, OtherGrades},
};

patterns! {
    AUTHORITY = r"\bCIDA\b|\bICTAD\b|construction industry development authority|\bgrades?\b";
    // Lookalike letters and Sinhala and Tamil spellings are normalised by `normalise_grade`.
    GRADE = r"\b(?-i:(?:[CСϹⅭ]S\s?-?\s?[12]|(?:[CСϹⅭ]|සී|சி)\s?-?\s?(?:10|[1-9])|[EЕΕ][MМΜ]\s?-?\s?[1-5]|G[PРΡ]\s?-?\s?(?:10|[1-9])|S[PРΡ]\s?-?\s?(?:10|[1-9])|[MМΜ]\s?-?\s?[1-9]))\b";
    // What stands between two grades of a range, and what follows a grade from which others are admitted.
    TO = r"^\s*(?:to|up\s?to|–|—|-)\s*$";
    HIGHER = r"^\s*(?:\([^()]{0,60}\)\s*)?(?:(?:or|and|&)\s+(?:above|higher|over|upwards)\b|හෝ\s+(?:ඊට\s+|එයට\s+)?(?:ඉහළ|වැඩි)|அல்லது\s+(?:அதற்கு\s+)?(?:மேல்|மேற்பட்ட|உயர்))";
    LOWER = r"^\s*(?:\([^()]{0,60}\)\s*)?(?:(?:or|and|&)\s+(?:below|lower|under)\b|හෝ\s+(?:ඊට\s+|එයට\s+)?(?:පහළ|අඩු)|அல்லது\s+(?:அதற்கு\s+)?(?:கீழ்|குறைந்த))";
    LEAST = r"(?:\bminimum(?:\s+of)?|\bat\s+least|\bnot\s+(?:less|lower)\s+than|\bnot\s+below)(?:\s+(?:CIDA|ICTAD|the|grade|grading|registration))*\s*$";
    // Words of a field of work in brackets.
    WORK = r"\b(?:buildings?|bridges?|highways?|roads?|water|sewerage|irrigation|canals?|drainage|storm\s?water|dredging|reclamation|heavy|maritime|construction|works?|electrical|mechanical|electro.?mechanical|plumbing|air.?conditioning|lifts?|fire|piling|soil|painting|landscaping|demolition|termite|installations?|maintenance)\b";
    FIELD = r"\(([A-Za-z][A-Za-z &/,]{3,50})\)|\b(?:in|for)\s+(?:the\s+)?(?:field\s+of\s+)?(?-i:((?:Building|Highway|Bridge|Irrigation|Water|Storm|Heavy|Road|Drainage|Dredging)[A-Za-z &]{0,60}))\b|\b(?-i:CS?\s?-?\s?\d+)\s*(?:\s|[-–—:])\s*(?-i:((?:Building|Highway|Bridge|Irrigation|Water|Storm|Heavy|Road|Drainage|Dredging)[A-Za-z &]{0,60}))\b";
    // What follows the name of a field in its sentence.
    AFTER_FIELD = r"\s+(?:with|from|under|by|or|to|as|at|of|in|for|on|who|which|and\s+(?:above|below|higher|lower)|issued|registered|registration|works?\s+registered|contractors?)\b.*$";
}

/// The maximum distance between the name of the Authority, or the word `grade`, and the end of a
/// grade after it, in bytes.
const MAX_GRADE_DISTANCE: usize = 120;

/// The grades in order, each once.
pub(crate) fn grades(printed: &Printed) -> Vec<Found<Cida>> {
    let text = printed.flow();
    let mut found: Vec<Found<Cida>> = Vec::new();
    for name in AUTHORITY.find_iter(text) {
        let start = super::cues::floor_char_boundary(text, name.start().saturating_sub(30));
        let end = super::cues::floor_char_boundary(text, name.end() + MAX_GRADE_DISTANCE);
        let end = end.min(cell_end(printed.text(), name.start()).unwrap_or(end)).max(name.end());
        let window = &text[start..end];
        let after = name.end().min(end);
        let field = field_after(printed.text(), text, after..end);
        for listed in listed_grades(window) {
            if found.iter().all(|other| other.value.grade != listed.grade) {
                // The evidence covers the field, the grade, and the words about other grades.
                let end = field.as_ref().map_or(0, |(_, end)| *end).max(start + listed.range.end);
                let field = field.as_ref().map(|(field, _)| field.clone());
                let range = start + listed.range.start..end;
                found.push(Found::new(listed.with_field(field), 0.92, range));
            }
        }
    }
    for grade in grades_in_column(printed) {
        if found.iter().all(|other| other.value.grade != grade.value.grade) {
            found.push(grade);
        }
    }
    found
}

/// The field of work in a range of the text, and where its name ends. In a row of a table, only a name in
/// brackets may go on beyond the row: the next row begins with words of its own.
fn field_after(lines: &str, text: &str, range: Range<usize>) -> Option<(String, usize)> {
    let in_range = |range: Range<usize>| {
        let start = range.start;
        field_in(&text[range]).map(|(field, end)| (field, start + end))
    };
    let Some(row_end) = row_end(lines, range.start).filter(|row_end| *row_end < range.end) else {
        return in_range(range);
    };
    let in_brackets = || in_range(range.clone()).filter(|(_, end)| text[..*end].ends_with(')'));
    in_range(range.start..row_end.max(range.start)).or_else(in_brackets)
}

/// The field of work that a text names, and where its name ends.
fn field_in(text: &str) -> Option<(String, usize)> {
    let groups = FIELD.captures(text)?;
    let printed = groups.get(1).or_else(|| groups.get(2)).or_else(|| groups.get(3))?;
    let name = printed.as_str().split([',', '.']).next().unwrap_or_default();
    let name = if groups.get(1).is_some() { name.into() } else { AFTER_FIELD.replace(name, "") };
    let name = name.trim();
    // Other words stand in brackets too, such as `(excluding VAT)`.
    let is_field = groups.get(1).is_none() || WORK.is_match(name);
    let end = match groups.get(1) {
        Some(_) => groups.get(0)?.end(),
        None => printed.start() + name.len(),
    };
    is_field.then(|| (name.to_owned(), end))
}

/// A grade that a text admits.
struct ListedGrade {
    grade: String,
    also_admits: Option<OtherGrades>,
    /// The printed grade, with the words about other grades.
    range: Range<usize>,
}

impl ListedGrade {
    fn with_field(self, field: Option<String>) -> Cida {
        Cida { grade: self.grade, field, also_admits: self.also_admits }
    }
}

/// The grades in a text, with those between the ends of a range such as `C3 to C5`.
fn listed_grades(text: &str) -> Vec<ListedGrade> {
    let mut listed: Vec<ListedGrade> = Vec::new();
    for printed in GRADE.find_iter(text) {
        let Some(grade) = normalise_grade(printed.as_str()) else { continue };
        if let Some(first) = listed.last()
            && TO.is_match(&text[first.range.end..printed.start()])
        {
            let range = first.range.start..printed.end();
            let between = grades_between(&first.grade, &grade);
            listed.extend(between.into_iter().map(|grade| ListedGrade {
                grade,
                also_admits: None,
                range: range.clone(),
            }));
        }
        let rest = &text[printed.end()..];
        let (also_admits, length) = if let Some(words) = HIGHER.find(rest) {
            (Some(OtherGrades::Higher), words.end())
        } else if let Some(words) = LOWER.find(rest) {
            (Some(OtherGrades::Lower), words.end())
        } else {
            (LEAST.is_match(&text[..printed.start()]).then_some(OtherGrades::Higher), 0)
        };
        listed.push(ListedGrade { grade, also_admits, range: printed.start()..printed.end() + length });
    }
    listed
}

/// The grades between two grades that differ only in their numbers.
fn grades_between(first: &str, last: &str) -> Vec<String> {
    let parts = |grade: &str| {
        let digits = grade.find(|c: char| c.is_ascii_digit())?;
        Some((grade[..digits].to_owned(), grade[digits..].parse::<u8>().ok()?))
    };
    match parts(first).zip(parts(last)) {
        Some(((class, from), (other, to))) if class == other => {
            (from.min(to) + 1..from.max(to)).map(|number| format!("{class}{number}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Normalises a grade. Lookalike letters are replaced, and `සී` and `சி` spell C. `None` if the
/// result is not a grade of the Authority.
fn normalise_grade(printed: &str) -> Option<String> {
    let spelt = printed.replace("සී", "C").replace("சி", "C");
    let letter = |c: char| match c {
        'С' | 'Ϲ' | 'Ⅽ' => 'C',
        'Е' | 'Ε' => 'E',
        'М' | 'Μ' => 'M',
        'Р' | 'Ρ' => 'P',
        other => other,
    };
    let plain: String = spelt.chars().map(letter).filter(|c| !c.is_whitespace() && *c != '-').collect();
    let is_grade = plain.chars().all(|c| c.is_ascii_alphanumeric()) && Grade::from_printed(&plain).is_some();
    is_grade.then_some(plain)
}

/// The end of the row of a table at a position.
fn row_end(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    text[start..end].contains('\t').then_some(end)
}

/// The end of the cell at a position, if its row has more than two cells. The other cells of such
/// a row belong to other columns.
fn cell_end(text: &str, at: usize) -> Option<usize> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = text[at..].find('\n').map_or(text.len(), |end| at + end);
    let several = text[start..end].matches('\t').count() > 1;
    several.then(|| text[at..end].find('\t').map_or(end, |tab| at + tab))
}

/// The grades in a table column whose header has the name of the Authority or the word `grade`.
fn grades_in_column(printed: &Printed) -> Vec<Found<Cida>> {
    let mut found = Vec::new();
    let mut column: Option<(usize, usize)> = None;
    for (range, line) in printed.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        match column {
            Some((nth, count)) if cells.len() == count => {
                let start = range.start + cells.iter().take(nth).map(|cell| cell.len() + 1).sum::<usize>();
                let cell = cells.get(nth).copied().unwrap_or_default();
                let field = field_in(cell).map(|(field, end)| (field, start + end));
                found.extend(listed_grades(cell).into_iter().map(|listed| {
                    let end = field.as_ref().map_or(0, |(_, end)| *end).max(start + listed.range.end);
                    let field = field.as_ref().map(|(field, _)| field.clone());
                    let range = start + listed.range.start..end;
                    Found::new(listed.with_field(field), 0.92, range)
                }));
            }
            _ => {
                let headed = cells.iter().position(|cell| AUTHORITY.is_match(cell));
                column = headed.filter(|_| cells.len() > 2).map(|nth| (nth, cells.len()));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("CIDA Grade : C4", &["C4"])]
    #[case("(CIDA) in grade C3 or above for the relevant field", &["C3"])]
    #[case("CIDA Registration\tC3 or C4 (Building Construction)", &["C3", "C4"])]
    #[case("Minimum ICTAD C6 Building", &["C6"])]
    #[case("registered with CIDA under grade CS2 or EM 1", &["CS2", "EM1"])]
    #[case("Route C3 to Colombo", &[])]
    #[case("CIDA grade С5, or ЕМ 2", &["C5", "EM2"])]
    #[case("CIDA லிருந்து சி 4 தரம்", &["C4"])]
    #[case("CIDA සී-7 ශ්‍රේණිය", &["C7"])]
    #[case("CIDA க 4", &[])]
    #[case("CIDA Grade: ල5", &[])]
    #[case("CIDA grade C11 or EM9", &[])]
    fn grades_are_read(#[case] text: &str, #[case] expected: &[&str]) {
        let found = grades(&Printed::plain(text));
        assert_eq!(found.iter().map(|found| found.value.grade.as_str()).collect::<Vec<_>>(), expected);
    }

    #[rstest]
    #[case("CIDA grade C5 or above in Buildings", &[("C5", Some(OtherGrades::Higher))])]
    #[case("CIDA Grade C7 and higher", &[("C7", Some(OtherGrades::Higher))])]
    #[case("CIDA C8 (Highways) and above", &[("C8", Some(OtherGrades::Higher))])]
    #[case("Minimum ICTAD C6 Building", &[("C6", Some(OtherGrades::Higher))])]
    #[case("a CIDA registration not below C4", &[("C4", Some(OtherGrades::Higher))])]
    #[case("CIDA Grade C8 or below", &[("C8", Some(OtherGrades::Lower))])]
    #[case("CIDA සී-7 හෝ ඊට ඉහළ ශ්‍රේණිය", &[("C7", Some(OtherGrades::Higher))])]
    #[case("CIDA சி 4 அல்லது அதற்கு மேல் தரம்", &[("C4", Some(OtherGrades::Higher))])]
    #[case("CIDA grade C7 or C8", &[("C7", None), ("C8", None)])]
    #[case("CIDA grade C3 to C5", &[("C3", None), ("C4", None), ("C5", None)])]
    #[case("CIDA grade C9 – C7", &[("C9", None), ("C8", None), ("C7", None)])]
    #[case("CIDA grade C7 or any other body above", &[("C7", None)])]
    fn other_grades_that_are_admitted_are_read(
        #[case] text: &str,
        #[case] expected: &[(&str, Option<OtherGrades>)],
    ) {
        let found = grades(&Printed::plain(text));
        let read: Vec<_> =
            found.iter().map(|found| (found.value.grade.as_str(), found.value.also_admits)).collect();
        assert_eq!(read, expected);
    }

    #[test]
    fn a_column_of_a_table_is_read() {
        let text = "No | Work | CIDA grade | Estimated cost and other particulars of each of the works that are to be carried out in this year (Rs. Mn.)\n\
                    01 | Road C1 | C7 or above (Highways) | 4.85\n02 | Paving | C8 (Highways) | 2.10";
        let found = grades(&Printed::plain(text));
        assert_eq!(found.iter().map(|found| found.value.grade.as_str()).collect::<Vec<_>>(), ["C7", "C8"]);
        assert_eq!(found[1].value.field.as_deref(), Some("Highways"));
    }

    #[test]
    fn the_next_row_of_a_table_is_not_part_of_the_field() {
        for (text, field) in [
            (
                "Minimum CIDA grade | C7 - Building Construction\nIssue of documents | 3 May 2027",
                "Building Construction",
            ),
            ("Minimum CIDA grade | C4 - Highways\nIssue of documents | 3 May 2027", "Highways"),
            ("CIDA grade | C5 (Building\nConstruction) | 3 May 2027", "Building Construction"),
        ] {
            let found = grades(&Printed::plain(text));
            assert_eq!(found[0].value.field.as_deref(), Some(field), "{text}");
        }
    }

    #[test]
    fn the_field_is_read() {
        let found = grades(&Printed::plain("CIDA Registration\tC3 or C4 (Building Construction)"));
        assert_eq!(found[0].value.field.as_deref(), Some("Building Construction"));
        for (text, field) in [
            (
                "Minimum CIDA grade | C6 - Irrigation and Drainage Canals",
                Some("Irrigation and Drainage Canals"),
            ),
            ("CIDA registration: C4 - Highways", Some("Highways")),
            (
                "CIDA grade C8 or above in Building Construction with the Construction Industry",
                Some("Building Construction"),
            ),
            ("CIDA grade C5 for Highway contractors who have a licence", Some("Highway")),
            ("CIDA grade C5 - see the documents", None),
        ] {
            let found = grades(&Printed::plain(text));
            assert_eq!(found[0].value.field.as_deref(), field, "{text}");
        }
        let found = grades(&Printed::plain("CIDA grade C3. The fee is Rs. 5,000 (excluding VAT)"));
        assert_eq!(found[0].value.field, None);
    }
}

//! The contractors' grades that a notice asks for. Grades are met only near the Authority's name (CIDA, formerly ICTAD):
//! `C3` alone may be a road.

use super::{
    pattern::patterns,
    printed::{Found, Printed},
};
use index::tender::Cida;

patterns! {
    AUTHORITY = r"\bCIDA\b|\bICTAD\b|construction industry development authority|\bgrades?\b";
    GRADE = r"\b(?-i:(CS\s?-?\s?[12]|C\s?-?\s?(?:10|[1-9])|EM\s?-?\s?[1-5]|GP\s?-?\s?(?:10|[1-9])|SP\s?-?\s?(?:10|[1-9])|M\s?-?\s?[1-9]))\b";
    FIELD = r"\(([A-Za-z][A-Za-z &/,]{3,50})\)|\b(?:in|for)\s+(?:the\s+)?(?:field\s+of\s+)?(?-i:((?:Building|Highway|Bridge|Irrigation|Water|Storm|Heavy|Road|Drainage|Dredging)[A-Za-z &]{0,40}))|\b(?-i:(?:C|CS)\s?\d+)\s+(?-i:((?:Building|Highway|Bridge|Irrigation|Water)[A-Za-z ]{0,30}))";
}

/// How far after the Authority's name a grade may stand.
const REACH: usize = 120;

/// The grades in order, each once.
pub(super) fn grades(printed: &Printed) -> Vec<Found<Cida>> {
    let text = printed.flow();
    let mut found: Vec<Found<Cida>> = Vec::new();
    for name in AUTHORITY.find_iter(text) {
        let start = super::clause::boundary(text, name.start().saturating_sub(30));
        let end = super::clause::boundary(text, name.end() + REACH);
        // A table's row stands farther from its header.
        let window = &text[start..end];
        let field = FIELD.captures(&text[name.end().min(end)..end]).and_then(|groups| {
            let said = groups.get(1).or_else(|| groups.get(2)).or_else(|| groups.get(3))?.as_str();
            let said = said.split([',', '.']).next().unwrap_or(said).trim();
            (!said.eq_ignore_ascii_case("CIDA") && !said.contains("ICTAD")).then(|| said.to_owned())
        });
        for grade in GRADE.find_iter(window) {
            let value: String = grade.as_str().chars().filter(char::is_ascii_alphanumeric).collect();
            if found.iter().all(|other| other.value.grade != value) {
                let range = start + grade.start()..start + grade.end();
                found.push(Found::new(Cida { grade: value, field: field.clone() }, 0.92, range));
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
    fn grades_are_read(#[case] text: &str, #[case] expected: &[&str]) {
        let found = grades(&Printed::plain(text));
        assert_eq!(found.iter().map(|found| found.value.grade.as_str()).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn the_field_is_read() {
        let found = grades(&Printed::plain("CIDA Registration\tC3 or C4 (Building Construction)"));
        assert_eq!(found[0].value.field.as_deref(), Some("Building Construction"));
    }
}

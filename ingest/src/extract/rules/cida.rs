//! The contractor grades of the Construction Industry Development Authority (CIDA, formerly ICTAD).
//! A grade counts only near the name of the Authority or the word `grade`: `C3` alone may be a
//! road.

use super::pattern::patterns;
use crate::extract::printed::{Found, Printed};
use tender_model::{tender::Cida, vocabulary::Grade};

patterns! {
    AUTHORITY = r"\bCIDA\b|\bICTAD\b|construction industry development authority|\bgrades?\b";
    // Lookalike letters and Sinhala and Tamil spellings are normalised by `normalise_grade`.
    GRADE = r"\b(?-i:(?:[CСϹⅭ]S\s?-?\s?[12]|(?:[CСϹⅭ]|සී|சி)\s?-?\s?(?:10|[1-9])|[EЕΕ][MМΜ]\s?-?\s?[1-5]|G[PРΡ]\s?-?\s?(?:10|[1-9])|S[PРΡ]\s?-?\s?(?:10|[1-9])|[MМΜ]\s?-?\s?[1-9]))\b";
    FIELD = r"\(([A-Za-z][A-Za-z &/,]{3,50})\)|\b(?:in|for)\s+(?:the\s+)?(?:field\s+of\s+)?(?-i:((?:Building|Highway|Bridge|Irrigation|Water|Storm|Heavy|Road|Drainage|Dredging)[A-Za-z &]{0,40}))|\b(?-i:(?:C|CS)\s?\d+)\s+(?-i:((?:Building|Highway|Bridge|Irrigation|Water)[A-Za-z ]{0,30}))";
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
        let field = FIELD.captures(&text[after..end]).and_then(|groups| {
            let whole = groups.get(0)?.range();
            let field_name = groups.get(1).or_else(|| groups.get(2)).or_else(|| groups.get(3))?.as_str();
            let field_name = field_name.split([',', '.']).next().unwrap_or(field_name).trim();
            let is_field = !field_name.eq_ignore_ascii_case("CIDA") && !field_name.contains("ICTAD");
            is_field.then(|| (field_name.to_owned(), after + whole.end))
        });
        for grade in GRADE.find_iter(window) {
            let Some(value) = normalise_grade(grade.as_str()) else { continue };
            if found.iter().all(|other| other.value.grade != value) {
                // The evidence covers the field and the grade.
                let end = field.as_ref().map_or(0, |(_, end)| *end).max(start + grade.end());
                let field = field.as_ref().map(|(field, _)| field.clone());
                found.push(Found::new(Cida { grade: value, field }, 0.92, start + grade.start()..end));
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
                let field = FIELD
                    .captures(cell)
                    .and_then(|groups| groups.get(1))
                    .map(|field| (field.as_str().to_owned(), start + field.end()));
                found.extend(GRADE.find_iter(cell).filter_map(|grade| {
                    let value = normalise_grade(grade.as_str())?;
                    let end = field.as_ref().map_or(0, |(_, end)| *end).max(start + grade.end());
                    let field = field.as_ref().map(|(field, _)| field.clone());
                    Some(Found::new(Cida { grade: value, field }, 0.92, start + grade.start()..end))
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

    #[test]
    fn a_column_of_a_table_is_read() {
        let text = "No | Work | CIDA grade | Estimated cost and other particulars of each of the works that are to be carried out in this year (Rs. Mn.)\n\
                    01 | Road C1 | C7 or above (Highways) | 4.85\n02 | Paving | C8 (Highways) | 2.10";
        let found = grades(&Printed::plain(text));
        assert_eq!(found.iter().map(|found| found.value.grade.as_str()).collect::<Vec<_>>(), ["C7", "C8"]);
        assert_eq!(found[1].value.field.as_deref(), Some("Highways"));
    }

    #[test]
    fn the_field_is_read() {
        let found = grades(&Printed::plain("CIDA Registration\tC3 or C4 (Building Construction)"));
        assert_eq!(found[0].value.field.as_deref(), Some("Building Construction"));
    }
}

//! Tests evidence: the box of a field must contain the printed words of the true value. The scan
//! was made from an original page whose word positions are known.

use serde_json::Value;
use std::{fs, path::PathBuf};
use tender_model::tender::Tender;

fn fixtures() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The notices in `fixtures/notices` whose file names begin with `page`.
fn notices(page: &str) -> Vec<Tender> {
    let folder = fixtures().join("notices/daily-lanka/2026-11-20");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        name.starts_with(page) && name.ends_with(".md")
    });
    paths.sort();
    paths.iter().map(|path| ingest::markdown::read(&fs::read_to_string(path).unwrap()).unwrap()).collect()
}

/// The letters and digits of a text, in lower case.
fn alphanumeric(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The letters in sorted order. Texts with the same letters in another order are then equal.
fn sorted(letters: &str) -> Vec<char> {
    let mut letters: Vec<char> = letters.chars().collect();
    letters.sort_unstable();
    letters
}

/// A number without decimals and without digit grouping.
fn digits(number: &Value) -> Option<String> {
    number.as_f64().map(|number| format!("{number:.0}"))
}

/// For each field, the texts of the true value. The box must contain one of them.
fn accepted_texts(truth: &Value) -> Vec<(&'static str, Vec<String>)> {
    let words = |name: &str| truth[name].as_str().map(alphanumeric).into_iter().collect::<Vec<_>>();
    let year = truth["closing_date"].as_str().map(|day| day[..4].to_owned()).into_iter().collect();
    let hour = truth["closing_time"].as_str().map(|hour| {
        let (hours, minutes) = hour.split_once(':').unwrap();
        let hours: u8 = hours.parse().unwrap();
        // Printed times are, for example, 14:30, 1430 hrs, 2.30 p.m. or 02.30 pm.
        [format!("{hours:02}{minutes}"), format!("{}{minutes}", if hours > 12 { hours - 12 } else { hours })]
            .to_vec()
    });
    let percent = truth["bid_security_pct"].as_f64().map(|share| format!("{share}"));
    vec![
        ("title", words("title")),
        ("organization.name", words("organisation")),
        ("referenceNo", words("reference_no")),
        ("dates.closing", year),
        ("dates.closing", hour.unwrap_or_default()),
        ("financials.bidBond.amount", digits(&truth["bid_security_amount"]).into_iter().collect()),
        ("financials.bidBond.percentage", percent.into_iter().collect()),
        ("documentFee.amount", digits(&truth["document_fee"]).into_iter().collect()),
        ("cida", words("cida")),
    ]
}

/// A word of the page, and its centre as fractions of the width and the height of the scan.
struct PrintedWord {
    text: String,
    centre: [f64; 2],
}

/// The words of each notice on the scanned page. The positions of words on the original page are
/// mapped to the scan by means of the four corners of the notice.
fn printed_words(truth: &Value) -> Vec<Vec<PrintedWord>> {
    let words = fixtures().join("truth/newspapers/daily-lanka/2026-11-20/p1.words.tsv");
    let words = fs::read_to_string(words).unwrap();
    let words: Vec<([f64; 2], &str)> = words
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.splitn(5, '\t').collect();
            let at = |cell: usize| cells[cell].parse::<f64>().unwrap();
            ([f64::midpoint(at(0), at(2)), f64::midpoint(at(1), at(3))], cells[4])
        })
        .collect();
    let number = |value: &Value| value.as_f64().unwrap();
    let size = [number(&truth["size_px"][0]), number(&truth["size_px"][1])];
    let piece = |piece: &Value| {
        let [left, top, right, bottom] = [0, 1, 2, 3].map(|side| number(&piece["bbox_mm"][side]));
        let corner = |nth: usize| [0, 1].map(|axis| number(&piece["quad_px"][nth][axis]) / size[axis]);
        let corners = [0, 1, 2, 3].map(corner);
        let inside = words.iter().filter_map(|([x, y], text)| {
            let (across, down) = ((x - left) / (right - left), (y - top) / (bottom - top));
            let is_inside = (0.0..=1.0).contains(&across) && (0.0..=1.0).contains(&down);
            let on_scan = |axis: usize| {
                let [first, second, third, fourth] = corners.map(|corner| corner[axis]);
                let (upper, lower) = (first + (second - first) * across, fourth + (third - fourth) * across);
                upper + (lower - upper) * down
            };
            is_inside.then(|| PrintedWord { text: (*text).to_owned(), centre: [on_scan(0), on_scan(1)] })
        });
        inside.collect()
    };
    truth["notices"].as_array().unwrap().iter().map(piece).collect()
}

#[test]
fn evidence_boxes_contain_the_words_of_the_true_values() {
    let truth = fixtures().join("truth/newspapers/daily-lanka/2026-11-20/p1.gt.json");
    let truth: Value = serde_json::from_str(&fs::read_to_string(truth).unwrap()).unwrap();
    let words = printed_words(&truth);
    let pieces: Vec<(&Value, &Vec<PrintedWord>)> =
        truth["notices"].as_array().unwrap().iter().zip(&words).collect();
    let (mut checked, mut wrong) = (0, Vec::new());
    let english = notices("p1-");
    for tender in
        english.iter().filter(|tender| tender.language == Some(tender_model::vocabulary::Language::English))
    {
        // No two notices of the ground truth have the same reference.
        let reference = tender.reference_no.as_deref().map(alphanumeric);
        let is_its = |(piece, _): &&(&Value, &Vec<PrintedWord>)| {
            piece["fields"]["reference_no"].as_str().map(alphanumeric) == reference
        };
        // A notice with a misread reference is left out.
        let Some((piece, words)) = pieces.iter().find(is_its) else { continue };
        for (path, expected) in
            accepted_texts(&piece["fields"]).into_iter().filter(|(_, expected)| !expected.is_empty())
        {
            let Some(evidence) = tender.evidence.get(path) else { continue };
            let [x, y, width, height] = evidence.area.unwrap();
            let is_there = |word: &&PrintedWord| {
                (x..=x + width).contains(&word.centre[0]) && (y..=y + height).contains(&word.centre[1])
            };
            let letters: String =
                words.iter().filter(is_there).map(|word| alphanumeric(&word.text)).collect();
            checked += 1;
            // The words of a value in several table cells may have another order. If a word is
            // broken at a line end, the box covers only the first part of the word.
            let is_accepted = |wanted: &String| {
                letters.contains(wanted.as_str())
                    || letters.len() * 5 >= wanted.len() * 4 && wanted.starts_with(&letters)
                    || sorted(wanted) == sorted(&letters)
            };
            // The box must contain the true value and must not be much larger than the evidence.
            if !expected.iter().any(is_accepted)
                || letters.len() > 3 * alphanumeric(&evidence.text).len() + 80
            {
                wrong.push(format!("{reference:?} {path}: {expected:?}, but the box contains “{letters}”"));
            }
        }
    }
    assert!(checked >= 100, "{checked}");
    assert!(wrong.is_empty(), "{} of {checked}: {wrong:#?}", wrong.len());
}

#[test]
fn every_field_of_a_scanned_page_has_a_box() {
    let mut fields = 0;
    for tender in notices("p1-") {
        let [left, top, width, height] = tender.sources[0].area;
        // The language has no box. The kind has a box only if words of the notice indicate it.
        let has_box =
            |path: &&String| *path != "language" && (*path != "kind" || tender.evidence.contains_key("kind"));
        for path in tender.confidence.keys().filter(has_box) {
            fields += 1;
            let evidence = tender.evidence.get(path);
            let Some([x, y, wide, high]) = evidence.and_then(|evidence| evidence.area) else {
                panic!("{path} of {:?} has no box", tender.title)
            };
            let is_inside = x >= left - 0.01
                && y >= top - 0.01
                && x + wide <= left + width + 0.01
                && y + high <= top + height + 0.01;
            assert!(
                is_inside && wide > 0.0 && high > 0.0,
                "{path} of {:?} is outside its notice",
                tender.title
            );
            assert!(evidence.is_some_and(|evidence| !evidence.text.is_empty()));
        }
    }
    assert!(fields > 250, "{fields}");
}

//! What was read of pages, held against their truth and counted. How it is shown is `table`'s part.

use super::truth::{Fields, Piece};
use crate::extract::{CONFIDENCE_LINE, doubts};
use index::{
    tender::{PageBox, Tender},
    text::normalise,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Boxes that share this part of what they cover are the same piece, roughly and well.
pub const ROUGHLY: f64 = 0.5;
/// See [`ROUGHLY`].
pub const WELL: f64 = 0.8;
/// A field at least this sure counts as sure.
pub const SURE: f64 = 0.9;
/// What must not be wrong in a notice that nobody looks at.
const KEY: [&str; 3] = ["title", "organisation", "closing"];

/// A clip that was found, and what it came to.
#[derive(Debug, Clone)]
pub struct Block {
    /// Where, in fractions of the page.
    pub area: PageBox,
    /// What it says.
    pub text: String,
    /// The notice, where it was taken for one.
    pub tender: Option<Box<Tender>>,
}

/// Counts over some pages.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// Pages.
    pub pages: usize,
    /// Notices that there are.
    pub notices: usize,
    /// Of those, notices with a clip that is [`ROUGHLY`] theirs, and [`WELL`].
    pub found_roughly: usize,
    /// See [`Scores::found_roughly`].
    pub found_well: usize,
    /// Clips that were made.
    pub clips: usize,
    /// Of those, clips that are well a piece of the page, be it a notice or not.
    pub clips_right: usize,
    /// Clips that are roughly a piece, and of those the ones rightly taken for a notice or kept out.
    pub judged: usize,
    /// See [`Scores::judged`].
    pub judged_rightly: usize,
    /// Wrong letters for each letter, of each notice that was roughly found, by language.
    pub letter_errors: BTreeMap<String, Vec<f64>>,
    /// The same for text recognition alone on the whole page, where that was asked for.
    pub letter_errors_alone: BTreeMap<String, Vec<f64>>,
    /// The fields.
    pub fields: BTreeMap<&'static str, FieldScore>,
    /// Notices that would be published unseen, by the confidence line that holds unless an operator draws another.
    pub passed: usize,
    /// Of those, the ones with a wrong title, organisation or closing: each with its piece, and what is and what was read.
    pub wrongly_passed: Vec<String>,
    /// The fields that were not read as they are: each with its piece, what is and what was read, and whether that was [`SURE`].
    pub field_errors: Vec<String>,
    /// CPU seconds of text recognition, and of all else.
    pub recognition_seconds: f64,
    /// See [`Scores::recognition_seconds`].
    pub other_seconds: f64,
}

/// Counts of one field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldScore {
    /// Read as it is.
    pub right: usize,
    /// Read, but not as it is.
    pub wrong: usize,
    /// There, but not read as it is.
    pub missed: usize,
    /// [`SURE`] but wrong.
    pub sure_and_wrong: usize,
    /// All that were [`SURE`].
    pub sure: usize,
}

impl FieldScore {
    /// The harmonic mean of precision and recall; `None` of nothing.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        let all = 2 * self.right + self.wrong + self.missed;
        (all > 0).then(|| 2.0 * self.right as f64 / all as f64)
    }

    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.sure_and_wrong += other.sure_and_wrong;
        self.sure += other.sure;
    }
}

impl Scores {
    /// Counts a page.
    pub fn page(&mut self, pieces: &[Piece], blocks: &[Block]) {
        self.pages += 1;
        self.clips += blocks.len();
        let is_well = |block: &Block| pieces.iter().any(|piece| overlap(piece.area, block.area) >= WELL);
        self.clips_right += blocks.iter().filter(|block| is_well(block)).count();
        for piece in pieces {
            let best = blocks
                .iter()
                .map(|block| (overlap(piece.area, block.area), block))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(share, _)| *share >= ROUGHLY);
            if let Some((_, block)) = best {
                self.judged += 1;
                self.judged_rightly += usize::from(block.tender.is_some() == piece.is_notice);
            }
            if !piece.is_notice {
                continue;
            }
            self.notices += 1;
            self.found_roughly += usize::from(best.is_some());
            self.found_well += usize::from(best.is_some_and(|(share, _)| share >= WELL));
            if let Some((_, block)) = best {
                let errors = self.letter_errors.entry(piece.language.clone()).or_default();
                errors.push(letter_errors(&piece.text, &block.text));
            }
            let nothing = Tender::default();
            let read = best.and_then(|(_, block)| block.tender.as_deref()).unwrap_or(&nothing);
            let wrong = self.fields(&piece.fields, read);
            self.field_errors.extend(wrong.iter().map(|error| format!("{}: {error}", piece.id)));
            let passes = !read.title.is_empty() && doubts(read, CONFIDENCE_LINE).is_empty();
            self.passed += usize::from(passes);
            let key: Vec<String> =
                wrong.iter().filter(|error| KEY.contains(&error.name)).map(ToString::to_string).collect();
            if passes && !key.is_empty() {
                self.wrongly_passed.push(format!("{}: {}", piece.id, key.join("; ")));
            }
        }
    }

    /// Counts the fields, and says which were read wrong.
    fn fields(&mut self, truth: &Fields, read: &Tender) -> Vec<FieldError> {
        let amount = |amount: Option<f64>| amount.map(|amount| amount.to_string());
        let closing = truth.closing_date.as_ref().map(|day| match &truth.closing_time {
            Some(hour) => format!("{day}T{hour}"),
            None => day.clone(),
        });
        // A day alone is read as its end.
        let length = closing.as_ref().map_or(16, String::len);
        let read_closing =
            read.dates.closing.map(|closing| closing.to_string().chars().take(length).collect::<String>());
        let bond = &read.financials.bid_bond;
        let fee = read.document_fee.as_ref().and_then(|fee| fee.amount);
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        let district = read.location.district.filter(|_| truth.district.is_some());
        let kind = (truth.kind.is_some() && !read.title.is_empty()).then(|| read.kind.to_string());
        let pairs: [(&'static str, &str, Option<String>, Option<String>); 10] = [
            ("kind", "kind", truth.kind.clone(), kind),
            ("title", "title", truth.title.clone(), some(&read.title)),
            ("organisation", "organization.name", truth.organisation.clone(), some(&read.organization.name)),
            ("reference", "referenceNo", truth.reference_no.clone(), read.reference_no.clone()),
            ("closing", "dates.closing", closing, read_closing),
            (
                "bid security",
                "financials.bidBond.amount",
                amount(truth.bid_security_amount),
                bond.amount.map(|amount| amount.number().to_string()),
            ),
            (
                "bid security %",
                "financials.bidBond.percentage",
                amount(truth.bid_security_pct),
                amount(bond.percentage),
            ),
            (
                "document fee",
                "documentFee.amount",
                amount(truth.document_fee),
                fee.map(|amount| amount.number().to_string()),
            ),
            ("CIDA grade", "cida", truth.cida.clone(), read.cida.first().map(|cida| cida.grade.clone())),
            (
                "district",
                "location.district",
                truth.district.as_deref().map(|name| name.replace("Monaragala", "Moneragala")),
                district.map(|district| district.to_string()),
            ),
        ];
        let mut wrong = Vec::new();
        for (name, path, truth, found) in pairs {
            let sure = read.confidence.get(path).is_some_and(|confidence| *confidence >= SURE);
            let score = compare(truth.as_deref(), found.as_deref(), sure);
            if score.wrong + score.missed > 0 {
                wrong.push(FieldError { name, truth, found, sure });
            }
            self.fields.entry(name).or_default().add(&score);
        }
        wrong
    }

    /// Adds what was counted of other pages.
    pub fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.notices += other.notices;
        self.found_roughly += other.found_roughly;
        self.found_well += other.found_well;
        self.clips += other.clips;
        self.clips_right += other.clips_right;
        self.judged += other.judged;
        self.judged_rightly += other.judged_rightly;
        for (ours, theirs) in [
            (&mut self.letter_errors, &other.letter_errors),
            (&mut self.letter_errors_alone, &other.letter_errors_alone),
        ] {
            for (language, errors) in theirs {
                ours.entry(language.clone()).or_default().extend(errors);
            }
        }
        self.passed += other.passed;
        self.wrongly_passed.extend(other.wrongly_passed.iter().cloned());
        self.field_errors.extend(other.field_errors.iter().cloned());
        for (name, score) in &other.fields {
            self.fields.entry(name).or_default().add(score);
        }
        self.recognition_seconds += other.recognition_seconds;
        self.other_seconds += other.other_seconds;
    }

    /// All fields together.
    #[must_use]
    pub fn all_fields(&self) -> FieldScore {
        let mut all = FieldScore::default();
        self.fields.values().for_each(|score| all.add(score));
        all
    }
}

/// A field that was not read as it is.
struct FieldError {
    name: &'static str,
    truth: Option<String>,
    found: Option<String>,
    sure: bool,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |value: &Option<String>| match value {
            Some(value) => format!("`{value}`"),
            None => "nothing".to_owned(),
        };
        let sure = if self.sure && self.found.is_some() { ", surely" } else { "" };
        write!(f, "{} is {}, read {}{sure}", self.name, said(&self.truth), said(&self.found))
    }
}

/// Words are compared as the search compares them: letters' cases and what separates words do not count.
fn compare(truth: Option<&str>, read: Option<&str>, sure: bool) -> FieldScore {
    let is_right = match (truth, read) {
        (Some(truth), Some(read)) => normalise(truth) == normalise(read),
        _ => false,
    };
    let is_wrong = !is_right && read.is_some();
    FieldScore {
        right: usize::from(is_right),
        wrong: usize::from(is_wrong),
        missed: usize::from(!is_right && truth.is_some()),
        sure_and_wrong: usize::from(is_wrong && sure),
        sure: usize::from(read.is_some() && sure),
    }
}

/// What two boxes share, over what they cover together.
#[must_use]
pub fn overlap(a: PageBox, b: PageBox) -> f64 {
    let side =
        |axis: usize| ((a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis])).max(0.0);
    let both = side(0) * side(1);
    both / (a[2] * a[3] + b[2] * b[3] - both).max(f64::MIN_POSITIVE)
}

/// The letters to be changed, put in or left out, for each letter of the truth; white space counts as one blank.
#[must_use]
pub fn letter_errors(truth: &str, read: &str) -> f64 {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (truth, read) = (plain(truth), plain(read));
    strsim::levenshtein(&truth, &read) as f64 / truth.chars().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::tender::Organization;

    fn piece(area: PageBox, is_notice: bool) -> Piece {
        let fields = Fields {
            title: Some("Repair of roads".into()),
            organisation: Some("Galle Municipal Council".into()),
            document_fee: Some(500.0),
            ..Fields::default()
        };
        Piece {
            id: "n".into(),
            is_notice,
            language: "en".into(),
            corners: [[0.0; 2]; 4],
            area,
            text: "Repair of roads".into(),
            fields,
        }
    }

    fn block(area: PageBox, tender: Option<Tender>) -> Block {
        Block { area, text: "Repair  of\nroad".into(), tender: tender.map(Box::new) }
    }

    #[test]
    fn what_is_found_read_missed_and_wrong_is_counted() {
        let mut read = Tender {
            title: "REPAIR OF ROADS".into(),
            organization: Organization { name: "Matara".into(), ..Organization::default() },
            reference_no: Some("A/1".into()),
            ..Tender::default()
        };
        read.confidence.insert("organization.name".into(), 0.95);
        let pieces = [
            piece([0.0, 0.0, 0.5, 0.5], true),
            piece([0.5, 0.0, 0.5, 0.5], true),
            piece([0.0, 0.5, 0.5, 0.5], false),
        ];
        let blocks = [
            block([0.0, 0.0, 0.5, 0.45], Some(read)),
            block([0.5, 0.0, 0.5, 0.3], None),
            block([0.0, 0.5, 0.5, 0.5], None),
            block([0.9, 0.9, 0.1, 0.1], None),
        ];
        let mut scores = Scores::default();
        scores.page(&pieces, &blocks);
        assert_eq!((scores.notices, scores.found_roughly, scores.found_well), (2, 2, 1));
        assert_eq!((scores.clips, scores.clips_right), (4, 2));
        assert_eq!((scores.judged, scores.judged_rightly), (3, 2));
        assert_eq!(scores.letter_errors["en"], [1.0 / 15.0, 1.0 / 15.0]);
        let field = |name: &str| scores.fields[name];
        assert_eq!((field("title").right, field("title").missed), (1, 1));
        let organisation = FieldScore { right: 0, wrong: 1, missed: 2, sure_and_wrong: 1, sure: 1 };
        assert_eq!(field("organisation"), organisation);
        assert_eq!((field("reference").wrong, field("reference").missed), (1, 0));
        assert_eq!(field("document fee").missed, 2);
        assert_eq!(field("title").f1(), Some(2.0 / 3.0));
        assert_eq!(field("CIDA grade").f1(), None);
        assert_eq!((scores.passed, scores.wrongly_passed.len()), (0, 0), "no closing: it waits");
        assert_eq!(
            scores.field_errors[..2],
            [
                "n: organisation is `Galle Municipal Council`, read `Matara`, surely",
                "n: reference is nothing, read `A/1`"
            ]
        );
        let mut twice = scores.clone();
        twice.add(&scores);
        assert_eq!((twice.pages, twice.all_fields().missed), (2, 2 * scores.all_fields().missed));
    }

    #[test]
    fn a_day_alone_is_compared_as_a_day() {
        let mut scores = Scores::default();
        let truth = Fields { closing_date: Some("2028-04-09".into()), ..Fields::default() };
        let mut read = Tender::default();
        read.dates.closing = "2028-04-09T23:59:59+05:30".parse().ok();
        scores.fields(&truth, &read);
        scores.fields(&Fields { closing_time: Some("10:00".into()), ..truth }, &read);
        let closing = scores.fields["closing"];
        assert_eq!((closing.right, closing.wrong), (1, 1));
    }

    #[test]
    fn boxes_overlap_by_what_they_share() {
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]), 1.0);
        assert_eq!(overlap([0.0, 0.0, 0.5, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.0);
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.5);
        assert_eq!(overlap([0.0; 4], [0.0; 4]), 0.0);
    }
}

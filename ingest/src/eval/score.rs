//! What was read of pages, held against their truth and counted. How it is shown is `table`'s part.

use super::ground_truth::{Fields, TruthRegion};
use crate::extract::{CONFIDENCE_LINE, field_states, has_title, is_doubted_as_notice};
use index::{
    tender::{PageBox, Tender},
    text::normalise,
    vocabulary::Category,
};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};

/// Boxes that share this part of what they cover are the same piece, roughly and well.
pub const LOOSE_IOU: f64 = 0.5;
/// See [`LOOSE_IOU`].
pub const STRICT_IOU: f64 = 0.8;
/// What a reader can't do without.
const KEY: [&str; 4] = ["title", "organisation", "reference", "closing"];

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
    /// Of those, notices with a clip that is [`LOOSE_IOU`] theirs, and [`STRICT_IOU`].
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
    /// Notices by language: how many come out as published notices.
    pub published: BTreeMap<String, PublishedScore>,
    /// Clips that are published: taken for a notice without a doubt whether they are one.
    pub published_clips: usize,
    /// Of those, the ones that are no notice: on another piece of the page, or on none. Each with its piece and its title.
    pub published_wrongly: Vec<String>,
    /// Of those, the ones that are but a part of a notice, or several at once.
    pub published_in_part: usize,
    /// The fields that are shown as certain and are wrong: each with its piece, what is and what was read.
    pub certain_errors: Vec<String>,
    /// The fields that were read as they are, but are shown as doubtful: each with its piece, what was read and how sure that is.
    pub doubted: Vec<String>,
    /// The fields that were not read as they are: each with its piece, what is and what was read, and whether that is shown as certain.
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
    /// Shown as certain.
    pub certain: usize,
    /// Shown as certain, but wrong.
    pub certain_and_wrong: usize,
}

/// Counts of the notices of one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedScore {
    /// That there are.
    pub notices: usize,
    /// That are published.
    pub published: usize,
    /// That print a closing.
    pub with_closing: usize,
    /// Of those, the ones that are published with the right day of closing.
    pub right_day: usize,
}

impl PublishedScore {
    /// Adds another's.
    pub fn add(&mut self, other: &Self) {
        self.notices += other.notices;
        self.published += other.published;
        self.with_closing += other.with_closing;
        self.right_day += other.right_day;
    }
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
        self.certain += other.certain;
        self.certain_and_wrong += other.certain_and_wrong;
    }

    /// Read as it is and shown as certain.
    #[must_use]
    pub fn certain_and_right(&self) -> usize {
        self.certain - self.certain_and_wrong
    }
}

impl Block {
    /// Whether it is published: taken for a notice, and without a doubt whether it is one.
    fn is_published(&self) -> bool {
        self.tender.as_ref().is_some_and(|tender| !is_doubted_as_notice(tender, CONFIDENCE_LINE))
    }
}

impl Scores {
    /// What is told of single pieces.
    pub(super) fn told(&mut self) -> impl Iterator<Item = &mut String> {
        let fields = self.field_errors.iter_mut().chain(&mut self.certain_errors).chain(&mut self.doubted);
        fields.chain(&mut self.published_wrongly)
    }

    /// Counts a page.
    pub fn page(&mut self, pieces: &[TruthRegion], blocks: &[Block]) {
        self.pages += 1;
        self.clips += blocks.len();
        let is_well =
            |block: &Block| pieces.iter().any(|piece| overlap(piece.area, block.area) >= STRICT_IOU);
        self.clips_right += blocks.iter().filter(|block| is_well(block)).count();
        for piece in pieces {
            let best = blocks
                .iter()
                .map(|block| (overlap(piece.area, block.area), block))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(share, _)| *share >= LOOSE_IOU);
            if let Some((_, block)) = best {
                self.judged += 1;
                self.judged_rightly += usize::from(block.tender.is_some() == piece.is_notice);
            }
            if !piece.is_notice {
                continue;
            }
            self.notices += 1;
            self.found_roughly += usize::from(best.is_some());
            self.found_well += usize::from(best.is_some_and(|(share, _)| share >= STRICT_IOU));
            if let Some((_, block)) = best {
                let errors = self.letter_errors.entry(piece.language.clone()).or_default();
                errors.push(letter_errors(&piece.text, &block.text));
            }
            let nothing = Tender::default();
            let read = best.and_then(|(_, block)| block.tender.as_deref()).unwrap_or(&nothing);
            let doubted = self.doubted.len();
            let wrong = self.fields(&piece.fields, read);
            self.doubted[doubted..].iter_mut().for_each(|told| *told = format!("{}: {told}", piece.id));
            self.field_errors.extend(wrong.iter().map(|error| format!("{}: {error}", piece.id)));
            let certain = wrong.iter().filter(|error| error.certain && error.found.is_some());
            self.certain_errors.extend(certain.map(|error| format!("{}: {error}", piece.id)));
            let is_published = best.is_some_and(|(_, block)| block.is_published());
            let closing = piece.fields.closing_date.as_deref();
            let is_right = is_published
                && closing.is_some()
                && closing == read.dates.closing.map(|moment| moment.day().to_string()).as_deref();
            self.published.entry(piece.language.clone()).or_default().add(&PublishedScore {
                notices: 1,
                published: usize::from(is_published),
                with_closing: usize::from(closing.is_some()),
                right_day: usize::from(is_right),
            });
        }
        self.published_clips(pieces, blocks);
    }

    /// Counts what is published, and what of it is no notice.
    fn published_clips(&mut self, pieces: &[TruthRegion], blocks: &[Block]) {
        for block in blocks.iter().filter(|block| block.is_published()) {
            self.published_clips += 1;
            let shares = pieces.iter().map(|piece| (overlap(piece.area, block.area), piece));
            let most = shares.filter(|(share, _)| *share > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
            match most {
                Some((share, piece)) if piece.is_notice => {
                    self.published_in_part += usize::from(share < LOOSE_IOU);
                }
                other => {
                    let id = other.map_or("no piece", |(_, piece)| piece.id.as_str());
                    let title = block.tender.as_ref().map_or("", |tender| tender.title.as_str());
                    self.published_wrongly.push(format!("{id}: `{title}`"));
                }
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
        let title = has_title(read).then(|| read.title.clone());
        let category = read.category.filter(|_| truth.category.is_some());
        let states = field_states(read, CONFIDENCE_LINE);
        let pairs: [(&'static str, &str, Option<String>, Option<String>); 11] = [
            ("kind", "kind", truth.kind.clone(), kind),
            ("title", "title", truth.title.clone(), title),
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
                "category",
                "category",
                truth.category.clone(),
                category.map(|category| roughly(category, truth.category.as_deref())),
            ),
            (
                "district",
                "location.district",
                truth.district.as_deref().map(|name| name.replace("Monaragala", "Moneragala")),
                district.map(|district| district.to_string()),
            ),
        ];
        let mut wrong = Vec::new();
        for (name, path, truth, found) in pairs {
            let certain = !states.contains_key(path);
            let score = compare(truth.as_deref(), found.as_deref(), certain);
            if score.right > 0 && !certain {
                let sure = read.confidence.get(path).copied().unwrap_or_default();
                let found = found.as_deref().unwrap_or_default();
                self.doubted.push(format!("{name} is `{found}`, and was read so, but doubted ({sure})"));
            }
            if score.wrong + score.missed > 0 {
                wrong.push(FieldError { name, truth, found, certain });
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
        for (language, score) in &other.published {
            self.published.entry(language.clone()).or_default().add(score);
        }
        self.published_clips += other.published_clips;
        self.published_in_part += other.published_in_part;
        self.published_wrongly.extend(other.published_wrongly.iter().cloned());
        self.certain_errors.extend(other.certain_errors.iter().cloned());
        self.doubted.extend(other.doubted.iter().cloned());
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

    /// Title, organisation, reference and closing together.
    #[must_use]
    pub fn key_fields(&self) -> FieldScore {
        let mut all = FieldScore::default();
        KEY.iter().filter_map(|name| self.fields.get(name)).for_each(|score| all.add(score));
        all
    }

    /// The notices of all languages together.
    #[must_use]
    pub fn all_published(&self) -> PublishedScore {
        let mut all = PublishedScore::default();
        self.published.values().for_each(|score| all.add(score));
        all
    }
}

/// What a category is roughly: the truth's word where it may be called so, else its own name.
fn roughly(category: Category, truth: Option<&str>) -> String {
    let words: &[&str] = match category {
        Category::Construction => &["works"],
        Category::ComputersLaptops | Category::MedicalEquipment | Category::Furniture => &["goods"],
        // Printing is an office's supply, and a network or a vehicle may be hired.
        Category::OfficeSupplies | Category::ComputerIt | Category::Vehicles | Category::CateringServices => {
            &["goods", "services"]
        }
        Category::UpkeepRepair => &["works", "goods", "services"],
        Category::ConsultancyServices => &["consultancy", "services"],
        // Pumps and transformers are bought for it.
        Category::EngineeringServices => &["consultancy", "services", "works", "goods"],
        Category::SecurityServices | Category::CleaningServices => &["services"],
        Category::Other => &["goods", "services"],
    };
    truth.filter(|truth| words.contains(truth)).map_or_else(|| category.to_string(), str::to_owned)
}

/// A field that was not read as it is.
struct FieldError {
    name: &'static str,
    truth: Option<String>,
    found: Option<String>,
    certain: bool,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let said = |value: &Option<String>| match value {
            Some(value) => format!("`{value}`"),
            None => "nothing".to_owned(),
        };
        let certain = if self.certain && self.found.is_some() { ", shown as certain" } else { "" };
        write!(f, "{} is {}, read {}{certain}", self.name, said(&self.truth), said(&self.found))
    }
}

/// Words are compared as the search compares them: letters' cases and what separates words do not count.
fn compare(truth: Option<&str>, read: Option<&str>, certain: bool) -> FieldScore {
    let is_right = match (truth, read) {
        (Some(truth), Some(read)) => normalise(truth) == normalise(read),
        _ => false,
    };
    let is_wrong = !is_right && read.is_some();
    FieldScore {
        right: usize::from(is_right),
        wrong: usize::from(is_wrong),
        missed: usize::from(!is_right && truth.is_some()),
        certain: usize::from(read.is_some() && certain),
        certain_and_wrong: usize::from(is_wrong && certain),
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
    use index::tender::{IS_NOTICE, Organization};

    fn piece(area: PageBox, is_notice: bool) -> TruthRegion {
        let fields = Fields {
            title: Some("Repair of roads".into()),
            organisation: Some("Galle Municipal Council".into()),
            document_fee: Some(500.0),
            ..Fields::default()
        };
        TruthRegion {
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
        read.confidence = [("title", 0.9), ("organization.name", 0.95), ("referenceNo", 0.5)]
            .map(|(path, sure)| (path.to_owned(), sure))
            .into();
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
        let organisation = FieldScore { right: 0, wrong: 1, missed: 2, certain: 1, certain_and_wrong: 1 };
        assert_eq!(field("organisation"), organisation);
        assert_eq!((field("reference").wrong, field("reference").missed), (1, 0));
        assert_eq!(field("document fee").missed, 2);
        assert_eq!(field("title").f1(), Some(2.0 / 3.0));
        assert_eq!(field("CIDA grade").f1(), None);
        assert_eq!((field("title").certain_and_right(), scores.key_fields().certain), (1, 2));
        assert_eq!(
            scores.certain_errors,
            ["n: organisation is `Galle Municipal Council`, read `Matara`, shown as certain"]
        );
        assert_eq!(
            scores.field_errors[..2],
            [
                "n: organisation is `Galle Municipal Council`, read `Matara`, shown as certain",
                "n: reference is nothing, read `A/1`"
            ]
        );
        assert_eq!(scores.doubted, Vec::<String>::new(), "the only right value is certain");
        let mut twice = scores.clone();
        twice.add(&scores);
        assert_eq!((twice.pages, twice.all_fields().missed), (2, 2 * scores.all_fields().missed));
    }

    #[test]
    fn what_is_published_is_counted_by_language() {
        let notice = |day: &str, sure: Option<f64>| {
            let mut tender = Tender { title: "Repair".into(), ..Tender::default() };
            tender.dates.closing = format!("{day}T14:00:00+05:30").parse().ok();
            tender.confidence = sure.map(|sure| (IS_NOTICE.to_owned(), sure)).into_iter().collect();
            tender
        };
        let mut pieces: Vec<TruthRegion> =
            (0..4).map(|nth| piece([f64::from(nth) / 4.0, 0.0, 0.2, 0.5], nth < 3)).collect();
        for piece in &mut pieces {
            piece.fields.closing_date = Some("2028-04-09".into());
        }
        let blocks = [
            block(pieces[0].area, Some(notice("2028-04-09", None))),
            block(pieces[1].area, Some(notice("2028-04-19", None))),
            block(pieces[2].area, Some(notice("2028-04-09", Some(0.6)))),
            block(pieces[3].area, Some(notice("2028-04-09", None))),
            block([0.0, 0.0, 0.05, 0.05], Some(notice("2028-04-09", None))),
            block([0.9, 0.9, 0.05, 0.05], Some(notice("2028-04-09", None))),
        ];
        let mut scores = Scores::default();
        scores.page(&pieces, &blocks);
        let expected = PublishedScore { notices: 3, published: 2, with_closing: 3, right_day: 1 };
        assert_eq!((scores.published["en"], scores.all_published()), (expected, expected));
        assert_eq!((scores.published_clips, scores.published_in_part), (5, 1));
        assert_eq!(scores.published_wrongly, ["n: `Repair`", "no piece: `Repair`"]);
        scores.add(&scores.clone());
        assert_eq!((scores.all_published().right_day, scores.published_wrongly.len()), (2, 4));
    }

    #[test]
    fn a_category_is_compared_as_roughly_as_the_truth_tells_it() {
        assert_eq!(roughly(Category::Vehicles, Some("goods")), "goods");
        assert_eq!(roughly(Category::Vehicles, Some("works")), "Vehicles");
    }

    #[test]
    fn a_day_alone_is_compared_as_a_day() {
        let mut scores = Scores::default();
        let truth = Fields { closing_date: Some("2028-04-09".into()), ..Fields::default() };
        let mut read = Tender::default();
        read.dates.closing = "2028-04-09T23:59:59+05:30".parse().ok();
        scores.fields(&truth, &read);
        read.confidence.insert("dates.closing".into(), 0.7);
        scores.fields(&truth, &read);
        assert_eq!(scores.doubted, ["closing is `2028-04-09`, and was read so, but doubted (0.7)"]);
        scores.fields(&Fields { closing_time: Some("10:00".into()), ..truth }, &read);
        let closing = scores.fields["closing"];
        assert_eq!((closing.right, closing.wrong), (2, 1));
    }

    #[test]
    fn boxes_overlap_by_what_they_share() {
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]), 1.0);
        assert_eq!(overlap([0.0, 0.0, 0.5, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.0);
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.5);
        assert_eq!(overlap([0.0; 4], [0.0; 4]), 0.0);
    }
}

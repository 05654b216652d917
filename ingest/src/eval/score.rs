//! Scores the reading of pages against their ground truth. `score_table` formats the result.

use super::ground_truth::{Fields, TruthRegion};
use crate::extract::{CONFIDENCE_THRESHOLD, field_states, has_title, is_doubted_as_notice};
use serde::Serialize;
use std::{collections::BTreeMap, fmt};
use tender_model::{
    tender::{PageBox, Tender},
    text::normalise,
    vocabulary::Category,
};

/// Two boxes match loosely if their intersection over union is at least this.
pub const LOOSE_IOU: f64 = 0.5;
/// Two boxes match strictly if their intersection over union is at least this.
pub const STRICT_IOU: f64 = 0.8;
/// The names of the key fields in [`Scores::fields`].
const KEY_FIELDS: [&str; 4] = ["title", "organisation", "reference", "closing"];

/// A found clip and its result.
#[derive(Debug, Clone)]
pub struct ReadClip {
    /// The box as fractions of the page.
    pub area: PageBox,
    /// The text.
    pub text: String,
    /// The tender, if the clip was accepted as a notice.
    pub tender: Option<Box<Tender>>,
}

/// The scores of some pages.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Scores {
    /// The number of pages.
    pub pages: usize,
    /// The number of notices in the ground truth.
    pub notices: usize,
    /// Notices with a loosely matching clip.
    #[serde(rename = "foundRoughly")]
    pub found_loosely: usize,
    /// Notices with a strictly matching clip.
    #[serde(rename = "foundWell")]
    pub found_strictly: usize,
    /// The number of found clips.
    pub clips: usize,
    /// Clips that strictly match a region of the page, including regions that are not notices.
    pub clips_right: usize,
    /// Regions with a loosely matching clip.
    pub judged: usize,
    /// Regions with a loosely matching clip that was correctly accepted or rejected.
    pub judged_rightly: usize,
    /// The character error rate of each loosely found notice, by language.
    pub letter_errors: BTreeMap<String, Vec<f64>>,
    /// The character error rate of each notice, by language, if Tesseract reads the whole page
    /// alone. Empty if this was not requested.
    pub letter_errors_alone: BTreeMap<String, Vec<f64>>,
    /// The scores of the fields.
    pub fields: BTreeMap<&'static str, FieldScore>,
    /// The counts of published notices by language.
    pub published: BTreeMap<String, PublishedScore>,
    /// The number of published clips. A clip is published if it is accepted as a notice without
    /// doubt.
    pub published_clips: usize,
    /// Published clips that are not notices, each with its region and its title.
    pub published_wrongly: Vec<String>,
    /// Published clips that are only part of a notice, or several notices.
    pub published_in_part: usize,
    /// Certain fields that are wrong, each with its region, the true and the read value.
    pub certain_errors: Vec<String>,
    /// Doubtful fields that are right, each with its region, the value and its confidence.
    pub doubted: Vec<String>,
    /// Wrong or missed fields, each with its region, the true and the read value, and whether the
    /// read value is certain.
    pub field_errors: Vec<String>,
    /// The CPU seconds of OCR.
    pub recognition_seconds: f64,
    /// The CPU seconds of everything except OCR.
    pub other_seconds: f64,
}

/// Counts of one field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FieldScore {
    /// Read values that are right.
    pub right: usize,
    /// Read values that are wrong.
    pub wrong: usize,
    /// True values that were not read correctly.
    pub missed: usize,
    /// Read values that are certain.
    pub certain: usize,
    /// Read values that are certain but wrong.
    pub certain_and_wrong: usize,
}

/// Counts of the notices of one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PublishedScore {
    /// Notices in the ground truth.
    pub notices: usize,
    /// Notices whose clip is published.
    pub published: usize,
    /// Notices with a closing date in the ground truth.
    pub with_closing: usize,
    /// Notices published with the right closing day.
    pub right_day: usize,
}

impl PublishedScore {
    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.notices += other.notices;
        self.published += other.published;
        self.with_closing += other.with_closing;
        self.right_day += other.right_day;
    }
}

impl FieldScore {
    /// The harmonic mean of precision and recall; `None` if there are neither true nor read
    /// values.
    #[must_use]
    pub fn f1(&self) -> Option<f64> {
        let all = 2 * self.right + self.wrong + self.missed;
        (all > 0).then(|| 2.0 * self.right as f64 / all as f64)
    }

    /// Adds other counts.
    pub fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.certain += other.certain;
        self.certain_and_wrong += other.certain_and_wrong;
    }

    /// The number of read values that are right and certain.
    #[must_use]
    pub fn certain_and_right(&self) -> usize {
        self.certain - self.certain_and_wrong
    }
}

impl ReadClip {
    /// Whether the clip is published: it is accepted as a notice without doubt.
    fn is_published(&self) -> bool {
        self.tender.as_ref().is_some_and(|tender| !is_doubted_as_notice(tender, CONFIDENCE_THRESHOLD))
    }
}

impl Scores {
    /// The messages about single regions.
    pub(super) fn messages_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let fields = self.field_errors.iter_mut().chain(&mut self.certain_errors).chain(&mut self.doubted);
        fields.chain(&mut self.published_wrongly)
    }

    /// Adds the scores of a page.
    pub fn add_page(&mut self, regions: &[TruthRegion], blocks: &[ReadClip]) {
        self.pages += 1;
        self.clips += blocks.len();
        let is_well =
            |block: &ReadClip| regions.iter().any(|region| overlap(region.area, block.area) >= STRICT_IOU);
        self.clips_right += blocks.iter().filter(|block| is_well(block)).count();
        for region in regions {
            let best = blocks
                .iter()
                .map(|block| (overlap(region.area, block.area), block))
                .max_by(|a, b| a.0.total_cmp(&b.0))
                .filter(|(share, _)| *share >= LOOSE_IOU);
            if let Some((_, block)) = best {
                self.judged += 1;
                self.judged_rightly += usize::from(block.tender.is_some() == region.is_notice);
            }
            if !region.is_notice {
                continue;
            }
            self.notices += 1;
            self.found_loosely += usize::from(best.is_some());
            self.found_strictly += usize::from(best.is_some_and(|(share, _)| share >= STRICT_IOU));
            if let Some((_, block)) = best.filter(|_| !region.text.is_empty()) {
                let errors = self.letter_errors.entry(region.language.clone()).or_default();
                errors.push(letter_errors(&region.text, &block.text));
            }
            let nothing = Tender::default();
            let read = best.and_then(|(_, block)| block.tender.as_deref()).unwrap_or(&nothing);
            let doubted = self.doubted.len();
            let wrong = self.add_fields(&region.fields, read);
            self.doubted[doubted..]
                .iter_mut()
                .for_each(|message| *message = format!("{}: {message}", region.id));
            self.field_errors.extend(wrong.iter().map(|error| format!("{}: {error}", region.id)));
            let certain = wrong.iter().filter(|error| error.certain && error.found.is_some());
            self.certain_errors.extend(certain.map(|error| format!("{}: {error}", region.id)));
            let is_published = best.is_some_and(|(_, block)| block.is_published());
            let closing = region.fields.closing_date.as_deref();
            let is_right = is_published
                && closing.is_some()
                && closing == read.dates.closing.map(|moment| moment.day().to_string()).as_deref();
            self.published.entry(region.language.clone()).or_default().add(&PublishedScore {
                notices: 1,
                published: usize::from(is_published),
                with_closing: usize::from(closing.is_some()),
                right_day: usize::from(is_right),
            });
        }
        self.add_published_clips(regions, blocks);
    }

    /// Counts the published clips, and among them the clips that are not notices or only part of
    /// one.
    fn add_published_clips(&mut self, regions: &[TruthRegion], blocks: &[ReadClip]) {
        for block in blocks.iter().filter(|block| block.is_published()) {
            self.published_clips += 1;
            let shares = regions.iter().map(|region| (overlap(region.area, block.area), region));
            let most = shares.filter(|(share, _)| *share > 0.0).max_by(|a, b| a.0.total_cmp(&b.0));
            match most {
                Some((share, region)) if region.is_notice => {
                    self.published_in_part += usize::from(share < LOOSE_IOU);
                }
                other => {
                    let id = other.map_or("no region", |(_, region)| region.id.as_str());
                    let title = block.tender.as_ref().map_or("", |tender| tender.title.as_str());
                    self.published_wrongly.push(format!("{id}: `{title}`"));
                }
            }
        }
    }

    /// Adds the scores of the fields of a notice. Returns the wrong and missed fields.
    fn add_fields(&mut self, truth: &Fields, read: &Tender) -> Vec<FieldError> {
        let amount = |amount: Option<f64>| amount.map(|amount| amount.to_string());
        let closing = truth.closing_date.as_ref().map(|day| match &truth.closing_time {
            Some(hour) => format!("{day}T{hour}"),
            None => day.clone(),
        });
        // A closing without a time is read as the end of the day, so only the day is compared.
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
        let states = field_states(read, CONFIDENCE_THRESHOLD);
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
                category.map(|category| rough_category(category, truth.category.as_deref())),
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
                self.doubted
                    .push(format!("{name} is `{found}` and was read correctly, but is doubtful ({sure})"));
            }
            if score.wrong + score.missed > 0 {
                wrong.push(FieldError { name, truth, found, certain });
            }
            self.fields.entry(name).or_default().add(&score);
        }
        wrong
    }

    /// Adds the scores of other pages.
    pub fn add(&mut self, other: &Self) {
        self.pages += other.pages;
        self.notices += other.notices;
        self.found_loosely += other.found_loosely;
        self.found_strictly += other.found_strictly;
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

    /// The scores of all fields.
    #[must_use]
    pub fn all_fields(&self) -> FieldScore {
        let mut all = FieldScore::default();
        self.fields.values().for_each(|score| all.add(score));
        all
    }

    /// The scores of title, organisation, reference and closing.
    #[must_use]
    pub fn key_fields(&self) -> FieldScore {
        let mut all = FieldScore::default();
        KEY_FIELDS.iter().filter_map(|name| self.fields.get(name)).for_each(|score| all.add(score));
        all
    }

    /// The counts of all languages.
    #[must_use]
    pub fn all_published(&self) -> PublishedScore {
        let mut all = PublishedScore::default();
        self.published.values().for_each(|score| all.add(score));
        all
    }
}

/// Returns the true rough category if it covers `category`, else the name of the category.
fn rough_category(category: Category, truth: Option<&str>) -> String {
    let words: &[&str] = match category {
        Category::Construction => &["works"],
        Category::ComputersLaptops | Category::MedicalEquipment | Category::Furniture => &["goods"],
        // Printing is an office supply, and networks and vehicles may be hired.
        Category::OfficeSupplies | Category::ComputerIt | Category::Vehicles | Category::CateringServices => {
            &["goods", "services"]
        }
        Category::UpkeepRepair => &["works", "goods", "services"],
        Category::ConsultancyServices => &["consultancy", "services"],
        // This category includes pumps and transformers, which count as goods.
        Category::EngineeringServices => &["consultancy", "services", "works", "goods"],
        Category::SecurityServices | Category::CleaningServices => &["services"],
        Category::Other => &["goods", "services"],
    };
    truth.filter(|truth| words.contains(truth)).map_or_else(|| category.to_string(), str::to_owned)
}

/// A wrong or missed field.
struct FieldError {
    name: &'static str,
    truth: Option<String>,
    found: Option<String>,
    certain: bool,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = |value: &Option<String>| match value {
            Some(value) => format!("`{value}`"),
            None => "nothing".to_owned(),
        };
        let certain = if self.certain && self.found.is_some() { ", certain" } else { "" };
        write!(f, "{} is {}, read {}{certain}", self.name, quoted(&self.truth), quoted(&self.found))
    }
}

/// Compares the texts of a field as the search does, ignoring case and separators.
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

/// The intersection over union of two boxes.
#[must_use]
pub fn overlap(a: PageBox, b: PageBox) -> f64 {
    let side =
        |axis: usize| ((a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis])).max(0.0);
    let both = side(0) * side(1);
    both / (a[2] * a[3] + b[2] * b[3] - both).max(f64::MIN_POSITIVE)
}

/// The character error rate. A run of white space counts as one space.
#[must_use]
pub fn letter_errors(truth: &str, read: &str) -> f64 {
    let plain = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (truth, read) = (plain(truth), plain(read));
    strsim::levenshtein(&truth, &read) as f64 / truth.chars().count().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::tender::{IS_NOTICE, Organization};

    fn region(area: PageBox, is_notice: bool) -> TruthRegion {
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
            corners: Some([[0.0; 2]; 4]),
            area,
            text: "Repair of roads".into(),
            fields,
        }
    }

    fn block(area: PageBox, tender: Option<Tender>) -> ReadClip {
        ReadClip { area, text: "Repair  of\nroad".into(), tender: tender.map(Box::new) }
    }

    #[test]
    fn found_right_missed_and_wrong_values_are_counted() {
        let mut read = Tender {
            title: "REPAIR OF ROADS".into(),
            organization: Organization { name: "Matara".into(), ..Organization::default() },
            reference_no: Some("A/1".into()),
            ..Tender::default()
        };
        read.confidence = [("title", 0.9), ("organization.name", 0.95), ("referenceNo", 0.5)]
            .map(|(path, sure)| (path.to_owned(), sure))
            .into();
        let regions = [
            region([0.0, 0.0, 0.5, 0.5], true),
            region([0.5, 0.0, 0.5, 0.5], true),
            region([0.0, 0.5, 0.5, 0.5], false),
        ];
        let blocks = [
            block([0.0, 0.0, 0.5, 0.45], Some(read)),
            block([0.5, 0.0, 0.5, 0.3], None),
            block([0.0, 0.5, 0.5, 0.5], None),
            block([0.9, 0.9, 0.1, 0.1], None),
        ];
        let mut scores = Scores::default();
        scores.add_page(&regions, &blocks);
        assert_eq!((scores.notices, scores.found_loosely, scores.found_strictly), (2, 2, 1));
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
            ["n: organisation is `Galle Municipal Council`, read `Matara`, certain"]
        );
        assert_eq!(
            scores.field_errors[..2],
            [
                "n: organisation is `Galle Municipal Council`, read `Matara`, certain",
                "n: reference is nothing, read `A/1`"
            ]
        );
        assert_eq!(scores.doubted, Vec::<String>::new(), "the only right value is certain");
        let mut twice = scores.clone();
        twice.add(&scores);
        assert_eq!((twice.pages, twice.all_fields().missed), (2, 2 * scores.all_fields().missed));
    }

    #[test]
    fn published_notices_are_counted_by_language() {
        let notice = |day: &str, sure: Option<f64>| {
            let mut tender = Tender { title: "Repair".into(), ..Tender::default() };
            tender.dates.closing = format!("{day}T14:00:00+05:30").parse().ok();
            tender.confidence = sure.map(|sure| (IS_NOTICE.to_owned(), sure)).into_iter().collect();
            tender
        };
        let mut regions: Vec<TruthRegion> =
            (0..4).map(|nth| region([f64::from(nth) / 4.0, 0.0, 0.2, 0.5], nth < 3)).collect();
        for region in &mut regions {
            region.fields.closing_date = Some("2028-04-09".into());
        }
        let blocks = [
            block(regions[0].area, Some(notice("2028-04-09", None))),
            block(regions[1].area, Some(notice("2028-04-19", None))),
            block(regions[2].area, Some(notice("2028-04-09", Some(0.6)))),
            block(regions[3].area, Some(notice("2028-04-09", None))),
            block([0.0, 0.0, 0.05, 0.05], Some(notice("2028-04-09", None))),
            block([0.9, 0.9, 0.05, 0.05], Some(notice("2028-04-09", None))),
        ];
        let mut scores = Scores::default();
        scores.add_page(&regions, &blocks);
        let expected = PublishedScore { notices: 3, published: 2, with_closing: 3, right_day: 1 };
        assert_eq!((scores.published["en"], scores.all_published()), (expected, expected));
        assert_eq!((scores.published_clips, scores.published_in_part), (5, 1));
        assert_eq!(scores.published_wrongly, ["n: `Repair`", "no region: `Repair`"]);
        scores.add(&scores.clone());
        assert_eq!((scores.all_published().right_day, scores.published_wrongly.len()), (2, 4));
    }

    #[test]
    fn a_category_matches_a_rough_category_that_covers_it() {
        assert_eq!(rough_category(Category::Vehicles, Some("goods")), "goods");
        assert_eq!(rough_category(Category::Vehicles, Some("works")), "Vehicles");
    }

    #[test]
    fn a_day_without_a_time_is_compared_as_a_day() {
        let mut scores = Scores::default();
        let truth = Fields { closing_date: Some("2028-04-09".into()), ..Fields::default() };
        let mut read = Tender::default();
        read.dates.closing = "2028-04-09T23:59:59+05:30".parse().ok();
        scores.add_fields(&truth, &read);
        read.confidence.insert("dates.closing".into(), 0.7);
        scores.add_fields(&truth, &read);
        assert_eq!(scores.doubted, ["closing is `2028-04-09` and was read correctly, but is doubtful (0.7)"]);
        scores.add_fields(&Fields { closing_time: Some("10:00".into()), ..truth }, &read);
        let closing = scores.fields["closing"];
        assert_eq!((closing.right, closing.wrong), (2, 1));
    }

    #[test]
    fn overlap_is_intersection_over_union() {
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]), 1.0);
        assert_eq!(overlap([0.0, 0.0, 0.5, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.0);
        assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.5);
        assert_eq!(overlap([0.0; 4], [0.0; 4]), 0.0);
    }
}

//! Scores the reading of pages against their ground truth. `score_table` formats the result.

mod field_score;

pub use field_score::FieldScore;

use super::ground_truth::{Fields, TruthRegion};
use crate::extract::{CONFIDENCE_THRESHOLD, field_states, has_title, is_doubted_as_notice};
use field_score::{FieldError, compare, rough_category};
use serde::Serialize;
use std::collections::BTreeMap;
use tender_model::tender::{PageBox, Tender};

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
mod tests;

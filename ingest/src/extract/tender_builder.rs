//! [`TenderBuilder`] builds a tender from the values that were found. It records the confidence
//! and the evidence of each value under the JSON path of its field.

use super::{
    Gazetteer,
    alternatives::Alternative,
    printed::{Found, Printed},
    rules::{
        amount_purposes::AmountsByPurpose, date_purposes::Deadlines, heading::Headline, location::Location,
        lots::LotRow, money::MoneyAmount,
    },
    second_choices::FieldRanges,
};
use crate::{base::lexicon::Lexicon, ocr::AGREED};
use serde::Serialize;
use std::ops::Range;
use tender_model::{
    tender::{
        Bond, CLOSING, Cida, DocumentFee, EstimatedValue, Experience, FieldChange, IS_NOTICE, Lot, PreBid,
        Tender, Turnover,
    },
    vocabulary::{Amount, Category, Currency, Day, Kind, Language, Moment, OrganizationType},
};

/// Words below this legibility are often wrong, so a reviewer should check them.
const MIN_LEGIBILITY: f64 = 0.7;
/// The minimum legibility of a Sinhala or Tamil value whose words are all in the lexicon.
const MIN_KNOWN_WORD_LEGIBILITY: f64 = 0.5;
/// The minimum legibility of a number in Sinhala or Tamil OCR text, where more numbers are
/// misread.
const MIN_NUMBER_LEGIBILITY: f64 = 0.9;
/// If the words of a field have at least this legibility, the low legibility of the clip does not
/// limit the confidence of the field.
const LEGIBLE_IN_POOR_CLIP: f64 = 0.9;
/// The highest confidence of a value with an illegible word. It is below the confidence threshold.
const ILLEGIBLE_CEILING: f64 = 0.75;
/// The highest confidence of a value with a Sinhala or Tamil OCR word that is not in the lexicon,
/// and of a closing that looks misread.
const UNTRUSTED_CEILING: f64 = 0.55;

/// The time of a closing is printed within this many words of its day.
const MAX_WORDS_TO_TIME: usize = 5;
/// The minutes in a quarter of an hour.
const QUARTER_HOUR: i8 = 15;

/// The path under which the confidence and the evidence of a former closing are stored.
const FORMER_CLOSING: &str = "changes.dates.closing";

pub(crate) struct TenderBuilder<'p> {
    printed: &'p Printed,
    legibility: f64,
    tender: Tender,
    /// The former closing of a corrigendum.
    former_closing: Option<Moment>,
    /// The printed words of the fields.
    ranges: FieldRanges,
}

impl<'p> TenderBuilder<'p> {
    pub(crate) fn new(printed: &'p Printed, legibility: f64) -> Self {
        Self {
            printed,
            legibility: legibility.clamp(0.0, 1.0),
            tender: Tender::default(),
            former_closing: None,
            ranges: FieldRanges::new(),
        }
    }

    /// Records the confidence and the evidence of a field, and returns its value. Words that are
    /// hard to read limit the confidence.
    fn record_field<T>(&mut self, path: &str, found: Option<Found<T>>) -> Option<T> {
        let mut found = found?;
        let is_native = self.printed.is_recognised_native();
        if is_native && self.printed.legibility_of_numbers(&found.range) < MIN_NUMBER_LEGIBILITY {
            found.confidence = found.confidence.min(ILLEGIBLE_CEILING);
        }
        // A clip that is hard to read may contain legible words.
        let legibility = match self.printed.legibility(&found.range) {
            own if own >= LEGIBLE_IN_POOR_CLIP && self.printed.area(&found.range).is_some() => {
                self.legibility.max(own)
            }
            _ => self.legibility,
        };
        // Confidences are rounded to hundredths.
        let confidence = (found.confidence.min(legibility) * 100.0).round() / 100.0;
        self.tender.confidence.insert(path.to_owned(), confidence);
        if !found.range.is_empty() {
            self.tender.evidence.insert(path.to_owned(), self.printed.evidence(&found.range));
            self.ranges.insert(path.to_owned(), found.range);
        }
        Some(found.value)
    }

    /// Like `record_field`, for a text field. Illegible words limit the confidence. Sinhala and
    /// Tamil OCR words also do, unless they are in the lexicon or two recognisers agree. The words
    /// of a value that is known as a whole (`is_known`) do not limit it.
    fn record_text_field(
        &mut self,
        path: &str,
        found: Option<Found<String>>,
        is_known: bool,
    ) -> Option<String> {
        let found = found.map(|found| {
            let legibility = self.printed.legibility(&found.range);
            let is_native = self.printed.is_misread_easily(&found.range);
            let is_of_words = Lexicon::built_in().knows(&found.value)
                && !found.value.contains(|c: char| c.is_ascii_alphabetic());
            let most = match (is_native, is_known, is_of_words) {
                (_, true, _) => 1.0,
                (true, false, true) if legibility >= MIN_KNOWN_WORD_LEGIBILITY => 1.0,
                (true, false, false) if legibility >= AGREED => 1.0,
                (true, false, false) => UNTRUSTED_CEILING,
                (false, ..) if legibility >= MIN_LEGIBILITY => 1.0,
                _ => ILLEGIBLE_CEILING,
            };
            Found { confidence: found.confidence.min(most), ..found }
        });
        self.record_field(path, found)
    }

    /// Like `record_field`, for the reference or the closing. An illegible word makes the field
    /// doubtful, even if the value is printed twice, because OCR misreads the same letters again.
    /// In Sinhala and Tamil text, only words with digits count.
    fn record_key_field<T>(&mut self, path: &str, found: Option<Found<T>>) -> Option<T> {
        let found = found.map(|found| {
            let legibility = if self.printed.is_recognised_native() {
                self.printed.legibility_of_numbers(&found.range)
            } else {
                self.printed.legibility(&found.range)
            };
            let is_legible = legibility >= MIN_LEGIBILITY;
            let confidence =
                if is_legible { found.confidence } else { found.confidence.min(ILLEGIBLE_CEILING) };
            Found { confidence, ..found }
        });
        self.record_field(path, found)
    }

    /// If the text may not be a notice, records the probability that it is one.
    pub(crate) fn notice_doubt(&mut self, probability: Option<f64>) {
        if let Some(probability) = probability {
            self.tender.confidence.insert(IS_NOTICE.to_owned(), (probability * 100.0).round() / 100.0);
        }
    }

    /// Adds a fallback title if no title was read.
    pub(crate) fn fallback_title(&mut self, head: &[Headline]) {
        let tender = &mut self.tender;
        if tender.title.is_empty() {
            let organization = &tender.organization.name;
            tender.title = super::rules::fallback_title::fallback_title(
                head,
                tender.kind,
                tender.language,
                organization,
            );
        }
    }

    /// Records the alternatives of a field.
    pub(crate) fn alternatives<T: Serialize>(&mut self, path: &str, others: Vec<Alternative<T>>) {
        for Alternative { found, reader } in others {
            let found = Found { confidence: found.confidence.min(self.legibility), ..found };
            super::alternatives::add_alternative(&mut self.tender, path, reader, self.printed, &found);
        }
    }

    pub(crate) fn kind(&mut self, kind: Found<Kind>) {
        self.tender.kind = self.record_field("kind", Some(kind)).unwrap_or_default();
    }

    pub(crate) fn language(&mut self, language: Option<(Language, f64)>) {
        let found = language.map(|(language, share)| Found::new(language, share, 0..0));
        self.tender.language = self.record_field("language", found);
    }

    pub(crate) fn category(&mut self, category: Option<Found<Category>>) {
        self.tender.category = self.record_field("category", category);
    }

    pub(crate) fn title(&mut self, title: Option<Found<String>>) {
        self.tender.title = self.record_text_field("title", title, false).unwrap_or_default();
    }

    pub(crate) fn organization(
        &mut self,
        name: Option<Found<String>>,
        kind: Option<OrganizationType>,
        is_known: bool,
    ) {
        if let Some(name) = name {
            let kind = kind.map(|kind| Found::new(kind, 0.9, name.range.clone()));
            self.tender.organization.kind = self.record_field("organization.type", kind);
            self.tender.organization.name =
                self.record_text_field("organization.name", Some(name), is_known).unwrap_or_default();
        }
    }

    pub(crate) fn contact(
        &mut self,
        person: Option<Found<String>>,
        email: Option<Found<String>>,
        phone: Option<Found<String>>,
    ) {
        let path = |part: &str| format!("organization.contactPerson.{part}");
        let name = self.record_text_field(&path("name"), person, false);
        let email = self.record_field(&path("email"), email);
        let phone = self.record_field(&path("phone"), phone);
        self.tender.organization.contact_person = tender_model::tender::ContactPerson { name, email, phone };
    }

    pub(crate) fn reference(&mut self, reference: Option<Found<String>>) {
        self.tender.reference_no = self.record_key_field("referenceNo", reference);
    }

    /// Whether a closing from OCR looks misread. Bids close at a full, half or quarter hour.
    /// Nearly all notices print a time. If no time was read in Sinhala or Tamil text, OCR probably
    /// missed the time, unless all words around the day are clearly legible.
    fn may_be_misread(&self, Found { value: moment, range, .. }: &Found<Moment>) -> bool {
        let is_end_of_day = Moment::end_of(moment.day()) == Some(*moment);
        if is_end_of_day {
            self.printed.is_recognised_native()
                && self.printed.legibility(&self.printed.extended_by_words(range, MAX_WORDS_TO_TIME)) < AGREED
        } else {
            self.printed.is_recognised() && moment.civil().minute() % QUARTER_HOUR != 0
        }
    }

    pub(crate) fn deadlines(&mut self, read: Deadlines) {
        let closing = read.closing.map(|found| {
            let most = if self.may_be_misread(&found) { UNTRUSTED_CEILING } else { 1.0 };
            Found { confidence: found.confidence.min(most), ..found }
        });
        self.tender.dates.closing = self.record_key_field(CLOSING, closing);
        self.alternatives(CLOSING, read.other_closings);
        self.former_closing = self.record_field(FORMER_CLOSING, read.former);
        self.tender.dates.opening = self.record_field("dates.opening", read.opening);
        let published = read.published.and_then(|day| {
            Moment::start_of(day.value).map(|moment| Found::new(moment, day.confidence, day.range))
        });
        self.tender.dates.published = self.record_field("dates.published", published);
        let sale_from = self.record_field("documentFee.saleFrom", read.sale_from);
        let sale_until = self.record_field("documentFee.saleUntil", read.sale_until);
        let place = self.record_text_field("documentFee.place", read.sale_place, false);
        if sale_from.is_some() || sale_until.is_some() || place.is_some() {
            let fee = self.tender.document_fee.get_or_insert_default();
            (fee.sale_from, fee.sale_until, fee.place) = (sale_from, sale_until, place);
        }
        if let Some(at) = self.record_field("preBid.at", read.pre_bid) {
            let place = self.record_text_field("preBid.place", read.pre_bid_place, false);
            self.tender.pre_bid = Some(PreBid { at: Some(at), place });
        }
    }

    /// Records the amounts. The amounts of a single table row belong to the notice. If there are
    /// several rows, their amounts belong to the lots.
    pub(crate) fn fees(&mut self, read: AmountsByPurpose, rows: &[LotRow]) {
        let single = match rows {
            [row] => Some(row),
            _ => None,
        };
        let of_row = |amount: fn(&LotRow) -> Option<Amount>| {
            let row = single?;
            let sum = MoneyAmount { range: row.range.clone(), amount: amount(row)?, currency: Currency::LKR };
            Some(Found::new(sum, 0.9, row.range.clone()))
        };
        let bid_bond = of_row(|row| row.bid_bond).or(read.bid_bond);
        let fee = of_row(|row| row.fee).or(read.document_fee);
        let estimate = of_row(|row| row.estimate).or(read.estimate);

        let bond = self.bond("financials.bidBond", bid_bond, read.bid_bond_percentage);
        self.tender.financials.bid_bond = bond;
        let bond =
            self.bond("financials.performanceBond", read.performance_bond, read.performance_percentage);
        self.tender.financials.performance_bond = bond;
        let free = read.free.map(|range| {
            Found::new(
                MoneyAmount { range: range.clone(), amount: Amount::from_minor(0), currency: Currency::LKR },
                0.8,
                range,
            )
        });
        if let Some(sum) = self.record_field("documentFee.amount", fee.or(free)) {
            let fee: &mut DocumentFee = self.tender.document_fee.get_or_insert_default();
            (fee.amount, fee.currency) = (Some(sum.amount), sum.currency);
        }
        if let Some(sum) = self.record_field("financials.estimatedValue.amount", estimate) {
            let value = EstimatedValue { amount: sum.amount.into(), currency: sum.currency };
            self.tender.financials.estimated_value = Some(value);
        }
        if let Some(sum) = self.record_field("eligibility.turnover.minimum", read.turnover) {
            self.tender.eligibility.turnover = Some(Turnover { minimum: sum.amount, currency: sum.currency });
        }
    }

    fn bond(&mut self, path: &str, sum: Option<Found<MoneyAmount>>, percentage: Option<Found<f64>>) -> Bond {
        let sum = self.record_field(&format!("{path}.amount"), sum);
        let percentage = self.record_field(&format!("{path}.percentage"), percentage);
        Bond {
            required: sum.is_some() || percentage.is_some(),
            percentage,
            amount: sum.as_ref().map(|sum| sum.amount),
            currency: sum.map(|sum| sum.currency),
        }
    }

    pub(crate) fn lots(&mut self, lots: Vec<Lot>, rows: &[LotRow]) {
        if let (Some(first), Some(last), false) = (rows.first(), rows.last(), lots.is_empty()) {
            let found = Found::new((), 0.85, first.range.start..last.range.end);
            self.record_field("lots", Some(found));
        }
        self.tender.lots = lots;
    }

    pub(crate) fn location(&mut self, found: Location) {
        self.tender.location.province = self.record_field("location.province", found.province);
        self.tender.location.district = self.record_field("location.district", found.district);
        self.tender.location.city = self.record_field("location.city", found.city);
    }

    pub(crate) fn cida(&mut self, grades: Vec<Found<Cida>>) {
        self.tender.cida = self.list("cida", grades);
    }

    pub(crate) fn eligibility(&mut self, criteria: Vec<Found<String>>, years: Option<Found<u16>>) {
        self.tender.eligibility.criteria = self.list("eligibility.criteria", criteria);
        if let Some(years) = self.record_field("eligibility.experience.years", years) {
            self.tender.eligibility.experience = Some(Experience { years: Some(years), description: None });
        }
    }

    pub(crate) fn method(&mut self, method: Option<Found<String>>) {
        self.tender.method = self.record_field("method", method);
    }

    fn list<T>(&mut self, path: &str, items: Vec<Found<T>>) -> Vec<T> {
        if let (Some(first), Some(last)) = (items.first(), items.last()) {
            let confidence = items.iter().map(|item| item.confidence).fold(1.0, f64::min);
            let range: Range<usize> = first.range.start..last.range.end;
            self.record_field(path, Some(Found::new((), confidence, range)));
        }
        items.into_iter().map(|item| item.value).collect()
    }

    pub(crate) fn description(&mut self, description: String) {
        self.tender.description = description;
    }

    /// Completes the tender, and returns it with the printed words of its fields. The issue date
    /// becomes the publication date if the notice prints no publication date or is a corrigendum.
    pub(super) fn finish(mut self, issue: Option<Day>, gazetteer: &Gazetteer) -> (Tender, FieldRanges) {
        // A corrigendum prints the publication date of the earlier notice.
        if self.tender.dates.published.is_none() || self.tender.kind == Kind::Corrigendum {
            self.tender.dates.published = issue.and_then(Moment::start_of).or(self.tender.dates.published);
        }
        self.record_closing_change();
        super::rules::contradiction::lower_contradictions(&mut self.tender, gazetteer);
        self.drop_chosen_alternatives();
        self.tender.needs_review = !super::doubts(&self.tender, super::CONFIDENCE_THRESHOLD).is_empty();
        (self.tender, self.ranges)
    }

    /// Removes alternative closings that equal the chosen closing, and empty lists of
    /// alternatives.
    fn drop_chosen_alternatives(&mut self) {
        let closing = serde_json::to_value(self.tender.dates.closing).unwrap_or_default();
        if let Some(others) = self.tender.other_readings.get_mut(CLOSING) {
            others.retain(|other| other.value != closing);
        }
        self.tender.other_readings.retain(|_, others| !others.is_empty());
    }

    /// Records the former closing of a corrigendum as a change.
    fn record_closing_change(&mut self) {
        let dates = &self.tender.dates;
        if let (Some(former), Some(at), Kind::Corrigendum) =
            (self.former_closing, dates.published, self.tender.kind)
        {
            let json = |moment: Option<Moment>| serde_json::to_value(moment).unwrap_or_default();
            self.tender.changes.push(FieldChange {
                at,
                field: CLOSING.to_owned(),
                from: json(Some(former)),
                to: json(dates.closing),
                source: Kind::Corrigendum.as_str().to_owned(),
            });
        }
    }
}

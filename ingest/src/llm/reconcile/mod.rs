//! Reconciles the values of the rules with the values of a model. Except for the category, a value
//! of the model counts only if the notice prints it. The printed text is used, with its box as
//! evidence. Agreement raises the confidence. Disagreement makes the field doubtful.

use super::response::{ModelResponse, ResponseAmount, ResponseMoment};
use crate::extract::{
    CONFIDENCE_THRESHOLD, Found, Gazetteer, Printed,
    alternatives::{self, RULES_READER},
    doubts, grounding, has_title,
};
use jiff::{ToSpan, civil::Time};
use serde::Serialize;
use serde_json::Value;
use std::ops::AddAssign;
use tender_model::{
    tender::{DocumentFee, EstimatedValue, OtherReading, PreBid, Tender},
    text::normalise,
    vocabulary::{Amount, Category, Currency, Day, Moment},
};

/// The highest confidence of a printed value that only the model found.
const MODEL_ONLY_CONFIDENCE: f64 = 0.7;
/// The highest confidence of a value on which the rules and the model disagree. A reviewer should
/// check such a value.
const DISPUTED_CEILING: f64 = 0.5;
/// The model may replace a value that the rules read with less confidence.
const REPLACEABLE_BELOW: f64 = 0.7;
/// A field with this limit instead of [`REPLACEABLE_BELOW`] is never replaced. A different value
/// of the model is not kept as an alternative.
const NEVER_REPLACED: f64 = 0.0;
/// The highest confidence that agreement gives.
const MAX_CONFIDENCE: f64 = 0.99;
/// The confidence of a category of the model, which cannot be grounded in the text. The model may
/// replace a category that the rules read with less confidence.
const CATEGORY_CONFIDENCE: f64 = 0.6;

/// How the values of a model were reconciled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReconcileCounts {
    /// Values on which the rules and the model agree.
    pub confirmed: usize,
    /// Values that only the model read.
    pub added: usize,
    /// Values on which the rules and the model disagree.
    pub disputed: usize,
    /// Values of the model that the notice does not print. They are ignored.
    pub unprinted: usize,
}

impl AddAssign for ReconcileCounts {
    fn add_assign(&mut self, other: Self) {
        self.confirmed += other.confirmed;
        self.added += other.added;
        self.disputed += other.disputed;
        self.unprinted += other.unprinted;
    }
}

/// Reconciles the `answer` of the model `name` with the values that the rules read in `printed`.
/// `gazetteer`, `issue` and `legibility` must be the same as for the rules.
pub(super) fn reconcile(
    name: &str,
    gazetteer: &Gazetteer,
    tender: &mut Tender,
    answer: ModelResponse,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> ReconcileCounts {
    let legibility = legibility.clamp(0.0, 1.0);
    let mut reconciler = Reconciler {
        name,
        gazetteer,
        printed,
        issue,
        legibility,
        tender,
        counts: ReconcileCounts::default(),
    };
    reconciler.reconcile_names(&answer);
    reconciler.reconcile_contacts(&answer);
    reconciler.reconcile_category(&answer);
    reconciler.reconcile_dates(&answer);
    reconciler.reconcile_money(&answer);
    let counts = reconciler.counts;
    tender.needs_review = !doubts(tender, CONFIDENCE_THRESHOLD).is_empty();
    counts
}

struct Reconciler<'a> {
    /// The name of the model.
    name: &'a str,
    gazetteer: &'a Gazetteer,
    printed: &'a Printed,
    issue: Option<Day>,
    legibility: f64,
    tender: &'a mut Tender,
    counts: ReconcileCounts,
}

impl Reconciler<'_> {
    /// Reconciles one field. `read` is the value of the rules and `claimed` is the grounded value
    /// of the model. `claimed` is `None` if the model gave no value, and `Some(None)` if the
    /// notice does not print the value. `agreed` returns the value to keep if both agree. A value
    /// of the rules is replaced if its confidence is below `replaceable_below`.
    fn reconcile_field<T: AsField>(
        &mut self,
        path: &str,
        read: Option<T>,
        claimed: Option<Option<Found<T>>>,
        agreed: impl FnOnce(&T, &T) -> Option<T>,
        replaceable_below: f64,
    ) -> Option<T> {
        let Some(claimed) = claimed else { return read };
        let Some(found) = claimed else {
            self.counts.unprinted += 1;
            return read;
        };
        let Some(read) = read else {
            self.counts.added += 1;
            self.accept(path, &found, found.confidence.min(MODEL_ONLY_CONFIDENCE).min(self.legibility));
            return Some(found.value);
        };
        let sure = self.tender.confidence.get(path).copied().unwrap_or_default();
        if let Some(value) = agreed(&read, &found.value) {
            self.counts.confirmed += 1;
            // In illegible print, rules and model may have misread the same letters. Agreement on a
            // value that cannot be right, such as a closing before the issue date, does not make
            // the value certain.
            let most = if self.legibility < CONFIDENCE_THRESHOLD { self.legibility } else { MAX_CONFIDENCE };
            let most = if found.confidence > DISPUTED_CEILING { most } else { DISPUTED_CEILING };
            self.set_confidence(
                path,
                (1.0 - (1.0 - sure) * (1.0 - MODEL_ONLY_CONFIDENCE)).min(most).max(sure),
            );
            return Some(value);
        }
        self.counts.disputed += 1;
        if replaceable_below == NEVER_REPLACED {
            self.set_confidence(path, sure.min(DISPUTED_CEILING));
            return Some(read);
        }
        if sure >= replaceable_below {
            let confidence = found.confidence.min(MODEL_ONLY_CONFIDENCE).min(self.legibility);
            let other = Found::new(found.value.as_field(), confidence, found.range);
            alternatives::add_alternative(self.tender, path, self.name, self.printed, &other);
            self.set_confidence(path, sure.min(DISPUTED_CEILING));
            return Some(read);
        }
        let evidence = self.tender.evidence.get(path).cloned();
        let of_rules =
            OtherReading { value: read.as_field(), reader: RULES_READER.into(), confidence: sure, evidence };
        alternatives::add_reading(self.tender, path, of_rules);
        self.accept(path, &found, DISPUTED_CEILING.min(self.legibility));
        Some(found.value)
    }

    fn set_confidence(&mut self, path: &str, confidence: f64) {
        self.tender.confidence.insert(path.to_owned(), (confidence * 100.0).round() / 100.0);
    }

    fn accept<T>(&mut self, path: &str, found: &Found<T>, confidence: f64) {
        self.set_confidence(path, confidence);
        if found.range.is_empty() {
            self.tender.evidence.remove(path);
        } else {
            self.tender.evidence.insert(path.to_owned(), self.printed.evidence(&found.range));
        }
    }

    fn reconcile_names(&mut self, answer: &ModelResponse) {
        let printed = self.printed;
        let ground = |claimed: &Option<String>| {
            claimed.as_deref().map(|claimed| grounding::find_words(printed, claimed))
        };
        // A fallback title is kept if the model reads no title either.
        let read = has_title(self.tender).then(|| self.tender.title.clone());
        if let Some(title) = self.reconcile_field(
            "title",
            read,
            ground(&answer.title),
            |a, b| matching_extent(a, b),
            REPLACEABLE_BELOW,
        ) {
            self.tender.title = title;
        }

        let before = self.tender.organization.name.clone();
        let read = Some(before.clone()).filter(|name| !name.is_empty());
        let name = self.reconcile_field(
            "organization.name",
            read,
            ground(&answer.organization),
            |a, b| matching_extent(a, b),
            REPLACEABLE_BELOW,
        );
        let name = name.unwrap_or_default();
        if name != before {
            self.tender.organization.kind = grounding::organization_kind(&name, self.gazetteer);
            let sure = self.tender.confidence.get("organization.name").copied().unwrap_or_default();
            self.tender.confidence.remove("organization.type");
            self.tender.evidence.remove("organization.type");
            if self.tender.organization.kind.is_some() {
                self.set_confidence("organization.type", sure);
            }
        }
        self.tender.organization.name = name;

        // A reference without a digit is an ordinary word.
        let claimed = answer.reference_no.as_deref().map(|claimed| {
            grounding::find_words(printed, claimed)
                .filter(|found| found.value.contains(|c: char| c.is_ascii_digit()))
        });
        let read = self.tender.reference_no.take();
        self.tender.reference_no = self.reconcile_field(
            "referenceNo",
            read,
            claimed,
            |a, b| matching_words(a, b),
            REPLACEABLE_BELOW,
        );
    }

    /// Reconciles the e-mail address and the telephone number. A different value of the model only
    /// makes the field doubtful, because a notice can also print contacts of other organisations.
    fn reconcile_contacts(&mut self, answer: &ModelResponse) {
        let email = answer.email.as_deref().map(|claimed| grounding::find_email(self.printed, claimed));
        let read = self.tender.organization.contact_person.email.take();
        let path = "organization.contactPerson.email";
        let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b).then(|| a.clone());
        self.tender.organization.contact_person.email =
            self.reconcile_field(path, read, email, same, NEVER_REPLACED);

        let phone = answer.phone.as_deref().map(|claimed| grounding::find_phone(self.printed, claimed));
        let read = self.tender.organization.contact_person.phone.take();
        let path = "organization.contactPerson.phone";
        let same = |a: &String, b: &String| {
            (grounding::national_number(a) == grounding::national_number(b)).then(|| a.clone())
        };
        self.tender.organization.contact_person.phone =
            self.reconcile_field(path, read, phone, same, NEVER_REPLACED);
    }

    fn reconcile_category(&mut self, answer: &ModelResponse) {
        let claimed = answer.category.map(|category| Some(Found::new(category, CATEGORY_CONFIDENCE, 0..0)));
        let read = self.tender.category;
        self.tender.category = self.reconcile_field(
            "category",
            read,
            claimed,
            |a, b| (a == b).then_some(*a),
            CATEGORY_CONFIDENCE,
        );
    }

    fn reconcile_dates(&mut self, answer: &ModelResponse) {
        let dates = &self.tender.dates;
        let (closing, opening) = (dates.closing, dates.opening);
        let mut claimed = self.ground_moment(answer.closing, Moment::end_of);
        // A closing before the issue date cannot be right.
        if let (Some(Some(found)), Some(issue)) = (&mut claimed, self.issue)
            && found.value.day() < issue
        {
            found.confidence = DISPUTED_CEILING;
        }
        let same = |a: &Moment, b: &Moment| matching_day(a, b, Moment::end_of);
        self.tender.dates.closing =
            self.reconcile_field("dates.closing", closing, claimed, same, REPLACEABLE_BELOW);
        let same = |a: &Moment, b: &Moment| matching_day(a, b, Moment::start_of);
        let claimed = self.ground_moment(answer.opening, Moment::start_of);
        self.tender.dates.opening =
            self.reconcile_field("dates.opening", opening, claimed, same, REPLACEABLE_BELOW);

        let pre_bid = self.tender.pre_bid.take();
        let (at, place) = pre_bid.map_or((None, None), |pre_bid| (pre_bid.at, pre_bid.place));
        let claimed = self.ground_moment(answer.pre_bid, Moment::start_of);
        let at = self.reconcile_field("preBid.at", at, claimed, same, REPLACEABLE_BELOW);
        self.tender.pre_bid = (at.is_some() || place.is_some()).then_some(PreBid { at, place });

        let (from, until) =
            self.tender.document_fee.as_ref().map_or((None, None), |fee| (fee.sale_from, fee.sale_until));
        let equal = |a: &Day, b: &Day| (a == b).then_some(*a);
        let claimed = self.ground_date(answer.sale_from);
        let from = self.reconcile_field("documentFee.saleFrom", from, claimed, equal, REPLACEABLE_BELOW);
        let claimed = self.ground_date(answer.sale_until);
        let until = self.reconcile_field("documentFee.saleUntil", until, claimed, equal, REPLACEABLE_BELOW);
        if from.is_some() || until.is_some() {
            let fee: &mut DocumentFee = self.tender.document_fee.get_or_insert_default();
            (fee.sale_from, fee.sale_until) = (from, until);
        }
    }

    /// Finds a claimed day in the text. Days more than one year before or five years after the
    /// issue date are ignored.
    fn ground_day(&self, day: Day, time: Option<Time>) -> Option<Found<(Day, Option<Time>)>> {
        let is_near = self.issue.is_none_or(|issue| {
            let (from, until) = (issue.saturating_sub(1.year()), issue.saturating_add(5.years()));
            (from..=until).contains(&day)
        });
        grounding::find_moment(self.printed, day, time).filter(|_| is_near)
    }

    fn ground_date(&self, claimed: Option<Day>) -> Option<Option<Found<Day>>> {
        claimed.map(|day| self.ground_day(day, None).map(|found| found.map(|(day, _)| day)))
    }

    /// Finds the moment of a claimed day in the text, with the time that is printed beside the
    /// day. `whole` gives the moment of a day without a printed time.
    fn ground_moment(
        &self,
        claimed: Option<ResponseMoment>,
        whole: impl Fn(Day) -> Option<Moment>,
    ) -> Option<Option<Found<Moment>>> {
        claimed.map(|ResponseMoment { date, time }| {
            let found = self.ground_day(date, time)?;
            let (day, hour) = found.value;
            let moment = match hour {
                Some(hour) => Moment::in_colombo(day.to_datetime(hour)),
                None => whole(day),
            };
            moment.map(|moment| Found::new(moment, found.confidence, found.range))
        })
    }

    fn reconcile_money(&mut self, answer: &ModelResponse) {
        let printed = self.printed;
        type Money = (Amount, Currency);
        let ground = |claimed: Option<ResponseAmount>| {
            claimed.map(|ResponseAmount { amount, currency }| {
                grounding::find_amount(printed, amount, currency)
                    .map(|found| found.map(|amount| (amount, currency)))
            })
        };
        let equal = |a: &Money, b: &Money| (a == b).then_some(*a);

        let estimate = self.tender.financials.estimated_value.take();
        let read = estimate.map(|estimate| (Amount::from_minor(estimate.amount.minor()), estimate.currency));
        let path = "financials.estimatedValue.amount";
        let value =
            self.reconcile_field(path, read, ground(answer.estimated_value), equal, REPLACEABLE_BELOW);
        self.tender.financials.estimated_value =
            value.map(|(amount, currency)| EstimatedValue { amount: amount.into(), currency });

        let mut bond = std::mem::take(&mut self.tender.financials.bid_bond);
        let read = bond.amount.map(|amount| (amount, bond.currency.unwrap_or_default()));
        let path = "financials.bidBond.amount";
        let value = self.reconcile_field(path, read, ground(answer.bid_security), equal, REPLACEABLE_BELOW);
        (bond.amount, bond.currency) = (value.map(|value| value.0), value.map(|value| value.1));
        let claimed =
            answer.bid_security_percentage.map(|number| grounding::find_percentage(printed, number));
        let near = |a: &f64, b: &f64| ((a - b).abs() < 1e-9).then_some(*a);
        bond.percentage = self.reconcile_field(
            "financials.bidBond.percentage",
            bond.percentage,
            claimed,
            near,
            REPLACEABLE_BELOW,
        );
        bond.required |= bond.amount.is_some() || bond.percentage.is_some();
        self.tender.financials.bid_bond = bond;

        let fee = self.tender.document_fee.as_ref();
        let read = fee.and_then(|fee| Some((fee.amount?, fee.currency)));
        let value = self.reconcile_field(
            "documentFee.amount",
            read,
            ground(answer.document_fee),
            equal,
            REPLACEABLE_BELOW,
        );
        if let Some((amount, currency)) = value {
            let fee: &mut DocumentFee = self.tender.document_fee.get_or_insert_default();
            (fee.amount, fee.currency) = (Some(amount), currency);
        }
    }
}

/// A value that can be written as the JSON value of its field.
trait AsField {
    fn as_field(&self) -> Value;
}

macro_rules! as_itself {
    ($($kind:ty),*) => {$(
        impl AsField for $kind {
            fn as_field(&self) -> Value {
                serde_json::to_value(self).unwrap_or_default()
            }
        }
    )*};
}

as_itself!(String, Category, Moment, Day, f64);

/// The value has no currency, which is a separate field.
impl AsField for (Amount, Currency) {
    fn as_field(&self) -> Value {
        serde_json::to_value(self.0).unwrap_or_default()
    }
}

/// The value of the rules, if one text contains the other and is at most twice as long.
fn matching_extent(read: &str, claimed: &str) -> Option<String> {
    let [a, b] = [read, claimed].map(|text| format!(" {} ", normalise(text)));
    let (shorter, longer) = if a.len() < b.len() { (a, b) } else { (b, a) };
    (longer.contains(&shorter) && shorter.len() * 2 >= longer.len()).then(|| read.to_owned())
}

fn matching_words(read: &str, claimed: &str) -> Option<String> {
    (normalise(read) == normalise(claimed)).then(|| read.to_owned())
}

/// The moment to keep if both moments are equal, or if both are on one day and one has no time. In
/// the second case, the moment with the time is kept.
fn matching_day(read: &Moment, claimed: &Moment, whole: impl Fn(Day) -> Option<Moment>) -> Option<Moment> {
    let without_hour = |moment: &Moment| whole(moment.day()) == Some(*moment);
    match (read == claimed, read.day() == claimed.day()) {
        (true, _) => Some(*read),
        (_, true) if without_hour(read) => Some(*claimed),
        (_, true) if without_hour(claimed) => Some(*read),
        _ => None,
    }
}

#[cfg(test)]
mod tests;

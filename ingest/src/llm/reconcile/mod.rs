//! Reconciles the values of the rules with those of a model. A value of the model counts only if
//! the notice prints it, and then in the printed words, with their box as evidence. Agreement
//! raises the confidence; disagreement makes the field doubtful.

use super::response::{ModelResponse, ResponseAmount, ResponseMoment};
use crate::extract::{
    CONFIDENCE_LINE, Found, Gazetteer, Printed,
    alternatives::{self, RULES},
    doubts, grounding, has_title,
};
use index::{
    tender::{DocumentFee, EstimatedValue, OtherReading, PreBid, Tender},
    text::normalise,
    vocabulary::{Amount, Category, Currency, Day, Moment},
};
use jiff::{ToSpan, civil::Time};
use serde::Serialize;
use serde_json::Value;
use std::ops::AddAssign;

/// The confidence of a printed value that only the model found.
const ALONE: f64 = 0.7;
/// The highest confidence of a value that the other reading contradicts. A reviewer should look at
/// it.
const DISPUTED: f64 = 0.5;
/// The model may replace a value that the rules read with less confidence.
const WEAK: f64 = 0.7;
/// The model never replaces such a value, and its reading is not kept.
const NEVER: f64 = 0.0;
/// The highest confidence of any value.
const SUREST: f64 = 0.99;
/// The confidence limit for a category, which cannot be grounded in the text.
const UNPROVEN: f64 = 0.6;

/// What became of the values of a model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ReconcileCounts {
    /// The rules had read the same value.
    pub confirmed: usize,
    /// The rules had read no value.
    pub added: usize,
    /// The rules had read another value.
    pub disputed: usize,
    /// The notice does not print the value. It is ignored.
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

/// Reconciles the `answer` of the model called `name` with what the rules read in `printed`.
/// `gazetteer`, `issue` and `legibility` are those the rules were given.
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
    reconciler.names(&answer);
    reconciler.contacts(&answer);
    reconciler.category(&answer);
    reconciler.dates(&answer);
    reconciler.money(&answer);
    let counts = reconciler.counts;
    tender.needs_review = !doubts(tender, CONFIDENCE_LINE).is_empty();
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
    /// of the model. `agreed` returns the value to keep if both agree. Below the confidence `weak`,
    /// the value of the rules is replaced.
    fn reconcile_field<T: AsField>(
        &mut self,
        path: &str,
        read: Option<T>,
        claimed: Option<Option<Found<T>>>,
        agreed: impl FnOnce(&T, &T) -> Option<T>,
        weak: f64,
    ) -> Option<T> {
        let Some(claimed) = claimed else { return read };
        let Some(found) = claimed else {
            self.counts.unprinted += 1;
            return read;
        };
        let Some(read) = read else {
            self.counts.added += 1;
            self.believe(path, &found, found.confidence.min(ALONE).min(self.legibility));
            return Some(found.value);
        };
        let sure = self.tender.confidence.get(path).copied().unwrap_or_default();
        if let Some(value) = agreed(&read, &found.value) {
            self.counts.confirmed += 1;
            // In print that is hard to read, both may have misread the same letters. Agreement does
            // not repair a value that is wrong in itself.
            let most = if self.legibility < CONFIDENCE_LINE { self.legibility } else { SUREST };
            let most = if found.confidence > DISPUTED { most } else { DISPUTED };
            self.rate(path, (1.0 - (1.0 - sure) * (1.0 - ALONE)).min(most).max(sure));
            return Some(value);
        }
        self.counts.disputed += 1;
        if weak == NEVER {
            self.rate(path, sure.min(DISPUTED));
            return Some(read);
        }
        if sure >= weak {
            let confidence = found.confidence.min(ALONE).min(self.legibility);
            let other = Found::new(found.value.as_field(), confidence, found.range);
            alternatives::add(self.tender, path, self.name, self.printed, &other);
            self.rate(path, sure.min(DISPUTED));
            return Some(read);
        }
        let evidence = self.tender.evidence.get(path).cloned();
        let of_rules =
            OtherReading { value: read.as_field(), reader: RULES.into(), confidence: sure, evidence };
        alternatives::push(self.tender, path, of_rules);
        self.believe(path, &found, DISPUTED.min(self.legibility));
        Some(found.value)
    }

    fn rate(&mut self, path: &str, confidence: f64) {
        self.tender.confidence.insert(path.to_owned(), (confidence * 100.0).round() / 100.0);
    }

    fn believe<T>(&mut self, path: &str, found: &Found<T>, confidence: f64) {
        self.rate(path, confidence);
        if found.range.is_empty() {
            self.tender.evidence.remove(path);
        } else {
            self.tender.evidence.insert(path.to_owned(), self.printed.evidence(&found.range));
        }
    }

    fn names(&mut self, answer: &ModelResponse) {
        let printed = self.printed;
        let look =
            |claimed: &Option<String>| claimed.as_deref().map(|claimed| grounding::words(printed, claimed));
        // A fallback title is kept if the model reads none either.
        let read = has_title(self.tender).then(|| self.tender.title.clone());
        if let Some(title) =
            self.reconcile_field("title", read, look(&answer.title), |a, b| contains(a, b), WEAK)
        {
            self.tender.title = title;
        }

        let before = self.tender.organization.name.clone();
        let read = Some(before.clone()).filter(|name| !name.is_empty());
        let name = self.reconcile_field(
            "organization.name",
            read,
            look(&answer.organization),
            |a, b| contains(a, b),
            WEAK,
        );
        let name = name.unwrap_or_default();
        if name != before {
            self.tender.organization.kind = grounding::organization_kind(&name, self.gazetteer);
            let sure = self.tender.confidence.get("organization.name").copied().unwrap_or_default();
            self.tender.confidence.remove("organization.type");
            self.tender.evidence.remove("organization.type");
            if self.tender.organization.kind.is_some() {
                self.rate("organization.type", sure);
            }
        }
        self.tender.organization.name = name;

        // A reference without a digit is an ordinary word.
        let claimed = answer.reference_no.as_deref().map(|claimed| {
            grounding::words(printed, claimed)
                .filter(|found| found.value.contains(|c: char| c.is_ascii_digit()))
        });
        let read = self.tender.reference_no.take();
        self.tender.reference_no =
            self.reconcile_field("referenceNo", read, claimed, |a, b| same_words(a, b), WEAK);
    }

    /// An address that differs neither replaces the one of the rules nor is kept beside it: a
    /// notice can print several addresses, some of other bodies.
    fn contacts(&mut self, answer: &ModelResponse) {
        let email = answer.email.as_deref().map(|claimed| grounding::email(self.printed, claimed));
        let read = self.tender.organization.contact_person.email.take();
        let path = "organization.contactPerson.email";
        let same = |a: &String, b: &String| a.eq_ignore_ascii_case(b).then(|| a.clone());
        self.tender.organization.contact_person.email = self.reconcile_field(path, read, email, same, NEVER);

        let phone = answer.phone.as_deref().map(|claimed| grounding::phone(self.printed, claimed));
        let read = self.tender.organization.contact_person.phone.take();
        let path = "organization.contactPerson.phone";
        let same =
            |a: &String, b: &String| (grounding::national(a) == grounding::national(b)).then(|| a.clone());
        self.tender.organization.contact_person.phone = self.reconcile_field(path, read, phone, same, NEVER);
    }

    fn category(&mut self, answer: &ModelResponse) {
        let claimed = answer.category.map(|category| Some(Found::new(category, UNPROVEN, 0..0)));
        let read = self.tender.category;
        self.tender.category =
            self.reconcile_field("category", read, claimed, |a, b| (a == b).then_some(*a), UNPROVEN);
    }

    fn dates(&mut self, answer: &ModelResponse) {
        let dates = &self.tender.dates;
        let (closing, opening) = (dates.closing, dates.opening);
        let mut claimed = self.when(answer.closing, Moment::end_of);
        // A closing before the issue date is a misprint or an old issue.
        if let (Some(Some(found)), Some(issue)) = (&mut claimed, self.issue)
            && found.value.day() < issue
        {
            found.confidence = DISPUTED;
        }
        let same = |a: &Moment, b: &Moment| same_day(a, b, Moment::end_of);
        self.tender.dates.closing = self.reconcile_field("dates.closing", closing, claimed, same, WEAK);
        let same = |a: &Moment, b: &Moment| same_day(a, b, Moment::start_of);
        let claimed = self.when(answer.opening, Moment::start_of);
        self.tender.dates.opening = self.reconcile_field("dates.opening", opening, claimed, same, WEAK);

        let pre_bid = self.tender.pre_bid.take();
        let (at, place) = pre_bid.map_or((None, None), |pre_bid| (pre_bid.at, pre_bid.place));
        let claimed = self.when(answer.pre_bid, Moment::start_of);
        let at = self.reconcile_field("preBid.at", at, claimed, same, WEAK);
        self.tender.pre_bid = (at.is_some() || place.is_some()).then_some(PreBid { at, place });

        let (from, until) =
            self.tender.document_fee.as_ref().map_or((None, None), |fee| (fee.sale_from, fee.sale_until));
        let equal = |a: &Day, b: &Day| (a == b).then_some(*a);
        let claimed = self.day(answer.sale_from);
        let from = self.reconcile_field("documentFee.saleFrom", from, claimed, equal, WEAK);
        let claimed = self.day(answer.sale_until);
        let until = self.reconcile_field("documentFee.saleUntil", until, claimed, equal, WEAK);
        if from.is_some() || until.is_some() {
            let fee: &mut DocumentFee = self.tender.document_fee.get_or_insert_default();
            (fee.sale_from, fee.sale_until) = (from, until);
        }
    }

    /// Grounds a printed day. Days years away from the issue date are ignored.
    fn look_up(&self, day: Day, time: Option<Time>) -> Option<Found<(Day, Option<Time>)>> {
        let is_near = self.issue.is_none_or(|issue| {
            let (from, until) = (issue.saturating_sub(1.year()), issue.saturating_add(5.years()));
            (from..=until).contains(&day)
        });
        grounding::moment(self.printed, day, time).filter(|_| is_near)
    }

    fn day(&self, claimed: Option<Day>) -> Option<Option<Found<Day>>> {
        claimed.map(|day| self.look_up(day, None).map(|found| found.map(|(day, _)| day)))
    }

    /// The moment of a claimed day and time. The printed time counts; a day without a time becomes
    /// `whole`.
    fn when(
        &self,
        claimed: Option<ResponseMoment>,
        whole: impl Fn(Day) -> Option<Moment>,
    ) -> Option<Option<Found<Moment>>> {
        claimed.map(|ResponseMoment { date, time }| {
            let found = self.look_up(date, time)?;
            let (day, hour) = found.value;
            let moment = match hour {
                Some(hour) => Moment::in_colombo(day.to_datetime(hour)),
                None => whole(day),
            };
            moment.map(|moment| Found::new(moment, found.confidence, found.range))
        })
    }

    fn money(&mut self, answer: &ModelResponse) {
        let printed = self.printed;
        type Money = (Amount, Currency);
        let look = |claimed: Option<ResponseAmount>| {
            claimed.map(|ResponseAmount { amount, currency }| {
                grounding::amount(printed, amount, currency)
                    .map(|found| found.map(|amount| (amount, currency)))
            })
        };
        let equal = |a: &Money, b: &Money| (a == b).then_some(*a);

        let estimate = self.tender.financials.estimated_value.take();
        let read = estimate.map(|estimate| (Amount::from_minor(estimate.amount.minor()), estimate.currency));
        let path = "financials.estimatedValue.amount";
        let value = self.reconcile_field(path, read, look(answer.estimated_value), equal, WEAK);
        self.tender.financials.estimated_value =
            value.map(|(amount, currency)| EstimatedValue { amount: amount.into(), currency });

        let mut bond = std::mem::take(&mut self.tender.financials.bid_bond);
        let read = bond.amount.map(|amount| (amount, bond.currency.unwrap_or_default()));
        let path = "financials.bidBond.amount";
        let value = self.reconcile_field(path, read, look(answer.bid_security), equal, WEAK);
        (bond.amount, bond.currency) = (value.map(|value| value.0), value.map(|value| value.1));
        let claimed = answer.bid_security_percentage.map(|number| grounding::percentage(printed, number));
        let near = |a: &f64, b: &f64| ((a - b).abs() < 1e-9).then_some(*a);
        bond.percentage =
            self.reconcile_field("financials.bidBond.percentage", bond.percentage, claimed, near, WEAK);
        bond.required |= bond.amount.is_some() || bond.percentage.is_some();
        self.tender.financials.bid_bond = bond;

        let fee = self.tender.document_fee.as_ref();
        let read = fee.and_then(|fee| Some((fee.amount?, fee.currency)));
        let value = self.reconcile_field("documentFee.amount", read, look(answer.document_fee), equal, WEAK);
        if let Some((amount, currency)) = value {
            let fee: &mut DocumentFee = self.tender.document_fee.get_or_insert_default();
            (fee.amount, fee.currency) = (Some(amount), currency);
        }
    }
}

/// A value in the JSON form of its field.
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

/// The currency is a separate field.
impl AsField for (Amount, Currency) {
    fn as_field(&self) -> Value {
        serde_json::to_value(self.0).unwrap_or_default()
    }
}

/// Compares texts that may begin or end differently. The value of the rules stands.
fn contains(read: &str, claimed: &str) -> Option<String> {
    let [a, b] = [read, claimed].map(|text| format!(" {} ", normalise(text)));
    let (shorter, longer) = if a.len() < b.len() { (a, b) } else { (b, a) };
    (longer.contains(&shorter) && shorter.len() * 2 >= longer.len()).then(|| read.to_owned())
}

fn same_words(read: &str, claimed: &str) -> Option<String> {
    (normalise(read) == normalise(claimed)).then(|| read.to_owned())
}

/// Compares two moments. If only one has a time, that one is kept.
fn same_day(read: &Moment, claimed: &Moment, whole: impl Fn(Day) -> Option<Moment>) -> Option<Moment> {
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

//! Joins the tagger to the rules: it fills what they left open and speaks where they are not sure; a closing is sure only where both
//! read the same. What it says lies below the line of confidence, so that a person looks at it, and where two candidates are near to
//! each other it says nothing.

use super::thresholds::{
    AMOUNT_CONFIRMS, CERTAIN_CLOSING, CERTAIN_NOTICE, CLASSIFIER_CEILING, DOUBTFUL_NOTICE, MARGIN,
    MAX_DOCUMENT_FEE, MIN_AMOUNT, MIN_CLOSING, MIN_NOTICE_CLOSING, MIN_NOTICE_NAMES, NAMES_INDICATE_NOTICE,
    NAMES_SUFFICE_FOR_NOTICE, PAST_CLOSING_CEILING, PAYMENT_INDICATES_NOTICE, RULES_CERTAIN, RULES_DOUBTFUL,
};
use super::{
    amount_candidates::{Stated, of_notice},
    date_candidates::{Mention, moments},
    model::Tagger,
    names::Opinion,
    notice_kind::Asked,
};
use crate::extract::{
    alternatives::{Other, Weighed},
    printed::{Found, Printed},
    rules::{
        bid_opening,
        deadlines::Deadlines,
        fees::Fees,
        lots::{self, Row},
        money::Sum,
    },
};
use index::vocabulary::{Day, Kind, Moment};
use std::ops::Range;

/// Adds what the tagger says to what the rules read. `issue` is the day of the newspaper, where known.
pub(crate) fn fill(
    tagger: &Tagger,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    rows: &[Row],
    (deadlines, fees): (&mut Deadlines, &mut Fees),
) {
    fill_closing(tagger, printed, issue, kind, deadlines);
    let mut sums = of_notice(printed, rows);
    sums.retain(|sum| !fees.others.contains(&sum.range));
    let tagged = Tagged::of(tagger, sums);
    doubt(&mut fees.bid_bond, &tagged, |tagged| tagged.security);
    doubt(&mut fees.document_fee, &tagged, TaggedSum::fee);
    let asks_bond = is_open(fees.bid_bond.as_ref()) && fees.bid_bond_percentage.is_none();
    let asks_fee = is_open(fees.document_fee.as_ref()) && fees.free.is_none();
    let (bond, fee) = (tagged.best(|tagged| tagged.security), tagged.best(TaggedSum::fee));
    if let (true, Some(bond)) = (asks_bond, bond)
        && is_another(&bond, fees.document_fee.as_ref(), asks_fee)
    {
        fees.bid_bond = Some(bond);
    }
    if let (true, Some(fee)) = (asks_fee, fee)
        && is_another(&fee, fees.bid_bond.as_ref(), false)
    {
        fees.document_fee = Some(fee);
    }
}

/// Makes a sum doubtful that the tagger knows, but takes for something else.
fn doubt(found: &mut Option<Found<Sum>>, tagged: &Tagged, role: impl Fn(&TaggedSum) -> f64) {
    let Some(sum) = found else { return };
    let same = tagged.0.iter().filter(|tagged| tagged.stated.amount == sum.value.amount);
    if same.map(role).reduce(f64::max).is_some_and(|sure| sure < AMOUNT_CONFIRMS) {
        sum.confidence = sum.confidence.min(CLASSIFIER_CEILING);
    }
}

/// An award closes no more, and a corrigendum prints two closings, between which the rules know better.
fn fill_closing(
    tagger: &Tagger,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    deadlines: &mut Deadlines,
) {
    let is_known = kind == Kind::Corrigendum && deadlines.closing.is_some();
    if kind == Kind::Award || is_known {
        return;
    }
    let said = closing(tagger, &moments(printed, issue), issue);
    let doubted =
        |found: Found<Moment>| Found { confidence: found.confidence.min(CLASSIFIER_CEILING), ..found };
    let Weighed { chosen, others } = match (deadlines.closing.take(), said) {
        (None, said) => Weighed::alone(said),
        (Some(found), Some(said)) if found.value == said.value => Weighed::alone(Some(found)),
        (Some(found), Some(said)) if found.confidence < RULES_CERTAIN && !tells_less(&said, &found) => {
            Weighed::against(said, Other::of_rules(found))
        }
        (Some(found), None) if found.confidence >= RULES_CERTAIN => Weighed::alone(Some(found)),
        (Some(found), Some(said)) => Weighed::against(doubted(found), Other::of_classifier(said)),
        (Some(found), None) => Weighed::alone(Some(doubted(found))),
    };
    deadlines.closing = chosen;
    deadlines.other_closings.splice(0..0, others);
    if deadlines.opening.is_none() {
        deadlines.opening = bid_opening::with_closing(printed.flow(), deadlines.closing.as_ref());
    }
}

/// Whether something is a notice that no rule takes for one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Calls {
    Surely,
    /// A person should look.
    Perhaps,
    No,
}

/// Whether what nobody calls a notice is one all the same: surely where it has a notice's words and a closing; perhaps where it has a title
/// and the name of a body, or it has a closing, and the words of a notice, or these, or a security or a fee.
pub(crate) fn calls(
    tagger: &Tagger,
    printed: &Printed,
    issue: Option<Day>,
    opinion: &Opinion,
    asked: &Asked,
) -> Calls {
    let is_paid = |sum: &Stated| {
        let (security, fee) = tagger.security_and_fee(&sum.traits);
        security.max(fee) >= PAYMENT_INDICATES_NOTICE
    };
    let named = opinion.sureness();
    let mentions = moments(printed, issue);
    if asked.is_notice() >= CERTAIN_NOTICE && surest_closing(tagger, &mentions) >= CERTAIN_CLOSING {
        return Calls::Surely;
    }
    let is_one = named >= NAMES_SUFFICE_FOR_NOTICE
        || closing(tagger, &mentions, issue).is_some()
            && (asked.calls()
                || named >= NAMES_INDICATE_NOTICE
                || of_notice(printed, &lots::rows(printed)).iter().any(is_paid));
    if is_one { Calls::Perhaps } else { Calls::No }
}

/// How sure it is that something is a notice which the rules take for one; `None` where nothing speaks against it. Against it speak its words,
/// or that it has neither a closing nor a title and a body.
pub(crate) fn doubts(
    tagger: &Tagger,
    printed: &Printed,
    issue: Option<Day>,
    opinion: &Opinion,
    asked: &Asked,
) -> Option<f64> {
    let is_notice = asked.is_notice();
    if is_notice <= DOUBTFUL_NOTICE {
        return Some(is_notice);
    }
    let has_something = opinion.sureness() >= MIN_NOTICE_NAMES
        || surest_closing(tagger, &moments(printed, issue)) >= MIN_NOTICE_CLOSING;
    (!has_something).then_some(is_notice.min(CLASSIFIER_CEILING))
}

/// How sure it is of the surest closing.
fn surest_closing(tagger: &Tagger, mentions: &[Mention]) -> f64 {
    mentions.iter().map(|mention| tagger.closing(&mention.traits)).fold(0.0, f64::max)
}

/// Whether a closing is the day of another without its hour.
fn tells_less(closing: &Found<Moment>, other: &Found<Moment>) -> bool {
    let day = closing.value.day();
    day == other.value.day() && Moment::end_of(day) == Some(closing.value)
}

/// Whether the rules found nothing, or doubt it.
fn is_open<T>(found: Option<&Found<T>>) -> bool {
    found.is_none_or(|found| found.confidence <= RULES_DOUBTFUL)
}

/// One sum is not paid for two things, unless the other is `open` itself.
fn is_another(sum: &Found<Sum>, other: Option<&Found<Sum>>, open: bool) -> bool {
    open || other.is_none_or(|other| other.value.amount != sum.value.amount)
}

/// The closing: the day that is said to be it most surely, with its hour.
fn closing(tagger: &Tagger, mentions: &[Mention], issue: Option<Day>) -> Option<Found<Moment>> {
    let sureness = |mention: &Mention| tagger.closing(&mention.traits);
    let mut said: Vec<(f64, &Mention)> =
        mentions.iter().map(|mention| (sureness(mention), mention)).collect();
    said.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (sure, best) = *said.first()?;
    let next = said.iter().find(|(_, other)| other.day != best.day).map_or(0.0, |(sure, _)| *sure);
    if sure < MIN_CLOSING || sure - next < MARGIN {
        return None;
    }
    let of_day = || said.iter().map(|(_, mention)| *mention).filter(|mention| mention.day == best.day);
    let beside = of_day().find_map(|mention| Some((mention.time?, mention.range.clone())));
    let apart = || {
        of_day().find_map(|mention| {
            let (time, hour) = mention.apart.clone()?;
            Some((time, joined(&mention.range, &hour)))
        })
    };
    let (moment, range) = match beside.or_else(apart) {
        Some((time, range)) => (Moment::in_colombo(best.day.to_datetime(time))?, range),
        None => (Moment::end_of(best.day)?, best.range.clone()),
    };
    let is_past = issue.is_some_and(|issue| best.day < issue);
    let most = if is_past { PAST_CLOSING_CEILING } else { CLASSIFIER_CEILING };
    Some(Found::new(moment, most.min(sure).min(best.sureness), range))
}

fn joined(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

/// The sums of a notice with how sure each role of theirs is.
struct Tagged(Vec<TaggedSum>);

struct TaggedSum {
    stated: Stated,
    security: f64,
    fee: f64,
}

impl TaggedSum {
    fn fee(&self) -> f64 {
        if self.stated.amount.number() > MAX_DOCUMENT_FEE { 0.0 } else { self.fee }
    }
}

impl Tagged {
    fn of(tagger: &Tagger, sums: Vec<Stated>) -> Self {
        let tagged = sums.into_iter().map(|stated| {
            let (security, fee) = tagger.security_and_fee(&stated.traits);
            TaggedSum { stated, security, fee }
        });
        Self(tagged.collect())
    }

    /// The sum that has a role most surely.
    fn best(&self, role: impl Fn(&TaggedSum) -> f64) -> Option<Found<Sum>> {
        let best = self.0.iter().max_by(|a, b| role(a).total_cmp(&role(b)))?;
        let others = self.0.iter().filter(|other| other.stated.amount != best.stated.amount);
        let next = others.map(&role).fold(0.0, f64::max);
        let sure = role(best);
        let Stated { amount, currency, range, .. } = best.stated.clone();
        (sure >= MIN_AMOUNT && sure - next >= MARGIN).then(|| {
            Found::new(Sum { range: range.clone(), amount, currency }, CLASSIFIER_CEILING.min(sure), range)
        })
    }
}

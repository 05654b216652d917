//! Merges the classifier with the rules. It fills missing values and replaces doubtful ones. A
//! closing is certain only if both read the same. Values of the classifier are below the line of
//! certainty, so that a reviewer checks them. If two candidates are close, it gives no value.

use super::thresholds::{
    AMOUNT_CONFIRMS, CERTAIN_CLOSING, CERTAIN_NOTICE, CLASSIFIER_CEILING, DOUBTFUL_NOTICE, MARGIN,
    MAX_DOCUMENT_FEE, MIN_AMOUNT, MIN_CLOSING, MIN_NOTICE_CLOSING, MIN_NOTICE_NAMES, NAMES_INDICATE_NOTICE,
    NAMES_SUFFICE_FOR_NOTICE, PAST_CLOSING_CEILING, PAYMENT_INDICATES_NOTICE, RULES_CERTAIN, RULES_DOUBTFUL,
};
use super::{
    amount_candidates::{AmountCandidate, of_notice},
    date_candidates::{DateCandidate, date_candidates},
    model::Classifier,
    names::NamePredictions,
    notice_kind::KindPrediction,
};
use crate::extract::{
    alternatives::{Alternative, Selection},
    printed::{Found, Printed},
    rules::{
        bid_opening,
        deadlines::Deadlines,
        fees::Fees,
        lots::{self, LotRow},
        money::MoneyAmount,
    },
};
use index::vocabulary::{Day, Kind, Moment};
use std::ops::Range;

/// Merges the values of the classifier into those of the rules. `issue` is the date of the
/// newspaper, if known.
pub(crate) fn merge_with_rules(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    rows: &[LotRow],
    (deadlines, fees): (&mut Deadlines, &mut Fees),
) {
    fill_closing(classifier, printed, issue, kind, deadlines);
    let mut sums = of_notice(printed, rows);
    sums.retain(|sum| !fees.others.contains(&sum.range));
    let scored = ScoredAmounts::of(classifier, sums);
    doubt(&mut fees.bid_bond, &scored, |scored| scored.security);
    doubt(&mut fees.document_fee, &scored, ScoredAmount::fee);
    let asks_bond = is_open(fees.bid_bond.as_ref()) && fees.bid_bond_percentage.is_none();
    let asks_fee = is_open(fees.document_fee.as_ref()) && fees.free.is_none();
    let (bond, fee) = (scored.best(|scored| scored.security), scored.best(ScoredAmount::fee));
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

/// Makes an amount doubtful if the classifier assigns it another role.
fn doubt(
    found: &mut Option<Found<MoneyAmount>>,
    scored: &ScoredAmounts,
    role: impl Fn(&ScoredAmount) -> f64,
) {
    let Some(sum) = found else { return };
    let same = scored.0.iter().filter(|scored| scored.amount_candidates.amount == sum.value.amount);
    if same.map(role).reduce(f64::max).is_some_and(|sure| sure < AMOUNT_CONFIRMS) {
        sum.confidence = sum.confidence.min(CLASSIFIER_CEILING);
    }
}

/// Merges the closing. An award has none. A corrigendum prints two closings, which the rules tell
/// apart better.
fn fill_closing(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    deadlines: &mut Deadlines,
) {
    let is_known = kind == Kind::Corrigendum && deadlines.closing.is_some();
    if kind == Kind::Award || is_known {
        return;
    }
    let said = closing(classifier, &date_candidates(printed, issue), issue);
    let doubted =
        |found: Found<Moment>| Found { confidence: found.confidence.min(CLASSIFIER_CEILING), ..found };
    let Selection { chosen, others } = match (deadlines.closing.take(), said) {
        (None, said) => Selection::alone(said),
        (Some(found), Some(said)) if found.value == said.value => Selection::alone(Some(found)),
        (Some(found), Some(said)) if found.confidence < RULES_CERTAIN && !tells_less(&said, &found) => {
            Selection::against(said, Alternative::of_rules(found))
        }
        (Some(found), None) if found.confidence >= RULES_CERTAIN => Selection::alone(Some(found)),
        (Some(found), Some(said)) => Selection::against(doubted(found), Alternative::of_classifier(said)),
        (Some(found), None) => Selection::alone(Some(doubted(found))),
    };
    deadlines.closing = chosen;
    deadlines.other_closings.splice(0..0, others);
    if deadlines.opening.is_none() {
        deadlines.opening = bid_opening::with_closing(printed.flow(), deadlines.closing.as_ref());
    }
}

/// Whether a text is a notice although no rule recognises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoticeVerdict {
    Certain,
    /// A reviewer should check it.
    Possible,
    No,
}

/// Judges a text that no rule recognises. It is certainly a notice if it has the words of a notice
/// and a closing. It is possibly a notice if it has a title and an organisation, or a closing with
/// notice words, such names, a security or a fee.
pub(crate) fn judge_unrecognised(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    names: &NamePredictions,
    kind_prediction: &KindPrediction,
) -> NoticeVerdict {
    let is_paid = |sum: &AmountCandidate| {
        let (security, fee) = classifier.security_and_fee(&sum.features);
        security.max(fee) >= PAYMENT_INDICATES_NOTICE
    };
    let named = names.probability();
    let candidates = date_candidates(printed, issue);
    if kind_prediction.is_notice() >= CERTAIN_NOTICE
        && surest_closing(classifier, &candidates) >= CERTAIN_CLOSING
    {
        return NoticeVerdict::Certain;
    }
    let is_one = named >= NAMES_SUFFICE_FOR_NOTICE
        || closing(classifier, &candidates, issue).is_some()
            && (kind_prediction.indicates_notice()
                || named >= NAMES_INDICATE_NOTICE
                || of_notice(printed, &lots::rows(printed)).iter().any(is_paid));
    if is_one { NoticeVerdict::Possible } else { NoticeVerdict::No }
}

/// The probability that a text which the rules accept is a notice; `None` if nothing contradicts
/// the rules. Evidence against them are its words, or the lack of a closing and of a title with an
/// organisation.
pub(crate) fn notice_doubt(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    names: &NamePredictions,
    kind_prediction: &KindPrediction,
) -> Option<f64> {
    let is_notice = kind_prediction.is_notice();
    if is_notice <= DOUBTFUL_NOTICE {
        return Some(is_notice);
    }
    let has_something = names.probability() >= MIN_NOTICE_NAMES
        || surest_closing(classifier, &date_candidates(printed, issue)) >= MIN_NOTICE_CLOSING;
    (!has_something).then_some(is_notice.min(CLASSIFIER_CEILING))
}

/// The probability of the most likely closing.
fn surest_closing(classifier: &Classifier, candidates: &[DateCandidate]) -> f64 {
    candidates.iter().map(|candidate| classifier.closing(&candidate.features)).fold(0.0, f64::max)
}

/// Whether a closing is the day of another one without its time.
fn tells_less(closing: &Found<Moment>, other: &Found<Moment>) -> bool {
    let day = closing.value.day();
    day == other.value.day() && Moment::end_of(day) == Some(closing.value)
}

/// Whether the rules found no value or a doubtful one.
fn is_open<T>(found: Option<&Found<T>>) -> bool {
    found.is_none_or(|found| found.confidence <= RULES_DOUBTFUL)
}

/// Whether an amount may be used: it is not the value of another field, unless that field is `open`
/// itself.
fn is_another(sum: &Found<MoneyAmount>, other: Option<&Found<MoneyAmount>>, open: bool) -> bool {
    open || other.is_none_or(|other| other.value.amount != sum.value.amount)
}

/// The most likely closing day, with its time.
fn closing(
    classifier: &Classifier,
    candidates: &[DateCandidate],
    issue: Option<Day>,
) -> Option<Found<Moment>> {
    let probability = |candidate: &DateCandidate| classifier.closing(&candidate.features);
    let mut said: Vec<(f64, &DateCandidate)> =
        candidates.iter().map(|candidate| (probability(candidate), candidate)).collect();
    said.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (sure, best) = *said.first()?;
    let next = said.iter().find(|(_, other)| other.day != best.day).map_or(0.0, |(sure, _)| *sure);
    if sure < MIN_CLOSING || sure - next < MARGIN {
        return None;
    }
    let of_day =
        || said.iter().map(|(_, candidate)| *candidate).filter(|candidate| candidate.day == best.day);
    let beside = of_day().find_map(|candidate| Some((candidate.time?, candidate.range.clone())));
    let apart = || {
        of_day().find_map(|candidate| {
            let (time, hour) = candidate.apart.clone()?;
            Some((time, joined(&candidate.range, &hour)))
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

/// The amounts of a notice with the probabilities of their roles.
struct ScoredAmounts(Vec<ScoredAmount>);

struct ScoredAmount {
    amount_candidates: AmountCandidate,
    security: f64,
    fee: f64,
}

impl ScoredAmount {
    fn fee(&self) -> f64 {
        if self.amount_candidates.amount.number() > MAX_DOCUMENT_FEE { 0.0 } else { self.fee }
    }
}

impl ScoredAmounts {
    fn of(classifier: &Classifier, sums: Vec<AmountCandidate>) -> Self {
        let scored = sums.into_iter().map(|amount_candidates| {
            let (security, fee) = classifier.security_and_fee(&amount_candidates.features);
            ScoredAmount { amount_candidates, security, fee }
        });
        Self(scored.collect())
    }

    /// The most likely amount for a role.
    fn best(&self, role: impl Fn(&ScoredAmount) -> f64) -> Option<Found<MoneyAmount>> {
        let best = self.0.iter().max_by(|a, b| role(a).total_cmp(&role(b)))?;
        let others =
            self.0.iter().filter(|other| other.amount_candidates.amount != best.amount_candidates.amount);
        let next = others.map(&role).fold(0.0, f64::max);
        let sure = role(best);
        let AmountCandidate { amount, currency, range, .. } = best.amount_candidates.clone();
        (sure >= MIN_AMOUNT && sure - next >= MARGIN).then(|| {
            Found::new(
                MoneyAmount { range: range.clone(), amount, currency },
                CLASSIFIER_CEILING.min(sure),
                range,
            )
        })
    }
}

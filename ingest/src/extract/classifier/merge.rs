//! Merges the closing and the amounts of the classifier with those of the rules, and judges
//! whether a text is a notice. The classifier fills missing values and replaces doubtful ones. Its
//! values stay below the confidence threshold, so that they are doubtful. If the two best
//! candidates have similar probabilities, the classifier gives no value.

use super::thresholds::{
    AMOUNT_CONFIRMS, CERTAIN_CLOSING, CERTAIN_NOTICE, CLASSIFIER_CEILING, DOUBTFUL_NOTICE, MARGIN,
    MAX_DOCUMENT_FEE, MIN_AMOUNT, MIN_CLOSING, MIN_NOTICE_CLOSING, MIN_NOTICE_NAMES, NAMES_INDICATE_NOTICE,
    NAMES_SUFFICE_FOR_NOTICE, PAST_CLOSING_CEILING, PAYMENT_INDICATES_NOTICE, RULES_CERTAIN, RULES_DOUBTFUL,
};
use super::{
    amount_candidates::{AmountCandidate, candidates_outside_rows},
    date_candidates::{DateCandidate, date_candidates},
    model::Classifier,
    names::NamePredictions,
    notice_kind::KindPrediction,
};
use crate::extract::{
    alternatives::{Alternative, Selection},
    printed::{Found, Printed},
    rules::{
        amount_purposes::AmountsByPurpose,
        bid_opening,
        date_purposes::Deadlines,
        lots::{self, LotRow},
        money::MoneyAmount,
    },
};
use std::ops::Range;
use tender_model::vocabulary::{Day, Kind, Moment};

/// Merges the closing, bid security and document fee of the classifier into the values of the
/// rules. `issue` is the date of the newspaper, if known.
pub(crate) fn merge_with_rules(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    rows: &[LotRow],
    (deadlines, fees): (&mut Deadlines, &mut AmountsByPurpose),
) {
    merge_closing(classifier, printed, issue, kind, deadlines);
    let mut sums = candidates_outside_rows(printed, rows);
    sums.retain(|sum| !fees.others.contains(&sum.range));
    let scored = ScoredAmounts::of(classifier, sums);
    doubt_unconfirmed(&mut fees.bid_bond, &scored, |scored| scored.security);
    doubt_unconfirmed(&mut fees.document_fee, &scored, ScoredAmount::fee);
    let needs_bond = is_missing_or_doubtful(fees.bid_bond.as_ref()) && fees.bid_bond_percentage.is_none();
    let needs_fee = is_missing_or_doubtful(fees.document_fee.as_ref()) && fees.free.is_none();
    let (bond, fee) = (scored.likeliest(|scored| scored.security), scored.likeliest(ScoredAmount::fee));
    if let (true, Some(bond)) = (needs_bond, bond)
        && is_available(&bond, fees.document_fee.as_ref(), needs_fee)
    {
        fees.bid_bond = Some(bond);
    }
    if let (true, Some(fee)) = (needs_fee, fee)
        && is_available(&fee, fees.bid_bond.as_ref(), false)
    {
        fees.document_fee = Some(fee);
    }
}

/// Makes an amount of the rules doubtful if the classifier does not confirm its role.
fn doubt_unconfirmed(
    found: &mut Option<Found<MoneyAmount>>,
    scored: &ScoredAmounts,
    role: impl Fn(&ScoredAmount) -> f64,
) {
    let Some(sum) = found else { return };
    let same = scored.0.iter().filter(|scored| scored.candidate.amount == sum.value.amount);
    if same.map(role).reduce(f64::max).is_some_and(|sure| sure < AMOUNT_CONFIRMS) {
        sum.confidence = sum.confidence.min(CLASSIFIER_CEILING);
    }
}

/// Merges the predicted closing into the closing of the rules. An award has no closing. In a
/// corrigendum, the closing of the rules is kept, because they distinguish the former and the new
/// closing better.
fn merge_closing(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    kind: Kind,
    deadlines: &mut Deadlines,
) {
    let is_read_from_corrigendum = kind == Kind::Corrigendum && deadlines.closing.is_some();
    if kind == Kind::Award || is_read_from_corrigendum {
        return;
    }
    let predicted = likeliest_closing(classifier, &date_candidates(printed, issue), issue);
    let doubted =
        |found: Found<Moment>| Found { confidence: found.confidence.min(CLASSIFIER_CEILING), ..found };
    let Selection { chosen, others } = match (deadlines.closing.take(), predicted) {
        (None, predicted) => Selection::without_alternatives(predicted),
        (Some(found), Some(predicted)) if found.value == predicted.value => {
            Selection::without_alternatives(Some(found))
        }
        (Some(found), Some(predicted))
            if found.confidence < RULES_CERTAIN && !lacks_time_of(&predicted, &found) =>
        {
            Selection::with_alternative(predicted, Alternative::of_rules(found))
        }
        (Some(found), None) if found.confidence >= RULES_CERTAIN => {
            Selection::without_alternatives(Some(found))
        }
        (Some(found), Some(predicted)) => {
            Selection::with_alternative(doubted(found), Alternative::of_classifier(predicted))
        }
        (Some(found), None) => Selection::without_alternatives(Some(doubted(found))),
    };
    deadlines.closing = chosen;
    deadlines.other_closings.splice(0..0, others);
    if deadlines.opening.is_none() {
        deadlines.opening = bid_opening::opening_by_closing(printed.flow(), deadlines.closing.as_ref());
    }
}

/// Whether a text is a notice although no rule recognises it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoticeVerdict {
    Certain,
    /// The text may be a notice. A reviewer should check it.
    Possible,
    No,
}

/// Judges a text that no rule recognises. A text with a notice's wording and a closing is
/// certainly a notice. A text is possibly a notice if its title and its organisation are very
/// likely. A closing together with a notice's wording, a likely title and organisation, or a
/// likely payment is also enough.
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
    if kind_prediction.notice_probability() >= CERTAIN_NOTICE
        && closing_probability(classifier, &candidates) >= CERTAIN_CLOSING
    {
        return NoticeVerdict::Certain;
    }
    let is_one = named >= NAMES_SUFFICE_FOR_NOTICE
        || likeliest_closing(classifier, &candidates, issue).is_some()
            && (kind_prediction.indicates_notice()
                || named >= NAMES_INDICATE_NOTICE
                || candidates_outside_rows(printed, &lots::read_rows(printed)).iter().any(is_paid));
    if is_one { NoticeVerdict::Possible } else { NoticeVerdict::No }
}

/// The probability that a text is a notice, if the classifier doubts a text that the rules accept;
/// otherwise `None`. The classifier doubts a text whose wording is not that of a notice. It also
/// doubts a text whose closing is unlikely and whose title or organisation is unlikely too.
pub(crate) fn notice_doubt(
    classifier: &Classifier,
    printed: &Printed,
    issue: Option<Day>,
    names: &NamePredictions,
    kind_prediction: &KindPrediction,
) -> Option<f64> {
    let notice_probability = kind_prediction.notice_probability();
    if notice_probability <= DOUBTFUL_NOTICE {
        return Some(notice_probability);
    }
    let has_something = names.probability() >= MIN_NOTICE_NAMES
        || closing_probability(classifier, &date_candidates(printed, issue)) >= MIN_NOTICE_CLOSING;
    (!has_something).then_some(notice_probability.min(CLASSIFIER_CEILING))
}

/// The probability of the most likely closing.
fn closing_probability(classifier: &Classifier, candidates: &[DateCandidate]) -> f64 {
    candidates.iter().map(|candidate| classifier.closing_probability(&candidate.features)).fold(0.0, f64::max)
}

/// Whether a closing has the same day as `other`, but no time.
fn lacks_time_of(closing: &Found<Moment>, other: &Found<Moment>) -> bool {
    let day = closing.value.day();
    day == other.value.day() && Moment::end_of(day) == Some(closing.value)
}

/// Whether the rules found no value or a doubtful one.
fn is_missing_or_doubtful<T>(found: Option<&Found<T>>) -> bool {
    found.is_none_or(|found| found.confidence <= RULES_DOUBTFUL)
}

/// Whether an amount may be used for a field. The amount `other` of another field may not be used
/// again, unless that field is `open`, which means that it still needs a value.
fn is_available(sum: &Found<MoneyAmount>, other: Option<&Found<MoneyAmount>>, open: bool) -> bool {
    open || other.is_none_or(|other| other.value.amount != sum.value.amount)
}

/// The most likely closing day, with its time; `None` if no day is likely enough or another day is
/// almost as likely.
fn likeliest_closing(
    classifier: &Classifier,
    candidates: &[DateCandidate],
    issue: Option<Day>,
) -> Option<Found<Moment>> {
    let probability = |candidate: &DateCandidate| classifier.closing_probability(&candidate.features);
    let mut scored: Vec<(f64, &DateCandidate)> =
        candidates.iter().map(|candidate| (probability(candidate), candidate)).collect();
    scored.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (sure, best) = *scored.first()?;
    let next = scored.iter().find(|(_, other)| other.day != best.day).map_or(0.0, |(sure, _)| *sure);
    if sure < MIN_CLOSING || sure - next < MARGIN {
        return None;
    }
    let of_day =
        || scored.iter().map(|(_, candidate)| *candidate).filter(|candidate| candidate.day == best.day);
    let beside = of_day().find_map(|candidate| Some((candidate.time?, candidate.range.clone())));
    let apart = || {
        of_day().find_map(|candidate| {
            let (time, hour) = candidate.nearby_time.clone()?;
            Some((time, covering_range(&candidate.range, &hour)))
        })
    };
    let (moment, range) = match beside.or_else(apart) {
        Some((time, range)) => (Moment::in_colombo(best.day.to_datetime(time))?, range),
        None => (Moment::end_of(best.day)?, best.range.clone()),
    };
    let is_past = issue.is_some_and(|issue| best.day < issue);
    let most = if is_past { PAST_CLOSING_CEILING } else { CLASSIFIER_CEILING };
    Some(Found::new(moment, most.min(sure).min(best.day_confidence), range))
}

fn covering_range(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    a.start.min(b.start)..a.end.max(b.end)
}

/// The amounts of a notice with the probabilities of their roles.
struct ScoredAmounts(Vec<ScoredAmount>);

struct ScoredAmount {
    candidate: AmountCandidate,
    security: f64,
    fee: f64,
}

impl ScoredAmount {
    fn fee(&self) -> f64 {
        if self.candidate.amount.number() > MAX_DOCUMENT_FEE { 0.0 } else { self.fee }
    }
}

impl ScoredAmounts {
    fn of(classifier: &Classifier, sums: Vec<AmountCandidate>) -> Self {
        let scored = sums.into_iter().map(|candidate| {
            let (security, fee) = classifier.security_and_fee(&candidate.features);
            ScoredAmount { candidate, security, fee }
        });
        Self(scored.collect())
    }

    /// The most likely amount for a role; `None` if no amount is likely enough or another amount
    /// is almost as likely.
    fn likeliest(&self, role: impl Fn(&ScoredAmount) -> f64) -> Option<Found<MoneyAmount>> {
        let best = self.0.iter().max_by(|a, b| role(a).total_cmp(&role(b)))?;
        let others = self.0.iter().filter(|other| other.candidate.amount != best.candidate.amount);
        let next = others.map(&role).fold(0.0, f64::max);
        let sure = role(best);
        let AmountCandidate { amount, currency, range, .. } = best.candidate.clone();
        (sure >= MIN_AMOUNT && sure - next >= MARGIN).then(|| {
            Found::new(
                MoneyAmount { range: range.clone(), amount, currency },
                CLASSIFIER_CEILING.min(sure),
                range,
            )
        })
    }
}

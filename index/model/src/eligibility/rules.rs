//! [`assess`]: one rule for each kind of requirement.

use super::{
    Assessment, BidAnswer, Company, Finding, RequirementKind, Verdict, VerdictReason, registration,
    repetition,
};
use crate::{
    tender::Tender,
    vocabulary::{Amount, Currency, Day},
};

/// Above this value, bidders need a registration under the Public Contracts Act, in rupees.
const CONTRACTS_ACT_ABOVE: f64 = 5_000_000.0;

/// Holds what a tender asks for against what a company has.
#[must_use]
pub fn assess(tender: &Tender, company: &Company) -> Assessment {
    let on = tender.dates.closing.map(|closing| closing.day());
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(grade(tender, company, on));
    findings.extend(experience(tender, company));
    findings.extend(turnover(tender, company));
    findings.extend(bid_security(tender, company));
    findings.extend(contracts_act(tender, company, on));
    findings.extend(criteria(tender));
    for finding in &mut findings {
        // The law's registration depends on the value.
        let path = finding.path.as_deref().unwrap_or("financials.estimatedValue");
        if finding.verdict != Verdict::NotCertain && !tender.is_certain(path) {
            (finding.verdict, finding.reason) = (Verdict::NotCertain, Some(VerdictReason::Doubtful));
        }
    }
    let has = |verdict: Verdict| findings.iter().any(|finding| finding.verdict == verdict);
    let answer = match () {
        () if has(Verdict::Missing) => BidAnswer::Missing,
        () if has(Verdict::NotCertain) => BidAnswer::NotCertain,
        () if findings.iter().any(|finding| finding.kind.is_condition()) => BidAnswer::CanBid,
        () => BidAnswer::NotStated,
    };
    Assessment { answer, findings }
}

/// One of the grades that the notice names is enough. The best registration counts.
fn grade(tender: &Tender, company: &Company, on: Option<Day>) -> Option<Finding> {
    let asked = tender.cida.iter().enumerate();
    let pairs = asked.flat_map(|(number, asked)| {
        company.cida.iter().enumerate().map(move |(row, held)| {
            let (verdict, reason) = registration::compare(asked, held, on);
            (verdict, number, row, reason)
        })
    });
    let path = |number: usize| Some(format!("cida.{number}"));
    let Some((verdict, number, row, reason)) = pairs.min_by_key(|(verdict, ..)| *verdict) else {
        return (!tender.cida.is_empty()).then(|| {
            finding(
                RequirementKind::Grade,
                Verdict::Missing,
                Some(VerdictReason::NotInProfile),
                path(0),
                None,
            )
        });
    };
    // A registration that is enough for one lot may not be enough for another one.
    let differs = tender.cida.iter().any(|asked| asked.field != tender.cida[0].field);
    if verdict == Verdict::Met && tender.lots.len() > 1 && (differs || tender.cida.len() > 1) {
        let reason = Some(VerdictReason::SeveralLots);
        return Some(finding(RequirementKind::Grade, Verdict::NotCertain, reason, path(number), Some(row)));
    }
    Some(finding(RequirementKind::Grade, verdict, reason, path(number), Some(row)))
}

fn experience(tender: &Tender, company: &Company) -> Option<Finding> {
    let experience = tender.eligibility.experience.as_ref()?;
    let path = Some("eligibility.experience".to_owned());
    let Some(years) = experience.years else {
        return Some(finding(
            RequirementKind::Experience,
            Verdict::NotCertain,
            Some(VerdictReason::Words),
            path,
            None,
        ));
    };
    let (verdict, reason) = match company.experience_years {
        None => (Verdict::Missing, Some(VerdictReason::NotInProfile)),
        Some(own) if own < years => (Verdict::Missing, Some(VerdictReason::TooLow)),
        // Whether the experience is of this kind, a person must say.
        Some(_) if experience.description.is_some() => (Verdict::NotCertain, Some(VerdictReason::Words)),
        Some(_) => (Verdict::Met, None),
    };
    Some(finding(RequirementKind::Experience, verdict, reason, path, None))
}

fn turnover(tender: &Tender, company: &Company) -> Option<Finding> {
    let asked = tender.eligibility.turnover?;
    let best = company.turnover.iter().enumerate().max_by_key(|(_, year)| year.amount);
    let (verdict, reason) = match best {
        _ if asked.currency != Currency::LKR => (Verdict::NotCertain, Some(VerdictReason::NoNumber)),
        None => (Verdict::Missing, Some(VerdictReason::NotInProfile)),
        Some((_, year)) if year.amount < asked.minimum => (Verdict::Missing, Some(VerdictReason::TooLow)),
        Some(_) => (Verdict::Met, None),
    };
    let row = best.map(|(row, _)| row);
    Some(finding(RequirementKind::Turnover, verdict, reason, Some("eligibility.turnover".to_owned()), row))
}

fn bid_security(tender: &Tender, company: &Company) -> Option<Finding> {
    let bond = &tender.financials.bid_bond;
    if !bond.required {
        return None;
    }
    let amount: Option<Amount> = bond.amount.filter(|_| bond.currency.is_none_or(|own| own == Currency::LKR));
    let (verdict, reason) = match (amount, company.bond_limit) {
        (None, _) => (Verdict::NotCertain, Some(VerdictReason::NoNumber)),
        (Some(_), None) => (Verdict::NotCertain, Some(VerdictReason::NotInProfile)),
        (Some(asked), Some(limit)) if limit < asked => (Verdict::Missing, Some(VerdictReason::TooLow)),
        (Some(_), Some(_)) => (Verdict::Met, None),
    };
    Some(finding(RequirementKind::BidSecurity, verdict, reason, Some("financials.bidBond".to_owned()), None))
}

/// Whether the law asks bidders for a registration under the Public Contracts Act.
pub(crate) fn needs_contracts_act(tender: &Tender) -> bool {
    let value = tender.financials.estimated_value.filter(|value| value.currency == Currency::LKR);
    value.is_some_and(|value| value.amount.number() * 1e6 > CONTRACTS_ACT_ABOVE)
}

fn contracts_act(tender: &Tender, company: &Company, on: Option<Day>) -> Option<Finding> {
    if !needs_contracts_act(tender) {
        return None;
    }
    let is_valid = |last: Option<Day>| last.zip(on).is_none_or(|(last, day)| last >= day);
    let valid = company.contracts_act.iter().position(|registration| is_valid(registration.expires));
    let (verdict, reason) = match (valid, company.contracts_act.is_empty()) {
        (Some(_), _) => (Verdict::Met, None),
        (None, true) => (Verdict::Missing, Some(VerdictReason::NotInProfile)),
        (None, false) => (Verdict::Missing, Some(VerdictReason::Expired)),
    };
    Some(finding(RequirementKind::ContractsAct, verdict, reason, None, valid))
}

/// The sentences that only a person can judge. [`grade`] already judges one that repeats the grade.
fn criteria(tender: &Tender) -> impl Iterator<Item = Finding> {
    let sentences = tender.eligibility.criteria.iter().enumerate();
    let own = sentences.filter(|(_, sentence)| !repetition::repeats_grade(tender, sentence));
    own.map(|(number, _)| {
        let path = Some(format!("eligibility.criteria.{number}"));
        finding(RequirementKind::Criterion, Verdict::NotCertain, Some(VerdictReason::Words), path, None)
    })
}

fn finding(
    kind: RequirementKind,
    verdict: Verdict,
    reason: Option<VerdictReason>,
    path: Option<String>,
    row: Option<usize>,
) -> Finding {
    Finding { kind, verdict, reason, path, row }
}

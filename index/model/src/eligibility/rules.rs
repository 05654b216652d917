//! [`assess`]: one rule for each kind of requirement.

use super::{
    Assessment, BidAnswer, Company, Finding, RequirementKind, Verdict, VerdictReason,
    lot_securities::{LotSecurities, securities_of_lots},
    registration, repetition,
};
use crate::{
    tender::Tender,
    text::Words,
    vocabulary::{Amount, Category, Currency, Day, OrganizationType},
};

/// Above this value, bidders need a registration under the Public Contracts Act, in rupees.
const CONTRACTS_ACT_ABOVE: f64 = 5_000_000.0;

/// Holds what a tender asks for against what a company has on a day.
#[must_use]
pub fn assess(tender: &Tender, company: &Company, today: Day) -> Assessment {
    let on = tender.dates.closing.map(|closing| closing.day());
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(documents(tender, today));
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
    let has =
        |verdict: Verdict| findings.iter().any(|finding| finding.verdict == verdict && decides(finding));
    let answer = match () {
        () if has(Verdict::Missing) => BidAnswer::Missing,
        () if has(Verdict::NotCertain) => BidAnswer::NotCertain,
        () if findings.iter().any(|finding| finding.kind.is_condition()) => BidAnswer::CanBid,
        () => BidAnswer::NotStated,
    };
    Assessment { answer, findings }
}

/// Whether a finding has a say in the answer. A bid security that is a share of the price has no amount
/// before the bidder has chosen the price.
fn decides(finding: &Finding) -> bool {
    (finding.kind, finding.reason) != (RequirementKind::BidSecurity, Some(VerdictReason::NoNumber))
}

/// The sale of the documents, if it has ended.
fn documents(tender: &Tender, today: Day) -> Option<Finding> {
    let last = tender.document_fee.as_ref()?.sale_until?;
    (last < today).then(|| {
        let path = Some("documentFee.saleUntil".to_owned());
        let reason = Some(VerdictReason::SaleEnded);
        finding(RequirementKind::Documents, Verdict::NotCertain, reason, path, None)
    })
}

/// One of the grades that the notice names is enough. The best registration counts; of equally good ones,
/// one for the field that the notice names.
fn grade(tender: &Tender, company: &Company, on: Option<Day>) -> Option<Finding> {
    let asked = tender.cida.iter().enumerate();
    let pairs = asked.flat_map(|(number, asked)| {
        company.cida.iter().enumerate().map(move |(row, held)| {
            let (verdict, reason) = registration::compare(asked, held, on);
            ((verdict, !registration::is_same_field(asked, held)), number, row, reason)
        })
    });
    let path = |number: usize| Some(format!("cida.{number}"));
    let Some(((verdict, _), number, row, reason)) = pairs.min_by_key(|(rank, ..)| *rank) else {
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
    if let Some(lots) = securities_of_lots(tender) {
        return Some(security_of_lots(&lots, company));
    }
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

/// A company may bid for some of the lots, so its limit must cover the smallest security.
fn security_of_lots(lots: &LotSecurities, company: &Company) -> Finding {
    let (verdict, reason) = match company.bond_limit {
        _ if lots.currency != Currency::LKR => (Verdict::NotCertain, Some(VerdictReason::NoNumber)),
        None => (Verdict::NotCertain, Some(VerdictReason::NotInProfile)),
        Some(limit) if limit < lots.smallest => (Verdict::Missing, Some(VerdictReason::TooLow)),
        Some(limit) if limit < lots.sum => (Verdict::NotCertain, Some(VerdictReason::SeveralLots)),
        Some(_) => (Verdict::Met, None),
    };
    finding(RequirementKind::BidSecurity, verdict, reason, Some("lots".to_owned()), None)
}

/// Whether the law asks bidders for a registration under the Public Contracts Act: the contract is public,
/// and the estimate or the bidder's price is high enough. Companies of the state have names like private
/// ones, so only the publisher itself can say that it is private.
pub(crate) fn needs_contracts_act(tender: &Tender, price: Option<Amount>) -> bool {
    let is_private = tender.sources.is_empty()
        && matches!(tender.organization.kind, Some(OrganizationType::Private | OrganizationType::Ngo));
    let estimate = tender.financials.estimated_value.filter(|value| value.currency == Currency::LKR);
    let values = [estimate.map(|value| value.amount.number() * 1e6), price.map(Amount::number)];
    !is_private && values.into_iter().flatten().any(|value| value > CONTRACTS_ACT_ABOVE)
}

/// Whether a registration for a sector is for what a tender buys: works are registered apart from goods and
/// services.
fn is_of_sector(tender: &Tender, sector: &str) -> bool {
    let words = Words::of(sector);
    let names_works = words.iter().any(|word| ["works", "work", "construction"].contains(&word));
    let is_works = tender.category == Some(Category::Construction) || !tender.cida.is_empty();
    names_works == is_works
}

fn contracts_act(tender: &Tender, company: &Company, on: Option<Day>) -> Option<Finding> {
    if !needs_contracts_act(tender, None) {
        return None;
    }
    let is_valid = |last: Option<Day>| last.zip(on).is_none_or(|(last, day)| last >= day);
    let rows = || company.contracts_act.iter().enumerate();
    let mut valid = rows().filter(|(_, row)| is_valid(row.expires));
    let fitting = valid.clone().find(|(_, row)| is_of_sector(tender, &row.sector));
    let (verdict, reason, row) = match (fitting.map(|(row, _)| row), valid.next().map(|(row, _)| row)) {
        (Some(row), _) => (Verdict::Met, None, Some(row)),
        // The register has sectors, and what the notice buys was only read.
        (None, Some(row)) => (Verdict::NotCertain, Some(VerdictReason::OtherField), Some(row)),
        (None, None) if company.contracts_act.is_empty() => {
            (Verdict::Missing, Some(VerdictReason::NotInProfile), None)
        }
        (None, None) => (Verdict::Missing, Some(VerdictReason::Expired), None),
    };
    Some(finding(RequirementKind::ContractsAct, verdict, reason, None, row))
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

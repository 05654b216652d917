//! The sentence of a mail that says whether the recipient's company may bid for a tender.

use crate::base::i18n::mail_texts::MailTexts;
use tender_model::{
    eligibility::{self, BidAnswer, Company, RequirementKind, Verdict},
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};

/// The sentence. Empty if the notice does not say who may bid, or if nobody can bid for the tender any more.
pub(super) fn bid_sentence(tender: &Tender, company: &Company, words: &MailTexts, now: Moment) -> String {
    let is_open = tender.effective_status(now) == TenderStatus::Published;
    if !is_open || !eligibility::is_bid_for(tender.kind) {
        return String::new();
    }
    let assessment = eligibility::assess(tender, company, now.day());
    let words_of_bids = &words.tender.bid;
    // Names the requirements with a verdict, each once.
    let named = |verdict: Verdict| {
        let mut names: Vec<String> = Vec::new();
        for finding in assessment.findings.iter().filter(|finding| finding.verdict == verdict) {
            let name = requirement_name(finding.kind, tender, words);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    };
    match assessment.answer {
        BidAnswer::NotStated => String::new(),
        BidAnswer::CanBid => words_of_bids.can.clone(),
        BidAnswer::NotCertain => words_of_bids.not_certain.with(&[("what", &named(Verdict::NotCertain))]),
        BidAnswer::Missing => words_of_bids.missing.with(&[("what", &named(Verdict::Missing))]),
    }
}

fn requirement_name(kind: RequirementKind, tender: &Tender, words: &MailTexts) -> String {
    let names = &words.tender.bid;
    match kind {
        RequirementKind::Grade => {
            let grades: Vec<&str> = tender.cida.iter().map(|cida| cida.grade.as_str()).collect();
            words.tender.cida.with(&[("grades", &grades.join(", "))])
        }
        RequirementKind::Experience => names.experience.clone(),
        RequirementKind::Turnover => names.turnover.clone(),
        RequirementKind::BidSecurity => names.bid_security.clone(),
        RequirementKind::ContractsAct => names.contracts_act.clone(),
        // Only a person can judge a sentence, or say whether the documents were bought.
        RequirementKind::Criterion => names.criterion.clone(),
        RequirementKind::Documents => names.documents.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tender_model::vocabulary::Language;

    #[test]
    fn sentence_names_what_is_missing_and_says_nothing_of_what_is_not_stated() {
        let mut tender = Tender { status: TenderStatus::Published, ..Tender::default() };
        tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
        let company: Company =
            serde_json::from_value(json!({"cida": [{"grade": "C5", "field": "Buildings"}]})).unwrap();
        let now: Moment = "2026-11-20T09:00:00+05:30".parse().unwrap();
        let words = MailTexts::of(Language::English);
        let sentence = |tender: &Tender, now| bid_sentence(tender, &company, words, now);
        assert_eq!(sentence(&tender, now), "");
        let ask = |grade: &str| {
            vec![serde_json::from_value(json!({"grade": grade, "field": "Buildings"})).unwrap()]
        };
        tender.cida = ask("C5");
        assert_eq!(
            sentence(&tender, now),
            "You can bid: your company has everything that the notice states."
        );
        tender.cida = ask("C2");
        assert_eq!(sentence(&tender, now), "Missing to bid: CIDA C2");
        tender.cida = ask("C5");
        tender.document_fee =
            serde_json::from_value(json!({"amount": 500, "saleUntil": "2026-11-19"})).unwrap();
        assert_eq!(
            sentence(&tender, now),
            "Not certain whether you can bid: check whether you have the documents."
        );
        assert_eq!(sentence(&tender, "2027-01-01T09:00:00+05:30".parse().unwrap()), "", "it is closed");
    }
}

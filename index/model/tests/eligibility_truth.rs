//! "May I bid?" over the fixture notices, held against a judgement of their printed texts. The judge saw
//! only the texts, and neither the fields that were read nor the rules.
//!
//! `cargo test -p tender-model --test eligibility_truth -- --nocapture` prints what differs.

use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};
use tender_model::{
    eligibility::{Company, CostKind, RequirementKind, assess, cash_to_bid, is_bid_for},
    notice_file,
    tender::Tender,
};

/// What a text states. Whatever is absent is not stated.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Judgement {
    kind: String,
    #[serde(default)]
    grades: Vec<JudgedGrade>,
    experience_years: Option<u16>,
    turnover: Option<JudgedAmount>,
    bid_security: Option<JudgedSecurity>,
    document_fee: Option<JudgedAmount>,
    estimated_value: Option<JudgedAmount>,
    #[serde(default)]
    criteria: Vec<String>,
    #[serde(default)]
    doubtful: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct JudgedGrade {
    grade: String,
    also_admits: Option<String>,
}

#[derive(Debug, Deserialize)]
struct JudgedAmount {
    #[serde(alias = "minimum")]
    amount: f64,
}

#[derive(Debug, Deserialize)]
struct JudgedSecurity {
    amount: Option<f64>,
    percentage: Option<f64>,
}

/// The value above which the law asks for a registration, in rupees.
const CONTRACTS_ACT_ABOVE: f64 = 5_000_000.0;

/// The lines that bidders see, each with its value.
type Lines = Vec<(&'static str, String)>;

/// The lines that a text asks for, without its sentences.
fn judged_lines(judgement: &Judgement) -> Lines {
    let mut lines = Lines::new();
    let mut grades: Vec<String> = judgement
        .grades
        .iter()
        .map(|grade| format!("{} {}", grade.grade, grade.also_admits.as_deref().unwrap_or_default()))
        .collect();
    grades.sort();
    if !grades.is_empty() {
        lines.push(("grade", grades.join(", ")));
    }
    lines.extend(judgement.experience_years.map(|years| ("experience", years.to_string())));
    lines.extend(judgement.turnover.as_ref().map(|turnover| ("turnover", turnover.amount.to_string())));
    lines.extend(judgement.bid_security.as_ref().map(|security| {
        let value = security.amount.map(|amount| amount.to_string());
        let share = security.percentage.map(|percentage| format!("{percentage} %"));
        ("bid security", value.or(share).unwrap_or_default())
    }));
    let is_above = judgement.estimated_value.as_ref().is_some_and(|value| value.amount > CONTRACTS_ACT_ABOVE);
    lines.extend(is_above.then(|| ("contracts act", String::new())));
    lines.extend(judgement.document_fee.as_ref().map(|fee| ("document fee", fee.amount.to_string())));
    lines
}

/// The lines that the portal shows, and the sentences that it leaves to the reader.
fn shown_lines(tender: &Tender) -> (Lines, Vec<String>) {
    let (mut lines, mut sentences) = (Lines::new(), Vec::new());
    // The documents of every notice are sold on this day.
    let day = jiff::civil::date(2024, 1, 1);
    for finding in assess(tender, &Company::default(), day).findings {
        match finding.kind {
            RequirementKind::Grade => {
                let mut grades: Vec<String> = tender
                    .cida
                    .iter()
                    .map(|cida| {
                        let others = cida.also_admits.map(|others| others.as_str()).unwrap_or_default();
                        format!("{} {others}", cida.grade)
                    })
                    .collect();
                grades.sort();
                lines.push(("grade", grades.join(", ")));
            }
            RequirementKind::Experience => {
                let years = tender.eligibility.experience.as_ref().and_then(|experience| experience.years);
                lines.push(("experience", years.map(|years| years.to_string()).unwrap_or_default()));
            }
            RequirementKind::Turnover => {
                let minimum = tender.eligibility.turnover.map(|turnover| turnover.minimum.number());
                lines.push(("turnover", minimum.unwrap_or_default().to_string()));
            }
            RequirementKind::BidSecurity => {
                let bond = &tender.financials.bid_bond;
                let value = bond.amount.map(|amount| amount.number().to_string());
                let share = bond.percentage.map(|percentage| format!("{percentage} %"));
                lines.push(("bid security", value.or(share).unwrap_or_default()));
            }
            // The judge read what the notices state, whatever the day.
            RequirementKind::Documents => {}
            RequirementKind::ContractsAct => lines.push(("contracts act", String::new())),
            RequirementKind::Criterion => {
                let number = finding.path.as_deref().and_then(|path| path.rsplit('.').next()?.parse().ok());
                sentences.extend(
                    number.and_then(|number: usize| tender.eligibility.criteria.get(number).cloned()),
                );
            }
        }
    }
    let fee = cash_to_bid(tender).into_iter().find(|cost| cost.kind == CostKind::DocumentFee);
    lines.extend(fee.map(|fee| {
        ("document fee", fee.amount.map(|amount| amount.number().to_string()).unwrap_or_default())
    }));
    (lines, sentences)
}

/// The letters and digits of a text, for comparison across line breaks and Markdown.
fn letters(text: &str) -> String {
    text.chars().filter(|letter| letter.is_alphanumeric()).collect()
}

/// Whether a sentence stands in one of the others, or contains one of them.
fn stands_in(sentence: &str, others: &[String]) -> bool {
    let own = letters(sentence);
    others.iter().map(|other| letters(other)).any(|other| other.contains(&own) || own.contains(&other))
}

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    wrong: usize,
    left_out: usize,
}

impl Counts {
    fn precision(&self) -> f64 {
        self.right as f64 / (self.right + self.wrong).max(1) as f64
    }

    fn recall(&self) -> f64 {
        self.right as f64 / (self.right + self.left_out).max(1) as f64
    }
}

#[test]
fn what_bidders_are_told_stands_in_the_notices() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let truth = std::fs::read_to_string(fixtures.join("truth/eligibility.json")).unwrap();
    let truth: BTreeMap<String, Judgement> = serde_json::from_str(&truth).unwrap();
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    let mut silent = 0;
    for (name, judgement) in &truth {
        let file = std::fs::read_to_string(fixtures.join(format!("notices/{name}.md"))).unwrap();
        let tender = notice_file::read(&file).unwrap();
        if !is_bid_for(tender.kind) {
            assert_eq!(judgement.kind, "sale", "{name}");
            continue;
        }
        let mut judged = judged_lines(judgement);
        let (shown, sentences) = shown_lines(&tender);
        for line in shown {
            match judged.iter().position(|judged| *judged == line) {
                Some(at) => {
                    counts.right += 1;
                    judged.remove(at);
                }
                None => {
                    counts.wrong += 1;
                    differences.push(format!("{name}: wrongly shown: {line:?}"));
                }
            }
        }
        for line in judged {
            counts.left_out += 1;
            differences.push(format!("{name}: left out: {line:?}"));
        }
        for sentence in &sentences {
            if stands_in(sentence, &judgement.criteria) {
                counts.right += 1;
            } else if !stands_in(sentence, &judgement.doubtful) {
                counts.wrong += 1;
                differences.push(format!("{name}: no condition: {sentence:?}"));
            }
        }
        for criterion in judgement.criteria.iter().filter(|criterion| !stands_in(criterion, &sentences)) {
            counts.left_out += 1;
            differences.push(format!("{name}: condition left out: {criterion:?}"));
        }
        if judgement.grades.is_empty() && tender.cida.is_empty() {
            silent += 1;
        }
    }
    let (precision, recall) = (counts.precision(), counts.recall());
    println!("{}", differences.join("\n"));
    println!("{counts:?}: precision {precision:.3}, recall {recall:.3}; {silent} notices state no grade");
    assert!(precision >= 0.98, "precision {precision:.3}: {differences:#?}");
}

//! The checklist over the fixture notices, held against a judgement of their printed texts. The judge saw
//! only the texts, and neither the fields that were read nor the rules.
//!
//! `cargo test -p tender-model --test checklist_truth -- --nocapture` prints what differs.

use serde::Deserialize;
use std::{collections::BTreeMap, path::Path};
use tender_model::{
    checklist::{ChecklistRow, RowBasis, RowKind, checklist, submission},
    eligibility::is_bid_for,
    notice_file,
    text::Words,
};

/// What a text states. A kind that is absent is not stated.
#[derive(Debug, Deserialize)]
struct Judgement {
    kind: String,
    /// The sentences for each kind of row, in the words of the notice.
    rows: BTreeMap<String, Vec<String>>,
    methods: Vec<String>,
    /// Kinds about which two careful readers could differ.
    doubtful: Vec<String>,
}

#[derive(Debug, Default)]
struct Counts {
    right: usize,
    wrong: usize,
    left_out: usize,
    /// Rows that rightly say that the notice does not state the matter.
    rightly_silent: usize,
}

/// The letters and digits of a text, for comparison across line breaks, tables and Markdown.
fn letters(text: &str) -> String {
    Words::of(text).as_str().replace(' ', "")
}

/// Whether the printed words of a row stand in the sentences of a judgement, or contain one of them.
fn rests_on(row: &ChecklistRow, sentences: &[String]) -> bool {
    let printed = letters(row.printed.as_deref().unwrap_or_default());
    let all = letters(&sentences.join(" "));
    !printed.is_empty()
        && (all.contains(&printed) || sentences.iter().any(|one| printed.contains(&letters(one))))
}

impl Counts {
    fn add_rows(&mut self, name: &str, rows: &[ChecklistRow], judged: &Judgement) -> Vec<String> {
        let mut differences = Vec::new();
        for row in rows {
            let kind = row.kind.as_str();
            if judged.doubtful.iter().any(|doubtful| doubtful == kind) {
                continue;
            }
            match (judged.rows.get(kind), row.basis) {
                (Some(sentences), RowBasis::Notice) if rests_on(row, sentences) => self.right += 1,
                (_, RowBasis::Notice) => {
                    self.wrong += 1;
                    differences.push(format!("{name}: wrong {kind}: {:?}", row.printed));
                }
                // Counted below.
                (Some(_), _) => {}
                (None, _) => self.rightly_silent += 1,
            }
        }
        let is_shown =
            |kind: &str| rows.iter().any(|row| row.kind.as_str() == kind && row.basis == RowBasis::Notice);
        for (kind, sentences) in &judged.rows {
            // The ladder of deadlines shows the opening.
            if kind != "opening" && !judged.doubtful.contains(kind) && !is_shown(kind) {
                self.left_out += 1;
                differences.push(format!("{name}: left out {kind}: {sentences:?}"));
            }
        }
        differences
    }

    fn add_methods(&mut self, name: &str, shown: &[&str], judged: &[String]) -> Vec<String> {
        let wrong = shown.iter().filter(|method| !judged.iter().any(|judged| judged == *method));
        let left_out = judged.iter().filter(|judged| !shown.contains(&judged.as_str()));
        let wrong: Vec<String> = wrong.map(|method| format!("{name}: wrong method {method}")).collect();
        let left_out: Vec<String> =
            left_out.map(|method| format!("{name}: left out method {method}")).collect();
        self.right += shown.len() - wrong.len();
        self.wrong += wrong.len();
        self.left_out += left_out.len();
        wrong.into_iter().chain(left_out).collect()
    }
}

#[test]
fn the_checklist_says_what_the_notices_state() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let truth = std::fs::read_to_string(fixtures.join("truth/checklist.json")).unwrap();
    let truth: BTreeMap<String, Judgement> = serde_json::from_str(&truth).unwrap();
    let mut counts = Counts::default();
    let mut differences = Vec::new();
    for (name, judged) in &truth {
        for kind in judged.rows.keys().chain(&judged.doubtful).filter(|kind| *kind != "opening") {
            assert!(kind.parse::<RowKind>().is_ok(), "{name}: {kind}");
        }
        let file = std::fs::read_to_string(fixtures.join(format!("notices/{name}.md"))).unwrap();
        let tender = notice_file::read(&file).unwrap();
        if !is_bid_for(tender.kind) {
            assert_eq!(judged.kind, "sale", "{name}");
            continue;
        }
        differences.extend(counts.add_rows(name, &checklist(&tender, None), judged));
        let methods = submission(&tender).methods;
        let methods: Vec<&str> = methods.iter().map(|method| method.as_str()).collect();
        differences.extend(counts.add_methods(name, &methods, &judged.methods));
    }
    let precision = counts.right as f64 / (counts.right + counts.wrong).max(1) as f64;
    let recall = counts.right as f64 / (counts.right + counts.left_out).max(1) as f64;
    println!("{}", differences.join("\n"));
    println!("{counts:?}: precision {precision:.3}, recall {recall:.3}");
    assert!(precision >= 0.98, "precision {precision:.3}: {differences:#?}");
}

//! Tests the dates and amounts that the classifier finds without the rules. Its weights for dates
//! and amounts were not trained on these texts.

use anyhow::Result;
use ingest::extract::{
    Printed,
    classifier::{AmountCandidate, Classifier, DateCandidate, amount_candidates, date_candidates},
};
use serde_json::Value;
use std::{fs, path::Path};
use tender_model::vocabulary::Day;

/// The texts of three folders in `fixtures/notice-texts` with their ground truth.
fn read_texts() -> Result<Vec<(Printed, Value)>> {
    let mut texts = Vec::new();
    for name in ["development", "test-1", "test-2"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/notice-texts").join(name);
        let gold: Vec<Value> = serde_json::from_str(&fs::read_to_string(folder.join("gold.json"))?)?;
        for entry in gold {
            let text = fs::read_to_string(folder.join(entry["file"].as_str().unwrap_or_default()))?;
            // The lines before the first empty line name the source.
            let text = text.split_once("\n\n").map_or(text.as_str(), |(_, text)| text);
            texts.push((Printed::plain(text), entry["gold"].clone()));
        }
    }
    Ok(texts)
}

/// Returns two counts: the texts whose most likely candidate is the true value of the field
/// `gold`, and all texts that have this value.
fn count_right<C>(
    gold: &str,
    candidates: impl Fn(&Printed) -> Vec<C>,
    probability: impl Fn(&C) -> f64,
    is_value: impl Fn(&C, &Value) -> bool,
) -> Result<(usize, usize)> {
    let texts = read_texts()?;
    let with_value = texts.iter().filter(|(_, truth)| !truth[gold].is_null() && truth[gold] != 0);
    let found = with_value.clone().filter(|(printed, truth)| {
        let all = candidates(printed);
        let best = all.iter().max_by(|a, b| probability(a).total_cmp(&probability(b)));
        best.is_some_and(|best| is_value(best, &truth[gold]))
    });
    Ok((found.count(), with_value.count()))
}

#[test]
fn the_most_likely_date_is_usually_the_closing_day() -> Result<()> {
    let classifier = Classifier::built_in();
    let is_value = |candidate: &DateCandidate, closing: &Value| {
        closing.as_str().and_then(|closing| closing[..10].parse::<Day>().ok()) == Some(candidate.day)
    };
    let (found, with_value) = count_right(
        "closing",
        |printed| date_candidates(printed, None),
        |candidate| classifier.closing_probability(&candidate.features),
        is_value,
    )?;
    assert!(found * 10 >= with_value * 9, "{found} of {with_value}");
    Ok(())
}

#[test]
fn the_most_likely_amounts_are_usually_the_security_and_the_fee() -> Result<()> {
    let classifier = Classifier::built_in();
    let is_value = |sum: &AmountCandidate, amount: &Value| amount.as_f64() == Some(sum.amount.number());
    let (found, with_value) = count_right(
        "bidSecurity",
        amount_candidates,
        |sum| classifier.security_and_fee(&sum.features).0,
        is_value,
    )?;
    assert!(found * 10 >= with_value * 9, "securities: {found} of {with_value}");
    let (found, with_value) = count_right(
        "docFee",
        amount_candidates,
        |sum| classifier.security_and_fee(&sum.features).1,
        is_value,
    )?;
    assert!(found * 10 >= with_value * 9, "fees: {found} of {with_value}");
    Ok(())
}

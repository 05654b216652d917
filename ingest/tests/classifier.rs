//! Tests the classifier alone on texts that did not train it.

use anyhow::Result;
use index::vocabulary::Day;
use ingest::extract::{
    Printed,
    classifier::{AmountCandidate, Classifier, DateCandidate, amount_candidates, date_candidates},
};
use serde_json::Value;
use std::{fs, path::Path};

/// The texts of `fixtures/notice-texts` with their gold.
fn texts() -> Result<Vec<(Printed, Value)>> {
    let mut texts = Vec::new();
    for name in ["tuned", "unseen", "fresh"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/notice-texts").join(name);
        let gold: Vec<Value> = serde_json::from_str(&fs::read_to_string(folder.join("gold.json"))?)?;
        for shape in gold {
            let text = fs::read_to_string(folder.join(shape["file"].as_str().unwrap_or_default()))?;
            // The first lines name the source.
            let text = text.split_once("\n\n").map_or(text.as_str(), |(_, text)| text);
            texts.push((Printed::plain(text), shape["gold"].clone()));
        }
    }
    Ok(texts)
}

/// Of the texts with a value, how many have it as the most likely candidate.
fn right<C>(
    gold: &str,
    candidates: impl Fn(&Printed) -> Vec<C>,
    sureness: impl Fn(&C) -> f64,
    is: impl Fn(&C, &Value) -> bool,
) -> Result<(usize, usize)> {
    let texts = texts()?;
    let told = texts.iter().filter(|(_, truth)| !truth[gold].is_null() && truth[gold] != 0);
    let found = told.clone().filter(|(printed, truth)| {
        let all = candidates(printed);
        let best = all.iter().max_by(|a, b| sureness(a).total_cmp(&sureness(b)));
        best.is_some_and(|best| is(best, &truth[gold]))
    });
    Ok((found.count(), told.count()))
}

#[test]
fn the_closing_is_the_most_likely_date() -> Result<()> {
    let classifier = Classifier::built_in();
    let is = |candidate: &DateCandidate, closing: &Value| {
        closing.as_str().and_then(|closing| closing[..10].parse::<Day>().ok()) == Some(candidate.day)
    };
    let (found, told) = right(
        "closing",
        |printed| date_candidates(printed, None),
        |candidate| classifier.closing(&candidate.features),
        is,
    )?;
    assert!(found * 10 >= told * 9, "{found} of {told}");
    Ok(())
}

#[test]
fn security_and_fee_are_the_most_likely_amounts() -> Result<()> {
    let classifier = Classifier::built_in();
    let is = |sum: &AmountCandidate, amount: &Value| amount.as_f64() == Some(sum.amount.number());
    let (found, told) =
        right("bidSecurity", amount_candidates, |sum| classifier.security_and_fee(&sum.features).0, is)?;
    assert!(found * 10 >= told * 9, "securities: {found} of {told}");
    let (found, told) =
        right("docFee", amount_candidates, |sum| classifier.security_and_fee(&sum.features).1, is)?;
    assert!(found * 10 >= told * 9, "fees: {found} of {told}");
    Ok(())
}

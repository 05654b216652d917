//! Scores extraction against ground truth: `cargo run -p ingest --example fields -- [--errors]
//! [--weights WEIGHTS.tsv] TRUTH.gt.json… DIR/gold.json… TEXTS.txt… TEXTS.jsonl…`. The texts are
//! exact, so OCR errors have no effect.
//!
//! Prints precision, recall and F1 of each field, the share of right values that are certain, and
//! the number of certain values that are wrong. It also prints how many values of each confidence
//! are wrong, how many notices are published with the right closing day, and how many published
//! texts are not notices. `--errors` must come before the files. It lists wrong and doubtful
//! fields, and texts that are wrongly accepted, rejected or published.
//!
//! Each line of a `.jsonl` file is a text that is not a notice. The text files of data sources
//! (`*.txt`) contain notices and other texts.

#[path = "data_sources/mod.rs"]
mod data_sources;

use anyhow::{Context, Result};
use data_sources::Block;
use ingest::{
    extract::{
        CONFIDENCE_THRESHOLD, Extracted, Gazetteer, Printed, classifier::Classifier, extract_with_classifier,
        has_title, is_doubted_as_notice,
    },
    ocr::script_language,
};
use serde_json::Value;
use std::{collections::BTreeMap, fs, path::Path};
use tender_model::tender::Tender;

/// The counts of a field. If the notice has a true value, a wrong value counts as wrong and as
/// missed.
#[derive(Default)]
struct Score {
    right: u32,
    wrong: u32,
    missed: u32,
    /// The number of values that reach the confidence threshold.
    certain: u32,
    certain_and_wrong: u32,
}

impl Score {
    fn add(&mut self, other: &Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missed += other.missed;
        self.certain += other.certain;
        self.certain_and_wrong += other.certain_and_wrong;
    }
}

/// The counts of notices in one language.
#[derive(Default, Clone, Copy)]
struct PublishedCounts {
    notices: u32,
    published: u32,
    /// The number of notices whose ground truth has a closing.
    with_closing: u32,
    /// The number of notices that are published with the right closing day.
    right_day: u32,
}

/// The key fields, by their names in the output.
const KEY_FIELDS: [&str; 4] = ["title", "organization", "reference", "closing"];

#[derive(Default)]
struct Scores {
    fields: BTreeMap<&'static str, Score>,
    /// The numbers of all values and of wrong values, by confidence in twentieths.
    confidences: BTreeMap<u32, (u32, u32)>,
    /// The counts of notices, by language.
    published: BTreeMap<&'static str, PublishedCounts>,
    /// The number of other texts that would be published.
    published_wrongly: u32,
    /// Whether errors are listed.
    lists_errors: bool,
    /// The classifier; `None` for the built-in one.
    classifier: Option<Classifier>,
}

impl Scores {
    fn extract(&self, text: &str) -> Extracted {
        let classifier = self.classifier.as_ref().unwrap_or(Classifier::built_in());
        extract_with_classifier(Some(classifier), Gazetteer::built_in(), &Printed::plain(text), None, 1.0)
    }

    /// Counts the value of a field in a notice.
    fn add_value(
        &mut self,
        file: &str,
        field: &'static str,
        truth: Option<String>,
        read: Option<String>,
        confidence: f64,
    ) {
        let score = self.fields.entry(field).or_default();
        let same = if field == "organization" {
            is_same_organization
        } else {
            |a: &str, b: &str| normalise(a) == normalise(b)
        };
        let right = matches!((&truth, &read), (Some(truth), Some(read)) if same(truth, read));
        if read.is_some() && confidence > 0.0 {
            let bin = self.confidences.entry((confidence * 20.0 + 1e-9).floor() as u32).or_default();
            bin.0 += 1;
            bin.1 += u32::from(!right);
        }
        let certain = read.is_some() && confidence >= CONFIDENCE_THRESHOLD;
        score.certain += u32::from(certain);
        if right {
            score.right += 1;
        } else if truth.is_some() || read.is_some() {
            score.missed += u32::from(truth.is_some());
            score.wrong += u32::from(read.is_some());
            score.certain_and_wrong += u32::from(certain);
        }
        if self.lists_errors && (!right && (truth.is_some() || read.is_some()) || right && !certain) {
            let what = if right { "right but doubtful" } else { "wrong" };
            println!("{file} {field} {what}: truth {truth:?}, read {read:?} ({confidence})");
        }
    }

    /// Counts a notice, and whether it is published and has the right closing day.
    fn count_published(&mut self, file: &str, text: &str, tender: Option<&Tender>, closing: Option<&str>) {
        let language = script_language(text).as_str();
        let is_published = tender.is_some_and(|tender| !is_doubted_as_notice(tender, CONFIDENCE_THRESHOLD));
        let day = tender.and_then(|tender| Some(tender.dates.closing?.day().to_string()));
        let is_right = closing.is_some() && closing.and_then(|closing| closing.get(..10)) == day.as_deref();
        let score = self.published.entry(language).or_default();
        score.notices += 1;
        score.published += u32::from(is_published);
        score.with_closing += u32::from(closing.is_some());
        score.right_day += u32::from(is_published && is_right);
        if self.lists_errors && !is_published {
            let why = if tender.is_some() { "waits for review" } else { "is rejected" };
            println!("{file} {why}");
        }
    }

    /// Counts a text that is not a notice if it would be published.
    fn count_other_text(&mut self, file: &str, read: &Extracted) {
        if let Extracted::Notice(tender) = read
            && !is_doubted_as_notice(tender, CONFIDENCE_THRESHOLD)
        {
            self.published_wrongly += 1;
            if self.lists_errors {
                println!("{file} is not a notice, but is published: {}", tender.title);
            }
        }
    }

    fn print(&self) {
        println!(
            "{:<14} {:>9} {:>9} {:>9} {:>23} {:>20}",
            "field", "precision", "recall", "F1", "right shown as certain", "certain and wrong"
        );
        let (mut all, mut key) = (Score::default(), Score::default());
        for (field, score) in &self.fields {
            print_row(field, score);
            all.add(score);
            if KEY_FIELDS.contains(field) {
                key.add(score);
            }
        }
        print_row("key fields", &key);
        print_row("all", &all);
        println!("{:<14} {:>9} {:>9}", "confidence", "read", "wrong");
        for (bin, (read, wrong)) in self.confidences.iter().rev() {
            println!("from {:<9.2} {read:>9} {wrong:>9}", f64::from(*bin) / 20.0);
        }
        let mut published = self.published_wrongly;
        for (language, score) in &self.published {
            let PublishedCounts { notices, published: published_notices, with_closing, right_day } = score;
            println!(
                "{language}: published {published_notices} of {notices}, with the right closing day {right_day} of {with_closing}"
            );
            published += published_notices;
        }
        println!("published texts that are not notices: {} of {published}", self.published_wrongly);
    }
}

/// The words of a value in lower case, without commas, hyphens and dashes.
fn normalise(text: &str) -> String {
    let letters = text.chars().map(|c| if matches!(c, ',' | '-' | '–') { ' ' } else { c });
    letters.collect::<String>().to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether two names belong to the same organisation. They may differ in optional words, or one
/// name may be the acronym in parentheses at the end of the other name.
fn is_same_organization(a: &str, b: &str) -> bool {
    let bare = |name: &str| {
        let name = name.split_once(" (").map_or(name, |(name, _)| name);
        let words = normalise(name).replace("of sri lanka", "");
        let left =
            words.split(' ').filter(|word| !matches!(*word, "the" | "district" | "limited" | "ltd" | ""));
        left.collect::<Vec<_>>().join(" ")
    };
    let acronym = |name: &str, of: &str| of.ends_with(&format!(" ({name})"));
    normalise(a) == normalise(b) || bare(a) == bare(b) || acronym(a, b) || acronym(b, a)
}

fn print_row(name: &str, score: &Score) {
    let of = |part: u32, whole: u32| if whole == 0 { 1.0 } else { f64::from(part) / f64::from(whole) };
    let (precision, recall) =
        (of(score.right, score.right + score.wrong), of(score.right, score.right + score.missed));
    let f1 = if precision + recall > 0.0 { 2.0 * precision * recall / (precision + recall) } else { 0.0 };
    let certain = format!("{:.3}", of(score.certain - score.certain_and_wrong, score.right));
    let wrong = format!("{} of {}", score.certain_and_wrong, score.certain);
    println!("{name:<14} {precision:>9.3} {recall:>9.3} {f1:>9.3} {certain:>23} {wrong:>20}");
}

fn main() -> Result<()> {
    let mut scores = Scores::default();
    let (mut blocks, mut correct_blocks) = (0, 0);
    let mut arguments = std::env::args().skip(1);
    while let Some(path) = arguments.next() {
        if path == "--errors" {
            scores.lists_errors = true;
            continue;
        }
        if path == "--weights" {
            let weights = fs::read_to_string(arguments.next().context("--weights: give a file")?)?;
            scores.classifier = Some(Classifier::parse(&weights)?);
            continue;
        }
        if path.ends_with(".txt") {
            score_text_file(Path::new(&path), &mut scores, &mut blocks, &mut correct_blocks)?;
            continue;
        }
        let text = fs::read_to_string(&path).with_context(|| path.clone())?;
        if path.ends_with(".jsonl") {
            score_other_texts(&text, &mut scores, &mut blocks, &mut correct_blocks)?;
            continue;
        }
        let json: Value = serde_json::from_str(&text)?;
        match json.as_array() {
            Some(gold) => score_gold_file(&path, gold, &mut scores)?,
            None => score_page(&path, &json, &mut scores, &mut blocks, &mut correct_blocks),
        }
    }
    scores.print();
    println!("blocks correctly accepted or rejected: {correct_blocks} of {blocks}");
    Ok(())
}

/// Scores texts that are not notices.
fn score_other_texts(
    lines: &str,
    scores: &mut Scores,
    blocks: &mut u32,
    correct_blocks: &mut u32,
) -> Result<()> {
    for line in lines.lines() {
        let text: Value = serde_json::from_str(line)?;
        let part = |name: &str| text[name].as_str().unwrap_or_default();
        let text = format!("{}\n\n{}", part("title"), part("text"));
        *blocks += 1;
        let read = scores.extract(&text);
        scores.count_other_text(part("title"), &read);
        match read {
            Extracted::Rejected(_) => *correct_blocks += 1,
            Extracted::Notice(tender) if scores.lists_errors => {
                println!("wrongly accepted ({}): {text:?}", tender.kind.as_str());
            }
            Extracted::Notice(_) => {}
        }
    }
    Ok(())
}

/// Scores a page with ground truth.
fn score_page(path: &str, json: &Value, scores: &mut Scores, blocks: &mut u32, correct_blocks: &mut u32) {
    for block in json["notices"].as_array().into_iter().flatten() {
        let text = block["text"].as_str().unwrap_or_default();
        let read = scores.extract(text);
        if block["type"] != "tender" {
            scores.count_other_text(&format!("{path} {}", block["id"]), &read);
        }
        let read = match read {
            Extracted::Notice(tender) => Some(tender),
            Extracted::Rejected(_) => None,
        };
        *blocks += 1;
        let is_correct = read.is_some() == (block["type"] == "tender");
        *correct_blocks += u32::from(is_correct);
        if scores.lists_errors && !is_correct {
            println!(
                "{path} {} is wrongly {}",
                block["id"],
                if read.is_some() { "accepted" } else { "rejected" }
            );
        }
        if block["type"] != "tender" {
            continue;
        }
        let truth = &block["fields"];
        let file = format!("{path} {}", block["id"]);
        scores.count_published(&file, text, read.as_deref(), truth["closing_date"].as_str());
        let tender = *read.unwrap_or_default();
        let closing = truth["closing_date"].as_str().map(|day| {
            format!(
                "{day}T{}+05:30",
                truth["closing_time"].as_str().map_or("23:59:59".to_owned(), |hour| format!("{hour}:00"))
            )
        });
        let text = |field: &str| truth[field].as_str().map(str::to_owned);
        let district = text("district").map(|name| name.replace("Monaragala", "Moneragala"));
        scores.add_value(
            &file,
            "reference",
            text("reference_no"),
            tender.reference_no.clone(),
            confidence_of(&tender, "referenceNo"),
        );
        score_common_fields(&file, scores, &tender, text("organisation"), closing, district);
        scores.add_value(&file, "title", text("title"), read_title(&tender), confidence_of(&tender, "title"));
        let number = |field: &str| truth[field].as_f64().map(|number| number.to_string());
        score_amounts(&file, scores, &tender, number("bid_security_amount"), number("document_fee"));
        let percentage = tender.financials.bid_bond.percentage.map(|number| number.to_string());
        scores.add_value(&file, "bond percent", number("bid_security_pct"), percentage, 0.0);
        let grade = tender.cida.first().map(|cida| cida.grade.clone());
        scores.add_value(&file, "cida", text("cida"), grade, confidence_of(&tender, "cida"));
    }
}

/// Scores a text file with notices and other texts.
fn score_text_file(
    file: &Path,
    scores: &mut Scores,
    blocks: &mut u32,
    correct_blocks: &mut u32,
) -> Result<()> {
    for Block { name, truth, text } in data_sources::read_blocks(file)? {
        let read = scores.extract(&text);
        let is_correct = matches!(read, Extracted::Notice(_)) != truth.is_empty();
        *blocks += 1;
        *correct_blocks += u32::from(is_correct);
        if scores.lists_errors && !is_correct {
            match &read {
                Extracted::Notice(_) => println!("{name} is wrongly accepted"),
                Extracted::Rejected(reason) => println!("{name} is wrongly rejected: {}", reason.label()),
            }
        }
        if truth.is_empty() {
            scores.count_other_text(&name, &read);
            continue;
        }
        let read = match read {
            Extracted::Notice(tender) => Some(tender),
            Extracted::Rejected(_) => None,
        };
        scores.count_published(&name, &text, read.as_deref(), truth.get("closing").map(String::as_str));
        let tender = *read.unwrap_or_default();
        let true_value = |field: &str| truth.get(field).cloned();
        let closing = true_value("closing").map(|closing| {
            if closing.len() == 10 {
                format!("{closing}T23:59:59+05:30")
            } else {
                format!("{closing}:00+05:30")
            }
        });
        let reference = tender.reference_no.clone();
        scores.add_value(
            &name,
            "reference",
            true_value("reference"),
            reference,
            confidence_of(&tender, "referenceNo"),
        );
        score_common_fields(
            &name,
            scores,
            &tender,
            true_value("organization"),
            closing,
            true_value("district"),
        );
        scores.add_value(
            &name,
            "title",
            true_value("title"),
            read_title(&tender),
            confidence_of(&tender, "title"),
        );
        score_amounts(&name, scores, &tender, true_value("bidSecurity"), true_value("docFee"));
        let kind = Some(tender.kind.as_str().to_owned());
        scores.add_value(&name, "kind", true_value("kind"), kind, confidence_of(&tender, "kind"));
    }
    Ok(())
}

/// Scores the notices of a `gold.json`.
fn score_gold_file(path: &str, gold: &[Value], scores: &mut Scores) -> Result<()> {
    let folder = Path::new(path).parent().unwrap_or(Path::new("."));
    for entry in gold {
        let file = entry["file"].as_str().unwrap_or_default();
        let text = fs::read_to_string(folder.join(file)).with_context(|| file.to_owned())?;
        // The lines before the first empty line name the source.
        let text = text.split_once("\n\n").map_or(text.as_str(), |(_, text)| text);
        let truth = &entry["gold"];
        let read = match scores.extract(text) {
            Extracted::Notice(tender) => Some(tender),
            Extracted::Rejected(reason) => {
                println!("{file}: rejected, {}", reason.label());
                None
            }
        };
        scores.count_published(file, text, read.as_deref(), truth["closing"].as_str());
        let tender = *read.unwrap_or_default();
        let text = |field: &str| truth[field].as_str().map(str::to_owned);
        let closing = text("closing").map(|c| if c.len() == 10 { format!("{c}T23:59:59+05:30") } else { c });
        scores.add_value(
            file,
            "reference",
            text("referenceNo"),
            tender.reference_no.clone(),
            confidence_of(&tender, "referenceNo"),
        );
        score_common_fields(file, scores, &tender, text("organization"), closing, text("district"));
        let number = |field: &str| truth[field].as_f64().map(|number| number.to_string());
        score_amounts(file, scores, &tender, number("bidSecurity"), number("docFee"));
        score_optional_fields(file, scores, &tender, truth);
        let category = tender.category.map(|category| category.to_string());
        // If the gold entry has no category, or `registration`, the true category is unknown.
        if text("category").is_some_and(|category| category != "registration") {
            scores.add_value(
                file,
                "category",
                text("category"),
                category,
                confidence_of(&tender, "category"),
            );
        }
    }
    Ok(())
}

/// Scores fields that are compared only if the truth has them.
fn score_optional_fields(file: &str, scores: &mut Scores, tender: &Tender, truth: &Value) {
    let fee = tender.document_fee.clone().unwrap_or_default();
    let grades: Vec<_> = tender.cida.iter().map(|cida| cida.grade.clone()).collect();
    let day = |day: Option<tender_model::vocabulary::Day>| day.map(|day| day.to_string());
    let pre_bid = tender.pre_bid.as_ref().and_then(|meeting| meeting.at);
    let lots = tender.lots.len();
    let read: [(&'static str, &str, &str, Option<String>); 9] = [
        ("title", "title", "title", read_title(tender)),
        ("kind", "kind", "kind", Some(tender.kind.as_str().to_owned())),
        ("sale from", "docsFrom", "documentFee.saleFrom", day(fee.sale_from)),
        ("sale until", "docsUntil", "documentFee.saleUntil", day(fee.sale_until)),
        ("pre-bid", "preBid", "preBid.at", pre_bid.map(|at| at.to_string())),
        ("cida", "cida", "cida", Some(grades.join(" ")).filter(|grades| !grades.is_empty())),
        ("method", "method", "method", tender.method.clone()),
        (
            "bond percent",
            "bidSecurityPercent",
            "financials.bidBond.percentage",
            tender.financials.bid_bond.percentage.map(|percentage| percentage.to_string()),
        ),
        ("lots", "lots", "lots", (lots > 0).then(|| lots.to_string())),
    ];
    for (name, key, path, read) in read {
        let value = match &truth[key] {
            Value::String(text)
                if key == "kind" && text.parse::<tender_model::vocabulary::Kind>().is_err() =>
            {
                continue;
            }
            Value::String(text) if key == "preBid" && text.len() == 10 => continue,
            Value::String(text) => text.clone(),
            Value::Number(number) => number.to_string(),
            Value::Array(items) if key == "cida" => {
                items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" ")
            }
            Value::Array(items) => items.len().to_string(),
            _ => continue,
        };
        scores.add_value(file, name, Some(value), read, confidence_of(tender, path));
    }
}

/// Scores the organisation, the closing and the district.
fn score_common_fields(
    file: &str,
    scores: &mut Scores,
    tender: &Tender,
    organization: Option<String>,
    closing: Option<String>,
    district: Option<String>,
) {
    let read = non_empty(&tender.organization.name);
    scores.add_value(file, "organization", organization, read, confidence_of(tender, "organization.name"));
    let read = tender.dates.closing.map(|closing| closing.to_string());
    scores.add_value(file, "closing", closing, read, confidence_of(tender, "dates.closing"));
    // On pages, the ground truth of Sinhala and Tamil notices has no district.
    if district.is_some() {
        let read = tender.location.district.map(|district| district.to_string());
        scores.add_value(file, "district", district, read, confidence_of(tender, "location.district"));
    }
}

/// Scores the bid security and the document fee.
fn score_amounts(
    file: &str,
    scores: &mut Scores,
    tender: &Tender,
    bond: Option<String>,
    fee: Option<String>,
) {
    let read = tender.financials.bid_bond.amount.map(|amount| amount.number().to_string());
    scores.add_value(file, "bond", bond, read, confidence_of(tender, "financials.bidBond.amount"));
    let read =
        tender.document_fee.as_ref().and_then(|fee| fee.amount).map(|amount| amount.number().to_string());
    scores.add_value(file, "fee", fee, read, confidence_of(tender, "documentFee.amount"));
}

/// The title, if one was read.
fn read_title(tender: &Tender) -> Option<String> {
    has_title(tender).then(|| tender.title.clone())
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

/// The confidence of a field; 0 if the field was not read.
fn confidence_of(tender: &Tender, path: &str) -> f64 {
    tender.confidence.get(path).copied().unwrap_or_default()
}

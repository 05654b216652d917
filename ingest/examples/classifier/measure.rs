//! Measures extraction with the rules alone and with the classifier.

use crate::notices::{DataSource, Notice};
use ingest::extract::{
    CONFIDENCE_THRESHOLD, Extracted, Gazetteer, Printed,
    classifier::{Classifier, has_same_words},
    doubts, extract_with_classifier,
};
use std::fmt::{Display, Formatter};
use tender_model::{tender::Tender, vocabulary::Moment};

const FIELDS: [&str; 5] = ["closing", "bid security", "document fee", "title", "organization"];

/// The numbers of right, wrong and missed values of a field. If the notice has a true value, a
/// wrong value counts as wrong and as missed.
#[derive(Default, Clone, Copy)]
struct Score {
    right: f64,
    wrong: f64,
    missed: f64,
}

impl Score {
    fn add<T: PartialEq>(&mut self, truth: Option<T>, read: Option<T>) {
        if truth.is_some() && truth == read {
            self.right += 1.0;
        } else {
            self.wrong += f64::from(u8::from(read.is_some()));
            self.missed += f64::from(u8::from(truth.is_some()));
        }
    }

    fn f1(self) -> f64 {
        let all = 2.0 * self.right + self.wrong + self.missed;
        if all > 0.0 { 2.0 * self.right / all } else { 1.0 }
    }

    fn precision(self) -> f64 {
        let read = self.right + self.wrong;
        if read > 0.0 { self.right / read } else { 1.0 }
    }
}

/// A printed table with a row for each data source. It keeps the F1 of each field for the mean.
#[derive(Default)]
pub(crate) struct Table {
    /// The F1 of each field in each row, first with the rules alone and then with the classifier.
    rows: Vec<[(f64, f64); FIELDS.len()]>,
}

impl Table {
    /// Measures a data source and prints its row.
    pub(crate) fn measure(&mut self, name: &str, source: &DataSource, classifier: &Classifier) {
        let rules = score_notices(&source.notices, None);
        let combined = score_notices(&source.notices, Some(classifier));
        print!("{name:<40}");
        for (nth, field) in FIELDS.iter().enumerate() {
            let (rules, combined) = (rules.fields[nth], combined.fields[nth]);
            print!(
                " {field} {:.3} -> {:.3} (precision {:.3} -> {:.3})",
                rules.f1(),
                combined.f1(),
                rules.precision(),
                combined.precision()
            );
        }
        println!(
            "; {rules}; with the classifier {combined}; {} other texts accepted",
            count_accepted(&source.others, classifier)
        );
        self.rows.push(std::array::from_fn(|nth| (rules.fields[nth].f1(), combined.fields[nth].f1())));
    }

    /// Prints the mean F1 of each field over all data sources.
    pub(crate) fn print_mean(&self) {
        print!("{:<40}", "mean");
        for (nth, field) in FIELDS.iter().enumerate() {
            let mean = |of: fn(&(f64, f64)) -> f64| {
                self.rows.iter().map(|row| of(&row[nth])).sum::<f64>() / self.rows.len() as f64
            };
            print!(" {field} {:.3} -> {:.3}", mean(|row| row.0), mean(|row| row.1));
        }
        println!();
    }
}

/// The scores of the notices of a data source.
#[derive(Default)]
struct Scores {
    fields: [Score; FIELDS.len()],
    /// The number of titles, organisations and closings that reach the confidence threshold, and
    /// how many of these are wrong.
    certain: [usize; 2],
    /// The number of notices without a doubtful or missing key field, and how many of these have a
    /// wrong title, organisation or closing.
    published: [usize; 2],
    /// The number of notices that were wrongly rejected.
    missed: usize,
}

impl Display for Scores {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let ([certain, certain_wrong], [published, published_wrong]) = (self.certain, self.published);
        write!(
            out,
            "certain {certain}, {certain_wrong} wrong; published {published}, {published_wrong} wrong; missed {}",
            self.missed
        )
    }
}

/// Scores the notices with the rules and, if given, a classifier.
fn score_notices(notices: &[Notice], classifier: Option<&Classifier>) -> Scores {
    let mut scores = Scores::default();
    for notice in notices {
        let read =
            match extract_with_classifier(classifier, Gazetteer::built_in(), &notice.printed, None, 1.0) {
                Extracted::Notice(tender) => *tender,
                Extracted::Rejected(_) => {
                    scores.missed += 1;
                    Tender::default()
                }
            };
        let closing = notice.closing.and_then(|(day, time)| match time {
            Some(time) => Moment::in_colombo(day.to_datetime(time)),
            None => Moment::end_of(day),
        });
        let number = tender_model::vocabulary::Amount::number;
        let fee = read.document_fee.as_ref().and_then(|fee| fee.amount);
        scores.fields[0].add(closing, read.dates.closing);
        scores.fields[1].add(notice.bid_security, read.financials.bid_bond.amount.map(number));
        scores.fields[2].add(notice.fee, fee.map(number));
        let (title, organization) =
            (ComparedText::of(&read.title), ComparedText::of(&read.organization.name));
        let (truth, name) = (
            notice.title.as_deref().and_then(ComparedText::of),
            notice.organization.as_deref().and_then(ComparedText::of),
        );
        let key = [
            ("dates.closing", closing == read.dates.closing),
            ("title", title == truth),
            ("organization.name", organization == name),
        ];
        scores.fields[3].add(truth, title);
        scores.fields[4].add(name, organization);
        let is_certain = |field: &str| {
            read.confidence.get(field).is_some_and(|confidence| *confidence >= CONFIDENCE_THRESHOLD)
        };
        for (_, right) in key.iter().filter(|(field, _)| is_certain(field)) {
            scores.certain[0] += 1;
            scores.certain[1] += usize::from(!right);
        }
        if doubts(&read, CONFIDENCE_THRESHOLD).is_empty() {
            scores.published[0] += 1;
            scores.published[1] += usize::from(key.iter().any(|(_, right)| !right));
        }
    }
    scores
}

/// A text that is compared by its words, ignoring case and punctuation.
struct ComparedText<'t>(&'t str);

impl<'t> ComparedText<'t> {
    fn of(text: &'t str) -> Option<Self> {
        (!text.is_empty()).then_some(Self(text))
    }
}

impl PartialEq for ComparedText<'_> {
    fn eq(&self, other: &Self) -> bool {
        has_same_words(self.0, other.0)
    }
}

/// Counts the texts that are wrongly accepted as notices.
fn count_accepted(others: &[Printed], classifier: &Classifier) -> usize {
    let read = others
        .iter()
        .map(|printed| extract_with_classifier(Some(classifier), Gazetteer::built_in(), printed, None, 1.0));
    read.filter(|read| matches!(read, Extracted::Notice(_))).count()
}

//! Measures extraction with the rules alone and with the classifier.

use crate::notices::{DataSource, Notice};
use index::{tender::Tender, vocabulary::Moment};
use ingest::extract::{
    CONFIDENCE_LINE, Extracted, Gazetteer, Printed,
    classifier::{Classifier, has_same_words},
    doubts, extract_by,
};
use std::fmt::{Display, Formatter};

const FIELDS: [&str; 5] = ["closing", "bid security", "document fee", "title", "body"];

/// Values that are right, wrong and missed.
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

/// A line per data source: for each field F1 with the rules, F1 with the classifier, and precision.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<[(f64, f64); FIELDS.len()]>,
}

impl Table {
    /// Measures a data source and prints its line.
    pub(crate) fn row(&mut self, name: &str, source: &DataSource, classifier: &Classifier) {
        let rules = scores(&source.notices, None);
        let tagged = scores(&source.notices, Some(classifier));
        print!("{name:<40}");
        for (nth, field) in FIELDS.iter().enumerate() {
            let (rules, tagged) = (rules.fields[nth], tagged.fields[nth]);
            print!(
                " {field} {:.3} -> {:.3} ({:.3} -> {:.3} right)",
                rules.f1(),
                tagged.f1(),
                rules.precision(),
                tagged.precision()
            );
        }
        println!(
            "; {rules}; with the classifier {tagged}; {} other texts accepted",
            taken(&source.others, classifier)
        );
        self.rows.push(std::array::from_fn(|nth| (rules.fields[nth].f1(), tagged.fields[nth].f1())));
    }

    /// Prints the mean of all lines.
    pub(crate) fn mean(&self) {
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
    /// Certain key fields, and those that are wrong.
    sure: [usize; 2],
    /// Notices published without review, and those with a wrong key field.
    passed: [usize; 2],
    missed: usize,
}

impl Display for Scores {
    fn fmt(&self, out: &mut Formatter<'_>) -> std::fmt::Result {
        let ([sure, sure_wrong], [passed, passed_wrong]) = (self.sure, self.passed);
        write!(
            out,
            "sure {sure}, {sure_wrong} wrong; passed {passed}, {passed_wrong} wrong; missed {}",
            self.missed
        )
    }
}

fn scores(notices: &[Notice], classifier: Option<&Classifier>) -> Scores {
    let mut scores = Scores::default();
    for notice in notices {
        let read = match extract_by(classifier, Gazetteer::built_in(), &notice.printed, None, 1.0) {
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
        let number = index::vocabulary::Amount::number;
        let fee = read.document_fee.as_ref().and_then(|fee| fee.amount);
        scores.fields[0].add(closing, read.dates.closing);
        scores.fields[1].add(notice.security, read.financials.bid_bond.amount.map(number));
        scores.fields[2].add(notice.fee, fee.map(number));
        let (title, body) = (Words::of(&read.title), Words::of(&read.organization.name));
        let (truth, name) =
            (notice.title.as_deref().and_then(Words::of), notice.body.as_deref().and_then(Words::of));
        let key = [
            ("dates.closing", closing == read.dates.closing),
            ("title", title == truth),
            ("organization.name", body == name),
        ];
        scores.fields[3].add(truth, title);
        scores.fields[4].add(name, body);
        let is_sure = |field: &str| read.confidence.get(field).is_some_and(|sure| *sure >= CONFIDENCE_LINE);
        for (_, right) in key.iter().filter(|(field, _)| is_sure(field)) {
            scores.sure[0] += 1;
            scores.sure[1] += usize::from(!right);
        }
        if doubts(&read, CONFIDENCE_LINE).is_empty() {
            scores.passed[0] += 1;
            scores.passed[1] += usize::from(key.iter().any(|(_, right)| !right));
        }
    }
    scores
}

/// Words compared without case and punctuation.
struct Words<'t>(&'t str);

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Option<Self> {
        (!text.is_empty()).then_some(Self(text))
    }
}

impl PartialEq for Words<'_> {
    fn eq(&self, other: &Self) -> bool {
        has_same_words(self.0, other.0)
    }
}

/// The number of other texts that are accepted as notices.
fn taken(others: &[Printed], classifier: &Classifier) -> usize {
    let read =
        others.iter().map(|printed| extract_by(Some(classifier), Gazetteer::built_in(), printed, None, 1.0));
    read.filter(|read| matches!(read, Extracted::Notice(_))).count()
}

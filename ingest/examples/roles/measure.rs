//! What is read of notices by the rules alone and with the tagger.

use crate::notices::Notice;
use index::{tender::Tender, vocabulary::Moment};
use ingest::extract::{CONFIDENCE_LINE, Extracted, Gazetteer, doubts, extract_by, roles::Tagger};

const FIELDS: [&str; 3] = ["closing", "bid security", "document fee"];

/// Values right, wrong and missed.
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

/// A line for each hand: of each field F1 by the rules, with the tagger, and how much of what was read was right.
#[derive(Default)]
pub(crate) struct Table {
    rows: Vec<[(f64, f64); 3]>,
}

impl Table {
    /// Measures the notices of a hand and prints its line.
    pub(crate) fn row(&mut self, name: &str, notices: &[Notice], tagger: &Tagger) {
        let (rules, _) = scores(notices, None);
        let (tagged, unseen) = scores(notices, Some(tagger));
        print!("{name:<40}");
        for (nth, field) in FIELDS.iter().enumerate() {
            let (rules, tagged) = (rules[nth], tagged[nth]);
            print!(
                " {field} {:.3} -> {:.3} ({:.3} -> {:.3} right)",
                rules.f1(),
                tagged.f1(),
                rules.precision(),
                tagged.precision()
            );
        }
        println!("; sure closings wrong: {unseen}");
        self.rows.push(std::array::from_fn(|nth| (rules[nth].f1(), tagged[nth].f1())));
    }

    /// Prints the mean of the lines so far.
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

/// The scores of the fields, and how many notices pass unseen with a wrong closing.
fn scores(notices: &[Notice], tagger: Option<&Tagger>) -> ([Score; 3], usize) {
    let mut scores = [Score::default(); 3];
    let mut unseen = 0;
    for notice in notices {
        let read = match extract_by(tagger, Gazetteer::built_in(), &notice.printed, None, 1.0) {
            Extracted::Notice(tender) => *tender,
            Extracted::Rejected(_) => Tender::default(),
        };
        let closing = notice.closing.and_then(|(day, time)| match time {
            Some(time) => Moment::in_colombo(day.to_datetime(time)),
            None => Moment::end_of(day),
        });
        let fee = read.document_fee.as_ref().and_then(|fee| fee.amount);
        scores[0].add(closing, read.dates.closing);
        scores[1]
            .add(notice.security, read.financials.bid_bond.amount.map(index::vocabulary::Amount::number));
        scores[2].add(notice.fee, fee.map(index::vocabulary::Amount::number));
        let passes = doubts(&read, CONFIDENCE_LINE).is_empty();
        unseen += usize::from(passes && closing.is_some() && read.dates.closing != closing);
    }
    (scores, unseen)
}

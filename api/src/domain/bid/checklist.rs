//! The checklist of a bid: the rows that follow from the tender, those that users added, and their ticks.

use super::Person;
use crate::domain::deadlines::DeadlineKind;
use jiff::Timestamp;
use std::collections::HashMap;
use tender_model::{
    checklist::{ChecklistRow, RowKind, checklist},
    tender::Tender,
};
use uuid::Uuid;

/// The maximum number of rows that users may add to a bid.
pub const MAX_OWN_ROWS: usize = 60;
/// The fingerprint of the added rows, whose text never changes.
pub const OWN_FINGERPRINT: &str = "0000000000000000";

/// The tick of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tick {
    /// The value of the row at that time, see [`ChecklistRow::fingerprint`].
    pub fingerprint: String,
    /// When it was ticked.
    pub at: Timestamp,
    /// Who ticked it. `None`: the account was deleted.
    pub actor: Option<Person>,
}

/// A row that a user added.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnRow {
    /// The id, a UUIDv7.
    pub id: Uuid,
    /// What is to be ready.
    pub title: String,
}

impl OwnRow {
    /// The key of the row in the table of ticks.
    #[must_use]
    pub fn key(&self) -> String {
        format!("own:{}", self.id)
    }
}

/// What stands in a row.
#[derive(Debug, Clone, PartialEq)]
pub enum RowContent {
    /// It follows from the tender.
    Derived(Box<ChecklistRow>),
    /// A user added it.
    Own(OwnRow),
}

/// A row with its tick.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedRow {
    /// What stands in it.
    pub content: RowContent,
    /// The value of the row.
    pub fingerprint: String,
    /// The tick, if the row still has the value that it had when it was ticked.
    pub tick: Option<Tick>,
    /// The tick of an earlier value. The row must be looked at again.
    pub outdated_tick: Option<Tick>,
}

impl CheckedRow {
    /// The key of the row.
    #[must_use]
    pub fn key(&self) -> String {
        match &self.content {
            RowContent::Derived(row) => row.key.clone(),
            RowContent::Own(row) => row.key(),
        }
    }

    /// The kind and the words of the row, for the history.
    #[must_use]
    pub fn event_texts(&self) -> (String, Option<String>) {
        let short = |text: &str| text.chars().take(200).collect::<String>();
        match &self.content {
            RowContent::Derived(row) => (row.kind.as_str().to_owned(), row.text.as_deref().map(short)),
            RowContent::Own(row) => ("own".to_owned(), Some(short(&row.title))),
        }
    }
}

/// Puts rows and ticks together.
#[must_use]
pub fn checked_rows(
    derived: Vec<ChecklistRow>,
    own: Vec<OwnRow>,
    mut ticks: HashMap<String, Tick>,
) -> Vec<CheckedRow> {
    let derived = derived.into_iter().map(|row| {
        let fingerprint = row.fingerprint();
        (RowContent::Derived(Box::new(row)), fingerprint)
    });
    let own = own.into_iter().map(|row| (RowContent::Own(row), OWN_FINGERPRINT.to_owned()));
    let rows = derived.chain(own).map(|(content, fingerprint)| {
        let mut row = CheckedRow { content, fingerprint, tick: None, outdated_tick: None };
        match ticks.remove(&row.key()) {
            Some(tick) if tick.fingerprint == row.fingerprint => row.tick = Some(tick),
            outdated => row.outdated_tick = outdated,
        }
        row
    });
    rows.collect()
}

/// The deadlines that need nobody any more, since their rows are ticked: the documents are bought, or the meeting
/// is attended. `ticks` are the fingerprints of the ticks by the keys of their rows.
#[must_use]
pub fn settled_deadlines(tender: &Tender, ticks: &HashMap<String, String>) -> Vec<DeadlineKind> {
    if ticks.is_empty() {
        return Vec::new();
    }
    let settles = |row: ChecklistRow| {
        let kind = match row.kind {
            RowKind::BuyDocuments => DeadlineKind::SaleEnds,
            RowKind::PreBid => DeadlineKind::PreBid,
            _ => return None,
        };
        ticks.get(&row.key).is_some_and(|fingerprint| *fingerprint == row.fingerprint()).then_some(kind)
    };
    checklist(tender, None).into_iter().filter_map(settles).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(closing: &str, ticked: &[&CheckedRow]) -> Vec<CheckedRow> {
        let mut tender = Tender::default();
        tender.dates.closing = closing.parse().ok();
        let tick = |row: &&CheckedRow| {
            let tick = Tick { fingerprint: row.fingerprint.clone(), at: Timestamp::UNIX_EPOCH, actor: None };
            (row.key(), tick)
        };
        let own = OwnRow { id: Uuid::nil(), title: "Ask the bank".into() };
        checked_rows(checklist(&tender, None), vec![own], ticked.iter().map(tick).collect())
    }

    fn find<'r>(rows: &'r [CheckedRow], key: &str) -> &'r CheckedRow {
        rows.iter().find(|row| row.key() == key).unwrap()
    }

    #[test]
    fn a_tick_counts_while_the_value_stays() {
        let before = rows("2026-12-10T10:00:00+05:30", &[]);
        assert!(before.iter().all(|row| row.tick.is_none() && row.outdated_tick.is_none()));
        let own = format!("own:{}", Uuid::nil());
        let ticked = [find(&before, "deliver"), find(&before, "vat"), find(&before, &own)];
        let same = rows("2026-12-10T10:00:00+05:30", &ticked);
        assert!(find(&same, "deliver").tick.is_some());
        let moved = rows("2026-12-17T10:00:00+05:30", &ticked);
        let delivery = find(&moved, "deliver");
        assert!(delivery.tick.is_none() && delivery.outdated_tick.is_some());
        assert!(find(&moved, "vat").tick.is_some() && find(&moved, &own).tick.is_some());
    }

    #[test]
    fn bought_documents_settle_the_end_of_their_sale_until_it_changes() {
        let sold_until = |day: &str| -> Tender {
            serde_json::from_value(serde_json::json!({"documentFee": {"saleUntil": day}})).unwrap()
        };
        let tender = sold_until("2026-12-04");
        let rows = checklist(&tender, None);
        let ticks: HashMap<String, String> =
            rows.iter().map(|row| (row.key.clone(), row.fingerprint())).collect();
        assert_eq!(settled_deadlines(&tender, &ticks), [DeadlineKind::SaleEnds]);
        assert_eq!(settled_deadlines(&sold_until("2026-12-11"), &ticks), []);
        assert_eq!(settled_deadlines(&tender, &HashMap::new()), []);
    }
}

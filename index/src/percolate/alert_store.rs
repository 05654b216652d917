//! [`AlertStore`]: the stored alerts themselves: their keywords filed as atoms, their filters as rows, their bounds in one array. Reading a tender
//! against them is `reading`'s part.

use super::{
    alert_bounds::AlertBounds,
    atoms::{Atoms, Subscriber},
    filter_bitmaps::{FilterBitmaps, Slot},
    needle,
    ngram_index::AtomId,
};
use crate::query::AlertFilters;
use std::collections::{BTreeMap, HashMap};
use tender_model::alert::{AlertError, AlertQuery};
use uuid::Uuid;

/// All stored alerts.
#[derive(Debug, Default)]
pub(super) struct AlertStore {
    pub(super) atoms: Atoms,
    pub(super) rows: FilterBitmaps,
    /// What is looked at of every alert whose keyword was met, and all else, by slot.
    pub(super) cards: Vec<AlertCard>,
    alerts: Vec<Option<StoredAlert>>,
    free: Vec<Slot>,
    slots: HashMap<Uuid, Slot>,
    /// The alerts with an upper bound on the days until closing, by that bound.
    pub(super) by_maximum_days: BTreeMap<u16, Vec<Slot>>,
}

/// An alert's name and bounds, side by side, as they are looked at together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AlertCard {
    pub(super) id: Uuid,
    pub(super) bounds: AlertBounds,
}

/// What is needed to take an alert out again, and to say why it matched.
#[derive(Debug)]
struct StoredAlert {
    filters: AlertFilters,
    keywords: Box<[StoredKeyword]>,
    /// The keywords' terms, one behind the other.
    terms: Box<str>,
    excludes: Box<[AtomId]>,
}

#[derive(Debug, Clone, Copy)]
struct StoredKeyword {
    atom: AtomId,
    /// Where its term ends.
    end: u32,
}

impl AlertStore {
    pub(super) fn put(&mut self, id: Uuid, query: &AlertQuery) -> Result<(), AlertError> {
        let patterns = query.patterns()?;
        self.remove(id);
        let slot = self.free.pop().unwrap_or_else(|| {
            self.alerts.push(None);
            self.cards.push(AlertCard::default());
            (self.alerts.len() - 1) as Slot
        });
        let (mut bytes, mut terms) = (Vec::new(), String::new());
        let mut keywords = Vec::with_capacity(patterns.len());
        for (keyword, (pattern, stored)) in (0..).zip(patterns.iter().zip(&query.keywords)) {
            needle::write(pattern, &mut bytes);
            terms.push_str(&stored.term);
            let atom = self.atoms.subscribe(&bytes, Subscriber { slot, keyword });
            keywords.push(StoredKeyword { atom, end: terms.len() as u32 });
        }
        let mut excludes = Vec::new();
        for pattern in query.excludes() {
            needle::write(&pattern, &mut bytes);
            excludes.push(self.atoms.exclude(&bytes, slot));
        }
        let filters = AlertFilters::of(query);
        self.rows.insert(slot, &filters);
        if let Some(days) = filters.maximum_days {
            self.by_maximum_days.entry(days).or_default().push(slot);
        }
        self.cards[slot as usize] = AlertCard { id, bounds: AlertBounds::of(query) };
        self.slots.insert(id, slot);
        let (keywords, terms, excludes) = (keywords.into(), terms.into(), excludes.into());
        self.alerts[slot as usize] = Some(StoredAlert { filters, keywords, terms, excludes });
        Ok(())
    }

    pub(super) fn remove(&mut self, id: Uuid) -> bool {
        let Some(slot) = self.slots.remove(&id) else { return false };
        let Some(alert) = self.alerts[slot as usize].take() else { return false };
        for (keyword, stored) in (0..).zip(&alert.keywords) {
            self.atoms.unsubscribe(stored.atom, Subscriber { slot, keyword });
        }
        for atom in &alert.excludes {
            self.atoms.include(*atom, slot);
        }
        self.rows.remove(slot, &alert.filters);
        if let Some(days) = alert.filters.maximum_days
            && let Some(slots) = self.by_maximum_days.get_mut(&days)
        {
            slots.retain(|other| *other != slot);
            if slots.is_empty() {
                self.by_maximum_days.remove(&days);
            }
        }
        self.free.push(slot);
        true
    }

    /// A keyword as the alert's owner wrote it.
    pub(super) fn term(&self, id: Uuid, keyword: usize) -> Option<&str> {
        let alert = self.alerts[*self.slots.get(&id)? as usize].as_ref()?;
        let end = |keyword: usize| Some(alert.keywords.get(keyword)?.end as usize);
        let start = keyword.checked_sub(1).map_or(Some(0), end)?;
        alert.terms.get(start..end(keyword)?)
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }
}

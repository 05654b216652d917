//! [`AlertStore`]: the stored alerts. Keywords are interned as atoms, filters are stored as
//! bitmaps, and bounds are stored in one array.

use super::{
    alert_bounds::AlertBounds,
    atoms::{Atoms, Subscriber},
    filter_bitmaps::{FilterBitmaps, Slot, SlotSet},
    needle,
    ngram_index::AtomId,
};
use crate::query::AlertFilters;
use std::collections::HashMap;
use tender_model::alert::{AlertError, AlertQuery};
use uuid::Uuid;

/// All stored alerts.
#[derive(Debug, Default)]
pub(super) struct AlertStore {
    pub(super) atoms: Atoms,
    pub(super) bitmaps: FilterBitmaps,
    /// The alerts whose keywords count only in the title and the scope.
    pub(super) limited_to_scope: SlotSet,
    /// The data that is read for every alert with a matching keyword, by slot. `alerts` holds the
    /// rest.
    pub(super) cards: Vec<AlertCard>,
    alerts: Vec<Option<StoredAlert>>,
    free: Vec<Slot>,
    slots: HashMap<Uuid, Slot>,
}

/// The id and bounds of an alert, side by side because they are read together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AlertCard {
    pub(super) id: Uuid,
    pub(super) bounds: AlertBounds,
}

/// The data needed to remove an alert and to report why it matched.
#[derive(Debug)]
struct StoredAlert {
    filters: AlertFilters,
    keywords: Box<[StoredKeyword]>,
    /// The terms of all keywords, concatenated.
    terms: Box<str>,
    excludes: Box<[AtomId]>,
}

#[derive(Debug, Clone, Copy)]
struct StoredKeyword {
    atom: AtomId,
    /// The end of the keyword's term in `StoredAlert::terms`.
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
        for (keyword, (pattern, stored)) in (0..).zip(patterns.iter().zip(query.wanted_keywords().iter())) {
            needle::write(pattern, &mut bytes);
            terms.push_str(&stored.term);
            let atom = self.atoms.subscribe(&bytes, Subscriber { slot, keyword });
            keywords.push(StoredKeyword { atom, end: terms.len() as u32 });
        }
        let mut excludes = Vec::new();
        for pattern in query.exclude_patterns() {
            needle::write(&pattern, &mut bytes);
            excludes.push(self.atoms.add_excluder(&bytes, slot));
        }
        let filters = AlertFilters::of(query);
        self.bitmaps.insert(slot, &filters);
        self.limited_to_scope.put(slot, query.is_limited_to_scope());
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
            self.atoms.remove_excluder(*atom, slot);
        }
        self.bitmaps.remove(slot, &alert.filters);
        self.limited_to_scope.put(slot, false);
        self.free.push(slot);
        true
    }

    /// A keyword of an alert, as the owner wrote it.
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

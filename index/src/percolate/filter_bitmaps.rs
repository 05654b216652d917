//! [`FilterBitmaps`]: the alerts' filters turned on their side: for each value that a tender can have, a row with one bit an alert that admits it.
//! A few rows and-ed give every alert that admits a tender, whatever their number, before any keyword is looked at. Which
//! keywords are there is not known here.

use crate::query::{AlertFilters, TenderFacts, bits_of};
use std::collections::HashMap;

/// An alert's number: the bit it has in every row.
pub(super) type Slot = u32;

/// One bit an alert.
type Bitmap = Vec<u64>;

/// All filters but the bounds on value and days.
#[derive(Debug, Default)]
pub(super) struct FilterBitmaps {
    /// For each bit of [`TenderFacts::traits`], the alerts that admit it.
    traits: Vec<Bitmap>,
    /// For each bit of [`TenderFacts::places`] that names a province or a district, the alerts that ask for it.
    places: Vec<Bitmap>,
    /// The alerts that ask for no place.
    anywhere: Bitmap,
    /// The alerts that ask for a city, by its hash.
    cities: HashMap<u64, Vec<Slot>>,
    words: usize,
}

const BITS: usize = 64;

impl FilterBitmaps {
    pub(super) fn insert(&mut self, slot: Slot, filters: &AlertFilters) {
        let word = slot as usize / BITS;
        if self.words <= word {
            self.widen(word + 1);
        }
        self.write(slot, filters, |word, bit| *word |= bit);
        for city in &filters.cities {
            self.cities.entry(*city).or_default().push(slot);
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, filters: &AlertFilters) {
        self.write(slot, filters, |word, bit| *word &= !bit);
        for city in &filters.cities {
            if let Some(slots) = self.cities.get_mut(city) {
                slots.retain(|other| *other != slot);
                if slots.is_empty() {
                    self.cities.remove(city);
                }
            }
        }
    }

    fn write(&mut self, slot: Slot, filters: &AlertFilters, set: impl Fn(&mut u64, u64)) {
        let (word, bit) = (slot as usize / BITS, 1 << (slot as usize % BITS));
        for row in bits_of(filters.traits) {
            set(&mut self.traits[row][word], bit);
        }
        if filters.is_anywhere() {
            set(&mut self.anywhere[word], bit);
        } else {
            for row in bits_of(filters.named_places()) {
                set(&mut self.places[row][word], bit);
            }
        }
    }

    fn widen(&mut self, words: usize) {
        let words = words.next_power_of_two();
        self.traits.resize_with(BITS, Bitmap::new);
        self.places.resize_with(BITS, Bitmap::new);
        for row in self.traits.iter_mut().chain(&mut self.places).chain([&mut self.anywhere]) {
            row.resize(words, 0);
        }
        self.words = words;
    }

    /// Writes into `admitted` the alerts whose rows admit a tender.
    pub(super) fn admit(&self, facts: &TenderFacts, admitted: &mut Bitmap) {
        admitted.clear();
        if self.words == 0 {
            return;
        }
        if facts.places == 0 {
            admitted.resize(self.words, u64::MAX);
        } else {
            admitted.extend_from_slice(&self.anywhere);
            for row in bits_of(facts.named_places()) {
                let pairs = admitted.iter_mut().zip(&self.places[row]);
                pairs.for_each(|(word, row)| *word |= row);
            }
            for slot in self.cities.get(&facts.city).into_iter().flatten() {
                admitted[*slot as usize / BITS] |= 1 << (*slot as usize % BITS);
            }
        }
        for row in bits_of(facts.traits) {
            admitted.iter_mut().zip(&self.traits[row]).for_each(|(word, row)| *word &= row);
        }
    }
}

/// Whether a row holds an alert.
pub(super) fn holds(row: &[u64], slot: Slot) -> bool {
    row.get(slot as usize / BITS).is_some_and(|word| word & 1 << (slot as usize % BITS) != 0)
}

/// Puts an alert into a row.
pub(super) fn set(row: &mut [u64], slot: Slot) {
    if let Some(word) = row.get_mut(slot as usize / BITS) {
        *word |= 1 << (slot as usize % BITS);
    }
}

/// Takes an alert out of a row.
pub(super) fn clear(row: &mut [u64], slot: Slot) {
    if let Some(word) = row.get_mut(slot as usize / BITS) {
        *word &= !(1 << (slot as usize % BITS));
    }
}

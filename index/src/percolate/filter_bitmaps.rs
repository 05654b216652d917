//! [`FilterBitmaps`]: the filters of all alerts as bitmaps, one bitmap per filter value and one bit
//! per alert. Combining a few bitmaps yields all alerts whose filters admit a tender, before any
//! keyword is checked.

use crate::query::{AlertFilters, FilterValues, bits_of};
use std::collections::HashMap;

/// The number of an alert: its bit in every bitmap.
pub(super) type Slot = u32;

/// One bit per alert.
type Bitmap = Vec<u64>;

/// The filters of all alerts, except the bounds on value and days.
#[derive(Debug, Default)]
pub(super) struct FilterBitmaps {
    /// For each bit of [`FilterValues::traits`], the alerts that admit tenders with this bit.
    traits: Vec<Bitmap>,
    /// For each province and district bit of [`FilterValues::places`], the alerts that filter by it.
    places: Vec<Bitmap>,
    /// The alerts without a place filter.
    anywhere: Bitmap,
    /// The alerts that filter by a city, by the hash of its name.
    cities: HashMap<u64, Vec<Slot>>,
    /// The alerts that filter by an organisation.
    with_bodies: Bitmap,
    /// The alerts that filter by an organisation, by the hash of its name.
    bodies: HashMap<u64, Vec<Slot>>,
    /// The length of each bitmap in numbers of 64 bits.
    words: usize,
}

const BITS: usize = 64;

impl FilterBitmaps {
    pub(super) fn insert(&mut self, slot: Slot, filters: &AlertFilters) {
        let word = slot as usize / BITS;
        if self.words <= word {
            self.grow(word + 1);
        }
        self.update(slot, filters, |word, bit| *word |= bit);
        for city in &filters.cities {
            self.cities.entry(*city).or_default().push(slot);
        }
        for body in &filters.bodies {
            self.bodies.entry(*body).or_default().push(slot);
        }
    }

    pub(super) fn remove(&mut self, slot: Slot, filters: &AlertFilters) {
        self.update(slot, filters, |word, bit| *word &= !bit);
        for (slots_of, hashes) in [(&mut self.cities, &filters.cities), (&mut self.bodies, &filters.bodies)] {
            for hash in hashes {
                if let Some(slots) = slots_of.get_mut(hash) {
                    slots.retain(|other| *other != slot);
                    if slots.is_empty() {
                        slots_of.remove(hash);
                    }
                }
            }
        }
    }

    fn update(&mut self, slot: Slot, filters: &AlertFilters, set: impl Fn(&mut u64, u64)) {
        let (word, bit) = (slot as usize / BITS, 1 << (slot as usize % BITS));
        for bitmap in bits_of(filters.traits) {
            set(&mut self.traits[bitmap][word], bit);
        }
        if !filters.bodies.is_empty() {
            set(&mut self.with_bodies[word], bit);
        }
        if filters.is_anywhere() {
            set(&mut self.anywhere[word], bit);
        } else {
            for bitmap in bits_of(filters.named_places()) {
                set(&mut self.places[bitmap][word], bit);
            }
        }
    }

    fn grow(&mut self, words: usize) {
        let words = words.next_power_of_two();
        self.traits.resize_with(BITS, Bitmap::new);
        self.places.resize_with(BITS, Bitmap::new);
        for bitmap in
            self.traits.iter_mut().chain(&mut self.places).chain([&mut self.anywhere, &mut self.with_bodies])
        {
            bitmap.resize(words, 0);
        }
        self.words = words;
    }

    /// Computes the alerts whose filters admit a tender.
    pub(super) fn compute_admitted(&self, values: &FilterValues, admitted: &mut Bitmap) {
        admitted.clear();
        if self.words == 0 {
            return;
        }
        if values.places == 0 {
            admitted.resize(self.words, u64::MAX);
        } else {
            admitted.extend_from_slice(&self.anywhere);
            for bitmap in bits_of(values.named_places()) {
                let pairs = admitted.iter_mut().zip(&self.places[bitmap]);
                pairs.for_each(|(word, bitmap)| *word |= bitmap);
            }
            for slot in self.cities.get(&values.city).into_iter().flatten() {
                admitted[*slot as usize / BITS] |= 1 << (*slot as usize % BITS);
            }
        }
        for bitmap in bits_of(values.traits) {
            admitted.iter_mut().zip(&self.traits[bitmap]).for_each(|(word, bitmap)| *word &= bitmap);
        }
    }

    /// Removes the alerts that filter by other organisations. `body` computes the hash of the name of
    /// the tender's organisation, 0 if unknown. It is called only if there are such alerts.
    pub(super) fn retain_body(&self, body: impl FnOnce() -> u64, admitted: &mut Bitmap) {
        if self.bodies.is_empty() || admitted.is_empty() {
            return;
        }
        let asking = Some(body()).filter(|body| *body != 0).and_then(|body| self.bodies.get(&body));
        let kept: Vec<Slot> =
            asking.into_iter().flatten().copied().filter(|slot| is_set(admitted, *slot)).collect();
        admitted.iter_mut().zip(&self.with_bodies).for_each(|(word, bitmap)| *word &= !bitmap);
        kept.iter().for_each(|slot| set(admitted, *slot));
    }
}

/// A set of alerts that is usually empty.
#[derive(Debug, Default)]
pub(super) struct SlotSet {
    bitmap: Bitmap,
    count: usize,
}

impl SlotSet {
    /// Adds or removes an alert.
    pub(super) fn put(&mut self, slot: Slot, is_member: bool) {
        if is_member == is_set(&self.bitmap, slot) {
            return;
        }
        let word = slot as usize / BITS;
        if self.bitmap.len() <= word {
            self.bitmap.resize((word + 1).next_power_of_two(), 0);
        }
        if is_member {
            set(&mut self.bitmap, slot);
            self.count += 1;
        } else {
            clear(&mut self.bitmap, slot);
            self.count -= 1;
        }
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.count == 0
    }

    pub(super) fn contains(&self, slot: Slot) -> bool {
        is_set(&self.bitmap, slot)
    }
}

/// Whether the bit of an alert is set.
pub(super) fn is_set(bitmap: &[u64], slot: Slot) -> bool {
    bitmap.get(slot as usize / BITS).is_some_and(|word| word & 1 << (slot as usize % BITS) != 0)
}

/// Sets the bit of an alert.
pub(super) fn set(bitmap: &mut [u64], slot: Slot) {
    if let Some(word) = bitmap.get_mut(slot as usize / BITS) {
        *word |= 1 << (slot as usize % BITS);
    }
}

/// Clears the bit of an alert.
pub(super) fn clear(bitmap: &mut [u64], slot: Slot) {
    if let Some(word) = bitmap.get_mut(slot as usize / BITS) {
        *word &= !(1 << (slot as usize % BITS));
    }
}

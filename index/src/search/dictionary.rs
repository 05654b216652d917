//! [`Dictionary`]: the codes used in the rows of all segments. Codes are assigned in order and
//! never reused while the index is open, so segments can come and go without recounting.

use super::{
    filter_kinds::{Filter, TRAIT_FILTERS},
    request::StatusCard,
};
use crate::query::{TenderFacts, city_hash};
use std::{collections::HashMap, hash::Hash, sync::Arc};
use tender_model::vocabulary::{Currency, Visibility};

/// All codes. It is cloned before changes, so that running searches keep theirs.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    /// The distinct traits, in two halves: those of the subject, and the others. Each half has few
    /// values, so counters per code stay in the L1 cache.
    pub(super) about: ValueCodes<u64>,
    pub(super) other_traits: ValueCodes<u64>,
    /// The decoded traits, by code.
    about_values: Vec<TraitValue>,
    other_trait_values: Vec<TraitValue>,
    /// The distinct values of `TenderFacts::places`.
    pub(super) places: ValueCodes<u64>,
    /// Currencies as packed letters.
    pub(super) currencies: ValueCodes<u64>,
    pub(super) cities: NameCodes,
    pub(super) organizations: NameCodes,
    pub(super) publications: NameCodes,
    /// The distinct sets of newspaper codes, ascending.
    pub(super) publication_sets: ValueCodes<Box<[u32]>>,
}

impl Dictionary {
    /// Decodes newly added traits. Code 0 stands for none.
    pub(super) fn decode_new(&mut self) {
        for (codes, members) in
            [(&self.about, &mut self.about_values), (&self.other_traits, &mut self.other_trait_values)]
        {
            for code in members.len()..codes.len() {
                members.push(TraitValue::of(codes.get(code as u32).copied().unwrap_or_default()));
            }
        }
    }

    /// Whether all traits are decoded.
    pub(super) fn is_decoded(&self) -> bool {
        self.about_values.len() == self.about.len()
            && self.other_trait_values.len() == self.other_traits.len()
    }

    /// The decoded subject traits, by code.
    pub(super) fn about_values(&self) -> &[TraitValue] {
        &self.about_values
    }

    /// The decoded other traits, by code.
    pub(super) fn other_trait_values(&self) -> &[TraitValue] {
        &self.other_trait_values
    }

    /// The currency of a code.
    pub(super) fn currency(&self, code: u16) -> Option<Currency> {
        Currency::from_packed(*self.currencies.get(code.into())?)
    }
}

/// The decoded traits of one code.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraitValue {
    /// By filter; see [`Filter::ordinal`].
    pub(super) ordinals: [u8; TRAIT_FILTERS],
    /// The same after the tender has expired.
    pub(super) ordinals_past: [u8; TRAIT_FILTERS],
    pub(super) visibility: Option<Visibility>,
    /// The closing date was printed but not read.
    pub(super) is_closing_unread: bool,
}

impl TraitValue {
    /// Whether the tender is open for bids until it expires.
    pub(super) fn is_live(&self) -> bool {
        self.ordinals[Filter::Status as usize] == StatusCard::Live as u8
    }

    fn of(traits: u64) -> Self {
        let facts = TenderFacts { traits, ..TenderFacts::default() };
        let past = facts.after_expiry();
        Self {
            ordinals: Filter::on_traits().map(|filter| filter.ordinal(&facts)),
            ordinals_past: Filter::on_traits().map(|filter| filter.ordinal(&past)),
            visibility: facts.visibility(),
            is_closing_unread: facts.is_closing_unread(),
        }
    }
}

/// Values and their codes, starting at 1.
#[derive(Debug, Clone)]
pub(super) struct ValueCodes<T> {
    codes: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for ValueCodes<T> {
    fn default() -> Self {
        Self { codes: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Hash + Eq + Clone> ValueCodes<T> {
    /// The code of a value. New values get the next code.
    pub(super) fn code(&mut self, value: &T) -> u32 {
        if let Some(code) = self.codes.get(value) {
            return *code;
        }
        self.values.push(value.clone());
        let code = self.values.len() as u32;
        self.codes.insert(value.clone(), code);
        code
    }

    /// The same for columns with few distinct values. Values beyond 65,535 count as unknown.
    pub(super) fn small_code(&mut self, value: T) -> u16 {
        u16::try_from(self.code(&value)).unwrap_or_default()
    }

    /// The value of a code. `None` for 0.
    pub(super) fn get(&self, code: u32) -> Option<&T> {
        self.values.get((code as usize).checked_sub(1)?)
    }

    /// One more than the highest code.
    pub(super) fn len(&self) -> usize {
        self.values.len() + 1
    }

    /// The values in the order of their codes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (1..).zip(&self.values)
    }
}

/// Names and their codes. Names with the same normalised words share a code.
#[derive(Debug, Clone, Default)]
pub(super) struct NameCodes {
    codes: ValueCodes<u64>,
    /// The first spelling seen.
    spellings: Vec<Arc<str>>,
}

impl NameCodes {
    /// The code of a name. New names get the next code; 0 for a name without words.
    pub(super) fn code(&mut self, name: &str) -> u32 {
        let hash = city_hash(name);
        if hash == 0 {
            return 0;
        }
        let code = self.codes.code(&hash);
        if self.spellings.len() < code as usize {
            self.spellings.push(name.into());
        }
        code
    }

    /// The code of a known name.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.codes.codes.get(&city_hash(name)).copied()
    }

    /// The first spelling of a name.
    pub(super) fn spelling(&self, code: usize) -> Option<&str> {
        self.spellings.get(code.checked_sub(1)?).map(AsRef::as_ref)
    }

    /// The hash of a name's words. 0 for code 0.
    pub(super) fn hash(&self, code: u32) -> u64 {
        self.codes.get(code).copied().unwrap_or_default()
    }

    /// One more than the highest code.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }
}

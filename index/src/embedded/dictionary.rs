//! [`Dictionary`]: the codes used in the rows of all segments. Codes are assigned in order and are
//! never reused while the index is open. Adding or removing a segment therefore leaves the rows of
//! other segments valid.

use super::filter_kinds::{Filter, TRAIT_FILTERS};
use crate::{
    query::{FilterValues, name_hash},
    search::StatusCard,
};
use std::{collections::HashMap, hash::Hash, sync::Arc};
use tender_model::vocabulary::{Currency, Visibility};

/// All codes. A dictionary in use is cloned before it is changed, so that running searches keep the
/// old one.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    /// The distinct traits of the subject. The traits are split in two halves with few values each,
    /// so that counters per code stay in the L1 cache.
    pub(super) subject_traits: ValueCodes<u64>,
    /// The distinct other traits.
    pub(super) other_traits: ValueCodes<u64>,
    /// The decoded traits of the subject, by code.
    subject_trait_values: Vec<TraitValue>,
    /// The decoded other traits, by code.
    other_trait_values: Vec<TraitValue>,
    /// The distinct values of `FilterValues::places`.
    pub(super) places: ValueCodes<u64>,
    /// Currencies as packed letters.
    pub(super) currencies: ValueCodes<u64>,
    pub(super) cities: NameCodes,
    pub(super) organizations: NameCodes,
    pub(super) publications: NameCodes,
    /// The distinct sets of newspaper codes. Each set is sorted.
    pub(super) publication_sets: ValueCodes<Box<[u32]>>,
}

impl Dictionary {
    /// Decodes newly added traits. Code 0 stands for no traits.
    pub(super) fn decode_new(&mut self) {
        for (codes, members) in [
            (&self.subject_traits, &mut self.subject_trait_values),
            (&self.other_traits, &mut self.other_trait_values),
        ] {
            for code in members.len()..codes.len() {
                members.push(TraitValue::of(codes.get(code as u32).copied().unwrap_or_default()));
            }
        }
    }

    /// Whether all traits are decoded.
    pub(super) fn is_decoded(&self) -> bool {
        self.subject_trait_values.len() == self.subject_traits.len()
            && self.other_trait_values.len() == self.other_traits.len()
    }

    /// The decoded traits of the subject, by code.
    pub(super) fn subject_trait_values(&self) -> &[TraitValue] {
        &self.subject_trait_values
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
    /// The ordinal for each filter on traits; see [`Filter::ordinal`].
    pub(super) ordinals: [u8; TRAIT_FILTERS],
    /// The ordinal for each filter on traits after the tender has expired.
    pub(super) ordinals_after_expiry: [u8; TRAIT_FILTERS],
    pub(super) visibility: Option<Visibility>,
    /// Whether the closing date was printed but not read.
    pub(super) is_closing_unread: bool,
    /// Whether the document is hidden from every listing, count and alert.
    pub(super) is_hidden: bool,
}

impl TraitValue {
    /// Whether the tender is open for bids until it expires.
    pub(super) fn is_live(&self) -> bool {
        self.ordinals[Filter::Status as usize] == StatusCard::Live as u8
    }

    fn of(traits: u64) -> Self {
        let values = FilterValues { traits, ..FilterValues::default() };
        let past = values.after_expiry();
        Self {
            ordinals: Filter::on_traits().map(|filter| filter.ordinal(&values)),
            ordinals_after_expiry: Filter::on_traits().map(|filter| filter.ordinal(&past)),
            visibility: values.visibility(),
            is_closing_unread: values.is_closing_unread(),
            is_hidden: values.is_hidden(),
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

    /// The code of a value in a column with few distinct values. Above 65,535 values, further
    /// values get code 0, which means unknown.
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

    /// The codes with their values, in the order of the codes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (1..).zip(&self.values)
    }
}

/// Names and their codes. Names with the same normalised words share a code.
#[derive(Debug, Clone, Default)]
pub(super) struct NameCodes {
    codes: ValueCodes<u64>,
    /// For each name, the first spelling that was added. Code 1 comes first.
    spellings: Vec<Arc<str>>,
}

impl NameCodes {
    /// The code of a name. New names get the next code, and names without words get 0.
    pub(super) fn code(&mut self, name: &str) -> u32 {
        let hash = name_hash(name);
        if hash == 0 {
            return 0;
        }
        let code = self.codes.code(&hash);
        if self.spellings.len() < code as usize {
            self.spellings.push(name.into());
        }
        code
    }

    /// The code of a name, if it has one.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.codes.codes.get(&name_hash(name)).copied()
    }

    /// The first spelling of the name with this code.
    pub(super) fn spelling(&self, code: usize) -> Option<&str> {
        self.spellings.get(code.checked_sub(1)?).map(AsRef::as_ref)
    }

    /// The hash of the name with this code. 0 for code 0.
    pub(super) fn hash(&self, code: u32) -> u64 {
        self.codes.get(code).copied().unwrap_or_default()
    }

    /// One more than the highest code.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }
}

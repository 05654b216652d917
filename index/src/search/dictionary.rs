//! What the codes in the rows of all segments stand for. Codes are given in order and never taken back while an index is open, so
//! that segments come and go without anything being counted anew.

use crate::{query::city_hash, vocabulary::Currency};
use std::{collections::HashMap, hash::Hash, sync::Arc};

/// All codes. Cloned before it is added to, so that searches go on with theirs.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    /// The distinct `Facts::traits`.
    pub(super) traits: Codes<u64>,
    /// The distinct `Facts::places`.
    pub(super) places: Codes<u64>,
    /// The letters of a currency in one number.
    pub(super) currencies: Codes<u64>,
    pub(super) cities: Names,
    pub(super) organizations: Names,
    pub(super) publications: Names,
    /// The distinct sets of codes of publications, ascending.
    pub(super) publication_sets: Codes<Box<[u32]>>,
}

impl Dictionary {
    /// A currency by its code.
    pub(super) fn currency(&self, code: u16) -> Option<Currency> {
        Currency::from_column(*self.currencies.get(code.into())?)
    }
}

/// Values by code, from 1.
#[derive(Debug, Clone)]
pub(super) struct Codes<T> {
    codes: HashMap<T, u32>,
    values: Vec<T>,
}

impl<T> Default for Codes<T> {
    fn default() -> Self {
        Self { codes: HashMap::new(), values: Vec::new() }
    }
}

impl<T: Hash + Eq + Clone> Codes<T> {
    /// The code of a value, new if need be.
    pub(super) fn code(&mut self, value: &T) -> u32 {
        if let Some(code) = self.codes.get(value) {
            return *code;
        }
        self.values.push(value.clone());
        let code = self.values.len() as u32;
        self.codes.insert(value.clone(), code);
        code
    }

    /// The value of a code; none for 0.
    pub(super) fn get(&self, code: u32) -> Option<&T> {
        self.values.get((code as usize).checked_sub(1)?)
    }

    /// One more than the greatest code.
    pub(super) fn len(&self) -> usize {
        self.values.len() + 1
    }

    /// The values in the order of their codes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, &T)> {
        (1..).zip(&self.values)
    }
}

/// Names by code. Names of the same words are one: case and separators don't make another city of it.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    codes: Codes<u64>,
    /// As they were first read.
    spellings: Vec<Arc<str>>,
}

impl Names {
    /// The code of a name, new if need be; 0 for one without words.
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

    /// The code of a name that is known.
    pub(super) fn find(&self, name: &str) -> Option<u32> {
        self.codes.codes.get(&city_hash(name)).copied()
    }

    /// A name as it was first read.
    pub(super) fn spelling(&self, code: usize) -> Option<&str> {
        self.spellings.get(code.checked_sub(1)?).map(AsRef::as_ref)
    }

    /// The hash of a name's words; 0 for code 0.
    pub(super) fn hash(&self, code: u32) -> u64 {
        self.codes.get(code).copied().unwrap_or_default()
    }

    /// One more than the greatest code.
    pub(super) fn len(&self) -> usize {
        self.codes.len()
    }
}

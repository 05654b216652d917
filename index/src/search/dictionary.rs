//! What the codes in the rows of all segments stand for. ValueCodes are given in order and never taken back while an index is open, so
//! that segments come and go without anything being counted anew.

use super::filter::{BY_TRAITS, STATUS};
use crate::query::{TenderFacts, city_hash};
use std::{collections::HashMap, hash::Hash, sync::Arc};
use tender_model::vocabulary::{Currency, TenderStatus, Visibility};

/// All codes. Cloned before it is added to, so that searches go on with theirs.
#[derive(Debug, Clone, Default)]
pub(super) struct Dictionary {
    /// The distinct halves of `TenderFacts::traits`: what it is about, and the form in which it stands. There are few of each, so that what is
    /// counted by them stays in the nearest cache.
    pub(super) about: ValueCodes<u64>,
    pub(super) form: ValueCodes<u64>,
    /// What they say, by code.
    about_members: Vec<TraitOrdinals>,
    form_members: Vec<TraitOrdinals>,
    /// The distinct `TenderFacts::places`.
    pub(super) places: ValueCodes<u64>,
    /// The letters of a currency in one number.
    pub(super) currencies: ValueCodes<u64>,
    pub(super) cities: NameCodes,
    pub(super) organizations: NameCodes,
    pub(super) publications: NameCodes,
    /// The distinct sets of codes of publications, ascending.
    pub(super) publication_sets: ValueCodes<Box<[u32]>>,
}

impl Dictionary {
    /// Makes up for the traits that were added. Code 0 stands for none.
    pub(super) fn complete(&mut self) {
        for (codes, members) in [(&self.about, &mut self.about_members), (&self.form, &mut self.form_members)]
        {
            for code in members.len()..codes.len() {
                members.push(TraitOrdinals::of(codes.get(code as u32).copied().unwrap_or_default()));
            }
        }
    }

    /// Whether nothing was added since [`Dictionary::complete`].
    pub(super) fn is_complete(&self) -> bool {
        self.about_members.len() == self.about.len() && self.form_members.len() == self.form.len()
    }

    /// What it may be about, in the order of the codes from 0.
    pub(super) fn about_members(&self) -> &[TraitOrdinals] {
        &self.about_members
    }

    /// The form in which it may stand, in the order of the codes from 0.
    pub(super) fn form_members(&self) -> &[TraitOrdinals] {
        &self.form_members
    }

    /// A currency by its code.
    pub(super) fn currency(&self, code: u16) -> Option<Currency> {
        Currency::from_packed(*self.currencies.get(code.into())?)
    }
}

/// What traits say, as places in the vocabulary's lists.
#[derive(Debug, Clone, Copy)]
pub(super) struct TraitOrdinals {
    /// In the order of the bits of [`super::filter::part`]; [`NO_MEMBER`] where unknown. Statuses are [`LIVE`] and [`CLOSED`].
    pub(super) of: [u8; BY_TRAITS],
    /// The status once its time has run out.
    pub(super) status_past: u8,
    pub(super) visibility: Option<Visibility>,
    /// Whether it closes on a day that was not read.
    pub(super) is_closing_unread: bool,
}

/// The place that stands for none.
pub(super) const NO_MEMBER: u8 = 31;
/// Open to bids, and no longer: places in [`super::StatusCard::ALL`].
pub(super) const LIVE: u8 = 1;
pub(super) const CLOSED: u8 = 2;

impl TraitOrdinals {
    /// Whether it is open to bids while its time lasts.
    pub(super) fn is_live(&self) -> bool {
        self.of[STATUS] == LIVE
    }

    fn of(traits: u64) -> Self {
        fn place<T>(member: Option<T>, place: impl Fn(T) -> usize) -> u8 {
            member.map_or(NO_MEMBER, |member| place(member) as u8)
        }
        let facts = TenderFacts { traits, ..TenderFacts::default() };
        let status =
            |facts: TenderFacts| if facts.has_status(TenderStatus::Published) { LIVE } else { CLOSED };
        Self {
            of: [
                place(facts.sector(), |sector| sector as usize),
                place(facts.category(), |category| category as usize),
                place(facts.kind(), |kind| kind as usize),
                place(facts.priority(), |priority| priority as usize),
                place(facts.organization_type(), |kind| kind as usize),
                status(facts),
                place(facts.language(), |language| language as usize),
            ],
            status_past: status(facts.past_its_time()),
            visibility: facts.visibility(),
            is_closing_unread: facts.is_closing_unread(),
        }
    }
}

/// Values by code, from 1.
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

    /// The same where there are never so many; any that were would count as unknown.
    pub(super) fn small_code(&mut self, value: T) -> u16 {
        u16::try_from(self.code(&value)).unwrap_or_default()
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

/// NameCodes by code. NameCodes of the same words are one: case and separators don't make another city of it.
#[derive(Debug, Clone, Default)]
pub(super) struct NameCodes {
    codes: ValueCodes<u64>,
    /// As they were first read.
    spellings: Vec<Arc<str>>,
}

impl NameCodes {
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

//! Atoms: the distinct patterns of all alerts, each once, with the alerts that subscribe to it. Ten thousand equal alerts are one atom.

use super::{
    anchors::{Anchor, Anchors, AtomId, Kind},
    paper::{Distinct, Paper, Place},
};
use crate::query::Pattern;
use std::collections::HashMap;

/// One pattern.
pub(super) struct Atom {
    pub(super) pattern: Pattern,
    anchor: Anchor,
    /// Its place in its anchor's list.
    place: usize,
    /// The keywords that are this pattern.
    pub(super) subscribers: Vec<Subscriber>,
    /// How many alerts exclude it.
    exclusions: usize,
}

/// An alert's keyword, with the masks that decide at once for most tenders.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subscriber {
    /// See [`crate::query::Filters::traits`].
    pub(super) traits: u64,
    /// See [`crate::query::Filters::places`].
    pub(super) places: u64,
    /// The alert's number.
    pub(super) alert: u32,
    /// Which of the alert's subscriptions this is.
    pub(super) subscription: u32,
}

/// All atoms.
#[derive(Default)]
pub(super) struct Atoms {
    atoms: Vec<Option<Atom>>,
    free: Vec<AtomId>,
    known: HashMap<Pattern, AtomId>,
    pub(super) anchors: Anchors,
}

impl Atoms {
    pub(super) fn get(&self, id: AtomId) -> Option<&Atom> {
        self.atoms.get(id as usize)?.as_ref()
    }

    /// Subscribes a keyword; answers the atom, and the subscriber's place in it.
    pub(super) fn subscribe(&mut self, pattern: Pattern, subscriber: Subscriber) -> (AtomId, usize) {
        let id = self.intern(pattern);
        let place = self.atoms[id as usize].as_mut().map_or(0, |atom| {
            atom.subscribers.push(subscriber);
            atom.subscribers.len() - 1
        });
        (id, place)
    }

    /// Takes a subscriber out of its place; answers the one that stands there now.
    pub(super) fn unsubscribe(&mut self, id: AtomId, place: usize) -> Option<Subscriber> {
        let atom = self.atoms[id as usize].as_mut()?;
        atom.subscribers.swap_remove(place);
        let moved = atom.subscribers.get(place).copied();
        self.drop_unused(id);
        moved
    }

    /// Notes that an alert excludes the pattern.
    pub(super) fn exclude(&mut self, pattern: Pattern) -> AtomId {
        let id = self.intern(pattern);
        if let Some(atom) = &mut self.atoms[id as usize] {
            atom.exclusions += 1;
        }
        id
    }

    /// Takes back one [`Atoms::exclude`].
    pub(super) fn include(&mut self, id: AtomId) {
        if let Some(atom) = &mut self.atoms[id as usize] {
            atom.exclusions -= 1;
        }
        self.drop_unused(id);
    }

    fn intern(&mut self, pattern: Pattern) -> AtomId {
        if let Some(id) = self.known.get(&pattern) {
            return *id;
        }
        let id = self.free.pop().unwrap_or_else(|| {
            self.atoms.push(None);
            (self.atoms.len() - 1) as AtomId
        });
        let anchor = self.anchors.choose(&pattern);
        let place = self.anchors.insert(anchor, id);
        self.known.insert(pattern.clone(), id);
        self.atoms[id as usize] =
            Some(Atom { pattern, anchor, place, subscribers: Vec::new(), exclusions: 0 });
        id
    }

    fn drop_unused(&mut self, id: AtomId) {
        let used = |atom: &mut Atom| atom.exclusions > 0 || !atom.subscribers.is_empty();
        let Some(atom) = self.atoms[id as usize].take_if(|atom| !used(atom)) else { return };
        let moved = self.anchors.remove(atom.anchor, atom.place);
        if let Some(moved) = moved.and_then(|moved| self.atoms[moved as usize].as_mut()) {
            moved.place = atom.place;
        }
        self.known.remove(&atom.pattern);
        self.free.push(id);
    }

    /// How many distinct patterns there are.
    pub(super) fn len(&self) -> usize {
        self.known.len()
    }
}

impl Atom {
    /// Where the pattern first stands, given a word that its anchor was found in.
    pub(super) fn find(&self, paper: &Paper<'_>, distinct: &Distinct) -> Option<usize> {
        if self.anchor.kind == Kind::Gram {
            let (word, sought) = (paper.word(distinct).as_bytes(), self.pattern.as_str().as_bytes());
            let inside = word.windows(sought.len()).position(|window| window == sought)?;
            return paper.places_of(distinct).next().map(|place| place.start + inside);
        }
        paper.places_of(distinct).find_map(|place| self.stands_by(paper, place))
    }

    /// Where the pattern stands, given a place of a word that its anchor was found in.
    pub(super) fn stands_by(&self, paper: &Paper<'_>, place: &Place) -> Option<usize> {
        let at = if self.anchor.kind == Kind::Suffix { place.end } else { place.start };
        let start = at.checked_sub(usize::from(self.anchor.offset))?;
        self.pattern.stands_at(&paper.joined, start).then_some(start)
    }
}

//! Where each page's output lies. A page is known by its content: read again it keeps its output, under another name or for
//! another issue it takes its output along, and never does it get the output of another page.

use super::{
    BatchError, PageRecord, PageSource, RECORD, Review,
    store::{self, REVIEW},
};
use crate::message::line;
use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

/// So much of a page's hash tells it from its namesakes; all of it, where even that is another's.
const TOLD_APART: [usize; 3] = [6, 16, 64];

/// The outputs under a folder, and who has them.
#[derive(Debug)]
pub(super) struct Places(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The outputs of a page, by its hash: several, where a kill came between two steps of a move.
    of_page: HashMap<String, Vec<Output>>,
    /// The hash of the page that has an output.
    taken: HashMap<Slot, String>,
    /// The pages that were asked for, and whether they are in place.
    asked: HashMap<String, bool>,
}

/// The output of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Output {
    slot: Slot,
    /// The page's file, from its batch on.
    file: String,
    /// The page in its file, from 1.
    page: u32,
}

/// A page's folder under that of all output, and what the names of its files begin with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Slot {
    pub(super) folder: PathBuf,
    pub(super) base: String,
}

impl Known {
    fn add(&mut self, hash: String, output: Output) {
        self.taken.insert(output.slot.clone(), hash.clone());
        self.of_page.entry(hash).or_default().push(output);
    }
}

impl Slot {
    /// The output that a file belongs to, but for the end of its name; `out` is the folder of all output.
    fn of(out: &Path, path: &Path, end: &str) -> Option<Self> {
        let folder = path.parent()?.strip_prefix(out).ok()?.to_owned();
        let base = path.file_name()?.to_str()?.strip_suffix(end)?.to_owned();
        Some(Self { folder, base })
    }

    /// The record in it, `out` being the folder of all output.
    pub(super) fn record(&self, out: &Path) -> PathBuf {
        out.join(&self.folder).join(format!("{}{RECORD}", self.base))
    }
}

/// Where the output of a page goes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) slot: Slot,
    /// Where it was before.
    pub(super) left: Vec<Slot>,
    /// Whether it is new, and another page has the name that it would have had, or was read from its file's place.
    pub(super) has_namesake: bool,
}

impl Places {
    /// The outputs under a folder; there need be none.
    ///
    /// # Errors
    /// Where the folder cannot be listed.
    pub(super) fn load(out: &Path) -> Result<Self, BatchError> {
        let records = match store::records(out) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(source) => return Err(BatchError::Unlisted { path: out.to_owned(), source }),
            Ok(records) => records,
        };
        let mut known = Known::default();
        for (path, PageRecord { hash, file, page, .. }) in records {
            if let Some(slot) = Slot::of(out, &path, RECORD) {
                known.add(hash, Output { slot, file, page });
            }
        }
        // Where a record is lost, what was decided still tells whose the output is.
        for path in store::collected(out, REVIEW).unwrap_or_default() {
            let Some(mut slot) = Slot::of(out, &path, REVIEW) else { continue };
            let Some(review) = store::read_json::<Review>(&path) else { continue };
            slot.base.truncate(slot.base.rfind('-').unwrap_or(slot.base.len()));
            if !known.taken.contains_key(&slot) {
                known.add(review.page, Output { slot, file: String::new(), page: 0 });
            }
        }
        Ok(Self(Mutex::new(known)))
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of this page of `source`, which nobody else gets from now on. `base` is the name that it would have by its file's alone.
    pub(super) fn of(&self, source: &PageSource, page: u32, base: &str, hash: &str) -> Place {
        let known = &mut *self.known();
        let mine = known.of_page.remove(hash).unwrap_or_default();
        let wanted = Slot { folder: source.folder.clone(), base: base.to_owned() };
        let is_free = |slot: &Slot| known.taken.get(slot).is_none_or(|taker| taker == hash);
        let here = || mine.iter().filter(|output| output.slot.folder == source.folder);
        let settled = here().find(|output| output.file == source.file).map(|output| output.slot.clone());
        let slot = settled
            .or_else(|| is_free(&wanted).then(|| wanted.clone()))
            .or_else(|| here().next().map(|output| output.slot.clone()))
            .or_else(|| {
                let told_apart = TOLD_APART.iter().filter_map(|&length| hash.get(..length));
                let bases = told_apart.map(|part| format!("{base}-{part}"));
                bases.map(|base| Slot { base, ..wanted.clone() }).find(|slot| is_free(slot))
            })
            .unwrap_or_else(|| Slot { base: format!("{base}-{hash}"), ..wanted.clone() });
        let is_rival = |output: &Output| {
            (&output.slot.folder, output.file.as_str(), output.page) == (&source.folder, &source.file, page)
        };
        let mut others = known.of_page.iter().filter(|(hash, _)| !known.asked.contains_key(*hash));
        let mut has_rival = || others.any(|(_, outputs)| outputs.iter().any(is_rival));
        let has_namesake = mine.is_empty() && (!is_free(&wanted) || has_rival());
        let left: Vec<Slot> =
            mine.into_iter().map(|output| output.slot).filter(|before| *before != slot).collect();
        // What it leaves is free from the next run on: until then it is not sure to have gone.
        known.taken.insert(slot.clone(), hash.to_owned());
        known
            .of_page
            .insert(hash.to_owned(), vec![Output { slot: slot.clone(), file: source.file.clone(), page }]);
        known.asked.insert(hash.to_owned(), false);
        Place { slot, left, has_namesake }
    }

    /// A page is in its place.
    pub(super) fn settle(&self, hash: &str) {
        self.known().asked.insert(hash.to_owned(), true);
    }

    /// The outputs of pages that were not asked for, and whose files had the place of one of which all pages are in theirs.
    pub(super) fn replaced(&self) -> Vec<(Slot, String)> {
        let known = self.known();
        let files = |is_settled: bool| -> HashSet<(&Path, &str)> {
            let pages = known.asked.iter().filter(|(_, settled)| **settled == is_settled);
            let outputs = pages.filter_map(|(hash, _)| known.of_page.get(hash)).flatten();
            outputs.map(|output| (output.slot.folder.as_path(), output.file.as_str())).collect()
        };
        let (whole, torn) = (files(true), files(false));
        let mut replaced = Vec::new();
        for (hash, outputs) in known.of_page.iter().filter(|(hash, _)| !known.asked.contains_key(*hash)) {
            for Output { slot, file, .. } in outputs {
                let at = (slot.folder.as_path(), file.as_str());
                if whole.contains(&at) && !torn.contains(&at) {
                    replaced.push((slot.clone(), hash.clone()));
                }
            }
        }
        replaced.sort();
        replaced
    }
}

impl Place {
    /// What an operator should know of it.
    pub(super) fn remark(&self, source: &PageSource, number: u32) -> Option<String> {
        let slot = |slot: &Slot| line(&slot.folder.join(&slot.base).to_string_lossy());
        let (file, here) = (line(&source.file), slot(&self.slot));
        if let Some(left) = self.left.first() {
            return Some(format!(
                "{file}, page {number}: was read before as {}; its output, and what was decided, is {here} now",
                slot(left)
            ));
        }
        self.has_namesake.then(|| {
            format!(
                "{file}, page {number}: another page was read under this name before and stays; this one is {here}; if it replaces the other, run it \
                 again with --replace"
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(folder: &str, file: &str) -> PageSource {
        PageSource {
            path: file.into(),
            file: file.into(),
            publication: String::new(),
            date: None,
            folder: folder.into(),
            stem: "p1".into(),
        }
    }

    fn hash(letter: &str) -> String {
        letter.repeat(64)
    }

    /// What a run sees of pages that were read before.
    fn places(read: &[(&str, &str, &str, &str)]) -> Places {
        let mut known = Known::default();
        for (folder, base, file, letter) in read {
            let slot = Slot { folder: folder.into(), base: (*base).into() };
            known.taken.insert(slot.clone(), hash(letter));
            known.of_page.entry(hash(letter)).or_default().push(Output {
                slot,
                file: (*file).into(),
                page: 1,
            });
        }
        Places(Mutex::new(known))
    }

    /// Where a page goes, and from where.
    fn place(places: &Places, folder: &str, file: &str, letter: &str) -> (String, Vec<String>) {
        let place = places.of(&source(folder, file), 1, "p1", &hash(letter));
        let told = |slot: &Slot| format!("{}/{}", slot.folder.display(), slot.base);
        (told(&place.slot), place.left.iter().map(told).collect())
    }

    #[test]
    fn a_page_keeps_its_output_whatever_comes_beside_it() {
        let places = places(&[("a", "p1", "p1.jpg", "a"), ("a", "p1-jpg-1f2a3b", "p1.jpg", "b")]);
        assert_eq!(place(&places, "a", "p1.jpg", "b"), ("a/p1-jpg-1f2a3b".into(), vec![]));
        assert_eq!(place(&places, "a", "p1.jpg", "a"), ("a/p1".into(), vec![]));
        assert_eq!(place(&places, "a", "p1.jpg", "c"), ("a/p1-cccccc".into(), vec![]), "another page");
        assert_eq!(place(&places, "a", "p1.jpg", "c"), ("a/p1-cccccc".into(), vec![]), "and the same again");
        assert!(places.of(&source("a", "p1.jpg"), 1, "p1", &hash("d")).has_namesake);
    }

    #[test]
    fn a_page_takes_its_output_along() {
        // Its issue was corrected, and its file was given another name.
        let one = || places(&[("a", "p9", "p9.jpg", "a")]);
        assert_eq!(place(&one(), "b", "p9.jpg", "a"), ("b/p1".into(), vec!["a/p9".into()]));
        assert_eq!(place(&one(), "a", "p1.jpg", "a"), ("a/p1".into(), vec!["a/p9".into()]));
        // Two pages whose names were exchanged.
        let two = places(&[("a", "p1", "p1.jpg", "a"), ("b", "p1", "p1.jpg", "b")]);
        assert_eq!(place(&two, "b", "p1.jpg", "a"), ("b/p1-aaaaaa".into(), vec!["a/p1".into()]));
        assert_eq!(place(&two, "a", "p1.jpg", "b"), ("a/p1-bbbbbb".into(), vec!["b/p1".into()]));
        // A kill came while it was moved.
        let twice = places(&[("a", "p1", "p1.jpg", "a"), ("b", "p1", "p1.jpg", "a")]);
        assert_eq!(place(&twice, "b", "p1.jpg", "a"), ("b/p1".into(), vec!["a/p1".into()]));
    }

    #[test]
    fn only_a_page_that_is_nowhere_any_more_is_replaced() {
        let places =
            places(&[("a", "p1", "p1.jpg", "a"), ("a", "p2", "p2.jpg", "b"), ("b", "p1", "p1.jpg", "c")]);
        // The first page was given the second one's name, and a new one has its own.
        place(&places, "a", "p2.jpg", "a");
        places.settle(&hash("a"));
        place(&places, "a", "p1.jpg", "d");
        assert_eq!(places.replaced().len(), 1);
        // Of a file of two pages one could not be read.
        place(&places, "a", "p2.jpg", "e");
        assert_eq!(places.replaced(), []);
        places.settle(&hash("e"));
        let replaced = places.replaced();
        assert_eq!(replaced, [(Slot { folder: "a".into(), base: "p2".into() }, hash("b"))]);
    }
}

//! Assigns output locations to pages. A page is identified by its content. A page that is read
//! again keeps its output. If the name or the issue of a page has changed, its output moves. A page
//! never gets the output of another page.

use super::{
    listing,
    record::{self, PageRecord},
    stored_review::Review,
};
use crate::{
    base::files,
    batch::{
        BatchError, PageSource,
        file_names::{RECORD_SUFFIX, REVIEW_SUFFIX},
    },
};
use std::{
    collections::{HashMap, HashSet},
    io,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};
use tender_model::terminal_text::single_line;

/// The lengths of the hash prefixes that distinguish pages with the same name, in the order in
/// which they are tried.
const HASH_PREFIX_LENGTHS: [usize; 3] = [6, 16, 64];

/// The outputs in a folder and the pages they belong to.
#[derive(Debug)]
pub(crate) struct OutputPaths(Mutex<OutputIndex>);

#[derive(Debug, Default)]
struct OutputIndex {
    /// The outputs of each page, by hash. There are several if a move was interrupted.
    of_page: HashMap<String, Vec<Output>>,
    /// The hash of the page that owns each output location.
    taken: HashMap<OutputSlot, String>,
    /// The hashes of the pages that earlier runs read, by output folder, file and page number.
    read_as: HashMap<(PathBuf, String, u32), Vec<String>>,
    /// The hashes of the pages of this run, and whether each page is written.
    in_run: HashMap<String, bool>,
    /// The new pages of this run, each with the pages that had its name or position before.
    namesakes: Vec<Namesake>,
}

/// The output of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Output {
    slot: OutputSlot,
    /// The file of the page, relative to its batch; empty if unknown.
    file: String,
    /// A short hash of the full path of the page's file; empty if unknown.
    from: String,
    /// The page in the file, from 1; 0 if unknown.
    page: u32,
}

/// A new page, and the pages that had its output name or its position in the file before.
#[derive(Debug)]
struct Namesake {
    hash: String,
    /// The page in the file, from 1.
    page: u32,
    /// The hashes of the pages that had its name or position.
    before: Vec<String>,
}

/// The folder of a page below the output folder, and the prefix of its file names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct OutputSlot {
    pub(crate) folder: PathBuf,
    pub(crate) base: String,
}

impl OutputIndex {
    /// Adds an output of a page. If another page already owns the location, this page has only
    /// reviews there.
    fn add(&mut self, hash: String, output: Output) {
        self.taken.entry(output.slot.clone()).or_insert_with(|| hash.clone());
        let outputs = self.of_page.entry(hash).or_default();
        if outputs.iter().all(|other| other.slot != output.slot) {
            outputs.push(output);
        }
    }

    /// The first output of a page. A page of this run has one output.
    fn output(&self, hash: &str) -> Option<&Output> {
        self.of_page.get(hash)?.first()
    }
}

impl OutputSlot {
    /// The output that a file belongs to. `end` is the suffix of the file and `out` the output
    /// folder.
    fn of(out: &Path, path: &Path, end: &str) -> Option<Self> {
        let folder = path.parent()?.strip_prefix(out).ok()?.to_owned();
        let base = path.file_name()?.to_str()?.strip_suffix(end)?.to_owned();
        Some(Self { folder, base })
    }

    /// The location in one line.
    fn display(&self) -> String {
        single_line(&self.folder.join(&self.base).to_string_lossy())
    }

    /// The path of the record. `out` is the output folder.
    pub(crate) fn record(&self, out: &Path) -> PathBuf {
        out.join(&self.folder).join(format!("{}{RECORD_SUFFIX}", self.base))
    }
}

/// The output location of a page.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct OutputPath {
    pub(crate) slot: OutputSlot,
    /// The former locations of the page, from which its output moves.
    pub(crate) left: Vec<OutputSlot>,
}

impl OutputPaths {
    /// Loads the outputs of a folder.
    ///
    /// # Errors
    /// If the folder cannot be listed, or a record cannot be read. Otherwise, the output that
    /// belongs to the record could be overwritten.
    pub(crate) fn load(out: &Path) -> Result<Self, BatchError> {
        let listed = |ending: &str| match listing::find_files(out, ending) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed.map_err(|source| BatchError::Unlisted { path: out.to_owned(), source }),
        };
        let mut index = OutputIndex::default();
        for path in listed(RECORD_SUFFIX)? {
            let record = record::try_read_record(&path);
            let record = record.map_err(|source| BatchError::Unread { path: path.clone(), source })?;
            let Some((record, slot)) = record.zip(OutputSlot::of(out, &path, RECORD_SUFFIX)) else {
                continue;
            };
            let PageRecord { hash, file, page, from, .. } = record;
            let place = (slot.folder.clone(), file.clone(), page);
            index.read_as.entry(place).or_default().push(hash.clone());
            index.add(hash, Output { slot, file, from, page });
        }
        // If a record is lost, the reviews still identify the page that owns the output.
        for path in listed(REVIEW_SUFFIX)? {
            let Some(mut slot) = OutputSlot::of(out, &path, REVIEW_SUFFIX) else { continue };
            let Some(review) = files::read_json::<Review>(&path) else { continue };
            slot.base.truncate(slot.base.rfind('-').unwrap_or(slot.base.len()));
            index.add(review.page, Output { slot, file: String::new(), from: String::new(), page: 0 });
        }
        Ok(Self(Mutex::new(index)))
    }

    fn index(&self) -> MutexGuard<'_, OutputIndex> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reserves the location of a page. `base` is the output name derived from its file.
    pub(crate) fn reserve(&self, source: &PageSource, page: u32, base: &str, hash: &str) -> OutputPath {
        let index = &mut *self.index();
        let mine = index.of_page.remove(hash).unwrap_or_default();
        let wanted = OutputSlot { folder: source.folder.clone(), base: base.to_owned() };
        let is_free = |slot: &OutputSlot| index.taken.get(slot).is_none_or(|taker| taker == hash);
        let here =
            || mine.iter().filter(|output| output.slot.folder == source.folder && is_free(&output.slot));
        let current = here().find(|output| output.file == source.file).map(|output| output.slot.clone());
        let slot = current
            .or_else(|| is_free(&wanted).then(|| wanted.clone()))
            .or_else(|| here().next().map(|output| output.slot.clone()))
            .or_else(|| {
                let prefixes = HASH_PREFIX_LENGTHS.iter().filter_map(|&length| hash.get(..length));
                let bases = prefixes.map(|part| format!("{base}-{part}"));
                bases.map(|base| OutputSlot { base, ..wanted.clone() }).find(|slot| is_free(slot))
            })
            .unwrap_or_else(|| OutputSlot { base: format!("{base}-{hash}"), ..wanted.clone() });
        if mine.is_empty() {
            let place = (source.folder.clone(), source.file.clone(), page);
            let before = index.read_as.get(&place).into_iter().flatten().chain(index.taken.get(&wanted));
            let before = before.filter(|before| *before != hash).cloned().collect();
            index.namesakes.push(Namesake { hash: hash.to_owned(), page, before });
        }
        let left: Vec<OutputSlot> =
            mine.into_iter().map(|output| output.slot).filter(|before| *before != slot).collect();
        // The former location becomes free in the next run. Until then its files may still exist.
        index.taken.insert(slot.clone(), hash.to_owned());
        let output = Output { slot: slot.clone(), file: source.file.clone(), from: source.path_hash(), page };
        index.of_page.insert(hash.to_owned(), vec![output]);
        index.in_run.insert(hash.to_owned(), false);
        OutputPath { slot, left }
    }

    /// Marks a page as written.
    pub(crate) fn mark_written(&self, hash: &str) {
        self.index().in_run.insert(hash.to_owned(), true);
    }

    /// The outputs of pages outside this run that were replaced: a page of this run now has their
    /// file and position. Empty until all pages of this run are written.
    pub(crate) fn replaced_outputs(&self) -> Vec<(OutputSlot, String)> {
        let index = self.index();
        if index.in_run.values().any(|is_written| !is_written) {
            return Vec::new();
        }
        let place = |output: &Output| {
            let Output { slot, file, from, page } = output;
            (!from.is_empty()).then(|| (slot.folder.clone(), file.clone(), from.clone(), *page))
        };
        let current = index.in_run.keys().filter_map(|hash| index.of_page.get(hash)).flatten();
        let current: HashSet<_> = current.filter_map(place).collect();
        let others = index.of_page.iter().filter(|(hash, _)| !index.in_run.contains_key(*hash));
        let others = others.flat_map(|(hash, outputs)| outputs.iter().map(move |output| (hash, output)));
        let replaced =
            others.filter(|(_, output)| place(output).is_some_and(|place| current.contains(&place)));
        let mut replaced: Vec<_> =
            replaced.map(|(hash, output)| (output.slot.clone(), hash.clone())).collect();
        replaced.sort();
        replaced
    }

    /// Forgets an output of a page, because its files were removed.
    pub(crate) fn forget(&self, slot: &OutputSlot, hash: &str) {
        let index = &mut *self.index();
        if let Some(outputs) = index.of_page.get_mut(hash) {
            outputs.retain(|output| output.slot != *slot);
        }
    }

    /// Remarks for the operator about new, written pages that have the name or position of a page
    /// outside this run.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let index = self.index();
        let is_written = |hash: &String| index.in_run.get(hash).copied().unwrap_or_default();
        let remarks = index.namesakes.iter().filter(|namesake| is_written(&namesake.hash)).filter_map(|namesake| {
            let Namesake { hash, page, before } = namesake;
            let before = before.iter().filter(|before| !index.in_run.contains_key(*before));
            let mut others = before.filter_map(|before| index.of_page.get(before)).flatten().peekable();
            others.peek()?;
            let Output { slot, file, from, .. } = index.output(hash)?;
            let is_replaced =
                others.any(|other| (&other.file, &other.from, other.page) == (file, from, *page));
            let replace = if is_replaced { "; if it replaces the other page, run again with --replace" } else { "" };
            Some(format!(
                "{}, page {page}: another page was read under this name before and is kept; this one is {}{replace}",
                single_line(file),
                slot.display()
            ))
        });
        remarks.collect()
    }
}

impl OutputPath {
    /// A remark for the operator if the page was moved. `number` is the page in the file.
    pub(crate) fn remark(&self, source: &PageSource, number: u32) -> Option<String> {
        let (left, here) = (self.left.first()?.display(), self.slot.display());
        Some(format!(
            "{}, page {number}: was read before as {left}; its output and its reviews are now {here}",
            single_line(&source.file)
        ))
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

    /// The locations of pages that were read before.
    fn places(read: &[(&str, &str, &str, &str)]) -> OutputPaths {
        let mut index = OutputIndex::default();
        for (folder, base, file, letter) in read {
            let slot = OutputSlot { folder: folder.into(), base: (*base).into() };
            let from = source(folder, file).path_hash();
            index.read_as.entry((folder.into(), (*file).into(), 1)).or_default().push(hash(letter));
            index.add(hash(letter), Output { slot, file: (*file).into(), from, page: 1 });
        }
        OutputPaths(Mutex::new(index))
    }

    /// The new location of a page and its former ones.
    fn place(places: &OutputPaths, folder: &str, file: &str, letter: &str) -> (String, Vec<String>) {
        let place = places.reserve(&source(folder, file), 1, "p1", &hash(letter));
        let shown = |slot: &OutputSlot| format!("{}/{}", slot.folder.display(), slot.base);
        (shown(&place.slot), place.left.iter().map(shown).collect())
    }

    #[test]
    fn a_page_keeps_its_output() {
        let places = places(&[("a", "p1", "p1.jpg", "a"), ("a", "p1-jpg-1f2a3b", "p1.jpg", "b")]);
        assert_eq!(place(&places, "a", "p1.jpg", "b"), ("a/p1-jpg-1f2a3b".into(), vec![]));
        assert_eq!(place(&places, "a", "p1.jpg", "a"), ("a/p1".into(), vec![]));
        assert_eq!(place(&places, "a", "p1.jpg", "c"), ("a/p1-cccccc".into(), vec![]), "another page");
        assert_eq!(place(&places, "a", "p1.jpg", "c"), ("a/p1-cccccc".into(), vec![]), "the same page again");
        assert_eq!(places.remarks(), Vec::<String>::new(), "no page is written yet");
    }

    #[test]
    fn a_page_with_a_reused_name_is_reported() {
        let places = places(&[("a", "p1", "p1.jpg", "a"), ("b", "p1", "p1.jpg", "b")]);
        place(&places, "a", "p1.jpg", "c");
        assert_eq!(places.remarks(), Vec::<String>::new(), "the page is not written yet");
        places.mark_written(&hash("c"));
        let shown = places.remarks();
        assert_eq!(shown.len(), 1);
        assert!(shown[0].contains("this one is a/p1-cccccc") && shown[0].contains("--replace"), "{shown:?}");
        // A file of the same name in another folder replaces nothing.
        let elsewhere = PageSource { path: "elsewhere/p1.jpg".into(), ..source("b", "p1.jpg") };
        places.reserve(&elsewhere, 1, "p1", &hash("d"));
        places.mark_written(&hash("d"));
        let shown = places.remarks();
        assert!(shown[1].contains("this one is b/p1-dddddd") && !shown[1].contains("--replace"), "{shown:?}");
        assert_eq!(
            places.replaced_outputs(),
            [(OutputSlot { folder: "a".into(), base: "p1".into() }, hash("a"))]
        );
        // The first page is found again: its file was only renamed.
        place(&places, "a", "p2.jpg", "a");
        places.mark_written(&hash("a"));
        assert_eq!(places.remarks().len(), 1);
        assert_eq!(places.replaced_outputs(), []);
    }

    #[test]
    fn the_first_of_two_pages_without_records_keeps_their_location() {
        let mut index = OutputIndex::default();
        let slot = OutputSlot { folder: "a".into(), base: "p1".into() };
        for letter in ["a", "b"] {
            let (file, from) = (String::new(), String::new());
            index.add(hash(letter), Output { slot: slot.clone(), file, from, page: 0 });
        }
        let places = OutputPaths(Mutex::new(index));
        assert_eq!(place(&places, "a", "p1.jpg", "b"), ("a/p1-bbbbbb".into(), vec!["a/p1".into()]));
        assert_eq!(place(&places, "a", "p1.jpg", "a"), ("a/p1".into(), vec![]));
    }

    #[test]
    fn output_moves_with_its_page() {
        // The issue was corrected, or the file was renamed.
        let one = || places(&[("a", "p9", "p9.jpg", "a")]);
        assert_eq!(place(&one(), "b", "p9.jpg", "a"), ("b/p1".into(), vec!["a/p9".into()]));
        assert_eq!(place(&one(), "a", "p1.jpg", "a"), ("a/p1".into(), vec!["a/p9".into()]));
        // The issues of two pages were exchanged.
        let two = places(&[("a", "p1", "p1.jpg", "a"), ("b", "p1", "p1.jpg", "b")]);
        assert_eq!(place(&two, "b", "p1.jpg", "a"), ("b/p1-aaaaaa".into(), vec!["a/p1".into()]));
        assert_eq!(place(&two, "a", "p1.jpg", "b"), ("a/p1-bbbbbb".into(), vec!["b/p1".into()]));
        // The process was killed during the move.
        let twice = places(&[("a", "p1", "p1.jpg", "a"), ("b", "p1", "p1.jpg", "a")]);
        assert_eq!(place(&twice, "b", "p1.jpg", "a"), ("b/p1".into(), vec!["a/p1".into()]));
    }

    #[test]
    fn nothing_is_replaced_until_all_pages_of_the_run_are_written() {
        let places =
            places(&[("a", "p1", "p1.jpg", "a"), ("a", "p2", "p2.jpg", "b"), ("b", "p1", "p1.jpg", "c")]);
        // The first page got the name of the second, and a new page got the name of the first.
        place(&places, "a", "p2.jpg", "a");
        places.mark_written(&hash("a"));
        assert_eq!(places.replaced_outputs().len(), 1);
        place(&places, "a", "p1.jpg", "d");
        assert_eq!(places.replaced_outputs(), [], "the new page is not written yet");
        places.mark_written(&hash("d"));
        // A further page is not written yet.
        place(&places, "a", "p2.jpg", "e");
        assert_eq!(places.replaced_outputs(), []);
        places.mark_written(&hash("e"));
        let gone = OutputSlot { folder: "a".into(), base: "p2".into() };
        assert_eq!(places.replaced_outputs(), [(gone.clone(), hash("b"))]);
        let shown = places.remarks();
        assert!(shown.len() == 1 && shown[0].contains("--replace"), "{shown:?}");
        places.forget(&gone, &hash("b"));
        assert_eq!(
            (places.replaced_outputs(), places.remarks()),
            (vec![], vec![]),
            "nothing is left of the page"
        );
    }

    #[test]
    fn a_file_replaces_only_the_pages_it_has() {
        let places = places(&[("a", "p1-page1", "p1.pdf", "a")]);
        let second = OutputSlot { folder: "a".into(), base: "p1-page2".into() };
        let from = source("a", "p1.pdf").path_hash();
        places.index().add(hash("b"), Output { slot: second, file: "p1.pdf".into(), from, page: 2 });
        place(&places, "a", "p1.pdf", "c");
        places.mark_written(&hash("c"));
        assert_eq!(
            places.replaced_outputs(),
            [(OutputSlot { folder: "a".into(), base: "p1-page1".into() }, hash("a"))]
        );
    }
}

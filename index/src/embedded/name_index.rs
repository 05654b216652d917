//! [`NameIndex`]: prefix search in the names of organisations.

use tender_model::text::normalise;

/// Names that can be found by the start of any word.
#[derive(Debug, Default)]
pub(super) struct NameIndex {
    /// The normalised words of each name, by code.
    names: Vec<String>,
    /// The start of each word, as code and byte offset in the name. Sorted by the rest of the name.
    word_starts: Vec<(u32, u32)>,
}

impl NameIndex {
    /// Indexes names in the order of their codes, starting at 1.
    pub(super) fn new<'a>(spellings: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<String> = std::iter::once(String::new()).chain(spellings.map(normalise)).collect();
        let mut word_starts = Vec::new();
        for (code, name) in names.iter().enumerate() {
            let words = name.split(' ').filter(|word| !word.is_empty());
            let at = words.map(|word| word.as_ptr() as usize - name.as_ptr() as usize);
            word_starts.extend(at.map(|at| (code as u32, at as u32)));
        }
        let mut index = Self { names, word_starts: Vec::new() };
        word_starts.sort_unstable_by(|one, other| index.rest(*one).cmp(index.rest(*other)));
        index.word_starts = word_starts;
        index
    }

    /// One more than the highest code.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    fn rest(&self, (code, at): (u32, u32)) -> &str {
        self.names.get(code as usize).and_then(|name| name.get(at as usize..)).unwrap_or_default()
    }

    /// The codes of the names that contain this text at the start of a word. A code may repeat.
    pub(super) fn starting_with(&self, prefix: &str) -> impl Iterator<Item = u32> {
        let first = self.word_starts.partition_point(|at| self.rest(*at) < prefix);
        let here = self.word_starts[first..].iter().take_while(move |at| self.rest(**at).starts_with(prefix));
        here.map(|(code, _)| *code)
    }
}

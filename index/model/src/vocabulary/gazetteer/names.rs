//! Spellings of names. A user may search for a place or public body in one script while the notice
//! uses another.

use crate::{text::normalise, vocabulary::District};
use std::{
    collections::{BTreeSet, HashMap},
    sync::LazyLock,
};

/// One spelling of a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Spelling {
    /// Normalised words joined by one space. If the name takes endings, the part that an ending
    /// replaces is cut off.
    pub words: String,
    /// Whether the name takes endings, so that it matches as a prefix.
    pub takes_endings: bool,
}

/// A name at the start of a sequence of words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NameMatch {
    /// How many words belong to the name.
    pub count: usize,
    /// The other spellings, sorted. If the matched spelling takes endings, it is included.
    pub spellings: Vec<&'static Spelling>,
}

/// The maximum number of words of a name.
const MAX_WORDS: usize = 9;
/// The minimum number of characters of a name that takes endings. Too many words start with
/// shorter names.
const MIN_LENGTH_WITH_ENDINGS: usize = 4;
/// Marks the start of the endings in the list of common terms.
pub const STEM_END: char = '·';
/// Names that never take endings, because other words start with them. `காலி` is Galle, but the
/// word for vacancies starts with it.
const NEVER_WITH_ENDINGS: [&str; 1] = ["காலி"];

/// The longest known name at the start of normalised words.
pub fn find_name(words: &[&str]) -> Option<NameMatch> {
    (1..=words.len().min(MAX_WORDS)).rev().find_map(|count| {
        let joined = words[..count].join(" ");
        let names = NAMES.find(&joined)?.iter().filter_map(|name| NAMES.names.get(*name)).flatten();
        let spellings: BTreeSet<_> =
            names.filter(|spelling| spelling.takes_endings || spelling.words != joined).collect();
        Some(NameMatch { count, spellings: spellings.into_iter().collect() })
    })
}

/// All spellings that are one word in Latin letters. They serve as corrections of typing errors.
pub fn latin_words() -> impl Iterator<Item = &'static str> {
    let words = NAMES.by_words.keys().map(String::as_str);
    words.filter(|words| words.bytes().all(|byte| byte.is_ascii_lowercase()))
}

/// District names in each script, English first.
pub fn districts() -> impl Iterator<Item = (&'static str, District)> {
    let rows = || include_str!("districts.tsv").lines().map(|line| line.split('\t'));
    let column = move |index: usize| {
        rows().filter_map(move |mut cells| Some((cells.clone().nth(index)?, cells.next()?.parse().ok()?)))
    };
    (0..3).flat_map(column)
}

/// The known public bodies, one per line: English names, acronyms, Sinhala names and Tamil names.
/// Tabs separate the columns, and `|` separates names within a column.
pub const ORGANIZATIONS: &str = include_str!("organizations.tsv");

/// Further organisations that invite bids, in the same columns and with their type in a fifth one. The
/// readers know them. They have no other spellings, so a search gains nothing from them.
pub const MORE_ORGANIZATIONS: &str = include_str!("more-organizations.tsv");

/// Sinhala and Tamil names of places, public bodies and common terms, as written. In the terms,
/// [`STEM_END`] marks the start of the endings.
pub fn native_names() -> impl Iterator<Item = &'static str> {
    let names = places_and_bodies().chain(common_terms());
    names.flat_map(|[_, sinhala, tamil]| sinhala.into_iter().chain(tamil))
}

/// The spellings of all places and public bodies.
struct Names {
    /// The spellings of each place or public body, at least two.
    names: Vec<Vec<Spelling>>,
    /// Indices into `names` by [`Spelling::words`].
    by_words: HashMap<String, Vec<usize>>,
    /// The spellings that take endings.
    with_endings: BTreeSet<String>,
}

static NAMES: LazyLock<Names> = LazyLock::new(|| {
    Names::of(places_and_bodies().map(|[english, sinhala, tamil]| [english, sinhala, tamil].concat()))
});

/// The names of each place and public body in English, Sinhala and Tamil, the usual name first. A
/// list is empty if no name in its language is known.
pub fn places_and_bodies() -> impl Iterator<Item = [Vec<&'static str>; 3]> {
    let mut variants: HashMap<&str, Vec<&str>> = HashMap::new();
    for (variant, name) in include_str!("variants.tsv").lines().filter_map(|line| line.split_once('\t')) {
        variants.entry(name).or_default().push(variant);
    }
    let districts = include_str!("districts.tsv").lines().map(move |line| {
        let mut names = split_forms(line.split('\t'));
        let others = names[0].first().and_then(|name| variants.get(name)).cloned();
        names[0].extend(others.unwrap_or_default());
        names
    });
    let towns = include_str!("towns.tsv").lines().map(|line| {
        let cells = line.split('\t').enumerate();
        // The second column is the district.
        split_forms(cells.filter(|(index, _)| *index != 1).map(|(_, name)| name))
    });
    let provinces = include_str!("provinces.tsv").lines().map(|line| split_forms(line.split('\t')));
    let bodies = ORGANIZATIONS.lines().map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        let mut names =
            split_forms(cells.iter().enumerate().filter(|(index, _)| *index != 1).map(|(_, cell)| *cell));
        // The second column holds acronyms of the English names.
        names[0].extend(cells.get(1).into_iter().flat_map(|cell| forms(cell)));
        names
    });
    districts.chain(towns).chain(provinces).chain(bodies)
}

/// Common subjects of notices in English, Sinhala and Tamil, the usual term first. [`STEM_END`]
/// marks the start of the endings.
pub fn common_terms() -> impl Iterator<Item = [Vec<&'static str>; 3]> {
    include_str!("terms.tsv").lines().map(|line| split_forms(line.split('\t')))
}

/// The forms in the English, Sinhala and Tamil cells.
fn split_forms(mut cells: impl Iterator<Item = &'static str>) -> [Vec<&'static str>; 3] {
    std::array::from_fn(|_| cells.next().into_iter().flat_map(forms).collect())
}

fn forms(cell: &'static str) -> impl Iterator<Item = &'static str> {
    cell.split('|').filter(|form| !form.is_empty())
}

impl Names {
    fn of(lines: impl Iterator<Item = Vec<&'static str>>) -> Self {
        let mut all = Self { names: Vec::new(), by_words: HashMap::new(), with_endings: BTreeSet::new() };
        for line in lines {
            let spellings: BTreeSet<Spelling> = line.into_iter().filter_map(spelling).collect();
            if spellings.len() < 2 {
                continue;
            }
            for spelling in &spellings {
                all.by_words.entry(spelling.words.clone()).or_default().push(all.names.len());
                if spelling.takes_endings {
                    all.with_endings.insert(spelling.words.clone());
                }
            }
            all.names.push(spellings.into_iter().collect());
        }
        all
    }

    /// The indices of the names with this spelling, with or without an ending.
    fn find(&self, joined: &str) -> Option<&[usize]> {
        let exact = |words: &str| self.by_words.get(words).map(Vec::as_slice);
        exact(joined).or_else(|| {
            if joined.is_ascii() {
                return None;
            }
            let last_word = joined.rfind(' ').map_or(0, |space| space + 1);
            let cuts = joined.char_indices().rev().map(|(at, _)| at).take_while(|at| *at > last_word);
            cuts.map(|at| &joined[..at]).find(|cut| self.with_endings.contains(*cut)).and_then(exact)
        })
    }
}

/// Converts a name to the spelling that matches in texts. `None` if the name has no words.
pub fn spelling(name: &str) -> Option<Spelling> {
    let words = normalise(name);
    if words.is_empty() {
        return None;
    }
    // Tamil endings replace a final -m, a final short u, or the sign for a consonant without a
    // vowel.
    let cut = words.strip_suffix("ம்").or_else(|| words.strip_suffix(['ு', '்'])).unwrap_or(&words);
    let takes_endings = !words.is_ascii()
        && cut.chars().count() >= MIN_LENGTH_WITH_ENDINGS
        && !NEVER_WITH_ENDINGS.contains(&words.as_str());
    Some(Spelling { words: if takes_endings { cut.to_owned() } else { words }, takes_endings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spellings(name: &str) -> Vec<String> {
        let words = normalise(name);
        let words: Vec<&str> = words.split(' ').collect();
        let show = |spelling: &Spelling| {
            format!("{}{}", spelling.words, if spelling.takes_endings { "…" } else { "" })
        };
        find_name(&words).map(|named| named.spellings.into_iter().map(show).collect()).unwrap_or_default()
    }

    #[test]
    fn a_name_is_found_in_three_scripts() {
        assert_eq!(spellings("Kandy"), ["கண்டி…", "මහනුවර…"]);
        assert_eq!(spellings("யாழ்ப்பாணத்தில்"), ["jaffna", "யாழ்ப்பாண…", "යාපනය…"]);
        assert_eq!(spellings("කුරුණෑගලට"), ["kurunagala", "kurunegala", "குருநாகல…", "කුරුණෑගල…"]);
        assert!(spellings("RDA").contains(&"road development authority".to_owned()));
        assert!(spellings("road development authority works").contains(&"rda".to_owned()));
        assert!(spellings("මාර්ග සංවර්ධන අධිකාරියේ").contains(&"rda".to_owned()));
        assert_eq!(spellings("Atlantis"), Vec::<String>::new());
    }

    #[test]
    fn the_longest_name_wins() {
        let words = ["nuwara", "eliya", "road"];
        assert_eq!(find_name(&words).map(|named| named.count), Some(2));
        assert_eq!(find_name(&words[1..]), None);
    }

    #[test]
    fn every_organization_name_is_found() {
        let organizations = ORGANIZATIONS.lines();
        for line in organizations {
            let cells: Vec<&str> = line.split('\t').collect();
            assert_eq!(cells.len(), 4, "{line}");
            for name in [cells[0], cells[2], cells[3]].iter().flat_map(|cell| cell.split('|')) {
                let words = normalise(name);
                let words: Vec<&str> = words.split(' ').collect();
                assert!(words.len() <= MAX_WORDS, "{name}");
                assert_eq!(find_name(&words).map(|named| named.count), Some(words.len()), "{name}");
            }
        }
        assert!(NAMES.names.len() > 400, "{}", NAMES.names.len());
    }
}

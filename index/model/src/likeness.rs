//! Estimates how likely it is that two tenders are the same, and gives the evidence. References,
//! titles, organisations and closing days are compared. OCR errors are allowed for.

use crate::{tender::Tender, text::Words, vocabulary::gazetteer};
use std::collections::{BTreeMap, BTreeSet};

/// Two tenders with at least this likeness are probably the same. `index/tests/it/similar.rs`
/// checks the threshold with the notices of the fixtures.
pub const LIKELY_DUPLICATE: f64 = 0.7;

/// The evidence that two tenders are the same.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grounds {
    /// How the references compare.
    pub reference: ReferenceLikeness,
    /// Similarity of the titles, 0 to 1. It is low for titles in different languages.
    pub title: f64,
    /// Whether the organisations' names are similar, or the gazetteer lists them as names of one
    /// organisation. `None` if a name is missing.
    pub same_organization: Option<bool>,
    /// Whether both close on the same day in Colombo. `None` if one date is missing.
    pub same_closing: Option<bool>,
    /// `Some(true)` if the titles contain the same numbers, `Some(false)` if each title has a
    /// number that the other lacks. `None` if only one title has such a number.
    pub same_numbers: Option<bool>,
}

/// How two references compare, ignoring separators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReferenceLikeness {
    /// Equal, or equal after mapping characters that OCR confuses.
    Same,
    /// The edit distance is at most two.
    Near,
    /// The edit distance is more than two.
    Different,
    /// At least one is missing.
    Unknown,
}

/// The minimum length of a long reference. Shorter references are often used more than once.
pub(crate) const LONG_REFERENCE_LENGTH: usize = 8;
/// Titles with at least this similarity count as the same.
pub(crate) const SAME_TITLE_SIMILARITY: f64 = 0.75;
const SAME_NAME_SIMILARITY: f64 = 0.7;

/// The likelihood that two tenders are the same, 0 to 1, and the evidence for it.
#[must_use]
pub fn likeness(one: &Tender, other: &Tender) -> (f64, Grounds) {
    let (first, second) = (PreparedText::of(&one.title), PreparedText::of(&other.title));
    let title = first.likeness(&second);
    let days = one.dates.closing.zip(other.dates.closing);
    let grounds = Grounds {
        reference: compare_references(one.reference_no.as_deref(), other.reference_no.as_deref()),
        title,
        same_organization: is_same_organization(&one.organization.name, &other.organization.name),
        same_closing: days.map(|(one, other)| one.day() == other.day()),
        same_numbers: first.compare_numbers(&second),
    };
    let is_long = remove_separators(one.reference_no.as_deref().unwrap_or_default()).chars().count()
        >= LONG_REFERENCE_LENGTH;
    let weigh = |ground: Option<bool>, yes: f64, no: f64| match ground {
        Some(true) => yes,
        Some(false) => -no,
        None => 0.0,
    };
    let context_score =
        |yes: f64, no: f64| weigh(grounds.same_organization, yes, no) + weigh(grounds.same_closing, yes, no);
    // The same work in another year or section has the same words but other numbers.
    let same_title = title >= SAME_TITLE_SIMILARITY && first.numbers_agree(&second);
    let likeness: f64 = match grounds.reference {
        // A long reference decides, even if the languages or the closing days differ.
        ReferenceLikeness::Same if is_long => {
            0.85 + context_score(0.05, 0.05) + if same_title { 0.05 } else { 0.0 }
        }
        ReferenceLikeness::Same if same_title => 0.75 + context_score(0.1, 0.15),
        ReferenceLikeness::Same => 0.4 + context_score(0.15, 0.15),
        ReferenceLikeness::Near if same_title => 0.5 + context_score(0.2, 0.25),
        ReferenceLikeness::Unknown if same_title => 0.5 + context_score(0.2, 0.25),
        // Organisations often repeat a purchase.
        ReferenceLikeness::Different if same_title => 0.3 + context_score(0.1, 0.1),
        _ => 0.4 * title + context_score(0.05, 0.1),
    };
    (likeness.clamp(0.0, 1.0), grounds)
}

/// A reference as normalised letters and digits, without separators.
pub fn remove_separators(reference: &str) -> String {
    Words::of(reference).iter().collect()
}

fn compare_references(one: Option<&str>, other: Option<&str>) -> ReferenceLikeness {
    let (one, other) =
        (remove_separators(one.unwrap_or_default()), remove_separators(other.unwrap_or_default()));
    if one.is_empty() || other.is_empty() {
        return ReferenceLikeness::Unknown;
    }
    if one == other || merge_confusable_characters(&one) == merge_confusable_characters(&other) {
        return ReferenceLikeness::Same;
    }
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    if edit_distance(&one, &other) <= 2 { ReferenceLikeness::Near } else { ReferenceLikeness::Different }
}

/// Similarity of two texts, 0 to 1. Word order does not count, and OCR errors count little.
pub(crate) fn text_similarity(one: &str, other: &str) -> f64 {
    PreparedText::of(one).likeness(&PreparedText::of(other))
}

/// Maps characters that OCR confuses to one representative.
pub(crate) fn merge_confusable_characters(text: &str) -> String {
    let representative = |c: char| match c {
        'o' | 'q' | 'd' => '0',
        'i' | 'l' | 'j' | 't' => '1',
        'z' => '2',
        's' => '5',
        'b' => '8',
        'g' => '6',
        other => other,
    };
    text.chars().map(representative).collect()
}

/// Whether two names are those of one organisation. `None` if a name is missing.
pub(crate) fn is_same_organization(one: &str, other: &str) -> Option<bool> {
    let (first, second) = (PreparedText::of(one), PreparedText::of(other));
    if first.words.is_empty() || second.words.is_empty() {
        return None;
    }
    let full_gazetteer_name = |printed: &PreparedText| {
        let words: Vec<&str> = printed.words.iter().map(String::as_str).collect();
        gazetteer::find_name(&words).filter(|name| name.count == words.len())
    };
    let named = match (full_gazetteer_name(&first), full_gazetteer_name(&second)) {
        (Some(one), Some(other)) => one.spellings.iter().any(|spelling| other.spellings.contains(spelling)),
        _ => false,
    };
    Some(named || first.likeness(&second) >= SAME_NAME_SIMILARITY)
}

/// A text prepared for comparison: its words, its numbers, and the frequencies of its letter
/// trigrams.
struct PreparedText {
    words: Vec<String>,
    numbers: Vec<String>,
    grams: BTreeMap<[char; 3], u32>,
}

impl PreparedText {
    fn of(text: &str) -> Self {
        let split = Words::of(text);
        let words: Vec<String> = split.iter().map(str::to_owned).collect();
        // A single digit that touches a letter counts as a misread letter: `0fficial`.
        let places = split.ranges();
        let touches = |index: usize| {
            let after = index.checked_sub(1).and_then(|before| places.get(before));
            after.is_some_and(|before| before.to == places[index].from)
                || places.get(index + 1).is_some_and(|next| next.from == places[index].to)
        };
        let is_number = |(index, word): &(usize, &str)| {
            word.starts_with(|c: char| c.is_ascii_digit()) && (word.len() > 1 || !touches(*index))
        };
        let numbers = split.iter().enumerate().filter(is_number).map(|(_, word)| word.to_owned()).collect();
        let mut grams = BTreeMap::new();
        for word in &words {
            let letters: Vec<char> =
                std::iter::once(' ').chain(merge_confusable_characters(word).chars()).chain([' ']).collect();
            for gram in letters.windows(3) {
                if let Ok(gram) = <[char; 3]>::try_from(gram) {
                    *grams.entry(gram).or_default() += 1;
                }
            }
        }
        Self { words, numbers, grams }
    }

    /// Dice's coefficient of the letter trigrams (Dice 1945). It is 1 for the same words in any
    /// order.
    fn likeness(&self, other: &Self) -> f64 {
        let count = |printed: &Self| printed.grams.values().sum::<u32>();
        let all = count(self) + count(other);
        let both =
            |(gram, count): (&[char; 3], &u32)| other.grams.get(gram).map_or(0, |other| *count.min(other));
        let shared: u32 = self.grams.iter().map(both).sum();
        if all == 0 { 0.0 } else { 2.0 * f64::from(shared) / f64::from(all) }
    }

    /// Whether both contain the same numbers in the same order.
    fn numbers_agree(&self, other: &Self) -> bool {
        self.numbers == other.numbers
    }

    /// `Some(true)` if both contain the same numbers, `Some(false)` if each has one that the other
    /// lacks, and `None` otherwise.
    fn compare_numbers(&self, other: &Self) -> Option<bool> {
        let (one, other): (BTreeSet<_>, BTreeSet<_>) =
            (self.numbers.iter().collect(), other.numbers.iter().collect());
        match (one.is_subset(&other), other.is_subset(&one)) {
            (true, true) => Some(true),
            (false, false) => Some(false),
            _ => None,
        }
    }
}

/// Levenshtein distance.
fn edit_distance(one: &[char], other: &[char]) -> usize {
    let mut above: Vec<usize> = (0..=other.len()).collect();
    for (i, a) in one.iter().enumerate() {
        let mut left = i + 1;
        let mut row = vec![left];
        for (j, b) in other.iter().enumerate() {
            left = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(left + 1);
            row.push(left);
        }
        above = row;
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tender::Organization;

    fn tender(title: &str, organization: &str, reference: &str, closing: &str) -> Tender {
        let mut tender = Tender {
            title: title.to_owned(),
            organization: Organization { name: organization.to_owned(), ..Organization::default() },
            reference_no: (!reference.is_empty()).then(|| reference.to_owned()),
            ..Tender::default()
        };
        tender.dates.closing = format!("{closing}T10:00:00+05:30").parse().ok();
        tender
    }

    #[test]
    fn the_same_reference_decides_in_any_language() {
        let english =
            tender("Concreting of rural roads", "Road Development Authority", "RDA/SI/2027/36", "2027-08-08");
        let sinhala = tender("ග්‍රාමීය මාර්ග කොන්ක්‍රීට් කිරීම", "මාර්ග සංවර්ධන අධිකාරිය", "RDA-SI-2O27-36", "2027-08-08");
        let (likeness, grounds) = likeness(&english, &sinhala);
        assert!(likeness >= 0.9, "{likeness}");
        assert_eq!(grounds.reference, ReferenceLikeness::Same);
        assert_eq!((grounds.same_organization, grounds.same_closing), (Some(true), Some(true)));
    }

    #[test]
    fn a_repeated_purchase_is_another_tender() {
        let bank = |reference, closing| {
            tender(
                "Printing and Supply of Bank Stationery for Year 2027",
                "Bank of Ceylon",
                reference,
                closing,
            )
        };
        let one = bank("BC/PROC/2027/138", "2027-02-02");
        assert!(likeness(&one, &bank("BC/ICB/8376/2027", "2027-02-02")).0 < LIKELY_DUPLICATE);
        assert!(likeness(&one, &bank("BC/PROC/2027/139", "2027-05-02")).0 < LIKELY_DUPLICATE);
        let year = tender(
            "Printing and Supply of Bank Stationery for Year 2028",
            "Bank of Ceylon",
            "",
            "2027-02-02",
        );
        assert!(likeness(&one, &year).0 < LIKELY_DUPLICATE);
    }

    #[test]
    fn without_a_reference_similar_titles_need_the_same_closing_day() {
        let one = tender(
            "Renovation of official quarters at Elpitiya",
            "Divisional Secretariat, Weligama",
            "",
            "2027-02-02",
        );
        let again = tender(
            "Renovaton of 0fficial quarters at Elpitiya",
            "Divisional Secretariat - Weligama",
            "DSW/1/2",
            "2027-02-02",
        );
        assert!(likeness(&one, &again).0 >= LIKELY_DUPLICATE);
        let elsewhere = Tender { organization: Organization::default(), ..again.clone() };
        assert!(likeness(&one, &elsewhere).0 >= LIKELY_DUPLICATE);
        let later = tender(&again.title, "", "", "2027-03-02");
        assert!(likeness(&one, &later).0 < LIKELY_DUPLICATE);
        assert!(likeness(&Tender::default(), &Tender::default()).0 < 0.1);
    }
}

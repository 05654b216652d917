//! Characters: their class, the points where a text may be cut before normalising, and
//! normalisation of one segment.

use caseless::Caseless;
use std::iter::once;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::{IsNormalized, UnicodeNormalization, char::canonical_combining_class};

/// The class of a character, or of a single byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CharClass {
    /// A letter or a mark.
    Letter,
    /// A decimal digit.
    Digit,
    /// Neither a letter, a mark nor a digit. It separates words.
    Separator,
    /// A byte of a character outside ASCII.
    NonAscii,
}

/// The class of the first byte and the length of the run of that class. For bytes outside ASCII the
/// length is 0.
pub(super) fn ascii_run(bytes: &[u8]) -> (CharClass, usize) {
    let class = bytes.first().map_or(CharClass::NonAscii, |byte| CLASSES[usize::from(*byte)]);
    match class {
        CharClass::NonAscii => (class, 0),
        CharClass::Letter => (class, count_leading_letters(bytes)),
        _ => (class, bytes.iter().take_while(|byte| CLASSES[usize::from(**byte)] == class).count()),
    }
}

/// The number of leading ASCII letters, tested eight bytes at a time.
fn count_leading_letters(bytes: &[u8]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const fn repeat_byte(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let mut count = 0;
    for chunk in bytes.chunks(8) {
        let Some(eight) = chunk.first_chunk::<8>() else {
            return count + chunk.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        };
        let word = u64::from_le_bytes(*eight);
        // The bytes in lower case and without their high bits, so that the additions do not carry
        // into the next byte.
        let low = (word | repeat_byte(0x20)) & !HIGH;
        let from_a = low + repeat_byte(0x80 - b'a');
        let past_z = low + repeat_byte(0x80 - b'z' - 1);
        let other = (!from_a | past_z | word) & HIGH;
        if other != 0 {
            return count + other.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count
}

/// The class of each byte.
static CLASSES: [CharClass; 256] = {
    let mut classes = [CharClass::NonAscii; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = ascii_class(byte as u8);
        byte += 1;
    }
    classes
};

const fn ascii_class(byte: u8) -> CharClass {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => CharClass::Letter,
        b'0'..=b'9' => CharClass::Digit,
        _ => CharClass::Separator,
    }
}

/// The class of a character.
pub(super) fn class_of(c: char) -> CharClass {
    use GeneralCategory as Category;
    if c.is_ascii() {
        return ascii_class(c as u8);
    }
    match get_general_category(c) {
        Category::UppercaseLetter
        | Category::LowercaseLetter
        | Category::TitlecaseLetter
        | Category::ModifierLetter
        | Category::OtherLetter
        | Category::NonspacingMark
        | Category::SpacingMark
        | Category::EnclosingMark => CharClass::Letter,
        Category::DecimalNumber => CharClass::Digit,
        _ => CharClass::Separator,
    }
}

/// Whether a character is a default ignorable: soft hyphen, joiners, variation selectors, fillers.
/// Source: the property `Default_Ignorable_Code_Point` of Unicode 16.
pub(super) const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether a text may be cut before `c`. This holds if `c` is no default ignorable, and the first
/// character of its compatibility decomposition has combining class 0 and never composes with a
/// preceding character.
pub(super) fn starts_segment(c: char) -> bool {
    // A fast path for ASCII, and for Sinhala and Tamil letters.
    if c.is_ascii() || matches!(c, '\u{D85}'..='\u{DC6}' | '\u{B85}'..='\u{BB9}') {
        return true;
    }
    if is_ignorable(c) {
        return false;
    }
    let mut first = c;
    let mut seen = false;
    unicode_normalization::char::decompose_compatible(c, |part| {
        if !seen {
            (first, seen) = (part, true);
        }
    });
    canonical_combining_class(first) == 0
        && unicode_normalization::is_nfkc_quick(once(first)) == IsNormalized::Yes
}

/// The end of the segment that starts at `begin` and can be normalised by itself.
pub(super) fn segment_end(text: &str, begin: usize) -> usize {
    text[begin..]
        .char_indices()
        .skip(1)
        .find(|(_, c)| starts_segment(*c))
        .map_or(text.len(), |(offset, _)| begin + offset)
}

/// Appends a normalised segment: default ignorables are removed, and NFKC, full case folding and
/// NFKC are applied until nothing changes, at most four times.
pub(super) fn push_folded(piece: &str, out: &mut String) {
    // The scripts in this range, such as Sinhala and Tamil, have no case and few compositions, so
    // most segments are normalised already.
    let caseless = |c: char| matches!(c, '\u{900}'..='\u{109F}');
    if piece.chars().all(caseless) && unicode_normalization::is_nfkc_quick(piece.chars()) == IsNormalized::Yes
    {
        out.push_str(piece);
        return;
    }
    let mut folded: String = piece.chars().filter(|c| !is_ignorable(*c)).collect();
    for _ in 0..4 {
        let again: String = folded.nfkc().default_case_fold().nfkc().filter(|c| !is_ignorable(*c)).collect();
        if again == folded {
            break;
        }
        folded = again;
    }
    out.push_str(&folded);
}

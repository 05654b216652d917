//! Characters: which class of run they belong to, where a text can be cut so that normalising the pieces is normalising the
//! whole, and the normalisation of one such piece.

use caseless::Caseless;
use std::iter::once;
use unicode_general_category::{GeneralCategory, get_general_category};
use unicode_normalization::{IsNormalized, UnicodeNormalization, char::canonical_combining_class};

/// What a normalised character does to a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// A letter or a mark.
    Letter,
    /// A decimal digit.
    Digit,
    /// Neither: it stands between words.
    Between,
    /// Of a byte: part of a character that is not ASCII.
    Foreign,
}

/// The class of the first byte, and how many bytes of that class there are, if they are ASCII; else none.
pub(super) fn ascii_run(bytes: &[u8]) -> (Class, usize) {
    let class = bytes.first().map_or(Class::Foreign, |byte| CLASSES[usize::from(*byte)]);
    match class {
        Class::Foreign => (class, 0),
        Class::Letter => (class, letters(bytes)),
        _ => (class, bytes.iter().take_while(|byte| CLASSES[usize::from(**byte)] == class).count()),
    }
}

/// How many of the first bytes are ASCII letters, eight looked at in one go.
fn letters(bytes: &[u8]) -> usize {
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; 8])
    }
    let mut count = 0;
    for chunk in bytes.chunks(8) {
        let Some(eight) = chunk.first_chunk::<8>() else {
            return count + chunk.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        };
        let word = u64::from_le_bytes(*eight);
        // In lower case and without their high bits, so that no sum runs over into the next byte.
        let low = (word | all(0x20)) & !HIGH;
        let from_a = low + all(0x80 - b'a');
        let past_z = low + all(0x80 - b'z' - 1);
        let other = (!from_a | past_z | word) & HIGH;
        if other != 0 {
            return count + other.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count
}

/// The class of each byte.
static CLASSES: [Class; 256] = {
    let mut classes = [Class::Foreign; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte] = ascii_class(byte as u8);
        byte += 1;
    }
    classes
};

const fn ascii_class(byte: u8) -> Class {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
        b'0'..=b'9' => Class::Digit,
        _ => Class::Between,
    }
}

/// The class of a character.
pub(super) fn class_of(c: char) -> Class {
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
        | Category::EnclosingMark => Class::Letter,
        Category::DecimalNumber => Class::Digit,
        _ => Class::Between,
    }
}

/// Whether a character is a default ignorable: soft hyphen, joiners, variation selectors, fillers, …. Source: the property
/// `Default_Ignorable_Code_Point` of Unicode 16.
pub(super) const fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}'
        | '\u{180B}'..='\u{180F}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}'
        | '\u{3164}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFF8}'
        | '\u{1BCA0}'..='\u{1BCA3}' | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether nothing before `c` can change it, nor be changed by it: it is no mark and composes with nothing before it.
pub(super) fn begins_anew(c: char) -> bool {
    // Sinhala and Tamil letters, quickly.
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

/// The end of the piece of `text` that begins at `begin` and can be normalised by itself.
pub(super) fn segment_end(text: &str, begin: usize) -> usize {
    text[begin..]
        .char_indices()
        .skip(1)
        .find(|(_, c)| begins_anew(*c))
        .map_or(text.len(), |(offset, _)| begin + offset)
}

/// Appends a piece, normalised: default ignorables dropped, NFKC, full case folding, NFKC, until nothing changes any more.
pub(super) fn push_folded(piece: &str, out: &mut String) {
    // Indic scripts have no case and few compositions: most pieces are normal already.
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

//! Tests of the normaliser: examples, and properties over all of Unicode.

use super::{
    fold::{CharClass, class_of},
    *,
};
use caseless::Caseless;
use proptest::prelude::*;
use rstest::rstest;
use unicode_normalization::UnicodeNormalization;

#[rstest]
#[case("works.The", "works the")]
#[case("C5", "c 5")]
#[case("DSO.MT.2021/11", "dso mt 2021 11")]
#[case("S&R/2026", "s r 2026")]
#[case("Straße STRASSE ﬁne", "strasse strasse fine")]
#[case("co\u{AD}operation \u{FEFF}BOM", "cooperation bom")]
#[case("cafe\u{301} CAFÉ", "café café")]
#[case("½ m² №5", "1 2 m 2 no 5")]
#[case("ශ්‍රී ලංකා", "ශ්රී ලංකා")]
#[case("කො කො", "කො කො")]
#[case("கொள்முதல், 2026", "கொள்முதல் 2026")]
#[case("  --- \n", "")]
#[case("", "")]
fn texts_are_split_into_normalised_words(#[case] text: &str, #[case] words: &str) {
    assert_eq!(normalise(text), words);
}

#[test]
fn a_sinhala_conjunct_stays_one_word() {
    assert_eq!(Words::of("ප්‍රසම්පාදන").len(), 1);
}

#[test]
fn a_long_run_is_cut_into_words_of_at_most_255_bytes() {
    for text in ["a".repeat(1000), "ක".repeat(1000), format!("{}\u{301}", "a".repeat(255))] {
        let words = Words::of(&text);
        assert!(words.len() > 1);
        assert!(words.iter().all(|word| word.len() <= MAX_WORD_BYTES));
        assert_eq!(
            words.as_str().replace(' ', "").nfkc().collect::<String>(),
            text.nfkc().collect::<String>()
        );
    }
}

#[test]
fn words_map_back_to_the_original() {
    let text = "the  CO\u{AD}ST of ශ්‍රී\u{A0}x½";
    let words = Words::of(text);
    let origins: Vec<&str> = words.ranges().iter().map(|word| &text[word.from..word.to]).collect();
    assert_eq!(origins, ["the", "CO\u{AD}ST", "of", "ශ්‍රී", "x", "½", "½"]);
    let at = words.as_str().find("ost").unwrap();
    assert_eq!(&text[words.origin(text, at..at + 3)], "O\u{AD}ST");
    assert_eq!(&text[words.origin(text, at..at + 1)], "O\u{AD}");
}

/// The rules applied literally to the whole text.
fn normalise_whole(text: &str) -> String {
    let mut folded: String = text.chars().filter(|c| !fold::is_ignorable(*c)).collect();
    for _ in 0..4 {
        folded = folded.nfkc().default_case_fold().nfkc().filter(|c| !fold::is_ignorable(*c)).collect();
    }
    let mut out = String::new();
    let mut run = CharClass::Separator;
    let mut length = 0;
    for c in folded.chars() {
        let class = class_of(c);
        if class == CharClass::Separator {
            run = class;
            continue;
        }
        if class != run || length + c.len_utf8() > MAX_WORD_BYTES {
            if !out.is_empty() {
                out.push(' ');
            }
            length = 0;
        }
        out.push(c);
        length += c.len_utf8();
        run = class;
    }
    out
}

#[test]
fn normalising_any_character_is_idempotent_and_keeps_segments_apart() {
    let mut buffer = String::new();
    for c in '\0'..=char::MAX {
        let once = normalise(c.encode_utf8(&mut [0; 4]));
        assert_eq!(normalise(&once), once, "{c:?}");
        if fold::starts_segment(c) && !c.is_ascii() {
            buffer.clear();
            fold::push_folded(c.encode_utf8(&mut [0; 4]), &mut buffer);
            assert!(
                buffer.chars().next().is_none_or(fold::starts_segment),
                "{c:?} folds to a character that may combine with the preceding segment"
            );
        }
    }
}

/// Difficult text: marks, joiners, Hangul jamo, long runs, compatibility forms.
fn difficult_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-zA-Z0-9 .,/-]{0,8}",
        "[\u{0D80}-\u{0DFF}\u{200C}\u{200D}]{1,6}",
        "[\u{0B80}-\u{0BFF}]{1,6}",
        "[\u{300}-\u{345}]{1,3}",
        "[\u{1100}-\u{11FF}]{1,3}",
        "[\u{FB00}-\u{FDFF}]",
        "[ßİıſẞﬆǰŉΐΰᾳⅧ①㎏ﷺ]",
        any::<char>().prop_map(String::from),
        Just("x".repeat(254)),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

#[test]
fn empty_range_between_two_words_comes_from_the_start_of_the_next_one() {
    for text in ["Road works", "\u{d81}අඅ \u{de0}ஒ"] {
        let words = Words::of(text);
        let end = words.as_str().find(' ').unwrap();
        let from = words.ranges()[1].from;
        assert_eq!(words.origin(text, end..end), from..from);
    }
}

proptest! {
    #[test]
    fn normalising_by_segments_equals_normalising_at_once(text in difficult_text()) {
        prop_assert_eq!(normalise(&text), normalise_whole(&text));
    }

    #[test]
    fn normalising_is_idempotent(text in difficult_text()) {
        let once = normalise(&text);
        prop_assert_eq!(normalise(&once), once);
    }

    #[test]
    fn origins_are_ranges_of_the_text(text in difficult_text(), a in 0usize..200, b in 0usize..200) {
        let words = Words::of(&text);
        let mut last = 0;
        for word in words.ranges() {
            prop_assert!(text.get(word.from..word.to).is_some());
            prop_assert!(word.from >= last || word.to >= last);
            last = word.from;
        }
        let (a, b) = (a.min(words.as_str().len()), b.min(words.as_str().len()));
        prop_assert!(text.get(words.origin(&text, a.min(b)..a.max(b))).is_some());
    }
}

//! Whether words make sense: the check on a text layer that may be in a legacy font (Sinhala and Tamil letters drawn by
//! Latin codes), and the sign that tesseract was given the wrong language.

/// Words that English notices and news cannot do without.
const COMMON: [&str; 72] = [
    "a",
    "address",
    "all",
    "and",
    "are",
    "as",
    "at",
    "available",
    "be",
    "before",
    "bid",
    "bidders",
    "bidding",
    "bids",
    "by",
    "called",
    "chairman",
    "closing",
    "committee",
    "contact",
    "date",
    "department",
    "district",
    "document",
    "documents",
    "fee",
    "for",
    "from",
    "has",
    "in",
    "invitation",
    "invited",
    "is",
    "lanka",
    "ltd",
    "may",
    "ministry",
    "no",
    "non",
    "not",
    "notice",
    "of",
    "office",
    "on",
    "or",
    "payment",
    "procurement",
    "purchase",
    "quotations",
    "road",
    "rs",
    "sale",
    "sealed",
    "security",
    "should",
    "sri",
    "supply",
    "tel",
    "telephone",
    "tender",
    "tenders",
    "that",
    "the",
    "this",
    "time",
    "to",
    "vacancies",
    "was",
    "were",
    "will",
    "with",
    "works",
];
/// English has at least this part of its words among [`COMMON`]; a notice, well over a third.
const ENGLISH_SHARE: f64 = 0.12;
/// Below this number of words their share says nothing.
const FEW_WORDS: usize = 8;
/// The part of strange words from which a text is not to be trusted.
const STRANGE_SHARE: f64 = 0.15;

/// The part of Tamil words torn from which a text is not to be trusted; of some pages one word in fifteen is.
const TORN_SHARE: f64 = 0.015;

/// Whether a text is English by its commonest words. A text too short to tell counts as English.
pub(super) fn is_english(text: &str) -> bool {
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().any(char::is_alphabetic));
    let (mut all, mut common) = (0_usize, 0_usize);
    for word in words {
        all += 1;
        common += usize::from(COMMON.binary_search(&word.to_lowercase().as_str()).is_ok());
    }
    all < FEW_WORDS || common as f64 >= ENGLISH_SHARE * all as f64
}

/// Whether the words of a text layer can be what is printed.
pub(crate) fn is_sound(text: &str) -> bool {
    let (mut all, mut strange, mut native) = (0_usize, 0_usize, 0_usize);
    for word in text.split_whitespace() {
        all += 1;
        strange += usize::from(is_strange(word));
        native += usize::from(word.chars().any(is_native));
    }
    let trusted = strange as f64 <= STRANGE_SHARE * all as f64 && !is_torn(text);
    trusted && (native * 4 >= all || is_english(text))
}

/// Whether words in Tamil are torn after a mark that has no width: a hard consonant ends no word but a borrowed one.
pub(super) fn is_torn(text: &str) -> bool {
    let tamil = |word: &&str| word.chars().any(|letter| matches!(letter, '\u{0B80}'..='\u{0BFF}'));
    let words = text.split_whitespace().filter(tamil).count();
    let torn = text.split_whitespace().filter(|word| word.ends_with("ட்") || word.ends_with("ற்")).count();
    torn as f64 > TORN_SHARE * words as f64
}

/// Sinhala or Tamil.
fn is_native(letter: char) -> bool {
    matches!(letter, '\u{0B80}'..='\u{0BFF}' | '\u{0D80}'..='\u{0DFF}')
}

/// A word that no printer set: codes without a meaning, a vowel sign with nothing before it (letters in the order in
/// which they are drawn), or punctuation and capitals within a run of small letters.
fn is_strange(word: &str) -> bool {
    let meaningless = |letter: char| matches!(letter, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}');
    let sign = |letter: char| matches!(letter, '\u{0BBE}'..='\u{0BCD}' | '\u{0DCA}'..='\u{0DDF}');
    if word.chars().any(meaningless) || word.starts_with(sign) {
        return true;
    }
    let letters: Vec<char> = word.chars().collect();
    letters.windows(3).any(|three| {
        let [a, b, c] = [three[0], three[1], three[2]];
        let odd = matches!(b, '%' | ';' | '|' | '~' | '^' | '{' | '}' | '\\' | '`' | '¡'..='¿');
        a.is_ascii_lowercase() && c.is_ascii_lowercase() && (odd || b.is_ascii_uppercase())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_common_words_are_in_order() {
        assert!(COMMON.is_sorted());
    }

    #[test]
    fn english_is_told_by_its_small_words() {
        assert!(is_english(
            "Sealed bids are invited by the Chairman of the Committee for the above from suppliers"
        ));
        assert!(is_english("GRAND SALE"));
        assert!(!is_english("Dw Ene od OE 8eO 8oE gCOn BEE cod One wBO ODE oo EE ceD"));
    }

    #[test]
    fn legacy_fonts_and_drawn_order_are_not_sound() {
        assert!(!is_sound("Y%S ,xld m%cd;dka;%sl iudcjd§ ckrcfha m%ldYs; fldka;%d;a i|yd ,xiq le|jkq ,efí"));
        assert!(!is_sound("tpiykDf; Nfhuy; fpuhkpa tPjpfis Gdukj;jy; khtl;lj;jpd; mgptpUj;jp nra;tjw;fhf"));
        assert!(!is_sound("ෙවලාව ේදශපාලන ගාස්තුව ෙකාළඹ ෙදපාර්තෙම්න්තුව"));
        assert!(!is_sound("அரச மரக் கூட் டுத் தாபனம் கேள் வி கோரல் உள் ளக வீதிகளுக் கு தார் இடுதல்"));
        assert!(is_sound("அரச மரக்கூட்டுத்தாபனம் கேள்வி கோரல் உள்ளக வீதிகளுக்கு தார் இடுதல்"));
        assert!(is_sound("ප්‍රසම්පාදන දැන්වීම RDA/SI/2027/36 ලංසු කැඳවනු ලබන අතර"));
        assert!(is_sound(
            "Tenders are hereby called by the Kandy Municipal Council for the above in the District"
        ));
    }
}

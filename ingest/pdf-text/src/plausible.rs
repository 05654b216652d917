//! Checks whether the words of a text are plausible. The check detects text layers in legacy
//! fonts, which draw Sinhala and Tamil letters with Latin codes, and text that Tesseract read in
//! the wrong language.

/// Common words of English notices and news, sorted.
const COMMON_WORDS: [&str; 72] = [
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
/// At least this fraction of the words of an English text is common. In English notices, the
/// fraction is over a third.
const MIN_COMMON_SHARE: f64 = 0.12;
/// A text with fewer words counts as English.
const MIN_WORDS: usize = 8;
/// A text with a larger fraction of strange words is not plausible.
const MAX_STRANGE_SHARE: f64 = 0.15;

/// A text with a larger fraction of split Tamil words is not plausible. On some pages, one word in
/// fifteen is split.
const MAX_SPLIT_SHARE: f64 = 0.015;

/// Whether a text is English, judged by its common words. A very short text counts as English.
pub fn is_english(text: &str) -> bool {
    let words = text
        .split(|letter: char| !letter.is_alphanumeric())
        .filter(|word| word.chars().any(char::is_alphabetic));
    let (mut all, mut common) = (0_usize, 0_usize);
    for word in words {
        all += 1;
        common += usize::from(COMMON_WORDS.binary_search(&word.to_lowercase().as_str()).is_ok());
    }
    all < MIN_WORDS || common as f64 >= MIN_COMMON_SHARE * all as f64
}

/// Whether the words of a text layer are probably the printed words.
pub fn is_plausible(text: &str) -> bool {
    let (mut all, mut strange, mut native) = (0_usize, 0_usize, 0_usize);
    for word in text.split_whitespace() {
        all += 1;
        strange += usize::from(is_strange(word));
        native += usize::from(word.chars().any(is_native));
    }
    let trusted = strange as f64 <= MAX_STRANGE_SHARE * all as f64 && !has_split_words(text);
    trusted && (native * 4 >= all || is_english(text))
}

/// Whether too many Tamil words end in `ட்` or `ற்`. Only few words end in these letters, so the
/// text layer probably splits words after them.
pub fn has_split_words(text: &str) -> bool {
    let tamil = |word: &&str| word.chars().any(|letter| matches!(letter, '\u{0B80}'..='\u{0BFF}'));
    let words = text.split_whitespace().filter(tamil).count();
    let torn = text.split_whitespace().filter(|word| word.ends_with("ட்") || word.ends_with("ற்")).count();
    torn as f64 > MAX_SPLIT_SHARE * words as f64
}

/// Whether a letter is Sinhala or Tamil.
fn is_native(letter: char) -> bool {
    matches!(letter, '\u{0B80}'..='\u{0BFF}' | '\u{0D80}'..='\u{0DFF}')
}

/// Whether a word was probably not printed like this. It has meaningless codes, begins with a
/// vowel sign (letters in drawing order), or has punctuation or a capital between small letters.
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
    fn common_words_are_sorted() {
        assert!(COMMON_WORDS.is_sorted());
    }

    #[test]
    fn english_is_detected_by_common_words() {
        assert!(is_english(
            "Sealed bids are invited by the Chairman of the Committee for the above from suppliers"
        ));
        assert!(is_english("GRAND SALE"));
        assert!(!is_english("Dw Ene od OE 8eO 8oE gCOn BEE cod One wBO ODE oo EE ceD"));
    }

    #[test]
    fn legacy_fonts_and_drawing_order_are_not_plausible() {
        assert!(!is_plausible(
            "Y%S ,xld m%cd;dka;%sl iudcjd§ ckrcfha m%ldYs; fldka;%d;a i|yd ,xiq le|jkq ,efí"
        ));
        assert!(!is_plausible(
            "tpiykDf; Nfhuy; fpuhkpa tPjpfis Gdukj;jy; khtl;lj;jpd; mgptpUj;jp nra;tjw;fhf"
        ));
        assert!(!is_plausible("ෙවලාව ේදශපාලන ගාස්තුව ෙකාළඹ ෙදපාර්තෙම්න්තුව"));
        assert!(!is_plausible("அரச மரக் கூட் டுத் தாபனம் கேள் வி கோரல் உள் ளக வீதிகளுக் கு தார் இடுதல்"));
        assert!(is_plausible("அரச மரக்கூட்டுத்தாபனம் கேள்வி கோரல் உள்ளக வீதிகளுக்கு தார் இடுதல்"));
        assert!(is_plausible("ප්‍රසම්පාදන දැන්වීම RDA/SI/2027/36 ලංසු කැඳවනු ලබන අතර"));
        assert!(is_plausible(
            "Tenders are hereby called by the Kandy Municipal Council for the above in the District"
        ));
    }
}

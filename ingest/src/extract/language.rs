//! Detects the language of a text by its script.

use tender_model::vocabulary::Language;

/// The language with the most letters, and its share of the English, Sinhala and Tamil letters;
/// `None` for a text without such letters.
pub(crate) fn detect(text: &str) -> Option<(Language, f64)> {
    let count = |range: std::ops::RangeInclusive<char>| text.chars().filter(|c| range.contains(c)).count();
    let counts = [
        (Language::English, text.chars().filter(char::is_ascii_alphabetic).count()),
        (Language::Sinhala, count('\u{0D80}'..='\u{0DFF}')),
        (Language::Tamil, count('\u{0B80}'..='\u{0BFF}')),
    ];
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let (language, most) = counts.into_iter().max_by_key(|(_, count)| *count)?;
    (most > 0).then(|| (language, most as f64 / all as f64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_with_the_most_letters_gives_the_language() {
        assert_eq!(detect("Supply of tyres").map(|found| found.0), Some(Language::English));
        assert_eq!(
            detect("PDHS/SI/2027/42 ලංසු කැඳවීම සෞඛ්‍ය සේවා").map(|found| found.0),
            Some(Language::Sinhala)
        );
        assert_eq!(detect("கேள்வி அறிவித்தல் RDA").map(|found| found.0), Some(Language::Tamil));
        assert_eq!(detect("2027.09.09"), None);
    }
}

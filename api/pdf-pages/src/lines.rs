//! Breaks text into lines.

use crate::fonts::Ruler;

/// Whether a line may not break before this character, because it belongs to the one before it.
const fn is_joined(letter: char) -> bool {
    matches!(letter,
        '\u{200c}' | '\u{200d}' | '\u{0300}'..='\u{036f}'
        | '\u{0d81}'..='\u{0d83}' | '\u{0dca}'..='\u{0ddf}' | '\u{0df2}' | '\u{0df3}'
        | '\u{0b82}' | '\u{0bbe}'..='\u{0bcd}' | '\u{0bd7}')
}

/// Breaks a text into lines of at most this width, for a font size of 1. Lines break at spaces. A word that
/// is wider than a line breaks between its letters. Each word is measured once.
pub(crate) fn break_lines(ruler: &Ruler<'_>, text: &str, width: f32) -> Vec<String> {
    let space = ruler.width(" ");
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let (mut line, mut used) = (String::new(), 0.0);
        for word in paragraph.split_whitespace() {
            let own = ruler.width(word);
            if !line.is_empty() && used + space + own <= width {
                line.push(' ');
                line.push_str(word);
                used += space + own;
                continue;
            }
            if !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            if own <= width {
                (line, used) = (word.to_owned(), own);
                continue;
            }
            let mut pieces = break_word(ruler, word, width);
            line = pieces.pop().unwrap_or_default();
            used = ruler.width(&line);
            lines.append(&mut pieces);
        }
        lines.push(line);
    }
    lines
}

/// Breaks a wide word between its letters.
fn break_word(ruler: &Ruler<'_>, word: &str, width: f32) -> Vec<String> {
    let mut letters: Vec<String> = Vec::new();
    let mut is_after_joiner = false;
    for letter in word.chars() {
        match letters.last_mut() {
            Some(last) if is_joined(letter) || is_after_joiner => last.push(letter),
            _ => letters.push(letter.into()),
        }
        is_after_joiner = letter == '\u{200d}';
    }
    let (mut pieces, mut used) = (vec![String::new()], 0.0);
    for letter in letters {
        let own = ruler.width(&letter);
        if used > 0.0 && used + own > width {
            pieces.push(String::new());
            used = 0.0;
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push_str(&letter);
        }
        used += own;
    }
    pieces
}

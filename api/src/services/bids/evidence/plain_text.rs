//! The text of a notice without its Markdown.

/// The maximum number of paragraphs.
const MAX_PARAGRAPHS: usize = 400;
/// The maximum number of characters of the Markdown that are read.
const MAX_CHARS: usize = 40_000;

/// The paragraphs of a notice in Markdown as plain text. A heading, a row of a table, and a line with a
/// hard break stand alone. The other lines of a paragraph are joined, because the newspaper's column broke them.
/// What is too long is cut, so that a long notice does not keep a bidder from the file.
pub(super) fn paragraphs(markdown: &str) -> Vec<String> {
    let is_rule =
        |line: &str| line.contains("---") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
    let end = markdown.char_indices().nth(MAX_CHARS).map_or(markdown.len(), |(end, _)| end);
    let mut found: Vec<String> = Vec::new();
    let mut goes_on = false;
    for line in markdown[..end].lines().map(str::trim).filter(|line| !is_rule(line)) {
        let (line, is_broken) = line.strip_suffix('\\').map_or((line, false), |line| (line, true));
        let stands_alone = line.starts_with(['#', '|']);
        let plain = if line.starts_with('|') {
            let cells = line.split('|').map(str::trim).filter(|cell| !cell.is_empty());
            cells.collect::<Vec<_>>().join(": ")
        } else {
            line.trim_start_matches('#').trim().to_owned()
        };
        let plain = unescaped(&plain);
        let joined = found.last_mut().filter(|_| goes_on && !stands_alone && !plain.is_empty());
        if let Some(last) = joined {
            last.push(' ');
            last.push_str(&plain);
        } else if found.len() == MAX_PARAGRAPHS {
            break;
        } else if !plain.is_empty() {
            found.push(plain.clone());
        }
        goes_on = !plain.is_empty() && !stands_alone && !is_broken;
    }
    found
}

/// A text without the backslashes that protect punctuation in Markdown.
fn unescaped(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' || !chars.peek().is_some_and(char::is_ascii_punctuation) {
            plain.push(c);
        } else if let Some(protected) = chars.next() {
            plain.push(protected);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_cut() {
        assert_eq!(paragraphs(&"ක".repeat(MAX_CHARS + 9)), ["ක".repeat(MAX_CHARS)]);
        assert_eq!(paragraphs(&"# a\n".repeat(MAX_PARAGRAPHS + 9)).len(), MAX_PARAGRAPHS);
        let then_joined = format!("{}b\nc\n", "# a\n".repeat(MAX_PARAGRAPHS));
        assert_eq!(paragraphs(&then_joined).last().map(String::as_str), Some("a"));
    }

    #[test]
    fn rubbish_is_harmless() {
        for text in ["", "\\", "\\\\\n|||\n###\n---", "|---|", "a\\"] {
            let shown = paragraphs(text);
            assert!(shown.len() <= 1, "{text:?}: {shown:?}");
        }
    }
}

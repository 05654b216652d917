//! Markdown for the text of a clip: headings, paragraphs, lists and GFM tables. Characters with a
//! meaning in Markdown are escaped.

use crate::extract::{Gazetteer, Printed, headings};
use crate::ocr::{ClipText, Line};

/// The author, not the column, ended a line that is shorter than this fraction of the longest line
/// even with the next word added.
const SHORT_LINE: f64 = 0.72;

/// The Markdown of a clip. Its heading lines become headings.
#[must_use]
pub fn body(clip: &ClipText, gazetteer: &Gazetteer) -> String {
    let printed = Printed::of(clip);
    let mut headings = headings(&printed, gazetteer).into_iter().peekable();
    let longest = clip.paragraphs.iter().flat_map(|p| &p.lines).map(width).max().unwrap_or(1) as f64;
    let mut blocks: Vec<String> = Vec::new();
    let mut next_number = None;
    for paragraph in &clip.paragraphs {
        let mut lines = paragraph.lines.as_slice();
        while let Some(first) = lines.first() {
            let taken = headings.peek().map_or(0, |heading| heading_lines(heading, lines));
            if taken > 0 {
                if let Some(heading) = headings.next() {
                    blocks.push(format!("## {}", escape(&heading)));
                }
                lines = &lines[taken..];
            } else if first.cells.len() > 1 {
                let rows = lines.iter().take_while(|line| line.cells.len() > 1).count();
                blocks.push(table(&lines[..rows]));
                lines = &lines[rows..];
            } else {
                let running = lines.iter().take_while(|line| line.cells.len() == 1).count();
                let count = match headings.peek() {
                    // A heading may begin within a paragraph.
                    Some(heading) => {
                        (1..running).find(|at| heading_lines(heading, &lines[*at..]) > 0).unwrap_or(running)
                    }
                    None => running,
                };
                blocks.push(running_text(&lines[..count], longest, &mut next_number));
                lines = &lines[count..];
            }
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n\n")
}

/// The number of leading lines that form the heading; 0 if they do not begin with it.
fn heading_lines(heading: &str, lines: &[Line]) -> usize {
    let mut joined = String::new();
    for (at, line) in lines.iter().take(8).enumerate() {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(&line.text());
        if joined == heading {
            return at + 1;
        }
        if !heading.starts_with(&joined) {
            return 0;
        }
    }
    0
}

fn width(line: &Line) -> usize {
    line.words().map(|word| word.text.chars().count() + 1).sum()
}

/// Joins the lines of running text into a paragraph. A line that the author ended keeps its break.
fn running_text(lines: &[Line], longest: f64, next_number: &mut Option<u32>) -> String {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        let words = line.text();
        let words = match (at, item_number(&words)) {
            (0, Some((number, rest))) => {
                let goes_on = number == 1 || *next_number == Some(number);
                *next_number = goes_on.then_some(number + 1);
                // Markdown would renumber a list that skips a number.
                let mark = if goes_on { format!("{number}. ") } else { format!("{number}\\. ") };
                format!("{mark}{}", escape(rest))
            }
            (0, None) => match words.strip_prefix(['•', '●', '▪']) {
                Some(rest) => format!("- {}", escape(rest.trim_start())),
                None => escape(&words),
            },
            _ => escape(&words),
        };
        text.push_str(&words);
        if at + 1 < lines.len() {
            let next = lines
                .get(at + 1)
                .and_then(|next| next.words().next())
                .map_or(0, |word| word.text.chars().count());
            let ended = ((width(line) + next) as f64) < longest * SHORT_LINE;
            text.push_str(if ended { "\\\n" } else { "\n" });
        }
    }
    text
}

/// Splits `3. Bids shall …` into 3 and the rest.
fn item_number(words: &str) -> Option<(u32, &str)> {
    let (number, rest) = words.split_once(". ")?;
    let plain = (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| number.parse().ok()).flatten().map(|number| (number, rest))
}

/// Rows as a GFM table. The header is empty if there is only one row, or if there are at most two
/// columns, which are labels and values. Otherwise, the first row is the header.
fn table(rows: &[Line]) -> String {
    let columns = rows.iter().map(|row| row.cells.len()).max().unwrap_or(0);
    let row = |row: &Line| {
        let cells = (0..columns).map(|column| {
            let words = row
                .cells
                .get(column)
                .map(|cell| cell.iter().map(|word| word.text.as_str()).collect::<Vec<_>>());
            escape(&words.unwrap_or_default().join(" ")).replace('|', "\\|")
        });
        format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
    };
    let rule = format!("|{}", " --- |".repeat(columns));
    let (header, rest) = match rows {
        [first, rest @ ..] if columns > 2 && !rest.is_empty() => (row(first), rest),
        _ => (format!("|{}", "  |".repeat(columns)), rows),
    };
    let mut lines = vec![header, rule];
    lines.extend(rest.iter().map(row));
    lines.join("\n")
}

/// Escapes the characters with a meaning in Markdown.
#[must_use]
pub fn escape(words: &str) -> String {
    let mut text = String::with_capacity(words.len() + 8);
    for (at, letter) in words.char_indices() {
        let special = match letter {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '~' => true,
            '#' | '>' | '+' | '=' | '-' => at == 0,
            // A number before the mark, as in `12. Text` or `12) Text`, would begin a list.
            '.' | ')' => {
                let ends = words[at + 1..].chars().next().is_none_or(char::is_whitespace);
                ends && at > 0 && at < 10 && words[..at].bytes().all(|b| b.is_ascii_digit())
            }
            '&' => is_entity(&words[at + 1..]),
            _ => false,
        };
        if special {
            text.push('\\');
        }
        text.push(letter);
    }
    text
}

/// Whether an ampersand would begin an HTML entity.
fn is_entity(rest: &str) -> bool {
    let name = rest.trim_start_matches(|c: char| c == '#' || c.is_ascii_alphanumeric());
    name.len() < rest.len() && name.starts_with(';')
}

/// The body of plain text.
#[cfg(test)]
fn body_of(text: &str) -> String {
    body(&ClipText::from_plain(text), Gazetteer::built_in())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_tables_and_lists_are_kept() {
        let text = "INVITATION FOR BIDS\nKandy Municipal Council\nHiring of 150 Trucks for Collection\n\nThe Chairman invites sealed bids for the items.\n\n\
                    Lot\tDescription\tBid Security (Rs.)\n01\tParts | all\t180,000.00\n\nBid Bond\tRs. 5\nFee\tRs. 6\n\n1. First\n\n2. Second\n\n4. Fourth\n\nChairman,\nNo. 5, Road.";
        insta::assert_snapshot!("body", body_of(text));
    }

    #[test]
    fn markdown_in_print_is_escaped() {
        assert_eq!(escape("# *5* [x](y) <b> a_b `c` \\"), "\\# \\*5\\* \\[x\\](y) \\<b> a\\_b \\`c\\` \\\\");
        assert_eq!(escape("S&R/2026 &lt; R&D"), "S&R/2026 \\&lt; R&D");
        assert_eq!(escape("5) x"), "5\\) x");
        assert_eq!(escape("- x - y"), "\\- x - y");
    }
}

//! The positions where a span may begin or end, with their features.

use super::words::{Gap, Word, case_class, ends_sentence, is_enumerator, length_class, opens_with_capital};
use std::ops::Range;

/// The number of words of a neighbouring line that become features.
const NEIGHBOUR_WORDS: usize = 4;
/// Words that follow the object of a sentence, in scripts without capitals.
const AFTER_OBJECT: [&str; 12] = [
    "සඳහා",
    "පිළිබඳ",
    "පිළිබඳව",
    "වෙනුවෙන්",
    "සම්බන්ධයෙන්",
    "කිරීමට",
    "தொடர்பில்",
    "தொடர்பாக",
    "என்பதற்கு",
    "ஆகியவற்றுக்கு",
    "குறித்து",
    "எனும்",
];
/// Words that follow the agent of a sentence, in scripts without capitals.
const AFTER_AGENT: [&str; 12] =
    ["විසින්", "මගින්", "වෙතින්", "විසින්ද", "වන", "සිට", "நடைபெறும்", "மூலம்", "என்ற", "ஆகிய", "இனால்", "எனும்"];

/// A position where a span may begin or end, with its features.
pub(super) struct Edge {
    pub(super) word: usize,
    pub(super) at: usize,
    pub(super) kind: &'static str,
    pub(super) features: Vec<String>,
}

/// The start of a span at a word, if a span may start there.
pub(super) fn start_edge(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
    let word = &words[nth];
    let line = lines.partition_point(|line| line.end <= nth);
    let last = nth.checked_sub(1).map(|last| &words[last]);
    let is_first = lines[line].start == nth;
    let in_list = nth > 0
        && !is_first
        && lines[line].start == nth - 1
        && last.is_some_and(|last| is_enumerator(last.text));
    let is_quoted = word.text.starts_with(['"', '“', '‘']);
    let before = last.map_or("", |last| last.text);
    let kind = if is_enumerator(word.text) {
        return None;
    } else if is_quoted {
        "quote"
    } else if word.gap == Gap::Cell {
        "cell"
    } else if is_first || in_list {
        if word.gap == Gap::Line && !in_list {
            "line"
        } else if in_list {
            "item"
        } else {
            "paragraph"
        }
    } else if before.ends_with(':') {
        "label"
    } else if matches!(before, "-" | "–" | "—" | "|") {
        "dash"
    } else if ends_sentence(words, nth - 1) {
        "sentence"
    } else if before.ends_with([',', ')']) {
        "comma"
    } else if opens_with_capital(word.text) && before.starts_with(|c: char| c.is_ascii_lowercase()) {
        "word"
    } else if AFTER_AGENT.contains(&before) {
        "behind"
    } else {
        return None;
    };
    let lead = word.text.len() - word.text.trim_start_matches(['"', '“', '‘', '\'']).len();
    let mut features = vec![format!("opens {kind}"), format!("line {}", line_position(line, lines.len()))];
    if matches!(kind, "line" | "paragraph" | "cell" | "item") {
        let above = line.checked_sub(1).map(|above| &words[lines[above].clone()]);
        features.extend(neighbour_features("above", above));
        if above.is_some_and(|above| above[above.len() - 1].text.ends_with(['.', ';'])) {
            features.push("below a sentence".to_owned());
        }
        if above.is_some_and(|above| above[above.len() - 1].text.ends_with(':')) {
            features.push("below a colon".to_owned());
        }
    }
    if !is_first {
        let from = lines[line].start;
        let before: Vec<&str> =
            words[from..nth].iter().rev().take(3).map(|word| word.stem.as_str()).collect();
        features.extend(before.iter().enumerate().map(|(far, stem)| format!("before {far}:{stem}")));
        features.extend(before.windows(2).map(|pair| format!("before two:{} {}", pair[1], pair[0])));
        if matches!(kind, "label" | "cell" | "dash") {
            let label = words[from..nth].iter().filter(|word| word.stem.len() > 2).take(4);
            features.extend(label.map(|word| format!("label:{}", word.stem)));
        }
    }
    if word.gap == Gap::Cell
        || lines.get(line).is_some_and(|line| {
            words
                .get(line.start + 1..line.end)
                .is_some_and(|rest| rest.iter().any(|word| word.gap == Gap::Cell))
        })
    {
        let column =
            words[lines[line].start..=nth].iter().skip(1).filter(|word| word.gap == Gap::Cell).count();
        features.push(format!("column {}", column.min(3)));
        features.extend(header_stems(words, lines, line, column).map(|stem| format!("header:{stem}")));
    }
    Some(Edge { word: nth, at: word.range.start + lead, kind, features: without_duplicates(features) })
}

/// The stems of the words above a cell in its column, without numbers.
fn header_stems<'w>(
    words: &'w [Word<'_>],
    lines: &'w [Range<usize>],
    line: usize,
    column: usize,
) -> impl Iterator<Item = &'w str> {
    let above = (0..line).rev().take(3).map(|nth| &words[lines[nth].clone()]);
    let cells = above
        .take_while(|row| row[1.min(row.len())..].iter().any(|word| word.gap == Gap::Cell))
        .flat_map(move |row| {
            let mut at = 0;
            row.iter().enumerate().filter_map(move |(nth, word)| {
                at += usize::from(nth > 0 && word.gap == Gap::Cell);
                (at == column).then_some(word.stem.as_str())
            })
        });
    cells.filter(|stem| !stem.is_empty() && !stem.starts_with('#'))
}

/// The end of a span at a word, if a span may end there.
pub(super) fn end_edge(words: &[Word<'_>], lines: &[Range<usize>], nth: usize) -> Option<Edge> {
    let word = &words[nth];
    let line = lines.partition_point(|line| line.end <= nth);
    let next = words.get(nth + 1);
    let trimmed = word.text.trim_end_matches(['.', ',', ';', ':', '"', '”', '’', '\'', '-', '–']);
    let tail = &word.text[trimmed.len()..];
    let kind = match next.map(|next| (next.gap, next.text)) {
        _ if tail.contains(['"', '”', '’']) => "quote",
        _ if tail.contains(':') => "colon",
        None | Some((Gap::Paragraph, _)) => "paragraph",
        Some((Gap::Cell, _)) => "cell",
        Some((Gap::Line, _)) => "line",
        _ if ends_sentence(words, nth) => "sentence",
        _ if tail.contains(',') => "comma",
        _ if tail.contains(';') => "semicolon",
        Some((_, next)) if next.starts_with('(') => "paren",
        Some((_, "-" | "–" | "—" | "|")) => "dash",
        Some((_, next))
            if next.starts_with(|c: char| c.is_ascii_lowercase())
                && (!word.text.starts_with(|c: char| c.is_ascii_lowercase()) || word.text.ends_with(')')) =>
        {
            "word"
        }
        Some((_, next)) if AFTER_OBJECT.contains(&next.trim_end_matches(['.', ','])) => "behind",
        _ => return None,
    };
    let mut features = vec![format!("closes {kind}")];
    if tail.contains('.') {
        features.push("stops".to_owned());
    }
    let rest = &words[nth + 1..lines[line].end];
    if rest.is_empty() {
        features.extend(neighbour_features("below", lines.get(line + 1).map(|below| &words[below.clone()])));
    } else {
        let after: Vec<&str> = rest.iter().take(3).map(|word| word.stem.as_str()).collect();
        features.extend(after.iter().enumerate().map(|(far, stem)| format!("after {far}:{stem}")));
        features.extend(after.windows(2).map(|pair| format!("after two:{} {}", pair[0], pair[1])));
    }
    Some(Edge {
        word: nth,
        at: word.range.start + trimmed.len(),
        kind,
        features: without_duplicates(features),
    })
}

/// Features of the line above or below a span.
fn neighbour_features(side: &'static str, line: Option<&[Word<'_>]>) -> Vec<String> {
    let Some(line) = line else { return vec![format!("{side} nothing")] };
    let mut features: Vec<String> =
        line.iter().take(NEIGHBOUR_WORDS).map(|word| format!("{side}:{}", word.stem)).collect();
    features.push(format!("{side} last:{}", line[line.len() - 1].stem));
    features.push(format!("{side} long {}", length_class(line.len())));
    features.push(format!("{side} case {}", case_class(line)));
    features
}

fn line_position(line: usize, lines: usize) -> &'static str {
    match line {
        0 => "0",
        1 => "1",
        2 => "2",
        3 => "3",
        4..=5 => "5",
        6..=8 => "8",
        _ if line + 4 >= lines => "end",
        _ => "more",
    }
}

/// Removes duplicate features.
pub(super) fn without_duplicates(mut features: Vec<String>) -> Vec<String> {
    features.sort_unstable();
    features.dedup();
    features
}

//! Assembles words into lines, cells and paragraphs by their positions. Wrapped table cells and
//! words that a line end splits are joined by their positions and their text. Words that are split
//! within a line are rejoined for every reader except Tesseract.

use super::placed_word::PlacedWord;
use super::word_joining::{hyphenation, join_words, rejoin_at_line_ends, rejoin_within_line};
use super::{ClipText, Line, Paragraph, ReaderName, script_language};

/// Two pieces of one line share more than this fraction of the smaller height.
const MIN_SHARED_HEIGHT: f64 = 0.5;
/// A gap of at least this many line heights may begin a cell.
const CELL_GAP: f64 = 0.9;
/// A gap of at least this many line heights begins a cell if at least two nearby lines have a gap
/// at the same position, within [`MAX_EXACT_OFFSET`].
const NARROW_GAP: f64 = 0.45;
/// A gap of at most this many line heights never begins a cell.
const MIN_GAP: f64 = 0.2;
/// Cells of one column begin less than this many line heights apart.
const MAX_COLUMN_OFFSET: f64 = 0.6;
/// Cells that begin less than this many line heights apart are aligned on purpose.
const MAX_EXACT_OFFSET: f64 = 0.12;
/// In a justified line, the widest gap is less than this multiple of the narrowest gap. In other
/// lines, a gap stands out if it is wider than this multiple.
const MAX_JUSTIFIED_RATIO: f64 = 1.35;
/// A paragraph begins where the distance from the previous line exceeds this multiple of the usual
/// distance.
const PARAGRAPH_PITCH: f64 = 1.2;

/// Assembles the text of a clip from pieces of lines. A piece is a run of words that the reader
/// found on one line. `None` if there are no words.
pub(super) fn assemble(pieces: Vec<Vec<PlacedWord>>, reader: ReaderName) -> Option<ClipText> {
    let mut rows = sort_into_rows(pieces);
    if rows.is_empty() {
        return None;
    }
    if reader != ReaderName::Tesseract {
        rows.iter_mut().for_each(|row| rejoin_within_line(&mut row.words));
    }
    let starts = cell_starts(&rows);
    let breaks = paragraph_breaks(&rows);
    let cells = rows.into_iter().zip(starts).zip(breaks).map(|((row, starts), is_break)| {
        let mut cells: Vec<Vec<PlacedWord>> = vec![Vec::new()];
        for (number, placed) in row.words.into_iter().enumerate() {
            if starts.contains(&number) {
                cells.push(Vec::new());
            }
            if let Some(cell) = cells.last_mut() {
                cell.push(placed);
            }
        }
        (is_break, cells)
    });
    let mut paragraphs: Vec<Paragraph> = Vec::new();
    for (is_break, cells) in unwrap_rows(cells.collect()) {
        if is_break || paragraphs.is_empty() {
            paragraphs.push(Paragraph::default());
        }
        let words = |cell: Vec<PlacedWord>| cell.into_iter().map(|placed| placed.word).collect();
        if let Some(paragraph) = paragraphs.last_mut() {
            paragraph.lines.push(Line { cells: cells.into_iter().map(words).collect() });
        }
    }
    rejoin_at_line_ends(&mut paragraphs);
    paragraphs.retain(|paragraph| !paragraph.lines.is_empty());
    let (mut letters, mut sure) = (0.0, 0.0);
    for word in paragraphs.iter().flat_map(|paragraph| &paragraph.lines).flat_map(Line::words) {
        let length = word.text.chars().count() as f64;
        letters += length;
        sure += length * word.confidence;
    }
    let confidence = if letters > 0.0 { sure / letters } else { 0.0 };
    let mut text =
        ClipText { paragraphs, language: tender_model::vocabulary::Language::English, confidence, reader };
    text.language = script_language(&text.text());
    Some(text)
}

/// The words of a line before the line is split into cells.
#[derive(Debug)]
struct WordRow {
    words: Vec<PlacedWord>,
    /// The median top edge of the words.
    top: f64,
    /// The median bottom edge of the words.
    bottom: f64,
}

impl WordRow {
    fn of(words: Vec<PlacedWord>) -> Self {
        let middle = |edge: usize| median(words.iter().map(|word| word.place[edge]).collect());
        let (top, bottom) = (middle(1), middle(3));
        Self { words, top, bottom }
    }

    fn height(&self) -> f64 {
        (self.bottom - self.top).max(f64::MIN_POSITIVE)
    }

    /// The gap before each word except the first.
    fn gaps(&self) -> impl Iterator<Item = f64> + '_ {
        self.words.windows(2).map(|pair| pair[1].place[0] - pair[0].place[2])
    }
}

/// Merges pieces into lines. Sorts the lines from top to bottom, and the words of each line from
/// left to right.
fn sort_into_rows(pieces: Vec<Vec<PlacedWord>>) -> Vec<WordRow> {
    let mut rows: Vec<WordRow> = Vec::new();
    let mut pieces: Vec<WordRow> =
        pieces.into_iter().filter(|piece| !piece.is_empty()).map(WordRow::of).collect();
    pieces.sort_by(|a, b| (a.top + a.bottom).total_cmp(&(b.top + b.bottom)));
    for piece in pieces {
        let fits = |row: &&mut WordRow| {
            let shared = row.bottom.min(piece.bottom) - row.top.max(piece.top);
            let over = |a: &PlacedWord, b: &PlacedWord| {
                let wide = a.place[2].min(b.place[2]) - a.place[0].max(b.place[0]);
                wide > 0.4 * (a.place[2] - a.place[0]).min(b.place[2] - b.place[0])
            };
            shared > MIN_SHARED_HEIGHT * row.height().min(piece.height())
                && !row.words.iter().any(|a| piece.words.iter().any(|b| over(a, b)))
        };
        match rows.iter_mut().rev().take(6).find(fits) {
            Some(row) => {
                let mut words = std::mem::take(&mut row.words);
                words.extend(piece.words);
                *row = WordRow::of(words);
            }
            None => rows.push(piece),
        }
    }
    rows.sort_by(|a, b| (a.top + a.bottom).total_cmp(&(b.top + b.bottom)));
    rows.iter_mut().for_each(|row| row.words.sort_by(|a, b| a.place[0].total_cmp(&b.place[0])));
    rows
}

/// For each row, the indices of the words that begin a cell, except the first word. A cell begins
/// at a gap that stands out in its line, if nearby lines have a gap at the same position. A single
/// line is never a table.
fn cell_starts(rows: &[WordRow]) -> Vec<Vec<usize>> {
    let gaps: Vec<Vec<ProminentGap>> = rows.iter().map(prominent_gaps).collect();
    let others = |at: usize, reach: usize| {
        (at.saturating_sub(reach)..(at + reach + 1).min(rows.len())).filter(move |other| *other != at)
    };
    let is_start = |at: usize, gap: &ProminentGap| {
        let height = rows[at].height();
        let wide = |other: usize| {
            gaps[other].iter().any(|near| {
                near.white >= CELL_GAP && (near.place - gap.place).abs() < MAX_COLUMN_OFFSET * height
            })
        };
        let exact = |other: &usize| {
            gaps[*other].iter().any(|near| (near.place - gap.place).abs() < MAX_EXACT_OFFSET * height)
        };
        gap.white >= CELL_GAP && others(at, 2).any(wide)
            || gap.white >= NARROW_GAP && others(at, 3).filter(exact).count() >= 2
    };
    let mut starts: Vec<Vec<usize>> = Vec::with_capacity(rows.len());
    for (at, gaps) in gaps.iter().enumerate() {
        starts.push(gaps.iter().filter(|gap| is_start(at, gap)).map(|gap| gap.before).collect());
    }
    // A label that fills its column leaves little white before the value, but the value still
    // begins where the values of nearby lines begin.
    for at in (0..rows.len()).filter(|at| starts[*at].is_empty()).collect::<Vec<_>>() {
        let places: Vec<f64> = others(at, 3)
            .flat_map(|near| starts[near].iter().map(move |number| rows[near].words[*number].place[0]))
            .collect();
        let near = |gap: &&ProminentGap| {
            places.iter().any(|place| (place - gap.place).abs() < MAX_EXACT_OFFSET * rows[at].height())
        };
        starts[at] = gaps[at].iter().filter(near).map(|gap| gap.before).collect();
    }
    starts
}

/// A gap that stands out: the only gap of its line, or clearly wider than the narrowest gap.
struct ProminentGap {
    /// The index of the word after the gap.
    before: usize,
    /// The left edge of the word after the gap.
    place: f64,
    /// The width of the gap in line heights.
    white: f64,
}

/// The gaps of a line that stand out. A justified line has none.
fn prominent_gaps(row: &WordRow) -> Vec<ProminentGap> {
    let narrowest = row.gaps().fold(f64::MAX, f64::min);
    let widest = row.gaps().fold(0.0, f64::max);
    let is_justified = row.words.len() > 2 && widest < MAX_JUSTIFIED_RATIO * narrowest;
    let gap = |(number, white): (usize, f64)| {
        let stands_out = row.words.len() == 2 || white > MAX_JUSTIFIED_RATIO * narrowest;
        let white = white / row.height();
        let gap = ProminentGap { before: number + 1, place: row.words[number + 1].place[0], white };
        (!is_justified && stands_out && white > MIN_GAP).then_some(gap)
    };
    row.gaps().enumerate().filter_map(gap).collect()
}

/// Whether each row begins a paragraph. The first row does. Any other row does if its distance
/// from the previous row is unusually large for the height of the rows.
fn paragraph_breaks(rows: &[WordRow]) -> Vec<bool> {
    let alike = |a: &WordRow, b: &WordRow| a.height().max(b.height()) < 1.25 * a.height().min(b.height());
    let pitch = |pair: &[WordRow]| pair[1].bottom - pair[0].bottom;
    let pairs = rows.windows(2).filter(|pair| alike(&pair[0], &pair[1]));
    let usual = median(pairs.map(|pair| pitch(pair) / pair[1].height()).collect());
    let mut breaks = vec![true];
    breaks.extend(rows.windows(2).map(|pair| {
        let height = pair[0].height().max(pair[1].height());
        usual > 0.0 && pitch(pair) > PARAGRAPH_PITCH * usual * height
    }));
    breaks
}

/// Joins the wrapped lines of table cells. [`continued_columns`] tells whether a row continues the
/// row above.
fn unwrap_rows(rows: Vec<(bool, Vec<Vec<PlacedWord>>)>) -> Vec<(bool, Vec<Vec<PlacedWord>>)> {
    let mut whole: Vec<(bool, Vec<Vec<PlacedWord>>)> = Vec::with_capacity(rows.len());
    for (is_break, cells) in rows {
        let columns =
            whole.last().filter(|_| !is_break).and_then(|(_, above)| continued_columns(above, &cells));
        match (columns, whole.last_mut()) {
            (Some(columns), Some((_, above))) => {
                for (column, cell) in columns.into_iter().zip(cells) {
                    continue_cell(&mut above[column], cell);
                }
            }
            _ => whole.push((is_break, cells)),
        }
    }
    whole
}

/// The columns of the row above that `cells` continue. `None` if the cells are a row of their own.
/// Cells continue a table row if they fit into its columns. In addition, the first column must be
/// empty, be the only one with text, or continue an unfinished phrase.
fn continued_columns(above: &[Vec<PlacedWord>], cells: &[Vec<PlacedWord>]) -> Option<Vec<usize>> {
    if above.len() < 2 {
        return None;
    }
    let start = |cell: &[PlacedWord]| cell.first().map_or(0.0, |placed| placed.place[0]);
    let end = |cell: &[PlacedWord]| cell.last().map_or(0.0, |placed| placed.place[2]);
    let column = |cell: &Vec<PlacedWord>| {
        let reach = MAX_COLUMN_OFFSET * cell.first().map_or(0.0, PlacedWord::height);
        let column = above.iter().position(|other| (start(other) - start(cell)).abs() < reach)?;
        let room = above.get(column + 1).map_or(f64::MAX, |next| start(next));
        (end(cell) < room).then_some(column)
    };
    let columns: Vec<usize> = cells.iter().map(column).collect::<Option<_>>()?;
    let text =
        |cell: &[PlacedWord]| cell.last().map_or("", |placed| placed.word.text.as_str()).to_lowercase();
    let label = text(&above[0]);
    let unfinished = label.ends_with(['-', '\u{2010}', '&', '/'])
        || ["and", "of", "for", "the", "no."].contains(&label.as_str());
    let first = cells.first().and_then(|cell| cell.first()).map_or("", |placed| placed.word.text.as_str());
    let unfinished = unfinished
        || columns.first() == Some(&0)
            && first.starts_with(|letter: char| letter == '&' || letter.is_lowercase());
    let only_values = columns.first().is_some_and(|column| *column > 0);
    let only_label = columns == [0];
    (only_values || only_label || unfinished).then_some(columns)
}

/// Appends the next line of a cell. A word that the line end splits is joined.
fn continue_cell(cell: &mut Vec<PlacedWord>, rest: Vec<PlacedWord>) {
    for (number, next) in rest.into_iter().enumerate() {
        match (number, cell.last_mut()) {
            (0, Some(last)) if let Some(drop_hyphen) = hyphenation(&last.word.text, &next.word.text) => {
                join_words(&mut last.word, &next.word, drop_hyphen);
            }
            _ => cell.push(next),
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Word;

    /// A piece for each word at `(left, top)`, with letters five units wide and twelve high.
    fn words(places: &[(f64, f64, &str)]) -> Vec<Vec<PlacedWord>> {
        let placed = |(left, top, text): &(f64, f64, &str)| {
            let word = Word::new((*text).to_owned(), [0.1; 4], 0.9);
            let right = left + 5.0 * text.chars().count() as f64;
            vec![PlacedWord { word, place: [*left, *top, right, top + 12.0] }]
        };
        places.iter().map(placed).collect()
    }

    fn text(places: &[(f64, f64, &str)]) -> String {
        assemble(words(places), ReaderName::Plain).unwrap().text()
    }

    #[test]
    fn a_table_keeps_its_cells_and_justified_lines_are_not_split() {
        let table = [
            (0.0, 0.0, "Bid"),
            (18.0, 0.0, "Security"),
            (100.0, 1.0, "LKR"),
            (120.0, 1.0, "75,000"),
            (0.0, 14.0, "Contact"),
            (101.0, 14.0, "041"),
        ];
        assert_eq!(text(&table), "Bid Security\tLKR 75,000\nContact\t041");
        let justified = [
            (0.0, 0.0, "a"),
            (30.0, 0.0, "b"),
            (60.0, 0.0, "c"),
            (0.0, 14.0, "d"),
            (30.0, 14.0, "e"),
            (60.0, 14.0, "f"),
        ];
        assert_eq!(text(&justified), "a b c\nd e f");
    }

    #[test]
    fn a_wrapped_cell_is_joined_to_its_row() {
        let table = [
            (0.0, 0.0, "Non-refund-"),
            (100.0, 0.0, "Rs.500/-"),
            (0.0, 13.0, "able"),
            (0.0, 26.0, "Closing"),
            (40.0, 26.0, "&"),
            (100.0, 26.0, "2027.07.03"),
            (155.0, 26.0, "at"),
            (0.0, 39.0, "Time"),
            (100.0, 39.0, "10.00am"),
            (0.0, 52.0, "Contact"),
            (100.0, 52.0, "041"),
            (100.0, 65.0, "042"),
        ];
        assert_eq!(
            text(&table),
            "Non-refundable\tRs.500/-\nClosing & Time\t2027.07.03 at 10.00am\nContact\t041 042"
        );
    }

    #[test]
    fn aligned_cells_are_separated_at_narrow_gaps() {
        let table = [
            (0.0, 0.0, "Bid"),
            (17.0, 0.0, "Security"),
            (65.0, 0.0, "Rs.500,000/-"),
            (0.0, 13.0, "Closing"),
            (38.0, 13.0, "Date"),
            (65.0, 13.0, "2027.07.03"),
            (117.0, 13.0, "at"),
            (0.0, 26.0, "&"),
            (7.0, 26.0, "Time"),
            (65.0, 26.0, "11.00"),
            (92.0, 26.0, "a.m."),
            (0.0, 39.0, "Contact"),
            (65.0, 39.0, "081"),
        ];
        assert_eq!(
            text(&table),
            "Bid Security\tRs.500,000/-\nClosing Date & Time\t2027.07.03 at 11.00 a.m.\nContact\t081"
        );
    }

    #[test]
    fn a_wider_line_gap_begins_a_paragraph() {
        let lines: Vec<_> = [0.0, 13.0, 26.0, 45.0, 58.0].iter().map(|top| (0.0, *top, "line")).collect();
        assert_eq!(text(&lines), "line\nline\nline\n\nline\nline");
    }

    #[test]
    fn words_broken_by_a_line_end_are_joined() {
        assert_eq!(text(&[(0.0, 0.0, "Mu\u{AD}-"), (0.0, 13.0, "ni\u{AD}cip\u{AD}al")]), "Municipal");
        assert_eq!(
            text(&[(0.0, 0.0, "regis-"), (0.0, 13.0, "tered"), (30.0, 13.0, "post")]),
            "registered\npost"
        );
        assert_eq!(text(&[(0.0, 0.0, "non-"), (0.0, 13.0, "refundable")]), "non-refundable");
        assert_eq!(text(&[(0.0, 0.0, "025-"), (0.0, 13.0, "2125067")]), "025-2125067");
        assert_eq!(text(&[(0.0, 0.0, "Rs.500/-"), (0.0, 13.0, "2027.07.03")]), "Rs.500/-\n2027.07.03");
        assert_eq!(text(&[(0.0, 0.0, "Uni\u{AD}"), (14.0, 0.0, "ver\u{AD}sity")]), "University");
        assert_eq!(text(&[(0.0, 0.0, "Bids -"), (0.0, 13.0, "Lot")]), "Bids -\nLot");
    }

    #[test]
    fn a_tamil_word_split_after_its_virama_is_joined() {
        let line = [(0.0, 0.0, "வைப்"), (22.0, 0.0, "பு"), (60.0, 0.0, "ரூபா")];
        assert_eq!(text(&line), "வைப்பு ரூபா");
    }

    #[test]
    fn no_words_make_no_text() {
        assert_eq!(assemble(Vec::new(), ReaderName::Plain), None);
        assert_eq!(assemble(vec![Vec::new()], ReaderName::Plain), None);
    }
}

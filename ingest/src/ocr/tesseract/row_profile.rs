//! The row profile of an image counts the ink of each row. The profile shows where the image can
//! be cut between lines, and which lines a reading missed.

use super::clip_image::ClipImage;
use crate::ocr::placed_word::PlacedWord;
use std::ops::Range;

/// A row with at most this fraction of ink is white. The sides of frames and tables cross even
/// white rows.
const MAX_WHITE_INK: f64 = 0.025;
/// The smallest height of a white gap for a cut, in millimetres.
const MIN_CUT_GAP: f64 = 0.3;
/// The smallest and the largest height of a missed line, in millimetres. A lower run of rows is a
/// rule, and a higher run is a picture.
const LINE_HEIGHT: (f64, f64) = (1.2, 6.0);
/// At least this fraction of the height of a missed line is covered by no word.
const MIN_UNCOVERED: f64 = 0.8;
/// Enough rows of a missed line have more than this fraction of ink. Otherwise, the line is a
/// stain.
const STAIN_INK: f64 = 0.04;
/// The padding above and below a line, in millimetres.
const PADDING: f64 = 0.4;

/// The row profile of an image.
pub(super) struct RowProfile {
    /// The number of ink pixels of each row.
    ink: Vec<u32>,
    width: u32,
    per_mm: f64,
}

impl RowProfile {
    pub(super) fn of(picture: &ClipImage<'_>) -> Self {
        Self { ink: picture.ink_per_row(), width: picture.width(), per_mm: picture.per_mm() }
    }

    fn is_white(&self, row: u32) -> bool {
        f64::from(self.ink[row as usize]) <= MAX_WHITE_INK * f64::from(self.width)
    }

    /// Finds the centre of the highest white gap within these rows. `None` if no gap is high
    /// enough.
    pub(super) fn find_cut(&self, between: Range<u32>) -> Option<u32> {
        let between = between.start..between.end.min(self.ink.len() as u32);
        let white = runs(between, |row| self.is_white(row))
            .filter(|run| run.len() as f64 >= MIN_CUT_GAP * self.per_mm);
        white
            .max_by_key(|run| (run.len(), std::cmp::Reverse(run.start)))
            .map(|run| u32::midpoint(run.start, run.end))
    }

    /// The rows of the lines that these words hardly cover, with padding above and below.
    pub(super) fn missed_lines(&self, words: &[Vec<PlacedWord>]) -> Vec<Range<u32>> {
        let mut is_covered = vec![false; self.ink.len()];
        for placed in words.iter().flatten() {
            let [top, bottom] = [placed.place[1], placed.place[3]]
                .map(|edge| edge.clamp(0.0, is_covered.len() as f64) as usize);
            is_covered[top..bottom.max(top)].fill(true);
        }
        let all = 0..self.ink.len() as u32;
        let lines = runs(all.clone(), |row| !self.is_white(row));
        let room = (PADDING * self.per_mm).ceil() as u32;
        let [lowest, highest] = [LINE_HEIGHT.0, LINE_HEIGHT.1].map(|height| height * self.per_mm);
        let is_missed = |line: &Range<u32>| {
            let free = line.clone().filter(|row| !is_covered[*row as usize]).count() as f64;
            let inked = line
                .clone()
                .filter(|row| f64::from(self.ink[*row as usize]) > STAIN_INK * f64::from(self.width))
                .count();
            (lowest..=highest).contains(&(line.len() as f64))
                && free >= MIN_UNCOVERED * line.len() as f64
                && inked as f64 >= lowest / 2.0
        };
        lines
            .filter(is_missed)
            .map(|line| line.start.saturating_sub(room)..(line.end + room).min(all.end))
            .collect()
    }
}

/// The runs of consecutive rows that pass a test.
fn runs(rows: Range<u32>, is_in: impl Fn(u32) -> bool) -> impl Iterator<Item = Range<u32>> {
    let mut runs: Vec<Range<u32>> = Vec::new();
    for row in rows.filter(|row| is_in(*row)) {
        match runs.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => runs.push(row..row + 1),
        }
    }
    runs.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Word;

    /// A profile with lines at these rows, each with a tenth of the width in ink.
    fn rows(height: u32, lines: &[Range<u32>]) -> RowProfile {
        let ink = (0..height).map(|row| if lines.iter().any(|line| line.contains(&row)) { 100 } else { 5 });
        RowProfile { ink: ink.collect(), width: 1000, per_mm: 10.0 }
    }

    fn on(line: &Range<u32>) -> Vec<PlacedWord> {
        let word = Word::new("word".to_owned(), [0.0; 4], 0.9);
        vec![PlacedWord { word, place: [0.0, f64::from(line.start), 80.0, f64::from(line.end)] }]
    }

    #[test]
    fn a_cut_is_in_the_highest_gap_between_lines() {
        let rows = rows(400, &[0..30, 40..70, 90..120, 130..160]);
        assert_eq!(rows.find_cut(20..125), Some(80));
        assert_eq!(rows.find_cut(45..65), None);
        assert_eq!(rows.find_cut(500..900), None);
        assert_eq!(rows.find_cut(155..900), Some(280));
    }

    #[test]
    fn missed_lines_are_distinguished_from_rules_and_pictures() {
        let (read, lost, rule, picture) = (10..40, 50..80, 100..104, 150..300);
        let rows = rows(400, &[read.clone(), lost, rule, picture]);
        assert_eq!(rows.missed_lines(&[on(&read)]).first(), Some(&(46..84)));
        assert_eq!(rows.missed_lines(&[on(&read)]).len(), 1);
        assert_eq!(rows.missed_lines(&[on(&read), on(&(48..82))]), Vec::<Range<u32>>::new());
        assert_eq!(rows.missed_lines(&[on(&(0..u32::MAX))]), Vec::<Range<u32>>::new());
    }
}

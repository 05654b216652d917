//! Chains of letters, and the rows that they form.

use super::line::TextLine;
use crate::layout::mask::Area;

/// The smallest height ratio of two adjacent letters of a line.
const MIN_HEIGHT_RATIO: f64 = 0.5;
/// Adjacent letters of a line share at least this fraction of the smaller height.
const MIN_ADJACENT_OVERLAP: f64 = 0.5;
/// The centres of adjacent letters differ by at most this fraction of the larger height.
const MAX_ADJACENT_OFFSET: f64 = 0.42;
/// The widest gap between adjacent letters of a line, as a multiple of the larger height.
const MAX_LETTER_GAP: f64 = 1.3;
/// The largest vertical distance between the centres of two letters of a chain, in line heights. A
/// chain with a larger distance spans several lines.
const MAX_CENTRE_SPREAD: f64 = 1.1;
/// In a chain that spans several lines, letters more than this many times as high as the median
/// letter are taken out.
const TALL_LETTER: f64 = 1.5;
/// The smallest height ratio of two chains side by side in one row.
const MIN_ROW_HEIGHT_RATIO: f64 = 0.5;
/// The largest vertical distance between the centres of two chains side by side in one row, as a
/// fraction of the smaller height.
const MAX_ROW_OFFSET: f64 = 0.35;
/// The widest gap between two chains of one row, as a multiple of the larger height. It is also
/// the widest gap between a line and a letter in its row, in line heights.
const MAX_ROW_GAP: f64 = 7.0;
/// The smallest vertical overlap of a line with a letter or chain in its row, as a fraction of the
/// smaller height.
const MIN_ROW_OVERLAP: f64 = 0.6;
/// A letter that is added to the line of its row is higher than this, in line heights.
const MIN_ROW_HEIGHT: f64 = 0.5;
/// A letter that is added to the line of its row is lower than this, in line heights.
const MAX_ROW_HEIGHT: f64 = 3.2;
/// How far the centre of a sign may lie above the top and below the bottom of the letters, in line
/// heights.
const SIGN_REACH: (f64, f64) = (0.75, 0.65);
/// How far a line with its signs may extend above the top and below the bottom of the letters, in
/// line heights.
const LINE_REACH: (f64, f64) = (0.8, 0.6);
/// A leftover letter forms its own line only if less than this fraction of its box lies near any
/// other line. Otherwise it may touch several lines.
const MAX_COVERED: f64 = 0.6;
/// The padding around a line: in line heights above and below, in pixels on the sides.
const PADDING: (f64, usize) = (0.08, 4);

/// A chain of letters in one line.
#[derive(Debug)]
pub(super) struct Chain {
    letters: Vec<Area>,
    /// The bounding box of the letters that were added because they are in the row of the chain.
    reach: Option<Area>,
    /// The median top edge of `letters`, weighted by letter width.
    top: f64,
    /// The median bottom edge of `letters`, weighted by letter width.
    bottom: f64,
}

impl Chain {
    fn of(letters: Vec<Area>) -> Self {
        let edge = |edge: fn(&Area) -> usize| {
            let mut edges: Vec<(usize, usize)> =
                letters.iter().map(|area| (edge(area), area.width())).collect();
            edges.sort_unstable();
            let half = edges.iter().map(|(_, width)| width).sum::<usize>() / 2;
            let mut before = 0;
            let middle = edges.iter().find(|(_, width)| {
                before += width;
                before > half
            });
            middle.map_or(0.0, |(at, _)| *at as f64)
        };
        let (top, bottom) = (edge(|area| area.top), edge(|area| area.bottom));
        Self { letters, reach: None, top, bottom }
    }

    fn height(&self) -> f64 {
        (self.bottom - self.top).max(1.0)
    }

    fn middle(&self) -> f64 {
        f64::midpoint(self.top, self.bottom)
    }

    pub(super) fn around(&self) -> Area {
        let none = Area { left: 0, top: 0, right: 0, bottom: 0 };
        self.letters.iter().copied().chain(self.reach).reduce(Area::around).unwrap_or(none)
    }

    /// Whether the centres of the letters are too far apart for one line. Letters that touch can
    /// link several lines.
    fn is_of_several_lines(&self) -> bool {
        let middles = self.letters.iter().map(|letter| (letter.top + letter.bottom) as f64 / 2.0);
        let (least, most) =
            middles.fold((f64::MAX, f64::MIN), |(least, most), at| (least.min(at), most.max(at)));
        most - least > MAX_CENTRE_SPREAD * self.height()
    }

    /// The vertical distance between the centres of a sign and of the line, in line heights.
    /// `None` if the sign is too far away or too high to belong to the line.
    pub(super) fn distance(&self, sign: Area) -> Option<f64> {
        let (height, area) = (self.height(), self.around());
        let middle = (sign.top + sign.bottom) as f64 / 2.0;
        let across = (sign.left + sign.right) as f64 / 2.0;
        let is_near = (self.top - SIGN_REACH.0 * height..=self.bottom + SIGN_REACH.1 * height)
            .contains(&middle)
            && (area.left as f64 - height..=area.right as f64 + height).contains(&across)
            && (sign.height() as f64) < 2.0 * height;
        is_near.then(|| (middle - self.middle()).abs() / height)
    }

    /// Returns the text line: `area` clipped to the vertical reach of the line, with padding.
    /// `None` if nothing remains.
    pub(super) fn line(&self, area: Area, (width, height): (u32, u32)) -> Option<TextLine> {
        let tall = self.height();
        let room = PADDING.0 * tall;
        let top = (area.top as f64).max(self.top - LINE_REACH.0 * tall) - room;
        let bottom = (area.bottom as f64).min(self.bottom + LINE_REACH.1 * tall) + room;
        let left = area.left.saturating_sub(PADDING.1) as u32;
        let right = ((area.right + PADDING.1) as u32).min(width);
        let (top, bottom) = (top.max(0.0) as u32, (bottom.ceil() as u32).min(height));
        let letters = [self.top as u32, self.bottom as u32];
        (left < right && top < bottom).then_some(TextLine { area: [left, top, right, bottom], letters })
    }
}

/// Chains adjacent letters from left to right. Also returns the letters that are isolated or that
/// span several lines.
pub(super) fn link_letters(letters: &[Area]) -> (Vec<Chain>, Vec<Area>) {
    let (mut chains, mut left_over) = (Vec::new(), Vec::new());
    for letters in link_adjacent(letters) {
        let chain = Chain::of(letters);
        if !chain.is_of_several_lines() {
            chains.push(chain);
            continue;
        }
        let mut heights: Vec<usize> = chain.letters.iter().map(|letter| letter.height()).collect();
        heights.sort_unstable();
        let tall = TALL_LETTER * heights[heights.len() / 2] as f64;
        let (over, of_a_line): (Vec<Area>, Vec<Area>) =
            chain.letters.iter().partition(|letter| letter.height() as f64 > tall);
        left_over.extend(over);
        chains.extend(link_adjacent(&of_a_line).into_iter().map(Chain::of));
    }
    let (single, several): (Vec<Chain>, Vec<Chain>) =
        chains.into_iter().partition(|chain| chain.letters.len() == 1);
    left_over.extend(single.into_iter().flat_map(|chain| chain.letters));
    (several, left_over)
}

/// Joins chains of one row into one line, unless the gap between them is wide.
pub(super) fn join_rows(mut chains: Vec<Chain>) -> Vec<Chain> {
    chains.sort_by_key(|chain| chain.around().left);
    let mut rows: Vec<Chain> = Vec::new();
    for chain in chains {
        let is_beside = |row: &&mut Chain| {
            let (low, high) = (row.height().min(chain.height()), row.height().max(chain.height()));
            let white = chain.around().left.saturating_sub(row.around().right) as f64;
            let overlap = row.around().right.saturating_sub(chain.around().left) as f64;
            low >= MIN_ROW_HEIGHT_RATIO * high
                && (row.middle() - chain.middle()).abs() <= MAX_ROW_OFFSET * low
                && white <= MAX_ROW_GAP * high
                && overlap <= high
        };
        match rows.iter_mut().find(is_beside) {
            Some(row) => *row = Chain::of([std::mem::take(&mut row.letters), chain.letters].concat()),
            None => rows.push(chain),
        }
    }
    // A chain joins another chain of its row whose horizontal extent includes its own.
    rows.sort_by_key(|row| std::cmp::Reverse(row.around().width()));
    let mut wide: Vec<Chain> = Vec::new();
    for row in rows {
        let area = row.around();
        let is_around = |other: &&mut Chain| {
            let around = other.around();
            let shared = other.bottom.min(row.bottom) - other.top.max(row.top);
            around.left <= area.left
                && area.right <= around.right
                && shared >= MIN_ROW_OVERLAP * row.height().min(other.height())
        };
        match wide.iter_mut().find(is_around) {
            Some(other) => *other = Chain::of([std::mem::take(&mut other.letters), row.letters].concat()),
            None => wide.push(row),
        }
    }
    wide
}

/// Adds to each line the leftover letters in its row. Such a letter can be a whole word whose
/// letters touch. If it is in the rows of several lines, it is added to each of them. Also returns
/// the letters that are in no row.
pub(super) fn add_letters_in_rows(mut lines: Vec<Chain>, letters: Vec<Area>) -> (Vec<Chain>, Vec<Area>) {
    let mut left_over = Vec::new();
    for letter in letters {
        let mut is_taken = false;
        for line in &mut lines {
            let height = line.height();
            let shared = line.bottom.min(letter.bottom as f64) - line.top.max(letter.top as f64);
            let area = line.around();
            let white = area.left.saturating_sub(letter.right).max(letter.left.saturating_sub(area.right));
            let is_in_row = shared >= MIN_ROW_OVERLAP * height.min(letter.height() as f64)
                && white as f64 <= MAX_ROW_GAP * height
                && (letter.height() as f64) < MAX_ROW_HEIGHT * height
                && letter.height() as f64 > MIN_ROW_HEIGHT * height;
            if is_in_row {
                line.reach = Some(line.reach.map_or(letter, |reach| reach.around(letter)));
                is_taken = true;
            }
        }
        if !is_taken {
            left_over.push(letter);
        }
    }
    (lines, left_over)
}

/// Groups adjacent letters into chains, each from left to right.
fn link_adjacent(letters: &[Area]) -> Vec<Vec<Area>> {
    let mut chain_of: Vec<usize> = (0..letters.len()).collect();
    let highest = letters.iter().map(|area| area.height()).max().unwrap_or_default();
    let furthest = (MAX_LETTER_GAP * highest as f64) as usize;
    for (nth, letter) in letters.iter().enumerate() {
        // The letters are sorted by their left sides. A letter that begins far to the right is not
        // a neighbour.
        let near = letters[nth + 1..].iter().take_while(|other| other.left <= letter.right + furthest);
        for (other_nth, other) in near.enumerate().map(|(after, other)| (nth + 1 + after, other)) {
            if are_adjacent(*letter, *other) {
                let (one, two) = (root(&mut chain_of, nth), root(&mut chain_of, other_nth));
                chain_of[one.max(two)] = one.min(two);
            }
        }
    }
    let mut by_chain: Vec<Vec<Area>> = vec![Vec::new(); letters.len()];
    for (nth, letter) in letters.iter().enumerate() {
        let chain = root(&mut chain_of, nth);
        by_chain[chain].push(*letter);
    }
    by_chain.into_iter().filter(|chain| !chain.is_empty()).collect()
}

/// Makes a line of each leftover letter that stands alone, such as a digit in a table or a word
/// whose letters touch.
pub(super) fn single_letters(letters: &[Area], chains: &[Chain]) -> Vec<Chain> {
    let is_alone = |letter: &&Area| {
        let covered = chains.iter().map(|chain| {
            let height = chain.height();
            let band = Area {
                left: chain.around().left.saturating_sub(height as usize),
                top: (chain.top - SIGN_REACH.0 * height).max(0.0) as usize,
                right: chain.around().right + height as usize,
                bottom: (chain.bottom + SIGN_REACH.1 * height) as usize,
            };
            letter.overlap(band)
        });
        (covered.max().unwrap_or_default() as f64) < MAX_COVERED * letter.size() as f64
            && letter.width() > letter.height() / 4
    };
    letters.iter().filter(is_alone).map(|letter| Chain::of(Vec::from([*letter]))).collect()
}

/// Whether two letters are adjacent in one line.
fn are_adjacent(one: Area, two: Area) -> bool {
    let (low, high) = (one.height().min(two.height()) as f64, one.height().max(two.height()) as f64);
    let white = two.left.saturating_sub(one.right).max(one.left.saturating_sub(two.right)) as f64;
    let shared = one.bottom.min(two.bottom) as f64 - one.top.max(two.top) as f64;
    let apart = (one.top + one.bottom).abs_diff(two.top + two.bottom) as f64 / 2.0;
    low >= MIN_HEIGHT_RATIO * high
        && white <= MAX_LETTER_GAP * high
        && shared >= MIN_ADJACENT_OVERLAP * low
        && apart <= MAX_ADJACENT_OFFSET * high
}

/// The index of the first letter of the chain that contains letter `nth`.
fn root(chain_of: &mut [usize], mut nth: usize) -> usize {
    while chain_of[nth] != nth {
        chain_of[nth] = chain_of[chain_of[nth]];
        nth = chain_of[nth];
    }
    nth
}

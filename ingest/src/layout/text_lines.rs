//! Finds the text lines of a clip from its ink, without reading text. Adjacent letters form
//! chains, and the chains of one row form a line. A small component above or below a line, such as
//! a vowel sign or a dot, belongs to the nearest line. Parts of a row with a wide gap between
//! them, such as distant table cells, are separate lines.

use super::{
    components::{Component, components},
    mask::{Area, Mask},
};
use image::{GrayImage, imageops};

/// A pixel is ink if it is darker than paper by more than this fraction of the contrast.
const MIN_DARKNESS: f64 = 0.45;
/// The percentiles that give the brightness of ink and of paper.
const INK_AND_PAPER: (f64, f64) = (0.01, 0.80);
/// The smallest contrast between paper and ink, in grey levels. An image with less contrast counts
/// as blank.
const MIN_CONTRAST: f64 = 30.0;
/// The smallest and the largest height of a letter, in millimetres.
const LETTER_HEIGHT: (f64, f64) = (0.8, 9.0);
/// The smallest ink area of a component, in square millimetres. Smaller components are dust.
const MIN_AREA: f64 = 0.02;
/// The shortest length and the largest thickness of a rule, in millimetres.
const RULE_SIZE: (f64, f64) = (9.0, 1.1);
/// A frame or a table is wider than the first value and higher than the second value, in
/// millimetres. Less than the third value, a fraction, of its box is ink.
const FRAME_SIZE: (f64, f64, f64) = (12.0, 4.0, 0.15);
/// A component more than this many times as high as the median letter may be letters that touch
/// across lines. Such a component is split at [`DARKER_THRESHOLDS`].
const TOUCHING_HEIGHT: f64 = 1.9;
/// The darkness thresholds that are tried in turn to split letters that touch. See
/// [`MIN_DARKNESS`].
const DARKER_THRESHOLDS: [f64; 3] = [0.6, 0.7, 0.8];
/// The sigma of the blur against grain, in pixels.
const BLUR_SIGMA: f32 = 0.7;
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
/// The smallest width of a line, in millimetres.
const MIN_LINE_WIDTH: f64 = 0.8;
/// A leftover letter forms its own line only if less than this fraction of its box lies near any
/// other line. Otherwise it may touch several lines.
const MAX_COVERED: f64 = 0.6;
/// The padding around a line: in line heights above and below, in pixels on the sides.
const PADDING: (f64, usize) = (0.08, 4);

/// A text line, in pixels of the clip image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// The padded box of the line: `left, top, right, bottom`. The right and bottom edges are
    /// exclusive.
    pub(crate) area: [u32; 4],
    /// The top and bottom of the letters without signs: medians, weighted by letter width.
    pub(crate) letters: [u32; 2],
}

/// Finds the text lines of an image with `per_mm` pixels per millimetre, from top to bottom.
pub(crate) fn text_lines(image: &GrayImage, per_mm: f64) -> Vec<TextLine> {
    let Some(print) = ContrastImage::of(image) else { return Vec::new() };
    let at = |millimetres: f64| millimetres * per_mm;
    let mut print: Vec<Area> = print.ink_components(per_mm).into_iter().map(|piece| piece.area).collect();
    print.sort_by_key(|area| (area.left, area.top));
    let (letters, signs): (Vec<Area>, Vec<Area>) =
        print.into_iter().partition(|area| area.height() as f64 >= at(LETTER_HEIGHT.0));
    let (chains, left_over) = chain_letters(&letters);
    let (mut chains, left_over) = add_letters_in_rows(join_rows(chains), left_over);
    chains.extend(single_letter_lines(&left_over, &chains));
    let small = left_over.into_iter().chain(signs);
    let mut areas: Vec<Option<Area>> = chains.iter().map(|chain| Some(chain.around())).collect();
    for sign in small {
        let distance = |chain: &Chain| chain.distance(sign);
        let nearest = chains.iter().enumerate().filter_map(|(nth, chain)| Some((nth, distance(chain)?)));
        if let Some((nth, _)) = nearest.min_by(|a, b| a.1.total_cmp(&b.1)) {
            areas[nth] = areas[nth].map(|area| area.around(sign));
        }
    }
    let line = |(chain, area): (&Chain, Option<Area>)| chain.line(area?, image.dimensions());
    let mut lines: Vec<TextLine> = chains.iter().zip(areas).filter_map(line).collect();
    lines.retain(|line| f64::from(line.area[2] - line.area[0]) >= at(MIN_LINE_WIDTH));
    lines.sort_by_key(|line| (line.letters[0], line.area[0]));
    lines
}

/// A blurred image, with the brightness of its ink and of its paper.
struct ContrastImage {
    greys: GrayImage,
    ink: f64,
    paper: f64,
}

impl ContrastImage {
    /// `None` if the image is smaller than 3 by 3 pixels or has too little contrast.
    fn of(image: &GrayImage) -> Option<Self> {
        if image.width() < 3 || image.height() < 3 {
            return None;
        }
        let greys = imageops::fast_blur(image, BLUR_SIGMA);
        let mut counts = [0_usize; 256];
        greys.as_raw().iter().for_each(|grey| counts[usize::from(*grey)] += 1);
        let grey_at = |share: f64| {
            let mut left = (share * greys.as_raw().len() as f64) as usize;
            let passes = |count: &usize| {
                let passes = *count > left;
                left = left.saturating_sub(*count);
                passes
            };
            counts.iter().position(passes).unwrap_or(255) as f64
        };
        let (ink, paper) = (grey_at(INK_AND_PAPER.0), grey_at(INK_AND_PAPER.1));
        (paper - ink >= MIN_CONTRAST).then_some(Self { greys, ink, paper })
    }

    /// The pixels that are darker than paper by more than the fraction `darker` of the contrast.
    fn mask(&self, darker: f64) -> Mask {
        let threshold = self.paper - darker * (self.paper - self.ink);
        let bits = self.greys.as_raw().iter().map(|grey| f64::from(*grey) < threshold).collect();
        Mask { width: self.greys.width() as usize, height: self.greys.height() as usize, bits }
    }

    /// The components of the ink without dust, rules, frames and components that are too high for
    /// a letter. Components in which letters may touch across lines are split at darker
    /// thresholds.
    fn ink_components(&self, per_mm: f64) -> Vec<InkComponent> {
        let found = components(&self.mask(MIN_DARKNESS), true);
        let is_print = |part: &&Component| part.pixels as f64 >= MIN_AREA * per_mm * per_mm;
        let mut pieces: Vec<InkComponent> =
            found.parts.iter().filter(is_print).map(InkComponent::from).collect();
        let mut heights: Vec<usize> = pieces.iter().map(|piece| piece.area.height()).collect();
        heights.retain(|height| *height as f64 >= LETTER_HEIGHT.0 * per_mm);
        heights.sort_unstable();
        let Some(usual) = heights.get(heights.len() / 2).map(|height| *height as f64) else { return pieces };
        for darker in DARKER_THRESHOLDS {
            let (high, others): (Vec<InkComponent>, Vec<InkComponent>) =
                pieces.into_iter().partition(|piece| {
                    piece.area.height() as f64 > TOUCHING_HEIGHT * usual && !piece.is_rule_or_frame(per_mm)
                });
            pieces = others;
            for piece in high {
                let area = piece.area;
                let cut = imageops::crop_imm(
                    &self.greys,
                    area.left as u32,
                    area.top as u32,
                    area.width() as u32,
                    area.height() as u32,
                );
                let within = Self { greys: cut.to_image(), ink: self.ink, paper: self.paper };
                let parts = components(&within.mask(darker), true).parts;
                pieces.extend(parts.iter().filter(is_print).map(|part| InkComponent::from(part).moved(area)));
            }
        }
        pieces.retain(|piece| {
            piece.area.height() as f64 <= LETTER_HEIGHT.1 * per_mm && !piece.is_rule_or_frame(per_mm)
        });
        pieces
    }
}

/// A connected component of ink.
#[derive(Debug, Clone, Copy)]
struct InkComponent {
    area: Area,
    pixels: usize,
}

impl From<&Component> for InkComponent {
    fn from(part: &Component) -> Self {
        Self { area: part.area, pixels: part.pixels }
    }
}

impl InkComponent {
    /// Moves a component of the cut-out `cut` to its place in the whole image.
    fn moved(self, cut: Area) -> Self {
        let Area { left, top, right, bottom } = self.area;
        let area = Area {
            left: left + cut.left,
            top: top + cut.top,
            right: right + cut.left,
            bottom: bottom + cut.top,
        };
        Self { area, ..self }
    }

    fn is_rule_or_frame(&self, per_mm: f64) -> bool {
        let [width, height] = [self.area.width(), self.area.height()].map(|side| side as f64 / per_mm);
        let is_rule =
            width > RULE_SIZE.0 && height < RULE_SIZE.1 || height > RULE_SIZE.0 && width < RULE_SIZE.1;
        let is_frame = width > FRAME_SIZE.0
            && height > FRAME_SIZE.1
            && (self.pixels as f64) < FRAME_SIZE.2 * self.area.size() as f64;
        is_rule || is_frame
    }
}

/// A chain of letters in one line.
#[derive(Debug)]
struct Chain {
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

    fn around(&self) -> Area {
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
    fn distance(&self, sign: Area) -> Option<f64> {
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
    fn line(&self, area: Area, (width, height): (u32, u32)) -> Option<TextLine> {
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
fn chain_letters(letters: &[Area]) -> (Vec<Chain>, Vec<Area>) {
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
fn join_rows(mut chains: Vec<Chain>) -> Vec<Chain> {
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
fn add_letters_in_rows(mut lines: Vec<Chain>, letters: Vec<Area>) -> (Vec<Chain>, Vec<Area>) {
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
fn single_letter_lines(letters: &[Area], chains: &[Chain]) -> Vec<Chain> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use image::Luma;

    /// A white image with black boxes `[left, top, width, height]`, at ten pixels per millimetre.
    fn picture(boxes: &[[u32; 4]]) -> GrayImage {
        let mut image = GrayImage::from_pixel(600, 300, Luma([240]));
        for [left, top, width, height] in boxes {
            for y in *top..top + height {
                (*left..left + width).for_each(|x| image.put_pixel(x, y, Luma([20])));
            }
        }
        image
    }

    /// The boxes of a line of `number` letters, each 14 pixels wide and 20 pixels high.
    fn letters(left: u32, top: u32, number: u32) -> Vec<[u32; 4]> {
        (0..number).map(|nth| [left + nth * 20, top, 14, 20]).collect()
    }

    #[test]
    fn lines_include_signs_above_and_below() {
        let mut boxes = letters(40, 60, 12);
        boxes.extend(letters(40, 110, 12));
        // A sign over the second letter of the lower line, and one under the third letter of the
        // upper line.
        boxes.extend([[62, 97, 8, 6], [82, 84, 8, 6]]);
        let lines = text_lines(&picture(&boxes), 10.0);
        assert_eq!(lines.len(), 2);
        assert!(lines[0].area[3] >= 90 && lines[0].area[3] < 97, "{lines:?}");
        assert!(lines[1].area[1] <= 97 && lines[1].area[1] > 90, "{lines:?}");
        assert!(lines[0].area[0] <= 40 && lines[0].area[2] >= 40 + 11 * 20 + 14, "{lines:?}");
    }

    #[test]
    fn distant_cells_are_separate_lines_and_rules_are_not_lines() {
        let mut boxes = letters(40, 60, 5);
        boxes.extend(letters(300, 60, 5));
        boxes.extend([[20, 40, 500, 3], [20, 100, 500, 3], [240, 40, 3, 120]]);
        let lines = text_lines(&picture(&boxes), 10.0);
        assert_eq!(lines.len(), 2, "{lines:?}");
        assert!(lines[0].area[2] < 200 && lines[1].area[0] > 280, "{lines:?}");
    }

    #[test]
    fn a_heading_in_another_size_is_a_separate_line() {
        let mut boxes = letters(40, 120, 12);
        boxes.extend((0..6).map(|nth| [40 + nth * 60, 40, 44, 60]));
        assert_eq!(text_lines(&picture(&boxes), 10.0).len(), 2);
    }

    #[test]
    fn blank_and_tiny_images_have_no_lines() {
        assert_eq!(text_lines(&picture(&[]), 10.0), []);
        assert_eq!(text_lines(&GrayImage::new(1, 1), 10.0), []);
    }
}

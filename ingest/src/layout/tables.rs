//! Ruled tables that stand in the open: stacks of rules of one width. They part rows from one another, not one notice from the next.
//! Their upright rules are no help: between two rows they are too short to be told from strokes.

use super::components::components;
use super::mask::Area;
use super::rules::Rules;

/// The gaps in a table's rules that are closed, in millimetres.
const GAP: f64 = 2.0;
/// The shortest rule of a table, in millimetres.
const MIN_WIDTH: f64 = 18.0;
/// How far a rule may wander from straight, in millimetres.
const WANDER: f64 = 3.0;
/// How far the ends of a table's rules may differ, in millimetres.
const RAGGED: f64 = 2.0;
/// The lowest row, in millimetres: the two rules of a double one stand nearer.
const MIN_ROW: f64 = 1.8;
/// The highest row, in millimetres: what stands farther apart is a column of notices.
const MAX_ROW: f64 = 12.0;
/// Fewer rules are no table.
const FEWEST: usize = 4;
/// On a page of more rules than this no table is looked for: it is ruled paper.
const TOO_MANY: usize = 3000;
/// What belongs to a table beyond its rules' middles, in millimetres.
const MARGIN: f64 = 1.2;

/// The tables outside of `frames`, all in the rules' pixels.
pub(super) fn find(rules: &Rules, frames: &[Area]) -> Vec<Area> {
    let mut across = rules.across.clone();
    across.close_rows(rules.pixels(GAP), None);
    let (least, wander) = (rules.pixels(MIN_WIDTH), rules.pixels(WANDER));
    let is_rule = |area: &Area| {
        area.width() >= least
            && area.height() <= wander
            && !frames.iter().any(|frame| frame.overlap(*area) * 2 > area.size())
    };
    let parts = components(&across, true).parts;
    let mut lines: Vec<Area> = parts.iter().map(|part| part.area).filter(is_rule).collect();
    if lines.len() > TOO_MANY {
        return Vec::new();
    }
    lines.sort_by_key(|line| line.top);
    let (ragged, rows) = (rules.pixels(RAGGED), rules.pixels(MIN_ROW)..=rules.pixels(MAX_ROW));
    let mut tables = Vec::new();
    while !lines.is_empty() {
        let mut last = lines.remove(0);
        let (mut whole, mut count) = (last, 1);
        lines.retain(|line| {
            let follows = line.left.abs_diff(last.left) <= ragged
                && line.right.abs_diff(last.right) <= ragged
                && rows.contains(&line.top.saturating_sub(last.top));
            if follows {
                (last, whole, count) = (*line, whole.around(*line), count + 1);
            }
            !follows
        });
        if count >= FEWEST {
            tables.push(whole.grown(rules.pixels(MARGIN), &across));
        }
    }
    tables
}

#[cfg(test)]
mod tests {
    use crate::{layout::clips, page::Page};
    use image::{GrayImage, Luma};
    use rstest::rstest;

    /// A page 120 mm wide and 160 mm high at 300 dpi.
    fn sheet() -> GrayImage {
        GrayImage::from_pixel(1417, 1890, Luma([255]))
    }

    fn bar(image: &mut GrayImage, left: u32, top: u32, width: u32, height: u32) {
        (top..top + height).for_each(|y| (left..left + width).for_each(|x| image.put_pixel(x, y, Luma([0]))));
    }

    /// Lines of words between two columns of pixels.
    fn lines(image: &mut GrayImage, left: u32, right: u32, top: u32, count: u32) {
        for line in 0..count {
            (left..right - 60).step_by(75).for_each(|x| bar(image, x, top + line * 40, 55, 22));
        }
    }

    fn found(image: GrayImage) -> Vec<[u32; 2]> {
        let page = Page { number: 1, image, dpi: 300.0, layer: None, hash: String::new() };
        let edges = |area: [f64; 4]| [area[1], area[1] + area[3]].map(|part| (part * 1890.0 / 10.0) as u32);
        clips(&page).iter().map(|clip| edges(clip.area)).collect()
    }

    #[rstest]
    #[case(2, 6, 60)]
    #[case(4, 3, 46)]
    fn a_table_in_the_open_cuts_nothing(#[case] columns: u32, #[case] rows: u32, #[case] row_height: u32) {
        let mut image = sheet();
        lines(&mut image, 200, 1200, 300, 6);
        for row in 0..=rows {
            bar(&mut image, 200, 560 + row * row_height, 1000, 3);
        }
        for column in 0..=columns {
            bar(&mut image, 200 + column * (997 / columns), 560, 3, rows * row_height);
        }
        for row in 0..rows {
            lines(&mut image, 215, 500, 573 + row * row_height, 1);
        }
        lines(&mut image, 200, 1200, 590 + rows * row_height, 5);
        let clips = found(image);
        assert_eq!(clips.len(), 1, "{clips:?}");
        let end = 590 + rows * row_height + 4 * 40 + 22;
        assert!(clips[0][0] <= 30 && clips[0][1] >= end / 10, "{clips:?}");
    }

    #[test]
    fn a_rule_between_two_notices_still_parts_them() {
        let mut image = sheet();
        lines(&mut image, 200, 1200, 300, 8);
        bar(&mut image, 200, 620, 1000, 3);
        lines(&mut image, 200, 1200, 640, 8);
        assert_eq!(found(image).len(), 2);
    }

    #[test]
    fn squared_paper_is_nothing_and_takes_no_time() {
        let mut image = sheet();
        (0..1400).step_by(28).for_each(|x| bar(&mut image, x, 0, 2, 1890));
        (0..1890).step_by(28).for_each(|y| bar(&mut image, 0, y, 1417, 2));
        assert!(found(image).len() <= 1);
    }
}

//! Finds ruled tables in the open area. A table is a stack of horizontal rules whose left or right
//! ends align. Its rules separate rows, not notices. Vertical table rules are not used, because
//! between two rows they are as short as letter strokes.
//!
//! In worn print, a table as wide as its notice's frame touches the sides of the frame and
//! encloses the space above or below the table. Such a region is not a frame.

use super::components::components;
use super::mask::{Area, Mask};
use super::ruling_lines::Rules;

/// The widest gap in a table rule that is closed, in millimetres.
const CLOSED_GAP: f64 = 2.0;
/// The shortest rule of a table, in millimetres.
const MIN_WIDTH: f64 = 18.0;
/// How far a rule may deviate from a straight line, in millimetres.
const MAX_DEVIATION: f64 = 3.0;
/// How far the left ends or the right ends of the rules of a table may differ, in millimetres.
const END_TOLERANCE: f64 = 2.0;
/// The smallest height of a row, in millimetres. The two lines of a double rule are closer.
const MIN_ROW: f64 = 1.8;
/// The largest height of a row, in millimetres. Rules that are farther apart separate notices in a
/// column.
const MAX_ROW: f64 = 12.0;
/// The fewest rules of a table.
const MIN_RULES: usize = 4;
/// A page with more rules than this is ruled paper and has no tables.
const MAX_RULES: usize = 3000;
/// The margin of a table beyond the centres of its rules, in millimetres.
const MARGIN: f64 = 1.2;

/// How close the rules of a frame are to its box, in millimetres.
const BORDER_WIDTH: f64 = 2.0;
/// How far the sides of a table may be from the sides of its frame, in millimetres.
const MAX_INSET: f64 = 4.0;
/// The smallest fraction of ink in a table row between a table and a region that the table
/// encloses. A space with less ink is not a row.
const ROW_INK: f64 = 0.02;
/// Ink within this distance of the rules above and below the row does not count for [`ROW_INK`],
/// in millimetres.
const RULE_MARGIN: f64 = 0.6;

/// Removes table cells and the regions that a table encloses from the frames. Extends the table
/// over the enclosed regions. Returns the sides of the enclosed regions that are not table rules,
/// because they still separate the table from its neighbours.
pub(super) fn merge_enclosed(
    tables: &mut [Area],
    frames: &mut Vec<Area>,
    rules: &Rules,
    ink: &Mask,
) -> Vec<Area> {
    let border = rules.pixels(BORDER_WIDTH);
    let mut sides = Vec::new();
    for table in tables {
        let grid = *table;
        frames.retain(|frame| {
            let is_cell = frame.overlap(grid) * 2 > frame.size();
            let is_closed = !is_cell && is_enclosed_by(grid, *frame, rules, ink);
            if is_closed {
                let Area { left, top, right, bottom } = frame.grown(border, ink);
                sides.push(Area { left, right: frame.left, ..*frame });
                sides.push(Area { left: frame.right, right, ..*frame });
                if frame.bottom > grid.bottom {
                    sides.push(Area { left, top: frame.bottom, right, bottom });
                    table.bottom = table.bottom.max(frame.bottom);
                } else {
                    sides.push(Area { left, top, right, bottom: frame.top });
                    table.top = table.top.min(frame.top);
                }
            }
            !is_cell && !is_closed
        });
    }
    sides
}

/// Whether the upper or lower side of a frame is a rule of a table. Then the frame is about as
/// wide as the table, and a table row lies between the two.
fn is_enclosed_by(table: Area, frame: Area, rules: &Rules, ink: &Mask) -> bool {
    let inset = rules.pixels(MAX_INSET);
    let is_below = frame.bottom > table.bottom;
    let (from, to) = if is_below { (table.bottom, frame.top) } else { (frame.bottom, table.top) };
    let near = rules.pixels(RULE_MARGIN);
    let row =
        Area { left: table.left, top: from + near, right: table.right, bottom: to.saturating_sub(near) };
    frame.left.abs_diff(table.left) <= inset
        && frame.right.abs_diff(table.right) <= inset
        && (rules.pixels(MIN_ROW)..=rules.pixels(MAX_ROW)).contains(&to.saturating_sub(from))
        && ink.count(row) as f64 >= ROW_INK * row.size() as f64
}

/// Finds the tables outside `frames`. All boxes are in the resolution of the rules.
pub(super) fn find(rules: &Rules, frames: &[Area]) -> Vec<Area> {
    let mut across = rules.across.clone();
    across.close_rows(rules.pixels(CLOSED_GAP), None);
    let (least, wander) = (rules.pixels(MIN_WIDTH), rules.pixels(MAX_DEVIATION));
    let frames: Vec<Area> =
        frames.iter().map(|frame| frame.grown(rules.pixels(BORDER_WIDTH), &across)).collect();
    let is_rule = |area: &Area| {
        area.width() >= least
            && area.height() <= wander
            && !frames.iter().any(|frame| frame.overlap(*area) * 2 > area.size())
    };
    let parts = components(&across, true).parts;
    let mut lines: Vec<Area> = parts.iter().map(|part| part.area).filter(is_rule).collect();
    if lines.len() > MAX_RULES {
        return Vec::new();
    }
    lines.sort_by_key(|line| line.top);
    let (ragged, rows) = (rules.pixels(END_TOLERANCE), rules.pixels(MIN_ROW)..=rules.pixels(MAX_ROW));
    let mut tables = Vec::new();
    while !lines.is_empty() {
        let mut last = lines.remove(0);
        let (mut whole, mut count) = (last, 1);
        lines.retain(|line| {
            // One end of a worn rule may be missing.
            let begins = line.left.abs_diff(whole.left) <= ragged;
            let ends = line.right.abs_diff(whole.right) <= ragged;
            let follows = (begins || ends) && rows.contains(&line.top.saturating_sub(last.top));
            if follows {
                (last, whole, count) = (*line, whole.around(*line), count + 1);
            }
            !follows
        });
        if count >= MIN_RULES {
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

    /// Lines of words between two pixel columns.
    fn lines(image: &mut GrayImage, left: u32, right: u32, top: u32, count: u32) {
        for line in 0..count {
            (left..right - 60).step_by(75).for_each(|x| bar(image, x, top + line * 40, 55, 22));
        }
    }

    /// The top and bottom of each clip, in tens of pixels.
    fn found(image: GrayImage) -> Vec<[u32; 2]> {
        let page = Page::of(image, 300.0);
        let edges = |area: [f64; 4]| [area[1], area[1] + area[3]].map(|part| (part * 1890.0 / 10.0) as u32);
        clips(&page).iter().map(|clip| edges(clip.area)).collect()
    }

    #[rstest]
    #[case(2, 6, 60)]
    #[case(4, 3, 46)]
    fn an_open_table_does_not_split_a_notice(
        #[case] columns: u32,
        #[case] rows: u32,
        #[case] row_height: u32,
    ) {
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

    /// A column rule stands 2 mm to the left of a table, and a frame 4 mm to the right. The top
    /// and bottom of the frame align with table rules, so that the table seems to be framed.
    #[test]
    fn a_table_between_neighbours_is_not_a_frame() {
        let mut image = sheet();
        lines(&mut image, 120, 900, 300, 6);
        bar(&mut image, 98, 290, 3, 1000);
        [940, 1237].into_iter().for_each(|x| bar(&mut image, x, 560, 3, 339));
        [560, 896].into_iter().for_each(|y| bar(&mut image, 940, y, 300, 3));
        (0..=7).for_each(|row| bar(&mut image, 123, 560 + row * 48, 770, 3));
        (0..7).for_each(|row| lines(&mut image, 140, 600, 572 + row * 48, 1));
        lines(&mut image, 120, 900, 930, 8);
        let clips = found(image);
        assert_eq!(clips.len(), 2, "{clips:?}");
        assert!(clips[0][0] <= 30 && clips[0][1] >= 120, "{clips:?}");
    }

    /// Draws a notice of words, a table of five rows, and words again. The rules of the table end
    /// 1.5 mm before the sides of the frame. The table spans pixel rows 560 to 860.
    fn notice_with_a_table(image: &mut GrayImage) {
        lines(image, 230, 1180, 300, 6);
        (0..=5).for_each(|row| bar(image, 221, 560 + row * 60, 958, 3));
        (0..5).for_each(|row| lines(image, 240, 700, 573 + row * 60, 1));
        lines(image, 230, 1180, 890, 8);
    }

    #[rstest]
    #[case::without_a_top(270, 1230, true)]
    #[case::without_a_foot(270, 1230, false)]
    fn a_region_closed_by_a_table_is_not_a_frame(
        #[case] top: u32,
        #[case] foot: u32,
        #[case] is_foot_whole: bool,
    ) {
        let mut image = sheet();
        notice_with_a_table(&mut image);
        [(200, top), (1197, top)].into_iter().for_each(|(x, y)| bar(&mut image, x, y, 3, foot - top));
        bar(&mut image, 200, if is_foot_whole { foot } else { top }, 1000, 3);
        let clips = found(image);
        assert_eq!(clips.len(), 1, "{clips:?}");
        assert!(clips[0][0] <= 30 && clips[0][1] >= 120, "{clips:?}");
    }

    #[test]
    fn a_frame_below_a_table_is_a_separate_clip() {
        let mut image = sheet();
        lines(&mut image, 200, 1200, 300, 6);
        (0..=5).for_each(|row| bar(&mut image, 200, 560 + row * 60, 1000, 3));
        (0..5).for_each(|row| lines(&mut image, 220, 700, 573 + row * 60, 1));
        [900, 1300].into_iter().for_each(|y| bar(&mut image, 200, y, 1000, 3));
        [200, 1197].into_iter().for_each(|x| bar(&mut image, x, 900, 3, 400));
        lines(&mut image, 230, 1170, 930, 8);
        let clips = found(image);
        assert_eq!(clips.len(), 2, "{clips:?}");
    }

    #[test]
    fn a_rule_between_two_notices_separates_them() {
        let mut image = sheet();
        lines(&mut image, 200, 1200, 300, 8);
        bar(&mut image, 200, 620, 1000, 3);
        lines(&mut image, 200, 1200, 640, 8);
        assert_eq!(found(image).len(), 2);
    }

    #[test]
    fn squared_paper_has_at_most_one_clip() {
        let mut image = sheet();
        (0..1400).step_by(28).for_each(|x| bar(&mut image, x, 0, 2, 1890));
        (0..1890).step_by(28).for_each(|y| bar(&mut image, 0, y, 1417, 2));
        assert!(found(image).len() <= 1);
    }
}

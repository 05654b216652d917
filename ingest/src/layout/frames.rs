//! Finds frames, which are regions enclosed by printed rules. Gaps in the rules, such as worn ink
//! and open corners, are closed at three scales, and the frames of all scales are combined. A
//! single large scale would join neighbouring frames.

use super::components::{Component, Components, components};
use super::mask::{Area, Mask};
use super::ruling_lines::Rules;
use std::ops::Range;

/// The largest gap that is closed at each scale, in millimetres.
const CLOSED_GAPS: [f64; 3] = [0.8, 2.0, 5.0];
/// The smallest width of a frame, in millimetres.
const MIN_WIDTH: f64 = 18.0;
/// The smallest height of a frame, in millimetres.
const MIN_HEIGHT: f64 = 10.0;
/// The smallest fraction of each side of a frame along which a rule is near. The inside of the
/// frame must be near along the same fraction.
const MIN_COVERAGE: f64 = 0.75;
/// How far a side may deviate from a straight line, in millimetres. On warped paper a tall side
/// deviates by more than a line height.
const MAX_DEVIATION: f64 = 2.4;
/// The largest distance between two sides that form a corner, in millimetres. It allows for the
/// thickness of the sides and for worn ink.
const CORNER_DISTANCE: f64 = 1.5;
/// The smallest number of corners of a frame. A region that is enclosed by chance has fewer.
const MIN_CORNERS: usize = 2;
/// A frame is the border of the page if it covers more than this fraction of the page and holds
/// more than one smaller frame. Frames of different scales count separately.
const PAGE_BORDER_SHARE: f64 = 0.5;

/// Finds the frames of a sheet, in the resolution of the rules. A frame that lies mostly within
/// another is left out.
pub(super) fn find(rules: &Rules) -> Vec<Area> {
    let mut found: Vec<Area> = Vec::new();
    let down = rules.down.transposed();
    for gap in CLOSED_GAPS {
        let gap = rules.pixels(gap);
        let mut net = close_gaps(&rules.across, gap);
        net.add(&close_gaps(&down, gap).transposed());
        let parts = components(&net, false);
        found.extend(parts.parts.iter().filter(|part| is_frame(part, &parts, rules)).map(|part| part.area));
    }
    found.sort_by_key(|area| std::cmp::Reverse(area.size()));
    let page = rules.across.width * rules.across.height;
    let inside = |inner: Area, outer: Area| inner.overlap(outer) * 2 > inner.size();
    let mut frames: Vec<Area> = Vec::new();
    for (place, area) in found.iter().enumerate() {
        let smaller = found[place + 1..].iter().filter(|other| other.size() * 10 < area.size() * 8);
        let held = smaller.filter(|other| inside(**other, *area)).count();
        let border = area.size() as f64 > page as f64 * PAGE_BORDER_SHARE && held > 1;
        if !border && !frames.iter().any(|frame| inside(*area, *frame)) {
            frames.push(*area);
        }
    }
    frames
}

/// Closes the gaps in horizontal rules and extends their ends, so that they meet the rules that
/// they nearly touch.
fn close_gaps(rules: &Mask, gap: usize) -> Mask {
    let mut rules = rules.clone();
    rules.close_rows(gap, None);
    rules.dilate_rows(gap.div_ceil(2));
    rules
}

/// Whether an enclosed component is large enough, reaches all sides of its bounding box, and has
/// printed sides and corners.
fn is_frame(part: &Component, parts: &Components, rules: &Rules) -> bool {
    let area = part.area;
    let (width, height) = (rules.across.width, rules.across.height);
    let open = area.left == 0 || area.top == 0 || area.right == width || area.bottom == height;
    if open || area.width() < rules.pixels(MIN_WIDTH) || area.height() < rules.pixels(MIN_HEIGHT) {
        return false;
    }
    let wander = rules.pixels(MAX_DEVIATION);
    let own = |x: usize, y: usize| parts.labels[y * width + x] == part.label;
    // Each side needs enough positions where the inside is near, and where a rule is near.
    let column = |x: usize, from: usize, to: usize, test: &dyn Fn(usize, usize) -> bool| {
        (from..to).any(|y| test(x, y))
    };
    let row = |y: usize, from: usize, to: usize, test: &dyn Fn(usize, usize) -> bool| {
        (from..to).any(|x| test(x, y))
    };
    let across = |x: usize, y: usize| rules.across.get(x, y);
    let down = |x: usize, y: usize| rules.down.get(x, y);
    let near_top = area.top.saturating_sub(wander)..(area.top + wander).min(height);
    let near_bottom = area.bottom.saturating_sub(wander)..(area.bottom + wander).min(height);
    let near_left = area.left.saturating_sub(wander)..(area.left + wander).min(width);
    let near_right = area.right.saturating_sub(wander)..(area.right + wander).min(width);
    let share = |length: usize, count: usize| count as f64 >= length as f64 * MIN_COVERAGE;
    let columns = |test: &dyn Fn(usize) -> bool| {
        share(area.width(), (area.left..area.right).filter(|x| test(*x)).count())
    };
    let rows = |test: &dyn Fn(usize) -> bool| {
        share(area.height(), (area.top..area.bottom).filter(|y| test(*y)).count())
    };
    let meet = rules.pixels(CORNER_DISTANCE);
    // Corners beyond the ends of a side belong to neighbouring frames.
    let meets = |lying: &Range<usize>, standing: &Range<usize>| {
        let beside = |at: usize, end: usize| at.saturating_sub(meet)..(at + meet + 1).min(end);
        let is_side =
            |x: usize, y: usize| standing.contains(&x) && (area.top..area.bottom).contains(&y) && down(x, y);
        let is_near_side =
            |x: usize, y: usize| beside(y, height).any(|y| beside(x, width).any(|x| is_side(x, y)));
        let mut within = standing.clone().filter(|x| (area.left..area.right).contains(x));
        within.any(|x| lying.clone().any(|y| across(x, y) && is_near_side(x, y)))
    };
    let corners = [(&near_top, &near_left), (&near_top, &near_right)]
        .into_iter()
        .chain([(&near_bottom, &near_left), (&near_bottom, &near_right)]);
    corners.filter(|(lying, standing)| meets(lying, standing)).count() >= MIN_CORNERS
        && columns(&|x| column(x, area.top, near_top.end, &own))
        && columns(&|x| column(x, near_bottom.start, area.bottom, &own))
        && rows(&|y| row(y, area.left, near_left.end, &own))
        && rows(&|y| row(y, near_right.start, area.right, &own))
        && columns(&|x| column(x, near_top.start, near_top.end, &across))
        && columns(&|x| column(x, near_bottom.start, near_bottom.end, &across))
        && rows(&|y| row(y, near_left.start, near_left.end, &down))
        && rows(&|y| row(y, near_right.start, near_right.end, &down))
}

#[cfg(test)]
mod tests {
    use crate::{layout::clips, page::Page};
    use image::{GrayImage, Luma};

    /// Whether each clip is framed, on a page of 120 by 200 mm at 300 dpi with a frame of 60 by
    /// 130 mm. The vertical sides of the frame lean by 2 mm, and its top has a hole of `hole`
    /// pixels.
    fn framed(hole: u32) -> Vec<bool> {
        let mut image = GrayImage::from_pixel(1417, 2362, Luma([255]));
        let mut bar = |left: u32, top: u32, width: u32, height: u32| {
            (top..top + height)
                .for_each(|y| (left..left + width).for_each(|x| image.put_pixel(x, y, Luma([0]))));
        };
        let (top, height) = (300, 1535);
        for y in 0..height {
            let left = 300 + 24 * y / height;
            [left, left + 705].into_iter().for_each(|x| bar(x, top + y, 4, 1));
        }
        bar(300, top, 300, 4);
        bar(600 + hole, top, 409 - hole, 4);
        bar(324, top + height, 709, 4);
        for line in 0..30 {
            (360..960).step_by(75).for_each(|x| bar(x, 360 + line * 45, 55, 22));
        }
        let page = Page::of(image, 300.0);
        clips(&page).iter().map(|clip| clip.framed).collect()
    }

    #[test]
    fn a_leaning_frame_with_a_small_gap_is_found() {
        assert_eq!(framed(0), [true]);
        assert_eq!(framed(57), [true], "4.8 mm are closed");
        assert_eq!(framed(120), [false], "10 mm are not");
    }
}

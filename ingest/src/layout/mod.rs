//! Segments a page into clips by its frames, rules and white space. Layout reads no text. Lengths
//! are in millimetres of paper, so that the clips do not depend on the resolution.
//!
//! The page is deskewed and binarised ([`binarisation`]). Then the printed rules are found
//! ([`ruling_lines`]), the regions that they enclose ([`frames`]) and the ruled tables
//! ([`tables`]). The rest of the page is segmented by rules and white space ([`open_area`]).

mod binarisation;
mod clip;
mod components;
mod frames;
mod illumination;
mod mask;
mod open_area;
mod ruling_lines;
mod tables;
mod text_lines;

pub use clip::Clip;
pub(crate) use illumination::flatten_illumination;
pub(crate) use text_lines::{TextLine, text_lines};

use crate::page::Page;
use binarisation::Sheet;
use mask::Area;

/// Finds the clips of a page, sorted by their top and then by their left edge. A blank page has
/// none.
#[must_use]
pub fn clips(page: &Page) -> Vec<Clip> {
    let sheet = Sheet::new(page);
    let rules = ruling_lines::find(&sheet);
    let ink = sheet.ink.halved();
    let mut frames = frames::find(&rules);
    let mut tables = tables::find(&rules, &frames);
    let sides = tables::merge_enclosed(&mut tables, &mut frames, &rules, &ink);
    let open = open_area::find(ink, &rules, &[&frames[..], &sides].concat(), &tables);
    let margin = sheet.pixels(open_area::MARGIN);
    let clip = |area: &Area, margin: Option<usize>| {
        Clip::new(sheet.corners(area.doubled(), margin), margin.is_none(), page.image.dimensions())
    };
    let mut clips: Vec<Clip> = frames.iter().map(|area| clip(area, None)).collect();
    clips.extend(open.iter().map(|area| clip(area, Some(margin))));
    clips.sort_by(|a, b| a.area[1].total_cmp(&b.area[1]).then(a.area[0].total_cmp(&b.area[0])));
    clips
}

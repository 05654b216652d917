//! Finds the text lines of a clip from its ink, without reading text. Adjacent letters form
//! chains, and the chains of one row form a line. A small component above or below a line, such as
//! a vowel sign or a dot, belongs to the nearest line. Parts of a row with a wide gap between
//! them, such as distant table cells, are separate lines.

mod chain;
mod ink;
mod line;

use super::mask::Area;
use chain::Chain;
use image::GrayImage;
use ink::{ContrastImage, LETTER_HEIGHT};
pub(crate) use line::TextLine;

/// The smallest width of a line, in millimetres.
const MIN_LINE_WIDTH: f64 = 0.8;

/// Finds the text lines of an image with `per_mm` pixels per millimetre, from top to bottom.
pub(crate) fn text_lines(image: &GrayImage, per_mm: f64) -> Vec<TextLine> {
    let Some(print) = ContrastImage::of(image) else { return Vec::new() };
    let at = |millimetres: f64| millimetres * per_mm;
    let mut print: Vec<Area> = print.ink_components(per_mm).into_iter().map(|piece| piece.area).collect();
    print.sort_by_key(|area| (area.left, area.top));
    let (letters, signs): (Vec<Area>, Vec<Area>) =
        print.into_iter().partition(|area| area.height() as f64 >= at(LETTER_HEIGHT.0));
    let (chains, left_over) = chain::link_letters(&letters);
    let (mut chains, left_over) = chain::add_letters_in_rows(chain::join_rows(chains), left_over);
    chains.extend(chain::single_letters(&left_over, &chains));
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

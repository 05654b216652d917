//! Draws an image of a page with the true and the found boxes.

use super::{ground_truth::TruthRegion, score::ReadClip};
use crate::page::Page;
use image::{Rgb, RgbImage, imageops};
use tender_model::tender::PageBox;

/// The largest width of the image in pixels.
const MAX_WIDTH: u32 = 1400;
const TRUE_NOTICE: Rgb<u8> = Rgb([20, 140, 60]);
const TRUE_OTHER: Rgb<u8> = Rgb([150, 150, 150]);
const FOUND_NOTICE: Rgb<u8> = Rgb([200, 30, 30]);
const REJECTED_CLIP: Rgb<u8> = Rgb([220, 150, 40]);

/// Draws the page in grey with boxes. Green: a true notice. Grey: another true region. Red: a clip
/// accepted as a notice. Orange: a rejected clip.
pub(super) fn draw(page: &Page, regions: &[TruthRegion], blocks: &[ReadClip]) -> RgbImage {
    let width = page.image.width().clamp(1, MAX_WIDTH);
    let height = u64::from(page.image.height()) * u64::from(width) / u64::from(page.image.width().max(1));
    let small = imageops::resize(&page.image, width, height.max(1) as u32, imageops::FilterType::Triangle);
    let mut picture = RgbImage::from_fn(small.width(), small.height(), |x, y| {
        // The page is made paler, so that the boxes stand out.
        Rgb([128 + small.get_pixel(x, y).0[0] / 2; 3])
    });
    for region in regions {
        outline(&mut picture, region.area, 3, if region.is_notice { TRUE_NOTICE } else { TRUE_OTHER });
    }
    for block in blocks {
        outline(
            &mut picture,
            block.area,
            1,
            if block.tender.is_some() { FOUND_NOTICE } else { REJECTED_CLIP },
        );
    }
    picture
}

fn outline(picture: &mut RgbImage, [x, y, width, height]: PageBox, thick: u32, colour: Rgb<u8>) {
    let (columns, rows) = picture.dimensions();
    let at = |part: f64, whole: u32| (part.clamp(0.0, 1.0) * f64::from(whole.saturating_sub(1))) as u32;
    let (left, right) = (at(x, columns), at(x + width, columns));
    let (top, bottom) = (at(y, rows), at(y + height, rows));
    for inset in 0..thick {
        let (left, right) = (left + inset, right.saturating_sub(inset));
        let (top, bottom) = (top + inset, bottom.saturating_sub(inset));
        let mut put = |x: u32, y: u32| {
            if let Some(pixel) = picture.get_pixel_mut_checked(x, y) {
                *pixel = colour;
            }
        };
        (left..=right).for_each(|x| [top, bottom].into_iter().for_each(|y| put(x, y)));
        (top..=bottom).for_each(|y| [left, right].into_iter().for_each(|x| put(x, y)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image::{GrayImage, Luma};

    #[test]
    fn boxes_are_drawn_within_the_image() {
        let image = GrayImage::from_pixel(100, 200, Luma([255]));
        let page = Page::of(image, 300.0);
        let block = |area| ReadClip { area, text: String::new(), tender: None };
        let blocks = [block([0.1, 0.1, 0.5, 0.5]), block([0.9, 0.9, 4.0, f64::NAN]), block([-3.0; 4])];
        let picture = draw(&page, &[], &blocks);
        assert_eq!(picture.dimensions(), (100, 200));
        assert_eq!(*picture.get_pixel(9, 19), REJECTED_CLIP);
        assert_eq!(*picture.get_pixel(30, 60), Rgb([255; 3]));
    }
}

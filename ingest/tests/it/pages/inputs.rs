//! Tests pages of several resolutions, rotated and photographed pages, and PDFs that mix digital
//! and scanned pages.

use super::support::{bytes_of, encoded, error_rate, notices, open, overlap, read_with_tesseract};
use image::{GrayImage, ImageFormat, Luma, imageops};
use ingest::layout::{self, Clip};
use ingest::ocr::{Readers, read_page};
use ingest::page::Page;
use std::borrow::Cow;

/// A fixture PDF whose page and page tree dictionaries can be edited as text.
const PDF: &str = "daily-lanka/2026-11-20/p2.pdf";
const SCAN: &str = "daily-lanka/2026-11-20/p1.jpg";
const WIDTH: f64 = 991.91998;
const HEIGHT: f64 = 1530.95996;

fn scan() -> Page {
    open(bytes_of(SCAN)).unwrap().page(1).unwrap()
}

/// The number of notices of a fixture page that have a matching clip, and the number of all
/// notices of the page.
fn count_found(page: &Page, truth: &str) -> (usize, usize) {
    let (clips, notices) = (layout::clips(page), notices(truth));
    let is_found = |area: [f64; 4]| clips.iter().any(|clip| overlap(area, clip.area) >= 0.8);
    (notices.iter().filter(|(_, area)| is_found(*area)).count(), notices.len())
}

/// The PDF with `from` replaced by `to`, and with `more` appended. The edit invalidates the
/// cross-reference table, which Poppler rebuilds.
fn edit_pdf(from: &str, to: &str, more: &[u8]) -> Vec<u8> {
    let bytes = bytes_of(PDF);
    let at = bytes.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
    [&bytes[..at], to.as_bytes(), &bytes[at + from.len()..], b"\n", more, b"\n%%EOF\n"].concat()
}

#[test]
fn all_notices_are_found_at_several_resolutions() {
    let page = scan();
    for dpi in [150.0, 200.0, 600.0] {
        let side = |side: u32| (f64::from(side) * dpi / page.dpi).round() as u32;
        let (width, height) = (side(page.image.width()), side(page.image.height()));
        let image = imageops::resize(&page.image, width, height, imageops::FilterType::Triangle);
        let (found, all) = count_found(&Page { image, dpi, ..page.clone() }, "2026-11-20/p1");
        assert_eq!(found, all, "{dpi} dpi");
    }
}

/// The first four clips of a page, which suffice to detect the orientation.
fn first_four_clips(page: &Page) -> Vec<Clip> {
    layout::clips(page).into_iter().take(4).collect()
}

#[test]
fn a_rotated_scan_is_turned_upright() {
    let (page, readers) = (scan(), Readers::new().unwrap());
    let read = read_page(&page, &readers, first_four_clips).unwrap();
    assert!(matches!(read.page, Cow::Borrowed(_)));
    for quarters in 1..4 {
        let turned = page.turned(quarters);
        let corrected = read_page(&turned, &readers, first_four_clips).unwrap();
        assert!(*corrected.page.image == *page.image, "{quarters} quarter turns");
        assert_eq!(corrected.texts, read.texts, "{quarters} quarter turns");
    }
    // The orientation of a blank page cannot be detected, so the page is read as it is.
    let blank = Page { image: GrayImage::from_pixel(2000, 3000, Luma([255])), ..page };
    let read = read_page(&blank, &readers, |_| vec![Clip::upright([0.1, 0.1, 0.8, 0.8])]).unwrap();
    assert!(matches!(read.page, Cow::Borrowed(_)));
    assert_eq!(read.texts, [None]);
}

#[test]
fn a_pdf_is_rendered_with_its_rotation() {
    let plain = open(bytes_of(PDF)).unwrap().page(1).unwrap();
    // The content of the page is sideways, and its dictionary rotates it. The rendered page is
    // upright, and its words have the right positions.
    let sideways = edit_pdf(
        &format!("/MediaBox [0 0 {WIDTH} {HEIGHT}]\n/Contents 27 0 R"),
        &format!("/MediaBox [0 0 {HEIGHT} {WIDTH}]\n/Rotate 90\n/Contents [900 0 R 27 0 R]"),
        format!("900 0 obj\n<</Length 24>>\nstream\n0 1 -1 0 {HEIGHT} 0 cm \nendstream\nendobj").as_bytes(),
    );
    let page = open(sideways).unwrap().page(1).unwrap();
    assert_eq!(page.image.dimensions(), plain.image.dimensions());
    let (words, expected) = (page.layer.unwrap(), plain.layer.unwrap());
    assert_eq!(words.len(), expected.len());
    for word in &expected {
        let near = |other: &&ingest::base::Word| {
            other.text == word.text && (0..4).all(|side| (other.area[side] - word.area[side]).abs() < 2e-3)
        };
        assert!(words.iter().any(|other| near(&other)), "{word:?}");
    }
    // The content of the page is upright, and its dictionary rotates it. The rendered page is not
    // upright. It is turned upright for reading.
    let readers = Readers::new().unwrap();
    for degrees in [90, 180, 270] {
        let bytes = edit_pdf("/Tabs /S\n", &format!("/Rotate {degrees}\n"), b"");
        let page = open(bytes).unwrap().page(1).unwrap();
        let page = read_page(&page, &readers, first_four_clips).unwrap().page;
        assert_eq!(page.image.dimensions(), plain.image.dimensions(), "{degrees}");
        assert_eq!(page.layer, None);
    }
}

#[test]
fn a_pdf_may_mix_digital_and_scanned_pages() {
    let jpeg = bytes_of(SCAN);
    let (columns, rows) = scan().image.dimensions();
    let picture = format!(
        "901 0 obj\n<</Type /XObject /Subtype /Image /Width {columns} /Height {rows} /ColorSpace /DeviceGray \
         /BitsPerComponent 8 /Filter /DCTDecode /Length {}>>\nstream\n",
        jpeg.len()
    );
    let contents = format!("q {WIDTH} 0 0 {HEIGHT} 0 0 cm /Scan Do Q");
    let rest = format!(
        "\nendstream\nendobj\n902 0 obj\n<</Length {}>>\nstream\n{contents}\nendstream\nendobj\n\
         900 0 obj\n<</Type /Page /Parent 28 0 R /MediaBox [0 0 {WIDTH} {HEIGHT}] /Contents 902 0 R \
         /Resources <</XObject <</Scan 901 0 R>>>>>>\nendobj",
        contents.len()
    );
    let more = [picture.as_bytes(), &jpeg, rest.as_bytes()].concat();
    let file = open(edit_pdf("/Count 1\n/Kids [2 0 R]", "/Count 2\n/Kids [2 0 R 900 0 R]", &more)).unwrap();
    assert_eq!(file.len(), 2);
    let (digital, scanned) = (file.page(1).unwrap(), file.page(2).unwrap());
    assert!(digital.layer.is_some_and(|words| words.len() > 1000));
    assert_eq!(scanned.layer, None);
    let (found, all) = count_found(&scanned, "2026-11-20/p1");
    assert_eq!(found, all);
}

#[test]
fn a_photograph_of_a_page_is_rectified() {
    let page = scan();
    // The page is photographed at an angle, so its far edge is shorter. The light comes from the
    // left. The table under the page is visible.
    let [a, b, c] = [4400.0, 160.0, 260.0];
    let [d, e, f] = [-90.0, 6900.0, 240.0];
    let [g, h] = [0.05, 0.06];
    let table = |x: u32, y: u32| 45 + (x.wrapping_mul(31) ^ y.wrapping_mul(17)) % 24;
    let photograph = GrayImage::from_fn(4900, 7100, |x, y| {
        let (column, row) = (f64::from(x), f64::from(y));
        let [ux, vx, wx] = [a - g * column, b - h * column, column - c];
        let [uy, vy, wy] = [d - g * row, e - h * row, row - f];
        let area = ux * vy - vx * uy;
        let (u, v) = ((wx * vy - vx * wy) / area, (ux * wy - wx * uy) / area);
        if !(0.0..1.0).contains(&u) || !(0.0..1.0).contains(&v) {
            return Luma([table(x, y) as u8]);
        }
        let [x, y] = [u * f64::from(page.image.width() - 1), v * f64::from(page.image.height() - 1)];
        let ink = imageops::interpolate_bilinear(&page.image, x as f32, y as f32).unwrap()[0];
        Luma([(f64::from(ink) * (0.95 - 0.3 * u)) as u8])
    });
    let flat = open(encoded(&photograph, ImageFormat::Jpeg)).unwrap().page(1).unwrap();
    assert!(flat.image.width() < 4600, "the table was not removed: {:?}", flat.image.dimensions());
    let (found, all) = count_found(&flat, "2026-11-20/p1");
    assert!(found + 1 >= all, "{found} of {all}");
    let (notice, area) =
        notices("2026-11-20/p1").into_iter().find(|(notice, _)| notice["lang"] == "en").unwrap();
    let clip = layout::clips(&flat).into_iter().find(|clip| overlap(area, clip.area) >= 0.8).unwrap();
    let text = read_with_tesseract(&flat, &clip);
    let rate = error_rate(notice["text"].as_str().unwrap(), &text.text());
    assert!(rate <= 0.03, "{rate}: {}", text.text());
}

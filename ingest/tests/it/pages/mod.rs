//! Tests the page loader on invalid input, the layout of fixture pages, and readers on single
//! clips.

mod inputs;
mod support;

use image::{GrayImage, ImageFormat, Luma};
use ingest::layout::{self, Clip};
use ingest::ocr::{PageOrientation, Reader, ReaderName, Tesseract, TextLayerReader};
use ingest::page::{self, PageError};
use std::path::Path;
use support::{bytes_of, encoded, error_rate, fixtures, notices, open, overlap, read_with_tesseract};

fn small_image() -> GrayImage {
    GrayImage::from_fn(64, 48, |x, y| Luma([(x * 3 + y) as u8]))
}

#[test]
fn invalid_files_are_refused_with_a_reason() {
    let open_error = |bytes: Vec<u8>| open(bytes).unwrap_err();
    let refused = [
        (open_error(Vec::new()), "is empty"),
        (
            open_error(b"Dear editor, please find the page attached.".to_vec()),
            "is not a PDF, JPEG, PNG or TIFF",
        ),
        (open_error(b"\xFF\xD8\xFF".to_vec()), "is truncated"),
        (open_error(b"%PDF-1.7\nnothing\n%%EOF".to_vec()), "cannot be decoded"),
        (open_error(b"II*\0".to_vec()), "is truncated"),
        (open_error(b"II*\0\x08\0\0\0\xFF\xFF".to_vec()), "is truncated"),
        (open_error(b"\x89PNG\r\n\x1A\n".to_vec()), "is truncated"),
    ];
    for (error, wanted) in refused {
        let message = error.to_string();
        assert!(message.starts_with("batch/page") && message.contains(wanted), "{message}");
    }
    let missing = page::open(Path::new("/no/such/page.jpg")).unwrap_err();
    assert!(matches!(missing, PageError::Io { .. }), "{missing}");
    let folder = page::open(&fixtures()).unwrap_err();
    assert!(matches!(folder, PageError::NotAPage { .. }), "{folder}");
}

#[test]
fn a_file_that_is_cut_off_is_refused() {
    let jpeg = bytes_of("daily-lanka/2026-11-20/p1.jpg");
    let pdf = bytes_of("daily-lanka/2026-11-20/p2.pdf");
    for bytes in [jpeg, pdf] {
        let half = bytes[..bytes.len() / 2].to_vec();
        let refused = open(half).unwrap_err();
        assert!(matches!(refused, PageError::Truncated { .. }), "{refused}");
    }
    let png = encoded(&small_image(), ImageFormat::Png);
    let refused = open(png[..png.len() - 30].to_vec()).and_then(|file| file.page(1)).unwrap_err();
    assert!(matches!(refused, PageError::Truncated { .. } | PageError::Unreadable { .. }), "{refused}");
}

#[test]
fn a_forged_header_is_refused_before_anything_is_decoded() {
    // A PNG header of 25,000 by 20,000 pixels with a valid checksum and no data.
    let mut png = b"\x89PNG\r\n\x1A\n\0\0\0\x0DIHDR".to_vec();
    png.extend_from_slice(&25_000_u32.to_be_bytes());
    png.extend_from_slice(&20_000_u32.to_be_bytes());
    png.extend_from_slice(&[8, 0, 0, 0, 0]);
    let checksum = crc32(&png[12..]);
    png.extend_from_slice(&checksum.to_be_bytes());
    png.extend_from_slice(b"\0\0\0\x0AIDAT");
    let refused = open(png).unwrap_err();
    assert!(matches!(refused, PageError::TooLarge { width: 25_000, height: 20_000, .. }), "{refused}");
    // A JPEG whose frame header claims 65,000 by 60,000 pixels.
    let mut jpeg = encoded(&small_image(), ImageFormat::Jpeg);
    let frame = jpeg.windows(2).position(|marker| marker == [0xFF, 0xC0]).unwrap();
    jpeg[frame + 5..frame + 9].copy_from_slice(&[0xEA, 0x60, 0xFD, 0xE8]);
    let refused = open(jpeg).unwrap_err();
    assert!(matches!(refused, PageError::TooLarge { width: 65_000, height: 60_000, .. }), "{refused}");
    // A PDF page of 200 by 200 inches, which is 3,600 million pixels.
    let refused = open(pdf("[0 0 14400 14400]", "")).and_then(|file| file.page(1)).unwrap_err();
    assert!(matches!(refused, PageError::TooLarge { width: 60_000, height: 60_000, .. }), "{refused}");
}

#[test]
fn an_encrypted_pdf_is_reported() {
    let owner = "A".repeat(64);
    let encrypt =
        format!("/Encrypt << /Filter /Standard /V 1 /R 2 /O <{owner}> /U <{owner}> /P -4 >> /ID [<00><00>]");
    let refused = open(pdf("[0 0 100 100]", &encrypt)).unwrap_err();
    assert!(matches!(refused, PageError::Encrypted { .. }), "{refused}");
}

#[test]
fn every_page_of_a_file_has_its_own_hash_and_image() {
    let tiff = two_page_tiff();
    let file = open(tiff).unwrap();
    assert_eq!(file.len(), 2);
    let pages: Vec<_> = file.pages().map(Result::unwrap).collect();
    assert_eq!(pages[0].image.get_pixel(0, 0), &Luma([10]));
    assert_eq!(pages[1].image.get_pixel(0, 0), &Luma([200]));
    assert_ne!(pages[0].hash, pages[1].hash);
    assert_eq!(pages[1].hash, file.hash(2));
    assert!(file.page(0).is_err() && file.page(3).is_err());
}

#[test]
fn formats_are_detected_by_content() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Tiff] {
        let page = open(encoded(&small_image(), format)).unwrap().page(1).unwrap();
        assert_eq!((page.image.dimensions(), page.number), ((64, 48), 1), "{format:?}");
    }
}

#[test]
fn a_page_of_one_colour_has_at_most_one_clip() {
    for ink in [255, 128, 0] {
        let png = encoded(&GrayImage::from_pixel(1200, 1600, Luma([ink])), ImageFormat::Png);
        let page = open(png).unwrap().page(1).unwrap();
        assert!(layout::clips(&page).len() <= 1, "{ink}");
    }
    let dot = open(encoded(&GrayImage::new(1, 1), ImageFormat::Png)).unwrap().page(1).unwrap();
    assert!(layout::clips(&dot).len() <= 1);
}

#[test]
fn the_notices_of_the_fixture_pages_are_found() {
    let mut found = 0;
    for (page, truth) in [
        ("2026-11-20/p1.jpg", "2026-11-20/p1"),
        ("2026-11-20/p2.pdf", "2026-11-20/p2"),
        ("2024-05-07/p2.jpg", "2024-05-07/p2"),
    ] {
        let page = open(bytes_of(&format!("daily-lanka/{page}"))).unwrap().page(1).unwrap();
        let clips = layout::clips(&page);
        let notices = notices(truth);
        let here = notices
            .iter()
            .filter(|(_, area)| clips.iter().any(|clip| overlap(*area, clip.area) >= 0.8))
            .count();
        assert_eq!(here, notices.len(), "{truth}");
        assert!(clips.len() <= notices.len() + 8, "{truth}: {} clips", clips.len());
        found += here;
    }
    assert_eq!(found, 54);
}

#[test]
fn a_born_digital_page_is_read_with_few_errors() {
    let page = open(bytes_of("daily-lanka/2026-11-20/p2.pdf")).unwrap().page(1).unwrap();
    let clips = layout::clips(&page);
    let mut rates: Vec<f64> = Vec::new();
    for (notice, area) in notices("2026-11-20/p2") {
        let clip =
            clips.iter().max_by(|a, b| overlap(area, a.area).total_cmp(&overlap(area, b.area))).unwrap();
        let text = TextLayerReader
            .read(&page, &[clip], PageOrientation::Known)
            .unwrap()
            .texts()
            .unwrap()
            .remove(0)
            .expect("the text layer can be trusted");
        assert_eq!(text.reader, ReaderName::TextLayer);
        assert_eq!(text.language.as_str(), notice["lang"].as_str().unwrap());
        rates.push(error_rate(notice["text"].as_str().unwrap(), &text.text()));
    }
    rates.sort_by(f64::total_cmp);
    assert!(rates[rates.len() / 2] <= 0.007, "median {}", rates[rates.len() / 2]);
    assert!(rates.iter().sum::<f64>() / rates.len() as f64 <= 0.02, "{rates:?}");
}

#[test]
fn a_scanned_clip_is_read_by_tesseract() {
    let page = open(bytes_of("daily-lanka/2024-05-07/p2.jpg")).unwrap().page(1).unwrap();
    let (notice, area) =
        notices("2024-05-07/p2").into_iter().find(|(notice, _)| notice["id"] == "n11").unwrap();
    let clip = layout::clips(&page).into_iter().find(|clip| overlap(area, clip.area) >= 0.8).unwrap();
    let text = read_with_tesseract(&page, &clip);
    let rate = error_rate(notice["text"].as_str().unwrap(), &text.text());
    assert!(rate <= 0.02, "{rate}: {}", text.text());
    let inside = |word: &ingest::base::Word| {
        let [x, y] = clip.locate([word.area[0] + word.area[2] / 2.0, word.area[1] + word.area[3] / 2.0]);
        (0.0..=1.0).contains(&x) && (0.0..=1.0).contains(&y)
    };
    assert!(text.words().all(inside), "words are within their clip");
    let blank = GrayImage::from_pixel(300, 300, Luma([255]));
    let blank = open(encoded(&blank, ImageFormat::Png)).unwrap().page(1).unwrap();
    let whole = Clip::upright([0.0, 0.0, 1.0, 1.0]);
    assert_eq!(
        Tesseract::new().unwrap().read(&blank, &[&whole], PageOrientation::Known).unwrap().texts().unwrap(),
        [None]
    );
}

/// A PDF of one blank page with this media box and these additional trailer entries.
fn pdf(media_box: &str, trailer: &str) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox {media_box} >>"),
    ];
    let mut text = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", text.len());
        text += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = text.len();
    text += &format!(
        "xref\n0 4\n{table}trailer\n<< /Size 4 /Root 1 0 R {trailer} >>\nstartxref\n{start}\n%%EOF\n"
    );
    text.into_bytes()
}

/// A little-endian TIFF with two pages of one grey pixel each: 10 and 200.
fn two_page_tiff() -> Vec<u8> {
    let mut bytes = b"II*\0".to_vec();
    bytes.extend_from_slice(&10_u32.to_le_bytes());
    bytes.extend_from_slice(&[10, 200]);
    for page in 0..2_u32 {
        // Width, height, bits, compression (none), photometric (black is zero), strip offset,
        // rows, strip length.
        let entries = [(256, 1), (257, 1), (258, 8), (259, 1), (262, 1), (273, 8 + page), (278, 1), (279, 1)];
        bytes.extend_from_slice(&(entries.len() as u16).to_le_bytes());
        for (tag, value) in entries {
            bytes.extend_from_slice(&(tag as u16).to_le_bytes());
            bytes.extend_from_slice(&4_u16.to_le_bytes());
            bytes.extend_from_slice(&1_u32.to_le_bytes());
            bytes.extend_from_slice(&u32::to_le_bytes(value));
        }
        let next = if page == 0 { bytes.len() as u32 + 4 } else { 0 };
        bytes.extend_from_slice(&next.to_le_bytes());
    }
    bytes
}

/// The checksum of the type and the data of a PNG chunk.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(
            sum ^ u32::from(*byte),
            |sum, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 },
        )
    };
    !bytes.iter().fold(u32::MAX, step)
}

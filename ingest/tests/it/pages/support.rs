//! Helpers that read fixture pages and their ground truth, and compare boxes and texts.

use image::{GrayImage, ImageFormat};
use ingest::layout::Clip;
use ingest::ocr::{ClipText, PageOrientation, Reader, Tesseract};
use ingest::page::{Page, PageError, PageFile};
use serde_json::Value;
use std::io::Cursor;
use std::path::{Path, PathBuf};

pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

pub(crate) fn bytes_of(page: &str) -> Vec<u8> {
    std::fs::read(fixtures().join("newspapers").join(page)).unwrap()
}

pub(crate) fn open(bytes: Vec<u8>) -> Result<PageFile, PageError> {
    PageFile::from_bytes(Path::new("batch/page"), bytes)
}

pub(crate) fn encoded(image: &GrayImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// The tender notices of a fixture page, each with its bounding box as fractions of the page.
pub(crate) fn notices(page: &str) -> Vec<(Value, [f64; 4])> {
    let path = fixtures().join("truth/newspapers/daily-lanka").join(format!("{page}.gt.json"));
    let truth: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let size: [f64; 2] = serde_json::from_value(truth["size_px"].clone()).unwrap();
    let area = |piece: &Value| {
        let corners: Vec<[f64; 2]> = serde_json::from_value(piece["quad_px"].clone()).unwrap();
        let edge = |axis: usize, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|corner| corner[axis] / size[axis]).reduce(pick).unwrap()
        };
        let (left, top) = (edge(0, f64::min), edge(1, f64::min));
        [left, top, edge(0, f64::max) - left, edge(1, f64::max) - top]
    };
    let pieces = truth["notices"].as_array().unwrap().iter().filter(|piece| piece["type"] == "tender");
    pieces.map(|piece| (piece.clone(), area(piece))).collect()
}

/// The intersection over union of two boxes.
pub(crate) fn overlap(a: [f64; 4], b: [f64; 4]) -> f64 {
    let side =
        |axis: usize| ((a[axis] + a[axis + 2]).min(b[axis] + b[axis + 2]) - a[axis].max(b[axis])).max(0.0);
    let both = side(0) * side(1);
    both / (a[2] * a[3] + b[2] * b[3] - both)
}

/// The Levenshtein distance divided by the length of the wanted text. A run of white space counts
/// as one space.
pub(crate) fn error_rate(wanted: &str, got: &str) -> f64 {
    let plain =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").chars().collect::<Vec<char>>();
    let (wanted, got) = (plain(wanted), plain(got));
    let mut row: Vec<usize> = (0..=got.len()).collect();
    for (nth, letter) in wanted.iter().enumerate() {
        let mut corner = row[0];
        row[0] = nth + 1;
        for at in 0..got.len() {
            let change = corner + usize::from(*letter != got[at]);
            corner = row[at + 1];
            row[at + 1] = change.min(row[at] + 1).min(corner + 1);
        }
    }
    row[got.len()] as f64 / wanted.len().max(1) as f64
}

/// Reads one clip of an upright page with Tesseract.
pub(crate) fn read_with_tesseract(page: &Page, clip: &Clip) -> ClipText {
    let outcome = Tesseract::new().unwrap().read(page, &[clip], PageOrientation::Known).unwrap();
    outcome.texts().unwrap().remove(0).unwrap()
}

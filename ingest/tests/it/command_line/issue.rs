//! Tests which newspaper and date a page gets, and that each page of a file is a page of the
//! batch.

use super::support::{batch, ingest, output_text, page, report};
use std::fs::{self, File};
use tiff::encoder::{TiffEncoder, colortype::Gray8};

#[test]
fn the_page_header_gives_the_issue_and_contradictions_are_reported() {
    let (pages, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::copy(page(), pages.path().join("scan-7.pdf")).unwrap();
    let arguments = ["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap(), "--json"];
    let output = ingest(&arguments).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", output_text(&output));
    assert_eq!(report(&output)["remarks"], serde_json::json!([]));
    let notice = fs::read_to_string(out.path().join("unnamed/undated/scan-7-01.md")).unwrap();
    let source = &ingest::markdown::read(&notice).unwrap().sources[0];
    assert_eq!(source.publication, "The Island Observer");
    assert_eq!(source.date, "2026-11-20".parse().ok());
    // The folder names take precedence over the page header. A contradiction is reported.
    let (pages, out) = (batch(&["2026-11-19"]), tempfile::tempdir().unwrap());
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .output()
        .unwrap();
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let remark = "? daily-lanka/2026-11-19/p2.pdf, page 1: its header says `The Island Observer 2026-11-20`, but it was \
                  read as `Daily Lanka 2026-11-19`";
    assert!(text.contains(remark), "{text}");
    let notice = fs::read_to_string(out.path().join("daily-lanka/2026-11-19/p2-01.md")).unwrap();
    assert_eq!(ingest::markdown::read(&notice).unwrap().sources[0].publication, "Daily Lanka");
}

#[test]
fn each_page_of_a_tiff_is_a_page_of_the_batch() {
    let (pages, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    fs::create_dir_all(&folder).unwrap();
    let mut encoder = TiffEncoder::new(File::create(folder.join("scan.tif")).unwrap()).unwrap();
    for white in [255, 254, 253] {
        encoder.write_image::<Gray8>(300, 400, &vec![white; 300 * 400]).unwrap();
    }
    drop(encoder);
    let output =
        ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap(), "--json"])
            .output()
            .unwrap();
    assert_eq!(report(&output)["done"], 3, "{}", output_text(&output));
    for number in 1..=3 {
        let record = format!("daily-lanka/2026-11-20/scan-page{number}.page.json");
        assert!(out.path().join(&record).is_file(), "{record}");
    }
}

//! Documents are read again with `pdftotext` and `pdfimages`, where they are installed.

use super::*;
use std::{io::Cursor, path::Path, process::Command};

const FONTS: [&str; 1] = ["/usr/share/fonts/truetype/noto"];

fn frame() -> Frame {
    Frame {
        title: "Evidence".into(),
        language: "en".into(),
        footer: "Serendib Tenders".into(),
        page_of: "Page {page} of {pages}".into(),
        creator: "Serendib Tenders".into(),
        created: (2026, 11, 29, 12, 30, 0),
    }
}

fn image() -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    let picture = image::RgbImage::from_fn(400, 900, |x, y| image::Rgb([x as u8, y as u8, 120]));
    picture.write_to(&mut bytes, image::ImageFormat::Jpeg).unwrap();
    bytes.into_inner()
}

/// The output of a program for a file. `None`: the program is not installed.
fn run(program: &str, arguments: &[&str], file: &Path) -> Option<String> {
    let output = Command::new(program).args(arguments).arg(file).arg("-").output().ok()?;
    Some(String::from_utf8(output.stdout).unwrap())
}

fn written(blocks: &[Block], max_pages: usize) -> Option<Result<Vec<u8>, PdfError>> {
    // Without the fonts of the system, there is nothing to test.
    let fonts = Fonts::load(&FONTS).ok()?;
    Some(write(blocks, &frame(), &fonts, max_pages))
}

#[test]
fn text_of_three_scripts_can_be_read_again() {
    let texts = ["Roof repairs, 5 m²", "ශ්\u{200d}රී ලංකා වරාය අධිකාරිය", "கொழும்பு மாநகர சபை நூலகம்"];
    let blocks = [
        Block::Title(texts[0].into()),
        Block::Heading(texts[1].into()),
        Block::Facts(vec![("Closing".into(), texts[2].into())]),
        Block::NewPage,
        Block::Image { bytes: image(), caption: "Daily Lanka, page 2".into() },
    ];
    let Some(document) = written(&blocks, 5) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("evidence.pdf");
    std::fs::write(&path, document.unwrap()).unwrap();
    if let Some(text) = run("pdftotext", &["-layout"], &path) {
        for expected in texts.into_iter().chain(["Daily Lanka, page 2", "Page 2 of 2"]) {
            assert!(text.contains(expected), "{expected:?} is not in {text}");
        }
    }
    if let Ok(list) = Command::new("pdfimages").arg("-list").arg(&path).output() {
        assert!(String::from_utf8_lossy(&list.stdout).contains("400   900"), "{list:?}");
    }
}

#[test]
fn a_long_document_has_many_pages_and_a_limit() {
    let words = "A long paragraph of the notice, and a https://example.test/".to_owned() + &"x".repeat(300);
    let blocks = vec![Block::Text(words); 100];
    let Some(document) = written(&blocks, 50) else { return };
    assert!(document.unwrap().starts_with(b"%PDF"));
    assert_eq!(written(&blocks, 2), Some(Err(PdfError::TooManyPages(2))));
}

#[test]
fn a_broken_image_is_named() {
    for bytes in [vec![], vec![0xff, 0xd8, 0xff], b"RIFF....".to_vec(), vec![0x89, b'P', b'N', b'G']] {
        let blocks = [Block::Image { bytes, caption: "Daily Lanka".into() }];
        let Some(document) = written(&blocks, 5) else { return };
        assert!(document.is_ok());
    }
}

#[test]
fn a_short_fact_stands_on_one_page() {
    let facts = (0..60).map(|n| (format!("name{n}"), format!("first{n}.\nsecond{n}.\nthird{n}."))).collect();
    let Some(document) = written(&[Block::Facts(facts)], 20) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("facts.pdf");
    std::fs::write(&path, document.unwrap()).unwrap();
    let Some(text) = run("pdftotext", &["-layout"], &path) else { return };
    let pages: Vec<&str> = text.split('\u{c}').collect();
    assert!(pages.len() > 3);
    for n in 0..60 {
        let page = pages.iter().find(|page| page.contains(&format!("first{n}."))).unwrap();
        assert!(page.contains(&format!("third{n}.")), "{n}");
    }
}

#[test]
fn a_heading_stands_on_the_page_of_its_image() {
    let filler = Block::Text("A line of the notice.\n".repeat(28));
    let image = Block::Image { bytes: image(), caption: "The caption".into() };
    let Some(document) = written(&[filler, Block::Heading("The heading".into()), image], 5) else { return };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("image.pdf");
    std::fs::write(&path, document.unwrap()).unwrap();
    let Some(text) = run("pdftotext", &["-layout"], &path) else { return };
    let page = text.split('\u{c}').find(|page| page.contains("The heading")).unwrap();
    assert!(page.contains("The caption"), "{text}");
}

//! What must hold of any bytes at all: shared by the fuzz targets and by the test that replays their corpora.

use ingest::{layout, markdown, page::PageFile};
use std::path::Path;

/// A page of more pixels is not taken apart, so that most of the time goes into odd files and not into large ones.
const MANY_PIXELS: u32 = 400_000;
/// No more pages than these are looked at.
const FEW_PAGES: u32 = 4;

/// A notice's file is read or refused; what was read is written and read as the same.
pub(crate) fn front_matter(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for file in [text.as_ref(), &format!("---\n{text}\n---\n\nbody\n")] {
        if let Ok(tender) = markdown::read(file) {
            let written = markdown::write(&tender, None).expect("what was read can be written");
            // What is written is longer than what was read, and may be longer than what is read.
            if written.len() <= markdown::MAX_BYTES {
                assert_eq!(markdown::read(&written).as_ref(), Ok(&tender), "{written}");
            }
        }
    }
}

/// A picture's pages are decoded or refused; what was decoded is cut into pieces that lie on the page.
pub(crate) fn page(data: &[u8]) {
    // PDFs are read by a program of its own, which is not what is tried here.
    if data.windows(5).any(|mark| mark == b"%PDF-") {
        return;
    }
    let Ok(file) = PageFile::from_bytes(Path::new("page"), data.to_vec()) else { return };
    for page in (1..=file.len().min(FEW_PAGES)).map_while(|number| file.page(number).ok()) {
        assert!(page.dpi.is_finite() && page.dpi > 0.0, "{} dpi", page.dpi);
        assert_eq!(page.hash, file.hash(page.number));
        let (width, height) = page.image.dimensions();
        if width.saturating_mul(height) > MANY_PIXELS {
            continue;
        }
        for clip in layout::clips(&page) {
            assert!(
                clip.area.iter().all(|side| (0.0..=1.0).contains(side)),
                "{:?} of {width} x {height}",
                clip.area
            );
        }
    }
}

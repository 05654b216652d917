//! Checks that must pass for any input. The fuzz targets and the test that replays the corpora
//! share them.

use ingest::{layout, markdown, page::PageFile};
use std::path::Path;

/// The largest page, in pixels, whose clips are checked. Larger pages are only decoded, which
/// leaves more time for unusual files.
const MAX_PIXELS_WITH_CLIPS: u32 = 400_000;
/// The maximum number of pages of a file that are decoded.
const MAX_DECODED_PAGES: u32 = 4;

/// Checks that a notice file is parsed or refused without a panic. A parsed notice that is written
/// and parsed again must be equal to the first one.
pub(crate) fn check_front_matter(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for file in [text.as_ref(), &format!("---\n{text}\n---\n\nbody\n")] {
        if let Ok(tender) = markdown::read(file) {
            let written = markdown::write(&tender, None).expect("a parsed notice can be written");
            // The written file may exceed the size limit for reading.
            if written.len() <= markdown::MAX_BYTES {
                assert_eq!(markdown::read(&written).as_ref(), Ok(&tender), "{written}");
            }
        }
    }
}

/// Checks that pages are decoded or refused without a panic. The clips of a decoded page must lie
/// within the page.
pub(crate) fn check_page(data: &[u8]) {
    // Poppler reads PDFs. It is not tested here.
    if data.windows(5).any(|mark| mark == b"%PDF-") {
        return;
    }
    let Ok(file) = PageFile::from_bytes(Path::new("page"), data.to_vec()) else { return };
    for page in (1..=file.len().min(MAX_DECODED_PAGES)).map_while(|number| file.page(number).ok()) {
        assert!(page.dpi.is_finite() && page.dpi > 0.0, "{} dpi", page.dpi);
        assert_eq!(page.hash, file.hash(page.number));
        let (width, height) = page.image.dimensions();
        if width.saturating_mul(height) > MAX_PIXELS_WITH_CLIPS {
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

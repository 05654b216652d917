//! Properties of arbitrary input, shared by the fuzz targets and the test that replays their
//! corpora.

use ingest::{layout, markdown, page::PageFile};
use std::path::Path;

/// A larger page is not segmented, so that most of the time is spent on unusual files.
const MANY_PIXELS: u32 = 400_000;
/// The most pages that are decoded.
const FEW_PAGES: u32 = 4;

/// A notice file is parsed or refused. A parsed notice is the same after writing and parsing.
pub(crate) fn front_matter(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for file in [text.as_ref(), &format!("---\n{text}\n---\n\nbody\n")] {
        if let Ok(tender) = markdown::read(file) {
            let written = markdown::write(&tender, None).expect("what was read can be written");
            // The written file may exceed the size limit for reading.
            if written.len() <= markdown::MAX_BYTES {
                assert_eq!(markdown::read(&written).as_ref(), Ok(&tender), "{written}");
            }
        }
    }
}

/// Pages are decoded or refused. The clips of a decoded page lie within it.
pub(crate) fn page(data: &[u8]) {
    // PDFs are read by another program, which is not tested here.
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

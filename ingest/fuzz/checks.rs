//! What must hold of any bytes at all: shared by the fuzz targets and by the test that replays their corpora.

use ingest::markdown;

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

//! The layers of the library and its folders.

#![allow(clippy::unwrap_used)]

use module_layers::Crate;

/// From the top down: a module imports those of its own row and of the rows below.
const LAYERS: [&[&str]; 9] = [
    &["eval"],
    &["batch"],
    &["llm"],
    &["markdown"],
    &["extract"],
    &["ocr"],
    &["layout"],
    &["page", "publish"],
    &["base", "message"],
];

/// The layers within `extract`.
const EXTRACT: [&[&str]; 5] = [
    &["pipeline"],
    &["grounding", "page_header", "tender_builder"],
    &["classifier"],
    &["rules"],
    &["alternatives", "confidence", "gazetteer", "language", "printed", "states"],
];

/// The layers within `batch`.
const BATCH: [&[&str]; 6] = [
    &["run"],
    &["upload"],
    &["review"],
    &["output"],
    &["input"],
    &["error", "fields", "file_names", "progress", "publication_rule"],
];

fn ingest() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_import_runs_up_the_layers() {
    let ingest = ingest();
    assert!(ingest.len() > 100, "modules read: {}", ingest.len());
    assert_eq!(ingest.running_up(&[], &LAYERS), Vec::<String>::new());
    assert_eq!(ingest.running_up(&["extract"], &EXTRACT), Vec::<String>::new());
    assert_eq!(ingest.running_up(&["batch"], &BATCH), Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(ingest().circles(), Vec::<String>::new());
}

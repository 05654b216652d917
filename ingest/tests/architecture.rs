//! Tests that no module of the library imports a module of a higher layer, and that there are no
//! import cycles.

#![allow(clippy::unwrap_used)]

use module_layers::Crate;

/// The layers of the library from top to bottom. A module imports only modules of its own row and
/// of lower rows.
const LAYERS: [&[&str]; 9] = [
    &["eval"],
    &["batch"],
    &["awards", "llm"],
    &["markdown"],
    &["extract"],
    &["ocr"],
    &["layout"],
    &["page", "portal_client"],
    &["base", "message"],
];

/// The layers within `extract`.
const EXTRACT: [&[&str]; 5] = [
    &["pipeline"],
    &["grounding", "notice_words", "page_header", "tender_builder"],
    &["classifier"],
    &["rules"],
    &["alternatives", "confidence", "gazetteer", "field_states", "language", "printed", "second_choices"],
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
fn no_module_imports_a_higher_layer() {
    let ingest = ingest();
    assert!(ingest.len() > 100, "modules read: {}", ingest.len());
    assert_eq!(ingest.upward_imports(&[], &LAYERS), Vec::<String>::new());
    assert_eq!(ingest.upward_imports(&["extract"], &EXTRACT), Vec::<String>::new());
    assert_eq!(ingest.upward_imports(&["batch"], &BATCH), Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_cycle() {
    assert_eq!(ingest().import_cycles(), Vec::<String>::new());
}

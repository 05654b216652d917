//! The layers of the crate, and the dependencies it must not have.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use module_layers::Crate;
use std::fs;

/// The layers from top to bottom. A module may import modules of its own row and of the rows below.
const LAYERS: [&[&str]; 6] = [
    &["deduplication", "past_awards"],
    &[
        "alert",
        "award",
        "checklist",
        "eligibility",
        "fields",
        "likeness",
        "notice_file",
        "notice_words",
        "page_reading",
        "page_truth",
    ],
    &["tender", "pattern"],
    &["vocabulary"],
    &["text"],
    &["display_title", "hash", "publish_receipt", "terminal_text"],
];

fn model() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_import_runs_up_the_layers() {
    let model = model();
    assert!(model.len() > 25, "modules read: {}", model.len());
    assert_eq!(model.upward_imports(&[], &LAYERS), Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(model().import_cycles(), Vec::<String>::new());
}

#[test]
fn the_model_depends_on_no_search_engine_ocr_http_or_database() {
    let manifest = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).unwrap();
    let dependencies = manifest.split("[dev-dependencies]").next().unwrap();
    for heavy in ["tantivy", "rayon", "image", "async-openai", "reqwest", "sqlx", "axum", "tokio"] {
        assert!(!dependencies.contains(heavy), "{heavy}");
    }
}

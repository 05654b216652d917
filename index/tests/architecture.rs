//! The layers of the crate. No index is needed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use module_layers::Crate;

/// The layers from top to bottom. A module may import modules of its own row and of the rows below.
const LAYERS: [&[&str]; 5] = [
    &["embedded", "percolate"],
    &["search"],
    &["query"],
    &["analysis", "error", "tender_texts"],
    &["log_position"],
];

/// The layers within `query`.
const QUERY: [&[&str]; 3] = [&["user_query"], &["keyword_translations"], &["alert_filters", "filter_values"]];

/// The layers within `search`.
const SEARCH: [&[&str]; 4] = [
    &["engine"],
    &["listing", "similar", "duplicates", "suggestion", "alert_matches", "cursor"],
    &["candidates", "facets", "snippet", "stats"],
    &["request", "viewer"],
];

/// The layers within `embedded`.
const EMBEDDED: [&[&str]; 9] = [
    &["store"],
    &["listing"],
    &["alert_matches", "candidates", "suggest", "unfiltered"],
    &["collector"],
    &["ranker", "snapshot", "lookup"],
    &["term_index", "text_query", "order", "stats", "statistics", "facet_counts", "compiled_filter"],
    &["alert_query", "columns", "document", "field_query", "fuzzy", "name_index", "pattern_query"],
    &["cached", "dictionary", "filter_kinds", "search_context"],
    &["schema"],
];

fn index() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_import_runs_up_the_layers() {
    let index = index();
    assert!(index.len() > 60, "modules read: {}", index.len());
    assert_eq!(index.upward_imports(&[], &LAYERS), Vec::<String>::new());
    assert_eq!(index.upward_imports(&["query"], &QUERY), Vec::<String>::new());
    assert_eq!(index.upward_imports(&["search"], &SEARCH), Vec::<String>::new());
    assert_eq!(index.upward_imports(&["embedded"], &EMBEDDED), Vec::<String>::new());
}

#[test]
fn the_engine_and_percolation_do_not_import_each_other() {
    let between: Vec<String> = index()
        .imports_between(&[], &["analysis", "error", "log_position", "query", "search", "tender_texts"]);
    assert_eq!(between, Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(index().import_cycles(), Vec::<String>::new());
}

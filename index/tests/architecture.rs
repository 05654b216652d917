//! The layers of the crate. No index is needed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use module_layers::Crate;

/// The layers from top to bottom. A module may import modules of its own row and of the rows below.
const LAYERS: [&[&str]; 6] = [
    &["store"],
    &["search", "percolate"],
    &["document"],
    &["query"],
    &["schema"],
    &["analysis", "error", "tender_texts"],
];

/// The layers within `query`.
const QUERY: [&[&str]; 3] = [
    &["user_query"],
    &["alert_query", "keyword_translations"],
    &["alert_filters", "fuzzy", "pattern_query", "filter_values"],
];

/// The layers within `search`.
const SEARCH: [&[&str]; 6] = [
    &["listing"],
    &["alert_matches", "duplicates", "similar", "suggest", "unfiltered"],
    &["collector"],
    &["snapshot", "lookup", "ranker"],
    &["order", "stats", "cursor", "facet_counts", "compiled_filter", "name_index", "snippet"],
    &["cached", "columns", "dictionary", "facets", "filter_kinds", "request", "viewer"],
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
}

#[test]
fn no_module_below_the_store_imports_percolation() {
    let between: Vec<String> = index()
        .imports_between(&[], &["analysis", "document", "error", "query", "schema", "search", "tender_texts"])
        .into_iter()
        .filter(|import| !import.starts_with("store"))
        .collect();
    assert_eq!(between, Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(index().import_cycles(), Vec::<String>::new());
}

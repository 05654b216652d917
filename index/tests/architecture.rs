//! The layers of the crate. No index is needed.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use module_layers::Crate;

/// From the top down: a module imports those of its own row and of the rows below.
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
    &["alert_filters", "fuzzy", "pattern_query", "tender_facts"],
];

/// The layers within `search`.
const SEARCH: [&[&str]; 6] = [
    &["listing"],
    &["alert_matches", "duplicates", "similar", "suggest", "unfiltered"],
    &["collector"],
    &["snapshot", "lookup", "ranker"],
    &["order", "stats", "cursor", "facet_counts", "filter", "name_index", "snippet"],
    &["cached", "columns", "dictionary", "entitlement", "facets", "filters", "request"],
];

fn index() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_import_runs_up_the_layers() {
    let index = index();
    assert!(index.len() > 60, "modules read: {}", index.len());
    assert_eq!(index.running_up(&[], &LAYERS), Vec::<String>::new());
    assert_eq!(index.running_up(&["query"], &QUERY), Vec::<String>::new());
    assert_eq!(index.running_up(&["search"], &SEARCH), Vec::<String>::new());
}

#[test]
fn search_and_percolation_stand_beside_each_other() {
    let between: Vec<String> = index()
        .between(&[], &["analysis", "document", "error", "query", "schema", "search", "tender_texts"])
        .into_iter()
        .filter(|import| !import.starts_with("store"))
        .collect();
    assert_eq!(between, Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(index().circles(), Vec::<String>::new());
}

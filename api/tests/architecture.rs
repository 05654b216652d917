//! Tests of the source code: module layers, crate dependencies, and rules for database queries.
//! They need no database.

#![allow(clippy::unwrap_used)]

use module_layers::Crate;
use std::{fs, path::Path};

/// The layers of modules, from top to bottom. A module may import from its own layer and from lower
/// layers.
const LAYERS: [&[&str]; 9] = [
    &["cli"],
    &["http"],
    &["jobs"],
    &["services"],
    &["app"],
    &["clients"],
    &["storage"],
    &["base"],
    &["domain"],
];

/// The only services that other services may import.
const SHARED_SERVICES: [&str; 3] = ["entitlement", "notifications", "search"];

fn read_api() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_module_imports_from_a_higher_layer() {
    let api = read_api();
    assert!(api.len() > 200, "modules read: {}", api.len());
    assert_eq!(api.upward_imports(&[], &LAYERS), Vec::<String>::new());
}

#[test]
fn services_import_only_shared_services() {
    assert_eq!(read_api().imports_between(&["services"], &SHARED_SERVICES), Vec::<String>::new());
}

#[test]
fn modules_have_no_import_cycles() {
    assert_eq!(read_api().import_cycles(), Vec::<String>::new());
}

#[test]
fn only_http_uses_axum_and_the_domain_uses_no_sqlx() {
    for (path, text) in read_files("api/src", &[".rs"]) {
        let uses = |name: &str| {
            let prefix = format!("{name}::");
            text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(&prefix))
        };
        assert!(!uses("axum") || path.contains("/src/http/"), "{path} uses axum");
        assert!(!(uses("sqlx") && path.contains("/src/domain/")), "{path} uses sqlx");
    }
}

/// The folder of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Reads every file below `folder` whose name has one of these endings. Returns paths and texts.
fn read_files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![Path::new(ROOT).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if endings.iter().any(|ending| path.to_string_lossy().ends_with(ending)) {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    assert!(!found.is_empty(), "{folder} has no sources");
    found
}

#[test]
fn index_and_ingest_depend_on_no_barred_crate() {
    let dependencies = |member: &str| fs::read_to_string(format!("{ROOT}/{member}/Cargo.toml")).unwrap();
    for (member, barred) in [
        ("index", ["sqlx", "axum", "reqwest", "image", "ingest", "api"].as_slice()),
        ("ingest", ["sqlx", "axum", "api"].as_slice()),
    ] {
        let named: Vec<String> = dependencies(member)
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next().map(str::to_owned))
            .collect();
        for crate_name in barred {
            assert!(!named.contains(&(*crate_name).to_owned()), "{member} depends on {crate_name}");
        }
    }
}

#[test]
fn only_storage_contains_queries_and_none_uses_the_database_time() {
    let is_query =
        |text: &str| ["sqlx::query", "query!(", "query_scalar!("].iter().any(|call| text.contains(call));
    for (path, text) in read_files("api/src", &[".rs"]) {
        assert!(!is_query(&text) || path.contains("/api/src/storage/"), "{path} contains a query");
    }
    let uses_database_time =
        |text: &str| ["now()", "current_timestamp", "clock_timestamp"].iter().any(|call| text.contains(call));
    for (path, text) in read_files("api/migrations", &[".sql"]) {
        assert!(!uses_database_time(&text), "{path} uses the database time");
    }
    for (path, text) in read_files("api/src/storage", &[".rs"]) {
        let sql: String = text.lines().filter(|line| !line.contains("clock.now()")).collect();
        assert!(!uses_database_time(&sql), "{path} uses the database time");
    }
}

#[test]
fn every_tender_or_alert_change_is_committed_to_the_log() {
    // A file outside `storage` that writes a revision must also commit revisions to the log.
    for (path, text) in
        read_files("api/src", &[".rs"]).into_iter().filter(|(path, _)| !path.contains("/api/src/storage/"))
    {
        let writes = [
            "tenders::insert(",
            "tenders::revise(",
            "alerts::insert(",
            "alerts::rewrite(",
            "alerts::toggle(",
            "alerts::remove(",
            "alerts::delete_of_user(",
        ];
        if writes.iter().any(|call| text.contains(call)) {
            assert!(
                text.contains("changes::commit("),
                "{path} writes a revision without committing it to the log"
            );
        }
    }
}

#[test]
fn queries_do_not_compare_the_end_date_of_a_plan() {
    for (path, text) in read_files("api/src/storage", &[".rs"]) {
        let uses_end_date = text.contains("end_date > $") || text.contains("end_date > of");
        assert!(!uses_end_date, "{path} compares `end_date`; a plan is valid until `holds_until`");
    }
}

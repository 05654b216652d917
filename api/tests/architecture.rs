//! Tests of the server's layers. They need no database.

#![allow(clippy::unwrap_used)]

use module_layers::Crate;
use std::{fs, path::Path};

/// From top to bottom. A module may import modules of its own row and of the rows below.
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

/// Services that other services may use. All others are independent of each other.
const SHARED_SERVICES: [&str; 3] = ["entitlement", "notifications", "search"];

fn api() -> Crate {
    Crate::read(env!("CARGO_MANIFEST_DIR")).unwrap()
}

#[test]
fn no_import_runs_up_the_layers() {
    let api = api();
    assert!(api.len() > 200, "modules read: {}", api.len());
    assert_eq!(api.running_up(&[], &LAYERS), Vec::<String>::new());
}

#[test]
fn a_service_uses_no_other_but_the_shared_ones() {
    assert_eq!(api().between(&["services"], &SHARED_SERVICES), Vec::<String>::new());
}

#[test]
fn no_files_or_folders_import_each_other_in_a_circle() {
    assert_eq!(api().circles(), Vec::<String>::new());
}

/// Crates that only some layers may use.
#[test]
fn axum_stays_in_http_and_sqlx_out_of_the_domain() {
    for (path, text) in files("api/src", &[".rs"]) {
        let names = |name: &str| {
            let used = format!("{name}::");
            text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains(&used))
        };
        assert!(!names("axum") || path.contains("/src/http/"), "{path} knows axum");
        assert!(!(names("sqlx") && path.contains("/src/domain/")), "{path} knows sqlx");
    }
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// Returns every file below a folder with one of these extensions, and its text.
fn files(folder: &str, endings: &[&str]) -> Vec<(String, String)> {
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
fn crates_below_know_no_database_and_no_http() {
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
            assert!(!named.contains(&(*crate_name).to_owned()), "{member} stands on {crate_name}");
        }
    }
}

#[test]
fn only_storage_holds_queries_and_none_asks_the_database_for_the_time() {
    let is_query =
        |text: &str| ["sqlx::query", "query!(", "query_scalar!("].iter().any(|call| text.contains(call));
    for (path, text) in files("api/src", &[".rs"]) {
        assert!(!is_query(&text) || path.contains("/api/src/storage/"), "{path} holds a query");
    }
    let asks =
        |text: &str| ["now()", "current_timestamp", "clock_timestamp"].iter().any(|call| text.contains(call));
    for (path, text) in files("api/migrations", &[".sql"]) {
        assert!(!asks(&text), "{path} asks the database for the time");
    }
    for (path, text) in files("api/src/storage", &[".rs"]) {
        let sql: String = text.lines().filter(|line| !line.contains("clock.now()")).collect();
        assert!(!asks(&sql), "{path} asks the database for the time");
    }
}

#[test]
fn every_change_of_a_tender_or_an_alert_is_committed_to_the_log() {
    // A file that writes a revision must also commit it to the log.
    for (path, text) in
        files("api/src", &[".rs"]).into_iter().filter(|(path, _)| !path.contains("/api/src/storage/"))
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
            assert!(text.contains("changes::commit("), "{path} writes a revision outside of the log");
        }
    }
}

#[test]
fn queries_ask_until_when_a_plan_holds_not_for_its_paid_period() {
    for (path, text) in files("api/src/storage", &[".rs"]) {
        let asks = text.contains("end_date > $") || text.contains("end_date > of");
        assert!(!asks, "{path} asks for a subscription's end; a plan holds until `holds_until`");
    }
}

//! Tests the merging of two versions of each notice. One was read from the page, and the other is
//! extracted from the exact text. Only versions of the same notice are merged.

use ingest::{
    extract::{Extracted, Printed, extract},
    markdown,
};
use serde_json::Value;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
};
use tender_model::{
    deduplication::gather,
    tender::{Source, Tender},
    vocabulary::{Day, TenderStatus},
};
use uuid::Uuid;

/// The pages in `fixtures/newspapers`.
const PAGES: [&str; 3] =
    ["daily-lanka/2024-05-07/p2", "daily-lanka/2026-11-20/p1", "daily-lanka/2026-11-20/p2"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// A notice of the ground truth.
struct TrueNotice {
    name: String,
    tender: Tender,
    /// The centre of the notice as fractions of the width and the height of the page.
    centre: [f64; 2],
}

/// The true notices of a page, as if another newspaper had printed them a week later.
fn read_truth(page: &str) -> Vec<TrueNotice> {
    let text =
        fs::read_to_string(fixtures().join("truth/newspapers").join(format!("{page}.gt.json"))).unwrap();
    let truth: Value = serde_json::from_str(&text).unwrap();
    let size = [0, 1].map(|axis: usize| truth["size_px"][axis].as_f64().unwrap());
    let day: Day = page.split('/').nth(1).unwrap().parse().unwrap();
    let day = day.saturating_add(jiff::ToSpan::days(7));
    let notices = truth["notices"].as_array().unwrap().iter().filter(|notice| notice["type"] == "tender");
    notices
        .map(|notice| {
            let text = notice["text"].as_str().unwrap();
            let Extracted::Notice(read) = extract(&Printed::plain(text), Some(day), 1.0) else {
                panic!("{page} {} was rejected", notice["id"])
            };
            let source =
                Source { publication: "Weekly Lanka".into(), date: Some(day), page: 1, ..Source::default() };
            let tender = Tender { full_text_markdown: text.to_owned(), sources: vec![source], ..*read };
            let corners = notice["quad_px"].as_array().unwrap();
            let centre = [0, 1].map(|axis| {
                corners.iter().map(|corner| corner[axis].as_f64().unwrap()).sum::<f64>()
                    / corners.len() as f64
                    / size[axis]
            });
            TrueNotice { name: format!("{page} {}", notice["id"]), tender, centre }
        })
        .collect()
}

/// The notices in `fixtures/notices` that were read from a page.
fn read_notices(page: &str) -> Vec<Tender> {
    let (folder, page) = page.rsplit_once('/').unwrap();
    let mut files: Vec<PathBuf> = fs::read_dir(fixtures().join("notices").join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            name.starts_with(&format!("{page}-")) && name.ends_with(".md")
        })
        .collect();
    files.sort();
    files.iter().map(|path| markdown::read(&fs::read_to_string(path).unwrap()).unwrap()).collect()
}

#[test]
fn only_versions_of_the_same_notice_are_merged() {
    let (mut notices, mut names) = (Vec::new(), Vec::new());
    let mut add = |name: &str, tender: Tender| {
        let id = Uuid::from_u128(notices.len() as u128 + 1);
        notices.push(Tender { id, status: TenderStatus::Published, ..tender });
        names.push(name.to_owned());
    };
    for page in PAGES {
        let (truths, read) = (read_truth(page), read_notices(page));
        assert!(!read.is_empty(), "{page}");
        for tender in read {
            let [x, y, width, height] = tender.sources[0].area;
            let matching = truths.iter().find(|truth| {
                let [across, down] = truth.centre;
                (x..x + width).contains(&across) && (y..y + height).contains(&down)
            });
            add(
                &matching.unwrap_or_else(|| panic!("{page}: {} matches no true notice", tender.title)).name,
                tender,
            );
        }
        for truth in truths {
            add(&truth.name, truth.tender);
        }
    }
    let gathered = gather(&notices, "2026-11-20T09:00:00+05:30".parse().unwrap());
    for one in &gathered {
        let of: BTreeSet<&str> = one.notices.iter().map(|(_, nth)| names[*nth].as_str()).collect();
        assert_eq!(of.len(), 1, "different tenders were merged: {of:?}");
    }
    // The Sinhala title of one notice is misread badly. Therefore, a reviewer must decide on the
    // merge.
    let alone: Vec<&str> = gathered
        .iter()
        .filter(|one| one.doubt.is_some())
        .map(|one| names[one.notices[0].1].as_str())
        .collect();
    assert_eq!(alone, [r#"daily-lanka/2026-11-20/p1 "n6""#]);
    assert_eq!(gathered.len(), notices.len() / 2 + alone.len());
}

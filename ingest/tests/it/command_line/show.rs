//! Tests `ingest show`, which shows one notice by path, name or key.

use super::support::{copy_notices, ingest, output_text};
use serde_json::Value;

#[test]
fn a_notice_is_shown_by_path_name_or_key() {
    let notices = copy_notices();
    let out = notices.path().to_str().unwrap();
    let path = format!("{out}/daily-lanka/2024-05-07/p2-14.md");
    let shown = ingest(&["show", &path]).output().unwrap();
    assert_eq!(shown.status.code(), Some(0), "{}", output_text(&shown));
    let text = output_text(&shown);
    for part in [
        "p2-14  daily-lanka/2024-05-07/p2.jpg, page 1  Daily Lanka 2024-05-07",
        "key        f55031fa1fd37e86be53208b16564a19",
        "read by    embedded",
        "may be published; not certain: dates.closing doubtful",
        "published  nowhere",
        "p2-14.jpg",
        "dates.closing                    0.50  2024-04-21T11:00:00+05:30",
        "“21st April 2024 at 11.00 a.m” at 0.427,0.788 0.088x0.004",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    for wanted in ["daily-lanka/2024-05-07/p2-14", "f55031fa1fd37e86be53208b16564a19", "p2-14.md"] {
        let by_name = ingest(&["show", wanted, "--out", out, "--json"]).output().unwrap();
        // Two pages have a notice `p2-14`, so the name alone is ambiguous.
        if wanted == "p2-14.md" {
            assert_eq!(by_name.status.code(), Some(2));
            assert!(
                output_text(&by_name).contains("2 notices have this name; give one of"),
                "{}",
                output_text(&by_name)
            );
            continue;
        }
        let view: Value = serde_json::from_slice(&by_name.stdout).unwrap();
        assert_eq!((&view["standing"], &view["name"]), (&"doubtful".into(), &"p2-14".into()), "{view}");
        assert!(!view["doubts"].as_array().unwrap().is_empty());
        let closing =
            view["fields"].as_array().unwrap().iter().find(|field| field["field"] == "dates.closing");
        let closing = closing.unwrap();
        assert_eq!((&closing["confidence"], &closing["evidence"]["box"][0]), (&0.5.into(), &0.4275.into()));
        assert!(view["text"].as_str().unwrap().len() > 100 && view["box"].as_array().unwrap().len() == 4);
    }
}

#[test]
fn an_unknown_or_unreadable_notice_is_refused_with_a_reason() {
    let notices = copy_notices();
    let out = notices.path().to_str().unwrap();
    let stray = notices.path().join("daily-lanka/2024-05-07/stray.md");
    std::fs::write(&stray, "no notice").unwrap();
    let broken = notices.path().join("daily-lanka/2024-05-07/p2-01.md");
    std::fs::write(&broken, "---\ntitle: [\n---\n\n").unwrap();
    for (arguments, code, expected) in [
        (vec!["show"], 2, "<NOTICE>"),
        (vec!["show", "p9-99", "--out", out], 2, "no page record lists this notice"),
        (vec!["show", "p2-14"], 2, "--out DIR"),
        (vec!["show", "/nowhere/p1.md"], 2, "there is no such file"),
        (vec!["show", "p2-14", "--out", "/nowhere"], 2, "there is no such file or folder"),
        (vec!["show", stray.to_str().unwrap()], 2, "no page record lists this notice"),
        (vec!["show", broken.to_str().unwrap()], 1, "not valid YAML"),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", output_text(&output));
        assert!(output_text(&output).contains(expected), "{arguments:?}: {}", output_text(&output));
    }
}

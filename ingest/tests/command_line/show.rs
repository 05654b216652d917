//! `ingest show`: one notice by path, name or key.

use crate::support::{ingest, read_notices, said};
use serde_json::Value;

#[test]
fn a_notice_is_shown_whole() {
    let notices = read_notices();
    let out = notices.path().to_str().unwrap();
    let path = format!("{out}/daily-lanka/2024-05-07/p2-06.md");
    let shown = ingest(&["show", &path]).output().unwrap();
    assert_eq!(shown.status.code(), Some(0), "{}", said(&shown));
    let text = said(&shown);
    for part in [
        "p2-06  daily-lanka/2024-05-07/p2.jpg, page 1  Daily Lanka 2024-05-07",
        "key        41252177ac14fd47a223ef9bada3e946",
        "read by    embedded",
        "may be published; not certain: ",
        "published  nowhere",
        "p2-06.jpg",
        "dates.closing                    0.90  2024-11-13T14:30:00+05:30",
        "“2024.11.13 ප.ව. 2.30” at 0.241,0.533 0.084x0.005",
    ] {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    for wanted in ["daily-lanka/2024-05-07/p2-06", "41252177ac14fd47a223ef9bada3e946", "p2-06.md"] {
        let by_name = ingest(&["show", wanted, "--out", out, "--json"]).output().unwrap();
        // Two pages have a sixth notice: its name alone does not say which.
        if wanted == "p2-06.md" {
            assert_eq!(by_name.status.code(), Some(2));
            assert!(said(&by_name).contains("2 notices are called so; give one of"), "{}", said(&by_name));
            continue;
        }
        let view: Value = serde_json::from_slice(&by_name.stdout).unwrap();
        assert_eq!((&view["standing"], &view["name"]), (&"doubtful".into(), &"p2-06".into()), "{view}");
        assert!(!view["doubts"].as_array().unwrap().is_empty());
        let closing =
            view["fields"].as_array().unwrap().iter().find(|field| field["field"] == "dates.closing");
        let closing = closing.unwrap();
        assert_eq!((&closing["confidence"], &closing["evidence"]["box"][0]), (&0.9.into(), &0.2407.into()));
        assert!(view["text"].as_str().unwrap().len() > 100 && view["box"].as_array().unwrap().len() == 4);
    }
}

#[test]
fn what_is_no_notice_is_explained() {
    let notices = read_notices();
    let out = notices.path().to_str().unwrap();
    let stray = notices.path().join("daily-lanka/2024-05-07/stray.md");
    std::fs::write(&stray, "no notice").unwrap();
    let broken = notices.path().join("daily-lanka/2024-05-07/p2-01.md");
    std::fs::write(&broken, "---\ntitle: [\n---\n\n").unwrap();
    for (arguments, code, expected) in [
        (vec!["show"], 2, "<NOTICE>"),
        (vec!["show", "p9-99", "--out", out], 2, "no page's record names such a notice"),
        (vec!["show", "p2-06"], 2, "--out DIR"),
        (vec!["show", "/nowhere/p1.md"], 2, "there is no such file"),
        (vec!["show", "p2-06", "--out", "/nowhere"], 2, "there is no such file or folder"),
        (vec!["show", stray.to_str().unwrap()], 2, "no page's record names such a notice"),
        (vec!["show", broken.to_str().unwrap()], 1, "not valid YAML"),
    ] {
        let output = ingest(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments:?}: {}", said(&output));
    }
}

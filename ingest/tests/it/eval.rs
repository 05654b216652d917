//! Tests `ingest eval` with the real program.

use std::{
    path::Path,
    process::{Command, Output},
};

fn eval(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_ingest")).arg("eval").args(arguments).output().unwrap()
}

fn fixture(path: &str) -> String {
    format!("{}/../fixtures/{path}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_page_is_compared_with_its_ground_truth() {
    let pictures = tempfile::tempdir().unwrap();
    let (page, truth) = (fixture("newspapers/daily-lanka/2026-11-20/p2.pdf"), fixture("truth"));
    let pictures_path = pictures.path().to_string_lossy();
    let answer = eval(&[&page, "--truth", &truth, "--pictures", &pictures_path, "--json"]);
    assert!(answer.status.success(), "{}", String::from_utf8_lossy(&answer.stderr));
    let evaluation: serde_json::Value = serde_json::from_slice(&answer.stdout).unwrap();
    let scores = &evaluation["groups"]["pdf"];
    assert_eq!(scores["pages"], 1);
    let number = |name: &str| scores[name].as_u64().unwrap();
    assert!(number("notices") > 10 && number("foundWell") + 1 >= number("notices"), "{scores}");
    assert!(scores["fields"]["closing"]["right"].as_u64().unwrap() + 2 >= number("notices"), "{scores}");
    assert!(pictures.path().join("p2.pdf.png").is_file());
}

#[test]
fn a_page_without_ground_truth_is_reported() {
    let empty = tempfile::tempdir().unwrap();
    let page = fixture("newspapers/daily-lanka/2026-11-20/p2.pdf");
    let answer = eval(&[&page, "--truth", &empty.path().to_string_lossy()]);
    assert_eq!(answer.status.code(), Some(1));
    let table = String::from_utf8_lossy(&answer.stdout);
    assert!(table.contains("failed:") && table.contains("no p2.gt.json"), "{table}");
}

#[test]
fn a_missing_batch_is_refused_as_wrong_usage() {
    let nowhere = Path::new(env!("CARGO_MANIFEST_DIR")).join("no-such-batch");
    let answer = eval(&[&nowhere.to_string_lossy(), "--truth", "."]);
    assert_eq!(answer.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&answer.stderr).contains("no such file or folder"));
}

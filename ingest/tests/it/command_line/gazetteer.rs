//! Tests the operator's gazetteer file, and `ingest learn`, which learns names from notices.

use super::support::{batch, contents, ingest, notices_to_review, output_text, report, with_lines};
use std::fs;

#[test]
fn pages_are_read_again_with_another_gazetteer() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let file = out.path().join("bodies.tsv");
    let notices = out.path().join("notices");
    let run = |more: &[&str]| {
        let mut command = ingest(&["run", pages.path().to_str().unwrap(), "--json", "--out"]);
        command.arg(&notices).args(more).output().unwrap()
    };
    let with_file = || run(&["--gazetteer", file.to_str().unwrap()]);
    assert_eq!(report(&run(&[]))["done"], 1);
    fs::write(&file, "Bank of Ceylon\t\t\t\tngo\n").unwrap();
    let read = with_file();
    assert_eq!(
        (&report(&read)["done"], &report(&read)["unchanged"]),
        (&1.into(), &0.into()),
        "{}",
        output_text(&read)
    );
    let texts =
        || contents(&notices).into_iter().filter(|(path, _)| path.extension().is_some_and(|it| it == "md"));
    let named = |bytes: &[u8]| String::from_utf8_lossy(bytes).contains("name: Bank of Ceylon\n  type: ngo");
    assert!(texts().any(|(_, bytes)| named(&bytes)));
    assert!(texts().all(|(_, bytes)| String::from_utf8_lossy(&bytes).contains("\nextractor: embedded\n")));
    assert_eq!(report(&with_file())["unchanged"], 1);
    // Only the content of the gazetteer file matters, not its name.
    let copy = out.path().join("copy.tsv");
    fs::copy(&file, &copy).unwrap();
    assert_eq!(report(&run(&["--gazetteer", copy.to_str().unwrap()]))["unchanged"], 1);
    fs::write(&file, "# nothing\n").unwrap();
    let planned = run(&["--dry-run", "--gazetteer", file.to_str().unwrap()]);
    assert!(output_text(&planned).contains("another version"), "{}", output_text(&planned));
}

#[test]
fn an_invalid_gazetteer_is_refused_before_any_page_is_read() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let file = out.path().join("bodies.tsv");
    let notices = out.path().join("notices");
    for (content, expected) in [
        (None, "the gazetteer cannot be read"),
        (Some("A Body\n\nB\t\t\t\tking\n".as_bytes()), "line 3 of the gazetteer: the type is unknown"),
        (Some("Wedamulla\t\t\t\ttown Atlantis\n".as_bytes()), "not one of the twenty-five"),
        (Some(&[0xff, 0xfe, 0x00]), "the gazetteer cannot be read"),
    ] {
        if let Some(bytes) = content {
            fs::write(&file, bytes).unwrap();
        }
        for command in ["run", "learn"] {
            let mut command = ingest(&[command, pages.path().to_str().unwrap(), "--gazetteer"]);
            command.arg(&file);
            if command.get_args().next().is_some_and(|name| name == "run") {
                command.arg("--out").arg(&notices);
            }
            let output = command.output().unwrap();
            assert_eq!(output.status.code(), Some(2), "{}", output_text(&output));
            let outcome = output_text(&output);
            assert!(outcome.contains(expected) && outcome.contains("bodies.tsv"), "{outcome}");
        }
    }
    assert!(!notices.exists());
}

#[test]
fn names_in_two_accepted_notices_are_learned() {
    let notices = notices_to_review();
    let out = notices.path().to_str().unwrap();
    let learn = |more: &[&str]| ingest(&["learn", out]).args(more).output().unwrap();
    let before = learn(&[]);
    assert_eq!((before.status.code(), before.stdout.len()), (Some(0), 0), "{}", output_text(&before));
    // The first name is in two accepted notices and is learned. The second name is in a notice
    // that is only edited and in a rejected notice. It is not learned.
    let accept = "edit organization=Muthurajawela Works Authority\naccept\n";
    let lonely = "edit organization=Lonely Works Authority\n";
    let lines = format!("{accept}{accept}{lonely}skip\n{lonely}reject no\nquit\n");
    let reviewed = with_lines(&mut ingest(&["review", out]), &lines);
    assert!(output_text(&reviewed).contains("2 accepted, 1 rejected"), "{}", output_text(&reviewed));
    let learnt = learn(&[]);
    assert_eq!(
        String::from_utf8_lossy(&learnt.stdout),
        "Muthurajawela Works Authority\t\t\t\tsemi-government\n"
    );
    // A name that is in the gazetteer file is not learned again.
    let file = notices.path().join("bodies.tsv");
    fs::write(&file, &learnt.stdout).unwrap();
    let again = learn(&[out, "--gazetteer", file.to_str().unwrap()]);
    assert!(again.status.success() && again.stdout.is_empty(), "{}", output_text(&again));
    let nowhere = ingest(&["learn", "/nowhere"]).output().unwrap();
    assert!(nowhere.status.code() == Some(2) && output_text(&nowhere).contains("no such file or folder"));
}

//! What ends badly ends in one line of the report, and the rest goes on: hostile batches, a full disk, a reader that dies.

use crate::support::{batch, contents, ingest, page, report, said};
use image::{GrayImage, Luma};
use serde_json::Value;
use std::{
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::Command,
};

#[test]
fn a_hostile_batch_costs_one_line_each_and_the_rest_is_done() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let place = pages.path().join("daily-lanka/2026-11-20");
    fs::write(place.join("two\nlines\u{1B}[2J.jpg"), "").unwrap();
    fs::write(place.join("..p1.jpg.png"), "rubbish").unwrap();
    fs::write(place.join("...png"), "rubbish").unwrap();
    let bytes = fs::read(page()).unwrap();
    fs::write(place.join("cut.pdf"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(place.join("many.pdf"), many_pages(100_000)).unwrap();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret.jpg"), "").unwrap();
    symlink(other.path().join("secret.jpg"), place.join("link.jpg")).unwrap();
    symlink(other.path(), pages.path().join("elsewhere")).unwrap();
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .output()
        .unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains('\u{1B}') && text.contains("two\u{FFFD}lines\u{FFFD}[2J.jpg: is empty"), "{text}");
    assert!(
        text.contains("many.pdf: has 100000 pages or more, and at most 200 are taken; split it"),
        "{text}"
    );
    assert!(text.contains("cut.pdf: is cut off before its end"), "{text}");
    assert_eq!(text.matches("is a link to a place outside the batch").count(), 2, "{text}");
    assert!(!text.contains("secret.jpg"), "{text}");
    assert_eq!(text.matches("\n  ! ").count(), 5, "one line each: {text}");
    assert!(text.contains("1 read, 0 unchanged, 5 failed") && text.contains("Notices    16"), "{text}");
}

/// A PDF of blank pages.
fn many_pages(count: usize) -> Vec<u8> {
    let kids: String = (3..count + 3).map(|number| format!("{number} 0 R ")).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>"),
    ];
    objects.resize(count + 2, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>".to_owned());
    let mut text = "%PDF-1.4\n".to_owned();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", text.len());
        text += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let (start, size) = (text.len(), objects.len() + 1);
    text += &format!(
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    text.into_bytes()
}

#[test]
fn a_disk_that_takes_no_more_is_told_for_each_page() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    // No file may grow beyond 4 KiB, as where space runs out in the midst of a clip.
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let arguments = ["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()];
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_ingest")])
        .args(arguments)
        .output()
        .unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("cannot be written (").count(), 2, "{text}");
    assert!(text.contains("free space there or choose another --out, then run again"), "{text}");
    assert!(contents(out.path()).keys().all(|path| !path.to_string_lossy().ends_with(".page.json")));
    // With space again, the same command finishes the batch.
    let told = report(&ingest(&arguments).arg("--json").output().unwrap());
    assert_eq!((&told["done"], &told["failed"]), (&2.into(), &Value::Array(vec![])), "{told}");
}

#[test]
fn a_tesseract_that_dies_costs_its_page_alone() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    // A frame with lines of ink in it, which has to be read as a scan.
    let scan = GrayImage::from_fn(1200, 1600, |x, y| {
        let is_frame = (100..1100).contains(&x)
            && (100..900).contains(&y)
            && !((104..1096).contains(&x) && (104..896).contains(&y));
        let is_ink = (200..1000).contains(&x) && (200..800).contains(&y) && y % 40 < 12 && x % 14 < 8;
        Luma([if is_frame || is_ink { 0 } else { 255 }])
    });
    scan.save(pages.path().join("daily-lanka/2026-11-20/p1.png")).unwrap();
    let programs = tempfile::tempdir().unwrap();
    let program = programs.path().join("tesseract");
    let script =
        "#!/bin/sh\ncase \"$1\" in --list-langs) printf 'eng\\nsin\\ntam\\n';; *) kill -9 $$;; esac\n";
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = vec![programs.path().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .env("PATH", env::join_paths(path).unwrap())
        .output()
        .unwrap();
    let text = said(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("tesseract could not read a clip").count(), 1, "{text}");
    assert!(text.contains("p1.png, page 1: cannot be read"), "{text}");
    assert!(text.contains("1 read, 0 unchanged, 1 failed"), "{text}");
}

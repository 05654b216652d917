//! Tests hostile files, a full disk, and a Tesseract that crashes or hangs. Each affected file or
//! page causes one line in the report, and the other pages are read.

use super::support::{batch, contents, ingest, output_text, page, report};
use image::{GrayImage, Luma};
use serde_json::Value;
use std::{
    env,
    ffi::OsString,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::Path,
    process::{Command, Stdio},
    thread,
};
use tempfile::TempDir;

#[test]
fn hostile_files_are_reported_in_one_line_each() {
    let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
    let folder = pages.path().join("daily-lanka/2026-11-20");
    fs::write(folder.join("two\nlines\u{1B}[2J.jpg"), "").unwrap();
    fs::write(folder.join("..p1.jpg.png"), "rubbish").unwrap();
    fs::write(folder.join("...png"), "rubbish").unwrap();
    let bytes = fs::read(page()).unwrap();
    fs::write(folder.join("cut.pdf"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(folder.join("many.pdf"), pdf_of_blank_pages(100_000)).unwrap();
    fs::write(folder.join("bomb.pdf"), decompression_bomb()).unwrap();
    let other = tempfile::tempdir().unwrap();
    fs::write(other.path().join("secret.jpg"), "").unwrap();
    symlink(other.path().join("secret.jpg"), folder.join("link.jpg")).unwrap();
    symlink(other.path(), pages.path().join("elsewhere")).unwrap();
    let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
        .output()
        .unwrap();
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(!text.contains('\u{1B}') && text.contains("two\u{FFFD}lines\u{FFFD}[2J.jpg: is empty"), "{text}");
    assert!(
        text.contains("many.pdf: has 100000 pages or more, but at most 200 are read; split it"),
        "{text}"
    );
    assert!(
        text.contains(
            "bomb.pdf, page 1: cannot be decoded (pdftoppm: it needed more than 1024 MiB of memory)"
        ),
        "{text}"
    );
    assert!(text.contains("cut.pdf: is truncated"), "{text}");
    assert_eq!(text.matches("is a link out of the batch and is not followed").count(), 2, "{text}");
    assert!(!text.contains("secret.jpg"), "{text}");
    assert_eq!(text.matches("\n  ! ").count(), 6, "one line each: {text}");
    assert!(text.contains("1 read, 0 unchanged, 6 failed") && text.contains("Notices    16"), "{text}");
}

/// A PDF with `count` blank pages.
fn pdf_of_blank_pages(count: usize) -> Vec<u8> {
    let kids: String = (3..count + 3).map(|number| format!("{number} 0 R ")).collect();
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {count} >>").into_bytes(),
    ];
    objects.resize(count + 2, b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] >>".to_vec());
    pdf(&objects)
}

/// A PDF with a word of one gigabyte. In the compressed stream, two bytes stand for 128 letters.
fn decompression_bomb() -> Vec<u8> {
    let word = [&[0, b'('][..], &[129, b'a'].repeat(1 << 23), &[128]].concat();
    let head = format!("<< /Filter /RunLengthDecode /Length {} >>\nstream\n", word.len());
    pdf(&[
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R >>".to_vec(),
        [head.as_bytes(), &word, b"\nendstream"].concat(),
    ])
}

/// A PDF of these objects, numbered from 1.
fn pdf(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n".to_vec();
    let mut table = "0000000000 65535 f \n".to_owned();
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes.extend_from_slice(format!("{} 0 obj\n", number + 1).as_bytes());
        bytes.extend_from_slice(object);
        bytes.extend_from_slice(b"\nendobj\n");
    }
    let (start, size) = (bytes.len(), objects.len() + 1);
    let end = format!(
        "xref\n0 {size}\n{table}trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n"
    );
    bytes.extend_from_slice(end.as_bytes());
    bytes
}

#[test]
fn a_full_disk_is_reported_for_each_page() {
    let (pages, out) = (batch(&["2026-11-19", "2026-11-20"]), tempfile::tempdir().unwrap());
    // Files are limited to 4 KiB. This simulates a disk that becomes full while a clip is written.
    let limited = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let arguments = ["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()];
    let mut full = Command::new("sh");
    full.args(["-c", limited, env!("CARGO_BIN_EXE_ingest")]).args(arguments);
    let records =
        || contents(out.path()).into_keys().filter(|path| path.to_string_lossy().ends_with(".page.json"));
    let output = full.output().unwrap();
    let text = output_text(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert_eq!(text.matches("cannot be written (").count(), 2, "{text}");
    assert!(text.contains("free space there or choose another --out, then run again"), "{text}");
    assert_eq!(records().count(), 0);
    // With free space again, the same command completes the batch.
    let again = || report(&ingest(&arguments).arg("--json").output().unwrap());
    let outcome = again();
    assert_eq!((&outcome["done"], &outcome["failed"]), (&2.into(), &Value::Array(vec![])), "{outcome}");
    assert_eq!(records().count(), 2);
    // Reading with another gazetteer overwrites the files of a page. The page record is removed
    // first, so that no record refers to overwritten files.
    let other = out.path().join("gazetteer");
    fs::write(&other, "").unwrap();
    full.arg("--gazetteer").arg(&other);
    fs::write(&other, "Board of Ferries\tstatutory\n").unwrap();
    assert_eq!(full.output().unwrap().status.code(), Some(1));
    assert_eq!(records().count(), 0);
    assert_eq!(again()["done"], 2);
}

#[test]
fn a_crashing_or_hanging_tesseract_affects_one_page() {
    for (command, why) in [
        ("kill -9 $$", "tesseract failed ("),
        // The child processes of Tesseract are killed, too. Otherwise the page would take an hour.
        ("sleep 3600; true", " s without an answer)"),
    ] {
        let (pages, out) = (batch(&["2026-11-20"]), tempfile::tempdir().unwrap());
        scan().save(pages.path().join("daily-lanka/2026-11-20/p1.png")).unwrap();
        let (_programs, path) = fake_tesseract(command);
        let output = ingest(&["run", pages.path().to_str().unwrap(), "--out", out.path().to_str().unwrap()])
            .args(["--clip-timeout", "1"])
            .env("PATH", path)
            .output()
            .unwrap();
        let text = output_text(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(text.matches("tesseract failed (").count(), 1, "{text}");
        assert!(text.contains("p1.png, page 1: cannot be read") && text.contains(why), "{text}");
        assert!(text.contains("1 read, 0 unchanged, 1 failed"), "{text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn no_subprocess_outlives_a_killed_run() {
    let (pages, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    scan().save(pages.path().join("p1.png")).unwrap();
    let note = out.path().join("process");
    let (_programs, path) =
        fake_tesseract(&format!("echo $$ > {0}.part; mv {0}.part {0}; exec sleep 3600", note.display()));
    let mut child = ingest(&["run", pages.path().to_str().unwrap(), "--out"])
        .arg(out.path().join("notices"))
        .env("PATH", path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !note.exists() {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it was killed");
        thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let process = fs::read_to_string(&note).unwrap();
    let stat = Path::new("/proc").join(process.trim()).join("stat");
    // Wait until the process has ended or is a zombie.
    while fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
        thread::yield_now();
    }
}

/// The image of a page with a frame and lines of ink. It has no text layer, so Tesseract must read
/// it.
fn scan() -> GrayImage {
    GrayImage::from_fn(1200, 1600, |x, y| {
        let is_frame = (100..1100).contains(&x)
            && (100..900).contains(&y)
            && !((104..1096).contains(&x) && (104..896).contains(&y));
        let is_ink = (200..1000).contains(&x) && (200..800).contains(&y) && y % 40 < 12 && x % 14 < 8;
        Luma([if is_frame || is_ink { 0 } else { 255 }])
    })
}

/// A folder with a replacement for Tesseract that runs `command`, and a PATH that begins with this
/// folder.
fn fake_tesseract(command: &str) -> (TempDir, OsString) {
    let programs = tempfile::tempdir().unwrap();
    let program = programs.path().join("tesseract");
    let script = format!(
        "#!/bin/sh\ncase \"$1\" in --list-langs) printf 'eng\\nsin\\ntam\\nosd\\n';; *) {command};; esac\n"
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = vec![programs.path().to_owned()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let path = env::join_paths(path).unwrap();
    (programs, path)
}

//! Tests `ingest text` on single-column documents and on files without readable text.

use super::support::{ingest, output_text};
use std::{fs, path::Path};

/// A PDF of one page with these lines.
fn document(lines: &[&str]) -> Vec<u8> {
    let shown: String =
        lines.iter().map(|line| format!("({}) Tj T* ", line.replace(['(', ')'], " "))).collect();
    let content = format!("BT /F1 11 Tf 14 TL 72 770 Td {shown}ET");
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R \
            /Resources << /Font << /F1 5 0 R >> >> >>"
            .to_owned(),
        format!("<< /Length {} >>\nstream\n{content}\nendstream", content.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    let (mut bytes, mut table) = ("%PDF-1.4\n".to_owned(), "0000000000 65535 f \n".to_owned());
    for (number, object) in objects.iter().enumerate() {
        table += &format!("{:010} 00000 n \n", bytes.len());
        bytes += &format!("{} 0 obj\n{object}\nendobj\n", number + 1);
    }
    let start = bytes.len();
    bytes += &format!("xref\n0 6\n{table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
    bytes.into_bytes()
}

fn text(file: &Path) -> (Option<i32>, String) {
    let answer = ingest(&["text", file.to_str().unwrap()]).output().unwrap();
    (answer.status.code(), output_text(&answer))
}

#[test]
fn a_single_column_document_is_read_line_by_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bidding document.pdf");
    fs::write(
        &file,
        document(&["Invitation for bids", "Supply of pipes to the Water Board", "Rs. 12,500.00"]),
    )
    .unwrap();
    // Bytes before the PDF header are ignored.
    let prefixed = folder.path().join("prefixed.pdf");
    fs::write(&prefixed, [b"X-Mail: 1\r\n", document(&["One line"]).as_slice()].concat()).unwrap();
    assert_eq!(text(&prefixed), (Some(0), "One line\n".to_owned()));
    let read = "Invitation for bids\nSupply of pipes to the Water Board\nRs. 12,500.00\n";
    assert_eq!(text(&file), (Some(0), read.to_owned()));
}

#[test]
fn a_document_without_readable_text_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let sound = document(&["Invitation for bids"]);
    let cases: [(&str, Vec<u8>, &str); 5] = [
        ("empty.pdf", vec![], "not a PDF that can be read"),
        ("rubbish.pdf", b"%PDF-1.7\nnothing\n%%EOF".to_vec(), "not a PDF that can be read"),
        ("cut.pdf", sound[..sound.len() / 2].to_vec(), "not a PDF that can be read"),
        ("scan.pdf", document(&[]), "it has no text"),
        (
            "font.pdf",
            document(&["fu%h ;u; fgka|rh i|yd wh~ fu%h ;u; fgka|rh"]),
            "its text has no valid words",
        ),
    ];
    for (name, bytes, why) in cases {
        let file = folder.path().join(name);
        fs::write(&file, bytes).unwrap();
        let (code, output_text) = text(&file);
        assert!(
            code == Some(2) && output_text.contains(why) && output_text.contains(name),
            "{name}: {code:?} {output_text}"
        );
    }
    let (code, output_text) = text(Path::new("/nowhere/it.pdf"));
    assert!(code == Some(2) && output_text.contains("there is no such file"), "{output_text}");
}

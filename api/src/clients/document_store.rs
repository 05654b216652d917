//! Files that publishers attach to their tenders: what may be attached, where it lies, who may fetch it, and its text.

use crate::base::{config::ServeConfig, signing_key::SigningKey};
use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use pdf_text::{DocumentError, TextReader};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};
use tokio::sync::Semaphore;
use uuid::Uuid;

/// The most bytes of one document.
pub const MAX_SIZE: u64 = 20 << 20;
/// The most documents of one tender.
pub const MAX_COUNT: usize = 10;
/// The most bytes that one account may have attached to all its tenders.
pub const MAX_STORED: u64 = 1 << 30;
/// The most characters of a document's name.
const MAX_NAME: usize = 150;
/// How many first bytes tell what a file is.
pub const HEAD: usize = 1 << 20;
/// How many documents are read for their text at once.
const READ_AT_ONCE: usize = 2;
/// What the signatures of addresses are for.
const PURPOSE: &str = "document";
/// How long an address is good for: long enough to go on with a large file over a slow line.
const LIFE: SignedDuration = SignedDuration::from_hours(1);

/// What a document may be: its media type, its ending, and the other endings that mean the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kind {
    /// As in a `Content-Type` header.
    pub media_type: &'static str,
    endings: &'static [&'static str],
}

impl Kind {
    /// A PDF, the one kind whose text is read.
    pub const PDF: Self = Self { media_type: "application/pdf", endings: &["pdf"] };
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::PDF,
        Self {
            media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            endings: &["docx"],
        },
        Self {
            media_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            endings: &["xlsx"],
        },
        Self { media_type: "application/msword", endings: &["doc"] },
        Self { media_type: "application/vnd.ms-excel", endings: &["xls"] },
        Self { media_type: "application/zip", endings: &["zip"] },
        Self { media_type: "image/jpeg", endings: &["jpg", "jpeg"] },
        Self { media_type: "image/png", endings: &["png"] },
        Self { media_type: "image/webp", endings: &["webp"] },
    ];

    /// What a file's first bytes say it is, whatever its sender calls it. `None` for what may not be attached.
    #[must_use]
    pub fn sniff(head: &[u8]) -> Option<Self> {
        let found = infer::get(head)?.mime_type();
        Self::ALL.into_iter().find(|kind| kind.media_type == found)
    }

    /// A name that ends as what the file is: `given` without folders and what no file system takes.
    #[must_use]
    pub fn name(self, given: &str) -> String {
        let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
        let kept: String = tender_model::message::single_line(last)
            .chars()
            .filter(|letter| !matches!(letter, '\u{FFFD}' | '"' | '<' | '>' | ':' | '|' | '?' | '*'))
            .collect();
        let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = name.trim_matches('.').trim();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let is_told = self.endings.contains(&ending.to_lowercase().as_str());
        let (stem, ending) = if is_told { (stem, ending) } else { (name, self.endings[0]) };
        let stem: String = stem.chars().take(MAX_NAME).collect();
        let stem = if stem.trim().is_empty() { "document" } else { stem.trim() };
        format!("{stem}.{ending}")
    }
}

/// `Content-Disposition` of a file to be saved under this name (RFC 6266): in ASCII, and as it is.
#[must_use]
pub fn disposition(name: &str) -> String {
    let plain: String = name
        .chars()
        .map(|letter| if letter.is_ascii_graphic() || letter == ' ' { letter } else { '_' })
        .collect();
    let plain = plain.replace(['"', '\\', '%'], "_");
    let coded: String = name
        .bytes()
        .map(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                char::from(byte).to_string()
            }
            _ => format!("%{byte:02X}"),
        })
        .collect();
    format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{coded}")
}

/// Where a document can be fetched for an hour, without the session: a browser saves a file by its address alone.
#[must_use]
pub fn signed_address(key: &SigningKey, id: Uuid, now: Timestamp) -> Option<String> {
    let until = now.checked_add(LIFE).ok()?.as_second();
    let signature = key.sign(PURPOSE, format!("{id}:{until}").as_bytes());
    Some(format!("/api/documents/{id}?until={until}&signature={signature}"))
}

/// Whether an address was given out, and still is good.
#[must_use]
pub fn is_open(key: &SigningKey, id: Uuid, (until, signature): (i64, &str), now: Timestamp) -> bool {
    now.as_second() < until && key.signed(PURPOSE, format!("{id}:{until}").as_bytes(), signature)
}

/// Where documents lie, and who reads them. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Documents {
    folder: PathBuf,
    reader: TextReader,
    turns: Arc<Semaphore>,
}

impl Documents {
    /// As the settings say.
    ///
    /// # Errors
    /// When this program cannot be found.
    pub fn new(config: &ServeConfig) -> anyhow::Result<Self> {
        let program = match &config.document_reader {
            Some(program) => program.clone(),
            None => std::env::current_exe().context("finding this program")?,
        };
        let reader = TextReader::new(program, ["document-text"]);
        Ok(Self { folder: config.data.documents(), reader, turns: Arc::new(Semaphore::new(READ_AT_ONCE)) })
    }

    /// The folder they lie in.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Where the document of this hash lies.
    #[must_use]
    pub fn path(&self, hash: &str) -> PathBuf {
        self.folder.join(hash)
    }

    /// What the PDF of this hash says; `None` where nothing can be read.
    ///
    /// # Errors
    /// When its file can't be read, or the program that reads its text can't be run.
    pub async fn text(&self, hash: &str) -> anyhow::Result<Option<String>> {
        let _turn = self.turns.acquire().await?;
        let (path, reader) = (self.path(hash), self.reader.clone());
        let reading = tokio::task::spawn_blocking(move || {
            let pdf = std::fs::read(path).context("reading a document's file")?;
            match reader.read(&pdf) {
                // Of what a database can hold: no NUL comes through `tidy`.
                Ok(text) => Ok(Some(text)),
                Err(DocumentError::Program(why)) => anyhow::bail!("the reader of documents: {why}"),
                Err(why) => {
                    tracing::info!(%why, "a document has no text to be read");
                    Ok(None)
                }
            }
        });
        reading.await?
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[test]
    fn a_document_is_what_its_first_bytes_say() {
        let kind = |head: &[u8]| Kind::sniff(head).map(|kind| kind.endings[0]);
        assert_eq!(kind(b"%PDF-1.7\n"), Some("pdf"));
        assert_eq!(kind(b"\x89PNG\r\n\x1a\nrest"), Some("png"));
        assert_eq!(kind(b"\xff\xd8\xff\xe0rest"), Some("jpg"));
        assert_eq!(kind(b"PK\x03\x04rest"), Some("zip"));
        for other in [
            &b"MZ\x90\0this program"[..],
            b"\x7fELF\x02\x01\x01",
            b"<!doctype html><script>",
            b"<svg xmlns='http://www.w3.org/2000/svg' onload='x'>",
            b"#!/bin/sh\n",
            b"plain words",
            b"",
        ] {
            assert_eq!(kind(other), None, "{other:?}");
        }
    }

    #[rstest]
    #[case("Bidding document.pdf", "Bidding document.pdf")]
    #[case("SCAN.PDF", "SCAN.PDF")]
    #[case("C:\\Users\\x\\bid.pdf", "bid.pdf")]
    #[case("../../etc/passwd", "passwd.pdf")]
    #[case("invoice.exe", "invoice.exe.pdf")]
    #[case("ලංසු ලේඛනය.pdf", "ලංසු ලේඛනය.pdf")]
    #[case("a\u{202E}fdp.exe\r\nX: 1", "afdp.exeX 1.pdf")]
    #[case("...", "document.pdf")]
    #[case("", "document.pdf")]
    #[case(".pdf", "pdf.pdf")]
    fn a_name_ends_as_what_the_file_is(#[case] given: &str, #[case] name: &str) {
        assert_eq!(Kind::PDF.name(given), name);
    }

    #[test]
    fn a_name_is_never_long_and_fits_into_a_header() {
        let name = Kind::PDF.name(&format!("{}.pdf", "ල".repeat(4000)));
        assert!(name.chars().count() <= 200 && name.ends_with(".pdf"));
        assert_eq!(
            disposition("a \"b\" ල%.pdf"),
            "attachment; filename=\"a _b_ __.pdf\"; filename*=UTF-8''a%20%22b%22%20%E0%B6%BD%25.pdf"
        );
        assert!(disposition(&name).is_ascii());
    }

    #[test]
    fn an_address_opens_one_document_for_an_hour() {
        let key = SigningKey::new("k".repeat(32).into()).unwrap();
        let (id, now) = (Uuid::from_u128(7), Timestamp::from_second(1_800_000_000).unwrap());
        let address = signed_address(&key, id, now).unwrap();
        let (until, signature) = address.split_once("until=").unwrap().1.split_once("&signature=").unwrap();
        let until: i64 = until.parse().unwrap();
        let later = |minutes| now + SignedDuration::from_mins(minutes);
        assert!(is_open(&key, id, (until, signature), later(59)));
        assert!(!is_open(&key, id, (until, signature), later(60)));
        assert!(!is_open(&key, id, (until + 1, signature), now));
        assert!(!is_open(&key, Uuid::from_u128(8), (until, signature), now));
    }
}

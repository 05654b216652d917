//! Files attached to tenders: permitted types, names, signed URLs and text extraction.

use crate::{
    base::{config::ServeConfig, signing_key::SigningKey},
    clients::{
        disk_space::DiskSpace,
        file_store::{FileName, FileStore},
    },
    domain::error::ServiceError,
};
use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use pdf_text::{DocumentError, TextReader};
use uuid::Uuid;

/// The maximum length of a document's name without its extension, in characters.
const MAX_NAME_LENGTH: usize = 150;
/// The number of leading bytes of a file from which its type is detected.
pub const SNIFFED_BYTES: usize = 1 << 20;
/// The purpose for which the URLs are signed.
const PURPOSE: &str = "document";
/// The lifetime of a URL: long enough to resume a large download.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(1);

/// A permitted type of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentKind {
    /// The value of the `Content-Type` header.
    pub media_type: &'static str,
    /// The extensions of this type. The first one is added to names without any of them.
    extensions: &'static [&'static str],
}

impl DocumentKind {
    /// PDF, the only type with text extraction.
    pub const PDF: Self = Self { media_type: "application/pdf", extensions: &["pdf"] };
    /// All permitted types.
    pub const ALL: [Self; 9] = [
        Self::PDF,
        Self {
            media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            extensions: &["docx"],
        },
        Self {
            media_type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            extensions: &["xlsx"],
        },
        Self { media_type: "application/msword", extensions: &["doc"] },
        Self { media_type: "application/vnd.ms-excel", extensions: &["xls"] },
        Self { media_type: "application/zip", extensions: &["zip"] },
        Self { media_type: "image/jpeg", extensions: &["jpg", "jpeg"] },
        Self { media_type: "image/png", extensions: &["png"] },
        Self { media_type: "image/webp", extensions: &["webp"] },
    ];

    /// Detects the type from the first bytes of a file. The type that the sender claims is
    /// ignored. `None`: the type is not permitted.
    #[must_use]
    pub fn sniff(head: &[u8]) -> Option<Self> {
        let found = infer::get(head)?.mime_type();
        Self::ALL.into_iter().find(|kind| kind.media_type == found)
    }

    /// Cleans a file name that a user has given: removes folders and forbidden characters, shortens
    /// a long name, and ensures an extension of this type.
    #[must_use]
    pub fn clean_file_name(self, given: &str) -> String {
        let last = given.rsplit(['/', '\\']).next().unwrap_or_default();
        let kept: String = tender_model::terminal_text::single_line(last)
            .chars()
            .filter(|letter| !matches!(letter, '\u{FFFD}' | '"' | '<' | '>' | ':' | '|' | '?' | '*'))
            .collect();
        let name = kept.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = name.trim_matches('.').trim();
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        let has_extension = self.extensions.contains(&ending.to_lowercase().as_str());
        let (stem, ending) = if has_extension { (stem, ending) } else { (name, self.extensions[0]) };
        let stem: String = stem.chars().take(MAX_NAME_LENGTH).collect();
        let stem = if stem.trim().is_empty() { "document" } else { stem.trim() };
        format!("{stem}.{ending}")
    }
}

/// Returns the `Content-Disposition` header for saving a download under this name (RFC 6266). The
/// header contains the name in ASCII and in UTF-8.
#[must_use]
pub fn content_disposition(name: &str) -> String {
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

/// Returns a URL for a document, valid for an hour. The URL itself grants access, because browser
/// downloads send no bearer token.
#[must_use]
pub fn signed_url(key: &SigningKey, id: Uuid, now: Timestamp) -> Option<String> {
    let until = now.checked_add(LINK_LIFETIME).ok()?.as_second();
    let signature = key.sign(PURPOSE, format!("{id}:{until}").as_bytes());
    Some(format!("/api/documents/{id}?until={until}&signature={signature}"))
}

/// Whether the signature of a document's URL is valid and the URL has not expired.
#[must_use]
pub fn is_valid_signed_url(
    key: &SigningKey,
    id: Uuid,
    (until, signature): (i64, &str),
    now: Timestamp,
) -> bool {
    now.as_second() < until && key.verify(PURPOSE, format!("{id}:{until}").as_bytes(), signature)
}

/// Extracts the text of documents.
#[derive(Debug, Clone)]
pub struct Documents {
    files: FileStore,
    reader: TextReader,
    space: DiskSpace,
}

impl Documents {
    /// Creates the store from the settings.
    pub fn new(config: &ServeConfig, files: FileStore) -> anyhow::Result<Self> {
        let program = match &config.document_reader {
            Some(program) => program.clone(),
            None => std::env::current_exe().context("finding the path of this program")?,
        };
        let reader = TextReader::new(program, ["document-text"]);
        Ok(Self { files, reader, space: DiskSpace::new(config) })
    }

    /// Refuses an upload if the disk is nearly full.
    ///
    /// # Errors
    /// 503 if less than `MIN_FREE_MIB` is free.
    pub fn require_space(&self) -> Result<(), ServiceError> {
        self.space.require()
    }

    /// Extracts the text of the PDF with this hash. `None` if it has no readable text.
    pub async fn extract_text(&self, hash: &str) -> anyhow::Result<Option<String>> {
        let pdf = self.files.read(&FileName::document(hash)).await?;
        let pdf = pdf.context("the file of a document is missing")?;
        let reader = self.reader.clone();
        let reading = tokio::task::spawn_blocking(move || {
            match reader.read(&pdf) {
                // `pdf_text` has removed NUL characters, which the database can't store.
                Ok(text) => Ok(Some(text)),
                Err(DocumentError::Program(why)) => anyhow::bail!("the document text extractor: {why}"),
                Err(why) => {
                    tracing::info!(%why, "no text could be extracted from a document");
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
    fn document_type_is_detected_from_its_content() {
        let kind = |head: &[u8]| DocumentKind::sniff(head).map(|kind| kind.extensions[0]);
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
    fn name_gets_the_types_extension(#[case] given: &str, #[case] name: &str) {
        assert_eq!(DocumentKind::PDF.clean_file_name(given), name);
    }

    #[test]
    fn name_is_bounded_and_header_safe() {
        let name = DocumentKind::PDF.clean_file_name(&format!("{}.pdf", "ල".repeat(4000)));
        assert!(name.chars().count() <= 200 && name.ends_with(".pdf"));
        assert_eq!(
            content_disposition("a \"b\" ල%.pdf"),
            "attachment; filename=\"a _b_ __.pdf\"; filename*=UTF-8''a%20%22b%22%20%E0%B6%BD%25.pdf"
        );
        assert!(content_disposition(&name).is_ascii());
    }

    #[test]
    fn document_url_is_valid_for_an_hour() {
        let key = SigningKey::new("k".repeat(32).into()).unwrap();
        let (id, now) = (Uuid::from_u128(7), Timestamp::from_second(1_800_000_000).unwrap());
        let url = signed_url(&key, id, now).unwrap();
        let (until, signature) = url.split_once("until=").unwrap().1.split_once("&signature=").unwrap();
        let until: i64 = until.parse().unwrap();
        let later = |minutes| now + SignedDuration::from_mins(minutes);
        assert!(is_valid_signed_url(&key, id, (until, signature), later(59)));
        assert!(!is_valid_signed_url(&key, id, (until, signature), later(60)));
        assert!(!is_valid_signed_url(&key, id, (until + 1, signature), now));
        assert!(!is_valid_signed_url(&key, Uuid::from_u128(8), (until, signature), now));
    }
}

//! Clips, the images of newspaper notices, and their signed URLs.

use crate::{
    base::signing_key::SigningKey,
    clients::blob_store::{self, IncomingFile, is_hash},
};
use jiff::{SignedDuration, Timestamp};
use std::{
    io,
    path::{Path, PathBuf},
};
use tender_model::vocabulary::Moment;

/// The purpose for which the URLs are signed.
const PURPOSE: &str = "clip";
/// The lifetime of a URL, counted from the last midnight in Colombo. A clip's URL is the same all
/// day, so that browsers can cache the image.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(48);

/// Returns a URL for this clip, valid for one to two days. Browsers request images without a
/// bearer token, so the URL itself grants access.
#[must_use]
pub fn signed_url(key: &SigningKey, hash: &str, now: Moment) -> Option<String> {
    let until = Moment::start_of(now.day())?.timestamp().checked_add(LINK_LIFETIME).ok()?.as_second();
    let signature = key.sign(PURPOSE, format!("{hash}:{until}").as_bytes());
    Some(format!("/api/clips/{hash}?until={until}&signature={signature}"))
}

/// Whether the signature of a clip's URL is valid and the URL has not expired.
#[must_use]
pub fn is_valid_signed_url(
    key: &SigningKey,
    hash: &str,
    (until, signature): (i64, &str),
    now: Timestamp,
) -> bool {
    now.as_second() < until && key.verify(PURPOSE, format!("{hash}:{until}").as_bytes(), signature)
}

/// Returns the hash in a clip's URL. `None` if this is not the URL of a clip.
#[must_use]
pub fn hash_of(address: &str) -> Option<&str> {
    let hash = address.strip_prefix("/api/clips/")?.split('?').next()?;
    is_hash(hash).then_some(hash)
}

/// The media types of clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaType {
    /// The format that `ingest` sends.
    Jpeg,
    /// A lossless format.
    Png,
    /// A format with smaller files.
    Webp,
}

impl MediaType {
    /// Detects the type from the first bytes of a file. The type that the sender claims is
    /// ignored. `None`: not the type of a clip.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// The value of the `Content-Type` header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }

    /// Parses the text that is stored in the database.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Jpeg, Self::Png, Self::Webp].into_iter().find(|known| known.as_str() == text)
    }

    /// The extension of the names of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }
}

/// The path of a clip.
#[must_use]
pub fn path(folder: &Path, hash: &str, media_type: MediaType) -> PathBuf {
    folder.join(format!("{hash}.{}", media_type.extension()))
}

/// Stores a clip atomically, unless its file exists with this size.
pub async fn store(folder: &Path, hash: &str, media_type: MediaType, bytes: &[u8]) -> io::Result<()> {
    let path = path(folder, hash, media_type);
    if blob_store::exists_with_size(&path, bytes.len() as u64).await {
        return Ok(());
    }
    let mut incoming = IncomingFile::begin(folder).await?;
    incoming.write(bytes).await?;
    incoming.keep(&path).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_type_is_detected_from_its_content() {
        assert_eq!(MediaType::sniff(b"\xff\xd8\xff\xe0rest"), Some(MediaType::Jpeg));
        assert_eq!(MediaType::sniff(b"\x89PNG\r\n\x1a\nrest"), Some(MediaType::Png));
        assert_eq!(MediaType::sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some(MediaType::Webp));
        for other in [&b"<svg onload=x>"[..], b"", b"\xff\xd8", b"GIF89a", b"%PDF-1.7"] {
            assert_eq!(MediaType::sniff(other), None);
        }
    }

    #[tokio::test]
    async fn clip_is_stored_once_without_temporary_files() {
        let folder = tempfile::tempdir().unwrap();
        let name = blob_store::hash(b"clip");
        for _ in 0..2 {
            store(folder.path(), &name, MediaType::Jpeg, b"clip").await.unwrap();
        }
        assert_eq!(std::fs::read(path(folder.path(), &name, MediaType::Jpeg)).unwrap(), b"clip");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

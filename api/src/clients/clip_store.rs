//! Clips: the pictures of newspaper notices, and who may look at them.

use crate::{
    base::signing_key::SigningKey,
    clients::blob_store::{self, Incoming, is_hash},
};
use index::vocabulary::Moment;
use jiff::{SignedDuration, Timestamp};
use std::{
    io,
    path::{Path, PathBuf},
};
use uuid::Uuid;

/// What the signatures of addresses are for.
const PURPOSE: &str = "clip";
/// How long an address is good for. Counted from midnight, so that a browser finds in its cache what it was given before.
const LIFE: SignedDuration = SignedDuration::from_hours(48);

/// Where the clip of this hash can be looked at for a day or two: a picture is fetched without the session, so that its address is
/// given to those alone who may see it.
#[must_use]
pub fn signed_address(key: &SigningKey, hash: &str, now: Moment) -> Option<String> {
    let until = Moment::start_of(now.day())?.timestamp().checked_add(LIFE).ok()?.as_second();
    let signature = key.sign(PURPOSE, format!("{hash}:{until}").as_bytes());
    Some(format!("/api/clips/{hash}?until={until}&signature={signature}"))
}

/// Whether an address was given out, and still is good.
#[must_use]
pub fn is_open(key: &SigningKey, hash: &str, (until, signature): (i64, &str), now: Timestamp) -> bool {
    now.as_second() < until && key.signed(PURPOSE, format!("{hash}:{until}").as_bytes(), signature)
}

/// The hash that a clip's address names.
#[must_use]
pub fn hash_of(address: &str) -> Option<&str> {
    let hash = address.strip_prefix("/api/clips/")?.split('?').next()?;
    is_hash(hash).then_some(hash)
}

/// What a clip may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaType {
    /// What `ingest` sends.
    Jpeg,
    /// Lossless.
    Png,
    /// Smaller.
    Webp,
}

impl MediaType {
    /// What the first bytes say it is, whatever its sender calls it.
    #[must_use]
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xd8, 0xff, ..] => Some(Self::Jpeg),
            [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some(Self::Png),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::Webp),
            _ => None,
        }
    }

    /// As in a `Content-Type` header.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Webp => "image/webp",
        }
    }

    /// As stored. `None` for anything else.
    #[must_use]
    pub fn from_stored(text: &str) -> Option<Self> {
        [Self::Jpeg, Self::Png, Self::Webp].into_iter().find(|known| known.as_str() == text)
    }

    const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Webp => "webp",
        }
    }
}

/// Where the clip of a name lies.
#[must_use]
pub fn path(folder: &Path, hash: &str, media_type: MediaType) -> PathBuf {
    folder.join(format!("{hash}.{}", media_type.extension()))
}

/// Writes a clip under its name, whole or not at all. `unique` keeps two writers apart until then.
///
/// # Errors
/// When the folder can't be written.
pub async fn store(
    folder: &Path,
    hash: &str,
    media_type: MediaType,
    bytes: &[u8],
    unique: Uuid,
) -> io::Result<()> {
    let path = path(folder, hash, media_type);
    if blob_store::is_there(&path, bytes.len() as u64).await {
        return Ok(());
    }
    let mut incoming = Incoming::begin(folder, unique).await?;
    incoming.write(bytes).await?;
    incoming.keep(&path).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clip_is_what_its_first_bytes_say() {
        assert_eq!(MediaType::sniff(b"\xff\xd8\xff\xe0rest"), Some(MediaType::Jpeg));
        assert_eq!(MediaType::sniff(b"\x89PNG\r\n\x1a\nrest"), Some(MediaType::Png));
        assert_eq!(MediaType::sniff(b"RIFF\0\0\0\0WEBPVP8 "), Some(MediaType::Webp));
        for other in [&b"<svg onload=x>"[..], b"", b"\xff\xd8", b"GIF89a", b"%PDF-1.7"] {
            assert_eq!(MediaType::sniff(other), None);
        }
    }

    #[tokio::test]
    async fn a_clip_is_stored_once_and_leaves_nothing_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let name = blob_store::hash(b"clip");
        for unique in [1, 2] {
            store(folder.path(), &name, MediaType::Jpeg, b"clip", Uuid::from_u128(unique)).await.unwrap();
        }
        assert_eq!(std::fs::read(path(folder.path(), &name, MediaType::Jpeg)).unwrap(), b"clip");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

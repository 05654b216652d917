//! Newspaper files and the pictures of their pages, in one folder and named by their hash, and the
//! signed URLs of the pictures.

use crate::{
    base::signing_key::SigningKey,
    clients::blob_store::{self, IncomingFile},
};
use jiff::{SignedDuration, Timestamp};
use std::{
    io,
    path::{Path, PathBuf},
};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The purpose for which the URLs are signed.
const PURPOSE: &str = "page";
/// The lifetime of a URL, counted from the last midnight in Colombo, so that browsers can cache the
/// picture.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(48);

/// The path of a file or a picture.
#[must_use]
pub fn path(folder: &Path, hash: &str) -> PathBuf {
    folder.join(hash)
}

/// Stores a picture atomically, and returns its hash. A picture that exists is written again, so
/// that `delete_orphaned_files` counts its age from now.
pub async fn store_picture(folder: &Path, bytes: &[u8]) -> io::Result<String> {
    let hash = blob_store::hash(bytes);
    let mut incoming = IncomingFile::begin(folder).await?;
    incoming.write(bytes).await?;
    incoming.keep(&path(folder, &hash)).await?;
    Ok(hash)
}

/// Returns a URL for the picture of a page, valid for one to two days. Browsers request images
/// without a bearer token, so the URL itself grants access.
#[must_use]
pub fn picture_url(key: &SigningKey, page: Uuid, hash: &str, now: Moment) -> Option<String> {
    let until = Moment::start_of(now.day())?.timestamp().checked_add(LINK_LIFETIME).ok()?.as_second();
    let signature = key.sign(PURPOSE, signed_text(page, hash, until).as_bytes());
    Some(format!("/api/operate/pages/{page}/picture?hash={hash}&until={until}&signature={signature}"))
}

/// Whether the signature of a picture's URL is valid and the URL has not expired.
#[must_use]
pub fn is_valid_picture_url(
    key: &SigningKey,
    (page, hash): (Uuid, &str),
    (until, signature): (i64, &str),
    now: Timestamp,
) -> bool {
    now.as_second() < until && key.verify(PURPOSE, signed_text(page, hash, until).as_bytes(), signature)
}

fn signed_text(page: Uuid, hash: &str, until: i64) -> String {
    format!("{page}:{hash}:{until}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn picture_url_is_valid_for_one_picture_and_two_days() {
        let key = SigningKey::new("k".repeat(32).into()).unwrap();
        let (page, now) = (Uuid::from_u128(7), Timestamp::from_second(1_800_000_000).unwrap());
        let hash = blob_store::hash(b"a picture");
        let url = picture_url(&key, page, &hash, Moment::new(now)).unwrap();
        let (until, signature) = url.split_once("until=").unwrap().1.split_once("&signature=").unwrap();
        let until: i64 = until.parse().unwrap();
        let later = |hours| now + SignedDuration::from_hours(hours);
        let given = (until, signature);
        assert!(is_valid_picture_url(&key, (page, &hash), given, later(23)));
        assert!(!is_valid_picture_url(&key, (page, &hash), given, later(49)));
        assert!(!is_valid_picture_url(&key, (Uuid::from_u128(8), &hash), given, now));
        assert!(!is_valid_picture_url(&key, (page, &blob_store::hash(b"another")), given, now));
        assert!(!is_valid_picture_url(&key, (page, &hash), (until + 1, signature), now));
    }

    #[tokio::test]
    async fn picture_is_stored_under_its_hash() {
        let folder = tempfile::tempdir().unwrap();
        for _ in 0..2 {
            let hash = store_picture(folder.path(), b"a picture").await.unwrap();
            assert_eq!(std::fs::read(path(folder.path(), &hash)).unwrap(), b"a picture");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}

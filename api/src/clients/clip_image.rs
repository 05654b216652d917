//! Clips, the images of newspaper notices: their signed URLs and their content.

use crate::{
    base::signing_key::SigningKey,
    clients::file_store::{FileError, FileName, FileStore, is_hash},
    domain::clip::MediaType,
};
use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
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

/// Reads a clip, whose media type need not be known. `None`: there is no such clip.
///
/// # Errors
/// Fails if the place of the files can't be read.
pub async fn read(files: &FileStore, hash: &str) -> Result<Option<Bytes>, FileError> {
    for media_type in MediaType::ALL {
        if let Some(bytes) = files.read(&FileName::clip(hash, media_type)).await? {
            return Ok(Some(bytes));
        }
    }
    Ok(None)
}

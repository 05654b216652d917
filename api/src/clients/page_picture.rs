//! The signed URLs of the pictures of newspaper pages.

use crate::base::signing_key::SigningKey;
use jiff::{SignedDuration, Timestamp};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The purpose for which the URLs are signed.
const PURPOSE: &str = "page";
/// The lifetime of a URL, counted from the last midnight in Colombo, so that browsers can cache the
/// picture.
const LINK_LIFETIME: SignedDuration = SignedDuration::from_hours(48);

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
    use crate::clients::file_store::hash as hash_of;

    #[test]
    fn picture_url_is_valid_for_one_picture_and_two_days() {
        let key = SigningKey::new("k".repeat(32).into()).unwrap();
        let (page, now) = (Uuid::from_u128(7), Timestamp::from_second(1_800_000_000).unwrap());
        let hash = hash_of(b"a picture");
        let url = picture_url(&key, page, &hash, Moment::new(now)).unwrap();
        let (until, signature) = url.split_once("until=").unwrap().1.split_once("&signature=").unwrap();
        let until: i64 = until.parse().unwrap();
        let later = |hours| now + SignedDuration::from_hours(hours);
        let given = (until, signature);
        assert!(is_valid_picture_url(&key, (page, &hash), given, later(23)));
        assert!(!is_valid_picture_url(&key, (page, &hash), given, later(49)));
        assert!(!is_valid_picture_url(&key, (Uuid::from_u128(8), &hash), given, now));
        assert!(!is_valid_picture_url(&key, (page, &hash_of(b"another")), given, now));
        assert!(!is_valid_picture_url(&key, (page, &hash), (until + 1, signature), now));
    }
}

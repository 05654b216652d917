//! Webhook signatures in Stripe's format (docs.stripe.com/webhooks, "Verify webhook signatures
//! manually"), which the sandbox uses too. The header is `t=<seconds>,v1=<hex>,…`. Each `v1` is an
//! HMAC-SHA256 of `<seconds>.<body>`.

use hmac::{Hmac, KeyInit, Mac};
use jiff::{SignedDuration, Timestamp};
use sha2::Sha256;

/// The tolerated difference between the header's time and our clock, as in Stripe's own libraries.
const TOLERANCE: SignedDuration = SignedDuration::from_mins(5);
/// The maximum length of the header, in bytes.
const MAX_HEADER_LENGTH: usize = 2048;

fn mac(secret: &str, seconds: &str, body: &[u8]) -> Option<Hmac<Sha256>> {
    // HMAC accepts keys of any length, so this is never `None`.
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).ok()?;
    mac.update(seconds.as_bytes());
    mac.update(b".");
    mac.update(body);
    Some(mac)
}

/// Signs a webhook's body and returns the header.
pub(super) fn sign(secret: &str, body: &[u8], now: Timestamp) -> String {
    let seconds = now.as_second().to_string();
    let signature = mac(secret, &seconds, body).map(|mac| hex::encode(mac.finalize().into_bytes()));
    format!("t={seconds},v1={}", signature.unwrap_or_default())
}

/// Whether the header has a valid signature for this secret and body, and a time within the
/// tolerance.
pub(super) fn is_valid(secret: &str, header: &str, body: &[u8], now: Timestamp) -> bool {
    if header.len() > MAX_HEADER_LENGTH {
        return false;
    }
    let parts = || header.split(',').filter_map(|part| part.trim().split_once('='));
    let Some((_, seconds)) = parts().find(|(name, _)| *name == "t") else { return false };
    let at = seconds.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok());
    if at.is_none_or(|at| now.duration_since(at).abs() > TOLERANCE) {
        return false;
    }
    parts().filter(|(name, _)| *name == "v1").any(|(_, signature)| {
        let signature = hex::decode(signature).unwrap_or_default();
        mac(secret, seconds, body).is_some_and(|mac| mac.verify_slice(&signature).is_ok())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const BODY: &[u8] = br#"{"id":"evt_1"}"#;
    const SECRET: &str = "whsec_test";
    /// Computed with openssl: `printf '1492774577.{"id":"evt_1"}' | openssl dgst -sha256 -hmac
    /// whsec_test`.
    const SIGNATURE: &str = "7656fc2882a7ca0a651666b36bf2f2f22ee204f54f608f227498a2419f2890b2";

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(seconds).unwrap()
    }

    #[test]
    fn signature_of_another_implementation_is_valid() {
        assert_eq!(sign(SECRET, BODY, at(1_492_774_577)), format!("t=1492774577,v1={SIGNATURE}"));
        let header = format!("t=1492774577,v1={SIGNATURE},v0=6ffbb59b2300aae63f272406069a9788598b792a");
        assert!(is_valid(SECRET, &header, BODY, at(1_492_774_577)));
        // While a secret is being replaced, the header has two signatures, in any order.
        let rolled = format!("t=1492774577,v1={},v1={SIGNATURE}", "0".repeat(64));
        assert!(is_valid(SECRET, &rolled, BODY, at(1_492_774_577 + 300)));
    }

    #[test]
    fn expired_future_changed_and_malformed_signatures_are_invalid() {
        let header = sign(SECRET, BODY, at(1000));
        for now in [1000 - 301, 1000 + 301] {
            assert!(!is_valid(SECRET, &header, BODY, at(now)), "{now}");
        }
        assert!(!is_valid("whsec_other", &header, BODY, at(1000)));
        assert!(!is_valid(SECRET, &header, br#"{"id":"evt_2"}"#, at(1000)));
        // A time other than the signed one.
        assert!(!is_valid(SECRET, &header.replace("t=1000", "t=1001"), BODY, at(1000)));
        let unsigned = format!("t=1000,v0={}", &header["t=1000,v1=".len()..]);
        for rubbish in [
            "",
            "t=1000",
            "v1=00",
            "t=,v1=",
            "t=1000,v1=zz",
            "t=99999999999999999999,v1=00",
            &unsigned,
            &"t=1000,".repeat(1000),
        ] {
            assert!(!is_valid(SECRET, rubbish, BODY, at(1000)), "{rubbish}");
        }
    }
}

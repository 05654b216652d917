//! Nonces, which bind an ID token of Google to the browser that asked for it (OpenID Connect Core 1.0,
//! section 15.5.2). The server keeps no unused nonces: a nonce contains its expiry and a signature over
//! a random secret, which only the cookie of the browser contains. Used nonces are stored until they
//! expire.

use crate::{
    app::context::Context,
    base::secret::secret_hash,
    storage::{self, google_nonces},
};
use jiff::{SignedDuration, Timestamp};

/// The purpose that the signature is bound to.
const PURPOSE: &str = "google nonce";
/// How long a nonce is accepted. The web app asks for another one before.
const LIFETIME: SignedDuration = SignedDuration::from_mins(30);

/// The secret of a browser that asks for nonces. `None`: the browser sent none.
#[derive(Debug, Clone)]
pub struct GoogleBrowser(pub Option<String>);

/// Creates a nonce for the browser with this secret.
pub fn issue(context: &Context, secret: &str) -> String {
    let expires_at = context.clock.now().saturating_add(LIFETIME).unwrap_or(Timestamp::MAX);
    let content = format!("{}.{}", hex::encode(context.random.bytes::<16>()), expires_at.as_second());
    format!("{content}.{}", context.signing_key.sign(PURPOSE, &signed_text(&content, secret)))
}

/// Uses the nonce of an ID token. `false`: this browser did not get it, or it has expired or was used
/// before. A process that ends here has begun no session, so the user signs in again.
pub(super) async fn consume(
    context: &Context,
    browser: &GoogleBrowser,
    nonce: &str,
) -> Result<bool, sqlx::Error> {
    let now = context.clock.now();
    let Some(expires_at) = expiry(context, browser, nonce).filter(|expires_at| *expires_at > now) else {
        return Ok(false);
    };
    let mut tx = storage::begin(&context.db).await?;
    let is_first_use = google_nonces::mark_used(&mut tx, &secret_hash(nonce), expires_at, now).await?;
    tx.commit().await?;
    Ok(is_first_use)
}

/// When a nonce of this browser expires. `None`: the nonce is not of this browser.
fn expiry(context: &Context, browser: &GoogleBrowser, nonce: &str) -> Option<Timestamp> {
    let secret = browser.0.as_deref()?;
    let (content, signature) = nonce.rsplit_once('.')?;
    if !context.signing_key.verify(PURPOSE, &signed_text(content, secret), signature) {
        return None;
    }
    let (_, seconds) = content.split_once('.')?;
    Timestamp::from_second(seconds.parse().ok()?).ok()
}

/// The signed text. The secret is last, and the content has exactly one dot.
fn signed_text(content: &str, secret: &str) -> Vec<u8> {
    format!("{content}.{secret}").into_bytes()
}

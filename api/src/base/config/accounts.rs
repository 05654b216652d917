//! Settings of accounts: passwords, second factors, sessions and sign-in with Google.

use clap::Args;
use jiff::SignedDuration;
use settings::{Findings, transport};

/// Rules for passwords, second factors and sessions.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Accounts")]
pub struct SignInConfig {
    /// The minimum length of a new password, in characters. Administrators and reviewers need at
    /// least 12 characters
    #[arg(long, env = "PASSWORD_MIN_LENGTH", default_value_t = 6, value_name = "N", value_parser = clap::value_parser!(u16).range(6..=64))]
    pub password_min_length: u16,
    /// Whether administrators and reviewers need a second factor and a password of at least 12
    /// characters to use their roles. Then their sessions also end after a day
    /// [default: true, false with --demo]
    #[arg(long, env = "REQUIRE_SECOND_FACTOR", value_name = "true|false")]
    pub require_second_factor: Option<bool>,
    /// How many days after the sign-in a session ends in any case
    #[arg(long, env = "SESSION_DAYS", default_value_t = 180, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(1..=3650))]
    pub session_days: i64,
}

impl SignInConfig {
    /// Whether administrators and reviewers need a second factor and a long password.
    #[must_use]
    pub fn requires_second_factor(&self, demo: bool) -> bool {
        self.require_second_factor.unwrap_or(!demo)
    }

    /// How long a session lasts at most.
    #[must_use]
    pub fn session_lifetime(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * self.session_days)
    }
}

/// Settings of the sign-in with Google, which is not offered without a client id.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Sign-in with Google")]
pub struct GoogleConfig {
    /// The client id from Google's console. Without a client id, sign-in with Google is not offered
    #[arg(long, env = "GOOGLE_CLIENT_ID", value_name = "ID")]
    google_client_id: Option<String>,
    /// The accepted issuers of ID tokens, separated by commas
    #[arg(
        long,
        env = "GOOGLE_ISSUERS",
        default_value = "https://accounts.google.com,accounts.google.com",
        value_delimiter = ',',
        value_name = "ISSUERS"
    )]
    pub google_issuers: Vec<String>,
    /// The URL of the issuers' public keys, a JWK set
    #[arg(
        long,
        env = "GOOGLE_KEYS_URL",
        default_value = "https://www.googleapis.com/oauth2/v3/certs",
        value_name = "URL"
    )]
    pub google_keys_url: String,
}

impl GoogleConfig {
    /// The client id, if it is set.
    #[must_use]
    pub fn client_id(&self) -> Option<&str> {
        self.google_client_id.as_deref().map(str::trim).filter(|id| !id.is_empty())
    }

    /// Checks the client id, the issuers and the URL of the keys.
    pub fn check(&self, found: &mut Findings) {
        let Some(id) = self.client_id() else { return };
        if id.chars().any(|c| !c.is_ascii_graphic()) {
            let remedy = "write the id from Google's console, such as \
                GOOGLE_CLIENT_ID=1234-abcd.apps.googleusercontent.com";
            found.refuse("GOOGLE_CLIENT_ID", format_args!("{id:?} is not a client id"), remedy);
        }
        if self.google_issuers.iter().all(|issuer| issuer.trim().is_empty()) {
            let remedy = "write GOOGLE_ISSUERS=https://accounts.google.com,accounts.google.com";
            found.refuse("GOOGLE_ISSUERS", "names no issuer", remedy);
        }
        let (url, example) = (&self.google_keys_url, "https://www.googleapis.com/oauth2/v3/certs");
        let is_url = found.check_url("GOOGLE_KEYS_URL", url, &["https", "http"], example);
        if is_url && transport::is_insecure(url) {
            // An attacker could replace the keys, and then sign in as anyone.
            let what = format!("Google's keys would be fetched without TLS from {url}");
            found.refuse("GOOGLE_KEYS_URL", what, format_args!("write GOOGLE_KEYS_URL={example}"));
        }
    }
}

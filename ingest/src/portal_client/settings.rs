//! The address of a portal, timeouts, and the waits before retries.

use super::PublishError;
use reqwest::Url;
use std::time::Duration;

/// The maximum number of attempts for one notice, if the portal is busy, fails or is unreachable.
pub const ATTEMPTS: u32 = 4;
/// The upper limit for a wait that the portal asks for.
pub(super) const MAX_WAIT: Duration = Duration::from_secs(30);
const TIMEOUT: Duration = Duration::from_secs(30);
const FIRST_WAIT: Duration = Duration::from_millis(500);
const ROUND_WAITS: [Duration; 3] = [Duration::from_secs(5), Duration::from_secs(15), Duration::from_secs(40)];
const OUTAGE_PAUSES: [Duration; 3] = [Duration::from_mins(1), Duration::from_mins(2), Duration::from_mins(5)];

/// The address of a portal, its timeout and its waits.
#[derive(Debug, Clone)]
pub struct Portal {
    /// The base URL. Requests go to `/api` below it.
    pub url: Url,
    /// The time limit of a request. At most 10 seconds of it may pass before the connection is
    /// open.
    pub timeout: Duration,
    /// The wait before the second attempt. It doubles before each further attempt.
    pub first_wait: Duration,
    /// The waits before unsent notices are sent again at the end of a run, if the portal answered
    /// before and is now down.
    pub round_waits: [Duration; 3],
    /// How long sending pauses after three notices in a row without an answer: the first pause, the
    /// second, and each further pause in a row.
    pub outage_pauses: [Duration; 3],
}

impl Portal {
    /// Parses the address of a portal.
    ///
    /// # Errors
    /// [`PublishError::Address`] if it is not an `http` or `https` URL.
    pub fn new(address: &str) -> Result<Self, PublishError> {
        let wrong = || PublishError::Address { address: address.chars().take(200).collect() };
        let mut url: Url = address.trim().parse().map_err(|_| wrong())?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(wrong());
        }
        if !url.path().ends_with('/') {
            let path = format!("{}/", url.path());
            url.set_path(&path);
        }
        url.set_query(None);
        Ok(Self {
            url,
            timeout: TIMEOUT,
            first_wait: FIRST_WAIT,
            round_waits: ROUND_WAITS,
            outage_pauses: OUTAGE_PAUSES,
        })
    }
}

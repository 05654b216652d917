//! The sessions that have ended although their access tokens have not expired. Requests with such a
//! token must not use up the limits of the account, because a thief may send them.

use moka::future::Cache;
use std::time::Duration;
use uuid::Uuid;

/// The maximum number of remembered sessions. If there are more, some are forgotten, and the next
/// request with their token counts for the account again.
const MAX_SESSIONS: u64 = 100_000;

/// The sessions that are known to have ended. A request that is refused makes its session known.
pub struct EndedSessions(Cache<Uuid, ()>);

impl EndedSessions {
    /// Remembers each session for the lifetime of an access token.
    #[must_use]
    pub fn new(lifetime: Duration) -> Self {
        Self(Cache::builder().max_capacity(MAX_SESSIONS).time_to_live(lifetime).build())
    }

    /// Remembers that a session has ended.
    pub async fn insert(&self, session: Uuid) {
        self.0.insert(session, ()).await;
    }

    /// Whether a session is known to have ended.
    #[must_use]
    pub fn contains(&self, session: Uuid) -> bool {
        self.0.contains_key(&session)
    }
}

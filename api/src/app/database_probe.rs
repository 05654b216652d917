//! Checks that the database answers, on a connection of its own. When all connections of the pool are
//! in use, the database still answers.

use crate::{
    base::config::DatabaseConfig,
    storage::{connect_options, ping},
};
use sqlx::{ConnectOptions, PgConnection, postgres::PgConnectOptions};
use std::time::{Duration, Instant};
use tokio::{sync::Mutex, time::timeout};

/// The timeout of a check.
const TIMEOUT: Duration = Duration::from_secs(2);

/// Checks the database. It needs one connection, which it opens at the first check.
pub struct DatabaseProbe {
    options: PgConnectOptions,
    state: Mutex<ProbeState>,
}

#[derive(Default)]
struct ProbeState {
    /// `None` before the first check, after a failed one, and while a check runs.
    connection: Option<PgConnection>,
    /// The begin of the last check, and its result.
    last: Option<(Instant, bool)>,
}

impl DatabaseProbe {
    /// Creates the probe of a database.
    ///
    /// # Errors
    /// Fails if the URL is malformed.
    pub fn new(config: &DatabaseConfig) -> Result<Self, sqlx::Error> {
        Ok(Self { options: connect_options(config)?, state: Mutex::default() })
    }

    /// Whether the database answers. Callers that wait at the same time share one check.
    pub async fn responds(&self) -> bool {
        let called = Instant::now();
        let mut state = self.state.lock().await;
        if let Some((began, responds)) = state.last
            && began >= called
        {
            return responds;
        }
        let began = Instant::now();
        // If the caller disconnects during the check, the connection is dropped.
        let connection = state.connection.take();
        let checked = timeout(TIMEOUT, self.check(connection)).await;
        state.connection = checked.ok().and_then(Result::ok);
        let responds = state.connection.is_some();
        state.last = Some((began, responds));
        responds
    }

    /// Checks a connection and returns it. Opens another one if it is missing or broken.
    async fn check(&self, connection: Option<PgConnection>) -> Result<PgConnection, sqlx::Error> {
        if let Some(mut connection) = connection
            && ping(&mut connection).await.is_ok()
        {
            return Ok(connection);
        }
        let mut connection = self.options.connect().await?;
        ping(&mut connection).await?;
        Ok(connection)
    }
}

//! The limit of open files: each connection takes one.

/// Open files that are no connections of clients: the database's, the index's, mail, files on their way.
const RESERVED: u64 = 128;

/// Raises the soft limit to the hard one: service managers often set it to 1024. A failure leaves it as it was.
pub(crate) fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        if limit.current == limit.maximum {
            return;
        }
        let raised = Rlimit { current: limit.maximum, maximum: limit.maximum };
        if let Err(error) = setrlimit(Resource::Nofile, raised) {
            tracing::warn!(%error, "the limit of open files could not be raised");
        }
    }
}

/// How many connections fit beside the server's other files. `None`: no limit is set.
pub(crate) fn room_for_connections() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Nofile).current?;
        Some(limit.saturating_sub(RESERVED).max(limit / 2))
    }
    #[cfg(not(unix))]
    None
}

//! The operating system's limit of open files. Each connection counts as an open file.

/// File descriptors reserved for the database, the index, mail and uploads.
const RESERVED_FILES: u64 = 128;

/// Raises the soft limit to the hard limit, because service managers often set the soft limit to
/// 1024. If this fails, the soft limit stays unchanged.
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
            tracing::warn!(%error, "raising the limit of open files failed");
        }
    }
}

/// Returns how many connections the limit permits besides the reserved files, at least half of the
/// limit. `None` if there is no limit or the system is not Unix.
pub(crate) fn connection_capacity() -> Option<u64> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = getrlimit(Resource::Nofile).current?;
        Some(limit.saturating_sub(RESERVED_FILES).max(limit / 2))
    }
    #[cfg(not(unix))]
    None
}

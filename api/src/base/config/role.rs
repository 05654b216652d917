//! Which part of the portal a process runs.

/// The part of the portal that a process runs. Any number of processes of each role may run on one
/// database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// HTTP and the jobs.
    #[default]
    All,
    /// Only HTTP. Other processes run the jobs.
    Web,
    /// Only the jobs.
    Work,
}

impl Role {
    /// Whether the process serves HTTP.
    #[must_use]
    pub const fn serves(self) -> bool {
        matches!(self, Self::All | Self::Web)
    }

    /// Whether the process matches alerts, sends messages, charges and cleans up.
    #[must_use]
    pub const fn works(self) -> bool {
        matches!(self, Self::All | Self::Work)
    }
}

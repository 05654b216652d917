//! The clock as a parameter: everything that needs the time asks a [`Clock`], so that a test can set it.

use index::vocabulary::Moment;
use jiff::Timestamp;
use std::{
    fmt,
    sync::{Arc, atomic::AtomicI64, atomic::Ordering},
};

/// Tells the time.
#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    System,
    /// Milliseconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The machine's own clock. For `main` alone.
    #[must_use]
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stands at `at` until it is set again.
    #[must_use]
    pub fn standing_at(at: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(at.as_millisecond()))))
    }

    /// Sets a standing clock. A system clock can't be set, and stays as it is.
    pub fn set(&self, at: Timestamp) {
        if let Source::Set(milliseconds) = &self.0 {
            milliseconds.store(at.as_millisecond(), Ordering::SeqCst);
        }
    }

    /// The time, to the millisecond.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let milliseconds = match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
            Source::System => Timestamp::now().as_millisecond(),
            Source::Set(milliseconds) => milliseconds.load(Ordering::SeqCst),
        };
        Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// The time as the portal speaks of it, to the second.
    #[must_use]
    pub fn moment(&self) -> Moment {
        Moment::new(self.now())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

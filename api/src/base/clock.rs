//! The clock. It is passed as a parameter, so that tests can set the time.

use jiff::Timestamp;
use std::{
    fmt,
    sync::{Arc, atomic::AtomicI64, atomic::Ordering},
};
use tender_model::vocabulary::Moment;

/// The system clock, or a fixed clock that tests set.
#[derive(Clone)]
pub struct Clock(Source);

#[derive(Clone)]
enum Source {
    System,
    /// Milliseconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    /// The system clock. Only `main` and tests create it.
    #[must_use]
    pub const fn system() -> Self {
        Self(Source::System)
    }

    /// A clock that stays at `at` until it is set.
    #[must_use]
    pub fn fixed(at: Timestamp) -> Self {
        Self(Source::Set(Arc::new(AtomicI64::new(at.as_millisecond()))))
    }

    /// Sets a fixed clock. A system clock ignores this.
    pub fn set(&self, at: Timestamp) {
        if let Source::Set(milliseconds) = &self.0 {
            milliseconds.store(at.as_millisecond(), Ordering::SeqCst);
        }
    }

    /// The current time, to the millisecond.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        let milliseconds = match &self.0 {
            #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's clock")]
            Source::System => Timestamp::now().as_millisecond(),
            Source::Set(milliseconds) => milliseconds.load(Ordering::SeqCst),
        };
        Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
    }

    /// The current time to the second, as shown to users.
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

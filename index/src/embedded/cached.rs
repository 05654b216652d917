//! [`Cached`]: the last answer to a query, with the period for which it stays valid.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, PoisonError},
};
use tender_model::vocabulary::Moment;

/// An answer with its period of validity.
pub(super) struct TimedAnswer<A> {
    pub(super) answer: A,
    /// The first second of the period, since 1970.
    pub(super) from: i64,
    /// The last second of the period.
    pub(super) until: i64,
}

impl<A> TimedAnswer<A> {
    pub(super) fn holds_at(&self, now: Moment) -> bool {
        (self.from..=self.until).contains(&now.second())
    }
}

/// The last answer to a repeated query, reused while it is valid.
pub(super) struct Cached<Q, A>(Mutex<Option<(Q, TimedAnswer<Arc<A>>)>>);

impl<Q, A> Default for Cached<Q, A> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<Q: PartialEq + Clone, A> Cached<Q, A> {
    /// The answer to `query` at `now`, computed by `compute` if the cached one does not apply.
    pub(super) fn get_or_compute(
        &self,
        query: &Q,
        now: Moment,
        compute: impl FnOnce() -> TimedAnswer<A>,
    ) -> Arc<A> {
        let answer: Result<_, Infallible> = self.get_or_try_compute(query, now, || Ok(compute()));
        match answer {
            Ok(answer) => answer,
        }
    }

    /// Like [`Cached::get_or_compute`]. An error of `compute` is not cached.
    pub(super) fn get_or_try_compute<E>(
        &self,
        query: &Q,
        now: Moment,
        compute: impl FnOnce() -> Result<TimedAnswer<A>, E>,
    ) -> Result<Arc<A>, E> {
        {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some((cached_query, kept)) = kept.as_ref()
                && cached_query == query
                && kept.holds_at(now)
            {
                return Ok(Arc::clone(&kept.answer));
            }
        }
        // Computed outside the lock, so that other queries do not wait.
        let computed = compute()?;
        let answer = Arc::new(computed.answer);
        let kept = TimedAnswer { answer: Arc::clone(&answer), from: computed.from, until: computed.until };
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((query.clone(), kept));
        Ok(answer)
    }
}

//! The rate limits of requests, for each class of routes and each caller.

use super::{
    request_ceiling::{ChunkCounter, RequestCeiling},
    route_class::{ClassRate, LimitSubject, RouteClass},
};
use crate::{
    base::{clock::Clock, config::LimitsConfig, rate_limit::RateLimit},
    domain::error::ServiceError,
};
use std::{collections::HashMap, num::NonZeroU32, sync::Arc};
use strum::IntoEnumIterator;
use uuid::Uuid;

/// A limit per minute for each caller. This process applies it first, and then all servers together if they
/// share their limits.
struct CallerLimit {
    in_process: RateLimit<LimitSubject>,
    of_all_servers: Option<RequestCeiling>,
}

impl CallerLimit {
    async fn try_acquire(&self, caller: LimitSubject) -> Result<(), ServiceError> {
        self.in_process.try_acquire(caller)?;
        match &self.of_all_servers {
            Some(ceiling) => ceiling.try_acquire(caller).await,
            None => Ok(()),
        }
    }
}

/// The limits of all classes, and the limits that apply to some requests in addition.
pub struct RequestLimits {
    classes: HashMap<RouteClass, CallerLimit>,
    key_calls: CallerLimit,
    reports: CallerLimit,
    previews: CallerLimit,
}

impl RequestLimits {
    /// Creates the limits from the settings. With a counter, all servers share them.
    #[must_use]
    pub fn new(config: &LimitsConfig, clock: &Clock, counter: Option<&Arc<ChunkCounter>>) -> Self {
        let limit = |name: &'static str, count: NonZeroU32| CallerLimit {
            in_process: RateLimit::per_minute(count, clock),
            of_all_servers: counter.map(|counter| RequestCeiling::per_minute(name, count, counter.clone())),
        };
        let limit_of = |class: RouteClass| {
            let count = match class.limit().rate {
                ClassRate::Fixed(count) => count.saturating_mul(config.rate_limit_factor),
                ClassRate::SignIns => config.sign_ins_a_minute,
                ClassRate::Unlimited => return None,
            };
            Some((class, limit(class.into(), count)))
        };
        Self {
            classes: RouteClass::iter()
                .filter(|class| class.allowance() == *class)
                .filter_map(limit_of)
                .collect(),
            key_calls: limit("key_calls", config.key_calls_a_minute),
            reports: limit("reports", config.reports_a_minute),
            previews: limit("previews", config.previews_a_minute),
        }
    }

    /// Counts a request with an API key.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next request may succeed.
    pub async fn try_acquire_key_call(&self, key: Uuid) -> Result<(), ServiceError> {
        self.key_calls.try_acquire(LimitSubject::ApiKey(key)).await
    }

    /// Counts a report download of a user.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next download may succeed.
    pub async fn try_acquire_report(&self, user: Uuid) -> Result<(), ServiceError> {
        self.reports.try_acquire(LimitSubject::Account(user)).await
    }

    /// Counts an alert preview of a user.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next preview may succeed.
    pub async fn try_acquire_preview(&self, user: Uuid) -> Result<(), ServiceError> {
        self.previews.try_acquire(LimitSubject::Account(user)).await
    }

    /// Counts one request.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next request may succeed.
    pub async fn try_acquire(&self, class: RouteClass, subject: LimitSubject) -> Result<(), ServiceError> {
        match self.classes.get(&class.allowance()) {
            Some(limit) => limit.try_acquire(subject).await,
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::IpAddr;

    #[tokio::test]
    async fn classes_and_subjects_are_counted_separately() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let config = LimitsConfig { sign_ins_a_minute: NonZeroU32::MIN, ..LimitsConfig::default() };
        let limits = RequestLimits::new(&config, &clock, None);
        let address = LimitSubject::Address(IpAddr::from([9, 9, 9, 9]));
        for _ in 0..10 {
            limits.try_acquire(RouteClass::Message, address).await.unwrap();
        }
        limits.try_acquire(RouteClass::Message, address).await.unwrap_err();
        limits.try_acquire(RouteClass::Message, LimitSubject::Account(Uuid::nil())).await.unwrap();
        limits.try_acquire(RouteClass::Write, address).await.unwrap();
        limits.try_acquire(RouteClass::SignIn, address).await.unwrap();
        limits.try_acquire(RouteClass::Account, address).await.unwrap_err();
        for _ in 0..100_000 {
            limits.try_acquire(RouteClass::Exempt, address).await.unwrap();
        }
    }

    #[tokio::test]
    async fn factor_raises_the_fixed_limits() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let factor = NonZeroU32::new(3).unwrap();
        let limits = RequestLimits::new(
            &LimitsConfig { rate_limit_factor: factor, ..LimitsConfig::default() },
            &clock,
            None,
        );
        let subject = LimitSubject::Account(Uuid::nil());
        for _ in 0..30 {
            limits.try_acquire(RouteClass::Message, subject).await.unwrap();
        }
        limits.try_acquire(RouteClass::Message, subject).await.unwrap_err();
    }
}

//! The rate limits of requests. Each route belongs to a class. The table of routes is in
//! `http/route_classes.rs`, and the table of classes is here. `api limits` prints the limits for the
//! documentation.

use crate::{
    base::{clock::Clock, config::LimitsConfig, rate_limit::RateLimit},
    domain::error::ServiceError,
};
use std::{collections::HashMap, net::IpAddr, num::NonZeroU32};
use strum::{EnumIter, IntoEnumIterator, IntoStaticStr};
use uuid::Uuid;

/// A class of routes with a common limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, EnumIter, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum RouteClass {
    /// Scripts, styles, pictures and clips.
    File,
    /// Pages of the web app, feeds and sitemaps.
    Page,
    /// Reading records.
    Read,
    /// Searching and counting, which costs more than reading.
    Search,
    /// Creating, changing and deleting records.
    Write,
    /// Sign-ins and renewals of sessions.
    SignIn,
    /// Requests about an account that need no session.
    Registration,
    /// Other requests about an account.
    Account,
    /// Requests that send a message and need no session.
    PublicMessage,
    /// Other requests that send a message to an address.
    Message,
    /// Uploads of documents and newspaper pages.
    Upload,
    /// The administration of the portal.
    Operate,
    /// Programs with an operator token, such as `ingest`.
    Ingest,
    /// Programs with an API key. Each key has a further limit.
    ApiKey,
    /// Health checks, and webhooks of payment providers.
    Exempt,
}

/// Who the requests of a class are counted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LimitSubject {
    /// A signed-in user. Users who share an address do not share this limit.
    Account(Uuid),
    /// A browser in which a user has signed in before.
    Device(Uuid),
    /// The address of any other client.
    Address(IpAddr),
}

/// The number of requests that a class permits per minute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClassRate {
    /// This many, multiplied by `RATE_LIMIT_FACTOR`.
    Fixed(NonZeroU32),
    /// The setting `SIGN_INS_A_MINUTE`.
    SignIns,
    /// Any number.
    Unlimited,
}

/// A row of the table of classes.
pub struct ClassLimit {
    /// The number of requests.
    pub rate: ClassRate,
    /// What the requests are counted by, for the documentation.
    pub counted_by: &'static str,
    /// The requests, for the documentation.
    pub requests: &'static str,
}

const fn fixed(count: u32) -> ClassRate {
    match NonZeroU32::new(count) {
        Some(count) => ClassRate::Fixed(count),
        None => ClassRate::Unlimited,
    }
}

impl RouteClass {
    /// Returns the limit of the class.
    #[must_use]
    pub const fn limit(self) -> ClassLimit {
        const CALLER: &str = "account; address of a guest";
        let (rate, counted_by, requests) = match self {
            Self::File => (fixed(3000), "address", "files of the web app, clips and pictures"),
            Self::Page => {
                (fixed(600), "address", "pages, feeds, sitemaps and other addresses outside `/api`")
            }
            Self::Read => (fixed(600), CALLER, "reading records, and addresses that do not exist"),
            Self::Search => (fixed(300), CALLER, "search, facets, suggestions, previews and report files"),
            Self::Write => (fixed(120), CALLER, "creating, changing and deleting records"),
            Self::SignIn => (
                ClassRate::SignIns,
                "known device; address of an unknown device",
                "sign-ins and renewals of sessions",
            ),
            Self::Registration => (
                ClassRate::SignIns,
                "address, together with its sign-ins",
                "registration, and the use of mailed links",
            ),
            Self::Account => (
                ClassRate::SignIns,
                CALLER,
                "other requests about an account; from one address, sign-ins count together with these",
            ),
            Self::PublicMessage => {
                (fixed(10), "address", "the contact form, and requests for a link to reset a password")
            }
            Self::Message => (fixed(10), CALLER, "other requests that send a mail, an SMS or a test call"),
            Self::Upload => (fixed(120), CALLER, "uploads of documents and newspaper pages"),
            Self::Operate => (fixed(600), CALLER, "administration and review"),
            Self::Ingest => {
                (fixed(6000), "address", "calls with an operator token under `/api/ingest`, and bounces")
            }
            Self::ApiKey => (fixed(1200), "address", "all calls with an API key"),
            Self::Exempt => (ClassRate::Unlimited, "", "health checks, and webhooks of payment providers"),
        };
        ClassLimit { rate, counted_by, requests }
    }

    /// Whether the requests of a signed-in user are counted by account. Routes that need no session are
    /// not, because a client can create any number of accounts.
    #[must_use]
    pub const fn is_counted_by_account(self) -> bool {
        match self {
            Self::Read
            | Self::Search
            | Self::Write
            | Self::Account
            | Self::Message
            | Self::Upload
            | Self::Operate => true,
            Self::File
            | Self::Page
            | Self::SignIn
            | Self::Registration
            | Self::PublicMessage
            | Self::Ingest
            | Self::ApiKey
            | Self::Exempt => false,
        }
    }

    /// Returns the class whose allowance the requests use. Sign-ins and other requests about accounts
    /// have one allowance, and all messages have one.
    const fn allowance(self) -> Self {
        match self {
            Self::Registration | Self::Account => Self::SignIn,
            Self::PublicMessage => Self::Message,
            class => class,
        }
    }
}

/// The limits of all classes, and the limits that apply to some requests in addition.
pub struct RequestLimits {
    classes: HashMap<RouteClass, RateLimit<LimitSubject>>,
    /// Limits requests with an API key, by key.
    pub key_calls: RateLimit<Uuid>,
    /// Limits report downloads, by user.
    pub reports: RateLimit<Uuid>,
    /// Limits alert previews, by user.
    pub previews: RateLimit<Uuid>,
}

impl RequestLimits {
    /// Creates the limits from the settings.
    #[must_use]
    pub fn new(config: &LimitsConfig, clock: &Clock) -> Self {
        let limit_of = |class: RouteClass| {
            let count = match class.limit().rate {
                ClassRate::Fixed(count) => count.saturating_mul(config.rate_limit_factor),
                ClassRate::SignIns => config.sign_ins_a_minute,
                ClassRate::Unlimited => return None,
            };
            Some((class, RateLimit::per_minute(count, clock)))
        };
        Self {
            classes: RouteClass::iter()
                .filter(|class| class.allowance() == *class)
                .filter_map(limit_of)
                .collect(),
            key_calls: RateLimit::per_minute(config.key_calls_a_minute, clock),
            reports: RateLimit::per_minute(config.reports_a_minute, clock),
            previews: RateLimit::per_minute(config.previews_a_minute, clock),
        }
    }

    /// Counts one request.
    ///
    /// # Errors
    ///
    /// 429 with the seconds until the next request may succeed.
    pub fn try_acquire(&self, class: RouteClass, subject: LimitSubject) -> Result<(), ServiceError> {
        match self.classes.get(&class.allowance()) {
            Some(limit) => limit.try_acquire(subject),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_subjects_are_counted_separately() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let config = LimitsConfig { sign_ins_a_minute: NonZeroU32::MIN, ..LimitsConfig::default() };
        let limits = RequestLimits::new(&config, &clock);
        let address = LimitSubject::Address(IpAddr::from([9, 9, 9, 9]));
        for _ in 0..10 {
            limits.try_acquire(RouteClass::Message, address).unwrap();
        }
        limits.try_acquire(RouteClass::Message, address).unwrap_err();
        limits.try_acquire(RouteClass::Message, LimitSubject::Account(Uuid::nil())).unwrap();
        limits.try_acquire(RouteClass::Write, address).unwrap();
        limits.try_acquire(RouteClass::SignIn, address).unwrap();
        limits.try_acquire(RouteClass::Account, address).unwrap_err();
        for _ in 0..100_000 {
            limits.try_acquire(RouteClass::Exempt, address).unwrap();
        }
    }

    #[test]
    fn factor_raises_the_fixed_limits() {
        let clock = Clock::fixed("2026-11-20T06:00:00Z".parse().unwrap());
        let factor = NonZeroU32::new(3).unwrap();
        let limits = RequestLimits::new(
            &LimitsConfig { rate_limit_factor: factor, ..LimitsConfig::default() },
            &clock,
        );
        let subject = LimitSubject::Account(Uuid::nil());
        for _ in 0..30 {
            limits.try_acquire(RouteClass::Message, subject).unwrap();
        }
        limits.try_acquire(RouteClass::Message, subject).unwrap_err();
    }
}

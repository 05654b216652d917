//! The classes of routes and their limits. The table of routes is in `http/route_classes.rs`, and the table
//! of classes is here. `api limits` prints the limits for the documentation.

use std::{net::IpAddr, num::NonZeroU32};
use strum::{EnumIter, IntoStaticStr};
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
    /// An API key.
    ApiKey(Uuid),
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
    #[must_use]
    pub const fn allowance(self) -> Self {
        match self {
            Self::Registration | Self::Account => Self::SignIn,
            Self::PublicMessage => Self::Message,
            class => class,
        }
    }
}

//! The state that all requests and jobs of a process share.

pub(crate) mod context;
pub mod database_probe;
pub mod empty_searches;
pub mod ended_sessions;
pub mod guest_responses;
pub mod highlights_cache;
pub(crate) mod key_agreement;
pub mod login_attempts;
pub mod market_cache;
pub mod metrics;
pub(crate) mod progress;
pub mod request_ceiling;
pub mod request_limits;
pub mod route_class;
pub mod shared_limit;
pub mod sitemap_cache;
pub mod state;
pub mod unsubscribe_links;

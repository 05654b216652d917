//! Extractors that turn requests into typed values. They are independent of resources.

pub mod bearer;
pub mod caller;
pub mod client_address;
pub mod guest;
pub mod idempotency_key;
pub mod input;
pub mod operator;
pub mod rate_limit;
pub mod trusted_device;
mod user_agent;

pub use crate::base::paging::{PageQuery, Pagination};
pub(crate) use bearer::bearer;
pub use caller::{Caller, CurrentUser, MaybeUser};
pub use guest::Guest;
pub use idempotency_key::IdempotencyKey;
pub use input::{Body, PathId, PathIds, PathName, Query};
pub use operator::{Operator, OperatorOrAdmin};
pub use trusted_device::TrustedDevice;

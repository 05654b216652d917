//! Extractors that turn requests into typed values. They are independent of resources.

pub(crate) mod bearer;
pub(crate) mod caller;
pub(crate) mod client_address;
mod google_browser;
pub(crate) mod guest;
pub(crate) mod idempotency_key;
pub(crate) mod input;
pub(crate) mod operator;
mod sign_in_browser;
pub(crate) mod trusted_device;

pub use crate::base::paging::{PageQuery, Pagination};
pub(crate) use bearer::bearer;
pub(crate) use caller::record_account;
pub use caller::{Caller, CurrentUser, MaybeUser};
pub(crate) use client_address::CallerAddress;
pub(crate) use google_browser::remember_google_browser;
pub use guest::Guest;
pub use idempotency_key::IdempotencyKey;
pub use input::{Body, PathDay, PathId, PathIdAndDay, PathIds, PathName, PathNumber, Query};
pub use operator::{Administrator, Operator, OperatorOrAdmin, Reviewer, scope};
pub use trusted_device::TrustedDevice;

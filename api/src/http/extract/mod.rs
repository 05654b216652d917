//! Where HTTP becomes typed values and back: the envelope, the extractors that refuse rubbish by name, request ids,
//! limits by address, and the headers that every response carries. Nothing here knows a resource.

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
pub use idempotency_key::Submission;
pub use input::{Body, Id, Ids, Name, Query};
pub use operator::{Operator, OperatorOrAdmin};
pub use trusted_device::Device;

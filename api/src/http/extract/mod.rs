//! Where HTTP becomes typed values and back: the envelope, the extractors that refuse rubbish by name, request ids,
//! limits by address, and the headers that every response carries. Nothing here knows a resource.

pub mod bearer;
pub mod caller;
pub mod client_address;
pub mod guest;
pub mod idempotency_key;
pub mod input;
pub mod operator;
pub mod paging;
pub mod plain_errors;
pub mod rate_limit;
pub mod trusted_device;

pub(crate) use bearer::bearer;
pub use caller::{Caller, CurrentUser, MaybeUser};
pub use guest::Guest;
pub use idempotency_key::Submission;
pub use input::{Body, Id, Ids, Name, Query};
pub use operator::{Operator, OperatorOrAdmin};
pub use paging::{PageQuery, Pagination};
pub use trusted_device::Device;

//! Where HTTP becomes typed values and back: the envelope, the extractors that refuse rubbish by name, request ids,
//! limits by address, and the headers that every response carries. Nothing here knows a resource.

pub mod address;
pub mod envelope;
pub mod extract;
pub mod headers;
pub mod limit;
pub mod loopback;
pub mod observe;
pub mod paging;
mod plain;
pub mod submission;

pub use envelope::{Answer, Empty, Envelope};
pub use extract::{Body, Id, Ids, Name, Query};
pub use paging::{PageQuery, Pagination};
pub use submission::Submission;

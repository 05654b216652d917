//! [`Tender`]: the record that all crates share. One serialisation serves as front matter of a
//! notice, as stored document in the index and as the core of the API. Values that depend on the
//! time of reading, such as "closes today", are not part of it.

mod certainty;
mod notice_details;
mod parts;
mod reading;
mod record;
mod source;

pub use notice_details::{Cida, DocumentFee, Lot, PreBid, Submission};
pub use parts::{
    Bond, ContactPerson, Dates, Document, Eligibility, EstimatedValue, Experience, Financials, Location,
    Organization, Turnover,
};
pub use reading::{
    CLOSING, CONFIDENCE_THRESHOLD, FieldState, FieldStates, IS_NOTICE, KEY_FIELDS, OtherReading,
};
pub use record::{CANARY_ID, LIVE_WITHOUT_CLOSING, Tender};
pub use source::{Evidence, FieldChange, PageBox, Source};

//! Reports: the results of a search in a period, as a file with chosen columns. A report stores the
//! query string of `GET /tenders`, so it contains the tenders of the listing. Only tenders that its
//! owner may not read are left out.

pub(crate) mod cell;
pub(crate) mod columns;
pub(crate) mod csv;
pub(crate) mod file;
pub(crate) mod form;
pub(crate) mod gather;
pub(crate) mod texts;
pub(crate) mod totals;
pub(crate) mod xlsx;

pub use file::{Format, ReportSource};
pub use form::MAX_NAME_LENGTH;
pub use gather::{MAX_ROWS, preview};

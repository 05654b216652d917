//! Reports: what a search of the listing finds in a period, as a file of chosen columns. A report keeps the query string of `GET /tenders`, so
//! that it can't differ from the listing; what its reader may not open is not in it.

pub mod asked;
pub mod cell;
pub mod columns;
pub mod csv;
pub mod file;
pub mod gather;
pub mod period;
pub mod totals;
pub mod words;
pub mod xlsx;

pub use asked::{Asked, LONGEST_NAME};
pub use columns::Column;
pub use file::{Format, Made, Paper};
pub use gather::{Found, MOST_ROWS, preview};
pub use period::{DatedBy, Period, Span};
pub use totals::Grouping;
pub use words::ReportWords;

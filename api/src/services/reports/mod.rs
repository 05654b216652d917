//! Reports: what a search of the listing finds in a period, as a file of chosen columns. A report keeps the query string of `GET /tenders`, so
//! that it can't differ from the listing; what its reader may not open is not in it.

pub mod cell;
pub mod columns;
pub mod csv;
pub mod definition;
pub mod file;
pub mod gather;
pub mod totals;
pub mod words;
pub mod xlsx;

pub use definition::LONGEST_NAME;
pub use file::{Format, Made, Paper};
pub use gather::{Found, MOST_ROWS, preview};
pub use words::ReportWords;

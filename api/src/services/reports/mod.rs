//! Reports: the results of a search in a period, as a file with chosen columns. A report stores the
//! query string of `GET /tenders`, so it always agrees with the listing. Tenders that its owner may
//! not open are left out.

pub mod cell;
pub mod columns;
pub mod csv;
pub mod definition;
pub mod file;
pub mod gather;
pub mod texts;
pub mod totals;
pub mod xlsx;

pub use definition::LONGEST_NAME;
pub use file::{Format, ReportFile, ReportSource};
pub use gather::{MOST_ROWS, ReportCounts, preview};
pub use texts::ReportTexts;

//! The search of tenders: what the query string of the listing asks for.

pub mod list_query;

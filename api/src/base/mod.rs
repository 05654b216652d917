//! Building blocks without business rules.

pub mod clock;
pub mod config;
pub mod i18n;
pub(crate) mod mail_send_rate;
pub(crate) mod paging;
pub mod password;
pub(crate) mod plain_errors;
pub(crate) mod query_string;
pub mod random;
pub(crate) mod rate_limit;
pub mod secret;
pub(crate) mod signing_key;
pub(crate) mod temp_files;

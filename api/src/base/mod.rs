//! Building blocks without business rules.

pub mod clock;
pub mod config;
pub mod i18n;
pub mod mail_send_rate;
pub mod paging;
pub mod password;
pub mod plain_errors;
pub mod query_string;
pub mod random;
pub mod rate_limit;
pub mod secret;
pub mod signing_key;
pub mod temp_files;

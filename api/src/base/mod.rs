//! Building blocks that all higher layers share: settings, clock, random generator, translations,
//! passwords and signatures, rate limits, parsing of queries. [`config`] also holds the settings
//! of business rules, such as the grace period. The rules themselves are in `domain` and
//! `services`.

pub mod clock;
pub mod config;
pub mod i18n;
pub(crate) mod log_throttle;
pub(crate) mod mail_send_rate;
pub(crate) mod paging;
pub mod passkeys;
pub mod password;
pub(crate) mod plain_errors;
pub(crate) mod query_string;
pub mod random;
pub mod rate_limit;
pub mod secret;
pub mod secret_box;
pub mod signing_key;
pub(crate) mod temp_files;
pub mod trace;
pub mod trusted_proxies;
pub mod turns;

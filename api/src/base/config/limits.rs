//! Settings of rate limits.

use clap::Args;
use std::num::NonZeroU32;

/// The default of `SHARED_LIMITS_WAIT_MS`.
const DEFAULT_WAIT_MS: u32 = 100;

/// Rate limits.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rate limits")]
pub struct LimitsConfig {
    /// A factor for the limits of requests in docs/api.md that have no setting of their own. Raise it
    /// if many users share an IP address, or for tests
    #[arg(long, env = "RATE_LIMIT_FACTOR", default_value = "1", value_name = "N", value_parser = parse_factor)]
    pub rate_limit_factor: NonZeroU32,
    /// Count the requests of a caller on all servers of the portal together. Set this if several servers
    /// run. Each server counts at most a tenth of a limit by itself before it asks the database
    #[arg(long, env = "SHARED_LIMITS")]
    pub shared_limits: bool,
    /// How long a request waits for the common count of SHARED_LIMITS, in milliseconds. Without an answer,
    /// the server counts by itself for some seconds
    #[arg(long, env = "SHARED_LIMITS_WAIT_MS", default_value_t = DEFAULT_WAIT_MS, value_name = "MS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub shared_limits_wait_ms: u32,
    /// The maximum number of sign-ins, other requests about accounts (such as registering) per
    /// minute and client IP address. A device on which the user has signed in before has a separate
    /// limit of the same size for sign-ins, and a signed-in user for other requests
    #[arg(long, env = "SIGN_INS_A_MINUTE", default_value = "30", value_name = "N")]
    pub sign_ins_a_minute: NonZeroU32,
    /// The maximum number of wrong passwords per hour for one account from one network. A device
    /// on which the user has signed in before has a separate limit of the same size. From all
    /// networks together, other devices may enter five times as many for one account
    #[arg(long, env = "FAILED_SIGN_INS_AN_HOUR", default_value = "10", value_name = "N")]
    pub failed_sign_ins_an_hour: NonZeroU32,
    /// The maximum number of tender details that guests with the same IP address can open per day
    /// in total
    #[arg(long, env = "GUEST_DETAILS_A_DAY", default_value = "60", value_name = "N")]
    pub guest_details_a_day: NonZeroU32,
    /// The maximum number of requests per minute and API key
    #[arg(long, env = "KEY_CALLS_A_MINUTE", default_value = "120", value_name = "N")]
    pub key_calls_a_minute: NonZeroU32,
    /// The maximum number of report downloads per minute and user
    #[arg(long, env = "REPORTS_A_MINUTE", default_value = "20", value_name = "N")]
    pub reports_a_minute: NonZeroU32,
    /// The maximum number of alert previews per minute and user
    #[arg(long, env = "PREVIEWS_A_MINUTE", default_value = "60", value_name = "N")]
    pub previews_a_minute: NonZeroU32,
}

impl Default for LimitsConfig {
    fn default() -> Self {
        const fn count(count: u32) -> NonZeroU32 {
            match NonZeroU32::new(count) {
                Some(count) => count,
                None => NonZeroU32::MIN,
            }
        }
        Self {
            rate_limit_factor: NonZeroU32::MIN,
            shared_limits: false,
            shared_limits_wait_ms: DEFAULT_WAIT_MS,
            sign_ins_a_minute: count(30),
            failed_sign_ins_an_hour: count(10),
            guest_details_a_day: count(60),
            key_calls_a_minute: count(120),
            reports_a_minute: count(20),
            previews_a_minute: count(60),
        }
    }
}

fn parse_factor(text: &str) -> Result<NonZeroU32, String> {
    let factor = text.parse().ok().filter(|factor: &NonZeroU32| factor.get() <= 1000);
    factor.ok_or_else(|| "give a whole number from 1 to 1000".to_owned())
}

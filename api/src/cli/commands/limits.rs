//! `api limits`: the table of rate limits for docs/api.md.

use crate::{
    app::route_class::{ClassRate, RouteClass},
    base::config::LimitsConfig,
};
use std::{
    fmt::Write as _,
    io::{self, Write},
};
use strum::IntoEnumIterator;

/// Prints the table of rate limits.
pub fn print_limits() -> anyhow::Result<()> {
    io::stdout().lock().write_all(limits_table().as_bytes())?;
    Ok(())
}

/// Returns the table of rate limits as Markdown.
fn limits_table() -> String {
    let defaults = LimitsConfig::default();
    let mut table = "| requests | limit | setting | counted by |\n|---|---|---|---|\n".to_owned();
    for class in RouteClass::iter() {
        let limit = class.limit();
        let (count, setting) = match limit.rate {
            ClassRate::Fixed(count) => (format!("{count} a minute"), "`RATE_LIMIT_FACTOR`"),
            ClassRate::SignIns => (format!("{} a minute", defaults.sign_ins_a_minute), "`SIGN_INS_A_MINUTE`"),
            ClassRate::Unlimited => ("none".to_owned(), ""),
        };
        let _ = writeln!(table, "| {} | {count} | {setting} | {} |", limit.requests, limit.counted_by);
    }
    for (requests, count, setting, counted_by) in [
        (
            "in addition: wrong passwords for an account",
            format!("{} an hour", defaults.failed_sign_ins_an_hour),
            "FAILED_SIGN_INS_AN_HOUR",
            "known device; account and network; five times as many for an account in all networks",
        ),
        (
            "in addition: tender details that guests open",
            format!("{} a day", defaults.guest_details_a_day),
            "GUEST_DETAILS_A_DAY",
            "address",
        ),
        (
            "in addition: calls with an API key",
            format!("{} a minute", defaults.key_calls_a_minute),
            "KEY_CALLS_A_MINUTE",
            "key",
        ),
        (
            "in addition: report files",
            format!("{} a minute", defaults.reports_a_minute),
            "REPORTS_A_MINUTE",
            "account",
        ),
        (
            "in addition: alert previews",
            format!("{} a minute", defaults.previews_a_minute),
            "PREVIEWS_A_MINUTE",
            "account",
        ),
    ] {
        let _ = writeln!(table, "| {requests} | {count} | `{setting}` | {counted_by} |");
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::config::ServeConfig;
    use clap::{Args, Command};

    /// The table shows the defaults of [`LimitsConfig`], which the command line does not use.
    #[test]
    fn defaults_are_those_of_the_command_line() {
        let command = ServeConfig::augment_args(Command::new("api"));
        let defaults = LimitsConfig::default();
        for (setting, expected) in [
            ("rate_limit_factor", defaults.rate_limit_factor),
            ("sign_ins_a_minute", defaults.sign_ins_a_minute),
            ("failed_sign_ins_an_hour", defaults.failed_sign_ins_an_hour),
            ("guest_details_a_day", defaults.guest_details_a_day),
            ("key_calls_a_minute", defaults.key_calls_a_minute),
            ("reports_a_minute", defaults.reports_a_minute),
            ("previews_a_minute", defaults.previews_a_minute),
        ] {
            let argument = command.get_arguments().find(|argument| argument.get_id() == setting).unwrap();
            let values = argument.get_default_values();
            assert_eq!(values, [expected.to_string().as_str()], "{setting}");
        }
        assert!(limits_table().contains("| 30 a minute | `SIGN_INS_A_MINUTE` |"));
    }
}

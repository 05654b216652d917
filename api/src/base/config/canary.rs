//! Settings of the canary, the portal's test of its own way from publication to mail.

use super::MailConfig;
use crate::domain::canary::CanarySchedule;
use clap::Args;
use jiff::SignedDuration;
use lettre::Address;
use settings::Findings;

/// How often the portal tests its own way from publication to mail.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Canary")]
pub struct CanaryConfig {
    /// The time between two tests of the way from a tender to its mail, in minutes; 0 switches the
    /// test off. A demonstration tests only if CANARY_MAIL is set
    #[arg(long, env = "CANARY_MINUTES", default_value_t = 60, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(0..=1440))]
    pub canary_minutes: u32,
    /// The time within which the mail of the test must be sent or have come back, in minutes. Then
    /// /api/health reports the test as late, and administrators get a mail
    #[arg(long, env = "CANARY_LATE_MINUTES", default_value_t = 15, value_name = "MINUTES", value_parser = clap::value_parser!(u32).range(1..=1440))]
    pub canary_late_minutes: u32,
    /// The mail address of the test. Without this setting, the test uses MAIL_RETURNS with +canary
    /// before the @, and expects each mail to come back through `api mail receive`. Without
    /// MAIL_RETURNS too, there is no test
    #[arg(long, env = "CANARY_MAIL", value_name = "ADDRESS")]
    pub canary_mail: Option<String>,
}

/// The mail address of the test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CanaryAddress {
    /// The address.
    pub address: String,
    /// Whether mail to this address comes back to the portal.
    pub comes_back: bool,
}

impl CanaryConfig {
    /// When runs begin and when they are late.
    #[must_use]
    pub fn schedule(&self) -> CanarySchedule {
        let minutes = |minutes: u32| SignedDuration::from_mins(minutes.into());
        CanarySchedule { interval: minutes(self.canary_minutes), limit: minutes(self.canary_late_minutes) }
    }

    /// The address of the test. `None`: the test is off.
    #[must_use]
    pub fn address(&self, mail: &MailConfig, demo: bool) -> Option<CanaryAddress> {
        if self.canary_minutes == 0 {
            return None;
        }
        match (&self.canary_mail, &mail.mail_returns) {
            (Some(address), _) => Some(CanaryAddress { address: address.clone(), comes_back: false }),
            (None, Some(returns)) if !demo => {
                let (name, host) = returns.rsplit_once('@')?;
                Some(CanaryAddress { address: format!("{name}+canary@{host}"), comes_back: true })
            }
            _ => None,
        }
    }

    /// Checks the address. A portal whose mail nobody tests is told.
    pub fn check(&self, mail: &MailConfig, demo: bool, found: &mut Findings) {
        if let Some(address) = &self.canary_mail
            && let Err(error) = address.parse::<Address>()
        {
            let what = format!("{address:?} is not a mail address ({error})");
            found.refuse("CANARY_MAIL", what, "write CANARY_MAIL=canary@portal.example");
        }
        if !demo && self.canary_minutes > 0 && self.address(mail, demo).is_none() {
            found.warn(
                "CANARY_MAIL",
                "is not set, nor is MAIL_RETURNS, so the portal does not test each hour that its mail arrives",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use rstest::rstest;

    #[derive(Parser)]
    struct Settings {
        #[command(flatten)]
        canary: CanaryConfig,
        #[command(flatten)]
        mail: MailConfig,
    }

    #[rstest]
    #[case::nothing_to_mail_to(&[], false, None)]
    #[case::comes_back(&["--mail-returns=returns@x.test"], false, Some(("returns+canary@x.test", true)))]
    #[case::demonstration(&["--mail-returns=returns@x.test"], true, None)]
    #[case::own_address(&["--mail-returns=returns@x.test", "--canary-mail=me@y.test"], false, Some(("me@y.test", false)))]
    #[case::asked_for(&["--canary-mail=me@y.test"], true, Some(("me@y.test", false)))]
    #[case::off(&["--canary-mail=me@y.test", "--canary-minutes=0"], false, None)]
    fn address_follows_from_the_settings(
        #[case] options: &[&str],
        #[case] demo: bool,
        #[case] expected: Option<(&str, bool)>,
    ) {
        let settings = Settings::parse_from([&["api", "--mail-to-disk"], options].concat());
        let address = settings.canary.address(&settings.mail, demo);
        let found = address.as_ref().map(|found| (found.address.as_str(), found.comes_back));
        assert_eq!(found, expected);
    }
}

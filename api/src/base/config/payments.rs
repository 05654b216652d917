//! Settings of payments.

use crate::domain::money::Cents;
use clap::{Args, ValueEnum};
use jiff::SignedDuration;
use secrecy::{ExposeSecret, SecretString};
use settings::{Findings, transport};

use super::is_set;

/// A payment provider.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProviderName {
    /// Test cards, only with --demo
    Sandbox,
    /// Stripe
    Stripe,
    /// PayHere
    Payhere,
}

/// The payment provider, VAT and the grace period.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Payments")]
pub struct PaymentsConfig {
    /// The payment provider; sandbox requires --demo [default: sandbox with --demo, otherwise none]
    #[arg(long, env = "PAYMENTS", value_name = "PROVIDER")]
    pub payments: Option<ProviderName>,
    /// Stripe's secret key (sk_live_… or sk_test_…)
    #[arg(long, env = "STRIPE_SECRET_KEY", hide_env_values = true, value_name = "KEY")]
    pub stripe_secret_key: Option<SecretString>,
    /// The signing secret of the webhook at /api/webhooks/stripe (whsec_…). The webhook must send
    /// the events checkout.session.completed, checkout.session.async_payment_succeeded,
    /// invoice.paid, invoice.payment_failed and customer.subscription.deleted
    #[arg(long, env = "STRIPE_WEBHOOK_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub stripe_webhook_secret: Option<SecretString>,
    /// The URL of Stripe's API
    #[arg(long, env = "STRIPE_API_URL", default_value = "https://api.stripe.com", value_name = "URL")]
    pub stripe_api_url: String,
    /// The merchant id at PayHere
    #[arg(long, env = "PAYHERE_MERCHANT_ID", value_name = "ID")]
    pub payhere_merchant_id: Option<String>,
    /// The merchant secret at PayHere for this portal's domain
    #[arg(long, env = "PAYHERE_MERCHANT_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_merchant_secret: Option<SecretString>,
    /// The id of a PayHere API key that is permitted to retrieve payments and manage subscriptions
    #[arg(long, env = "PAYHERE_APP_ID", value_name = "ID")]
    pub payhere_app_id: Option<String>,
    /// The secret of the PayHere API key
    #[arg(long, env = "PAYHERE_APP_SECRET", hide_env_values = true, value_name = "SECRET")]
    pub payhere_app_secret: Option<SecretString>,
    /// The URL of PayHere. For tests, use https://sandbox.payhere.lk
    #[arg(long, env = "PAYHERE_URL", default_value = "https://www.payhere.lk", value_name = "URL")]
    pub payhere_url: String,
    /// The company's VAT number. If it is set, prices include VAT, and invoices show the VAT
    #[arg(long, env = "VAT_NUMBER", value_name = "NUMBER")]
    vat_number: Option<String>,
    /// The VAT rate in per cent, with at most two decimals, such as 18 or 18.5
    #[arg(long, env = "VAT_RATE_PERCENT", value_name = "PERCENT", value_parser = parse_percentage)]
    vat_rate_percent: Option<u32>,
    /// How many days a plan stays valid after its paid period if the next payment fails
    #[arg(long, env = "GRACE_DAYS", default_value_t = 7, value_name = "DAYS", value_parser = clap::value_parser!(i64).range(3..=30))]
    pub grace_days: i64,
}

/// The VAT settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vat<'a> {
    /// The company's VAT number.
    pub number: &'a str,
    /// The rate in hundredths of a per cent.
    pub rate: u32,
}

impl PaymentsConfig {
    /// The payment provider. `None`: payments are off.
    #[must_use]
    pub const fn provider(&self, demo: bool) -> Option<ProviderName> {
        match self.payments {
            None if demo => Some(ProviderName::Sandbox),
            chosen => chosen,
        }
    }

    /// The VAT settings. `None`: the company charges no VAT.
    #[must_use]
    pub fn vat(&self) -> Option<Vat<'_>> {
        Some(Vat { number: self.vat_number.as_deref()?, rate: self.vat_rate_percent? })
    }

    /// How long a plan stays valid after its paid period if the next payment fails.
    #[must_use]
    pub fn grace(&self) -> SignedDuration {
        SignedDuration::from_hours(24 * self.grace_days)
    }

    /// The missing settings of the chosen provider.
    #[must_use]
    pub fn missing_settings(&self, demo: bool) -> Vec<&'static str> {
        let needs = match self.provider(demo) {
            None | Some(ProviderName::Sandbox) => vec![],
            Some(ProviderName::Stripe) => vec![
                ("STRIPE_SECRET_KEY", is_set(&self.stripe_secret_key)),
                ("STRIPE_WEBHOOK_SECRET", is_set(&self.stripe_webhook_secret)),
            ],
            Some(ProviderName::Payhere) => vec![
                ("PAYHERE_MERCHANT_ID", self.payhere_merchant_id.as_deref().is_some_and(|id| !id.is_empty())),
                ("PAYHERE_MERCHANT_SECRET", is_set(&self.payhere_merchant_secret)),
                ("PAYHERE_APP_ID", self.payhere_app_id.as_deref().is_some_and(|id| !id.is_empty())),
                ("PAYHERE_APP_SECRET", is_set(&self.payhere_app_secret)),
            ],
        };
        needs.into_iter().filter(|(_, is_set)| !is_set).map(|(name, _)| name).collect()
    }
}

/// Stripe's own API, whose keys have known forms.
const STRIPE_API_URL: &str = "https://api.stripe.com";

impl PaymentsConfig {
    /// Checks whether the settings of the provider and of VAT are complete and well-formed.
    pub fn check(&self, demo: bool, found: &mut Findings) {
        let provider = self.provider(demo);
        if provider == Some(ProviderName::Sandbox) && !demo {
            let what = "the sandbox accepts test cards as payment, so it requires --demo";
            found.refuse("PAYMENTS", what, "write PAYMENTS=stripe or PAYMENTS=payhere");
        }
        let missing = self.missing_settings(demo);
        if !missing.is_empty() {
            let verb = if missing.len() == 1 { "is" } else { "are" };
            let what = format!("{} {verb} missing", missing.join(", "));
            found.refuse("PAYMENTS", what, format_args!("set {}, or omit PAYMENTS", missing.join(" and ")));
        }
        match provider {
            Some(ProviderName::Stripe) => {
                check_provider_url(found, "STRIPE_API_URL", &self.stripe_api_url, STRIPE_API_URL);
                self.check_stripe_keys(found);
            }
            Some(ProviderName::Payhere) => {
                check_provider_url(found, "PAYHERE_URL", &self.payhere_url, "https://www.payhere.lk");
            }
            Some(ProviderName::Sandbox) => {}
            None => self.check_unused(found),
        }
        match (&self.vat_number, self.vat_rate_percent) {
            (Some(_), None) => {
                let what = "is not set, but VAT_NUMBER (--vat-number) is";
                found.refuse("VAT_RATE_PERCENT", what, "write VAT_RATE_PERCENT=18, or omit VAT_NUMBER");
            }
            (None, Some(_)) => {
                let what = "is not set, but VAT_RATE_PERCENT (--vat-rate-percent) is";
                found.refuse("VAT_NUMBER", what, "write VAT_NUMBER=123456789-7000, or omit VAT_RATE_PERCENT");
            }
            _ => {}
        }
    }

    /// Refuses keys of another kind, such as the publishable key.
    fn check_stripe_keys(&self, found: &mut Findings) {
        let is_stripe = self.stripe_api_url.trim_end_matches('/') == STRIPE_API_URL;
        for (variable, secret, forms) in [
            ("STRIPE_SECRET_KEY", &self.stripe_secret_key, &["sk_", "rk_"][..]),
            ("STRIPE_WEBHOOK_SECRET", &self.stripe_webhook_secret, &["whsec_"]),
        ] {
            let Some(secret) = secret.as_ref().filter(|_| is_stripe && is_set(secret)) else { continue };
            if !forms.iter().any(|form| secret.expose_secret().starts_with(form)) {
                let what = format!("the value does not begin with {}", forms.join(" or "));
                found.refuse(
                    variable,
                    what,
                    format_args!("write {variable}={}… from Stripe's dashboard", forms[0]),
                );
            }
        }
    }

    /// Warns about keys of a provider that is not chosen.
    fn check_unused(&self, found: &mut Findings) {
        for (variable, is_set) in [
            ("STRIPE_SECRET_KEY", is_set(&self.stripe_secret_key)),
            ("PAYHERE_MERCHANT_SECRET", is_set(&self.payhere_merchant_secret)),
        ] {
            if is_set {
                found.warn(
                    variable,
                    "has no effect without PAYMENTS; set PAYMENTS=stripe or PAYMENTS=payhere too",
                );
            }
        }
    }
}

/// Refuses the URL of a provider that is malformed, or that would reveal the secret key.
fn check_provider_url(found: &mut Findings, variable: &str, url: &str, example: &str) {
    let is_url = found.check_url(variable, url, &["https", "http"], example);
    if is_url && transport::is_insecure(url) {
        let what = format!("the payment provider would be called without TLS at {url}");
        found.refuse(variable, what, format_args!("write an https:// URL, such as {variable}={example}"));
    }
}

/// Parses a percentage with at most two decimals. Returns hundredths of a per cent.
fn parse_percentage(text: &str) -> Result<u32, String> {
    let cents = Cents::parse(text.trim()).and_then(|cents| u32::try_from(cents.0).ok());
    cents
        .filter(|rate| *rate <= 10_000)
        .ok_or_else(|| "must be a number such as 18 or 18.5, at most 100".to_owned())
}

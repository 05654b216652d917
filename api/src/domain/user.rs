//! Users and the plan that each of them holds.

use crate::domain::{mail_return::MailReturn, plan::PlanName};
use index::vocabulary::Language;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use utoipa::ToSchema;
use uuid::Uuid;

/// What a user may do by kind of account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Role {
    /// Publishes tenders and bids on them.
    Supplier,
    /// Looks for suppliers.
    Buyer,
    /// The portal's operator. Nobody registers as one.
    Admin,
}

impl Role {
    /// The word that is stored and serialised.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether this role may publish tenders.
    #[must_use]
    pub const fn publishes(self) -> bool {
        matches!(self, Self::Supplier | Self::Admin)
    }
}

/// The plan that a user holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldPlan {
    /// Its name.
    pub name: PlanName,
    /// Advanced search.
    pub advanced_filtering: bool,
    /// Alerts by e-mail.
    pub email_alerts: bool,
    /// Alerts by SMS, WhatsApp and webhooks.
    pub direct_alerts: bool,
    /// API keys.
    pub api_access: bool,
    /// Whether messages are flagged for the operator.
    pub priority_support: bool,
    /// The report builder.
    pub custom_reports: bool,
    /// Whether it includes the weekly summary.
    pub weekly_summary: bool,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// When the subscription began. `None` without a subscription.
    pub since: Option<Timestamp>,
    /// The end of the grace, if the running period is not paid for.
    pub unpaid_until: Option<Timestamp>,
}

/// A user with the plan held at a moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its id.
    pub id: Uuid,
    /// As typed.
    pub email: String,
    /// Whether the address is confirmed.
    pub email_verified: bool,
    /// Why the address is suppressed, if it is.
    pub mail_returned: Option<MailReturn>,
    /// The password hash. `None`: the user signs in with Google only.
    pub password_hash: Option<String>,
    /// Whether a Google account is connected.
    pub has_google: bool,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Telephone.
    pub phone: Option<String>,
    /// Company.
    pub company: Option<String>,
    /// Role.
    pub role: Role,
    /// The language of mails.
    pub language: Language,
    /// Whether the user wants the weekly summary, if the plan includes it.
    pub weekly_summary: bool,
    /// Whether the user wants mails about saved tenders.
    pub saved_mails: bool,
    /// The plan; free without an active subscription.
    pub plan: HeldPlan,
    /// The owner of the team whose subscription it is.
    pub team_owner: Option<Uuid>,
}

/// A user to be made.
#[derive(Debug, Clone)]
pub struct NewUser<'a> {
    /// Address, as typed.
    pub email: &'a str,
    /// A PHC string. `None`: the user signs in with Google only.
    pub password_hash: Option<&'a str>,
    /// Given name.
    pub first_name: &'a str,
    /// Family name.
    pub last_name: &'a str,
    /// Telephone.
    pub phone: Option<&'a str>,
    /// Company.
    pub company: Option<&'a str>,
    /// Role.
    pub role: Role,
    /// The language of mails.
    pub language: Language,
    /// Whether the address counts as confirmed.
    pub email_verified: bool,
}

/// An account of the demonstration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoUser {
    /// Its id.
    pub id: Uuid,
    /// As typed.
    pub email: String,
}

/// The profile of a user.
#[derive(Debug, Clone)]
pub struct Profile {
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// Telephone.
    pub phone: Option<String>,
    /// Company.
    pub company: Option<String>,
}

/// Choices of a user about mail. `None` means no change.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailChoices {
    /// The language of mails.
    pub language: Option<Language>,
    /// Whether the user wants the weekly summary.
    pub weekly_summary: Option<bool>,
    /// Whether the user wants mails about saved tenders.
    pub saved_mails: Option<bool>,
}

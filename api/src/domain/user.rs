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

/// A plan as a user holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldPlan {
    /// Its name.
    pub name: PlanName,
    /// Filters beyond text, sector and the four cards.
    pub advanced_filtering: bool,
    /// Alerts by e-mail.
    pub email_alerts: bool,
    /// Alerts by SMS, WhatsApp and webhooks.
    pub direct_alerts: bool,
    /// API keys.
    pub api_access: bool,
    /// Messages flagged for the operator.
    pub priority_support: bool,
    /// The report builder.
    pub custom_reports: bool,
    /// The newest tenders by mail each week.
    pub weekly_summary: bool,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// When the subscription began; `None`: there is none.
    pub since: Option<Timestamp>,
    /// Until when it holds although the period that runs is not paid for; `None` where it is.
    pub unpaid_until: Option<Timestamp>,
}

/// A user with the plan held at the moment of the question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Its id.
    pub id: Uuid,
    /// As typed.
    pub email: String,
    /// Whether its reader has confirmed the address.
    pub email_verified: bool,
    /// Why nothing is mailed there any more, where mail came back.
    pub mail_returned: Option<MailReturn>,
    /// `None` for one who signs in by a third party alone.
    pub password_hash: Option<String>,
    /// Signs in with Google, too or alone.
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
    /// What it is written to in.
    pub language: Language,
    /// Wants the weekly summary, where its plan has one.
    pub weekly_summary: bool,
    /// Wants reminders and changes of the tenders it has saved.
    pub saved_mails: bool,
    /// Plan; free without an active subscription.
    pub plan: HeldPlan,
    /// Whose subscription that is, for a member of a team.
    pub team_owner: Option<Uuid>,
}

/// A user to be made.
#[derive(Debug, Clone)]
pub struct NewUser<'a> {
    /// Address, as typed.
    pub email: &'a str,
    /// PHC string; `None` for one who signs in by a third party alone.
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
    /// What it is written to in.
    pub language: Language,
    /// Whether the address is taken as confirmed.
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

/// What users say of themselves.
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

/// What a user chooses about its mails; what is `None` stays.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailChoices {
    /// What it is written to in.
    pub language: Option<Language>,
    /// Whether the weekly summary comes.
    pub weekly_summary: Option<bool>,
    /// Whether reminders and changes of saved tenders come.
    pub saved_mails: Option<bool>,
}

//! Users and their plans.

use crate::domain::{plan::PlanName, session::SignInStrength, suppression::SuppressionReason};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};
use tender_model::vocabulary::Language;
use utoipa::ToSchema;
use uuid::Uuid;

/// The kind of account, which decides what a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Role {
    /// A supplier, who publishes tenders and bids on them.
    Supplier,
    /// A buyer, who looks for suppliers.
    Buyer,
    /// A person who reviews notices. Nobody can register as one.
    Reviewer,
    /// An administrator of the portal. Nobody can register as one.
    Admin,
}

impl Role {
    /// The stored and serialised name.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Whether a user with this role may review notices.
    #[must_use]
    pub const fn may_review(self) -> bool {
        matches!(self, Self::Reviewer | Self::Admin)
    }

    /// Whether a user with this role may publish tenders.
    #[must_use]
    pub const fn may_publish(self) -> bool {
        matches!(self, Self::Supplier | Self::Admin)
    }
}

/// The plan that a user has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldPlan {
    /// The plan's name.
    pub name: PlanName,
    /// Whether all search filters may be used.
    pub advanced_filtering: bool,
    /// Whether the plan includes e-mail alerts.
    pub email_alerts: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether the plan includes API keys.
    pub api_access: bool,
    /// Whether the user's contact messages are marked as priority for the operator.
    pub priority_support: bool,
    /// Whether the plan includes the report builder.
    pub custom_reports: bool,
    /// Whether the plan includes the weekly summary.
    pub weekly_summary: bool,
    /// Tenders that may be published in a period; -1 is unlimited.
    pub max_tender_uploads: i32,
    /// When the subscription began. `None` without a subscription.
    pub since: Option<Timestamp>,
    /// The end of the grace period, if the current period is unpaid.
    pub unpaid_until: Option<Timestamp>,
}

/// A user, with the current plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// The user's id.
    pub id: Uuid,
    /// The mail address, as entered.
    pub email: String,
    /// Whether the address is confirmed.
    pub email_verified: bool,
    /// Whether the account is locked.
    pub is_locked: bool,
    /// Why the address is suppressed, if it is.
    pub suppression_reason: Option<SuppressionReason>,
    /// The password hash. `None`: the user signs in with Google only.
    pub password_hash: Option<String>,
    /// Whether a Google account is connected.
    pub has_google: bool,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The telephone number.
    pub phone: Option<String>,
    /// The name of the company.
    pub company: Option<String>,
    /// The role. While the role of an administrator or reviewer is suspended, this is `Buyer`.
    pub role: Role,
    /// The suspended role of an administrator or reviewer who signed in too weakly for it.
    pub suspended_role: Option<SuspendedRole>,
    /// The language of mails.
    pub language: Language,
    /// Whether the user wants the weekly summary, if the plan includes it.
    pub weekly_summary: bool,
    /// Whether the user wants mails about saved tenders.
    pub saved_mails: bool,
    /// Whether the user wants mails about alerts that have found nothing for a long time.
    pub silence_mails: bool,
    /// The plan. It is free without an active subscription.
    pub plan: HeldPlan,
    /// The owner of the team that the user has joined. The team uses the owner's subscription.
    /// `None`: the user has joined no team.
    pub team_owner: Option<Uuid>,
}

/// The credentials of a user.
#[derive(Debug, Clone)]
pub struct HeldCredentials {
    /// Whether the account is locked.
    pub is_locked: bool,
    /// The password hash. `None`: the account has no password.
    pub password_hash: Option<String>,
    /// The role.
    pub role: Role,
}

/// A role that a user has, but cannot use in the current session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SuspendedRole {
    /// The role.
    pub role: Role,
    /// What the user must do to use it.
    pub need: RoleNeed,
}

/// What an administrator or reviewer must do to use the role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RoleNeed {
    /// Set up a second factor, or sign in with it.
    SecondFactor,
    /// Choose a longer password.
    LongerPassword,
}

impl User {
    /// The account whose subscription, alerts and company profile the user has: that of the team's owner, or
    /// the user's own.
    #[must_use]
    pub fn shared_account(&self) -> Uuid {
        self.team_owner.unwrap_or(self.id)
    }

    /// Suspends the role of an administrator or reviewer whose sign-in was too weak for it.
    #[must_use]
    pub fn with_role_for(self, strength: SignInStrength) -> Self {
        let need = match strength {
            _ if !self.role.may_review() => return self,
            SignInStrength { has_short_password: true, .. } => RoleNeed::LongerPassword,
            SignInStrength { has_second_factor: false, .. } => RoleNeed::SecondFactor,
            _ => return self,
        };
        Self { suspended_role: Some(SuspendedRole { role: self.role, need }), role: Role::Buyer, ..self }
    }

    /// The role, even if it is suspended.
    #[must_use]
    pub fn whole_role(&self) -> Role {
        self.suspended_role.map_or(self.role, |suspended| suspended.role)
    }
}

/// A new user.
#[derive(Debug, Clone)]
pub struct NewUser<'a> {
    /// The mail address, as entered.
    pub email: &'a str,
    /// The password hash, as a PHC string. `None`: the user signs in with Google only.
    pub password_hash: Option<&'a str>,
    /// The given name.
    pub first_name: &'a str,
    /// The family name.
    pub last_name: &'a str,
    /// The telephone number.
    pub phone: Option<&'a str>,
    /// The name of the company.
    pub company: Option<&'a str>,
    /// The role.
    pub role: Role,
    /// The language of mails.
    pub language: Language,
    /// Whether the address counts as confirmed.
    pub email_verified: bool,
}

/// A demonstration account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoUser {
    /// The account's id.
    pub id: Uuid,
    /// The mail address, as entered.
    pub email: String,
}

/// The profile of a user.
#[derive(Debug, Clone)]
pub struct Profile {
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The telephone number.
    pub phone: Option<String>,
    /// The name of the company.
    pub company: Option<String>,
}

/// Changes to a user's mail settings. `None` means no change.
#[derive(Debug, Clone, Copy, Default)]
pub struct MailChoices {
    /// The language of mails.
    pub language: Option<Language>,
    /// Whether the user wants the weekly summary.
    pub weekly_summary: Option<bool>,
    /// Whether the user wants mails about saved tenders.
    pub saved_mails: Option<bool>,
    /// Whether the user wants mails about alerts that have found nothing for a long time.
    pub silence_mails: Option<bool>,
}

/// A user as administrators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedUser {
    /// The user's id.
    pub id: Uuid,
    /// The mail address, as entered.
    pub email: String,
    /// Whether the address is confirmed.
    pub email_verified: bool,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The name of the company.
    pub company: Option<String>,
    /// The role.
    pub role: Role,
    /// The plan, of the user or of the user's team.
    pub plan: PlanName,
    /// When the user registered.
    pub created_at: Timestamp,
    /// When a session of the user was last begun or renewed. `None`: never.
    pub signed_in_at: Option<Timestamp>,
    /// Since when the account is locked. `None`: it is not locked.
    pub locked_at: Option<Timestamp>,
    /// Why the account is locked.
    pub lock_reason: Option<String>,
}

/// Which users are listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UserFilter {
    /// A part of the mail address, the name or the company.
    pub search: Option<String>,
    /// Only users with this role.
    pub role: Option<Role>,
    /// Only locked or only unlocked accounts.
    pub is_locked: Option<bool>,
}

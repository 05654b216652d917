//! Accounts and sessions: what register, login, refresh and me have in common.

pub mod change_email;
pub mod change_password;
pub mod delete_account;
pub mod export;
pub mod forgot_password;
pub mod google;
pub mod login;
pub mod logout;
pub mod me;
pub mod profile;
pub mod refresh;
pub mod register;
pub mod resend_verification;
pub mod reset_password;
pub mod sessions;
pub mod verify_email;

use crate::{
    base::password,
    domain::{
        error::{FieldError, ServiceError},
        mail_return::MailReturn,
        plan::PlanName,
        user::{Role, User},
    },
    services::accounts::session::Tokens,
};
use index::vocabulary::{Language, Moment};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// A new password, by the specification's rule.
fn check_password(field: &str, password: &str) -> Result<(), ServiceError> {
    let message = if password.chars().count() < password::SHORTEST {
        "Password must be at least 6 characters long"
    } else if password.len() > password::LONGEST {
        "Password is too long"
    } else {
        return Ok(());
    };
    Err(ServiceError::Invalid(vec![FieldError::new(field, message)]))
}

/// The account types that somebody may ask for.
pub(crate) const ROLES: [&str; 2] = ["supplier", "buyer"];

/// The account type that somebody asks for; nobody opens an account as an administrator.
fn wanted_role(role: Option<&str>) -> Result<Role, FieldError> {
    match role.map(str::trim) {
        None | Some("" | "supplier") => Ok(Role::Supplier),
        Some("buyer") => Ok(Role::Buyer),
        Some(_) => Err(FieldError::new("role", "Role must be supplier or buyer")),
    }
}

/// A user as it sees itself.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    /// UUIDv7.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// Given name.
    pub first_name: String,
    /// Family name.
    pub last_name: String,
    /// As typed.
    pub email: String,
    /// Telephone.
    #[schema(required)]
    pub phone: Option<String>,
    /// Company.
    #[schema(required)]
    pub company: Option<String>,
    /// Supplier, buyer or admin.
    pub role: Role,
    /// What mails are written in.
    pub language: Language,
    /// Wants the weekly summary, where the plan has one.
    pub weekly_summary: bool,
    /// Wants reminders and changes of saved tenders.
    pub saved_mails: bool,
    /// Mail goes to verified addresses only.
    pub email_verified: bool,
    /// Why no mail goes to the address until it is confirmed again: `bounce`, where it came back, or `complaint`, where its reader
    /// marked one as junk.
    #[schema(required)]
    pub mail_returned: Option<MailReturn>,
    /// False for one who signs in with Google alone.
    pub has_password: bool,
    /// Signs in with Google, too or alone.
    pub has_google: bool,
    /// The plan held now.
    pub subscription: SubscriptionView,
    /// Holds it as a member of somebody's team.
    pub is_team_member: bool,
}

/// The plan a user holds now.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = HeldPlan)]
pub struct SubscriptionView {
    /// `free` without a subscription.
    pub plan: PlanName,
    /// What it permits.
    pub features: Features,
    /// Until when it holds although the period that runs is not paid for; `null` where it is.
    #[schema(required)]
    #[serde(rename = "unpaidUntil")]
    pub unpaid_until: Option<Moment>,
}

/// What a plan permits.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Features {
    /// Alerts by e-mail.
    pub email_alerts: bool,
    /// Alerts by SMS, WhatsApp and webhooks.
    pub direct_alerts: bool,
    /// Filters beyond text, sector and the four cards.
    pub advanced_filtering: bool,
    /// API keys.
    pub api_access: bool,
    /// Messages flagged for the operator.
    pub priority_support: bool,
    /// The report builder.
    pub custom_reports: bool,
    /// The newest tenders by mail each week.
    pub weekly_summary: bool,
    /// By role and plan.
    pub can_upload_tenders: bool,
}

/// What a sign-in gives.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Access token, a JWT good for an hour; its `exp` says until when.
    pub token: String,
    /// To be exchanged at `/auth/refresh`, once, within thirty days; within one where the session is not to be remembered.
    pub refresh_token: String,
    /// Who signed in.
    pub user: UserView,
}

impl Session {
    fn new(tokens: Tokens, user: User) -> Self {
        Self { token: tokens.access, refresh_token: tokens.refresh, user: user.into() }
    }
}

impl From<User> for UserView {
    fn from(user: User) -> Self {
        let plan = user.plan;
        Self {
            id: user.id,
            first_name: user.first_name,
            last_name: user.last_name,
            email: user.email,
            phone: user.phone,
            company: user.company,
            role: user.role,
            language: user.language,
            weekly_summary: user.weekly_summary,
            saved_mails: user.saved_mails,
            email_verified: user.email_verified,
            mail_returned: user.mail_returned,
            has_password: user.password_hash.is_some(),
            has_google: user.has_google,
            is_team_member: user.team_owner.is_some(),
            subscription: SubscriptionView {
                plan: plan.name,
                features: Features {
                    email_alerts: plan.email_alerts,
                    direct_alerts: plan.direct_alerts,
                    advanced_filtering: plan.advanced_filtering,
                    api_access: plan.api_access,
                    priority_support: plan.priority_support,
                    custom_reports: plan.custom_reports,
                    weekly_summary: plan.weekly_summary,
                    can_upload_tenders: user.role.publishes() && plan.max_tender_uploads != 0,
                },
                unpaid_until: plan.unpaid_until.map(Moment::new),
            },
        }
    }
}

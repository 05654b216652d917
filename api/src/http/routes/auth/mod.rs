//! Routes of accounts and sessions, and their common types and functions.

pub(crate) mod change_email;
pub(crate) mod change_password;
pub(crate) mod delete_account;
pub(crate) mod export;
pub(crate) mod forgot_password;
pub(crate) mod google;
pub(crate) mod google_nonce;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod me;
pub(crate) mod passkeys;
pub(crate) mod profile;
pub(crate) mod recovery_codes;
pub(crate) mod refresh;
pub(crate) mod register;
pub(crate) mod resend_verification;
pub(crate) mod reset_password;
pub(crate) mod second_factor;
pub(crate) mod second_factors;
pub(crate) mod sessions;
pub(crate) mod totp;
pub(crate) mod verify_email;

use crate::{
    app::state::AppState,
    domain::{
        error::FieldError,
        plan::PlanName,
        suppression::SuppressionReason,
        user::{Role, RoleNeed, User},
    },
    http::extract::TrustedDevice,
    services::accounts::session::Tokens,
};
use axum::{
    Json,
    http::HeaderMap,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tender_model::vocabulary::{Language, Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// The roles that a user may choose.
pub(crate) const ROLES: [&str; 2] = ["supplier", "buyer"];

/// Parses the chosen role. Nobody can register as an administrator.
fn parse_role(role: Option<&str>) -> Result<Role, FieldError> {
    match role.map(str::trim) {
        None | Some("" | "supplier") => Ok(Role::Supplier),
        Some("buyer") => Ok(Role::Buyer),
        Some(_) => Err(FieldError::new("role", "Role must be supplier or buyer")),
    }
}

/// A user, as shown to that user.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = User)]
pub struct UserView {
    /// The user's id.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// The mail address.
    pub email: String,
    /// The telephone number.
    #[schema(required)]
    pub phone: Option<String>,
    /// The company.
    #[schema(required)]
    pub company: Option<String>,
    /// The role: supplier, buyer, reviewer or admin. While the role of a reviewer or administrator is
    /// suspended, this is `buyer`.
    pub role: Role,
    /// The suspended role of a reviewer or administrator who must strengthen the sign-in first; else
    /// `null`.
    #[schema(required)]
    pub suspended_role: Option<SuspendedRoleView>,
    /// The language of mails.
    pub language: Language,
    /// Whether the user wants the weekly summary, if the plan includes it.
    pub weekly_summary: bool,
    /// Whether the user wants reminders and changes of saved tenders by mail.
    pub saved_mails: bool,
    /// Whether the user wants mails about alerts that have found nothing for a long time.
    pub silence_mails: bool,
    /// Whether the address is confirmed. An unconfirmed address gets no alerts or other optional
    /// mails.
    pub email_verified: bool,
    /// Why no mail is sent until the address is confirmed again: `bounce` if mail was
    /// undeliverable, `complaint` if mail was marked as junk; else `null`.
    #[schema(required)]
    pub mail_returned: Option<SuppressionReason>,
    /// Whether the account has a password. If not, the user signs in with Google only.
    pub has_password: bool,
    /// Whether the user can sign in with Google.
    pub has_google: bool,
    /// The current plan.
    pub subscription: SubscriptionView,
    /// Whether the user has the plan as a member of a team.
    pub is_team_member: bool,
}

/// A role that a user cannot use in this session.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = SuspendedRole)]
pub struct SuspendedRoleView {
    /// The role.
    pub role: Role,
    /// What the user must do to use it.
    pub need: RoleNeed,
}

/// The current plan of a user.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = HeldPlan)]
pub struct SubscriptionView {
    /// The plan's name; `free` without a subscription.
    pub plan: PlanName,
    /// The plan's features.
    pub features: Features,
    /// Until when the plan stays valid although the current period is unpaid; `null` if the period
    /// is paid.
    #[schema(required)]
    #[serde(rename = "unpaidUntil")]
    pub unpaid_until: Option<Moment>,
}

/// The features of a plan.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Features {
    /// Whether the plan includes alerts by e-mail.
    pub email_alerts: bool,
    /// Whether the plan includes alerts by SMS, WhatsApp and webhook.
    pub direct_alerts: bool,
    /// Whether the plan includes all search filters. Every plan includes the search text, one
    /// sector or category, and the status cards.
    pub advanced_filtering: bool,
    /// Whether the plan includes API keys.
    pub api_access: bool,
    /// Whether the user's messages are flagged for the operator.
    pub priority_support: bool,
    /// Whether the plan includes the report builder.
    pub custom_reports: bool,
    /// Whether the plan includes a weekly mail with the newest tenders.
    pub weekly_summary: bool,
    /// Whether the user may publish tenders. This depends on role and plan.
    pub can_upload_tenders: bool,
}

/// The result of signing in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The access token, a JWT that is valid for an hour; see its `exp` claim.
    pub token: String,
    /// The refresh token. It can be exchanged once at `/auth/refresh`: within thirty days, or
    /// within one day if the session is not to be remembered.
    pub refresh_token: String,
    /// The signed-in user.
    pub user: UserView,
}

impl Session {
    fn new(tokens: Tokens, user: User) -> Self {
        Self { token: tokens.access, refresh_token: tokens.refresh, user: user.into() }
    }
}

/// The new session. The access token is also at the root of the response.
#[derive(Debug, Serialize, ToSchema)]
pub struct LoggedIn {
    /// Always true.
    success: bool,
    /// A message for the user.
    message: String,
    /// The same as `data.token`.
    token: String,
    /// The session.
    data: Session,
}

impl LoggedIn {
    /// Answers with a new session, and marks the browser as a trusted device of the user.
    pub(super) fn respond(state: &AppState, headers: &HeaderMap, tokens: Tokens, user: User) -> Response {
        let cookie = TrustedDevice::remember(headers, user.id, state);
        let data = Session::new(tokens, user);
        let message = "Successfully logged in".into();
        (cookie, Json(Self { success: true, message, token: data.token.clone(), data })).into_response()
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
            suspended_role: user
                .suspended_role
                .map(|suspended| SuspendedRoleView { role: suspended.role, need: suspended.need }),
            language: user.language,
            weekly_summary: user.weekly_summary,
            saved_mails: user.saved_mails,
            silence_mails: user.silence_mails,
            email_verified: user.email_verified,
            mail_returned: user.suppression_reason,
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
                    can_upload_tenders: user.role.may_publish() && plan.max_tender_uploads != 0,
                },
                unpaid_until: plan.unpaid_until.map(Moment::new),
            },
        }
    }
}

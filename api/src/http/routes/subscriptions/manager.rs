//! GET /subscriptions/user/manager: reads the account manager, whom Enterprise subscribers and
//! their teams can contact.

use crate::{
    app::state::AppState,
    base::config::ManagerConfig,
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::entitlement::Entitlement,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// The caller's account manager.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnManager {
    /// The account manager; `null` if none is configured.
    #[schema(required)]
    manager: Option<ManagerView>,
}

/// An account manager.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountManager)]
struct ManagerView {
    /// The manager's name.
    name: String,
    /// The manager's mail address.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    /// The manager's telephone number.
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

impl ManagerView {
    /// Returns the configured manager. Without a name, there is no manager, except in a
    /// demonstration.
    fn of(config: &ManagerConfig, demo: bool) -> Option<Self> {
        let non_empty = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let Some(name) = non_empty(&config.enterprise_manager_name) else { return demo.then(Self::of_demo) };
        Some(Self {
            name,
            email: non_empty(&config.enterprise_manager_email),
            phone: non_empty(&config.enterprise_manager_phone),
        })
    }

    fn of_demo() -> Self {
        let (name, email) = ("Manager Demo".to_owned(), "manager@demo.test".to_owned());
        Self { name, email: Some(email), phone: Some("+94 11 000 0000".to_owned()) }
    }
}

/// Read the account manager
#[utoipa::path(get, path = "/subscriptions/user/manager", tag = "subscriptions", operation_id = "accountManager",
security(("session" = [])), responses(
    (status = 200, description = "The account manager", body = Envelope<OwnManager>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan includes no account manager", body = FailureBody),
))]
pub async fn read_manager(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<OwnManager> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_manager()?;
    Ok(Envelope::of(OwnManager { manager: ManagerView::of(&state.config.manager, state.config.demo) }))
}

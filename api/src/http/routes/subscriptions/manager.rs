//! GET /subscriptions/user/manager: whom an Enterprise subscriber, and its team, turn to.

use crate::{
    app::state::AppState,
    base::config::ManagerConfig,
    http::{
        envelope::{Answer, Envelope},
        error::FailureBody,
        extract::CurrentUser,
    },
    services::entitlement::Entitlement,
};
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

/// Whom the caller turns to.
#[derive(Debug, Serialize, ToSchema)]
pub struct OwnManager {
    /// `null`: the portal has named nobody.
    #[schema(required)]
    manager: Option<ManagerView>,
}

/// An account manager.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = AccountManager)]
struct ManagerView {
    /// As people say it.
    name: String,
    /// An address.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    /// A telephone.
    #[serde(skip_serializing_if = "Option::is_none")]
    phone: Option<String>,
}

impl ManagerView {
    /// Who is set up; nobody without a name, but for the demonstration.
    fn of(config: &ManagerConfig, demo: bool) -> Option<Self> {
        let said = |text: &Option<String>| {
            text.as_deref().map(str::trim).filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let Some(name) = said(&config.enterprise_manager_name) else { return demo.then(Self::of_demo) };
        Some(Self {
            name,
            email: said(&config.enterprise_manager_email),
            phone: said(&config.enterprise_manager_phone),
        })
    }

    fn of_demo() -> Self {
        let (name, email) = ("Manager Demo".to_owned(), "manager@demo.test".to_owned());
        Self { name, email: Some(email), phone: Some("+94 11 000 0000".to_owned()) }
    }
}

/// The caller's account manager
#[utoipa::path(get, path = "/subscriptions/user/manager", tag = "subscriptions", operation_id = "accountManager",
security(("session" = [])), responses(
    (status = 200, description = "Whom the caller turns to", body = Envelope<OwnManager>),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan has none", body = FailureBody),
))]
pub async fn manager(State(state): State<AppState>, caller: CurrentUser) -> Answer<OwnManager> {
    Entitlement::of_user(Some(&caller), &state).await?.permit_manager()?;
    Ok(Envelope::of(OwnManager { manager: ManagerView::of(&state.config.manager, state.config.demo) }))
}

//! GET and PUT /company: reads and changes the profile of the caller's company. A team shares that of
//! its owner.

use crate::{
    app::state::AppState,
    domain::{company, error::ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    storage::companies,
};
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tender_model::{eligibility::Company, vocabulary::Moment};
use utoipa::ToSchema;
use uuid::Uuid;

/// The profile of the caller's company.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct CompanyProfile {
    /// What the company has.
    company: Company,
    /// The number of changes so far; 0 if nothing was entered.
    version: i32,
    /// The name of the user who made the last change.
    #[schema(required)]
    updated_by: Option<String>,
    /// When the last change was made.
    #[schema(required)]
    updated_at: Option<Moment>,
}

/// A changed profile.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CompanyForm {
    /// The whole profile. What it leaves out is deleted.
    company: Company,
    /// The version that was changed.
    version: i32,
}

/// Read the company profile
#[utoipa::path(get, path = "/company", tag = "company", operation_id = "readCompany",
security(("session" = [])), responses(
    (status = 200, description = "The profile of the caller's company", body = Envelope<CompanyProfile>),
    (status = 401, description = "Not signed in", body = FailureBody),
))]
pub async fn read_company(State(state): State<AppState>, caller: CurrentUser) -> ApiResult<CompanyProfile> {
    Ok(Envelope::of(load(&state, caller.shared_account()).await?))
}

/// Change the company profile
#[utoipa::path(put, path = "/company", tag = "company", operation_id = "updateCompany",
request_body = CompanyForm, security(("session" = [])), responses(
    (status = 200, description = "The changed profile", body = Envelope<CompanyProfile>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 409, description = "Somebody has changed the profile meanwhile", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn update_company(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<CompanyForm>,
) -> ApiResult<CompanyProfile> {
    let company =
        company::validate(form.company, state.clock.moment().day()).map_err(ServiceError::Invalid)?;
    let (owner, change) = (caller.shared_account(), (caller.id, state.clock.now()));
    if !companies::store(&state.db, owner, &company, form.version, change).await? {
        return Err(ServiceError::Conflict("The profile was changed meanwhile. Please load it again".into()));
    }
    Ok(Envelope::with_message("Your company profile is saved", load(&state, owner).await?))
}

async fn load(state: &AppState, owner: Uuid) -> Result<CompanyProfile, ServiceError> {
    Ok(match companies::of_owner(&state.db, owner).await? {
        Some(stored) => CompanyProfile {
            company: stored.company,
            version: stored.version,
            updated_by: stored.updated_by,
            updated_at: Some(Moment::new(stored.updated_at)),
        },
        None => {
            CompanyProfile { company: Company::default(), version: 0, updated_by: None, updated_at: None }
        }
    })
}

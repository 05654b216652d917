//! PUT /auth/profile: changes names, telephone, company and mail preferences of the caller.

use super::{UserView, me::Me};
use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, NOT_SIGNED_IN, ServiceError},
        user::{MailChoices, Profile},
        validation,
    },
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    services::accounts::session,
    storage::{self, users},
};
use axum::extract::State;
use serde::Deserialize;
use tender_model::vocabulary::Language;
use utoipa::ToSchema;

/// The fields to change. Absent or null fields stay unchanged. An empty telephone or company
/// deletes the stored one.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProfileForm {
    /// The given name, at most 100 characters.
    #[schema(max_length = 100)]
    first_name: Option<String>,
    /// The family name, at most 100 characters.
    #[schema(max_length = 100)]
    last_name: Option<String>,
    /// The telephone number, at most 40 characters.
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// The company, at most 200 characters.
    #[schema(max_length = 200)]
    company: Option<String>,
    /// The language of mails.
    language: Option<Language>,
    /// Whether to get the weekly summary, if the plan includes it.
    weekly_summary: Option<bool>,
    /// Whether to get mails with reminders and changes of saved tenders.
    saved_mails: Option<bool>,
    /// Whether to get mails about alerts that have found nothing for a long time.
    silence_mails: Option<bool>,
}

/// Change the profile
#[utoipa::path(put, path = "/auth/profile", tag = "auth", operation_id = "updateProfile",
request_body = ProfileForm, security(("session" = [])), responses(
    (status = 200, description = "The updated user", body = Envelope<Me>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
))]
pub async fn update_profile(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<ProfileForm>,
) -> ApiResult<Me> {
    let mut errors = Vec::new();
    let mut line = |field: &str, what: &str, given: Option<String>, before: &str, longest| {
        let given = given.unwrap_or_else(|| before.to_owned());
        validation::parse_name(&given, what, longest).unwrap_or_else(|message| {
            errors.push(FieldError::new(field, message));
            String::new()
        })
    };
    let first_name = line("firstName", "First name", form.first_name, &caller.first_name, 100);
    let last_name = line("lastName", "Last name", form.last_name, &caller.last_name, 100);
    let phone = line("phone", "Phone", form.phone, caller.phone.as_deref().unwrap_or_default(), 40);
    let company =
        line("company", "Company", form.company, caller.company.as_deref().unwrap_or_default(), 200);
    for (field, name) in [("firstName", &first_name), ("lastName", &last_name)] {
        if name.is_empty() && errors.iter().all(|error| error.field != field) {
            errors.push(FieldError::new(field, "Please fill in all required fields"));
        }
    }
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    let filled = |text: &'_ str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let profile = Profile { first_name, last_name, phone: filled(&phone), company: filled(&company) };
    let now = state.clock.now();
    let mails = MailChoices {
        language: form.language,
        weekly_summary: form.weekly_summary,
        saved_mails: form.saved_mails,
        silence_mails: form.silence_mails,
    };
    let mut tx = storage::begin(&state.db).await?;
    users::set_profile(&mut *tx, caller.id, &profile, now).await?;
    users::set_mail_choices(&mut *tx, caller.id, &mails, now).await?;
    tx.commit().await?;
    let user =
        session::user_of(&state, &state.db, caller.id, caller.0.session).await?.ok_or(NOT_SIGNED_IN)?;
    Ok(Envelope::with_message("Your profile is saved", Me { user: UserView::from(user) }))
}

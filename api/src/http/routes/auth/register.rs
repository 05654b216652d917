//! POST /auth/register: creates an account and signs the user in.

use super::{Session, parse_role};
use crate::{
    app::{context::Context, state::AppState},
    base::i18n::messages,
    domain::{
        error::{FieldError, ServiceError},
        user::{NewUser, Role},
        validation::{self, Email},
    },
    http::{
        cookie::SetCookie,
        envelope::Envelope,
        error::FailureBody,
        extract::{Body, TrustedDevice},
    },
    services::accounts::{
        mailed_links::{self, Link},
        password_rules::{self, Owner},
        session::{self, SignIn},
    },
    storage::{self, users},
};
use axum::{
    Json,
    extract::State,
    http::{HeaderMap, StatusCode},
};
use serde::Deserialize;
use utoipa::ToSchema;

/// The registration form.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct Registration {
    /// The given name. Required, at most 100 characters.
    #[schema(required, max_length = 100)]
    first_name: String,
    /// The family name. Required, at most 100 characters.
    #[schema(required, max_length = 100)]
    last_name: String,
    /// The mail address. Required; it must not have an account yet.
    #[schema(required, format = Email, max_length = 254)]
    email: String,
    /// The telephone number, at most 40 characters.
    #[schema(max_length = 40)]
    phone: Option<String>,
    /// The company, at most 200 characters.
    #[schema(max_length = 200)]
    company: Option<String>,
    /// The password. Required, at least 6 characters.
    #[schema(required, format = Password, min_length = 6, max_length = 256)]
    password: String,
    /// The role: `supplier` (the default) or `buyer`.
    role: Option<String>,
}

/// The validated form.
struct ValidRegistration {
    first_name: String,
    last_name: String,
    email: Email,
    phone: Option<String>,
    company: Option<String>,
    password: String,
    role: Role,
}

/// Register
///
/// A confirmation link is mailed to the address. Mails use the language of `Accept-Language`.
#[utoipa::path(post, path = "/auth/register", tag = "auth", operation_id = "register",
request_body = Registration, responses(
    (status = 201, description = "The account, signed in", body = Envelope<Session>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 409, description = "The address has an account already", body = FailureBody),
    (status = 413, description = "Too large", body = FailureBody),
    (status = 422, description = "A field is invalid", body = FailureBody),
    (status = 429, description = "Too many attempts", body = FailureBody),
))]
pub async fn register(
    State(state): State<AppState>,
    headers: HeaderMap,
    browser: session::SignInBrowser,
    Body(form): Body<Registration>,
) -> Result<(StatusCode, SetCookie, Json<Envelope<Session>>), ServiceError> {
    let form = validate(form, &state).map_err(ServiceError::Invalid)?;
    let password_hash = state.passwords.hash(form.password).await?;
    let (id, now) = (state.random.id(&state.clock), state.clock.now());
    let mut tx = storage::begin(&state.db).await?;
    let new = NewUser {
        email: form.email.as_str(),
        password_hash: Some(&password_hash),
        first_name: &form.first_name,
        last_name: &form.last_name,
        phone: form.phone.as_deref(),
        company: form.company.as_deref(),
        role: form.role,
        language: messages::preferred_language(&headers),
        email_verified: false,
    };
    if !users::insert(&mut tx, id, &new, now).await? {
        return Err(ServiceError::Conflict("An account with this email already exists".into()));
    }
    let (tokens, user) = session::begin(&state, &mut tx, id, &SignIn::remembered(browser)).await?;
    mailed_links::send(&state, &mut tx, &user, Link::Verify).await?;
    tx.commit().await?;
    tracing::info!(user = %id, "an account was created");
    let cookie = TrustedDevice::remember(&headers, id, &state);
    let answer = Envelope::with_message("Account created successfully", Session::new(tokens, user));
    Ok((StatusCode::CREATED, cookie, Json(answer)))
}

/// Validates the fields: first that the required ones are filled in, then the password, then the
/// other fields.
fn validate(form: Registration, context: &Context) -> Result<ValidRegistration, Vec<FieldError>> {
    let mut errors = Vec::new();
    let required = [
        ("firstName", &form.first_name),
        ("lastName", &form.last_name),
        ("email", &form.email),
        ("password", &form.password),
    ];
    for (field, value) in required {
        if value.trim().is_empty() {
            errors.push(FieldError::new(field, "Please fill in all required fields"));
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let owner = Owner { role: Role::Supplier, words: [&form.email, &form.first_name, &form.last_name] };
    errors.extend(password_rules::check(context, owner, "password", &form.password).err());
    let mut line = |field: &str, what: &str, value: &str, longest| {
        validation::parse_name(value, what, longest).unwrap_or_else(|message| {
            errors.push(FieldError::new(field, message));
            String::new()
        })
    };
    let first_name = line("firstName", "First name", &form.first_name, 100);
    let last_name = line("lastName", "Last name", &form.last_name, 100);
    let phone = line("phone", "Phone", form.phone.as_deref().unwrap_or_default(), 40);
    let company = line("company", "Company", form.company.as_deref().unwrap_or_default(), 200);
    let email = form.email.parse().map_err(|message: &str| errors.push(FieldError::new("email", message)));
    let role = parse_role(form.role.as_deref()).unwrap_or_else(|error| {
        errors.push(error);
        Role::Supplier
    });
    let filled = |text: String| Some(text).filter(|text| !text.is_empty());
    match email {
        Ok(email) if errors.is_empty() => Ok(ValidRegistration {
            first_name,
            last_name,
            email,
            phone: filled(phone),
            company: filled(company),
            password: form.password,
            role,
        }),
        _ => Err(errors),
    }
}

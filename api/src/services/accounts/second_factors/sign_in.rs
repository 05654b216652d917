//! Sign-in with two factors. After the first factor, a user with a second factor gets a challenge
//! instead of a session. A right answer to the challenge begins the session.

use super::challenge::{self, Answer, Challenge};
use crate::{
    app::{
        context::{Context, CredentialContext},
        login_attempts::{SignInFactor, SignInOutcome, log_sign_in},
    },
    domain::{
        error::ServiceError,
        second_factor::{ChallengePurpose, PendingSignIn},
        session::SignInStrength,
        user::User,
    },
    services::accounts::{
        security_mails::{self, SecurityEvent},
        session::{self, SignIn, SignInBrowser, Tokens, UserAgent},
    },
    storage::{self, second_factors},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// The outcome of the first factor.
#[derive(Debug)]
pub enum FirstFactorOutcome {
    /// The user is signed in.
    SignedIn(Tokens, Box<User>),
    /// The user must prove a second factor.
    SecondFactorNeeded(Challenge),
}

const fn factor_of(answer: &Answer) -> SignInFactor {
    match answer {
        Answer::Code(_) => SignInFactor::AuthenticatorApp,
        Answer::RecoveryCode(_) => SignInFactor::RecoveryCode,
        Answer::Passkey(_) => SignInFactor::Passkey,
    }
}

/// Continues a sign-in whose first factor was proved.
///
/// # Errors
/// Forbidden if the account is locked.
pub async fn continue_sign_in(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    sign_in: &SignIn,
) -> Result<FirstFactorOutcome, ServiceError> {
    let factors = second_factors::of_user(&mut *tx, user_id).await?;
    if !factors.are_set_up() {
        let (tokens, user) = session::begin(context, tx, user_id, sign_in).await?;
        return Ok(FirstFactorOutcome::SignedIn(tokens, Box::new(user)));
    }
    session::check_not_locked(tx, user_id).await?;
    let pending = ChallengePurpose::SignIn(PendingSignIn {
        user_agent: sign_in.browser.user_agent.as_deref().map(str::to_owned),
        is_remembered: sign_in.is_remembered,
        has_short_password: sign_in.strength.has_short_password,
    });
    let challenge = challenge::begin(context, tx, user_id, &factors, pending).await?;
    Ok(FirstFactorOutcome::SecondFactorNeeded(challenge))
}

/// Answers a challenge. A right answer begins a session, and ends the earlier one of the browser. Wrong
/// answers are counted for the challenge and for the account.
///
/// # Errors
/// 401 if the answer is wrong or the challenge has expired, and 429 after too many answers.
pub async fn answer(
    credentials: CredentialContext<'_>,
    earlier_session: Option<Uuid>,
    token: &str,
    answer: &Answer,
) -> Result<(Tokens, User), ServiceError> {
    const EXPIRED: ServiceError =
        ServiceError::Unauthenticated("Your sign-in has expired. Please log in again to continue.");
    let context = credentials.context;
    let mut tx = storage::begin(&context.db).await?;
    let challenge = challenge::lock(context, &mut tx, token).await?.ok_or(EXPIRED)?;
    let ChallengePurpose::SignIn(pending) = &challenge.purpose else { return Err(EXPIRED) };
    let user_id = challenge.user_id;
    if !challenge::accept(credentials, &mut tx, (token, &challenge), answer).await? {
        tx.commit().await?;
        log_sign_in(Some(user_id), factor_of(answer), SignInOutcome::Refused);
        return Err(ServiceError::Unauthenticated(answer.refusal()));
    }
    let sign_in = SignIn {
        browser: SignInBrowser { user_agent: UserAgent::new(pending.user_agent.as_deref()), earlier_session },
        is_remembered: pending.is_remembered,
        strength: SignInStrength { has_second_factor: true, has_short_password: pending.has_short_password },
    };
    let begun = session::begin(context, &mut tx, user_id, &sign_in).await?;
    if matches!(answer, Answer::RecoveryCode(_)) {
        security_mails::seal(context, &mut tx, &begun.1, SecurityEvent::RecoveryCodeUsed).await?;
    }
    credentials.attempts.forget_in(&mut tx, challenge::attempts_of(&challenge)).await?;
    tx.commit().await?;
    log_sign_in(Some(user_id), factor_of(answer), SignInOutcome::Succeeded);
    Ok(begun)
}

//! Sign-in with two factors. After the first factor, a user with a second factor gets a challenge
//! instead of a session. A right answer to the challenge begins the session.

use super::{passkeys, recovery_codes, totp};
use crate::{
    app::{
        context::{Context, CredentialContext},
        login_attempts::{AttemptKey, SignInFactor, SignInOutcome, log_sign_in},
    },
    base::secret::secret_hash,
    domain::{error::ServiceError, second_factor::SignInChallenge, session::SignInStrength, user::User},
    services::accounts::{
        security_mails::{self, SecurityEvent},
        session::{self, SignIn, Tokens, UserAgent},
    },
    storage::second_factors,
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use uuid::Uuid;
use webauthn_rs::prelude::{PublicKeyCredential, RequestChallengeResponse};

/// How long a user may take to prove the second factor.
const CHALLENGE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// After this many wrong answers, the user must begin the sign-in again.
const MAX_WRONG_ANSWERS: i32 = 5;

/// The outcome of the first factor.
#[derive(Debug)]
pub enum FirstFactorOutcome {
    /// The user is signed in.
    SignedIn(Tokens, Box<User>),
    /// The user must prove a second factor.
    SecondFactorNeeded(Challenge),
}

/// A challenge to prove a second factor.
#[derive(Debug)]
pub struct Challenge {
    /// Identifies the challenge.
    pub token: String,
    /// Whether a code of an authenticator app is accepted.
    pub accepts_totp: bool,
    /// The options for the browser's passkeys. `None`: no passkey is accepted.
    pub passkeys: Option<RequestChallengeResponse>,
}

/// The answer to a challenge.
#[derive(Debug)]
pub enum Answer<'a> {
    /// A code of the authenticator app.
    Code(&'a str),
    /// A recovery code.
    RecoveryCode(&'a str),
    /// The browser's answer for a passkey.
    Passkey(&'a PublicKeyCredential),
}

impl Answer<'_> {
    const fn factor(&self) -> SignInFactor {
        match self {
            Self::Code(_) => SignInFactor::AuthenticatorApp,
            Self::RecoveryCode(_) => SignInFactor::RecoveryCode,
            Self::Passkey(_) => SignInFactor::Passkey,
        }
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
    let (options, state) = passkeys::challenge(context, &mut *tx, user_id).await?.unzip();
    let (token, now) = (context.random.secret(), context.clock.now());
    let challenge = SignInChallenge {
        user_id,
        user_agent: sign_in.agent.as_deref().map(str::to_owned),
        is_remembered: sign_in.is_remembered,
        has_short_password: sign_in.strength.has_short_password,
        passkey_state: state,
        expires_at: now.saturating_add(CHALLENGE_LIFETIME).unwrap_or(Timestamp::MAX),
    };
    second_factors::insert_challenge(tx, &secret_hash(&token), &challenge, now).await?;
    let accepts_totp = factors.totp_since.is_some();
    Ok(FirstFactorOutcome::SecondFactorNeeded(Challenge { token, accepts_totp, passkeys: options }))
}

/// Answers a challenge. Wrong answers are counted for the challenge and for the account.
///
/// # Errors
/// 401 if the answer is wrong or the challenge has expired, and 429 after too many answers.
pub async fn answer(
    credentials: CredentialContext<'_>,
    token: &str,
    answer: &Answer<'_>,
) -> Result<(Tokens, User), ServiceError> {
    const EXPIRED: ServiceError =
        ServiceError::Unauthenticated("Your sign-in has expired. Please log in again to continue.");
    let (context, now, hash) = (credentials.context, credentials.clock.now(), secret_hash(token));
    let mut tx = context.db.begin().await?;
    let challenge = second_factors::lock_challenge(&mut tx, &hash, now).await?;
    let challenge = challenge.ok_or(EXPIRED)?;
    let user_id = challenge.user_id;
    let key = AttemptKey::new(["second factor", &user_id.to_string(), ""]);
    credentials.attempts.try_acquire(key)?;
    let is_right = match answer {
        Answer::Code(code) => totp::accept(context, &mut tx, user_id, code).await?,
        Answer::RecoveryCode(code) => recovery_codes::accept(context, &mut tx, user_id, code).await?,
        Answer::Passkey(answer) => match &challenge.passkey_state {
            Some(state) => passkeys::accept(context, &mut tx, user_id, state, answer).await?,
            None => false,
        },
    };
    if !is_right {
        second_factors::count_wrong_answer(&mut tx, &hash, MAX_WRONG_ANSWERS).await?;
        tx.commit().await?;
        log_sign_in(Some(user_id), answer.factor(), SignInOutcome::Refused);
        let message = match answer {
            Answer::Code(_) => "Wrong code, or the code was used already",
            Answer::RecoveryCode(_) => "Wrong recovery code, or the code was used already",
            Answer::Passkey(_) => "The passkey was not accepted",
        };
        return Err(ServiceError::Unauthenticated(message));
    }
    second_factors::remove_challenge(&mut tx, &hash).await?;
    let sign_in = SignIn {
        agent: UserAgent::new(challenge.user_agent.as_deref()),
        is_remembered: challenge.is_remembered,
        strength: SignInStrength {
            has_second_factor: true,
            has_short_password: challenge.has_short_password,
        },
    };
    let begun = session::begin(context, &mut tx, user_id, &sign_in).await?;
    if matches!(answer, Answer::RecoveryCode(_)) {
        security_mails::seal(context, &mut tx, &begun.1, SecurityEvent::RecoveryCodeUsed).await?;
    }
    tx.commit().await?;
    credentials.attempts.forget(key);
    log_sign_in(Some(user_id), answer.factor(), SignInOutcome::Succeeded);
    Ok(begun)
}

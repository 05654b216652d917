//! Challenges to prove a second factor, at a sign-in or in an open session.

use super::{passkeys, recovery_codes, totp};
use crate::{
    app::{
        context::{Context, CredentialContext},
        shared_limit::AttemptKey,
    },
    base::secret::secret_hash,
    domain::{
        error::ServiceError,
        second_factor::{ChallengePurpose, SecondFactors, StoredChallenge},
    },
    storage::second_factors,
};
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use uuid::Uuid;
use webauthn_rs::prelude::{PasskeyAuthentication, PublicKeyCredential, RequestChallengeResponse};

/// How long a user may take to prove the second factor.
const CHALLENGE_LIFETIME: SignedDuration = SignedDuration::from_mins(10);
/// After this many wrong answers, the user must begin again.
const MAX_WRONG_ANSWERS: i32 = 5;

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
pub enum Answer {
    /// A code of the authenticator app.
    Code(String),
    /// A recovery code.
    RecoveryCode(String),
    /// The browser's answer for a passkey.
    Passkey(Box<PublicKeyCredential>),
}

impl Answer {
    /// The message if the answer is wrong.
    pub(super) const fn refusal(&self) -> &'static str {
        match self {
            Self::Code(_) => "Wrong code, or the code was used already",
            Self::RecoveryCode(_) => "Wrong recovery code, or the code was used already",
            Self::Passkey(_) => "The passkey was not accepted",
        }
    }
}

/// Creates a challenge for a user who has these second factors.
pub(super) async fn begin(
    context: &Context,
    tx: &mut PgConnection,
    user_id: Uuid,
    factors: &SecondFactors,
    purpose: ChallengePurpose,
) -> Result<Challenge, ServiceError> {
    let (passkeys, passkey_state) = passkeys::challenge(context, &mut *tx, user_id).await?.unzip();
    let (token, now) = (context.random.secret(), context.clock.now());
    let expires_at = now.saturating_add(CHALLENGE_LIFETIME).unwrap_or(Timestamp::MAX);
    let challenge = StoredChallenge { user_id, purpose, passkey_state, expires_at };
    second_factors::insert_challenge(tx, &secret_hash(&token), &challenge, now).await?;
    Ok(Challenge { token, accepts_totp: factors.totp_since.is_some(), passkeys })
}

/// Finds a challenge and locks it until the transaction ends. `None`: it is unknown or has expired.
pub(super) async fn lock(
    context: &Context,
    tx: &mut PgConnection,
    token: &str,
) -> Result<Option<StoredChallenge<PasskeyAuthentication>>, sqlx::Error> {
    second_factors::lock_challenge(tx, &secret_hash(token), context.clock.now()).await
}

/// Whether the answer to a challenge is right. A right answer removes the challenge. Wrong answers are
/// counted for the challenge, and for the account or the open session.
///
/// # Errors
/// 429 after too many answers.
pub(super) async fn accept(
    credentials: CredentialContext<'_>,
    tx: &mut PgConnection,
    (token, challenge): (&str, &StoredChallenge<PasskeyAuthentication>),
    answer: &Answer,
) -> Result<bool, ServiceError> {
    let (context, user_id, hash) = (credentials.context, challenge.user_id, secret_hash(token));
    credentials.attempts.try_acquire_in(&mut *tx, attempts_of(challenge)).await?;
    let is_right = match answer {
        Answer::Code(code) => totp::accept(context, &mut *tx, user_id, code).await?,
        Answer::RecoveryCode(code) => recovery_codes::accept(context, &mut *tx, user_id, code).await?,
        Answer::Passkey(answer) => match &challenge.passkey_state {
            Some(state) => passkeys::accept(context, &mut *tx, user_id, state, answer).await?,
            None => false,
        },
    };
    if is_right {
        second_factors::remove_challenge(tx, &hash).await?;
    } else {
        second_factors::count_wrong_answer(tx, &hash, MAX_WRONG_ANSWERS).await?;
    }
    Ok(is_right)
}

/// What the answers to a challenge are counted for. Answers in an open session are counted by session, so
/// that a stolen session does not lock the user out.
pub(super) fn attempts_of(challenge: &StoredChallenge<PasskeyAuthentication>) -> AttemptKey {
    match challenge.purpose {
        ChallengePurpose::SignIn(_) => AttemptKey::new(["second factor", &challenge.user_id.to_string(), ""]),
        ChallengePurpose::OpenSession(session) => {
            AttemptKey::new(["second factor in session", &session.to_string(), ""])
        }
    }
}

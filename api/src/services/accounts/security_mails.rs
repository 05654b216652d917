//! Mails about changes of an account's credentials. A user who did not make the change learns of it
//! and can act. Unconfirmed addresses get no such mail, because they may belong to strangers.

use crate::{
    app::context::Context,
    base::i18n::mail_texts::MailTexts,
    domain::{error::ServiceError, user::User},
    services::notifications::account_mail::{self, AccountMail, Recipient},
};
use sqlx::PgConnection;
use tender_model::vocabulary::Moment;

/// A change of an account's credentials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEvent<'a> {
    /// The password was changed or reset.
    PasswordChanged,
    /// A Google account was connected.
    GoogleConnected,
    /// The Google account was disconnected.
    GoogleDisconnected,
    /// An authenticator app was set up.
    TotpAdded,
    /// The authenticator app was removed.
    TotpRemoved,
    /// The passkey of this name was added.
    PasskeyAdded(&'a str),
    /// The passkey of this name was removed.
    PasskeyRemoved(&'a str),
    /// New recovery codes replaced the old ones.
    RecoveryCodesRenewed,
    /// A recovery code was used, at a sign-in or in an open session.
    RecoveryCodeUsed,
    /// The operator removed all second factors.
    SecondFactorsReset,
    /// The API key of this name was created.
    ApiKeyCreated(&'a str),
    /// The user signed in with a browser that was not used before.
    NewBrowser,
}

/// Seals the mail about an event in the caller's transaction.
pub async fn seal(
    context: &Context,
    tx: &mut PgConnection,
    user: &User,
    event: SecurityEvent<'_>,
) -> Result<(), ServiceError> {
    if !user.email_verified {
        return Ok(());
    }
    let words = MailTexts::of(user.language);
    let texts = &words.security;
    let (event_texts, name) = match event {
        SecurityEvent::PasswordChanged => (&texts.password_changed, ""),
        SecurityEvent::GoogleConnected => (&texts.google_connected, ""),
        SecurityEvent::GoogleDisconnected => (&texts.google_disconnected, ""),
        SecurityEvent::TotpAdded => (&texts.totp_added, ""),
        SecurityEvent::TotpRemoved => (&texts.totp_removed, ""),
        SecurityEvent::PasskeyAdded(name) => (&texts.passkey_added, name),
        SecurityEvent::PasskeyRemoved(name) => (&texts.passkey_removed, name),
        SecurityEvent::RecoveryCodesRenewed => (&texts.recovery_codes_renewed, ""),
        SecurityEvent::RecoveryCodeUsed => (&texts.recovery_code_used, ""),
        SecurityEvent::SecondFactorsReset => (&texts.second_factors_reset, ""),
        SecurityEvent::ApiKeyCreated(name) => (&texts.api_key_created, name),
        SecurityEvent::NewBrowser => (&texts.new_browser, ""),
    };
    let when = texts.when.with(&[("moment", &words.moment(Moment::new(context.clock.now())))]);
    let text = format!("{} {when}", event_texts.text.with(&[("name", &name)]));
    let link = format!("{}/account", context.config.base_url());
    let mail = AccountMail {
        first_name: &user.first_name,
        subject: &event_texts.subject,
        text: &text,
        action: &texts.action,
        link: &link,
        note: &texts.note,
        unsubscribe: None,
    };
    account_mail::seal(context, tx, Recipient::user(user), &mail).await?;
    Ok(())
}

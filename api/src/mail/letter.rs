//! A mail about an account: a few sentences and one button. Nothing in it can be switched off, as its reader has asked for it.

use super::compose::{ComposeError, message_id};
use crate::{
    db::{
        deliveries::{self, Sealed},
        users::User,
    },
    state::AppState,
};
use askama::Template;
use index::vocabulary::Moment;
use lettre::{
    Message,
    message::{Mailbox, MultiPart},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// What a letter says.
#[derive(Debug, Clone)]
pub struct Letter<'a> {
    /// Its reader's first name.
    pub first_name: &'a str,
    /// What it is about.
    pub subject: &'a str,
    /// What happened, and what the button does.
    pub text: &'a str,
    /// On the button.
    pub action: &'a str,
    /// Where the button leads.
    pub link: &'a str,
    /// What to do if it was not its reader who asked.
    pub note: &'a str,
}

/// Who writes to whom, and when.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// Where it goes.
    pub to: &'a str,
    /// The portal's address without a slash at the end.
    pub base_url: &'a str,
    /// Its delivery.
    pub delivery_id: Uuid,
    /// When it is sealed.
    pub now: Moment,
}

impl Letter<'_> {
    /// The Message-ID and the whole message, as it goes over the wire.
    ///
    /// # Errors
    /// [`ComposeError`].
    pub fn compose(&self, post: &Post<'_>) -> Result<(String, Vec<u8>), ComposeError> {
        let id = message_id(post.delivery_id, post.base_url);
        let mjml = HtmlLetter { letter: self }.render()?;
        let html = mrml::parse(mjml)?.element.render(&mrml::prelude::render::RenderOptions::default())?;
        let text = TextLetter { letter: self }.render()?;
        let message = Message::builder()
            .from(post.from.clone())
            .to(Mailbox::new(None, post.to.parse()?))
            .subject(self.subject)
            .message_id(Some(id.clone()))
            .date(std::time::SystemTime::from(post.now.timestamp()))
            .multipart(MultiPart::alternative_plain_html(text, html))?;
        Ok((id, message.formatted()))
    }
}

/// Who gets a letter.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// Whose it is; `None`: the operator's, or nobody's any more.
    user_id: Option<Uuid>,
    address: &'a str,
}

impl<'a> Recipient<'a> {
    /// A user, at the account's own address.
    #[must_use]
    pub fn user(user: &'a User) -> Self {
        Self::user_at(user, &user.email)
    }

    /// A user, at another address.
    #[must_use]
    pub const fn user_at(user: &'a User, address: &'a str) -> Self {
        Self { user_id: Some(user.id), address }
    }

    /// Whoever runs the portal.
    #[must_use]
    pub const fn operator(address: &'a str) -> Self {
        Self { user_id: None, address }
    }

    /// Somebody whose account is deleted in the same transaction.
    #[must_use]
    pub const fn last(address: &'a str) -> Self {
        Self { user_id: None, address }
    }
}

/// Seals a letter in the caller's transaction, so that it leaves exactly when what it tells of has happened. `false`: it can't be put
/// together, which the log tells; it must hold up neither an account nor the mails of others.
///
/// # Errors
/// When the database fails.
pub async fn seal(
    state: &AppState,
    tx: &mut PgConnection,
    Recipient { user_id, address }: Recipient<'_>,
    letter: &Letter<'_>,
) -> Result<bool, sqlx::Error> {
    let (now, base_url) = (state.clock.now(), state.config.base_url());
    let id = state.random.id(&state.clock);
    let post = Post {
        from: &state.sender,
        to: address,
        base_url: &base_url,
        delivery_id: id,
        now: Moment::new(now),
    };
    let (message_id, content) = match letter.compose(&post) {
        Ok(composed) => composed,
        Err(error) => {
            tracing::error!(delivery = %id, %error, "a letter can't be put together");
            return Ok(false);
        }
    };
    deliveries::insert_sealed(tx, &Sealed { id, user_id, address }, &message_id, &content, now).await?;
    Ok(true)
}

#[derive(Template)]
#[template(path = "letter.mjml", escape = "html")]
struct HtmlLetter<'a> {
    letter: &'a Letter<'a>,
}

#[derive(Template)]
#[template(path = "letter.txt", escape = "none")]
struct TextLetter<'a> {
    letter: &'a Letter<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    #[test]
    fn a_letter_says_the_same_in_both_parts_and_its_words_are_no_markup() {
        let letter = Letter {
            first_name: "<b>Nimal</b>\r\nBcc: x@example.test",
            subject: "Confirm your e-mail address",
            text: "One click, and alerts can reach you.",
            action: "Confirm",
            link: "https://portal.example/verify-email?token=abc",
            note: "If you did not sign up, nothing needs to be done.",
        };
        let from = "Portal <alerts@portal.example>".parse().unwrap();
        let post = Post {
            from: &from,
            to: "nimal@example.test",
            base_url: "https://portal.example",
            delivery_id: Uuid::from_u128(1),
            now: "2027-05-01T09:00:00+05:30".parse().unwrap(),
        };
        let (id, bytes) = letter.compose(&post).unwrap();
        assert_eq!(id, "<00000000000000000000000000000001@portal.example>");
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert!(message.bcc().is_none());
        let (text, html) = (message.body_text(0).unwrap(), message.body_html(0).unwrap());
        for part in [letter.text, letter.link, letter.note] {
            assert!(text.contains(part) && html.contains(part), "{part} in {text} {html}");
        }
        assert!(!html.contains("<b>Nimal"), "{html}");
    }
}

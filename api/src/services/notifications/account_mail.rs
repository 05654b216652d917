//! Mails about an account: a few sentences and one button, in the reader's language. They cannot be
//! switched off, because the reader asked for them.

use super::mail_frame::{ComposeError, Frame, message_id};
use crate::{
    app::context::Context,
    base::i18n::mail_words::{LetterWords, Values, Words},
    domain::{channel::Channel, user::User},
    storage::deliveries::{self, SealedMessage},
};
use askama::Template;
use index::vocabulary::{Language, Moment};
use lettre::{
    Message,
    message::{Mailbox, MultiPart},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// The content of an account mail.
#[derive(Debug, Clone)]
pub struct AccountMail<'a> {
    /// The reader's first name.
    pub first_name: &'a str,
    /// The subject.
    pub subject: &'a str,
    /// What happened, and what the button does.
    pub text: &'a str,
    /// The label of the button.
    pub action: &'a str,
    /// The link of the button.
    pub link: &'a str,
    /// What to do if somebody else asked for this mail.
    pub note: &'a str,
}

/// A mail of the catalogue with its placeholders filled.
#[derive(Debug)]
pub(crate) struct Written {
    subject: String,
    text: String,
    words: &'static LetterWords,
}

impl LetterWords {
    /// Fills the placeholders.
    pub(crate) fn written(&'static self, values: Values<'_>) -> Written {
        Written { subject: self.subject.with(values), text: self.text.with(values), words: self }
    }
}

impl Written {
    /// The mail for a reader, with a button.
    pub(crate) fn letter<'a>(&'a self, first_name: &'a str, link: &'a str) -> AccountMail<'a> {
        AccountMail {
            first_name,
            subject: &self.subject,
            text: &self.text,
            action: &self.words.action,
            link,
            note: &self.words.note,
        }
    }
}

/// Sender, recipient and time of a mail.
#[derive(Debug, Clone)]
pub struct Post<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// The recipient.
    pub to: &'a str,
    /// The URL of the portal without a slash at the end.
    pub base_url: &'a str,
    /// The reader's language.
    pub language: Language,
    /// The delivery.
    pub delivery_id: Uuid,
    /// When it is sealed.
    pub now: Moment,
}

impl AccountMail<'_> {
    /// The Message-ID and the whole message as it is sent.
    pub fn compose(&self, post: &Post<'_>) -> Result<(String, Vec<u8>), ComposeError> {
        let id = message_id(post.delivery_id, post.base_url);
        let words = Words::of(post.language);
        let greeting = words.frame.greeting.with(&[("name", &self.first_name)]);
        let frame = Frame::new(post.language, self.subject, self.text, post.base_url);
        let parts = Parts { words, greeting: &greeting, letter: self };
        let (text, html) =
            (Text { parts: &parts }.render()?, Html { frame: &frame, parts: &parts }.render()?);
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

/// The recipient of an account mail.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// The user. `None`: the operator, or a deleted account.
    user_id: Option<Uuid>,
    address: &'a str,
    language: Language,
}

impl<'a> Recipient<'a> {
    /// A user at the account's address.
    #[must_use]
    pub fn user(user: &'a User) -> Self {
        Self::user_at(user, &user.email)
    }

    /// A user at another address.
    #[must_use]
    pub const fn user_at(user: &'a User, address: &'a str) -> Self {
        Self { user_id: Some(user.id), address, language: user.language }
    }

    /// The same recipient with another language.
    #[must_use]
    pub const fn reading(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The operator of the portal.
    #[must_use]
    pub const fn operator(address: &'a str) -> Self {
        Self { user_id: None, address, language: Language::English }
    }

    /// The holder of an account that is deleted in the same transaction.
    #[must_use]
    pub fn last(user: &'a User) -> Self {
        Self { user_id: None, address: &user.email, language: user.language }
    }
}

/// Seals a mail in the caller's transaction, so that it is sent exactly if the transaction commits.
/// `false`: the mail cannot be composed. The error is logged, and neither the caller nor other
/// mails are held up.
pub async fn seal(
    context: &Context,
    tx: &mut PgConnection,
    Recipient { user_id, address, language }: Recipient<'_>,
    letter: &AccountMail<'_>,
) -> Result<bool, sqlx::Error> {
    let (now, base_url) = (context.clock.now(), context.config.base_url());
    let id = context.random.id(&context.clock);
    let post = Post {
        from: &context.sender,
        to: address,
        base_url: &base_url,
        language,
        delivery_id: id,
        now: Moment::new(now),
    };
    let (message_id, content) = match letter.compose(&post) {
        Ok(composed) => composed,
        Err(error) => {
            tracing::error!(delivery = %id, %error, "a mail cannot be composed");
            return Ok(false);
        }
    };
    deliveries::insert_sealed(
        tx,
        &SealedMessage { id, user_id, channel: Channel::Email, address },
        &message_id,
        &content,
        now,
    )
    .await?;
    Ok(true)
}

/// The input of both templates.
struct Parts<'a> {
    words: &'static Words,
    greeting: &'a str,
    letter: &'a AccountMail<'a>,
}

include!(concat!(env!("OUT_DIR"), "/letter.rs"));

#[derive(Template)]
#[template(path = "mail/letter.txt", escape = "none")]
struct Text<'a> {
    parts: &'a Parts<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    #[test]
    fn a_mail_has_equal_parts_and_escapes_its_words() {
        let letter = AccountMail {
            first_name: "<b>Nimal</b>\r\nBcc: x@example.test",
            subject: "Confirm your e-mail address",
            text: "One click, and alerts can reach you.",
            action: "Confirm",
            link: "https://portal.example/verify-email?token=abc",
            note: "If you did not sign up, ignore this e-mail.",
        };
        let from = "Portal <alerts@portal.example>".parse().unwrap();
        let post = Post {
            from: &from,
            to: "nimal@example.test",
            base_url: "https://portal.example",
            language: Language::English,
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

    #[test]
    fn every_account_mail_exists_in_every_language() {
        for language in Language::ALL.iter().copied() {
            let letters = &Words::of(language).letters;
            let all = [
                &letters.verify,
                &letters.reset,
                &letters.change,
                &letters.alert_address,
                &letters.taken,
                &letters.change_asked,
                &letters.changed,
                &letters.google,
                &letters.deleted,
                &letters.test,
                &letters.test_closing,
                &letters.test_nothing,
                &letters.paid,
                &letters.unpaid,
                &letters.by_hand,
                &letters.grace_ends,
                &letters.plan_ended,
                &letters.plan_cancelled,
                &letters.webhook_off,
            ];
            for words in all {
                let moment = Words::of(language).moment("2027-05-03T10:00:00+05:30".parse().unwrap());
                let values: Values<'_> = &[
                    ("email", &"a@example.test"),
                    ("alert", &"Tyres"),
                    ("count", &3),
                    ("title", &"Supply"),
                    ("moment", &moment),
                    ("plan", &"Basic"),
                    ("number", &"INV-2027-000001"),
                    ("total", &"LKR 2,000.00"),
                    ("vat", &"LKR 0.00"),
                    ("price", &"LKR 2,000.00"),
                    ("day", &moment),
                    ("until", &moment),
                ];
                let written = words.written(values);
                let letter = written.letter("Nimal", "https://portal.example/x");
                let from = "Portal <alerts@portal.example>".parse().unwrap();
                let post = Post {
                    from: &from,
                    to: "nimal@example.test",
                    base_url: "https://portal.example",
                    language,
                    delivery_id: Uuid::from_u128(1),
                    now: "2027-05-01T09:00:00+05:30".parse().unwrap(),
                };
                let bytes = letter.compose(&post).unwrap().1;
                let message = MessageParser::default().parse(&bytes).unwrap();
                let (text, html) = (message.body_text(0).unwrap(), message.body_html(0).unwrap());
                assert!(html.contains(&format!("lang=\"{language}\"")), "{html}");
                assert!(!text.contains('{') && message.subject() == Some(letter.subject), "{text}");
                assert!(text.contains(letter.note) && text.contains("Nimal"), "{text}");
            }
        }
    }
}

//! Mails about an account: a few sentences and one button, in the recipient's language. Most account
//! mails cannot be switched off; reminders of bids and mails about silent alerts can. A mail to an
//! address that nobody has confirmed does not contain the user's name. Otherwise, anyone could have
//! the portal mail words of their own to strangers.

use super::mail_frame::{ComposeError, Frame, add_unsubscribe_headers, message_id};
use crate::{
    app::context::Context,
    base::i18n::{
        mail_texts::{MailText, MailTexts},
        phrase::Values,
    },
    domain::{channel::Channel, user::User},
    storage::deliveries::{self, SealedMessage},
};
use askama::Template;
use lettre::{
    Message,
    message::{Mailbox, MultiPart},
};
use sqlx::PgConnection;
use tender_model::vocabulary::{Language, Moment};
use uuid::Uuid;

/// The content of an account mail.
#[derive(Debug, Clone)]
pub struct AccountMail<'a> {
    /// The recipient's first name.
    pub first_name: &'a str,
    /// The subject.
    pub subject: &'a str,
    /// The sentences that say what happened and what the button does.
    pub text: &'a str,
    /// The label of the button.
    pub action: &'a str,
    /// The link of the button.
    pub link: &'a str,
    /// The closing note, such as what to do if somebody else asked for this mail.
    pub note: &'a str,
    /// How to switch mails of this kind off. `None`: the recipient cannot.
    pub unsubscribe: Option<Unsubscribe<'a>>,
}

/// The offer to switch mails of a kind off.
#[derive(Debug, Clone, Copy)]
pub struct Unsubscribe<'a> {
    /// The label of the link.
    pub label: &'a str,
    /// The signed link.
    pub link: &'a str,
}

/// A mail text with its placeholders filled.
#[derive(Debug)]
pub(crate) struct FilledMailText {
    subject: String,
    text: String,
    words: &'static MailText,
}

impl MailText {
    /// Fills the placeholders.
    pub(crate) fn fill(&'static self, values: Values<'_>) -> FilledMailText {
        FilledMailText { subject: self.subject.with(values), text: self.text.with(values), words: self }
    }
}

impl FilledMailText {
    /// The same mail with one more sentence, unless the sentence is empty.
    pub(crate) fn and_sentence(mut self, sentence: &str) -> Self {
        if !sentence.is_empty() {
            self.text = format!("{} {sentence}", self.text);
        }
        self
    }

    /// The mail to a recipient with this first name. `link` is the target of the button.
    pub(crate) fn mail<'a>(&'a self, first_name: &'a str, link: &'a str) -> AccountMail<'a> {
        AccountMail {
            first_name,
            subject: &self.subject,
            text: &self.text,
            action: &self.words.action,
            link,
            note: &self.words.note,
            unsubscribe: None,
        }
    }
}

/// Sender, recipient and time of a mail.
#[derive(Debug, Clone)]
pub struct MailHeader<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// The recipient.
    pub to: &'a str,
    /// The URL of the portal without a slash at the end.
    pub base_url: &'a str,
    /// The recipient's language.
    pub language: Language,
    /// The id of the delivery.
    pub delivery_id: Uuid,
    /// When the mail is sealed.
    pub now: Moment,
}

impl AccountMail<'_> {
    /// Composes the whole message as it is sent. Returns the Message-ID and the content.
    pub fn compose(&self, header: &MailHeader<'_>) -> Result<(String, Vec<u8>), ComposeError> {
        let id = message_id(header.delivery_id, header.base_url);
        let words = MailTexts::of(header.language);
        let greeting = words.frame.greeting.with(&[("name", &self.first_name)]);
        let frame = Frame::new(header.language, self.subject, self.text, header.base_url);
        let parts = Parts { greeting: &greeting, mail: self };
        let (text, html) =
            (Text { parts: &parts }.render()?, Html { frame: &frame, parts: &parts }.render()?);
        let mut message = Message::builder()
            .from(header.from.clone())
            .to(Mailbox::new(None, header.to.parse()?))
            .subject(self.subject)
            .message_id(Some(id.clone()))
            .date(std::time::SystemTime::from(header.now.timestamp()))
            .multipart(MultiPart::alternative_plain_html(text, html))?;
        if let Some(Unsubscribe { link, .. }) = self.unsubscribe {
            add_unsubscribe_headers(&mut message, link);
        }
        Ok((id, message.formatted()))
    }
}

/// The recipient of an account mail.
#[derive(Debug, Clone, Copy)]
pub struct Recipient<'a> {
    /// The user. `None`: the operator, or a deleted account.
    user_id: Option<Uuid>,
    address: &'a str,
    /// Whether the user has confirmed the address.
    is_confirmed: bool,
    language: Language,
}

impl<'a> Recipient<'a> {
    /// A user at the account's address.
    #[must_use]
    pub fn user(user: &'a User) -> Self {
        Self { is_confirmed: user.email_verified, ..Self::unconfirmed(user, &user.email) }
    }

    /// A user at another address, which the user has confirmed.
    #[must_use]
    pub const fn user_at(user: &'a User, address: &'a str) -> Self {
        Self { is_confirmed: true, ..Self::unconfirmed(user, address) }
    }

    /// The holder of an address that the user has given and not confirmed yet.
    #[must_use]
    pub const fn unconfirmed(user: &'a User, address: &'a str) -> Self {
        Self { user_id: Some(user.id), address, is_confirmed: false, language: user.language }
    }

    /// The same recipient with another language.
    #[must_use]
    pub const fn with_language(self, language: Language) -> Self {
        Self { language, ..self }
    }

    /// The operator of the portal.
    #[must_use]
    pub const fn operator(address: &'a str) -> Self {
        Self { user_id: None, address, is_confirmed: true, language: Language::English }
    }

    /// The holder of an account that is deleted in the same transaction.
    #[must_use]
    pub fn deleted_user(user: &'a User) -> Self {
        Self { user_id: None, ..Self::user(user) }
    }
}

/// Seals a mail in the caller's transaction, so that it is sent only if the transaction commits.
/// `false`: the mail cannot be composed. The error is logged, and the transaction stays usable.
pub async fn seal(
    context: &Context,
    tx: &mut PgConnection,
    Recipient { user_id, address, is_confirmed, language }: Recipient<'_>,
    mail: &AccountMail<'_>,
) -> Result<bool, sqlx::Error> {
    let first_name = if is_confirmed { mail.first_name } else { MailTexts::of(language).reader() };
    let mail = AccountMail { first_name, ..mail.clone() };
    let (now, base_url) = (context.clock.now(), context.config.base_url());
    let id = context.random.id(&context.clock);
    let header = MailHeader {
        from: &context.sender,
        to: address,
        base_url: &base_url,
        language,
        delivery_id: id,
        now: Moment::new(now),
    };
    let (message_id, content) = match mail.compose(&header) {
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

/// The input of the text and HTML templates.
struct Parts<'a> {
    greeting: &'a str,
    mail: &'a AccountMail<'a>,
}

include!(concat!(env!("OUT_DIR"), "/account.rs"));

#[derive(Template)]
#[template(path = "mail/account.txt", escape = "none")]
struct Text<'a> {
    parts: &'a Parts<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use mail_parser::MessageParser;

    #[test]
    fn both_parts_have_the_same_content_and_html_is_escaped() {
        let mail = AccountMail {
            first_name: "<b>Nimal</b>\r\nBcc: x@example.test",
            subject: "Confirm your e-mail address",
            text: "One click, and alerts can reach you.",
            action: "Confirm",
            link: "https://portal.example/verify-email?token=abc",
            note: "If you did not sign up, ignore this e-mail.",
            unsubscribe: None,
        };
        let from = "Portal <alerts@portal.example>".parse().unwrap();
        let header = MailHeader {
            from: &from,
            to: "nimal@example.test",
            base_url: "https://portal.example",
            language: Language::English,
            delivery_id: Uuid::from_u128(1),
            now: "2027-05-01T09:00:00+05:30".parse().unwrap(),
        };
        let (id, bytes) = mail.compose(&header).unwrap();
        assert_eq!(id, "<00000000000000000000000000000001@portal.example>");
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert!(message.bcc().is_none());
        let (text, html) = (message.body_text(0).unwrap(), message.body_html(0).unwrap());
        for part in [mail.text, mail.link, mail.note] {
            assert!(text.contains(part) && html.contains(part), "{part} in {text} {html}");
        }
        assert!(!html.contains("<b>Nimal"), "{html}");
        assert!(message.header_raw("List-Unsubscribe").is_none(), "it cannot be switched off");

        let link = "https://portal.example/unsubscribe/bid-reminders-7.x";
        let offer = Unsubscribe { label: "Stop e-mails about bids", link };
        let (_, bytes) = AccountMail { unsubscribe: Some(offer), ..mail }.compose(&header).unwrap();
        let message = MessageParser::default().parse(&bytes).unwrap();
        let (text, html) = (message.body_text(0).unwrap(), message.body_html(0).unwrap());
        for part in [offer.label, link] {
            assert!(text.contains(part) && html.contains(part), "{part} in {text} {html}");
        }
        let one_click = message.header_raw("List-Unsubscribe-Post").unwrap();
        assert_eq!(one_click.trim(), "List-Unsubscribe=One-Click");
        assert!(message.header_raw("List-Unsubscribe").unwrap().contains(&format!("<{link}>")));
    }

    #[test]
    fn account_mails_can_be_composed_in_every_language() {
        for language in Language::ALL.iter().copied() {
            let mails = &MailTexts::of(language).mails;
            let all = [
                &mails.verify,
                &mails.reset,
                &mails.change,
                &mails.alert_address,
                &mails.taken,
                &mails.change_asked,
                &mails.changed,
                &mails.deleted,
                &mails.test,
                &mails.test_closing,
                &mails.test_nothing,
                &mails.paid,
                &mails.unpaid,
                &mails.by_hand,
                &mails.grace_ends,
                &mails.plan_ended,
                &mails.plan_cancelled,
                &mails.webhook_off,
                &mails.publication_approved,
                &mails.publication_refused,
                &mails.taken_down,
                &mails.restored,
                &mails.publications_waiting,
                &mails.coverage_gaps,
                &mails.canary_late,
                &mails.canary_works,
                &mails.company_expiry,
                &mails.alert_silence,
                &mails.bid_reminder,
            ];
            for words in all {
                let moment = MailTexts::of(language).moment("2027-05-03T10:00:00+05:30".parse().unwrap());
                let values: Values<'_> = &[
                    ("email", &"a@example.test"),
                    ("alert", &"Tyres"),
                    ("count", &3),
                    ("title", &"Supply"),
                    ("titles", &"“Supply”"),
                    ("papers", &"Daily Lanka"),
                    ("items", &"CIDA C5: until 28 Dec 2026"),
                    ("what", &"Bids close"),
                    ("organization", &"Ports Authority"),
                    ("reason", &"A copy"),
                    ("moment", &moment),
                    ("plan", &"Basic"),
                    ("number", &"INV-2027-000001"),
                    ("total", &"LKR 2,000.00"),
                    ("vat", &"LKR 0.00"),
                    ("price", &"LKR 2,000.00"),
                    ("day", &moment),
                    ("until", &moment),
                ];
                let written = words.fill(values);
                let mail = written.mail("Nimal", "https://portal.example/x");
                let from = "Portal <alerts@portal.example>".parse().unwrap();
                let header = MailHeader {
                    from: &from,
                    to: "nimal@example.test",
                    base_url: "https://portal.example",
                    language,
                    delivery_id: Uuid::from_u128(1),
                    now: "2027-05-01T09:00:00+05:30".parse().unwrap(),
                };
                let bytes = mail.compose(&header).unwrap().1;
                let message = MessageParser::default().parse(&bytes).unwrap();
                let (text, html) = (message.body_text(0).unwrap(), message.body_html(0).unwrap());
                assert!(html.contains(&format!("lang=\"{language}\"")), "{html}");
                assert!(!text.contains('{') && message.subject() == Some(mail.subject), "{text}");
                assert!(text.contains(mail.note) && text.contains("Nimal"), "{text}");
            }
        }
    }
}

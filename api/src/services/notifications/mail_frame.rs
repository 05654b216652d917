//! What all mails have in common: HTML by way of MJML beside plain text that reads as well, a Message-ID for ever, and for what its reader
//! can do without, the headers of RFC 8058.

use crate::base::i18n::mail_words::Words;
use index::vocabulary::{Language, Moment};
use lettre::{
    Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, ContentTypeErr, HeaderName, HeaderValue},
    },
};
use uuid::Uuid;

/// Why a message could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// The address does not fit in a message's header.
    #[error("the address can't be written to: {0}")]
    Address(#[from] lettre::address::AddressError),
    /// The mail library refused a part.
    #[error("the message can't be put together: {0}")]
    Message(#[from] lettre::error::Error),
    /// The kind of an attached file.
    #[error("the attached file's kind can't be told: {0}")]
    MediaType(#[from] ContentTypeErr),
    /// The text template failed.
    #[error("the template failed: {0}")]
    Template(#[from] askama::Error),
}

/// What is fixed about a mail that can be switched off, besides what it tells of.
#[derive(Debug, Clone)]
pub struct Envelope<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// Where it goes.
    pub to: &'a str,
    /// Its reader's first name.
    pub first_name: &'a str,
    /// What its reader reads.
    pub language: Language,
    /// The portal's address without a slash at the end.
    pub base_url: &'a str,
    /// The link that switches these mails off.
    pub unsubscribe: &'a str,
    /// See [`message_id`].
    pub message_id: &'a str,
    /// When it is sealed.
    pub now: Moment,
}

/// A file that goes with a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedFile {
    /// In plain letters.
    pub name: String,
    /// Its kind.
    pub media_type: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// A picture that stands in the HTML of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InlineImage {
    /// Names it in the message, without angle brackets: `cid:` and this is its address.
    pub(super) content_id: String,
    /// What is in it.
    pub(super) jpeg: Vec<u8>,
}

/// The Message-ID of a delivery, for ever: `<id@host>` with the portal's host.
#[must_use]
pub fn message_id(delivery_id: Uuid, base_url: &str) -> String {
    let host = base_url.split("://").nth(1).unwrap_or(base_url);
    let host = host.split(['/', ':']).next().filter(|host| !host.is_empty()).unwrap_or("localhost");
    format!("<{}@{host}>", delivery_id.simple())
}

/// What every mail's HTML has in common: its language, its title, and the words that a mailbox shows beside that.
pub(super) struct Frame<'a> {
    pub(super) lang: &'static str,
    pub(super) subject: &'a str,
    pub(super) preview: &'a str,
    pub(super) base_url: &'a str,
    /// Sinhala and Tamil letters are taller.
    pub(super) line_height: &'static str,
}

impl<'a> Frame<'a> {
    pub(super) const fn new(
        language: Language,
        subject: &'a str,
        preview: &'a str,
        base_url: &'a str,
    ) -> Self {
        let line_height = match language {
            Language::English => "1.55",
            Language::Sinhala | Language::Tamil => "1.7",
        };
        Self { lang: language.as_str(), subject, preview, base_url, line_height }
    }
}

impl Envelope<'_> {
    /// The words of its reader.
    pub(crate) fn words(&self) -> &'static Words {
        Words::of(self.language)
    }

    /// The whole message, as it goes over the wire.
    pub(super) fn message(&self, subject: &str, text: String, html: String) -> Result<Vec<u8>, ComposeError> {
        self.wrapped(subject, MultiPart::alternative_plain_html(text, html))
    }

    /// The same with pictures that stand in the HTML.
    pub(super) fn illustrated(
        &self,
        subject: &str,
        text: String,
        html: String,
        images: Vec<InlineImage>,
    ) -> Result<Vec<u8>, ComposeError> {
        if images.is_empty() {
            return self.message(subject, text, html);
        }
        let jpeg = ContentType::parse("image/jpeg")?;
        let html = MultiPart::related().singlepart(SinglePart::html(html));
        let related = images.into_iter().fold(html, |related, InlineImage { content_id, jpeg: bytes }| {
            related.singlepart(Attachment::new_inline(content_id).body(bytes, jpeg.clone()))
        });
        let alternative = MultiPart::alternative().singlepart(SinglePart::plain(text)).multipart(related);
        self.wrapped(subject, alternative)
    }

    /// The same with a file.
    pub(super) fn message_with(
        &self,
        subject: &str,
        (text, html): (String, String),
        file: &AttachedFile,
    ) -> Result<Vec<u8>, ComposeError> {
        let attached =
            Attachment::new(file.name.clone()).body(file.bytes.clone(), ContentType::parse(file.media_type)?);
        let words = MultiPart::alternative_plain_html(text, html);
        self.wrapped(subject, MultiPart::mixed().multipart(words).singlepart(attached))
    }

    fn wrapped(&self, subject: &str, body: MultiPart) -> Result<Vec<u8>, ComposeError> {
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, self.to.parse()?))
            .subject(subject)
            .message_id(Some(self.message_id.to_owned()))
            .date(std::time::SystemTime::from(self.now.timestamp()))
            .multipart(body)?;
        let unsubscribe = format!("<{}>", self.unsubscribe);
        for (name, value) in [
            ("List-Unsubscribe", unsubscribe.as_str()),
            ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
            ("Auto-Submitted", "auto-generated"),
        ] {
            if let Ok(name) = HeaderName::new_from_ascii(name.to_owned()) {
                message.headers_mut().insert_raw(HeaderValue::new(name, value.to_owned()));
            }
        }
        Ok(message.formatted())
    }
}

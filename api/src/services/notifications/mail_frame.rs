//! The common parts of mails: the frame of the HTML and a permanent Message-ID. [`Envelope`] builds
//! the mails that can be switched off: HTML, plain text, and the headers of RFC 8058 for
//! unsubscribing.

use crate::{base::i18n::mail_texts::MailTexts, domain::deadlines::OfficeDays};
use lettre::{
    Message,
    message::{
        Attachment, Mailbox, MultiPart, SinglePart,
        header::{ContentType, ContentTypeErr, HeaderName, HeaderValue},
    },
};
use tender_model::eligibility::Company;
use tender_model::vocabulary::{Language, Moment};
use uuid::Uuid;

/// Why a message could not be composed.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// The recipient's address is invalid.
    #[error("the address is invalid: {0}")]
    Address(#[from] lettre::address::AddressError),
    /// The mail library refused a part.
    #[error("the message cannot be built: {0}")]
    Message(#[from] lettre::error::Error),
    /// The type of an attached file is invalid.
    #[error("the media type of an attached file is invalid: {0}")]
    MediaType(#[from] ContentTypeErr),
    /// A template failed.
    #[error("the template failed: {0}")]
    Template(#[from] askama::Error),
}

/// Sender, recipient and other common data of a mail that its recipient can switch off.
#[derive(Debug, Clone)]
pub struct Envelope<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// The recipient.
    pub to: &'a str,
    /// The recipient's first name.
    pub first_name: &'a str,
    /// The recipient's language.
    pub language: Language,
    /// The URL of the portal without a slash at the end.
    pub base_url: &'a str,
    /// The link that switches mails of this kind off.
    pub unsubscribe: &'a str,
    /// The Message-ID; see [`message_id`].
    pub message_id: &'a str,
    /// When the mail is sealed.
    pub now: Moment,
    /// The recipient's company, if the mail tells for which tenders it may bid.
    pub company: Option<&'a Company>,
    /// When offices are closed, if the mail warns of closings near such days.
    pub offices: Option<&'a OfficeDays>,
}

/// A file attached to a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttachedFile {
    /// The file name, in ASCII.
    pub name: String,
    /// The media type.
    pub media_type: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

/// A picture in the HTML of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct InlineImage {
    /// The id of the picture in the message, without angle brackets. The HTML refers to the picture
    /// as `cid:` and this id.
    pub(super) content_id: String,
    /// The JPEG file.
    pub(super) jpeg: Vec<u8>,
}

/// The permanent Message-ID of a delivery: `<id@host>` with the delivery's id and the portal's
/// host.
#[must_use]
pub fn message_id(delivery_id: Uuid, base_url: &str) -> String {
    let host = base_url.split("://").nth(1).unwrap_or(base_url);
    let host = host.split(['/', ':']).next().filter(|host| !host.is_empty()).unwrap_or("localhost");
    format!("<{}@{host}>", delivery_id.simple())
}

/// The frame of every HTML mail: language, title and preview text.
pub(super) struct Frame<'a> {
    pub(super) lang: &'static str,
    pub(super) subject: &'a str,
    pub(super) preview: &'a str,
    pub(super) base_url: &'a str,
    /// The line height. Sinhala and Tamil scripts need taller lines.
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
    /// The texts in the recipient's language.
    pub(crate) fn words(&self) -> &'static MailTexts {
        MailTexts::of(self.language)
    }

    /// Builds the whole message as it is sent.
    pub(super) fn message(&self, subject: &str, text: String, html: String) -> Result<Vec<u8>, ComposeError> {
        self.build(subject, MultiPart::alternative_plain_html(text, html))
    }

    /// Builds the whole message with pictures in its HTML.
    pub(super) fn message_with_images(
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
        self.build(subject, alternative)
    }

    /// Builds the whole message with an attached file.
    pub(super) fn message_with_attachment(
        &self,
        subject: &str,
        (text, html): (String, String),
        file: &AttachedFile,
    ) -> Result<Vec<u8>, ComposeError> {
        let attached =
            Attachment::new(file.name.clone()).body(file.bytes.clone(), ContentType::parse(file.media_type)?);
        let words = MultiPart::alternative_plain_html(text, html);
        self.build(subject, MultiPart::mixed().multipart(words).singlepart(attached))
    }

    fn build(&self, subject: &str, body: MultiPart) -> Result<Vec<u8>, ComposeError> {
        let mut message = Message::builder()
            .from(self.from.clone())
            .to(Mailbox::new(None, self.to.parse()?))
            .subject(subject)
            .message_id(Some(self.message_id.to_owned()))
            .date(std::time::SystemTime::from(self.now.timestamp()))
            .multipart(body)?;
        add_unsubscribe_headers(&mut message, self.unsubscribe);
        Ok(message.formatted())
    }
}

/// Adds the headers with which a mail program can switch mails of this kind off (RFC 8058).
pub(super) fn add_unsubscribe_headers(message: &mut Message, link: &str) {
    let link = format!("<{link}>");
    for (name, value) in [
        ("List-Unsubscribe", link.as_str()),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Auto-Submitted", "auto-generated"),
    ] {
        if let Ok(name) = HeaderName::new_from_ascii(name.to_owned()) {
            message.headers_mut().insert_raw(HeaderValue::new(name, value.to_owned()));
        }
    }
}

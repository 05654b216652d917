//! The demonstration's mailbox as HTML and JSON, newest message first.

use crate::{app::state::AppState, clients::smtp::Transport, domain::error::ServiceError};
use anyhow::Context;
use askama::Template;
use axum::{
    Json,
    extract::State,
    http::header,
    response::{Html, IntoResponse},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use mail_parser::{Message, MessageParser, MimeHeaders};
use serde::Serialize;

/// One message of the mailbox.
#[derive(Debug, Serialize)]
pub(super) struct Mail {
    to: Vec<String>,
    subject: String,
    text: String,
    html: String,
    /// The headers in the message's order. A name may occur several times.
    headers: Vec<Header>,
}

#[derive(Debug, Serialize)]
struct Header {
    name: String,
    value: String,
}

pub(super) async fn mailbox_json(State(state): State<AppState>) -> Result<Json<Vec<Mail>>, ServiceError> {
    read_mailbox(&state).await.map(Json)
}

/// Mail programs ignore style sheets, so mails have inline styles. The frames that show them inherit this
/// policy. Only a demonstration has this page.
const MAILBOX_POLICY: &str = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; \
    form-action 'none'; frame-ancestors 'none'";

pub(super) async fn mailbox_page(State(state): State<AppState>) -> Result<impl IntoResponse, ServiceError> {
    let mails = read_mailbox(&state).await?;
    let page = MailboxPage { mails: &mails }.render().context("rendering the mailbox")?;
    Ok(([(header::CONTENT_SECURITY_POLICY, MAILBOX_POLICY)], Html(page)))
}

async fn read_mailbox(state: &AppState) -> Result<Vec<Mail>, ServiceError> {
    let Transport::Disk(maildir) = &*state.transport else { return Err(ServiceError::NotFound("A mailbox")) };
    let maildir = maildir.clone();
    let messages = tokio::task::spawn_blocking(move || maildir.read())
        .await
        .context("reading the mailbox")?
        .context("reading the mailbox")?;
    Ok(messages.iter().filter_map(|message| parse(message)).collect())
}

/// Parses a message. `None`: the bytes are not a message.
fn parse(message: &[u8]) -> Option<Mail> {
    let parsed = MessageParser::default().parse(message)?;
    let body = |media: &str| {
        let found = parsed.parts.iter().find(|part| {
            part.content_type()
                .is_some_and(|kind| kind.subtype().is_some_and(|sub| sub.eq_ignore_ascii_case(media)))
        });
        found.and_then(|part| part.text_contents()).unwrap_or_default().to_owned()
    };
    Some(Mail {
        to: parsed
            .to()
            .map(|to| to.iter().filter_map(|one| one.address().map(str::to_owned)).collect())
            .unwrap_or_default(),
        subject: parsed.subject().unwrap_or_default().to_owned(),
        text: body("plain"),
        html: inline_images(body("html"), &parsed),
        headers: parsed
            .headers_raw()
            .map(|(name, value)| Header { name: name.to_owned(), value: value.trim().to_owned() })
            .collect(),
    })
}

/// Inlines the message's images into its HTML, because browsers don't support `cid:` URLs.
fn inline_images(html: String, message: &Message<'_>) -> String {
    message.parts.iter().fold(html, |html, part| match (part.content_id(), part.content_type()) {
        (Some(id), Some(kind)) if kind.ctype() == "image" => {
            let media_type = format!("image/{}", kind.subtype().unwrap_or("jpeg"));
            let data = format!("data:{media_type};base64,{}", STANDARD.encode(part.contents()));
            html.replace(&format!("cid:{id}"), &data)
        }
        _ => html,
    })
}

#[derive(Template)]
#[template(path = "dev_mail.html")]
struct MailboxPage<'a> {
    mails: &'a [Mail],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_split_into_parts() {
        let message = b"To: a@example.test\r\nSubject: =?utf-8?B?4LaF?=\r\nX-One: 1\r\nMIME-Version: 1.0\r\n\
            Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nplain\r\n\
            --b\r\nContent-Type: text/html\r\n\r\n<p>rich</p>\r\n--b--\r\n";
        let mail = parse(message).unwrap();
        assert_eq!(
            (mail.to.as_slice(), mail.subject.as_str()),
            (["a@example.test".to_owned()].as_slice(), "අ")
        );
        assert_eq!((mail.text.trim(), mail.html.trim()), ("plain", "<p>rich</p>"));
        assert!(mail.headers.iter().any(|header| header.name == "X-One" && header.value == "1"));
    }

    #[test]
    fn images_are_inlined_into_the_html() {
        let message = b"To: a@example.test\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\r\n\r\n\
            --b\r\nContent-Type: text/html\r\n\r\n<img src=\"cid:one@here\">\r\n\
            --b\r\nContent-Type: image/jpeg\r\nContent-ID: <one@here>\r\nContent-Transfer-Encoding: base64\r\n\r\n/9j/\r\n--b--\r\n";
        let mail = parse(message).unwrap();
        assert_eq!(mail.html.trim(), "<img src=\"data:image/jpeg;base64,/9j/\">");
    }
}

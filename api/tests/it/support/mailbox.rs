//! The mails of a portal, which writes them to disk instead of sending them.

use super::{TestPortal, poll};
use calamine::{Reader, Xlsx};
use mail_parser::{MessageParser, MimeHeaders};
use serde_json::json;
use std::{fs, io::Cursor};

/// Waits for at least `count` mails to an address and returns all mails to it, in any order.
pub async fn mails(portal: &TestPortal, to: &str, count: usize) -> Vec<Vec<u8>> {
    let found = poll_mails(portal, to, |found| found.len() >= count).await;
    found.unwrap_or_else(|| panic!("fewer than {count} mails to {to}"))
}

/// Waits for a mail to the address `to` whose text contains `part`, and returns its text.
pub async fn find_mail(portal: &TestPortal, to: &str, part: &str) -> String {
    let is_wanted = |mail: &Vec<u8>| text(mail).contains(part);
    let found = poll_mails(portal, to, |found| found.iter().any(is_wanted)).await;
    let found = found.unwrap_or_else(|| panic!("no mail to {to} contains {part:?}"));
    text(found.iter().find(|mail| is_wanted(mail)).unwrap())
}

/// Returns the token of the first link with a token in a mail's text.
pub fn token(text: &str) -> String {
    let rest = text.split("token=").nth(1).unwrap();
    rest.split_whitespace().next().unwrap().to_owned()
}

/// Confirms the address of a user made by [`TestPortal::user`].
pub async fn confirm_address(portal: &TestPortal, name: &str) {
    let token = token(&find_mail(portal, &format!("{name}@example.lk"), "/verify-email?").await);
    portal.guest().post("/auth/verify-email", &json!({"token": token})).await.expect(200);
}

/// Returns the text of a mail.
pub fn text(mail: &[u8]) -> String {
    MessageParser::default().parse(mail).unwrap().body_text(0).unwrap().into_owned()
}

/// Returns the first column of the workbook that is attached to a mail, without its header. Returns
/// nothing if there is no attachment.
pub fn workbook_titles(mail: &[u8]) -> Vec<String> {
    let message = MessageParser::default().parse(mail).unwrap();
    let Some(file) = message.attachments().next() else { return Vec::new() };
    assert!(file.attachment_name().unwrap().ends_with(".xlsx"));
    let mut book = Xlsx::new(Cursor::new(file.contents().to_vec())).unwrap();
    let sheet = book.worksheet_range_at(0).unwrap().unwrap();
    sheet.rows().skip(1).map(|row| row[0].to_string()).collect()
}

async fn poll_mails(
    portal: &TestPortal,
    to: &str,
    is_enough: impl Fn(&Vec<Vec<u8>>) -> bool,
) -> Option<Vec<Vec<u8>>> {
    let folder = portal.state.config.data.mail().join("new");
    poll(async || {
        let paths = fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut found: Vec<Vec<u8>> = paths.map(|path| fs::read(path).unwrap()).collect();
        found.retain(|bytes| {
            let message = MessageParser::default().parse(bytes);
            message.is_some_and(|message| {
                message.to().and_then(|to| to.first()).and_then(|to| to.address()) == Some(to)
            })
        });
        is_enough(&found).then_some(found)
    })
    .await
}

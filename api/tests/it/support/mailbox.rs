//! The mails of a portal, which writes them to disk instead of sending them.

use super::TestPortal;
use mail_parser::MessageParser;
use serde_json::json;
use std::{fs, time::Duration};

/// Waits for at least `count` mails to an address and returns all mails to it, in any order.
pub async fn mails(portal: &TestPortal, to: &str, count: usize) -> Vec<Vec<u8>> {
    let found = poll_mails(portal, to, |found| found.len() >= count).await;
    found.unwrap_or_else(|| panic!("fewer than {count} mails to {to} after ten seconds"))
}

/// Waits for a mail to the address `to` whose text contains `part`, and returns its text.
pub async fn find_mail(portal: &TestPortal, to: &str, part: &str) -> String {
    let is_wanted = |mail: &Vec<u8>| text(mail).contains(part);
    let found = poll_mails(portal, to, |found| found.iter().any(is_wanted)).await;
    let found = found.unwrap_or_else(|| panic!("no mail to {to} contains {part:?} after ten seconds"));
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

async fn poll_mails(
    portal: &TestPortal,
    to: &str,
    is_enough: impl Fn(&Vec<Vec<u8>>) -> bool,
) -> Option<Vec<Vec<u8>>> {
    let folder = portal.state.config.data.mail().join("new");
    for _ in 0..400 {
        let paths = fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        let mut found: Vec<Vec<u8>> = paths.map(|path| fs::read(path).unwrap()).collect();
        found.retain(|bytes| {
            let message = MessageParser::default().parse(bytes);
            message.is_some_and(|message| {
                message.to().and_then(|to| to.first()).and_then(|to| to.address()) == Some(to)
            })
        });
        if is_enough(&found) {
            return Some(found);
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    None
}

//! The mails that a portal has sent, kept on disk.

use super::TestPortal;
use mail_parser::MessageParser;
use std::{fs, time::Duration};

/// The mails to an address so far, the oldest first, once there are `count`.
pub async fn mails(portal: &TestPortal, to: &str, count: usize) -> Vec<Vec<u8>> {
    let folder = portal.state.config.data.mail().join("new");
    for _ in 0..400 {
        let mut paths: Vec<_> =
            fs::read_dir(&folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        let mut found: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
        found.retain(|bytes| {
            let message = MessageParser::default().parse(bytes);
            message.is_some_and(|message| {
                message.to().and_then(|to| to.first()).and_then(|to| to.address()) == Some(to)
            })
        });
        if found.len() >= count {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("no {count} mails to {to} within ten seconds");
}

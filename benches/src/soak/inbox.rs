//! The mails that the users of a run have received so far. Users follow the links in their mails.

use super::{mail_items::ReadMail, sink::TakenMail};
use anyhow::Result;
use std::{
    collections::BTreeMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::PathBuf,
    sync::{Mutex, PoisonError},
};

/// Reads the file of the mail server.
pub(super) struct Inbox {
    file: PathBuf,
    state: Mutex<InboxState>,
}

#[derive(Default)]
struct InboxState {
    read: u64,
    mails: BTreeMap<String, Vec<ReadMail>>,
}

impl Inbox {
    pub(super) fn new(file: PathBuf) -> Self {
        Self { file, state: Mutex::default() }
    }

    /// Returns the token of a mailed link.
    pub(super) fn token(&self, address: &str, part: &str) -> Result<Option<String>> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.catch_up(&mut state)?;
        let mails = state.mails.get(address).map(Vec::as_slice).unwrap_or_default();
        Ok(mails.iter().rev().find_map(|mail| mail.token(part)).map(str::to_owned))
    }

    fn catch_up(&self, state: &mut InboxState) -> Result<()> {
        let Ok(mut file) = File::open(&self.file) else { return Ok(()) };
        file.seek(SeekFrom::Start(state.read))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // The last line may be incomplete.
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |place| place + 1);
        for line in bytes[..whole].split(|byte| *byte == b'\n') {
            let Ok(mail) = serde_json::from_slice::<TakenMail>(line) else { continue };
            // Mails about alerts are read only by the audit.
            if let Some(read) = ReadMail::parse(&mail).filter(|read| read.text.contains("token=")) {
                state.mails.entry(mail.to).or_default().push(read);
            }
        }
        state.read += whole as u64;
        Ok(())
    }
}

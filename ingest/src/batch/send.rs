//! Sends written notices to a portal and records its answers beside them. What the portal has answered for is not sent
//! again; what is in doubt is, since the portal takes the same notice twice without harm.

use super::{
    progress::{Event, Progress},
    report::Sent,
    store::{self, NoticeFiles, NoticeRecord, Published},
};
use crate::publish::{Parcel, Portal, PublishError, Publisher, Receipt};
use std::{
    fs, io,
    path::Path,
    sync::{Mutex, PoisonError},
};
use tokio::{runtime::Runtime, task::JoinSet};

/// Notices on their way at the same time.
const AT_ONCE: usize = 4;

/// A portal, and whether it still takes notices.
pub struct Sender {
    runtime: Runtime,
    publisher: Publisher,
    portal: String,
    all: bool,
    given_up: Mutex<Option<PublishError>>,
}

impl Sender {
    /// A sender; with `all` it sends what was published before, too.
    ///
    /// # Errors
    /// Where no client or no runtime can be made.
    pub fn new(portal: Portal, token: &str, all: bool) -> Result<Self, PublishError> {
        let address = portal.url.to_string();
        let unavailable =
            |error: io::Error| PublishError::Unavailable { url: address.clone(), reason: error.to_string() };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build()
            .map_err(unavailable)?;
        let publisher = Publisher::new(portal, token)?;
        Ok(Self { runtime, publisher, portal: address, all, given_up: Mutex::new(None) })
    }

    /// Why nothing more is sent, once the portal has refused the token or could not be reached.
    #[must_use]
    pub fn given_up(&self) -> Option<PublishError> {
        self.given_up.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tries again after having given up: by now the portal may be back.
    pub(super) fn renew(&self) {
        *self.given_up.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Sends the notices of a page that may be published and that the portal has not answered for.
    pub fn send(&self, folder: &Path, notices: &[NoticeRecord], progress: &Progress) -> Sent {
        let mut sent = Sent::default();
        let mut waiting = Vec::new();
        for notice in notices {
            if !notice.standing(folder).is_open() {
                sent.held += 1;
                continue;
            }
            let files = NoticeFiles::of(folder, &notice.name);
            match self.parcel(notice, &files) {
                Ok(Some((parcel, digest))) => waiting.push((notice.name.clone(), files, parcel, digest)),
                Ok(None) => sent.before += 1,
                Err(error) => {
                    let message = format!(
                        "{}: cannot be read ({error}); run the batch again",
                        files.markdown.display()
                    );
                    progress.tell(&Event::NotPublished { notice: &notice.name, message: &message });
                    sent.refused.push(message);
                }
            }
        }
        self.runtime.block_on(self.send_all(waiting, &mut sent, progress));
        sent
    }

    /// The parcel of a notice; `None` where the portal has it.
    fn parcel(&self, notice: &NoticeRecord, files: &NoticeFiles) -> io::Result<Option<(Parcel, String)>> {
        let text = fs::read_to_string(&files.markdown)?;
        let digest = hex::encode(store::digest(text.as_bytes()));
        let before = store::read_published(&files.published);
        if !self.all && before.is_some_and(|before| before.portal == self.portal && before.digest == digest) {
            return Ok(None);
        }
        let clip = fs::read(&files.clip)?;
        Ok(Some((Parcel { key: notice.key.clone(), notice: text, clip }, digest)))
    }

    async fn send_all(
        &self,
        waiting: Vec<(String, NoticeFiles, Parcel, String)>,
        sent: &mut Sent,
        progress: &Progress,
    ) {
        let mut waiting = waiting.into_iter();
        let mut under_way = JoinSet::new();
        loop {
            while under_way.len() < AT_ONCE && self.given_up().is_none() {
                let Some((name, files, parcel, digest)) = waiting.next() else { break };
                let publisher = self.publisher.clone();
                under_way.spawn(async move {
                    let answer = publisher.publish(&parcel).await;
                    (name, files, digest, answer)
                });
            }
            let Some(finished) = under_way.join_next().await else { break };
            let Ok((name, files, digest, answer)) = finished else {
                sent.unsent += 1;
                continue;
            };
            self.note(&name, &files, digest, answer, sent, progress);
        }
        sent.unsent += waiting.count();
    }

    fn note(
        &self,
        name: &str,
        files: &NoticeFiles,
        digest: String,
        answer: Result<Receipt, PublishError>,
        sent: &mut Sent,
        progress: &Progress,
    ) {
        match answer {
            Ok(receipt) => {
                progress.tell(&Event::Published { notice: name, outcome: receipt.outcome });
                sent.count(receipt.outcome);
                let published = Published { portal: self.portal.clone(), digest, receipt };
                // From a folder that can't be written, everything is sent each time: that does no harm.
                let recorded = serde_json::to_vec_pretty(&published)
                    .map_err(io::Error::other)
                    .and_then(|json| store::write_atomically(&files.published, &json));
                sent.unrecorded += usize::from(recorded.is_err());
            }
            Err(error) if error.is_final() => {
                sent.unsent += 1;
                let mut given_up = self.given_up.lock().unwrap_or_else(PoisonError::into_inner);
                if given_up.is_none() {
                    progress.tell(&Event::NotPublished { notice: name, message: &error.to_string() });
                    *given_up = Some(error);
                }
            }
            Err(error) => {
                let message = format!("{}: {error}", files.markdown.display());
                progress.tell(&Event::NotPublished { notice: name, message: &message });
                sent.refused.push(message);
            }
        }
    }
}

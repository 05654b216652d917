//! The evidence pack of a bid: one PDF with the tender, the clips as printed, the fields with their printed
//! words, and the history of the tender.

mod content;
mod plain_text;
pub(crate) mod texts;

use self::{content::Clip, texts::EvidenceTexts};
use super::Board;
use crate::{
    clients::clip_image,
    domain::error::{Refusal, RefusalCode, ServiceError},
};
use pdf_pages::{Fonts, Frame, PdfError};
use std::path::PathBuf;
use tender_model::tender::Tender;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// The maximum number of clips in a pack.
const MAX_CLIPS: usize = 12;
/// The maximum size of the clips of a pack together, in bytes.
const MAX_CLIP_BYTES: usize = 40 << 20;
/// The maximum number of pages of a pack.
const MAX_PAGES: usize = 60;
/// The folders in which Debian and Fedora install the Noto fonts.
const FONT_FOLDERS: [&str; 3] =
    ["/usr/share/fonts/truetype/noto", "/usr/share/fonts/google-noto", "/usr/share/fonts/noto"];
/// How many packs are written at once. Others wait.
static WRITERS: Semaphore = Semaphore::const_new(2);

/// A finished pack.
#[derive(Debug)]
pub struct EvidencePack {
    /// The name of the file.
    pub name: String,
    /// The PDF.
    pub content: Vec<u8>,
}

impl Board<'_> {
    /// Writes the evidence pack of a bid, in the user's language.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 403 if the plan does not include the tender's details, 409 if the pack
    /// would be too long, and 503 if fonts are missing.
    pub async fn evidence(&self, bid: Uuid) -> Result<EvidencePack, ServiceError> {
        let bid = self.bid(bid).await?;
        let Some(tender) = self.readable_tender(&self.context.db, bid.tender.id).await? else {
            return Err(match self.entitlement.stub(&bid.tender, bid.publisher_id) {
                Some(stub) => stub.into(),
                None => Refusal {
                    code: RefusalCode::Visibility,
                    plan: None,
                    message: "Your plan does not include the details of this tender".into(),
                    tender: None,
                }
                .into(),
            });
        };
        let offices = self.office_days(&tender).await?;
        let permit = WRITERS.acquire().await.map_err(anyhow::Error::from)?;
        let clips = self.read_clips(&tender).await?;
        let texts = EvidenceTexts::of(self.user.language);
        let (now, base_url) = (self.context.clock.moment(), self.context.config.base_url());
        let name = format!("evidence-{}.pdf", tender.id);
        let blocks = content::blocks(&tender, clips, texts, (self.user.language, &base_url), &offices);
        let frame = content::frame(&tender, texts, self.user.language, now);
        let folders = self.font_folders();
        let content = tokio::task::spawn_blocking(move || write(&blocks, &frame, &folders))
            .await
            .map_err(anyhow::Error::from)??;
        drop(permit);
        Ok(EvidencePack { name, content })
    }

    /// Fonts in the data folder take precedence, so that an operator can add them without a package.
    fn font_folders(&self) -> Vec<PathBuf> {
        let own = self.context.config.data.data.join("fonts");
        std::iter::once(own).chain(FONT_FOLDERS.map(PathBuf::from)).collect()
    }

    /// The images of the clips of a tender, the newest first.
    async fn read_clips(&self, tender: &Tender) -> Result<Vec<Clip>, ServiceError> {
        let mut clips = Vec::new();
        let mut size = 0;
        for source in tender.sources.iter().take(MAX_CLIPS) {
            let hash = source.clip_url.as_deref().and_then(clip_image::hash_of);
            let bytes = match hash {
                Some(hash) => {
                    clip_image::read(&self.context.files, hash).await.map_err(anyhow::Error::from)?
                }
                None => None,
            };
            let bytes = bytes.filter(|bytes| size + bytes.len() <= MAX_CLIP_BYTES);
            size += bytes.as_ref().map_or(0, bytes::Bytes::len);
            clips.push(Clip { source: source.clone(), bytes: bytes.map(|bytes| bytes.to_vec()) });
        }
        Ok(clips)
    }
}

fn write(blocks: &[pdf_pages::Block], frame: &Frame, folders: &[PathBuf]) -> Result<Vec<u8>, ServiceError> {
    let fonts = Fonts::load(folders).map_err(|error| {
        tracing::error!(%error, "an evidence pack cannot be written");
        ServiceError::Unavailable("The portal has no fonts for this file. Please tell its operator")
    })?;
    pdf_pages::write(blocks, frame, &fonts, MAX_PAGES).map_err(|error| match error {
        PdfError::TooManyPages(pages) => {
            ServiceError::Conflict(format!("The file would have more than {pages} pages"))
        }
        PdfError::Write(_) => ServiceError::Internal(error.into()),
    })
}

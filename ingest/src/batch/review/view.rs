//! A notice as it is shown to a reviewer: fields with evidence, doubts and publication.

use super::review_store::StoredNotice;
use crate::batch::{
    BatchError, Published, ReviewState,
    fields::{Field, fields},
    output::record,
};
use serde::Serialize;
use std::{collections::BTreeSet, fmt, path::PathBuf};
use tender_model::tender::{PageBox, Tender};
use tender_model::terminal_text::single_line;

/// A notice with everything that a reviewer needs to see.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct NoticeView {
    /// The name of its files without extension.
    pub name: String,
    /// Its key at a portal.
    pub key: String,
    /// The newspaper and the issue date, as far as known.
    pub publication: String,
    /// The file of the page, relative to its batch.
    pub file: String,
    /// The page in the file, from 1.
    pub page: u32,
    /// The box of the notice on the page; all zero if unknown.
    #[serde(rename = "box")]
    pub area: PageBox,
    /// How the notice was read: `embedded`, `openai` followed by the model, or `reviewed`.
    pub extractor: String,
    /// Whether the notice may be published.
    #[serde(flatten)]
    pub review_state: ReviewState,
    /// The fields that a reviewer edited.
    pub edited: BTreeSet<String>,
    /// The portal where the notice was published, with its answer.
    pub published: Option<Published>,
    /// The fields, key fields first.
    pub fields: Vec<Field>,
    /// The Markdown file.
    pub markdown: PathBuf,
    /// The clip.
    pub clip: PathBuf,
    /// The text as Markdown.
    pub text: String,
}

impl NoticeView {
    /// Builds the view of a notice.
    #[must_use]
    pub fn new(entry: &StoredNotice, tender: &Tender) -> Self {
        let files = entry.files();
        let source = tender.sources.first();
        let issue = source.map(|source| {
            let date = source.date.map(|date| date.to_string()).unwrap_or_default();
            format!("{} {date}", source.publication).trim().to_owned()
        });
        Self {
            name: entry.notice.name.clone(),
            key: entry.notice.key.clone(),
            publication: issue.unwrap_or_default(),
            file: entry.file.clone(),
            page: entry.page,
            area: source.map(|source| source.area).unwrap_or_default(),
            extractor: entry.notice.extractor.clone(),
            review_state: entry.review_state(),
            edited: entry
                .notice
                .review(entry.folder())
                .ok()
                .flatten()
                .map(|review| review.edited)
                .unwrap_or_default(),
            published: record::read_published(&files.published),
            fields: fields(tender),
            markdown: files.markdown,
            clip: files.clip,
            text: tender.full_text_markdown.clone(),
        }
    }

    /// Opens a notice and builds its view.
    pub fn of(entry: &StoredNotice) -> Result<Self, BatchError> {
        Ok(Self::new(entry, &entry.open()?.tender))
    }
}

impl fmt::Display for NoticeView {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "{}  {}, page {}  {}",
            self.name,
            single_line(&self.file),
            self.page,
            single_line(&self.publication)
        )?;
        writeln!(out, "key        {}", self.key)?;
        writeln!(out, "read by    {}", single_line(&self.extractor))?;
        match &self.review_state {
            ReviewState::Ready => writeln!(out, "state      may be published")?,
            ReviewState::Doubtful { doubts } => {
                writeln!(out, "state      may be published; not certain: {}", doubts.join(", "))?
            }
            ReviewState::Accepted => writeln!(out, "state      accepted in review")?,
            ReviewState::Waiting { doubts } => {
                writeln!(out, "state      waits for review: {}", doubts.join(", "))?
            }
            ReviewState::Rejected { reason } => {
                writeln!(out, "state      rejected in review: {}", single_line(reason))?
            }
        }
        if !self.edited.is_empty() {
            let edited: Vec<&str> = self.edited.iter().map(String::as_str).collect();
            writeln!(out, "edited     {}", edited.join(", "))?;
        }
        match &self.published {
            Some(published) => {
                let at = single_line(&published.portal);
                match &published.receipt.id {
                    Some(tender) => writeln!(out, "published  at {at} as {tender}")?,
                    None => writeln!(out, "published  at {at}, where it waits for a decision")?,
                }
            }
            None => writeln!(out, "published  nowhere")?,
        }
        writeln!(out, "clip       {}", single_line(&self.clip.to_string_lossy()))?;
        writeln!(out, "text       {}\n", single_line(&self.markdown.to_string_lossy()))?;
        for field in &self.fields {
            write!(out, "{field}")?;
        }
        Ok(())
    }
}

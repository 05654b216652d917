//! The [`Reader`] trait, and reading a page with a reader.

use super::{error::ReadError, text::ClipText};
use crate::{layout::Clip, page::Page};
use std::borrow::Cow;

/// The result of reading the clips of a page.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadOutcome {
    /// The text of each clip; `None` if the reader has no reliable text for the clip.
    Texts(Vec<Option<ClipText>>),
    /// The page is rotated. Rotate it clockwise by this many quarter turns and find its clips
    /// again.
    Turn(u32),
}

impl ReadOutcome {
    /// The texts; `None` if the page must be rotated first.
    #[must_use]
    pub fn texts(self) -> Option<Vec<Option<ClipText>>> {
        match self {
            Self::Texts(texts) => Some(texts),
            Self::Turn(_) => None,
        }
    }
}

/// A way to read clips.
pub trait Reader: Send + Sync {
    /// Reads clips of a page.
    ///
    /// # Errors
    /// If the reader itself fails. A clip that is hard to read is not an error.
    fn read(
        &self,
        page: &Page,
        clips: &[&Clip],
        orientation: PageOrientation,
    ) -> Result<ReadOutcome, ReadError>;
}

/// Whether the orientation of a page is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageOrientation {
    /// The page is upright, or its orientation cannot be detected. It is read as it is.
    Known,
    /// If the text makes no sense, the reader may detect the orientation of the page and return
    /// [`ReadOutcome::Turn`].
    Unknown,
}

/// A page and its text.
pub struct ReadPage<'p> {
    /// The page, rotated upright if necessary.
    pub page: Cow<'p, Page>,
    /// The clips of the page.
    pub clips: Vec<Clip>,
    /// The text of each clip.
    pub texts: Vec<Option<ClipText>>,
}

/// Finds the clips of a page with `find` and reads them in parallel on the current thread pool. If
/// the text makes no sense and the page is rotated, the page is turned upright, segmented and read
/// again.
pub fn read_page<'p>(
    page: &'p Page,
    reader: &dyn Reader,
    mut find: impl FnMut(&Page) -> Vec<Clip>,
) -> Result<ReadPage<'p>, ReadError> {
    let mut page = Cow::Borrowed(page);
    let mut orientation = PageOrientation::Unknown;
    loop {
        let clips = find(&page);
        match reader.read(&page, &clips.iter().collect::<Vec<_>>(), orientation)? {
            ReadOutcome::Texts(texts) => return Ok(ReadPage { page, clips, texts }),
            ReadOutcome::Turn(quarters) => {
                (page, orientation) = (Cow::Owned(page.turned(quarters)), PageOrientation::Known);
            }
        }
    }
}

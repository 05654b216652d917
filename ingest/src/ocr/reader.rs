//! The trait that every reader implements, and reading a page with one.

use super::{error::ReadError, text::ClipText};
use crate::{layout::Clip, page::Page};
use std::borrow::Cow;

/// What reading the clips of a page came to.
#[derive(Debug, Clone, PartialEq)]
pub enum ReadOutcome {
    /// What each clip says; `None` where the reader has nothing trustworthy to say about it.
    Texts(Vec<Option<ClipText>>),
    /// The page lies on a side or upside down: its clips are to be found anew after so many quarter turns clockwise.
    Turn(u32),
}

impl ReadOutcome {
    /// What the clips say; `None` where the page is to be turned first.
    #[must_use]
    pub fn texts(self) -> Option<Vec<Option<ClipText>>> {
        match self {
            Self::Texts(texts) => Some(texts),
            Self::Turn(_) => None,
        }
    }
}

/// One way to read a clip.
pub trait Reader: Send + Sync {
    /// What these clips of `page` say. A page that may lie on a side or upside down is no [`PageOrientation::Known`] one.
    ///
    /// # Errors
    /// When the reader itself fails, not when a clip is hard to read.
    fn read(&self, page: &Page, clips: &[&Clip], stance: PageOrientation) -> Result<ReadOutcome, ReadError>;
}

/// Whether it is known how a page lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageOrientation {
    /// It stands upright, or nothing can be told: it is read as it is.
    Known,
    /// Where nothing on it makes sense, the reader finds out, and may say [`ReadOutcome::Turn`].
    Unknown,
}

/// A page that was read.
pub struct ReadPage<'p> {
    /// The page, turned where it had lain on a side or upside down.
    pub page: Cow<'p, Page>,
    /// Its clips.
    pub clips: Vec<Clip>,
    /// What each of them says.
    pub texts: Vec<Option<ClipText>>,
}

/// Finds the clips of a page by `find` and reads them, side by side on the threads of the pool at hand. That a page does not stand upright shows
/// when its first clips make no sense; it is turned then, and its clips are found and read anew.
///
/// # Errors
/// When the reader fails.
pub fn read_page<'p>(
    page: &'p Page,
    reader: &dyn Reader,
    mut find: impl FnMut(&Page) -> Vec<Clip>,
) -> Result<ReadPage<'p>, ReadError> {
    let mut page = Cow::Borrowed(page);
    let mut stance = PageOrientation::Unknown;
    loop {
        let clips = find(&page);
        match reader.read(&page, &clips.iter().collect::<Vec<_>>(), stance)? {
            ReadOutcome::Texts(texts) => return Ok(ReadPage { page, clips, texts }),
            ReadOutcome::Turn(quarters) => {
                (page, stance) = (Cow::Owned(page.turned(quarters)), PageOrientation::Known);
            }
        }
    }
}

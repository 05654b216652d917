//! Reads a clip from the words that a born-digital page carries.

use super::{ClipText, ReadError, Reader};
use crate::layout::Clip;
use crate::page::Page;

/// Places the words of the page's text layer into the clip.
#[derive(Debug, Clone, Copy, Default)]
pub struct LayerReader;

impl Reader for LayerReader {
    fn read(&self, _page: &Page, _clip: &Clip) -> Result<Option<ClipText>, ReadError> {
        Ok(None)
    }
}

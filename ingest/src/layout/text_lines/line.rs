//! [`TextLine`]: the result.

/// A text line, in pixels of the clip image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TextLine {
    /// The padded box of the line: `left, top, right, bottom`. The right and bottom edges are
    /// exclusive.
    pub(crate) area: [u32; 4],
    /// The top and bottom of the letters without signs: medians, weighted by letter width.
    pub(crate) letters: [u32; 2],
}

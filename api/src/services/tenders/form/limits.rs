//! How long the fields of a tender may be, in characters.

/// The most characters of a title, a name, or an entry of a list.
pub(crate) const SHORT: usize = 500;
/// The most characters of a description.
pub(crate) const TEXT: usize = 20_000;
/// The most characters of a whole notice.
pub(crate) const FULL_TEXT: usize = 100_000;
/// The most characters of a newspaper's page.
pub(crate) const PAGE: usize = 60;
/// The most characters of a telephone.
pub(crate) const PHONE: usize = 60;
/// The most entries of a list.
pub(crate) const ENTRIES: usize = 50;

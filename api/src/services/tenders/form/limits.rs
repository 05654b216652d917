//! The length limits of the fields of a tender.

/// The maximum number of characters of a title, a name, or an entry of a list.
pub(crate) const MAX_LINE: usize = 500;
/// The maximum number of characters of a description.
pub(crate) const MAX_TEXT: usize = 20_000;
/// The maximum number of characters of a whole notice.
pub(crate) const MAX_FULL_TEXT: usize = 100_000;
/// The maximum number of characters of the page of a newspaper.
pub(crate) const MAX_PAGE: usize = 60;
/// The maximum number of characters of a phone number.
pub(crate) const MAX_PHONE: usize = 60;
/// The maximum number of entries of a list.
pub(crate) const MAX_ENTRIES: usize = 50;

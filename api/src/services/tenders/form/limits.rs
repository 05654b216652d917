//! The length limits of the fields of a tender.

/// The maximum number of characters of a one-line text, such as a title or an entry of a list.
pub(crate) const MAX_LINE_LENGTH: usize = 500;
/// The maximum number of characters of a description.
pub(crate) const MAX_TEXT_LENGTH: usize = 20_000;
/// The maximum number of characters of a whole notice.
pub(crate) const MAX_FULL_TEXT_LENGTH: usize = 100_000;
/// The maximum number of characters of the label of a newspaper page, such as its number.
pub(crate) const MAX_PAGE_LABEL_LENGTH: usize = 60;
/// The maximum number of characters of a phone number.
pub(crate) const MAX_PHONE_LENGTH: usize = 60;
/// The maximum number of entries of a list, such as the tags.
pub(crate) const MAX_ENTRIES: usize = 50;
/// The maximum number of contractor grades.
pub(crate) const MAX_GRADES: usize = 30;
/// The maximum number of characters of a contractor grade, such as `C5`.
pub(crate) const MAX_GRADE_LENGTH: usize = 20;
/// The maximum number of lots.
pub(crate) const MAX_LOTS: usize = 100;
/// The maximum number of characters of the number of a lot.
pub(crate) const MAX_LOT_NUMBER_LENGTH: usize = 60;

//! Texts in English, Sinhala and Tamil.

pub(crate) mod catalogues;
pub(crate) mod grouping;
pub(crate) mod mail_texts;
pub mod messages;
pub(crate) mod phrase;
pub(crate) mod term_names;

/// Fails if a catalogue of messages, mails or terms is malformed.
pub(crate) fn check() -> Result<(), catalogues::CatalogueError> {
    messages::check()?;
    term_names::check()?;
    mail_texts::check()
}

//! Texts in English, Sinhala and Tamil.

pub(crate) mod catalogues;
pub(crate) mod mail_texts;
pub mod messages;
pub(crate) mod phrase;

/// Fails if a catalogue of messages or mails is malformed.
pub(crate) fn check() -> Result<(), catalogues::CatalogueError> {
    messages::check()?;
    mail_texts::check()
}

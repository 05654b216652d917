//! Texts in English, Sinhala and Tamil.

pub(crate) mod catalogues;
pub(crate) mod mail_texts;
pub mod messages;
pub(crate) mod phrase;

//! Texts in English, Sinhala and Tamil.

pub(crate) mod catalogues;
pub mod mail_texts;
pub mod messages;

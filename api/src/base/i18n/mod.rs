//! What the portal says to people, in English, Sinhala and Tamil.

pub mod mail_words;
pub mod messages;

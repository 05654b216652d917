//! The model of a tender: the record that all crates share, its vocabulary, the text normaliser,
//! the file format of notices, and the rules that decide which notices belong to one tender. The
//! crate has no search index, no SQL, no HTTP and no OCR.

pub mod alert;
pub mod award;
pub mod checklist;
pub mod deduplication;
pub mod display_title;
pub mod eligibility;
pub mod fields;
pub mod hash;
pub mod likeness;
pub mod notice_file;
pub mod notice_words;
pub mod page_reading;
pub mod page_truth;
pub mod past_awards;
pub mod pattern;
pub mod publish_receipt;
pub mod tender;
pub mod terminal_text;
pub mod text;
pub mod vocabulary;

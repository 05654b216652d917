//! Reads newspaper pages, extracts tender notices and publishes them to a portal.

pub mod awards;
pub mod base;
pub mod batch;
pub mod eval;
pub mod extract;
pub mod layout;
pub mod llm;
pub mod markdown;
pub mod ocr;
pub mod page;
pub mod portal_client;
pub use pdf_text as document;

use pdf_text::command;

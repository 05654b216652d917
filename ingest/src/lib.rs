//! Turns newspaper pages into checked tender notices.

pub mod base;
pub mod batch;
mod command;
pub mod document;
pub mod eval;
pub mod extract;
pub mod layout;
pub mod llm;
pub mod markdown;
pub mod message;
pub mod ocr;
pub mod page;
pub mod publish;

//! From a newspaper page to a notice.

pub mod batch;
pub mod eval;
pub mod extract;
pub mod layout;
pub mod lexicon;
pub mod markdown;
pub mod message;
pub mod model;
pub mod page;
mod patience;
mod picture;
pub mod publish;
pub mod read;

pub use pdf_text as document;

use pdf_text::command;

//! Texts for a terminal. The functions are in [`tender_model::message`].

pub use tender_model::message::{error_chain, single_line as line};

//! What a person is told at a terminal; the functions stand in [`tender_model::message`].

pub use tender_model::message::{error_chain as told, single_line as line};

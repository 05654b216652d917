//! Reads clips with Tesseract, and cross-checks the text with the built-in recogniser.

mod alignment;
mod clip_image;
mod clip_reading;
mod correction;
mod cross_check;
mod denoise;
mod engine;
mod inverted_text;
mod number_vote;
mod orientation;
mod row_profile;
mod strategy;
mod tsv;

pub use engine::Tesseract;

//! Limits of files and pages, and the resolution of PDF pages.

/// The largest file, in bytes.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
/// The most pixels of a page. A broadsheet at 600 dpi has 112 million.
pub const MAX_PIXELS: u64 = 150_000_000;
/// The most pages of a file.
pub const MAX_PAGES: u32 = 200;
/// The resolution at which PDF pages are rendered.
pub const PDF_DPI: f64 = 300.0;

//! What a page and a file of pages may have.

/// The largest file that is opened.
pub const MAX_FILE_BYTES: u64 = 256 * 1024 * 1024;
/// The most pixels a page may have: a broadsheet at 600 dpi has 112 million.
pub const MAX_PIXELS: u64 = 150_000_000;
/// The most pages a file may have.
pub const MAX_PAGES: u32 = 200;
/// The resolution at which a PDF's pages are drawn.
pub const PDF_DPI: f64 = 300.0;

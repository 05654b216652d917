//! Pages, loaded from untrusted files. The format is detected from the content, not from the file
//! name, and every size is checked before allocation. A photographed sheet is rectified, but pages
//! are not deskewed here. Boxes are fractions of the page.

mod error;
mod limits;
mod page_file;
mod page_image;
mod pdf;
mod photograph;
mod placement;
mod raster;

pub use error::PageError;
pub use limits::{MAX_FILE_BYTES, MAX_PAGES, MAX_PIXELS, PDF_DPI};
pub use page_file::{PageFile, open};
pub use page_image::Page;
pub use placement::Placement;

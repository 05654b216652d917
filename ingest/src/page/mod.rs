//! A page: opened from a file that may be anything. What it is, is told by its bytes, never by its name; every size is
//! checked before it is allocated. Deskewing is not done here: boxes are fractions of the page as it was delivered.

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

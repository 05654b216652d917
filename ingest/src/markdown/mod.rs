//! Notices as Markdown: the notice file ([`tender_model::notice_file`]) and the Markdown of a clip
//! ([`body`](mod@body)).

mod body;

pub use body::{body, escape};
pub use tender_model::notice_file::{MAX_BYTES, NoticeFileError as MarkdownError, read, write};

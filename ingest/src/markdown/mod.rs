//! A notice as markdown: its file, by [`tender_model::notice_file`], and how a clip's words become the file's body: [`body`].

mod body;

pub use body::{body, escaped};
pub use tender_model::notice_file::{MAX_BYTES, NoticeFileError as MarkdownError, read, write};

//! Mail: what a message says ([`compose`]), how it leaves ([`transport`]), and the mailbox on disk that stands in for a
//! mail server ([`maildir`]); how fast, to whom ([`pace`]); and what comes back ([`report`]). When it leaves, and that it leaves once, is
//! the business of [`crate::jobs::deliver`] and [`crate::jobs::send`].

pub mod compose;
pub mod excerpt;
pub mod letter;
pub mod maildir;
pub mod pace;
pub mod report;
pub mod transport;
pub mod unsubscribe;
pub(crate) mod words;

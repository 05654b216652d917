//! Mail: what a message says ([`news`] in a [`digest`] or, to a telephone, in [`brief`]; [`summary`], [`monthly`], [`letter`]; in which words,
//! [`words`], what is [`uncertain`], with the printed words [`crop`]ped from the clip), how it leaves ([`transport`]), and the
//! mailbox on disk that stands in for a mail server ([`maildir`]); how fast, to whom ([`pace`]); and what comes back ([`report`]). When it
//! leaves, and that it leaves once, is the business of [`crate::jobs::deliver`] and [`crate::jobs::send`].

pub mod brief;
mod card;
pub mod compose;
pub(crate) mod crop;
pub mod digest;
pub mod excerpt;
pub mod letter;
pub mod maildir;
pub mod monthly;
pub mod news;
pub mod pace;
pub mod report;
pub mod summary;
pub mod transport;
pub(crate) mod uncertain;
pub mod unsubscribe;
pub(crate) mod words;

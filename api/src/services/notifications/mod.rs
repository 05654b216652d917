//! Mail: what a message says ([`news`] in a [`digest`] or, to a telephone, in [`brief`]; [`summary`], [`monthly`], [`letter`]; in which words,
//! [`words`], what is [`uncertain`], with the printed words [`crop`]ped from the clip), how it leaves ([`transport`]), and the
//! mailbox on disk that stands in for a mail server ([`maildir`]); how fast, to whom ([`pace`]); and what comes back ([`report`]). When it
//! leaves, and that it leaves once, is the business of [`crate::jobs::seal`] and [`crate::jobs::send`].

pub mod account_mail;
pub mod bounces;
pub mod clip_crop;
pub mod digest;
pub mod dsn;
pub mod excerpt;
pub mod mail_frame;
pub mod monthly_report;
pub mod news;
pub mod senders;
pub mod tender_card;
pub mod text_message;
pub mod uncertain_fields;
pub mod webhook_payload;
pub mod weekly_summary;

//! Content of messages. [`news`] collects what a message reports; [`digest`], [`weekly_summary`],
//! [`monthly_report`], [`account_mail`], [`text_message`] and [`webhook_payload`] write it.
//! [`uncertain_fields`] and [`clip_crop`] show doubtful fields, [`senders`] send messages, and
//! [`bounces`] and [`dsn`] process what comes back. [`crate::jobs::seal`] and [`crate::jobs::send`]
//! decide when a message is sealed and sent.

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

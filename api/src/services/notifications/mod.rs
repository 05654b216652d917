//! Messages to users: their content, and how they are sent.
//!
//! - [`news`] collects the tenders that a message reports. [`digest`], [`text_message`] and
//!   [`webhook_payload`] write them as a mail, a text message or a webhook call.
//! - [`weekly_summary`], [`monthly_report`] and [`account_mail`] write the other mails.
//! - [`mail_frame`], [`tender_card`], [`bid_sentence`], [`excerpt`], [`uncertain_fields`] and
//!   [`clip_crop`] make parts of mails.
//! - [`senders`] send messages. [`dsn`] reads reports about failed or unwanted mails, and
//!   [`bounces`] records them. [`undelivered`] sends messages again and lifts suppressions.
//!
//! [`crate::jobs::seal`] and [`crate::jobs::send`] decide when a message is sealed and sent.

pub(crate) mod account_mail;
mod bid_sentence;
pub(crate) mod bounces;
pub(crate) mod clip_crop;
pub(crate) mod digest;
pub(crate) mod dsn;
pub(crate) mod excerpt;
pub(crate) mod mail_frame;
pub(crate) mod monthly_report;
pub(crate) mod news;
pub(crate) mod senders;
pub(crate) mod tender_card;
pub(crate) mod text_message;
pub(crate) mod uncertain_fields;
pub(crate) mod undelivered;
pub(crate) mod webhook_payload;
pub(crate) mod weekly_summary;

//! Content of messages. [`news`] collects what a message reports; [`digest`], [`weekly_summary`],
//! [`monthly_report`], [`account_mail`], [`text_message`] and [`webhook_payload`] write it.
//! [`uncertain_fields`] and [`clip_crop`] show doubtful fields, [`senders`] send messages, and
//! [`bounces`] and [`dsn`] process what comes back. [`crate::jobs::seal`] and [`crate::jobs::send`]
//! decide when a message is sealed and sent.

pub(crate) mod account_mail;
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
pub(crate) mod webhook_payload;
pub(crate) mod weekly_summary;

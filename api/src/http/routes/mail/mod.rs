//! Bounces and complaints about mail.

pub mod report;

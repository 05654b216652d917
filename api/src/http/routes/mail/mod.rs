//! Bounces and complaints about mail.

pub mod receive_bounce;

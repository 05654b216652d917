//! Bounces and complaints about mail.

pub(crate) mod receive_bounce;

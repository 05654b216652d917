//! Clients of services outside this process.

pub mod phone_gateway;
pub mod send_error;

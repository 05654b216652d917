//! The state that all requests and jobs of a process share.

pub mod context;
pub mod login_attempts;
pub mod progress;
pub mod state;
pub mod unsubscribe_links;

//! Accounts: sessions, sign-in with Google, reauthentication, mailed links, export and deletion.

pub mod access_token;
pub mod erasure;
pub mod export;
pub mod google_sign_in;
pub mod mailed_links;
pub mod reauthentication;
pub mod session;

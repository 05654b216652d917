//! Accounts: sessions and access tokens, sign-in with Google, reauthentication, mailed links,
//! export and deletion.

pub(crate) mod access_token;
pub(crate) mod access_withdrawal;
pub(crate) mod administration;
pub(crate) mod erasure;
pub(crate) mod export;
pub(crate) mod google_nonce;
pub(crate) mod google_sign_in;
pub(crate) mod mailed_links;
pub(crate) mod operator_tokens;
pub(crate) mod password_rules;
pub(crate) mod reauthentication;
pub(crate) mod second_factors;
pub(crate) mod security_mails;
pub(crate) mod session;

//! The handlers: one folder per resource, one file per verb, with request, response and
//! documentation.

pub mod alerts;
pub mod auth;
pub mod channels;
pub mod clips;
pub mod contact;
pub mod dev;
pub mod documents;
pub mod feeds;
pub mod health;
pub mod ingest;
pub mod keys;
pub mod mail;
pub mod payment_webhooks;
pub mod payments;
pub mod reports;
pub mod saved;
pub mod subscriptions;
pub mod team;
pub mod tenders;
pub mod unsubscribe;

//! The handlers: a folder a resource, a file a verb; request, response, documentation and handler together.

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
pub mod payments;
pub mod reports;
pub mod saved;
pub mod subscriptions;
pub mod team;
pub mod tenders;
pub mod unsubscribe;
pub mod webhooks;

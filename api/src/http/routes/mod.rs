//! The handlers. Most resources have a folder, with a file for each operation. The file contains
//! request, response and documentation.

pub(crate) mod alerts;
pub(crate) mod auth;
pub(crate) mod awards;
pub(crate) mod bids;
pub(crate) mod buyers;
pub(crate) mod calendar;
pub(crate) mod channels;
pub(crate) mod clips;
pub(crate) mod company;
pub(crate) mod contact;
pub(crate) mod dev;
pub(crate) mod documents;
pub(crate) mod feeds;
pub(crate) mod health;
pub(crate) mod home;
pub(crate) mod ingest;
pub(crate) mod keys;
pub(crate) mod mail;
pub(crate) mod market;
pub(crate) mod operate;
pub(crate) mod payment_webhooks;
pub(crate) mod payments;
pub(crate) mod reports;
pub(crate) mod saved;
pub(crate) mod subscriptions;
pub(crate) mod team;
pub(crate) mod tenders;
pub(crate) mod unsubscribe;

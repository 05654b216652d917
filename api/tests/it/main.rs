//! Tests of the server through its API, with a real Postgres server and real sockets. Most API
//! responses are checked against the OpenAPI document. These tests are in one binary, with a file
//! for each subject.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(unreachable_pub, reason = "a test binary has no callers; its files share `pub` items")]

mod accounts;
mod alerts;
mod api_keys;
mod auth;
mod backup;
mod batches;
mod canary;
mod changes;
mod channels;
mod check;
mod command_line;
mod connections;
mod contact;
mod contract;
mod coverage;
mod crashes;
mod delivery_model;
mod demo;
mod documents;
mod doubtful_fields;
mod downtime;
mod end_to_end;
mod erasure;
mod google;
mod ingest;
mod intentions;
mod keys;
mod learning;
mod limits;
mod listing;
mod lockout;
mod mail_delivery;
mod mails;
mod malformed_input;
mod metrics;
mod migrations;
mod moderation;
mod newspaper_pages;
mod notice_sources;
mod operate;
mod operate_figures;
mod operate_mail;
mod operate_messages;
mod operate_payments;
mod operate_tokens;
mod ownership;
mod page_boxes;
mod page_leases;
mod page_workers;
mod payhere;
mod payments;
mod pipeline_failures;
mod prerendering;
mod publishing;
mod reports;
mod request_basics;
mod request_log;
mod retention;
mod review;
mod saturation;
mod saved_items;
mod search;
mod second_factors;
mod stripe;
mod subscriptions;
mod support;
mod team;
mod tender_access;
mod tenders;
mod traces;
mod words_of_strangers;

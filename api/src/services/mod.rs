//! The services of the portal, one module for each subject. A service imports no other services
//! except the shared [`entitlement`], [`notifications`] and [`search`].

pub(crate) mod accounts;
pub(crate) mod alerts;
pub(crate) mod awards;
pub mod backup;
pub(crate) mod bids;
pub mod billing;
pub(crate) mod calendar;
pub mod canary;
pub mod check;
pub(crate) mod contact;
pub(crate) mod coverage;
pub mod daily_figures;
pub(crate) mod entitlement;
pub mod file_move;
pub(crate) mod gazetteer;
pub mod market;
pub(crate) mod monitoring;
pub(crate) mod newspaper_pages;
pub(crate) mod notifications;
pub(crate) mod operator_tasks;
pub(crate) mod reports;
pub(crate) mod search;
pub(crate) mod teams;
pub(crate) mod tenders;

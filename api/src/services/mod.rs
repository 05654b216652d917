//! What the portal does, one folder for each subject. A service imports no other service but [`entitlement`], [`notifications`]
//! and [`search`], which several need.

pub mod accounts;
pub mod alerts;
pub mod billing;
pub mod entitlement;
pub mod notifications;
pub mod reports;
pub mod search;
pub mod tenders;

//! The services of the portal, one folder for each subject. A service imports no other services
//! except the shared [`entitlement`], [`notifications`] and [`search`].

pub mod accounts;
pub mod alerts;
pub mod billing;
pub mod entitlement;
pub mod notifications;
pub mod reports;
pub mod search;
pub mod tenders;

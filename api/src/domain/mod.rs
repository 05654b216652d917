//! The types and rules of the business, without HTTP and SQL.

pub mod channel;
pub mod cycle;
pub mod error;
pub mod frequency;
pub mod invoice;
pub mod locked_tender;
pub mod money;
pub mod payment;
pub mod phone_number;
pub mod plan;
pub mod publisher;
pub mod report;
pub mod schedule;
pub mod validation;

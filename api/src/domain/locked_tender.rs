//! What a reader learns of a tender that the plan does not open.

use crate::domain::plan::PlanName;
use index::{
    tender::{Dates, FieldStates},
    vocabulary::Category,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Why a tender is locked, and what opens it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Locked)]
pub struct Lock {
    /// Its visibility, or that it lies before the plan's archive window.
    pub reason: LockReason,
    /// The lowest plan that opens it; `free` is an account without a subscription.
    #[schema(value_type = String)]
    pub plan: PlanName,
}

/// Why a tender is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LockReason {
    /// It is for readers of another plan.
    Visibility,
    /// It was published too long ago.
    Archive,
}

/// All that may be known of a locked tender.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LockedTender {
    /// UUIDv7.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// What is bought, as printed.
    pub title: String,
    /// Who invites bids.
    pub organization: LockedOrganization,
    /// Published, closing and opening.
    pub dates: Dates,
    /// Its category, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// Which of these fields are doubtful or were not read, by path in JSON.
    #[serde(skip_serializing_if = "FieldStates::is_empty")]
    pub field_states: FieldStates,
    /// Why, and what opens it.
    pub locked: Lock,
}

/// Who invites bids for a locked tender.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LockedOrganization {
    /// As printed.
    pub name: String,
}

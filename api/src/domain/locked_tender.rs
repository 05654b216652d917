//! The visible part of a tender that the user's plan does not include.

use crate::domain::plan::PlanName;
use serde::Serialize;
use tender_model::{
    tender::{Dates, FieldStates},
    vocabulary::Category,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// Why a tender is locked, and which plan unlocks it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Locked)]
pub struct Lock {
    /// The reason: the tender's visibility, or its age.
    pub reason: LockReason,
    /// The lowest plan that unlocks it; `free` means an account without a subscription.
    #[schema(value_type = String)]
    pub plan: PlanName,
}

/// Why a tender is locked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum LockReason {
    /// The tender is visible only to users of another plan.
    Visibility,
    /// The tender was published before the plan's archive begins.
    Archive,
}

/// The visible part of a locked tender.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LockedTender {
    /// The tender's id.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The title, as printed.
    pub title: String,
    /// The organisation that invites bids.
    pub organization: LockedOrganization,
    /// The dates of publication, closing and opening.
    pub dates: Dates,
    /// The category, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    /// The fields that are doubtful or were not read, by their path in this object.
    #[serde(skip_serializing_if = "FieldStates::is_empty")]
    pub field_states: FieldStates,
    /// Why the tender is locked, and which plan unlocks it.
    pub locked: Lock,
}

/// The organisation that invites bids for a locked tender.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct LockedOrganization {
    /// The name, as printed.
    pub name: String,
}

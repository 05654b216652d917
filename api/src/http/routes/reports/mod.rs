//! Reports of the listing, which are saved, previewed, downloaded, and mailed each month. A report
//! is private to its author, even in a team.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod file;
pub(crate) mod list;
pub(crate) mod preview;
pub(crate) mod update;

use crate::{
    app::state::AppState,
    domain::{
        error::{FieldError, ServiceError},
        report::{ReportDefinition, ReportForm, SavedReport},
    },
    services::{entitlement::Entitlement, reports::MAX_NAME_LENGTH},
};
use serde::{Deserialize, Serialize};
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// The maximum number of reports of a user.
const MAX_REPORTS: i64 = 20;

/// A saved report.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Report)]
pub struct ReportView {
    /// The report's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by its owner.
    name: String,
    /// The report's definition.
    asked: ReportDefinition,
    /// Whether the report of the previous month is mailed on the first day of each month.
    is_monthly: bool,
    /// When the report was created.
    created_at: Moment,
}

impl From<SavedReport> for ReportView {
    fn from(report: SavedReport) -> Self {
        Self {
            id: report.id,
            name: report.name,
            asked: report.definition,
            is_monthly: report.monthly_since.is_some(),
            created_at: Moment::new(report.created_at),
        }
    }
}

/// A single report.
#[derive(Debug, Serialize, ToSchema)]
pub struct OneReport {
    report: ReportView,
}

/// A report to save.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schema(as = ReportForm)]
pub struct SubmittedReport {
    /// The name, 1 to 100 characters.
    #[schema(max_length = 100)]
    name: String,
    /// The report's definition.
    asked: ReportDefinition,
    /// Whether the report of the previous month is mailed on the first day of each month.
    #[serde(default)]
    is_monthly: bool,
}

impl SubmittedReport {
    /// Validates the form.
    fn validated(self, entitlement: &Entitlement, state: &AppState) -> Result<ReportForm, ServiceError> {
        let name = tender_model::terminal_text::single_line(&self.name).trim().to_owned();
        let invalid = |message: String| Err(ServiceError::Invalid(vec![FieldError::new("name", message)]));
        match name.chars().count() {
            0 => return invalid("Name is required".into()),
            count if count > MAX_NAME_LENGTH => {
                return invalid(format!("Name must be at most {MAX_NAME_LENGTH} characters"));
            }
            _ => {}
        }
        Ok(ReportForm {
            name,
            definition: self.asked.validated(entitlement, state)?,
            is_monthly: self.is_monthly,
        })
    }
}

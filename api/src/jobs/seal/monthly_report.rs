//! Composes the mail of a monthly report. Its workbook equals the one that the report's owner
//! could download at this time.

use super::composed_message::ComposedMessage;
use crate::{
    app::state::AppState,
    domain::{error::ServiceError, report::ReportPeriod},
    services::{
        entitlement::Entitlement,
        notifications::{
            mail_frame::{AttachedFile, Envelope},
            monthly_report::{self, MAX_WORKBOOK_BYTES, MonthlyReport},
        },
        reports::{Format, ReportSource},
    },
    storage::{reports, users},
};
use anyhow::Context;
use sqlx::PgConnection;
use uuid::Uuid;

/// Composes the message. `None` if the report or its owner was deleted, or the report is no longer
/// permitted or valid.
pub(super) async fn compose(
    state: &AppState,
    tx: &mut PgConnection,
    (delivery, user_id): (Uuid, Uuid),
    envelope: &Envelope<'_>,
) -> anyhow::Result<ComposedMessage> {
    let Some((report, month)) = reports::of_delivery(&mut *tx, delivery).await? else { return Ok(None) };
    let Some(user) = users::by_id(&mut *tx, user_id, state.clock.now()).await? else { return Ok(None) };
    let entitlement =
        Entitlement::load(&mut *tx, Some(&user), state.clock.now()).await.context("reading the plans")?;
    let definition = report.definition;
    let period = ReportPeriod::month(definition.period.by, month);
    let source = match ReportSource::new(
        state,
        &entitlement,
        (&report.name, &definition, period),
        envelope.language,
    ) {
        Ok(source) => source,
        Err(ServiceError::Internal(error)) => return Err(error),
        Err(error) => {
            tracing::warn!(%delivery, %error, "a monthly report can no longer be generated");
            return Ok(None);
        }
    };
    let name = source.file_name(Format::Xlsx);
    let (bytes, found) = source.write_to_memory(state.search_engine.clone(), Format::Xlsx).await?;
    let file = AttachedFile { name, media_type: Format::Xlsx.media_type(), bytes };
    let report = MonthlyReport { name: report.name, month, total: found.total, rows: found.rows, file };
    Ok(Some(monthly_report::compose(envelope, &report, MAX_WORKBOOK_BYTES).map_err(Into::into)))
}

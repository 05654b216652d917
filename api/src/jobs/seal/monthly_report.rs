//! Composes the mail of a monthly report with the workbook its owner could download now.

use super::composed_message::ComposedMessage;
use crate::{
    app::state::AppState,
    domain::{error::ServiceError, report::ReportPeriod},
    services::{
        entitlement::Entitlement,
        notifications::{
            mail_frame::{AttachedFile, Envelope},
            monthly_report::{self, LARGEST, Monthly},
        },
        reports::{Format, ReportSource},
    },
    storage::{reports, users},
};
use anyhow::Context;
use sqlx::PgConnection;
use uuid::Uuid;

/// Composes the message. `None` if the report is deleted, not permitted or invalid by now.
pub(super) async fn write(
    state: &AppState,
    tx: &mut PgConnection,
    (delivery, user_id): (Uuid, Uuid),
    envelope: &Envelope<'_>,
) -> anyhow::Result<ComposedMessage> {
    let Some((report, month)) = reports::of_delivery(&mut *tx, delivery).await? else { return Ok(None) };
    let Some(user) = users::by_id(&mut *tx, user_id, state.clock.now()).await? else { return Ok(None) };
    let entitlement = Entitlement::of_user(Some(&user), state).await.context("reading the plans")?;
    let asked = report.asked;
    let period = ReportPeriod::month(asked.period.by, month);
    let paper =
        match ReportSource::new(state, &entitlement, (&report.name, &asked, period), envelope.language) {
            Ok(paper) => paper,
            Err(ServiceError::Internal(error)) => return Err(error),
            Err(error) => {
                tracing::warn!(%delivery, %error, "a monthly report can't be made any more");
                return Ok(None);
            }
        };
    let name = paper.file_name(Format::Xlsx);
    let (bytes, found) = paper.to_memory(state.index_store.clone(), Format::Xlsx).await?;
    let file = AttachedFile { name, media_type: Format::Xlsx.media_type(), bytes };
    let report = Monthly { name: report.name, month, total: found.total, rows: found.rows, file };
    Ok(Some(monthly_report::mail(envelope, &report, LARGEST).map_err(Into::into)))
}

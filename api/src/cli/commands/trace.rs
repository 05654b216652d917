//! `api trace`: what became of a tender.

use crate::{domain::suppression::SuppressionReason, storage::trace};
use anyhow::bail;
use sqlx::PgPool;
use std::io::{self, Write};
use uuid::Uuid;

/// The number of recipients that [`trace()`] reads from the database at once.
const TRACE_PAGE_SIZE: i64 = 500;

/// Prints one line for each change of a tender with the number of its matches, one for each
/// recipient, and one for each message to a recipient.
pub async fn trace(db: &PgPool, id: Uuid) -> anyhow::Result<()> {
    let changes = trace::changes(db, id).await?;
    if changes.is_empty() {
        bail!("there is no tender {id}");
    }
    let mut out = io::stdout().lock();
    for change in changes {
        let matches = if change.is_processed {
            format!("matched {}", change.matches)
        } else {
            "not matched yet".to_owned()
        };
        writeln!(
            out,
            "revision {}\tat {}\tposition {}\t{}\t{matches}",
            change.revision, change.at, change.position, change.status
        )?;
    }
    for page in 0.. {
        let (recipients, _) = trace::recipients(db, id, (TRACE_PAGE_SIZE, page * TRACE_PAGE_SIZE)).await?;
        for recipient in &recipients {
            let name = recipient.alert.as_ref().map_or("saved", |(_, name)| name.as_str());
            let irrelevant = if recipient.is_irrelevant { "\tnot relevant" } else { "" };
            writeln!(
                out,
                "{}\t{}{irrelevant}",
                recipient.user,
                tender_model::terminal_text::single_line(name)
            )?;
            for sent in &recipient.deliveries {
                let when = sent.sent_at.or(sent.next_at).map(|at| at.to_string()).unwrap_or_default();
                let error = sent
                    .returned
                    .map(SuppressionReason::as_str)
                    .or(sent.error.as_deref())
                    .unwrap_or_default();
                writeln!(
                    out,
                    "  {}\t{}\t{}\t{}\t{when}\t{error}",
                    sent.id, sent.reason, sent.address, sent.state
                )?;
            }
        }
        if recipients.is_empty() {
            break;
        }
    }
    Ok(())
}

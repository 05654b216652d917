//! The checklist of a bid.

use super::{Board, parts::require_text};
use crate::{
    domain::{
        bid::{
            Bid, BidEventKind, EventDetails, MAX_TITLE_LENGTH,
            checklist::{CheckedRow, MAX_OWN_ROWS, RowContent, checked_rows},
        },
        error::{FieldError, ServiceError},
        validation,
    },
    storage::bids::checklist,
};
use sqlx::PgConnection;
use tender_model::{checklist as rules, vocabulary::Amount};
use uuid::Uuid;

/// The error if the checklist has no such row.
const NO_ROW: ServiceError = ServiceError::NotFound("Row");

/// A tick as a user sets it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TickInput {
    /// The key of the row.
    pub key: String,
    /// The value of the row that the user saw.
    pub fingerprint: String,
    /// Whether the row is done.
    pub is_done: bool,
}

impl Board<'_> {
    /// The checklist of a bid. `None`: the user's plan does not include the tender's details.
    pub async fn checklist(&self, bid: &Bid) -> Result<Option<Vec<CheckedRow>>, ServiceError> {
        let mut db = self.context.db.acquire().await?;
        self.read_checklist(&mut db, bid.id, (bid.tender.id, bid.value)).await
    }

    async fn read_checklist(
        &self,
        db: &mut PgConnection,
        bid: Uuid,
        (tender, price): (Uuid, Option<Amount>),
    ) -> Result<Option<Vec<CheckedRow>>, ServiceError> {
        let Some(tender) = self.readable_tender(&mut *db, tender).await? else { return Ok(None) };
        let own = checklist::own_rows(&mut *db, bid).await?;
        let ticks = checklist::ticks(&mut *db, bid).await?;
        Ok(Some(checked_rows(rules::checklist(&tender, price), own, ticks)))
    }

    /// Ticks a row of the checklist, or removes its tick.
    ///
    /// # Errors
    /// 404 if the board has no such bid or its checklist no such row, and 409 if the row has another value than
    /// the user saw.
    pub async fn tick(&self, bid: Uuid, input: &TickInput) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        let held = self.hold(&mut tx, bid).await?;
        let rows = self.read_checklist(&mut tx, bid, (held.tender_id, held.value)).await?.unwrap_or_default();
        let row = rows.into_iter().find(|row| row.key() == input.key).ok_or(NO_ROW)?;
        if row.fingerprint != input.fingerprint {
            return Err(ServiceError::Conflict(
                "The tender was changed meanwhile. Please look at this row again".into(),
            ));
        }
        // Two users may tick the same row at once.
        if row.tick.is_some() == input.is_done && (input.is_done || row.outdated_tick.is_none()) {
            return Ok(());
        }
        let kind = if input.is_done {
            let now = self.context.clock.now();
            checklist::tick(&mut tx, (bid, self.user.id), (&input.key, &row.fingerprint), now).await?;
            BidEventKind::RowTicked
        } else {
            checklist::remove_tick(&mut tx, bid, &input.key).await?;
            BidEventKind::RowReopened
        };
        self.record_row(&mut tx, bid, kind, &row).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Adds a row to the checklist.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid has too many added rows, and 422 if the text is invalid.
    pub async fn add_row(&self, bid: Uuid, title: &str) -> Result<(), ServiceError> {
        let title = validation::parse_line(title, "Row", MAX_TITLE_LENGTH).and_then(require_text);
        let title =
            title.map_err(|message| ServiceError::Invalid(vec![FieldError::new("title", message)]))?;
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        if checklist::own_rows(&mut *tx, bid).await?.len() >= MAX_OWN_ROWS {
            return Err(ServiceError::Conflict(format!("A checklist has at most {MAX_OWN_ROWS} added rows")));
        }
        let id = self.context.random.id(&self.context.clock);
        checklist::insert_row(&mut tx, (id, bid), &title, self.context.clock.now()).await?;
        let details =
            EventDetails { before: Some("own".into()), after: Some(title), ..EventDetails::default() };
        self.record(&mut tx, bid, BidEventKind::RowAdded, details).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Deletes an added row of the checklist.
    ///
    /// # Errors
    /// 404 if the board has no such bid or its checklist no such row.
    pub async fn remove_row(&self, bid: Uuid, id: Uuid) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        let own = checklist::own_rows(&mut *tx, bid).await?;
        let row = own.into_iter().find(|row| row.id == id).ok_or(NO_ROW)?;
        checklist::remove_row(&mut tx, bid, id).await?;
        checklist::remove_tick(&mut tx, bid, &row.key()).await?;
        let row = CheckedRow {
            content: RowContent::Own(row),
            fingerprint: String::new(),
            tick: None,
            outdated_tick: None,
        };
        self.record_row(&mut tx, bid, BidEventKind::RowDeleted, &row).await?;
        tx.commit().await?;
        Ok(())
    }

    async fn record_row(
        &self,
        tx: &mut PgConnection,
        bid: Uuid,
        kind: BidEventKind,
        row: &CheckedRow,
    ) -> Result<(), ServiceError> {
        let (before, after) = row.event_texts();
        self.record(tx, bid, kind, EventDetails { before: Some(before), after, subject_id: None }).await
    }
}

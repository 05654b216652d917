//! The intention to bid for a tender, which is the first step of a bid.

use super::{AddedBid, Board};
use crate::{
    domain::{
        bid::{BidEventKind, BidReference, BidStage, EventDetails, reminders::ReminderSetting},
        error::{Refusal, ServiceError},
    },
    storage::{
        bids::{self, reminders},
        intentions, tenders,
    },
};
use sqlx::{PgConnection, PgExecutor};
use tender_model::vocabulary::TenderStatus;
use uuid::Uuid;

impl Board<'_> {
    /// Fails unless the user may say to intend to bid for a tender.
    ///
    /// # Errors
    /// 404 if there is no such tender, 403 if it is locked for the user or the user's address is not
    /// confirmed, and 409 if it has closed.
    async fn require_biddable(&self, db: impl PgExecutor<'_>, tender: Uuid) -> Result<(), ServiceError> {
        let found = tenders::current(db, tender).await?;
        let found = found.filter(|found| found.tender.status.is_public());
        let found = found.ok_or(ServiceError::NotFound("Tender"))?;
        if let Some(stub) = self.entitlement.stub(&found.tender, found.owner_id) {
            return Err(stub.into());
        }
        let now = self.context.clock.moment();
        if found.tender.status != TenderStatus::Published || found.tender.is_expired(now) {
            return Err(ServiceError::Conflict(
                "This tender has closed: nobody can bid for it any more".into(),
            ));
        }
        if !self.user.email_verified {
            let message = "Please confirm your email address before you say that you intend to bid";
            return Err(Refusal::unverified(message).into());
        }
        Ok(())
    }

    /// Records that the user intends to bid for a tender, and adds the tender to the board. If the plan
    /// includes no further bid, only the intention is recorded.
    ///
    /// # Errors
    /// 404 if there is no such tender, 403 if it is locked for the user or the user's address is not
    /// confirmed, and 409 if it has closed.
    pub async fn declare(&self, tender: Uuid) -> Result<AddedBid, ServiceError> {
        self.require_biddable(&self.context.db, tender).await?;
        let mut tx = self.begin().await?;
        let added = match self.add_in(&mut tx, tender).await {
            Err(ServiceError::Refused(_) | ServiceError::Conflict(_)) => AddedBid::Full,
            added => added?,
        };
        tx.commit().await?;
        Ok(added)
    }

    /// Like [`Self::declare`], but changes nothing if the plan includes no further bid.
    ///
    /// # Errors
    /// Those of [`Self::declare`]. Also 403 if the plan includes no further bid, and 409 if the board is
    /// full.
    pub async fn add(&self, tender: Uuid) -> Result<AddedBid, ServiceError> {
        self.require_biddable(&self.context.db, tender).await?;
        let mut tx = self.begin().await?;
        let added = self.add_in(&mut tx, tender).await?;
        tx.commit().await?;
        Ok(added)
    }

    /// Adds a tender to the board, and the intention of the user to bid for it.
    async fn add_in(&self, tx: &mut PgConnection, tender: Uuid) -> Result<AddedBid, ServiceError> {
        let now = self.context.clock.now();
        intentions::add(&mut *tx, tender, self.user.id, now).await?;
        match bids::of_tender(&mut *tx, self.account, tender).await? {
            Some(present) if present.stage != BidStage::Dropped => Ok(AddedBid::Present(present)),
            Some(BidReference { id, stage }) => {
                self.require_free_place(&mut *tx).await?;
                bids::place(&mut *tx, (self.account, id), BidStage::Considering, None, now).await?;
                self.record_move(&mut *tx, id, (stage, BidStage::Considering)).await?;
                Ok(AddedBid::Added(BidReference { id, stage: BidStage::Considering }))
            }
            None => {
                self.require_free_place(&mut *tx).await?;
                let id = self.context.random.id(&self.context.clock);
                bids::insert(&mut *tx, id, (self.account, tender, self.user.id), now).await?;
                self.record(&mut *tx, id, BidEventKind::Added, EventDetails::default()).await?;
                let setting = self.context.random.id(&self.context.clock);
                let first = ReminderSetting::first();
                reminders::put_first_setting(&mut *tx, (setting, self.user.id), &first, now).await?;
                Ok(AddedBid::Added(BidReference { id, stage: BidStage::Considering }))
            }
        }
    }

    /// Withdraws the intention of the user to bid for a tender. If nobody else of the team intends to
    /// bid, a bid that is not submitted is dropped.
    pub async fn withdraw(&self, tender: Uuid) -> Result<Option<BidReference>, ServiceError> {
        let mut tx = self.begin().await?;
        intentions::remove(&mut *tx, tender, self.user.id).await?;
        let mut bid = bids::of_tender(&mut *tx, self.account, tender).await?;
        if let Some(bid) = &mut bid
            && bid.stage.is_before_submission()
            && !intentions::has_of_account(&mut *tx, tender, self.account).await?
        {
            let now = self.context.clock.now();
            bids::place(&mut tx, (self.account, bid.id), BidStage::Dropped, None, now).await?;
            self.record_move(&mut tx, bid.id, (bid.stage, BidStage::Dropped)).await?;
            bid.stage = BidStage::Dropped;
        }
        tx.commit().await?;
        Ok(bid)
    }

    /// Lets the intentions to bid for a tender follow a bid that has changed its stage.
    pub(super) async fn follow_stage(
        &self,
        tx: &mut PgConnection,
        tender: Uuid,
        (from, to): (BidStage, BidStage),
    ) -> Result<(), ServiceError> {
        if to == BidStage::Dropped {
            intentions::remove_of_account(&mut *tx, tender, self.account).await?;
        } else if from == BidStage::Dropped && to.is_open() {
            match self.require_biddable(&mut *tx, tender).await {
                Ok(()) => {
                    intentions::add(&mut *tx, tender, self.user.id, self.context.clock.now()).await?;
                }
                // The board may go on with a tender that has closed, but nobody can newly intend to bid.
                Err(
                    ServiceError::NotFound(_)
                    | ServiceError::Conflict(_)
                    | ServiceError::Refused(_)
                    | ServiceError::Forbidden(_),
                ) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

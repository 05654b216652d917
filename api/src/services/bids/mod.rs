//! The bid board of a user: adding bids, moving them, and changing them. All changes of a board are
//! made one at a time, because they hold the lock of its account.

pub(crate) mod checklist;
pub(crate) mod evidence;
pub(crate) mod files;
mod intention;
pub(crate) mod parts;
pub(crate) mod reminders;

use crate::{
    app::context::Context,
    domain::{
        bid::{
            Bid, BidEventKind, BidReference, BidStage, EventDetails, LockedBid, MAX_LISTED_CLOSED,
            MAX_OPEN_BIDS, Person,
        },
        deadlines::{self, Deadline, OfficeDays},
        error::{FieldError, ServiceError},
        user::User,
    },
    services::entitlement::{Entitlement, quota_periods},
    storage::{self, bids, companies, holidays, intentions, teams, tenders, users},
};
use sqlx::{PgConnection, PgExecutor, Postgres, Transaction};
use std::collections::HashMap;
use tender_model::{eligibility::Company, tender::Tender, vocabulary::Amount};
use uuid::Uuid;

/// The error if the board has no such bid.
const NOT_FOUND: ServiceError = ServiceError::NotFound("Bid");

/// The board that a user works on.
#[derive(Clone)]
pub struct Board<'a> {
    context: &'a Context,
    user: &'a User,
    entitlement: Entitlement,
    account: Uuid,
}

/// What became of the wish to add a tender to a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddedBid {
    /// The bid is new, or it was dropped and is considered again.
    Added(BidReference),
    /// The tender was on the board before.
    Present(BidReference),
    /// The plan includes no further bid.
    Full,
}

/// A move of a bid on the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placement {
    /// The version of the bid that the user saw.
    pub version: i32,
    /// The stage to move it to.
    pub stage: BidStage,
    /// The bid before which it stands. `None`: it is the last one.
    pub before: Option<Uuid>,
}

/// A change of a bid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BidChange {
    /// The version of the bid that the user saw.
    pub version: i32,
    /// Who takes care of it.
    pub owner_id: Option<Uuid>,
    /// Its value in rupees.
    pub value: Option<Amount>,
}

impl<'a> Board<'a> {
    /// The board of a user.
    pub async fn of(context: &'a Context, user: &'a User) -> Result<Self, ServiceError> {
        let entitlement = Entitlement::of_user(Some(user), context).await?;
        let account = entitlement.board_account(user);
        Ok(Self { context, user, entitlement, account })
    }

    /// What the user may do.
    #[must_use]
    pub const fn entitlement(&self) -> &Entitlement {
        &self.entitlement
    }

    /// How many bids may be open. `None`: as many as a board can hold.
    #[must_use]
    pub fn quota(&self) -> Option<i32> {
        self.entitlement.open_bid_quota()
    }

    /// The bids by stage, in their order.
    pub async fn bids(&self) -> Result<Vec<Bid>, ServiceError> {
        let limits = (MAX_OPEN_BIDS, MAX_LISTED_CLOSED);
        Ok(bids::of_account(&self.context.db, self.account, None, limits).await?)
    }

    /// The numbers of bids in the stages that have any.
    pub async fn counts(&self) -> Result<HashMap<BidStage, i64>, ServiceError> {
        Ok(bids::count(&self.context.db, self.account).await?)
    }

    /// A bid of the board.
    ///
    /// # Errors
    /// 404 if the board has no such bid.
    pub async fn bid(&self, id: Uuid) -> Result<Bid, ServiceError> {
        let found = bids::of_account(&self.context.db, self.account, Some(id), (1, 1)).await?;
        found.into_iter().next().ok_or(NOT_FOUND)
    }

    /// The deadlines of a bid. If the user's plan does not include the tender's details, only those that
    /// every user sees are stated.
    pub async fn deadlines(&self, bid: &Bid) -> Result<Vec<Deadline>, ServiceError> {
        let tender = self.readable_tender(&self.context.db, bid.tender.id).await?;
        let tender = tender.unwrap_or_else(|| bid.tender.clone());
        Ok(deadlines::deadlines(&tender, &self.office_days(&tender).await?))
    }

    /// The whole tender of a bid. `None`: the user's plan does not include its details. It is no view,
    /// because the bid has been taken on.
    pub async fn tender(&self, bid: &Bid) -> Result<Option<Tender>, ServiceError> {
        self.readable_tender(&self.context.db, bid.tender.id).await
    }

    /// The profile of the company that bids.
    pub async fn company(&self) -> Result<Option<Company>, ServiceError> {
        let stored = companies::of_owner(&self.context.db, self.user.shared_account()).await?;
        Ok(stored.map(|stored| stored.company))
    }

    /// The days on which offices are closed, for the deadlines of a tender.
    async fn office_days(&self, tender: &Tender) -> Result<OfficeDays, ServiceError> {
        let holidays = match deadlines::needed_days(tender) {
            Some((from, to)) => holidays::between(&self.context.db, from, to).await?,
            None => Vec::new(),
        };
        Ok(OfficeDays::new(holidays))
    }

    /// The whole tender. `None`: the user's plan does not include its details.
    async fn readable_tender(
        &self,
        db: impl PgExecutor<'_>,
        id: Uuid,
    ) -> Result<Option<Tender>, ServiceError> {
        let found = tenders::current(db, id).await?;
        let found = found.filter(|found| self.entitlement.stub(&found.tender, found.owner_id).is_none());
        Ok(found.map(|found| found.tender))
    }

    /// The users who work on the board.
    pub async fn people(&self) -> Result<Vec<Person>, ServiceError> {
        let name = |first: &str, last: &str| format!("{first} {last}");
        if !self.entitlement.shares_board() {
            let name = name(&self.user.first_name, &self.user.last_name);
            return Ok(vec![Person { id: self.user.id, name }]);
        }
        let members = teams::members(&self.context.db, self.account).await?;
        let people = members.into_iter();
        Ok(people
            .map(|member| Person { id: member.id, name: name(&member.first_name, &member.last_name) })
            .collect())
    }

    /// Moves a bid to another place on the board. Who drops a bid intends to bid no more, and who takes
    /// it up again does, if the tender is open.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid was changed meanwhile or the board is full, and
    /// 403 if the plan includes no further open bid.
    pub async fn place(&self, id: Uuid, placement: Placement) -> Result<(), ServiceError> {
        let Placement { version, stage, before } = placement;
        let mut tx = self.begin().await?;
        let bid = self.hold_version(&mut tx, id, version).await?;
        if stage.is_open() && !bid.stage.is_open() {
            self.require_free_place(&mut tx).await?;
        }
        bids::place(&mut tx, (self.account, id), stage, before, self.context.clock.now()).await?;
        if stage != bid.stage {
            self.follow_stage(&mut tx, bid.tender_id, (bid.stage, stage)).await?;
            self.record_move(&mut tx, id, (bid.stage, stage)).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Sets the owner and the value of a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid was changed meanwhile, and 422 if the owner does
    /// not work on the board.
    pub async fn change(&self, id: Uuid, change: BidChange) -> Result<(), ServiceError> {
        let BidChange { version, owner_id, value } = change;
        let mut tx = self.begin().await?;
        let bid = self.hold_version(&mut tx, id, version).await?;
        if owner_id != bid.owner_id {
            self.require_person(&mut tx, "ownerId", owner_id).await?;
        }
        if (owner_id, value) == (bid.owner_id, bid.value) {
            return Ok(());
        }
        let now = self.context.clock.now();
        bids::set_details(&mut tx, (self.account, id), (owner_id, value), now).await?;
        if owner_id != bid.owner_id {
            let details = EventDetails { subject_id: owner_id, ..EventDetails::default() };
            self.record(&mut tx, id, BidEventKind::Assigned, details).await?;
        }
        if value != bid.value {
            let text = |value: Option<Amount>| value.map(|value| value.number().to_string());
            let details = EventDetails { before: text(bid.value), after: text(value), subject_id: None };
            self.record(&mut tx, id, BidEventKind::Valued, details).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Deletes a bid with its notes, tasks and history. If it was not submitted, nobody of the account
    /// intends to bid any more.
    ///
    /// # Errors
    /// 404 if the board has no such bid.
    pub async fn remove(&self, id: Uuid) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        let bid = self.hold(&mut tx, id).await?;
        bids::remove(&mut tx, self.account, id).await?;
        if bid.stage.is_before_submission() {
            intentions::remove_of_account(&mut *tx, bid.tender_id, self.account).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Begins a transaction that holds the lock of the board.
    async fn begin(&self) -> Result<Transaction<'static, Postgres>, ServiceError> {
        let mut tx = storage::begin(&self.context.db).await?;
        users::lock(&mut tx, self.account).await?;
        Ok(tx)
    }

    async fn hold(&self, tx: &mut PgConnection, id: Uuid) -> Result<LockedBid, ServiceError> {
        bids::lock(tx, self.account, id).await?.ok_or(NOT_FOUND)
    }

    /// Locks a bid that nobody has changed since the user saw this version.
    async fn hold_version(
        &self,
        tx: &mut PgConnection,
        id: Uuid,
        version: i32,
    ) -> Result<LockedBid, ServiceError> {
        let bid = self.hold(tx, id).await?;
        if bid.version != version {
            return Err(ServiceError::Conflict(
                "This bid was changed meanwhile. Please look at it again".into(),
            ));
        }
        Ok(bid)
    }

    /// Fails if the board may not have another open bid.
    async fn require_free_place(&self, tx: &mut PgConnection) -> Result<(), ServiceError> {
        let counts = bids::count(tx, self.account).await?;
        let open = counts.iter().filter(|(stage, _)| stage.is_open()).map(|(_, count)| count).sum();
        if self.quota().is_some_and(|quota| !quota_periods::is_within(quota, open)) {
            return Err(self.entitlement.open_bid_quota_exceeded());
        }
        if open >= MAX_OPEN_BIDS {
            return Err(ServiceError::Conflict(format!("A board holds at most {MAX_OPEN_BIDS} open bids")));
        }
        Ok(())
    }

    /// Fails unless this user works on the board.
    async fn require_person(
        &self,
        tx: &mut PgConnection,
        field: &str,
        id: Option<Uuid>,
    ) -> Result<(), ServiceError> {
        let works_here = match id {
            None => true,
            Some(id) if id == self.account || id == self.user.id => true,
            Some(id) => self.entitlement.shares_board() && bids::hold_member(tx, self.account, id).await?,
        };
        if works_here {
            return Ok(());
        }
        Err(ServiceError::Invalid(vec![FieldError::new(field, "Please choose a user of your team")]))
    }

    async fn record_move(
        &self,
        tx: &mut PgConnection,
        id: Uuid,
        (from, to): (BidStage, BidStage),
    ) -> Result<(), ServiceError> {
        let text = |stage: BidStage| Some(stage.as_str().to_owned());
        let details = EventDetails { before: text(from), after: text(to), subject_id: None };
        self.record(tx, id, BidEventKind::Moved, details).await
    }

    /// Adds an event of the user to the history of a bid.
    async fn record(
        &self,
        tx: &mut PgConnection,
        bid: Uuid,
        kind: BidEventKind,
        details: EventDetails,
    ) -> Result<(), ServiceError> {
        let now = self.context.clock.now();
        bids::events::insert(tx, (bid, self.user.id), kind, &details, now).await?;
        Ok(())
    }
}

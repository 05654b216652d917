//! The calendar of a user: the deadlines of the bids on the board and of the saved tenders.

pub(crate) mod file;
pub(crate) mod texts;

use crate::{
    app::context::Context,
    domain::{
        bid::{BidStage, DueTask, checklist::settled_deadlines},
        calendar::CalendarTender,
        coverage::Holiday,
        deadlines::{self, Deadline, DeadlineKind, OfficeDays},
        error::ServiceError,
        user::User,
    },
    services::entitlement::Entitlement,
    storage::{bids, calendar_feeds, holidays},
};
use jiff::Timestamp;
use sqlx::PgExecutor;
use tender_model::vocabulary::{Day, Moment, TenderStatus};
use uuid::Uuid;

/// A deadline in a calendar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CalendarEntry {
    /// The tender's id.
    pub tender_id: Uuid,
    /// The tender's title.
    pub title: String,
    /// The name of the organisation.
    pub organization: String,
    /// The step.
    pub kind: DeadlineKind,
    /// When.
    pub at: Moment,
    /// Whether the notice states the hour.
    pub has_hour: bool,
    /// Whether the field was read with doubt.
    pub is_doubtful: bool,
    /// Where, if the notice states it.
    pub place: Option<String>,
    /// Whether the tender was cancelled or withdrawn.
    pub is_cancelled: bool,
    /// The bid on the user's board. `None`: the tender is only saved.
    pub bid: Option<(Uuid, BidStage)>,
    /// The number of the tender's current revision.
    pub revision: i64,
    /// When the revision was written.
    pub revised_at: Timestamp,
}

/// The deadlines of a user's bids and saved tenders, in order, without those that the ticks of a bid settle. Of
/// tenders whose details the plan does not include, only the closing and the opening are part of it.
pub async fn entries(
    context: &Context,
    user: &User,
    entitlement: &Entitlement,
) -> Result<Vec<CalendarEntry>, ServiceError> {
    let account = entitlement.board_account(user);
    let tenders = calendar_feeds::tenders(&context.db, account, user.id).await?;
    let mut entries: Vec<CalendarEntry> =
        tenders.into_iter().flat_map(|tender| entries_of(tender, entitlement)).collect();
    entries.sort_by_key(|entry| (entry.at, entry.tender_id, entry.kind));
    Ok(entries)
}

/// The tasks of the user's board that are due on these days and not done, in order.
pub async fn due_tasks(
    context: &Context,
    user: &User,
    entitlement: &Entitlement,
    days: (Day, Day),
) -> Result<Vec<DueTask>, ServiceError> {
    Ok(bids::tasks::due_between(&context.db, entitlement.board_account(user), days).await?)
}

/// The days on which offices are closed, for deadlines from `now` on.
pub async fn office_days(db: impl PgExecutor<'_>, now: Moment) -> Result<OfficeDays, sqlx::Error> {
    Ok(OfficeDays::new(holidays::since(db, deadlines::first_needed_day(now.day())).await?))
}

/// The holidays of a calendar's days.
pub async fn holidays_between(context: &Context, from: Day, to: Day) -> Result<Vec<Holiday>, ServiceError> {
    Ok(holidays::between(&context.db, from, to).await?)
}

fn entries_of(calendar_tender: CalendarTender, entitlement: &Entitlement) -> Vec<CalendarEntry> {
    let CalendarTender { mut tender, publisher_id, revision, revised_at, bid, ticks } = calendar_tender;
    let settled = settled_deadlines(&tender, &ticks);
    if entitlement.stub(&tender, publisher_id).is_some() {
        (tender.document_fee, tender.pre_bid) = (None, None);
    }
    let is_cancelled = matches!(tender.status, TenderStatus::Cancelled | TenderStatus::Withdrawn);
    let place = |kind: DeadlineKind| match kind {
        DeadlineKind::SaleEnds => tender.document_fee.as_ref().and_then(|fee| fee.place.clone()),
        DeadlineKind::PreBid => tender.pre_bid.as_ref().and_then(|meeting| meeting.place.clone()),
        _ => None,
    };
    let entry = |deadline: Deadline| {
        Some(CalendarEntry {
            tender_id: tender.id,
            title: tender.title.clone(),
            organization: tender.organization.name.clone(),
            kind: deadline.kind,
            at: deadline.at?,
            has_hour: deadline.has_hour,
            is_doubtful: deadline.is_doubtful,
            place: place(deadline.kind),
            is_cancelled,
            bid,
            revision,
            revised_at,
        })
    };
    let left = deadlines::deadlines(&tender, &OfficeDays::default());
    left.into_iter().filter(|deadline| !settled.contains(&deadline.kind)).filter_map(entry).collect()
}

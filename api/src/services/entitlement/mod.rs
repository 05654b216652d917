//! What a viewer may do: which tenders to read (by visibility and archive window), how many to open
//! in a period, and which features to use. The plan is read from the database for each request,
//! never from a token.

pub(crate) mod quota_periods;

use crate::{
    app::context::Context,
    domain::{
        error::{Refusal, RefusalCode, ServiceError},
        locked_tender::{Lock as Locked, LockReason, LockedOrganization, LockedTender},
        plan::{Plan, PlanName},
        user::{Role, User},
    },
    storage::{plans as stored_plans, users},
};
use index::{TenderLock, TenderStub, Viewer};
use jiff::{SignedDuration, Timestamp};
use sqlx::{PgConnection, PgExecutor};
use std::collections::HashMap;
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, Visibility},
};
use uuid::Uuid;

/// The number of tenders that a guest may open in a month.
pub const GUEST_DETAIL_QUOTA: i32 = 3;
/// The plan of a user without a subscription.
const FREE: PlanName = PlanName::Free;
/// The lowest plan whose users can read premium tenders.
const PREMIUM_PLAN: PlanName = PlanName::Professional;
/// The plan with an account manager.
const MANAGER_PLAN: PlanName = PlanName::Enterprise;

/// The message for a plan without alerts.
const NO_ALERTS: &str = "You don't have permission to access email alerts. Please ensure you have an active Professional or Enterprise subscription.";

/// Whether a plan includes premium tenders, their documents, and saved tenders.
#[must_use]
pub const fn is_premium(plan: PlanName) -> bool {
    matches!(plan, PlanName::Professional | PlanName::Enterprise)
}

/// Whether a plan includes an account manager.
#[must_use]
pub const fn has_manager(plan: PlanName) -> bool {
    matches!(plan, MANAGER_PLAN)
}

/// The entitlement of a viewer at a moment.
#[derive(Debug, Clone)]
pub struct Entitlement {
    /// The signed-in user. `None`: a guest.
    pub account: Option<Uuid>,
    is_admin: bool,
    /// When the user's subscription began.
    since: Option<Timestamp>,
    held: Plan,
    plans: Vec<Plan>,
    now: Timestamp,
}

impl Entitlement {
    /// The current entitlement of a user, or of a guest.
    pub async fn of_user(user: Option<&User>, context: &Context) -> Result<Self, ServiceError> {
        Self::load(&context.db, user, context.clock.now()).await
    }

    /// Like [`Self::of_user`], read with this connection.
    pub async fn load(
        db: impl PgExecutor<'_>,
        user: Option<&User>,
        now: Timestamp,
    ) -> Result<Self, ServiceError> {
        let plans = stored_plans::all(db).await?;
        let name = user.map_or(FREE, |user| user.plan.name);
        let is_admin = user.is_some_and(|user| user.role == Role::Admin);
        let since = user.and_then(|user| user.plan.since);
        Self::new(plans, (user.map(|user| user.id), is_admin), (name, since), now)
    }

    /// Returns for each of these users the viewer that queries of the index take. Unknown users are
    /// left out.
    pub async fn viewers(
        tx: &mut PgConnection,
        ids: &[Uuid],
        now: Timestamp,
    ) -> Result<HashMap<Uuid, Viewer>, ServiceError> {
        let plans = stored_plans::all(&mut *tx).await?;
        let held = users::held_plans(&mut *tx, ids, now).await?;
        let viewer = |(id, role, plan): (Uuid, Role, PlanName)| {
            let of = (Some(id), role == Role::Admin);
            Ok((id, Self::new(plans.clone(), of, (plan, None), now)?.viewer()))
        };
        held.into_iter().map(viewer).collect()
    }

    fn new(
        plans: Vec<Plan>,
        (account, is_admin): (Option<Uuid>, bool),
        (name, since): (PlanName, Option<Timestamp>),
        now: Timestamp,
    ) -> Result<Self, ServiceError> {
        let find = |name: PlanName| plans.iter().find(|plan| plan.name == name).cloned();
        let held = find(name).or_else(|| find(FREE)).or_else(|| plans.first().cloned());
        let held = held.ok_or_else(|| anyhow::anyhow!("no plan is active"))?;
        Ok(Self { account, is_admin, since, held, plans, now })
    }

    /// The viewer for queries of the index.
    #[must_use]
    pub fn viewer(&self) -> Viewer {
        if self.is_admin {
            return Viewer::Unlimited;
        }
        let visibility = match self.account {
            None => Visibility::Public,
            Some(_) if is_premium(self.held.name) => Visibility::Premium,
            Some(_) => Visibility::Registered,
        };
        Viewer::Limited { visibility, since: self.window(&self.held), account: self.account }
    }

    /// Whether the viewer is a guest, who sees no contact persons and no statistics.
    #[must_use]
    pub const fn is_guest(&self) -> bool {
        self.account.is_none()
    }

    /// Whether the viewer is `owner` or an admin. Such a viewer sees the owner's drafts and
    /// withdrawn tenders and opens the owner's tenders without limit.
    #[must_use]
    pub fn owns(&self, owner: Option<Uuid>) -> bool {
        self.is_admin || (self.account.is_some() && self.account == owner)
    }

    /// The stub of a tender that is locked for this viewer. `None`: the tender is not locked.
    #[must_use]
    pub fn stub(&self, tender: &Tender, owner: Option<Uuid>) -> Option<LockedTender> {
        let lock = self.viewer().lock(tender, owner)?;
        Some(self.locked_tender(TenderStub::of(tender.clone(), lock)))
    }

    /// Adds the lowest plan that may read the tender to its stub.
    #[must_use]
    pub fn locked_tender(&self, stub: TenderStub) -> LockedTender {
        let opens = |plan: &Plan| {
            let is_seen = match stub.visibility {
                Visibility::Public | Visibility::Registered => true,
                Visibility::Premium => is_premium(plan.name),
            };
            let window = self.window(plan).zip(stub.published_at);
            is_seen && window.is_none_or(|(since, published)| published >= since)
        };
        let plan = self.plans.iter().find(|plan| opens(plan)).or_else(|| self.plans.last());
        let reason = match stub.lock {
            TenderLock::Visibility => LockReason::Visibility,
            TenderLock::Archive => LockReason::Archive,
        };
        LockedTender {
            id: stub.id,
            title: stub.title,
            organization: LockedOrganization { name: stub.organization },
            dates: stub.dates,
            category: stub.category,
            field_states: stub.field_states,
            locked: Locked { reason, plan: plan.map_or(FREE, |plan| plan.name) },
        }
    }

    /// How many tenders may be opened (`None`: any number) in this period, and the period's start.
    #[must_use]
    pub fn detail_quota(&self) -> (Option<i32>, Timestamp) {
        let quota = if self.is_guest() { GUEST_DETAIL_QUOTA } else { self.held.max_tender_views };
        (
            Some(quota).filter(|quota| *quota != quota_periods::UNLIMITED),
            quota_periods::period_start(self.since, self.now),
        )
    }

    /// The error if [`Self::detail_quota`] is exhausted.
    #[must_use]
    pub fn detail_quota_exceeded(&self) -> ServiceError {
        let quota = self.detail_quota().0.unwrap_or_default();
        let views = |plan: &Plan| plan.max_tender_views;
        let (plan, message) = if self.is_guest() {
            (
                Some(FREE),
                format!(
                    "You have opened the {quota} tenders that are free each month. Sign up to read more."
                ),
            )
        } else {
            let plan = quota_periods::lowest_plan_with_more(&self.plans, self.held.name, views);
            (plan, format!("You have opened the {quota} tenders that your plan includes this month"))
        };
        ServiceError::Refused(Box::new(Refusal { code: RefusalCode::Quota, plan, message, tender: None }))
    }

    /// Whether the plan includes advanced search.
    #[must_use]
    pub const fn has_advanced_search(&self) -> bool {
        self.is_admin || self.held.advanced_filtering
    }

    /// Refuses advanced search to plans without it.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_advanced_search(&self) -> Result<(), ServiceError> {
        if self.has_advanced_search() {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.advanced_filtering);
        Err(plan_refusal(plan, "Advanced search is part of the Professional and Enterprise plans"))
    }

    /// Refuses the documents of a tender to all but its owner, admins, and users who can read
    /// premium tenders.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_documents(&self, owner: Option<Uuid>) -> Result<(), ServiceError> {
        if self.owns(owner) || (self.account.is_some() && is_premium(self.held.name)) {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.name == PREMIUM_PLAN);
        Err(plan_refusal(plan, "Documents can be downloaded with the Professional and Enterprise plans"))
    }

    /// Refuses saved tenders to plans without premium tenders.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_saved_tenders(&self) -> Result<(), ServiceError> {
        if self.is_admin || (self.account.is_some() && is_premium(self.held.name)) {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.name == PREMIUM_PLAN);
        Err(plan_refusal(plan, "Saved tenders are part of the Professional and Enterprise plans"))
    }

    /// Refuses the calendar feed to plans without premium tenders.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_calendar(&self) -> Result<(), ServiceError> {
        if self.is_admin || (self.account.is_some() && is_premium(self.held.name)) {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.name == PREMIUM_PLAN);
        Err(plan_refusal(plan, "The calendar feed is part of the Professional and Enterprise plans"))
    }

    /// Refuses e-mail alerts to plans without them.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_alerts(&self) -> Result<(), ServiceError> {
        if self.is_admin || self.held.email_alerts {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.email_alerts);
        Err(plan_refusal(plan, NO_ALERTS))
    }

    /// Refuses API keys to plans without them.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_keys(&self) -> Result<(), ServiceError> {
        if self.is_admin || self.held.api_access {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.api_access);
        Err(plan_refusal(plan, "API access is part of the Enterprise plan"))
    }

    /// Refuses alerts by SMS, WhatsApp and webhook to plans without them.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_direct_alerts(&self) -> Result<(), ServiceError> {
        if self.is_admin || self.held.direct_alerts {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.direct_alerts);
        Err(plan_refusal(plan, "SMS, WhatsApp and webhooks are part of the Enterprise plan"))
    }

    /// Refuses reports to plans without them.
    ///
    /// # Errors
    /// 403 names the lowest plan that permits this.
    pub fn permit_reports(&self) -> Result<(), ServiceError> {
        if self.is_admin || self.held.custom_reports {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.custom_reports);
        Err(plan_refusal(plan, "Reports are part of the Enterprise plan"))
    }

    /// Refuses an account manager to all but the highest plan.
    ///
    /// # Errors
    /// 403 names the highest plan.
    pub fn permit_manager(&self) -> Result<(), ServiceError> {
        if self.is_admin || has_manager(self.held.name) {
            return Ok(());
        }
        let plan = self.plans.iter().find(|plan| plan.name == MANAGER_PLAN);
        Err(plan_refusal(plan, "A dedicated account manager is part of the Enterprise plan"))
    }

    /// How many users may share the account.
    ///
    /// # Errors
    /// 403 names the lowest plan with several users.
    pub fn permit_team(&self) -> Result<usize, ServiceError> {
        match usize::try_from(self.held.max_users) {
            Ok(seats) if seats > 1 => Ok(seats),
            _ => {
                let plan = self.plans.iter().find(|plan| plan.max_users > 1);
                Err(plan_refusal(plan, "An account for several users is part of the Enterprise plan"))
            }
        }
    }

    /// How many searches may be saved. `None`: any number.
    #[must_use]
    pub fn saved_search_quota(&self) -> Option<i32> {
        Some(self.held.saved_searches).filter(|quota| !self.is_admin && *quota != quota_periods::UNLIMITED)
    }

    /// The error if [`Self::saved_search_quota`] is exhausted.
    #[must_use]
    pub fn saved_search_quota_exceeded(&self) -> ServiceError {
        let quota = self.held.saved_searches;
        let plan =
            quota_periods::lowest_plan_with_more(&self.plans, self.held.name, |plan| plan.saved_searches);
        let message = format!("You have saved the {quota} searches that your plan includes");
        ServiceError::Refused(Box::new(Refusal { code: RefusalCode::Quota, plan, message, tender: None }))
    }

    /// The account on whose bid board a user works: that of the team's owner while the plan includes a
    /// team, or the user's own.
    #[must_use]
    pub fn board_account(&self, user: &User) -> Uuid {
        if self.shares_board() { user.shared_account() } else { user.id }
    }

    /// Whether the users of a team work on one bid board.
    #[must_use]
    pub const fn shares_board(&self) -> bool {
        self.held.max_users > 1
    }

    /// How many bids may be open on a board. `None`: any number.
    #[must_use]
    pub fn open_bid_quota(&self) -> Option<i32> {
        Some(self.held.max_open_bids).filter(|quota| !self.is_admin && *quota != quota_periods::UNLIMITED)
    }

    /// The error if [`Self::open_bid_quota`] is exhausted.
    #[must_use]
    pub fn open_bid_quota_exceeded(&self) -> ServiceError {
        let quota = self.held.max_open_bids;
        let plan =
            quota_periods::lowest_plan_with_more(&self.plans, self.held.name, |plan| plan.max_open_bids);
        let message = format!("Your board has the {quota} open bids that your plan includes");
        ServiceError::Refused(Box::new(Refusal { code: RefusalCode::Quota, plan, message, tender: None }))
    }

    /// How many bytes the files of a board may have together.
    #[must_use]
    pub fn bid_file_bytes(&self) -> i64 {
        i64::from(self.held.bid_file_mib) << 20
    }

    /// The error if [`Self::bid_file_bytes`] is exhausted.
    #[must_use]
    pub fn bid_file_quota_exceeded(&self) -> ServiceError {
        let size = self.held.bid_file_mib;
        let plan =
            quota_periods::lowest_plan_with_more(&self.plans, self.held.name, |plan| plan.bid_file_mib);
        let message = format!("The files of your bids may have {size} MB together with your plan");
        ServiceError::Refused(Box::new(Refusal { code: RefusalCode::Quota, plan, message, tender: None }))
    }

    /// The start of a plan's archive window. Tenders published earlier are locked.
    fn window(&self, plan: &Plan) -> Option<Moment> {
        let days = plan.archive_days?;
        self.now.checked_sub(SignedDuration::from_hours(24 * i64::from(days))).ok().map(Moment::new)
    }
}

/// The error for a feature that the plan lacks, with the lowest plan that has it.
fn plan_refusal(plan: Option<&Plan>, message: &str) -> ServiceError {
    let plan = plan.map(|plan| plan.name);
    let message = message.to_owned();
    ServiceError::Refused(Box::new(Refusal { code: RefusalCode::Plan, plan, message, tender: None }))
}

impl From<LockedTender> for ServiceError {
    fn from(tender: LockedTender) -> Self {
        let (code, message) = match tender.locked.reason {
            LockReason::Visibility if tender.locked.plan == FREE => {
                (RefusalCode::Visibility, "This tender is for registered users. Sign up to read it.")
            }
            LockReason::Visibility => {
                (RefusalCode::Visibility, "This tender is for Professional and Enterprise subscribers")
            }
            LockReason::Archive => {
                (RefusalCode::Plan, "This tender was published before your plan's archive begins")
            }
        };
        let (message, plan) = (message.to_owned(), Some(tender.locked.plan));
        Self::Refused(Box::new(Refusal { code, plan, message, tender: Some(tender) }))
    }
}

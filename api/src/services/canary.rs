//! Runs of the canary: publishes its tender, watches how far it comes, and tells its state.

use crate::{
    app::context::Context,
    base::config::CanaryAddress,
    domain::{
        alert::{EmailSettings, NewAlert},
        canary::{CanaryRun, CanaryState, CanaryStep},
        plan::PlanName,
        user::{NewUser, Role},
    },
    storage::{alerts, canary, changes, portal_state, subscriptions, users},
};
use anyhow::bail;
use jiff::{SignedDuration, Timestamp};
use sqlx::{PgConnection, Postgres, Transaction};
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::{CANARY_ID, Organization, Tender},
    vocabulary::{Language, MatchType, Moment, TenderStatus, Visibility},
};
use uuid::Uuid;

/// The length of the account's subscription, which is never renewed.
const SUBSCRIPTION_LENGTH: SignedDuration = SignedDuration::from_hours(24 * 365 * 100);
/// How long the alerts of old runs are kept, with their matches and mails.
const ALERT_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 7);
/// How long old runs are kept.
const RUN_LIFETIME: SignedDuration = SignedDuration::from_hours(24 * 90);

/// The address of the canary. `None`: it is off.
pub fn address(context: &Context) -> Option<CanaryAddress> {
    context.config.canary.address(&context.config.mail, context.config.demo)
}

/// The state of the canary. `None`: it is off, or the portal sends nothing.
pub async fn state(context: &Context) -> Result<Option<CanaryState>, sqlx::Error> {
    if address(context).is_none() || portal_state::sending_off(&context.db).await?.is_some() {
        return Ok(None);
    }
    let runs = canary::latest_runs(&context.db, 2).await?;
    Ok(Some(context.config.canary.schedule().state(&runs, context.clock.now())))
}

/// Begins a run: one transaction stores an alert and publishes the tender that it matches. The alert
/// of the run before is deleted.
///
/// # Errors
/// Fails if a user's account has the address of the canary.
pub async fn begin_run(
    context: &Context,
    mut tx: Transaction<'_, Postgres>,
    address: &CanaryAddress,
    last: Option<&CanaryRun>,
) -> anyhow::Result<()> {
    let now = context.clock.now();
    let before = |lifetime: SignedDuration| now.saturating_sub(lifetime);
    canary::delete_old(&mut tx, before(ALERT_LIFETIME)?, before(RUN_LIFETIME)?).await?;
    let owner = ensure_user(context, &mut tx, &address.address, now).await?;
    let mut revisions = Vec::new();
    if let Some(alert) = last.and_then(|last| last.alert_id) {
        revisions.extend(alerts::remove(&mut tx, owner, alert, now).await?);
    }
    let id = context.random.id(&context.clock);
    let alert_id = context.random.id(&context.clock);
    let marker = CanaryRun::marker(id);
    revisions.push(alerts::insert(&mut tx, alert_id, owner, &alert(&marker), now).await?);
    revisions.push(canary::put_tender(&mut tx, &tender(&marker, now), owner, now).await?);
    let run = CanaryRun {
        id,
        alert_id: Some(alert_id),
        expects_arrival: address.comes_back,
        started_at: now,
        indexed_at: None,
        matched_at: None,
        sent_at: None,
        arrived_at: None,
    };
    canary::insert_run(&mut tx, &run).await?;
    changes::commit(tx, &revisions, &context.clock, &context.random).await?;
    tracing::debug!(run = %id, "the canary began a run");
    Ok(())
}

/// Records the steps that a run has passed by now.
pub async fn observe(context: &Context, tx: &mut PgConnection, run: &CanaryRun) -> anyhow::Result<()> {
    if run.indexed_at.is_none() {
        let search_engine = context.search_engine.clone();
        let found = tokio::task::spawn_blocking(move || search_engine.get(CANARY_ID)).await??;
        let marker = CanaryRun::marker(run.id);
        if found.is_some_and(|tender| tender.title.contains(&marker)) {
            canary::record_step(&mut *tx, run.id, CanaryStep::Index, context.clock.now()).await?;
        }
    }
    if let (Some(alert), None) = (run.alert_id, run.sent_at) {
        let (matched_at, sent_at) = canary::matched_and_sent(&mut *tx, alert).await?;
        for (step, at) in [(CanaryStep::Match, matched_at), (CanaryStep::Mail, sent_at)] {
            if let Some(at) = at {
                canary::record_step(&mut *tx, run.id, step, at).await?;
            }
        }
    }
    Ok(())
}

/// The canary's account, with this address. It is created if it does not exist.
async fn ensure_user(
    context: &Context,
    tx: &mut PgConnection,
    address: &str,
    now: Timestamp,
) -> anyhow::Result<Uuid> {
    if let Some(id) = canary::user(&mut *tx).await? {
        if users::by_email(&mut *tx, address, now).await?.is_some_and(|other| other.id != id) {
            bail!(
                "the mail address of the test, {address}, belongs to an account: set CANARY_MAIL to another one"
            );
        }
        canary::set_address(tx, id, address, now).await?;
        return Ok(id);
    }
    let id = context.random.id(&context.clock);
    let user = NewUser {
        email: address,
        password_hash: None,
        first_name: "Canary",
        last_name: "of the portal",
        phone: None,
        company: None,
        role: Role::Supplier,
        language: Language::English,
        email_verified: true,
    };
    if !users::insert(tx, id, &user, now).await? {
        bail!(
            "the mail address of the test, {address}, belongs to an account: set CANARY_MAIL to another one"
        );
    }
    canary::mark_user(tx, id).await?;
    let subscription = context.random.id(&context.clock);
    let end = now.saturating_add(SUBSCRIPTION_LENGTH)?;
    subscriptions::insert_given(tx, subscription, id, PlanName::Professional, now, end).await?;
    Ok(id)
}

/// The alert of a run. Only the tender with the marker matches it.
fn alert(marker: &str) -> NewAlert {
    NewAlert {
        name: "Test of the portal".to_owned(),
        description: None,
        query: AlertQuery {
            keywords: vec![Keyword { term: marker.to_owned(), match_type: MatchType::Exact }],
            ..AlertQuery::default()
        },
        email: EmailSettings::default(),
        channels: Vec::new(),
    }
}

/// The tender of a run.
fn tender(marker: &str, now: Timestamp) -> Tender {
    Tender {
        id: CANARY_ID,
        title: format!("Test of the portal {marker}"),
        description: "This tender does not exist. The portal publishes it to test that mails arrive."
            .to_owned(),
        organization: Organization { name: "Serendib Tenders".to_owned(), ..Organization::default() },
        language: Some(Language::English),
        status: TenderStatus::Published,
        visibility: Visibility::Premium,
        published_at: Some(Moment::new(now)),
        ..Tender::default()
    }
}

//! Composes the weekly summary of new tenders.

use super::composed_message::ComposedMessage;
use crate::{
    app::state::AppState,
    services::{
        calendar,
        entitlement::Entitlement,
        notifications::{
            mail_frame::Envelope,
            weekly_summary::{self, Summary},
        },
    },
    storage::users,
};
use anyhow::Context;
use index::{
    ListingItem, ListingRequest,
    search::{Period, Sort, StatusCard, TenderFilter},
};
use jiff::SignedDuration;
use sqlx::PgConnection;
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The maximum number of tenders in a weekly summary.
const SUMMARY_SIZE: usize = 20;
/// The number of newest open tenders from which a weekly summary selects those that its recipient
/// may see.
const SUMMARY_CANDIDATES: usize = 100;

/// Composes the message. `None` if the user was deleted, or nothing was published in the last week.
pub(super) async fn compose(
    state: &AppState,
    tx: &mut PgConnection,
    user_id: Uuid,
    envelope: &Envelope<'_>,
) -> anyhow::Result<ComposedMessage> {
    let now = envelope.now;
    let Some(user) = users::by_id(&mut *tx, user_id, state.clock.now()).await? else { return Ok(None) };
    let entitlement =
        Entitlement::load(&mut *tx, Some(&user), state.clock.now()).await.context("reading the plans")?;
    let week_ago = now.timestamp().checked_sub(SignedDuration::from_hours(24 * 7)).ok().map(Moment::new);
    let newest = ListingRequest {
        viewer: entitlement.viewer(),
        sort: Sort::Newest,
        limit: SUMMARY_CANDIDATES,
        // Only open tenders.
        filter: TenderFilter { statuses: vec![StatusCard::Live], ..TenderFilter::default() },
        ..ListingRequest::default()
    };
    let published = Period { from: week_ago, until: None };
    let of_week = ListingRequest {
        filter: TenderFilter { published, ..TenderFilter::default() },
        limit: 1,
        facets: Some(0),
        ..newest.clone()
    };
    let search_engine = state.search_engine.clone();
    let found = tokio::task::spawn_blocking(move || {
        anyhow::Ok((search_engine.listing(&newest, now)?, search_engine.listing(&of_week, now)?))
    });
    let (newest, of_week) = found.await.context("searching the newest tenders")??;
    let newest: Vec<_> =
        newest.tenders.into_iter().filter_map(ListingItem::into_tender).take(SUMMARY_SIZE).collect();
    if newest.is_empty() || of_week.total == 0 {
        return Ok(None);
    }
    let sectors = of_week.facets.map(|facets| facets.sectors).unwrap_or_default();
    let summary = Summary { published: of_week.total, sectors, newest };
    let offices = calendar::office_days(&mut *tx, now).await?;
    let envelope = &Envelope { offices: Some(&offices), ..envelope.clone() };
    Ok(Some(weekly_summary::compose(envelope, &summary).map_err(Into::into)))
}

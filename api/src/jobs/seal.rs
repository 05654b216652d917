//! Seals messages whose time has come: what they say, where they go and under which identity is fixed and committed before anything
//! leaves. Whether a reader gets one at all is decided here, by what they have chosen and what their plan has at this moment.

use super::monthly_report;
use crate::{
    channels::{Direct, Name, payload},
    db::{
        collected::{self, Due, Gathered, Kind},
        deliveries, users,
    },
    entitlement::Entitlement,
    mail::{
        brief,
        compose::{self, Envelope},
        digest::{self, Excerpts},
        excerpt::excerpt_of,
        news::News,
        summary::{self, Summary},
    },
    schedule::Frequency,
    state::AppState,
};
use anyhow::Context;
use index::{
    Listed, ListingRequest,
    search::{Only, Period, Sort, TenderFilter},
    vocabulary::Moment,
};
use jiff::SignedDuration;
use sqlx::PgConnection;
use uuid::Uuid;

/// Tenders of a summary.
const NEWEST: usize = 20;
/// Of the newest tenders, those among which a summary looks for what its reader may open.
const LOOKED_AT: usize = 100;

/// Seals every open message that is due. Answers how many.
///
/// # Errors
/// When the database or the index fails.
pub(super) async fn due(state: &AppState) -> anyhow::Result<usize> {
    let mut sealed = 0;
    loop {
        let now = state.clock.now();
        let mut tx = state.db.begin().await?;
        let Some(due) = collected::take_due(&mut tx, now).await? else { return Ok(sealed) };
        let gathered = match due.kind {
            Kind::Alerts => collected::gather_alerts(&mut tx, &due, now).await?,
            Kind::Saved | Kind::Summary | Kind::Report => collected::gather_own(&mut tx, &due, now).await?,
        };
        match gathered {
            Gathered::Goes { id, address } => seal(state, &mut tx, &due, id, &address).await?,
            Gathered::Gone => {}
            // The next round finds it.
            Gathered::Busy => return Ok(sealed),
        }
        tx.commit().await?;
        sealed += 1;
    }
}

async fn seal(
    state: &AppState,
    tx: &mut PgConnection,
    due: &Due,
    id: Uuid,
    address: &str,
) -> anyhow::Result<()> {
    let now = state.clock.now();
    let base_url = state.config.base_url();
    let message_id = match due.channel {
        Name::Email => compose::message_id(id, &base_url),
        Name::Direct(_) => id.simple().to_string(),
    };
    let envelope = Envelope {
        from: &state.sender,
        to: address,
        first_name: &due.first_name,
        language: due.language,
        base_url: &base_url,
        unsubscribe: &state.unsubscribe.link(id),
        message_id: &message_id,
        now: Moment::new(now),
    };
    let written = match due.kind {
        Kind::Alerts => {
            let items = collected::items_of_alerts(&mut *tx, id).await?;
            let news = News::of(items, envelope.now);
            match due.channel {
                Name::Email => tell(tx, &envelope, &news, due.frequency != Frequency::Immediate).await?,
                Name::Direct(channel) => tell_directly(channel, id, &envelope, &news),
            }
        }
        Kind::Saved => {
            let items = collected::items_of_saved(&mut *tx, id).await?;
            tell(tx, &envelope, &News::of(items, envelope.now), false).await?
        }
        Kind::Summary => summarise(state, tx, due.user_id, &envelope).await?,
        Kind::Report => monthly_report::write(state, tx, (id, due.user_id), &envelope).await?,
    };
    match written {
        None => deliveries::drop_empty(tx, id).await?,
        Some(Ok(content)) => deliveries::seal(tx, id, &message_id, &content, now).await?,
        Some(Err(error)) => {
            // It must not hold up the others; who looks into dead messages finds it.
            tracing::error!(delivery = %id, error = format!("{error:#}"), "a message can't be put together");
            deliveries::abandon(tx, id, &error.to_string()).await?;
        }
    }
    Ok(())
}

/// A message, or why it can't be put together; `None`: it would have nothing to say.
pub(super) type Written = Option<anyhow::Result<Vec<u8>>>;

async fn tell(
    tx: &mut PgConnection,
    envelope: &Envelope<'_>,
    news: &News,
    is_digest: bool,
) -> Result<Written, sqlx::Error> {
    if news.is_empty() {
        return Ok(None);
    }
    let texts = collected::found_texts(tx, &news.shown()).await?;
    let excerpts: Excerpts = texts
        .into_iter()
        .filter_map(|found| Some(((found.alert_id, found.tender_id), excerpt_of(&found.text, &found.why)?)))
        .collect();
    Ok(Some(digest::mail(envelope, news, &excerpts, is_digest).map_err(Into::into)))
}

fn tell_directly(channel: Direct, id: Uuid, envelope: &Envelope<'_>, news: &News) -> Written {
    if news.is_empty() {
        return None;
    }
    Some(match channel {
        Direct::Sms | Direct::Whatsapp => {
            Ok(brief::text(news, envelope.words(), envelope.base_url, envelope.now).into_bytes())
        }
        Direct::Webhook => {
            payload::of_news(news, id, envelope.base_url, envelope.now).context("writing JSON")
        }
    })
}

async fn summarise(
    state: &AppState,
    tx: &mut PgConnection,
    user_id: Uuid,
    envelope: &Envelope<'_>,
) -> anyhow::Result<Written> {
    let now = envelope.now;
    let Some(user) = users::by_id(&mut *tx, user_id, state.clock.now()).await? else { return Ok(None) };
    let entitlement = Entitlement::of_user(Some(&user), state).await.context("reading the plans")?;
    let week_ago = now.timestamp().checked_sub(SignedDuration::from_hours(24 * 7)).ok().map(Moment::new);
    let newest = ListingRequest {
        reader: entitlement.reader(),
        sort: Sort::Newest,
        limit: LOOKED_AT,
        // What can still be bid for.
        filter: TenderFilter { statuses: vec![Only::Live], ..TenderFilter::default() },
        ..ListingRequest::default()
    };
    let published = Period { from: week_ago, until: None };
    let of_week = ListingRequest {
        filter: TenderFilter { published, ..TenderFilter::default() },
        limit: 1,
        facets: Some(0),
        ..newest.clone()
    };
    let catalogue = state.catalogue.clone();
    let found = tokio::task::spawn_blocking(move || {
        anyhow::Ok((catalogue.listing(&newest, now)?, catalogue.listing(&of_week, now)?))
    });
    let (newest, of_week) = found.await.context("looking for the newest tenders")??;
    let newest: Vec<_> = newest.tenders.into_iter().filter_map(Listed::into_tender).take(NEWEST).collect();
    if newest.is_empty() || of_week.total == 0 {
        return Ok(None);
    }
    let sectors = of_week.facets.map(|facets| facets.sectors).unwrap_or_default();
    let summary = Summary { published: of_week.total, sectors, newest };
    Ok(Some(summary::mail(envelope, &summary).map_err(Into::into)))
}

//! Seals due messages of alerts and about saved tenders: fixes and commits content, recipient and
//! message id before sending. The recipient's settings and plan at the time of sealing decide whether
//! a message is sent.

use super::composed_message::ComposedMessage;
use crate::{
    app::{state::AppState, unsubscribe_links::UnsubscribeTarget},
    clients::clip_image,
    domain::{
        channel::{Channel, DirectChannel},
        digest::{DigestItem, DigestKind, DueDigest, FoundText},
        frequency::Frequency,
    },
    services::{
        calendar,
        entitlement::Entitlement,
        notifications::{
            clip_crop::ClipPictures,
            digest::{self, Excerpts},
            excerpt::excerpt_of_text,
            mail_frame::{self, Envelope},
            news::{News, NewsOccasion},
            text_message, webhook_payload,
        },
    },
    storage::{
        self, companies, deliveries,
        digest_queue::{
            self,
            due::{self, GatheredMessage},
            items,
        },
    },
};
use anyhow::Context;
use jiff::Timestamp;
use sqlx::PgConnection;
use std::{collections::HashMap, io};
use tender_model::vocabulary::Moment;
use tokio::runtime::Handle;
use uuid::Uuid;

/// For each alert and the tender that it matched, the text that the match was found in.
type FoundTexts = HashMap<(Uuid, Uuid), FoundText>;

/// The maximum number of messages in one transaction.
const BATCH_SIZE: i64 = 100;

/// Seals up to [`BATCH_SIZE`] messages in one transaction. Returns the number of processed
/// messages.
pub(super) async fn seal_batch(state: &AppState) -> anyhow::Result<usize> {
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await?;
    storage::disable_seq_scans(&mut tx).await?;
    let due = due::lock_due(&mut tx, now, BATCH_SIZE).await?;
    let count = due.len();
    let (of_alerts, saved): (Vec<DueDigest>, Vec<DueDigest>) =
        due.into_iter().partition(|due| due.kind == DigestKind::Alerts);
    let of_alerts = due::gather_alerts(&mut tx, &of_alerts, now).await?;
    let saved = due::gather_user_messages(&mut tx, &saved, now).await?;
    let mut written = Vec::new();
    let items = items::of_alerts(&mut tx, &ids(&of_alerts.to_seal)).await?;
    written.extend(compose_digests(state, &mut tx, of_alerts.to_seal, items, NewsOccasion::Regular).await?);
    let items = items::of_saved(&mut tx, &ids(&saved.to_seal)).await?;
    written.extend(compose_digests(state, &mut tx, saved.to_seal, items, NewsOccasion::Regular).await?);
    store_messages(&mut tx, written, now).await?;
    tx.commit().await?;
    Ok(count - of_alerts.busy - saved.busy)
}

fn ids(gathered: &[GatheredMessage]) -> Vec<Uuid> {
    gathered.iter().map(|gathered| gathered.due.id).collect()
}

/// Stores the composed messages as sealed, and drops empty messages. A message that can't be
/// composed becomes dead, so that it does not block the others.
pub(super) async fn store_messages(
    tx: &mut PgConnection,
    written: Vec<(Uuid, String, ComposedMessage)>,
    now: Timestamp,
) -> Result<(), sqlx::Error> {
    let (mut fixed, mut empty) = (Vec::new(), Vec::new());
    for (id, message_id, written) in written {
        match written {
            None => empty.push(id),
            Some(Ok(content)) => fixed.push(deliveries::SealedContent { id, message_id, content }),
            Some(Err(error)) => {
                tracing::error!(delivery = %id, error = format!("{error:#}"), "a message can't be composed");
                deliveries::abandon(tx, id, &error.to_string()).await?;
            }
        }
    }
    deliveries::drop_empty(tx, &empty).await?;
    deliveries::seal(tx, fixed, now).await
}

/// The portal's URL, the unsubscribe link, the message id and the time, for composing a message.
pub(super) struct SealingContext {
    base_url: String,
    unsubscribe: String,
    pub(super) message_id: String,
    now: Moment,
}

impl SealingContext {
    pub(super) fn of(state: &AppState, gathered: &GatheredMessage) -> Self {
        let (id, base_url) = (gathered.due.id, state.config.base_url());
        Self {
            message_id: match gathered.due.channel {
                Channel::Email => mail_frame::message_id(id, &base_url),
                Channel::Direct(_) => id.simple().to_string(),
            },
            unsubscribe: state.unsubscribe.link(UnsubscribeTarget::Delivery(id)),
            base_url,
            now: state.clock.moment(),
        }
    }

    pub(super) fn envelope<'a>(&'a self, state: &'a AppState, gathered: &'a GatheredMessage) -> Envelope<'a> {
        Envelope {
            from: &state.sender,
            to: &gathered.address,
            first_name: &gathered.due.first_name,
            language: gathered.due.language,
            base_url: &self.base_url,
            unsubscribe: &self.unsubscribe,
            message_id: &self.message_id,
            now: self.now,
            company: None,
            offices: None,
        }
    }
}

/// Composes and seals mails about a batch that was withdrawn or restored. Their messages are open,
/// and have their items.
pub(in crate::jobs) async fn seal_batch_news(
    state: &AppState,
    tx: &mut PgConnection,
    gathered: Vec<GatheredMessage>,
    occasion: NewsOccasion,
) -> anyhow::Result<()> {
    let ids = ids(&gathered);
    let mut items = items::of_alerts(tx, &ids).await?;
    for (delivery, saved) in items::of_saved(tx, &ids).await? {
        items.entry(delivery).or_default().extend(saved);
    }
    let written = compose_digests(state, tx, gathered, items, occasion).await?;
    store_messages(tx, written, state.clock.now()).await?;
    digest_queue::mark_saved(tx, &ids).await?;
    Ok(())
}

/// Composes digests and messages about saved tenders from their items, outside the async threads.
async fn compose_digests(
    state: &AppState,
    tx: &mut PgConnection,
    gathered: Vec<GatheredMessage>,
    mut items: HashMap<Uuid, Vec<DigestItem>>,
    occasion: NewsOccasion,
) -> anyhow::Result<Vec<(Uuid, String, ComposedMessage)>> {
    let now = state.clock.moment();
    let news = gathered.into_iter().map(|gathered| {
        let items = items.remove(&gathered.due.id).unwrap_or_default();
        (gathered, News { occasion, ..News::of(items, now) })
    });
    let news: Vec<(GatheredMessage, News)> = news.collect();
    let mailed = news.iter().filter(|(gathered, _)| gathered.due.channel == Channel::Email);
    let shown = mailed.flat_map(|(_, news)| news.shown_matches()).collect();
    let texts = items::found_texts(tx, &shown).await?;
    let with_clips =
        news.iter().filter(|(gathered, news)| gathered.due.channel == Channel::Email && news.shows_clips());
    let recipients: Vec<Uuid> = with_clips.map(|(gathered, _)| gathered.due.user_id).collect();
    let viewers = if recipients.is_empty() {
        HashMap::new()
    } else {
        Entitlement::viewers(tx, &recipients, state.clock.now()).await.context("reading the plans")?
    };
    let mailed = news.iter().filter(|(gathered, _)| gathered.due.channel == Channel::Email);
    let readers: Vec<Uuid> = mailed.map(|(gathered, _)| gathered.due.user_id).collect();
    let companies = companies::of_users(&mut *tx, &readers).await?;
    let offices = calendar::office_days(&mut *tx, now).await?;
    let own = state.clone();
    let written = tokio::task::spawn_blocking(move || {
        let (files, runtime) = (own.files.clone(), Handle::current());
        let mut pictures = ClipPictures::new(move |hash| {
            let clip = runtime.block_on(clip_image::read(&files, hash)).map_err(io::Error::other)?;
            clip.ok_or_else(|| io::ErrorKind::NotFound.into())
        });
        let compose_one = |(gathered, mut news): (GatheredMessage, News)| {
            // A recipient who may not open a tender must not see its clip.
            let viewer = viewers.get(&gathered.due.user_id);
            news.hide_clips(|tender| viewer.is_none_or(|viewer| viewer.lock(tender, None).is_some()));
            let context = SealingContext::of(&own, &gathered);
            let company = companies.get(&gathered.due.user_id).filter(|company| !company.is_empty());
            let envelope = Envelope { company, offices: Some(&offices), ..context.envelope(&own, &gathered) };
            let written = compose(&gathered, &envelope, &news, &texts, &mut pictures);
            (gathered.due.id, context.message_id, written)
        };
        news.into_iter().map(compose_one).collect()
    });
    written.await.context("composing messages")
}

fn compose(
    gathered: &GatheredMessage,
    envelope: &Envelope<'_>,
    news: &News,
    texts: &FoundTexts,
    pictures: &mut ClipPictures,
) -> ComposedMessage {
    if news.is_empty() {
        return None;
    }
    Some(match gathered.due.channel {
        Channel::Email => {
            let excerpt = |of: (Uuid, Uuid)| {
                let found = texts.get(&of)?;
                Some((of, excerpt_of_text(&found.text, &found.why)?))
            };
            let excerpts: Excerpts = news.shown_matches().into_iter().filter_map(excerpt).collect();
            let is_digest = gathered.due.kind == DigestKind::Alerts
                && gathered.due.frequency != Some(Frequency::Immediate);
            digest::compose(envelope, news, &excerpts, pictures, is_digest).map_err(Into::into)
        }
        Channel::Direct(DirectChannel::Sms | DirectChannel::Whatsapp) => {
            Ok(text_message::compose(news, envelope.words(), envelope.base_url, envelope.now).into_bytes())
        }
        Channel::Direct(DirectChannel::Webhook) => {
            webhook_payload::of_news(news, gathered.due.id, envelope.base_url, envelope.now)
                .context("writing JSON")
        }
    })
}

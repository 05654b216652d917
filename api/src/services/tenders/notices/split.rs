//! Splits a notice whose clip contains several notices. Each part gets the part of the clip and of
//! the words, and waits for review.

use super::{relation::NoticeOutcome, store::store_notice};
use crate::{
    app::context::Context,
    clients::{
        clip_image,
        file_store::{self, FileName},
    },
    domain::{
        clip::MediaType,
        error::{FieldError, ServiceError},
        notice::{Notice, NoticeStanding},
    },
    services::notifications::clip_crop,
    storage::{
        clips::{self, Clip},
        notices, review_queue,
    },
};
use anyhow::Context as _;
use jiff::Timestamp;
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use std::ops::RangeInclusive;
use tender_model::{
    deduplication::Doubt,
    notice_words::NoticeWords,
    tender::{FieldState, FieldStates, PageBox, Source, Tender},
};
use uuid::Uuid;

/// The number of parts.
const PARTS: RangeInclusive<usize> = 2..=12;
/// The smallest width and height of a part, as fractions of the page.
const MIN_SIDE: f64 = 0.005;
/// The fields that differ between the parts of a notice. They are read again by the reviewer.
const OWN_FIELDS: [&str; 2] = ["title", "referenceNo"];

/// A part of a notice, whose clip is stored.
pub(super) struct Part {
    notice: Notice,
    words: NoticeWords,
    clip: Clip,
}

/// Cuts a notice into parts, and stores their clips.
///
/// # Errors
/// 422 if an area is not on the clip or the number of areas is wrong.
pub(super) async fn parts(
    context: &Context,
    whole: &Notice,
    words: &NoticeWords,
    areas: &[PageBox],
) -> Result<Vec<Part>, ServiceError> {
    if !PARTS.contains(&areas.len()) {
        return Err(invalid("areas", "A notice can be split into 2 to 12 parts"));
    }
    let source = whole.record.sources.first().cloned().unwrap_or_default();
    let areas: Vec<PageBox> = areas
        .iter()
        .map(|area| intersection(*area, source.area))
        .collect::<Option<_>>()
        .ok_or_else(|| invalid("areas", "A part is not on the clip, or too small"))?;
    let clip = clip_image::read(&context.files, &whole.clip_hash).await?.context("a clip is missing")?;
    let (clip_area, cropped) = (source.area, areas.clone());
    let crops = tokio::task::spawn_blocking(move || clip_crop::cut(clip, clip_area, &cropped));
    let crops = crops.await.context("cutting a clip")?.context("cutting a clip")?;
    let now = context.clock.now();
    let mut parts = Vec::with_capacity(areas.len());
    for (area, bytes) in areas.into_iter().zip(crops) {
        let hash = file_store::hash(&bytes);
        let words = words.within(area);
        let clip = Clip {
            media_type: MediaType::Jpeg.as_str().to_owned(),
            size: i32::try_from(bytes.len()).map_err(anyhow::Error::from)?,
            hash: hash.clone(),
        };
        context.files.put_missing(&FileName::clip(&hash, MediaType::Jpeg), bytes).await?;
        let key = Sha256::digest(format!("{}|{area:.4?}", whole.key).as_bytes());
        let notice = Notice {
            key: key.iter().take(16).map(|byte| format!("{byte:02x}")).collect(),
            standing: NoticeStanding::Review { doubt: Doubt::Part, candidates: Vec::new() },
            record: part_record(&whole.record, &source, area, &words, &hash),
            content_hash: Sha256::new()
                .chain_update(&hash)
                .chain_update(&whole.content_hash)
                .finalize()
                .to_vec(),
            clip_hash: hash,
            received_at: now,
            decided_at: now,
            by_operator: false,
            reviewed_at: None,
        };
        parts.push(Part { notice, words, clip });
    }
    Ok(parts)
}

/// The fields of a part: what its words state alone is unknown, and what it shares with the whole
/// notice is doubtful.
fn part_record(whole: &Tender, source: &Source, area: PageBox, words: &NoticeWords, hash: &str) -> Tender {
    let mut record = whole.clone();
    record.title.clear();
    record.description.clear();
    record.reference_no = None;
    record.lots.clear();
    record.full_text_markdown = words.text();
    record.sources = vec![Source { area, clip_url: Some(format!("/api/clips/{hash}")), ..source.clone() }];
    let is_own = |path: &String| OWN_FIELDS.contains(&path.as_str());
    record.confidence.retain(|path, _| !is_own(path));
    record.evidence.retain(|path, _| !is_own(path));
    record.other_readings.retain(|path, _| !is_own(path));
    for evidence in record.evidence.values_mut() {
        // The words of a shared field may be on another part.
        evidence.area = evidence.area.filter(|words| has_centre(area, *words));
    }
    let mut states: FieldStates =
        record.confidence.keys().map(|path| (path.clone(), FieldState::Doubtful)).collect();
    states.extend(OWN_FIELDS.map(|path| (path.to_owned(), FieldState::NotRead)));
    record.field_states = Some(states);
    record.needs_review = true;
    record
}

/// Stores a part. A part that exists already, because an earlier split was undone, is stored again.
pub(super) async fn store_part(
    context: &Context,
    tx: &mut PgConnection,
    whole: &str,
    part: Part,
) -> Result<(), ServiceError> {
    clips::store(&mut *tx, &part.clip, context.clock.now()).await?;
    let outcome = NoticeOutcome::As(part.notice.standing.clone());
    let stored = store_notice(context, tx, part.notice, None, outcome).await?;
    notices::store_words(&mut *tx, &stored.notice.key, &part.words).await?;
    notices::store_part_of(tx, &stored.notice.key, whole).await?;
    Ok(())
}

/// Removes the parts of a notice, because its split is undone.
///
/// # Errors
/// 409 if a part was decided, or another reviewer holds it.
pub(super) async fn remove_parts(
    tx: &mut PgConnection,
    whole: &str,
    holder: Uuid,
    now: Timestamp,
) -> Result<(), ServiceError> {
    for part in notices::parts_of(&mut *tx, whole).await? {
        let item = review_queue::lock(&mut *tx, &part).await?;
        let is_free = item.is_some_and(|item| !item.is_held_from(Some(holder), now));
        if !is_free || !notices::delete_waiting(&mut *tx, &part).await? {
            return Err(ServiceError::Conflict(
                "A part of the notice was decided already, or is open".into(),
            ));
        }
    }
    Ok(())
}

/// Whether the centre of a box lies in an area.
fn has_centre([left, top, width, height]: PageBox, [x, y, w, h]: PageBox) -> bool {
    (left..=left + width).contains(&(x + w / 2.0)) && (top..=top + height).contains(&(y + h / 2.0))
}

/// The common area of two boxes. `None`: it is too small.
fn intersection(a: PageBox, b: PageBox) -> Option<PageBox> {
    let from = [a[0].max(b[0]), a[1].max(b[1])];
    let to = [(a[0] + a[2]).min(b[0] + b[2]), (a[1] + a[3]).min(b[1] + b[3])];
    let (width, height) = (to[0] - from[0], to[1] - from[1]);
    // A comparison with NaN is false.
    (width >= MIN_SIDE && height >= MIN_SIDE).then_some([from[0], from[1], width, height])
}

pub(super) fn invalid(field: &str, message: &str) -> ServiceError {
    ServiceError::Invalid(vec![FieldError::new(field, message)])
}

//! The decisions of reviewers. A decision, its effect on tenders, its entry in the audit log and the
//! end of the review are one transaction. The last decision can be undone.

use super::claims::{NoticeForReview, claim_end, holder, load, lock_item, required_holder, version};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::ServiceError,
        notice::{Notice, NoticeStanding},
        review::{NoticeState, ReviewDecision, ReviewDecisionKind, ReviewReason, RevisionChange},
        tender::CurrentTender,
    },
    services::tenders::notices::{
        learn,
        relation::{NoticeOutcome, decide_outcome},
        split::{self, invalid},
        store::store_notice,
    },
    storage::{self, audit_log, notices, review_decisions, review_queue, tenders},
};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};
use sqlx::PgConnection;
use tender_model::{
    deduplication::{Doubt, Role},
    fields::{self, with_field},
    publish_receipt::Receipt,
    tender::{PageBox, Tender},
    vocabulary::{District, Moment},
};
use uuid::Uuid;

/// How long a decision can be undone.
const UNDO_PERIOD: SignedDuration = SignedDuration::from_hours(12);
/// The maximum number of edited fields in one decision.
const MAX_EDITS: usize = 50;
/// The longest typed value of a field, in characters.
const MAX_VALUE_CHARS: usize = 5_000;
/// The longest title, in characters.
const MAX_TITLE_CHARS: usize = 1_000;
/// The longest reason for a rejection, in characters.
const MAX_REASON_CHARS: usize = 500;
/// The longest value in the audit log, in characters.
const MAX_AUDIT_CHARS: usize = 200;

const DECIDED: &str = "This notice is not waiting for review: it has been decided already";

/// What a reviewer decides.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// Every field is right.
    Accept,
    /// The notice is a new tender.
    Tender,
    /// The notice joins this tender in this role.
    Joins(Uuid, Role),
    /// The notice is not published.
    Reject {
        /// Why.
        reason: Option<String>,
        /// Whether the text is no tender notice.
        is_no_notice: bool,
    },
    /// The clip contains several notices, in these areas of the page.
    Split(Vec<PageBox>),
}

impl Verdict {
    const fn kind(&self) -> ReviewDecisionKind {
        match self {
            Self::Accept => ReviewDecisionKind::Accept,
            Self::Tender => ReviewDecisionKind::Tender,
            Self::Joins(_, Role::Correction) => ReviewDecisionKind::Correction,
            Self::Joins(_, Role::Original | Role::Source) => ReviewDecisionKind::Source,
            Self::Reject { .. } => ReviewDecisionKind::Reject,
            Self::Split(_) => ReviewDecisionKind::Split,
        }
    }
}

/// A decision with the corrected fields.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewForm {
    /// The decision.
    pub verdict: Verdict,
    /// The corrected fields: the path and the value as typed. An empty value clears the field.
    pub edits: Vec<(String, String)>,
    /// The version that the reviewer saw. `None`: any.
    pub version: Option<String>,
}

/// Applies a decision to a notice in the queue.
///
/// # Errors
/// 404 if the notice or the tender does not exist. 409 if the notice is not in the queue, has
/// changed since the reviewer saw it, or is held by another reviewer. 422 if a field is invalid, or
/// the decision does not fit the notice.
pub async fn decide(
    context: &Context,
    actor: &Actor,
    key: &str,
    form: ReviewForm,
) -> Result<Receipt, ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    notices::lock(&mut tx).await?;
    let known = notices::get(&mut *tx, key).await?.ok_or(ServiceError::NotFound("Notice"))?;
    let item = lock_item(&mut tx, key, holder(actor), now)
        .await?
        .ok_or_else(|| ServiceError::Conflict(DECIDED.into()))?;
    if let Some(seen) = &form.version {
        let mistakes = review_queue::mistakes(&mut *tx, key).await?;
        if *seen != version(&known, &mistakes) {
            return Err(ServiceError::Conflict("The notice has changed. Look at it again".into()));
        }
    }
    let record = apply_edits(&known.record, &form.edits)?;
    let (outcome, is_checked) = match &form.verdict {
        Verdict::Reject { reason, .. } => {
            check_reason(reason.as_deref())?;
            (NoticeOutcome::As(NoticeStanding::Rejected), false)
        }
        Verdict::Split(areas) => {
            let words = notices::words(&mut *tx, key).await?.unwrap_or_default();
            for part in split::parts(context, &known, &words, areas).await? {
                split::store_part(context, &mut tx, key, part).await?;
            }
            (NoticeOutcome::As(NoticeStanding::Rejected), false)
        }
        Verdict::Accept => (accepted(context, &mut tx, &known, &record).await?, true),
        Verdict::Tender => (NoticeOutcome::New, true),
        Verdict::Joins(tender_id, role) => {
            if known.standing.tender_id() == Some(*tender_id) {
                return Err(invalid("tender", "The notice already belongs to this tender"));
            }
            let tender = tenders::current(&mut *tx, *tender_id).await?;
            tender
                .filter(|current| current.tender.status.is_public())
                .ok_or(ServiceError::NotFound("Tender"))?;
            (NoticeOutcome::As(NoticeStanding::Joined { tender_id: *tender_id, role: *role }), true)
        }
    };
    if matches!(form.verdict, Verdict::Tender) && known.standing.tender_id().is_some() {
        return Err(invalid("decision", "The notice is a tender already"));
    }
    let mut notice =
        Notice { by_operator: decides_standing(&form.verdict, &known), decided_at: now, ..known.clone() };
    if is_checked {
        notice.record = record;
        check_publishable(&notice.record)?;
        notice.record.mark_all_certain();
        // The confidence of the title decides which print's text the tender shows.
        notice.record.confidence.insert("title".to_owned(), 1.0);
        notice.reviewed_at = Some(now);
    }
    let changes = audited_changes(&known.record, &notice.record);
    let owned_before = match &outcome {
        NoticeOutcome::As(NoticeStanding::Joined { tender_id, .. }) => {
            owned_tender(&mut tx, *tender_id).await?
        }
        _ => None,
    };
    review_queue::remove(&mut tx, key).await?;
    let stored = store_notice(context, &mut tx, notice, Some(&known), outcome).await?;
    let (reject_reason, is_no_notice) = match &form.verdict {
        Verdict::Reject { reason, is_no_notice } => (reason.clone(), *is_no_notice),
        _ => (None, false),
    };
    let owned_after = match &owned_before {
        Some(before) => owned_tender(&mut tx, before.tender.id).await?,
        None => None,
    };
    let decision = ReviewDecision {
        id: context.random.id(&context.clock),
        key: key.to_owned(),
        at: now,
        actor_id: holder(actor),
        kind: form.verdict.kind(),
        reject_reason,
        is_sample: item.reason == ReviewReason::Sample,
        is_no_notice,
        created_tender: stored.created,
        owned_tender: owned_before
            .zip(owned_after)
            .map(|(before, after)| RevisionChange { before: before.revision, after: after.revision }),
        before: NoticeState::of(&known),
        after: NoticeState::of(&stored.notice),
    };
    let work = match actor.identity {
        ActorIdentity::User(reviewer) => {
            item.work(reviewer, review_decisions::last_at(&mut tx, reviewer).await?, now)
        }
        ActorIdentity::Token(_) | ActorIdentity::CommandLine(_) => None,
    };
    review_decisions::insert(&mut tx, &decision, work).await?;
    learn::from_decision(context, &mut tx, &decision).await?;
    let entry = NewAuditEntry {
        actor,
        action: AuditAction::DecideReview,
        subject: AuditSubject::Notice,
        subject_id: key,
        before: changes.as_ref().map(|(before, _)| before.clone()),
        after: Some(audited_decision(&decision, stored.receipt.id, changes.map(|(_, after)| after))),
    };
    audit_log::insert(&mut *tx, &entry, now).await?;
    stored.commit(context, tx).await
}

/// Undoes the last decision of a reviewer, and gives the notice back to the reviewer. `expected` is
/// the notice that the reviewer thinks the decision was about.
///
/// # Errors
/// 404 if there is nothing to undo. 409 if the last decision was about another notice, the notice or
/// its tender has changed since, or another reviewer holds the notice.
pub async fn undo(
    context: &Context,
    actor: &Actor,
    expected: Option<&str>,
) -> Result<NoticeForReview, ServiceError> {
    let (holder, now) = (required_holder(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    notices::lock(&mut tx).await?;
    let since = now.checked_sub(UNDO_PERIOD).unwrap_or(Timestamp::MIN);
    let decision = review_decisions::lock_last(&mut tx, holder, since)
        .await?
        .ok_or(ServiceError::NotFound("Decision"))?;
    if expected.is_some_and(|expected| expected != decision.key) {
        return Err(ServiceError::Conflict("Your last decision was about another notice".into()));
    }
    let known = notices::get(&mut *tx, &decision.key).await?.ok_or(ServiceError::NotFound("Notice"))?;
    lock_item(&mut tx, &decision.key, Some(holder), now).await?;
    if NoticeState::of(&known) != decision.after {
        return Err(ServiceError::Conflict("The notice has changed since this decision".into()));
    }
    let owned_before = owned_tender_before(&mut tx, &decision).await?;
    if decision.kind == ReviewDecisionKind::Split {
        split::remove_parts(&mut tx, &known.key, holder, now).await?;
    }
    let standing = decision.before.standing.clone();
    let outcome = NoticeOutcome::Restored(standing);
    let notice = decision.before.clone().applied_to(known.clone());
    // The decision must be marked first, because its tender may be needed again.
    review_decisions::mark_undone(&mut tx, decision.id, now).await?;
    learn::forget(&mut tx, &decision).await?;
    let mut stored = store_notice(context, &mut tx, notice, Some(&known), outcome).await?;
    if let Some(tender) = owned_before {
        stored.revert(&mut tx, &tender, now).await?;
    }
    // The notice comes back to the queue, also if another print has settled its doubts meanwhile.
    review_queue::put_back(&mut tx, &decision.key, holder, now, claim_end(now)).await?;
    let entry = NewAuditEntry {
        actor,
        action: AuditAction::UndoReview,
        subject: AuditSubject::Notice,
        subject_id: &decision.key,
        before: Some(audited_decision(&decision, decision.after.standing.tender_id(), None)),
        after: None,
    };
    audit_log::insert(&mut *tx, &entry, now).await?;
    let item = review_queue::lock(&mut tx, &decision.key).await?.ok_or(ServiceError::NotFound("Notice"))?;
    let found = load(&mut tx, item).await?.ok_or(ServiceError::NotFound("Notice"))?;
    stored.commit(context, tx).await?;
    Ok(found)
}

/// A tender if a supplier published it.
async fn owned_tender(tx: &mut PgConnection, id: Uuid) -> Result<Option<CurrentTender>, ServiceError> {
    Ok(tenders::current(tx, id).await?.filter(|current| current.owner_id.is_some()))
}

/// The tender of a supplier as it was before a notice joined it. What a notice adds to such a tender
/// cannot be subtracted, so the earlier revision comes back. `None`: the decision changed no such
/// tender.
///
/// # Errors
/// 409 if the tender has changed since the decision.
async fn owned_tender_before(
    tx: &mut PgConnection,
    decision: &ReviewDecision,
) -> Result<Option<Tender>, ServiceError> {
    let joined = decision.after.standing.tender_id();
    let Some(id) = joined.filter(|_| joined != decision.before.standing.tender_id()) else { return Ok(None) };
    tenders::lock(&mut *tx, id).await?;
    let Some(current) = owned_tender(&mut *tx, id).await? else { return Ok(None) };
    let Some(change) = decision.owned_tender.filter(|change| change.after == current.revision) else {
        return Err(ServiceError::Conflict("The supplier's tender has changed since this decision".into()));
    };
    if change.before == change.after {
        return Ok(None);
    }
    Ok(tenders::revision(tx, id, change.before).await?)
}

/// The outcome of a notice whose fields are all right. The rules decide about the tender of a
/// notice that was not published. Only the reviewer can decide which tender a doubtful notice
/// belongs to.
async fn accepted(
    context: &Context,
    tx: &mut PgConnection,
    known: &Notice,
    record: &Tender,
) -> Result<NoticeOutcome, ServiceError> {
    let doubt = match &known.standing {
        NoticeStanding::Review { doubt, .. } => *doubt,
        standing => return Ok(NoticeOutcome::As(standing.clone())),
    };
    match doubt {
        Doubt::PossiblyNoNotice | Doubt::DoubtfulFields | Doubt::Part => {
            let mut certain = record.clone();
            certain.mark_all_certain();
            decide_outcome(context, tx, &known.key, &certain, Some(known), None).await
        }
        Doubt::PossiblePrint | Doubt::NoTender | Doubt::Ambiguous | Doubt::NoClearChange | Doubt::Owned => {
            Err(invalid(
                "decision",
                "Choose the tender that the notice belongs to, or publish it as a new tender",
            ))
        }
    }
}

/// Whether a person has decided the standing of the notice after this decision.
const fn decides_standing(verdict: &Verdict, known: &Notice) -> bool {
    match verdict {
        Verdict::Accept => known.by_operator,
        Verdict::Tender | Verdict::Joins(..) | Verdict::Reject { .. } | Verdict::Split(_) => true,
    }
}

fn apply_edits(record: &Tender, edits: &[(String, String)]) -> Result<Tender, ServiceError> {
    if edits.len() > MAX_EDITS {
        return Err(invalid("fields", "Too many fields were changed at once"));
    }
    let mut edited = record.clone();
    for (field, value) in edits {
        if value.chars().count() > MAX_VALUE_CHARS || value.contains('\0') {
            return Err(invalid(
                field,
                "The value is too long, or contains a character that cannot be stored",
            ));
        }
        let (changed, path) = with_field(&edited, field, value).map_err(|error| match error {
            fields::FieldError::Unknown(_) => invalid(field, "There is no such field"),
            fields::FieldError::Value { .. } => invalid(field, "This is not a value for the field"),
        })?;
        edited = changed;
        edited.mark_certain(&path);
        if path == "location.district" {
            edited.location.province = edited.location.district.map(District::province);
        }
    }
    Ok(edited)
}

/// Checks that a notice with these fields can be published.
fn check_publishable(tender: &Tender) -> Result<(), ServiceError> {
    let title = tender.title.trim();
    if title.is_empty() {
        return Err(invalid("title", "The notice needs a title"));
    }
    if title.chars().count() > MAX_TITLE_CHARS || title.contains(char::is_control) {
        return Err(invalid("title", "The title is too long, or has line breaks"));
    }
    let printed = tender.dates.published.map(Moment::day);
    let printed = printed.or_else(|| tender.sources.first().and_then(|source| source.date));
    if tender.dates.closing.zip(printed).is_some_and(|(closing, printed)| closing.day() < printed) {
        let message =
            "The closing is before the day of the newspaper. If it is printed so, leave the field empty";
        return Err(invalid("dates.closing", message));
    }
    Ok(())
}

fn check_reason(reason: Option<&str>) -> Result<(), ServiceError> {
    let is_valid = reason.is_none_or(|reason| {
        let count = reason.chars().count();
        count > 0 && count <= MAX_REASON_CHARS && !reason.contains('\0')
    });
    if is_valid {
        Ok(())
    } else {
        Err(invalid("reason", "The reason is empty or longer than 500 characters"))
    }
}

/// The old and new values of the fields that a reviewer changed, shortened. `None`: no field was
/// changed.
fn audited_changes(before: &Tender, after: &Tender) -> Option<(Value, Value)> {
    let paths = fields::changed_paths(before, after);
    let values = |tender: &Tender| {
        let json = serde_json::to_value(tender).unwrap_or_default();
        let short = |path: &String| {
            let value = match fields::json_at(&json, path) {
                Value::String(text) => Value::from(text.chars().take(MAX_AUDIT_CHARS).collect::<String>()),
                other if other.to_string().len() <= MAX_AUDIT_CHARS => other.clone(),
                _ => Value::from("…"),
            };
            (path.clone(), value)
        };
        Value::Object(paths.iter().map(short).collect())
    };
    (!paths.is_empty()).then(|| (values(before), values(after)))
}

fn audited_decision(decision: &ReviewDecision, tender: Option<Uuid>, fields: Option<Value>) -> Value {
    let mut after = Map::new();
    after.insert("decision".to_owned(), json!(decision.kind));
    if let Some(tender) = tender {
        after.insert("tender".to_owned(), json!(tender));
    }
    if let Some(reason) = &decision.reject_reason {
        after.insert("reason".to_owned(), json!(reason));
    }
    if let Some(Value::Object(fields)) = fields {
        after.extend(fields);
    }
    Value::Object(after)
}

//! What people decide about rectangles of newspaper pages: a drawn rectangle is read as a notice, and
//! a dismissed one is no notice. Each decision, its effect on notices and tenders, and its entry in
//! the audit log are one transaction. A later reading of the page respects the decisions.

use super::store::{reject_notices, restore_notices};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction, AuditSubject, NewAuditEntry},
        error::{FieldError, ServiceError},
        newspaper_page::{Dismissal, MAX_BOXES, MIN_BOX_SIDE, PageBlock, PageMark},
        notice::{Notice, NoticeStanding},
        review::NoticeState,
    },
    storage::{
        self, audit_log,
        changes::{self, NewRevision},
        newspaper_pages::{self, LockedPage},
        notices, page_boxes, tenders,
    },
};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::{PgConnection, Postgres, Transaction};
use tender_model::{
    page_reading::{BlockOutcome, BoxDecision, DecidedBox, is_same_box},
    tender::PageBox,
};
use uuid::Uuid;

const UNKNOWN_PAGE: ServiceError = ServiceError::NotFound("Page");
/// How far a rectangle may differ from that of a block because of rounding.
const TOLERANCE: f64 = 1e-6;

/// Records that a rectangle of a page is a notice, and lets the page be read again. Returns the id of
/// the decision.
///
/// # Errors
/// 404 for an unknown page. 422 if the rectangle is not on the page, or too small. A conflict if the
/// portal has no file or picture of the page, or a notice or a drawn rectangle is at this place.
pub async fn draw(
    context: &Context,
    actor: &Actor,
    page_id: Uuid,
    area: PageBox,
) -> Result<Uuid, ServiceError> {
    let (by, now) = (holder(actor)?, context.clock.now());
    let area = check_area(area)?;
    let mut tx = storage::begin(&context.db).await?;
    let page = newspaper_pages::lock(&mut tx, page_id, now).await?.ok_or(UNKNOWN_PAGE)?;
    if !page.is_stored {
        return Err(ServiceError::Conflict(
            "The portal does not have the file of this page. Upload the file to read it again".into(),
        ));
    }
    let found = newspaper_pages::find(&mut *tx, page_id, now).await?.ok_or(UNKNOWN_PAGE)?;
    if found.picture.is_none() {
        return Err(ServiceError::Conflict("This page was not read yet".into()));
    }
    let marks = marks_to_extend(&mut tx, page_id).await?;
    if has_box(&marks, BoxDecision::Notice, area) {
        return Err(ServiceError::Conflict("There is a drawn box at this place. Remove it first".into()));
    }
    let blocks = newspaper_pages::blocks::of_page(&mut *tx, page_id).await?;
    let is_notice = |block: &PageBlock| block.tender_id.is_some() || block.outcome == BlockOutcome::Waits;
    if blocks.iter().any(|block| is_notice(block) && is_same_box(block.area, area)) {
        return Err(ServiceError::Conflict(
            "A notice was read at this place. Dismiss its box before you draw another one".into(),
        ));
    }
    let id = context.random.id(&context.clock);
    let decided = DecidedBox { area, decision: BoxDecision::Notice };
    page_boxes::insert(&mut tx, (id, page_id), &decided, None, (by, now)).await?;
    newspaper_pages::wait_again(&mut tx, page_id, now).await?;
    record(&mut tx, actor, AuditAction::DrawBox, page_id, (None, Some(json!({"box": area}))), now).await?;
    tx.commit().await?;
    Ok(id)
}

/// Records that the block in a rectangle of a page is no notice. Its notice is rejected. Returns the
/// id of the decision.
///
/// # Errors
/// 404 for an unknown page. A conflict if no block has this rectangle now, or a decided rectangle is at
/// this place.
pub async fn dismiss(
    context: &Context,
    actor: &Actor,
    page_id: Uuid,
    area: PageBox,
) -> Result<Uuid, ServiceError> {
    let (by, now) = (holder(actor)?, context.clock.now());
    let mut tx = storage::begin(&context.db).await?;
    notices::lock(&mut tx).await?;
    newspaper_pages::lock(&mut tx, page_id, now).await?.ok_or(UNKNOWN_PAGE)?;
    let is_block =
        |block: &PageBlock| block.area.iter().zip(area).all(|(one, other)| (one - other).abs() < TOLERANCE);
    let block = newspaper_pages::blocks::of_page(&mut *tx, page_id).await?.into_iter().find(is_block);
    let block = block.ok_or_else(|| {
        ServiceError::Conflict("The page has been read again in the meantime. Look at it again".into())
    })?;
    let marks = marks_to_extend(&mut tx, page_id).await?;
    if marks.iter().any(|mark| is_same_box(mark.decided.area, block.area)) {
        return Err(ServiceError::Conflict(
            "There is a drawn or dismissed box at this place. Undo it first".into(),
        ));
    }
    let (dismissal, revision) = match &block.notice_key {
        Some(key) => reject(context, &mut tx, key).await?,
        None => (None, None),
    };
    let id = context.random.id(&context.clock);
    let decided = DecidedBox { area: block.area, decision: BoxDecision::Dismissed };
    page_boxes::insert(&mut tx, (id, page_id), &decided, dismissal.as_ref(), (by, now)).await?;
    let after = json!({"box": block.area, "notice": dismissal.map(|dismissal| dismissal.key)});
    record(&mut tx, actor, AuditAction::DismissBox, page_id, (None, Some(after)), now).await?;
    commit(context, tx, &Vec::from_iter(revision)).await?;
    Ok(id)
}

/// Undoes a decision. The notice of a dismissed rectangle gets back its standing. The notice of a drawn
/// rectangle is rejected. The page is read again if its last reading has respected the decision.
///
/// # Errors
/// 404 for an unknown page or decision. A conflict if a drawn rectangle is at the place of a dismissed
/// one.
pub async fn undo(context: &Context, actor: &Actor, page_id: Uuid, id: Uuid) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    notices::lock(&mut tx).await?;
    let page = newspaper_pages::lock(&mut tx, page_id, now).await?.ok_or(UNKNOWN_PAGE)?;
    let marks = page_boxes::of_page(&mut *tx, page_id).await?;
    let mark = marks.iter().find(|mark| mark.id == id).ok_or(ServiceError::NotFound("Box"))?;
    if mark.decided.decision == BoxDecision::Dismissed
        && has_box(&marks, BoxDecision::Notice, mark.decided.area)
    {
        return Err(ServiceError::Conflict("There is a drawn box at this place. Remove it first".into()));
    }
    let mut revisions = Vec::new();
    match (mark.decided.decision, &mark.dismissal) {
        (BoxDecision::Dismissed, Some(dismissal)) => {
            revisions = restore(context, &mut tx, dismissal).await?;
        }
        (BoxDecision::Dismissed, None) => {}
        (BoxDecision::Notice, _) => {
            let blocks = newspaper_pages::blocks::of_page(&mut *tx, page_id).await?;
            let read = blocks.into_iter().find(|block| is_same_box(block.area, mark.decided.area));
            if let (true, Some(key)) =
                (has_read_since(&mut tx, page_id, mark, now).await?, read.and_then(|block| block.notice_key))
            {
                revisions.extend(reject(context, &mut tx, &key).await?.1);
            }
        }
    }
    reread(&mut tx, page_id, page, mark, now).await?;
    page_boxes::delete(&mut tx, id).await?;
    let before = json!({"box": mark.decided.area, "decision": mark.decided.decision});
    record(&mut tx, actor, AuditAction::UndoBox, page_id, (Some(before), None), now).await?;
    commit(context, tx, &revisions).await
}

/// Rejects a notice unless it is rejected. Returns what can bring it back.
async fn reject(
    context: &Context,
    tx: &mut PgConnection,
    key: &str,
) -> Result<(Option<Dismissal>, Option<NewRevision>), ServiceError> {
    let known = notices::get(&mut *tx, key).await?;
    let Some(known) = known.filter(|known| known.standing != NoticeStanding::Rejected) else {
        return Ok((None, None));
    };
    let (before, tender_id) = (NoticeState::of(&known), known.standing.tender_id());
    let was_public = is_public(tx, tender_id).await?;
    let revision = reject_notices(context, tx, tender_id, vec![known]).await?;
    let has_withdrawn = was_public && !is_public(tx, tender_id).await?;
    Ok((Some(Dismissal { key: key.to_owned(), before, has_withdrawn }), revision))
}

/// Gives the notice of a dismissal back its standing, unless somebody has decided otherwise.
async fn restore(
    context: &Context,
    tx: &mut PgConnection,
    dismissal: &Dismissal,
) -> Result<Vec<NewRevision>, ServiceError> {
    let known = notices::get(&mut *tx, &dismissal.key).await?;
    let Some(known) = known.filter(|known: &Notice| known.standing == NoticeStanding::Rejected) else {
        return Ok(Vec::new());
    };
    let (before, tender_id) = (dismissal.before.clone(), dismissal.before.standing.tender_id());
    restore_notices(context, tx, tender_id, vec![(known, before)], dismissal.has_withdrawn).await
}

/// Lets the page be read again if its last reading has respected the decision, or is under way.
async fn reread(
    tx: &mut PgConnection,
    page_id: Uuid,
    page: LockedPage,
    mark: &PageMark,
    now: Timestamp,
) -> Result<(), ServiceError> {
    let is_respected =
        mark.decided.decision == BoxDecision::Notice || has_read_since(tx, page_id, mark, now).await?;
    if page.is_stored && is_respected {
        newspaper_pages::wait_again(tx, page_id, now).await?;
    }
    Ok(())
}

/// Whether the page was read after a decision.
async fn has_read_since(
    tx: &mut PgConnection,
    page_id: Uuid,
    mark: &PageMark,
    now: Timestamp,
) -> Result<bool, ServiceError> {
    let page = newspaper_pages::find(tx, page_id, now).await?.ok_or(UNKNOWN_PAGE)?;
    Ok(page.read_at.is_some_and(|read_at| read_at > mark.at))
}

async fn is_public(tx: &mut PgConnection, tender_id: Option<Uuid>) -> Result<bool, ServiceError> {
    let Some(tender_id) = tender_id else { return Ok(false) };
    Ok(tenders::current(tx, tender_id).await?.is_some_and(|current| current.tender.status.is_public()))
}

/// The rectangle, rounded as `ingest` rounds those of blocks.
fn check_area(area: PageBox) -> Result<PageBox, ServiceError> {
    let [x, y, width, height] = area.map(|part| (part * 10_000.0).round() / 10_000.0);
    let is_on_page = x >= 0.0 && y >= 0.0 && x + width <= 1.0 + TOLERANCE && y + height <= 1.0 + TOLERANCE;
    if is_on_page && width >= MIN_BOX_SIDE && height >= MIN_BOX_SIDE {
        Ok([x, y, width, height])
    } else {
        let message = "The box is not on the page, or too small".to_owned();
        Err(ServiceError::Invalid(vec![FieldError::new("box", message)]))
    }
}

/// The decisions about a page, to which one can be added.
async fn marks_to_extend(tx: &mut PgConnection, page_id: Uuid) -> Result<Vec<PageMark>, ServiceError> {
    let marks = page_boxes::of_page(tx, page_id).await?;
    if marks.len() >= MAX_BOXES {
        return Err(ServiceError::Conflict(format!(
            "A page has at most {MAX_BOXES} drawn and dismissed boxes"
        )));
    }
    Ok(marks)
}

fn has_box(marks: &[PageMark], decision: BoxDecision, area: PageBox) -> bool {
    marks.iter().any(|mark| mark.decided.decision == decision && is_same_box(mark.decided.area, area))
}

const fn holder(actor: &Actor) -> Result<Uuid, ServiceError> {
    match actor.identity {
        ActorIdentity::User(id) | ActorIdentity::Token(id) => Ok(id),
        ActorIdentity::CommandLine(_) => {
            Err(ServiceError::Forbidden("Only a reviewer or an administrator may do this"))
        }
    }
}

async fn commit(
    context: &Context,
    tx: Transaction<'static, Postgres>,
    revisions: &[NewRevision],
) -> Result<(), ServiceError> {
    if revisions.is_empty() {
        tx.commit().await?;
    } else {
        changes::commit(tx, revisions, &context.clock, &context.random).await?;
    }
    Ok(())
}

async fn record(
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    page_id: Uuid,
    (before, after): (Option<Value>, Option<Value>),
    now: Timestamp,
) -> Result<(), ServiceError> {
    let subject_id = page_id.to_string();
    let subject = AuditSubject::Page;
    let entry = NewAuditEntry { actor, action, subject, subject_id: &subject_id, before, after };
    audit_log::insert(tx, &entry, now).await?;
    Ok(())
}

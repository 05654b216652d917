//! Creating, editing, withdrawing and deleting tenders by their publishers. Each change is one
//! transaction. A tender counts against the quota of the period in which it is first published. The
//! tenders of a new publisher wait for a check by an administrator (`super::moderation`). Such a
//! tender is stored as a draft, so nobody but its owner and administrators sees it.

use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, ActorIdentity, AuditAction},
        error::{FieldError, Refusal, RefusalCode, ServiceError},
        tender::CurrentTender,
        user::{Role, User},
    },
    services::{
        entitlement::quota_periods,
        tenders::{
            edit_audit,
            form::{TenderForm, can_change_status, missing_fields},
        },
    },
    storage::{
        self,
        changes::{self, NewRevision},
        moderation, plans as stored_plans,
        stored_today::{self, StoredToday},
        tenders, users,
    },
};
use jiff::SignedDuration;
use serde_json::Value;
use sqlx::{Postgres, Transaction};
use std::{net::IpAddr, time::Duration};
use tender_model::{
    deduplication::OWNER,
    tender::{FieldChange, Tender},
    vocabulary::{Day, Moment, OrganizationType, TenderStatus},
};
use uuid::Uuid;

/// The maximum time that a response waits until the index shows the saved tender.
pub(super) const INDEX_WAIT: Duration = Duration::from_secs(2);

/// For this long after the publication, added documents are not recorded as changes. The web form
/// sends the tender first and then its files one by one.
const INITIAL_UPLOAD_WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// The maximum number of tenders of one publisher that wait for a check.
const MAX_HELD: i64 = 20;
/// The maximum number of drafts of one user.
const MAX_DRAFTS: i64 = 200;
/// The maximum number of drafts that one user can create on one day.
const MAX_DRAFTS_PER_DAY: i32 = 50;

/// A user who changes a tender.
#[derive(Debug, Clone, Copy)]
pub struct Editor<'a> {
    /// The user.
    pub user: &'a User,
    /// The IP address of the request, for the audit log.
    pub address: IpAddr,
}

impl Editor<'_> {
    /// The user as an actor of the audit log.
    pub(super) const fn actor(&self) -> Actor {
        Actor { identity: ActorIdentity::User(self.user.id), address: Some(self.address) }
    }
}

/// The result of [`create`].
#[derive(Debug, Clone, PartialEq)]
pub struct SavedTender {
    /// The tender.
    pub tender: Tender,
    /// Whether this call created it.
    pub is_new: bool,
}

/// Creates a draft or a published tender. The tender of a new publisher waits for a check instead
/// of being published. A repeated submission returns the tender that the first submission created.
///
/// # Errors
/// 403 if the role does not permit it, the quota is used up or the address is not confirmed. 409 if
/// too many tenders of the owner wait for a check, or the owner has too many drafts. 422 for invalid
/// or missing fields. On an error, nothing is stored.
pub async fn create(
    context: &Context,
    owner: &User,
    form: TenderForm,
    submission: Option<Uuid>,
) -> Result<SavedTender, ServiceError> {
    if !owner.role.may_publish() {
        return Err(ServiceError::Forbidden("Only suppliers can publish tenders"));
    }
    let now = context.clock.now();
    let base = default_tender(owner, Moment::new(now));
    let status = form.status(base.status).map_err(ServiceError::Invalid)?;
    let (mut tender, input) = read_form(form, &base, status, None)?;
    if tender.organization.name.is_empty() {
        tender.organization.name.clone_from(&base.organization.name);
    }
    let publishes = tender.status == TenderStatus::Published;
    match tender.status {
        TenderStatus::Draft => {}
        TenderStatus::Published => {
            require_complete(&tender, None, now)?;
            require_confirmed_address(owner)?;
        }
        _ => {
            let message = "A new tender is a draft or published";
            return Err(ServiceError::Invalid(vec![FieldError::new("status", message)]));
        }
    }
    let mut tx = storage::begin(&context.db).await?;
    // Submissions of an owner run one at a time, so a repeated one finds the tender that the first
    // one created.
    users::lock(&mut tx, owner.id).await?;
    if let Some(submission) = submission
        && let Some(id) = tenders::of_submission(&mut *tx, owner.id, submission).await?
    {
        let made = tenders::current(&mut *tx, id).await?.ok_or(ServiceError::NotFound("Tender"))?;
        return Ok(SavedTender { tender: made.tender, is_new: false });
    }
    let is_held = publishes && must_wait(context, &mut tx, owner).await?;
    if publishes {
        check_quota(&mut tx, owner, now).await?;
    }
    if is_held {
        check_held_limit(&mut tx, owner).await?;
        tender.status = TenderStatus::Draft;
    } else if !publishes {
        check_draft_limits(context, &mut tx, owner).await?;
    } else {
        tender.published_at = Some(Moment::new(now));
        moderation::approve_publisher(&mut tx, owner.id, now).await?;
    }
    tender.id = context.random.id(&context.clock);
    let revision = tenders::insert_submitted(&mut tx, &tender, Some(owner.id), submission, now).await?;
    if is_held {
        moderation::hold(&mut tx, tender.id, now).await?;
    }
    if input.is_some() {
        tenders::set_draft_input(&mut tx, tender.id, input.as_ref()).await?;
    }
    commit(context, tx, &[revision]).await?;
    Ok(SavedTender { tender, is_new: true })
}

/// Edits a tender or changes its status. Edits after the publication are recorded and shown. A
/// tender that waits for a check keeps waiting, and stays complete, until its owner saves it as a
/// draft. An administrator who edits it does not publish it.
///
/// # Errors
/// 404 if the caller may not see the tender. 403 if the tender belongs to another user, the quota
/// is used up or the caller's address is not confirmed. 409 if the tender's status does not permit
/// the change, or too many tenders of the owner wait for a check. 422 for invalid or missing
/// fields. On an error, nothing is changed.
pub async fn update(
    context: &Context,
    editor: Editor<'_>,
    id: Uuid,
    form: TenderForm,
) -> Result<Tender, ServiceError> {
    let now = context.clock.now();
    let caller = editor.user;
    let (mut tx, CurrentTender { tender: before, owner_id, .. }) =
        lock_own_tender(context, caller, id).await?;
    let is_owner = owner_id == Some(caller.id);
    let was_held = moderation::is_held(&mut *tx, id).await?;
    let submitted_status = if was_held { TenderStatus::Published } else { before.status };
    let mut status = form.status(submitted_status).map_err(ServiceError::Invalid)?;
    if was_held && !is_owner {
        status = submitted_status;
    }
    let typed_before = match before.status {
        TenderStatus::Draft => tenders::draft_input(&mut *tx, id).await?,
        _ => None,
    };
    let (mut tender, input) = read_form(form, &before, status, typed_before.as_ref())?;
    tender.status = status;
    if !can_change_status(before.status, tender.status) {
        let message = format!("A {} tender cannot become {}", before.status, tender.status);
        return Err(ServiceError::Conflict(message));
    }
    if before.status == TenderStatus::Withdrawn {
        return Err(ServiceError::Conflict("A withdrawn tender cannot be edited".into()));
    }
    if tender.status == TenderStatus::Published {
        let closing = before.dates.closing.filter(|_| before.status == TenderStatus::Published);
        require_complete(&tender, closing, now)?;
        require_confirmed_address(caller)?;
    }
    let publishes = before.status == TenderStatus::Draft && tender.status == TenderStatus::Published;
    let mut is_held = false;
    if publishes {
        users::lock(&mut tx, caller.id).await?;
        is_held = if is_owner { must_wait(context, &mut tx, caller).await? } else { was_held };
        if !was_held {
            check_quota(&mut tx, caller, now).await?;
        }
    }
    if is_held {
        tender.status = TenderStatus::Draft;
    }
    if input != typed_before && tender.status == TenderStatus::Draft {
        tenders::set_draft_input(&mut tx, id, input.as_ref()).await?;
    }
    match (was_held, is_held) {
        (false, true) => {
            check_held_limit(&mut tx, caller).await?;
            moderation::hold(&mut tx, id, now).await?;
        }
        (true, false) => moderation::release(&mut tx, id, None).await?,
        _ => {}
    }
    if tender == before {
        commit(context, tx, &[]).await?;
        return Ok(tender);
    }
    if publishes && !is_held {
        tender.published_at = Some(Moment::new(now));
        if let Some(owner) = owner_id {
            moderation::approve_publisher(&mut tx, owner, now).await?;
        }
    }
    save_edit(context, tx, editor, (&before, owner_id), tender).await
}

/// Deletes a draft, or withdraws a published tender. Returns whether the tender was deleted.
pub async fn delete(context: &Context, editor: Editor<'_>, id: Uuid) -> Result<bool, ServiceError> {
    let (mut tx, CurrentTender { tender: before, owner_id, .. }) =
        lock_own_tender(context, editor.user, id).await?;
    if before.status == TenderStatus::Draft {
        if owner_id != Some(editor.user.id) {
            let values = edit_audit::summary(&before);
            let (actor, at) = (editor.actor(), context.clock.now());
            edit_audit::record(&mut tx, &actor, AuditAction::DeleteTender, id, (Some(values), None), at)
                .await?;
        }
        tenders::delete(&mut tx, id).await?;
        commit(context, tx, &[]).await?;
        return Ok(true);
    }
    if before.status == TenderStatus::Withdrawn {
        return Ok(false);
    }
    if !can_change_status(before.status, TenderStatus::Withdrawn) {
        let message = format!("A {} tender stays for its readers and cannot be withdrawn", before.status);
        return Err(ServiceError::Conflict(message));
    }
    let tender = Tender { status: TenderStatus::Withdrawn, ..before.clone() };
    save_edit(context, tx, editor, (&before, owner_id), tender).await?;
    Ok(false)
}

/// Applies a form to `base`. A draft takes the valid fields. If other fields are invalid, the input
/// as typed is returned too, to be stored with the draft. `typed_before` is the input stored
/// before.
fn read_form(
    form: TenderForm,
    base: &Tender,
    status: TenderStatus,
    typed_before: Option<&Value>,
) -> Result<(Tender, Option<Value>), ServiceError> {
    let form = form.merge_draft(typed_before)?;
    if status != TenderStatus::Draft {
        return form.apply(base).map(|tender| (tender, None)).map_err(ServiceError::Invalid);
    }
    let typed = form.to_draft_input()?;
    let (tender, errors) = form.read(base);
    // Postgres cannot store NUL characters.
    if typed.to_string().contains("\\u0000") {
        return Err(ServiceError::Invalid(errors));
    }
    Ok((tender, (!errors.is_empty()).then_some(typed)))
}

/// The errors that publishing a draft would report: invalid fields first, then missing ones.
/// `input` is the input stored with the draft.
pub fn publishing_errors(
    draft: &Tender,
    input: Option<&Value>,
    today: Day,
) -> Result<Vec<FieldError>, ServiceError> {
    let form = TenderForm::default().merge_draft(input)?;
    let (tender, mut errors) = form.read(draft);
    for missing in missing_fields(&tender, None, today) {
        if !errors.iter().any(|error| error.field == missing.field) {
            errors.push(missing);
        }
    }
    Ok(errors)
}

/// The defaults of a new tender of this publisher.
fn default_tender(owner: &User, now: Moment) -> Tender {
    let mut tender = Tender::default();
    tender.organization.name = owner.company.clone().unwrap_or_default();
    tender.organization.kind = Some(OrganizationType::Private);
    let person = &mut tender.organization.contact_person;
    person.name = Some(format!("{} {}", owner.first_name, owner.last_name).trim().to_owned());
    person.email = Some(owner.email.clone());
    person.phone.clone_from(&owner.phone);
    tender.dates.published = Moment::start_of(now.day());
    tender
}

fn require_complete(
    tender: &Tender,
    closing_before: Option<Moment>,
    now: jiff::Timestamp,
) -> Result<(), ServiceError> {
    let missing = missing_fields(tender, closing_before, Moment::new(now).day());
    if missing.is_empty() { Ok(()) } else { Err(ServiceError::Invalid(missing)) }
}

/// Refuses publishers whose address is not confirmed, because they must be reachable by mail.
fn require_confirmed_address(caller: &User) -> Result<(), ServiceError> {
    if caller.email_verified {
        return Ok(());
    }
    let message = "Please confirm your email address before you publish. Until then you can save the tender as a draft.";
    Err(Refusal::unverified(message).into())
}

/// Whether a publication of this user waits for a check. The user must be locked in this
/// transaction.
async fn must_wait(
    context: &Context,
    tx: &mut Transaction<'static, Postgres>,
    owner: &User,
) -> Result<bool, ServiceError> {
    if !context.config.holds_first_publication() || owner.role == Role::Admin {
        return Ok(false);
    }
    Ok(!moderation::is_approved_publisher(&mut **tx, owner.id).await?)
}

/// Refuses a tender if many tenders of its owner wait for a check already. The owner must be locked
/// in this transaction.
async fn check_held_limit(tx: &mut Transaction<'static, Postgres>, owner: &User) -> Result<(), ServiceError> {
    if moderation::count_held_of(&mut **tx, owner.id).await? < MAX_HELD {
        return Ok(());
    }
    let message = format!("{MAX_HELD} of your tenders wait for a check by the portal. Please wait for it");
    Err(ServiceError::Conflict(message))
}

/// Counts a new draft, and refuses it if its owner has many drafts already or has created many today.
/// The owner must be locked in this transaction.
async fn check_draft_limits(
    context: &Context,
    tx: &mut Transaction<'static, Postgres>,
    owner: &User,
) -> Result<(), ServiceError> {
    if owner.role == Role::Admin {
        return Ok(());
    }
    let one = StoredToday { drafts: 1, documents: 0 };
    if stored_today::add(tx, owner.id, context.clock.moment().day(), one).await?.drafts > MAX_DRAFTS_PER_DAY {
        let message =
            format!("You can create at most {MAX_DRAFTS_PER_DAY} drafts a day. Please go on tomorrow");
        return Err(ServiceError::Conflict(message));
    }
    if tenders::count_drafts_of(&mut **tx, owner.id).await? >= MAX_DRAFTS {
        let message =
            format!("You can have at most {MAX_DRAFTS} drafts. Please publish or delete some first");
        return Err(ServiceError::Conflict(message));
    }
    Ok(())
}

/// Begins a transaction and locks a tender that the caller may change.
pub(super) async fn lock_own_tender(
    context: &Context,
    caller: &User,
    id: Uuid,
) -> Result<(Transaction<'static, Postgres>, CurrentTender), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    tenders::lock(&mut tx, id).await?;
    let found = tenders::current(&mut *tx, id).await?.ok_or(ServiceError::NotFound("Tender"))?;
    let is_theirs = caller.role == Role::Admin || found.owner_id == Some(caller.id);
    match (is_theirs, found.tender.status.is_public()) {
        (true, _) => Ok((tx, found)),
        (false, true) => Err(ServiceError::Forbidden("Only its publisher can change a tender")),
        (false, false) => Err(ServiceError::NotFound("Tender")),
    }
}

/// Checks that the owner's quota permits one more publication in this period. The owner must be
/// locked in this transaction.
async fn check_quota(
    tx: &mut Transaction<'static, Postgres>,
    owner: &User,
    now: jiff::Timestamp,
) -> Result<(), ServiceError> {
    let quota = owner.plan.max_tender_uploads;
    let since = quota_periods::period_start(owner.plan.since, now);
    let used = tenders::count_submitted_since(&mut **tx, owner.id, since).await?;
    if owner.role == Role::Admin || quota_periods::is_within(quota, used) {
        return Ok(());
    }
    let all = stored_plans::all(&mut **tx).await?;
    let plan = quota_periods::lowest_plan_with_more(&all, owner.plan.name, |plan| plan.max_tender_uploads);
    Err(ServiceError::Refused(Box::new(Refusal {
        code: RefusalCode::Quota,
        plan,
        message: format!("You have published the {quota} tenders that your plan includes this month"),
        tender: None,
    })))
}

/// Stores an edit. After the publication, the tender also records the changed values. An edit by
/// anybody but the owner is recorded in the audit log.
pub(super) async fn save_edit(
    context: &Context,
    mut tx: Transaction<'static, Postgres>,
    editor: Editor<'_>,
    (before, owner_id): (&Tender, Option<Uuid>),
    mut tender: Tender,
) -> Result<Tender, ServiceError> {
    let now = context.clock.now();
    if owner_id != Some(editor.user.id) {
        let (old, new) = edit_audit::changed_values(before, &tender);
        let (actor, values) = (editor.actor(), (Some(old), Some(new)));
        edit_audit::record(&mut tx, &actor, AuditAction::EditTender, tender.id, values, now).await?;
    }
    if before.status != TenderStatus::Draft {
        record_changes(before, &mut tender, Moment::new(now));
    }
    let revision = tenders::revise(&mut tx, &tender, now).await?.ok_or(ServiceError::NotFound("Tender"))?;
    commit(context, tx, &[revision]).await?;
    Ok(tender)
}

/// Records the publisher's changes in the tender. A changed field becomes certain and loses its
/// evidence, because it is no longer read from a page.
fn record_changes(before: &Tender, tender: &mut Tender, at: Moment) {
    let json = |tender: &Tender| serde_json::to_value(tender).unwrap_or_default();
    let (old, new) = (json(before), json(tender));
    let value = |json: &serde_json::Value, field: &str| {
        json.pointer(&format!("/{}", field.replace('.', "/"))).cloned().unwrap_or_default()
    };
    let mut fields = tender_model::fields::changed_paths(before, tender);
    fields.extend(["status", "visibility", "documents"].map(str::to_owned));
    for field in fields {
        let (from, to) = (value(&old, &field), value(&new, &field));
        if from == to || (field == "documents" && are_initial_uploads(before, tender, at)) {
            continue;
        }
        tender.mark_certain(&field);
        tender.evidence.remove(&field);
        tender.changes.push(FieldChange { at, field, from, to, source: OWNER.to_owned() });
    }
}

/// Whether documents were only added, and within [`INITIAL_UPLOAD_WINDOW`] after the publication.
fn are_initial_uploads(before: &Tender, tender: &Tender, at: Moment) -> bool {
    let is_soon = before.published_at.is_some_and(|published| {
        at.timestamp().duration_since(published.timestamp()) <= INITIAL_UPLOAD_WINDOW
    });
    is_soon && before.documents.iter().all(|document| tender.documents.contains(document))
}

async fn commit(
    context: &Context,
    tx: Transaction<'static, Postgres>,
    revisions: &[NewRevision],
) -> Result<(), ServiceError> {
    let at = changes::commit(tx, revisions, &context.clock, &context.random).await?;
    // The edit is saved even if the index lags.
    context.progress.wait_until_indexed(at.position, INDEX_WAIT).await;
    Ok(())
}

//! Creating, editing, withdrawing and deleting tenders by their publishers. Each change is one
//! transaction. A tender counts against the quota of the period in which it is first published.

use crate::{
    app::context::Context,
    domain::{
        error::{FieldError, Refusal, RefusalCode, ServiceError},
        user::{Role, User},
    },
    services::{
        entitlement::quota_periods,
        tenders::form::{TenderForm, can_change_status, missing_fields},
    },
    storage::{
        changes::{self, NewRevision},
        plans as stored_plans, tenders, users,
    },
};
use jiff::SignedDuration;
use serde_json::Value;
use sqlx::{Postgres, Transaction};
use std::time::Duration;
use tender_model::{
    deduplication::OWNER,
    tender::{FieldChange, Tender},
    vocabulary::{Day, Moment, OrganizationType, TenderStatus},
};
use uuid::Uuid;

/// The maximum time that a response waits until the index shows the saved tender.
const INDEX_WAIT: Duration = Duration::from_secs(2);

/// For this long after the publication, added documents are not recorded as changes. The web form
/// sends the tender first and then its files one by one.
const INITIAL_UPLOAD_WINDOW: SignedDuration = SignedDuration::from_mins(10);

/// The result of [`create`].
#[derive(Debug, Clone, PartialEq)]
pub struct SavedTender {
    /// The tender.
    pub tender: Tender,
    /// Whether this call created it.
    pub is_new: bool,
}

/// Creates a draft or a published tender. A repeated submission returns the tender that the first
/// submission created.
///
/// # Errors
/// 403 if the role does not permit it, the quota is used up or the address is not confirmed. 422
/// for invalid or missing fields. On an error, nothing is stored.
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
    match tender.status {
        TenderStatus::Draft => {}
        TenderStatus::Published => {
            require_complete(&tender, None, now)?;
            require_confirmed_address(owner)?;
            tender.published_at = Some(Moment::new(now));
        }
        _ => {
            let message = "A new tender is a draft or published";
            return Err(ServiceError::Invalid(vec![FieldError::new("status", message)]));
        }
    }
    let mut tx = context.db.begin().await?;
    // Submissions of an owner run one at a time, so a repeated one finds the tender that the first
    // one created.
    users::lock(&mut tx, owner.id).await?;
    if let Some(submission) = submission
        && let Some(id) = tenders::of_submission(&mut *tx, owner.id, submission).await?
    {
        let made = tenders::current(&mut *tx, id).await?.ok_or(ServiceError::NotFound("Tender"))?;
        return Ok(SavedTender { tender: made.tender, is_new: false });
    }
    if tender.published_at.is_some() {
        check_quota(&mut tx, owner, now).await?;
    }
    tender.id = context.random.id(&context.clock);
    let revision = tenders::insert_submitted(&mut tx, &tender, Some(owner.id), submission, now).await?;
    if input.is_some() {
        tenders::set_draft_input(&mut tx, tender.id, input.as_ref()).await?;
    }
    commit(context, tx, &[revision]).await?;
    Ok(SavedTender { tender, is_new: true })
}

/// Edits a tender or changes its status. Edits after the publication are recorded and shown.
///
/// # Errors
/// 404 if the caller may not see the tender. 403 if the tender belongs to another user, the quota
/// is used up or the caller's address is not confirmed. 409 if the tender's status does not permit
/// the change. 422 for invalid or missing fields. On an error, nothing is changed.
pub async fn update(
    context: &Context,
    caller: &User,
    id: Uuid,
    form: TenderForm,
) -> Result<Tender, ServiceError> {
    let now = context.clock.now();
    let (mut tx, before) = lock_own_tender(context, caller, id).await?;
    let status = form.status(before.status).map_err(ServiceError::Invalid)?;
    let typed_before = match before.status {
        TenderStatus::Draft => tenders::draft_input(&mut *tx, id).await?,
        _ => None,
    };
    let (mut tender, input) = read_form(form, &before, status, typed_before.as_ref())?;
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
    if input != typed_before && status == TenderStatus::Draft {
        tenders::set_draft_input(&mut tx, id, input.as_ref()).await?;
    }
    if tender == before {
        commit(context, tx, &[]).await?;
        return Ok(tender);
    }
    if before.status == TenderStatus::Draft && tender.status == TenderStatus::Published {
        users::lock(&mut tx, caller.id).await?;
        check_quota(&mut tx, caller, now).await?;
        tender.published_at = Some(Moment::new(now));
    }
    save_edit(context, tx, &before, tender).await
}

/// Deletes a draft, or withdraws a published tender. Returns whether the tender was deleted.
pub async fn delete(context: &Context, caller: &User, id: Uuid) -> Result<bool, ServiceError> {
    let (mut tx, before) = lock_own_tender(context, caller, id).await?;
    if before.status == TenderStatus::Draft {
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
    save_edit(context, tx, &before, tender).await?;
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

/// Begins a transaction and locks a tender that the caller may change.
pub(super) async fn lock_own_tender(
    context: &Context,
    caller: &User,
    id: Uuid,
) -> Result<(Transaction<'static, Postgres>, Tender), ServiceError> {
    let mut tx = context.db.begin().await?;
    tenders::lock(&mut tx, id).await?;
    let found = tenders::current(&mut *tx, id).await?.ok_or(ServiceError::NotFound("Tender"))?;
    let is_theirs = caller.role == Role::Admin || found.owner_id == Some(caller.id);
    match (is_theirs, found.tender.status.is_public()) {
        (true, _) => Ok((tx, found.tender)),
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
    let used = tenders::count_published_since(&mut **tx, owner.id, since).await?;
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

/// Stores an edit. After the publication, the tender also records the changed values.
pub(super) async fn save_edit(
    context: &Context,
    mut tx: Transaction<'static, Postgres>,
    before: &Tender,
    mut tender: Tender,
) -> Result<Tender, ServiceError> {
    let now = context.clock.now();
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

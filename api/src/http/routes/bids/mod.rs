//! The bid board. A team with the Enterprise plan shares that of its owner.

pub(crate) mod checklist;
pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod evidence;
pub(crate) mod files;
pub(crate) mod list;
pub(crate) mod notes;
pub(crate) mod place;
pub(crate) mod read;
pub(crate) mod reminders;
pub(crate) mod tasks;
pub(crate) mod update;

use crate::{
    app::state::AppState,
    domain::{
        bid::{Bid, BidEvent, BidEventKind, BidNote, BidReference, BidStage, BidTask, Person},
        deadlines::Deadline,
        error::ServiceError,
        publisher::PublishedBy,
    },
    http::bidding::Bidding,
    services::bids::Board,
};
use serde::Serialize;
use tender_model::{
    eligibility::Company,
    tender::{CLOSING, Cida, DocumentFee, Eligibility, FieldStates, Organization, Tender},
    vocabulary::{Amount, Day, Moment, TenderStatus},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// A user who works on the board.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BoardUser)]
pub struct PersonView {
    /// The user's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The given and the family name.
    name: String,
}

impl From<Person> for PersonView {
    fn from(Person { id, name }: Person) -> Self {
        Self { id, name }
    }
}

/// The tender of a bid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BidTender {
    /// The tender's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The title.
    title: String,
    /// The name of the organisation.
    organization: String,
    /// When bids close; `null` if the notice does not say.
    #[schema(required)]
    closing: Option<Moment>,
    /// Whether the closing was read with doubt.
    is_closing_doubtful: bool,
    /// The status. After its closing, a published tender counts as closed.
    status: TenderStatus,
    /// Who published it: a newspaper, or the organisation itself on the portal.
    published_by: PublishedBy,
    /// Whether the caller's plan does not include the tender's details.
    is_locked: bool,
}

/// A bid on the board.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Bid)]
pub struct BidView {
    /// The bid's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The stage.
    stage: BidStage,
    /// The number of changes of stage, order, owner and value.
    version: i32,
    /// The tender.
    tender: BidTender,
    /// Who takes care of the bid; `null`: nobody.
    #[schema(required)]
    owner: Option<PersonView>,
    /// The value in rupees; `null`: not entered.
    #[schema(required)]
    value: Option<Amount>,
    /// The number of tasks.
    tasks: i64,
    /// The number of tasks that are done.
    done_tasks: i64,
    /// The number of notes.
    notes: i64,
    /// When the bid was added to the board.
    created_at: Moment,
    /// When the stage, the order, the owner or the value last changed.
    updated_at: Moment,
}

impl BidView {
    fn of(bid: Bid, board: &Board<'_>, now: Moment) -> Self {
        let is_locked = board.entitlement().stub(&bid.tender, bid.publisher_id).is_some();
        let tender = BidTender {
            id: bid.tender.id,
            closing: bid.tender.dates.closing,
            is_closing_doubtful: bid.tender.is_uncertain(CLOSING),
            status: bid.tender.effective_status(now),
            published_by: PublishedBy::of(&bid.tender),
            title: bid.tender.title,
            organization: bid.tender.organization.name,
            is_locked,
        };
        Self {
            id: bid.id,
            stage: bid.stage,
            version: bid.version,
            tender,
            owner: bid.owner.map(PersonView::from),
            value: bid.value,
            tasks: bid.tasks,
            done_tasks: bid.done_tasks,
            notes: bid.notes,
            created_at: Moment::new(bid.created_at),
            updated_at: Moment::new(bid.updated_at),
        }
    }
}

/// A note on a bid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidNote)]
struct NoteView {
    /// The note's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// Who wrote it; `null`: the account was deleted.
    #[schema(required)]
    author: Option<PersonView>,
    /// The text, with line breaks.
    text: String,
    /// Whether the caller may delete the note.
    is_deletable: bool,
    /// When it was written.
    created_at: Moment,
}

/// A task of a bid.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = BidTask)]
struct TaskView {
    /// The task's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The title.
    title: String,
    /// The last day on which it can be done; `null`: not entered.
    #[schema(required, value_type = Option<String>, format = Date)]
    due: Option<Day>,
    /// Who does it; `null`: nobody.
    #[schema(required)]
    assignee: Option<PersonView>,
    /// When it was done; `null`: it is not done.
    #[schema(required)]
    done_at: Option<Moment>,
}

impl From<BidTask> for TaskView {
    fn from(task: BidTask) -> Self {
        Self {
            id: task.id,
            title: task.title,
            due: task.due,
            assignee: task.assignee.map(PersonView::from),
            done_at: task.done_at.map(Moment::new),
        }
    }
}

/// An entry of the history of a bid.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BidEvent)]
struct EventView {
    /// When it happened.
    at: Moment,
    /// Who did it; `null`: the account was deleted.
    #[schema(required)]
    actor: Option<PersonView>,
    /// What happened.
    kind: BidEventKind,
    /// The stage or the value before the event, or the kind of the row of the checklist.
    #[serde(skip_serializing_if = "Option::is_none")]
    before: Option<String>,
    /// The stage or the value after the event, or the title of the task, the row or the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
    /// Who the bid was assigned to. Absent if it was assigned to nobody.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<PersonView>,
}

impl From<BidEvent> for EventView {
    fn from(event: BidEvent) -> Self {
        Self {
            at: Moment::new(event.at),
            actor: event.actor.map(PersonView::from),
            kind: event.kind,
            before: event.before,
            after: event.after,
            subject: event.subject.map(PersonView::from),
        }
    }
}

/// What the notice of a bid says to a bidder.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BidNotice {
    /// The organisation.
    organization: Organization,
    /// The price of the documents, and when and where they are sold.
    #[serde(skip_serializing_if = "Option::is_none")]
    document_fee: Option<DocumentFee>,
    /// The grades that the notice asks for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cida: Vec<Cida>,
    /// What the notice asks of bidders.
    eligibility: Eligibility,
    /// The fields that are not certain.
    #[serde(skip_serializing_if = "FieldStates::is_empty")]
    field_states: FieldStates,
    /// Whether the company may bid, and what bidding costs; `null`: nobody bids for a tender of this kind, or
    /// the bid is submitted.
    #[schema(required)]
    bidding: Option<Bidding>,
}

impl BidNotice {
    fn of(tender: Tender, company: Option<&Company>, today: Day, stage: BidStage) -> Self {
        let bidding = || Bidding::of(&tender, company, today);
        Self {
            bidding: stage.is_before_submission().then(bidding).flatten(),
            field_states: tender.uncertain_fields(),
            organization: tender.organization,
            document_fee: tender.document_fee,
            cida: tender.cida,
            eligibility: tender.eligibility,
        }
    }
}

/// A bid with all that belongs to it.
#[derive(Debug, Serialize, ToSchema)]
pub struct BidDetails {
    /// The bid.
    bid: BidView,
    /// The deadlines that the notice states, in the order in which a bidder meets them, and warnings for
    /// days on which offices are closed.
    deadlines: Vec<Deadline>,
    /// What must be ready before the closing; `null`: the caller's plan does not include the tender's
    /// details.
    #[schema(required)]
    checklist: Option<Vec<checklist::RowView>>,
    /// What the notice says; `null`: the caller's plan does not include the tender's details.
    #[schema(required)]
    notice: Option<BidNotice>,
    /// When and how the caller is reminded of the deadlines.
    reminders: reminders::BidReminders,
    /// The files, the newest first.
    files: Vec<files::FileView>,
    /// The notes, the last one first.
    notes: Vec<NoteView>,
    /// The tasks: those that are not done first, by the day on which they are due.
    tasks: Vec<TaskView>,
    /// What happened to the bid, the last event first. Of a long history, the beginning is missing.
    history: Vec<EventView>,
    /// The users who work on the board.
    people: Vec<PersonView>,
}

impl BidDetails {
    async fn load(state: &AppState, board: &Board<'_>, id: Uuid) -> Result<Self, ServiceError> {
        let bid = board.bid(id).await?;
        let note = |note: BidNote| NoteView {
            is_deletable: board.may_delete(&note),
            id: note.id,
            author: note.author.map(PersonView::from),
            text: note.text,
            created_at: Moment::new(note.created_at),
        };
        let now = state.clock.moment();
        let tender = board.tender(&bid).await?;
        let company = board.company().await?;
        Ok(Self {
            notice: tender.map(|tender| BidNotice::of(tender, company.as_ref(), now.day(), bid.stage)),
            files: board.files(id).await?.into_iter().map(files::FileView::from).collect(),
            notes: board.notes(id).await?.into_iter().map(note).collect(),
            tasks: board.tasks(id).await?.into_iter().map(TaskView::from).collect(),
            history: board.history(id).await?.into_iter().map(EventView::from).collect(),
            people: board.people().await?.into_iter().map(PersonView::from).collect(),
            deadlines: board.deadlines(&bid).await?,
            reminders: reminders::BidReminders::load(board, Some(id)).await?,
            checklist: board
                .checklist(&bid)
                .await?
                .map(|rows| rows.into_iter().map(checklist::RowView::from).collect()),
            bid: BidView::of(bid, board, now),
        })
    }
}

/// The bid of the caller's board for a tender.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = BidReference)]
pub struct BidReferenceView {
    /// The bid's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The stage.
    stage: BidStage,
}

impl From<BidReference> for BidReferenceView {
    fn from(BidReference { id, stage }: BidReference) -> Self {
        Self { id, stage }
    }
}

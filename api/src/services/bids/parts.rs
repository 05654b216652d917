//! The notes, the tasks and the history of a bid.

use super::Board;
use crate::{
    domain::{
        bid::{
            BidEvent, BidEventKind, BidNote, BidTask, EventDetails, MAX_NOTE_LENGTH, MAX_NOTES, MAX_TASKS,
            MAX_TITLE_LENGTH, TaskContent,
        },
        error::{FieldError, ServiceError},
        validation,
    },
    storage::bids::{events, notes, tasks},
};
use sqlx::PgConnection;
use uuid::Uuid;

/// A task as a user enters it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskInput {
    /// The title.
    pub title: String,
    /// The last day on which it can be done.
    pub due: Option<String>,
    /// Who does it.
    pub assignee_id: Option<Uuid>,
}

impl TaskInput {
    /// Checks the title and the day.
    fn validate(self) -> Result<TaskContent, ServiceError> {
        let mut errors = Vec::new();
        let title = validation::parse_line(&self.title, "Task", MAX_TITLE_LENGTH);
        let title = title.and_then(require_text);
        let due = self.due.as_deref().map(validation::parse_day).transpose();
        let title = title.map_err(|message| errors.push(FieldError::new("title", message)));
        let due = due.map_err(|message| errors.push(FieldError::new("due", message)));
        match (title, due) {
            (Ok(title), Ok(due)) => Ok(TaskContent { title, due, assignee_id: self.assignee_id }),
            _ => Err(ServiceError::Invalid(errors)),
        }
    }
}

/// Refuses the empty text.
pub(super) fn require_text(text: String) -> Result<String, String> {
    if text.is_empty() { Err("Please fill in all required fields".into()) } else { Ok(text) }
}

impl Board<'_> {
    /// The notes of a bid, the last one first.
    pub async fn notes(&self, bid: Uuid) -> Result<Vec<BidNote>, ServiceError> {
        Ok(notes::of_bid(&self.context.db, bid).await?)
    }

    /// The tasks of a bid, those that are not done first.
    pub async fn tasks(&self, bid: Uuid) -> Result<Vec<BidTask>, ServiceError> {
        Ok(tasks::of_bid(&self.context.db, bid).await?)
    }

    /// The history of a bid, the last event first.
    pub async fn history(&self, bid: Uuid) -> Result<Vec<BidEvent>, ServiceError> {
        Ok(events::of_bid(&self.context.db, bid).await?)
    }

    /// Whether the user may delete a note: the author and the owner of the board may.
    #[must_use]
    pub fn may_delete(&self, note: &BidNote) -> bool {
        self.owns_note(note.author.as_ref().map(|author| author.id))
    }

    fn owns_note(&self, author: Option<Uuid>) -> bool {
        author == Some(self.user.id) || self.user.id == self.account
    }

    /// Adds a note to a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid has too many notes, and 422 if the text is
    /// invalid.
    pub async fn add_note(&self, bid: Uuid, text: &str) -> Result<(), ServiceError> {
        let text = validation::parse_text(text, "Note", MAX_NOTE_LENGTH).and_then(require_text);
        let text = text.map_err(|message| ServiceError::Invalid(vec![FieldError::new("text", message)]))?;
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        if notes::count(&mut *tx, bid).await? >= MAX_NOTES {
            return Err(ServiceError::Conflict(format!("A bid has at most {MAX_NOTES} notes")));
        }
        let id = self.context.random.id(&self.context.clock);
        notes::insert(&mut tx, (id, bid, self.user.id), &text, self.context.clock.now()).await?;
        self.record(&mut tx, bid, BidEventKind::NoteAdded, EventDetails::default()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Deletes a note of a bid.
    ///
    /// # Errors
    /// 404 if the board has no such note, and 403 if the user neither wrote the note nor owns the
    /// board.
    pub async fn remove_note(&self, bid: Uuid, note: Uuid) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        let author = notes::author_of(&mut *tx, bid, note).await?.ok_or(ServiceError::NotFound("Note"))?;
        if !self.owns_note(author) {
            return Err(ServiceError::Forbidden("Only the author and the owner of the team delete a note"));
        }
        notes::remove(&mut *tx, bid, note).await?;
        self.record(&mut tx, bid, BidEventKind::NoteDeleted, EventDetails::default()).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Adds a task to a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 409 if the bid has too many tasks, and 422 if the task is
    /// invalid.
    pub async fn add_task(&self, bid: Uuid, task: TaskInput) -> Result<(), ServiceError> {
        let content = task.validate()?;
        let mut tx = self.begin().await?;
        self.hold(&mut tx, bid).await?;
        self.require_person(&mut tx, "assigneeId", content.assignee_id).await?;
        let count = tasks::of_bid(&mut *tx, bid).await?.len();
        if i64::try_from(count).is_ok_and(|count| count >= MAX_TASKS) {
            return Err(ServiceError::Conflict(format!("A bid has at most {MAX_TASKS} tasks")));
        }
        let id = self.context.random.id(&self.context.clock);
        tasks::insert(&mut tx, (id, bid), &content, self.context.clock.now()).await?;
        self.record_task(&mut tx, bid, BidEventKind::TaskAdded, content.title).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Replaces a task of a bid. The last change counts.
    ///
    /// # Errors
    /// 404 if the board has no such task, and 422 if the task is invalid.
    pub async fn change_task(
        &self,
        (bid, id): (Uuid, Uuid),
        task: TaskInput,
        is_done: bool,
    ) -> Result<(), ServiceError> {
        let content = task.validate()?;
        let mut tx = self.begin().await?;
        let before = self.hold_task(&mut tx, bid, id).await?;
        let assignee_id = before.assignee.map(|assignee| assignee.id);
        if content.assignee_id != assignee_id {
            self.require_person(&mut tx, "assigneeId", content.assignee_id).await?;
        }
        let kind = match (before.done_at.is_some(), is_done) {
            (false, true) => Some(BidEventKind::TaskDone),
            (true, false) => Some(BidEventKind::TaskReopened),
            _ => {
                let was = TaskContent { title: before.title, due: before.due, assignee_id };
                (was != content).then_some(BidEventKind::TaskChanged)
            }
        };
        if let Some(kind) = kind {
            let done_at = is_done.then(|| self.context.clock.now());
            tasks::update(&mut tx, id, &content, done_at).await?;
            self.record_task(&mut tx, bid, kind, content.title).await?;
            tx.commit().await?;
        }
        Ok(())
    }

    /// Deletes a task of a bid.
    ///
    /// # Errors
    /// 404 if the board has no such task.
    pub async fn remove_task(&self, bid: Uuid, id: Uuid) -> Result<(), ServiceError> {
        let mut tx = self.begin().await?;
        let task = self.hold_task(&mut tx, bid, id).await?;
        tasks::remove(&mut tx, id).await?;
        self.record_task(&mut tx, bid, BidEventKind::TaskDeleted, task.title).await?;
        tx.commit().await?;
        Ok(())
    }

    /// Locks a bid and returns one of its tasks.
    async fn hold_task(&self, tx: &mut PgConnection, bid: Uuid, id: Uuid) -> Result<BidTask, ServiceError> {
        self.hold(&mut *tx, bid).await?;
        let found = tasks::of_bid(&mut *tx, bid).await?.into_iter().find(|task| task.id == id);
        found.ok_or(ServiceError::NotFound("Task"))
    }

    async fn record_task(
        &self,
        tx: &mut PgConnection,
        bid: Uuid,
        kind: BidEventKind,
        title: String,
    ) -> Result<(), ServiceError> {
        let details = EventDetails { after: Some(title), ..EventDetails::default() };
        self.record(tx, bid, kind, details).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn input(title: &str, due: Option<&str>) -> TaskInput {
        TaskInput { title: title.into(), due: due.map(str::to_owned), assignee_id: None }
    }

    #[test]
    fn a_task_has_a_title_and_perhaps_a_day() {
        let task = input(" Buy the documents ", Some("2026-12-01")).validate().unwrap();
        assert_eq!((task.title.as_str(), task.due), ("Buy the documents", "2026-12-01".parse().ok()));
        assert_eq!(input("Visit the site", None).validate().unwrap().due, None);
    }

    #[test]
    fn all_faults_of_a_task_are_named() {
        let long = "x".repeat(MAX_TITLE_LENGTH + 1);
        for (title, due, fields) in [
            ("  ", None, vec!["title"]),
            ("two\nlines", None, vec!["title"]),
            (long.as_str(), Some("soon"), vec!["title", "due"]),
            ("Visit", Some("1999-12-31"), vec!["due"]),
        ] {
            let Err(ServiceError::Invalid(errors)) = input(title, due).validate() else {
                panic!("{title:?} is accepted")
            };
            let named: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
            assert_eq!(named, fields);
        }
    }
}

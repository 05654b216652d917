//! The table of expected newspapers. Each change and its entry in the audit log are one transaction.

use super::{UNKNOWN_PAPER, invalid, overview::keys_of};
use crate::{
    app::context::Context,
    domain::{
        audit::{Actor, AuditAction, AuditSubject, NewAuditEntry},
        coverage::{
            ExpectedPaper, MAX_MIN_PAGES, MAX_NAME_LENGTH, MAX_PAPERS, MAX_SPELLINGS, PaperSchedule, Weekday,
            paper_key,
        },
        error::{FieldError, ServiceError},
        validation,
    },
    storage::{self, audit_log, expected_papers as stored},
};
use jiff::civil;
use serde_json::{Value, json};
use sqlx::PgConnection;
use std::collections::BTreeMap;
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// An expected newspaper as entered.
#[derive(Debug, Clone)]
pub struct PaperInput {
    /// The name.
    pub name: String,
    /// Further spellings of the name.
    pub spellings: Vec<String>,
    /// The days of the week.
    pub weekdays: Vec<Weekday>,
    /// The time of day as `HH:MM`.
    pub due_time: String,
    /// The number of pages that an issue has at least.
    pub min_pages: i32,
    /// Whether the newspaper appears on Poya days.
    pub prints_on_poya: bool,
    /// Whether the newspaper appears on other public holidays.
    pub prints_on_holidays: bool,
    /// The first day.
    pub active_from: String,
    /// Whether the newspaper is not expected from today on.
    pub is_paused: bool,
}

/// Adds a newspaper. Returns its id.
///
/// # Errors
/// Invalid input, and a conflict if a spelling counts for another newspaper or if there are too many
/// newspapers.
pub async fn add(context: &Context, actor: &Actor, input: PaperInput) -> Result<Uuid, ServiceError> {
    let is_paused = input.is_paused;
    let schedule = check(input)?;
    let now = context.clock.now();
    let mut tx = storage::begin(&context.db).await?;
    stored::lock_all(&mut tx).await?;
    if stored::all(&mut *tx).await?.len() >= MAX_PAPERS {
        return Err(ServiceError::Conflict(format!("At most {MAX_PAPERS} newspapers can be expected")));
    }
    let paper = ExpectedPaper {
        id: context.random.id(&context.clock),
        schedule,
        paused_from: is_paused.then(|| Moment::new(now).day()),
        expected_since: now,
        version: 1,
    };
    save(&mut tx, &paper).await?;
    record(context, &mut tx, actor, AuditAction::AddPaper, paper.id, (None, Some(values(&paper)))).await?;
    tx.commit().await?;
    Ok(paper.id)
}

/// Changes a newspaper. If it is expected again after a pause, it is expected from today on: the
/// issues of the pause are no gaps.
///
/// # Errors
/// Invalid input, 404 for an unknown newspaper, and a conflict if the version is not the present one
/// or if a spelling counts for another newspaper.
pub async fn change(
    context: &Context,
    actor: &Actor,
    id: Uuid,
    version: i32,
    input: PaperInput,
) -> Result<(), ServiceError> {
    let is_paused = input.is_paused;
    let mut schedule = check(input)?;
    let now = context.clock.now();
    let today = Moment::new(now).day();
    let mut tx = storage::begin(&context.db).await?;
    stored::lock_all(&mut tx).await?;
    let before = stored::find(&mut *tx, id).await?.ok_or(UNKNOWN_PAPER)?;
    if before.version != version {
        return Err(ServiceError::Conflict(
            "Somebody else has changed this newspaper meanwhile. Please check it and try again".into(),
        ));
    }
    let is_resumed = before.paused_from.is_some() && !is_paused;
    if is_resumed {
        schedule.active_from = schedule.active_from.max(today);
    }
    let after = ExpectedPaper {
        id,
        schedule,
        paused_from: is_paused.then(|| before.paused_from.unwrap_or(today)),
        expected_since: if is_resumed { now } else { before.expected_since },
        version: before.version + 1,
    };
    save(&mut tx, &after).await?;
    if values(&before) != values(&after) {
        let change = (Some(values(&before)), Some(values(&after)));
        record(context, &mut tx, actor, AuditAction::ChangePaper, id, change).await?;
    }
    tx.commit().await?;
    Ok(())
}

/// Removes a newspaper. Its pages stay.
///
/// # Errors
/// 404 for an unknown newspaper.
pub async fn remove(context: &Context, actor: &Actor, id: Uuid) -> Result<(), ServiceError> {
    let mut tx = storage::begin(&context.db).await?;
    stored::lock_all(&mut tx).await?;
    let before = stored::find(&mut *tx, id).await?.ok_or(UNKNOWN_PAPER)?;
    stored::delete(&mut *tx, &[id]).await?;
    record(context, &mut tx, actor, AuditAction::RemovePaper, id, (Some(values(&before)), None)).await?;
    tx.commit().await?;
    Ok(())
}

async fn save(tx: &mut PgConnection, paper: &ExpectedPaper) -> Result<(), ServiceError> {
    stored::upsert(&mut *tx, paper).await?;
    let schedule = &paper.schedule;
    // Of spellings with the same words, the name is stored.
    let mut spellings = BTreeMap::new();
    for spelling in std::iter::once(&schedule.name).chain(&schedule.spellings) {
        if let Some(key) = paper_key(spelling) {
            spellings.entry(key).or_insert_with(|| spelling.clone());
        }
    }
    let spellings: Vec<(String, String)> = spellings.into_iter().collect();
    match stored::set_spellings(tx, paper.id, &spellings).await? {
        None => Ok(()),
        Some(other) => {
            Err(ServiceError::Conflict(format!("One of the spellings already counts for “{other}”")))
        }
    }
}

fn check(input: PaperInput) -> Result<PaperSchedule, ServiceError> {
    let mut errors = Vec::new();
    let mut refuse = |field: &str, message: String| errors.push(FieldError::new(field, message));
    let name = match validation::parse_line(&input.name, "Name", MAX_NAME_LENGTH) {
        Ok(name) if paper_key(&name).is_none() => {
            refuse("name", "Please enter the name of the newspaper".into());
            name
        }
        Ok(name) => name,
        Err(message) => {
            refuse("name", message);
            String::new()
        }
    };
    let mut spellings = Vec::new();
    if input.spellings.len() > MAX_SPELLINGS {
        refuse("spellings", format!("A newspaper has at most {MAX_SPELLINGS} further spellings"));
    } else {
        for (nth, spelling) in input.spellings.iter().enumerate() {
            let field = format!("spellings[{nth}]");
            match validation::parse_line(spelling, "Spelling", MAX_NAME_LENGTH) {
                Ok(spelling) if spelling.is_empty() => {}
                Ok(spelling) if paper_key(&spelling).is_none() => {
                    refuse(&field, "A spelling needs at least one letter or digit".into());
                }
                Ok(spelling) => spellings.push(spelling),
                Err(message) => refuse(&field, message),
            }
        }
    }
    let mut weekdays = input.weekdays;
    weekdays.sort_unstable();
    weekdays.dedup();
    if weekdays.is_empty() {
        refuse("weekdays", "Please choose at least one day of the week".into());
    }
    let due_time = civil::Time::strptime("%H:%M", &input.due_time).unwrap_or_else(|_| {
        refuse("dueTime", "Please enter the hour as in 06:30".into());
        civil::Time::midnight()
    });
    if !(1..=MAX_MIN_PAGES).contains(&input.min_pages) {
        refuse("minPages", format!("The number of pages must be between 1 and {MAX_MIN_PAGES}"));
    }
    let active_from = validation::parse_day(&input.active_from).unwrap_or_else(|message| {
        refuse("activeFrom", message);
        civil::Date::ZERO
    });
    if !errors.is_empty() {
        return Err(ServiceError::Invalid(errors));
    }
    Ok(PaperSchedule {
        name,
        spellings,
        weekdays,
        due_time,
        min_pages: input.min_pages,
        prints_on_poya: input.prints_on_poya,
        prints_on_holidays: input.prints_on_holidays,
        active_from,
    })
}

/// The values of a newspaper in the audit log.
fn values(paper: &ExpectedPaper) -> Value {
    let schedule = &paper.schedule;
    json!({
        "name": schedule.name,
        "spellings": keys_of(paper),
        "weekdays": schedule.weekdays,
        "dueTime": schedule.due_time.strftime("%H:%M").to_string(),
        "minPages": schedule.min_pages,
        "printsOnPoya": schedule.prints_on_poya,
        "printsOnHolidays": schedule.prints_on_holidays,
        "activeFrom": schedule.active_from.to_string(),
        "pausedFrom": paper.paused_from.map(|day| day.to_string()),
    })
}

async fn record(
    context: &Context,
    tx: &mut PgConnection,
    actor: &Actor,
    action: AuditAction,
    id: Uuid,
    (before, after): (Option<Value>, Option<Value>),
) -> Result<(), ServiceError> {
    let entry = NewAuditEntry {
        actor,
        action,
        subject: AuditSubject::Paper,
        subject_id: &id.to_string(),
        before,
        after,
    };
    audit_log::insert(tx, &entry, context.clock.now()).await?;
    Ok(())
}

/// Refuses the id of a newspaper that is not expected, in a filter.
pub fn unknown_paper() -> ServiceError {
    invalid("paper", "No such newspaper is expected")
}

//! The issues of all newspapers on some days.

use super::invalid;
use crate::{
    app::context::Context,
    domain::{
        coverage::{ExpectedPaper, Holiday, HolidayKind, Issue, IssueContent, paper_key},
        error::ServiceError,
    },
    storage::{expected_papers, holidays, issues},
};
use jiff::{Timestamp, ToSpan};
use sqlx::PgConnection;
use std::collections::{BTreeMap, HashMap};
use tender_model::vocabulary::{Day, Moment};
use uuid::Uuid;

/// The maximum number of days.
const MAX_DAYS: usize = 62;
/// The number of days if they are not given.
const DEFAULT_DAYS: i64 = 14;
/// The maximum number of newspapers that are not in the table.
const MAX_UNLISTED: usize = 100;

/// The first and the last day.
pub type DayRange = (Day, Day);

/// The issues of all newspapers.
#[derive(Debug, Clone)]
pub struct Coverage {
    /// The holidays among the days.
    pub holidays: Vec<Holiday>,
    /// The expected newspapers by name, with an issue for each day.
    pub papers: Vec<(ExpectedPaper, Vec<Issue>)>,
    /// Other newspapers of which there are pages or notices, by name, with an issue for each day.
    pub unlisted: Vec<(String, Vec<Issue>)>,
}

/// The requested days, by default the last two weeks up to today.
///
/// # Errors
/// Invalid if the last day is before the first one, or if there are too many days.
pub fn range(from: Option<Day>, to: Option<Day>, today: Day) -> Result<DayRange, ServiceError> {
    let length = (DEFAULT_DAYS - 1).days();
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (from, to),
        (Some(from), None) => (from, from.saturating_add(length)),
        (None, to) => {
            let to = to.unwrap_or(today);
            (to.saturating_sub(length), to)
        }
    };
    if to < from {
        return Err(invalid("to", "The last day is before the first day"));
    }
    if days_of((from, to)).len() > MAX_DAYS {
        return Err(invalid("to", format!("At most {MAX_DAYS} days can be shown")));
    }
    Ok((from, to))
}

/// The days of a range, at most one more than [`MAX_DAYS`].
fn days_of((from, to): DayRange) -> Vec<Day> {
    from.series(1.day()).take_while(|day| *day <= to).take(MAX_DAYS + 1).collect()
}

/// Reads the issues of these days.
pub async fn read(db: &mut PgConnection, range: DayRange, now: Timestamp) -> Result<Coverage, sqlx::Error> {
    let (from, to) = range;
    let days = days_of(range);
    let holidays = holidays::between(&mut *db, from, to).await?;
    let kinds: HashMap<Day, HolidayKind> =
        holidays.iter().map(|holiday| (holiday.day, holiday.kind)).collect();
    let papers = expected_papers::all(&mut *db).await?;
    let mut absences: HashMap<(Uuid, Day), String> = expected_papers::absences(&mut *db, from, to)
        .await?
        .into_iter()
        .map(|absent| ((absent.paper_id, absent.day), absent.note))
        .collect();
    let mut contents = Contents::new(issues::between(db, from, to, now).await?);
    let papers = papers.into_iter().map(|paper| {
        let keys = keys_of(&paper);
        let issue = |day: Day| Issue {
            day,
            due_at: paper.due_at(day, kinds.get(&day).copied()),
            content: contents.take(&keys, day),
            absence: absences.remove(&(paper.id, day)),
        };
        let issues = days.iter().copied().map(issue).collect();
        (paper, issues)
    });
    let papers = papers.collect();
    let unlisted = contents.remaining().into_iter().take(MAX_UNLISTED).map(|(name, found)| {
        let issue = |day: &Day| Issue {
            day: *day,
            due_at: None,
            content: found.get(day).copied().unwrap_or_default(),
            absence: None,
        };
        (name, days.iter().map(issue).collect())
    });
    let unlisted = unlisted.collect();
    Ok(Coverage { holidays, papers, unlisted })
}

/// The contents of issues by the key of the newspaper and the day, with the first spelling.
struct Contents(BTreeMap<String, (String, BTreeMap<Day, IssueContent>)>);

impl Contents {
    fn new(found: Vec<issues::SpelledIssue>) -> Self {
        let mut contents: BTreeMap<String, (String, BTreeMap<Day, IssueContent>)> = BTreeMap::new();
        for issue in found {
            let Some(key) = paper_key(&issue.publication) else { continue };
            let (_, days) = contents.entry(key).or_insert_with(|| (issue.publication, BTreeMap::new()));
            let content = days.entry(issue.day).or_default();
            *content = content.plus(issue.content);
        }
        Self(contents)
    }

    /// Removes the contents of a newspaper on a day.
    fn take(&mut self, keys: &[String], day: Day) -> IssueContent {
        let found = keys.iter().filter_map(|key| self.0.get_mut(key)?.1.remove(&day));
        found.fold(IssueContent::default(), IssueContent::plus)
    }

    /// The newspapers of which no content was taken.
    fn remaining(self) -> Vec<(String, BTreeMap<Day, IssueContent>)> {
        self.0.into_values().filter(|(_, days)| !days.is_empty()).collect()
    }
}

/// The keys of the name of a newspaper and of its other spellings.
pub(super) fn keys_of(paper: &ExpectedPaper) -> Vec<String> {
    let schedule = &paper.schedule;
    let mut keys: Vec<String> = std::iter::once(&schedule.name)
        .chain(&schedule.spellings)
        .filter_map(|spelling| paper_key(spelling))
        .collect();
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The spellings of a newspaper on pages, of one issue date or of all. `None`: no such newspaper is
/// expected.
pub async fn spellings_as_read(
    context: &Context,
    paper: Uuid,
    day: Option<Day>,
) -> Result<Option<Vec<String>>, ServiceError> {
    let Some(paper) = expected_papers::find(&context.db, paper).await? else { return Ok(None) };
    let keys = keys_of(&paper);
    let mut publications = issues::publications(&context.db, day).await?;
    publications.retain(|publication| paper_key(publication).is_some_and(|key| keys.contains(&key)));
    Ok(Some(publications))
}

/// The number of gaps on a day.
pub async fn count_gaps(context: &Context, day: Day) -> Result<usize, ServiceError> {
    let now = context.clock.now();
    let mut db = context.db.acquire().await?;
    let coverage = read(&mut db, (day, day), now).await?;
    Ok(coverage.papers.iter().flat_map(|(_, issues)| issues).filter(|issue| issue.is_gap(now)).count())
}

/// Pages of unknown issues are counted if they were added on one of these days.
pub async fn count_unknown_issues(context: &Context, from: Day) -> Result<i64, ServiceError> {
    let since = Moment::start_of(from).map_or(Timestamp::MIN, Moment::timestamp);
    Ok(issues::count_unknown(&context.db, since).await?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn range_is_bounded_and_ends_today_by_default() {
        let today = date(2026, 11, 20);
        assert_eq!(range(None, None, today).unwrap(), (date(2026, 11, 7), today));
        assert_eq!(range(Some(date(2026, 11, 1)), None, today).unwrap().1, date(2026, 11, 14));
        assert_eq!(range(None, Some(date(2026, 11, 14)), today).unwrap().0, date(2026, 11, 1));
        assert_eq!(range(Some(today), Some(today), today).unwrap(), (today, today));
        let first = date(2026, 1, 1);
        assert!(range(Some(first), Some(date(2026, 3, 3)), today).is_ok());
        assert!(range(Some(first), Some(date(2026, 3, 4)), today).is_err());
        assert!(range(Some(today), Some(first), today).is_err());
        assert!(range(Some(first), Some(date(2099, 1, 1)), today).is_err());
    }
}

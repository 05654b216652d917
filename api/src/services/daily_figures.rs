//! The figures of the portal by day. The figures of a day that is over are recorded, so that they
//! stay when counted rows are deleted with an account. Those of later days are counted on demand.

use crate::{
    app::context::Context,
    domain::{
        error::{FieldError, ServiceError},
        figures::{
            DailyValues, EmptySearch, Figure, FigureSeries, NEEDED_DAYS, QueueState, SERIES_DAYS, before,
        },
    },
    storage::{
        self,
        daily_figures::{self as stored, DailyValue},
    },
};
use jiff::{
    SignedDuration, Timestamp,
    civil::{Date, date},
};
use strum::IntoEnumIterator;
use tender_model::vocabulary::Moment;

/// The earliest last day of a series.
const FIRST_DAY: Date = date(2000, 1, 1);
/// How long after its end a day is recorded. Transactions that began on the day have ended by then.
const RECORDING_DELAY: SignedDuration = SignedDuration::from_mins(10);
/// The maximum number of days that are recorded at once.
const MAX_RECORDED_DAYS: i64 = 400;
/// The number of listed search texts.
const LISTED_TEXTS: i64 = 20;

/// The figures of some days.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureReport {
    /// The first day of the series.
    pub from: Date,
    /// The last day of the series.
    pub to: Date,
    /// The series of all figures.
    pub series: Vec<FigureSeries>,
    /// The present states of the queues.
    pub queues: Vec<QueueState>,
    /// The texts that were searched most often without a result.
    pub empty_searches: Vec<EmptySearch>,
}

/// Reads the series that end on a day. `None`: today.
///
/// # Errors
/// Invalid for a day that has not begun.
pub async fn read(context: &Context, to: Option<Date>) -> Result<FigureReport, ServiceError> {
    let now = context.clock.now();
    let today = Moment::new(now).day();
    let to = to.unwrap_or(today);
    let invalid = || {
        let message = "Choose a day that is not in the future".to_owned();
        ServiceError::Invalid(vec![FieldError::new("to", message)])
    };
    if to > today || to < FIRST_DAY {
        return Err(invalid());
    }
    let from = before(to, SERIES_DAYS - 1).ok_or_else(invalid)?;
    let needed = before(to, NEEDED_DAYS - 1).ok_or_else(invalid)?;
    let range = stored::recorded_range(&context.db).await?;
    let counted_from = match range {
        Some((_, last)) => last.tomorrow().map_err(|_| invalid())?.max(needed),
        None => needed,
    };
    let mut days = stored::stored(&context.db, needed, to).await?;
    if counted_from <= to {
        // Values of days that another process has just recorded are replaced by the same values.
        let counted = count(context, (counted_from, to), now).await?;
        days.retain(|value| value.day < counted_from || !is_counted(value.figure));
        days.extend(counted);
    }
    let first_known = range.map_or(counted_from, |(first, _)| first);
    let last_known = range.map_or(to, |(_, last)| last.max(to));
    let mut values = DailyValues::new(Some((first_known, last_known)));
    for value in add_up(days) {
        values.set(value.figure, value.day, value.value);
    }
    let queues = stored::queues(&context.db, now).await?;
    if to == today {
        for state in &queues {
            values.raise(state.queue.age(), today, state.age(now));
        }
    }
    let empty_searches = stored::frequent_empty_searches(&context.db, from, to, LISTED_TEXTS).await?;
    let series = Figure::iter().map(|figure| values.series(figure, to)).collect();
    Ok(FigureReport { from, to, series, queues, empty_searches })
}

/// Records the figures of the days that are over. Only one process records them.
pub async fn record_days(context: &Context) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let settled = now.checked_sub(RECORDING_DELAY).unwrap_or(now);
    let Ok(last) = Moment::new(settled).day().yesterday() else { return Ok(()) };
    if stored::recorded_range(&context.db).await?.is_some_and(|(_, recorded)| recorded >= last) {
        return Ok(());
    }
    let mut tx = storage::begin(&context.db).await?;
    let Some(range) = stored::lock_recorded_range(&mut tx).await? else { return Ok(()) };
    let next = match range {
        Some((_, recorded)) if recorded >= last => return Ok(()),
        Some((_, recorded)) => recorded.tomorrow().unwrap_or(last),
        None => before(last, NEEDED_DAYS - 1).unwrap_or(last),
    };
    // After a longer downtime, the earlier days stay unknown.
    let first = next.max(before(last, MAX_RECORDED_DAYS - 1).unwrap_or(last));
    let Some((begin, end)) = bounds(first, last) else { return Ok(()) };
    storage::disable_seq_scans(&mut tx).await?;
    let values = stored::count(&mut *tx, (first, last), (begin, end), now).await?;
    let first_known = range.map_or(first, |(known, _)| if first == next { known } else { first });
    stored::record(&mut tx, &values, (first_known, last)).await?;
    let kept_from = before(Moment::new(now).day(), SERIES_DAYS - 1).unwrap_or(last);
    stored::delete_empty_searches(&mut tx, kept_from).await?;
    tx.commit().await?;
    tracing::info!(%first, %last, "recorded the daily figures");
    Ok(())
}

/// Records how old the oldest items of the queues are, if they are older than earlier today.
pub async fn sample_queues(context: &Context) -> Result<(), ServiceError> {
    let now = context.clock.now();
    let states = stored::queues(&context.db, now).await?;
    let ages: Vec<(Figure, i64)> = states.iter().map(|state| (state.queue.age(), state.age(now))).collect();
    stored::raise(&context.db, Moment::new(now).day(), &ages).await?;
    Ok(())
}

/// Stores the searches of this process that found nothing. If that fails, they are stored next time.
pub async fn store_empty_searches(context: &Context) -> Result<(), ServiceError> {
    let mut counts = context.empty_searches.take();
    while let Some((day, of_day)) = counts.pop_first() {
        let texts: Vec<(String, i32)> = of_day.texts.clone().into_iter().collect();
        if let Err(error) = store_day(context, day, of_day.searches, &texts).await {
            counts.insert(day, of_day);
            context.empty_searches.put_back(counts);
            return Err(error.into());
        }
    }
    Ok(())
}

async fn store_day(
    context: &Context,
    day: Date,
    searches: i64,
    texts: &[(String, i32)],
) -> Result<(), sqlx::Error> {
    let mut tx = storage::begin(&context.db).await?;
    stored::add_empty_searches(&mut tx, day, searches, texts).await?;
    tx.commit().await
}

async fn count(
    context: &Context,
    (first, last): (Date, Date),
    now: Timestamp,
) -> Result<Vec<DailyValue>, sqlx::Error> {
    match bounds(first, last) {
        Some(times) => {
            let mut tx = storage::begin(&context.db).await?;
            storage::disable_seq_scans(&mut tx).await?;
            stored::count(&mut *tx, (first, last), times, now).await
        }
        None => Ok(Vec::new()),
    }
}

/// Whether a figure is counted from the rows of other tables.
const fn is_counted(figure: Figure) -> bool {
    !matches!(figure, Figure::EmptySearches) && !figure.is_sampled()
}

/// When the first of some days begins, and when the last one ends.
fn bounds(first: Date, last: Date) -> Option<(Timestamp, Timestamp)> {
    let begin = Moment::start_of(first)?.timestamp();
    Some((begin, Moment::start_of(last.tomorrow().ok()?)?.timestamp()))
}

/// Adds the values of the same figure and day.
fn add_up(values: Vec<DailyValue>) -> Vec<DailyValue> {
    let mut sums: Vec<DailyValue> = Vec::with_capacity(values.len());
    let mut places = std::collections::HashMap::new();
    for value in values {
        let place = *places.entry((value.figure, value.day)).or_insert(sums.len());
        match sums.get_mut(place) {
            Some(sum) => sum.value += value.value,
            None => sums.push(value),
        }
    }
    sums
}

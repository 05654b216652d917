//! POST /alerts/preview: shows which tenders an unsaved alert would have matched in the last
//! thirty days.

use super::{matches::FoundTender, permit_filters, require_alerts};
use crate::services::alerts::{
    breadth::Breadth,
    form::{AlertForm, MAX_KEYWORD_LENGTH},
    past_tenders::PastTenders,
};
use crate::{
    app::state::AppState,
    clients::search_engine::service_error,
    domain::{error::ServiceError, frequency::Frequency},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::{Body, CurrentUser},
    },
    storage::tenders,
};
use anyhow::Context;
use axum::extract::State;
use index::{
    percolate::Percolator,
    query::{self, translate_keywords},
};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;
use std::collections::HashSet;
use tender_model::{
    alert::{AlertQuery, Keyword},
    tender::Tender,
    vocabulary::{Language, Moment, Rates},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// The number of days that the preview covers.
const DAYS: u32 = 30;
/// The minimum number of days from which mails per week are computed. A shorter time says nothing about a
/// week.
const MIN_DAYS: u32 = 7;
/// The maximum number of matches shown.
const MAX_SHOWN: usize = 10;

/// The tenders that an alert would have matched.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertPreview {
    /// The number of days that the preview covers.
    days: u32,
    /// The number of tenders that would have matched when they were published.
    match_count: usize,
    /// Whether there may be more matches, because only the newest 500 tenders that fit the keywords
    /// and filters were checked.
    has_more: bool,
    /// The latest matches, at most ten.
    matches: Vec<FoundTender>,
    /// The expected number of mails per week, computed from the matches of the preview and the days on which
    /// the portal had tenders, at least seven.
    mails_a_week: f64,
    /// How many tenders each keyword alone would have matched, in the alert's order.
    keywords: Vec<KeywordCount>,
    /// The keyword with the most matches; `null` if no other keyword has fewer.
    noisiest: Option<String>,
    /// Whether the alert is too broad, counted over the last weeks that hold tenders.
    breadth: Breadth,
}

/// The matches of one keyword.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct KeywordCount {
    /// The keyword as the owner entered it.
    term: String,
    /// The number of matching tenders.
    count: usize,
    /// Equivalents in other languages that are not yet keywords of the alert.
    equivalents: Vec<Equivalent>,
}

/// A keyword's equivalent in another language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
struct Equivalent {
    /// The language.
    language: Language,
    /// The dictionary form, for display.
    word: String,
    /// The keyword to add, which also finds inflected forms.
    keyword: Keyword,
}

impl From<query::KeywordTranslation> for Equivalent {
    fn from(query::KeywordTranslation { language, word, keyword }: query::KeywordTranslation) -> Self {
        Self { language, word, keyword }
    }
}

/// Preview an alert
///
/// The alert needs no name. Each tender is checked with its current content, but as open and at
/// the time of its publication.
#[utoipa::path(post, path = "/alerts/preview", tag = "alerts", operation_id = "previewAlert",
request_body = AlertForm,
security(("session" = [])), responses(
    (status = 200, description = "The preview", body = Envelope<AlertPreview>),
    (status = 400, description = "Not JSON", body = FailureBody),
    (status = 401, description = "Not signed in", body = FailureBody),
    (status = 403, description = "The plan does not include alerts", body = FailureBody),
    (status = 413, description = "The body is too large", body = FailureBody),
    (status = 422, description = "Fields are invalid", body = FailureBody),
    (status = 429, description = "Too many previews in a minute", body = FailureBody),
))]
pub async fn preview_alert(
    State(state): State<AppState>,
    caller: CurrentUser,
    Body(form): Body<AlertForm>,
) -> ApiResult<AlertPreview> {
    require_alerts(&state, &caller).await?;
    let (query, frequency) = form.read_query().map_err(ServiceError::Invalid)?;
    permit_filters(&state, &caller, &query).await?;
    state.limits.try_acquire_preview(caller.id).await?;
    let past = PastTenders::load(&state, &query).await.map_err(service_error)?;
    let (rates, now) = (state.config.rates_lkr.clone(), state.clock.moment());
    let published = tenders::publication_span(&state.db, now).await?.unwrap_or((now, now));
    let days = covered_days(published.0, now);
    let since = now.timestamp().checked_sub(SignedDuration::from_hours(24 * i64::from(DAYS)));
    let since = Moment::new(since.unwrap_or(Timestamp::MIN));
    let preview = tokio::task::spawn_blocking(move || {
        let breadth = Breadth::of(&query, &past, published, &rates);
        preview(&query, (frequency, days), &rates, past.since(since), past.is_cut(), breadth)
    });
    Ok(Envelope::of(preview.await.context("previewing an alert")?))
}

/// The number of days of the preview on which the portal had tenders. `first`: the first publication.
fn covered_days(first: Moment, now: Moment) -> u32 {
    let days = (now.day() - first.day()).get_days().unsigned_abs() + 1;
    days.clamp(MIN_DAYS, DAYS)
}

/// Matches each candidate as open and at the time of its publication. `days`: the days from which mails per
/// week are computed. `is_cut` says whether older candidates exist that are not checked.
fn preview(
    query: &AlertQuery,
    (frequency, days): (Frequency, u32),
    rates: &Rates,
    candidates: &[(Moment, Tender)],
    is_cut: bool,
    breadth: Breadth,
) -> AlertPreview {
    let (whole, alone) = (Percolator::new(), Percolator::new());
    // The form has already rejected invalid keywords.
    let _ = whole.put(Uuid::nil(), query);
    for (nth, keyword) in query.keywords.iter().enumerate() {
        let only = AlertQuery { keywords: vec![keyword.clone()], ..query.clone() };
        let _ = alone.put(Uuid::from_u128(nth as u128), &only);
    }
    let mut counts = vec![0; query.keywords.len()];
    let (mut matches, mut moments, mut match_count) = (Vec::new(), Vec::new(), 0);
    for (at, tender) in candidates {
        let Some(hit) = whole.percolate(tender, *at, rates).hits.first().copied() else { continue };
        for hit in alone.percolate(tender, *at, rates).hits {
            if let Some(count) = usize::try_from(hit.alert.as_u128()).ok().and_then(|nth| counts.get_mut(nth))
            {
                *count += 1;
            }
        }
        match_count += 1;
        moments.push(*at);
        if let Some(why) = whole.match_reason(&hit).filter(|_| matches.len() < MAX_SHOWN) {
            matches.push(FoundTender::of(tender.id, tender.clone(), why));
        }
    }
    let keywords: Vec<KeywordCount> = query
        .keywords
        .iter()
        .zip(&counts)
        .zip(translate_keywords(&query.keywords))
        .map(|((keyword, &count), equivalents)| KeywordCount {
            term: keyword.term.clone(),
            count,
            equivalents: equivalents.into_iter().filter(is_valid_keyword).map(Equivalent::from).collect(),
        })
        .collect();
    let most = keywords.iter().max_by_key(|keyword| keyword.count).filter(|keyword| keyword.count > 0);
    let noisiest = most.filter(|most| keywords.iter().any(|other| other.count < most.count));
    AlertPreview {
        days: DAYS,
        match_count,
        has_more: is_cut && match_count > 0,
        matches,
        mails_a_week: mails_a_week(frequency, &moments, days),
        noisiest: noisiest.map(|keyword| keyword.term.clone()),
        keywords,
        breadth,
    }
}

/// Whether the equivalent can be a keyword of an alert.
fn is_valid_keyword(equivalent: &query::KeywordTranslation) -> bool {
    equivalent.keyword.term.chars().count() <= MAX_KEYWORD_LENGTH
}

/// Returns the mails per week for matches at these times on so many days, to one decimal. Immediate mails
/// collect the matches of a minute, and daily mails those of a day.
fn mails_a_week(frequency: Frequency, moments: &[Moment], days: u32) -> f64 {
    let mails = match frequency {
        Frequency::Immediate => {
            moments.iter().map(|at| at.timestamp().as_second().div_euclid(60)).collect::<HashSet<_>>().len()
        }
        Frequency::Daily => moments.iter().map(|at| at.day()).collect::<HashSet<_>>().len(),
        Frequency::Weekly => return if moments.is_empty() { 0.0 } else { 1.0 },
    };
    (mails as f64 * 70.0 / f64::from(days)).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use tender_model::{
        alert::{AdvancedFilters, Keyword},
        vocabulary::TenderStatus,
    };

    /// The preview of these candidates, without its breadth.
    fn preview_of(query: &AlertQuery, frequency: Frequency, candidates: &[(Moment, Tender)]) -> AlertPreview {
        let (now, rates) = (at("2026-11-20T09:00:00+05:30"), Rates::default());
        let breadth = Breadth::of(query, &PastTenders::default(), (now, now), &rates);
        preview(query, (frequency, DAYS), &rates, candidates, false, breadth)
    }

    fn at(text: &str) -> Moment {
        text.parse().unwrap()
    }

    fn tender(id: u128, title: &str, closing: &str) -> Tender {
        let mut tender = Tender { id: Uuid::from_u128(id), title: title.to_owned(), ..Tender::default() };
        tender.status = TenderStatus::Published;
        tender.dates.closing = Some(at(closing));
        tender
    }

    #[test]
    fn tender_is_matched_as_open_at_its_publication() {
        let keyword = |term: &str| Keyword { term: term.to_owned(), ..Keyword::default() };
        let query = AlertQuery {
            keywords: vec![keyword("bridge"), keyword("road")],
            advanced_filters: AdvancedFilters {
                max_days_until_closing: Some(10),
                ..AdvancedFilters::default()
            },
            ..AlertQuery::default()
        };
        let candidates = vec![
            (
                at("2026-11-03T09:00:00+05:30"),
                tender(3, "Bridge and road at Hatton", "2026-11-09T10:00:00+05:30"),
            ),
            (at("2026-11-02T09:00:00+05:30"), tender(2, "Road to Galle", "2026-11-08T10:00:00+05:30")),
            // This tender closes more than ten days after its publication.
            (at("2026-11-01T09:00:00+05:30"), tender(1, "Bridge at Matara", "2026-12-24T10:00:00+05:30")),
        ];
        let found = preview_of(&query, Frequency::Daily, &candidates);
        assert_eq!(found.match_count, 2);
        assert_eq!(found.noisiest.as_deref(), Some("road"));
        assert_eq!(found.keywords.iter().map(|keyword| keyword.count).collect::<Vec<_>>(), [1, 2]);
        assert!(!found.has_more);
        assert!((found.mails_a_week - 0.5).abs() < f64::EPSILON, "{}", found.mails_a_week);
    }

    #[test]
    fn keyword_comes_with_new_equivalents_that_are_short_enough() {
        let keyword = |term: &str| Keyword { term: term.to_owned(), ..Keyword::default() };
        let offered = |terms: &[&str]| {
            let query = AlertQuery {
                keywords: terms.iter().copied().map(keyword).collect(),
                ..AlertQuery::default()
            };
            let found = preview_of(&query, Frequency::Daily, &[]);
            let words = found.keywords.into_iter().map(|keyword| keyword.equivalents);
            words.map(|words| words.into_iter().map(|one| one.word).collect::<Vec<_>>()).collect::<Vec<_>>()
        };
        assert_eq!(offered(&["hospital", "Atlantis"]), [vec!["රෝහල", "வைத்தியசாலை", "மருத்துவமனை"], vec![]]);
        assert_eq!(offered(&["රෝහල", "hospital"])[0], ["வைத்தியசாலை", "மருத்துவமனை"]);
        // Some equivalents of this name are too long for a keyword.
        let called = "State Development and Construction Corporation";
        for word in offered(&[called]).concat() {
            assert!(word.chars().count() <= MAX_KEYWORD_LENGTH, "{word}");
        }
    }

    #[rstest]
    #[case::new("2026-11-20T09:00:00+05:30", 7)]
    #[case::young("2026-11-11T23:00:00+05:30", 10)]
    #[case::old("2026-01-01T09:00:00+05:30", 30)]
    fn mails_are_counted_over_the_days_with_tenders(#[case] first: &str, #[case] expected: u32) {
        assert_eq!(covered_days(at(first), at("2026-11-20T09:30:00+05:30")), expected);
    }

    #[test]
    fn matches_collected_together_count_as_one_mail() {
        let moments =
            ["2026-11-20T09:00:01+05:30", "2026-11-20T09:00:30+05:30", "2026-11-20T18:00:00+05:30"].map(at);
        let mails = |frequency| mails_a_week(frequency, &moments, DAYS);
        assert_eq!(
            [mails(Frequency::Immediate), mails(Frequency::Daily), mails(Frequency::Weekly)],
            [0.5, 0.2, 1.0]
        );
        assert_eq!(mails_a_week(Frequency::Weekly, &[], DAYS), 0.0);
        assert_eq!(mails_a_week(Frequency::Immediate, &moments, MIN_DAYS), 2.0);
    }
}

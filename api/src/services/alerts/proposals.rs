//! Versions of an alert that match fewer or more tenders, each with what it would have matched.

use super::{
    form::{MAX_KEYWORD_LENGTH, MAX_KEYWORDS},
    past_tenders::{count_matches, matches},
};
use index::query::translate_keywords;
use serde::Serialize;
use std::collections::HashMap;
use tender_model::{
    alert::{AdvancedFilters, AlertQuery, Keyword, Locations, ValueRange},
    tender::Tender,
    vocabulary::{MatchType, Moment, Rates, Topic},
};
use utoipa::ToSchema;

/// An alert with more matches a week than this is too broad.
pub const MAX_MATCHES_A_WEEK: f64 = 30.0;
/// The maximum number of proposals.
const MAX_PROPOSALS: usize = 3;

/// A changed query, and what it would have matched.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Proposal {
    /// What the change is.
    pub change: Change,
    /// The words that the change concerns: a district, a sector, a keyword, or translations.
    pub values: Vec<String>,
    /// The number of tenders that the changed query would have matched.
    pub match_count: usize,
    /// The same as a number per week, to one decimal.
    pub matches_a_week: f64,
    /// The whole changed query.
    pub query: AlertQuery,
}

/// A change of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema, strum::IntoStaticStr)]
#[serde(rename_all = "camelCase")]
#[schema(as = ProposedChange)]
pub enum Change {
    /// Only the district with the most matches.
    District,
    /// Only the sector with the most matches.
    Sector,
    /// Only this district and this sector.
    DistrictAndSector,
    /// Keywords count only in the title and the scope.
    TitleAndScope,
    /// Without the keyword with the most matches.
    WithoutKeyword,
    /// Keywords match whole words only.
    ExactWords,
    /// Keywords match parts of words too.
    PartsOfWords,
    /// With the translations of the keywords.
    Translations,
    /// Without the places.
    WithoutPlaces,
    /// Without the categories.
    WithoutCategories,
    /// Without the types of organisation.
    WithoutOrganizationTypes,
    /// Without the bodies.
    WithoutBodies,
    /// Keywords count in the whole text.
    WholeText,
    /// Without the bounds on the value.
    WithoutValue,
    /// Without the bounds on the days until closing.
    WithoutDays,
    /// Without the exclude keywords.
    WithoutExcludes,
    /// Without any filter.
    WithoutFilters,
}

/// A change, its words, and the changed query.
type Variant = (Change, Vec<String>, AlertQuery);

/// Tenders with their publications, the number of days that they cover, and exchange rates.
#[derive(Debug, Clone, Copy)]
pub struct Sample<'a> {
    /// The tenders, each with its publication.
    pub tenders: &'a [(Moment, Tender)],
    /// The number of days.
    pub days: u32,
    /// The rates to convert values.
    pub rates: &'a Rates,
}

impl Sample<'_> {
    /// Converts a number of matches to a number per week, to one decimal.
    #[must_use]
    pub fn a_week(&self, count: usize) -> f64 {
        (count as f64 * 70.0 / f64::from(self.days.max(1))).round() / 10.0
    }

    /// The number of tenders that a query would have matched.
    #[must_use]
    pub fn count(&self, query: &AlertQuery) -> usize {
        count_matches(&[query], self.tenders, self.rates).first().copied().unwrap_or_default()
    }

    fn proposals(&self, variants: Vec<Variant>) -> Vec<Proposal> {
        let queries: Vec<&AlertQuery> = variants.iter().map(|(_, _, query)| query).collect();
        let counts = count_matches(&queries, self.tenders, self.rates);
        let proposals = variants.into_iter().zip(counts).map(|((change, values, query), match_count)| {
            let matches_a_week = self.a_week(match_count);
            Proposal { change, values, match_count, matches_a_week, query }
        });
        proposals.collect()
    }
}

/// Narrower versions of a query, at most three: those with at most [`MAX_MATCHES_A_WEEK`] first, and of
/// these the one with the most matches.
#[must_use]
pub fn narrower(query: &AlertQuery, sample: Sample<'_>) -> Vec<Proposal> {
    let current = sample.count(query);
    let mut proposals = sample.proposals(narrower_variants(query, &sample));
    proposals.retain(|one| one.match_count > 0 && one.match_count < current);
    proposals.sort_by_key(|one| {
        let fits = one.matches_a_week <= MAX_MATCHES_A_WEEK;
        (!fits, if fits { usize::MAX - one.match_count } else { one.match_count })
    });
    proposals.truncate(MAX_PROPOSALS);
    proposals
}

fn narrower_variants(query: &AlertQuery, sample: &Sample<'_>) -> Vec<Variant> {
    let matching = matches(query, sample.tenders, sample.rates);
    let district = most_frequent(matching.iter().filter_map(|tender| tender.location.district));
    let sector = most_frequent(matching.iter().filter_map(|tender| tender.sector()));
    let in_district = |query: &AlertQuery, district| AlertQuery {
        locations: Locations { districts: vec![district], ..Locations::default() },
        ..query.clone()
    };
    let in_sector =
        |query: &AlertQuery, sector| AlertQuery { categories: vec![Topic::Sector(sector)], ..query.clone() };
    let mut variants = Vec::new();
    if let Some(district) = district {
        variants.push((Change::District, vec![district.to_string()], in_district(query, district)));
    }
    if let Some(sector) = sector.filter(|_| query.categories.is_empty()) {
        variants.push((Change::Sector, vec![sector.to_string()], in_sector(query, sector)));
        if let Some(district) = district {
            let both = in_district(&in_sector(query, sector), district);
            let values = vec![district.to_string(), sector.to_string()];
            variants.push((Change::DistrictAndSector, values, both));
        }
    }
    if !query.title_and_scope_only && !query.keywords.is_empty() {
        let limited = AlertQuery { title_and_scope_only: true, ..query.clone() };
        variants.push((Change::TitleAndScope, Vec::new(), limited));
    }
    if query.keywords.iter().any(|keyword| keyword.match_type != MatchType::Exact) {
        variants.push((Change::ExactWords, Vec::new(), with_match_type(query, MatchType::Exact)));
    }
    if query.keywords.len() > 1 {
        let alone = |keyword: &Keyword| AlertQuery { keywords: vec![keyword.clone()], ..query.clone() };
        let noisiest = query.keywords.iter().max_by_key(|keyword| sample.count(&alone(keyword)));
        if let Some(noisiest) = noisiest {
            let mut without = query.clone();
            without.keywords.retain(|keyword| keyword != noisiest);
            variants.push((Change::WithoutKeyword, vec![noisiest.term.clone()], without));
        }
    }
    variants
}

/// A query that matches everything that any of the [`broader`] versions matches.
#[must_use]
pub fn broadest(query: &AlertQuery) -> AlertQuery {
    let (translated, _) = with_translations(query);
    without_filters(&with_match_type(&translated, MatchType::Contains))
}

/// Broader versions of a query that would have matched something, at most three. Those that are not
/// too broad come first. The more a change keeps of the query, the earlier it comes.
#[must_use]
pub fn broader(query: &AlertQuery, sample: Sample<'_>) -> Vec<Proposal> {
    let current = sample.count(query);
    let mut proposals = sample.proposals(broader_variants(query));
    proposals.retain(|one| one.match_count > current);
    // All filters go only if that finds more than every smaller change.
    let smaller = proposals.iter().filter(|one| one.change != Change::WithoutFilters);
    let most = smaller.map(|one| one.match_count).max().unwrap_or_default();
    proposals.retain(|one| one.change != Change::WithoutFilters || one.match_count > most);
    // The sort is stable, so the order of the changes remains.
    proposals.sort_by_key(|one| one.matches_a_week > MAX_MATCHES_A_WEEK);
    proposals.truncate(MAX_PROPOSALS);
    proposals
}

fn broader_variants(query: &AlertQuery) -> Vec<Variant> {
    let mut variants: Vec<Variant> = Vec::new();
    let mut add = |change: Change, values: Vec<String>, changed: AlertQuery| {
        if changed != *query && variants.iter().all(|(_, _, other)| *other != changed) {
            variants.push((change, values, changed));
        }
    };
    let (translated, words) = with_translations(query);
    add(Change::Translations, words, translated);
    add(Change::PartsOfWords, Vec::new(), with_match_type(query, MatchType::Contains));
    add(Change::WithoutPlaces, Vec::new(), AlertQuery { locations: Locations::default(), ..query.clone() });
    add(Change::WithoutCategories, Vec::new(), AlertQuery { categories: Vec::new(), ..query.clone() });
    add(
        Change::WithoutOrganizationTypes,
        Vec::new(),
        AlertQuery { organization_types: Vec::new(), ..query.clone() },
    );
    if !query.keywords.is_empty() {
        add(Change::WithoutBodies, Vec::new(), AlertQuery { bodies: Vec::new(), ..query.clone() });
        add(Change::WholeText, Vec::new(), AlertQuery { title_and_scope_only: false, ..query.clone() });
    }
    add(
        Change::WithoutValue,
        Vec::new(),
        AlertQuery { estimated_value: ValueRange::default(), ..query.clone() },
    );
    let advanced = |change: fn(&mut AdvancedFilters)| {
        let mut changed = query.clone();
        change(&mut changed.advanced_filters);
        changed
    };
    let without_days = advanced(|filters| {
        (filters.min_days_until_closing, filters.max_days_until_closing) = (None, None);
    });
    add(Change::WithoutDays, Vec::new(), without_days);
    add(Change::WithoutExcludes, Vec::new(), advanced(|filters| filters.exclude_keywords.clear()));
    add(Change::WithoutFilters, Vec::new(), without_filters(query));
    variants
}

/// Only the keywords remain, or the bodies if there is no keyword.
fn without_filters(query: &AlertQuery) -> AlertQuery {
    let bodies = if query.keywords.is_empty() { query.bodies.clone() } else { Vec::new() };
    AlertQuery { keywords: query.keywords.clone(), bodies, ..AlertQuery::default() }
}

fn with_match_type(query: &AlertQuery, match_type: MatchType) -> AlertQuery {
    let change = |keyword: &Keyword| Keyword { match_type, ..keyword.clone() };
    AlertQuery { keywords: query.keywords.iter().map(change).collect(), ..query.clone() }
}

/// The query with the translations of its keywords, as many as an alert may have, and these words.
fn with_translations(query: &AlertQuery) -> (AlertQuery, Vec<String>) {
    let mut changed = query.clone();
    let mut words = Vec::new();
    for one in translate_keywords(&query.keywords).into_iter().flatten() {
        let fits = one.keyword.term.chars().count() <= MAX_KEYWORD_LENGTH;
        if fits && changed.keywords.len() < MAX_KEYWORDS && !changed.keywords.contains(&one.keyword) {
            changed.keywords.push(one.keyword);
            words.push(one.word);
        }
    }
    (changed, words)
}

/// The most frequent value. Of several, the smallest.
fn most_frequent<T: Copy + Ord + std::hash::Hash>(values: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: HashMap<T, usize> = HashMap::new();
    for value in values {
        *counts.entry(value).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(value, count)| (*count, std::cmp::Reverse(*value)));
    most.map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::{
        super::past_tenders::tests::{past, query},
        *,
    };
    use tender_model::vocabulary::{Category, District};

    fn changes(proposals: &[Proposal]) -> Vec<(Change, usize)> {
        proposals.iter().map(|one| (one.change, one.match_count)).collect()
    }

    #[test]
    fn narrower_versions_that_fit_come_first() {
        let past = past("2026-11-20T09:00:00+05:30", &["Bridge"; 45]);
        let mut tenders = past.tenders().to_vec();
        for (nth, (_, tender)) in tenders.iter_mut().enumerate() {
            tender.location.district = Some(if nth < 25 { District::Galle } else { District::Kandy });
            let category = if nth % 9 == 0 { Category::Furniture } else { Category::Construction };
            tender.category = Some(category);
        }
        let rates = Rates::default();
        let sample = Sample { tenders: &tenders, days: 7, rates: &rates };
        let proposals = narrower(&query(&["bridge"]), sample);
        let expected = [(Change::District, 25), (Change::DistrictAndSector, 22), (Change::Sector, 40)];
        assert_eq!(changes(&proposals), expected);
        assert_eq!(proposals[0].values, ["Galle"]);
        assert_eq!(proposals[0].query.locations.districts, [District::Galle]);
    }

    #[test]
    fn keyword_with_the_most_matches_is_proposed_for_removal() {
        let past = past("2026-11-20T09:00:00+05:30", &["Roads", "Roads", "Bridge"]);
        let rates = Rates::default();
        let sample = Sample { tenders: past.tenders(), days: 7, rates: &rates };
        let proposals = narrower(&query(&["road", "bridge"]), sample);
        // "road" as a whole word matches nothing, but "bridge" does.
        assert_eq!(changes(&proposals), [(Change::ExactWords, 1), (Change::WithoutKeyword, 1)]);
        assert_eq!(proposals[1].values, ["road"]);
    }

    #[test]
    fn broader_versions_would_have_matched_and_keep_most_of_the_query() {
        let past = past("2026-11-20T09:00:00+05:30", &["Bridges at Galle", "පාලම"]);
        let mut tenders = past.tenders().to_vec();
        for (_, tender) in &mut tenders {
            tender.location.district = Some(District::Galle);
        }
        let rates = Rates::default();
        let sample = Sample { tenders: &tenders, days: 60, rates: &rates };
        let mut silent = query(&["bridge"]);
        silent.keywords[0].match_type = MatchType::Exact;
        silent.locations.districts = vec![District::Mannar];
        assert_eq!(changes(&broader(&silent, sample)), []);
        silent.locations.districts = vec![District::Galle];
        let proposals = broader(&silent, sample);
        assert_eq!(changes(&proposals), [(Change::Translations, 1), (Change::PartsOfWords, 1)]);
        assert!(proposals[0].values.contains(&"පාලම".to_owned()), "{proposals:?}");
        silent.locations.districts = vec![District::Mannar];
        silent.keywords[0].match_type = MatchType::Contains;
        let proposals = broader(&silent, sample);
        assert_eq!(changes(&proposals), [(Change::WithoutPlaces, 1)]);
    }

    #[test]
    fn broadest_query_matches_what_every_broader_one_matches() {
        let mut silent = query(&["hospital"]);
        silent.advanced_filters.exclude_keywords = vec!["paint".into()];
        let broadest = broadest(&silent);
        assert!(broadest.keywords.len() > 1 && broadest.advanced_filters.exclude_keywords.is_empty());
    }
}

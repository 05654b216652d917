//! [`FacetCounts`]: counts all facets in one pass. A tender that passes all filters counts in every
//! facet. A tender that fails a single filter counts only in the facet of this filter, so that no
//! filter restricts its own choices.

use super::{
    cached::TimedAnswer,
    columns::{TenderRow, UNKNOWN},
    compiled_filter::day_bounds,
    dictionary::{Dictionary, NameCodes},
    filter_kinds::{Filter, FilterColumn, PLACE_FILTERS, SUBJECT_FILTERS, TRAIT_FILTERS},
};
use crate::{
    query::FilterValues,
    search::{ClosingBand, Facets, PublishedBand, StatusCard, VALUE_BAND_BOUNDS, ValueBand},
};
use tender_model::vocabulary::{
    Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
    Province, Rates, Sector,
};

/// The counters of all facets, most of them by dictionary code.
#[derive(Clone)]
pub(super) struct FacetCounts {
    pub(super) total: usize,
    now: i64,
    /// The tenders that pass all filters, by code of the subject's traits.
    subject_traits: Vec<u32>,
    /// For each filter on the subject, the tenders that fail only this filter, by code.
    subject_traits_failing_one: [Vec<u32>; SUBJECT_FILTERS],
    /// The tenders that pass all filters, by code of the other traits. Each code has two counters:
    /// one for tenders that have not expired, and one for expired tenders.
    other_traits: Vec<u32>,
    /// For each filter on the other traits, the tenders that fail only this filter, like
    /// `other_traits`.
    other_traits_failing_one: [Vec<u32>; TRAIT_FILTERS - SUBJECT_FILTERS],
    /// The tenders that pass all filters, by place code.
    places: Vec<u32>,
    /// For each filter on places, the tenders that fail only this filter, by place code.
    places_failing_one: [Vec<u32>; PLACE_FILTERS],
    /// The tenders that fail no filter except perhaps the one on the city, by code.
    cities: Vec<u32>,
    organizations: Vec<u32>,
    publication_sets: Vec<u32>,
    grades: [u32; 32],
    /// The tenders by the number of [`PublishedBand`]s that contain their publication time.
    published: [u32; 4],
    /// The tenders by the number of [`ClosingBand`]s that contain their closing date.
    closing: [u32; 5],
    values: [u32; VALUE_BAND_BOUNDS.len() + 1],
    unknown_value: u32,
    /// The tenders published today.
    today: u32,
    /// The first and last second of today.
    day: (i64, i64),
    /// The start of each [`PublishedBand`].
    published_from: [i64; 3],
    /// The end of each [`ClosingBand`].
    closing_until: [i64; 4],
    /// For each currency code, the bounds of the value bands in that currency. `None` without a
    /// rate.
    value_from: Vec<Option<[i64; VALUE_BAND_BOUNDS.len()]>>,
    /// The first second, not before `now`, at which a counted tender closes or expires.
    next_closing: i64,
}

impl FacetCounts {
    /// Counters at zero.
    pub(super) fn new(dictionary: &Dictionary, rates: &Rates, now: Moment) -> Self {
        let second = |moment: Option<Moment>| moment.unwrap_or(now).second();
        let published = |band: &PublishedBand| second(band.period(now).from);
        let closing = |band: &ClosingBand| second(band.period(now).until);
        let value_from = |code: usize| {
            let currency = dictionary.currency(code as u16)?;
            let mut from = VALUE_BAND_BOUNDS;
            for value in &mut from {
                *value = rates.convert(Millions::from_minor(*value), Currency::LKR, currency)?.minor();
            }
            Some(from)
        };
        let zeros = |length: usize| vec![0; length];
        Self {
            total: 0,
            now: now.second(),
            subject_traits: zeros(dictionary.subject_traits.len()),
            subject_traits_failing_one: std::array::from_fn(|_| Vec::new()),
            other_traits: zeros(2 * dictionary.other_traits.len()),
            other_traits_failing_one: std::array::from_fn(|_| Vec::new()),
            places: zeros(dictionary.places.len()),
            places_failing_one: std::array::from_fn(|_| Vec::new()),
            cities: zeros(dictionary.cities.len()),
            organizations: zeros(dictionary.organizations.len()),
            publication_sets: zeros(dictionary.publication_sets.len()),
            grades: [0; 32],
            published: [0; 4],
            closing: [0; 5],
            values: [0; VALUE_BAND_BOUNDS.len() + 1],
            unknown_value: 0,
            today: 0,
            day: day_bounds(now),
            published_from: std::array::from_fn(|index| published(&PublishedBand::ALL[index])),
            closing_until: std::array::from_fn(|index| closing(&ClosingBand::ALL[index])),
            value_from: (0..dictionary.currencies.len()).map(value_from).collect(),
            next_closing: i64::MAX,
        }
    }

    /// Counts a tender, given the filters it fails.
    #[inline]
    pub(super) fn count(&mut self, row: &TenderRow<'_>, failed: u32) {
        if failed == 0 {
            self.count_everywhere(row);
        } else if failed.is_power_of_two() {
            self.count_in_facet(row, Filter::of_bit(failed));
        }
    }

    fn expired(&self, row: &TenderRow<'_>) -> usize {
        usize::from(row.hot.live_until < self.now)
    }

    #[inline]
    fn count_everywhere(&mut self, row: &TenderRow<'_>) {
        self.total += 1;
        self.subject_traits[row.hot.subject_traits as usize] += 1;
        let other_traits = 2 * row.hot.other_traits as usize + self.expired(row);
        self.other_traits[other_traits] += 1;
        self.places[row.hot.places as usize] += 1;
        self.cities[row.cold.city as usize] += 1;
        self.organizations[row.cold.organization as usize] += 1;
        self.publication_sets[row.cold.publications as usize] += 1;
        self.count_grades(row);
        self.count_published(row);
        self.count_closing(row);
        self.count_value(row);
        self.count_today(row);
        for moment in [row.hot.live_until, row.cold.closing] {
            if moment >= self.now {
                self.next_closing = self.next_closing.min(moment);
            }
        }
    }

    fn count_in_facet(&mut self, row: &TenderRow<'_>, failed: Filter) {
        match failed {
            Filter::Sector | Filter::Category | Filter::Kind | Filter::Priority => {
                let counts = &mut self.subject_traits_failing_one[failed as usize];
                increment(counts, self.subject_traits.len(), row.hot.subject_traits as usize);
            }
            Filter::OrganizationType | Filter::Status | Filter::Language => {
                let other_traits = 2 * row.hot.other_traits as usize + self.expired(row);
                increment(
                    &mut self.other_traits_failing_one[failed as usize - SUBJECT_FILTERS],
                    self.other_traits.len(),
                    other_traits,
                );
                if failed == Filter::Status {
                    self.count_today(row);
                }
            }
            Filter::Province | Filter::District => {
                let counts = &mut self.places_failing_one[failed as usize - TRAIT_FILTERS];
                increment(counts, self.places.len(), row.hot.places as usize);
            }
            Filter::City => self.cities[row.cold.city as usize] += 1,
            Filter::Organization => self.organizations[row.cold.organization as usize] += 1,
            Filter::Publication => self.publication_sets[row.cold.publications as usize] += 1,
            Filter::Grade => self.count_grades(row),
            Filter::Published => self.count_published(row),
            Filter::Closing => self.count_closing(row),
            Filter::Value => self.count_value(row),
        }
    }

    fn count_grades(&mut self, row: &TenderRow<'_>) {
        let mut grades = row.cold.grades;
        while grades != 0 {
            self.grades[grades.trailing_zeros() as usize] += 1;
            grades &= grades - 1;
        }
    }

    fn count_published(&mut self, row: &TenderRow<'_>) {
        let bands = self.published_from.iter().filter(|from| row.hot.published_at >= **from).count();
        self.published[if row.hot.published_at > self.day.1 { 0 } else { bands }] += 1;
    }

    fn count_closing(&mut self, row: &TenderRow<'_>) {
        let bands = self.closing_until.iter().filter(|until| row.cold.closing <= **until).count();
        self.closing[if row.cold.closing < self.now { 0 } else { bands }] += 1;
    }

    fn count_value(&mut self, row: &TenderRow<'_>) {
        match &self.value_from[row.hot.currency as usize] {
            Some(from) if row.cold.value != UNKNOWN => {
                self.values[from.iter().filter(|from| row.cold.value >= **from).count()] += 1;
            }
            _ => self.unknown_value += 1,
        }
    }

    fn count_today(&mut self, row: &TenderRow<'_>) {
        self.today += u32::from(row.hot.published_at >= self.day.0 && row.hot.published_at <= self.day.1);
    }

    /// Adds the counters of other tenders.
    pub(super) fn merge(&mut self, other: &Self) {
        fn add(sums: &mut [u32], others: &[u32]) {
            sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
        }
        fn add_resized(sums: &mut Vec<u32>, others: &[u32]) {
            sums.resize(sums.len().max(others.len()), 0);
            add(sums, others);
        }
        self.total += other.total;
        add(&mut self.subject_traits, &other.subject_traits);
        add(&mut self.other_traits, &other.other_traits);
        add(&mut self.places, &other.places);
        let failing_one = self.subject_traits_failing_one.iter_mut().zip(&other.subject_traits_failing_one);
        let failing_one =
            failing_one.chain(self.other_traits_failing_one.iter_mut().zip(&other.other_traits_failing_one));
        let failing_one =
            failing_one.chain(self.places_failing_one.iter_mut().zip(&other.places_failing_one));
        failing_one.for_each(|(sums, others)| add_resized(sums, others));
        add(&mut self.cities, &other.cities);
        add(&mut self.organizations, &other.organizations);
        add(&mut self.publication_sets, &other.publication_sets);
        add(&mut self.grades, &other.grades);
        add(&mut self.published, &other.published);
        add(&mut self.closing, &other.closing);
        add(&mut self.values, &other.values);
        self.unknown_value += other.unknown_value;
        self.today += other.today;
        self.next_closing = self.next_closing.min(other.next_closing);
    }

    /// Adds the period of validity, which lasts until the day ends or a tender closes. All tenders
    /// must have been counted.
    pub(super) fn into_timed(self) -> TimedAnswer<Self> {
        TimedAnswer { from: self.now, until: self.next_closing.min(self.day.1), answer: self }
    }

    /// The counts for each value of a filter on traits: tenders that pass all filters, and tenders
    /// that fail only this one.
    fn by_traits<T: Copy>(&self, filter: Filter, all: &[T], dictionary: &Dictionary) -> Vec<(T, usize)> {
        let index = filter as usize;
        let mut sums = [0; 32];
        if filter.column() == FilterColumn::SubjectTraits {
            for counts in [&self.subject_traits, &self.subject_traits_failing_one[index]] {
                for (value, count) in dictionary.subject_trait_values().iter().zip(counts) {
                    sums[value.ordinals[index] as usize] += *count as usize;
                }
            }
        } else {
            for counts in [&self.other_traits, &self.other_traits_failing_one[index - SUBJECT_FILTERS]] {
                for (value, counts) in dictionary.other_trait_values().iter().zip(counts.as_chunks::<2>().0) {
                    sums[value.ordinals[index] as usize] += counts[0] as usize;
                    sums[value.ordinals_after_expiry[index] as usize] += counts[1] as usize;
                }
            }
        }
        all.iter().copied().zip(sums).collect()
    }

    fn by_places(&self, filter: Filter, dictionary: &Dictionary) -> Vec<(FilterValues, usize)> {
        let others = &self.places_failing_one[filter as usize - TRAIT_FILTERS];
        let places = dictionary.places.iter().map(|(code, places)| {
            let count = |counts: &Vec<u32>| counts.get(code).copied().unwrap_or_default() as usize;
            (FilterValues { places: *places, ..FilterValues::default() }, count(&self.places) + count(others))
        });
        places.collect()
    }

    /// The facets, with at most `most` names in each list of names.
    pub(super) fn facets(&self, dictionary: &Dictionary, most: usize) -> Facets {
        let mut publications = vec![0; dictionary.publications.len()];
        for (code, set) in dictionary.publication_sets.iter() {
            for publication in set {
                publications[*publication as usize] += self.publication_sets[code];
            }
        }
        Facets {
            sectors: self.by_traits(Filter::Sector, Sector::ALL, dictionary),
            categories: self.by_traits(Filter::Category, Category::ALL, dictionary),
            organization_types: self.by_traits(Filter::OrganizationType, OrganizationType::ALL, dictionary),
            organizations: most_frequent(&dictionary.organizations, &self.organizations, most),
            provinces: count_choices(
                Province::ALL,
                &self.by_places(Filter::Province, dictionary),
                FilterValues::is_in_province,
            ),
            districts: count_choices(
                District::ALL,
                &self.by_places(Filter::District, dictionary),
                FilterValues::is_in_district,
            ),
            cities: most_frequent(&dictionary.cities, &self.cities, most),
            statuses: self.statuses(dictionary),
            kinds: self.by_traits(Filter::Kind, Kind::ALL, dictionary),
            grades: Grade::ALL.iter().map(|grade| (*grade, self.grades[*grade as usize] as usize)).collect(),
            published: cumulative_counts(PublishedBand::ALL, &self.published),
            closing: cumulative_counts(ClosingBand::ALL, &self.closing),
            values: ValueBand::all().zip(self.values.map(|count| count as usize)).collect(),
            unknown_value: self.unknown_value as usize,
            priorities: self.by_traits(Filter::Priority, Priority::ALL, dictionary),
            languages: self.by_traits(Filter::Language, Language::ALL, dictionary),
            publications: most_frequent(&dictionary.publications, &publications, most),
        }
    }

    /// The counts for the statistics cards.
    fn statuses(&self, dictionary: &Dictionary) -> Vec<(StatusCard, usize)> {
        let mut statuses = self.by_traits(Filter::Status, StatusCard::ALL, dictionary);
        let today = statuses.iter_mut().filter(|(only, _)| *only == StatusCard::Today);
        today.for_each(|(_, count)| *count = self.today as usize);
        statuses
    }
}

/// The number of tenders for each choice.
fn count_choices<T: Copy>(
    choices: &[T],
    counted: &[(FilterValues, usize)],
    holds: impl Fn(&FilterValues, T) -> bool,
) -> Vec<(T, usize)> {
    let count =
        |choice: T| counted.iter().filter(|(values, _)| holds(values, choice)).map(|(_, count)| count).sum();
    choices.iter().map(|choice| (*choice, count(*choice))).collect()
}

/// Increments the counter of a code. The vector is allocated on first use.
#[inline]
fn increment(counts: &mut Vec<u32>, length: usize, code: usize) {
    if counts.is_empty() {
        counts.resize(length, 0);
    }
    counts[code] += 1;
}

/// Cumulative counts of nested bands. `counts[n]` tenders lie in exactly `n` bands.
fn cumulative_counts<T: Copy>(bands: &[T], counts: &[u32]) -> Vec<(T, usize)> {
    let within = |index: usize| counts.iter().rev().take(index + 1).map(|count| *count as usize).sum();
    bands.iter().enumerate().map(|(index, band)| (*band, within(index))).collect()
}

/// The most frequent names, sorted by count and then by name.
fn most_frequent(names: &NameCodes, counts: &[u32], most: usize) -> Vec<(String, usize)> {
    let counted = counts.iter().enumerate().skip(1).filter(|(_, count)| **count > 0);
    let mut counted: Vec<(&str, u32)> =
        counted.filter_map(|(code, count)| Some((names.spelling(code)?, *count))).collect();
    let order = |a: &(&str, u32), b: &(&str, u32)| b.1.cmp(&a.1).then(a.0.cmp(b.0));
    if most > 0 && counted.len() > most {
        counted.select_nth_unstable_by(most - 1, order);
    }
    counted.truncate(most);
    counted.sort_unstable_by(order);
    counted.into_iter().map(|(name, count)| (name.to_owned(), count as usize)).collect()
}

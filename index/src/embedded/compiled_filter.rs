//! [`CompiledFilter`]: the filters of a request, compiled to bounds and to lookups by dictionary
//! code. It also decides which tenders are locked, and which are newer than a pinned listing.

use super::{
    columns::{HotColumns, SegmentColumns, TenderRow, UNKNOWN},
    dictionary::{Dictionary, NameCodes},
    filter_kinds::{Filter, FilterColumn, TRAIT_FILTERS},
};
use crate::{
    query::FilterValues,
    search::{ListingRequest, Period, StatusCard, TenderLock, Viewer},
};
use tantivy::DocId;
use tender_model::vocabulary::{Grade, Moment, Visibility};
use uuid::Uuid;

/// The lower and upper bound, both inclusive.
type Bounds = (i64, i64);

/// The filters of one request at one time, for one dictionary.
pub(super) struct CompiledFilter {
    now: i64,
    /// For each code of the subject's traits, the failed filters as a mask of [`Filter::bit`].
    subject_traits: Vec<u32>,
    /// For each code of the other traits, two masks of failed filters: before and after the tender
    /// has expired.
    other_traits: Vec<u32>,
    /// For each place code, the mask of failed filters.
    places: Vec<u32>,
    /// For each city code, whether the city is requested. `None`: any city.
    cities: Option<Vec<bool>>,
    /// For each organisation code, whether the organisation is requested. `None`: any organisation.
    organizations: Option<Vec<bool>>,
    /// For each code of a set of newspapers, whether the set contains a requested newspaper.
    /// `None`: any set.
    publication_sets: Option<Vec<bool>>,
    /// One bit per requested grade. 0: any grade.
    grades: u32,
    published: Option<Bounds>,
    closing: Option<Bounds>,
    /// For each code of the other traits, whether the closing date was printed but not read.
    /// `closing` does not exclude such a tender.
    closing_unread: Vec<bool>,
    /// For each currency code, the bounds on values in that currency.
    values: Option<Vec<Bounds>>,
    /// The first and last second of today, if [`StatusCard::Today`] is requested.
    today: Option<Bounds>,
    /// The newest tender of a pinned listing, as publication time and id. Newer tenders are
    /// excluded.
    newest: Option<(i64, Uuid)>,
    /// For each code of the other traits, whether the visibility exceeds what the viewer may read.
    invisible: Vec<bool>,
    /// The start of the viewer's archive window. Older publications are locked.
    since: i64,
    /// Whether any tender can be locked for the viewer.
    pub(super) has_locks: bool,
    /// The viewer's account. The tenders that it owns are never locked.
    account: Option<Uuid>,
}

impl CompiledFilter {
    /// Compiles the filters. `newest` is the newest tender of a pinned listing.
    pub(super) fn new(
        request: &ListingRequest,
        dictionary: &Dictionary,
        now: Moment,
        newest: Option<(i64, Uuid)>,
    ) -> Self {
        let filter = &request.filter;
        let (visibility, since, account) = match request.viewer {
            Viewer::Unlimited => (Visibility::Premium, None, None),
            Viewer::Limited { visibility, since, account } => (visibility, since, account),
        };
        let mut compiled = Self {
            now: now.second(),
            subject_traits: Vec::new(),
            other_traits: Vec::new(),
            places: vec![0; dictionary.places.len()],
            cities: requested_codes(&filter.cities, &dictionary.cities),
            organizations: requested_codes(&filter.organizations, &dictionary.organizations),
            publication_sets: requested_codes(&filter.publications, &dictionary.publications).map(|wanted| {
                let sets = dictionary.publication_sets.iter();
                let any = sets.map(|(_, set)| set.iter().any(|code| wanted[*code as usize]));
                std::iter::once(false).chain(any).collect()
            }),
            grades: filter.grades.iter().fold(0, |grades, grade: &Grade| grades | 1 << *grade as u32),
            published: bounds(filter.published),
            closing: bounds(filter.closing),
            closing_unread: Vec::new(),
            values: value_bounds(request, dictionary),
            today: filter.statuses.contains(&StatusCard::Today).then(|| day_bounds(now)),
            newest,
            invisible: Vec::new(),
            since: since.map_or(i64::MIN, Moment::second),
            has_locks: visibility != Visibility::Premium || since.is_some(),
            account,
        };
        let admitted = Filter::on_traits().map(|on| on.admitted_ordinals(filter));
        let failed =
            |on: Filter, ordinal: u8| u32::from(!admitted[on as usize][ordinal as usize]) << on as u32;
        let failed_of = |column: FilterColumn, ordinals: &[u8; TRAIT_FILTERS]| {
            let filters = Filter::on_traits().into_iter().filter(|on| on.column() == column);
            filters.fold(0, |all, on| all | failed(on, ordinals[on as usize]))
        };
        for value in dictionary.subject_trait_values() {
            compiled.subject_traits.push(failed_of(FilterColumn::SubjectTraits, &value.ordinals));
        }
        for value in dictionary.other_trait_values() {
            compiled.invisible.push(value.visibility > Some(visibility));
            compiled.closing_unread.push(value.is_closing_unread);
            for ordinals in [&value.ordinals, &value.ordinals_after_expiry] {
                // A hidden document fails all filters, so it is counted in no facet either.
                let failed =
                    if value.is_hidden { u32::MAX } else { failed_of(FilterColumn::OtherTraits, ordinals) };
                compiled.other_traits.push(failed);
            }
        }
        for code in 0..compiled.places.len() {
            let places = dictionary.places.get(code as u32).copied().unwrap_or_default();
            let values = FilterValues { places, ..FilterValues::default() };
            let on_places = Filter::ALL.into_iter().filter(|on| on.column() == FilterColumn::Places);
            let failed = on_places.filter(|on| !on.admits_place(filter, &values));
            compiled.places[code] = failed.fold(0, |all, on| all | on.bit());
        }
        compiled
    }

    /// 1 if the tender has expired, else 0.
    pub(super) fn expired(&self, row: &TenderRow<'_>) -> usize {
        usize::from(row.hot.live_until < self.now)
    }

    /// Whether the tender is not newer than the newest tender of the pinned listing.
    pub(super) fn is_in_pinned_listing(
        &self,
        columns: &SegmentColumns,
        document: DocId,
        row: &TenderRow<'_>,
    ) -> bool {
        let Some((second, id)) = self.newest else { return true };
        row.hot.published_at < second || (row.hot.published_at == second && columns.id(document) <= id)
    }

    /// The failed filters that are decided by codes of traits and places, as a mask.
    #[inline]
    pub(super) fn failed_by_codes(&self, hot: &HotColumns) -> u32 {
        let failed = self.subject_traits[hot.subject_traits as usize]
            | self.other_traits[2 * hot.other_traits as usize + usize::from(hot.live_until < self.now)]
            | self.places[hot.places as usize];
        match self.today {
            Some((start, end)) if (start..=end).contains(&hot.published_at) => failed & !Filter::Status.bit(),
            _ => failed,
        }
    }

    /// The failed filters that are not decided by codes of traits or places, as a mask.
    #[inline]
    pub(super) fn failed_by_rest(&self, row: &TenderRow<'_>) -> u32 {
        let mut failed = 0;
        let mut unless = |holds: bool, filter: Filter| failed |= if holds { 0 } else { filter.bit() };
        if let Some(cities) = &self.cities {
            unless(cities[row.cold.city as usize], Filter::City);
        }
        if let Some(organizations) = &self.organizations {
            unless(organizations[row.cold.organization as usize], Filter::Organization);
        }
        if let Some(sets) = &self.publication_sets {
            unless(sets[row.cold.publications as usize], Filter::Publication);
        }
        if self.grades != 0 {
            unless(row.cold.grades & self.grades != 0, Filter::Grade);
        }
        if let Some((from, until)) = self.published {
            unless((from..=until).contains(&row.hot.published_at), Filter::Published);
        }
        if let Some((from, until)) = self.closing {
            let is_within = (from..=until).contains(&row.cold.closing);
            unless(is_within || self.closing_unread[row.hot.other_traits as usize], Filter::Closing);
        }
        if let Some(values) = &self.values {
            let (min, max) = values[row.hot.currency as usize];
            unless(row.cold.value == UNKNOWN || (min..=max).contains(&row.cold.value), Filter::Value);
        }
        failed
    }

    /// The ordinal of the viewer's account among the owners of a segment, for
    /// [`CompiledFilter::lock`].
    pub(super) fn account_in(&self, columns: &SegmentColumns) -> tantivy::Result<Option<u64>> {
        self.account.map_or(Ok(None), |account| columns.owner_ordinal(account))
    }

    /// Why the tender is locked for the viewer. `None` if it is not locked.
    #[inline]
    pub(super) fn lock(
        &self,
        columns: &SegmentColumns,
        document: DocId,
        row: &TenderRow<'_>,
        account: Option<u64>,
    ) -> Option<TenderLock> {
        if !self.has_locks {
            return None;
        }
        let lock = if self.invisible[row.hot.other_traits as usize] {
            TenderLock::Visibility
        } else if row.hot.published_at != UNKNOWN && row.hot.published_at < self.since {
            TenderLock::Archive
        } else {
            return None;
        };
        (!columns.is_owned_by(document, account)).then_some(lock)
    }
}

/// For each code, whether its name is requested. `None` if no name is requested.
fn requested_codes(wanted: &[String], names: &NameCodes) -> Option<Vec<bool>> {
    if wanted.is_empty() {
        return None;
    }
    let mut among = vec![false; names.len()];
    for code in wanted.iter().filter_map(|name| names.find(name)) {
        among[code as usize] = true;
    }
    Some(among)
}

/// The bounds of a period in seconds since 1970. They exclude [`UNKNOWN`]. `None` for a period
/// without bounds.
fn bounds(span: Period) -> Option<Bounds> {
    let open = span == Period::default();
    (!open).then_some((
        span.from.map_or(UNKNOWN + 1, Moment::second),
        span.until.map_or(i64::MAX, Moment::second),
    ))
}

/// The first and last second of the current day in Colombo.
pub(super) fn day_bounds(now: Moment) -> Bounds {
    let day = now.day();
    let second = |moment: Option<Moment>| moment.unwrap_or(now).second();
    (second(Moment::start_of(day)), second(Moment::end_of(day)))
}

/// The requested value range, converted to minor units of each currency. Currencies without a rate
/// are unbounded. `None` if no range is requested.
fn value_bounds(request: &ListingRequest, dictionary: &Dictionary) -> Option<Vec<Bounds>> {
    let range = request.filter.value;
    if range.min.is_none() && range.max.is_none() {
        return None;
    }
    let codes = 0..dictionary.currencies.len();
    let bounds = codes.map(|code| {
        let currency = dictionary.currency(code as u16);
        let convert =
            |bound| currency.and_then(|currency| request.rates.convert(bound?, range.currency, currency));
        let min = convert(range.min).map_or(i64::MIN, |min| min.minor());
        let max = convert(range.max).map_or(i64::MAX, |max| max.minor());
        (min, max)
    });
    Some(bounds.collect())
}

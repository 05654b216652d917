//! The filters of a listing made ready: which of them a row fails, as bits, mostly by looking a code up. Also to whom a tender is locked, and
//! which tenders came after the listing was begun.

use super::{
    columns::{HotColumns, SegmentColumns, TenderRow, UNKNOWN},
    dictionary::{Dictionary, NameCodes},
    entitlement::{TenderLock, Viewer},
    request::{ListingRequest, Period, StatusCard},
};
use crate::query::TenderFacts;
use tantivy::DocId;
use tender_model::vocabulary::{Grade, Moment, Visibility};
use uuid::Uuid;

/// A bit for each filter. Those that go by what a tender is about come first, then those by its form, then those by places.
pub(super) mod part {
    pub(in crate::search) const SECTOR: u32 = 1;
    pub(in crate::search) const CATEGORY: u32 = 1 << 1;
    pub(in crate::search) const KIND: u32 = 1 << 2;
    pub(in crate::search) const PRIORITY: u32 = 1 << 3;
    pub(in crate::search) const ORGANIZATION_TYPE: u32 = 1 << 4;
    pub(in crate::search) const STATUS: u32 = 1 << 5;
    pub(in crate::search) const LANGUAGE: u32 = 1 << 6;
    pub(in crate::search) const PROVINCE: u32 = 1 << 7;
    pub(in crate::search) const DISTRICT: u32 = 1 << 8;
    pub(in crate::search) const CITY: u32 = 1 << 9;
    pub(in crate::search) const ORGANIZATION: u32 = 1 << 10;
    pub(in crate::search) const PUBLICATION: u32 = 1 << 11;
    pub(in crate::search) const GRADE: u32 = 1 << 12;
    pub(in crate::search) const PUBLISHED: u32 = 1 << 13;
    pub(in crate::search) const CLOSING: u32 = 1 << 14;
    pub(in crate::search) const VALUE: u32 = 1 << 15;
}

/// The place of the status among them.
pub(super) const STATUS: usize = part::STATUS.trailing_zeros() as usize;

/// How many filters go by what a tender is about, how many by that or its form, and how many more by places.
pub(super) const BY_ABOUT: usize = 4;
pub(super) const BY_TRAITS: usize = 7;
pub(super) const BY_PLACES: usize = 2;

/// From and until, both included.
type Bounds = (i64, i64);

/// The filters of one request at one moment, over the codes of one dictionary.
pub(super) struct CompiledFilter {
    now: i64,
    /// By code of what it is about.
    about: Vec<u32>,
    /// By code of form, once as it is and once for a tender past its time.
    form: Vec<u32>,
    /// By code of places.
    places: Vec<u32>,
    cities: Option<Vec<bool>>,
    organizations: Option<Vec<bool>>,
    publication_sets: Option<Vec<bool>>,
    /// Some of these; none asked for: any.
    grades: u32,
    published: Option<Bounds>,
    closing: Option<Bounds>,
    /// By code of form: the closing was not read, so that no bounds on it keep the tender out.
    closing_unread: Vec<bool>,
    /// By code of currency.
    values: Option<Vec<Bounds>>,
    /// Today's, where being of today is enough.
    today: Option<Bounds>,
    /// Nothing published later, or in the same second with a greater id.
    newest: Option<(i64, Uuid)>,
    /// By code of form: the visibility is above the reader's.
    invisible: Vec<bool>,
    /// What was published before is archived.
    since: i64,
    pub(super) locks: bool,
    account: Option<Uuid>,
}

impl CompiledFilter {
    /// Makes the filters ready.
    pub(super) fn new(
        request: &ListingRequest,
        dictionary: &Dictionary,
        now: Moment,
        newest: Option<(i64, Uuid)>,
    ) -> Self {
        let filter = &request.filter;
        let (visibility, since, account) = match request.reader {
            Viewer::Unlimited => (Visibility::Premium, None, None),
            Viewer::Limited { visibility, since, account } => (visibility, since, account),
        };
        let mut sieve = Self {
            now: now.second(),
            about: Vec::new(),
            form: Vec::new(),
            places: vec![0; dictionary.places.len()],
            cities: among(&filter.cities, &dictionary.cities),
            organizations: among(&filter.organizations, &dictionary.organizations),
            publication_sets: among(&filter.publications, &dictionary.publications).map(|wanted| {
                let sets = dictionary.publication_sets.iter();
                let any = sets.map(|(_, set)| set.iter().any(|code| wanted[*code as usize]));
                std::iter::once(false).chain(any).collect()
            }),
            grades: filter.grades.iter().fold(0, |grades, grade: &Grade| grades | 1 << *grade as u32),
            published: bounds(filter.published),
            closing: bounds(filter.closing),
            closing_unread: Vec::new(),
            values: values(request, dictionary),
            today: filter.statuses.contains(&StatusCard::Today).then(|| day_of(now)),
            newest,
            invisible: Vec::new(),
            since: since.map_or(i64::MIN, Moment::second),
            locks: visibility != Visibility::Premium || since.is_some(),
            account,
        };
        let wanted = wanted_members(request);
        let failed = |part: usize, member: u8| u32::from(!wanted[part][member as usize]) << part;
        for members in dictionary.about_members() {
            sieve.about.push((0..BY_ABOUT).fold(0, |all, part| all | failed(part, members.of[part])));
        }
        for members in dictionary.form_members() {
            sieve.invisible.push(members.visibility > Some(visibility));
            sieve.closing_unread.push(members.is_closing_unread);
            let others = (BY_ABOUT..BY_TRAITS).filter(|part| *part != STATUS);
            let others = others.fold(0, |all, part| all | failed(part, members.of[part]));
            sieve.form.push(others | failed(STATUS, members.of[STATUS]));
            sieve.form.push(others | failed(STATUS, members.status_past));
        }
        for code in 0..sieve.places.len() {
            let places = dictionary.places.get(code as u32).copied().unwrap_or_default();
            let facts = TenderFacts { places, ..TenderFacts::default() };
            let admits = |empty: bool, any: bool, part: u32| if empty || any { 0 } else { part };
            sieve.places[code] = admits(
                filter.provinces.is_empty(),
                filter.provinces.iter().any(|province| facts.is_in_province(*province)),
                part::PROVINCE,
            ) | admits(
                filter.districts.is_empty(),
                filter.districts.iter().any(|district| facts.is_in_district(*district)),
                part::DISTRICT,
            );
        }
        sieve
    }

    /// 1 for a tender whose time has run out.
    pub(super) fn expired(&self, row: &TenderRow<'_>) -> usize {
        usize::from(row.hot.live_until < self.now)
    }

    /// Whether it was there when the listing was begun.
    pub(super) fn was_there(&self, table: &SegmentColumns, document: DocId, row: &TenderRow<'_>) -> bool {
        let Some((second, id)) = self.newest else { return true };
        row.hot.published_at < second || (row.hot.published_at == second && table.id(document) <= id)
    }

    /// The filters that a tender fails by its codes, one bit of [`part`] each.
    #[inline]
    pub(super) fn failed_by_codes(&self, hot: &HotColumns) -> u32 {
        let failed = self.about[hot.about as usize]
            | self.form[2 * hot.form as usize + usize::from(hot.live_until < self.now)]
            | self.places[hot.places as usize];
        match self.today {
            Some((start, end)) if (start..=end).contains(&hot.published_at) => failed & !part::STATUS,
            _ => failed,
        }
    }

    /// The other filters that it fails.
    #[inline]
    pub(super) fn failed_by_rest(&self, row: &TenderRow<'_>) -> u32 {
        let mut failed = 0;
        let mut unless = |holds: bool, part: u32| failed |= if holds { 0 } else { part };
        if let Some(cities) = &self.cities {
            unless(cities[row.cold.city as usize], part::CITY);
        }
        if let Some(organizations) = &self.organizations {
            unless(organizations[row.cold.organization as usize], part::ORGANIZATION);
        }
        if let Some(sets) = &self.publication_sets {
            unless(sets[row.cold.publications as usize], part::PUBLICATION);
        }
        if self.grades != 0 {
            unless(row.cold.grades & self.grades != 0, part::GRADE);
        }
        if let Some((from, until)) = self.published {
            unless((from..=until).contains(&row.hot.published_at), part::PUBLISHED);
        }
        if let Some((from, until)) = self.closing {
            let is_within = (from..=until).contains(&row.cold.closing);
            unless(is_within || self.closing_unread[row.hot.form as usize], part::CLOSING);
        }
        if let Some(values) = &self.values {
            let (min, max) = values[row.hot.currency as usize];
            unless(row.cold.value == UNKNOWN || (min..=max).contains(&row.cold.value), part::VALUE);
        }
        failed
    }

    /// The account's ordinal among a segment's owners, for [`CompiledFilter::lock`].
    pub(super) fn account_in(&self, table: &SegmentColumns) -> tantivy::Result<Option<u64>> {
        self.account.map_or(Ok(None), |account| table.owner_ordinal(account))
    }

    /// Why a tender is locked to the reader, if it is.
    #[inline]
    pub(super) fn lock(
        &self,
        table: &SegmentColumns,
        document: DocId,
        row: &TenderRow<'_>,
        account: Option<u64>,
    ) -> Option<TenderLock> {
        if !self.locks {
            return None;
        }
        let lock = if self.invisible[row.hot.form as usize] {
            TenderLock::Visibility
        } else if row.hot.published_at != UNKNOWN && row.hot.published_at < self.since {
            TenderLock::Archive
        } else {
            return None;
        };
        (!table.is_owned_by(document, account)).then_some(lock)
    }
}

/// For each filter that goes by traits, which members of its list pass.
fn wanted_members(request: &ListingRequest) -> [[bool; 32]; BY_TRAITS] {
    fn places<T: Copy>(wanted: &[T], place: impl Fn(T) -> usize) -> [bool; 32] {
        let mut places = [wanted.is_empty(); 32];
        wanted.iter().for_each(|member| places[place(*member)] = true);
        places
    }
    let filter = &request.filter;
    [
        places(&filter.sectors, |sector| sector as usize),
        places(&filter.categories, |category| category as usize),
        places(&filter.kinds, |kind| kind as usize),
        places(&filter.priorities, |priority| priority as usize),
        places(&filter.organization_types, |kind| kind as usize),
        places(&filter.statuses, |only| only as usize),
        places(&filter.languages, |language| language as usize),
    ]
}

/// Which codes the names stand for; none asked for: any.
fn among(wanted: &[String], names: &NameCodes) -> Option<Vec<bool>> {
    if wanted.is_empty() {
        return None;
    }
    let mut among = vec![false; names.len()];
    for code in wanted.iter().filter_map(|name| names.find(name)) {
        among[code as usize] = true;
    }
    Some(among)
}

/// A span in seconds. What is unknown lies in none.
fn bounds(span: Period) -> Option<Bounds> {
    let open = span == Period::default();
    (!open).then_some((
        span.from.map_or(UNKNOWN + 1, Moment::second),
        span.until.map_or(i64::MAX, Moment::second),
    ))
}

/// The first and last second of the Colombo day of a moment.
pub(super) fn day_of(now: Moment) -> Bounds {
    let day = now.day();
    let second = |moment: Option<Moment>| moment.unwrap_or(now).second();
    (second(Moment::start_of(day)), second(Moment::end_of(day)))
}

/// The asked range in minor units of each currency; boundless where there is no rate.
fn values(request: &ListingRequest, dictionary: &Dictionary) -> Option<Vec<Bounds>> {
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

//! [`AlertFilters`]: the filters of an alert as masks and bounds on [`FilterValues`]. An unknown
//! category, organisation type, place or value passes every filter.

use super::filter_values::{
    FilterValues, bits, category_mask, group_mask, name_hash, status_bit, topic_bits,
};
use tender_model::{
    alert::AlertQuery,
    vocabulary::{Currency, Kind, Language, Millions, Moment, OrganizationType, Priority, Rates, Visibility},
};

/// The conditions of an alert besides its keywords.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlertFilters {
    /// A tender passes if all its [`FilterValues::traits`] are in this mask.
    pub traits: u64,
    /// A tender with places passes if one of its province and district bits is in this mask, or if
    /// its city is in `cities`. All bits are set if the alert does not filter by place.
    pub places: u64,
    /// The hashes of the names of the requested cities.
    pub(crate) cities: Box<[u64]>,
    /// The hashes of the names of the requested organisations. Empty if the alert does not filter by
    /// them.
    pub(crate) bodies: Box<[u64]>,
    /// The minimum estimated value, in `currency`.
    pub(crate) minimum: Option<Millions>,
    /// The maximum estimated value, in `currency`.
    pub(crate) maximum: Option<Millions>,
    pub(crate) currency: Currency,
    pub(crate) minimum_days: Option<u16>,
    pub(crate) maximum_days: Option<u16>,
}

impl AlertFilters {
    /// The filters of an alert.
    #[must_use]
    pub fn of(query: &AlertQuery) -> Self {
        let advanced = &query.advanced_filters;
        let statuses = advanced.included_statuses.iter().filter(|status| status.is_public());
        let traits = union_or(query.categories.iter().map(|topic| topic_bits(*topic)), category_mask())
            | union_or(
                query.organization_types.iter().map(|kind| 1 << (bits::ORGANIZATION + *kind as u32)),
                group_mask(bits::ORGANIZATION, OrganizationType::ALL.len()),
            )
            | union_or(
                advanced.included_priorities.iter().map(|priority| 1 << (bits::PRIORITY + *priority as u32)),
                group_mask(bits::PRIORITY, Priority::ALL.len()),
            )
            | statuses.fold(0, |mask, status| mask | status_bit(*status))
            | unfiltered_traits();
        let locations = &query.locations;
        let cities: Box<[u64]> =
            locations.cities.iter().map(|city| name_hash(city)).filter(|city| *city != 0).collect();
        let places = if locations.is_empty() {
            u64::MAX
        } else {
            locations.provinces.iter().fold(0, |mask, province| mask | 1 << *province as u32)
                | locations
                    .districts
                    .iter()
                    .fold(0, |mask, district| mask | 1 << (bits::DISTRICT + *district as u32))
                | u64::from(!cities.is_empty()) << bits::CITY
        };
        Self {
            traits,
            places,
            cities,
            bodies: query.bodies.iter().map(|name| name_hash(name)).collect(),
            minimum: query.estimated_value.min,
            maximum: query.estimated_value.max,
            currency: query.estimated_value.currency.into(),
            minimum_days: advanced.min_days_until_closing,
            maximum_days: advanced.max_days_until_closing,
        }
    }

    /// Whether the alert does not filter by place.
    pub(crate) const fn is_anywhere(&self) -> bool {
        self.places == u64::MAX
    }

    /// The bits of the requested provinces and districts. 0 if the alert does not filter by place.
    pub(crate) const fn named_places(&self) -> u64 {
        if self.is_anywhere() { 0 } else { self.places & !(1 << bits::CITY) }
    }

    /// Whether a tender passes. `values` must be the result of [`FilterValues::at`] for the same
    /// `now`.
    #[must_use]
    pub fn admit(&self, values: &FilterValues, now: Moment, rates: &Rates) -> bool {
        values.traits & !self.traits == 0
            && self.admit_place(values)
            && self.admit_days(values, now)
            && self.admit_value(values, rates)
    }

    /// Whether a tender of an organisation passes. `body` is the hash of its name, 0 if unknown.
    pub(crate) fn admit_body(&self, body: impl FnOnce() -> u64) -> bool {
        self.bodies.is_empty()
            || Some(body()).filter(|body| *body != 0).is_some_and(|body| self.bodies.contains(&body))
    }

    fn admit_place(&self, values: &FilterValues) -> bool {
        values.places == 0
            || self.is_anywhere()
            || self.named_places() & values.places != 0
            || (values.city != 0 && self.cities.contains(&values.city))
    }

    fn admit_days(&self, values: &FilterValues, now: Moment) -> bool {
        if self.minimum_days.is_none() && self.maximum_days.is_none() {
            return true;
        }
        let Some(days) = values.days_until_closing(now) else { return values.is_closing_unread() };
        self.minimum_days.is_none_or(|minimum| days >= i64::from(minimum))
            && self.maximum_days.is_none_or(|maximum| days <= i64::from(maximum))
    }

    fn admit_value(&self, values: &FilterValues, rates: &Rates) -> bool {
        let Some((value, currency)) = values.value else { return true };
        let bound =
            |bound: Option<Millions>| bound.and_then(|bound| rates.convert(bound, self.currency, currency));
        bound(self.minimum).is_none_or(|minimum| value >= minimum)
            && bound(self.maximum).is_none_or(|maximum| value <= maximum)
    }
}

/// The traits that alerts cannot filter by. Every alert admits them.
const fn unfiltered_traits() -> u64 {
    group_mask(bits::KIND, Kind::ALL.len())
        | group_mask(bits::LANGUAGE, Language::ALL.len())
        | group_mask(bits::VISIBILITY, Visibility::ALL.len())
        | group_mask(bits::CLOSING_UNREAD, 1)
}

/// The union of the masks, or `all` if there is no mask.
fn union_or(mut masks: impl Iterator<Item = u64>, all: u64) -> u64 {
    masks.next().map_or(all, |first| masks.fold(first, |mask, next| mask | next))
}

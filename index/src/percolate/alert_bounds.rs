//! [`AlertBounds`]: an alert's bounds on value and days, in a compact form. They are checked for
//! every alert with a matching keyword.

use tender_model::{
    alert::AlertQuery,
    vocabulary::{AlertCurrency, Millions},
};

/// The bounds of an alert.
#[derive(Debug, Clone, Copy)]
pub(super) struct AlertBounds {
    /// The minimum value in minor units of `currency`, or [`NO_VALUE`].
    minimum: i64,
    /// The maximum value in minor units of `currency`, or [`NO_VALUE`].
    maximum: i64,
    /// The minimum number of days until closing, or [`NO_DAYS`].
    minimum_days: u16,
    /// The maximum number of days until closing, or [`NO_DAYS`].
    maximum_days: u16,
    pub(super) currency: AlertCurrency,
    /// Whether no bound is set.
    unbounded: bool,
}

/// Stands for a missing bound on the value.
const NO_VALUE: i64 = -1;
/// Stands for a missing bound on the days until closing.
const NO_DAYS: u16 = u16::MAX;

impl Default for AlertBounds {
    fn default() -> Self {
        Self {
            minimum: NO_VALUE,
            maximum: NO_VALUE,
            minimum_days: NO_DAYS,
            maximum_days: NO_DAYS,
            currency: AlertCurrency::default(),
            unbounded: true,
        }
    }
}

impl AlertBounds {
    pub(super) fn of(query: &AlertQuery) -> Self {
        let (value, advanced) = (&query.estimated_value, &query.advanced_filters);
        let minor = |bound: Option<Millions>| bound.map_or(NO_VALUE, Millions::minor);
        // `NO_DAYS` stands for a missing bound, so a bound of that many days is reduced by one.
        let days = |bound: Option<u16>| bound.map_or(NO_DAYS, |days| days.min(NO_DAYS - 1));
        let mut bounds = Self {
            minimum: minor(value.min),
            maximum: minor(value.max),
            minimum_days: days(advanced.min_days_until_closing),
            maximum_days: days(advanced.max_days_until_closing),
            currency: value.currency,
            unbounded: false,
        };
        bounds.unbounded = bounds.minimum().is_none() && bounds.maximum().is_none() && !bounds.has_days();
        bounds
    }

    pub(super) const fn is_unbounded(&self) -> bool {
        self.unbounded
    }

    pub(super) fn minimum(&self) -> Option<Millions> {
        (self.minimum != NO_VALUE).then_some(Millions::from_minor(self.minimum))
    }

    pub(super) fn maximum(&self) -> Option<Millions> {
        (self.maximum != NO_VALUE).then_some(Millions::from_minor(self.maximum))
    }

    pub(super) const fn has_days(&self) -> bool {
        self.minimum_days != NO_DAYS || self.maximum_days != NO_DAYS
    }

    pub(super) fn admit_days(&self, days: i64) -> bool {
        (self.minimum_days == NO_DAYS || i64::from(self.minimum_days) <= days)
            && (self.maximum_days == NO_DAYS || days <= i64::from(self.maximum_days))
    }
}

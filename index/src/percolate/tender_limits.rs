//! [`TenderLimits`]: a tender's value and days until closing, to check against the bounds of
//! alerts.

use super::alert_bounds::AlertBounds;
use crate::query::FilterValues;
use tender_model::vocabulary::{AlertCurrency, Converter, Millions, Rates};

/// The value and days of a tender, computed once per percolation.
pub(super) struct TenderLimits {
    value: Option<Millions>,
    /// The conversion from each alert currency to the tender's currency.
    converters: [Option<Converter>; AlertCurrency::ALL.len()],
    days: Option<i64>,
    /// Whether a closing date was printed but not read.
    is_closing_unread: bool,
}

impl TenderLimits {
    pub(super) fn of(values: &FilterValues, days: Option<i64>, rates: &Rates) -> Self {
        let mut converters = [None; AlertCurrency::ALL.len()];
        for (converter, from) in converters.iter_mut().zip(AlertCurrency::ALL) {
            *converter = values.value.and_then(|(_, to)| rates.converter((*from).into(), to));
        }
        let value = values.value.map(|(value, _)| value);
        Self { value, converters, days, is_closing_unread: values.is_closing_unread() }
    }

    pub(super) fn admit(&self, bounds: &AlertBounds) -> bool {
        bounds.is_unbounded() || (self.admit_days(bounds) && self.admit_value(bounds))
    }

    fn admit_days(&self, bounds: &AlertBounds) -> bool {
        match self.days {
            None => self.is_closing_unread || !bounds.has_days(),
            Some(days) => bounds.admit_days(days),
        }
    }

    fn admit_value(&self, bounds: &AlertBounds) -> bool {
        let (minimum, maximum) = (bounds.minimum(), bounds.maximum());
        let Some(value) = self.value.filter(|_| minimum.is_some() || maximum.is_some()) else { return true };
        let Some(converter) = self.converters[bounds.currency as usize].as_ref() else { return true };
        let bound = |bound: Option<Millions>| bound.and_then(|bound| converter.convert(bound));
        bound(minimum).is_none_or(|minimum| minimum <= value)
            && bound(maximum).is_none_or(|maximum| value <= maximum)
    }
}

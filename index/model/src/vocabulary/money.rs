//! Money. Amounts are exact integers of minor units (two decimals for every currency) and serialise
//! as JSON numbers. Estimated values and alert bounds are in millions; everything else is in whole
//! units.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::{borrow::Cow, collections::BTreeMap, fmt, str::FromStr};
use utoipa::{PartialSchema, ToSchema};

/// The reason an amount, a currency or a rate table is invalid.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum MoneyError {
    /// Not a number, negative, or too large.
    #[error("an amount is a number from 0 to {MAX_UNITS:.0}")]
    Amount,
    /// Not three capital letters.
    #[error("a currency is three capital letters")]
    Currency,
    /// Not in the form `USD:302.5,EUR:328`.
    #[error("rates are written as USD:302.5,EUR:328, each a positive number of rupees")]
    Rates,
}

/// The largest amount in whole units. Below it, every minor unit has a distinct `f64`.
const MAX_UNITS: f64 = 9e13;

/// Converts a number to minor units, rounding to the nearest.
fn to_minor(number: f64, minor_per_one: f64) -> Result<i64, MoneyError> {
    let minor = (number * minor_per_one).round();
    if minor.is_finite() && (0.0..=MAX_UNITS * 100.0).contains(&minor) {
        Ok(minor as i64)
    } else {
        Err(MoneyError::Amount)
    }
}

macro_rules! amounts {
    ($(#[$doc:meta])* $name:ident, $minor_per_one:literal, $description:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(i64);

        impl $name {
            /// Creates an amount of minor units (hundredths).
            #[must_use]
            pub const fn from_minor(minor: i64) -> Self { Self(minor) }

            /// Converts a JSON number, rounding to the nearest minor unit.
            ///
            /// # Errors
            /// [`MoneyError::Amount`] if the number is negative, not finite or too large.
            pub fn new(number: f64) -> Result<Self, MoneyError> { to_minor(number, $minor_per_one).map(Self) }

            /// The amount in minor units (hundredths).
            #[must_use]
            pub const fn minor(self) -> i64 { self.0 }

            /// The amount as a JSON number.
            #[must_use]
            pub fn number(self) -> f64 { self.0 as f64 / $minor_per_one }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.number())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                Self::new(f64::deserialize(deserializer)?).map_err(serde::de::Error::custom)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::Number)
                    .description(Some($description))
                    .minimum(Some(0.0))
                    .into()
            }
        }

        impl ToSchema for $name {}
    };
}

amounts! {
    /// An amount in whole currency units: 75000 is seventy-five thousand rupees.
    Amount, 100.0, "in whole units"
}

amounts! {
    /// An amount in millions: 27.9 is twenty-seven million nine hundred thousand.
    Millions, 100_000_000.0, "in millions"
}

impl From<Amount> for Millions {
    fn from(amount: Amount) -> Self {
        Self(amount.0)
    }
}

/// An ISO 4217 code: three capital letters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Currency([u8; 3]);

impl Currency {
    /// The Sri Lankan rupee, the default currency.
    pub const LKR: Self = Self(*b"LKR");

    /// The code as a number: its three bytes, with the first letter in the highest of the three.
    #[must_use]
    pub fn packed(self) -> u64 {
        self.0.iter().fold(0, |code, letter| code << 8 | u64::from(*letter))
    }

    /// Reverses [`Currency::packed`]. `None` if the three lowest bytes are not a code.
    #[must_use]
    pub fn from_packed(code: u64) -> Option<Self> {
        let letters = [code >> 16, code >> 8, code].map(|letter| (letter & 0xff) as u8);
        std::str::from_utf8(&letters).ok()?.parse().ok()
    }

    /// The three letters.
    #[must_use]
    pub fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or("XXX")
    }
}

impl Default for Currency {
    fn default() -> Self {
        Self::LKR
    }
}

impl From<super::AlertCurrency> for Currency {
    fn from(currency: super::AlertCurrency) -> Self {
        match currency {
            super::AlertCurrency::Lkr => Self::LKR,
            super::AlertCurrency::Usd => Self(*b"USD"),
            super::AlertCurrency::Eur => Self(*b"EUR"),
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Currency {
    type Err = MoneyError;

    fn from_str(code: &str) -> Result<Self, MoneyError> {
        match <[u8; 3]>::try_from(code.as_bytes()) {
            Ok(letters) if letters.iter().all(u8::is_ascii_uppercase) => Ok(Self(letters)),
            _ => Err(MoneyError::Currency),
        }
    }
}

impl Serialize for Currency {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for Currency {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<str>::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

impl PartialSchema for Currency {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .pattern(Some("^[A-Z]{3}$"))
            .description(Some("ISO 4217 code"))
            .into()
    }
}

impl ToSchema for Currency {}

/// The price of one unit of each currency in rupees, as configured with
/// `RATES_LKR=USD:302.5,EUR:328`. The rate of the rupee is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Rates(BTreeMap<Currency, f64>);

impl Default for Rates {
    fn default() -> Self {
        Self(BTreeMap::from([(Currency::LKR, 1.0)]))
    }
}

impl Rates {
    /// The price of one unit in rupees. `None` if it is not configured.
    #[must_use]
    pub fn rate(&self, currency: Currency) -> Option<f64> {
        self.0.get(&currency).copied()
    }

    /// The currencies with a rate, the rupee among them.
    pub fn currencies(&self) -> impl Iterator<Item = Currency> {
        self.0.keys().copied()
    }

    /// Converts an amount, rounding to the minor unit. `None` if a rate is missing or the result
    /// is too large.
    #[must_use]
    pub fn convert(&self, amount: Millions, from: Currency, to: Currency) -> Option<Millions> {
        self.converter(from, to)?.convert(amount)
    }

    /// The converter between two currencies. `None` if a rate is missing.
    #[must_use]
    pub fn converter(&self, from: Currency, to: Currency) -> Option<Converter> {
        Some(Converter { from: *self.0.get(&from)?, to: *self.0.get(&to)? })
    }
}

/// Converts amounts from one currency to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Converter {
    from: f64,
    to: f64,
}

impl Converter {
    /// Converts an amount, rounding to the minor unit. `None` if the result is too large.
    #[must_use]
    pub fn convert(&self, amount: Millions) -> Option<Millions> {
        let minor = (amount.0 as f64 * self.from / self.to).round();
        (minor <= i64::MAX as f64).then_some(Millions(minor as i64))
    }
}

impl FromStr for Rates {
    type Err = MoneyError;

    fn from_str(text: &str) -> Result<Self, MoneyError> {
        let mut rates = Self::default();
        for pair in text.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
            let (code, rate) = pair.split_once(':').ok_or(MoneyError::Rates)?;
            let rate: f64 = rate.trim().parse().map_err(|_| MoneyError::Rates)?;
            if !(rate.is_finite() && rate > 0.0) {
                return Err(MoneyError::Rates);
            }
            let currency = code.trim().parse()?;
            if currency == Currency::LKR && rate != 1.0 {
                return Err(MoneyError::Rates);
            }
            rates.0.insert(currency, rate);
        }
        Ok(rates)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millions_are_exact_to_the_cent() {
        let value: Millions = serde_json::from_str("0.432275").unwrap();
        assert_eq!(value.minor(), 43_227_500);
        assert_eq!(serde_json::to_string(&value).unwrap(), "0.432275");
        assert_eq!(Millions::from(Amount::new(27_900_000.0).unwrap()).number(), 27.9);
    }

    #[test]
    fn invalid_values_are_rejected() {
        for bad in ["-1", "1e300", "\"5\"", "null"] {
            assert!(serde_json::from_str::<Amount>(bad).is_err(), "{bad}");
        }
        for bad in ["lkr", "LK", "RUPEE", ""] {
            assert!(bad.parse::<Currency>().is_err(), "{bad}");
        }
        for bad in ["USD", "USD:0", "USD:NaN", "USD:-3", "usd:3", "LKR:2"] {
            assert!(bad.parse::<Rates>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_bound_is_converted_by_the_rates() {
        let rates: Rates = "USD:300, EUR:330".parse().unwrap();
        let one = Millions::new(1.0).unwrap();
        let usd = "USD".parse().unwrap();
        assert_eq!(rates.convert(one, usd, Currency::LKR), Some(Millions::new(300.0).unwrap()));
        assert_eq!(rates.convert(one, "JPY".parse().unwrap(), Currency::LKR), None);
    }
}

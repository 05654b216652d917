//! Amounts in whole cents, credits for unused time, and the VAT included in a price.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt;

/// The currency of all prices.
pub const CURRENCY: &str = "LKR";

/// An amount in cents.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cents(pub i64);

impl Cents {
    /// Converts whole rupees.
    #[must_use]
    pub fn of_rupees(rupees: i32) -> Self {
        Self(i64::from(rupees) * 100)
    }

    /// Formats the amount with two decimals and no thousands separators: `2000.00`.
    #[must_use]
    pub fn decimal(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        format!("{sign}{}.{:02}", cents / 100, cents % 100)
    }

    /// Parses a non-negative amount such as `2000.00`, `2000` or `2000.5`, with at most twelve
    /// digits before the point. `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !digits(part) || part.len() > 2 || whole.len() > 12 {
            return None;
        }
        let part: i64 = format!("{part:0<2}").parse().ok()?;
        Some(Self(whole.parse::<i64>().ok()? * 100 + part))
    }

    /// The amount in rupees, for JSON.
    #[must_use]
    pub fn rupees(self) -> f64 {
        self.0 as f64 / 100.0
    }
}

impl std::ops::Sub for Cents {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }
}

impl std::ops::Neg for Cents {
    type Output = Self;

    fn neg(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

/// Formats the amount for users: `LKR 2,000.00`.
impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / 100, self.0.unsigned_abs() % 100);
        let digits = whole.to_string();
        let mut grouped = String::new();
        for (nth, digit) in digits.chars().enumerate() {
            if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        let sign = if self.0 < 0 { "-" } else { "" };
        write!(f, "{CURRENCY} {sign}{grouped}.{part:02}")
    }
}

/// An hour in milliseconds.
const HOUR_MILLISECONDS: i128 = 3_600_000;

/// Returns the unused part, at `now`, of an amount paid for the time from `start` to `end`. Only
/// full hours count as used, so the result rarely changes while a user decides. The result is
/// rounded down to a cent.
#[must_use]
pub fn unused_amount(paid: Cents, start: Timestamp, end: Timestamp, now: Timestamp) -> Cents {
    let milliseconds = |from: Timestamp, until: Timestamp| {
        i128::from(until.as_millisecond()) - i128::from(from.as_millisecond())
    };
    let whole = milliseconds(start, end);
    let passed = milliseconds(start, now.max(start)) / HOUR_MILLISECONDS * HOUR_MILLISECONDS;
    let left = if now < end { whole - passed } else { 0 };
    if whole <= 0 || left <= 0 || paid.0 <= 0 {
        return Cents(0);
    }
    Cents(i64::try_from(i128::from(paid.0) * left / whole).unwrap_or(0))
}

/// Returns the VAT included in a price. `rate` is in hundredths of a per cent. Half a cent is
/// rounded up.
#[must_use]
pub fn included_vat(total: Cents, rate: u32) -> Cents {
    let (total, rate) = (i128::from(total.0), i128::from(rate));
    let base = 10_000 + rate;
    // The result is total × rate / (100 % + rate), rounded.
    Cents(i64::try_from((2 * total * rate + base).div_euclid(2 * base)).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("2000.00", Some(200_000))]
    #[case("2000", Some(200_000))]
    #[case("0.5", Some(50))]
    #[case("1.07", Some(107))]
    #[case("1.007", None)]
    #[case("-1.00", None)]
    #[case("", None)]
    #[case(".5", None)]
    #[case("1.", None)]
    #[case("1e3", None)]
    #[case("1,000.00", None)]
    #[case("9999999999999", None)]
    #[case("٢٠٠٠", None)]
    fn amounts_are_parsed_or_rejected(#[case] text: &str, #[case] cents: Option<i64>) {
        assert_eq!(Cents::parse(text), cents.map(Cents));
        if let Some(cents) = cents {
            assert_eq!(Cents::parse(&Cents(cents).decimal()), Some(Cents(cents)));
        }
    }

    #[test]
    fn amounts_are_formatted_for_users_and_as_decimals() {
        assert_eq!(Cents(123_456_789).to_string(), "LKR 1,234,567.89");
        assert_eq!(Cents(-50).to_string(), "LKR -0.50");
        assert_eq!(Cents(100_000).to_string(), "LKR 1,000.00");
        assert_eq!(Cents(-205).decimal(), "-2.05");
    }

    #[rstest]
    // Half of the thirty days is left.
    #[case("2026-11-16T00:00:00Z", 100_000)]
    #[case("2026-11-01T00:00:00Z", 200_000)]
    // A third of the time is left. The result is rounded down.
    #[case("2026-11-21T00:00:00Z", 66_666)]
    // An hour that is not over does not count as used.
    #[case("2026-11-01T00:59:59.999Z", 200_000)]
    #[case("2026-11-16T00:30:00Z", 100_000)]
    #[case("2026-11-30T23:59:59Z", 277)]
    #[case("2026-12-01T00:00:00Z", 0)]
    #[case("2027-12-01T00:00:00Z", 0)]
    // Before the start, the whole amount is unused.
    #[case("2026-10-01T00:00:00Z", 200_000)]
    fn unused_amount_is_proportional_to_the_remaining_time(#[case] now: &str, #[case] left: i64) {
        let [start, end, now] =
            ["2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z", now].map(|at| at.parse().unwrap());
        assert_eq!(unused_amount(Cents(200_000), start, end, now), Cents(left));
        assert_eq!(unused_amount(Cents(200_000), end, start, now), Cents(0));
    }

    #[rstest]
    #[case(236_000, 1800, 36_000)]
    #[case(200_000, 1800, 30_508)] // 30508.47
    #[case(100, 1800, 15)] // 15.25
    #[case(59, 1800, 9)] // exactly 9
    #[case(200_000, 0, 0)]
    #[case(0, 1800, 0)]
    #[case(1, 10_000, 1)] // half a cent
    fn included_vat_is_computed_from_the_price(#[case] total: i64, #[case] rate: u32, #[case] vat: i64) {
        assert_eq!(included_vat(Cents(total), rate), Cents(vat));
    }
}

//! The content of a cell, independent of the file format.

use index::vocabulary::{Currency, Day};
use jiff::civil::DateTime;

/// The content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// Unknown.
    Empty,
    /// Text.
    Text(String),
    /// Money in hundredths, with its currency if it is not that of the row.
    Money(i64, Option<Currency>),
    /// A percentage.
    Percent(f64),
    /// A day.
    Day(Day),
    /// A date and time in Colombo.
    Moment(DateTime),
    /// A link into the portal.
    Link(String),
}

impl Cell {
    /// A text cell, or an empty one.
    pub(super) fn text(words: impl Into<String>) -> Self {
        let words = words.into();
        if words.trim().is_empty() { Self::Empty } else { Self::Text(words) }
    }

    /// The text in a file without types. Text that a spreadsheet would read as a formula gets an
    /// apostrophe in front.
    pub(super) fn plain(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(words) => harmless(words),
            Self::Money(minor, None) => decimal(*minor),
            Self::Money(minor, Some(currency)) => format!("{currency} {}", decimal(*minor)),
            Self::Percent(share) => format!("{share}%"),
            Self::Day(day) => day.to_string(),
            Self::Moment(at) => at.strftime("%Y-%m-%d %H:%M").to_string(),
            Self::Link(address) => address.clone(),
        }
    }
}

/// Text that no spreadsheet reads as a formula.
pub(super) fn harmless(words: &str) -> String {
    let is_formula = words.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{words}") } else { words.to_owned() }
}

/// Hundredths as a number: `2500000`, `99.50`.
fn decimal(minor: i64) -> String {
    let (whole, cents) = (minor / 100, minor.rem_euclid(100));
    if cents == 0 { whole.to_string() } else { format!("{whole}.{cents:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_a_plain_text() {
        let usd: Currency = "USD".parse().unwrap();
        for (cell, told) in [
            (Cell::Empty, ""),
            (Cell::text("  "), ""),
            (Cell::text("Supply of chairs"), "Supply of chairs"),
            (Cell::Money(250_000_000, None), "2500000"),
            (Cell::Money(9_905, None), "99.05"),
            (Cell::Money(50_000, Some(usd)), "USD 500"),
            (Cell::Percent(2.5), "2.5%"),
            (Cell::Day(jiff::civil::date(2026, 11, 20)), "2026-11-20"),
            (Cell::Moment(jiff::civil::date(2026, 11, 20).at(14, 5, 0, 0)), "2026-11-20 14:05"),
        ] {
            assert_eq!(cell.plain(), told);
        }
    }

    #[test]
    fn text_is_never_a_formula() {
        for begins in ["=1+1", "+94 11 2", "-x", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(Cell::text(begins).plain(), format!("'{begins}"));
        }
        assert_eq!(Cell::text("a=b").plain(), "a=b");
        assert_eq!(Cell::Money(-100, None).plain(), "-1", "a number is none");
    }
}

//! The content of a cell, independent of the file format.

use jiff::civil::DateTime;
use tender_model::vocabulary::{Currency, Day};

/// The content of a cell.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Cell {
    /// The value is unknown.
    Empty,
    /// Text.
    Text(String),
    /// An amount in hundredths, with its currency if that differs from the currency of the row.
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
    /// Creates a text cell, or an empty cell for blank text.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        if text.trim().is_empty() { Self::Empty } else { Self::Text(text) }
    }

    /// The text for a file without typed cells. Text that a spreadsheet would read as a formula
    /// gets an apostrophe in front.
    pub(super) fn plain_text(&self) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => escape_formula(text),
            Self::Money(minor, None) => decimal(*minor),
            Self::Money(minor, Some(currency)) => format!("{currency} {}", decimal(*minor)),
            Self::Percent(share) => format!("{share}%"),
            Self::Day(day) => day.to_string(),
            Self::Moment(at) => at.strftime("%Y-%m-%d %H:%M").to_string(),
            Self::Link(address) => address.clone(),
        }
    }
}

/// Escapes text that a spreadsheet would read as a formula.
pub(super) fn escape_formula(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula { format!("'{text}") } else { text.to_owned() }
}

/// Formats hundredths as a decimal number: `2500000`, `99.50`.
fn decimal(minor: i64) -> String {
    let sign = if minor < 0 { "-" } else { "" };
    let (whole, cents) = (minor.unsigned_abs() / 100, minor.unsigned_abs() % 100);
    if cents == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{cents:02}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_have_a_plain_text() {
        let usd: Currency = "USD".parse().unwrap();
        for (cell, text) in [
            (Cell::Empty, ""),
            (Cell::text("  "), ""),
            (Cell::text("Supply of chairs"), "Supply of chairs"),
            (Cell::Money(250_000_000, None), "2500000"),
            (Cell::Money(9_905, None), "99.05"),
            (Cell::Money(-130, None), "-1.30"),
            (Cell::Money(-5, None), "-0.05"),
            (Cell::Money(50_000, Some(usd)), "USD 500"),
            (Cell::Percent(2.5), "2.5%"),
            (Cell::Day(jiff::civil::date(2026, 11, 20)), "2026-11-20"),
            (Cell::Moment(jiff::civil::date(2026, 11, 20).at(14, 5, 0, 0)), "2026-11-20 14:05"),
        ] {
            assert_eq!(cell.plain_text(), text);
        }
    }

    #[test]
    fn text_that_looks_like_a_formula_is_escaped() {
        for begins in ["=1+1", "+94 11 2", "-x", "@SUM(A1)", "\t=1", "\r=1"] {
            assert_eq!(Cell::text(begins).plain_text(), format!("'{begins}"));
        }
        assert_eq!(Cell::text("a=b").plain_text(), "a=b");
        assert_eq!(Cell::Money(-100, None).plain_text(), "-1", "a number is not a formula");
    }
}

//! Parsers for mail addresses and single lines of text in input.

use lettre::Address;
use std::str::FromStr;
use tender_model::vocabulary::Day;

/// A valid e-mail address, as entered, without surrounding white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Email(String);

impl Email {
    /// The address.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Email {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let text = text.trim();
        let invalid = "Invalid email address";
        // RFC 5321 section 4.5.3.1.3: with its angle brackets, an address has at most 256 octets.
        if text.len() > 254 || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err(invalid);
        }
        let address: Address = text.parse().map_err(|_| invalid)?;
        // A host without a dot is valid on a private network, but here it is a typing error.
        if address.domain().contains('.') { Ok(Self(text.to_owned())) } else { Err(invalid) }
    }
}

/// Trims a single line of text. Refuses a text that is too long or has control characters.
///
/// # Errors
/// The error is a message for the user.
pub fn parse_line(text: &str, label: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > max {
        return Err(format!("{label} cannot exceed {max} characters"));
    }
    if text.contains(char::is_control) {
        return Err(format!("{label} must not contain control characters"));
    }
    Ok(text.to_owned())
}

/// Parses a day between 2000 and 2100.
///
/// # Errors
/// The error is a message for the user.
pub fn parse_day(text: &str) -> Result<Day, String> {
    let day = text.parse::<Day>().map_err(|_| "Please enter the date as in 2026-11-20".to_owned())?;
    if (2000..=2100).contains(&day.year()) {
        Ok(day)
    } else {
        Err("Please enter a date between 2000 and 2100".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_kept_as_entered_and_an_invalid_one_is_refused() {
        assert_eq!(" Nimal.Perera@Example.LK ".parse::<Email>().unwrap().as_str(), "Nimal.Perera@Example.LK");
        for invalid in
            ["", "a", "a@", "@b.lk", "a@b", "a b@c.lk", "a@b.lk\r\nBcc: x@y.lk", "a@b.lk, c@d.lk", "<a@b.lk>"]
        {
            assert!(invalid.parse::<Email>().is_err(), "{invalid:?}");
        }
        assert!(format!("{}@example.lk", "a".repeat(300)).parse::<Email>().is_err());
    }

    #[test]
    fn a_line_is_trimmed_and_a_long_or_broken_one_is_refused() {
        assert_eq!(parse_line("  Nimal ", "First name", 5).unwrap(), "Nimal");
        assert_eq!(parse_line("නිමල්", "First name", 5).unwrap(), "නිමල්");
        assert!(parse_line("Nimala", "First name", 5).is_err());
        assert!(parse_line("Ni\nmal", "First name", 100).is_err());
    }
}

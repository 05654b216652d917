//! Parsers for mail addresses and names in input.

use lettre::Address;
use std::str::FromStr;

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
        let refused = "Invalid email address";
        // RFC 5321 section 4.5.3.1.3: a path is at most 256 octets with its angle brackets.
        if text.len() > 254 || text.contains(|c: char| c.is_control() || c.is_whitespace()) {
            return Err(refused);
        }
        let address: Address = text.parse().map_err(|_| refused)?;
        // A host without a dot is valid on a private network, but here it is a typing error.
        if address.domain().contains('.') { Ok(Self(text.to_owned())) } else { Err(refused) }
    }
}

/// Trims a single line of text and checks its length and characters.
///
/// # Errors
/// A message for the user.
pub fn line(text: &str, label: &str, max: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > max {
        return Err(format!("{label} cannot exceed {max} characters"));
    }
    if text.contains(char::is_control) {
        return Err(format!("{label} must not contain control characters"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_parsed_as_entered() {
        assert_eq!(" Nimal.Perera@Example.LK ".parse::<Email>().unwrap().as_str(), "Nimal.Perera@Example.LK");
        for rubbish in
            ["", "a", "a@", "@b.lk", "a@b", "a b@c.lk", "a@b.lk\r\nBcc: x@y.lk", "a@b.lk, c@d.lk", "<a@b.lk>"]
        {
            assert!(rubbish.parse::<Email>().is_err(), "{rubbish:?}");
        }
        assert!(format!("{}@example.lk", "a".repeat(300)).parse::<Email>().is_err());
    }

    #[test]
    fn line_is_bounded_and_has_no_line_break() {
        assert_eq!(line("  Nimal ", "First name", 5).unwrap(), "Nimal");
        assert_eq!(line("නිමල්", "First name", 5).unwrap(), "නිමල්");
        assert!(line("Nimala", "First name", 5).is_err());
        assert!(line("Ni\nmal", "First name", 100).is_err());
    }
}

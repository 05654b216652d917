//! Input about people, parsed when it arrives: addresses and names.

use lettre::Address;
use std::str::FromStr;

/// An e-mail address that mail can be sent to, as typed without surrounding white space.
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
        // A bare host is valid on a private network, but here it is a typing error.
        if address.domain().contains('.') { Ok(Self(text.to_owned())) } else { Err(refused) }
    }
}

/// A name or a company as one bounded, trimmed line.
///
/// # Errors
/// A message for the user.
pub fn line(text: &str, what: &str, longest: usize) -> Result<String, String> {
    let text = text.trim();
    if text.chars().count() > longest {
        return Err(format!("{what} cannot exceed {longest} characters"));
    }
    if text.contains(char::is_control) {
        return Err(format!("{what} may not hold control characters"));
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_typed() {
        assert_eq!(" Nimal.Perera@Example.LK ".parse::<Email>().unwrap().as_str(), "Nimal.Perera@Example.LK");
        for rubbish in
            ["", "a", "a@", "@b.lk", "a@b", "a b@c.lk", "a@b.lk\r\nBcc: x@y.lk", "a@b.lk, c@d.lk", "<a@b.lk>"]
        {
            assert!(rubbish.parse::<Email>().is_err(), "{rubbish:?}");
        }
        assert!(format!("{}@example.lk", "a".repeat(300)).parse::<Email>().is_err());
    }

    #[test]
    fn a_line_is_bounded_and_stays_one_line() {
        assert_eq!(line("  Nimal ", "First name", 5).unwrap(), "Nimal");
        assert_eq!(line("නිමල්", "First name", 5).unwrap(), "නිමල්");
        assert!(line("Nimala", "First name", 5).is_err());
        assert!(line("Ni\nmal", "First name", 100).is_err());
    }
}

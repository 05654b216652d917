//! Mobile telephone numbers.

use jiff::Timestamp;
use std::{fmt, str::FromStr};

/// A mobile number as E.164 writes it: `+94771234567`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneNumber(String);

impl FromStr for PhoneNumber {
    type Err = &'static str;

    /// Reads an international number, or a Sri Lankan one as it is said there (`077 123 4567`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FAULT: &str = "Please enter a valid mobile number";
        let text = text.trim();
        if text.chars().any(|c| !(c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '(' | ')' | '.'))) {
            return Err(FAULT);
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let number = if text.starts_with('+') {
            digits
        } else if let Some(number) = digits.strip_prefix("00") {
            number.to_owned()
        } else if let Some(number) = digits.strip_prefix('0') {
            format!("94{number}")
        } else {
            digits
        };
        let is_international = (7..=15).contains(&number.len()) && !number.starts_with('0');
        // Of Sri Lankan numbers those of mobiles are known.
        let is_mobile = number.strip_prefix("94").is_none_or(|own| own.len() == 9 && own.starts_with('7'));
        if text.matches('+').count() > 1 || !is_international || !is_mobile {
            return Err(FAULT);
        }
        Ok(Self(format!("+{number}")))
    }
}

impl fmt::Display for PhoneNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PhoneNumber {
    /// As stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A user's telephone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    /// The number in the format of E.164.
    pub number: String,
    /// Whether the owner has entered the code that was sent to it.
    pub is_confirmed: bool,
    /// Until when the last code is valid.
    pub code_until: Option<Timestamp>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("077 123 4567", Some("+94771234567"))]
    #[case("(077) 123-4567", Some("+94771234567"))]
    #[case("+94 77 123 4567", Some("+94771234567"))]
    #[case("0094771234567", Some("+94771234567"))]
    #[case("94771234567", Some("+94771234567"))]
    #[case("+44 7700 900123", Some("+447700900123"))]
    // A land line can't be sent an SMS.
    #[case("011 234 5678", None)]
    #[case("+94112345678", None)]
    #[case("077 123 456", None)]
    #[case("+", None)]
    #[case("", None)]
    #[case("++94771234567", None)]
    #[case("077 123 4567 ext 9", None)]
    #[case("٠٧٧١٢٣٤٥٦٧", None)]
    #[case("+1234567890123456", None)]
    fn a_number_is_read_as_it_is_said_or_refused(#[case] text: &str, #[case] number: Option<&str>) {
        assert_eq!(text.parse::<PhoneNumber>().ok().map(|number| number.to_string()).as_deref(), number);
    }
}

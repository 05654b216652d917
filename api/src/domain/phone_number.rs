//! Mobile telephone numbers.

use jiff::Timestamp;
use std::{fmt, str::FromStr};

/// A mobile number in E.164 format: `+94771234567`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PhoneNumber(String);

impl FromStr for PhoneNumber {
    type Err = &'static str;

    /// Parses an international number, or a Sri Lankan number in national format (`077 123 4567`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const INVALID_NUMBER: &str = "Please enter a valid mobile number";
        let text = text.trim();
        if text.chars().any(|c| !(c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '(' | ')' | '.'))) {
            return Err(INVALID_NUMBER);
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
        // The format of mobile numbers is checked only for Sri Lanka.
        let is_mobile = number.strip_prefix("94").is_none_or(|own| own.len() == 9 && own.starts_with('7'));
        if text.matches('+').count() > 1 || !is_international || !is_mobile {
            return Err(INVALID_NUMBER);
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
    /// The number in E.164 format.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A user's telephone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phone {
    /// The number in E.164 format.
    pub number: String,
    /// Whether the owner has confirmed the number with a code. It becomes false again if the number
    /// cannot be reached.
    pub is_confirmed: bool,
    /// When the last code that was sent expires. `None`: the code was entered.
    pub code_expires_at: Option<Timestamp>,
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
    // A landline can't receive SMS.
    #[case("011 234 5678", None)]
    #[case("+94112345678", None)]
    #[case("077 123 456", None)]
    #[case("+", None)]
    #[case("", None)]
    #[case("++94771234567", None)]
    #[case("077 123 4567 ext 9", None)]
    #[case("٠٧٧١٢٣٤٥٦٧", None)]
    #[case("+1234567890123456", None)]
    fn mobile_number_is_normalised_or_rejected(#[case] text: &str, #[case] number: Option<&str>) {
        assert_eq!(text.parse::<PhoneNumber>().ok().map(|number| number.to_string()).as_deref(), number);
    }
}

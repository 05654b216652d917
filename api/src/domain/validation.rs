//! Parsers for mail addresses, names and single lines of text in input.

use lettre::Address;
use std::str::FromStr;
use tender_model::vocabulary::Day;
use unicode_normalization::UnicodeNormalization;

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
        // A host without a dot is valid on a private network, but here it is a typing error. An IP
        // address in brackets (RFC 5321 section 4.1.3) could name a host of the private network.
        let domain = address.domain();
        let is_host_name = domain.contains('.') && !domain.contains(['[', ']', ':']);
        let is_address = domain.parse::<std::net::IpAddr>().is_ok();
        if is_host_name && !is_address { Ok(Self(text.to_owned())) } else { Err(invalid) }
    }
}

/// The ends of host names that mail programs turn into links.
const LINKED_DOMAINS: [&str; 26] = [
    "com", "net", "org", "info", "biz", "xyz", "top", "site", "online", "shop", "club", "app", "dev", "link",
    "click", "live", "win", "example", "test", "lk", "in", "io", "co", "me", "ly", "cc",
];

/// Removes the invisible characters that change the direction or the look of the text around them.
/// U+200C and U+200D remain, because they select letter forms in Sinhala and Tamil.
#[must_use]
pub fn without_format_controls(text: &str) -> String {
    let is_format_control = |letter: &char| {
        matches!(
            letter,
            '\u{61C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}'
                | '\u{FFF9}'..='\u{FFFB}' | '\u{E0000}'..='\u{E007F}'
        )
    };
    text.chars().filter(|letter| !is_format_control(letter)).collect()
}

/// Parses the name of a person or a company, which is a line without web and mail addresses. The
/// portal writes the name into mails to others, who could take such an address for one of the portal.
///
/// # Errors
/// The error is a message for the user.
pub fn parse_name(text: &str, label: &str, max: usize) -> Result<String, String> {
    let name = parse_line(text, label, max)?;
    if has_address(&name) {
        return Err(format!("{label} must not contain a web or mail address"));
    }
    Ok(name)
}

/// Whether a text contains a web address, a mail address or a host name.
#[must_use]
pub fn has_address(text: &str) -> bool {
    // Full-width and other compatibility forms are shown like the plain letters.
    let text: String = text.nfkc().map(|letter| if letter == '。' { '.' } else { letter }).collect();
    let is_name_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let names_host = text.split(|letter| !is_name_part(letter) && letter != '.').any(|word| {
        let labels: Vec<&str> = word.split('.').filter(|label| !label.is_empty()).collect();
        let Some((end, [.., before])) = labels.split_last() else { return false };
        // Initials before a name, as in `K.M.Silva`, are no host.
        LINKED_DOMAINS.contains(&end.to_lowercase().as_str()) && before.chars().count() > 1
    });
    let lower = text.to_lowercase();
    names_host || lower.contains("://") || lower.contains("www.") || lower.contains('@')
}

/// Trims a single line of text, and removes invisible format characters. Refuses a text that is too
/// long or has control characters.
///
/// # Errors
/// The error is a message for the user.
pub fn parse_line(text: &str, label: &str, max: usize) -> Result<String, String> {
    let text = without_format_controls(text);
    let text = text.trim();
    if text.chars().count() > max {
        return Err(format!("{label} cannot exceed {max} characters"));
    }
    if text.contains(char::is_control) {
        return Err(format!("{label} must not contain control characters"));
    }
    Ok(text.to_owned())
}

/// Trims a text of several lines, and removes invisible format characters. Refuses a text that is too
/// long or has control characters other than line breaks and tabs.
///
/// # Errors
/// The error is a message for the user.
pub fn parse_text(text: &str, label: &str, max: usize) -> Result<String, String> {
    let text = without_format_controls(text).replace("\r\n", "\n");
    let text = text.trim();
    if text.chars().count() > max {
        return Err(format!("{label} cannot exceed {max} characters"));
    }
    if text.contains(|letter: char| letter.is_control() && letter != '\n' && letter != '\t') {
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
        for invalid in [
            "",
            "a",
            "a@",
            "root@[127.0.0.1]",
            "root@[IPv6:::1]",
            "root@169.254.169.254",
            "@b.lk",
            "a@b",
            "a b@c.lk",
            "a@b.lk\r\nBcc: x@y.lk",
            "a@b.lk, c@d.lk",
            "<a@b.lk>",
        ] {
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

    #[test]
    fn a_text_keeps_its_lines_and_no_other_control_characters() {
        assert_eq!(parse_text(" one\r\n\ttwo\n", "Note", 8).unwrap(), "one\n\ttwo");
        assert!(parse_text("one\u{0}", "Note", 8).is_err());
        assert!(parse_text("one\rtwo", "Note", 8).is_err());
        assert!(parse_text("123456789", "Note", 8).is_err());
    }

    #[test]
    fn format_controls_are_removed_except_those_of_sinhala_and_tamil() {
        assert_eq!(parse_line("a\u{202E}b\u{2066}\u{FEFF}\u{200F}c", "Name", 10).unwrap(), "abc");
        for kept in ["ශ්\u{200D}රී ලංකා", "க்\u{200C}ஷ"] {
            assert_eq!(parse_line(kept, "Name", 20).unwrap(), kept);
        }
    }

    #[test]
    fn a_name_contains_no_address() {
        for name in [
            "K.M.Silva",
            "A. B. C. Perera",
            "Abans (Pvt) Ltd.",
            "St.Mary's College",
            "Ceylon Co. & Sons",
            "M.Dev Anand",
            "නිමල් පෙරේරා",
            "ශ්\u{200D}රී ලංකා ටෙලිකොම්",
            "3 Brothers Construction",
        ] {
            assert_eq!(parse_name(name, "Name", 100).as_deref(), Ok(name));
        }
        for name in [
            "You won! Claim at http://evil.example/win",
            "www.evil",
            "Visit Evil.COM",
            "evil\u{200B}.com",
            "ｅｖｉｌ．com",
            "bit.ly/x",
            "HTTPS://x",
            "mail me@evil.lk",
        ] {
            let refused = parse_name(name, "First name", 100);
            assert_eq!(
                refused,
                Err("First name must not contain a web or mail address".to_owned()),
                "{name}"
            );
        }
    }
}

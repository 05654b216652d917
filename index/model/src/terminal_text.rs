//! Messages for a terminal: error chains, untrusted text on one line, and numbers with their noun.

use std::{error::Error, fmt::Display};

/// An error with its causes. A cause that the message already contains is not repeated.
#[must_use]
pub fn error_chain(error: &(dyn Error + 'static)) -> String {
    let mut message = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        let more = deeper.to_string();
        if !message.contains(&more) {
            message.push_str(": ");
            message.push_str(&more);
        }
        cause = deeper.source();
    }
    message
}

/// Untrusted text as one line that is safe to print: control characters, direction overrides and
/// isolates, and Unicode line separators are replaced.
#[must_use]
pub fn single_line(text: &str) -> String {
    let is_unsafe_mark =
        |c: char| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}');
    let plain = |c: char| if c.is_control() || is_unsafe_mark(c) { '\u{FFFD}' } else { c };
    text.chars().map(plain).collect()
}

/// A number with its noun: `1 message` or `2 messages`. The plural of the noun ends in `s`.
#[must_use]
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let ending = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    #[derive(Debug, thiserror::Error)]
    enum Failure {
        #[error("reading failed ({source}); try again")]
        Whole { source: io::Error },
        #[error("reading failed")]
        Part { source: io::Error },
    }

    #[test]
    fn noun_agrees_with_its_number() {
        assert_eq!(counted(1_usize, "message"), "1 message");
        assert_eq!(counted(0_u64, "message"), "0 messages");
        assert_eq!(counted(2_i64, "unsent message"), "2 unsent messages");
    }

    #[test]
    fn untrusted_text_becomes_one_plain_line() {
        assert_eq!(single_line("p1\n.jpg\u{1B}[2J \u{202E}gpj"), "p1\u{FFFD}.jpg\u{FFFD}[2J \u{FFFD}gpj");
        assert_eq!(single_line("ග්‍රාමීය மாநகர"), "ග්‍රාමීය மாநகர");
    }

    #[test]
    fn each_cause_is_printed_once() {
        let source = || io::Error::other("disk gone");
        assert_eq!(
            error_chain(&Failure::Whole { source: source() }),
            "reading failed (disk gone); try again"
        );
        assert_eq!(error_chain(&Failure::Part { source: source() }), "reading failed: disk gone");
    }
}

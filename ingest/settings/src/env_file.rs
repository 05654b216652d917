//! Parses a settings file as systemd parses an `EnvironmentFile`: lines `KEY=VALUE`, comments after
//! `#` and `;`, quotes, and `\` at the end of a line to continue it. What systemd ignores is an error
//! here, except comments and empty lines.

/// A line of a settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The number of the line on which the entry begins.
    pub line: usize,
    /// The name.
    pub name: String,
    /// The value without its quotes.
    pub value: String,
}

/// Why a settings file can't be parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EnvFileError {
    /// A line without an equals sign.
    #[error("line {0} has no `=`; write NAME=VALUE, or begin the line with # for a comment")]
    NoValue(usize),
    /// A name with other characters than letters, digits and underscores.
    #[error(
        "line {0} does not begin with a name; write NAME=VALUE without `export` and without spaces in the name"
    )]
    Name(usize),
    /// A quote that is not closed.
    #[error(
        "line {0} has a quote that is not closed; close it, or write \\ before a quote that belongs to the value"
    )]
    OpenQuote(usize),
}

/// The state of the parser within a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the value, or after a closing quote.
    Before,
    Plain,
    Single,
    Double,
}

/// Parses a settings file.
///
/// # Errors
/// Every line that is malformed.
pub fn parse(text: &str) -> Result<Vec<Entry>, Vec<EnvFileError>> {
    let mut rest = text;
    let (mut entries, mut errors) = (Vec::new(), Vec::new());
    let mut line = 1;
    while !rest.is_empty() {
        let (first, after) = rest.split_once('\n').unwrap_or((rest, ""));
        let trimmed = first.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            (rest, line) = (after, line + 1);
            continue;
        }
        let Some((name, _)) = first.split_once('=') else {
            errors.push(EnvFileError::NoValue(line));
            (rest, line) = (after, line + 1);
            continue;
        };
        let start = line;
        let parsed = parse_value(&rest[name.len() + 1..]);
        line += parsed.lines;
        rest = parsed.rest;
        let name = name.trim();
        if !is_name(name) {
            errors.push(EnvFileError::Name(start));
        } else if !parsed.is_closed {
            errors.push(EnvFileError::OpenQuote(start));
        } else {
            entries.push(Entry { line: start, name: name.to_owned(), value: parsed.value });
        }
    }
    if errors.is_empty() { Ok(entries) } else { Err(errors) }
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A parsed value, the number of its lines, and the text after it.
struct Value<'a> {
    value: String,
    lines: usize,
    is_closed: bool,
    rest: &'a str,
}

fn parse_value(text: &str) -> Value<'_> {
    let (mut value, mut state, mut lines) = (String::new(), State::Before, 1);
    // The length of the value without the white space that ends it.
    let mut length = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        match (state, c) {
            (State::Before | State::Plain, '\n') => {
                value.truncate(length);
                return Value { value, lines, is_closed: true, rest: &text[at + 1..] };
            }
            (State::Before, '\'') => state = State::Single,
            (State::Before, '"') => state = State::Double,
            (State::Single, '\'') | (State::Double, '"') => state = State::Before,
            (State::Before | State::Plain, '\\') => {
                state = State::Plain;
                match chars.next() {
                    Some((_, '\n')) => lines += 1,
                    Some((_, escaped)) => value.push(escaped),
                    None => {}
                }
                length = value.len();
                continue;
            }
            (State::Double, '\\') => match chars.next() {
                Some((_, '\n')) => lines += 1,
                Some((_, escaped)) => {
                    if !matches!(escaped, '"' | '\\' | '`' | '$') {
                        value.push('\\');
                    }
                    value.push(escaped);
                }
                None => {}
            },
            (State::Single | State::Double, c) => {
                lines += usize::from(c == '\n');
                value.push(c);
            }
            (State::Before, c) if c.is_whitespace() => {}
            (State::Before | State::Plain, c) => {
                state = State::Plain;
                value.push(c);
                if c.is_whitespace() {
                    continue;
                }
            }
        }
        length = value.len();
    }
    value.truncate(length);
    Value { value, lines, is_closed: matches!(state, State::Before | State::Plain), rest: "" }
}

/// Writes a value so that [`parse`] and systemd read it back.
pub(crate) fn quote(value: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-./:@,+=%?&*~<>()[]!|".contains(c);
    if value.chars().all(is_plain) {
        return value.to_owned();
    }
    let mut quoted = String::from("\"");
    for c in value.chars() {
        if matches!(c, '"' | '\\' | '`' | '$') {
            quoted.push('\\');
        }
        quoted.push(c);
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("A=b", "b")]
    #[case("  A = b c  ", "b c")]
    #[case("A=", "")]
    #[case("A='b # c'", "b # c")]
    #[case("A=b # c", "b # c")]
    #[case(r#"A="b \"c\" \\ \$d \n""#, r#"b "c" \ $d \n"#)]
    #[case("A='it\\s'", "it\\s")]
    #[case("A=b\\\nc", "bc")]
    #[case("A=\"b\nc\"", "b\nc")]
    #[case("A=b\\ ", "b ")]
    #[case("A=it's", "it's")]
    #[case("A='b' \"c\"", "bc")]
    #[case("A=b\r", "b")]
    #[case("A=postgres://u:p@h/d?sslmode=require", "postgres://u:p@h/d?sslmode=require")]
    fn value_is_read_as_systemd_reads_it(#[case] text: &str, #[case] value: &str) {
        let entries = parse(text).unwrap();
        assert_eq!(entries, [Entry { line: 1, name: "A".into(), value: value.into() }]);
    }

    #[test]
    fn lines_are_counted_and_comments_skipped() {
        let text = "# one\n\n; three\nA=\"x\ny\"\nB=z\\\nw\n  C=1\n";
        let places: Vec<_> = parse(text).unwrap().into_iter().map(|entry| (entry.line, entry.name)).collect();
        assert_eq!(places, [(4, "A".into()), (6, "B".into()), (8, "C".into())]);
    }

    #[test]
    fn every_malformed_line_is_reported() {
        let errors = parse("nonsense\nexport A=b\n1A=b\nB=c\nC='d\n").unwrap_err();
        use EnvFileError::{Name, NoValue, OpenQuote};
        assert_eq!(errors, [NoValue(1), Name(2), Name(3), OpenQuote(5)]);
    }

    #[rstest]
    #[case("plain:1")]
    #[case("two words")]
    #[case(r#"a "quoted" \ $value `x`"#)]
    #[case("# no comment")]
    #[case("Serendib <a@b.example>")]
    #[case("it's")]
    fn quoted_value_is_read_back(#[case] value: &str) {
        assert_eq!(parse(&format!("A={}", quote(value))).unwrap()[0].value, value);
    }
}

//! Regular expressions that are compiled once. They are constants of this crate, so one that does not compile is found by
//! the first test that uses it.

use regex::Regex;

/// Declares patterns: `patterns! { NAME = "..."; }`. Letters match in either case; write `(?-i:…)` where case matters.
macro_rules! patterns {
    ($($name:ident = $pattern:expr;)+) => {
        $(static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::extract::rules::pattern::compiled($pattern));)+
    };
}
pub(crate) use patterns;

#[expect(clippy::expect_used, reason = "the patterns are constants, each met by a test")]
pub(crate) fn compiled(pattern: &str) -> Regex {
    regex::RegexBuilder::new(pattern).case_insensitive(true).build().expect("a constant pattern compiles")
}

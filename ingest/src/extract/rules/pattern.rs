//! Regular expressions that are compiled once. They are constants, so an invalid expression fails
//! the first test that uses it.

use regex::Regex;

/// Declares patterns: `patterns! { NAME = "..."; }`. The patterns ignore case, except within
/// `(?-i:…)`.
macro_rules! patterns {
    ($($name:ident = $pattern:expr;)+) => {
        $(static $name: std::sync::LazyLock<regex::Regex> =
            std::sync::LazyLock::new(|| $crate::extract::rules::pattern::compile($pattern));)+
    };
}
pub(crate) use patterns;

#[expect(clippy::expect_used, reason = "the patterns are constants, and tests compile each of them")]
pub(crate) fn compile(pattern: &str) -> Regex {
    regex::RegexBuilder::new(pattern).case_insensitive(true).build().expect("a constant pattern compiles")
}

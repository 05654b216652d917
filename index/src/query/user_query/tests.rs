//! Tests of the parser: examples, round trips of the display form, and arbitrary text.

use super::{parse, syntax::UserQuery};
use proptest::prelude::*;
use rstest::rstest;

#[rstest]
#[case("Road works", "road works")]
#[case("\"Road works\" -bridge", "\"road works\" -bridge")]
#[case("-\"steel bridge\" road", "-\"steel bridge\" road")]
#[case("DSO-MT-2021/11", "dso-mt-2021-11")]
#[case("\"never closed road", "never closed road")]
#[case("( : ^ ~ * ) --", "")]
#[case(" - \" ", "")]
#[case("a b OR c", "a b OR c")]
#[case("a OR OR b | c AND d", "a OR b OR c d")]
#[case("OR a OR", "a")]
#[case("-a OR b", "-a b")]
#[case("a OR -b", "a -b")]
#[case("or and", "or and")]
#[case("org:RDA", "org:rda")]
#[case("Organisation: \"Road Development\" road", "org:\"road development\" road")]
#[case("ref:RDA/S/10", "ref:rda-s-10")]
#[case("title:bridge|title:road", "title:bridge OR title:road")]
#[case("org:", "org")]
#[case("org<5", "org-5")]
#[case("district:kandy", "district:\"Kandy\"")]
#[case("district: nuwara-eliya", "district:\"Nuwara Eliya\"")]
#[case("district:මාතලේ", "district:\"Matale\"")]
#[case("district:Galle,Matara", "district:\"Galle\" OR district:\"Matara\"")]
#[case("-district:Galle,Matara", "-district:\"Galle\" -district:\"Matara\"")]
#[case("district:Atlantis", "district-atlantis")]
#[case("district:Galle,Atlantis", "district-galle-atlantis")]
#[case("province:\"north western\"", "province:\"North Western\"")]
#[case("category:\"computer & it\"", "category:\"Computer & IT\"")]
#[case("category:cleaning", "category:\"Cleaning Services\"")]
#[case("category:c", "category-c")]
#[case("category:it", "sector:it")]
#[case("sector:construction", "sector:construction")]
#[case("kind:award status:LIVE lang:ta grade:c-5", "kind:award status:live lang:ta grade:C5")]
#[case("status:draft", "status-draft")]
#[case("closing<2026-12-01", "closing<=2026-11-30")]
#[case("closing:>2026-12-01", "closing>=2026-12-02")]
#[case("closing:2026-12-01..2026-12-31", "closing:2026-12-01..2026-12-31")]
#[case("closing:2026-12-01..", "closing>=2026-12-01")]
#[case("closing:..", "closing")]
#[case("closing<tomorrow", "closing-tomorrow")]
#[case("published=2026-02-30", "published-2026-02-30")]
#[case("value>5", "value>=5.00000001")]
#[case("value>=0.25", "value>=0.25")]
#[case("value:5m..7.5m", "value:5..7.5")]
#[case("value<0", "value-0")]
#[case("value>99999999999999999999", "value-99999999999999999999")]
#[case("city:\"Nawala, Koswatte\"", "city:\"nawala koswatte\"")]
fn operators_are_read_and_the_rest_is_text(#[case] text: &str, #[case] shown: &str) {
    assert_eq!(UserQuery::read(text).to_string(), shown);
}

#[test]
fn a_very_long_text_is_truncated() {
    assert_eq!(UserQuery::read(&"a ".repeat(10_000)).clauses.len(), parse::MAX_CONDITIONS);
    assert_eq!(UserQuery::read(&"a OR ".repeat(10_000)).clauses[0].any.len(), parse::MAX_CONDITIONS);
    assert_eq!(
        UserQuery::read(&format!("district:{}", "Galle,".repeat(80).trim_end_matches(','))).clauses[0]
            .any
            .len(),
        64
    );
    assert!(UserQuery::read(&"ගාල්ල".repeat(10_000)).to_string().len() < 2000);
}

/// Texts with many operators.
fn texts() -> impl Strategy<Value = String> {
    let word = "[a-z]{1,4}|[0-9]{1,3}|OR|AND|or|\\||\"|-|\\(|ගාල්ල|காலி|é|e\u{301}|ﬁ|\\PC";
    let field = "(org|ref|title|district|city|category|kind|status|lang|grade|closing|published|value)";
    let value =
        "(rda|Galle|Kandy,Galle|it|award|live|si|C5|2026-12-01|2026-01-01..2026-02-02|5|0.5..|\"a b\"|)";
    let part = format!("{word}|{field}(:|=|<|>|<=|>=|: ){value}");
    let pattern = move || proptest::string::string_regex(&part).unwrap();
    prop_oneof![
        "\\PC{0,60}",
        (prop::collection::vec(pattern(), 0..12), prop::bool::ANY)
            .prop_map(|(parts, apart)| parts.join(if apart { " " } else { "" })),
    ]
}

proptest! {
    #[test]
    fn the_display_form_parses_to_the_same_query(text in texts()) {
        let typed = UserQuery::read(&text);
        let shown = typed.to_string();
        prop_assert_eq!(&parse::parse(&shown), &typed, "{}", shown);
        prop_assert_eq!(parse::parse(&shown).to_string(), shown);
    }

    #[test]
    fn any_text_is_read_within_bounds(text in "\\PC{0,900}") {
        let typed = UserQuery::read(&text);
        let conditions: usize = typed.clauses.iter().map(|clause| clause.any.len()).sum();
        prop_assert!(conditions <= parse::MAX_CONDITIONS);
        prop_assert!(typed.clauses.iter().all(|clause| !clause.any.is_empty()));
    }
}

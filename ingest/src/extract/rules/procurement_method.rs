//! The procurement method.

use super::pattern::patterns;
use crate::extract::printed::{Found, Printed};

patterns! {
    METHODS = r"\b(?-i:(NCB|ICB|LNB|LIB))\b|(national competitive bid|\bජාතික තරගකාරී|\bதேசிய(?:ப்)? போட்டி)|(international competitive bid|\bඅන්තර්ජාතික තරගකාරී|\bජාත්\x{200D}?යන්තර තරගකාරී|\bசர்வதேச(?:ப்)? போட்டி)|(shopping)|(requests? for quotations?|(?-i:\bRFQ\b))";
}

/// The procurement method, such as `NCB`, `ICB` or `shopping`.
pub(crate) fn procurement_method(printed: &Printed) -> Option<Found<String>> {
    let text = printed.flow();
    // `NEG/RM-NCB-301` is a reference.
    let is_in_reference = |groups: &regex::Captures<'_>| {
        groups.get(1).is_some_and(|letters| {
            text[..letters.start()].ends_with(['/', '-', '.'])
                || text[letters.end()..].starts_with(['/', '-', '.'])
                    && text[letters.end() + 1..].starts_with(char::is_alphanumeric)
        })
    };
    let groups = METHODS.captures_iter(text).find(|groups| !is_in_reference(groups))?;
    let found = groups.get(0)?;
    let name = match (groups.get(1), groups.get(2), groups.get(3)) {
        (Some(letters), ..) => letters.as_str(),
        (_, Some(_), _) => "NCB",
        (_, _, Some(_)) => "ICB",
        _ => "shopping",
    };
    Some(Found::new(name.to_owned(), 0.85, found.range()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_are_read_from_names_and_abbreviations() {
        let method = |text: &str| procurement_method(&Printed::plain(text)).map(|found| found.value);
        assert_eq!(method("National Competitive Bidding. At least five years").as_deref(), Some("NCB"));
        assert_eq!(method("Procurement under ICB").as_deref(), Some("ICB"));
        assert_eq!(method("Request for Quotations").as_deref(), Some("shopping"));
        assert_eq!(method("ජාතික තරගකාරී ලංසු ක්‍රමය යටතේ").as_deref(), Some("NCB"));
        assert_eq!(method("අන්තර්ජාතික තරගකාරී ලංසු").as_deref(), Some("ICB"));
        assert_eq!(method("ජාත්\u{200D}යන්තර තරගකාරී ලංසු").as_deref(), Some("ICB"));
        assert_eq!(method("தேசிய போட்டி விலைமனுக்கள்").as_deref(), Some("NCB"));
        assert_eq!(method("சர்வதேச போட்டி").as_deref(), Some("ICB"));
        assert_eq!(method("Sealed bids are invited"), None);
        assert_eq!(method("Sale of vehicles. Ref: NEG/RM-NCB-301"), None);
        assert_eq!(method("Ref: NCB/2026/5. Sealed bids are invited"), None);
        assert_eq!(method("Ref: NEG-NCB-301. Bids under ICB-procedures").as_deref(), None);
        assert_eq!(method("Ref: NEG-NCB-301, procured by ICB. Bids are invited").as_deref(), Some("ICB"));
    }
}

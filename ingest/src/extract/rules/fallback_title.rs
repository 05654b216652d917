//! The fallback title of a notice whose title was not read: its call for bids and the name of the
//! organisation. A fallback title has no confidence and no evidence.

use super::heading::{Headline, Role};
use tender_model::{
    tender::Tender,
    vocabulary::{Kind, Language},
};

/// The maximum number of words in a call that is used.
const MAX_WORDS: usize = 12;

/// The fallback title, such as `Invitation for Bids, Department of Irrigation`. Without an
/// organisation, the title is only the call. If no call is printed, the name of the kind replaces
/// the call.
pub(crate) fn fallback_title(
    head: &[Headline],
    kind: Kind,
    language: Option<Language>,
    organization: &str,
) -> String {
    let printed = head.iter().filter(|line| line.role == Role::Banner).map(|line| &line.text.value);
    let mut calls =
        printed.map(|call| call.trim_matches(|c: char| c.is_whitespace() || ",.:;-–".contains(c)));
    let is_call = |call: &&str| (1..=MAX_WORDS).contains(&call.split_whitespace().count());
    let call = calls.find(is_call).unwrap_or_else(|| kind_name(kind, language.unwrap_or(Language::English)));
    let is_complete = organization.is_empty() || call.contains(organization);
    if is_complete { call.to_owned() } else { format!("{call}, {organization}") }
}

/// Adds a fallback title to a notice that an older version read without a title.
pub fn add_fallback_title(tender: &mut Tender) {
    if tender.title.trim().is_empty() {
        tender.title = fallback_title(&[], tender.kind, tender.language, &tender.organization.name);
        tender.confidence.remove("title");
    }
}

/// The name of a kind of notice in a language.
const fn kind_name(kind: Kind, language: Language) -> &'static str {
    match (language, kind) {
        (Language::English, Kind::Purchase) => "Invitation for Bids",
        (Language::English, Kind::Registration) => "Registration of Suppliers",
        (Language::English, Kind::ExpressionOfInterest) => "Request for Expressions of Interest",
        (Language::English, Kind::Sale) => "Notice of Sale",
        (Language::English, Kind::Corrigendum) => "Corrigendum",
        (Language::English, Kind::Award) => "Notice of Award",
        (Language::Sinhala, Kind::Purchase) => "ලංසු කැඳවීම",
        (Language::Sinhala, Kind::Registration) => "සැපයුම්කරුවන් ලියාපදිංචි කිරීම",
        (Language::Sinhala, Kind::ExpressionOfInterest) => "අභිරුචි ප්‍රකාශන කැඳවීම",
        (Language::Sinhala, Kind::Sale) => "විකිණීමේ දැන්වීම",
        (Language::Sinhala, Kind::Corrigendum) => "සංශෝධන දැන්වීම",
        (Language::Sinhala, Kind::Award) => "කොන්ත්‍රාත්තු ප්‍රදානය කිරීමේ දැන්වීම",
        (Language::Tamil, Kind::Purchase) => "கேள்வி அறிவித்தல்",
        (Language::Tamil, Kind::Registration) => "வழங்குநர்களைப் பதிவு செய்தல்",
        (Language::Tamil, Kind::ExpressionOfInterest) => "விருப்பத் தெரிவிப்புக் கோரல்",
        (Language::Tamil, Kind::Sale) => "விற்பனை அறிவித்தல்",
        (Language::Tamil, Kind::Corrigendum) => "திருத்த அறிவித்தல்",
        (Language::Tamil, Kind::Award) => "ஒப்பந்தம் வழங்கல் அறிவித்தல்",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::printed::Found;
    use rstest::rstest;

    const IRRIGATION: &str = "Department of Irrigation";

    fn banner(text: &str) -> Headline {
        Headline { role: Role::Banner, text: Found::new(text.to_owned(), 0.8, 0..text.len()) }
    }

    #[rstest]
    #[case("Invitation for Bids", IRRIGATION, "Invitation for Bids, Department of Irrigation")]
    #[case("CALLING FOR TENDERS.", IRRIGATION, "CALLING FOR TENDERS, Department of Irrigation")]
    #[case("Invitation for Bids", "", "Invitation for Bids")]
    #[case(
        "Tender Notice - Department of Irrigation",
        IRRIGATION,
        "Tender Notice - Department of Irrigation"
    )]
    fn the_printed_call_and_the_organisation_replace_the_title(
        #[case] call: &str,
        #[case] organization: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(fallback_title(&[banner(call)], Kind::Purchase, None, organization), expected);
    }

    #[test]
    fn without_a_short_call_the_kind_replaces_the_call() {
        let english = fallback_title(&[], Kind::Corrigendum, Some(Language::English), IRRIGATION);
        assert_eq!(english, "Corrigendum, Department of Irrigation");
        let tamil = fallback_title(&[], Kind::Award, Some(Language::Tamil), "வீதி அபிவிருத்தி அதிகார சபை");
        assert_eq!(tamil, "ஒப்பந்தம் வழங்கல் அறிவித்தல், வீதி அபிவிருத்தி அதிகார சபை");
        assert_eq!(fallback_title(&[banner(&"bids ".repeat(20))], Kind::Sale, None, ""), "Notice of Sale");
    }
}

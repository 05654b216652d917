//! Uncertain fields in a message: their names, and the printed text of some doubtful ones. A field
//! is uncertain if it is doubtful or was not read.

use crate::base::i18n::mail_texts::{FieldTexts, MailTexts};
use tender_model::{
    tender::{CLOSING, Evidence, FieldState, FieldStates, PageBox, Tender},
    text::Words,
};

/// The fields whose printed text is shown if they are doubtful, most urgent first.
pub(crate) const PRINTED_FIELDS: [&str; 3] = [CLOSING, "title", "referenceNo"];

/// The maximum number of characters of printed text.
const MAX_PRINTED_CHARS: usize = 160;

/// A field that a message names. It may cover several paths of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NamedField {
    Closing,
    Title,
    Organization,
    Reference,
    Category,
    Place,
    BidSecurity,
    DocumentFee,
    Grades,
}

impl NamedField {
    fn of(path: &str) -> Option<Self> {
        Some(match path {
            CLOSING => Self::Closing,
            "title" => Self::Title,
            "organization.name" => Self::Organization,
            "referenceNo" => Self::Reference,
            "category" => Self::Category,
            "documentFee.amount" => Self::DocumentFee,
            "cida" => Self::Grades,
            path if path.starts_with("location.") => Self::Place,
            path if path.starts_with("financials.bidBond.") => Self::BidSecurity,
            _ => return None,
        })
    }

    fn name(self, words: &FieldTexts) -> &str {
        match self {
            Self::Closing => &words.closing,
            Self::Title => &words.title,
            Self::Organization => &words.organization,
            Self::Reference => &words.reference,
            Self::Category => &words.category,
            Self::Place => &words.place,
            Self::BidSecurity => &words.bid_security,
            Self::DocumentFee => &words.document_fee,
            Self::Grades => &words.grades,
        }
    }
}

/// The names of the uncertain fields, each once, most important first. The list is empty if all
/// fields that messages name are certain.
pub(crate) fn field_names<'w>(states: &FieldStates, words: &'w MailTexts) -> Vec<&'w str> {
    let mut named: Vec<NamedField> = states.keys().filter_map(|path| NamedField::of(path)).collect();
    named.sort();
    named.dedup();
    named.into_iter().map(|named| named.name(words.fields())).collect()
}

/// A sentence such as `Not certain: closing, title. Check the notice.` It is empty if all fields
/// that messages name are certain.
pub(crate) fn doubt_sentence(tender: &Tender, words: &MailTexts) -> String {
    let names = field_names(&tender.uncertain_fields(), words);
    if names.is_empty() { String::new() } else { words.not_certain(&names.join(", ")) }
}

/// The printed text of a doubtful field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrintedText<'t> {
    /// The path of the field in JSON.
    pub(crate) path: &'static str,
    /// The text as it was read.
    pub(crate) text: String,
    /// The place of the text on the page and the clip that shows it, if known.
    pub(crate) place: Option<Place<'t>>,
}

/// The place of a text and the clip that shows it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place<'t> {
    /// The URL of the clip.
    pub(crate) clip: &'t str,
    /// The area of the clip on the page.
    pub(crate) clip_area: PageBox,
    /// The area of the text on the page.
    pub(crate) area: PageBox,
}

impl PrintedText<'_> {
    /// The name of the field.
    pub(crate) fn name<'w>(&self, words: &'w MailTexts) -> &'w str {
        NamedField::of(self.path).map_or("", |named| named.name(words.fields()))
    }
}

/// Whether the message shows the words of a field as they are printed, so that quoting them says nothing
/// more.
fn is_shown_as_printed(tender: &Tender, path: &str, printed: &str) -> bool {
    let shown = match path {
        "title" => Some(tender.title.as_str()),
        "referenceNo" => tender.reference_no.as_deref(),
        _ => None,
    };
    shown.is_some_and(|shown| Words::of(shown).as_str() == Words::of(printed).as_str())
}

/// The printed texts of those [`PRINTED_FIELDS`] that are doubtful, unless the message shows the same words.
pub(crate) fn printed_texts(tender: &Tender) -> Vec<PrintedText<'_>> {
    let source = tender.sources.first();
    let of = |path: &'static str| {
        let evidence =
            (tender.field_state(path) == FieldState::Doubtful).then(|| tender.evidence.get(path))??;
        if is_shown_as_printed(tender, path, &evidence.text) {
            return None;
        }
        let text = crate::base::i18n::mail_texts::shortened(&evidence.text, MAX_PRINTED_CHARS);
        let place = source.and_then(|source| place(source.clip_url.as_deref()?, source.area, evidence));
        Some(PrintedText { path, text, place })
    };
    PRINTED_FIELDS.into_iter().filter_map(of).collect()
}

fn place<'t>(clip: &'t str, clip_area: PageBox, evidence: &Evidence) -> Option<Place<'t>> {
    Some(Place { clip, clip_area, area: evidence.area? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tender_model::vocabulary::Language;

    fn tender() -> Tender {
        serde_json::from_value(json!({
            "title": "T", "dates": {"closing": "2026-12-01T14:00:00+05:30"}, "referenceNo": "R/1",
            "fieldStates": {"dates.closing": "doubtful", "title": "not-read", "location.district": "doubtful",
                "location.city": "doubtful", "referenceNo": "doubtful", "notice.x": "doubtful"},
            "evidence": {"dates.closing": {"text": "on or before 01.12.2O26", "box": [0.1, 0.2, 0.1, 0.01]},
                "title": {"text": "x"}, "referenceNo": {"text": "Ref: R/I"}},
            "sources": [{"box": [0.1, 0.1, 0.2, 0.3], "clipUrl": "/api/clips/ab"}],
        }))
        .unwrap()
    }

    #[test]
    fn uncertain_fields_are_named_once_and_in_order() {
        let words = MailTexts::of(Language::English);
        assert_eq!(
            field_names(&tender().uncertain_fields(), words),
            ["closing", "title", "reference", "place"],
        );
        assert_eq!(
            doubt_sentence(&tender(), words),
            "Not certain: closing, title, reference, place. Check the notice."
        );
        assert_eq!(doubt_sentence(&Tender::default(), words), "");
    }

    #[test]
    fn a_doubtful_field_shows_its_printed_text_but_an_unread_field_does_not() {
        let tender = tender();
        let printed = printed_texts(&tender);
        let paths: Vec<&str> = printed.iter().map(|words| words.path).collect();
        assert_eq!(paths, [CLOSING, "referenceNo"], "an unread title has no printed text");
        assert_eq!(printed[0].text, "on or before 01.12.2O26");
        assert_eq!(printed[0].place.unwrap().clip, "/api/clips/ab");
        assert_eq!(printed[1].place, None, "the place of the reference is unknown");
    }

    #[test]
    fn words_that_the_message_shows_are_not_quoted() {
        let mut tender = tender();
        tender.reference_no = Some("Ref: R/I".into());
        let paths: Vec<&str> = printed_texts(&tender).iter().map(|words| words.path).collect();
        assert_eq!(paths, [CLOSING]);
    }
}

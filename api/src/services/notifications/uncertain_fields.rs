//! Uncertain or unread fields in a message: their names, and the printed words of those that a
//! bidder depends on.

use crate::base::i18n::mail_words::{FieldWords, Words};
use index::tender::{CLOSING, Evidence, FieldState, FieldStates, PageBox, Tender};

/// The fields whose printed words are shown, most urgent first.
pub(crate) const SHOWN: [&str; 3] = [CLOSING, "title", "referenceNo"];

/// The most characters of printed words.
const LONGEST_WORDS: usize = 160;

/// A field as a message names it. It may cover several paths of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Named {
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

impl Named {
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

    fn name(self, words: &FieldWords) -> &str {
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

/// The names of the uncertain fields, each once, most important first. Empty: all fields that
/// messages show are certain.
pub(crate) fn names<'w>(states: &FieldStates, words: &'w Words) -> Vec<&'w str> {
    let mut named: Vec<Named> = states.keys().filter_map(|path| Named::of(path)).collect();
    named.sort();
    named.dedup();
    named.into_iter().map(|named| named.name(words.fields())).collect()
}

/// `Not certain: closing, title. Check the notice.` Empty: all fields that messages show are
/// certain.
pub(crate) fn sentence(tender: &Tender, words: &Words) -> String {
    let names = names(&tender.uncertain_fields(), words);
    if names.is_empty() { String::new() } else { words.not_certain(&names.join(", ")) }
}

/// The printed words of an uncertain field.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PrintedWords<'t> {
    /// Its path in JSON.
    pub(crate) path: &'static str,
    /// The words as they were read.
    pub(crate) text: String,
    /// Their place on the page and the clip that shows it, if known.
    pub(crate) place: Option<Place<'t>>,
}

/// The place of words, and the clip that shows them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Place<'t> {
    /// The address of the clip's picture.
    pub(crate) clip: &'t str,
    /// The clip on the page.
    pub(crate) clip_area: PageBox,
    /// The words on the page.
    pub(crate) area: PageBox,
}

impl PrintedWords<'_> {
    /// The name of the field.
    pub(crate) fn name<'w>(&self, words: &'w Words) -> &'w str {
        Named::of(self.path).map_or("", |named| named.name(words.fields()))
    }
}

/// The printed words of the uncertain fields in [`SHOWN`].
pub(crate) fn printed(tender: &Tender) -> Vec<PrintedWords<'_>> {
    let source = tender.sources.first();
    let of = |path: &'static str| {
        let evidence =
            (tender.field_state(path) == FieldState::Doubtful).then(|| tender.evidence.get(path))??;
        let text = crate::base::i18n::mail_words::shortened(&evidence.text, LONGEST_WORDS);
        let place = source.and_then(|source| place(source.clip_url.as_deref()?, source.area, evidence));
        Some(PrintedWords { path, text, place })
    };
    SHOWN.into_iter().filter_map(of).collect()
}

fn place<'t>(clip: &'t str, clip_area: PageBox, evidence: &Evidence) -> Option<Place<'t>> {
    Some(Place { clip, clip_area, area: evidence.area? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::vocabulary::Language;
    use serde_json::json;

    fn tender() -> Tender {
        serde_json::from_value(json!({
            "title": "T", "dates": {"closing": "2026-12-01T14:00:00+05:30"}, "referenceNo": "R/1",
            "fieldStates": {"dates.closing": "doubtful", "title": "not-read", "location.district": "doubtful",
                "location.city": "doubtful", "referenceNo": "doubtful", "notice.x": "doubtful"},
            "evidence": {"dates.closing": {"text": "on or before 01.12.2O26", "box": [0.1, 0.2, 0.1, 0.01]},
                "title": {"text": "x"}, "referenceNo": {"text": "R/1"}},
            "sources": [{"box": [0.1, 0.1, 0.2, 0.3], "clipUrl": "/api/clips/ab"}],
        }))
        .unwrap()
    }

    #[test]
    fn uncertain_fields_are_named_once_and_in_order() {
        let words = Words::of(Language::English);
        assert_eq!(names(&tender().uncertain_fields(), words), ["closing", "title", "reference", "place"],);
        assert_eq!(
            sentence(&tender(), words),
            "Not certain: closing, title, reference, place. Check the notice."
        );
        assert_eq!(sentence(&Tender::default(), words), "");
    }

    #[test]
    fn only_uncertain_fields_show_printed_words() {
        let tender = tender();
        let printed = printed(&tender);
        let paths: Vec<&str> = printed.iter().map(|words| words.path).collect();
        assert_eq!(paths, [CLOSING, "referenceNo"], "a title that was not read has no words");
        assert_eq!(printed[0].text, "on or before 01.12.2O26");
        assert_eq!(printed[0].place.unwrap().clip, "/api/clips/ab");
        assert_eq!(printed[1].place, None, "nobody knows where it stands");
    }
}

//! The document of a tender in the cluster. Texts are normalised here: a text field holds words joined
//! by spaces, which the cluster only splits.

use index::query::FilterValues;
use serde_json::{Map, Value, json};
use tender_model::{
    tender::Tender,
    text::{Words, normalise},
    vocabulary::{Currency, District, Grade, Province},
};
use uuid::Uuid;

/// The id of the document that holds the position in the change log.
pub(crate) const POSITION_ID: &str = "position";

/// Words longer than this are not indexed, in bytes. The cluster would split them.
const MAX_WORD: usize = 4096;

/// The maximum length of a value that is searched for parts of words, in bytes. Lucene stores at most 32,766.
const MAX_PIECE: usize = 30_000;
/// How much of a piece the next one repeats, in bytes. No keyword is longer.
const PIECE_OVERLAP: usize = 4_000;

/// The document of a tender. The canary can be loaded by its id, and is not listed.
pub(crate) fn of_tender(tender: &Tender, owner: Option<Uuid>) -> Result<Value, serde_json::Error> {
    let json = serde_json::to_string(tender)?;
    let owner = owner.map(|owner| owner.to_string());
    if tender.is_canary() {
        return Ok(json!({"listed": false, "json": json, "owner": owner}));
    }
    let values = FilterValues::of(tender);
    let mut document = Map::new();
    let mut set = |name: &str, value: Value| document.insert(name.to_owned(), value);
    set("listed", true.into());
    set("json", json.into());
    set("id", tender.id.to_string().into());
    set("owner", json!(owner));
    add_texts(tender, &mut set);
    add_names(tender, &mut set);
    set("sector", json!(values.sector()));
    set("category", json!(tender.category));
    set("kind", json!(tender.kind));
    set("priority", json!(tender.priority));
    set("organization_type", json!(tender.organization.kind));
    set("status", json!(tender.status));
    set("language", json!(tender.language));
    set("visibility", json!(tender.visibility));
    set("closing_unread", values.is_closing_unread().into());
    let provinces = Province::ALL.iter().filter(|province| values.is_in_province(**province));
    set("province", json!(provinces.collect::<Vec<_>>()));
    let districts = District::ALL.iter().filter(|district| values.is_in_district(**district));
    set("district", json!(districts.collect::<Vec<_>>()));
    let grades = Grade::ALL.iter().filter(|grade| values.requires_grade(**grade));
    set("grade", json!(grades.map(ToString::to_string).collect::<Vec<_>>()));
    set("live_until", json!(values.live_until));
    set("closing", json!(values.closing));
    set("published_at", json!(values.published_at));
    set("value", json!(values.value.map(|(value, _)| value.minor())));
    set("currency", json!(values.value.map(|(_, currency): (_, Currency)| currency.as_str().to_owned())));
    Ok(Value::Object(document))
}

/// The document that replaces a removed tender, so that a late write of an earlier change is refused.
pub(crate) fn of_removed() -> Value {
    json!({"listed": false})
}

/// Divides a text into pieces that the cluster can store. Each begins [`PIECE_OVERLAP`] bytes before the end
/// of the one before, so that a keyword is found in one of them wherever it is.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let begin = next?;
        let end = text.floor_char_boundary(begin + MAX_PIECE);
        next = (end < text.len()).then(|| text.floor_char_boundary(end - PIECE_OVERLAP));
        Some(&text[begin..end])
    })
}

fn add_texts(tender: &Tender, set: &mut impl FnMut(&str, Value) -> Option<Value>) {
    let stems = |texts: &[String]| -> Vec<String> {
        let stem = |text: &String| join(text.split(' ').map(index::stem));
        texts.iter().map(stem).collect()
    };
    let all: Vec<String> =
        index::searched_texts(tender).map(words_of).filter(|words| !words.is_empty()).collect();
    let (title, organization) = (words_of(&tender.title), words_of(&tender.organization.name));
    let reference = words_of(tender.reference_no.as_deref().unwrap_or_default());
    let public: Vec<String> =
        [&title, &organization].into_iter().filter(|words| !words.is_empty()).cloned().collect();
    set("stems", json!(stems(&all)));
    set("title_stems", json!(stems(&public)));
    // Both ends of a word are marked by spaces, for keywords that match a part of a word.
    let marked: Vec<String> = all.iter().map(|words| format!(" {words} ")).collect();
    set("patterns", json!(marked.iter().flat_map(|text| pieces(text)).collect::<Vec<_>>()));
    let scope: Vec<String> = [&tender.title, &tender.description]
        .map(|text| words_of(text))
        .into_iter()
        .filter(|words| !words.is_empty())
        .collect();
    let marked: Vec<String> = scope.iter().map(|words| format!(" {words} ")).collect();
    set("scope_patterns", json!(marked.iter().flat_map(|text| pieces(text)).collect::<Vec<_>>()));
    set("scope_words", json!(scope));
    set("words", json!(all));
    set("title", title.into());
    set("organization", organization.into());
    if !reference.is_empty() {
        set("solid_reference", reference.replace(' ', "").into());
    }
    set("reference", reference.into());
}

/// Names are filtered by their normalised words, and shown as they were printed.
fn add_names(tender: &Tender, set: &mut impl FnMut(&str, Value) -> Option<Value>) {
    let key = |name: &str| Some(normalise(name)).filter(|words| !words.is_empty());
    let city = tender.location.city.as_deref().unwrap_or_default();
    let organization = tender.organization.name.as_str();
    set("city", json!(key(city).map(|_| city)));
    set("city_key", json!(key(city)));
    set("organization_name", json!(key(organization).map(|_| organization)));
    set("organization_key", json!(key(organization)));
    let publications = tender.sources.iter().map(|source| source.publication.as_str());
    let (mut keys, mut spellings) = (Vec::new(), Vec::new());
    for publication in publications {
        if let Some(key) = key(publication).filter(|key| !keys.contains(key)) {
            spellings.push(format!("{key}\n{publication}"));
            keys.push(key);
        }
    }
    set("publication_key", json!(keys));
    set("publication", json!(spellings));
}

/// The normalised words of a text, joined by spaces.
fn words_of(text: &str) -> String {
    let words = Words::of(text);
    join(words.iter().filter(|word| word.len() <= MAX_WORD).map(str::to_owned))
}

fn join(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_divided_so_that_each_keyword_stays_whole() {
        let text = format!(" {} ", "පාලම් සහ මාර්ග ".repeat(2_000));
        let pieces: Vec<&str> = pieces(&text).collect();
        assert!(pieces.len() > 2 && pieces.iter().all(|piece| piece.len() <= MAX_PIECE));
        for (at, _) in text.char_indices() {
            let keyword = &text[at..text.floor_char_boundary(at + PIECE_OVERLAP - 4)];
            assert!(pieces.iter().any(|piece| piece.contains(keyword)), "at byte {at}");
        }
        assert_eq!(super::pieces(" bridge ").collect::<Vec<_>>(), [" bridge "]);
    }
}

//! Renders a search of the listing as an Atom feed (RFC 4287), newest tender first.

use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    base::i18n::mail_texts,
    clients::file_store,
    domain::error::ServiceError,
    services::{
        entitlement::Entitlement,
        notifications::uncertain_fields,
        search::{list_query::ListQuery, search},
    },
};
use anyhow::Context;
use askama::Template;
use axum::{
    body::Body,
    http::{HeaderMap, StatusCode, header},
    response::{IntoResponse, Response},
};
use index::{ListingItem, Sort};
use tender_model::{
    tender::{CLOSING, FieldState, Tender},
    vocabulary::{Language, Moment},
};
use uuid::Uuid;

/// The maximum number of entries in a feed.
const MAX_ENTRIES: usize = 50;

/// The value of the `Content-Type` header.
pub const MEDIA_TYPE: &str = "application/atom+xml";

/// The metadata of a feed.
#[derive(Debug, Clone)]
pub struct FeedMetadata {
    /// The title that feed readers show.
    pub title: String,
    /// The permanent URI that identifies the feed.
    pub id: String,
    /// The path and query of the feed itself.
    pub path: String,
    /// The path and query of the page that shows the same search.
    pub page: String,
}

#[derive(Template)]
#[template(path = "feed.xml")]
struct Feed<'a> {
    base: &'a str,
    id: &'a str,
    title: &'a str,
    own_url: String,
    page: String,
    updated: Moment,
    entries: Vec<Entry>,
}

struct Entry {
    id: Uuid,
    title: String,
    organization: String,
    category: Option<String>,
    published: Option<Moment>,
    updated: Moment,
    summary: String,
}

/// Renders the search for this viewer. Responds with `304` if the client already has this version.
pub async fn respond(
    state: &AppState,
    entitlement: &Entitlement,
    query: ListQuery,
    metadata: &FeedMetadata,
    headers: &HeaderMap,
) -> Result<Response, ServiceError> {
    let mut request = query.request(entitlement, state)?;
    (request.sort, request.page, request.limit) = (Sort::Newest, 1, MAX_ENTRIES);
    let listing =
        search(state, SearchKind::Feed, move |search_engine, now| search_engine.listing(&request, now))
            .await?;
    let entries: Vec<Entry> = listing.tenders.into_iter().map(entry).collect();
    let base = state.config.base_url();
    let feed = Feed {
        base: &base,
        id: &metadata.id,
        title: &remove_invalid_xml(&metadata.title),
        own_url: format!("{base}{}", metadata.path),
        page: format!("{base}{}", metadata.page),
        // Atom requires a time. An empty feed gets the Unix epoch.
        updated: entries
            .iter()
            .map(|entry| entry.updated)
            .max()
            .unwrap_or_else(|| Moment::new(jiff::Timestamp::UNIX_EPOCH)),
        entries,
    };
    let text = feed.render().context("rendering a feed")?;
    let tag = format!("\"{}\"", file_store::hash(text.as_bytes()));
    let cache_headers =
        [(header::ETAG, tag.clone()), (header::CACHE_CONTROL, "private, max-age=300".to_owned())];
    let cached = headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    if cached.flat_map(|value| value.split(',')).any(|value| value.trim().trim_start_matches("W/") == tag) {
        return Ok((StatusCode::NOT_MODIFIED, cache_headers).into_response());
    }
    Ok((cache_headers, [(header::CONTENT_TYPE, format!("{MEDIA_TYPE}; charset=utf-8"))], Body::from(text))
        .into_response())
}

fn entry(listed: ListingItem) -> Entry {
    match listed {
        ListingItem::Open(tender) => open_entry(*tender),
        ListingItem::Locked(stub) => {
            let published = stub.published_at.or(stub.dates.published);
            Entry {
                id: stub.id,
                title: remove_invalid_xml(&stub.title),
                organization: remove_invalid_xml(&stub.organization),
                category: stub.category.map(|category| category.to_string()),
                published,
                updated: published.unwrap_or_else(|| Moment::new(jiff::Timestamp::UNIX_EPOCH)),
                summary: closing(stub.dates.closing, stub.field_states.get(CLOSING).copied()),
            }
        }
    }
}

fn open_entry(tender: Tender) -> Entry {
    let place = [tender.location.district.map(|district| district.to_string()), tender.location.city.clone()];
    let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let reference = tender.reference_no.as_ref().map(|reference| format!("Reference {reference}"));
    let summary = [
        Some(closing(tender.dates.closing, tender.uncertain_fields().get(CLOSING).copied())),
        Some(uncertain_fields::doubt_sentence(&tender, mail_texts::MailTexts::of(Language::English)))
            .filter(|text| !text.is_empty()),
        Some(place).filter(|place| !place.is_empty()),
        reference,
        Some(tender.description.clone()).filter(|text| !text.is_empty()),
    ];
    let published = tender.published_at;
    let changed = tender.changes.iter().map(|change| change.at).max();
    Entry {
        id: tender.id,
        updated: changed.max(published).unwrap_or_else(|| Moment::new(jiff::Timestamp::UNIX_EPOCH)),
        title: remove_invalid_xml(&tender.title),
        organization: remove_invalid_xml(&tender.organization.name),
        category: tender.category.map(|category| category.to_string()),
        published,
        summary: remove_invalid_xml(&summary.into_iter().flatten().collect::<Vec<_>>().join(" · ")),
    }
}

/// Formats the closing time. `state` is given only if the closing time is uncertain or was not
/// read.
fn closing(at: Option<Moment>, state: Option<FieldState>) -> String {
    match (at, state) {
        (None, Some(FieldState::NotRead)) => "Closing: see the notice".to_owned(),
        (None, _) => "No closing date is printed".to_owned(),
        (Some(at), None | Some(FieldState::Certain)) => format!("Closes {}", mail_texts::moment(at)),
        (Some(at), Some(_)) => format!("Closes {}; not certain: check the notice", mail_texts::moment(at)),
    }
}

/// Removes the characters that XML forbids even if they are escaped, and all other control
/// characters except tabs and line breaks.
fn remove_invalid_xml(text: &str) -> String {
    let is_valid = |letter: &char| match letter {
        '\t' | '\n' | '\r' => true,
        '\u{FFFE}' | '\u{FFFF}' => false,
        letter => !letter.is_control(),
    };
    text.chars().filter(is_valid).collect()
}

//! GET /tenders/suggestions: suggests searches while the user types.

use crate::{
    app::{metrics::portal::SearchKind, state::AppState},
    domain::error::{FieldError, ServiceError},
    http::{
        envelope::{ApiResult, Envelope},
        error::FailureBody,
        extract::Query,
    },
};
use axum::extract::State;
use index::Suggestion;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

/// The maximum length of the text, in characters.
const MAX_TEXT_LENGTH: usize = 200;

/// The query of the route.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SuggestQuery {
    /// The text entered so far.
    #[param(max_length = 200)]
    #[serde(default)]
    text: String,
}

/// A suggestion.
#[derive(Debug, Serialize, ToSchema)]
pub struct SuggestedSearch {
    /// Whether the suggestion is a category, a place, an organisation or a tender.
    kind: SuggestionKind,
    /// The text to search for, or the tender's title.
    text: String,
    /// The tender's id, if the suggestion is a tender.
    #[serde(rename = "_id", skip_serializing_if = "Option::is_none")]
    id: Option<Uuid>,
}

/// The kind of a suggestion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SuggestionKind {
    /// A category.
    Category,
    /// A district.
    Place,
    /// An organisation.
    Organization,
    /// The title of a tender.
    Tender,
}

/// Suggestions: categories, then places, organisations and tenders.
#[derive(Debug, Serialize, ToSchema)]
pub struct Suggestions {
    /// The suggestions, at most twelve.
    suggestions: Vec<SuggestedSearch>,
}

/// Suggest searches
#[utoipa::path(get, path = "/tenders/suggestions", tag = "tenders", operation_id = "suggestTenders",
params(SuggestQuery), responses(
    (status = 200, description = "The suggestions", body = Envelope<Suggestions>),
    (status = 400, description = "The query string is too long", body = FailureBody),
    (status = 422, description = "A query value is invalid", body = FailureBody),
))]
pub async fn suggest_searches(
    State(state): State<AppState>,
    Query(SuggestQuery { text }): Query<SuggestQuery>,
) -> ApiResult<Suggestions> {
    if text.chars().count() > MAX_TEXT_LENGTH {
        return Err(ServiceError::Invalid(vec![FieldError::new(
            "text",
            format!("text: at most {MAX_TEXT_LENGTH} characters"),
        )]));
    }
    let found = crate::services::search::search(&state, SearchKind::Suggestions, move |search_engine, _| {
        search_engine.suggest(&text)
    })
    .await?;
    let suggested = |suggestion| match suggestion {
        Suggestion::Category(category) => (SuggestionKind::Category, category.to_string(), None),
        Suggestion::Place(_, name) => (SuggestionKind::Place, name, None),
        Suggestion::Organization(name) => (SuggestionKind::Organization, name, None),
        Suggestion::Title(id, title) => (SuggestionKind::Tender, title, Some(id)),
    };
    let suggestions = found.into_iter().map(suggested);
    let suggestions = suggestions.map(|(kind, text, id)| SuggestedSearch { kind, text, id }).collect();
    Ok(Envelope::of(Suggestions { suggestions }))
}

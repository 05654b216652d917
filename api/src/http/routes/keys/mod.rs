//! API keys for the caller's programs.

pub(crate) mod create;
pub(crate) mod delete;
pub(crate) mod list;

use crate::{domain::api_key::ApiKey, http::middleware::api_key::Scope};
use serde::Serialize;
use tender_model::vocabulary::Moment;
use utoipa::ToSchema;
use uuid::Uuid;

/// A key without its secret.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApiKey)]
pub struct KeyView {
    /// The key's id.
    #[serde(rename = "_id")]
    id: Uuid,
    /// The name given by its owner.
    name: String,
    /// The first characters of the key, which help to recognise it.
    prefix: String,
    /// The scopes of the key.
    scopes: Vec<Scope>,
    /// When the key was created.
    created_at: Moment,
    /// When the key was last used, to the minute; `null` if it was never used.
    #[schema(required)]
    last_used_at: Option<Moment>,
}

impl From<ApiKey> for KeyView {
    fn from(key: ApiKey) -> Self {
        Self {
            id: key.id,
            name: key.name,
            prefix: key.prefix,
            scopes: key.scopes.iter().filter_map(|scope| Scope::from_stored(scope)).collect(),
            created_at: Moment::new(key.created_at),
            last_used_at: key.last_used_at.map(Moment::new),
        }
    }
}

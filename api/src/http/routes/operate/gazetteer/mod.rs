//! Routes with which administrators manage the names that the readers should know.

pub(crate) mod add;
pub(crate) mod change;
pub(crate) mod list;

use crate::domain::gazetteer::{NamedThing, NewName};
use serde::Deserialize;
use utoipa::ToSchema;

/// A name of an organisation or a town.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NameForm {
    /// The name.
    #[schema(max_length = 200)]
    name: String,
    /// Other spellings that newspapers print, at most 20.
    #[serde(default)]
    #[schema(max_items = 20)]
    spellings: Vec<String>,
    /// What it names.
    thing: NamedThing,
}

impl From<NameForm> for NewName {
    fn from(NameForm { name, spellings, thing }: NameForm) -> Self {
        Self { name, spellings, thing }
    }
}

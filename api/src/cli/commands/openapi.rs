//! `api openapi`: the OpenAPI document.

use crate::http::router;
use std::io::{self, Write};

/// Prints the OpenAPI document.
pub fn openapi() -> anyhow::Result<()> {
    io::stdout().lock().write_all(openapi_json()?.as_bytes())?;
    Ok(())
}

/// Returns the OpenAPI document as committed in `api/openapi.json`.
pub fn openapi_json() -> anyhow::Result<String> {
    Ok(router::document().to_pretty_json()? + "\n")
}

//! The prerendered part of a page, and its head.

use crate::{app::state::AppState, domain::error::ServiceError};
use anyhow::Context;
use askama::Template;
use axum::http::StatusCode;
use serde_json::{Value, json};

/// The prerendered part of a page.
#[derive(Debug)]
pub(super) struct PrerenderedPage {
    /// The response status: 404 for unknown paths and tenders. The application then shows its own
    /// page for this error.
    pub(super) status: StatusCode,
    /// The page title.
    pub(super) title: Option<String>,
    /// Elements of the head.
    pub(super) head: String,
    /// The content of the application's root element.
    pub(super) body: String,
    /// API responses, which the application then does not request.
    pub(super) answers: Option<Value>,
}

impl Default for PrerenderedPage {
    fn default() -> Self {
        Self::plain(StatusCode::OK)
    }
}

impl PrerenderedPage {
    pub(super) const fn plain(status: StatusCode) -> Self {
        Self { status, title: None, head: String::new(), body: String::new(), answers: None }
    }
}

#[derive(Template)]
#[template(path = "prerendered/head.html")]
struct Head<'a> {
    title: &'a str,
    description: &'a str,
    address: String,
    data: String,
    feed: Option<String>,
}

/// Assembles a page. `kind` is its type in schema.org, `path` its address below the portal's.
pub(super) fn assemble_page(
    state: &AppState,
    kind: &str,
    (title, description): (&str, &str),
    path: &str,
    body: String,
    answers: Option<Value>,
    feed: Option<String>,
) -> Result<PrerenderedPage, ServiceError> {
    let address = format!("{}{path}", state.config.base_url());
    let data = json!({
        "@context": "https://schema.org",
        "@type": kind,
        "name": title,
        "description": description,
        "url": address,
        "isPartOf": {"@type": "WebSite", "name": "Serendib Tenders", "url": state.config.base_url()},
    });
    // `</script>` in a value would end the element.
    let data = data.to_string().replace('<', "\\u003c");
    let head = Head { title, description, address, data, feed }
        .render()
        .context("rendering a prerendered page's head")?;
    Ok(PrerenderedPage {
        status: StatusCode::OK,
        title: Some(format!("{title} · Serendib Tenders")),
        head,
        body,
        answers: answers.map(|mut answers| {
            // When they were created, in milliseconds since 1970.
            answers["at"] = state.clock.moment().timestamp().as_millisecond().into();
            answers
        }),
    })
}

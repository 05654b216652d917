//! The content security policy of the small pages that the server renders: payment pages and the page
//! of unsubscribe links. Only their own inline style and script run.

use axum::http::{HeaderName, HeaderValue, header};
use base64::{Engine, prelude::BASE64_STANDARD};
use sha2::{Digest, Sha256};

/// The headers of a page that is rendered for one request.
pub(super) type PageHeaders = [(HeaderName, HeaderValue); 2];

/// Returns the headers of a rendered page. `form_targets` are the sources to which its forms lead.
///
/// # Errors
/// If a form target is no valid header value.
pub(super) fn page_headers(page: &str, form_targets: &str) -> anyhow::Result<PageHeaders> {
    let policy = format!(
        "default-src 'none'; script-src {}; style-src {}; form-action {form_targets}; base-uri 'none'; \
        frame-ancestors 'none'",
        inline_source(page, "script"),
        inline_source(page, "style"),
    );
    Ok([
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_SECURITY_POLICY, policy.parse()?),
    ])
}

/// The source that permits the first inline element with this name, by its hash. Templates escape all
/// other texts, so a page has only the elements of its template.
fn inline_source(page: &str, element: &str) -> String {
    let content = page
        .split_once(&format!("<{element}>"))
        .and_then(|(_, rest)| rest.split_once(&format!("</{element}>")))
        .map(|(content, _)| content);
    match content {
        Some(content) => format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(content))),
        None => "'none'".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inline_elements_are_permitted_by_their_hash() {
        let [_, (_, policy)] = page_headers("<style>a{}</style><p>x", "'self'").unwrap();
        assert_eq!(
            policy,
            "default-src 'none'; script-src 'none'; style-src 'sha256-X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk='; \
            form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
        );
    }
}

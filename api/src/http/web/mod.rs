//! Serves the built web application: its files and, for all other paths, its page with settings and
//! prerendered content inserted.

pub(crate) mod prerender;
mod prerender_awards;
mod prerender_market;
mod prerender_pricing;
mod prerendered_page;
pub(crate) mod security_txt;
pub(crate) mod sitemap;

use crate::{
    app::state::AppState,
    base::{config::CompanyConfig, log_throttle::LogThrottle},
    clients::payments::Provider,
    domain::error::ServiceError,
    http::{error, route_classes::is_file, web::prerendered_page::PrerenderedPage},
};
use axum::{
    extract::{Request, State},
    http::{HeaderValue, Method, StatusCode, Uri, header},
    response::{Html, IntoResponse, Response},
};
use serde::Serialize;
use std::time::Duration;
use tower::ServiceExt;
use tower_http::services::ServeDir;

/// Limits the log lines about pages that fail.
static FAILURE_LOG: LogThrottle = LogThrottle::new(Duration::from_secs(10));

/// The settings that are inserted into the page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Settings<'a> {
    api_base: &'static str,
    google_client_id: Option<&'a str>,
    payments: Option<&'static str>,
    company: &'a CompanyConfig,
}

/// The response if the application has not been built.
const NOT_BUILT_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Serendib Tenders</title>\
    <p>The web application has not been built. <code>make</code> builds it; the API answers under <code>/api</code>.";

/// Serves the paths without a route of their own: a file if the path's last segment contains a
/// dot, else the page.
pub async fn serve(State(state): State<AppState>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, HEAD")]).into_response();
    }
    let path = request.uri().path();
    if is_file(path) { serve_file(&state, request).await } else { serve_page(&state, request.uri()).await }
}

async fn serve_file(state: &AppState, request: Request) -> Response {
    // Vite puts a hash of the content into the file names in this folder.
    let is_hashed = request.uri().path().starts_with("/assets/");
    // Browsers detect a new deployment by the service worker, so it must not be cached.
    let is_worker = request.uri().path() == "/sw.js";
    let folder = ServeDir::new(&state.config.web).append_index_html_on_directories(false);
    let Ok(served) = folder.oneshot(request).await;
    let mut response = served.into_response();
    let cache_control = match response.status().is_success() {
        true if is_hashed => "public, max-age=31536000, immutable",
        true if is_worker => "no-cache",
        true => "public, max-age=3600",
        false => "no-store",
    };
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control));
    // All text files of the application are in UTF-8, which `ServeDir` does not state.
    let text_type = response.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    if let Some(text_type) =
        text_type.filter(|value| value.starts_with("text/") && !value.contains("charset"))
        && let Ok(value) = HeaderValue::try_from(format!("{text_type}; charset=utf-8"))
    {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

async fn serve_page(state: &AppState, address: &Uri) -> Response {
    let Ok(page) = tokio::fs::read_to_string(state.config.web.join("index.html")).await else {
        return (StatusCode::SERVICE_UNAVAILABLE, Html(NOT_BUILT_PAGE)).into_response();
    };
    let settings = Settings {
        api_base: "/api",
        google_client_id: state.config.google.client_id(),
        payments: state.payments.as_deref().map(Provider::name),
        company: &state.config.company,
    };
    let settings = match serde_json::to_string(&settings) {
        Ok(settings) => settings,
        Err(error) => return ServiceError::Internal(error.into()).into_response(),
    };
    let prerendered = match crate::http::web::prerender::prerender(
        state,
        address.path(),
        address.query().unwrap_or_default(),
    )
    .await
    {
        Ok(prerendered) => prerendered,
        Err(error) => {
            if FAILURE_LOG.is_due() {
                tracing::warn!(%error, "a page is served without prerendered content");
            }
            // The application reports the error when it makes the same API request. The status tells
            // crawlers to come back.
            let is_busy = matches!(error, ServiceError::Busy(_) | ServiceError::Deadlock);
            PrerenderedPage {
                status: if is_busy { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK },
                ..PrerenderedPage::default()
            }
        }
    };
    let page = insert_prerendered(&insert_settings(&page, &settings), &prerendered);
    let mut response =
        (prerendered.status, [(header::CACHE_CONTROL, "no-cache")], Html(page)).into_response();
    if prerendered.status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, error::BUSY_RETRY_SECONDS.into());
    }
    response
}

/// Inserts the title, the head elements, the content and the API responses into the page.
fn insert_prerendered(page: &str, prerendered: &PrerenderedPage) -> String {
    let mut page = if prerendered.body.is_empty() { page.to_owned() } else { without_preloads(page) };
    if let Some(title) = &prerendered.title
        && let Some((begin, end)) = page.find("<title>").zip(page.find("</title>"))
        && begin < end
    {
        page.replace_range(begin + "<title>".len()..end, &escape_html(title));
    }
    if let Some(end) = page.find("</head>") {
        page.insert_str(end, &prerendered.head);
    }
    const ROOT_ELEMENT: &str = "<div id=\"root\">";
    if let Some(place) = page.find(ROOT_ELEMENT) {
        page.insert_str(place + ROOT_ELEMENT.len(), &prerendered.body);
    }
    if let Some(answers) = &prerendered.answers
        && let Some(end) = page.rfind("</body>")
    {
        // `</script>` in a value would end the element.
        let answers = answers.to_string().replace('<', "\\u003c");
        page.insert_str(end, &format!("<script type=\"application/json\" id=\"answers\">{answers}</script>"));
    }
    page
}

/// Removes the preloads of the app's scripts. The app starts after the first paint of a prerendered page, so
/// that its scripts would only compete with the style sheet.
fn without_preloads(page: &str) -> String {
    let mut parts = page.split("<link rel=\"modulepreload\"");
    let before = parts.next().unwrap_or_default().to_owned();
    parts.fold(before, |kept, part| kept + part.split_once('>').map_or("", |(_, rest)| rest))
}

fn escape_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Replaces the content of `<script type="application/json" id="settings">`. A page without that
/// element is served unchanged, and the application uses its defaults.
fn insert_settings(page: &str, settings: &str) -> String {
    let place = page.find("id=\"settings\"").and_then(|id| {
        let begin = id + page[id..].find('>')? + 1;
        let end = begin + page[begin..].find("</script>")?;
        Some((begin, end))
    });
    match place {
        // `</script>` in a value would end the element.
        Some((begin, end)) => {
            format!("{}{}{}", &page[..begin], settings.replace('<', "\\u003c"), &page[end..])
        }
        None => page.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_replace_only_their_element() {
        let page =
            r#"<head><script type="application/json" id="settings">{}</script><script src="a.js"></script>"#;
        let with = insert_settings(page, r#"{"a":"</script>"}"#);
        assert_eq!(
            with,
            r#"<head><script type="application/json" id="settings">{"a":"\u003c/script>"}</script><script src="a.js"></script>"#
        );
        assert_eq!(insert_settings("<p>no element", "{}"), "<p>no element");
    }

    #[test]
    fn only_a_prerendered_page_has_no_preloads() {
        let page = r#"<head><link rel="modulepreload" crossorigin href="/a.js"><link rel="icon" href="/i"><link rel="modulepreload" href="/b.js"></head><body><div id="root"></div>"#;
        assert_eq!(insert_prerendered(page, &PrerenderedPage::default()), page);
        let prerendered = PrerenderedPage { body: "<p>Tenders</p>".into(), ..PrerenderedPage::default() };
        assert_eq!(
            insert_prerendered(page, &prerendered),
            r#"<head><link rel="icon" href="/i"></head><body><div id="root"><p>Tenders</p></div>"#
        );
    }
}

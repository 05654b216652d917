//! `/robots.txt`, and the sitemap of the static pages and all public tenders.

use crate::{
    app::{sitemap_cache::SitemapFile, state::AppState},
    domain::error::ServiceError,
    http::{extract::PathName, web::prerender_market::district_slug},
    services::market,
    storage::tenders,
};
use axum::{
    body::Bytes,
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use std::fmt::Write;
use tender_model::vocabulary::{District, Sector};

/// The maximum number of tenders in one file. The sitemap protocol permits 50,000 URLs.
const TENDERS_PER_FILE: i64 = 40_000;
/// The pages of the application that the sitemap's first file lists.
const PAGES: [&str; 10] = [
    "/", "/tenders", "/awards", "/market", "/buyers", "/pricing", "/about", "/contact", "/terms", "/privacy",
];
/// The maximum number of bodies in the first file.
const MAX_BUYERS: usize = 9000;
const SCHEMA: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// Serves the rules for crawlers and the URL of the sitemap.
pub async fn robots(State(state): State<AppState>) -> Response {
    let base = state.config.base_url();
    let text = format!(
        "User-agent: *\nDisallow: /api/\nAllow: /api/clips/\nAllow: /api/tenders\nDisallow: /account\nDisallow: /saved\n\
        Disallow: /supplier/\nDisallow: /dev/\n\nSitemap: {base}/sitemap.xml\n"
    );
    (
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
            (header::CACHE_CONTROL, "public, max-age=3600"),
        ],
        text,
    )
        .into_response()
}

/// Serves the index of the sitemap's files.
pub async fn index(State(state): State<AppState>) -> Result<Response, ServiceError> {
    state.sitemap.get_or_make(SitemapFile::Index, || make_index(&state)).await.map(xml_response)
}

async fn make_index(state: &AppState) -> Result<Bytes, ServiceError> {
    let base = state.config.base_url();
    let files = count_files(state).await?;
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<sitemapindex xmlns=\"{SCHEMA}\">\n");
    for nth in 1..=files {
        let _ = writeln!(text, "<sitemap><loc>{base}/sitemap/{nth}.xml</loc></sitemap>");
    }
    text.push_str("</sitemapindex>\n");
    Ok(text.into())
}

/// Serves one of the sitemap's files: `1.xml`, `2.xml` and so on.
///
/// # Errors
///
/// 404 for an unknown file.
pub async fn file(State(state): State<AppState>, PathName(name): PathName) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Sitemap");
    let nth = name.strip_suffix(".xml").and_then(|nth| nth.parse::<u32>().ok()).filter(|nth| *nth > 0);
    let nth = nth.ok_or(NOT_FOUND)?;
    // Without this check, requests for files that do not exist would read many rows.
    if i64::from(nth) > count_files(&state).await? {
        return Err(NOT_FOUND);
    }
    state.sitemap.get_or_make(SitemapFile::Tenders(nth), || make_file(&state, nth)).await.map(xml_response)
}

/// Returns the number of files with tenders.
async fn count_files(state: &AppState) -> Result<i64, ServiceError> {
    let count = state.sitemap.count_or_read(|| async { Ok(tenders::count_public(&state.db).await?) }).await?;
    Ok(count.div_euclid(TENDERS_PER_FILE) + 1)
}

async fn make_file(state: &AppState, nth: u32) -> Result<Bytes, ServiceError> {
    let skip = i64::from(nth - 1) * TENDERS_PER_FILE;
    let base = state.config.base_url();
    let found = tenders::list_public(&state.db, skip, TENDERS_PER_FILE).await?;
    let mut text = format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{SCHEMA}\">\n");
    for page in PAGES.iter().filter(|_| skip == 0) {
        let _ = writeln!(text, "<url><loc>{base}{page}</loc></url>");
    }
    if skip == 0 {
        for page in market_pages(state).await? {
            let _ = writeln!(text, "<url><loc>{base}{page}</loc></url>");
        }
    }
    for (id, at) in found {
        let _ = writeln!(text, "<url><loc>{base}/tenders/{id}</loc><lastmod>{at}</lastmod></url>");
    }
    text.push_str("</urlset>\n");
    Ok(text.into())
}

/// The pages of districts, of sectors and of bodies.
async fn market_pages(state: &AppState) -> Result<Vec<String>, ServiceError> {
    let districts = District::ALL.iter().map(|name| format!("/market/districts/{}", district_slug(*name)));
    let sectors = Sector::ALL.iter().map(|sector| format!("/market/sectors/{sector}"));
    let buyers = market::list_buyers(state, &state.market, None).await?;
    let buyers = buyers.into_iter().take(MAX_BUYERS).map(|buyer| format!("/buyers/{}", buyer.slug));
    Ok(districts.chain(sectors).chain(buyers).collect())
}

fn xml_response(text: Bytes) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/xml; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, text).into_response()
}

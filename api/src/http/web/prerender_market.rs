//! The prerendered pages of bodies and of the market.

use super::prerendered_page::{PrerenderedPage, assemble_page};
use crate::{
    app::state::AppState,
    base::{i18n::mail_texts, query_string::read_query},
    domain::{
        error::ServiceError,
        market::{Buyer, BuyerTender, Market, ShortNotices, Spread, ValueCount},
    },
    http::routes::{
        buyers::{
            list::{BuyerQuery, load_buyers},
            read::{BuyerDetails, load_buyer},
        },
        market::read::{MarketQuery, load_market},
    },
    services::market,
};
use anyhow::Context;
use askama::Template;
use axum::http::StatusCode;
use serde_json::json;
use tender_model::vocabulary::{District, Sector};

/// The most bodies on a prerendered page.
const BUYERS: &str = "50";
/// The most open tenders of a body on its prerendered page.
const OPEN_TENDERS: i64 = 100;

#[derive(Template)]
#[template(path = "prerendered/buyers.html")]
struct BuyersPage<'a> {
    total: u64,
    buyers: &'a [Buyer],
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "prerendered/buyer.html")]
struct BuyerPage<'a> {
    buyer: &'a BuyerDetails,
    lists: [(&'static str, Vec<BuyerCard<'a>>); 2],
    counts: [(&'static str, &'a [ValueCount]); 2],
    spreads: Vec<(&'static str, String)>,
}

struct BuyerCard<'a> {
    tender: &'a BuyerTender,
    closes: String,
}

#[derive(Template)]
#[template(path = "prerendered/market.html")]
struct MarketPage<'a> {
    title: &'a str,
    market: &'a Market,
    districts: Vec<(String, &'a ValueCount)>,
    sectors: Vec<(String, &'a ValueCount)>,
    short: Vec<String>,
}

/// Whether a path belongs to a body or to the market.
pub(super) fn is_market_page(path: &str) -> bool {
    ["/buyers", "/market"]
        .iter()
        .any(|start| path.strip_prefix(start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Prerenders the page at this path.
pub(super) async fn prerender(
    state: &AppState,
    path: &str,
    query: &str,
) -> Result<PrerenderedPage, ServiceError> {
    let mut parts = path.trim_start_matches('/').split('/');
    match (parts.next(), parts.next(), parts.next(), parts.next()) {
        (Some("buyers"), None, ..) => prerender_buyers(state, query).await,
        (Some("buyers"), Some(slug), None, _) => prerender_buyer(state, &decode(slug)).await,
        (Some("market"), None, ..) => prerender_whole_market(state, query).await,
        (Some("market"), Some("districts"), Some(slug), None) => {
            let district = District::ALL.iter().copied().find(|district| district_slug(*district) == slug);
            prerender_part(state, path, MarketQuery { district, ..MarketQuery::default() }).await
        }
        (Some("market"), Some("sectors"), Some(slug), None) => {
            let query = MarketQuery { sector: slug.parse().ok(), ..MarketQuery::default() };
            prerender_part(state, path, query).await
        }
        _ => Ok(PrerenderedPage::plain(StatusCode::NOT_FOUND)),
    }
}

/// A part of a path without percent signs.
fn decode(part: &str) -> String {
    let pair = format!("part={}", part.replace('&', "%26").replace('+', "%2B"));
    form_urlencoded::parse(pair.as_bytes()).map(|(_, value)| value.into_owned()).next().unwrap_or_default()
}

/// The part of an address that stands for a district.
pub(super) fn district_slug(district: District) -> String {
    district.as_str().to_lowercase().replace(' ', "-")
}

/// The name of a sector on English pages.
const fn sector_name(sector: Sector) -> &'static str {
    match sector {
        Sector::Construction => "Construction",
        Sector::It => "Information technology",
        Sector::Registration => "Supplier registration",
        Sector::Upkeep => "Upkeep and repair",
        Sector::Consultancy => "Consultancy",
        Sector::Supply => "Supply of goods",
        Sector::Services => "Services",
    }
}

async fn prerender_buyers(state: &AppState, query: &str) -> Result<PrerenderedPage, ServiceError> {
    const TITLE: &str = "Bodies that invite bids";
    const DESCRIPTION: &str = "Ministries, departments, councils and companies of Sri Lanka that invite bids, with their open and past tenders.";
    let known = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| matches!(name.as_ref(), "search" | "page"));
    let api_query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(known)
        .append_pair("limit", BUYERS)
        .finish();
    let Ok(parsed) = read_query::<BuyerQuery>(&api_query) else {
        return Ok(PrerenderedPage::plain(StatusCode::OK));
    };
    let list = match load_buyers(state, parsed).await {
        Ok(list) => list,
        Err(ServiceError::Invalid(_)) => return Ok(PrerenderedPage::plain(StatusCode::OK)),
        Err(error) => return Err(error),
    };
    let next = list.pagination.has_next.then(|| {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name == "search"));
        let page = (list.pagination.current + 1).to_string();
        format!("/buyers?{}", address.append_pair("page", &page).finish())
    });
    let page = BuyersPage { total: list.pagination.total_count, buyers: &list.buyers, next };
    let body = page.render().context("rendering a prerendered page")?;
    assemble_page(state, "CollectionPage", (TITLE, DESCRIPTION), "/buyers", body, None, None)
}

async fn prerender_buyer(state: &AppState, slug: &str) -> Result<PrerenderedPage, ServiceError> {
    let buyer = match load_buyer(state, slug).await {
        Ok(buyer) => buyer,
        Err(ServiceError::NotFound(_)) => return Ok(PrerenderedPage::plain(StatusCode::NOT_FOUND)),
        Err(error) => return Err(error),
    };
    let open = market::buyer_tenders(state, &buyer.buyer.slug, true, (OPEN_TENDERS, 0)).await?;
    let name = buyer.buyer.name.clone();
    let description = format!(
        "Tenders of {name}: {} open, {} past. Usual notice period, bid security, document fees and awards.",
        buyer.buyer.open, buyer.buyer.past
    );
    let path = format!("/buyers/{}", buyer.buyer.slug);
    let page = BuyerPage {
        lists: [("Open tenders", cards(&open)), ("Past tenders", cards(&buyer.past_tenders))],
        counts: [("Categories", &buyer.categories), ("Districts", &buyer.districts)],
        spreads: vec![
            ("Days from publication to closing", describe(&buyer.notice_days)),
            ("Bid security in percent", describe(&buyer.bond_percentage)),
            ("Bid security in rupees", describe(&buyer.bond_amount)),
            ("Document fee in rupees", describe(&buyer.document_fee)),
        ],
        buyer: &buyer,
    };
    let body = page.render().context("rendering a prerendered page")?;
    let answers = json!({"buyer": buyer});
    assemble_page(state, "ItemPage", (&name, &description), &path, body, Some(answers), None)
}

fn cards(tenders: &[BuyerTender]) -> Vec<BuyerCard<'_>> {
    let closes = |tender: &BuyerTender| match tender.closing {
        None => "Closing not stated".to_owned(),
        Some(at) if tender.is_closing_certain => format!("Closes {}", mail_texts::moment(at)),
        Some(at) => format!("Closes {} (not certain)", mail_texts::moment(at)),
    };
    tenders.iter().map(|tender| BuyerCard { tender, closes: closes(tender) }).collect()
}

/// A spread as a sentence.
fn describe(spread: &Spread) -> String {
    match (&spread.summary, spread.count) {
        (_, 0) => "not stated or not certain".to_owned(),
        (None, count) => format!("too few to tell ({count})"),
        (Some(summary), count) => format!(
            "median {}, half between {} and {}, range {} to {} ({count} tenders)",
            plain(summary.median),
            plain(summary.lower),
            plain(summary.upper),
            plain(summary.min),
            plain(summary.max)
        ),
    }
}

/// A number with at most one decimal.
fn plain(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

async fn prerender_whole_market(state: &AppState, query: &str) -> Result<PrerenderedPage, ServiceError> {
    let known = form_urlencoded::parse(query.as_bytes())
        .filter(|(name, _)| matches!(name.as_ref(), "district" | "sector" | "grade"));
    let api_query = form_urlencoded::Serializer::new(String::new()).extend_pairs(known).finish();
    let Ok(parsed) = read_query::<MarketQuery>(&api_query) else {
        return Ok(PrerenderedPage::plain(StatusCode::OK));
    };
    market_page(state, "The market", "/market", parsed).await
}

async fn prerender_part(
    state: &AppState,
    path: &str,
    query: MarketQuery,
) -> Result<PrerenderedPage, ServiceError> {
    let title = match (query.district, query.sector) {
        (Some(district), _) => format!("Tenders in {district} District"),
        (_, Some(sector)) => format!("Tenders by sector: {}", sector_name(sector)),
        (None, None) => return Ok(PrerenderedPage::plain(StatusCode::NOT_FOUND)),
    };
    market_page(state, &title, path, query).await
}

async fn market_page(
    state: &AppState,
    title: &str,
    path: &str,
    query: MarketQuery,
) -> Result<PrerenderedPage, ServiceError> {
    let market = load_market(state, query).await?;
    let description = format!(
        "{title}: {} tenders, {} of them open, by district, sector, contractor grade and month, with short notices.",
        market.total, market.open
    );
    let districts = linked(&market.districts, |value| {
        let district = value.parse::<District>().ok()?;
        Some((format!("/market/districts/{}", district_slug(district)), value.to_owned()))
    });
    let sectors = linked(&market.sectors, |value| {
        let sector = value.parse::<Sector>().ok()?;
        Some((format!("/market/sectors/{value}"), sector_name(sector).to_owned()))
    });
    let short = market.short_notices.iter().map(describe_short).collect();
    let page = MarketPage { title, market: &market, districts, sectors, short };
    let body = page.render().context("rendering a prerendered page")?;
    assemble_page(state, "CollectionPage", (title, &description), path, body, None, None)
}

/// The counts with what stands for their values: a link, or a text for what has no page of its own.
fn linked(
    counts: &[ValueCount],
    link: impl Fn(&str) -> Option<(String, String)>,
) -> Vec<(String, &ValueCount)> {
    let element = |count: &ValueCount| match count.value.as_deref().and_then(&link) {
        // Both are values of the vocabulary, which need no escaping.
        Some((path, name)) => format!("<a href=\"{path}\">{name}</a>"),
        None if count.value.is_some() => "Other".to_owned(),
        None => "not stated".to_owned(),
    };
    counts.iter().map(|count| (element(count), count)).collect()
}

fn describe_short(notices: &ShortNotices) -> String {
    let method = if notices.is_method_stated { "method stated" } else { "method not stated" };
    format!("Under {} days ({method}): {} of {} tenders", notices.required_days, notices.short, notices.count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_the_market_are_told_from_others() {
        for (path, is_market) in
            [("/buyers", true), ("/buyers/x", true), ("/market/sectors/it", true), ("/marketing", false)]
        {
            assert_eq!(is_market_page(path), is_market, "{path}");
        }
        assert_eq!(district_slug(District::NuwaraEliya), "nuwara-eliya");
        assert_eq!(decode("a%2Fb+c&d%E0%B6%B1"), "a/b+c&dන");
    }

    #[test]
    fn a_spread_is_told_in_words() {
        assert_eq!(describe(&Spread::default()), "not stated or not certain");
        assert_eq!(describe(&Spread { count: 4, ..Spread::default() }), "too few to tell (4)");
        assert_eq!((plain(21.0), plain(2.25)), ("21".to_owned(), "2.2".to_owned()));
    }
}

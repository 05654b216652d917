//! Prerenders pages for crawlers, link previews and slow connections. The content is limited to
//! data that guests may see. For a tender, these are title, organisation, place, closing date,
//! publisher and summary. The home page and the listing also contain the responses to the API
//! requests that the application makes first.

use super::{
    prerender_awards, prerender_market, prerender_pricing,
    prerendered_page::{PrerenderedPage, assemble_page},
};
use crate::{
    app::state::AppState,
    base::{i18n::mail_texts, query_string::read_query},
    domain::{
        error::ServiceError,
        highlights::{HighlightedTender, Newspaper},
        publisher::PublishedBy,
        tender_facts::{BodyName, TenderFacts, body_name},
    },
    http::routes::{
        home::{self, ShownNotice},
        subscriptions::plans,
        tenders::{
            list::{self, ListedTender},
            stats::{self, Count},
        },
    },
    services::{entitlement::Entitlement, search::list_query::ListQuery},
    storage::{buyers, tenders},
};
use anyhow::Context;
use askama::Template;
use axum::http::StatusCode;
use serde_json::json;
use tender_model::{
    tender::{CLOSING, FieldState, Location, Tender},
    vocabulary::Moment,
};
use uuid::Uuid;

/// Pages of the application without prerendered content. A path that is not in this list and that
/// [`prerender`] does not handle gets 404.
const PLAIN_PAGES: [&str; 47] = [
    "/about",
    "/account",
    "/account/company",
    "/account/data",
    "/account/notifications",
    "/account/security",
    "/account/team",
    "/alert-settings",
    "/bids",
    "/bids/calendar",
    "/contact",
    "/forgot-password",
    "/index.html",
    "/login",
    "/operate",
    "/operate/accuracy",
    "/operate/audit",
    "/operate/gazetteer",
    "/operate/coverage",
    "/operate/coverage/holidays",
    "/operate/coverage/papers",
    "/operate/figures",
    "/operate/review",
    "/operate/publications",
    "/operate/mail",
    "/operate/mail/suppressed",
    "/operate/messages",
    "/operate/payments",
    "/operate/payments/subscriptions",
    "/operate/tokens",
    "/operate/pages",
    "/operate/batches",
    "/operate/batches/new",
    "/operate/users",
    "/privacy",
    "/register",
    "/reports",
    "/reset-password",
    "/saved",
    "/subscription/cancel",
    "/subscription/success",
    "/supplier/add-tender",
    "/supplier/dashboard",
    "/terms",
    "/verify-email",
    "/join",
    "/welcome",
];
/// The maximum length of a tender's summary, in characters.
const MAX_SUMMARY_LENGTH: usize = 300;

#[derive(Template)]
#[template(path = "prerendered/home.html")]
struct HomePage<'a> {
    title: &'a str,
    description: &'a str,
    total: u64,
    live: u64,
    closing_soon: Vec<TenderCard>,
    notice: Option<&'a ShownNotice>,
    newspapers: &'a [Newspaper],
    organizations: Vec<(&'a Count, Option<BodyName>)>,
    /// The names of the plans and their prices per month in rupees.
    prices: Vec<(&'a str, i32)>,
}

#[derive(Template)]
#[template(path = "prerendered/listing.html")]
struct ListingPage {
    description: &'static str,
    total: u64,
    cards: Vec<TenderCard>,
    next: Option<String>,
}

#[derive(Template)]
#[template(path = "prerendered/tender.html")]
struct TenderPage {
    card: TenderCard,
    /// The body that has a page, if the name of the organisation is certain.
    body: Option<BodyName>,
    summary: String,
}

struct TenderCard {
    id: Uuid,
    title: String,
    language: Option<String>,
    organization: String,
    place: Option<String>,
    closes: Option<String>,
    /// Whether the tender was entered by an account and not printed in a newspaper.
    is_by_organisation: bool,
}

/// Prerenders the page at this path.
pub(super) async fn prerender(
    state: &AppState,
    path: &str,
    query: &str,
) -> Result<PrerenderedPage, ServiceError> {
    let path = if path.len() > 1 { path.trim_end_matches('/') } else { path };
    match path {
        "/" => prerender_home(state).await,
        "/tenders" => prerender_listing(state, query).await,
        "/awards" => prerender_awards(state, query).await,
        "/pricing" => prerender_pricing::prerender(state).await,
        path if prerender_market::is_market_page(path) => {
            prerender_market::prerender(state, path, query).await
        }
        path if PLAIN_PAGES.contains(&path)
            || is_edit_page(path)
            || is_bid_page(path)
            || is_invoice_page(path)
            || is_newspaper_page(path)
            || is_withdrawal_page(path) =>
        {
            Ok(PrerenderedPage::plain(StatusCode::OK))
        }
        path => match path.strip_prefix("/tenders/").map(Uuid::try_parse) {
            Some(Ok(id)) => prerender_tender(state, id).await,
            _ => Ok(PrerenderedPage::plain(StatusCode::NOT_FOUND)),
        },
    }
}

fn is_bid_page(path: &str) -> bool {
    let id = path.strip_prefix("/bids/").map(|id| id.strip_suffix("/cover").unwrap_or(id));
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

fn is_invoice_page(path: &str) -> bool {
    path.strip_prefix("/account/invoices/").is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

fn is_newspaper_page(path: &str) -> bool {
    path.strip_prefix("/operate/pages/").is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

fn is_withdrawal_page(path: &str) -> bool {
    path.strip_prefix("/operate/batches/").is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

fn is_edit_page(path: &str) -> bool {
    let id = path.strip_prefix("/supplier/tenders/").and_then(|rest| rest.strip_suffix("/edit"));
    id.is_some_and(|id| !id.is_empty() && !id.contains('/'))
}

async fn prerender_home(state: &AppState) -> Result<PrerenderedPage, ServiceError> {
    const TITLE: &str = "Sri Lankan tenders from every newspaper";
    const DESCRIPTION: &str = "Public tenders of Sri Lanka, read from the newspapers each day: search them, follow them, be mailed in time.";
    let stats = stats::count_tenders(state).await?;
    let home = home::load_home(state).await?;
    let plans = plans::load_plans(state).await?;
    let body = HomePage {
        title: TITLE,
        description: DESCRIPTION,
        total: stats.total_tenders,
        live: stats.live_tenders,
        closing_soon: home.closing_soon.iter().map(highlighted_card).collect(),
        notice: home.notices.first(),
        newspapers: &home.newspapers,
        organizations: linked_organizations(state, &home.organizations).await?,
        prices: plans.prices().collect(),
    };
    let body = body.render().context("rendering a prerendered page")?;
    let answers = json!({"stats": stats, "home": home, "plans": plans});
    assemble_page(state, "WebSite", (TITLE, DESCRIPTION), "/", body, Some(answers), None)
}

/// The organisations, each with its page if it has one.
async fn linked_organizations<'a>(
    state: &AppState,
    organizations: &'a [Count],
) -> Result<Vec<(&'a Count, Option<BodyName>)>, ServiceError> {
    let bodies: Vec<Option<BodyName>> = organizations.iter().map(|count| body_name(&count.name)).collect();
    let slugs: Vec<String> = bodies.iter().flatten().map(|body| body.slug.clone()).collect();
    let with_page = buyers::invited_slugs(&state.db, &slugs).await?;
    let page = |body: Option<BodyName>| body.filter(|body| with_page.contains(&body.slug));
    Ok(organizations.iter().zip(bodies.into_iter().map(page)).collect())
}

async fn prerender_listing(state: &AppState, query: &str) -> Result<PrerenderedPage, ServiceError> {
    const TITLE: &str = "Tenders";
    const DESCRIPTION: &str = "Open tenders of Sri Lanka by sector, district and closing date, each beside the newspaper clip it was read from.";
    let api_query = ListQuery::query_of_page(query);
    // The application itself reports invalid parameters and those that guests may not use.
    let Ok(parsed) = read_query::<ListQuery>(&api_query) else {
        return Ok(PrerenderedPage::plain(StatusCode::OK));
    };
    let page = parsed.page;
    let guest = Entitlement::of_user(None, state).await?;
    let list = match list::load_listing(state, &guest, parsed, None).await {
        Ok(list) => list,
        Err(ServiceError::Invalid(_) | ServiceError::Refused(_)) => {
            return Ok(PrerenderedPage::plain(StatusCode::OK));
        }
        Err(error) => return Err(error),
    };
    let stats = stats::count_tenders(state).await?;
    let cards = list.tenders().iter().map(card_of_item).collect();
    let next = list.has_next().then(|| next_page_url(query, page));
    let body = ListingPage { description: DESCRIPTION, total: list.count(), cards, next }
        .render()
        .context("rendering a prerendered page")?;
    let answers = json!({"list": list, "stats": stats});
    let (path, feed) = match query {
        "" => ("/tenders".to_owned(), "/api/feeds/tenders".to_owned()),
        query => (
            format!("/tenders?{query}"),
            format!("/api/feeds/tenders?{}", ListQuery::without_page(&api_query)),
        ),
    };
    assemble_page(state, "CollectionPage", (TITLE, DESCRIPTION), &path, body, Some(answers), Some(feed))
}

async fn prerender_awards(state: &AppState, query: &str) -> Result<PrerenderedPage, ServiceError> {
    const TITLE: &str = "Awards";
    const DESCRIPTION: &str = "Who won past contracts of the Sri Lankan government, and for how much, each with the decision it was read from.";
    let Some(body) = prerender_awards::body(state, query).await? else {
        return Ok(PrerenderedPage::plain(StatusCode::OK));
    };
    assemble_page(state, "CollectionPage", (TITLE, DESCRIPTION), "/awards", body, None, None)
}

async fn prerender_tender(state: &AppState, id: Uuid) -> Result<PrerenderedPage, ServiceError> {
    let found = tenders::current(&state.db, id).await?.filter(|found| found.tender.status.is_public());
    let Some(found) = found else { return Ok(PrerenderedPage::plain(StatusCode::NOT_FOUND)) };
    let guest = Entitlement::of_user(None, state).await?;
    let is_locked = guest.stub(&found.tender, found.owner_id).is_some();
    let tender = found.tender;
    let summary = if is_locked { String::new() } else { summarise(&tender) };
    let title = tender.title.clone();
    let mut card = tender_card(id, &tender);
    if is_locked {
        card.place = None;
    }
    let description = [
        Some(card.organization.clone()).filter(|name| !name.is_empty()),
        card.place.clone(),
        card.closes.as_ref().map(|closes| closes.replacen('C', "c", 1)),
    ];
    let description = description.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let body = TenderFacts::of(&tender).and_then(|facts| facts.body);
    let body = TenderPage { card, body, summary }.render().context("rendering a prerendered page")?;
    assemble_page(state, "ItemPage", (&title, &description), &format!("/tenders/{id}"), body, None, None)
}

fn card_of_item(item: &ListedTender) -> TenderCard {
    match item {
        ListedTender::Open(view) => tender_card(view.tender.id, &view.tender),
        ListedTender::Locked(stub) => TenderCard {
            id: stub.id,
            title: stub.title.clone(),
            language: None,
            organization: stub.organization.name.clone(),
            place: None,
            closes: format_closing(stub.dates.closing, stub.field_states.get(CLOSING).copied()),
            is_by_organisation: false,
        },
    }
}

fn tender_card(id: Uuid, tender: &Tender) -> TenderCard {
    TenderCard {
        id,
        title: tender.title.clone(),
        language: tender.language.map(|language| language.as_str().to_owned()),
        organization: tender.organization.name.clone(),
        place: format_place(&tender.location),
        closes: format_closing(tender.dates.closing, tender.uncertain_fields().get(CLOSING).copied()),
        is_by_organisation: PublishedBy::of(tender) == PublishedBy::Organisation,
    }
}

fn highlighted_card(tender: &HighlightedTender) -> TenderCard {
    TenderCard {
        id: tender.id,
        title: tender.title.clone(),
        language: tender.language.map(|language| language.as_str().to_owned()),
        organization: tender.organization.clone(),
        place: format_place(&tender.location),
        closes: format_closing(tender.closing, None),
        is_by_organisation: tender.published_by == PublishedBy::Organisation,
    }
}

/// Formats the closing time as a sentence. `state` is given only if the closing time is uncertain
/// or was not read.
fn format_closing(at: Option<Moment>, state: Option<FieldState>) -> Option<String> {
    match (at, state) {
        (None, Some(FieldState::NotRead)) => Some("Closing: see the notice".to_owned()),
        (None, _) => None,
        (Some(at), None | Some(FieldState::Certain)) => Some(format!("Closes {}", mail_texts::moment(at))),
        (Some(at), Some(_)) => Some(format!("Closes {} (not certain)", mail_texts::moment(at))),
    }
}

fn format_place(location: &Location) -> Option<String> {
    let parts = [location.city.clone(), location.district.map(|district| district.to_string())];
    let place = parts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    Some(place).filter(|place| !place.is_empty())
}

fn summarise(tender: &Tender) -> String {
    let text = match tender.description.trim() {
        "" => tender.full_text_markdown.as_str(),
        description => description,
    };
    let plain: String =
        text.chars().filter(|letter| !matches!(letter, '#' | '*' | '|' | '\\' | '`')).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    mail_texts::shortened(&line, MAX_SUMMARY_LENGTH)
}

fn next_page_url(query: &str, page: u32) -> String {
    let mut address = form_urlencoded::Serializer::new(String::new());
    for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "page") {
        address.append_pair(&name, &value);
    }
    format!("/tenders?{}", address.append_pair("page", &(page + 1).to_string()).finish())
}

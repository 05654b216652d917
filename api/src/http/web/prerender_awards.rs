//! The prerendered page of awards.

use crate::{
    app::state::AppState,
    base::{i18n::grouping::group_hundredths, query_string::read_query},
    domain::error::ServiceError,
    http::routes::awards::{
        AwardView,
        list::{AwardQuery, load_awards},
    },
};
use anyhow::Context;
use askama::Template;

/// The query parameters of the page. They are those of the API.
const PARAMETERS: [&str; 8] =
    ["search", "body", "winner", "year", "currency", "minAmount", "maxAmount", "page"];

#[derive(Template)]
#[template(path = "prerendered/awards.html")]
struct AwardsPage {
    total: u64,
    awards: Vec<AwardCard>,
    next: Option<String>,
}

struct AwardCard {
    title: String,
    winners: String,
    amount: Option<String>,
    body: Option<String>,
    source: String,
    number: u32,
    day: String,
}

impl From<&AwardView> for AwardCard {
    fn from(award: &AwardView) -> Self {
        let amounts: Vec<String> = award
            .amounts
            .iter()
            .map(|sum| format!("{} {}", sum.currency, group_hundredths(sum.amount.minor())))
            .collect();
        let lot = award.lot.as_ref().map(|lot| format!(": {lot}")).unwrap_or_default();
        Self {
            title: format!("{}{lot}", award.title),
            winners: if award.winners.is_empty() {
                "Winner not named".to_owned()
            } else {
                award.winners.join(", ")
            },
            amount: (!amounts.is_empty()).then(|| amounts.join(" and ")),
            body: award.body.clone(),
            source: award.source_url.clone(),
            number: award.decision_number,
            day: award.decided_on.to_string(),
        }
    }
}

/// The parameters of a query string that the page has.
fn known_parameters(query: &str) -> String {
    let pairs = form_urlencoded::parse(query.as_bytes());
    form_urlencoded::Serializer::new(String::new())
        .extend_pairs(pairs.filter(|(name, _)| PARAMETERS.contains(&name.as_ref())))
        .finish()
}

/// The content of the page for a query string. `None`: the application itself reports what is wrong with
/// the query.
pub(super) async fn body(state: &AppState, query: &str) -> Result<Option<String>, ServiceError> {
    let Ok(parsed) = read_query::<AwardQuery>(&known_parameters(query)) else { return Ok(None) };
    let list = match load_awards(state, parsed).await {
        Ok(list) => list,
        Err(ServiceError::Invalid(_)) => return Ok(None),
        Err(error) => return Err(error),
    };
    let next = list.pagination.has_next.then(|| {
        let mut address = form_urlencoded::Serializer::new(String::new());
        address.extend_pairs(form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "page"));
        format!(
            "/awards?{}",
            address.append_pair("page", &(list.pagination.current + 1).to_string()).finish()
        )
    });
    let awards = list.awards.iter().map(AwardCard::from).collect();
    let page = AwardsPage { total: list.pagination.total_count, awards, next };
    Ok(Some(page.render().context("rendering a prerendered page")?))
}

//! Prerenders the page of the plans and their prices.

use super::prerendered_page::{PrerenderedPage, assemble_page};
use crate::{
    app::state::AppState,
    base::i18n::grouping::group_thousands,
    domain::error::ServiceError,
    http::routes::subscriptions::plans::{self, PlanSummary},
    services::entitlement::GUEST_DETAIL_QUOTA,
};
use anyhow::Context;
use askama::Template;
use serde_json::json;

const TITLE: &str = "Pricing";
const DESCRIPTION: &str = "What each plan of Serendib Tenders costs and permits.";

#[derive(Template)]
#[template(path = "prerendered/pricing.html")]
struct PricingPage<'a> {
    lead: String,
    plans: Vec<PlanCard<'a>>,
}

struct PlanCard<'a> {
    name: &'a str,
    description: &'a str,
    monthly: String,
    yearly: String,
    /// What the plan includes, a line each.
    includes: Vec<String>,
}

impl<'a> From<PlanSummary<'a>> for PlanCard<'a> {
    fn from(plan: PlanSummary<'a>) -> Self {
        Self {
            name: plan.name,
            description: plan.description,
            monthly: group_thousands(plan.monthly.into()),
            yearly: group_thousands(plan.yearly.into()),
            includes: includes(&plan),
        }
    }
}

/// Prerenders `/pricing` with the response about the plans.
pub(super) async fn prerender(state: &AppState) -> Result<PrerenderedPage, ServiceError> {
    let plans = plans::load_plans(state).await?;
    let lead = format!(
        "Searching is free. Without an account you open {GUEST_DETAIL_QUOTA} tenders a month; with a free \
         account more. A plan opens more of what we read, and e-mails you matching tenders."
    );
    let body = PricingPage { lead, plans: plans.summaries().map(PlanCard::from).collect() }
        .render()
        .context("rendering a prerendered page")?;
    let answers = json!({"plans": plans});
    assemble_page(state, "WebPage", (TITLE, DESCRIPTION), "/pricing", body, Some(answers), None)
}

/// States what a plan includes, in the order in which the plans differ.
fn includes(plan: &PlanSummary<'_>) -> Vec<String> {
    let views = match plan.tender_views {
        ..0 => "Any number of tenders".to_owned(),
        views => format!("{} tenders a month", group_thousands(views.into())),
    };
    let archive = match plan.archive_days {
        None => "All tenders ever read".to_owned(),
        Some(days) => format!("Tenders of the last {days} days"),
    };
    let users = (plan.users > 1).then(|| format!("{} users", plan.users));
    let lines = [
        (plan.alerts, "Alerts by e-mail"),
        (plan.direct_alerts, "Alerts by SMS, WhatsApp and webhook"),
        (plan.api_access, "Access by API"),
    ];
    let features = lines.into_iter().filter(|(is_included, _)| *is_included).map(|(_, line)| line.to_owned());
    [views, archive].into_iter().chain(features).chain(users).collect()
}

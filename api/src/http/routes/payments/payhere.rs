//! The page that posts a checkout's form to PayHere, by script or by button. The page's URL is
//! signed because the form contains the payer's details. The page's content security policy
//! permits only its own style, one line of script and a form to PayHere.

use crate::{
    app::state::AppState,
    base::i18n::mail_texts::{MailTexts, PayHereTexts},
    clients::payments::{
        Provider,
        payhere::{FormFields, Payer},
    },
    domain::{
        billing_cycle::BillingCycle, checkout::CheckoutStatus, error::ServiceError, payment::CheckoutOrder,
    },
    http::{extract::Query, page_policy::page_headers},
    storage::{checkouts, subscriptions, users},
};
use anyhow::Context;
use askama::Template;
use axum::{
    extract::{Path, State},
    response::{Html, IntoResponse, Response},
};
use serde::Deserialize;
use uuid::Uuid;

/// The page's only script.
const SCRIPT: &str = "document.forms[0].submit()";

#[derive(Deserialize)]
pub(super) struct SignedPageQuery {
    #[serde(default)]
    signature: String,
}

pub(super) async fn show(
    State(state): State<AppState>,
    Path(session): Path<String>,
    Query(query): Query<SignedPageQuery>,
) -> Result<Response, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Checkout");
    let Some(Provider::PayHere(payhere)) = state.payments.as_deref() else { return Err(NOT_FOUND) };
    if !payhere.is_valid_page_link(&session, &query.signature) {
        return Err(NOT_FOUND);
    }
    let id: Uuid = session.parse().map_err(|_| NOT_FOUND)?;
    let now = state.clock.now();
    let checkout = checkouts::by_id(&state.db, id).await?;
    let checkout =
        checkout.filter(|checkout| checkout.status == CheckoutStatus::Open && checkout.expires_at > now);
    let checkout = checkout.ok_or(NOT_FOUND)?;
    let pending = subscriptions::by_id(&state.db, checkout.subscription_id).await?.ok_or(NOT_FOUND)?;
    let user = users::by_id(&state.db, checkout.user_id.ok_or(NOT_FOUND)?, now).await?.ok_or(NOT_FOUND)?;
    let title = pending.cycle.title(pending.plan);
    let order = CheckoutOrder {
        checkout: id,
        title: &title,
        first: checkout.amount,
        price: checkout.price,
        currency: &checkout.currency,
        cycle: pending.cycle,
        email: &user.email,
        expires_at: checkout.expires_at,
    };
    let payer = Payer {
        first_name: &user.first_name,
        last_name: &user.last_name,
        email: &user.email,
        phone: user.phone.as_deref(),
    };
    let words = MailTexts::of(user.language);
    let page = PayHerePage {
        action: &payhere.form_url(),
        fields: &payhere.form_fields(&order, &payer),
        script: SCRIPT,
        lang: user.language.as_str(),
        words: &words.payhere,
        title: &words.plan(pending.plan, pending.cycle),
        amount: checkout.amount.to_string(),
        is_yearly: pending.cycle == BillingCycle::Yearly,
    };
    let page = page.render().context("rendering the page to PayHere")?;
    let headers = page_headers(&page, &payhere.form_url())?;
    Ok((headers, Html(page)).into_response())
}

#[derive(Template)]
#[template(path = "payments/payhere.html")]
struct PayHerePage<'a> {
    action: &'a str,
    fields: &'a FormFields,
    script: &'static str,
    lang: &'static str,
    words: &'static PayHereTexts,
    title: &'a str,
    amount: String,
    is_yearly: bool,
}

//! The sandbox's pages: the card form and the bank's 3-D Secure page. They are labelled as a test.

use crate::{
    app::state::AppState,
    clients::payments::sandbox::{self, PaymentOutcome, TestCard},
    domain::{
        error::ServiceError,
        payment::is_provider_reference,
        sandbox::{SandboxAgreement, SandboxState},
    },
    http::page_policy::page_headers,
    services::billing::lifecycle,
    storage::sandbox as stored,
};
use anyhow::Context;
use askama::Template;
use axum::{
    Form,
    extract::{Path, State},
    http::StatusCode,
    response::{Html, IntoResponse, Redirect, Response},
};
use serde::Deserialize;

/// The card form as entered.
#[derive(Default, Deserialize)]
pub(super) struct CardForm {
    #[serde(default)]
    number: String,
    #[serde(default)]
    expiry: String,
    #[serde(default)]
    cvc: String,
}

/// The form of the bank's 3-D Secure page.
#[derive(Deserialize)]
pub(super) struct ChallengeForm {
    answer: String,
}

/// An invalid field and its message. An empty field name means the whole form. An empty message
/// means that no field is invalid.
#[derive(Default)]
struct FormError {
    field: &'static str,
    message: &'static str,
}

pub(super) async fn show(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, ServiceError> {
    let agreement = find_agreement(&state, &id).await?;
    if agreement.state == SandboxState::Challenge {
        return Ok(Redirect::to(&format!("/payments/sandbox/{}/challenge", agreement.id)).into_response());
    }
    card_page(&state, &agreement, &CardForm::default(), FormError::default())
}

pub(super) async fn pay(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Form(card): Form<CardForm>,
) -> Result<Response, ServiceError> {
    let agreement = find_agreement(&state, &id).await?;
    match TestCard::read(&card.number, &card.expiry, &card.cvc, state.clock.now()) {
        Ok(card) => {
            let outcome = sandbox::pay(&state.db, &id, card, state.clock.now()).await?;
            respond_to_outcome(&state, &agreement, outcome).await
        }
        Err(fault) => {
            let fault = FormError { field: fault.field, message: fault.message };
            card_page(&state, &agreement, &card, fault)
        }
    }
}

pub(super) async fn show_challenge(
    State(state): State<AppState>,
    Path(id): Path<String>,
) -> Result<Response, ServiceError> {
    let agreement = find_agreement(&state, &id).await?;
    if agreement.state != SandboxState::Challenge {
        return Ok(Redirect::to(&format!("/payments/sandbox/{}", agreement.id)).into_response());
    }
    let page = ChallengePage { agreement: &agreement, amount: agreement.first.to_string() };
    respond_with_page(&state, StatusCode::OK, page.render())
}

pub(super) async fn answer_challenge(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Form(form): Form<ChallengeForm>,
) -> Result<Response, ServiceError> {
    let agreement = find_agreement(&state, &id).await?;
    let is_authenticated = form.answer == "complete";
    let outcome = sandbox::answer_challenge(&state.db, &id, is_authenticated, state.clock.now()).await?;
    respond_to_outcome(&state, &agreement, outcome).await
}

async fn respond_to_outcome(
    state: &AppState,
    agreement: &SandboxAgreement,
    outcome: PaymentOutcome,
) -> Result<Response, ServiceError> {
    Ok(match outcome {
        PaymentOutcome::Paid => {
            // The payment is applied before the next page loads. If this fails, the billing job
            // delivers the webhook again.
            if let Err(error) = lifecycle::deliver_sandbox_webhooks(&state.billing()).await {
                tracing::warn!(error = format!("{error:#}"), "the sandbox's webhook will be retried");
            }
            Redirect::to(&format!("{}{}", agreement.success_url, agreement.id)).into_response()
        }
        PaymentOutcome::Challenge => {
            Redirect::to(&format!("/payments/sandbox/{}/challenge", agreement.id)).into_response()
        }
        PaymentOutcome::Declined(message) => {
            return card_page(state, agreement, &CardForm::default(), FormError { field: "", message });
        }
        PaymentOutcome::NotPayable => {
            Redirect::to(&format!("/payments/sandbox/{}", agreement.id)).into_response()
        }
    })
}

async fn find_agreement(state: &AppState, id: &str) -> Result<SandboxAgreement, ServiceError> {
    const NOT_FOUND: ServiceError = ServiceError::NotFound("Checkout");
    if is_provider_reference(id) {
        stored::read(&state.db, id).await?.ok_or(NOT_FOUND)
    } else {
        Err(NOT_FOUND)
    }
}

fn card_page(
    state: &AppState,
    agreement: &SandboxAgreement,
    card: &CardForm,
    fault: FormError,
) -> Result<Response, ServiceError> {
    let is_over = !matches!(agreement.state, SandboxState::Open | SandboxState::Challenge);
    let page = CardPage {
        agreement,
        amount: agreement.first.to_string(),
        price: (agreement.price != agreement.first).then(|| agreement.price.to_string()),
        card,
        fault: &fault,
        is_over,
    };
    let status = if fault.message.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    respond_with_page(state, status, page.render())
}

fn respond_with_page(
    state: &AppState,
    status: StatusCode,
    page: Result<String, askama::Error>,
) -> Result<Response, ServiceError> {
    let page = page.context("rendering the sandbox's page")?;
    // The form redirects to the portal's own address.
    let headers = page_headers(&page, &format!("'self' {}", state.config.base_url()))?;
    Ok((status, headers, Html(page)).into_response())
}

#[derive(Template)]
#[template(path = "payments/sandbox_card.html")]
struct CardPage<'a> {
    agreement: &'a SandboxAgreement,
    amount: String,
    /// The price of later periods, if it differs from the first payment.
    price: Option<String>,
    card: &'a CardForm,
    fault: &'a FormError,
    is_over: bool,
}

#[derive(Template)]
#[template(path = "payments/sandbox_challenge.html")]
struct ChallengePage<'a> {
    agreement: &'a SandboxAgreement,
    amount: String,
}

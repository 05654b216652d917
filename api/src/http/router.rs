//! All routes, and the middleware around them.

use crate::{
    app::state::AppState,
    http::{
        document_upload,
        error::FailureBody,
        middleware::{
            api_key, client, guest_cache, known_host, loopback_only, rate_limit, request_log,
            request_metrics, request_trace, security_headers,
        },
        route_classes,
        routes::{
            alerts, auth, awards, bids, buyers, calendar, channels, clips, company, contact, dev, documents,
            feeds, health, home, ingest, keys, mail, market, operate, payment_webhooks, payments, reports,
            saved, subscriptions, team,
            tenders::{self, TenderView},
            unsubscribe,
        },
        web,
    },
    services::reports::file::XLSX_TYPE,
};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{Method, StatusCode, header::CONTENT_TYPE},
    middleware::{from_fn, from_fn_with_state},
    routing::get,
};
use std::time::Duration;
use tender_model::tender::Tender;
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
    timeout::{RequestBodyTimeoutLayer, TimeoutLayer},
};
use utoipa::{
    OpenApi, ToSchema,
    openapi::{
        Components, Content, Ref, RefOr, Response, ResponseBuilder, Schema,
        path::Operation,
        security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme},
    },
};
use utoipa_axum::{router::OpenApiRouter, routes};

/// The time limit of a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);
/// The time limit of a file upload. It suffices for 20 MB over a slow connection.
const UPLOAD_TIMEOUT: Duration = Duration::from_secs(15 * 60);
/// How long an upload may stall.
const UPLOAD_STALL_TIMEOUT: Duration = Duration::from_secs(60);

/// Downloads are not compressed, because the files are already compressed and clients may request
/// ranges.
const EXCEPT_DOWNLOADS: NotForContentType = NotForContentType::const_new("application/octet-stream");
/// Workbooks are not compressed, because they are ZIP archives.
const EXCEPT_WORKBOOKS: NotForContentType = NotForContentType::const_new(XLSX_TYPE);

/// The metadata of the OpenAPI document.
#[derive(OpenApi)]
#[openapi(
    info(title = "Serendib Tenders", description = "Tender notices of Sri Lanka: listing, search and alerts."),
    servers((url = "/api")),
    tags(
        (name = "auth", description = "Accounts and sessions"),
        (name = "tenders", description = "The listing and its tenders"),
        (name = "awards", description = "Who won past contracts, and for how much"),
        (name = "market", description = "Bodies that invite bids, and figures of the market"),
        (name = "documents", description = "Files attached to tenders"),
        (name = "saved", description = "Saved tenders and searches"),
        (name = "feeds", description = "Searches as Atom feeds"),
        (name = "subscriptions", description = "Plans, subscriptions, prices and invoices"),
        (name = "webhooks", description = "Webhooks of payment providers"),
        (name = "bids", description = "The bid board"),
        (name = "calendar", description = "The deadlines of bids and saved tenders"),
        (name = "company", description = "The profile of the caller's company"),
        (name = "team", description = "Subscriptions that several users share"),
        (name = "channels", description = "Alert channels besides mail"),
        (name = "keys", description = "API keys for programs"),
        (name = "reports", description = "Saved searches as files, downloaded or mailed each month"),
        (name = "ingest", description = "Publishing of newspaper notices"),
        (name = "review", description = "Review of newspaper notices"),
        (name = "operate", description = "Administration of the portal"),
        (name = "mail", description = "Bounces and complaints"),
        (name = "contact", description = "Messages from the contact form"),
        (name = "health", description = "The state of the portal"),
    ),
)]
struct ApiMetadata;

/// The routes under /api, except the file uploads.
fn api_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(ApiMetadata::openapi())
        .routes(routes!(auth::register::register))
        .routes(routes!(auth::login::login))
        .routes(routes!(auth::google::sign_in, auth::google::connect))
        .routes(routes!(auth::google::disconnect))
        .routes(routes!(auth::google_nonce::create_google_nonce))
        .routes(routes!(auth::logout::logout))
        .routes(routes!(auth::refresh::refresh))
        .routes(routes!(auth::me::read_me))
        .routes(routes!(auth::profile::update_profile))
        .routes(routes!(auth::change_email::change_email))
        .routes(routes!(auth::change_password::change_password))
        .routes(routes!(auth::forgot_password::forgot_password))
        .routes(routes!(auth::reset_password::reset_password))
        .routes(routes!(auth::verify_email::verify_email))
        .routes(routes!(auth::resend_verification::resend_verification))
        .routes(routes!(auth::sessions::list_sessions, auth::sessions::end_other_sessions))
        .routes(routes!(auth::sessions::end_session))
        .routes(routes!(auth::second_factor::prove_second_factor, auth::second_factor::confirm_second_factor))
        .routes(routes!(auth::second_factor::challenge_second_factor))
        .routes(routes!(auth::second_factors::read_second_factors))
        .routes(routes!(auth::totp::set_up_totp, auth::totp::confirm_totp))
        .routes(routes!(auth::totp::remove_totp))
        .routes(routes!(auth::passkeys::begin_passkey))
        .routes(routes!(auth::passkeys::add_passkey))
        .routes(routes!(auth::passkeys::remove_passkey))
        .routes(routes!(auth::recovery_codes::renew_recovery_codes))
        .routes(routes!(auth::export::export_account))
        .routes(routes!(auth::delete_account::delete_account))
        .routes(routes!(home::read_home))
        .routes(routes!(tenders::list::list_tenders))
        .routes(routes!(tenders::stats::read_tender_stats))
        .routes(routes!(tenders::facets::count_facets))
        .routes(routes!(tenders::suggest::suggest_searches))
        .routes(routes!(tenders::similar::list_similar_tenders))
        .routes(routes!(tenders::awards::list_tender_awards))
        .routes(routes!(awards::list::list_awards))
        .routes(routes!(awards::read::read_award))
        .routes(routes!(buyers::list::list_buyers))
        .routes(routes!(buyers::read::read_buyer))
        .routes(routes!(buyers::tenders::list_buyer_tenders))
        .routes(routes!(market::read::read_market))
        .routes(routes!(ingest::post_awards::post_awards))
        .routes(routes!(tenders::trace::trace_tender))
        .routes(routes!(tenders::intention::declare_intention, tenders::intention::withdraw_intention))
        .routes(routes!(tenders::mine::list_my_tenders))
        .routes(routes!(tenders::create::create_tender))
        .routes(routes!(
            tenders::read::read_tender,
            tenders::update::update_tender,
            tenders::delete::delete_tender
        ))
        .routes(routes!(documents::address::get_document_url, documents::remove::remove_document))
        .routes(routes!(documents::text::read_document_text))
        .routes(routes!(documents::read::read_document))
        .routes(routes!(saved::tenders::list_saved_tenders))
        .routes(routes!(saved::tenders::save_tender, saved::tenders::unsave_tender))
        .routes(routes!(saved::searches::list_saved_searches, saved::searches::save_search))
        .routes(routes!(saved::searches::update_search, saved::searches::delete_search))
        .routes(routes!(subscriptions::plans::list_plans))
        .routes(routes!(subscriptions::current::read_current_subscription))
        .routes(routes!(subscriptions::usage::read_own_usage))
        .routes(routes!(subscriptions::quote::quote_change))
        .routes(routes!(subscriptions::subscribe::subscribe_plan))
        .routes(routes!(subscriptions::update::update_plan))
        .routes(routes!(subscriptions::cancel::cancel_subscription))
        .routes(routes!(subscriptions::resume::resume_subscription))
        .routes(routes!(subscriptions::create_checkout_session::create_checkout_session))
        .routes(routes!(subscriptions::verify_session::verify_session))
        .routes(routes!(subscriptions::invoices::list_invoices))
        .routes(routes!(subscriptions::invoices::read_invoice))
        .routes(routes!(subscriptions::manager::read_manager))
        .routes(routes!(payment_webhooks::receive::receive_webhook))
        .routes(routes!(team::read::read_team))
        .routes(routes!(team::invite::invite))
        .routes(routes!(team::revoke_invitation::revoke_invitation))
        .routes(routes!(team::join::join_team))
        .routes(routes!(team::leave::remove_member))
        .routes(routes!(company::read_company, company::update_company))
        .routes(routes!(bids::list::read_board, bids::create::add_bid))
        .routes(routes!(bids::read::read_bid, bids::update::update_bid, bids::delete::delete_bid))
        .routes(routes!(bids::reminders::read_reminders, bids::reminders::put_reminders))
        .routes(routes!(bids::reminders::put_reminders_of_bid, bids::reminders::delete_reminders_of_bid))
        .routes(routes!(bids::place::place_bid))
        .routes(routes!(bids::checklist::tick_row, bids::checklist::add_row))
        .routes(routes!(bids::checklist::delete_row))
        .routes(routes!(bids::evidence::read_evidence))
        .routes(routes!(bids::files::read_file, bids::files::delete_file))
        .routes(routes!(bids::notes::add_note))
        .routes(routes!(bids::notes::delete_note))
        .routes(routes!(bids::tasks::add_task))
        .routes(routes!(bids::tasks::update_task, bids::tasks::delete_task))
        .routes(routes!(calendar::read::read_calendar))
        .routes(routes!(calendar::read::list_holidays))
        .routes(routes!(
            calendar::address::read_address,
            calendar::address::renew_address,
            calendar::address::revoke_address
        ))
        .routes(routes!(keys::list::list_keys, keys::create::create_key))
        .routes(routes!(keys::delete::delete_key))
        .routes(routes!(channels::read::read_channels))
        .routes(routes!(channels::phone::put_phone, channels::phone::delete_phone))
        .routes(routes!(channels::confirm_phone::confirm_phone))
        .routes(routes!(channels::webhook::put_webhook, channels::webhook::delete_webhook))
        .routes(routes!(channels::renew_secret::renew_webhook_secret))
        .routes(routes!(channels::test_webhook::test_webhook))
        .routes(routes!(reports::list::list_reports, reports::create::create_report))
        .routes(routes!(reports::preview::preview_report))
        .routes(routes!(reports::file::make_report_file))
        .routes(routes!(reports::update::update_report, reports::delete::delete_report))
        .routes(routes!(reports::file::read_report_file))
        .routes(routes!(alerts::list::list_alerts, alerts::create::create_alert))
        .routes(routes!(alerts::stats::read_alert_stats))
        .routes(routes!(alerts::outcomes::read_alert_outcomes))
        .routes(routes!(alerts::recent::list_recent_matches))
        .routes(routes!(alerts::preview::preview_alert))
        .routes(routes!(alerts::read::read_alert, alerts::update::update_alert, alerts::delete::delete_alert))
        .routes(routes!(alerts::toggle::toggle_alert))
        .routes(routes!(alerts::proposals::list_alert_proposals))
        .routes(routes!(alerts::dry_run::test_alert))
        .routes(routes!(alerts::send_test_email::send_test_email))
        .routes(routes!(alerts::matches::list_alert_matches))
        .routes(routes!(alerts::irrelevant::mark_irrelevant, alerts::irrelevant::mark_relevant))
        .routes(routes!(feeds::listing::feed_listing))
        .routes(routes!(feeds::saved::feed_saved))
        .routes(routes!(feeds::calendar::feed_calendar))
        .routes(routes!(clips::read::read_clip))
        .routes(routes!(operate::review::list::list_review_queue))
        .routes(routes!(operate::review::claim::claim_reviews, operate::review::claim::release_reviews))
        .routes(routes!(operate::review::undo::undo_review))
        .routes(routes!(operate::review::accuracy::read_accuracy))
        .routes(routes!(operate::review::truth::list_page_truth))
        .routes(routes!(operate::gazetteer::list::list_names, operate::gazetteer::add::add_name))
        .routes(routes!(operate::gazetteer::change::change_name))
        .routes(routes!(operate::review::decide::decide_review))
        .routes(routes!(operate::review::claim::claim_review))
        .routes(routes!(operate::review::skip::skip_review))
        .routes(routes!(operate::audit::list_audit_log))
        .routes(routes!(operate::batches::list::list_withdrawals, operate::batches::start::withdraw_batch))
        .routes(routes!(operate::batches::preview::preview_batch))
        .routes(routes!(operate::batches::read::read_withdrawal))
        .routes(routes!(operate::batches::undo::undo_withdrawal))
        .routes(routes!(operate::figures::read::read_figures))
        .routes(routes!(operate::publications::list::list_held_publications))
        .routes(routes!(operate::publications::approve::approve_publication))
        .routes(routes!(operate::publications::refuse::refuse_publication))
        .routes(routes!(
            operate::tenders::takedown::take_down_tender,
            operate::tenders::takedown::restore_tender
        ))
        .routes(routes!(operate::mail::list_dead::list_dead_messages))
        .routes(routes!(operate::mail::retry::retry_message))
        .routes(routes!(operate::mail::retry::retry_messages))
        .routes(routes!(operate::mail::suppressed::list_suppressed))
        .routes(routes!(operate::mail::suppressed::lift_suppression))
        .routes(routes!(operate::messages::list::list_messages))
        .routes(routes!(operate::messages::update::update_message))
        .routes(routes!(operate::payments::list_subscriptions::list_subscriptions))
        .routes(routes!(operate::payments::list_events::list_payment_events))
        .routes(routes!(operate::payments::settle::settle_payment_event))
        .routes(routes!(operate::tokens::list::list_tokens, operate::tokens::create::create_token))
        .routes(routes!(operate::tokens::revoke::revoke_token))
        .routes(routes!(ingest::gazetteer::read_gazetteer))
        .routes(routes!(ingest::leases::take::take_page))
        .routes(routes!(ingest::leases::lease::extend_lease, ingest::leases::lease::give_back_page))
        .routes(routes!(ingest::leases::failure::fail_page))
        .routes(routes!(ingest::leases::file::read_page_file))
        .routes(routes!(operate::pages::list::list_pages))
        .routes(routes!(operate::pages::read::read_page, operate::pages::change::forget_page))
        .routes(routes!(operate::pages::change::read_page_again))
        .routes(routes!(operate::pages::change::correct_page_issue))
        .routes(routes!(operate::pages::boxes::decide_page_box))
        .routes(routes!(operate::pages::boxes::undo_page_box))
        .routes(routes!(operate::pages::picture::read_page_picture))
        .routes(routes!(operate::pages::file::read_operated_file))
        .routes(routes!(operate::coverage::read::read_coverage))
        .routes(routes!(operate::tasks::count_tasks))
        .routes(routes!(operate::coverage::papers::list_papers, operate::coverage::papers::add_paper))
        .routes(routes!(operate::coverage::papers::change_paper, operate::coverage::papers::remove_paper))
        .routes(routes!(
            operate::coverage::absences::note_absence,
            operate::coverage::absences::remove_absence
        ))
        .routes(routes!(operate::coverage::holidays::list_holidays))
        .routes(routes!(
            operate::coverage::holidays::set_holiday,
            operate::coverage::holidays::remove_holiday
        ))
        .routes(routes!(operate::users::list::list_users))
        .routes(routes!(operate::users::lock::lock_user, operate::users::lock::unlock_user))
        .routes(routes!(operate::users::role::change_role))
        .routes(routes!(operate::users::sessions::end_user_sessions))
        .routes(routes!(operate::users::second_factors::reset_second_factors))
        .routes(routes!(operate::users::confirmation::resend_confirmation))
        .routes(routes!(mail::receive_bounce::receive_report))
        .routes(routes!(contact::create::send_message))
        .routes(routes!(health::read::read_health))
        .merge(large_body_routes())
}

/// Routes that accept file uploads over slow connections.
fn upload_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(documents::attach::attach_document))
        .routes(routes!(bids::files::add_file))
        .layer(DefaultBodyLimit::max(document_upload::REQUEST_LIMIT))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(operate::pages::upload::upload_pages))
                .layer(DefaultBodyLimit::max(operate::pages::upload::REQUEST_LIMIT)),
        )
        .layer(RequestBodyTimeoutLayer::new(UPLOAD_STALL_TIMEOUT))
}

/// Routes with a larger body limit.
fn large_body_routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(ingest::put_notice::put_notice))
        .layer(DefaultBodyLimit::max(ingest::put_notice::REQUEST_LIMIT))
        .merge(
            OpenApiRouter::new()
                .routes(routes!(ingest::leases::result::put_page_result))
                .routes(routes!(ingest::put_page::put_page))
                .layer(DefaultBodyLimit::max(ingest::page_parts::REQUEST_LIMIT)),
        )
}

/// Routes outside /api: health checks, robots.txt and sitemap, the unsubscribe page, payment
/// pages, and the demonstration's mailbox.
fn page_routes(state: &AppState) -> Router<AppState> {
    let uncached = Router::new()
        .route("/readyz", get(health::ready::ready))
        .route("/livez", get(health::ready::live))
        .merge(unsubscribe::router())
        .merge(payments::router(state))
        .merge(if state.config.demo { dev::router() } else { Router::new() })
        .layer(from_fn(security_headers::forbid_caching));
    Router::new()
        .route("/.well-known/security.txt", get(web::security_txt::read))
        .route("/robots.txt", get(web::sitemap::robots))
        .route("/sitemap.xml", get(web::sitemap::index))
        .route("/sitemap/{name}", get(web::sitemap::file))
        .merge(uncached)
}

/// Returns the OpenAPI document of the routes under /api.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = api_routes().merge(upload_routes()).into_openapi();
    let components = document.components.get_or_insert_default();
    let bearer =
        SecurityScheme::Http(Http::builder().scheme(HttpAuthScheme::Bearer).bearer_format("JWT").build());
    let operator = SecurityScheme::Http(Http::builder().scheme(HttpAuthScheme::Bearer).build());
    components.add_security_scheme("session", bearer);
    components.add_security_scheme("operator", operator);
    let key = Http::builder().scheme(HttpAuthScheme::Bearer).description(Some(KEY_DESCRIPTION)).build();
    components.add_security_scheme("key", SecurityScheme::Http(key));
    require_tender_fields(components);
    crate::http::openapi_bounds::add_limits(&mut document);
    for (path, item) in &mut document.paths.paths {
        let operations = [
            (Method::GET, &mut item.get),
            (Method::PUT, &mut item.put),
            (Method::POST, &mut item.post),
            (Method::DELETE, &mut item.delete),
            (Method::PATCH, &mut item.patch),
        ];
        for (method, operation) in operations {
            let Some(operation) = operation else { continue };
            if let Some((_, _, scope)) =
                api_key::KEY_ROUTES.iter().find(|(m, p, _)| *m == method && p == path)
            {
                let with_key = SecurityRequirement::new("key", [scope.as_str()]);
                // A route without security requirements is public; a key is optional there.
                let anyone = || vec![SecurityRequirement::default()];
                operation.security.get_or_insert_with(anyone).push(with_key);
                add_failures(operation, &KEY_FAILURES);
            }
            add_failures(operation, &COMMON_FAILURES);
            if route_classes::is_limited(&method, path) {
                add_failures(operation, &LIMIT_FAILURES);
            }
        }
    }
    document
}

/// Marks id, title and status as required in the schema of a returned tender, because
/// every returned tender has them. In the schema of [`Tender`], they are optional, because the
/// notice files that `ingest` writes may lack them.
fn require_tender_fields(components: &mut Components) {
    const FIELDS: [&str; 3] = ["_id", "title", "status"];
    let Some(RefOr::T(Schema::Object(record))) = components.schemas.get(&*Tender::name()) else { return };
    let known: Vec<_> =
        FIELDS.iter().filter_map(|&field| Some((field, record.properties.get(field)?.clone()))).collect();
    let Some(RefOr::T(Schema::AllOf(view))) = components.schemas.get_mut(&*TenderView::name()) else {
        return;
    };
    for part in &mut view.items {
        if let RefOr::T(Schema::Object(computed)) = part {
            computed.required.extend(known.iter().map(|(field, _)| (*field).to_owned()));
            computed
                .properties
                .extend(known.iter().map(|(field, schema)| ((*field).to_owned(), schema.clone())));
        }
    }
}

/// The description of the API key scheme.
const KEY_DESCRIPTION: &str = "An API key of an Enterprise subscriber, created on the account page. \
    Each operation names the scope that it requires.";

/// Failures that any request can have, independent of the caller.
const COMMON_FAILURES: [(&str, &str); 2] = [
    ("500", "An internal error. The log contains the cause under the request's id"),
    ("503", "A component of the portal is unavailable, or the request took too long"),
];

/// Failures of a request whose route has a limit.
const LIMIT_FAILURES: [(&str, &str); 1] = [("429", "Too many requests in a minute")];

/// Failures that any request with an API key can have.
const KEY_FAILURES: [(&str, &str); 3] = [
    ("401", "The API key is unknown or was withdrawn"),
    ("403", "The API key's scopes do not permit this request, or its owner's plan includes no API keys"),
    ("429", "Too many requests with this API key in a minute"),
];

/// Adds those failures that the operation does not declare itself.
fn add_failures(operation: &mut Operation, failures: &[(&str, &str)]) {
    for (status, description) in failures {
        operation
            .responses
            .responses
            .entry((*status).to_owned())
            .or_insert_with(|| failure(description).into());
    }
}

fn failure(description: &str) -> Response {
    let body = Content::new(Some(Ref::from_schema_name(FailureBody::name())));
    ResponseBuilder::new().description(description).content("application/json", body).build()
}

/// Builds the whole server as one service.
pub fn router(state: AppState) -> Router {
    let with_timeout = |timeout| TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, timeout);
    let ((api, _), (slow, _)) = (api_routes().split_for_parts(), upload_routes().split_for_parts());
    let contract = document().to_json().unwrap_or_default();
    let contract = move || async move { ([(CONTENT_TYPE, "application/json")], contract) };
    let api = api
        .fallback(|| async { StatusCode::NOT_FOUND })
        .layer(with_timeout(REQUEST_TIMEOUT))
        .merge(slow.layer(with_timeout(UPLOAD_TIMEOUT)))
        .layer(from_fn_with_state(state.clone(), api_key::authenticate))
        .layer(from_fn_with_state(state.clone(), guest_cache::answer_guests))
        .route("/openapi.json", get(contract))
        .layer(from_fn(security_headers::forbid_caching));
    let portal = Router::new()
        .merge(page_routes(&state))
        .fallback(web::serve)
        .layer(with_timeout(REQUEST_TIMEOUT))
        .nest("/api", api);
    let portal = portal.layer(from_fn_with_state(state.clone(), rate_limit::limit_requests));
    let portal =
        if state.config.demo { portal.layer(from_fn(loopback_only::require_loopback)) } else { portal };
    portal
        .layer(from_fn_with_state(state.clone(), known_host::require_known_host))
        .layer(CatchPanicLayer::custom(request_log::panic_response))
        .layer(from_fn_with_state(state.clone(), security_headers::add_security_headers))
        .layer(from_fn_with_state(state.clone(), request_log::log_requests))
        .layer(from_fn(request_trace::trace_requests))
        .layer(from_fn_with_state(state.clone(), client::identify))
        .layer(from_fn_with_state(state.clone(), request_metrics::measure_requests))
        // This layer is outside `log_requests`, because that layer writes the failure bodies,
        // which are compressed too.
        .layer(
            CompressionLayer::new()
                .compress_when(DefaultPredicate::new().and(EXCEPT_DOWNLOADS).and(EXCEPT_WORKBOOKS)),
        )
        .with_state(state)
}

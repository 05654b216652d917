//! The unsubscribe link of optional mails. GET shows which mails the link switches off and changes
//! nothing, because mail scanners follow links. POST switches them off, from the page or from a
//! mail program (RFC 8058). The page can also switch them on again.

use crate::{
    app::{state::AppState, unsubscribe_links::UnsubscribeTarget},
    base::i18n::{
        mail_texts::{MailTexts, UnsubscribeTexts},
        phrase::{CountedPhrase, Phrase},
    },
    domain::{digest::DigestKind, error::ServiceError, user::MailChoices},
    http::page_policy::{PageHeaders, page_headers},
    storage::{
        alerts,
        bids::reminders,
        deliveries::{self, Addressee},
        reports, users,
    },
};
use anyhow::Context;
use askama::Template;
use axum::{
    Router,
    body::Bytes,
    extract::{Path, State},
    response::Html,
    routing::get,
};
use jiff::Timestamp;
use tender_model::vocabulary::Language;
use uuid::Uuid;

/// Returns the route `/unsubscribe/{token}`.
pub fn router() -> Router<AppState> {
    Router::new().route("/unsubscribe/{token}", get(show).post(switch_mails))
}

/// The body of the page's form that switches mails on again. Every other body switches mails off,
/// such as `List-Unsubscribe=One-Click` from a mail program.
const SWITCH_ON_BODY: &[u8] = b"again=1";

/// What the page shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PageState {
    /// A question whether to switch the mails off.
    Ask,
    /// A message that the mails were switched off.
    SwitchedOff,
    /// A message that the mails were switched on again.
    SwitchedOn,
}

/// Whose mails a link switches off, and which.
struct Recipient {
    language: Language,
    mails: Mails,
}

/// The mails that a link switches off.
enum Mails {
    /// Mails of the kind of a delivery.
    Digests(Addressee),
    /// Reminders of bids to this user.
    BidReminders(Uuid),
    /// Mails to this user about alerts that find nothing.
    SilentAlerts(Uuid),
}

async fn show(
    State(state): State<AppState>,
    Path(token): Path<String>,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let recipient = find_recipient(&state, &token).await?;
    let names = match &recipient.mails {
        Mails::Digests(addressee) => names_of(&state, addressee).await?,
        Mails::BidReminders(_) | Mails::SilentAlerts(_) => Vec::new(),
    };
    render_page(&recipient, &names, PageState::Ask)
}

async fn switch_mails(
    State(state): State<AppState>,
    Path(token): Path<String>,
    body: Bytes,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let recipient = find_recipient(&state, &token).await?;
    let now = state.clock.now();
    let wants_on = body.as_ref() == SWITCH_ON_BODY;
    let (names, is_on) = match &recipient.mails {
        Mails::Digests(addressee) => (switch_digests(&state, addressee, wants_on, now).await?, wants_on),
        // The page cannot know which of the reminders were mailed before, so it never switches them on.
        Mails::BidReminders(user) => {
            reminders::switch_mails_off(&state.db, *user).await?;
            (Vec::new(), false)
        }
        Mails::SilentAlerts(user) => {
            let choices = MailChoices { silence_mails: Some(wants_on), ..MailChoices::default() };
            users::set_mail_choices(&state.db, *user, &choices, now).await?;
            (Vec::new(), wants_on)
        }
    };
    tracing::info!(mails = recipient.mails.kind(), is_on, "a recipient switched mails on or off");
    render_page(&recipient, &names, if is_on { PageState::SwitchedOn } else { PageState::SwitchedOff })
}

/// The names of the alerts or of the report whose mails the link of a delivery switches off.
async fn names_of(state: &AppState, addressee: &Addressee) -> Result<Vec<String>, ServiceError> {
    Ok(match addressee.kind {
        DigestKind::Alerts => alerts::names_of_delivery(&state.db, addressee.delivery_id).await?,
        DigestKind::Report => reports::of_delivery(&state.db, addressee.delivery_id)
            .await?
            .map(|(report, _)| report.name)
            .into_iter()
            .collect(),
        DigestKind::Saved | DigestKind::Summary => Vec::new(),
    })
}

/// Switches the mails of the kind of a delivery on or off. Returns the names of the alerts or of the report.
async fn switch_digests(
    state: &AppState,
    addressee: &Addressee,
    on: bool,
    now: Timestamp,
) -> Result<Vec<String>, ServiceError> {
    let delivery = addressee.delivery_id;
    let choice = |kind| (addressee.kind == kind).then_some(on);
    Ok(match addressee.kind {
        DigestKind::Alerts => alerts::switch_mails_of_delivery(&state.db, delivery, on, now).await?,
        DigestKind::Report => {
            reports::switch_mail_of_delivery(&state.db, delivery, on, now).await?.into_iter().collect()
        }
        DigestKind::Saved | DigestKind::Summary => {
            let choices = MailChoices {
                weekly_summary: choice(DigestKind::Summary),
                saved_mails: choice(DigestKind::Saved),
                ..MailChoices::default()
            };
            users::set_mail_choices(&state.db, addressee.user_id, &choices, now).await?;
            Vec::new()
        }
    })
}

async fn find_recipient(state: &AppState, token: &str) -> Result<Recipient, ServiceError> {
    let unknown = || ServiceError::NotFound("This link");
    let target = state.unsubscribe.verify(token).ok_or_else(unknown)?;
    let (user, mails) = match target {
        UnsubscribeTarget::Delivery(delivery) => {
            let addressee = deliveries::addressee(&state.db, delivery).await?.ok_or_else(unknown)?;
            return Ok(Recipient { language: addressee.language, mails: Mails::Digests(addressee) });
        }
        UnsubscribeTarget::BidReminders(user) => (user, Mails::BidReminders(user)),
        UnsubscribeTarget::SilentAlerts(user) => (user, Mails::SilentAlerts(user)),
    };
    let user = users::by_id(&state.db, user, state.clock.now()).await?.ok_or_else(unknown)?;
    Ok(Recipient { language: user.language, mails })
}

impl Mails {
    /// The kind of the mails, for the log.
    const fn kind(&self) -> &'static str {
        match self {
            Self::Digests(addressee) => match addressee.kind {
                DigestKind::Alerts => "alerts",
                DigestKind::Report => "report",
                DigestKind::Saved => "saved",
                DigestKind::Summary => "summary",
            },
            Self::BidReminders(_) => "bid reminders",
            Self::SilentAlerts(_) => "silent alerts",
        }
    }

    /// Whether the page can switch these mails on again.
    const fn can_be_switched_on(&self) -> bool {
        !matches!(self, Self::BidReminders(_))
    }
}

/// The sentence of the page.
fn sentence(mails: &Mails, names: &[String], state: PageState, words: &UnsubscribeTexts) -> String {
    let quoted = words.quoted(names);
    let of = |counted: &CountedPhrase| counted.of(names.len(), &[("alerts", &quoted)]);
    let report = |phrase: &Phrase| phrase.with(&[("report", &quoted)]);
    match mails {
        Mails::Digests(addressee) => match (addressee.kind, state) {
            (DigestKind::Alerts, PageState::Ask) => of(&words.ask_alerts),
            (DigestKind::Alerts, PageState::SwitchedOff) => of(&words.done_alerts),
            (DigestKind::Alerts, PageState::SwitchedOn) => of(&words.again_alerts),
            (DigestKind::Saved, PageState::Ask) => words.ask_saved.clone(),
            (DigestKind::Saved, PageState::SwitchedOff) => words.done_saved.clone(),
            (DigestKind::Saved, PageState::SwitchedOn) => words.again_saved.clone(),
            (DigestKind::Summary, PageState::Ask) => words.ask_summary.clone(),
            (DigestKind::Summary, PageState::SwitchedOff) => words.done_summary.clone(),
            (DigestKind::Summary, PageState::SwitchedOn) => words.again_summary.clone(),
            (DigestKind::Report, PageState::Ask) => report(&words.ask_report),
            (DigestKind::Report, PageState::SwitchedOff) => report(&words.done_report),
            (DigestKind::Report, PageState::SwitchedOn) => report(&words.again_report),
        },
        Mails::BidReminders(_) => match state {
            PageState::Ask => words.ask_bid_reminders.clone(),
            PageState::SwitchedOff | PageState::SwitchedOn => words.done_bid_reminders.clone(),
        },
        Mails::SilentAlerts(_) => match state {
            PageState::Ask => words.ask_silence.clone(),
            PageState::SwitchedOff => words.done_silence.clone(),
            PageState::SwitchedOn => words.again_silence.clone(),
        },
    }
}

fn render_page(
    Recipient { language, mails }: &Recipient,
    names: &[String],
    state: PageState,
) -> Result<(PageHeaders, Html<String>), ServiceError> {
    let words = &MailTexts::of(*language).unsubscribe;
    let has_nothing_to_switch = match mails {
        Mails::Digests(addressee) => {
            matches!(addressee.kind, DigestKind::Alerts | DigestKind::Report) && names.is_empty()
        }
        Mails::BidReminders(_) | Mails::SilentAlerts(_) => false,
    };
    let text =
        if has_nothing_to_switch { words.nothing.clone() } else { sentence(mails, names, state, words) };
    let (title, button, form) = match state {
        _ if has_nothing_to_switch => (&words.done, None, ""),
        PageState::Ask => (&words.ask, Some(&words.off), "off"),
        PageState::SwitchedOff => (&words.done, mails.can_be_switched_on().then_some(&words.on), "again"),
        PageState::SwitchedOn => (&words.again, None, ""),
    };
    let lang = language.as_str();
    let page = UnsubscribePage { lang, title, text: &text, button, form, account: &words.account };
    let page = page.render().context("rendering the unsubscribe page")?;
    Ok((page_headers(&page, "'self'")?, Html(page)))
}

#[derive(Template)]
#[template(path = "unsubscribe.html")]
struct UnsubscribePage<'a> {
    lang: &'static str,
    title: &'a str,
    text: &'a str,
    button: Option<&'a String>,
    form: &'static str,
    account: &'a str,
}

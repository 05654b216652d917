//! Writes the body of a webhook call, for [`News`] or as a test.

use crate::{
    domain::{
        bid::reminders::{DueReminder, RemindedBid},
        digest::ItemAlert,
    },
    services::notifications::news::{Entry, News, NewsReason, TenderState},
};
use serde::Serialize;
use tender_model::{
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// The maximum number of tenders in a call. Further tenders are only counted.
const MAX_TENDERS: usize = 500;

/// The body of a call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Payload<'a> {
    /// `tenders`, or `test`.
    r#type: &'static str,
    /// The id of the delivery, as in the header `webhook-id`. It does not change between attempts.
    id: Uuid,
    /// When the message was sealed.
    at: Moment,
    items: Vec<Item<'a>>,
    /// The number of tenders that are left out.
    more: usize,
}

/// A tender in a call.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Item<'a> {
    /// `new`, `changed` or `closing`.
    event: &'static str,
    /// The alerts that found the tender, each with the keyword that matched.
    alerts: Vec<MatchedAlert<'a>>,
    /// The tender without its full text. `fieldStates` names the fields that are doubtful or
    /// were not read.
    tender: Tender,
    /// The URL of the tender's page; empty if the tender is withdrawn.
    url: String,
    /// The previous state of the tender, if it has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<PreviousState>,
}

#[derive(Debug, Serialize)]
struct MatchedAlert<'a> {
    #[serde(rename = "_id")]
    id: Uuid,
    name: &'a str,
    keyword: &'a str,
}

#[derive(Debug, Serialize)]
struct PreviousState {
    status: TenderStatus,
    closing: Option<Moment>,
}

impl<'a> Item<'a> {
    fn new(entry: &'a Entry, base_url: &str) -> Self {
        let (event, was) = match &entry.reason {
            NewsReason::New => ("new", None),
            NewsReason::Changed { from } => {
                ("changed", Some(PreviousState { status: from.status, closing: from.dates.closing }))
            }
            NewsReason::Closing => ("closing", None),
        };
        let found =
            |alert: &'a ItemAlert| MatchedAlert { id: alert.id, name: &alert.name, keyword: &alert.keyword };
        Self {
            event,
            alerts: entry.alerts.iter().map(found).collect(),
            tender: payload_tender(&entry.tender),
            url: match TenderState::of(&entry.tender).has_page() {
                false => String::new(),
                true => format!("{base_url}/tenders/{}", entry.tender.id),
            },
            was,
        }
    }
}

/// The tender with the states of its fields, and without sources and confidences. The evidence is
/// kept only for uncertain fields.
fn payload_tender(tender: &Tender) -> Tender {
    let mut tender = tender.clone();
    tender.list_field_states();
    tender.sources.clear();
    tender.confidence.clear();
    tender
        .evidence
        .retain(|path, _| tender.field_states.as_ref().is_some_and(|states| states.contains_key(path)));
    tender
}

/// Writes the body for news.
pub(crate) fn of_news(
    news: &News,
    id: Uuid,
    base_url: &str,
    at: Moment,
) -> Result<Vec<u8>, serde_json::Error> {
    let items: Vec<Item<'_>> =
        news.entries.iter().take(MAX_TENDERS).map(|entry| Item::new(entry, base_url)).collect();
    let more = news.entries.len() - items.len();
    serde_json::to_vec(&Payload { r#type: "tenders", id, at, items, more })
}

/// The body of a call about a deadline of a bid.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReminderPayload<'a> {
    /// `reminder`.
    r#type: &'static str,
    /// The id of the delivery.
    id: Uuid,
    /// When the message was sealed.
    at: Moment,
    /// The id of the bid.
    bid_id: Uuid,
    tender_id: Uuid,
    title: &'a str,
    /// `sale-ends`, `pre-bid` or `closing`.
    deadline: &'static str,
    deadline_at: Moment,
    hours_before: i32,
}

/// Writes the body for a reminder.
pub(crate) fn of_reminder(
    id: Uuid,
    at: Moment,
    bid: &RemindedBid,
    due: &DueReminder,
) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&ReminderPayload {
        r#type: "reminder",
        id,
        at,
        bid_id: bid.bid_id,
        tender_id: bid.tender.id,
        title: &bid.tender.title,
        deadline: due.kind.as_str(),
        deadline_at: due.deadline,
        hours_before: due.hours,
    })
}

/// Writes the body for a test call.
pub(crate) fn of_test(id: Uuid, at: Moment) -> Result<Vec<u8>, serde_json::Error> {
    serde_json::to_vec(&Payload { r#type: "test", id, at, items: Vec::new(), more: 0 })
}

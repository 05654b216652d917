//! Tests of the composed mails. This module makes tenders and items, and renders mails.

mod all_kinds;
mod changes;
mod doubtful_fields;
mod new_tenders;

use super::{ClipPictures, Envelope, News, compose};
use crate::{
    domain::digest::{DigestItem, DigestReason, ItemAlert},
    services::notifications::excerpt::excerpt,
};
use bytes::Bytes;
use index::percolate::MatchReason;
use mail_parser::{MessageParser, MimeHeaders};
use tender_model::{
    tender::{FieldState, Tender},
    vocabulary::{District, Language, TenderStatus},
};
use uuid::Uuid;

const NOW: &str = "2027-05-01T09:00:00+05:30";

fn tender(nth: u128, title: &str) -> Tender {
    let mut tender = Tender {
        id: Uuid::from_u128(nth),
        title: title.to_owned(),
        status: TenderStatus::Published,
        ..Tender::default()
    };
    tender.organization.name = "Ports & <Harbours>".to_owned();
    tender.sources =
        vec![tender_model::tender::Source { publication: "Daily Lanka".into(), ..Default::default() }];
    tender.dates.closing = "2027-05-03T10:00:00+05:30".parse().ok();
    tender
}

fn alert(nth: u128, name: &str) -> Option<ItemAlert> {
    Some(ItemAlert { id: Uuid::from_u128(nth), name: name.to_owned(), keyword: "supply".to_owned() })
}

fn new_match(tender: Tender) -> DigestItem {
    DigestItem { alert: alert(9, "Tyres"), tender, before: None, reason: DigestReason::New }
}

fn change(before: Tender, after: Tender, revision: i64) -> DigestItem {
    DigestItem {
        alert: alert(9, "Tyres"),
        tender: after,
        before: Some(before),
        reason: DigestReason::Change(revision),
    }
}

fn saved(item: DigestItem) -> DigestItem {
    DigestItem { alert: None, ..item }
}

fn reminder(tender: Tender, day: &str) -> DigestItem {
    saved(DigestItem {
        alert: None,
        tender,
        before: None,
        reason: DigestReason::Closes(day.parse().unwrap(), 3),
    })
}

fn with_closing(mut tender: Tender, at: &str) -> Tender {
    tender.dates.closing = at.parse().ok();
    tender
}

fn with_status(tender: &Tender, status: TenderStatus) -> Tender {
    Tender { status, ..tender.clone() }
}

struct ParsedMail {
    subject: String,
    text: String,
    html: String,
    /// The pictures, by content id.
    pictures: Vec<(String, Vec<u8>)>,
}

impl ParsedMail {
    /// The HTML with embedded pictures, for viewing without a mail program.
    fn html_with_pictures(&self) -> String {
        use base64::{Engine, engine::general_purpose::STANDARD};
        self.pictures.iter().fold(self.html.clone(), |html, (id, bytes)| {
            html.replace(&format!("cid:{id}"), &format!("data:image/jpeg;base64,{}", STANDARD.encode(bytes)))
        })
    }
}

fn with_envelope<Made>(language: Language, make: impl FnOnce(&Envelope<'_>) -> Made) -> Made {
    let from = "Portal <alerts@portal.example>".parse().unwrap();
    make(&Envelope {
        from: &from,
        to: "nimal@example.test",
        first_name: "Nimal",
        language,
        base_url: "https://portal.example",
        unsubscribe: "https://portal.example/unsubscribe/abc",
        message_id: &crate::services::notifications::mail_frame::message_id(
            Uuid::from_u128(1),
            "https://portal.example:443/x",
        ),
        now: NOW.parse().unwrap(),
        company: None,
        offices: None,
    })
}

fn parse_mail(bytes: &[u8]) -> ParsedMail {
    let message = MessageParser::default().parse(bytes).unwrap();
    let part = |part: Option<std::borrow::Cow<'_, str>>| part.unwrap().replace("\r\n", "\n");
    ParsedMail {
        subject: message.subject().unwrap().to_owned(),
        text: part(message.body_text(0)),
        html: part(message.body_html(0)),
        pictures: message
            .attachments()
            .filter_map(|part| Some((part.content_id()?.to_owned(), part.contents().to_vec())))
            .collect(),
    }
}

fn render(language: Language, items: Vec<DigestItem>, is_digest: bool) -> ParsedMail {
    let news = News::of(items.clone(), NOW.parse().unwrap());
    let excerpts = items.iter().filter_map(|item| {
        let end = item.tender.title.find(' ')?;
        let why = MatchReason { keyword: "supply".to_owned(), field: "title".to_owned(), start: 0, end };
        Some(((item.alert.as_ref()?.id, item.tender.id), excerpt(&item.tender, &why)?))
    });
    let excerpts = excerpts.collect();
    with_envelope(language, |envelope| {
        parse_mail(&compose(envelope, &news, &excerpts, &mut clips(), is_digest).unwrap())
    })
}

fn english(items: Vec<DigestItem>) -> ParsedMail {
    render(Language::English, items, false)
}

fn news_of(items: Vec<DigestItem>) -> News {
    News::of(items, NOW.parse().unwrap())
}

/// A tender with every field that a mail shows.
fn full_tender(nth: u128, title: &str, organization: &str) -> Tender {
    let mut tender = tender(nth, title);
    tender.organization.name = organization.to_owned();
    tender.reference_no = Some(format!("RDA/SP/2027/{nth}"));
    tender.location.city = Some("Weligama".to_owned());
    tender.location.district = Some(District::ALL[6]);
    tender.financials.bid_bond.amount = serde_json::from_str("250000").ok();
    tender.document_fee = serde_json::from_str(r#"{"amount": 7500, "currency": "LKR"}"#).ok();
    tender.cida = serde_json::from_str(r#"[{"grade": "C4", "field": "Roads"}]"#).unwrap();
    if nth % 7 == 3 {
        tender.field_states = Some([("title".to_owned(), FieldState::Doubtful)].into());
    }
    tender
}

/// The path of the fixture's clip on a portal.
const CLIP: &str = "/api/clips/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// Crops of [`CLIP`].
fn clips() -> ClipPictures {
    ClipPictures::new(|hash| {
        assert!(CLIP.ends_with(hash), "{hash}");
        let clip = include_bytes!("../../../../../../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");
        Ok(Bytes::from_static(clip))
    })
}

/// A tender with a doubtful closing and a doubtful reference, whose places on the clip are known,
/// and with an unread title.
fn doubtful_tender(nth: u128) -> Tender {
    let mut tender =
        full_tender(nth, "Invitation for Bids, Department of Irrigation", "Department of Irrigation");
    tender.field_states = serde_json::from_value(serde_json::json!({
        "dates.closing": "doubtful", "referenceNo": "doubtful", "title": "not-read", "location.district": "doubtful",
    }))
    .unwrap();
    let evidence =
        |text: &str, area| tender_model::tender::Evidence { text: text.to_owned(), area: Some(area) };
    let closing = [0.7279, 0.166, 0.2071, 0.0093];
    tender.evidence.insert("dates.closing".into(), evidence("02:00 pm on\nSth of June 2027", closing));
    tender
        .evidence
        .insert("referenceNo".into(), evidence("KMC/PROC/2027/336", [0.8106, 0.0929, 0.0651, 0.0038]));
    tender.sources = vec![tender_model::tender::Source {
        area: [0.723, 0.0407, 0.2157, 0.1683],
        clip_url: Some(CLIP.to_owned()),
        ..tender_model::tender::Source::default()
    }];
    tender
}

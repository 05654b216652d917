//! What an alert's mail says: for each tender what, who, where, when it closes and why its reader gets it; as HTML by way
//! of MJML, and as plain text that reads as well.

use super::{
    excerpt::{Excerpt, excerpt},
    words,
};
use crate::{db::deliveries::Item, schedule::Frequency};
use askama::Template;
use index::vocabulary::Moment;
use lettre::{
    Message,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
};
use uuid::Uuid;

/// The most tenders one mail spells out; the rest are counted, and linked.
const MOST_ITEMS: usize = 40;

/// Why a message could not be made.
#[derive(Debug, thiserror::Error)]
pub enum ComposeError {
    /// The address does not fit in a message's header.
    #[error("the address can't be written to: {0}")]
    Address(#[from] lettre::address::AddressError),
    /// The mail library refused a part.
    #[error("the message can't be put together: {0}")]
    Message(#[from] lettre::error::Error),
    /// The text template failed.
    #[error("the template failed: {0}")]
    Template(#[from] askama::Error),
    /// The MJML is not well-formed.
    #[error("the MJML can't be read: {0}")]
    Mjml(#[from] mrml::prelude::parser::Error),
    /// The MJML can't be rendered.
    #[error("the MJML can't be rendered: {0}")]
    Render(#[from] mrml::prelude::render::Error),
}

/// What is fixed about a message besides its items.
#[derive(Debug, Clone)]
pub struct Envelope<'a> {
    /// The sender.
    pub from: &'a Mailbox,
    /// Where it goes.
    pub to: &'a str,
    /// Its reader's first name.
    pub first_name: &'a str,
    /// How often this stream sends.
    pub frequency: Frequency,
    /// The portal's address without a slash at the end.
    pub base_url: &'a str,
    /// The link that switches these mails off.
    pub unsubscribe: &'a str,
    /// See [`message_id`].
    pub message_id: &'a str,
    /// When it is sealed.
    pub now: Moment,
}

/// The Message-ID of a delivery, for ever: `<id@host>` with the portal's host.
#[must_use]
pub fn message_id(delivery_id: Uuid, base_url: &str) -> String {
    let host = base_url.split("://").nth(1).unwrap_or(base_url);
    let host = host.split(['/', ':']).next().filter(|host| !host.is_empty()).unwrap_or("localhost");
    format!("<{}@{host}>", delivery_id.simple())
}

/// The whole message, as it goes over the wire.
///
/// # Errors
/// [`ComposeError`].
pub fn alert_mail(envelope: &Envelope<'_>, items: &[Item]) -> Result<Vec<u8>, ComposeError> {
    let cards: Vec<Card> = items.iter().take(MOST_ITEMS).map(|item| Card::new(item, envelope)).collect();
    let subject = subject(items, envelope.now);
    let intro = intro(items, envelope.frequency);
    let more = items.len() - cards.len();
    let mjml = HtmlMail { subject: &subject, intro: &intro, cards: &cards, more, envelope }.render()?;
    let html = mrml::parse(mjml)?.element.render(&mrml::prelude::render::RenderOptions::default())?;
    let text = TextMail { intro: &intro, cards: &cards, more, envelope }.render()?;
    let mut message = Message::builder()
        .from(envelope.from.clone())
        .to(Mailbox::new(None, envelope.to.parse()?))
        .subject(subject)
        .message_id(Some(envelope.message_id.to_owned()))
        .date(std::time::SystemTime::from(envelope.now.timestamp()))
        .multipart(MultiPart::alternative_plain_html(text, html))?;
    let unsubscribe = format!("<{}>", envelope.unsubscribe);
    for (name, value) in [
        ("List-Unsubscribe", unsubscribe.as_str()),
        ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
        ("Auto-Submitted", "auto-generated"),
    ] {
        if let Ok(name) = HeaderName::new_from_ascii(name.to_owned()) {
            message.headers_mut().insert_raw(HeaderValue::new(name, value.to_owned()));
        }
    }
    Ok(message.formatted())
}

/// Says what is inside: the tender itself when there is one, the count and the first of them otherwise.
fn subject(items: &[Item], now: Moment) -> String {
    match items {
        [] => "No new tenders".to_owned(),
        [item] => match item.tender.dates.closing {
            Some(closing) => {
                let left = words::time_left(now, closing);
                format!("New tender: {} ({left})", words::shortened(&item.tender.title, 90))
            }
            None => format!("New tender: {}", words::shortened(&item.tender.title, 90)),
        },
        [first, rest @ ..] => {
            format!(
                "{} new tenders: {} and {} more",
                items.len(),
                words::shortened(&first.tender.title, 70),
                rest.len()
            )
        }
    }
}

fn intro(items: &[Item], frequency: Frequency) -> String {
    let count = match items.len() {
        1 => "One new tender matches".to_owned(),
        count => format!("{count} new tenders match"),
    };
    let mut names: Vec<&str> = items.iter().map(|item| item.alert_name.as_str()).collect();
    names.dedup();
    let alerts = match names.as_slice() {
        [name] => format!("your alert “{name}”"),
        names => format!("{} of your alerts", names.len()),
    };
    let when = match frequency {
        Frequency::Immediate => "",
        Frequency::Daily => " since yesterday’s mail",
        Frequency::Weekly => " since last week’s mail",
    };
    format!("{count} {alerts}{when}.")
}

/// One tender as the mail shows it.
struct Card {
    title: String,
    link: String,
    organization: String,
    place: String,
    reference: String,
    closing: String,
    needs: String,
    alert_name: String,
    keyword: String,
    excerpt: Option<Excerpt>,
    needs_review: bool,
}

impl Card {
    fn new(item: &Item, envelope: &Envelope<'_>) -> Self {
        let tender = &item.tender;
        let district = tender.location.district.map(|district| district.to_string());
        let place = [tender.location.city.clone(), district].into_iter().flatten().collect::<Vec<_>>();
        let closing = tender.dates.closing.map_or_else(
            || "Closing date not stated".to_owned(),
            |at| format!("Closes {} ({})", words::moment(at), words::time_left(envelope.now, at)),
        );
        let grades: Vec<&str> = tender.cida.iter().map(|cida| cida.grade.as_str()).collect();
        let grade = (!grades.is_empty()).then(|| format!("CIDA {}", grades.join(", ")));
        let bond = tender
            .financials
            .bid_bond
            .amount
            .map(|amount| format!("Bid security Rs. {}", grouped(amount.minor())));
        let fee = tender.document_fee.as_ref().and_then(|fee| fee.amount);
        let fee = fee.map(|amount| format!("Document fee Rs. {}", grouped(amount.minor())));
        Self {
            title: words::shortened(&tender.title, 300),
            link: format!("{}/tenders/{}", envelope.base_url, tender.id),
            organization: tender.organization.name.clone(),
            place: place.join(", "),
            reference: tender.reference_no.clone().unwrap_or_default(),
            closing,
            needs: [grade, bond, fee].into_iter().flatten().collect::<Vec<_>>().join(" · "),
            alert_name: item.alert_name.clone(),
            keyword: item.why.keyword.clone(),
            excerpt: excerpt(tender, &item.why),
            needs_review: tender.needs_review,
        }
    }
}

/// Minor units as whole rupees with thousands apart: `1,091,000`.
fn grouped(minor: i64) -> String {
    let digits = (minor / 100).to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[derive(Template)]
#[template(path = "alert.mjml", escape = "html")]
struct HtmlMail<'a> {
    subject: &'a str,
    intro: &'a str,
    cards: &'a [Card],
    more: usize,
    envelope: &'a Envelope<'a>,
}

#[derive(Template)]
#[template(path = "alert.txt", escape = "none")]
struct TextMail<'a> {
    intro: &'a str,
    cards: &'a [Card],
    more: usize,
    envelope: &'a Envelope<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use index::{percolate::Why, tender::Tender};
    use mail_parser::MessageParser;

    fn item(title: &str) -> Item {
        let mut tender = Tender { id: Uuid::from_u128(5), title: title.to_owned(), ..Tender::default() };
        tender.organization.name = "Ports & <Harbours>".to_owned();
        tender.dates.closing = Some("2027-05-03T10:00:00+05:30".parse().unwrap());
        let end = title.len().min(6);
        let why = Why { keyword: "supply".to_owned(), field: "title".to_owned(), start: 0, end };
        Item { alert_id: Uuid::from_u128(9), alert_name: "Tyres".to_owned(), tender, why }
    }

    fn compose(items: &[Item]) -> Vec<u8> {
        let from = "Portal <alerts@portal.example>".parse().unwrap();
        let envelope = Envelope {
            from: &from,
            to: "nimal@example.test",
            first_name: "Nimal",
            frequency: Frequency::Immediate,
            base_url: "https://portal.example",
            unsubscribe: "https://portal.example/unsubscribe/abc",
            message_id: &message_id(Uuid::from_u128(1), "https://portal.example:443/x"),
            now: "2027-05-01T09:00:00+05:30".parse().unwrap(),
        };
        alert_mail(&envelope, items).unwrap()
    }

    #[test]
    fn it_says_what_who_when_and_why_in_both_parts() {
        let bytes = compose(&[item("Supply of <b>tyres</b> & tubes")]);
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject(), Some("New tender: Supply of <b>tyres</b> & tubes (2 days left)"));
        assert_eq!(message.message_id(), Some("00000000000000000000000000000001@portal.example"));
        let text = message.body_text(0).unwrap();
        let html = message.body_html(0).unwrap();
        for part in
            ["Mon 3 May 2027, 10.00 a.m. (2 days left)", "Tyres", "https://portal.example/unsubscribe/abc"]
        {
            assert!(text.contains(part), "{part} in {text}");
            assert!(html.contains(part), "{part} in {html}");
        }
        assert!(text.contains("Supply of <b>tyres</b> & tubes") && text.contains("Ports & <Harbours>"));
        assert!(!html.contains("<b>tyres") && !html.contains("<Harbours>"), "{html}");
        assert!(html.contains("&lt;b&gt;tyres") || html.contains("&#60;b&#62;tyres"), "{html}");
        let raw = String::from_utf8_lossy(&bytes);
        assert!(raw.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    }

    #[test]
    fn many_are_counted_and_the_rest_linked() {
        let items: Vec<Item> = (0..60).map(|nth| item(&format!("Supply of lot {nth}"))).collect();
        let bytes = compose(&items);
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(message.subject(), Some("60 new tenders: Supply of lot 0 and 59 more"));
        assert!(message.body_text(0).unwrap().contains("and 20 more"));
    }

    #[test]
    fn the_same_delivery_makes_the_same_bytes_but_for_its_boundary() {
        let strip = |bytes: Vec<u8>| {
            let message = MessageParser::default().parse(&bytes).unwrap().into_owned();
            (message.subject().map(str::to_owned), message.body_text(0).map(|text| text.into_owned()))
        };
        assert_eq!(strip(compose(&[item("Supply")])), strip(compose(&[item("Supply")])));
    }

    #[test]
    fn scripts_and_line_breaks_in_a_title_break_no_header() {
        let bytes = compose(&[item("සැපයීම\r\nBcc: someone@example.test\r\n\r\nවිදුලි")]);
        let message = MessageParser::default().parse(&bytes).unwrap();
        assert!(message.subject().unwrap().starts_with("New tender: සැපයීම Bcc: someone"));
        assert!(message.bcc().is_none());
    }
}

//! What an alert's mail says: for each tender what, who, where, when it closes and why its reader gets it; as HTML by way
//! of MJML, and as plain text that reads as well.

use super::{
    excerpt::{Excerpt, excerpt},
    words::{self, Words},
};
use crate::{db::deliveries::Item, schedule::Frequency};
use askama::Template;
use index::vocabulary::{Currency, Language, Moment};
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
    /// What its reader reads.
    pub language: Language,
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

/// What every mail's HTML has in common: its language, its title, and the words that a mailbox shows beside that.
pub(super) struct Frame<'a> {
    pub(super) lang: &'static str,
    pub(super) subject: &'a str,
    pub(super) preview: &'a str,
    pub(super) base_url: &'a str,
    /// Sinhala and Tamil letters are taller.
    pub(super) line_height: &'static str,
}

impl<'a> Frame<'a> {
    pub(super) const fn new(
        language: Language,
        subject: &'a str,
        preview: &'a str,
        base_url: &'a str,
    ) -> Self {
        let line_height = match language {
            Language::English => "1.55",
            Language::Sinhala | Language::Tamil => "1.7",
        };
        Self { lang: language.as_str(), subject, preview, base_url, line_height }
    }

    /// The HTML of a template of MJML within this frame.
    pub(super) fn html(&self, template: &impl Template) -> Result<String, ComposeError> {
        let mjml = template.render()?;
        Ok(mrml::parse(mjml)?.element.render(&mrml::prelude::render::RenderOptions::default())?)
    }
}

/// The whole message, as it goes over the wire.
///
/// # Errors
/// [`ComposeError`].
pub fn alert_mail(envelope: &Envelope<'_>, items: &[Item]) -> Result<Vec<u8>, ComposeError> {
    let words = Words::of(envelope.language);
    let cards: Vec<Card> =
        items.iter().take(MOST_ITEMS).map(|item| Card::new(item, envelope, words)).collect();
    let subject = subject(words, items, envelope.now);
    let intro = intro(words, items, envelope.frequency);
    let more = items.len() - cards.len();
    let more = if more > 0 { words.alerts.more.with(&[("count", &more)]) } else { String::new() };
    let greeting = words.frame.greeting.with(&[("name", &envelope.first_name)]);
    let silence = words.alerts.silence.of(names(items).len(), &[]);
    let frame = Frame::new(envelope.language, &subject, &intro, envelope.base_url);
    let html = frame.html(&HtmlMail {
        frame: &frame,
        words,
        greeting: &greeting,
        intro: &intro,
        cards: &cards,
        more: &more,
        silence: &silence,
        envelope,
    })?;
    let text = TextMail {
        words,
        greeting: &greeting,
        intro: &intro,
        cards: &cards,
        more: &more,
        silence: &silence,
        envelope,
    };
    let text = text.render()?;
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
fn subject(words: &Words, items: &[Item], now: Moment) -> String {
    let alerts = &words.alerts;
    match items {
        [] => String::new(),
        [item] => {
            let title = words::shortened(&item.tender.title, 90);
            match item.tender.dates.closing.filter(|closing| *closing >= now) {
                Some(closing) => {
                    let left = words.time_left(now, closing);
                    alerts.one_new_left.with(&[("title", &title), ("left", &left)])
                }
                None => alerts.one_new.with(&[("title", &title)]),
            }
        }
        [first, rest @ ..] => {
            let title = words::shortened(&first.tender.title, 70);
            alerts.many_new.with(&[("count", &items.len()), ("title", &title), ("rest", &rest.len())])
        }
    }
}

fn intro(words: &Words, items: &[Item], frequency: Frequency) -> String {
    let names = names(items);
    let name = names.first().copied().unwrap_or_default();
    let alerts = words.alerts.own.of(names.len(), &[("name", &name)]);
    let intro = match frequency {
        Frequency::Immediate => &words.alerts.intro,
        Frequency::Daily => &words.alerts.intro_daily,
        Frequency::Weekly => &words.alerts.intro_weekly,
    };
    intro.of(items.len(), &[("alerts", &alerts)])
}

/// The names of the alerts, each alert once.
fn names(items: &[Item]) -> Vec<&str> {
    let mut alerts: Vec<(Uuid, &str)> =
        items.iter().map(|item| (item.alert_id, item.alert_name.as_str())).collect();
    alerts.dedup();
    alerts.into_iter().map(|(_, name)| name).collect()
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
    why: String,
    excerpt: Option<Excerpt>,
    needs_review: bool,
}

impl Card {
    fn new(item: &Item, envelope: &Envelope<'_>, words: &Words) -> Self {
        let tender = &item.tender;
        let district = tender.location.district.map(|district| words.district(district).to_owned());
        let place = [tender.location.city.clone(), district].into_iter().flatten().collect::<Vec<_>>();
        let grades: Vec<&str> = tender.cida.iter().map(|cida| cida.grade.as_str()).collect();
        let grades = grades.join(", ");
        let grade = (!grades.is_empty()).then(|| words.tender.cida.with(&[("grades", &grades)]));
        let bond = &tender.financials.bid_bond;
        let bond = bond.amount.map(|amount| {
            let currency = bond.currency.unwrap_or(Currency::LKR);
            words.tender.bid_bond.with(&[("amount", &words.money(amount.minor(), currency.as_str()))])
        });
        let fee = tender.document_fee.as_ref().and_then(|fee| {
            let amount = words.money(fee.amount?.minor(), fee.currency.as_str());
            Some(words.tender.fee.with(&[("amount", &amount)]))
        });
        let reference = tender.reference_no.as_ref();
        Self {
            title: words::shortened(&tender.title, 300),
            link: format!("{}/tenders/{}", envelope.base_url, tender.id),
            organization: tender.organization.name.clone(),
            place: place.join(", "),
            reference: reference
                .map(|reference| words.tender.reference.with(&[("reference", reference)]))
                .unwrap_or_default(),
            closing: words.closing(envelope.now, tender.dates.closing),
            needs: [grade, bond, fee].into_iter().flatten().collect::<Vec<_>>().join(" · "),
            why: words.alerts.why.with(&[("alert", &item.alert_name), ("keyword", &item.why.keyword)]),
            excerpt: excerpt(tender, &item.why),
            needs_review: tender.needs_review,
        }
    }
}

#[derive(Template)]
#[template(path = "mail/alerts.mjml", escape = "html")]
struct HtmlMail<'a> {
    frame: &'a Frame<'a>,
    words: &'static Words,
    greeting: &'a str,
    intro: &'a str,
    cards: &'a [Card],
    more: &'a str,
    silence: &'a str,
    envelope: &'a Envelope<'a>,
}

#[derive(Template)]
#[template(path = "mail/alerts.txt", escape = "none")]
struct TextMail<'a> {
    words: &'static Words,
    greeting: &'a str,
    intro: &'a str,
    cards: &'a [Card],
    more: &'a str,
    silence: &'a str,
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
            language: Language::English,
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

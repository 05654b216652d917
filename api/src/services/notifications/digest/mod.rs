//! Composes the mails that report [`News`]. The tenders are grouped by alert, and the size is
//! limited.

use super::{
    clip_crop::{ClipPictures, Crop},
    excerpt::Excerpt,
    mail_frame::{ComposeError, Envelope, Frame, InlineImage},
    news::{Entry, News, NewsReason, TenderState, heading, is_settled},
    tender_card::Card,
    uncertain_fields::{self, PrintedText},
};
use crate::{
    base::i18n::mail_texts::{self, MailTexts},
    domain::digest::ItemAlert,
};
use askama::Template;
use std::collections::HashMap;
use tender_model::tender::Tender;
use uuid::Uuid;

/// The maximum number of tenders in a mail. Further tenders are counted and linked.
const MAX_CARDS: usize = 20;
/// The maximum size of the HTML in bytes. Mail services clip messages above 102 kB, and the
/// transfer encoding needs some of that.
const MAX_HTML_BYTES: usize = 96_000;
/// The maximum size of all pictures in a mail in bytes. For further printed texts, the mail links
/// to the clip.
const MAX_PICTURE_BYTES: usize = 100_000;

impl News {
    /// The alert id and tender id of each match whose excerpt the mail can show.
    #[must_use]
    pub fn shown_matches(&self) -> Vec<(Uuid, Uuid)> {
        let sections = self.sections(MAX_CARDS);
        let entries = sections.iter().flat_map(|section| section.shown.iter());
        let new = entries.filter(|entry| entry.reason == NewsReason::New);
        new.filter_map(|entry| Some((entry.alerts.first()?.id, entry.tender.id))).collect()
    }

    /// Groups the entries by alert and keeps at most `most` of them. The alerts get one entry each
    /// in turn until this limit is reached.
    fn sections(&self, most: usize) -> Vec<Section<'_>> {
        let mut sections: Vec<Section<'_>> = Vec::new();
        for entry in &self.entries {
            let alert = entry.alerts.first();
            let section =
                sections.iter_mut().find(|section| section.alert.map(|a| a.id) == alert.map(|a| a.id));
            match section {
                Some(section) => section.shown.push(entry),
                None => sections.push(Section { alert, shown: vec![entry], more: 0 }),
            }
        }
        let mut allowed = vec![0; sections.len()];
        let mut left = most.min(self.entries.len());
        while left > 0 {
            for (allowed, section) in allowed.iter_mut().zip(&sections) {
                if left > 0 && *allowed < section.shown.len() {
                    *allowed += 1;
                    left -= 1;
                }
            }
        }
        for (section, allowed) in sections.iter_mut().zip(allowed) {
            section.more = section.shown.len() - allowed;
            section.shown.truncate(allowed);
        }
        sections
    }

    fn intro(&self, words: &MailTexts, is_digest: bool) -> String {
        if let Some(texts) = self.batch_texts(words) {
            return texts.intro.of(self.entries.len(), &[]);
        }
        let (new, changed, closing) = self.counts();
        let mut sentences = Vec::new();
        if self.alerts().is_empty() {
            sentences.push((changed, words.saved.intro_changed.of(changed, &[])));
            sentences.push((closing, words.saved.intro_closing.of(closing, &[])));
        } else {
            let alert_phrase = |alerts: &[&ItemAlert]| {
                let name = mail_texts::shortened(alerts.first().map_or("", |alert| alert.name.as_str()), 100);
                words.alerts.own.of(alerts.len(), &[("name", &name)])
            };
            let of_new = alert_phrase(&self.alerts_of(|reason| *reason == NewsReason::New));
            let of_changed = alert_phrase(&self.alerts_of(|reason| *reason != NewsReason::New));
            let intro = if is_digest { &words.alerts.intro_digest } else { &words.alerts.intro };
            sentences.push((new, intro.of(new, &[("alerts", &of_new)])));
            sentences.push((changed, words.alerts.intro_changed.of(changed, &[("alerts", &of_changed)])));
        }
        let used = sentences.into_iter().filter(|(count, _)| *count > 0).map(|(_, sentence)| sentence);
        used.collect::<Vec<_>>().join(" ")
    }
}

/// The news of one alert, or of the saved tenders.
struct Section<'a> {
    alert: Option<&'a ItemAlert>,
    shown: Vec<&'a Entry>,
    /// The number of entries that are not shown.
    more: usize,
}

/// A section as the templates show it.
struct Block<'a> {
    /// The name of the alert; empty if the mail has a single section.
    heading: &'a str,
    link: String,
    cards: Vec<NewsCard>,
    more: String,
}

/// A tender as the templates show it.
struct NewsCard {
    card: Card,
    tender_id: Uuid,
    /// What changed, or that the tender is cancelled; otherwise empty.
    heading: String,
    changes: Vec<ChangedValue>,
    /// Whether the portal still shows the tender's page.
    has_page: bool,
    /// The printed texts of doubtful fields.
    printed: Vec<PrintedField>,
    whys: Vec<MatchExplanation>,
    excerpt: Option<Excerpt>,
}

/// The printed text of a doubtful field, as the templates show it.
struct PrintedField {
    path: &'static str,
    /// The label of the field.
    label: String,
    /// The text as it was read.
    text: String,
    /// The crop of the clip. `None`: the clip is linked.
    picture: Option<Picture>,
}

/// A picture in a mail.
struct Picture {
    content_id: String,
    crop: Crop,
}

struct ChangedValue {
    name: String,
    was: String,
    now: String,
}

/// Why the tender is in the mail, and the link to its alert.
struct MatchExplanation {
    text: String,
    link: String,
}

impl NewsCard {
    fn new(entry: &Entry, excerpts: &Excerpts, envelope: &Envelope<'_>) -> Self {
        let words = envelope.words();
        let news = &words.news;
        let mut card = Card::new(&entry.tender, words, envelope);
        let mut changes = Vec::new();
        let mut heading_text = String::new();
        if let NewsReason::Changed { from } = &entry.reason {
            heading_text.clone_from(heading(words, from, &entry.tender));
            let (was, is) = (TenderState::of(from), TenderState::of(&entry.tender));
            if was != is {
                changes.push(ChangedValue::new(words, &news.status, was.name(words), is.name(words)));
            }
            if from.dates.closing != entry.tender.dates.closing {
                card.closing = String::new();
                changes.push(ChangedValue::closing(envelope, from, &entry.tender));
            }
        }
        if TenderState::of(&entry.tender) == TenderState::Cancelled && heading_text.is_empty() {
            heading_text.clone_from(&news.cancelled);
        }
        if TenderState::of(&entry.tender) != TenderState::Open {
            card.closing = String::new();
            card.warning = String::new();
        }
        let whys = entry.alerts.iter().map(|alert| {
            let name = mail_texts::shortened(&alert.name, 100);
            let text = match entry.reason {
                NewsReason::New => words.alerts.why.with(&[("alert", &name), ("keyword", &alert.keyword)]),
                NewsReason::Changed { .. } | NewsReason::Closing => news.why_change.with(&[("alert", &name)]),
            };
            MatchExplanation { text, link: alert_link(envelope.base_url, alert.id) }
        });
        let mut whys: Vec<MatchExplanation> = whys.collect();
        if whys.is_empty() {
            whys.push(MatchExplanation { text: news.why_saved.clone(), link: String::new() });
        }
        let found = entry.alerts.first().filter(|_| entry.reason == NewsReason::New);
        Self {
            has_page: TenderState::of(&entry.tender).has_page(),
            excerpt: found.and_then(|alert| excerpts.get(&(alert.id, entry.tender.id)).cloned()),
            heading: heading_text,
            printed: uncertain_fields::printed_texts(&entry.tender)
                .iter()
                .map(|text| PrintedField::new(text, words))
                .collect(),
            card,
            tender_id: entry.tender.id,
            changes,
            whys,
        }
    }
}

impl PrintedField {
    fn new(text: &PrintedText<'_>, words: &MailTexts) -> Self {
        let label = words.tender.printed.with(&[("field", &text.name(words))]);
        Self { path: text.path, label, text: text.text.clone(), picture: None }
    }
}

impl ChangedValue {
    /// The change of a closing. If the closing was uncertain and is now certain, the change shows our
    /// earlier reading and then the date in the notice.
    fn closing(envelope: &Envelope<'_>, from: &Tender, to: &Tender) -> Self {
        let (words, news) = (envelope.words(), &envelope.words().news);
        let was = words.closing_moment(from);
        let is = match to.dates.closing {
            Some(at) if at >= envelope.now && TenderState::of(to) == TenderState::Open => {
                format!("{} ({})", words.closing_moment(to), words.time_left(envelope.now, at))
            }
            _ => words.closing_moment(to),
        };
        if !is_settled(from, to) {
            return Self::new(words, &news.closing_date, &was, &is);
        }
        let was = from.dates.closing.map(|at| news.had_read.with(&[("value", &words.moment(at))]));
        Self {
            name: news.closing_date.clone(),
            was: was.unwrap_or_else(|| news.had_not_read.clone()),
            now: news.notice_says.with(&[("value", &is)]),
        }
    }

    fn new(words: &MailTexts, name: &str, was: &str, now: &str) -> Self {
        Self {
            name: name.to_owned(),
            was: words.news.was.with(&[("value", &was)]),
            now: words.news.now.with(&[("value", &now)]),
        }
    }
}

/// Excerpts around keywords, by alert and tender.
pub type Excerpts = HashMap<(Uuid, Uuid), Excerpt>;

pub(super) fn alert_link(base_url: &str, alert: Uuid) -> String {
    format!("{base_url}/alert-settings?alert={alert}")
}

/// Composes the whole message as it is sent. If the HTML is too large, fewer tenders are shown.
pub fn compose(
    envelope: &Envelope<'_>,
    news: &News,
    excerpts: &Excerpts,
    pictures: &mut ClipPictures,
    is_digest: bool,
) -> Result<Vec<u8>, ComposeError> {
    let words = envelope.words();
    let (subject, intro) = (news.subject(words, envelope.now), news.intro(words, is_digest));
    let greeting = words.frame.greeting.with(&[("name", &envelope.first_name)]);
    let alerts = news.alerts();
    let silence = match alerts.len() {
        0 => words.saved.silence.clone(),
        count => words.alerts.silence.of(count, &[]),
    };
    let frame = Frame::new(envelope.language, &subject, &intro, envelope.base_url);
    let mut most = MAX_CARDS;
    loop {
        let mut layout = Layout::new(envelope, news, excerpts, most);
        layout.add_pictures(news, pictures, envelope.message_id);
        let parts =
            Parts { words, greeting: &greeting, intro: &intro, layout: &layout, silence: &silence, envelope };
        let html = Html { frame: &frame, parts: &parts }.render()?;
        if html.len() <= MAX_HTML_BYTES || most == 1 {
            let text = Text { parts: &parts }.render()?;
            return envelope.message_with_images(&subject, text, html, layout.images());
        }
        most = most * 3 / 4;
    }
}

/// The tenders of a mail as the templates show them.
struct Layout<'a> {
    blocks: Vec<Block<'a>>,
    /// A sentence with the number of tenders in sections that the mail omits. Empty if no section is
    /// omitted.
    elsewhere: String,
    elsewhere_link: String,
    see_more: &'a str,
    is_single: bool,
    /// The button of a mail with several tenders.
    button: Option<Button<'a>>,
}

/// The main action of a mail.
struct Button<'a> {
    label: &'a str,
    link: String,
}

impl<'a> Layout<'a> {
    fn new(envelope: &Envelope<'_>, news: &'a News, excerpts: &Excerpts, most: usize) -> Self {
        let words = envelope.words();
        let sections = news.sections(most);
        let has_headings = sections.len() > 1;
        let more = |count: usize| words.news.more.with(&[("count", &count)]);
        let (shown, hidden): (Vec<_>, Vec<_>) =
            sections.into_iter().partition(|section| !section.shown.is_empty());
        let elsewhere: usize = hidden.iter().map(|section| section.more).sum();
        let blocks = shown.into_iter().map(|section| Block {
            heading: section.alert.filter(|_| has_headings).map_or("", |alert| alert.name.as_str()),
            link: section.alert.map_or_else(
                || format!("{}/saved", envelope.base_url),
                |alert| alert_link(envelope.base_url, alert.id),
            ),
            cards: section.shown.iter().map(|entry| NewsCard::new(entry, excerpts, envelope)).collect(),
            more: if section.more > 0 { more(section.more) } else { String::new() },
        });
        let blocks: Vec<Block<'_>> = blocks.collect();
        let is_saved = news.alerts().is_empty();
        let is_single = news.entries.len() == 1;
        let all_alerts = format!("{}/alert-settings", envelope.base_url);
        let button = match blocks.as_slice() {
            [block] if is_saved => Button { label: &words.saved.all_saved, link: block.link.clone() },
            [block] if !has_headings => Button { label: &words.alerts.all_matches, link: block.link.clone() },
            _ => Button { label: &words.alerts.all_alerts, link: all_alerts.clone() },
        };
        Self {
            button: Some(button).filter(|_| !is_single),
            blocks,
            elsewhere: match elsewhere {
                0 => String::new(),
                count => words.news.more_elsewhere.with(&[("count", &count)]),
            },
            elsewhere_link: all_alerts,
            see_more: if is_saved { &words.saved.see_all } else { &words.alerts.see_matches },
            is_single,
        }
    }
}

impl Layout<'_> {
    /// Adds crops of the printed texts, closings first, up to [`MAX_PICTURE_BYTES`].
    fn add_pictures(&mut self, news: &News, pictures: &mut ClipPictures, message_id: &str) {
        let tenders: HashMap<Uuid, &Tender> =
            news.entries.iter().map(|entry| (entry.tender.id, &entry.tender)).collect();
        let (mut bytes_left, mut count) = (MAX_PICTURE_BYTES, 0);
        for path in uncertain_fields::PRINTED_FIELDS {
            for card in self.blocks.iter_mut().flat_map(|block| &mut block.cards) {
                let Some(printed) = card.printed.iter_mut().find(|printed| printed.path == path) else {
                    continue;
                };
                let words =
                    tenders.get(&card.tender_id).map(|tender| uncertain_fields::printed_texts(tender));
                let words = words.into_iter().flatten().find(|words| words.path == path);
                let crop = words.and_then(|words| words.place).and_then(|place| pictures.crop(&place));
                if let Some(crop) = crop.filter(|crop| crop.bytes.len() <= bytes_left) {
                    bytes_left -= crop.bytes.len();
                    count += 1;
                    let content_id = format!("printed{count}.{}", message_id.trim_matches(['<', '>']));
                    printed.picture = Some(Picture { content_id, crop });
                }
            }
        }
    }

    /// The pictures that were added.
    fn images(&self) -> Vec<InlineImage> {
        let cards = self.blocks.iter().flat_map(|block| &block.cards);
        let pictures = cards.flat_map(|card| &card.printed).filter_map(|printed| printed.picture.as_ref());
        let image = |picture: &Picture| InlineImage {
            content_id: picture.content_id.clone(),
            jpeg: picture.crop.bytes.to_vec(),
        };
        pictures.map(image).collect()
    }
}

/// The input of the text and HTML templates.
struct Parts<'a> {
    words: &'static MailTexts,
    greeting: &'a str,
    intro: &'a str,
    layout: &'a Layout<'a>,
    silence: &'a str,
    envelope: &'a Envelope<'a>,
}

include!(concat!(env!("OUT_DIR"), "/digest.rs"));

#[derive(Template)]
#[template(path = "mail/digest.txt", escape = "none")]
struct Text<'a> {
    parts: &'a Parts<'a>,
}

#[cfg(test)]
mod tests;

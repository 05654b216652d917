//! The mail with the weekly summary: the number of tenders published in the past week by sector,
//! and the newest tenders that are open to bids.

use super::{
    mail_frame::{ComposeError, Envelope, Frame},
    tender_card::Card,
};
use crate::base::i18n::mail_texts::MailTexts;
use askama::Template;
use tender_model::{tender::Tender, vocabulary::Sector};

/// The content of a weekly summary.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// The number of tenders published in the past week.
    pub published: usize,
    /// The number of these tenders in each sector.
    pub sectors: Vec<(Sector, usize)>,
    /// The newest tenders that are open to bids and that the user may read.
    pub newest: Vec<Tender>,
}

/// Composes the whole message as it is sent.
pub fn compose(envelope: &Envelope<'_>, summary: &Summary) -> Result<Vec<u8>, ComposeError> {
    let words = envelope.words();
    let subject = words.summary.subject.of(summary.published, &[]);
    let intro = words.summary.intro.of(summary.published, &[]);
    let greeting = words.frame.greeting.with(&[("name", &envelope.first_name)]);
    let card = |tender: &Tender| Card::new(tender, words, envelope);
    let cards: Vec<Card> = summary.newest.iter().map(card).collect();
    let sectors = summary.sectors.iter().filter(|(_, count)| *count > 0);
    let sectors: Vec<String> =
        sectors.map(|(sector, count)| format!("{} {count}", words.sector(*sector))).collect();
    let sectors = sectors.join(" · ");
    let frame = Frame::new(envelope.language, &subject, &intro, envelope.base_url);
    let parts =
        Parts { words, greeting: &greeting, intro: &intro, sectors: &sectors, cards: &cards, envelope };
    let html = Html { frame: &frame, parts: &parts }.render()?;
    envelope.message(&subject, Text { parts: &parts }.render()?, html)
}

/// The input of the text and HTML templates.
struct Parts<'a> {
    words: &'static MailTexts,
    greeting: &'a str,
    intro: &'a str,
    /// The counts by sector, such as `Construction 12 · Supply 4`.
    sectors: &'a str,
    cards: &'a [Card],
    envelope: &'a Envelope<'a>,
}

include!(concat!(env!("OUT_DIR"), "/summary.rs"));

#[derive(Template)]
#[template(path = "mail/summary.txt", escape = "none")]
struct Text<'a> {
    parts: &'a Parts<'a>,
}

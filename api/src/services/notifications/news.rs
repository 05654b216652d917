//! News about single tenders, from the items of a message: new matches, changes, and saved tenders
//! that close soon. A tender appears once, with every alert that found it.

use super::uncertain_fields;
use crate::{
    base::i18n::mail_words::{self, Words},
    domain::digest::{DigestItem, DigestReason, ItemAlert},
};
use index::{
    tender::{CLOSING, Tender},
    vocabulary::{Moment, TenderStatus},
};
use std::collections::HashMap;
use uuid::Uuid;

/// Why a tender is in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NewsReason {
    /// It matched.
    New,
    /// It changed since the reader was informed.
    Changed { from: Box<Tender> },
    /// It closes soon.
    Closing,
}

/// A tender in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) tender: Tender,
    pub(crate) told: NewsReason,
    /// The alerts that found it. Empty: its reader has saved it.
    pub(crate) alerts: Vec<ItemAlert>,
}

/// All news of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    pub(crate) entries: Vec<Entry>,
}

/// The state of a tender as far as it matters to readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TenderState {
    Open,
    Cancelled,
    Withdrawn,
}

impl TenderState {
    pub(crate) const fn of(tender: &Tender) -> Self {
        match tender.status {
            TenderStatus::Cancelled => Self::Cancelled,
            TenderStatus::Withdrawn => Self::Withdrawn,
            _ => Self::Open,
        }
    }

    pub(super) fn name(self, words: &Words) -> &str {
        match self {
            Self::Open => &words.news.open,
            Self::Cancelled => &words.news.cancelled,
            Self::Withdrawn => &words.news.withdrawn,
        }
    }
}

impl News {
    /// The news at `now` from the items of a message, by closing within each alert. Several changes
    /// of a tender are combined into the first and the last state. A tender that the reader does
    /// not know yet is shown as it is now. A tender that was withdrawn before, or is as it was, is
    /// left out.
    #[must_use]
    pub fn of(items: Vec<DigestItem>, now: Moment) -> Self {
        let mut of_streams: Vec<Entry> = Vec::new();
        let mut places: HashMap<(Option<Uuid>, Uuid), usize> = HashMap::new();
        for item in items {
            let key = (item.alert.as_ref().map(|alert| alert.id), item.tender.id);
            let told = match (item.reason, item.before) {
                (DigestReason::New, _) => NewsReason::New,
                (DigestReason::Change(_), Some(before)) => NewsReason::Changed { from: Box::new(before) },
                (DigestReason::Closes(day, _), _) => {
                    let closing = reminded_closing(&item.tender).filter(|closing| *closing >= now);
                    if item.tender.status != TenderStatus::Published || closing.map(Moment::day) != Some(day)
                    {
                        continue;
                    }
                    NewsReason::Closing
                }
                (DigestReason::Change(_), None) => continue,
            };
            match places.get(&key).and_then(|place| of_streams.get_mut(*place)) {
                None => {
                    places.insert(key, of_streams.len());
                    of_streams.push(Entry {
                        tender: item.tender,
                        told,
                        alerts: item.alert.into_iter().collect(),
                    });
                }
                // A later revision; the first reason is kept.
                Some(known) if told != NewsReason::Closing => {
                    known.tender = item.tender;
                    if known.told == NewsReason::Closing {
                        known.told = told;
                    }
                }
                Some(_) => {}
            }
        }
        of_streams.retain(|entry| match &entry.told {
            NewsReason::New => TenderState::of(&entry.tender) != TenderState::Withdrawn,
            NewsReason::Changed { from } => {
                TenderState::of(from) != TenderState::of(&entry.tender)
                    || from.dates.closing != entry.tender.dates.closing
            }
            NewsReason::Closing => true,
        });
        let alert = |entry: &Entry| entry.alerts.first().map(|alert| alert.id);
        for of_alert in of_streams.chunk_by_mut(|one, other| alert(one) == alert(other)) {
            of_alert.sort_by_key(|entry| (entry.tender.dates.closing.is_none(), entry.tender.dates.closing));
        }
        // Several alerts found it.
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: HashMap<(Uuid, bool), usize> = HashMap::new();
        for entry in of_streams {
            let key = (entry.tender.id, entry.told == NewsReason::New);
            match places.get(&key).and_then(|place| entries.get_mut(*place)) {
                Some(known) => known.alerts.extend(entry.alerts),
                None => {
                    places.insert(key, entries.len());
                    entries.push(entry);
                }
            }
        }
        Self { entries }
    }

    /// Whether printed words are shown as crops of a clip.
    pub(crate) fn shows_clips(&self) -> bool {
        let printed = |entry: &Entry| {
            uncertain_fields::printed(&entry.tender).iter().any(|words| words.place.is_some())
        };
        self.entries.iter().any(printed)
    }

    /// Removes the clips of tenders that the reader may not open.
    pub(crate) fn hide_clips(&mut self, is_locked: impl Fn(&Tender) -> bool) {
        for entry in self.entries.iter_mut().filter(|entry| is_locked(&entry.tender)) {
            entry.tender.sources.iter_mut().for_each(|source| source.clip_url = None);
        }
    }

    /// Whether there is no news.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The alerts with news, in order and each once.
    pub(super) fn alerts(&self) -> Vec<&ItemAlert> {
        self.alerts_of(|_| true)
    }

    /// The alerts with news of a kind.
    pub(super) fn alerts_of(&self, is_it: impl Fn(&NewsReason) -> bool) -> Vec<&ItemAlert> {
        let mut alerts: Vec<&ItemAlert> = Vec::new();
        for alert in self.entries.iter().filter(|entry| is_it(&entry.told)).flat_map(|entry| &entry.alerts) {
            if alerts.iter().all(|known| known.id != alert.id) {
                alerts.push(alert);
            }
        }
        alerts
    }

    /// How many news of a kind there are.
    fn count(&self, is_it: impl Fn(&NewsReason) -> bool) -> usize {
        self.entries.iter().filter(|entry| is_it(&entry.told)).count()
    }

    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let is_changed = |told: &NewsReason| matches!(told, NewsReason::Changed { .. });
        (
            self.count(|told| *told == NewsReason::New),
            self.count(is_changed),
            self.count(|told| *told == NewsReason::Closing),
        )
    }

    /// The subject: the tender if there is one, else the counts by kind and the first tender.
    pub(super) fn subject(&self, words: &Words, now: Moment) -> String {
        let news = &words.news;
        let Some(first) = self.entries.first() else { return String::new() };
        if self.entries.len() > 1 {
            let (new, changed, closing) = self.counts();
            let counts = [(&news.new, new), (&news.changed, changed), (&news.closing, closing)];
            let counts: Vec<String> = counts
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(words, count)| words.of(count, &[]))
                .collect();
            let title = mail_words::shortened(&first.tender.title, 70);
            return news.many.with(&[
                ("counts", &counts.join(", ")),
                ("title", &title),
                ("rest", &(self.entries.len() - 1)),
            ]);
        }
        let title = mail_words::shortened(&first.tender.title, 90);
        let left = reminded_closing(&first.tender).filter(|at| *at >= now).map(|at| words.time_left(now, at));
        // A subject is too short to explain a doubt.
        let is_shown = first.told == NewsReason::Closing || !first.tender.is_uncertain(CLOSING);
        match (&first.told, left.filter(|_| is_shown)) {
            (NewsReason::New, Some(left)) => news.one_new_left.with(&[("title", &title), ("left", &left)]),
            (NewsReason::New, None) => news.one_new.with(&[("title", &title)]),
            (NewsReason::Changed { from }, _) => {
                news.one_changed.with(&[("change", &heading(words, from, &first.tender)), ("title", &title)])
            }
            (NewsReason::Closing, left) => {
                news.one_closing.with(&[("left", &left.unwrap_or_default()), ("title", &title)])
            }
        }
    }
}

/// Whether a closing that was uncertain or unread is now certain.
pub(super) fn is_settled(from: &Tender, to: &Tender) -> bool {
    from.is_uncertain(CLOSING) && !to.is_uncertain(CLOSING)
}

/// The closing that reminders use: the earliest reading while it is uncertain.
fn reminded_closing(tender: &Tender) -> Option<Moment> {
    tender.earlier_closing().or(tender.dates.closing)
}

/// What happened to a tender, in a word or two.
pub(super) fn heading<'a>(words: &'a Words, from: &Tender, to: &Tender) -> &'a String {
    let news = &words.news;
    match (TenderState::of(from), TenderState::of(to)) {
        (before, now) if before == now && is_settled(from, to) => &news.closing_settled,
        (before, now) if before == now => &news.closing_changed,
        (_, TenderState::Cancelled) => &news.cancelled,
        (_, TenderState::Withdrawn) => &news.withdrawn,
        (_, TenderState::Open) => &news.reopened,
    }
}

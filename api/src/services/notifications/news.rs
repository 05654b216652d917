//! News about single tenders, built from the items of a message: new matches, changes, and saved
//! tenders that close soon. Each tender appears once with all alerts that found it. A tender that
//! newly matched one alert and changed for another appears twice.

use super::uncertain_fields;
use crate::{
    base::i18n::mail_texts::{self, BatchTexts, MailTexts},
    domain::digest::{DigestItem, DigestReason, ItemAlert},
};
use std::collections::HashMap;
use tender_model::{
    deduplication::is_taken_down,
    display_title::display_title,
    tender::{CLOSING, Tender},
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// Why a tender is in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum NewsReason {
    /// The tender newly matched an alert.
    New,
    /// The tender changed since the user was last informed.
    Changed { from: Box<Tender> },
    /// The tender closes soon.
    Closing,
}

/// A tender in a message.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Entry {
    pub(crate) tender: Tender,
    pub(crate) reason: NewsReason,
    /// The alerts that found the tender. Empty: the user has saved the tender.
    pub(crate) alerts: Vec<ItemAlert>,
}

/// What caused a message.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum NewsOccasion {
    /// Matches, changes and reminders of single tenders.
    #[default]
    Regular,
    /// The portal withdrew a batch of notices.
    BatchWithdrawn,
    /// The portal undid the withdrawal of a batch.
    BatchRestored,
}

/// All news of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct News {
    pub(crate) entries: Vec<Entry>,
    pub(crate) occasion: NewsOccasion,
}

/// The state of a tender as messages distinguish it. All other statuses count as open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TenderState {
    Open,
    Cancelled,
    /// Withdrawn by its publisher.
    Withdrawn,
    /// Withdrawn by the portal. The reason is only for the publisher.
    TakenDown,
}

impl TenderState {
    pub(crate) fn of(tender: &Tender) -> Self {
        match tender.status {
            TenderStatus::Cancelled => Self::Cancelled,
            TenderStatus::Withdrawn if is_taken_down(tender) => Self::TakenDown,
            TenderStatus::Withdrawn => Self::Withdrawn,
            _ => Self::Open,
        }
    }

    /// Whether everyone can open the page of the tender.
    pub(crate) const fn has_page(self) -> bool {
        matches!(self, Self::Open | Self::Cancelled)
    }

    pub(super) fn name(self, words: &MailTexts) -> &str {
        match self {
            Self::Open => &words.news.open,
            Self::Cancelled => &words.news.cancelled,
            Self::Withdrawn => &words.news.withdrawn,
            Self::TakenDown => &words.news.taken_down,
        }
    }
}

impl News {
    /// Builds the news at `now` from the items of a message, sorted by closing within each alert. Tenders
    /// whose documents are no longer sold come last. Several changes of a tender are combined into its first
    /// and last state. A tender that is new to the user is shown in its current state. A tender that was
    /// withdrawn before its first message, or whose changes were undone, is left out. So is a reminder that
    /// no longer applies.
    #[must_use]
    pub fn of(items: Vec<DigestItem>, now: Moment) -> Self {
        let mut by_alert: Vec<Entry> = Vec::new();
        let mut places: HashMap<(Option<Uuid>, Uuid), usize> = HashMap::new();
        for item in items {
            let key = (item.alert.as_ref().map(|alert| alert.id), item.tender.id);
            let reason = match (item.reason, item.before) {
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
            match places.get(&key).and_then(|place| by_alert.get_mut(*place)) {
                None => {
                    places.insert(key, by_alert.len());
                    by_alert.push(Entry {
                        tender: item.tender,
                        reason,
                        alerts: item.alert.into_iter().collect(),
                    });
                }
                // A later revision replaces the tender. The first reason stays, unless it is a
                // reminder.
                Some(known) if reason != NewsReason::Closing => {
                    known.tender = item.tender;
                    if known.reason == NewsReason::Closing {
                        known.reason = reason;
                    }
                }
                Some(_) => {}
            }
        }
        by_alert.retain(|entry| match &entry.reason {
            NewsReason::New => TenderState::of(&entry.tender).has_page(),
            NewsReason::Changed { from } => {
                TenderState::of(from) != TenderState::of(&entry.tender)
                    || from.dates.closing != entry.tender.dates.closing
            }
            NewsReason::Closing => true,
        });
        let alert = |entry: &Entry| entry.alerts.first().map(|alert| alert.id);
        for of_alert in by_alert.chunk_by_mut(|one, other| alert(one) == alert(other)) {
            of_alert.sort_by_key(|Entry { tender, .. }| {
                let is_sale_over = tender.certain_sale_end().is_some_and(|last| last < now.day());
                (is_sale_over, tender.dates.closing.is_none(), tender.dates.closing)
            });
        }
        // Combine the alerts that found the same tender.
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: HashMap<(Uuid, bool), usize> = HashMap::new();
        for entry in by_alert {
            let key = (entry.tender.id, entry.reason == NewsReason::New);
            match places.get(&key).and_then(|place| entries.get_mut(*place)) {
                Some(known) => known.alerts.extend(entry.alerts),
                None => {
                    places.insert(key, entries.len());
                    entries.push(entry);
                }
            }
        }
        Self { entries, occasion: NewsOccasion::Regular }
    }

    /// Whether a printed text can be shown as a crop of a clip.
    pub(crate) fn shows_clips(&self) -> bool {
        let printed = |entry: &Entry| {
            uncertain_fields::printed_texts(&entry.tender).iter().any(|words| words.place.is_some())
        };
        self.entries.iter().any(printed)
    }

    /// Removes the clips of tenders that the user may not open.
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

    /// The alerts of the entries with a matching reason.
    pub(super) fn alerts_of(&self, matches: impl Fn(&NewsReason) -> bool) -> Vec<&ItemAlert> {
        let mut alerts: Vec<&ItemAlert> = Vec::new();
        for alert in
            self.entries.iter().filter(|entry| matches(&entry.reason)).flat_map(|entry| &entry.alerts)
        {
            if alerts.iter().all(|known| known.id != alert.id) {
                alerts.push(alert);
            }
        }
        alerts
    }

    /// The number of entries with a matching reason.
    fn count(&self, matches: impl Fn(&NewsReason) -> bool) -> usize {
        self.entries.iter().filter(|entry| matches(&entry.reason)).count()
    }

    /// The numbers of new, changed and closing entries.
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        let is_changed = |reason: &NewsReason| matches!(reason, NewsReason::Changed { .. });
        (
            self.count(|reason| *reason == NewsReason::New),
            self.count(is_changed),
            self.count(|reason| *reason == NewsReason::Closing),
        )
    }

    /// The texts of a mail about a batch. `None`: the mail has another occasion.
    pub(super) const fn batch_texts<'a>(&self, words: &'a MailTexts) -> Option<&'a BatchTexts> {
        match self.occasion {
            NewsOccasion::Regular => None,
            NewsOccasion::BatchWithdrawn => Some(&words.batch_withdrawn),
            NewsOccasion::BatchRestored => Some(&words.batch_restored),
        }
    }

    /// The subject. For a single tender, it names the tender. For several, it names the first one
    /// and the counts by reason.
    pub(super) fn subject(&self, words: &MailTexts, now: Moment) -> String {
        let news = &words.news;
        let Some(first) = self.entries.first() else { return String::new() };
        if let Some(texts) = self.batch_texts(words) {
            let title = mail_texts::shortened(&display_title(&first.tender.title), 90);
            let values = &[("title", &title as &dyn std::fmt::Display), ("rest", &(self.entries.len() - 1))];
            return texts.subject.of(self.entries.len(), values);
        }
        if self.entries.len() > 1 {
            let (new, changed, closing) = self.counts();
            let counts = [(&news.new, new), (&news.changed, changed), (&news.closing, closing)];
            let counts: Vec<String> = counts
                .into_iter()
                .filter(|(_, count)| *count > 0)
                .map(|(words, count)| words.of(count, &[]))
                .collect();
            let title = mail_texts::shortened(&display_title(&first.tender.title), 70);
            let title = match &first.reason {
                NewsReason::Changed { from } => news
                    .one_changed
                    .with(&[("change", &heading(words, from, &first.tender)), ("title", &title)]),
                NewsReason::New | NewsReason::Closing => title,
            };
            return news.many.with(&[
                ("counts", &counts.join(", ")),
                ("title", &title),
                ("rest", &(self.entries.len() - 1)),
            ]);
        }
        let title = mail_texts::shortened(&display_title(&first.tender.title), 90);
        let left = reminded_closing(&first.tender).filter(|at| *at >= now).map(|at| words.time_left(now, at));
        // A subject is too short to explain that a closing is uncertain.
        let is_shown = first.reason == NewsReason::Closing || !first.tender.is_uncertain(CLOSING);
        match (&first.reason, left.filter(|_| is_shown)) {
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

/// Whether the closing was uncertain and is now certain.
pub(super) fn is_settled(from: &Tender, to: &Tender) -> bool {
    from.is_uncertain(CLOSING) && !to.is_uncertain(CLOSING)
}

/// The closing that reminders use: the earliest reading if the closing is uncertain.
fn reminded_closing(tender: &Tender) -> Option<Moment> {
    tender.earlier_closing().or(tender.dates.closing)
}

/// The short heading for a change of a tender.
pub(super) fn heading<'a>(words: &'a MailTexts, from: &Tender, to: &Tender) -> &'a String {
    let news = &words.news;
    match (TenderState::of(from), TenderState::of(to)) {
        (before, now) if before == now && is_settled(from, to) => &news.closing_settled,
        (before, now) if before == now => &news.closing_changed,
        (_, TenderState::Cancelled) => &news.cancelled,
        (_, TenderState::Withdrawn) => &news.withdrawn,
        (_, TenderState::TakenDown) => &news.taken_down,
        (_, TenderState::Open) => &news.reopened,
    }
}

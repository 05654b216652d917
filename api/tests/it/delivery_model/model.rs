//! A model of the expected mails, without a database, processes or failures. Times are in minutes.

use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};

/// The words in tenders and alerts.
pub const WORDS: [&str; 3] = ["bridge", "school", "culvert"];

/// The closing year of a new tender.
pub const FIRST_YEAR: i16 = 2090;

const DAY: i64 = 24 * 60;
/// Colombo's offset from UTC, in minutes.
const COLOMBO_OFFSET: i64 = 5 * 60 + 30;
const SUMMARY_TIME: i64 = 9 * 60;

/// How often an alert sends mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frequency {
    AtOnce,
    Daily,
    Weekly,
}

/// A change. Its target is chosen from the existing alerts or tenders.
#[derive(Debug, Clone)]
pub enum Step {
    NewAlert {
        subscriber: usize,
        keywords: Vec<&'static str>,
        frequency: Frequency,
    },
    UpdateAlert {
        alert: Index,
        keywords: Vec<&'static str>,
        frequency: Frequency,
        mails: bool,
    },
    ToggleAlert(Index),
    DeleteAlert(Index),
    Publish(Vec<&'static str>),
    EditText {
        tender: Index,
        words: Vec<&'static str>,
    },
    Postpone {
        tender: Index,
        year: i16,
    },
    Cancel(Index),
    /// Ends the subscriber's plan.
    ExpireSubscription(usize),
    /// Subscribes for this many days, if there is no plan.
    Subscribe {
        subscriber: usize,
        days: i64,
    },
    /// Changes the subscriber's address.
    ChangeAddress(usize),
}

/// A completed change, with the index of its target.
#[derive(Debug, Clone, Copy)]
pub enum AppliedStep {
    /// The alert is new if it is the last one.
    Alert(usize),
    Switched(usize),
    Deleted(usize),
    Published(usize),
    Revised(usize),
    Plan(usize),
    AddressChanged(usize),
}

/// A tender as of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub words: Vec<&'static str>,
    pub closes: i16,
    pub is_cancelled: bool,
}

#[derive(Debug)]
pub struct Subscriber {
    /// The number of address changes.
    pub address_changes: usize,
    /// The start and the end of each plan.
    pub plans: Vec<(i64, i64)>,
}

#[derive(Debug)]
pub struct Alert {
    pub subscriber: usize,
    pub keywords: Vec<&'static str>,
    pub frequency: Frequency,
    pub mails: bool,
    pub is_active: bool,
    is_deleted: bool,
    /// The keywords as of the matcher's log position.
    matched_by: Vec<&'static str>,
    matches: BTreeSet<usize>,
    open: Option<OpenMessage>,
}

/// A message of an alert that still collects items.
#[derive(Debug)]
struct OpenMessage {
    frequency: Frequency,
    due: i64,
    items: BTreeMap<usize, Item>,
}

#[derive(Debug)]
struct Item {
    /// `None`: the tender is new to the subscriber.
    from: Option<Notice>,
    to: Notice,
}

/// A change that is not matched yet.
#[derive(Debug)]
enum Entry {
    Alert(usize, Vec<&'static str>),
    Tender { tender: usize, before: Option<Notice>, now: Notice, at: i64 },
}

/// A tender in a mail, with its address, alert and content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MailedItem {
    pub address: String,
    pub alert: String,
    pub is_new: bool,
    pub content: ItemContent,
}

/// The content of a mail about a tender.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemContent {
    pub title: String,
    /// The closing year; for a change, before and after.
    pub years: Vec<i16>,
    /// The changed status.
    pub status: Option<&'static str>,
}

#[derive(Debug)]
pub struct Model {
    pub now: i64,
    pub subscribers: [Subscriber; 2],
    pub alerts: Vec<Alert>,
    pub tenders: Vec<Notice>,
    log: Vec<Entry>,
    mailed: Vec<MailedItem>,
}

pub fn address(subscriber: usize, address_changes: usize) -> String {
    format!("subscriber-{subscriber}-{address_changes}@example.lk")
}

pub fn alert_name(alert: usize) -> String {
    format!("Alert {alert}.")
}

pub fn title(tender: usize, words: &[&str]) -> String {
    format!("Lot {tender}, {}", words.join(" and "))
}

impl Subscriber {
    fn has_plan_at(&self, minute: i64) -> bool {
        self.plans.iter().any(|&(from, until)| from <= minute && minute < until)
    }
}

impl Model {
    pub fn new(now: i64) -> Self {
        let subscriber = || Subscriber { address_changes: 0, plans: vec![(now, now + 10 * DAY)] };
        Self {
            now,
            subscribers: [subscriber(), subscriber()],
            alerts: Vec::new(),
            tenders: Vec::new(),
            log: Vec::new(),
            mailed: Vec::new(),
        }
    }

    /// Applies a change. `None`: there is no target.
    pub fn step(&mut self, step: Step) -> Option<AppliedStep> {
        let now = self.now;
        Some(match step {
            Step::NewAlert { subscriber, keywords, frequency } => {
                if !self.subscribers[subscriber].has_plan_at(now) || self.alerts.len() > 8 {
                    return None;
                }
                self.alerts.push(Alert {
                    subscriber,
                    keywords: keywords.clone(),
                    frequency,
                    mails: true,
                    is_active: true,
                    is_deleted: false,
                    matched_by: Vec::new(),
                    matches: BTreeSet::new(),
                    open: None,
                });
                self.log_alert(self.alerts.len() - 1)
            }
            Step::UpdateAlert { alert, keywords, frequency, mails } => {
                let nth = self.choose_alert(alert)?;
                let alert = &mut self.alerts[nth];
                (alert.keywords, alert.frequency, alert.mails) = (keywords, frequency, mails);
                if let Some(open) = &mut alert.open {
                    (open.frequency, open.due) = (frequency, next_due(frequency, now));
                }
                self.log_alert(nth)
            }
            Step::ToggleAlert(alert) => {
                let nth = self.choose_alert(alert)?;
                self.alerts[nth].is_active ^= true;
                self.log_alert(nth);
                AppliedStep::Switched(nth)
            }
            Step::DeleteAlert(alert) => {
                let nth = self.choose_alert(alert)?;
                self.alerts[nth].is_deleted = true;
                self.alerts[nth].is_active = false;
                self.log_alert(nth);
                AppliedStep::Deleted(nth)
            }
            Step::Publish(words) => {
                self.tenders.push(Notice { words, closes: FIRST_YEAR, is_cancelled: false });
                self.log_tender(self.tenders.len() - 1, None);
                AppliedStep::Published(self.tenders.len() - 1)
            }
            Step::EditText { tender, words } => self.revise(tender, |notice| notice.words = words)?,
            Step::Postpone { tender, year } => self.revise(tender, |notice| notice.closes = year)?,
            Step::Cancel(tender) => self.revise(tender, |notice| notice.is_cancelled ^= true)?,
            Step::ExpireSubscription(subscriber) => {
                let plans = &mut self.subscribers[subscriber].plans;
                for span in plans.iter_mut() {
                    span.1 = span.1.min(now);
                }
                AppliedStep::Plan(subscriber)
            }
            Step::Subscribe { subscriber, days } => {
                if self.subscribers[subscriber].has_plan_at(now) {
                    return None;
                }
                self.subscribers[subscriber].plans.push((now, now + days * DAY));
                AppliedStep::Plan(subscriber)
            }
            Step::ChangeAddress(subscriber) => {
                self.subscribers[subscriber].address_changes += 1;
                AppliedStep::AddressChanged(subscriber)
            }
        })
    }

    fn choose_alert(&self, at: Index) -> Option<usize> {
        // These requests need a plan.
        let there: Vec<usize> = (0..self.alerts.len())
            .filter(|&nth| {
                let alert = &self.alerts[nth];
                !alert.is_deleted && self.subscribers[alert.subscriber].has_plan_at(self.now)
            })
            .collect();
        (!there.is_empty()).then(|| *at.get(&there))
    }

    fn log_alert(&mut self, nth: usize) -> AppliedStep {
        let alert = &self.alerts[nth];
        let keywords = if alert.is_active { alert.keywords.clone() } else { Vec::new() };
        self.log.push(Entry::Alert(nth, keywords));
        AppliedStep::Alert(nth)
    }

    fn log_tender(&mut self, tender: usize, before: Option<Notice>) {
        let now = self.tenders[tender].clone();
        self.log.push(Entry::Tender { tender, before, now, at: self.now });
    }

    fn revise(&mut self, at: Index, change: impl FnOnce(&mut Notice)) -> Option<AppliedStep> {
        if self.tenders.is_empty() {
            return None;
        }
        let tender = at.index(self.tenders.len());
        let before = self.tenders[tender].clone();
        change(&mut self.tenders[tender]);
        self.log_tender(tender, Some(before));
        Some(AppliedStep::Revised(tender))
    }

    /// Whether there are changes that are not matched yet.
    pub fn has_unmatched_changes(&self) -> bool {
        !self.log.is_empty()
    }

    /// Whether a message becomes due within this many minutes.
    pub fn is_due(&self, minutes: i64) -> bool {
        self.alerts.iter().filter_map(|alert| alert.open.as_ref()).any(|open| open.due <= self.now + minutes)
    }

    /// Matches and mails everything due.
    pub fn match_and_mail(&mut self) {
        for entry in std::mem::take(&mut self.log) {
            match entry {
                Entry::Alert(nth, keywords) => self.alerts[nth].matched_by = keywords,
                Entry::Tender { tender, before, now, at } => {
                    for nth in 0..self.alerts.len() {
                        self.match_notice(nth, tender, before.as_ref(), &now, at);
                    }
                }
            }
        }
        // A digest lists a tender once, for the first of its alerts.
        let mut digests = BTreeMap::new();
        for nth in 0..self.alerts.len() {
            if self.alerts[nth].open.as_ref().is_some_and(|open| open.due <= self.now) {
                self.send(nth, &mut digests);
            }
        }
    }

    fn match_notice(&mut self, nth: usize, tender: usize, before: Option<&Notice>, notice: &Notice, at: i64) {
        let (now, gets_mail) = (self.now, self.gets_mail(nth));
        let alert = &mut self.alerts[nth];
        let subscriber = &self.subscribers[alert.subscriber];
        if alert.matches.contains(&tender) {
            let Some(before) = before else { return };
            if (before.closes, before.is_cancelled) == (notice.closes, notice.is_cancelled) {
                return;
            }
            match alert.open.as_mut().and_then(|open| open.items.get_mut(&tender)) {
                Some(item) if item.from.is_none() => item.to = notice.clone(),
                _ if gets_mail => alert.collect(tender, Some(before), notice, now),
                _ => {}
            }
        } else if alert.is_active
            && !notice.is_cancelled
            && alert.matched_by.iter().any(|word| notice.words.contains(word))
            && subscriber.has_plan_at(at)
            && subscriber.has_plan_at(now)
        {
            alert.matches.insert(tender);
            if gets_mail {
                alert.collect(tender, None, notice, now);
            }
        }
    }

    /// Whether the alert sends mail now.
    fn gets_mail(&self, nth: usize) -> bool {
        let alert = &self.alerts[nth];
        alert.is_active && alert.mails && self.subscribers[alert.subscriber].has_plan_at(self.now)
    }

    fn send(&mut self, nth: usize, digests: &mut BTreeMap<(usize, usize, bool), ItemContent>) {
        let Some(open) = self.alerts[nth].open.take() else { return };
        if !self.gets_mail(nth) {
            return;
        }
        let subscriber = self.alerts[nth].subscriber;
        let address = address(subscriber, self.subscribers[subscriber].address_changes);
        for (tender, item) in open.items {
            let Some(own) = item.content(tender) else { continue };
            let is_new = item.from.is_none();
            let content = match open.frequency {
                Frequency::AtOnce => own,
                _ => digests.entry((subscriber, tender, is_new)).or_insert(own).clone(),
            };
            self.mailed.push(MailedItem {
                address: address.clone(),
                alert: alert_name(nth),
                is_new,
                content,
            });
        }
    }

    /// Returns all mailed items, sorted.
    pub fn mailed(&self) -> Vec<MailedItem> {
        let mut mailed = self.mailed.clone();
        mailed.sort();
        mailed
    }
}

impl Alert {
    fn collect(&mut self, tender: usize, from: Option<&Notice>, to: &Notice, now: i64) {
        let due = next_due(self.frequency, now);
        let open =
            self.open.get_or_insert(OpenMessage { frequency: self.frequency, due, items: BTreeMap::new() });
        if open.frequency != self.frequency || self.frequency == Frequency::AtOnce {
            (open.frequency, open.due) = (self.frequency, due);
        }
        let item = open.items.entry(tender).or_insert(Item { from: from.cloned(), to: to.clone() });
        item.to = to.clone();
    }
}

impl Item {
    /// Returns the content of the mail. `None`: the tender is back to its first state.
    fn content(&self, tender: usize) -> Option<ItemContent> {
        let Self { from, to } = self;
        let (years, status) = match from {
            None if to.is_cancelled => (Vec::new(), None),
            None => (vec![to.closes], None),
            Some(from) if from.closes == to.closes && from.is_cancelled == to.is_cancelled => return None,
            Some(from) => (
                match (from.closes == to.closes, to.is_cancelled) {
                    (false, _) => vec![from.closes, to.closes],
                    (true, true) => Vec::new(),
                    (true, false) => vec![to.closes],
                },
                (from.is_cancelled != to.is_cancelled).then_some(if to.is_cancelled {
                    "Cancelled"
                } else {
                    "open"
                }),
            ),
        };
        Some(ItemContent { title: title(tender, &to.words), years, status })
    }
}

/// Returns the time at which items collected now are sent.
fn next_due(frequency: Frequency, now: i64) -> i64 {
    let today = (now + COLOMBO_OFFSET).div_euclid(DAY);
    // 1 January 1970 was a Thursday.
    let fits = |day: &i64| frequency == Frequency::Daily || (day + 3).rem_euclid(7) == 0;
    match frequency {
        Frequency::AtOnce => now,
        _ => (today..)
            .filter(fits)
            .map(|day| day * DAY + SUMMARY_TIME - COLOMBO_OFFSET)
            .find(|due| *due > now)
            .unwrap(),
    }
}

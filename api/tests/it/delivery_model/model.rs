//! A model of the expected mails, without a database, processes or failures. Times are minutes
//! since the start of 1970 in UTC.

use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};

/// The words in titles of tenders and keywords of alerts.
pub const WORDS: [&str; 3] = ["bridge", "school", "culvert"];

/// The closing year of a new tender.
pub const FIRST_CLOSING_YEAR: i16 = 2090;

const DAY: i64 = 24 * 60;
/// Colombo's offset from UTC, in minutes.
const COLOMBO_OFFSET: i64 = 5 * 60 + 30;
/// The time of day in Colombo at which digests are due, in minutes.
const DIGEST_TIME: i64 = 9 * 60;

/// How often an alert sends mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frequency {
    AtOnce,
    Daily,
    Weekly,
}

/// A change by a user or a publisher. An [`Index`] chooses one of the existing alerts or tenders.
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
        mail_enabled: bool,
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
    ToggleCancellation(Index),
    /// Ends the subscriber's plan.
    ExpireSubscription(usize),
    /// Subscribes for this many days, if the subscriber has no plan.
    Subscribe {
        subscriber: usize,
        days: i64,
    },
    ChangeAddress(usize),
}

/// A completed change, with the index of its target.
#[derive(Debug, Clone, Copy)]
pub enum AppliedStep {
    /// The alert is new or updated.
    AlertSaved(usize),
    AlertToggled(usize),
    AlertDeleted(usize),
    TenderPublished(usize),
    TenderRevised(usize),
    PlanChanged(usize),
    AddressChanged(usize),
}

/// One revision of a tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub words: Vec<&'static str>,
    pub closing_year: i16,
    pub is_cancelled: bool,
}

#[derive(Debug)]
pub struct Subscriber {
    /// The number of address changes.
    pub address_changes: usize,
    /// The start and the end of each plan. The end is exclusive.
    pub plans: Vec<(i64, i64)>,
}

#[derive(Debug)]
pub struct Alert {
    pub subscriber: usize,
    pub keywords: Vec<&'static str>,
    pub frequency: Frequency,
    pub mail_enabled: bool,
    pub is_active: bool,
    is_deleted: bool,
    /// The keywords that the matcher uses, without the changes that are still in [`Model::log`].
    matcher_keywords: Vec<&'static str>,
    matches: BTreeSet<usize>,
    open: Option<OpenMessage>,
}

/// An unsent message of an alert, which still collects items.
#[derive(Debug)]
struct OpenMessage {
    frequency: Frequency,
    due: i64,
    items: BTreeMap<usize, Item>,
}

#[derive(Debug)]
struct Item {
    /// The tender before the change, or `None` if the tender is a new match of the alert.
    from: Option<Notice>,
    /// The latest revision of the tender.
    to: Notice,
}

/// A change that the matcher has not processed yet.
#[derive(Debug)]
enum LogEntry {
    Alert(usize, Vec<&'static str>),
    Tender { tender: usize, before: Option<Notice>, now: Notice, at: i64 },
}

/// One tender in a mail, with the mail's recipient and one alert that the mail names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct MailedItem {
    pub address: String,
    pub alert: String,
    pub is_new: bool,
    pub content: ItemContent,
}

/// What a mail says about a tender.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemContent {
    pub title: String,
    /// The old and the new closing year if the year has changed. Otherwise the current year, or
    /// nothing if the tender is cancelled.
    pub years: Vec<i16>,
    /// The new status, if the status has changed.
    pub status: Option<&'static str>,
}

#[derive(Debug)]
pub struct Model {
    pub now: i64,
    pub subscribers: [Subscriber; 2],
    pub alerts: Vec<Alert>,
    pub tenders: Vec<Notice>,
    log: Vec<LogEntry>,
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

    /// Applies a change. Returns `None` if the change is not possible, for example because there
    /// is no tender to change.
    pub fn apply_step(&mut self, step: Step) -> Option<AppliedStep> {
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
                    mail_enabled: true,
                    is_active: true,
                    is_deleted: false,
                    matcher_keywords: Vec::new(),
                    matches: BTreeSet::new(),
                    open: None,
                });
                self.log_alert(self.alerts.len() - 1)
            }
            Step::UpdateAlert { alert, keywords, frequency, mail_enabled } => {
                let nth = self.choose_alert(alert)?;
                let alert = &mut self.alerts[nth];
                (alert.keywords, alert.frequency, alert.mail_enabled) = (keywords, frequency, mail_enabled);
                if let Some(open) = &mut alert.open {
                    (open.frequency, open.due) = (frequency, next_due(frequency, now));
                }
                self.log_alert(nth)
            }
            Step::ToggleAlert(alert) => {
                let nth = self.choose_alert(alert)?;
                self.alerts[nth].is_active ^= true;
                self.log_alert(nth);
                AppliedStep::AlertToggled(nth)
            }
            Step::DeleteAlert(alert) => {
                let nth = self.choose_alert(alert)?;
                self.alerts[nth].is_deleted = true;
                self.alerts[nth].is_active = false;
                self.log_alert(nth);
                AppliedStep::AlertDeleted(nth)
            }
            Step::Publish(words) => {
                self.tenders.push(Notice { words, closing_year: FIRST_CLOSING_YEAR, is_cancelled: false });
                self.log_tender(self.tenders.len() - 1, None);
                AppliedStep::TenderPublished(self.tenders.len() - 1)
            }
            Step::EditText { tender, words } => self.revise(tender, |notice| notice.words = words)?,
            Step::Postpone { tender, year } => self.revise(tender, |notice| notice.closing_year = year)?,
            Step::ToggleCancellation(tender) => self.revise(tender, |notice| notice.is_cancelled ^= true)?,
            Step::ExpireSubscription(subscriber) => {
                let plans = &mut self.subscribers[subscriber].plans;
                for span in plans.iter_mut() {
                    span.1 = span.1.min(now);
                }
                AppliedStep::PlanChanged(subscriber)
            }
            Step::Subscribe { subscriber, days } => {
                if self.subscribers[subscriber].has_plan_at(now) {
                    return None;
                }
                self.subscribers[subscriber].plans.push((now, now + days * DAY));
                AppliedStep::PlanChanged(subscriber)
            }
            Step::ChangeAddress(subscriber) => {
                self.subscribers[subscriber].address_changes += 1;
                AppliedStep::AddressChanged(subscriber)
            }
        })
    }

    fn choose_alert(&self, at: Index) -> Option<usize> {
        // The portal accepts changes of an alert only from subscribers with a plan.
        let candidates: Vec<usize> = (0..self.alerts.len())
            .filter(|&nth| {
                let alert = &self.alerts[nth];
                !alert.is_deleted && self.subscribers[alert.subscriber].has_plan_at(self.now)
            })
            .collect();
        (!candidates.is_empty()).then(|| *at.get(&candidates))
    }

    fn log_alert(&mut self, nth: usize) -> AppliedStep {
        let alert = &self.alerts[nth];
        let keywords = if alert.is_active { alert.keywords.clone() } else { Vec::new() };
        self.log.push(LogEntry::Alert(nth, keywords));
        AppliedStep::AlertSaved(nth)
    }

    fn log_tender(&mut self, tender: usize, before: Option<Notice>) {
        let now = self.tenders[tender].clone();
        self.log.push(LogEntry::Tender { tender, before, now, at: self.now });
    }

    fn revise(&mut self, at: Index, change: impl FnOnce(&mut Notice)) -> Option<AppliedStep> {
        if self.tenders.is_empty() {
            return None;
        }
        let tender = at.index(self.tenders.len());
        let before = self.tenders[tender].clone();
        change(&mut self.tenders[tender]);
        self.log_tender(tender, Some(before));
        Some(AppliedStep::TenderRevised(tender))
    }

    /// Whether there are changes that the matcher has not processed yet.
    pub fn has_unmatched_changes(&self) -> bool {
        !self.log.is_empty()
    }

    /// Whether a message becomes due within this many minutes.
    pub fn is_due(&self, minutes: i64) -> bool {
        self.alerts.iter().filter_map(|alert| alert.open.as_ref()).any(|open| open.due <= self.now + minutes)
    }

    /// Matches all pending changes and sends all due messages.
    pub fn match_and_mail(&mut self) {
        for entry in std::mem::take(&mut self.log) {
            match entry {
                LogEntry::Alert(nth, keywords) => self.alerts[nth].matcher_keywords = keywords,
                LogEntry::Tender { tender, before, now, at } => {
                    for nth in 0..self.alerts.len() {
                        self.match_notice(nth, tender, before.as_ref(), &now, at);
                    }
                }
            }
        }
        // A digest lists a new or changed tender once, with the content of the first alert that has
        // it.
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
            if (before.closing_year, before.is_cancelled) == (notice.closing_year, notice.is_cancelled) {
                return;
            }
            match alert.open.as_mut().and_then(|open| open.items.get_mut(&tender)) {
                Some(item) if item.from.is_none() => item.to = notice.clone(),
                _ if gets_mail => alert.collect(tender, Some(before), notice, now),
                _ => {}
            }
        } else if alert.is_active
            && !notice.is_cancelled
            && alert.matcher_keywords.iter().any(|word| notice.words.contains(word))
            && subscriber.has_plan_at(at)
            && subscriber.has_plan_at(now)
        {
            alert.matches.insert(tender);
            if gets_mail {
                alert.collect(tender, None, notice, now);
            }
        }
    }

    /// Whether the alert's matches are mailed at present.
    fn gets_mail(&self, nth: usize) -> bool {
        let alert = &self.alerts[nth];
        alert.is_active && alert.mail_enabled && self.subscribers[alert.subscriber].has_plan_at(self.now)
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
    /// Returns what a mail says about the tender, or `None` if a changed tender has its old
    /// closing year and status again.
    fn content(&self, tender: usize) -> Option<ItemContent> {
        let Self { from, to } = self;
        let (years, status) = match from {
            None if to.is_cancelled => (Vec::new(), None),
            None => (vec![to.closing_year], None),
            Some(from) if from.closing_year == to.closing_year && from.is_cancelled == to.is_cancelled => {
                return None;
            }
            Some(from) => (
                match (from.closing_year == to.closing_year, to.is_cancelled) {
                    (false, _) => vec![from.closing_year, to.closing_year],
                    (true, true) => Vec::new(),
                    (true, false) => vec![to.closing_year],
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

/// Returns the time at which a message with items collected now is due.
fn next_due(frequency: Frequency, now: i64) -> i64 {
    let today = (now + COLOMBO_OFFSET).div_euclid(DAY);
    // 1 January 1970 was a Thursday, so the sum is a multiple of 7 on Mondays.
    let fits = |day: &i64| frequency == Frequency::Daily || (day + 3).rem_euclid(7) == 0;
    match frequency {
        Frequency::AtOnce => now,
        _ => (today..)
            .filter(fits)
            .map(|day| day * DAY + DIGEST_TIME - COLOMBO_OFFSET)
            .find(|due| *due > now)
            .unwrap(),
    }
}

//! The expected mails of each address, without database, processes or failures. Times are in
//! minutes.

use proptest::sample::Index;
use std::collections::{BTreeMap, BTreeSet};

/// Words in tenders and alerts.
pub const WORDS: [&str; 3] = ["bridge", "school", "culvert"];

/// The closing year of tenders that were not postponed.
pub const FIRST_YEAR: i16 = 2090;

const DAY: i64 = 24 * 60;
/// Colombo's offset from UTC.
const AHEAD: i64 = 5 * 60 + 30;
const NINE: i64 = 9 * 60;

/// The frequency of an alert's mails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sends {
    AtOnce,
    Daily,
    Weekly,
}

/// A change. Its target is chosen from what exists.
#[derive(Debug, Clone)]
pub enum Step {
    NewAlert {
        reader: usize,
        asks: Vec<&'static str>,
        sends: Sends,
    },
    WriteAlert {
        alert: Index,
        asks: Vec<&'static str>,
        sends: Sends,
        mails: bool,
    },
    SwitchAlert(Index),
    DeleteAlert(Index),
    Publish(Vec<&'static str>),
    Reword {
        tender: Index,
        says: Vec<&'static str>,
    },
    Postpone {
        tender: Index,
        year: i16,
    },
    Cancel(Index),
    /// The reader's plan ends.
    Lapse(usize),
    /// Subscribes for this many days, if there is no plan.
    Subscribe {
        reader: usize,
        days: i64,
    },
    /// Changes the reader's address.
    Move(usize),
}

/// A completed change, with the index of its target.
#[derive(Debug, Clone, Copy)]
pub enum Done {
    /// A new alert if it is the last.
    Alert(usize),
    Switched(usize),
    Deleted(usize),
    Published(usize),
    Revised(usize),
    Plan(usize),
    Moved(usize),
}

/// A tender as of a revision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    pub says: Vec<&'static str>,
    pub closes: i16,
    pub is_cancelled: bool,
}

#[derive(Debug)]
pub struct Reader {
    /// The number of address changes.
    pub moves: usize,
    /// The start and end of each plan.
    pub held: Vec<(i64, i64)>,
}

#[derive(Debug)]
pub struct Alert {
    pub reader: usize,
    pub asks: Vec<&'static str>,
    pub sends: Sends,
    pub mails: bool,
    pub is_active: bool,
    is_deleted: bool,
    /// The query as of the matcher's log position.
    matched_by: Vec<&'static str>,
    matches: BTreeSet<usize>,
    open: Option<Open>,
}

/// The open message of an alert.
#[derive(Debug)]
struct Open {
    sends: Sends,
    due: i64,
    items: BTreeMap<usize, Item>,
}

#[derive(Debug)]
struct Item {
    /// `None`: the reader does not know the tender yet.
    from: Option<Notice>,
    to: Notice,
}

/// A change that is not matched yet.
#[derive(Debug)]
enum Entry {
    Alert(usize, Vec<&'static str>),
    Tender { tender: usize, before: Option<Notice>, now: Notice, at: i64 },
}

/// One tender in one mail: recipient, content and alert.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Told {
    pub address: String,
    pub alert: String,
    pub is_new: bool,
    pub news: News,
}

/// The content of a mail about a tender.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct News {
    pub title: String,
    /// The closing year; for a change, before and after.
    pub years: Vec<i16>,
    /// The changed status.
    pub standing: Option<&'static str>,
}

#[derive(Debug)]
pub struct Model {
    pub now: i64,
    pub readers: [Reader; 2],
    pub alerts: Vec<Alert>,
    pub tenders: Vec<Notice>,
    log: Vec<Entry>,
    told: Vec<Told>,
}

pub fn address(reader: usize, moves: usize) -> String {
    format!("reader-{reader}-{moves}@example.lk")
}

pub fn alert_name(alert: usize) -> String {
    format!("Alert {alert}.")
}

pub fn title(tender: usize, says: &[&str]) -> String {
    format!("Lot {tender}, {}", says.join(" and "))
}

impl Reader {
    fn held_at(&self, minute: i64) -> bool {
        self.held.iter().any(|&(from, until)| from <= minute && minute < until)
    }
}

impl Model {
    pub fn new(now: i64) -> Self {
        let reader = || Reader { moves: 0, held: vec![(now, now + 10 * DAY)] };
        Self {
            now,
            readers: [reader(), reader()],
            alerts: Vec::new(),
            tenders: Vec::new(),
            log: Vec::new(),
            told: Vec::new(),
        }
    }

    /// `None`: there is no target.
    pub fn step(&mut self, step: Step) -> Option<Done> {
        let now = self.now;
        Some(match step {
            Step::NewAlert { reader, asks, sends } => {
                if !self.readers[reader].held_at(now) || self.alerts.len() > 8 {
                    return None;
                }
                self.alerts.push(Alert {
                    reader,
                    asks: asks.clone(),
                    sends,
                    mails: true,
                    is_active: true,
                    is_deleted: false,
                    matched_by: Vec::new(),
                    matches: BTreeSet::new(),
                    open: None,
                });
                self.asks(self.alerts.len() - 1)
            }
            Step::WriteAlert { alert, asks, sends, mails } => {
                let nth = self.some_alert(alert)?;
                let alert = &mut self.alerts[nth];
                (alert.asks, alert.sends, alert.mails) = (asks, sends, mails);
                if let Some(open) = &mut alert.open {
                    (open.sends, open.due) = (sends, due(sends, now));
                }
                self.asks(nth)
            }
            Step::SwitchAlert(alert) => {
                let nth = self.some_alert(alert)?;
                self.alerts[nth].is_active ^= true;
                self.asks(nth);
                Done::Switched(nth)
            }
            Step::DeleteAlert(alert) => {
                let nth = self.some_alert(alert)?;
                self.alerts[nth].is_deleted = true;
                self.alerts[nth].is_active = false;
                self.asks(nth);
                Done::Deleted(nth)
            }
            Step::Publish(says) => {
                self.tenders.push(Notice { says, closes: FIRST_YEAR, is_cancelled: false });
                self.states(self.tenders.len() - 1, None);
                Done::Published(self.tenders.len() - 1)
            }
            Step::Reword { tender, says } => self.revise(tender, |notice| notice.says = says)?,
            Step::Postpone { tender, year } => self.revise(tender, |notice| notice.closes = year)?,
            Step::Cancel(tender) => self.revise(tender, |notice| notice.is_cancelled ^= true)?,
            Step::Lapse(reader) => {
                let held = &mut self.readers[reader].held;
                for span in held.iter_mut() {
                    span.1 = span.1.min(now);
                }
                Done::Plan(reader)
            }
            Step::Subscribe { reader, days } => {
                if self.readers[reader].held_at(now) {
                    return None;
                }
                self.readers[reader].held.push((now, now + days * DAY));
                Done::Plan(reader)
            }
            Step::Move(reader) => {
                self.readers[reader].moves += 1;
                Done::Moved(reader)
            }
        })
    }

    fn some_alert(&self, at: Index) -> Option<usize> {
        // These requests need a plan.
        let there: Vec<usize> = (0..self.alerts.len())
            .filter(|&nth| {
                let alert = &self.alerts[nth];
                !alert.is_deleted && self.readers[alert.reader].held_at(self.now)
            })
            .collect();
        (!there.is_empty()).then(|| *at.get(&there))
    }

    fn asks(&mut self, nth: usize) -> Done {
        let alert = &self.alerts[nth];
        let asks = if alert.is_active { alert.asks.clone() } else { Vec::new() };
        self.log.push(Entry::Alert(nth, asks));
        Done::Alert(nth)
    }

    fn states(&mut self, tender: usize, before: Option<Notice>) {
        let now = self.tenders[tender].clone();
        self.log.push(Entry::Tender { tender, before, now, at: self.now });
    }

    fn revise(&mut self, at: Index, change: impl FnOnce(&mut Notice)) -> Option<Done> {
        if self.tenders.is_empty() {
            return None;
        }
        let tender = at.index(self.tenders.len());
        let before = self.tenders[tender].clone();
        change(&mut self.tenders[tender]);
        self.states(tender, Some(before));
        Some(Done::Revised(tender))
    }

    /// Whether changes wait to be matched.
    pub fn has_news(&self) -> bool {
        !self.log.is_empty()
    }

    /// Whether a message becomes due within this many minutes.
    pub fn is_due(&self, minutes: i64) -> bool {
        self.alerts.iter().filter_map(|alert| alert.open.as_ref()).any(|open| open.due <= self.now + minutes)
    }

    /// Matches and mails everything due.
    pub fn work(&mut self) {
        for entry in std::mem::take(&mut self.log) {
            match entry {
                Entry::Alert(nth, asks) => self.alerts[nth].matched_by = asks,
                Entry::Tender { tender, before, now, at } => {
                    for nth in 0..self.alerts.len() {
                        self.meet(nth, tender, before.as_ref(), &now, at);
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

    fn meet(&mut self, nth: usize, tender: usize, before: Option<&Notice>, notice: &Notice, at: i64) {
        let (now, goes) = (self.now, self.goes(nth));
        let alert = &mut self.alerts[nth];
        let reader = &self.readers[alert.reader];
        if alert.matches.contains(&tender) {
            let Some(before) = before else { return };
            if (before.closes, before.is_cancelled) == (notice.closes, notice.is_cancelled) {
                return;
            }
            match alert.open.as_mut().and_then(|open| open.items.get_mut(&tender)) {
                Some(item) if item.from.is_none() => item.to = notice.clone(),
                _ if goes => alert.collect(tender, Some(before), notice, now),
                _ => {}
            }
        } else if alert.is_active
            && !notice.is_cancelled
            && alert.matched_by.iter().any(|word| notice.says.contains(word))
            && reader.held_at(at)
            && reader.held_at(now)
        {
            alert.matches.insert(tender);
            if goes {
                alert.collect(tender, None, notice, now);
            }
        }
    }

    /// Whether the alert's reader gets mail now.
    fn goes(&self, nth: usize) -> bool {
        let alert = &self.alerts[nth];
        alert.is_active && alert.mails && self.readers[alert.reader].held_at(self.now)
    }

    fn send(&mut self, nth: usize, digests: &mut BTreeMap<(usize, usize, bool), News>) {
        let Some(open) = self.alerts[nth].open.take() else { return };
        if !self.goes(nth) {
            return;
        }
        let reader = self.alerts[nth].reader;
        let address = address(reader, self.readers[reader].moves);
        for (tender, item) in open.items {
            let Some(own) = item.news(tender) else { continue };
            let is_new = item.from.is_none();
            let news = match open.sends {
                Sends::AtOnce => own,
                _ => digests.entry((reader, tender, is_new)).or_insert(own).clone(),
            };
            self.told.push(Told { address: address.clone(), alert: alert_name(nth), is_new, news });
        }
    }

    /// All mails, sorted.
    pub fn told(&self) -> Vec<Told> {
        let mut told = self.told.clone();
        told.sort();
        told
    }
}

impl Alert {
    fn collect(&mut self, tender: usize, from: Option<&Notice>, to: &Notice, now: i64) {
        let due = due(self.sends, now);
        let open = self.open.get_or_insert(Open { sends: self.sends, due, items: BTreeMap::new() });
        if open.sends != self.sends || self.sends == Sends::AtOnce {
            (open.sends, open.due) = (self.sends, due);
        }
        let item = open.items.entry(tender).or_insert(Item { from: from.cloned(), to: to.clone() });
        item.to = to.clone();
    }
}

impl Item {
    /// `None`: it is unchanged in the end.
    fn news(&self, tender: usize) -> Option<News> {
        let Self { from, to } = self;
        let (years, standing) = match from {
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
        Some(News { title: title(tender, &to.says), years, standing })
    }
}

/// When items collected now are sent.
fn due(sends: Sends, now: i64) -> i64 {
    let today = (now + AHEAD).div_euclid(DAY);
    // 1 January 1970 was a Thursday.
    let fits = |day: &i64| sends == Sends::Daily || (day + 3).rem_euclid(7) == 0;
    match sends {
        Sends::AtOnce => now,
        _ => (today..).filter(fits).map(|day| day * DAY + NINE - AHEAD).find(|due| *due > now).unwrap(),
    }
}

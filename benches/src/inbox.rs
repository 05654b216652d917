//! From page to inbox. Pages with known content are read automatically and published to a real
//! portal. Two alerts watch for each expected tender, and a mail server counts the mails. The
//! result says whether each tender arrives, with the right closing day, and how soon.

use crate::{
    mails::{
        Collecting, Plan,
        portal::{self, Portal},
        smtp::{Mail, MailServer},
        store::Store,
        until,
    },
    server::Server,
    workload::{Alert, uuid_of},
};
use anyhow::{Result, ensure};
use index::{
    alert::{AdvancedFilters, AlertQuery, Keyword},
    text::Words,
    vocabulary::{Day, MatchType, Moment, TenderStatus},
};
use ingest::{
    batch::{self, Issue, NoticeView, Options, Progress, Sender, Sinks, find_pages, stored_notices},
    eval::{GroundTruth, LOOSE_IOU, TruthRegion, overlap},
    ocr::Readers,
    publish,
};
use mail_parser::MessageParser;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Kinds of notice that change or report a tender; they cause no mail about a new one.
const NO_TENDERS: [&str; 2] = ["corrigendum", "award"];
/// The minimum length of a word in an alert.
const LEAST_LETTERS: usize = 4;
/// Months as in the portal's English mails.
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec"];

/// The parameters of a measurement.
#[derive(Debug, Clone)]
pub struct InboxPlan {
    /// The portal's executable.
    pub api: PathBuf,
    /// Folders and files of pages.
    pub pages: Vec<PathBuf>,
    /// The folder with the expected content.
    pub truth: PathBuf,
    /// Cores for reading.
    pub jobs: usize,
    /// The timeout from the last page to the last mail.
    pub patience: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
}

/// Counts of the tenders in one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Arrived {
    /// Tenders printed on the pages.
    pub tenders: usize,
    /// Of these, mailed to their subscriber.
    pub mailed: usize,
    /// Of these, mailed with the right closing day.
    pub with_right_closing: usize,
    /// Of these, mailed with a right closing day marked as uncertain.
    pub closing_marked: usize,
}

/// The results for pages of one quality.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Inbox {
    /// Pages read.
    pub pages: usize,
    /// By language.
    pub languages: BTreeMap<String, Arrived>,
    /// Different tenders mailed to any reader.
    pub mailed: usize,
    /// Of these, those that are not a tender notice on the page.
    pub no_tenders: usize,
    /// Mails.
    pub mails: usize,
    /// The longest time from submitting a page to the last mail about its tenders, in seconds.
    pub slowest_s: f64,
    /// Notices awaiting review: in the output folder, and in the portal.
    pub waiting: usize,
    /// Tenders that did not arrive or had a wrong closing day: page, piece and reason.
    pub missed: Vec<String>,
}

/// An expected tender and its subscribers.
struct Watched {
    page: PathBuf,
    piece: TruthRegion,
}

/// A published notice: its place, and the resulting tender.
struct Sent {
    page: PathBuf,
    area: index::tender::PageBox,
    tender: Uuid,
}

/// Reads the pages group by group, each group on its own portal. The group is the part of a page's
/// name after the last `_`, or the file's extension.
pub fn run(plan: &InboxPlan, server: &Server) -> Result<BTreeMap<String, Inbox>> {
    let sources = find_pages(&plan.pages, &Issue::default(), None)?.complete()?.sources;
    let mut groups: BTreeMap<String, Vec<batch::PageSource>> = BTreeMap::new();
    for source in sources {
        groups.entry(ingest::eval::group(&source.path)).or_default().push(source);
    }
    let measure =
        |(name, sources): (String, Vec<batch::PageSource>)| Ok((name, of_group(plan, server, &sources)?));
    groups.into_iter().map(measure).collect()
}

fn of_group(plan: &InboxPlan, server: &Server, sources: &[batch::PageSource]) -> Result<Inbox> {
    let mut pieces: HashMap<PathBuf, Vec<TruthRegion>> = HashMap::new();
    let mut watched = Vec::new();
    for source in sources {
        let truth = GroundTruth::of(&source.path, &plan.truth)?;
        for piece in truth.pieces.iter().filter(|piece| is_tender(piece)) {
            watched.push(Watched { page: source.path.clone(), piece: piece.clone() });
        }
        pieces.insert(source.path.clone(), truth.pieces);
    }
    ensure!(!watched.is_empty(), "the pages print no tender that an alert could watch for");
    let alerts = alerts_for(&watched);
    let folder = tempfile::tempdir()?;
    let mail = MailServer::keeping()?;
    let mut store = Store::fresh(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    store.fill(watched.len(), &alerts)?;
    let token = portal::run(&plan.api, store.url(), &["admin", "token", "create", "inbox"])?;
    let data = folder.path().join("portal");
    let settings = Plan {
        api: plan.api.clone(),
        users: watched.len(),
        alerts: alerts.len(),
        notices: 0,
        seed: 0,
        at_once: 4,
        collecting: Collecting::Waited,
        patience: plan.patience,
        log: plan.log.clone(),
        settings: Vec::new(),
    };
    let portal = Portal::start(&settings, store.url(), &data, mail.url())?;
    until("the portal to come level", plan.patience, || store.is_matched())?;

    let out = folder.path().join("notices");
    let sender = Sender::new(publish::Portal::new(portal.base())?, token.trim(), false)?;
    let mut begun = HashMap::new();
    for (page, source) in sources.iter().enumerate() {
        begun.insert(source.path.clone(), Instant::now());
        // A folder for each page: pages of two issues may have the same name.
        let out = folder_of(&out, page);
        let options = Options { jobs: plan.jobs, ..Options::new(vec![source.path.clone()], out, now) };
        let issue = Issue { publication: Some(source.publication.clone()), date: source.date };
        let options = Options { issue, ..options };
        let sinks = Sinks { sender: Some(&sender), index: None };
        let report = batch::run(&options, &Readers::new, sinks, &Progress::choose(false))?;
        ensure!(report.failed.is_empty(), "{}: {}", source.file, report.failed.join("; "));
    }
    let head = store.head()?;
    until("the matcher", plan.patience, || Ok(store.is_matched()? && portal.indexed()? >= head))?;
    until("the last mail", plan.patience, || store.is_all_sent())?;
    let (sent, waiting) = published(&out, sources)?;
    Ok(count(&watched, &pieces, &sent, &mail.taken(), &begun, waiting, sources.len()))
}

fn now() -> Moment {
    #[expect(clippy::disallowed_methods, reason = "the portal that is measured has the machine's clock")]
    let now = jiff::Timestamp::now();
    Moment::new(now)
}

fn is_tender(piece: &TruthRegion) -> bool {
    let kind = piece.fields.kind.as_deref().unwrap_or("purchase");
    piece.is_notice && !NO_TENDERS.contains(&kind) && piece.fields.title.is_some()
}

/// Creates two alerts for each tender, owned by one reader: the two rarest neighbouring words of
/// its title, and the organisation's name. All first alerts precede the second ones, because the
/// store assigns owners in turn.
fn alerts_for(watched: &[Watched]) -> Vec<(Uuid, Alert)> {
    let words = |text: &str| Words::of(text).iter().map(str::to_owned).collect::<Vec<String>>();
    let titles: Vec<Vec<String>> =
        watched.iter().map(|one| words(one.piece.fields.title.as_deref().unwrap_or_default())).collect();
    let mut common: HashMap<&str, usize> = HashMap::new();
    for title in &titles {
        for word in title.iter().map(String::as_str).collect::<HashSet<&str>>() {
            *common.entry(word).or_default() += 1;
        }
    }
    let is_telling =
        |word: &String| word.chars().count() >= LEAST_LETTERS && word.chars().all(char::is_alphabetic);
    let by_title = titles.iter().map(|title| {
        let pairs = title.windows(2).filter(|pair| pair.iter().all(is_telling));
        let rarest = pairs.min_by_key(|pair| pair.iter().map(|word| common[word.as_str()]).sum::<usize>());
        rarest.map_or_else(|| title.join(" "), |pair| pair.join(" "))
    });
    let by_body = watched.iter().map(|one| one.piece.fields.organisation.clone().unwrap_or_default());
    // Without an organisation, the title's words are used again.
    let titles: Vec<String> = by_title.collect();
    let bodies = by_body.zip(&titles).map(|(body, title)| if body.is_empty() { title.clone() } else { body });
    let all: Vec<String> = titles.iter().cloned().chain(bodies).collect();
    let alert = |(place, term): (usize, String)| {
        // Include closed tenders: pages of old issues are read too.
        let advanced_filters = AdvancedFilters {
            included_statuses: vec![TenderStatus::Published, TenderStatus::Closed],
            ..AdvancedFilters::default()
        };
        let keywords = vec![Keyword { term, match_type: MatchType::Contains }];
        let query = AlertQuery { keywords, advanced_filters, ..AlertQuery::default() };
        (uuid_of(place), Alert { id: place.to_string(), query })
    };
    all.into_iter().enumerate().map(alert).collect()
}

/// The folder of a page's notices.
fn folder_of(out: &Path, page: usize) -> PathBuf {
    out.join(page.to_string())
}

/// Reads the outcome of each notice, and the number in review.
fn published(out: &Path, sources: &[batch::PageSource]) -> Result<(Vec<Sent>, usize)> {
    let (mut sent, mut waiting) = (Vec::new(), 0);
    for (page, source) in sources.iter().enumerate() {
        for entry in stored_notices(&folder_of(out, page))? {
            let view = NoticeView::of(&entry)?;
            match view.published.and_then(|published| published.receipt.id) {
                Some(tender) => sent.push(Sent { page: source.path.clone(), area: view.area, tender }),
                None => waiting += 1,
            }
        }
    }
    Ok((sent, waiting))
}

fn count(
    watched: &[Watched],
    pieces: &HashMap<PathBuf, Vec<TruthRegion>>,
    sent: &[Sent],
    mails: &[Mail],
    begun: &HashMap<PathBuf, Instant>,
    waiting: usize,
    pages: usize,
) -> Inbox {
    let mut inbox = Inbox { pages, mails: mails.len(), waiting, ..Inbox::default() };
    let read: Vec<(Vec<String>, Instant, String)> = mails
        .iter()
        .map(|mail| {
            let text = MessageParser::default()
                .parse(&mail.content)
                .and_then(|message| message.body_text(0).map(std::borrow::Cow::into_owned));
            (mail.to.clone(), mail.at, text.unwrap_or_default())
        })
        .collect();
    let pages_of: HashMap<Uuid, &Path> = sent.iter().map(|one| (one.tender, one.page.as_path())).collect();
    let mut mailed: BTreeSet<Uuid> = BTreeSet::new();
    for (_, at, text) in &read {
        for (tender, page) in &pages_of {
            if text.contains(&format!("/tenders/{tender}")) {
                mailed.insert(*tender);
                if let Some(begun) = begun.get(*page) {
                    inbox.slowest_s = inbox.slowest_s.max(at.saturating_duration_since(*begun).as_secs_f64());
                }
            }
        }
    }
    inbox.mailed = mailed.len();
    let is_on_page = |one: &Sent| {
        let of_page = pieces.get(&one.page).into_iter().flatten().filter(|piece| piece.is_notice);
        of_page.map(|piece| overlap(piece.area, one.area)).any(|share| share >= LOOSE_IOU)
    };
    let real: HashSet<Uuid> = sent.iter().filter(|one| is_on_page(one)).map(|one| one.tender).collect();
    inbox.no_tenders = mailed.iter().filter(|tender| !real.contains(tender)).count();
    for (reader, one) in watched.iter().enumerate() {
        let arrived = inbox.languages.entry(one.piece.language.clone()).or_default();
        arrived.tenders += 1;
        let own = sent
            .iter()
            .filter(|other| other.page == one.page)
            .map(|other| (overlap(one.piece.area, other.area), other))
            .filter(|(share, _)| *share >= LOOSE_IOU)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let place = format!("{}, {}", one.page.display(), one.piece.id);
        let Some((_, own)) = own else {
            inbox.missed.push(format!("{place}: not published"));
            continue;
        };
        let address = format!("reader{reader}@readers.example");
        let link = format!("/tenders/{}", own.tender);
        let cards = read.iter().filter(|(to, ..)| to.contains(&address));
        let card =
            cards.flat_map(|(_, _, text)| text.split("----------------")).find(|card| card.contains(&link));
        let Some(card) = card else {
            inbox.missed.push(format!("{place}: published, and no alert for it matched"));
            continue;
        };
        arrived.mailed += 1;
        let wanted = one.piece.fields.closing_date.as_deref().and_then(|day| day.parse::<Day>().ok());
        let line = card.lines().find(|line| line.starts_with("Close") || line.starts_with("Closing"));
        let is_right = match wanted {
            Some(day) => line.is_some_and(|line| line.contains(&in_words(day))),
            // The page prints no closing day.
            None => true,
        };
        if is_right {
            arrived.with_right_closing += 1;
            arrived.closing_marked += usize::from(line.is_some_and(|line| line.contains("not certain")));
        } else {
            let line = line.unwrap_or("nothing of a closing");
            inbox.missed.push(format!(
                "{place}: closes {}, mailed `{line}`",
                one.piece.fields.closing_date.as_deref().unwrap_or("-")
            ));
        }
    }
    inbox
}

/// `14 May 2024`
fn in_words(day: Day) -> String {
    let text = day.to_string();
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<usize>().ok()).unwrap_or_default();
    let month = MONTHS.get(number(month).wrapping_sub(1)).copied().unwrap_or_default();
    format!("{} {month} {}", number(day), year.unwrap_or_default())
}

/// The groups as a Markdown table.
pub struct Table<'t>(pub &'t BTreeMap<String, Inbox>);

impl fmt::Display for Table<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(groups) = self;
        let row = |out: &mut fmt::Formatter<'_>, name: &str, cell: &dyn Fn(&Inbox) -> String| {
            write!(out, "| {name} |")?;
            groups.values().try_for_each(|inbox| write!(out, " {} |", cell(inbox)))?;
            writeln!(out)
        };
        write!(out, "| |")?;
        groups.keys().try_for_each(|name| write!(out, " {name} |"))?;
        write!(out, "\n|---|")?;
        groups.keys().try_for_each(|_| write!(out, "---|"))?;
        writeln!(out)?;
        for (code, name) in [("en", "English"), ("si", "Sinhala"), ("ta", "Tamil")] {
            let of = |inbox: &Inbox| inbox.languages.get(code).copied().unwrap_or_default();
            let share = |part: usize, all: usize| match all {
                0 => "–".to_owned(),
                all => format!("{part} of {all} ({:.2})", part as f64 / all as f64),
            };
            row(out, &format!("{name} tenders mailed"), &|inbox| share(of(inbox).mailed, of(inbox).tenders))?;
            row(out, &format!("{name}, with the right closing day"), &|inbox| {
                share(of(inbox).with_right_closing, of(inbox).tenders)
            })?;
            row(out, &format!("{name}, of these marked not certain"), &|inbox| {
                of(inbox).closing_marked.to_string()
            })?;
        }
        row(out, "tenders mailed that are none", &|inbox| {
            format!("{} of {}", inbox.no_tenders, inbox.mailed)
        })?;
        row(out, "notices that wait for a person", &|inbox| inbox.waiting.to_string())?;
        row(out, "mails", &|inbox| inbox.mails.to_string())?;
        row(out, "slowest mail after its page, seconds", &|inbox| format!("{:.0}", inbox.slowest_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_format_matches_mails() {
        assert_eq!(in_words("2024-05-04".parse().unwrap()), "4 May 2024");
        assert_eq!(in_words("2027-09-30".parse().unwrap()), "30 Sept 2027");
    }
}

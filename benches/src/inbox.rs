//! Measures the path from page to inbox. Pages with known content are read automatically and
//! published to a real portal. Two alerts search for each expected tender, and a mail server
//! receives the mails. The result says whether each tender arrives, with the right closing day, and
//! how soon.

use crate::{
    mails::{
        Collecting, MailsPlan,
        portal::{self, Portal},
        smtp::{Mail, MailServer},
        store::Store,
        wait_until,
    },
    server::Server,
    workload::{Alert, uuid_of},
};
use anyhow::{Result, ensure};
use ingest::{
    batch::{self, Issue, NoticeView, Options, Progress, Sender, Sinks, find_pages, stored_notices},
    eval::{GroundTruth, LOOSE_IOU, TruthRegion, overlap},
    ocr::Readers,
    portal_client,
};
use mail_parser::MessageParser;
use serde::Serialize;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, HashSet},
    fmt,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use tender_model::{
    alert::{AdvancedFilters, AlertQuery, Keyword},
    text::Words,
    vocabulary::{Day, MatchType, Moment, TenderStatus},
};
use uuid::Uuid;

/// The kinds of notice that change a tender or report its outcome. They cause no mail about a new
/// tender.
const KINDS_WITHOUT_TENDER: [&str; 2] = ["corrigendum", "award"];
/// The minimum length of a word that an alert takes from a title.
const MIN_WORD_LETTERS: usize = 4;
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
    /// The timeout of each wait for the portal.
    pub timeout: Duration,
    /// The file of the portal's log.
    pub log: Option<PathBuf>,
}

/// Counts of the tenders in one language.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ArrivalCounts {
    /// The tenders printed on the pages.
    pub tenders: usize,
    /// The tenders that were mailed to their subscriber.
    pub mailed: usize,
    /// The tenders that were mailed with the right closing day.
    pub with_right_closing: usize,
    /// The tenders that were mailed with the right closing day, marked as uncertain.
    pub closing_marked: usize,
}

/// The results for one group of pages.
#[derive(Debug, Clone, Default, Serialize)]
pub struct InboxReport {
    /// The number of pages read.
    pub pages: usize,
    /// The counts by language.
    pub languages: BTreeMap<String, ArrivalCounts>,
    /// The number of different tenders mailed to any subscriber.
    pub mailed: usize,
    /// The number of mailed tenders that are not a notice on their page.
    pub no_tenders: usize,
    /// The number of mails.
    pub mails: usize,
    /// The longest time from the start of reading a page to the last mail about its tenders, in
    /// seconds.
    pub slowest_s: f64,
    /// The number of notices that await review, in the output folder or in the portal.
    pub waiting: usize,
    /// Tenders that did not arrive or had a wrong closing day: page, region and reason.
    pub missed: Vec<String>,
}

/// A tender that a page prints, with its page.
struct ExpectedTender {
    page: PathBuf,
    region: TruthRegion,
}

/// A published notice: its page, its position, and the tender that it created or joined.
struct PublishedNotice {
    page: PathBuf,
    area: tender_model::tender::PageBox,
    tender: Uuid,
}

/// Reads the pages group by group, each group on its own portal. The group is the part of a page's
/// name after the last `_`, or the file's extension.
pub fn run(plan: &InboxPlan, server: &Server) -> Result<BTreeMap<String, InboxReport>> {
    let sources = find_pages(&plan.pages, &Issue::default(), None)?.complete()?.sources;
    let mut groups: BTreeMap<String, Vec<batch::PageSource>> = BTreeMap::new();
    for source in sources {
        groups.entry(ingest::eval::group(&source.path)).or_default().push(source);
    }
    let measure = |(name, sources): (String, Vec<batch::PageSource>)| {
        Ok((name, measure_group(plan, server, &sources)?))
    };
    groups.into_iter().map(measure).collect()
}

fn measure_group(plan: &InboxPlan, server: &Server, sources: &[batch::PageSource]) -> Result<InboxReport> {
    let mut regions: HashMap<PathBuf, Vec<TruthRegion>> = HashMap::new();
    let mut expected = Vec::new();
    for source in sources {
        let truth = GroundTruth::of(&source.path, &plan.truth)?;
        for region in truth.regions.iter().filter(|region| is_tender(region)) {
            expected.push(ExpectedTender { page: source.path.clone(), region: region.clone() });
        }
        regions.insert(source.path.clone(), truth.regions);
    }
    ensure!(!expected.is_empty(), "the pages contain no tender for an alert");
    let alerts = alerts_for(&expected);
    let folder = tempfile::tempdir()?;
    let mail = MailServer::start_keeping_content()?;
    let mut store = Store::create(server)?;
    portal::run(&plan.api, store.url(), &["migrate"])?;
    store.fill(expected.len(), &alerts)?;
    let token = portal::run(&plan.api, store.url(), &["admin", "token", "create", "inbox"])?;
    let data = folder.path().join("portal");
    let settings = MailsPlan {
        api: plan.api.clone(),
        users: expected.len(),
        alerts: alerts.len(),
        notices: 0,
        seed: 0,
        at_once: 4,
        collecting: Collecting::Waited,
        timeout: plan.timeout,
        log: plan.log.clone(),
        settings: Vec::new(),
    };
    let portal = Portal::start(&settings, store.url(), &data, mail.url())?;
    wait_until("the portal to process all changes", plan.timeout, || store.is_matched())?;

    let out = folder.path().join("notices");
    let sender = Sender::new(portal_client::Portal::new(portal.base())?, token.trim(), false)?;
    let mut begun = HashMap::new();
    for (page, source) in sources.iter().enumerate() {
        begun.insert(source.path.clone(), Instant::now());
        // Each page has its own folder, because pages of two issues may have the same name.
        let out = page_folder(&out, page);
        let options = Options { jobs: plan.jobs, ..Options::new(vec![source.path.clone()], out, now) };
        let issue = Issue { publication: Some(source.publication.clone()), date: source.date };
        let options = Options { issue, ..options };
        let sinks = Sinks { sender: Some(&sender), index: None };
        let report = batch::run(&options, &Readers::new, sinks, &Progress::choose(false))?;
        ensure!(report.failed.is_empty(), "{}: {}", source.file, report.failed.join("; "));
    }
    let head = store.head()?;
    wait_until("the matcher", plan.timeout, || Ok(store.is_matched()? && portal.index_position()? >= head))?;
    wait_until("the last mail", plan.timeout, || store.is_all_sent())?;
    let (sent, waiting) = read_outcomes(&out, sources)?;
    Ok(count_arrivals(&expected, &regions, &sent, &mail.received(), &begun, waiting, sources.len()))
}

fn now() -> Moment {
    #[expect(clippy::disallowed_methods, reason = "the measured portal uses the machine's clock")]
    let now = jiff::Timestamp::now();
    Moment::new(now)
}

fn is_tender(region: &TruthRegion) -> bool {
    let kind = region.fields.kind.as_deref().unwrap_or("purchase");
    region.is_notice && !KINDS_WITHOUT_TENDER.contains(&kind) && region.fields.title.is_some()
}

/// Creates two alerts with the same owner for each tender. One searches for the two rarest
/// neighbouring words of the title, the other for the organisation's name. All first alerts
/// precede the second ones, because the store assigns owners in turn.
fn alerts_for(expected: &[ExpectedTender]) -> Vec<(Uuid, Alert)> {
    let words = |text: &str| Words::of(text).iter().map(str::to_owned).collect::<Vec<String>>();
    let titles: Vec<Vec<String>> =
        expected.iter().map(|one| words(one.region.fields.title.as_deref().unwrap_or_default())).collect();
    let mut common: HashMap<&str, usize> = HashMap::new();
    for title in &titles {
        for word in title.iter().map(String::as_str).collect::<HashSet<&str>>() {
            *common.entry(word).or_default() += 1;
        }
    }
    let is_distinctive =
        |word: &String| word.chars().count() >= MIN_WORD_LETTERS && word.chars().all(char::is_alphabetic);
    let by_title = titles.iter().map(|title| {
        let pairs = title.windows(2).filter(|pair| pair.iter().all(is_distinctive));
        let rarest = pairs.min_by_key(|pair| pair.iter().map(|word| common[word.as_str()]).sum::<usize>());
        rarest.map_or_else(|| title.join(" "), |pair| pair.join(" "))
    });
    let by_organisation =
        expected.iter().map(|one| one.region.fields.organisation.clone().unwrap_or_default());
    // Without an organisation, the title's words are used again.
    let titles: Vec<String> = by_title.collect();
    let organisations = by_organisation
        .zip(&titles)
        .map(|(organisation, title)| if organisation.is_empty() { title.clone() } else { organisation });
    let all: Vec<String> = titles.iter().cloned().chain(organisations).collect();
    let alert = |(place, term): (usize, String)| {
        // Include closed tenders, because pages of old issues are read too.
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
fn page_folder(out: &Path, page: usize) -> PathBuf {
    out.join(page.to_string())
}

/// Reads the published notices, and the number of notices in review.
fn read_outcomes(out: &Path, sources: &[batch::PageSource]) -> Result<(Vec<PublishedNotice>, usize)> {
    let (mut sent, mut waiting) = (Vec::new(), 0);
    for (page, source) in sources.iter().enumerate() {
        for entry in stored_notices(&page_folder(out, page))? {
            let view = NoticeView::of(&entry)?;
            match view.published.and_then(|published| published.receipt.id) {
                Some(tender) => {
                    sent.push(PublishedNotice { page: source.path.clone(), area: view.area, tender })
                }
                None => waiting += 1,
            }
        }
    }
    Ok((sent, waiting))
}

fn count_arrivals(
    expected: &[ExpectedTender],
    regions: &HashMap<PathBuf, Vec<TruthRegion>>,
    sent: &[PublishedNotice],
    mails: &[Mail],
    begun: &HashMap<PathBuf, Instant>,
    waiting: usize,
    pages: usize,
) -> InboxReport {
    let mut inbox = InboxReport { pages, mails: mails.len(), waiting, ..InboxReport::default() };
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
    let is_on_page = |one: &PublishedNotice| {
        let of_page = regions.get(&one.page).into_iter().flatten().filter(|region| region.is_notice);
        of_page.map(|region| overlap(region.area, one.area)).any(|share| share >= LOOSE_IOU)
    };
    let real: HashSet<Uuid> = sent.iter().filter(|one| is_on_page(one)).map(|one| one.tender).collect();
    inbox.no_tenders = mailed.iter().filter(|tender| !real.contains(tender)).count();
    for (subscriber, one) in expected.iter().enumerate() {
        let arrived = inbox.languages.entry(one.region.language.clone()).or_default();
        arrived.tenders += 1;
        let own = sent
            .iter()
            .filter(|other| other.page == one.page)
            .map(|other| (overlap(one.region.area, other.area), other))
            .filter(|(share, _)| *share >= LOOSE_IOU)
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let place = format!("{}, {}", one.page.display(), one.region.id);
        let Some((_, own)) = own else {
            inbox.missed.push(format!("{place}: not published"));
            continue;
        };
        let address = format!("reader{subscriber}@readers.example");
        let link = format!("/tenders/{}", own.tender);
        let cards = read.iter().filter(|(to, ..)| to.contains(&address));
        let card =
            cards.flat_map(|(_, _, text)| text.split("----------------")).find(|card| card.contains(&link));
        let Some(card) = card else {
            inbox.missed.push(format!("{place}: published, but no alert matched"));
            continue;
        };
        arrived.mailed += 1;
        let wanted = one.region.fields.closing_date.as_deref().and_then(|day| day.parse::<Day>().ok());
        let line = card.lines().find(|line| line.starts_with("Close") || line.starts_with("Closing"));
        let is_right = match wanted {
            Some(day) => line.is_some_and(|line| line.contains(&format_day(day))),
            // The page prints no closing day.
            None => true,
        };
        if is_right {
            arrived.with_right_closing += 1;
            arrived.closing_marked += usize::from(line.is_some_and(|line| line.contains("not certain")));
        } else {
            let line = line.unwrap_or("no closing day");
            inbox.missed.push(format!(
                "{place}: closes {}, mailed `{line}`",
                one.region.fields.closing_date.as_deref().unwrap_or("-")
            ));
        }
    }
    inbox
}

/// Formats a day as `14 May 2024`.
fn format_day(day: Day) -> String {
    let text = day.to_string();
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next(), parts.next(), parts.next());
    let number = |part: Option<&str>| part.and_then(|part| part.parse::<usize>().ok()).unwrap_or_default();
    let month = MONTHS.get(number(month).wrapping_sub(1)).copied().unwrap_or_default();
    format!("{} {month} {}", number(day), year.unwrap_or_default())
}

/// Formats the groups as a Markdown table.
pub struct InboxTable<'t>(pub &'t BTreeMap<String, InboxReport>);

impl fmt::Display for InboxTable<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(groups) = self;
        let row = |out: &mut fmt::Formatter<'_>, name: &str, cell: &dyn Fn(&InboxReport) -> String| {
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
            let of = |inbox: &InboxReport| inbox.languages.get(code).copied().unwrap_or_default();
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
        row(out, "mailed tenders that are not on the page", &|inbox| {
            format!("{} of {}", inbox.no_tenders, inbox.mailed)
        })?;
        row(out, "notices in review", &|inbox| inbox.waiting.to_string())?;
        row(out, "mails", &|inbox| inbox.mails.to_string())?;
        row(out, "longest time from page to mail, seconds", &|inbox| format!("{:.0}", inbox.slowest_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn day_format_matches_mails() {
        assert_eq!(format_day("2024-05-04".parse().unwrap()), "4 May 2024");
        assert_eq!(format_day("2027-09-30".parse().unwrap()), "30 Sept 2027");
    }
}

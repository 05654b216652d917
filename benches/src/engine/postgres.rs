//! Postgres: alerts as rows with a `tsquery` for whole words and prefixes, `like` patterns for the
//! rest, and bit masks and ranges for the filters. `scan` reads all rows. `anchors` first uses an
//! index to find alerts that share an anchor with the tender. An anchor is the longest whole word
//! of a keyword, or at most three letters of a partial word.

use super::Engine;
use crate::{
    plain::{self, Facet, PlainAlert, PlainTender},
    server::{Backend, Server},
    workload::Workload,
};
use anyhow::{Result, bail};
use index::{
    percolate::PercolationCounters,
    query::{Pattern, WordMatch},
};
use postgres::{Client, Statement};
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt::Write as _,
    io::Write as _,
    time::Duration,
};
use tender_model::{alert::AlertQuery, tender::Tender, vocabulary::Currency};

/// The number of alerts from which anchors are faster than a scan.
const MIN_ALERTS_FOR_ANCHORS: usize = 5000;
/// The number of letters of an anchor within a word.
const ANCHOR_LETTERS: usize = 3;

const TABLE: &str = "
    set temp_buffers = '1GB'; set jit = off; set max_parallel_workers_per_gather = 0; set work_mem = '256MB';
    set client_min_messages = warning;
    create temp table alert (
        id int primary key, status bigint not null, category bigint not null, organization bigint not null,
        priority bigint not null, places text[], mins bigint[], maxs bigint[], first_day bigint, last_day bigint,
        words tsquery, likes text[], unlikes text[]
    );
    create temp table anchor (anchor text not null, alert int not null)";

/// The condition for a match. The parameters are the tender's four masks, places, value, currency,
/// days, words with positions, and joined text. The anchors follow as the eleventh.
const CONDITION: &str = "
    status & $1 <> 0 and category & $2 <> 0 and organization & $3 <> 0 and priority & $4 <> 0
    and (places is null or places && $5::text[])
    and ($6::bigint is null or mins is null or $6 between mins[$7::int] and maxs[$7::int])
    and (first_day is null or $8::bigint between first_day and last_day)
    and (words @@ (select ($9::text)::tsvector) or $10::text like any (likes))
    and (unlikes is null or not $10::text like any (unlikes))";

pub(super) struct Postgres<'a> {
    client: Client,
    backend: Backend,
    workload: &'a Workload,
    currencies: Vec<Currency>,
    /// The bit of each term of a facet.
    bits: RefCell<HashMap<(usize, String), u32>>,
    variant: Option<String>,
    match_statement: Option<Statement>,
    /// The number of alerts with each anchor. Other anchors are not searched for.
    alerts_by_anchor: HashMap<String, u32>,
    /// The buffered lines for the tables `alert` and `anchor`.
    buffered: [String; 2],
    /// The number of alerts, including the buffered ones.
    alert_count: u32,
}

impl<'a> Postgres<'a> {
    pub(super) fn new(server: &Server, workload: &'a Workload, variant: Option<&str>) -> Result<Self> {
        if !matches!(variant, None | Some("scan" | "anchors")) {
            bail!("the variants of Postgres are scan and anchors");
        }
        let mut client = server.connect()?;
        client.batch_execute(TABLE)?;
        let backend = Backend::of(&mut client)?;
        Ok(Self {
            client,
            backend,
            workload,
            currencies: plain::currencies(&workload.tenders),
            bits: RefCell::default(),
            variant: variant.map(str::to_owned),
            match_statement: None,
            alerts_by_anchor: HashMap::new(),
            buffered: Default::default(),
            alert_count: 0,
        })
    }

    fn mask(&self, facet: Facet, terms: &[String]) -> Result<i64> {
        let mut bits = self.bits.borrow_mut();
        terms.iter().try_fold(0, |mask, term| {
            let next = bits.keys().filter(|(other, _)| *other == facet as usize).count() as u32;
            let bit = *bits.entry((facet as usize, term.clone())).or_insert(next);
            if bit > 62 {
                bail!("there are more terms than bits");
            }
            Ok(mask | 1 << bit)
        })
    }

    /// Returns an alert's columns after its id, in the format of `copy`.
    fn columns(&self, alert: &PlainAlert) -> Result<Vec<String>> {
        let accepted = |facet: Facet| match &alert.accepts[facet as usize] {
            Some(terms) => self.mask(facet, terms),
            None => Ok(-1),
        };
        let masks = [Facet::Status, Facet::Category, Facet::Organization, Facet::Priority];
        let mut columns: Vec<String> =
            masks.into_iter().map(|facet| Ok(accepted(facet)?.to_string())).collect::<Result<_>>()?;
        let null = || "\\N".to_owned();
        columns.push(alert.accepts[Facet::Place as usize].as_deref().map_or_else(null, array_literal));
        let numbers = |numbers: Vec<i64>| {
            if numbers.is_empty() {
                null()
            } else {
                array_literal(&numbers.iter().map(i64::to_string).collect::<Vec<_>>())
            }
        };
        columns.push(numbers(alert.values.iter().map(|bounds| bounds.min).collect()));
        columns.push(numbers(alert.values.iter().map(|bounds| bounds.max).collect()));
        columns.push(alert.days.map_or_else(null, |(min, _)| min.to_string()));
        columns.push(alert.days.map_or_else(null, |(_, max)| max.to_string()));
        let (words, likes): (Vec<&Pattern>, Vec<&Pattern>) =
            alert.keywords.iter().partition(|pattern| !plain::open_sides(pattern).0);
        let words: Vec<String> = words.into_iter().map(phrase_query).collect();
        columns.push(if words.is_empty() { null() } else { words.join(" | ") });
        let patterns =
            |patterns: Vec<String>| if patterns.is_empty() { null() } else { array_literal(&patterns) };
        columns.push(patterns(likes.into_iter().map(like_pattern).collect()));
        columns.push(patterns(alert.excludes.iter().map(like_pattern).collect()));
        Ok(columns)
    }
}

impl Engine for Postgres<'_> {
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()> {
        let plain = PlainAlert::of(query, &self.currencies, &self.workload.rates);
        let columns = self.columns(&plain)?;
        if alert < self.alert_count {
            let id = alert as i32;
            self.client.execute("delete from alert where id = $1", &[&id])?;
            let removed =
                self.client.query("delete from anchor where alert = $1 returning anchor", &[&id])?;
            for row in removed {
                self.alerts_by_anchor
                    .entry(row.get(0))
                    .and_modify(|alerts| *alerts = alerts.saturating_sub(1));
            }
        } else {
            self.alert_count = alert + 1;
        }
        writeln!(self.buffered[0], "{alert}\t{}", columns.join("\t"))?;
        let anchors: BTreeSet<String> = plain.keywords.iter().map(anchor).collect();
        for anchor in anchors {
            writeln!(self.buffered[1], "{anchor}\t{alert}")?;
            *self.alerts_by_anchor.entry(anchor).or_default() += 1;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        for (table, lines) in ["alert", "anchor"].iter().zip(&mut self.buffered) {
            let mut writer = self.client.copy_in(&format!("copy {table} from stdin"))?;
            writer.write_all(lines.as_bytes())?;
            writer.finish()?;
            lines.clear();
        }
        if self.match_statement.is_none() {
            self.client.batch_execute(
                "create index on anchor (anchor) include (alert); create index on anchor (alert); analyze anchor; analyze alert",
            )?;
            let default =
                if self.alert_count as usize >= MIN_ALERTS_FOR_ANCHORS { "anchors" } else { "scan" };
            let anchored = if self.variant.get_or_insert_with(|| default.to_owned()) == "anchors" {
                "alert join (select distinct alert from anchor where anchor = any($11::text[])) near on near.alert = id where"
            } else {
                "alert where $11::text[] is not null and"
            };
            self.match_statement =
                Some(self.client.prepare(&format!("select id from {anchored} {CONDITION}"))?);
        }
        Ok(())
    }

    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters> {
        let Some(plain) = PlainTender::of(tender, self.workload.now) else {
            return Ok(PercolationCounters::default());
        };
        let Some(statement) = self.match_statement.clone() else { bail!("there are no alerts") };
        let mask = |facet: Facet| self.mask(facet, &plain.terms[facet as usize]);
        let masks = [
            mask(Facet::Status)?,
            mask(Facet::Category)?,
            mask(Facet::Organization)?,
            mask(Facet::Priority)?,
        ];
        let value = plain.value.as_ref().map(|(_, minor)| *minor);
        let currency = plain.value.as_ref().and_then(|(code, _)| {
            self.currencies
                .iter()
                .position(|currency| currency.as_str() == code)
                .map(|place| place as i32 + 1)
        });
        let text: String = plain.texts.iter().map(|text| format!(" {text} \n")).collect();
        let mut anchors = anchors(&plain.texts);
        anchors.retain(|anchor| self.alerts_by_anchor.get(anchor).is_some_and(|alerts| *alerts > 0));
        let rows = self.client.query(
            &statement,
            &[
                &masks[0],
                &masks[1],
                &masks[2],
                &masks[3],
                &plain.terms[Facet::Place as usize],
                &value,
                &currency,
                &plain.days,
                &text_vector(&plain.texts),
                &text,
                &anchors,
            ],
        )?;
        found.extend(rows.iter().map(|row| row.get::<_, i32>(0) as u32));
        Ok(PercolationCounters::default())
    }

    fn cpu_time(&self) -> Result<Duration> {
        self.backend.cpu_time()
    }

    fn memory(&mut self) -> Result<(Option<f64>, f64)> {
        let bytes: i64 = self
            .client
            .query_one("select pg_total_relation_size('alert') + pg_total_relation_size('anchor')", &[])?
            .get(0);
        Ok((Some(bytes as f64 / 1e6), self.backend.memory()?))
    }

    fn variant(&self) -> Option<String> {
        self.variant.clone()
    }
}

/// Formats an array literal. Items contain no quotes or backslashes.
fn array_literal(items: &[String]) -> String {
    format!("{{{}}}", items.iter().map(|item| format!("\"{item}\"")).collect::<Vec<_>>().join(","))
}

/// Formats a pattern with a closed left side as a `tsquery`.
fn phrase_query(pattern: &Pattern) -> String {
    let words = pattern
        .parts()
        .map(|(_, word, side)| format!("'{word}'{}", if side == WordMatch::Prefix { ":*" } else { "" }));
    format!("({})", words.collect::<Vec<_>>().join(" <-> "))
}

/// Formats a `like` pattern over words surrounded by spaces.
fn like_pattern(pattern: &Pattern) -> String {
    let (left, right) = plain::open_sides(pattern);
    let space = |open| if open { "" } else { " " };
    format!("%{}{}{}%", space(left), pattern.as_str(), space(right))
}

/// Returns an anchor that every tender matching the pattern has.
fn anchor(pattern: &Pattern) -> String {
    let parts: Vec<(&str, WordMatch)> = pattern.parts().map(|(_, word, side)| (word, side)).collect();
    let whole = parts.iter().filter(|(_, side)| *side == WordMatch::Whole).max_by_key(|(word, _)| word.len());
    let (word, side) = whole
        .or_else(|| parts.iter().max_by_key(|(word, _)| word.len()))
        .copied()
        .unwrap_or(("", WordMatch::Whole));
    let letters: Vec<char> = word.chars().collect();
    let some = letters.len().min(ANCHOR_LETTERS);
    match side {
        WordMatch::Whole => word.to_owned(),
        WordMatch::Prefix => format!("<{}", letters[..some].iter().collect::<String>()),
        WordMatch::Suffix => format!(">{}", letters[letters.len() - some..].iter().collect::<String>()),
        WordMatch::Infix => format!("~{}", letters[..some].iter().collect::<String>()),
    }
}

/// Returns all possible anchors of these texts.
fn anchors(texts: &[String]) -> Vec<String> {
    let words: BTreeSet<&str> = texts.iter().flat_map(|text| text.split(' ')).collect();
    let mut anchors = BTreeSet::new();
    for word in words {
        let letters: Vec<char> = word.chars().collect();
        for some in 1..=ANCHOR_LETTERS.min(letters.len()) {
            anchors.insert(format!("<{}", letters[..some].iter().collect::<String>()));
            anchors.insert(format!(">{}", letters[letters.len() - some..].iter().collect::<String>()));
            anchors.extend(
                letters.windows(some).map(|letters| format!("~{}", letters.iter().collect::<String>())),
            );
        }
        anchors.insert(word.to_owned());
    }
    anchors.into_iter().collect()
}

/// Formats the words and positions as a `tsvector`, with a gap between texts. Postgres reduces
/// positions beyond its limit of 16,383 to this limit.
fn text_vector(texts: &[String]) -> String {
    let mut places: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut at = 1;
    for text in texts {
        for word in text.split(' ') {
            places.entry(word).or_default().push(at.to_string());
            at += 1;
        }
        at += 10;
    }
    places.iter().map(|(word, places)| format!("'{word}':{} ", places.join(","))).collect()
}

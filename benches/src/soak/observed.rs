//! What a run leaves behind: in the database, at the mail server, at the receiver of webhooks, and
//! in the responses of the portal.

use super::{
    chaos::AttackRecord, mail_items::ReadMail, sink::read_mails, site::Site, sms::ReceivedSms,
    webhooks::WebhookCall, words::marker_of_title,
};
use crate::soak::ledger::{Micros, now};
use anyhow::{Context, Result};
use postgres::{Client, NoTls};
use serde_json::Value;
use std::collections::BTreeMap;

/// An entry of the change log.
#[derive(Debug, Clone, PartialEq)]
pub enum LoggedChange {
    /// A revision of a tender, with its title and whether it is published.
    Tender {
        /// The marker of the tender.
        marker: String,
        /// The title of this revision.
        title: String,
        /// Whether the status of this revision is `published`.
        is_published: bool,
    },
    /// A revision of an alert, with its keywords. An alert without keywords matches nothing.
    Alert {
        /// The marker of the alert.
        name: String,
        /// The keywords.
        keywords: Vec<String>,
    },
}

/// A message of the portal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Delivery {
    /// The id without hyphens, which is the id of a webhook's call.
    pub id: String,
    /// The channel.
    pub channel: String,
    /// The state.
    pub state: String,
    /// The Message-ID without angle brackets.
    pub message_id: Option<String>,
    /// Its new tenders: alert and tender.
    pub items: Vec<(String, String)>,
    /// The address of the recipient. That of an SMS is `sms:` and the number.
    pub address: String,
    /// How often the portal has tried to send it.
    pub attempts: i32,
    /// The text of an SMS. `None`: it is no SMS, or the portal does not keep its text.
    pub sms_text: Option<String>,
}

impl Delivery {
    /// Returns the telephone number of the recipient of an SMS.
    pub(super) fn sms_number(&self) -> &str {
        self.address.trim_start_matches("sms:")
    }
}

/// A received mail.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceivedMail {
    /// When it was received.
    pub at: Micros,
    /// The recipient.
    pub to: String,
    /// The whole message.
    pub content: String,
    /// What the message says.
    pub read: ReadMail,
}

/// An invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredInvoice {
    /// The number, such as `2026-0001`.
    pub number: String,
    /// The mail address of the subscriber.
    pub email: String,
}

/// All of it.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    /// The content of each record, by the record's key. More than one value is a duplicate.
    pub records: BTreeMap<String, Vec<Value>>,
    /// The change log, in order.
    pub changes: Vec<LoggedChange>,
    /// The matches: alert and tender.
    pub matches: Vec<(String, String)>,
    /// The messages.
    pub deliveries: Vec<Delivery>,
    /// The mails, with repeated ones.
    pub mails: Vec<ReceivedMail>,
    /// Mails that can't be read.
    pub unreadable_mails: usize,
    /// When the daily mails were made due that were still collected after the traffic.
    pub forced_digests: Vec<Micros>,
    /// The calls of webhooks, with repeated ones.
    pub calls: Vec<WebhookCall>,
    /// The SMS, with repeated ones.
    pub sms: Vec<ReceivedSms>,
    /// The invoices.
    pub invoices: Vec<StoredInvoice>,
    /// How often search finds each tender.
    pub found: BTreeMap<String, usize>,
    /// The hash of each document as it is downloaded, by the hash of the uploaded file.
    pub downloads: BTreeMap<String, String>,
    /// The newspaper pages with the number of their notices, by the hash of the file.
    pub pages: BTreeMap<String, Vec<(String, i64)>>,
    /// The notices of all pages.
    pub notices: i64,
    /// The attacks.
    pub attacks: Vec<AttackRecord>,
    /// The output of `api check`, if it has found problems.
    pub check_problems: Option<String>,
}

/// A record per row: the key and the content.
const RECORDS: &[&str] = &[
    "select 'tender/' || split_part(r.record->>'title', ' ', 1), jsonb_build_object('title', r.record->'title',
        'description', r.record->'description', 'closing', r.record #> '{dates,closing}', 'status', t.status)::text
     from tender t join tender_revision r on r.tender_id = t.id and r.revision = t.revision where t.owner_id is not null",
    "select 'document/' || d.hash, jsonb_build_object('tender', split_part(r.record->>'title', ' ', 1), 'size', d.size)::text
     from document d join tender t on t.id = d.tender_id
     join tender_revision r on r.tender_id = t.id and r.revision = t.revision where d.removed_at is null",
    "select 'alert/' || a.name, jsonb_build_object('keywords', (select jsonb_agg(k->'term' order by nth)
        from jsonb_array_elements(a.query->'keywords') with ordinality as k (k, nth)), 'owner', u.email,
        'channels', a.channels, 'frequency', a.frequency, 'time', to_char(a.daily_summary_time, 'HH24:MI'))::text
     from alert a join users u on u.id = a.user_id where a.deleted_at is null and a.name like 'qxa%'",
    "select 'user/' || email, jsonb_build_object('role', role)::text from users where email like '%@soak.example'",
    "select 'verified/' || u.email, 'true' from users u join address a on a.user_id = u.id and a.email = u.email
     where a.verified_at is not null and u.email like '%@soak.example'",
    "select 'profile/' || email, to_jsonb(company)::text from users where company is not null and email like '%@soak.example'",
    "select 'plan/' || u.email, to_jsonb(s.plan)::text from subscription s join users u on u.id = s.user_id
     where s.status = 'active' and u.email like '%@soak.example'",
    "select 'saved/' || u.email || '/' || split_part(r.record->>'title', ' ', 1), 'true'
     from favourite s join users u on u.id = s.user_id join tender t on t.id = s.tender_id
     join tender_revision r on r.tender_id = t.id and r.revision = t.revision",
    "select 'intention/' || u.email || '/' || split_part(r.record->>'title', ' ', 1), 'true'
     from tender_intention s join users u on u.id = s.user_id join tender t on t.id = s.tender_id
     join tender_revision r on r.tender_id = t.id and r.revision = t.revision",
    "select 'search/' || name, to_jsonb(query)::text from saved_search where name like 'qxa%'",
    "select 'report/' || name, 'true' from report where name like 'qxa%'",
    "select 'key/' || name, to_jsonb(scopes)::text from api_key where name like 'qxa%'",
    "select 'member/' || m.email, to_jsonb(o.email)::text
     from team_member t join users m on m.id = t.member_id join users o on o.id = t.owner_id",
    "select 'invitation/' || o.email || '/' || i.email, 'true' from team_invitation i join users o on o.id = i.owner_id",
    "select 'phone/' || u.email, jsonb_build_object('number', p.number, 'isConfirmed', p.verified_at is not null)::text
     from phone p join users u on u.id = p.user_id",
    "select 'webhook/' || u.email, to_jsonb(w.url)::text from webhook w join users u on u.id = w.user_id",
    "select 'message/' || split_part(message, ' ', 2), to_jsonb(email)::text from contact_message",
    "select 'page/' || hash, 'true' from page_file",
    "select 'review/' || notice_key, to_jsonb(decision)::text from review_decision where undone_at is null",
];

const CHANGES: &str = "select c.subject, r.record->>'title', r.record->>'status', a.name, q.query::text
    from change c
    left join tender_revision r on c.subject = 'tender' and r.tender_id = c.subject_id and r.revision = c.revision
    left join alert a on c.subject = 'alert' and a.id = c.subject_id
    left join alert_revision q on q.alert_id = a.id and q.revision = c.revision
    order by c.position";

const MATCHES: &str =
    "select a.name, split_part(r.record->>'title', ' ', 1) from match m join alert a on a.id = m.alert_id
    join tender t on t.id = m.tender_id
    join tender_revision r on r.tender_id = t.id and r.revision = t.revision where a.name like 'qxa%'";

const DELIVERIES: &str =
    "select replace(d.id::text, '-', ''), d.channel, d.state, trim(both '<>' from d.message_id),
        coalesce(array_agg(a.name || ' ' || split_part(r.record->>'title', ' ', 1))
            filter (where i.reason = 'new' and a.name is not null), '{}'),
        d.address, d.attempts,
        case when d.channel = 'sms' and d.kind <> 'letter' then convert_from(d.content, 'UTF8') end
    from delivery d left join delivery_item i on i.delivery_id = d.id left join alert a on a.id = i.alert_id
    left join tender t on t.id = i.tender_id
    left join tender_revision r on r.tender_id = t.id and r.revision = t.revision group by d.id";

impl Observed {
    /// Reads the database and the mails.
    pub(super) fn read(site: &Site, database: &str) -> Result<Self> {
        let mut client = Client::connect(database, NoTls)?;
        let mut observed = Self::default();
        for sql in RECORDS {
            for row in client.query(*sql, &[]).with_context(|| (*sql).to_owned())? {
                let (key, value): (Option<String>, Option<String>) = (row.get(0), row.get(1));
                let key = key.context("a record without a key")?;
                let value = serde_json::from_str(&value.unwrap_or_else(|| "null".into()))?;
                observed.records.entry(key).or_default().push(value);
            }
        }
        for row in client.query(CHANGES, &[])? {
            observed.changes.extend(read_change(&row)?);
        }
        observed.matches = client.query(MATCHES, &[])?.iter().map(|row| (row.get(0), row.get(1))).collect();
        for row in client.query(DELIVERIES, &[])? {
            let items: Vec<String> = row.get(4);
            let items = items.iter().filter_map(|item| item.split_once(' '));
            observed.deliveries.push(Delivery {
                id: row.get(0),
                channel: row.get(1),
                state: row.get(2),
                message_id: row.get(3),
                items: items.map(|(alert, tender)| (alert.to_owned(), tender.to_owned())).collect(),
                address: row.get(5),
                attempts: row.get(6),
                sms_text: row.get(7),
            });
        }
        let invoices = client.query(
            "select i.number, coalesce(u.email, '') from invoice i left join users u on u.id = i.user_id",
            &[],
        )?;
        let invoice = |row: &postgres::Row| StoredInvoice { number: row.get(0), email: row.get(1) };
        observed.invoices = invoices.iter().map(invoice).collect();
        let pages = "select f.hash, p.state, (select count(distinct b.notice_key) from page_block b where b.page_id = p.id)
            from page_file f join page p on p.file_id = f.id";
        for row in client.query(pages, &[])? {
            observed.pages.entry(row.get(0)).or_default().push((row.get(1), row.get(2)));
        }
        observed.notices = client.query_one("select count(*) from notice", &[])?.get(0);
        for mail in read_mails(&site.mails())? {
            match ReadMail::parse(&mail) {
                Some(read) => observed.mails.push(ReceivedMail {
                    at: mail.at,
                    to: mail.to,
                    content: mail.content,
                    read,
                }),
                None => observed.unreadable_mails += 1,
            }
        }
        Ok(observed)
    }

    /// Returns the markers of the owners' tenders.
    pub(super) fn tender_markers(&self) -> Vec<String> {
        let markers = self.records.keys().filter_map(|key| key.strip_prefix("tender/"));
        markers.filter(|marker| !marker.is_empty()).map(str::to_owned).collect()
    }
}

fn read_change(row: &postgres::Row) -> Result<Option<LoggedChange>> {
    let subject: String = row.get(0);
    if subject == "tender" {
        let (title, status): (Option<String>, Option<String>) = (row.get(1), row.get(2));
        let title = title.unwrap_or_default();
        let marker = marker_of_title(&title).map(str::to_owned);
        let is_published = status.as_deref() == Some("published");
        return Ok(marker.map(|marker| LoggedChange::Tender { marker, title, is_published }));
    }
    let (name, query): (Option<String>, Option<String>) = (row.get(3), row.get(4));
    let Some(name) = name.filter(|name| name.starts_with("qxa")) else { return Ok(None) };
    let query: Value = query.map_or(Ok(Value::Null), |query| serde_json::from_str(&query))?;
    let terms = query["keywords"].as_array().into_iter().flatten();
    let keywords = terms.filter_map(|keyword| Some(keyword["term"].as_str()?.to_owned())).collect();
    Ok(Some(LoggedChange::Alert { name, keywords }))
}

/// The name of the daily mails among the open work.
pub(super) const DIGESTS: &str = "daily mails";

/// The questions whose answers show that the portal has nothing left to do. Each counts what is
/// left.
pub(super) const OPEN_WORK: &[(&str, &str)] = &[
    ("changes for the matcher", "select max(h.position) - min(m.position) from change_head h, matcher_shard m"),
    (
        "messages",
        "select count(*) from delivery
            where state in ('sealed', 'leased', 'retry') or (state = 'open' and frequency = 'immediate')",
    ),
    (
        DIGESTS,
        "select count(*) from delivery d join users u on u.id = d.user_id
            where d.state = 'open' and d.kind = 'alerts' and d.frequency <> 'immediate' and u.email like '%@soak.example'",
    ),
    ("events of the payment provider", "select count(*) from sandbox_event where told_at is null"),
    ("newspaper pages", "select count(*) from page where state in ('waiting', 'leased')"),
];

/// Counts the open work by kind.
pub(super) fn open_work(database: &str) -> Result<BTreeMap<&'static str, i64>> {
    let mut client = Client::connect(database, NoTls)?;
    let mut open = BTreeMap::new();
    for (name, sql) in OPEN_WORK {
        open.insert(*name, client.query_one(*sql, &[])?.get(0));
    }
    Ok(open)
}

/// Makes the daily mails due that still collect tenders. Returns when this happened, or `None` if there was
/// no such mail.
pub(super) fn make_digests_due(database: &str) -> Result<Option<Micros>> {
    let mut client = Client::connect(database, NoTls)?;
    let at = now();
    let sql = "update delivery d set seal_at = now() from users u
        where u.id = d.user_id and u.email like '%@soak.example' and d.state = 'open' and d.kind = 'alerts'
            and d.frequency <> 'immediate' and d.seal_at > now()";
    Ok((client.execute(sql, &[])? > 0).then_some(at))
}

/// Returns the end of the change log.
pub(super) fn log_head(database: &str) -> Result<i64> {
    let mut client = Client::connect(database, NoTls)?;
    Ok(client.query_one("select position from change_head", &[])?.get(0))
}

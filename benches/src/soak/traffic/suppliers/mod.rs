//! Suppliers: they publish tenders, and have alerts for the tenders of all.

mod tenders;

use super::{
    FULL_PLAN, Noticeboard, PublishedTender, TrafficPlan,
    account::Account,
    alerts::{AlertSending, OwnAlerts},
    derive, pause,
};
use crate::soak::{
    client::{Repetition, Request, World, WriteRequest, Written, text_at},
    ledger::WriteKind,
    words::{BROAD_WORD, alert_marker, pool_words},
};
use anyhow::Result;
use rand::{Rng, rngs::StdRng};
use serde_json::json;
use std::{collections::BTreeSet, sync::Arc};
use tenders::OwnTender;

/// The numbers up to which a supplier adds alerts and keys.
const MAX_ALERTS: usize = 8;
const MAX_KEYS: usize = 10;
/// An account can have at most 20 reports.
const MAX_REPORTS: usize = 20;
/// The share of alerts that look for the word of all tenders.
const BROAD_SHARE: f64 = 0.1;

struct Supplier {
    account: Account,
    board: Arc<Noticeboard>,
    uses_webhook: bool,
    tenders: Vec<OwnTender>,
    alerts: OwnAlerts,
    keys: Vec<(String, String)>,
    /// The tenders that this supplier has saved, and those for which it intends to bid. Each of
    /// them is left alone after an unknown outcome.
    saved: Vec<PublishedTender>,
    intended: Vec<PublishedTender>,
    /// What must not be written again.
    finished: BTreeSet<String>,
    edits: u64,
    /// The drafts and reports that were sent.
    drafts: usize,
    reports: usize,
    /// The documents that were sent.
    uploads: usize,
}

pub(super) async fn run(
    world: Arc<World>,
    board: Arc<Noticeboard>,
    plan: TrafficPlan,
    nth: usize,
    mut random: StdRng,
) -> Result<()> {
    while !world.is_stopping() {
        let own = derive(&mut random);
        let Some(mut account) = Account::register(&world, own, &format!("supplier{nth}")).await? else {
            continue;
        };
        if !account.confirm_address().await? || !account.subscribe(FULL_PLAN).await? {
            continue;
        }
        let mut supplier = Supplier {
            account,
            board,
            uses_webhook: false,
            tenders: Vec::new(),
            alerts: OwnAlerts::default(),
            keys: Vec::new(),
            saved: Vec::new(),
            intended: Vec::new(),
            finished: BTreeSet::new(),
            edits: 0,
            drafts: 0,
            reports: 0,
            uploads: 0,
        };
        if nth.is_multiple_of(2) {
            supplier.set_webhook(&format!("{}/{nth}", plan.webhooks)).await?;
        }
        while !world.is_stopping() {
            supplier.act().await?;
            pause(&mut supplier.account.random).await;
        }
        return Ok(());
    }
    Ok(())
}

impl Supplier {
    fn random(&mut self) -> &mut StdRng {
        &mut self.account.random
    }

    async fn act(&mut self) -> Result<()> {
        match self.random().random_range(0..100) {
            0..22 => self.create_tender().await,
            22..38 => self.change_tender().await,
            38..46 => self.change_document().await,
            46..56 => self.create_alert().await,
            56..64 => self.edit_alert().await,
            64..67 => self.delete_alert().await,
            67..74 => self.change_saved_tender().await,
            74..80 => self.change_intention().await,
            80..83 => self.save_search().await,
            83..86 => self.change_key().await,
            86..88 => self.save_report().await,
            88..91 => self.send_message().await,
            91..94 => self.change_profile().await,
            _ => self.look_around().await,
        }
    }

    async fn create_alert(&mut self) -> Result<()> {
        if self.alerts.len() >= MAX_ALERTS {
            return self.edit_alert().await;
        }
        let sending = if self.uses_webhook { AlertSending::Webhook } else { AlertSending::Mails };
        let keywords = keywords(sending, self.random());
        self.alerts.create(&mut self.account, &keywords, sending).await?;
        Ok(())
    }

    async fn edit_alert(&mut self) -> Result<()> {
        self.alerts.edit_one(&mut self.account, keywords).await?;
        Ok(())
    }

    async fn delete_alert(&mut self) -> Result<()> {
        self.alerts.delete_one(&mut self.account).await?;
        Ok(())
    }

    async fn change_saved_tender(&mut self) -> Result<()> {
        self.mark_tender(WriteKind::SaveTender, WriteKind::UnsaveTender).await
    }

    async fn change_intention(&mut self) -> Result<()> {
        self.mark_tender(WriteKind::DeclareIntention, WriteKind::WithdrawIntention).await
    }

    /// Saves a tender or declares an intention, or takes this back.
    async fn mark_tender(&mut self, marks: WriteKind, takes_back: WriteKind) -> Result<()> {
        let saves = marks == WriteKind::SaveTender;
        let back = self.random().random_bool(0.3);
        let marked = if saves { &mut self.saved } else { &mut self.intended };
        let tender = if back { marked.pop() } else { self.board.choose(&mut self.account.random) };
        let Some(tender) = tender else { return Ok(()) };
        let (name, path) = if saves {
            ("saved", format!("/api/saved/tenders/{}", tender.id))
        } else {
            ("intention", format!("/api/tenders/{}/intention", tender.id))
        };
        let key = format!("{name}/{}/{}", self.account.email, tender.marker);
        if self.finished.contains(&key) {
            return Ok(());
        }
        let wanted = WriteRequest {
            kind: if back { takes_back } else { marks },
            key: key.clone(),
            value: (!back).then_some(json!(true)),
            request: if back { Request::delete(path) } else { Request::put(path, json!({})) },
            repetition: Repetition::Safe,
        };
        // The tender may have been withdrawn or closed in the meantime.
        let written = self.account.write(wanted).await?;
        if written.is_accepted() && !back {
            let marked = if saves { &mut self.saved } else { &mut self.intended };
            marked.push(tender);
        } else {
            self.finished.insert(key);
        }
        Ok(())
    }

    async fn save_search(&mut self) -> Result<()> {
        let name = alert_marker(self.random());
        let query = format!("search={}", pool_words(1, self.random())[0]);
        let wanted = WriteRequest {
            kind: WriteKind::SaveSearch,
            key: format!("search/{name}"),
            value: Some(json!(query)),
            request: Request::post("/api/saved/searches", json!({"name": name, "query": query})),
            repetition: Repetition::Unsafe,
        };
        self.account.write_permitted(wanted).await?;
        Ok(())
    }

    async fn save_report(&mut self) -> Result<()> {
        if self.reports >= MAX_REPORTS {
            return Ok(());
        }
        self.reports += 1;
        let name = alert_marker(self.random());
        let asked = json!({"query": "", "period": {"span": "lastMonth"}, "columns": ["title"]});
        let wanted = WriteRequest {
            kind: WriteKind::SaveReport,
            key: format!("report/{name}"),
            value: Some(json!(true)),
            request: Request::post("/api/reports", json!({"name": name, "asked": asked})),
            repetition: Repetition::Unsafe,
        };
        self.account.write_permitted(wanted).await?;
        Ok(())
    }

    async fn change_key(&mut self) -> Result<()> {
        if self.keys.len() >= MAX_KEYS || (!self.keys.is_empty() && self.random().random_bool(0.4)) {
            let place = self.account.random.random_range(0..self.keys.len());
            let (name, id) = self.keys.swap_remove(place);
            let wanted = WriteRequest {
                kind: WriteKind::DeleteKey,
                key: format!("key/{name}"),
                value: None,
                request: Request::delete(format!("/api/keys/{id}")),
                repetition: Repetition::Safe,
            };
            self.account.write_permitted(wanted).await?;
            return Ok(());
        }
        let name = alert_marker(self.random());
        let wanted = WriteRequest {
            kind: WriteKind::CreateKey,
            key: format!("key/{name}"),
            value: Some(json!(["tenders:read"])),
            request: Request::post("/api/keys", json!({"name": name, "scopes": ["tenders:read"]})),
            repetition: Repetition::Unsafe,
        };
        // An account has at most 20 keys, and keys with lost responses count too.
        if let Written::Accepted(reply) = self.account.write(wanted).await? {
            self.keys.push((name, text_at(&reply, "/data/key/_id")?));
        }
        Ok(())
    }

    async fn set_webhook(&mut self, url: &str) -> Result<()> {
        let wanted = WriteRequest {
            kind: WriteKind::SetWebhook,
            key: format!("webhook/{}", self.account.email),
            value: Some(json!(url)),
            request: Request::put("/api/channels/webhook", json!({"url": url})),
            repetition: Repetition::Safe,
        };
        self.uses_webhook = self.account.write_permitted(wanted).await?.is_accepted();
        Ok(())
    }

    async fn send_message(&mut self) -> Result<()> {
        let marker = alert_marker(self.random());
        let form =
            json!({"name": "Nimali", "email": self.account.email, "message": format!("question {marker}")});
        let wanted = WriteRequest {
            kind: WriteKind::SendMessage,
            key: format!("message/{marker}"),
            value: Some(json!(self.account.email)),
            request: Request::post("/api/contact", form),
            repetition: Repetition::Unsafe,
        };
        self.account.write_permitted(wanted).await?;
        Ok(())
    }

    async fn change_profile(&mut self) -> Result<()> {
        let key = format!("profile/{}", self.account.email);
        if self.finished.contains(&key) {
            return Ok(());
        }
        self.edits += 1;
        let company = format!("company {}", self.edits);
        let wanted = WriteRequest {
            kind: WriteKind::ChangeProfile,
            key: key.clone(),
            value: Some(json!(company)),
            request: Request::put("/api/auth/profile", json!({"company": company})),
            repetition: Repetition::Safe,
        };
        if self.account.write_permitted(wanted).await?.is_unknown() {
            self.finished.insert(key);
        }
        Ok(())
    }

    /// Reads own records. An accepted write must be visible at once.
    async fn look_around(&mut self) -> Result<()> {
        let place = self.tenders.len().checked_sub(1);
        let Some(place) = place else { return Ok(()) };
        let (id, expected) = (self.tenders[place].id.clone(), self.tenders[place].value.clone());
        let reply = self.account.read(Request::get(format!("/api/tenders/{id}"))).await?;
        if !reply.is_lost() {
            let found = reply.json();
            let found = &found["data"]["tender"];
            let same = ["title", "description", "status"].iter().all(|field| found[field] == expected[field]);
            if !same {
                let text = format!("tender {id} was read as {found} after {expected} was accepted");
                self.account.world.ledger.note_violation(&text)?;
            }
        }
        self.account.read(Request::get("/api/alerts")).await?;
        self.account.read(Request::get("/api/saved/tenders")).await?;
        Ok(())
    }
}

fn keywords(_: AlertSending, random: &mut StdRng) -> Vec<&'static str> {
    if random.random_bool(BROAD_SHARE) {
        return vec![BROAD_WORD];
    }
    let count = random.random_range(1..=3);
    pool_words(count, random)
}

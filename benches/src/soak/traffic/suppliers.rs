//! Suppliers: they publish tenders, and have alerts for the tenders of all.

use super::{Noticeboard, PublishedTender, TrafficPlan, account::Account, derive, pause};
use crate::soak::{
    client::{Repetition, Request, RequestBody, World, WriteRequest, Written, text_at},
    ledger::WriteKind,
    words::{BROAD_WORD, alert_marker, pool_words, tender_marker},
};
use anyhow::Result;
use rand::{Rng, RngCore, rngs::StdRng, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::{collections::BTreeSet, sync::Arc};
use uuid::Uuid;

/// The plan with which a user may do everything.
const PLAN: &str = "enterprise";
/// The numbers up to which a supplier adds alerts and keys.
const MAX_ALERTS: usize = 8;
const MAX_KEYS: usize = 10;
/// An account can create at most 50 drafts and upload at most 100 documents a day, and have at most 20
/// reports.
const MAX_DRAFTS: usize = 45;
const MAX_UPLOADS: usize = 90;
const MAX_REPORTS: usize = 20;
/// The share of alerts that look for the word of all tenders.
const BROAD_SHARE: f64 = 0.1;
/// The signature with which a PNG file begins.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

struct OwnTender {
    marker: String,
    id: String,
    /// What the ledger says about the tender.
    value: Value,
    documents: Vec<(String, String)>,
}

struct OwnAlert {
    name: String,
    id: String,
}

struct Supplier {
    account: Account,
    board: Arc<Noticeboard>,
    uses_webhook: bool,
    tenders: Vec<OwnTender>,
    alerts: Vec<OwnAlert>,
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
        if !account.confirm_address().await? || !account.subscribe(PLAN).await? {
            continue;
        }
        let mut supplier = Supplier {
            account,
            board,
            uses_webhook: false,
            tenders: Vec::new(),
            alerts: Vec::new(),
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

    async fn create_tender(&mut self) -> Result<()> {
        let marker = tender_marker(self.random());
        let count = self.random().random_range(1..=3);
        let title = format!("{marker} {} {BROAD_WORD}", pool_words(count, self.random()).join(" "));
        let is_draft = self.drafts < MAX_DRAFTS && self.random().random_bool(0.3);
        self.drafts += usize::from(is_draft);
        let status = if is_draft { "draft" } else { "published" };
        let day = self.random().random_range(1..=28);
        let value = json!({"title": title, "description": format!("first text of {marker}"),
            "closing": format!("2027-03-{day:02}T14:00:00+05:30"), "status": status});
        let form = json!({"title": value["title"], "description": value["description"], "status": status,
            "category": "Furniture", "referenceNo": "1", "organization": {"name": "Abans"},
            "location": {"province": "Western", "district": "Gampaha"}, "dates": {"closing": value["closing"]}});
        let key = Uuid::from_u128(self.random().random());
        let wanted = WriteRequest {
            kind: WriteKind::CreateTender,
            key: format!("tender/{marker}"),
            value: Some(value.clone()),
            request: Request::post("/api/tenders", form).with_idempotency_key(key),
            repetition: Repetition::Safe,
        };
        let Written::Accepted(reply) = self.account.write_permitted(wanted).await? else { return Ok(()) };
        let id = text_at(&reply, "/data/tender/_id")?;
        if status == "published" {
            self.board.add(PublishedTender { marker: marker.clone(), id: id.clone() });
        }
        self.tenders.push(OwnTender { marker, id, value, documents: Vec::new() });
        Ok(())
    }

    /// Edits, publishes, deletes, corrects, extends, ends or withdraws an own tender.
    async fn change_tender(&mut self) -> Result<()> {
        if self.tenders.is_empty() {
            return Ok(());
        }
        let place = self.account.random.random_range(0..self.tenders.len());
        let choice = self.random().random_range(0..10);
        self.edits += 1;
        let (edits, tender) = (self.edits, &self.tenders[place]);
        let path = format!("/api/tenders/{}", tender.id);
        let mut value = tender.value.clone();
        let text = json!(format!("text {edits} of {}", tender.marker));
        let is_draft = value["status"] == "draft";
        let (kind, request) = match (is_draft, choice) {
            (true, 0..4) => {
                value["description"] = text;
                (WriteKind::EditDraft, Request::put(path, json!({"description": value["description"]})))
            }
            (true, 4..9) => {
                value["status"] = json!("published");
                (WriteKind::PublishDraft, Request::put(path, json!({"status": "published"})))
            }
            (true, _) => {
                value = Value::Null;
                (WriteKind::DeleteDraft, Request::delete(path))
            }
            (false, 0..4) => {
                value["description"] = text;
                (WriteKind::CorrectTender, Request::put(path, json!({"description": value["description"]})))
            }
            (false, 4..7) => {
                value["closing"] = json!(later_closing(edits));
                (WriteKind::ExtendTender, Request::put(path, json!({"dates": {"closing": value["closing"]}})))
            }
            (false, 7..9) => {
                let status = ["closed", "awarded", "cancelled"][edits as usize % 3];
                value["status"] = json!(status);
                (WriteKind::EndTender, Request::put(path, json!({"status": status})))
            }
            (false, _) => {
                value["status"] = json!("withdrawn");
                (WriteKind::WithdrawTender, Request::delete(path))
            }
        };
        let wanted = WriteRequest {
            kind,
            key: format!("tender/{}", tender.marker),
            value: Some(value.clone()).filter(|value| !value.is_null()),
            request,
            repetition: Repetition::Safe,
        };
        let written = self.account.write_permitted(wanted).await?;
        let is_over = !matches!(value["status"].as_str(), Some("draft" | "published"));
        if written.is_unknown() || (written.is_accepted() && is_over) {
            self.tenders.swap_remove(place);
        } else if written.is_accepted() {
            let tender = &mut self.tenders[place];
            if kind == WriteKind::PublishDraft {
                self.board.add(PublishedTender { marker: tender.marker.clone(), id: tender.id.clone() });
            }
            tender.value = value;
        }
        Ok(())
    }

    async fn change_document(&mut self) -> Result<()> {
        let published = |place: &usize| self.tenders[*place].value["status"] == "published";
        let places: Vec<usize> = (0..self.tenders.len()).filter(published).collect();
        let Some(&place) = places.choose(self.random()) else { return Ok(()) };
        let removes = self.random().random_bool(0.2) || self.tenders[place].documents.len() >= 8;
        if removes {
            let Some((hash, id)) = self.tenders[place].documents.pop() else { return Ok(()) };
            let path = format!("/api/tenders/{}/documents/{id}", self.tenders[place].id);
            let wanted = WriteRequest {
                kind: WriteKind::RemoveDocument,
                key: format!("document/{hash}"),
                value: None,
                request: Request::delete(path),
                repetition: Repetition::Safe,
            };
            self.account.write_permitted(wanted).await?;
            return Ok(());
        }
        if self.uploads >= MAX_UPLOADS {
            return Ok(());
        }
        self.uploads += 1;
        let mut bytes = PNG.to_vec();
        let size = self.random().random_range(100..20_000);
        bytes.resize(PNG.len() + size, 0);
        self.random().fill_bytes(&mut bytes[PNG.len()..]);
        let hash = hex::encode(Sha256::digest(&bytes));
        let tender = &self.tenders[place];
        let wanted = WriteRequest {
            kind: WriteKind::AttachDocument,
            key: format!("document/{hash}"),
            value: Some(json!({"tender": tender.marker, "size": bytes.len()})),
            request: Request::new(
                Method::POST,
                format!("/api/tenders/{}/documents", tender.id),
                RequestBody::File { name: "plan.png".into(), bytes, fields: Vec::new() },
            ),
            // A file that is already attached is not attached again.
            repetition: Repetition::Safe,
        };
        if let Written::Accepted(reply) = self.account.write_permitted(wanted).await? {
            let id = text_at(&reply, "/data/document/_id")?;
            self.tenders[place].documents.push((hash, id));
        }
        Ok(())
    }

    fn alert_form(&mut self, name: &str) -> (Value, Value) {
        let mut keywords: Vec<String> = vec![BROAD_WORD.into()];
        if !self.random().random_bool(BROAD_SHARE) {
            let count = self.random().random_range(1..=3);
            keywords = pool_words(count, self.random()).into_iter().map(str::to_owned).collect();
        }
        let channels = if self.uses_webhook { json!(["webhook"]) } else { json!([]) };
        let terms: Vec<Value> =
            keywords.iter().map(|term| json!({"term": term, "matchType": "exact"})).collect();
        let form = json!({"name": name, "keywords": terms, "channels": channels,
            "emailSettings": {"enabled": true, "frequency": "immediate"}});
        (form, json!({"keywords": keywords, "owner": self.account.email, "webhook": self.uses_webhook}))
    }

    async fn create_alert(&mut self) -> Result<()> {
        if self.alerts.len() >= MAX_ALERTS {
            return self.edit_alert().await;
        }
        let name = alert_marker(self.random());
        let (form, value) = self.alert_form(&name);
        let key = Uuid::from_u128(self.random().random());
        let wanted = WriteRequest {
            kind: WriteKind::CreateAlert,
            key: format!("alert/{name}"),
            value: Some(value),
            request: Request::post("/api/alerts", form).with_idempotency_key(key),
            repetition: Repetition::Safe,
        };
        if let Written::Accepted(reply) = self.account.write_permitted(wanted).await? {
            self.alerts.push(OwnAlert { name, id: text_at(&reply, "/data/alert/_id")? });
        }
        Ok(())
    }

    async fn edit_alert(&mut self) -> Result<()> {
        if self.alerts.is_empty() {
            return Ok(());
        }
        let place = self.account.random.random_range(0..self.alerts.len());
        let (name, id) = (self.alerts[place].name.clone(), self.alerts[place].id.clone());
        let (form, value) = self.alert_form(&name);
        let wanted = WriteRequest {
            kind: WriteKind::EditAlert,
            key: format!("alert/{name}"),
            value: Some(value),
            request: Request::put(format!("/api/alerts/{id}"), form),
            repetition: Repetition::Safe,
        };
        if self.account.write_permitted(wanted).await?.is_unknown() {
            self.alerts.swap_remove(place);
        }
        Ok(())
    }

    async fn delete_alert(&mut self) -> Result<()> {
        if self.alerts.is_empty() {
            return Ok(());
        }
        let place = self.account.random.random_range(0..self.alerts.len());
        let alert = self.alerts.swap_remove(place);
        let wanted = WriteRequest {
            kind: WriteKind::DeleteAlert,
            key: format!("alert/{}", alert.name),
            value: None,
            request: Request::delete(format!("/api/alerts/{}", alert.id)),
            repetition: Repetition::Safe,
        };
        self.account.write_permitted(wanted).await?;
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

/// A closing date that differs from all earlier ones of the supplier.
fn later_closing(edits: u64) -> String {
    let (year, rest) = (2028 + edits / 336, edits % 336);
    format!("{year}-{:02}-{:02}T14:00:00+05:30", rest / 28 + 1, rest % 28 + 1)
}

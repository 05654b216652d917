//! The tenders of a supplier, with their documents.

use super::Supplier;
use crate::soak::{
    client::{Repetition, Request, RequestBody, WriteRequest, Written, text_at},
    ledger::WriteKind,
    traffic::PublishedTender,
    words::{BROAD_WORD, pool_words, rare_word, tender_marker},
};
use anyhow::Result;
use rand::{Rng, RngCore, seq::IndexedRandom};
use reqwest::Method;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// An account can create at most 50 drafts and upload at most 100 documents a day.
const MAX_DRAFTS: usize = 45;
const MAX_UPLOADS: usize = 90;
/// The share of tenders with a rare word in the title.
const RARE_SHARE: f64 = 0.3;
/// The signature with which a PNG file begins.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(super) struct OwnTender {
    marker: String,
    pub(super) id: String,
    /// What the ledger says about the tender.
    pub(super) value: Value,
    documents: Vec<(String, String)>,
}

impl Supplier {
    pub(super) async fn create_tender(&mut self) -> Result<()> {
        let marker = tender_marker(self.random());
        let count = self.random().random_range(1..=3);
        let mut words = vec![marker.as_str()];
        words.extend(pool_words(count, self.random()));
        words.push(BROAD_WORD);
        if self.random().random_bool(RARE_SHARE) {
            words.push(rare_word(self.random()));
        }
        let title = words.join(" ");
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
    pub(super) async fn change_tender(&mut self) -> Result<()> {
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

    pub(super) async fn change_document(&mut self) -> Result<()> {
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
}

/// A closing date that differs from all earlier ones of the supplier.
fn later_closing(edits: u64) -> String {
    let (year, rest) = (2028 + edits / 336, edits % 336);
    format!("{year}-{:02}-{:02}T14:00:00+05:30", rest / 28 + 1, rest % 28 + 1)
}

//! The portal that a test compares with the model, and the mails that the portal sends.

use super::model::{
    AppliedStep, FIRST_CLOSING_YEAR, Frequency, ItemContent, MailedItem, Model, Notice, address, alert_name,
    title,
};
use crate::support::{Client, killable_server::KillableServer};
use api::storage::{self, changes, subscriptions, tenders, users};
use jiff::{SignedDuration, Timestamp};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use std::collections::HashMap;
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

/// The portal, with the ids or contents that correspond to the model's subscribers, alerts and
/// tenders.
pub struct World {
    pub killable_server: KillableServer,
    subscribers: Vec<Uuid>,
    alerts: Vec<String>,
    tenders: Vec<Tender>,
}

impl World {
    /// Starts a portal with two subscribers. They have confirmed addresses and the Professional
    /// plan for ten days.
    pub async fn new() -> Self {
        let killable_server = KillableServer::new(&[]).await;
        let mut world =
            Self { killable_server, subscribers: Vec::new(), alerts: Vec::new(), tenders: Vec::new() };
        for subscriber in 0..2 {
            world.register(subscriber).await;
        }
        world
    }

    async fn register(&mut self, nth: usize) {
        let email = address(nth, 0);
        let form = json!({"firstName": "Nimali", "lastName": "Perera", "email": email, "password": "secret-of-theirs",
            "role": "supplier"});
        Client::new(self.killable_server.address).post("/auth/register", &form).await.expect(201);
        let now = self.killable_server.portal.clock.now();
        let mut tx = storage::begin(&self.killable_server.portal.db).await.unwrap();
        let user = users::by_email(&mut *tx, &email, now).await.unwrap().unwrap();
        users::verify_address(&mut tx, user.id, &email, now).await.unwrap();
        tx.commit().await.unwrap();
        self.subscribers.push(user.id);
        self.subscribe(nth, self.minute() + 10 * 24 * 60).await;
    }

    /// Returns the portal's time in minutes.
    pub fn minute(&self) -> i64 {
        self.killable_server.portal.clock.now().as_second() / 60
    }

    /// Moves the clock forward.
    pub fn advance(&self, minutes: i64) {
        self.killable_server.advance(SignedDuration::from_mins(minutes));
    }

    /// Makes a change in the portal that the model has already applied.
    pub async fn apply(&mut self, applied: &AppliedStep, model: &Model) {
        match *applied {
            AppliedStep::AlertSaved(nth) => self.write_alert(nth, model).await,
            AppliedStep::AlertToggled(nth) => {
                let path = format!("/alerts/{}/toggle", self.alerts[nth]);
                let client = self.sign_in(model, model.alerts[nth].subscriber).await;
                client
                    .send(client.request(reqwest::Method::PATCH, &path), reqwest::Method::PATCH, &path)
                    .await
                    .expect(200);
            }
            AppliedStep::AlertDeleted(nth) => {
                let client = self.sign_in(model, model.alerts[nth].subscriber).await;
                client.delete(&format!("/alerts/{}", self.alerts[nth])).await.expect(200);
            }
            AppliedStep::TenderPublished(nth) => self.publish(nth, &model.tenders[nth]).await,
            AppliedStep::TenderRevised(nth) => self.revise(nth, &model.tenders[nth]).await,
            AppliedStep::PlanChanged(subscriber) => {
                let until = model.subscribers[subscriber].plans.last().unwrap().1;
                if until > model.now {
                    self.subscribe(subscriber, until).await;
                } else {
                    self.killable_server.end_plan(self.subscribers[subscriber]).await;
                }
            }
            AppliedStep::AddressChanged(subscriber) => {
                let now = self.killable_server.portal.clock.now();
                let mut tx = storage::begin(&self.killable_server.portal.db).await.unwrap();
                let user = users::by_id(&mut *tx, self.subscribers[subscriber], now).await.unwrap().unwrap();
                let next = address(subscriber, model.subscribers[subscriber].address_changes);
                assert!(users::change_address(&mut tx, &user, &next, now).await.unwrap());
                tx.commit().await.unwrap();
            }
        }
    }

    async fn sign_in(&self, model: &Model, nth: usize) -> Client {
        self.killable_server.sign_in(&address(nth, model.subscribers[nth].address_changes)).await
    }

    async fn write_alert(&mut self, nth: usize, model: &Model) {
        let alert = &model.alerts[nth];
        let keywords: Vec<Value> = alert.keywords.iter().map(|term| json!({"term": term})).collect();
        let frequency = match alert.frequency {
            Frequency::AtOnce => "immediate",
            Frequency::Daily => "daily",
            Frequency::Weekly => "weekly",
        };
        let form = json!({"name": alert_name(nth), "keywords": keywords,
            "emailSettings": {"enabled": alert.mail_enabled, "frequency": frequency, "dailySummaryTime": "09:00"}});
        let client = self.sign_in(model, alert.subscriber).await;
        match self.alerts.get(nth) {
            Some(id) => drop(client.put(&format!("/alerts/{id}"), &form).await.expect(200)),
            None => {
                let saved = client.post("/alerts", &form).await.expect(201);
                self.alerts.push(saved["data"]["alert"]["_id"].as_str().unwrap().to_owned());
            }
        }
    }

    async fn publish(&mut self, nth: usize, notice: &Notice) {
        let state = &self.killable_server.portal;
        let mut tender = Tender {
            id: state.random.id(&state.clock),
            published_at: Some(state.clock.moment()),
            ..Tender::default()
        };
        tender.organization.name = "Department of Works".into();
        fill_tender(&mut tender, nth, notice);
        let mut tx = storage::begin(&state.db).await.unwrap();
        let revision = tenders::insert(&mut tx, &tender, None, state.clock.now()).await.unwrap();
        changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
        self.tenders.push(tender);
    }

    async fn revise(&mut self, nth: usize, notice: &Notice) {
        let state = &self.killable_server.portal;
        let tender = &mut self.tenders[nth];
        fill_tender(tender, nth, notice);
        let mut tx = storage::begin(&state.db).await.unwrap();
        let revision = tenders::revise(&mut tx, tender, state.clock.now()).await.unwrap().unwrap();
        changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    }

    async fn subscribe(&self, subscriber: usize, until: i64) {
        self.killable_server.end_plan(self.subscribers[subscriber]).await;
        let state = &self.killable_server.portal;
        let mut tx = storage::begin(&state.db).await.unwrap();
        let (id, user_id, now) =
            (state.random.id(&state.clock), self.subscribers[subscriber], state.clock.now());
        subscriptions::insert_given(
            &mut tx,
            id,
            user_id,
            "professional".parse().unwrap(),
            now,
            timestamp(until),
        )
        .await
        .unwrap();
        tx.commit().await.unwrap();
    }

    /// Returns the tenders in the mails that the mail server accepted, sorted. A repeated mail
    /// counts once. Returns an error if two mails with the same Message-ID differ.
    pub fn mailed(&self) -> Result<Vec<MailedItem>, String> {
        let mut messages = HashMap::new();
        for message in self.killable_server.smtp.accepted() {
            let first = messages.entry(message.message_id.clone()).or_insert_with(|| message.clone());
            if *first != message {
                return Err(format!("one Message-ID, two messages: {first:?} and {message:?}"));
            }
        }
        let mut mailed: Vec<MailedItem> =
            messages.values().flat_map(|message| read_items(&message.to, &message.content)).collect();
        mailed.sort();
        Ok(mailed)
    }
}

fn timestamp(minute: i64) -> Timestamp {
    Timestamp::from_second(minute * 60).unwrap()
}

/// Sets the fields of the portal's tender to those of the model's notice.
fn fill_tender(tender: &mut Tender, nth: usize, notice: &Notice) {
    tender.title = title(nth, &notice.words);
    tender.status = if notice.is_cancelled { TenderStatus::Cancelled } else { TenderStatus::Published };
    tender.dates.closing = format!("{}-01-01T10:00:00+05:30", notice.closing_year).parse().ok();
}

/// Reads the tenders in a mail's text.
fn read_items(to: &str, content: &str) -> Vec<MailedItem> {
    let message = MessageParser::default().parse(content.as_bytes()).unwrap();
    let text = message.body_text(0).unwrap().replace("\r\n", "\n");
    let mut mailed = Vec::new();
    for card in text.split("----------------------------------------------------------------\n") {
        let Some(title) = card.lines().find(|line| line.starts_with("Lot ")) else { continue };
        let years = (FIRST_CLOSING_YEAR..FIRST_CLOSING_YEAR + 5).flat_map(|year| {
            card.match_indices(&format!(" {year},")).map(move |(at, _)| (at, year)).collect::<Vec<_>>()
        });
        let mut years: Vec<(usize, i16)> = years.collect();
        years.sort_unstable();
        let status =
            ["Cancelled", "open"].into_iter().find(|status| card.contains(&format!(", now {status}\n")));
        for (prefix, is_new) in [("your alert “", true), ("it matched your alert “", false)] {
            for reason in
                card.lines().filter_map(|line| line.strip_prefix("Why you get this: ")?.strip_prefix(prefix))
            {
                let years = years.iter().map(|(_, year)| *year).collect();
                mailed.push(MailedItem {
                    address: to.to_owned(),
                    alert: reason.split('”').next().unwrap().to_owned(),
                    is_new,
                    content: ItemContent { title: title.to_owned(), years, status },
                });
            }
        }
    }
    mailed
}

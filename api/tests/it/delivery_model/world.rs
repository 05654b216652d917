//! The portal that the model is compared with, and its mails.

use super::model::{Done, FIRST_YEAR, Model, News, Notice, Sends, Told, address, alert_name, title};
use crate::support::{Client, killable_server::KillableServer};
use api::storage::{changes, subscriptions, tenders, users};
use index::{tender::Tender, vocabulary::TenderStatus};
use jiff::{SignedDuration, Timestamp};
use mail_parser::MessageParser;
use serde_json::{Value, json};
use std::collections::HashMap;
use uuid::Uuid;

/// The portal, and its ids for the model's objects.
pub struct World {
    pub killable_server: KillableServer,
    readers: Vec<Uuid>,
    alerts: Vec<String>,
    tenders: Vec<Tender>,
}

impl World {
    /// Creates two readers with confirmed addresses, on the Professional plan for ten days.
    pub async fn new() -> Self {
        let killable_server = KillableServer::new(&[]).await;
        let mut world =
            Self { killable_server, readers: Vec::new(), alerts: Vec::new(), tenders: Vec::new() };
        for reader in 0..2 {
            world.register(reader).await;
        }
        world
    }

    async fn register(&mut self, nth: usize) {
        let email = address(nth, 0);
        let form = json!({"firstName": "Nimali", "lastName": "Perera", "email": email, "password": "secret-of-theirs",
            "role": "supplier"});
        Client::new(self.killable_server.address).post("/auth/register", &form).await.expect(201);
        let now = self.killable_server.portal.clock.now();
        let mut tx = self.killable_server.portal.db.begin().await.unwrap();
        let user = users::by_email(&mut *tx, &email, now).await.unwrap().unwrap();
        users::verify_address(&mut tx, user.id, &email, now).await.unwrap();
        tx.commit().await.unwrap();
        self.readers.push(user.id);
        self.subscribe(nth, self.minute() + 10 * 24 * 60).await;
    }

    /// The time in minutes.
    pub fn minute(&self) -> i64 {
        self.killable_server.portal.clock.now().as_second() / 60
    }

    /// Lets this many minutes pass.
    pub fn pass(&self, minutes: i64) {
        self.killable_server.pass(SignedDuration::from_mins(minutes));
    }

    /// Applies the model's last change through the API.
    pub async fn carry_out(&mut self, done: &Done, model: &Model) {
        match *done {
            Done::Alert(nth) => self.write_alert(nth, model).await,
            Done::Switched(nth) => {
                let path = format!("/alerts/{}/toggle", self.alerts[nth]);
                let client = self.reader(model, model.alerts[nth].reader).await;
                client
                    .send(client.request(reqwest::Method::PATCH, &path), reqwest::Method::PATCH, &path)
                    .await
                    .expect(200);
            }
            Done::Deleted(nth) => {
                let client = self.reader(model, model.alerts[nth].reader).await;
                client.delete(&format!("/alerts/{}", self.alerts[nth])).await.expect(200);
            }
            Done::Published(nth) => self.publish(nth, &model.tenders[nth]).await,
            Done::Revised(nth) => self.revise(nth, &model.tenders[nth]).await,
            Done::Plan(reader) => {
                let until = model.readers[reader].held.last().unwrap().1;
                if until > model.now {
                    self.subscribe(reader, until).await;
                } else {
                    self.killable_server.lapse(self.readers[reader]).await;
                }
            }
            Done::Moved(reader) => {
                let now = self.killable_server.portal.clock.now();
                let mut tx = self.killable_server.portal.db.begin().await.unwrap();
                let user = users::by_id(&mut *tx, self.readers[reader], now).await.unwrap().unwrap();
                let next = address(reader, model.readers[reader].moves);
                assert!(users::change_address(&mut tx, &user, &next, now).await.unwrap());
                tx.commit().await.unwrap();
            }
        }
    }

    async fn reader(&self, model: &Model, nth: usize) -> Client {
        self.killable_server.signed_in(&address(nth, model.readers[nth].moves)).await
    }

    async fn write_alert(&mut self, nth: usize, model: &Model) {
        let alert = &model.alerts[nth];
        let keywords: Vec<Value> = alert.asks.iter().map(|term| json!({"term": term})).collect();
        let frequency = match alert.sends {
            Sends::AtOnce => "immediate",
            Sends::Daily => "daily",
            Sends::Weekly => "weekly",
        };
        let form = json!({"name": alert_name(nth), "keywords": keywords,
            "emailSettings": {"enabled": alert.mails, "frequency": frequency, "dailySummaryTime": "09:00"}});
        let client = self.reader(model, alert.reader).await;
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
        write(&mut tender, nth, notice);
        let mut tx = state.db.begin().await.unwrap();
        let revision = tenders::insert(&mut tx, &tender, None, state.clock.now()).await.unwrap();
        changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
        self.tenders.push(tender);
    }

    async fn revise(&mut self, nth: usize, notice: &Notice) {
        let state = &self.killable_server.portal;
        let tender = &mut self.tenders[nth];
        write(tender, nth, notice);
        let mut tx = state.db.begin().await.unwrap();
        let revision = tenders::revise(&mut tx, tender, state.clock.now()).await.unwrap().unwrap();
        changes::commit(tx, &[revision], &state.clock, &state.random).await.unwrap();
    }

    async fn subscribe(&self, reader: usize, until: i64) {
        self.killable_server.lapse(self.readers[reader]).await;
        let state = &self.killable_server.portal;
        let mut tx = state.db.begin().await.unwrap();
        let (id, user_id, now) = (state.random.id(&state.clock), self.readers[reader], state.clock.now());
        subscriptions::begin(&mut tx, id, user_id, "professional", now, at(until)).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Reads the mails that the server accepted, each once. Fails if two mails with one Message-ID
    /// differ.
    pub fn told(&self) -> Result<Vec<Told>, String> {
        let mut messages = HashMap::new();
        for message in self.killable_server.smtp.accepted() {
            let known = messages.entry(message.message_id.clone()).or_insert_with(|| message.clone());
            if *known != message {
                return Err(format!("one Message-ID, two messages: {known:?} and {message:?}"));
            }
        }
        let mut told: Vec<Told> =
            messages.values().flat_map(|message| read(&message.to, &message.content)).collect();
        told.sort();
        Ok(told)
    }
}

fn at(minute: i64) -> Timestamp {
    Timestamp::from_second(minute * 60).unwrap()
}

fn write(tender: &mut Tender, nth: usize, notice: &Notice) {
    tender.title = title(nth, &notice.says);
    tender.status = if notice.is_cancelled { TenderStatus::Cancelled } else { TenderStatus::Published };
    tender.dates.closing = format!("{}-01-01T10:00:00+05:30", notice.closes).parse().ok();
}

/// Reads what a mail's text says about each tender.
fn read(to: &str, content: &str) -> Vec<Told> {
    let message = MessageParser::default().parse(content.as_bytes()).unwrap();
    let text = message.body_text(0).unwrap().replace("\r\n", "\n");
    let mut told = Vec::new();
    for card in text.split("----------------------------------------------------------------\n") {
        let Some(title) = card.lines().find(|line| line.starts_with("Lot ")) else { continue };
        let years = (FIRST_YEAR..FIRST_YEAR + 5).flat_map(|year| {
            card.match_indices(&format!(" {year},")).map(move |(at, _)| (at, year)).collect::<Vec<_>>()
        });
        let mut years: Vec<(usize, i16)> = years.collect();
        years.sort_unstable();
        let standing =
            ["Cancelled", "open"].into_iter().find(|standing| card.contains(&format!(", now {standing}\n")));
        for (said, is_new) in [("your alert “", true), ("it matched your alert “", false)] {
            for why in
                card.lines().filter_map(|line| line.strip_prefix("Why you get this: ")?.strip_prefix(said))
            {
                let years = years.iter().map(|(_, year)| *year).collect();
                told.push(Told {
                    address: to.to_owned(),
                    alert: why.split('”').next().unwrap().to_owned(),
                    is_new,
                    news: News { title: title.to_owned(), years, standing },
                });
            }
        }
    }
    told
}

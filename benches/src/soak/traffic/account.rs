//! An account of a user, and its way in.

use crate::soak::{
    client::{Repetition, Reply, Request, RequestBody, World, WriteRequest, Written, text_at, write},
    ledger::WriteKind,
};
use anyhow::{Result, bail};
use rand::{Rng, rngs::StdRng};
use reqwest::Method;
use serde_json::{Value, json};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::time;

/// How long a user waits for the mail with a link, the SMS with a code, or the start of a paid plan.
pub(super) const PATIENCE: Duration = Duration::from_secs(180);
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(300);
/// The fields of the sandbox's card form, with the card that pays.
const GOOD_CARD: &str = "number=4242+4242+4242+4242&expiry=12/34&cvc=123";

/// A signed-in user.
pub(super) struct Account {
    pub(super) world: Arc<World>,
    pub(super) random: StdRng,
    pub(super) email: String,
    pub(super) password: String,
    /// The access token.
    token: Option<String>,
    /// When the user signed in.
    signed_in: Instant,
    /// Whether somebody may have ended the session, as by changing the role.
    pub(super) may_be_signed_out: bool,
}

/// A session needs no renewal for this long. Access tokens are valid for an hour.
const SESSION_LASTS: Duration = Duration::from_secs(55 * 60);

impl Account {
    fn signed_out(world: &Arc<World>, random: StdRng, email: String, password: String) -> Self {
        let (world, signed_in) = (Arc::clone(world), Instant::now());
        Self { world, random, email, password, token: None, signed_in, may_be_signed_out: false }
    }

    /// Registers. Returns `None` if the outcome stays unknown and the account does not exist.
    pub(super) async fn register(world: &Arc<World>, mut random: StdRng, name: &str) -> Result<Option<Self>> {
        let letters: String = (0..8).map(|_| char::from(random.random_range(b'a'..=b'z'))).collect();
        let email = format!("{name}-{letters}@soak.example");
        let password = format!("first {letters} of theirs");
        let form = json!({"firstName": "Nimali", "lastName": letters, "email": email, "password": password,
            "role": "supplier"});
        let wanted = WriteRequest {
            kind: WriteKind::Register,
            key: format!("user/{email}"),
            value: Some(json!({"role": "supplier"})),
            request: Request::post("/api/auth/register", form),
            repetition: Repetition::Safe,
        };
        let written = write(world, wanted, None, &mut random).await?;
        let mut account = Self::signed_out(world, random, email, password);
        match written {
            Written::Accepted(reply) => account.token = Some(text_at(&reply, "/data/token")?),
            Written::Refused(status, reply) => account.note_refusal("register", status, &reply)?,
            Written::Unknown if account.sign_in().await? => {}
            Written::Unknown => return Ok(None),
        }
        Ok(Some(account))
    }

    /// Signs in with a known account.
    pub(super) async fn of(world: &Arc<World>, random: StdRng, email: &str, password: &str) -> Result<Self> {
        let mut account = Self::signed_out(world, random, email.to_owned(), password.to_owned());
        if !account.sign_in().await? {
            bail!("{} can't sign in", account.email);
        }
        Ok(account)
    }

    /// Signs in for further requests. Returns false if the portal refuses.
    pub(super) async fn sign_in(&mut self) -> Result<bool> {
        let form = json!({"email": self.email, "password": self.password});
        let reply = self.world.read(&Request::post("/api/auth/login", form), None).await;
        let Some(reply) = reply else { return Ok(false) };
        if reply.status() != 200 {
            return Ok(false);
        }
        self.token = Some(text_at(&reply.json(), "/data/token")?);
        self.signed_in = Instant::now();
        self.may_be_signed_out = false;
        Ok(true)
    }

    /// Signs in again after a request was refused because the session has ended.
    async fn sign_in_again(&mut self) -> Result<()> {
        if !self.may_be_signed_out && self.signed_in.elapsed() < SESSION_LASTS {
            self.world.ledger.note_violation(&format!("{} was signed out", self.email))?;
        }
        if !self.sign_in().await? && !self.world.is_stopping() {
            self.world.ledger.note_violation(&format!("{} can no longer sign in", self.email))?;
        }
        Ok(())
    }

    /// Waits for a mail with a link whose path contains `part`. Returns the token of the link.
    pub(super) async fn mailed_token(&self, part: &str) -> Result<Option<String>> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE && !self.world.is_stopping() {
            if let Some(token) = self.world.inbox.token(&self.email, part)? {
                return Ok(Some(token));
            }
            time::sleep(POLL_INTERVAL).await;
        }
        Ok(None)
    }

    /// Follows the link that confirms the address. Returns whether the address is confirmed.
    pub(super) async fn confirm_address(&mut self) -> Result<bool> {
        let Some(token) = self.mailed_token("/verify-email?").await? else { return Ok(false) };
        let wanted = WriteRequest {
            kind: WriteKind::Verify,
            key: format!("verified/{}", self.email),
            value: Some(json!(true)),
            request: Request::post("/api/auth/verify-email", json!({"token": token})),
            repetition: Repetition::Safe,
        };
        let written = self.write(wanted).await?;
        if written.is_unknown() {
            let me = self.read(Request::get("/api/auth/me")).await?.json();
            return Ok(me.pointer("/data/user/emailVerified") == Some(&json!(true)));
        }
        Ok(written.is_accepted())
    }

    /// Buys a plan with a test card. Returns whether the plan has begun.
    pub(super) async fn subscribe(&mut self, plan: &str) -> Result<bool> {
        let wish = Request::post("/api/subscriptions/create-checkout-session", json!({"planId": plan}));
        let opened = self.read(wish).await?;
        let Ok(url) = text_at(&opened.json(), "/data/url") else { return Ok(false) };
        let Some(place) = url.find("/payments") else { bail!("the URL of a checkout is {url}") };
        let wanted = WriteRequest {
            kind: WriteKind::Subscribe,
            key: format!("plan/{}", self.email),
            value: Some(json!(plan)),
            request: Request::new(Method::POST, &url[place..], RequestBody::Form(GOOD_CARD.into())),
            // A checkout can be paid once.
            repetition: Repetition::Safe,
        };
        self.write(wanted).await?;
        let began = Instant::now();
        while began.elapsed() < PATIENCE && !self.world.is_stopping() {
            let current = self.read(Request::get("/api/subscriptions/user/current")).await?.json();
            let subscription = &current["data"]["subscription"];
            if subscription["status"] == "active" && subscription["plan"] == plan {
                return Ok(true);
            }
            time::sleep(POLL_INTERVAL).await;
        }
        Ok(false)
    }

    /// Makes a write. Signs in and repeats the write if the session has ended.
    pub(super) async fn write(&mut self, wanted: WriteRequest) -> Result<Written> {
        let WriteRequest { kind, key, value, request, repetition } = wanted;
        let wanted = || WriteRequest {
            kind,
            key: key.clone(),
            value: value.clone(),
            request: request.clone(),
            repetition,
        };
        let written = write(&self.world, wanted(), self.token.as_deref(), &mut self.random).await?;
        if !matches!(written, Written::Refused(401, _)) {
            return Ok(written);
        }
        self.sign_in_again().await?;
        write(&self.world, wanted(), self.token.as_deref(), &mut self.random).await
    }

    /// Makes a write that the portal has no reason to refuse.
    pub(super) async fn write_permitted(&mut self, wanted: WriteRequest) -> Result<Written> {
        let (kind, key) = (wanted.kind, wanted.key.clone());
        let written = self.write(wanted).await?;
        if let Written::Refused(status, reply) = &written {
            self.note_refusal(&format!("{kind} of {key}"), *status, reply)?;
        }
        Ok(written)
    }

    /// Makes a write that the portal has no reason to refuse, and that also changes other records. The ledger
    /// records the same outcome for all.
    pub(super) async fn write_group(
        &mut self,
        wanted: WriteRequest,
        others: Vec<(WriteKind, String, Option<Value>)>,
    ) -> Result<Written> {
        let begin = |(kind, key, value): &(WriteKind, String, Option<Value>)| {
            self.world.ledger.begin(*kind, key, value.as_ref())
        };
        let begun = others.iter().map(begin).collect::<Result<Vec<_>>>()?;
        let written = self.write_permitted(wanted).await?;
        for id in begun {
            self.world.ledger.end(id, written.outcome())?;
        }
        Ok(written)
    }

    /// Makes a request that the portal must refuse with this status.
    pub(super) async fn expect_refusal(&mut self, what: &str, request: Request, status: u16) -> Result<()> {
        let reply = self.read(request).await?;
        if !reply.is_lost() && reply.status() != status {
            let text = format!("{what} was answered with {}: {}", reply.status(), reply.json());
            self.world.ledger.note_violation(&text)?;
        }
        Ok(())
    }

    pub(super) fn note_refusal(&self, what: &str, status: u16, reply: &Value) -> Result<()> {
        self.world.ledger.note_violation(&format!("{what} was refused with {status}: {reply}"))
    }

    /// Reads until there is a response.
    pub(super) async fn read(&mut self, request: Request) -> Result<Reply> {
        for _ in 0..2 {
            match self.world.read(&request, self.token.as_deref()).await {
                Some(reply) if reply.status() == 401 => self.sign_in_again().await?,
                Some(reply) => return Ok(reply),
                None => break,
            }
        }
        Ok(Reply::Lost)
    }
}

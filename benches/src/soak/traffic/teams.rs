//! A team: its owner invites users, who join, have alerts and leave again. One task acts for the owner and
//! for all members, so that each record has one writer.

use super::{
    FULL_PLAN,
    account::Account,
    alerts::{AlertSending, OwnAlerts},
    derive, pause,
};
use crate::soak::{
    TEAM_SEATS,
    client::{Repetition, Request, World, WriteRequest, Written, text_at},
    ledger::WriteKind,
    words::{pool_words, rare_word},
};
use anyhow::{Context, Result};
use rand::{Rng, rngs::StdRng};
use serde_json::{Value, json};
use std::sync::Arc;

/// An owner can send 20 invitations an hour.
const MAX_INVITATIONS: usize = 18;
const MAX_MEMBER_ALERTS: usize = 2;
/// The number of alerts of former members from which on the owner deletes some.
const MAX_INHERITED_ALERTS: usize = 6;
/// The share of invitations that are revoked.
const REVOKED_SHARE: f64 = 0.2;

pub(super) async fn run(world: Arc<World>, mut random: StdRng) -> Result<()> {
    let own = derive(&mut random);
    let mut admin = Account::of(&world, own, "admin@demo.test", "demo-portal").await?;
    while !world.is_stopping() {
        let own = derive(&mut random);
        let Some(mut owner) = Account::register(&world, own, "owner").await? else { continue };
        if !owner.confirm_address().await? || !owner.subscribe(FULL_PLAN).await? {
            continue;
        }
        let mut team = Team {
            owner,
            admin,
            free_seats: TEAM_SEATS,
            invitations: 0,
            members: Vec::new(),
            inherited: OwnAlerts::default(),
        };
        while !world.is_stopping() && !team.is_over() {
            team.act().await?;
            pause(&mut team.owner.random).await;
        }
        admin = team.admin;
    }
    Ok(())
}

struct Member {
    account: Account,
    id: String,
    alerts: OwnAlerts,
    /// `None` after a change with an unknown outcome.
    role: Option<&'static str>,
}

struct Team {
    owner: Account,
    /// Changes the roles of members.
    admin: Account,
    /// The seats that are certainly free.
    free_seats: usize,
    invitations: usize,
    /// The members with whom all outcomes are known. The others keep their seats, but do nothing.
    members: Vec<Member>,
    /// The alerts that have passed from former members to the owner.
    inherited: OwnAlerts,
}

impl Team {
    fn is_over(&self) -> bool {
        self.invitations >= MAX_INVITATIONS || (self.free_seats == 0 && self.members.is_empty())
    }

    async fn act(&mut self) -> Result<()> {
        match self.owner.random.random_range(0..60) {
            0..8 if self.free_seats > 0 => self.invite().await,
            8..28 => self.change_alert().await,
            28..32 => self.change_inherited_alert().await,
            32..34 => self.part().await,
            34..36 => self.change_role().await,
            _ => self.look().await,
        }
    }

    fn choose_member(&mut self) -> Option<usize> {
        let count = self.members.len();
        (count > 0).then(|| self.owner.random.random_range(0..count))
    }

    /// Invites a new user, who joins unless the invitation is revoked.
    async fn invite(&mut self) -> Result<()> {
        let (world, own) = (Arc::clone(&self.owner.world), derive(&mut self.owner.random));
        let Some(mut account) = Account::register(&world, own, "member").await? else { return Ok(()) };
        if !account.confirm_address().await? {
            return Ok(());
        }
        (self.invitations, self.free_seats) = (self.invitations + 1, self.free_seats - 1);
        let invitation = format!("invitation/{}/{}", self.owner.email, account.email);
        let wanted = WriteRequest {
            kind: WriteKind::Invite,
            key: invitation.clone(),
            value: Some(json!(true)),
            request: Request::post("/api/team/invitations", json!({"email": account.email})),
            // Each request sends another link.
            repetition: Repetition::Unsafe,
        };
        let Written::Accepted(reply) = self.owner.write_permitted(wanted).await? else { return Ok(()) };
        let Some(token) = account.mailed_token("/join?").await? else { return Ok(()) };
        let join = Request::post("/api/team/join", json!({"token": token}));
        if self.owner.random.random_bool(REVOKED_SHARE) {
            let id = invitation_id(&reply, &account.email)?;
            if self.revoke(invitation, &id).await? {
                account.expect_refusal("the use of a revoked invitation", join, 404).await?;
            }
            return Ok(());
        }
        let wanted = WriteRequest {
            kind: WriteKind::Join,
            key: format!("member/{}", account.email),
            value: Some(json!(self.owner.email)),
            request: join,
            // An invitation can be used once.
            repetition: Repetition::Safe,
        };
        let used = vec![(WriteKind::Join, invitation, None)];
        if account.write_group(wanted, used).await?.is_accepted() {
            let me = account.read(Request::get("/api/auth/me")).await?.json();
            if let Ok(id) = text_at(&me, "/data/user/_id") {
                let alerts = OwnAlerts::default();
                self.members.push(Member { account, id, alerts, role: Some("supplier") });
            }
        }
        Ok(())
    }

    /// Revokes an invitation. Returns whether it is certainly revoked.
    async fn revoke(&mut self, invitation: String, id: &str) -> Result<bool> {
        let wanted = WriteRequest {
            kind: WriteKind::Revoke,
            key: invitation,
            value: None,
            request: Request::delete(format!("/api/team/invitations/{id}")),
            repetition: Repetition::Safe,
        };
        let is_revoked = self.owner.write_permitted(wanted).await?.is_accepted();
        self.free_seats += usize::from(is_revoked);
        Ok(is_revoked)
    }

    /// A member or the owner writes an alert of the member.
    async fn change_alert(&mut self) -> Result<()> {
        let Some(place) = self.choose_member() else { return Ok(()) };
        let member = &mut self.members[place];
        let alerts = &mut member.alerts;
        let is_known = if alerts.len() < MAX_MEMBER_ALERTS {
            let sending = if alerts.has_daily() { AlertSending::Mails } else { AlertSending::DailyMail };
            let keywords = keywords(sending, &mut member.account.random);
            alerts.create(&mut member.account, &keywords, sending).await?
        } else {
            let by_owner = self.owner.random.random_bool(0.3);
            let account = if by_owner { &mut self.owner } else { &mut member.account };
            alerts.edit_one(account, keywords).await?
        };
        if !is_known {
            // The alert may exist or not. If the member left, nobody could say what passes to the owner.
            self.members.swap_remove(place);
        }
        Ok(())
    }

    /// The owner edits or deletes an alert of a former member.
    async fn change_inherited_alert(&mut self) -> Result<()> {
        if self.inherited.len() > MAX_INHERITED_ALERTS {
            self.inherited.delete_one(&mut self.owner).await?;
        } else {
            self.inherited.edit_one(&mut self.owner, keywords).await?;
        }
        Ok(())
    }

    /// A member leaves or is removed by the owner. The member's alerts pass to the owner.
    async fn part(&mut self) -> Result<()> {
        let Some(place) = self.choose_member() else { return Ok(()) };
        let mut member = self.members.swap_remove(place);
        let wanted = WriteRequest {
            kind: WriteKind::Part,
            key: format!("member/{}", member.account.email),
            value: None,
            request: Request::delete(format!("/api/team/members/{}", member.id)),
            repetition: Repetition::Safe,
        };
        let passed = member.alerts.pass_to(&self.owner.email);
        let is_removed = self.owner.random.random_bool(0.5);
        let account = if is_removed { &mut self.owner } else { &mut member.account };
        if account.write_group(wanted, passed).await?.is_accepted() {
            self.free_seats += 1;
            self.inherited.append(member.alerts);
            member
                .account
                .expect_refusal("the team of a former member", Request::get("/api/team"), 403)
                .await?;
        }
        Ok(())
    }

    /// An administrator gives a member another role, which ends the member's sessions.
    async fn change_role(&mut self) -> Result<()> {
        let Some(place) = self.choose_member() else { return Ok(()) };
        let member = &mut self.members[place];
        let next = match member.role {
            Some("supplier") => "buyer",
            Some(_) => "supplier",
            None => return Ok(()),
        };
        let wanted = WriteRequest {
            kind: WriteKind::ChangeRole,
            key: format!("user/{}", member.account.email),
            value: Some(json!({"role": next})),
            request: Request::put(format!("/api/operate/users/{}/role", member.id), json!({"role": next})),
            repetition: Repetition::Safe,
        };
        // A change of the role ends the sessions of the account.
        member.account.may_be_signed_out = true;
        member.role = self.admin.write_permitted(wanted).await?.is_accepted().then_some(next);
        Ok(())
    }

    /// A member reads the team. An accepted membership must be visible at once.
    async fn look(&mut self) -> Result<()> {
        let Some(place) = self.choose_member() else { return Ok(()) };
        let member = &mut self.members[place].account;
        let reply = member.read(Request::get("/api/team")).await?;
        let team = reply.json();
        let listed = team["data"]["team"]["members"].as_array().into_iter().flatten();
        let emails: Vec<&str> = listed.filter_map(|one| one["email"].as_str()).collect();
        let is_complete =
            [&self.owner.email, &member.email].iter().all(|email| emails.contains(&email.as_str()));
        if !reply.is_lost() && !is_complete {
            member.note_refusal(&format!("the team of {}", member.email), reply.status(), &team)?;
        }
        Ok(())
    }
}

/// The keywords of an alert. A daily mail lists few tenders, so a daily alert looks for a rare word.
fn keywords(sending: AlertSending, random: &mut StdRng) -> Vec<&'static str> {
    if sending == AlertSending::DailyMail { vec![rare_word(random)] } else { pool_words(1, random) }
}

/// Returns the id of the invitation of an address.
fn invitation_id(reply: &Value, email: &str) -> Result<String> {
    let listed = reply["data"]["team"]["invitations"].as_array();
    let invitation = listed.into_iter().flatten().find(|invitation| invitation["email"] == email);
    text_at(invitation.context("the new invitation is not listed")?, "/_id")
}

//! Readers: they have a few alerts for rare words. Every second one is mailed once a day, and the others
//! also send SMS.

use super::{
    FULL_PLAN,
    account::Account,
    alerts::{AlertSending, OwnAlerts},
    derive, pause, phone,
};
use crate::soak::{
    client::{Request, World},
    words::rare_word,
};
use anyhow::Result;
use rand::{Rng, rngs::StdRng};
use std::sync::Arc;

const MAX_ALERTS: usize = 4;

pub(super) async fn run(world: Arc<World>, mut random: StdRng) -> Result<()> {
    while !world.is_stopping() {
        let own = derive(&mut random);
        let Some(mut account) = Account::register(&world, own, "reader").await? else { continue };
        if !account.confirm_address().await? || !account.subscribe(FULL_PLAN).await? {
            continue;
        }
        let has_phone = phone::confirm_number(&mut account).await?;
        let immediate = if has_phone { AlertSending::Sms } else { AlertSending::Mails };
        let mut reader = Reader { account, immediate, alerts: OwnAlerts::default(), created: 0 };
        while !world.is_stopping() {
            reader.act().await?;
            pause(&mut reader.account.random).await;
        }
    }
    Ok(())
}

struct Reader {
    account: Account,
    /// How the alerts that are not daily send their matches.
    immediate: AlertSending,
    alerts: OwnAlerts,
    /// The alerts that were sent.
    created: usize,
}

impl Reader {
    async fn act(&mut self) -> Result<()> {
        match self.account.random.random_range(0..30) {
            0..6 if self.alerts.len() < MAX_ALERTS => {
                let sending =
                    if self.created.is_multiple_of(2) { AlertSending::DailyMail } else { self.immediate };
                self.created += 1;
                let keywords = [rare_word(&mut self.account.random)];
                self.alerts.create(&mut self.account, &keywords, sending).await?;
            }
            6..12 => {
                self.alerts.edit_one(&mut self.account, |_, random| vec![rare_word(random)]).await?;
            }
            12 => {
                self.alerts.delete_one(&mut self.account).await?;
            }
            _ => {
                self.account.read(Request::get("/api/alerts")).await?;
            }
        }
        Ok(())
    }
}

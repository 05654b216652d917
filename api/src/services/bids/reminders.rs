//! What a user chose about reminders of the deadlines of bids.

use super::Board;
use crate::{
    domain::{
        bid::reminders::{MAX_HOURS, MAX_TIMES, ReminderSetting},
        channel::{Channel, DirectChannel},
        error::{FieldError, ServiceError},
    },
    storage::{bids::reminders, phones, webhooks},
};
use std::collections::BTreeSet;
use strum::IntoEnumIterator;
use uuid::Uuid;

impl Board<'_> {
    /// What the user chose for a bid. `None`: nothing, so the choice for all bids counts.
    pub async fn reminders_of(&self, bid: Uuid) -> Result<Option<ReminderSetting>, ServiceError> {
        Ok(reminders::setting(&self.context.db, self.user.id, Some(bid)).await?)
    }

    /// What the user chose for all bids.
    pub async fn default_reminders(&self) -> Result<ReminderSetting, ServiceError> {
        let found = reminders::setting(&self.context.db, self.user.id, None).await?;
        Ok(found.unwrap_or_default())
    }

    /// The channels that the user has: mail, and those of the plan that the user has set up.
    pub async fn channels(&self) -> Result<Vec<Channel>, ServiceError> {
        let mut found = vec![Channel::Email];
        if self.entitlement.permit_direct_alerts().is_err() {
            return Ok(found);
        }
        let phone = phones::of_user(&self.context.db, self.user.id).await?;
        let has_phone = phone.is_some_and(|phone| phone.is_confirmed);
        let webhook = webhooks::of_user(&self.context.db, self.user.id).await?;
        let has_webhook = webhook.is_some_and(|webhook| webhook.off_at.is_none());
        found.extend(DirectChannel::iter().filter_map(|channel| {
            let has = if channel == DirectChannel::Webhook { has_webhook } else { has_phone };
            has.then_some(Channel::Direct(channel))
        }));
        Ok(found)
    }

    /// Stores what the user chose for a bid, or for all bids.
    ///
    /// # Errors
    /// 404 if the board has no such bid, 403 if the plan does not include a channel, and 422 if a time is
    /// invalid or the user does not have a channel.
    pub async fn set_reminders(
        &self,
        bid: Option<Uuid>,
        setting: ReminderSetting,
    ) -> Result<(), ServiceError> {
        if let Some(bid) = bid {
            self.bid(bid).await?;
        }
        if setting.channels.iter().any(|channel| *channel != Channel::Email) {
            self.entitlement.permit_direct_alerts()?;
        }
        let setting = checked(setting, &self.channels().await?).map_err(ServiceError::Invalid)?;
        let id = self.context.random.id(&self.context.clock);
        let now = self.context.clock.now();
        reminders::put_setting(&self.context.db, (id, self.user.id, bid), &setting, now).await?;
        Ok(())
    }

    /// Deletes what the user chose for a bid.
    ///
    /// # Errors
    /// 404 if the board has no such bid.
    pub async fn reset_reminders(&self, bid: Uuid) -> Result<(), ServiceError> {
        self.bid(bid).await?;
        reminders::remove_setting(&self.context.db, self.user.id, bid).await?;
        Ok(())
    }
}

/// Sorts the times and the channels, and refuses what the user cannot have.
fn checked(setting: ReminderSetting, own: &[Channel]) -> Result<ReminderSetting, Vec<FieldError>> {
    let mut errors = Vec::new();
    let mut times = |field: &str, hours: Vec<i32>| {
        let hours: BTreeSet<i32> = hours.into_iter().collect();
        if hours.len() > MAX_TIMES || hours.iter().any(|hours| !(1..=MAX_HOURS).contains(hours)) {
            errors.push(FieldError::new(
                field,
                format!("Choose at most {MAX_TIMES} times, each 1 to {MAX_HOURS} hours before"),
            ));
        }
        hours.into_iter().rev().collect::<Vec<_>>()
    };
    let (sale_ends, pre_bid) = (times("saleEnds", setting.sale_ends), times("preBid", setting.pre_bid));
    let closing = times("closing", setting.closing);
    let channels: BTreeSet<Channel> = setting.channels.into_iter().collect();
    if channels.iter().any(|channel| !own.contains(channel)) {
        errors.push(FieldError::new("channels", "Please set up this channel first"));
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(ReminderSetting { channels: channels.into_iter().collect(), sale_ends, pre_bid, closing })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_sorted_and_bounded() {
        let setting = |closing: Vec<i32>| ReminderSetting {
            channels: vec![Channel::Email, Channel::Email],
            closing,
            ..ReminderSetting::default()
        };
        let kept = checked(setting(vec![3, 168, 3]), &[Channel::Email]).unwrap();
        assert_eq!((kept.closing, kept.channels), (vec![168, 3], vec![Channel::Email]));
        for rubbish in [vec![0], vec![-1], vec![MAX_HOURS + 1], vec![1, 2, 3, 4, 5, 6]] {
            assert_eq!(checked(setting(rubbish), &[Channel::Email]).unwrap_err()[0].field, "closing");
        }
        assert_eq!(checked(setting(vec![3]), &[]).unwrap_err()[0].field, "channels");
    }
}

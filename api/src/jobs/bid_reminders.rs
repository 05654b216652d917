//! Reminders of the deadlines of bids. A reminder and its messages are one transaction, so each is sent once,
//! also after a crash, if the clock is set back, or if several processes run.

use crate::{
    app::{state::AppState, unsubscribe_links::UnsubscribeTarget},
    base::i18n::mail_texts::{self, MailTexts},
    domain::{
        bid::reminders::{DueReminder, RemindedBid},
        channel::{Channel, DirectChannel},
        deadlines::DeadlineKind,
        user::User,
    },
    services::{
        calendar,
        entitlement::Entitlement,
        notifications::{
            account_mail::{self, AccountMail, Recipient, Unsubscribe},
            webhook_payload,
        },
    },
    storage::{
        self,
        bids::reminders,
        deliveries::{self, SealedMessage},
        phones, users, webhooks,
    },
};
use anyhow::Context;
use jiff::{SignedDuration, Timestamp};
use sqlx::PgConnection;
use tender_model::{display_title::display_title, vocabulary::Moment};

/// The time between two searches for due reminders.
const CHECK_INTERVAL: SignedDuration = SignedDuration::from_mins(1);
/// The longest title in a message, in characters.
const MAX_TITLE: usize = 120;

/// Seals the reminders that are due, if the last search, at `last_check`, was a minute ago.
pub(super) async fn run_due(state: &AppState, last_check: &mut Option<Timestamp>) -> anyhow::Result<()> {
    let now = state.clock.now();
    // After the clock was set back, the last search is in the future.
    let is_recent = |last: Timestamp| last <= now && now.duration_since(last) < CHECK_INTERVAL;
    if last_check.is_some_and(is_recent) {
        return Ok(());
    }
    for bid in reminders::reminded_bids(&state.db, now).await? {
        for kind in [DeadlineKind::SaleEnds, DeadlineKind::PreBid, DeadlineKind::Closing] {
            let due: Vec<_> = bid.due(now).into_iter().filter(|due| due.kind == kind).collect();
            remind(state, &bid, &due, now).await?;
        }
    }
    *last_check = Some(now);
    Ok(())
}

/// Seals the last of the reminders of one deadline. If several are due, no process was running when the others
/// were.
async fn remind(
    state: &AppState,
    bid: &RemindedBid,
    due: &[DueReminder],
    now: Timestamp,
) -> anyhow::Result<()> {
    let key = (bid.bid_id, bid.user_id);
    let Some(last) = due.last() else { return Ok(()) };
    if reminders::is_recorded(&state.db, key, last).await? {
        return Ok(());
    }
    let mut tx = storage::begin(&state.db).await?;
    let mut is_new = false;
    for reminder in due {
        // Another process waits here until this transaction ends, and then finds the reminder recorded.
        is_new = reminders::record(&mut tx, key, reminder, now).await?;
    }
    if is_new {
        let user = users::by_id(&mut *tx, bid.user_id, now).await?;
        if let Some(user) = user
            && may_remind(state, &user, bid, last).await?
        {
            seal(state, &mut tx, &user, (bid, last)).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// Whether the user still works on the board and may see the deadline.
async fn may_remind(
    state: &AppState,
    user: &User,
    bid: &RemindedBid,
    due: &DueReminder,
) -> anyhow::Result<bool> {
    let entitlement = Entitlement::of_user(Some(user), state).await?;
    let is_visible =
        due.kind == DeadlineKind::Closing || entitlement.stub(&bid.tender, bid.publisher_id).is_none();
    Ok(entitlement.board_account(user) == bid.account_id && is_visible)
}

async fn seal(
    state: &AppState,
    tx: &mut PgConnection,
    user: &User,
    (bid, due): (&RemindedBid, &DueReminder),
) -> anyhow::Result<()> {
    let may_use_direct = Entitlement::of_user(Some(user), state).await?.permit_direct_alerts().is_ok();
    let link = format!("{}/bids/{}", state.config.base_url(), bid.bid_id);
    let texts = MailTexts::of(user.language);
    let title = mail_texts::shortened(&display_title(&bid.tender.title), MAX_TITLE);
    let organization = display_title(&bid.tender.organization.name);
    let moment = texts.moment(due.deadline);
    let what = match due.kind {
        DeadlineKind::SaleEnds => &texts.bids.sale_ends,
        DeadlineKind::PreBid => &texts.bids.pre_bid,
        _ => &texts.bids.closing,
    };
    for channel in &bid.setting.channels {
        match channel {
            // A suppressed address is not confirmed any more.
            Channel::Email if user.email_verified => {
                let mail = texts.mails.bid_reminder.fill(&[
                    ("what", what),
                    ("moment", &moment),
                    ("title", &title),
                    ("organization", &organization),
                ]);
                let offices = calendar::office_days(&mut *tx, state.clock.moment()).await?;
                let warning = texts.closed_offices(due.deadline, &offices);
                let mail = mail.and_sentence(&warning);
                let off = state.unsubscribe.link(UnsubscribeTarget::BidReminders(user.id));
                let offer = Unsubscribe { label: &texts.bids.silence, link: &off };
                let mail = AccountMail { unsubscribe: Some(offer), ..mail.mail(&user.first_name, &link) };
                account_mail::seal(state, tx, Recipient::user(user), &mail).await?;
            }
            Channel::Direct(direct) if may_use_direct => {
                let text = texts.bids.message.with(&[
                    ("what", what),
                    ("moment", &moment),
                    ("title", &title),
                    ("link", &link),
                ]);
                seal_direct(state, tx, (user, *direct), (bid, due), &text).await?;
            }
            Channel::Email | Channel::Direct(_) => {}
        }
    }
    Ok(())
}

/// Seals a text message or a call of the webhook, if the user still has the channel.
async fn seal_direct(
    state: &AppState,
    tx: &mut PgConnection,
    (user, channel): (&User, DirectChannel),
    (bid, due): (&RemindedBid, &DueReminder),
    text: &str,
) -> anyhow::Result<()> {
    let now = state.clock.now();
    let id = state.random.id(&state.clock);
    let (address, content) = if channel == DirectChannel::Webhook {
        let webhook = webhooks::of_user(&mut *tx, user.id).await?;
        let Some(webhook) = webhook.filter(|webhook| webhook.off_at.is_none()) else { return Ok(()) };
        let content = webhook_payload::of_reminder(id, Moment::new(now), bid, due).context("writing JSON")?;
        (webhook.url, content)
    } else {
        let phone = phones::of_user(&mut *tx, user.id).await?;
        let Some(phone) = phone.filter(|phone| phone.is_confirmed) else { return Ok(()) };
        (format!("{}:{}", channel.as_str(), phone.number), text.as_bytes().to_vec())
    };
    let message =
        SealedMessage { id, user_id: Some(user.id), channel: Channel::Direct(channel), address: &address };
    deliveries::insert_sealed(tx, &message, &id.simple().to_string(), &content, now).await?;
    Ok(())
}

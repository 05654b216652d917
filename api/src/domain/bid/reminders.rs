//! When a user is reminded of the deadlines of bids.

use super::checklist::settled_deadlines;
use crate::domain::{channel::Channel, deadlines::DeadlineKind};
use jiff::{SignedDuration, Timestamp};
use std::collections::HashMap;
use tender_model::{
    checklist::sale_end,
    tender::Tender,
    vocabulary::{Moment, TenderStatus},
};
use uuid::Uuid;

/// The longest time before a deadline, in hours: sixty days.
pub const MAX_HOURS: i32 = 60 * 24;
/// The maximum number of reminders of one deadline.
pub const MAX_TIMES: usize = 5;

/// When and how a user is reminded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReminderSetting {
    /// How. Empty: the user is not reminded.
    pub channels: Vec<Channel>,
    /// The hours before the sale of the documents ends.
    pub sale_ends: Vec<i32>,
    /// The hours before the meeting or site visit.
    pub pre_bid: Vec<i32>,
    /// The hours before bids close.
    pub closing: Vec<i32>,
}

/// An open bid of a user with reminders.
#[derive(Debug, Clone, PartialEq)]
pub struct RemindedBid {
    /// The bid.
    pub bid_id: Uuid,
    /// The account whose board it is on.
    pub account_id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// When the user is reminded.
    pub setting: ReminderSetting,
    /// When the setting was made or the bid was added, whichever was later.
    pub since: Timestamp,
    /// The tender.
    pub tender: Tender,
    /// The fingerprints of the bid's ticks by the keys of their rows.
    pub ticks: HashMap<String, String>,
    /// Who published the tender.
    pub publisher_id: Option<Uuid>,
}

/// A reminder that is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueReminder {
    /// What ends.
    pub kind: DeadlineKind,
    /// When it ends.
    pub deadline: Moment,
    /// The hours before.
    pub hours: i32,
}

/// The deadlines of a tender of which users are reminded.
fn deadlines(tender: &Tender) -> [(DeadlineKind, Option<Moment>); 3] {
    let meeting = tender.pre_bid.as_ref().and_then(|meeting| meeting.at);
    [
        (DeadlineKind::SaleEnds, sale_end(tender)),
        (DeadlineKind::PreBid, meeting),
        (DeadlineKind::Closing, tender.dates.closing),
    ]
}

impl ReminderSetting {
    /// What counts for who adds a first bid to the board: mails at the times that the app proposes.
    #[must_use]
    pub fn first() -> Self {
        Self {
            channels: vec![Channel::Email],
            sale_ends: vec![48],
            pre_bid: vec![24],
            closing: vec![168, 48, 3],
        }
    }

    fn hours(&self, kind: DeadlineKind) -> &[i32] {
        match kind {
            DeadlineKind::SaleEnds => &self.sale_ends,
            DeadlineKind::PreBid => &self.pre_bid,
            DeadlineKind::Closing => &self.closing,
            DeadlineKind::Clarification | DeadlineKind::Opening | DeadlineKind::BondExpiry => &[],
        }
    }
}

impl RemindedBid {
    /// The reminders that are due at `now`, for each deadline the last one last. A reminder whose time was over
    /// before the user asked for it is not due, nor is one of a deadline that is over or settled.
    #[must_use]
    pub fn due(&self, now: Timestamp) -> Vec<DueReminder> {
        if self.tender.status != TenderStatus::Published || self.setting.channels.is_empty() {
            return Vec::new();
        }
        let settled = settled_deadlines(&self.tender, &self.ticks);
        let mut found = Vec::new();
        for (kind, deadline) in deadlines(&self.tender) {
            if settled.contains(&kind) {
                continue;
            }
            let Some(deadline) = deadline.filter(|deadline| deadline.timestamp() > now) else { continue };
            let mut hours = self.setting.hours(kind).to_vec();
            hours.sort_unstable_by(|a, b| b.cmp(a));
            hours.dedup();
            let is_due = |hours: &i32| {
                let before = SignedDuration::from_hours(i64::from(*hours));
                deadline.timestamp().checked_sub(before).is_ok_and(|at| self.since <= at && at <= now)
            };
            found.extend(hours.into_iter().filter(is_due).map(|hours| DueReminder { kind, deadline, hours }));
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        format!("{text}+05:30").parse().unwrap()
    }

    fn bid(closing: &str) -> RemindedBid {
        let mut tender = Tender { status: TenderStatus::Published, ..Tender::default() };
        tender.dates.closing = format!("{closing}+05:30").parse().ok();
        RemindedBid {
            bid_id: Uuid::nil(),
            account_id: Uuid::nil(),
            user_id: Uuid::nil(),
            setting: ReminderSetting {
                channels: vec![Channel::Email],
                closing: vec![3, 48, 168, 48],
                sale_ends: vec![24],
                ..ReminderSetting::default()
            },
            since: at("2026-11-20T10:00:00"),
            tender,
            ticks: HashMap::new(),
            publisher_id: None,
        }
    }

    fn hours(bid: &RemindedBid, now: &str) -> Vec<i32> {
        bid.due(at(now)).into_iter().map(|due| due.hours).collect()
    }

    #[test]
    fn a_reminder_is_due_from_its_time_to_the_deadline() {
        let bid = bid("2026-12-10T14:00:00");
        assert_eq!(hours(&bid, "2026-12-03T13:59:59"), Vec::<i32>::new());
        assert_eq!(hours(&bid, "2026-12-03T14:00:00"), [168]);
        assert_eq!(hours(&bid, "2026-12-10T11:00:00"), [168, 48, 3], "the last one stands last");
        assert_eq!(hours(&bid, "2026-12-10T14:00:00"), Vec::<i32>::new(), "it is over");
    }

    #[test]
    fn what_was_over_before_the_user_asked_is_not_due() {
        let mut late = bid("2026-12-10T14:00:00");
        late.since = at("2026-12-05T10:00:00");
        assert_eq!(hours(&late, "2026-12-09T10:00:00"), [48]);
        late.setting.channels.clear();
        assert_eq!(hours(&late, "2026-12-09T10:00:00"), Vec::<i32>::new());
        let mut withdrawn = bid("2026-12-10T14:00:00");
        withdrawn.tender.status = TenderStatus::Withdrawn;
        assert_eq!(hours(&withdrawn, "2026-12-09T10:00:00"), Vec::<i32>::new());
    }

    #[test]
    fn each_deadline_has_its_own_reminders() {
        let mut bid = bid("2026-12-20T14:00:00");
        let fee = serde_json::json!({"documentFee": {"saleUntil": "2026-12-05"}});
        bid.tender.document_fee = serde_json::from_value::<Tender>(fee).unwrap().document_fee;
        let due = bid.due(at("2026-12-05T10:00:00"));
        assert_eq!(due.len(), 1);
        assert_eq!((due[0].kind, due[0].hours), (DeadlineKind::SaleEnds, 24));
        let rows = tender_model::checklist::checklist(&bid.tender, None);
        bid.ticks = rows.iter().map(|row| (row.key.clone(), row.fingerprint())).collect();
        assert_eq!(bid.due(at("2026-12-05T10:00:00")), [], "the documents are bought");
    }

    #[test]
    fn the_sale_ends_at_the_printed_hour() {
        let mut bid = bid("2026-12-20T14:00:00");
        let tender = serde_json::json!({
            "documentFee": {"saleUntil": "2026-12-05"},
            "fullTextMarkdown": "Documents are issued till 3.00 p.m. on 05.12.2026.",
            "evidence": {"documentFee.saleUntil": {"text": "05.12.2026"}},
        });
        let tender: Tender = serde_json::from_value(tender).unwrap();
        bid.tender = Tender { status: TenderStatus::Published, ..tender };
        let kinds = |now| bid.due(at(now)).into_iter().map(|due| due.kind).collect::<Vec<_>>();
        assert_eq!(kinds("2026-12-04T14:59:00"), []);
        assert_eq!(kinds("2026-12-04T15:00:00"), [DeadlineKind::SaleEnds]);
        assert_eq!(kinds("2026-12-05T15:00:00"), [], "the sale is over");
    }
}

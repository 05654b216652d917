//! Decides when a change of plan takes effect: at once with a credit, at the end of the period, or
//! not at all. The decision needs no database.
//!
//! - Without a subscription, or with an unpaid or ended period, the plan begins at once and without
//!   a credit.
//! - An upgrade (a higher plan, or the same plan yearly) begins at once. A credit for the unused
//!   time reduces the first payment. Only full hours count as used, and the credit is rounded down
//!   to a cent.
//! - A downgrade, or a change from yearly to monthly, begins when the paid period ends. So does a
//!   change whose first payment would be too small for a provider to charge.
//! - A request for the held plan and cycle changes nothing. A plan that the operator gave counts as
//!   held in both cycles.

use crate::domain::{
    billing_cycle::BillingCycle,
    money::{Cents, unused_amount},
};
use jiff::Timestamp;

/// The smallest amount that providers charge to a card.
const MIN_CHARGE: Cents = Cents(20_000);

/// The subscription that a user holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeldSubscription {
    /// The plan's rank.
    pub rank: i16,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The price of the period; 0 if the operator gave the plan.
    pub price: Cents,
    /// When the paid period began.
    pub period_start: Timestamp,
    /// When the paid period ends.
    pub end: Timestamp,
    /// Whether the charge for the next period failed or is missing.
    pub is_unpaid: bool,
}

/// The plan that a user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RequestedPlan {
    /// The plan's rank.
    pub rank: i16,
    /// The billing cycle.
    pub cycle: BillingCycle,
    /// The price of a period.
    pub price: Cents,
}

/// When a change of plan takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeTiming {
    /// The wanted plan begins when it is paid.
    Now {
        /// The credit for the unused time.
        credit: Cents,
        /// The first payment.
        first: Cents,
    },
    /// The wanted plan begins when the paid period ends.
    AtEnd(Timestamp),
    /// The wanted plan is held already.
    Held,
}

/// Decides when a change of plan takes effect.
#[must_use]
pub fn decide(held: Option<&HeldSubscription>, wish: &RequestedPlan, now: Timestamp) -> ChangeTiming {
    let at_once = ChangeTiming::Now { credit: Cents(0), first: wish.price };
    let Some(held) = held.filter(|held| !held.is_unpaid && held.end > now) else { return at_once };
    if held.rank == wish.rank && (held.cycle == wish.cycle || held.price == Cents(0)) {
        return ChangeTiming::Held;
    }
    let is_shorter =
        held.cycle == BillingCycle::Yearly && wish.cycle == BillingCycle::Monthly && held.price > Cents(0);
    if wish.rank < held.rank || is_shorter {
        return ChangeTiming::AtEnd(held.end);
    }
    let credit = unused_amount(held.price, held.period_start, held.end, now);
    let first = wish.price - credit;
    if first < MIN_CHARGE.min(wish.price) {
        ChangeTiming::AtEnd(held.end)
    } else {
        ChangeTiming::Now { credit, first }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    const BASIC: i16 = 1;
    const PROFESSIONAL: i16 = 2;
    const ENTERPRISE: i16 = 3;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn held(rank: i16, cycle: BillingCycle, price: i64) -> HeldSubscription {
        let end =
            if cycle == BillingCycle::Monthly { "2026-12-01T00:00:00Z" } else { "2027-11-01T00:00:00Z" };
        let (period_start, end) = (at("2026-11-01T00:00:00Z"), at(end));
        HeldSubscription { rank, cycle, price: Cents(price), period_start, end, is_unpaid: false }
    }

    fn wish(rank: i16, cycle: BillingCycle, price: i64) -> RequestedPlan {
        RequestedPlan { rank, cycle, price: Cents(price) }
    }

    #[rstest]
    #[case(BASIC, BillingCycle::Monthly, 200_000, PROFESSIONAL, BillingCycle::Monthly, 500_000, 100_000)]
    #[case(BASIC, BillingCycle::Monthly, 200_000, BASIC, BillingCycle::Yearly, 2_000_000, 100_000)]
    #[case(BASIC, BillingCycle::Monthly, 200_000, ENTERPRISE, BillingCycle::Yearly, 10_000_000, 100_000)]
    // 350 of 365 days are left.
    #[case(BASIC, BillingCycle::Yearly, 2_000_000, PROFESSIONAL, BillingCycle::Yearly, 5_000_000, 1_917_808)]
    // A plan that the operator gave has nothing to credit.
    #[case(BASIC, BillingCycle::Monthly, 0, PROFESSIONAL, BillingCycle::Monthly, 500_000, 0)]
    fn an_upgrade_begins_at_once_with_a_credit(
        #[case] rank: i16,
        #[case] cycle: BillingCycle,
        #[case] price: i64,
        #[case] wanted: i16,
        #[case] wanted_cycle: BillingCycle,
        #[case] wanted_price: i64,
        #[case] credit: i64,
    ) {
        let change = decide(
            Some(&held(rank, cycle, price)),
            &wish(wanted, wanted_cycle, wanted_price),
            at("2026-11-16T00:00:00Z"),
        );
        let (credit, first) = (Cents(credit), Cents(wanted_price - credit));
        assert_eq!(change, ChangeTiming::Now { credit, first });
    }

    #[rstest]
    #[case(PROFESSIONAL, BillingCycle::Monthly, 500_000, BASIC, BillingCycle::Monthly, 200_000)]
    #[case(PROFESSIONAL, BillingCycle::Monthly, 500_000, BASIC, BillingCycle::Yearly, 2_000_000)]
    #[case(PROFESSIONAL, BillingCycle::Yearly, 5_000_000, PROFESSIONAL, BillingCycle::Monthly, 500_000)]
    #[case(BASIC, BillingCycle::Yearly, 2_000_000, ENTERPRISE, BillingCycle::Monthly, 1_000_000)]
    // Prices have changed, so the credit would cover the whole payment.
    #[case(BASIC, BillingCycle::Monthly, 2_000_000, PROFESSIONAL, BillingCycle::Monthly, 500_000)]
    fn a_downgrade_or_a_too_small_payment_waits_for_the_end_of_the_period(
        #[case] rank: i16,
        #[case] cycle: BillingCycle,
        #[case] price: i64,
        #[case] wanted: i16,
        #[case] wanted_cycle: BillingCycle,
        #[case] wanted_price: i64,
    ) {
        let held = held(rank, cycle, price);
        let change =
            decide(Some(&held), &wish(wanted, wanted_cycle, wanted_price), at("2026-11-16T00:00:00Z"));
        assert_eq!(change, ChangeTiming::AtEnd(held.end));
    }

    #[test]
    fn a_held_plan_is_sold_again_only_if_it_is_unpaid_or_ended() {
        let held = held(PROFESSIONAL, BillingCycle::Monthly, 500_000);
        let same = wish(PROFESSIONAL, BillingCycle::Monthly, 500_000);
        let now = at("2026-11-16T00:00:00Z");
        assert_eq!(decide(Some(&held), &same, now), ChangeTiming::Held);
        let full_price = ChangeTiming::Now { credit: Cents(0), first: Cents(500_000) };
        assert_eq!(decide(Some(&HeldSubscription { is_unpaid: true, ..held }), &same, now), full_price);
        assert_eq!(decide(Some(&held), &same, held.end), full_price);
        assert_eq!(decide(None, &same, now), full_price);
        // A plan that the operator gave is not sold in the other cycle either.
        let given = HeldSubscription { price: Cents(0), ..held };
        assert_eq!(
            decide(Some(&given), &wish(PROFESSIONAL, BillingCycle::Yearly, 5_000_000), now),
            ChangeTiming::Held
        );
    }
}

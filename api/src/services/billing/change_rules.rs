//! Decides when a change of plan takes effect: at once with a credit, at the end of the period, or
//! not at all. Pure arithmetic.
//!
//! - Without a subscription, or with an unpaid period, the plan begins at once and without a
//!   credit.
//! - An upgrade (a higher plan, or the same plan yearly) begins at once. The unused time is
//!   credited to the first payment, by full hours and rounded down to a cent.
//! - A downgrade, or a change from yearly to monthly, begins when the paid period ends. So does a
//!   change that the credit would pay for completely, because no provider charges nothing.

use crate::domain::{
    cycle::Cycle,
    money::{Cents, left_of},
};
use jiff::Timestamp;

/// The smallest amount that a card can be charged.
const LEAST: Cents = Cents(20_000);

/// The subscription that a user holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Held {
    /// The plan's rank.
    pub rank: i16,
    /// The billing cycle.
    pub cycle: Cycle,
    /// The price of the period; 0 if the operator gave the plan.
    pub price: Cents,
    /// When the paid period began.
    pub period_start: Timestamp,
    /// When it ends.
    pub end: Timestamp,
    /// The running period is not paid for.
    pub is_unpaid: bool,
}

/// The plan that a user wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The plan's rank.
    pub rank: i16,
    /// The billing cycle.
    pub cycle: Cycle,
    /// The price of a period.
    pub price: Cents,
}

/// When a change of plan takes effect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// It begins when it is paid.
    Now {
        /// The credit for the unused time.
        credit: Cents,
        /// The first payment.
        first: Cents,
    },
    /// It begins when the paid period ends.
    AtEnd(Timestamp),
    /// The plan is held already.
    Held,
}

/// Decides when a change of plan takes effect.
#[must_use]
pub fn decide(held: Option<&Held>, wish: &Wish, now: Timestamp) -> Change {
    let at_once = Change::Now { credit: Cents(0), first: wish.price };
    let Some(held) = held.filter(|held| !held.is_unpaid && held.end > now) else { return at_once };
    if held.rank == wish.rank && (held.cycle == wish.cycle || held.price == Cents(0)) {
        return Change::Held;
    }
    let is_shorter = held.cycle == Cycle::Yearly && wish.cycle == Cycle::Monthly && held.price > Cents(0);
    if wish.rank < held.rank || is_shorter {
        return Change::AtEnd(held.end);
    }
    let credit = left_of(held.price, held.period_start, held.end, now);
    let first = wish.price - credit;
    if first < LEAST.min(wish.price) { Change::AtEnd(held.end) } else { Change::Now { credit, first } }
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

    fn held(rank: i16, cycle: Cycle, price: i64) -> Held {
        let end = if cycle == Cycle::Monthly { "2026-12-01T00:00:00Z" } else { "2027-11-01T00:00:00Z" };
        let (period_start, end) = (at("2026-11-01T00:00:00Z"), at(end));
        Held { rank, cycle, price: Cents(price), period_start, end, is_unpaid: false }
    }

    fn wish(rank: i16, cycle: Cycle, price: i64) -> Wish {
        Wish { rank, cycle, price: Cents(price) }
    }

    #[rstest]
    #[case(BASIC, Cycle::Monthly, 200_000, PROFESSIONAL, Cycle::Monthly, 500_000, 100_000)]
    #[case(BASIC, Cycle::Monthly, 200_000, BASIC, Cycle::Yearly, 2_000_000, 100_000)]
    #[case(BASIC, Cycle::Monthly, 200_000, ENTERPRISE, Cycle::Yearly, 10_000_000, 100_000)]
    // 350 of 365 days are left.
    #[case(BASIC, Cycle::Yearly, 2_000_000, PROFESSIONAL, Cycle::Yearly, 5_000_000, 1_917_808)]
    // A given plan has nothing to credit.
    #[case(BASIC, Cycle::Monthly, 0, PROFESSIONAL, Cycle::Monthly, 500_000, 0)]
    fn more_begins_at_once_less_what_is_left(
        #[case] rank: i16,
        #[case] cycle: Cycle,
        #[case] price: i64,
        #[case] wanted: i16,
        #[case] wanted_cycle: Cycle,
        #[case] wanted_price: i64,
        #[case] credit: i64,
    ) {
        let change = decide(
            Some(&held(rank, cycle, price)),
            &wish(wanted, wanted_cycle, wanted_price),
            at("2026-11-16T00:00:00Z"),
        );
        let (credit, first) = (Cents(credit), Cents(wanted_price - credit));
        assert_eq!(change, Change::Now { credit, first });
    }

    #[rstest]
    #[case(PROFESSIONAL, Cycle::Monthly, 500_000, BASIC, Cycle::Monthly, 200_000)]
    #[case(PROFESSIONAL, Cycle::Monthly, 500_000, BASIC, Cycle::Yearly, 2_000_000)]
    #[case(PROFESSIONAL, Cycle::Yearly, 5_000_000, PROFESSIONAL, Cycle::Monthly, 500_000)]
    #[case(BASIC, Cycle::Yearly, 2_000_000, ENTERPRISE, Cycle::Monthly, 1_000_000)]
    // Prices have changed: the credit would pay for all of it.
    #[case(BASIC, Cycle::Monthly, 2_000_000, PROFESSIONAL, Cycle::Monthly, 500_000)]
    fn less_begins_at_the_end(
        #[case] rank: i16,
        #[case] cycle: Cycle,
        #[case] price: i64,
        #[case] wanted: i16,
        #[case] wanted_cycle: Cycle,
        #[case] wanted_price: i64,
    ) {
        let held = held(rank, cycle, price);
        let change =
            decide(Some(&held), &wish(wanted, wanted_cycle, wanted_price), at("2026-11-16T00:00:00Z"));
        assert_eq!(change, Change::AtEnd(held.end));
    }

    #[test]
    fn a_held_plan_is_sold_again_only_if_it_is_unpaid() {
        let held = held(PROFESSIONAL, Cycle::Monthly, 500_000);
        let same = wish(PROFESSIONAL, Cycle::Monthly, 500_000);
        let now = at("2026-11-16T00:00:00Z");
        assert_eq!(decide(Some(&held), &same, now), Change::Held);
        let anew = Change::Now { credit: Cents(0), first: Cents(500_000) };
        assert_eq!(decide(Some(&Held { is_unpaid: true, ..held }), &same, now), anew);
        assert_eq!(decide(Some(&held), &same, held.end), anew);
        assert_eq!(decide(None, &same, now), anew);
        // A given plan is not sold for a year either.
        let given = Held { price: Cents(0), ..held };
        assert_eq!(decide(Some(&given), &wish(PROFESSIONAL, Cycle::Yearly, 5_000_000), now), Change::Held);
    }
}

//! The cost of all requests. A request is sent only if its highest expected cost fits the
//! remaining budget. This cost is reserved before the request is sent. Afterwards, the actual cost
//! is charged.

use serde::Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The prices per million tokens, in any currency. If both are 0, the prices are unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// The price of input tokens.
    pub input: f64,
    /// The price of output tokens.
    pub output: f64,
}

/// Numbers of tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Input tokens.
    pub input: u64,
    /// Output tokens.
    pub output: u64,
}

impl Prices {
    /// The cost of these tokens; `None` if the prices are unknown.
    #[must_use]
    pub fn cost_of(&self, tokens: Tokens) -> Option<f64> {
        let known = self.input > 0.0 || self.output > 0.0;
        known.then(|| (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6)
    }
}

/// The tokens and costs of all requests.
pub(super) struct Budget {
    prices: Prices,
    max: Option<f64>,
    ledger: Mutex<Ledger>,
    /// Notified when a reservation ends.
    settled: Notify,
}

#[derive(Default)]
struct Ledger {
    /// The tokens used.
    spent: Tokens,
    /// The cost reserved for requests in progress.
    reserved: f64,
    /// The number of requests in progress.
    in_progress: usize,
    /// The highest number of input tokens charged for a request. A server may charge more for
    /// images than expected.
    max_charged_input: u64,
}

impl Budget {
    pub(super) fn new(prices: Prices, max: Option<f64>) -> Self {
        Self { prices, max, ledger: Mutex::default(), settled: Notify::new() }
    }

    /// Reserves the highest expected cost of a request. If the cost exceeds the remaining budget,
    /// the method waits for requests in progress, because they may cost less than reserved. `None`
    /// if the cost still exceeds the budget when no request is in progress.
    pub(super) async fn reserve(&self, highest: Tokens) -> Option<Reservation<'_>> {
        loop {
            let settled = self.settled.notified();
            {
                let mut ledger = self.ledger();
                let input = highest.input.max(ledger.max_charged_input);
                let highest = Tokens { input, output: highest.output };
                let cost = self.prices.cost_of(highest).unwrap_or_default();
                let spent = self.prices.cost_of(ledger.spent).unwrap_or_default();
                if self.max.is_none_or(|max| spent + ledger.reserved + cost <= max) {
                    ledger.reserved += cost;
                    ledger.in_progress += 1;
                    return Some(Reservation { budget: self, highest, cost });
                }
                if ledger.in_progress == 0 {
                    return None;
                }
            }
            settled.await;
        }
    }

    pub(super) fn spent(&self) -> (Tokens, Option<f64>) {
        let spent = self.ledger().spent;
        (spent, self.prices.cost_of(spent))
    }

    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reserved cost of a request. If the reservation is dropped without a charge, the request
/// costs nothing.
pub(super) struct Reservation<'b> {
    budget: &'b Budget,
    highest: Tokens,
    cost: f64,
}

impl Reservation<'_> {
    /// Charges the usage that the server reported, or the reserved tokens if it reported none.
    pub(super) fn charge(self, usage: Option<Tokens>) {
        let mut ledger = self.budget.ledger();
        let tokens = usage.unwrap_or(self.highest);
        ledger.spent.input = ledger.spent.input.saturating_add(tokens.input);
        ledger.spent.output = ledger.spent.output.saturating_add(tokens.output);
        ledger.max_charged_input = ledger.max_charged_input.max(usage.map_or(0, |usage| usage.input));
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        let mut ledger = self.budget.ledger();
        ledger.reserved -= self.cost;
        ledger.in_progress -= 1;
        // Sums of fractions leave rounding errors.
        if ledger.in_progress == 0 {
            ledger.reserved = 0.0;
        }
        drop(ledger);
        self.budget.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: Prices = Prices { input: 1.0, output: 10.0 };
    /// The tokens of a request that costs 0.002 at these prices.
    const REQUEST: Tokens = Tokens { input: 1000, output: 100 };

    #[tokio::test]
    async fn a_request_over_the_budget_is_refused() {
        let budget = Budget::new(PRICES, Some(0.005));
        for _ in 0..2 {
            budget.reserve(REQUEST).await.unwrap().charge(None);
        }
        assert!(budget.reserve(REQUEST).await.is_none());
        assert_eq!(budget.spent(), (Tokens { input: 2000, output: 200 }, Some(0.004)));
    }

    #[tokio::test]
    async fn cheaper_requests_release_budget() {
        let budget = Budget::new(PRICES, Some(0.003));
        let first = budget.reserve(REQUEST).await.unwrap();
        let waiting = async { budget.reserve(REQUEST).await.is_some() };
        let ending = async {
            first.charge(Some(Tokens { input: 500, output: 10 }));
        };
        assert_eq!(tokio::join!(waiting, ending), (true, ()));
        assert!(budget.reserve(REQUEST).await.is_some(), "the dropped request cost nothing");
    }

    #[tokio::test]
    async fn higher_reported_usage_raises_later_reservations() {
        let budget = Budget::new(PRICES, Some(0.05));
        budget.reserve(REQUEST).await.unwrap().charge(Some(Tokens { input: 30_000, output: 100 }));
        assert!(budget.reserve(REQUEST).await.is_none(), "the next request may cost as much as the first");
    }

    #[tokio::test]
    async fn extreme_usage_does_not_overflow() {
        let budget = Budget::new(PRICES, Some(1.0));
        for _ in 0..2 {
            let reservation = Reservation { budget: &budget, highest: REQUEST, cost: 0.0 };
            budget.ledger().in_progress += 1;
            reservation.charge(Some(Tokens { input: u64::MAX, output: u64::MAX }));
        }
        assert!(budget.reserve(REQUEST).await.is_none());
    }

    #[tokio::test]
    async fn without_prices_there_is_no_cost() {
        let budget = Budget::new(Prices::default(), None);
        budget.reserve(REQUEST).await.unwrap().charge(None);
        assert_eq!(budget.spent(), (REQUEST, None));
    }
}

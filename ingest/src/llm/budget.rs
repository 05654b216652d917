//! The cost of a model: an estimate before a run, the total after it, and a limit that is never
//! exceeded. The highest possible cost of a request is reserved before it is sent. Afterwards the
//! actual cost is booked.

use serde::Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Prices per million tokens, in any currency. 0 means unknown.
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
    /// The cost of these tokens; `None` if no price is known.
    #[must_use]
    pub fn of(&self, tokens: Tokens) -> Option<f64> {
        let known = self.input > 0.0 || self.output > 0.0;
        known.then(|| (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6)
    }
}

/// The tokens and costs of all requests.
pub(super) struct Budget {
    prices: Prices,
    max: Option<f64>,
    book: Mutex<Book>,
    settled: Notify,
}

#[derive(Default)]
struct Book {
    /// The tokens used.
    spent: Tokens,
    /// The costs reserved for requests in progress.
    aside: f64,
    calls: usize,
    /// The most input tokens that a request was charged. A server may charge more for images than
    /// expected.
    dearest: u64,
}

impl Budget {
    pub(super) fn new(prices: Prices, max: Option<f64>) -> Self {
        Self { prices, max, book: Mutex::default(), settled: Notify::new() }
    }

    /// Reserves the highest cost of a request. `None` if it exceeds the budget. It waits for
    /// requests in progress that may turn out cheaper.
    pub(super) async fn set_aside(&self, highest: Tokens) -> Option<Aside<'_>> {
        loop {
            let settled = self.settled.notified();
            {
                let mut book = self.book();
                let input = highest.input.max(book.dearest);
                let highest = Tokens { input, output: highest.output };
                let cost = self.prices.of(highest).unwrap_or_default();
                let spent = self.prices.of(book.spent).unwrap_or_default();
                if self.max.is_none_or(|max| spent + book.aside + cost <= max) {
                    book.aside += cost;
                    book.calls += 1;
                    return Some(Aside { budget: self, highest, cost });
                }
                if book.calls == 0 {
                    return None;
                }
            }
            settled.await;
        }
    }

    pub(super) fn spent(&self) -> (Tokens, Option<f64>) {
        let spent = self.book().spent;
        (spent, self.prices.of(spent))
    }

    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The reserved cost of a request. If it is dropped, the request was free.
pub(super) struct Aside<'b> {
    budget: &'b Budget,
    highest: Tokens,
    cost: f64,
}

impl Aside<'_> {
    /// Books the cost of the request, or the reserved cost if the server reported no usage.
    pub(super) fn book(self, told: Option<Tokens>) {
        let mut book = self.budget.book();
        let cost = told.unwrap_or(self.highest);
        book.spent.input = book.spent.input.saturating_add(cost.input);
        book.spent.output = book.spent.output.saturating_add(cost.output);
        book.dearest = book.dearest.max(told.map_or(0, |told| told.input));
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        let mut book = self.budget.book();
        book.aside -= self.cost;
        book.calls -= 1;
        // Sums of fractions leave rounding errors.
        if book.calls == 0 {
            book.aside = 0.0;
        }
        drop(book);
        self.budget.settled.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRICES: Prices = Prices { input: 1.0, output: 10.0 };
    /// Costs 0.002 at these prices.
    const CALL: Tokens = Tokens { input: 1000, output: 100 };

    #[tokio::test]
    async fn the_budget_is_never_exceeded() {
        let budget = Budget::new(PRICES, Some(0.005));
        for _ in 0..2 {
            budget.set_aside(CALL).await.unwrap().book(None);
        }
        assert!(budget.set_aside(CALL).await.is_none());
        assert_eq!(budget.spent(), (Tokens { input: 2000, output: 200 }, Some(0.004)));
    }

    #[tokio::test]
    async fn cheaper_requests_release_budget() {
        let budget = Budget::new(PRICES, Some(0.003));
        let first = budget.set_aside(CALL).await.unwrap();
        let waiting = async { budget.set_aside(CALL).await.is_some() };
        let ending = async {
            first.book(Some(Tokens { input: 500, output: 10 }));
        };
        assert_eq!(tokio::join!(waiting, ending), (true, ()));
        assert!(budget.set_aside(CALL).await.is_some(), "the dropped request cost nothing");
    }

    #[tokio::test]
    async fn higher_reported_usage_is_booked() {
        let budget = Budget::new(PRICES, Some(0.05));
        budget.set_aside(CALL).await.unwrap().book(Some(Tokens { input: 30_000, output: 100 }));
        assert!(budget.set_aside(CALL).await.is_none(), "the next request may cost as much as the first");
    }

    #[tokio::test]
    async fn absurd_usage_is_harmless() {
        let budget = Budget::new(PRICES, Some(1.0));
        for _ in 0..2 {
            let call = Aside { budget: &budget, highest: CALL, cost: 0.0 };
            budget.book().calls += 1;
            call.book(Some(Tokens { input: u64::MAX, output: u64::MAX }));
        }
        assert!(budget.set_aside(CALL).await.is_none());
    }

    #[tokio::test]
    async fn without_prices_there_is_no_cost() {
        let budget = Budget::new(Prices::default(), None);
        budget.set_aside(CALL).await.unwrap().book(None);
        assert_eq!(budget.spent(), (CALL, None));
    }
}

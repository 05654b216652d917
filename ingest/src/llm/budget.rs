//! What asking a model costs: an estimate before, the sum after, and a bound that is never passed. Before each call its
//! highest cost is set aside; after it, what it really cost is booked.

use serde::Serialize;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// Prices a million tokens, in any one currency. 0: unknown.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Prices {
    /// Of tokens sent.
    pub input: f64,
    /// Of tokens answered.
    pub output: f64,
}

/// Tokens sent and answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Tokens {
    /// Sent.
    pub input: u64,
    /// Answered.
    pub output: u64,
}

impl Prices {
    /// What these tokens cost; `None` where no price is known.
    #[must_use]
    pub fn of(&self, tokens: Tokens) -> Option<f64> {
        let known = self.input > 0.0 || self.output > 0.0;
        known.then(|| (tokens.input as f64 * self.input + tokens.output as f64 * self.output) / 1e6)
    }
}

/// The account of all calls.
pub(super) struct Budget {
    prices: Prices,
    max: Option<f64>,
    book: Mutex<Book>,
    settled: Notify,
}

#[derive(Default)]
struct Book {
    /// Answered for.
    spent: Tokens,
    /// Set aside for calls under way.
    aside: f64,
    calls: usize,
    /// The most tokens that a call was told to have sent: a server may count pictures dearer than expected.
    dearest: u64,
}

impl Budget {
    pub(super) fn new(prices: Prices, max: Option<f64>) -> Self {
        Self { prices, max, book: Mutex::default(), settled: Notify::new() }
    }

    /// Sets the highest cost of a call aside. `None` where it does not fit any more; while calls are under way that may turn out
    /// cheaper, it waits for them.
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

/// The cost of a call under way. Dropped, the call was free.
pub(super) struct Aside<'b> {
    budget: &'b Budget,
    highest: Tokens,
    cost: f64,
}

impl Aside<'_> {
    /// Books what the call cost; where the server did not tell, the highest it may have cost.
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
        // Sums of fractions leave crumbs.
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
    /// 0.002 at these prices.
    const CALL: Tokens = Tokens { input: 1000, output: 100 };

    #[tokio::test]
    async fn the_bound_is_never_passed() {
        let budget = Budget::new(PRICES, Some(0.005));
        for _ in 0..2 {
            budget.set_aside(CALL).await.unwrap().book(None);
        }
        assert!(budget.set_aside(CALL).await.is_none());
        assert_eq!(budget.spent(), (Tokens { input: 2000, output: 200 }, Some(0.004)));
    }

    #[tokio::test]
    async fn what_turns_out_cheaper_or_free_makes_room() {
        let budget = Budget::new(PRICES, Some(0.003));
        let first = budget.set_aside(CALL).await.unwrap();
        let waiting = async { budget.set_aside(CALL).await.is_some() };
        let ending = async {
            first.book(Some(Tokens { input: 500, output: 10 }));
        };
        assert_eq!(tokio::join!(waiting, ending), (true, ()));
        assert!(budget.set_aside(CALL).await.is_some(), "the second was dropped, and so was free");
    }

    #[tokio::test]
    async fn a_server_that_counts_dearer_is_believed() {
        let budget = Budget::new(PRICES, Some(0.05));
        budget.set_aside(CALL).await.unwrap().book(Some(Tokens { input: 30_000, output: 100 }));
        assert!(budget.set_aside(CALL).await.is_none(), "the next may cost as much as the first");
    }

    #[tokio::test]
    async fn an_absurd_account_breaks_nothing() {
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

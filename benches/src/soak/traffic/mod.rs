//! The traffic of a run: users who each do one thing after another.

mod account;
mod alerts;
mod guests;
mod operators;
mod phone;
mod readers;
mod suppliers;
mod teams;
mod visitors;

use super::client::World;
use anyhow::Result;
use rand::{Rng, SeedableRng, rngs::StdRng};
use std::{
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{task::JoinSet, time};

/// The pause of a user between two actions, in milliseconds.
const PAUSES: std::ops::Range<u64> = 50..500;
/// The plan with which a user may do everything.
const FULL_PLAN: &str = "enterprise";
const SUPPLIERS: usize = 6;
const READERS: usize = 3;
const VISITORS: usize = 2;
const GUESTS: usize = 2;

/// A tender that somebody has published.
#[derive(Debug, Clone)]
struct PublishedTender {
    marker: String,
    id: String,
}

/// What the users know of one another.
#[derive(Default)]
struct Noticeboard {
    tenders: Mutex<Vec<PublishedTender>>,
}

impl Noticeboard {
    fn add(&self, tender: PublishedTender) {
        self.tenders.lock().unwrap_or_else(PoisonError::into_inner).push(tender);
    }

    fn choose(&self, random: &mut StdRng) -> Option<PublishedTender> {
        let tenders = self.tenders.lock().unwrap_or_else(PoisonError::into_inner);
        if tenders.is_empty() {
            return None;
        }
        // Mostly tenders of the last minutes.
        let from = tenders.len().saturating_sub(50);
        tenders.get(random.random_range(from..tenders.len())).cloned()
    }
}

/// What the traffic needs to know about the run.
#[derive(Debug, Clone)]
pub(super) struct TrafficPlan {
    pub(super) seed: u64,
    /// The address of the receiver of webhooks.
    pub(super) webhooks: String,
}

/// Runs all users until the world stops, and until each has finished its last write.
pub(super) async fn run(world: &Arc<World>, plan: &TrafficPlan) -> Result<()> {
    let board = Arc::new(Noticeboard::default());
    let mut users = JoinSet::new();
    let mut random = StdRng::seed_from_u64(plan.seed);
    for nth in 0..SUPPLIERS {
        let own = derive(&mut random);
        users.spawn(suppliers::run(Arc::clone(world), Arc::clone(&board), plan.clone(), nth, own));
    }
    for _ in 0..READERS {
        users.spawn(readers::run(Arc::clone(world), derive(&mut random)));
    }
    for _ in 0..VISITORS {
        users.spawn(visitors::run(Arc::clone(world), derive(&mut random)));
    }
    for _ in 0..GUESTS {
        users.spawn(guests::run(Arc::clone(world), Arc::clone(&board), derive(&mut random)));
    }
    users.spawn(teams::run(Arc::clone(world), derive(&mut random)));
    users.spawn(operators::run(Arc::clone(world), derive(&mut random)));
    while let Some(ended) = users.join_next().await {
        ended??;
    }
    Ok(())
}

/// Derives the generator of a user, so that the choices of users do not depend on one another.
fn derive(random: &mut StdRng) -> StdRng {
    StdRng::seed_from_u64(random.random())
}

async fn pause(random: &mut StdRng) {
    time::sleep(Duration::from_millis(random.random_range(PAUSES))).await;
}

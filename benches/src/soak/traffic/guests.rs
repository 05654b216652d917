//! Guests: they search, and open tenders and feeds.

use super::{Noticeboard, pause};
use crate::soak::{
    client::{Request, World},
    words::pool_words,
};
use anyhow::Result;
use rand::{Rng, rngs::StdRng};
use std::sync::Arc;

pub(super) async fn run(world: Arc<World>, board: Arc<Noticeboard>, mut random: StdRng) -> Result<()> {
    while !world.is_stopping() {
        let word = pool_words(1, &mut random)[0];
        let tender = board.choose(&mut random);
        // A guest may open three tenders, and others are locked or withdrawn. Facets need a plan.
        let (path, permitted): (_, &[u16]) = match (random.random_range(0..6), tender) {
            (0, _) => (format!("/api/tenders?search={word}"), &[200]),
            (1, _) => (format!("/api/tenders/facets?search={word}"), &[200, 403]),
            (2, _) => (format!("/api/feeds/tenders?search={word}"), &[200]),
            (3, _) => ("/api/tenders/stats".to_owned(), &[200]),
            (4, Some(tender)) => (format!("/api/tenders/{}/similar", tender.id), &[200, 403, 404]),
            (_, Some(tender)) => (format!("/api/tenders/{}", tender.id), &[200, 403, 404]),
            (_, None) => ("/api/subscriptions/plans".to_owned(), &[200]),
        };
        let reply = world.read(&Request::get(path.clone()), None).await;
        if let Some(reply) = reply.filter(|reply| !permitted.contains(&reply.status())) {
            let text = String::from_utf8_lossy(reply.bytes()).into_owned();
            world.ledger.note_violation(&format!("{path} answered {} {text}", reply.status()))?;
        }
        pause(&mut random).await;
    }
    Ok(())
}

//! The portal's own search, in the order of the listing.

use super::{Collection, RESULT_DEPTH};
use crate::search_node::SearchNode;
use anyhow::Result;
use index::{IndexStore, ListingRequest, LogPosition, SearchEngine};
use opensearch_engine::OpenSearchEngine;
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The time of the queries. No real notice is recent then, and the tenders of the fixtures' later
/// issue are still open.
const NOW: &str = "2026-11-20T09:00:00+05:30";

pub(super) fn rank(collection: &Collection, queries: &[&str]) -> Result<Vec<Vec<String>>> {
    let scratch = tempfile::tempdir()?;
    let index_store = IndexStore::open_or_create(scratch.path())?;
    rank_with(&index_store, collection, queries)
}

/// Ranks with the engine that searches on a cluster.
pub(super) fn rank_on_cluster(collection: &Collection, queries: &[&str]) -> Result<Vec<Vec<String>>> {
    let node = SearchNode::start()?;
    rank_with(&OpenSearchEngine::new(node.config())?, collection, queries)
}

fn rank_with(
    engine: &dyn SearchEngine,
    collection: &Collection,
    queries: &[&str],
) -> Result<Vec<Vec<String>>> {
    let mut writer = engine.writer()?;
    for tender in &collection.tenders {
        writer.put(tender, None, 1)?;
    }
    writer.commit(LogPosition { position: 1, change_id: Uuid::nil() })?;
    engine.refresh()?;
    let now: Moment = NOW.parse()?;
    let one = |query: &&str| {
        let request = ListingRequest {
            text: Some((*query).to_owned()),
            limit: RESULT_DEPTH,
            ..ListingRequest::default()
        };
        let found = engine.listing(&request, now)?.tenders;
        let place = |id: Uuid| collection.ids.get((id.as_u128() as usize).wrapping_sub(1));
        Ok(found.iter().filter_map(|tender| place(tender.id()).cloned()).collect())
    };
    queries.iter().map(one).collect()
}

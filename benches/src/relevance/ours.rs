//! The portal's own search, in the order of the listing.

use super::{Collection, RESULT_DEPTH};
use anyhow::Result;
use index::{IndexStore, ListingRequest, LogPosition};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The time of the queries. No real notice is recent then, and the tenders of the fixtures' later
/// issue are still open.
const NOW: &str = "2026-11-20T09:00:00+05:30";

pub(super) fn rank(collection: &Collection, queries: &[&str]) -> Result<Vec<Vec<String>>> {
    let scratch = tempfile::tempdir()?;
    let index_store = IndexStore::open_or_create(scratch.path())?;
    let mut writer = index_store.writer()?;
    for tender in &collection.tenders {
        writer.put(tender)?;
    }
    writer.commit(LogPosition { position: 1, change_id: Uuid::nil() })?;
    let now: Moment = NOW.parse()?;
    let one = |query: &&str| {
        let request = ListingRequest {
            text: Some((*query).to_owned()),
            limit: RESULT_DEPTH,
            ..ListingRequest::default()
        };
        let found = index_store.listing(&request, now)?.tenders;
        let place = |id: Uuid| collection.ids.get((id.as_u128() as usize).wrapping_sub(1));
        Ok(found.iter().filter_map(|tender| place(tender.id()).cloned()).collect())
    };
    queries.iter().map(one).collect()
}

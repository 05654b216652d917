//! Whether the search index contains exactly the listed tenders, each at its current revision.

use super::{
    problem::{CheckReport, ProblemKind},
    target::CheckTarget,
};
use crate::{
    clients::search_engine,
    storage::{changes, checks, revisions, tenders},
};
use anyhow::Context;
use futures::{TryStreamExt, pin_mut};
use index::{IndexError, SearchEngine};
use sha2::{Digest, Sha256};
use std::{collections::HashMap, sync::Arc, time::Duration};
use tender_model::{tender::Tender, vocabulary::TenderStatus};
use uuid::Uuid;

/// How often suspects are looked at again, and the pause before each time. A running server indexes a
/// change within a second or two.
const RECHECKS: u32 = 10;
const PAUSE: Duration = Duration::from_secs(1);

/// What to tell about an index that a server replaces by itself, for example after a restore.
fn replaced_index(place: &str, state: &str) -> String {
    format!(
        "the search index in {place} {state}, so it is not checked; a running server builds a new one, otherwise \
        the next start does"
    )
}

/// Compares the index with the database. An index that is about to be built is no problem.
pub(super) async fn check(target: &CheckTarget<'_>, report: &mut CheckReport) -> anyhow::Result<()> {
    let place = search_engine::place(target.data, target.search);
    let search_engine = match open(target).await {
        Ok(search_engine) => search_engine,
        Err(error) if matches!(error.downcast_ref(), Some(IndexError::Missing(_))) => {
            report.information.push(replaced_index(&place, "does not exist yet"));
            return Ok(());
        }
        Err(error) => {
            report.add(ProblemKind::Index, place, format!("it cannot be opened: {error:#}"));
            return Ok(());
        }
    };
    let Some(at) = search_engine.position() else {
        report.information.push(replaced_index(&place, "is new and empty"));
        return Ok(());
    };
    if !changes::contains(target.db, at).await? {
        let state = "belongs to another database, such as that before a restore";
        report.information.push(replaced_index(&place, state));
        return Ok(());
    }
    let (mut suspects, checked) = find_differences(target, search_engine).await?;
    report.checked.push(("tenders in the index", checked));
    for _ in 0..RECHECKS {
        if suspects.is_empty() {
            return Ok(());
        }
        tokio::time::sleep(PAUSE).await;
        let search_engine = open(target).await?;
        let mut left = Vec::new();
        for id in suspects {
            if differs(target, &search_engine, id).await? {
                left.push(id);
            }
        }
        suspects = left;
    }
    let search_engine = open(target).await?;
    let position = search_engine.position().map_or(0, |at| at.position);
    let head = changes::head(target.db).await?.position;
    for id in suspects {
        let detail = match (current(target, id).await?, indexed(&search_engine, id).await?) {
            (Some(_), None) => "it is published, but not in the index",
            (None, _) => "it is in the index, but it is not published",
            (Some(_), Some(_)) => "the index has another revision of it",
        };
        report.add(
            ProblemKind::Index,
            format!("tender {id}"),
            format!("{detail} (the index is at position {position} of {head})"),
        );
    }
    Ok(())
}

/// Opens the last commit of the index. A server may delete files of an earlier commit while they are
/// being opened, so a failure is only believed when it persists.
async fn open(target: &CheckTarget<'_>) -> anyhow::Result<Arc<dyn SearchEngine>> {
    let mut failures = 0;
    loop {
        let (data, search) = (target.data.clone(), target.search.clone());
        match tokio::task::spawn_blocking(move || search_engine::open_existing(&data, &search)).await? {
            Ok(search_engine) => return Ok(search_engine),
            Err(error) if failures == RECHECKS => return Err(error.into()),
            Err(_) => failures += 1,
        }
        tokio::time::sleep(PAUSE / 10).await;
    }
}

/// Returns the tenders whose record in the index is not the current one, and the number of tenders.
async fn find_differences(
    target: &CheckTarget<'_>,
    search_engine: Arc<dyn SearchEngine>,
) -> anyhow::Result<(Vec<Uuid>, u64)> {
    let scan = move || {
        let mut indexed = HashMap::new();
        let mut failed = None;
        search_engine.scan(&mut |tender| match digest(&tender) {
            Ok(digest) => drop(indexed.insert(tender.id, digest)),
            Err(error) => failed = Some(error),
        })?;
        failed.map_or(Ok(indexed), Err)
    };
    let mut indexed = tokio::task::spawn_blocking(scan).await?.context("reading the index")?;
    let checked = indexed.len() as u64;
    let mut suspects = Vec::new();
    let mut tx = checks::begin(target.db).await?;
    {
        let listed = revisions::all_listed(&mut *tx);
        pin_mut!(listed);
        while let Some(owned) = listed.try_next().await? {
            let id = owned.tender.id;
            if indexed.remove(&id) != Some(digest(&owned.tender)?) {
                suspects.push(id);
            }
        }
    }
    tx.rollback().await?;
    suspects.extend(indexed.into_keys());
    Ok((suspects, checked))
}

/// A short hash of a record, so that the check keeps few bytes of each tender in memory.
fn digest(tender: &Tender) -> anyhow::Result<[u8; 16]> {
    let hash = Sha256::digest(serde_json::to_vec(tender)?);
    hash.first_chunk().copied().context("a hash is too short")
}

/// The current record of a tender, if it is listed.
async fn current(target: &CheckTarget<'_>, id: Uuid) -> anyhow::Result<Option<Tender>> {
    let found = tenders::current(target.db, id).await?.map(|current| current.tender);
    Ok(found.filter(|tender| !matches!(tender.status, TenderStatus::Draft | TenderStatus::Withdrawn)))
}

/// The record of a tender in the index.
async fn indexed(search_engine: &Arc<dyn SearchEngine>, id: Uuid) -> anyhow::Result<Option<Tender>> {
    let search_engine = search_engine.clone();
    Ok(tokio::task::spawn_blocking(move || search_engine.get(id)).await??)
}

async fn differs(
    target: &CheckTarget<'_>,
    search_engine: &Arc<dyn SearchEngine>,
    id: Uuid,
) -> anyhow::Result<bool> {
    let wanted = current(target, id).await?.as_ref().map(digest).transpose()?;
    Ok(indexed(search_engine, id).await?.as_ref().map(digest).transpose()? != wanted)
}

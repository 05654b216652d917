//! `ingest learn`: what the notices that were let through teach about the bodies that invite bids.

use super::{read_args::gazetteer, say};
use clap::Args;
use index::tender::Tender;
use ingest::batch::stored_notices;
use std::{collections::BTreeMap, path::PathBuf};

#[derive(Args)]
pub(crate) struct Learn {
    /// Folders that `run --out` wrote
    #[arg(required = true, value_name = "OUT")]
    outs: Vec<PathBuf>,
    /// File with more bodies and places, as `run` reads it; what stands there is not written again
    #[arg(long, value_name = "FILE")]
    gazetteer: Option<PathBuf>,
}

pub(crate) fn learn(command: &Learn) -> anyhow::Result<bool> {
    let gazetteer = gazetteer(command.gazetteer.as_deref())?;
    // The same notice under two folders is one.
    let mut notices: BTreeMap<String, Tender> = BTreeMap::new();
    for out in &command.outs {
        for entry in stored_notices(out)?.into_iter().filter(|entry| entry.review_state().is_open()) {
            // Whether it waits was judged by its own line, and by whoever accepted it.
            let tender = Tender { needs_review: false, ..entry.open()?.tender };
            notices.insert(entry.notice.key, tender);
        }
    }
    let learnt = gazetteer.learn(notices.values());
    eprintln!("{} new bodies in {} notices", learnt.lines().count(), notices.len());
    if !learnt.is_empty() {
        say(learnt.trim_end_matches('\n'));
    }
    Ok(true)
}

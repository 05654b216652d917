//! `ingest learn`: learns names of organisations from notices that may be published.

use super::{print_line, read_args::gazetteer};
use clap::Args;
use ingest::batch::stored_notices;
use std::{collections::BTreeMap, path::PathBuf};
use tender_model::{tender::Tender, terminal_text::counted};

#[derive(Args)]
pub(crate) struct Learn {
    /// Folders written by `run --out`
    #[arg(required = true, value_name = "OUT")]
    outs: Vec<PathBuf>,
    /// File with organisations and places that are already known
    #[arg(long, value_name = "FILE")]
    gazetteer: Option<PathBuf>,
}

pub(crate) fn learn(command: &Learn) -> anyhow::Result<bool> {
    let gazetteer = gazetteer(command.gazetteer.as_deref())?;
    // A notice in two folders counts once.
    let mut notices: BTreeMap<String, Tender> = BTreeMap::new();
    for out in &command.outs {
        for entry in stored_notices(out)?.into_iter().filter(|entry| entry.review_state().may_be_published())
        {
            // The publication rule or a review has decided that the notice does not wait.
            let tender = Tender { needs_review: false, ..entry.open()?.tender };
            notices.insert(entry.notice.key, tender);
        }
    }
    let learnt = gazetteer.learn(notices.values());
    let names = counted(learnt.lines().count(), "new organisation");
    eprintln!("{names} in {}", counted(notices.len(), "notice"));
    if !learnt.is_empty() {
        print_line(learnt.trim_end_matches('\n'));
    }
    Ok(true)
}

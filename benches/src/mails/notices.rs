//! Selects notices and alerts, and publishes the notices as `ingest publish` does.

use super::MailsPlan;
use crate::workload::{Alert, Workload, uuid_of};
use anyhow::{Context, Result, ensure};
use futures::{StreamExt, TryStreamExt, stream};
use ingest::{
    markdown,
    portal_client::{NoticeUpload, Outcome, Portal, Publisher},
};
use rand::{SeedableRng, rngs::StdRng, seq::SliceRandom};
use std::{collections::BTreeMap, time::Instant};
use tender_model::{
    tender::{PageBox, Source, Tender},
    vocabulary::TenderStatus,
};
use uuid::Uuid;

/// The first bytes and the end mark of a JPEG. The portal accepts them as a JPEG.
const CLIP: &[u8] =
    &[0xff, 0xd8, 0xff, 0xe0, 0, 16, b'J', b'F', b'I', b'F', 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xff, 0xd9];

/// The alerts and tenders that were selected from the workload.
pub(super) struct Selection {
    /// The alerts with their ids.
    pub(super) alerts: Vec<(Uuid, Alert)>,
    /// The tenders as their notices state them.
    pub(super) tenders: Vec<Tender>,
    /// A notice for each tender.
    pub(super) uploads: Vec<NoticeUpload>,
}

/// Selects alerts and tenders with the plan's seed, and writes the notices.
pub(super) fn select(workload: &Workload, plan: &MailsPlan) -> Result<Selection> {
    let mut random = StdRng::seed_from_u64(plan.seed);
    let mut alerts = workload.alerts()?.collect::<Result<Vec<_>>>()?;
    ensure!(alerts.len() >= plan.alerts, "the file has {} active alerts", alerts.len());
    ensure!(workload.tenders.len() >= plan.notices, "the file has {} tenders", workload.tenders.len());
    alerts.shuffle(&mut random);
    alerts.truncate(plan.alerts);
    let mut tenders = workload.tenders.clone();
    tenders.shuffle(&mut random);
    tenders.truncate(plan.notices);
    let written = tenders.into_iter().enumerate().map(|(place, tender)| write_notice(place, tender));
    let (tenders, uploads) = written.collect::<Result<Vec<_>>>()?.into_iter().unzip();
    let alerts = alerts.into_iter().enumerate().map(|(place, alert)| (uuid_of(place), alert)).collect();
    Ok(Selection { alerts, tenders, uploads })
}

/// Writes a notice on its own page. Returns the tender as the notice states it, and the notice.
fn write_notice(place: usize, tender: Tender) -> Result<(Tender, NoticeUpload)> {
    let source = Source {
        publication: "Daily Benchmark".to_owned(),
        file: format!("p{place}.jpg"),
        page: 1,
        area: PageBox::default(),
        ..Source::default()
    };
    let tender = Tender { id: Uuid::nil(), status: TenderStatus::Published, sources: vec![source], ..tender };
    let notice = markdown::write(&tender, None)?;
    let read = markdown::read(&notice).with_context(|| format!("the notice of tender {place}"))?;
    let key = format!("{place:032x}");
    Ok((read, NoticeUpload { key, notice, clip: CLIP.to_vec(), words: None, is_held: false }))
}

/// The outcomes of the notices.
pub(super) struct PublishResults {
    /// The tender that each notice created, if any.
    pub(super) tender_ids: Vec<Option<Uuid>>,
    /// The number of notices with each outcome.
    pub(super) outcomes: BTreeMap<String, usize>,
    /// The time of the first response.
    pub(super) first: Instant,
    /// The time of the last response.
    pub(super) last: Instant,
}

/// Sends all notices, several in parallel.
pub(super) fn publish(
    base: &str,
    token: &str,
    uploads: &[NoticeUpload],
    at_once: usize,
) -> Result<PublishResults> {
    let publisher = Publisher::new(Portal::new(base)?, token)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let receipts = runtime.block_on(async {
        let publisher = &publisher;
        let send = |upload| async move {
            let receipt = publisher.publish(upload).await?;
            anyhow::Ok((receipt, Instant::now()))
        };
        stream::iter(uploads).map(send).buffered(at_once.max(1)).try_collect::<Vec<_>>().await
    })?;
    let mut outcomes = BTreeMap::new();
    for (receipt, _) in &receipts {
        *outcomes.entry(format!("{:?}", receipt.outcome).to_lowercase()).or_default() += 1;
    }
    let moments = || receipts.iter().map(|(_, at)| *at);
    Ok(PublishResults {
        tender_ids: receipts
            .iter()
            .map(|(receipt, _)| receipt.id.filter(|_| receipt.outcome == Outcome::Created))
            .collect(),
        outcomes,
        first: moments().min().context("nothing was published")?,
        last: moments().max().context("nothing was published")?,
    })
}

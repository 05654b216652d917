//! `opensearch_engine` on a private node. The times are those of the node and of this process together.

use super::{Engine, Question};
use crate::{measure, search_node::SearchNode};
use anyhow::{Context, Result};
use index::{IndexRebuild, LogPosition, SearchEngine};
use opensearch_engine::OpenSearchEngine;
use std::time::Duration;
use tender_model::{tender::Tender, vocabulary::Moment};
use uuid::Uuid;

pub(super) struct OnCluster {
    engine: OpenSearchEngine,
    filling: Option<Box<dyn IndexRebuild>>,
    // This field must be dropped after the others.
    node: SearchNode,
    now: Moment,
}

impl OnCluster {
    pub(super) fn new(now: Moment) -> Result<Self> {
        let node = SearchNode::start()?;
        let engine = OpenSearchEngine::new(node.config())?;
        let filling = Some(engine.rebuild()?);
        Ok(Self { engine, filling, node, now })
    }

    fn cpu_time(&self) -> Result<Duration> {
        Ok(self.node.cpu_time()? + measure::process_time())
    }
}

impl Engine for OnCluster {
    fn add(&mut self, tenders: &[Tender]) -> Result<()> {
        let filling = self.filling.as_mut().context("the index is already filled")?;
        Ok(tenders.iter().try_for_each(|tender| filling.put(tender, None, 1))?)
    }

    fn finish(&mut self) -> Result<()> {
        let filling = self.filling.take().context("the index is already filled")?;
        Ok(filling.publish(LogPosition { position: 1, change_id: Uuid::nil() })?)
    }

    fn bytes(&mut self) -> Result<u64> {
        self.node.bytes()
    }

    fn run_query(&mut self, question: &Question) -> Result<usize> {
        super::run_listing(&self.engine, question, self.now)
    }

    fn fill_time(&self) -> Result<Duration> {
        self.cpu_time()
    }

    fn query_time(&self) -> Result<Duration> {
        self.cpu_time()
    }

    fn memory(&self) -> Result<f64> {
        self.node.memory()
    }
}

//! The percolator of OpenSearch: each alert is a stored query with the conditions that the portal's own
//! engine on OpenSearch uses. The CPU time is that of the node.

use super::Engine;
use crate::{search_node::SearchNode, workload::Workload};
use anyhow::{Context, Result, bail, ensure};
use index::percolate::PercolationCounters;
use opensearch_engine::percolator;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::Duration;
use tender_model::{alert::AlertQuery, tender::Tender};

/// A bulk request has at most this size, in bytes.
const BULK_BYTES: usize = 8 << 20;

/// An index with the alerts.
pub(super) struct Percolator<'a> {
    node: &'a SearchNode,
    workload: &'a Workload,
    index: String,
    lines: Vec<u8>,
}

impl<'a> Percolator<'a> {
    pub(super) fn new(node: &'a SearchNode, workload: &'a Workload) -> Result<Self> {
        let config = node.config();
        let index = config.index.clone();
        let body = percolator::create_percolator(&config);
        node.send(Method::PUT, &index, Some(serde_json::to_vec(&body)?))?;
        Ok(Self { node, workload, index, lines: Vec::new() })
    }

    fn send_bulk(&mut self) -> Result<()> {
        if self.lines.is_empty() {
            return Ok(());
        }
        let lines = std::mem::take(&mut self.lines);
        let answer = self.node.send(Method::POST, &format!("{}/_bulk", self.index), Some(lines))?;
        if answer["errors"] != json!(false) {
            let items = answer["items"].as_array().into_iter().flatten();
            let failed = items.map(|item| &item["index"]["error"]).find(|error| !error.is_null());
            bail!("an alert was not stored: {}", failed.unwrap_or(&Value::Null));
        }
        Ok(())
    }
}

impl Engine for Percolator<'_> {
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()> {
        let document = percolator::alert_document(query, self.workload.now, &self.workload.rates)?;
        let document = document.unwrap_or_else(|| json!({"listed": false}));
        for line in [&json!({"index": {"_id": alert.to_string()}}), &document] {
            serde_json::to_writer(&mut self.lines, line)?;
            self.lines.push(b'\n');
        }
        if self.lines.len() >= BULK_BYTES { self.send_bulk() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<()> {
        self.send_bulk()?;
        self.node.send(Method::POST, &format!("{}/_refresh", self.index), None)?;
        Ok(())
    }

    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters> {
        let body = serde_json::to_vec(&percolator::percolate_request(tender)?)?;
        let answer = self.node.send(Method::POST, &format!("{}/_search", self.index), Some(body))?;
        ensure!(answer["_shards"]["failed"] == json!(0), "a shard failed: {}", answer["_shards"]);
        for hit in answer["hits"]["hits"].as_array().into_iter().flatten() {
            found.push(hit["_id"].as_str().context("a hit has no id")?.parse()?);
        }
        Ok(PercolationCounters::default())
    }

    /// The memory of the alerts cannot be told from that of the node.
    fn memory(&mut self) -> Result<(Option<f64>, f64)> {
        Ok((Some(0.0), self.node.memory()?))
    }

    fn cpu_time(&self) -> Result<Duration> {
        self.node.cpu_time()
    }
}

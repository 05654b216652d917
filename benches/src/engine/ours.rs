//! The percolator of `index`, through its public interface.

use super::Engine;
use crate::workload::{Workload, index_of, uuid_of};
use anyhow::Result;
use index::percolate::{PercolationCounters, Percolator};
use tender_model::{
    alert::AlertQuery,
    tender::Tender,
    vocabulary::{Moment, Rates},
};

pub(super) struct Ours<'a> {
    percolator: Percolator,
    now: Moment,
    rates: &'a Rates,
}

impl<'a> Ours<'a> {
    pub(super) fn new(workload: &'a Workload) -> Self {
        Self { percolator: Percolator::new(), now: workload.now, rates: &workload.rates }
    }
}

impl Engine for Ours<'_> {
    fn put(&mut self, alert: u32, query: &AlertQuery) -> Result<()> {
        Ok(self.percolator.put(uuid_of(alert as usize), query)?)
    }

    fn percolate(&mut self, tender: &Tender, found: &mut Vec<u32>) -> Result<PercolationCounters> {
        let percolation = self.percolator.percolate(tender, self.now, self.rates);
        found.extend(percolation.hits.iter().map(|hit| index_of(hit.alert)));
        Ok(percolation.counters)
    }
}

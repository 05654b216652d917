//! [`Node`]: one node of a cluster, and whether it is worth asking.
//!
//! A node that failed is not asked again until it has answered a short request. Only one such request
//! is under way at a time, so a node that hangs costs one thread, not every search.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// For how long a node that failed is left alone if another node works.
const PENALTY: Duration = Duration::from_secs(5);

/// One node.
pub(crate) struct Node {
    pub(crate) address: String,
    /// When the node last failed. `None`: it works, as far as is known.
    failed_at: Mutex<Option<Instant>>,
    is_probed: AtomicBool,
}

/// Whether a node failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeHealth {
    Works,
    /// The node failed, but long enough ago to be asked again.
    MayWorkAgain,
    Failed,
}

impl Node {
    /// A node with an address such as `http://10.0.0.1:9200`.
    pub(crate) fn new(address: &str) -> Self {
        Self {
            address: address.trim_end_matches('/').to_owned(),
            failed_at: Mutex::new(None),
            is_probed: AtomicBool::new(false),
        }
    }

    pub(crate) fn set_works(&self) {
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    pub(crate) fn set_failed(&self, at: Instant) {
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(at);
    }

    pub(crate) fn health(&self, now: Instant) -> NodeHealth {
        match *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) {
            None => NodeHealth::Works,
            Some(at) if now.duration_since(at) >= PENALTY => NodeHealth::MayWorkAgain,
            Some(_) => NodeHealth::Failed,
        }
    }

    /// The permission to send the short request that shows whether the node works again. `None`: another
    /// thread is doing so.
    pub(crate) fn probe(&self) -> Option<NodeProbe<'_>> {
        (!self.is_probed.swap(true, Ordering::AcqRel)).then(|| NodeProbe(self))
    }
}

/// The permission to probe a node. Ends when it is dropped.
pub(crate) struct NodeProbe<'a>(&'a Node);

impl Drop for NodeProbe<'_> {
    fn drop(&mut self) {
        self.0.is_probed.store(false, Ordering::Release);
    }
}

/// The order in which nodes are asked: nodes that work, each time another one first, then nodes that may
/// work again, then failed ones.
pub(crate) fn in_turn(nodes: &[Node], turn: usize, now: Instant) -> Vec<&Node> {
    let (before, after) = nodes.split_at(turn % nodes.len().max(1));
    let mut ordered: Vec<&Node> = after.iter().chain(before).collect();
    ordered.sort_by_key(|node| node.health(now) as u8);
    // One request in turn finds out whether a node works again, while the others use nodes that work.
    if let Some(at) = ordered.iter().position(|node| node.health(now) == NodeHealth::MayWorkAgain) {
        let node = ordered.remove(at);
        ordered.insert(0, node);
    }
    ordered
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(nodes: &[Node], turn: usize, now: Instant) -> Vec<&str> {
        in_turn(nodes, turn, now).into_iter().map(|node| node.address.as_str()).collect()
    }

    #[test]
    fn nodes_take_turns_and_failed_ones_come_last() {
        let nodes = ["a/", "b", "c"].map(Node::new);
        let start = Instant::now();
        assert_eq!(addresses(&nodes, 0, start), ["a", "b", "c"]);
        assert_eq!(addresses(&nodes, 4, start), ["b", "c", "a"]);
        nodes[1].set_failed(start);
        assert_eq!(addresses(&nodes, 4, start), ["c", "a", "b"]);
        // After a while, the node is tried first once more.
        assert_eq!(addresses(&nodes, 2, start + PENALTY), ["b", "c", "a"]);
        nodes[1].set_works();
        assert_eq!(addresses(&nodes, 0, start), ["a", "b", "c"]);
        assert!(in_turn(&[], 3, start).is_empty());
    }

    #[test]
    fn one_thread_at_a_time_probes_a_node() {
        let node = Node::new("a");
        let probe = node.probe();
        assert!(probe.is_some());
        assert!(node.probe().is_none());
        assert!(node.probe().is_none());
        drop(probe);
        assert!(node.probe().is_some());
    }
}

//! [`Node`]: one node of a cluster, and whether it is worth asking.
//!
//! A node that failed is not asked again until it has answered a short request. Only one such request
//! is under way at a time. While other nodes work, only one thread waits for it.

use std::{
    sync::{Mutex, MutexGuard, PoisonError, TryLockError},
    time::{Duration, Instant},
};

/// For how long a node that failed is left alone if another node works.
const PENALTY: Duration = Duration::from_secs(5);

/// One node.
pub(crate) struct Node {
    pub(crate) address: String,
    /// When the node last failed. `None`: it works, as far as is known.
    failed_at: Mutex<Option<Instant>>,
    probe: Mutex<()>,
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
            probe: Mutex::new(()),
        }
    }

    pub(crate) fn set_works(&self) {
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns whether the node worked until now.
    pub(crate) fn set_failed(&self, at: Instant) -> bool {
        self.failed_at.lock().unwrap_or_else(PoisonError::into_inner).replace(at).is_none()
    }

    pub(crate) fn health(&self, now: Instant) -> NodeHealth {
        match self.failed_at() {
            None => NodeHealth::Works,
            Some(at) if now.duration_since(at) >= PENALTY => NodeHealth::MayWorkAgain,
            Some(_) => NodeHealth::Failed,
        }
    }

    /// When the node last failed.
    fn failed_at(&self) -> Option<Instant> {
        *self.failed_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the node works again. `ask` sends it a short request. If another thread is doing so, this
    /// waits for its result, or returns false if it shall not wait.
    pub(crate) fn works_again(&self, waits: bool, ask: impl FnOnce() -> bool) -> bool {
        let began = Instant::now();
        let Some(_turn) = self.probe_turn(waits) else { return false };
        match self.failed_at() {
            // Another thread has just asked.
            None => true,
            Some(at) if at >= began => false,
            Some(_) if ask() => {
                self.set_works();
                true
            }
            Some(_) => {
                self.set_failed(Instant::now());
                false
            }
        }
    }

    fn probe_turn(&self, waits: bool) -> Option<MutexGuard<'_, ()>> {
        if waits {
            return Some(self.probe.lock().unwrap_or_else(PoisonError::into_inner));
        }
        match self.probe.try_lock() {
            Ok(turn) => Some(turn),
            Err(TryLockError::Poisoned(poisoned)) => Some(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
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
    use std::{
        sync::{
            Barrier,
            atomic::{AtomicUsize, Ordering},
        },
        thread,
    };

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
    fn one_thread_at_a_time_asks_whether_a_node_works_again() {
        let node = Node::new("a");
        assert!(node.works_again(false, || panic!("a node that works is not asked")));
        node.set_failed(Instant::now());
        let result = node.works_again(false, || {
            assert!(!node.works_again(false, || panic!("only one thread asks")));
            true
        });
        assert!(result);
        assert_eq!(node.health(Instant::now()), NodeHealth::Works);
    }

    #[test]
    fn threads_that_wait_share_one_answer() {
        let node = Node::new("a");
        node.set_failed(Instant::now());
        let asked = AtomicUsize::new(0);
        let all_wait = Barrier::new(2);
        thread::scope(|scope| {
            let first = scope.spawn(|| {
                node.works_again(true, || {
                    asked.fetch_add(1, Ordering::Relaxed);
                    all_wait.wait();
                    true
                })
            });
            all_wait.wait();
            assert!(node.works_again(true, || panic!("the first thread has asked")));
            assert!(first.join().unwrap());
        });
        assert_eq!(asked.into_inner(), 1);
    }
}

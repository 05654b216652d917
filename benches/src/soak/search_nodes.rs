//! Which nodes of the search cluster could answer alone.

use super::layout::Victim;
use serde::Deserialize;
use std::{collections::BTreeMap, time::Duration};

/// Within this time, a working node responds.
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// With so many copies besides the first, each of three nodes has the whole index.
pub(super) const SEARCH_REPLICAS: &str = "2";

/// A copy of a shard, as a node lists it.
#[derive(Deserialize)]
struct ShardCopy {
    index: String,
    shard: String,
    state: String,
    /// The name of the node. `None`: the copy is not assigned.
    node: Option<String>,
}

/// Whether a node other than these has a working copy of the whole index. It then answers searches, even
/// if all others are dead. `nodes` are the addresses, separated by commas.
pub(super) async fn leave_a_whole_node(nodes: &str, victims: &[Victim]) -> bool {
    let Ok(http) = reqwest::Client::builder().no_proxy().timeout(TIME_LIMIT).build() else { return false };
    for (number, (address, node)) in nodes.split(',').zip(Victim::SEARCH_NODES).enumerate() {
        if victims.contains(&node) {
            continue;
        }
        let url = format!("{address}/_cat/shards/tenders-*?h=index,shard,state,node&format=json&local=true");
        let Ok(response) = http.get(&url).send().await else { continue };
        let Ok(copies) = response.json::<Vec<ShardCopy>>().await else { continue };
        if is_whole(&copies, &format!("n{}", number + 1)) {
            return true;
        }
    }
    false
}

/// Whether the node with this name has a started copy of each shard.
fn is_whole(copies: &[ShardCopy], name: &str) -> bool {
    let mut shards: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for copy in copies {
        let is_started = copy.state == "STARTED" && copy.node.as_deref() == Some(name);
        *shards.entry((&copy.index, &copy.shard)).or_default() |= is_started;
    }
    !shards.is_empty() && shards.values().all(|is_started| *is_started)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn copy(index: &str, state: &str, node: Option<&str>) -> ShardCopy {
        let node = node.map(str::to_owned);
        ShardCopy { index: index.to_owned(), shard: "0".to_owned(), state: state.to_owned(), node }
    }

    #[test]
    fn whole_node_has_a_started_copy_of_each_shard() {
        let copies = [
            copy("a", "STARTED", Some("n1")),
            copy("a", "STARTED", Some("n2")),
            copy("b", "INITIALIZING", Some("n1")),
            copy("b", "STARTED", Some("n2")),
            copy("b", "UNASSIGNED", None),
        ];
        assert!(!is_whole(&copies, "n1") && is_whole(&copies, "n2") && !is_whole(&copies, "n3"));
        assert!(!is_whole(&[], "n1"), "a node without an index answers nothing");
    }
}

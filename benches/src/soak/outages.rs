//! What users notice of the attacks: responses that are lost, and the time without a listing.

use super::{
    chaos::AttackRecord,
    client::{LostResponse, Request, World},
    ledger::{Micros, now},
};
use serde::Serialize;
use std::{collections::BTreeMap, sync::Arc, time::Duration};
use tokio::time;

/// The pause between two probes.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);
/// A probe without a response in this time has failed. A user would wait no longer.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// A search, and whether there was a response.
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    began: Micros,
    works: bool,
}

/// What all attacks of one kind on one process have caused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct AttackEffect {
    /// The number of attacks.
    pub count: usize,
    /// The requests of users that were in flight at an attack, and got no response before the next attack.
    pub lost_in_flight: usize,
    /// The requests of users that were sent after an attack, and got no response before the next attack. A
    /// request that is repeated counts each time.
    pub lost_later: usize,
    /// The largest number of both after one attack.
    pub most_lost: usize,
    /// The longest time without a listing that began between an attack and the next one, in seconds. An
    /// outage can have several causes, and counts for the attack before its beginning.
    pub longest_outage_s: f64,
}

/// Searches again and again until the traffic ends.
pub(super) async fn probe(world: Arc<World>) -> Vec<Probe> {
    let mut probes = Vec::new();
    while !world.is_stopping() {
        let began = now();
        // Another text each time, so that no server answers from memory.
        let request = Request::get(format!("/api/tenders?limit=1&search=probe{}", began % 50));
        let reply = time::timeout(PROBE_TIMEOUT, world.try_read(&request)).await;
        probes.push(Probe { began, works: reply.is_ok_and(|works| works) });
        time::sleep(PROBE_INTERVAL).await;
    }
    probes
}

/// The outages: when each began and how long it lasted.
fn outages(probes: &[Probe]) -> Vec<(Micros, Micros)> {
    let mut found = Vec::new();
    let mut began = None;
    for probe in probes {
        match (began, probe.works) {
            (None, false) => began = Some(probe.began),
            (Some(at), true) => {
                found.push((at, probe.began - at));
                began = None;
            }
            _ => {}
        }
    }
    if let (Some(at), Some(last)) = (began, probes.last()) {
        found.push((at, last.began - at));
    }
    found
}

/// The effects by victim and attack.
pub(super) fn effects(
    attacks: &[AttackRecord],
    probes: &[Probe],
    lost: &[LostResponse],
) -> BTreeMap<String, AttackEffect> {
    let outages = outages(probes);
    let mut effects: BTreeMap<String, AttackEffect> = BTreeMap::new();
    for (number, attack) in attacks.iter().enumerate() {
        let until = attacks.get(number + 1).map_or(Micros::MAX, |next| next.at);
        let is_after = |at: Micros| (attack.at..until).contains(&at);
        let (mut in_flight, mut later) = (0, 0);
        for lost in lost.iter().filter(|lost| is_after(lost.at)) {
            *if lost.sent_at < attack.at { &mut in_flight } else { &mut later } += 1;
        }
        let outages = outages.iter().filter(|(at, _)| is_after(*at));
        let longest = outages.map(|(_, duration)| *duration).max().unwrap_or_default();
        let effect = effects.entry(attack.to_string()).or_default();
        effect.count += 1;
        effect.lost_in_flight += in_flight;
        effect.lost_later += later;
        effect.most_lost = effect.most_lost.max(in_flight + later);
        effect.longest_outage_s = effect.longest_outage_s.max(longest as f64 / 1e6);
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::{chaos::Attack, layout::Victim};

    #[test]
    fn outage_counts_for_the_attack_before_it() {
        let attack = |at, victim| AttackRecord::at_once(at, victim, Attack::Kill);
        let attacks = [
            attack(1_000_000, Victim::Api),
            attack(5_000_000, Victim::Postgres),
            attack(9_000_000, Victim::Api),
        ];
        let probe = |second: i64, works| Probe { began: second * 1_000_000, works };
        let probes = [
            probe(0, true),
            probe(2, false),
            probe(4, true),
            probe(6, false),
            probe(7, false),
            probe(12, true),
            probe(13, false),
            probe(14, false),
        ];
        let lost = [(400, 500), (900, 2000), (2400, 2500), (5900, 6000), (9400, 9500)]
            .map(|(sent, at)| LostResponse { sent_at: sent * 1000, at: at * 1000 });
        let effects = effects(&attacks, &probes, &lost);
        let api =
            AttackEffect { count: 2, lost_in_flight: 1, lost_later: 2, most_lost: 2, longest_outage_s: 2.0 };
        assert_eq!(effects["api: kill"], api);
        let postgres =
            AttackEffect { count: 1, lost_in_flight: 0, lost_later: 1, most_lost: 1, longest_outage_s: 6.0 };
        assert_eq!(effects["postgres: kill"], postgres);
    }
}

//! What users notice of the attacks: responses that are lost, and the time without a listing.

use super::{
    chaos::AttackRecord,
    client::{Exchange, Request, World},
    layout::Victim,
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
    /// The requests of users that were in flight at an attack: those to the attacked server, or to all
    /// servers if the victim is no server.
    pub in_flight: usize,
    /// Those of them that got no response.
    pub lost_in_flight: usize,
    /// Other requests that got no response before the next attack. A request that is repeated counts each
    /// time.
    pub lost_otherwise: usize,
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
    exchanges: &[Exchange],
    servers: &[Victim],
) -> BTreeMap<String, AttackEffect> {
    let outages = outages(probes);
    let mut effects: BTreeMap<String, AttackEffect> = BTreeMap::new();
    for (number, attack) in attacks.iter().enumerate() {
        let until = attacks.get(number + 1).map_or(Micros::MAX, |next| next.at);
        let is_after = |at: Micros| (attack.at..until).contains(&at);
        let server = servers.iter().position(|server| *server == attack.victim);
        let is_in_flight = |exchange: &&Exchange| {
            (exchange.sent_at..exchange.ended_at).contains(&attack.at)
                && server.is_none_or(|server| server == exchange.server)
        };
        let is_lost = |exchange: &&Exchange| exchange.loss.is_some();
        let in_flight = exchanges.iter().filter(is_in_flight).count();
        let lost_in_flight = exchanges.iter().filter(is_in_flight).filter(is_lost).count();
        let is_other = |exchange: &&Exchange| is_after(exchange.ended_at) && !is_in_flight(exchange);
        let lost_otherwise = exchanges.iter().filter(is_other).filter(is_lost).count();
        let outages = outages.iter().filter(|(at, _)| is_after(*at));
        let longest = outages.map(|(_, duration)| *duration).max().unwrap_or_default();
        let effect = effects.entry(attack.to_string()).or_default();
        effect.count += 1;
        effect.in_flight += in_flight;
        effect.lost_in_flight += lost_in_flight;
        effect.lost_otherwise += lost_otherwise;
        effect.most_lost = effect.most_lost.max(lost_in_flight + lost_otherwise);
        effect.longest_outage_s = effect.longest_outage_s.max(longest as f64 / 1e6);
    }
    effects
}

/// The times of the attacks, of the lost requests and of the outages in their order, one in a line, to find
/// the cause of an outage.
pub(super) fn timeline(
    attacks: &[AttackRecord],
    probes: &[Probe],
    exchanges: &[Exchange],
    servers: &[Victim],
) -> String {
    let attacks =
        attacks.iter().map(|attack| (attack.at, format!("{attack}, {} ms", attack.duration / 1000)));
    let outages = outages(probes);
    let outages =
        outages.iter().map(|(at, duration)| (*at, format!("no listing for {} ms", duration / 1000)));
    let lost = exchanges.iter().filter_map(|exchange| {
        let (loss, server) = (exchange.loss?, servers.get(exchange.server)?);
        let after = (exchange.ended_at - exchange.sent_at) / 1000;
        Some((exchange.sent_at, format!("lost a request to {server}: {loss} after {after} ms")))
    });
    let mut events: Vec<(Micros, String)> = attacks.chain(outages).chain(lost).collect();
    events.sort();
    events.iter().map(|(at, event)| format!("{} {event}\n", utc(*at))).collect()
}

/// A time as in the logs.
fn utc(at: Micros) -> String {
    jiff::Timestamp::from_microsecond(at).map_or_else(|_| at.to_string(), |at| at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::soak::{chaos::Attack, client::Loss};

    #[test]
    fn outage_counts_for_the_attack_before_it() {
        let attack = |at, victim| AttackRecord::at_once(at, victim, Attack::Kill);
        let attacks = [
            attack(1_000_000, Victim::FirstServer),
            attack(5_000_000, Victim::Postgres),
            attack(9_000_000, Victim::FirstServer),
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
        let exchanges = [
            (0, 400, 500, true),
            (0, 900, 2000, true),
            (0, 950, 1100, false),
            // In flight on the other server.
            (1, 980, 1200, true),
            (0, 2400, 2500, true),
            (1, 4900, 5200, true),
            (0, 5900, 6000, true),
            (0, 9400, 9500, true),
        ]
        .map(|(server, sent, ended, is_lost): (usize, i64, i64, bool)| Exchange {
            server,
            sent_at: sent * 1000,
            ended_at: ended * 1000,
            loss: is_lost.then_some(Loss::Broken),
        });
        let servers = [Victim::FirstServer, Victim::SecondServer];
        let effects = effects(&attacks, &probes, &exchanges, &servers);
        let server = AttackEffect {
            count: 2,
            in_flight: 2,
            lost_in_flight: 1,
            lost_otherwise: 3,
            most_lost: 3,
            longest_outage_s: 2.0,
        };
        assert_eq!(effects["first-server: kill"], server);
        let postgres = AttackEffect {
            count: 1,
            in_flight: 1,
            lost_in_flight: 1,
            lost_otherwise: 1,
            most_lost: 2,
            longest_outage_s: 6.0,
        };
        assert_eq!(effects["postgres: kill"], postgres);
        let timeline = timeline(&attacks, &probes, &exchanges, &servers);
        assert!(timeline.contains("lost a request to second-server: broken after 220 ms\n"), "{timeline}");
        assert!(timeline.contains("1970-01-01T00:00:06Z no listing for 6000 ms\n"), "{timeline}");
    }
}

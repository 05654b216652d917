//! Fills the portal's database with tenders that are mixed from those of the workload, and finds the
//! words and values that the queries search for.

use crate::mails::store::{MATCHED, TENDERS};
use anyhow::{Context, Result, ensure};
use jiff::{SignedDuration, Timestamp};
use postgres::{Client, NoTls};
use rand::{Rng, SeedableRng, rngs::StdRng};
use serde_json::{Value, json};
use std::collections::HashMap;
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// The tenders that one statement stores.
const BATCH: usize = 5_000;

/// The tenders were published in this time before the run.
const PUBLISHED_WITHIN: SignedDuration = SignedDuration::from_hours(120 * 24);
/// The tenders close within this time after their publication. So about a third is open to bids.
const OPEN_FOR: SignedDuration = SignedDuration::from_hours(60 * 24);

/// A plan with advanced search, and a confirmed address.
const SUBSCRIBE: &str = "
    with confirmed as (
        update address set verified_at = clock_timestamp() where email = $1
    )
    insert into subscription (id, user_id, plan, status, billing_cycle, start_date, end_date, auto_renew, period_start, anchor,
        holds_until, created_at, updated_at)
    select id, id, 'professional', 'active', 'monthly', at, at + interval '30 days', false, at, at, at + interval '30 days', at, at
    from users, (select clock_timestamp() as at) m where email = $1";

/// A stored tender, as far as the queries need it.
#[derive(Debug, Clone)]
pub(crate) struct StoredTender {
    pub(crate) id: Uuid,
    pub(crate) words: Vec<String>,
    pub(crate) category: String,
    pub(crate) organization: String,
    pub(crate) district: String,
    pub(crate) published: String,
}

/// Stores tenders. Each has the title of one tender of the workload, the texts of another one, and the
/// category, place and organisation of further ones. So all words and values have about the
/// frequencies of the workload, but no two tenders are equal.
pub(crate) fn fill(
    url: &str,
    records: &[Value],
    count: usize,
    (seed, now): (u64, Timestamp),
) -> Result<Vec<StoredTender>> {
    ensure!(!records.is_empty(), "the file contains no tender");
    let mut client = Client::connect(url, NoTls).with_context(|| format!("no connection to {url}"))?;
    let mut random = StdRng::seed_from_u64(seed);
    let mut stored = Vec::with_capacity(count);
    let statement = client.prepare(TENDERS)?;
    let mut batch = Vec::with_capacity(BATCH);
    for place in 0..count {
        let record = mix(records, place, now, &mut random)?;
        stored.push(summarize(&record)?);
        batch.push(record.to_string());
        if batch.len() == BATCH || place + 1 == count {
            client.execute(&statement, &[&batch])?;
            batch.clear();
        }
    }
    Ok(stored)
}

/// Marks all changes as matched, because the portal would otherwise mail all tenders to the alerts. Updates
/// the statistics of the database.
pub(crate) fn finish(url: &str) -> Result<()> {
    let mut client = Client::connect(url, NoTls)?;
    client.execute(MATCHED, &[])?;
    Ok(client.batch_execute("vacuum analyze")?)
}

/// Gives the Professional plan to a user who has registered.
pub(crate) fn subscribe(url: &str, email: &str) -> Result<()> {
    let count = Client::connect(url, NoTls)?.execute(SUBSCRIBE, &[&email])?;
    ensure!(count == 1, "{email} is not registered");
    Ok(())
}

fn mix(records: &[Value], place: usize, now: Timestamp, random: &mut StdRng) -> Result<Value> {
    let mut pick = || &records[random.random_range(0..records.len())];
    let mut record = pick().clone();
    let (titled, placed, owned, classed) = (pick(), pick(), pick(), pick());
    record["title"] = mix_titles(&record["title"], &titled["title"]);
    record["location"] = placed["location"].clone();
    record["organization"] = owned["organization"].clone();
    record["category"] = classed["category"].clone();
    record["referenceNo"] = json!(format!("REF/{place}"));
    let published = now - scaled(PUBLISHED_WITHIN, random.random());
    let closing = published + scaled(OPEN_FOR, random.random_range(0.1..1.0));
    record["_id"] = json!(id_of(place, published));
    record["status"] = json!("published");
    record["publishedAt"] = serde_json::to_value(Moment::new(published))?;
    record["dates"]["published"] = record["publishedAt"].clone();
    record["dates"]["closing"] = serde_json::to_value(Moment::new(closing))?;
    Ok(record)
}

/// The first half of one title and the second half of another.
fn mix_titles(one: &Value, other: &Value) -> Value {
    let words = |title: &Value| -> Vec<String> {
        title.as_str().unwrap_or_default().split_whitespace().map(str::to_owned).collect()
    };
    let (one, other) = (words(one), words(other));
    let halves = one.iter().take(one.len().div_ceil(2)).chain(other.iter().skip(other.len() / 2));
    json!(halves.map(String::as_str).collect::<Vec<_>>().join(" "))
}

fn scaled(duration: SignedDuration, share: f64) -> SignedDuration {
    SignedDuration::from_secs_f64(duration.as_secs_f64() * share)
}

/// A UUIDv7, as the portal makes them.
fn id_of(place: usize, at: Timestamp) -> Uuid {
    let milliseconds = u128::try_from(at.as_millisecond()).unwrap_or_default();
    Uuid::from_u128(milliseconds << 80 | 7 << 76 | 2 << 62 | place as u128)
}

fn summarize(record: &Value) -> Result<StoredTender> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let title = text(&record["title"]).to_lowercase();
    let words = title.split(|letter: char| !letter.is_alphanumeric());
    Ok(StoredTender {
        id: text(&record["_id"]).parse()?,
        words: words.filter(|word| word.chars().count() > 3).map(str::to_owned).collect(),
        category: text(&record["category"]),
        organization: text(&record["organization"]["name"]),
        district: text(&record["location"]["district"]),
        published: text(&record["publishedAt"]).chars().take(10).collect(),
    })
}

/// The words of the titles, the most frequent first.
pub(crate) fn frequent_words(tenders: &[StoredTender]) -> Vec<String> {
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for word in tenders.iter().flat_map(|tender| &tender.words) {
        *counts.entry(word).or_default() += 1;
    }
    let mut words: Vec<(&str, usize)> = counts.into_iter().collect();
    words.sort_unstable_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    words.into_iter().map(|(word, _)| word.to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixed_tenders_are_determined_by_the_seed() {
        let records = [
            json!({"title": "Supply of chairs", "category": "Furniture", "dates": {}, "description": "wood"}),
            json!({"title": "Repair of roads", "category": "Roads", "dates": {}, "description": "tar"}),
        ];
        let now = "2026-11-20T00:00:00Z".parse().unwrap();
        let mixed = |seed| {
            let mut random = StdRng::seed_from_u64(seed);
            (0..20).map(|place| mix(&records, place, now, &mut random).unwrap()).collect::<Vec<_>>()
        };
        assert_eq!(mixed(1), mixed(1));
        assert_ne!(mixed(1), mixed(2));
        let titles: Vec<_> = mixed(1).iter().map(|record| record["title"].clone()).collect();
        assert!(titles.contains(&json!("Supply of of roads")), "{titles:?}");
        let first = summarize(&mixed(1)[0]).unwrap();
        assert!(first.published.as_str() > "2026-07-01" && first.published.as_str() < "2026-11-21");
    }
}

//! The orders of a listing as sort clauses of the cluster, and their values as [`SortKey`]s.

use index::{ListingRequest, Sort, search::SortKey};
use serde_json::{Value, json};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// An order of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Relevance,
    Newest,
    Closing,
    Value,
}

/// Seconds beyond this are equal in the order by closing date. All years up to 9999 are below.
const MAX_SECONDS: i64 = 4_000_000_000_000;
/// The distance between the groups of the order by closing date. Doubles represent the sums exactly.
const GROUP: i64 = 10_000_000_000_000;
const _: () = assert!(2 * MAX_SECONDS < GROUP);

impl Order {
    pub(crate) fn new(request: &ListingRequest, has_text: bool) -> Self {
        match request.sort {
            Sort::Best if has_text => Self::Relevance,
            Sort::Best | Sort::Newest => Self::Newest,
            Sort::Closing => Self::Closing,
            Sort::Value => Self::Value,
        }
    }

    /// The sort clauses. Ties are broken by publication time and id, the newest first.
    pub(crate) fn clauses(self, request: &ListingRequest, now: Moment) -> Value {
        let newest = json!({"published_at": {"order": "desc", "missing": "_last"}});
        let id = json!({"id": "desc"});
        match self {
            Self::Relevance => json!([{"_score": "desc"}, newest, id]),
            Self::Newest => json!([newest, id]),
            Self::Closing => json!([
                by_script(CLOSING_KEY, &json!({"now": now.second(), "most": MAX_SECONDS, "group": GROUP})),
                newest,
                id
            ]),
            Self::Value => {
                let rates = request.rates.currencies();
                let rates: serde_json::Map<_, _> = rates
                    .filter_map(|currency| {
                        Some((currency.as_str().to_owned(), json!(request.rates.rate(currency)?)))
                    })
                    .collect();
                json!([by_script(VALUE_KEY, &json!({"rates": rates})), newest, id])
            }
        }
    }

    /// The key of a hit from its sort values. `None` if they are not what [`Order::clauses`] asks for.
    pub(crate) fn key(self, values: &Value) -> Option<SortKey> {
        let mut values = values.as_array()?.iter();
        let first = match self {
            Self::Relevance => u64::from((values.next()?.as_f64()? as f32).to_bits()),
            Self::Newest => 0,
            Self::Closing | Self::Value => values.next()?.as_f64()? as u64,
        };
        let published = published_key(values.next()?)?;
        let id: Uuid = values.next()?.as_str()?.parse().ok()?;
        let (first, second) = if self == Self::Newest { (published, 0) } else { (first, published) };
        Some(SortKey { first, second, id: id.as_u128() })
    }

    /// The sort values after which a page starts.
    pub(crate) fn after(self, key: SortKey) -> Value {
        let published = if self == Self::Newest { key.first } else { key.second };
        let published = (published as i64).wrapping_add(i64::MIN);
        let id = Uuid::from_u128(key.id).to_string();
        match self {
            Self::Relevance => json!([f32::from_bits(key.first as u32), published, id]),
            Self::Newest => json!([published, id]),
            Self::Closing | Self::Value => json!([key.first as f64, published, id]),
        }
    }
}

/// A number that grows with the publication time. 0 if it is unknown.
fn published_key(value: &Value) -> Option<u64> {
    // The cluster sorts a missing value like the smallest number.
    let second = if value.is_null() { i64::MIN } else { value.as_i64()? };
    Some(second.wrapping_sub(i64::MIN) as u64)
}

fn by_script(source: &str, params: &Value) -> Value {
    let script = json!({"lang": "painless", "source": source, "params": params});
    json!({"_script": {"type": "number", "order": "desc", "script": script}})
}

/// Open tenders by closing date, the next first; then open ones without a date; then closed ones, the
/// latest first. Numbers are never negative.
const CLOSING_KEY: &str = "
    long most = params.most;
    boolean dated = doc['closing'].size() > 0;
    boolean expires = doc['live_until'].size() > 0;
    boolean open = doc['status'].size() > 0 && doc['status'].value == 'published'
        && (!expires || doc['live_until'].value >= params.now);
    long group = open ? (dated ? 2 : 1) : 0;
    long seconds = 0;
    if (open) { if (dated) { seconds = -doc['closing'].value; } }
    else if (dated) { seconds = doc['closing'].value; }
    else { seconds = expires ? doc['live_until'].value : most; }
    if (seconds > most) { seconds = most; }
    if (seconds < -most) { seconds = -most; }
    return (double) (group * params.group + seconds + most);
";

/// The value in cents of the first currency, plus 1. 0 without a value or a rate.
const VALUE_KEY: &str = "
    if (doc['value'].size() == 0 || doc['currency'].size() == 0) { return 0; }
    def rate = params.rates[doc['currency'].value];
    if (rate == null) { return 0; }
    return (double) (1 + Math.round(doc['value'].value * (double) rate));
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_becomes_the_sort_values_it_came_from() {
        let id = "01939999-0000-7000-8000-000000000001";
        let known = 1_795_000_000i64;
        for (order, values) in [
            (Order::Relevance, json!([12.345_678_f32, known, id])),
            (Order::Newest, json!([known, id])),
            (Order::Newest, json!([i64::MIN, id])),
            (Order::Closing, json!([(2 * GROUP + MAX_SECONDS - known) as f64, i64::MIN, id])),
            (Order::Value, json!([1_234_567_890_123.0, known, id])),
        ] {
            let key = order.key(&values).unwrap_or_else(|| panic!("{values} has no key"));
            assert_eq!(order.after(key), values, "{order:?}");
        }
    }
}

//! The orders of a listing as sort clauses of the cluster, and their values as [`SortKey`]s.

use index::{ListingRequest, Sort, search::SortKey};
use serde_json::{Value, json};
use tender_model::vocabulary::Moment;
use uuid::Uuid;

/// An order of a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Order {
    by: OrderBy,
    /// Whether a clause of its own lists open tenders before all others.
    open_first: bool,
}

/// What a listing, or each of its groups, is ordered by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OrderBy {
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
/// The bit of the group in [`SortKey::first`]. Doubles represent all numbers below exactly.
const GROUP_BIT: u32 = 53;

impl Order {
    pub(crate) fn new(request: &ListingRequest, has_text: bool) -> Self {
        let by = match request.sort {
            Sort::Best if has_text => OrderBy::Relevance,
            Sort::Best | Sort::Newest => OrderBy::Newest,
            Sort::Closing => OrderBy::Closing,
            Sort::Value => OrderBy::Value,
        };
        // The order by closing date has the same groups itself.
        Self { by, open_first: request.open_first && by != OrderBy::Closing }
    }

    /// Whether the order is by relevance.
    pub(crate) fn is_by_relevance(self) -> bool {
        self.by == OrderBy::Relevance
    }

    /// The sort clauses. Ties are broken by publication time and id, the newest first.
    pub(crate) fn clauses(self, request: &ListingRequest, now: Moment) -> Value {
        let group = self.open_first.then(|| by_script(OPEN_KEY, &json!({"now": now.second()})));
        let by = match self.by {
            OrderBy::Relevance => Some(json!({"_score": "desc"})),
            OrderBy::Newest => None,
            OrderBy::Closing => {
                let params = json!({"now": now.second(), "most": MAX_SECONDS, "group": GROUP});
                Some(by_script(CLOSING_KEY, &params))
            }
            OrderBy::Value => {
                let rates = request.rates.currencies();
                let rates: serde_json::Map<_, _> = rates
                    .filter_map(|currency| {
                        Some((currency.as_str().to_owned(), json!(request.rates.rate(currency)?)))
                    })
                    .collect();
                Some(by_script(VALUE_KEY, &json!({"rates": rates})))
            }
        };
        let newest = json!({"published_at": {"order": "desc", "missing": "_last"}});
        Value::Array(group.into_iter().chain(by).chain([newest, json!({"id": "desc"})]).collect())
    }

    /// The key of a hit from its sort values. `None` if they are not what [`Order::clauses`] asks for.
    pub(crate) fn key(self, values: &Value) -> Option<SortKey> {
        let mut values = values.as_array()?.iter();
        let group = if self.open_first { Some(values.next()?.as_f64()? as u64) } else { None };
        let by = match self.by {
            OrderBy::Relevance => Some(u64::from((values.next()?.as_f64()? as f32).to_bits())),
            OrderBy::Newest => None,
            OrderBy::Closing | OrderBy::Value => Some(values.next()?.as_f64()? as u64),
        };
        let published = published_key(values.next()?)?;
        let id = values.next()?.as_str()?.parse::<Uuid>().ok()?.as_u128();
        Some(match (group, by) {
            (None, None) => SortKey { first: published, second: 0, id },
            (group, by) => {
                let first = group.unwrap_or_default() << GROUP_BIT | by.unwrap_or_default();
                SortKey { first, second: published, id }
            }
        })
    }

    /// The sort values after which a page starts.
    pub(crate) fn after(self, key: SortKey) -> Value {
        let by = key.first & ((1 << GROUP_BIT) - 1);
        let group = self.open_first.then(|| json!((key.first >> GROUP_BIT) as f64));
        let is_publication_first = self.by == OrderBy::Newest && !self.open_first;
        let published = if is_publication_first { key.first } else { key.second };
        let published = (published as i64).wrapping_add(i64::MIN);
        let by = match self.by {
            OrderBy::Relevance => Some(json!(f32::from_bits(by as u32))),
            OrderBy::Newest => None,
            OrderBy::Closing | OrderBy::Value => Some(json!(by as f64)),
        };
        let id = Uuid::from_u128(key.id).to_string();
        Value::Array(group.into_iter().chain(by).chain([json!(published), json!(id)]).collect())
    }
}

/// A number that grows with the publication time. 0 if it is unknown.
fn published_key(value: &Value) -> Option<u64> {
    // The cluster sorts a missing value like the smallest number.
    let second = if value.is_null() { i64::MIN } else { value.as_i64()? };
    Some(second.wrapping_sub(i64::MIN) as u64)
}

/// A clause by the result of a script, the greatest first. In the script, `OPEN` stands for [`OPEN`].
fn by_script(source: &str, params: &Value) -> Value {
    let source = source.replace("OPEN", OPEN);
    let script = json!({"lang": "painless", "source": source, "params": params});
    json!({"_script": {"type": "number", "order": "desc", "script": script}})
}

/// Whether a tender is open for bids at `params.now`.
const OPEN: &str = "(doc['status'].size() > 0 && doc['status'].value == 'published'
        && (doc['live_until'].size() == 0 || doc['live_until'].value >= params.now))";

/// 1 for open tenders, 0 for all others.
const OPEN_KEY: &str = "return OPEN ? 1.0 : 0.0;";

/// Open tenders by closing date, the next first; then open ones without a date; then closed ones, the
/// latest first. Numbers are never negative.
const CLOSING_KEY: &str = "
    long most = params.most;
    boolean dated = doc['closing'].size() > 0;
    boolean open = OPEN;
    long group = open ? (dated ? 2 : 1) : 0;
    long seconds = 0;
    if (open) { if (dated) { seconds = -doc['closing'].value; } }
    else if (dated) { seconds = doc['closing'].value; }
    else { seconds = doc['live_until'].size() > 0 ? doc['live_until'].value : most; }
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
        let plain = |by| Order { by, open_first: false };
        let grouped = |by| Order { by, open_first: true };
        for (order, values) in [
            (plain(OrderBy::Relevance), json!([12.345_678_f32, known, id])),
            (plain(OrderBy::Newest), json!([known, id])),
            (plain(OrderBy::Newest), json!([i64::MIN, id])),
            (plain(OrderBy::Closing), json!([(2 * GROUP + MAX_SECONDS - known) as f64, i64::MIN, id])),
            (plain(OrderBy::Value), json!([1_234_567_890_123.0, known, id])),
            (grouped(OrderBy::Relevance), json!([1.0, 12.345_678_f32, known, id])),
            (grouped(OrderBy::Relevance), json!([0.0, 0.0_f32, known, id])),
            (grouped(OrderBy::Newest), json!([1.0, known, id])),
            (grouped(OrderBy::Newest), json!([0.0, i64::MIN, id])),
            (grouped(OrderBy::Value), json!([1.0, 1_234_567_890_123.0, known, id])),
        ] {
            let key = order.key(&values).unwrap_or_else(|| panic!("{values} has no key"));
            assert_eq!(order.after(key), values, "{order:?}");
        }
    }
}

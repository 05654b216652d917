//! Translates a [`TextQuery`] and [`ScoringClause`]s into queries of the cluster.

use crate::{
    filters::{all, any, exists, live, not, seconds, status_card, unknown_value, value_between},
    mapping::field_name,
};
use index::{
    StatusCard,
    query::{
        FieldCondition, InclusiveRange, Pattern, QueryNode, Scope, ScoredMatch, ScoringClause, SearchField,
        StatusCondition, TextQuery, WordMatch, name_pattern,
    },
    stem,
};
use serde_json::{Value, json};
use tender_model::vocabulary::{Currency, Day, Kind, Moment, Rates, Sector, TenderStatus, Topic};

/// The maximum number of words that the last word of a name of several words may be completed to.
const MAX_COMPLETIONS: usize = 1000;

/// The time and the exchange rates for conditions on fields.
#[derive(Clone, Copy)]
pub(crate) struct Conditions<'a> {
    pub(crate) now: Moment,
    pub(crate) rates: &'a Rates,
}

/// The query to run. If only exclusions were typed, it finds every tender that is not excluded.
pub(crate) fn to_query(query: &TextQuery, conditions: Conditions<'_>, scope: Scope) -> Value {
    let node = |node: &QueryNode| node_query(node, conditions, scope);
    let mut filters: Vec<Value> = query.required.iter().map(node).collect();
    let words: Vec<Value> = query.words.iter().map(node).collect();
    if !words.is_empty() {
        filters.push(json!({"bool": {"should": words, "minimum_should_match": query.at_least}}));
    }
    // Exclusion uses the same matching: `-bridge` excludes "bridges" too.
    let excluded: Vec<Value> = query.excluded.iter().map(node).collect();
    let words = json!({"bool": {"filter": filters, "must_not": excluded}});
    if query.references.is_empty() { words } else { any(vec![words, references(&query.references)]) }
}

fn node_query(node: &QueryNode, conditions: Conditions<'_>, scope: Scope) -> Value {
    match node {
        QueryNode::All(nodes) => {
            all(&nodes.iter().map(|node| node_query(node, conditions, scope)).collect::<Vec<_>>())
        }
        QueryNode::Any(nodes) => any(nodes.iter().map(|node| node_query(node, conditions, scope)).collect()),
        QueryNode::Word(word, _) => match scope {
            Scope::Everything => term(SearchField::Stems, &stem(word)),
            Scope::Stub => {
                any(vec![term(SearchField::TitleStems, &stem(word)), term(SearchField::Reference, word)])
            }
        },
        QueryNode::Phrase(words, within) => {
            any(within.fields(scope).iter().map(|field| phrase(*field, words, 0)).collect())
        }
        QueryNode::Name(spelling, within, _) => {
            let pattern = name_pattern(spelling);
            let fields = within.fields(scope).iter();
            any(fields.filter_map(|field| Some(name(*field, pattern.as_ref()?))).collect())
        }
        QueryNode::References(wanted) => references(wanted),
        QueryNode::Field(condition) => field_query(condition, conditions),
    }
}

/// A scoring clause. `idf` is the inverse document frequency of a term.
pub(crate) fn scored(clause: &ScoringClause, idf: &dyn Fn(SearchField, &str) -> f64) -> Value {
    let weight = f64::from(clause.weight);
    match &clause.matches {
        ScoredMatch::Words { field, words, slop } => {
            // The cluster adds up the scores of the words of a phrase.
            let sum: f64 = words.iter().map(|word| idf(*field, word)).sum();
            let boost = weight * sum / words.len().max(1) as f64;
            match words.as_slice() {
                [word] => json!({"term": {field_name(*field): {"value": word, "boost": boost}}}),
                words => json!({"match_phrase": {field_name(*field): {
                    "query": words.join(" "), "slop": slop, "boost": boost,
                }}}),
            }
        }
        ScoredMatch::Name { field, pattern } => constant(&name(*field, pattern), weight),
        ScoredMatch::References(wanted) => constant(&references(wanted), weight),
    }
}

fn constant(query: &Value, boost: f64) -> Value {
    json!({"constant_score": {"filter": query, "boost": boost}})
}

/// A query for a term of a field.
pub(crate) fn term(field: SearchField, term: &str) -> Value {
    json!({"term": {field_name(field): term}})
}

fn phrase(field: SearchField, words: &[String], slop: u32) -> Value {
    match words {
        [word] => term(field, word),
        words => json!({"match_phrase": {field_name(field): {"query": words.join(" "), "slop": slop}}}),
    }
}

/// A query for a name. Only its last word can be open, at the end.
fn name(field: SearchField, pattern: &Pattern) -> Value {
    let words = pattern.as_str();
    let is_open = pattern.parts().last().is_some_and(|(_, _, side)| side != WordMatch::Whole);
    match (words.contains(' '), is_open) {
        (false, false) => term(field, words),
        (false, true) => json!({"prefix": {field_name(field): {"value": words}}}),
        (true, false) => json!({"match_phrase": {field_name(field): {"query": words}}}),
        (true, true) => {
            let query = json!({"query": words, "max_expansions": MAX_COMPLETIONS});
            json!({"match_phrase_prefix": {field_name(field): query}})
        }
    }
}

/// A query for any of these references.
pub(crate) fn references(wanted: &[String]) -> Value {
    json!({"terms": {field_name(SearchField::SolidReference): wanted}})
}

/// A query for tenders of which a text contains a pattern.
pub(crate) fn pattern(pattern: &Pattern) -> Value {
    pattern_in("patterns", pattern)
}

/// A query for a keyword in a field with the words of some texts.
pub(crate) fn pattern_in(field: &str, pattern: &Pattern) -> Value {
    let (is_open_left, is_open_right) = open_sides(pattern);
    let left = if is_open_left { "" } else { " " };
    let right = if is_open_right { "" } else { " " };
    let words = escaped(pattern.as_str());
    json!({"wildcard": {field: {"value": format!("*{left}{words}{right}*")}}})
}

/// Whether the first word of a pattern may begin within a word, and whether the last one may end within one.
pub(crate) fn open_sides(pattern: &Pattern) -> (bool, bool) {
    let first = pattern.parts().next().map(|part| part.2);
    let last = pattern.parts().last().map(|part| part.2);
    let is_open_left = matches!(first, Some(WordMatch::Suffix | WordMatch::Infix));
    (is_open_left, matches!(last, Some(WordMatch::Prefix | WordMatch::Infix)))
}

/// A text in a wildcard query that stands for itself.
pub(crate) fn escaped(text: &str) -> String {
    let escape = |character| matches!(character, '*' | '?' | '\\').then_some('\\');
    text.chars().flat_map(|character| escape(character).into_iter().chain([character])).collect()
}

fn field_query(condition: &FieldCondition, conditions: Conditions<'_>) -> Value {
    let now = conditions.now;
    match condition {
        FieldCondition::City(words) => json!({"term": {"city_key": words}}),
        FieldCondition::District(district) => json!({"term": {"district": district}}),
        FieldCondition::Province(province) => json!({"term": {"province": province}}),
        FieldCondition::Topic(topic) => self::topic(*topic),
        FieldCondition::Kind(kind) => json!({"term": {"kind": kind}}),
        FieldCondition::Language(language) => json!({"term": {"language": language}}),
        FieldCondition::Grade(grade) => json!({"term": {"grade": grade.to_string()}}),
        FieldCondition::Status(StatusCondition::Today) => status_card(StatusCard::Today, now),
        FieldCondition::Status(StatusCondition::Live) => live(now),
        FieldCondition::Status(StatusCondition::Closed) => not(&live(now)),
        FieldCondition::Status(StatusCondition::Status(status)) => self::status(*status, now),
        FieldCondition::Closing(days) => {
            // A tender must not be missed because its closing date was not read.
            let unread = all(&[not(&exists("closing")), json!({"term": {"closing_unread": true}})]);
            any(vec![within_days("closing", *days), unread])
        }
        FieldCondition::Published(days) => within_days("published_at", *days),
        FieldCondition::Value(range) => {
            let within = value_between((range.from, range.to), Currency::LKR, conditions.rates);
            all(&[exists("value"), any(vec![within, unknown_value(conditions.rates)])])
        }
    }
}

/// A query for tenders on a topic; see [`tender_model::tender::Tender::is_about`].
pub(crate) fn topic(topic: Topic) -> Value {
    match topic {
        Topic::Category(category) => json!({"term": {"category": category}}),
        Topic::Sector(Sector::Registration) => json!({"term": {"kind": Kind::Registration}}),
        Topic::Sector(sector) => json!({"term": {"sector": sector}}),
    }
}

/// A query for tenders with an effective status.
pub(crate) fn status(status: TenderStatus, now: Moment) -> Value {
    let printed = |status: TenderStatus| json!({"term": {"status": status}});
    match status {
        TenderStatus::Published => live(now),
        TenderStatus::Closed => {
            let expired = all(&[printed(TenderStatus::Published), not(&live(now))]);
            any(vec![printed(TenderStatus::Closed), expired])
        }
        other => printed(other),
    }
}

fn within_days(field: &str, days: InclusiveRange<Day>) -> Value {
    let second = |moment: Option<Moment>| moment.map(Moment::second);
    let from = days.from.and_then(|day| second(Moment::start_of(day)));
    let until = days.to.and_then(|day| second(Moment::end_of(day)));
    seconds(field, from, until)
}

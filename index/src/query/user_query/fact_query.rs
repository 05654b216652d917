//! A [`FactCondition`] as a Tantivy query on columns. The query reads the columns of those tenders
//! that match the other clauses.

use super::{
    context::SearchContext,
    fact::{FactCondition, InclusiveRange, StatusCondition},
};
use crate::query::{TenderFacts, name_hash};
use tantivy::{
    DocId, SegmentReader,
    columnar::Column,
    query::{
        Query,
        doc_predicate_query::{DocPredicateQuery, FunctionPredicate, SegmentDocPredicate},
    },
};
use tender_model::vocabulary::{Currency, Day, Millions, Moment, TenderStatus};

/// The query for a condition.
pub(super) fn fact_query(fact: &FactCondition, context: &SearchContext<'_>) -> Box<dyn Query> {
    let now = context.now;
    match fact.clone() {
        FactCondition::City(words) => {
            let city = name_hash(&words);
            predicate(move |reader| {
                let column = reader.fast_fields().str("city")?;
                let mut wanted = Vec::new();
                if let Some(column) = &column {
                    let mut names = column.dictionary().stream()?;
                    let mut ordinal = 0;
                    while let Some((name, _)) = names.next() {
                        if name_hash(&String::from_utf8_lossy(name)) == city {
                            wanted.push(ordinal);
                        }
                        ordinal += 1;
                    }
                }
                let ordinals = column.map(|column| column.ords().clone());
                Ok(move |document: DocId| {
                    let ordinal = ordinals.as_ref().and_then(|ordinals| ordinals.first(document));
                    ordinal.is_some_and(|ordinal| wanted.contains(&ordinal))
                })
            })
        }
        FactCondition::District(district) => by_bits("places", move |facts| facts.is_in_district(district)),
        FactCondition::Province(province) => by_bits("places", move |facts| facts.is_in_province(province)),
        FactCondition::Topic(topic) => by_bits("traits", move |facts| facts.is_about(topic)),
        FactCondition::Kind(kind) => by_bits("traits", move |facts| facts.is_of_kind(kind)),
        FactCondition::Language(language) => by_bits("traits", move |facts| facts.is_in_language(language)),
        FactCondition::Grade(grade) => by_bits("grades", move |facts| facts.requires_grade(grade)),
        FactCondition::Status(StatusCondition::Today) => {
            by_second("published_at", seconds(InclusiveRange { from: Some(now.day()), to: Some(now.day()) }))
        }
        FactCondition::Status(StatusCondition::Live) => {
            by_status(now, |facts| facts.has_status(TenderStatus::Published))
        }
        FactCondition::Status(StatusCondition::Closed) => {
            by_status(now, |facts| !facts.has_status(TenderStatus::Published))
        }
        FactCondition::Status(StatusCondition::Status(status)) => {
            by_status(now, move |facts| facts.has_status(status))
        }
        FactCondition::Closing(days) => {
            let span = seconds(days);
            predicate(move |reader| {
                let (closing, traits) = (number_column(reader, "closing")?, bits_column(reader, "traits")?);
                Ok(move |document: DocId| match closing.first(document) {
                    Some(second) => span.contains(second),
                    // A tender must not be missed because its closing date was not read.
                    None => {
                        let traits = traits.first(document).unwrap_or_default();
                        TenderFacts { traits, ..TenderFacts::default() }.is_closing_unread()
                    }
                })
            })
        }
        FactCondition::Published(days) => by_second("published_at", seconds(days)),
        FactCondition::Value(span) => {
            let rates = context.rates.clone();
            predicate(move |reader| {
                let (values, currencies) =
                    (number_column(reader, "value")?, bits_column(reader, "currency")?);
                let rates = rates.clone();
                Ok(move |document: DocId| {
                    let Some(minor) = values.first(document) else { return false };
                    let currency = currencies.first(document).and_then(Currency::from_packed);
                    let value = currency.and_then(|currency| {
                        rates.convert(Millions::from_minor(minor), currency, Currency::LKR)
                    });
                    // A tender must not be missed because its currency has no rate.
                    value.is_none_or(|value| span.contains(value))
                })
            })
        }
    }
}

/// From the first second of the first day to the last second of the last, in Colombo.
fn seconds(days: InclusiveRange<Day>) -> InclusiveRange<i64> {
    let second = |moment: Option<Moment>| moment.map(Moment::second);
    InclusiveRange {
        from: days.from.and_then(|day| second(Moment::start_of(day))),
        to: days.to.and_then(|day| second(Moment::end_of(day))),
    }
}

fn by_second(name: &'static str, span: InclusiveRange<i64>) -> Box<dyn Query> {
    predicate(move |reader| {
        let column = number_column(reader, name)?;
        Ok(move |document: DocId| column.first(document).is_some_and(|second| span.contains(second)))
    })
}

/// A query that tests the facts in one column of bits.
fn by_bits(
    name: &'static str,
    test: impl Fn(&TenderFacts) -> bool + Clone + Send + Sync + 'static,
) -> Box<dyn Query> {
    predicate(move |reader| {
        let (column, test) = (bits_column(reader, name)?, test.clone());
        Ok(move |document: DocId| {
            let bits = column.first(document).unwrap_or_default();
            let mut facts = TenderFacts::default();
            match name {
                "places" => facts.places = bits,
                "grades" => facts.grades = bits,
                _ => facts.traits = bits,
            }
            test(&facts)
        })
    })
}

fn by_status(
    now: Moment,
    test: impl Fn(&TenderFacts) -> bool + Clone + Send + Sync + 'static,
) -> Box<dyn Query> {
    predicate(move |reader| {
        let (traits, live_until) = (bits_column(reader, "traits")?, number_column(reader, "live_until")?);
        let test = test.clone();
        Ok(move |document: DocId| {
            let traits = traits.first(document).unwrap_or_default();
            test(
                &TenderFacts { traits, live_until: live_until.first(document), ..TenderFacts::default() }
                    .at(now),
            )
        })
    })
}

fn predicate<P: SegmentDocPredicate>(
    of_segment: impl Fn(&SegmentReader) -> tantivy::Result<P> + Send + Sync + 'static,
) -> Box<dyn Query> {
    let query: DocPredicateQuery = FunctionPredicate::from(of_segment).into();
    Box::new(query)
}

fn bits_column(reader: &SegmentReader, name: &str) -> tantivy::Result<Column<u64>> {
    let column = reader.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
}

fn number_column(reader: &SegmentReader, name: &str) -> tantivy::Result<Column<i64>> {
    let column = reader.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
}

//! A [`FieldCondition`] as a Tantivy query on columns. The query reads the columns of those tenders
//! that match the other clauses.

use super::search_context::SearchContext;
use crate::query::{FieldCondition, FilterValues, InclusiveRange, StatusCondition, name_hash};
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
pub(super) fn field_query(condition: &FieldCondition, context: &SearchContext<'_>) -> Box<dyn Query> {
    let now = context.now;
    match condition.clone() {
        FieldCondition::City(words) => {
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
        FieldCondition::District(district) => {
            by_bits("places", move |values| values.is_in_district(district))
        }
        FieldCondition::Province(province) => {
            by_bits("places", move |values| values.is_in_province(province))
        }
        FieldCondition::Topic(topic) => by_bits("traits", move |values| values.is_about(topic)),
        FieldCondition::Kind(kind) => by_bits("traits", move |values| values.is_of_kind(kind)),
        FieldCondition::Language(language) => {
            by_bits("traits", move |values| values.is_in_language(language))
        }
        FieldCondition::Grade(grade) => by_bits("grades", move |values| values.requires_grade(grade)),
        FieldCondition::Status(StatusCondition::Today) => {
            by_second("published_at", seconds(InclusiveRange { from: Some(now.day()), to: Some(now.day()) }))
        }
        FieldCondition::Status(StatusCondition::Live) => {
            by_status(now, |values| values.has_status(TenderStatus::Published))
        }
        FieldCondition::Status(StatusCondition::Closed) => {
            by_status(now, |values| !values.has_status(TenderStatus::Published))
        }
        FieldCondition::Status(StatusCondition::Status(status)) => {
            by_status(now, move |values| values.has_status(status))
        }
        FieldCondition::Closing(days) => {
            let span = seconds(days);
            predicate(move |reader| {
                let (closing, traits) = (number_column(reader, "closing")?, bits_column(reader, "traits")?);
                Ok(move |document: DocId| match closing.first(document) {
                    Some(second) => span.contains(second),
                    // A tender must not be missed because its closing date was not read.
                    None => {
                        let traits = traits.first(document).unwrap_or_default();
                        FilterValues { traits, ..FilterValues::default() }.is_closing_unread()
                    }
                })
            })
        }
        FieldCondition::Published(days) => by_second("published_at", seconds(days)),
        FieldCondition::Value(span) => {
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

/// The range from the first second of the first day to the last second of the last day, in Colombo.
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

/// A query that tests the values in one column of bits.
fn by_bits(
    name: &'static str,
    test: impl Fn(&FilterValues) -> bool + Clone + Send + Sync + 'static,
) -> Box<dyn Query> {
    predicate(move |reader| {
        let (column, test) = (bits_column(reader, name)?, test.clone());
        Ok(move |document: DocId| {
            let bits = column.first(document).unwrap_or_default();
            let mut values = FilterValues::default();
            match name {
                "places" => values.places = bits,
                "grades" => values.grades = bits,
                _ => values.traits = bits,
            }
            test(&values)
        })
    })
}

fn by_status(
    now: Moment,
    test: impl Fn(&FilterValues) -> bool + Clone + Send + Sync + 'static,
) -> Box<dyn Query> {
    predicate(move |reader| {
        let (traits, live_until) = (bits_column(reader, "traits")?, number_column(reader, "live_until")?);
        let test = test.clone();
        Ok(move |document: DocId| {
            let traits = traits.first(document).unwrap_or_default();
            test(
                &FilterValues { traits, live_until: live_until.first(document), ..FilterValues::default() }
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

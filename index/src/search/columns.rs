//! The columns of one segment, read back as [`Facts`].

use crate::{
    query::{Facts, city_hash},
    vocabulary::{Currency, Millions},
};
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};
use uuid::Uuid;

/// The columns of a segment.
pub(super) struct Columns {
    traits: Column<u64>,
    places: Column<u64>,
    city: Option<StrColumn>,
    cities: Vec<u64>,
    grades: Column<u64>,
    live_until: Column<i64>,
    closing: Column<i64>,
    published_at: Column<i64>,
    value: Column<i64>,
    currency: Column<u64>,
    id_high: Column<u64>,
    id_low: Column<u64>,
}

impl Columns {
    pub(super) fn of(reader: &SegmentReader) -> tantivy::Result<Self> {
        let city = reader.fast_fields().str("city")?;
        let mut cities = Vec::new();
        if let Some(city) = &city {
            let mut names = city.dictionary().stream()?;
            while let Some((name, _)) = names.next() {
                cities.push(city_hash(&String::from_utf8_lossy(name)));
            }
        }
        Ok(Self {
            traits: column(reader, "traits")?,
            places: column(reader, "places")?,
            city,
            cities,
            grades: column(reader, "grades")?,
            live_until: column(reader, "live_until")?,
            closing: column(reader, "closing")?,
            published_at: column(reader, "published_at")?,
            value: column(reader, "value")?,
            currency: column(reader, "currency")?,
            id_high: column(reader, "id_high")?,
            id_low: column(reader, "id_low")?,
        })
    }

    pub(super) fn facts(&self, document: DocId) -> Facts {
        Facts {
            traits: self.traits.first(document).unwrap_or_default(),
            places: self.places.first(document).unwrap_or_default(),
            city: self
                .city
                .as_ref()
                .and_then(|city| city.ords().first(document))
                .and_then(|ordinal| self.cities.get(ordinal as usize).copied())
                .unwrap_or_default(),
            grades: self.grades.first(document).unwrap_or_default(),
            live_until: self.live_until.first(document),
            closing: self.closing.first(document),
            published_at: self.published_at.first(document),
            value: self.value.first(document).zip(self.currency.first(document)).and_then(|(minor, code)| {
                let letters = [code >> 16, code >> 8, code].map(|letter| (letter & 0xff) as u8);
                let currency: Currency = std::str::from_utf8(&letters).ok()?.parse().ok()?;
                Some((Millions::from_minor(minor), currency))
            }),
        }
    }

    pub(super) fn id(&self, document: DocId) -> Uuid {
        let half = |column: &Column<u64>| column.first(document).unwrap_or_default();
        Uuid::from_u64_pair(half(&self.id_high), half(&self.id_low))
    }
}

/// A column, empty where no document of the segment has a value.
fn column<T>(reader: &SegmentReader, name: &str) -> tantivy::Result<Column<T>>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    let column = reader.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
}

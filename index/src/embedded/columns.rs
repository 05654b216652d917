//! [`SegmentColumns`]: the columns of one segment in row layout. Filters, facets and orders need
//! one memory access per tender, or two if they read the cold half of the row. [`Dictionary`]
//! defines the codes for all segments.

use super::dictionary::{Dictionary, ValueCodes};
use crate::query::{FilterValues, SUBJECT_TRAITS};
use std::collections::HashMap;
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};
use tender_model::vocabulary::Millions;
use uuid::Uuid;

/// An unknown time or value.
pub(super) const UNKNOWN: i64 = i64::MIN;
/// The number of rows read from a column at a time.
const BLOCK: u32 = 4096;

/// The columns that nearly every search reads. All of them except the times are codes of
/// [`Dictionary`], where 0 means unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct HotColumns {
    pub(super) subject_traits: u16,
    pub(super) other_traits: u16,
    pub(super) places: u16,
    pub(super) currency: u16,
    /// The last second at which the tender is live, since 1970. `i64::MAX` if the tender never
    /// expires.
    pub(super) live_until: i64,
    /// The publication time in seconds since 1970, or [`UNKNOWN`].
    pub(super) published_at: i64,
}

/// The columns that are read only for facet counts, some filters and some orders. The names are
/// codes of [`Dictionary`], where 0 means unknown.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColdColumns {
    pub(super) city: u32,
    pub(super) organization: u32,
    /// The code of the set of newspapers that printed the tender.
    pub(super) publications: u32,
    /// One bit per grade.
    pub(super) grades: u32,
    /// The closing time in seconds since 1970, or [`UNKNOWN`].
    pub(super) closing: i64,
    /// The estimated value in minor units of [`HotColumns::currency`], or [`UNKNOWN`].
    pub(super) value: i64,
}

/// The columns of one tender. Reading the cold half costs an extra memory access.
#[derive(Debug, Clone, Copy)]
pub(super) struct TenderRow<'t> {
    pub(super) hot: &'t HotColumns,
    pub(super) cold: &'t ColdColumns,
}

const EMPTY_HOT: HotColumns = HotColumns {
    subject_traits: 0,
    other_traits: 0,
    places: 0,
    currency: 0,
    live_until: i64::MAX,
    published_at: UNKNOWN,
};
const EMPTY_COLD: ColdColumns =
    ColdColumns { city: 0, organization: 0, publications: 0, grades: 0, closing: UNKNOWN, value: UNKNOWN };

/// The rows of a segment, including those of deleted tenders, and rarely used columns.
pub(super) struct SegmentColumns {
    /// Each organisation code with its number of tenders, including deleted tenders.
    pub(super) organizations: Box<[(u32, u32)]>,
    hot: Box<[HotColumns]>,
    cold: Box<[ColdColumns]>,
    owner: Option<StrColumn>,
    id_high: Column<u64>,
    id_low: Column<u64>,
    /// The latest publication time, and the highest id among the tenders published at that time.
    pub(super) newest: Option<(i64, Uuid)>,
}

impl SegmentColumns {
    /// Reads the columns of a segment. New values are added to the dictionary.
    pub(super) fn read(reader: &SegmentReader, dictionary: &mut Dictionary) -> tantivy::Result<Self> {
        let mut hot = vec![EMPTY_HOT; reader.max_doc() as usize].into_boxed_slice();
        let mut cold = vec![EMPTY_COLD; reader.max_doc() as usize].into_boxed_slice();
        read_column(reader, "traits", &mut hot, |hot, traits: u64| {
            hot.subject_traits = dictionary.subject_traits.small_code(traits & SUBJECT_TRAITS);
            hot.other_traits = dictionary.other_traits.small_code(traits & !SUBJECT_TRAITS);
        })?;
        read_column(reader, "places", &mut hot, |hot, places: u64| {
            hot.places = dictionary.places.small_code(places);
        })?;
        read_column(reader, "currency", &mut hot, |hot, letters: u64| {
            hot.currency = dictionary.currencies.small_code(letters);
        })?;
        read_column(reader, "live_until", &mut hot, |hot, second| hot.live_until = second)?;
        read_column(reader, "published_at", &mut hot, |hot, second| hot.published_at = second)?;
        read_column(reader, "grades", &mut cold, |cold, grades: u64| cold.grades = grades as u32)?;
        read_column(reader, "closing", &mut cold, |cold, second| cold.closing = second)?;
        read_column(reader, "value", &mut cold, |cold, minor| cold.value = minor)?;
        if let Some((names, codes)) = read_names(reader, "city", |name| dictionary.cities.code(name))? {
            for_each_value(&names, &mut cold, |row, ordinal: u64| row.city = codes[ordinal as usize]);
        }
        if let Some((names, codes)) =
            read_names(reader, "organization", |name| dictionary.organizations.code(name))?
        {
            for_each_value(&names, &mut cold, |row, ordinal: u64| row.organization = codes[ordinal as usize]);
        }
        if let Some((names, codes)) =
            read_names(reader, "publication", |name| dictionary.publications.code(name))?
        {
            for (document, row) in (0..).zip(&mut cold) {
                let mut set: Vec<u32> =
                    names.values_for_doc(document).map(|ordinal| codes[ordinal as usize]).collect();
                set.sort_unstable();
                set.dedup();
                if !set.is_empty() {
                    row.publications = dictionary.publication_sets.code(&set.into_boxed_slice());
                }
            }
        }
        let mut organizations: HashMap<u32, u32> = HashMap::new();
        for row in &cold {
            *organizations.entry(row.organization).or_default() += 1;
        }
        let mut columns = Self {
            organizations: organizations.into_iter().filter(|(code, _)| *code != 0).collect(),
            hot,
            cold,
            owner: reader.fast_fields().str("owner")?,
            id_high: column(reader, "id_high")?,
            id_low: column(reader, "id_low")?,
            newest: None,
        };
        let last = columns.hot.iter().map(|hot| hot.published_at).max().filter(|last| *last != UNKNOWN);
        columns.newest = last.and_then(|last| {
            let then = (0..).zip(&columns.hot).filter(|(_, hot)| hot.published_at == last);
            Some((last, then.map(|(document, _)| columns.id(document)).max()?))
        });
        Ok(columns)
    }

    /// The row of a tender.
    #[inline]
    pub(super) fn row(&self, document: DocId) -> TenderRow<'_> {
        TenderRow { hot: &self.hot[document as usize], cold: &self.cold[document as usize] }
    }

    /// For each tender that can expire, the last second before it expires.
    pub(super) fn ends(&self) -> impl Iterator<Item = i64> {
        self.hot.iter().map(|hot| hot.live_until).filter(|end| *end != i64::MAX)
    }

    /// The id of a tender.
    pub(super) fn id(&self, document: DocId) -> Uuid {
        let half = |column: &Column<u64>| column.first(document).unwrap_or_default();
        Uuid::from_u64_pair(half(&self.id_high), half(&self.id_low))
    }

    /// The ordinal of an account among the owners of this segment. `None` if the account owns no
    /// tender in this segment.
    pub(super) fn owner_ordinal(&self, account: Uuid) -> tantivy::Result<Option<u64>> {
        let Some(owner) = &self.owner else { return Ok(None) };
        Ok(owner.dictionary().term_ord(account.to_string().as_bytes())?)
    }

    /// Whether the owner of a tender has this ordinal.
    pub(super) fn is_owned_by(&self, document: DocId, ordinal: Option<u64>) -> bool {
        ordinal.is_some() && self.owner.as_ref().and_then(|owner| owner.ords().first(document)) == ordinal
    }
}

impl TenderRow<'_> {
    /// Restores the filter values of the tender.
    pub(super) fn filter_values(&self, dictionary: &Dictionary) -> FilterValues {
        let known = |value: i64| (value != UNKNOWN).then_some(value);
        let Self { hot, cold } = self;
        let bits = |codes: &ValueCodes<u64>, code: u16| codes.get(code.into()).copied().unwrap_or_default();
        FilterValues {
            traits: bits(&dictionary.subject_traits, hot.subject_traits)
                | bits(&dictionary.other_traits, hot.other_traits),
            places: bits(&dictionary.places, hot.places),
            city: dictionary.cities.hash(cold.city),
            grades: cold.grades.into(),
            live_until: (hot.live_until != i64::MAX).then_some(hot.live_until),
            closing: known(cold.closing),
            published_at: known(hot.published_at),
            value: known(cold.value).map(Millions::from_minor).zip(dictionary.currency(hot.currency)),
        }
    }

    /// A number that grows with the publication time. 0 if unknown.
    pub(super) const fn published_key(&self) -> u64 {
        self.hot.published_at.wrapping_sub(UNKNOWN) as u64
    }
}

/// Reads a numeric column into the rows.
fn read_column<T, R>(
    reader: &SegmentReader,
    name: &str,
    rows: &mut [R],
    set: impl FnMut(&mut R, T),
) -> tantivy::Result<()>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    for_each_value(&column(reader, name)?, rows, set);
    Ok(())
}

/// Calls `set` with each row and the first value of its document, if the document has a value.
fn for_each_value<T, R>(column: &Column<T>, rows: &mut [R], mut set: impl FnMut(&mut R, T))
where
    T: HasAssociatedColumnType + Default,
{
    let mut values = vec![None; BLOCK as usize];
    let mut documents = Vec::with_capacity(BLOCK as usize);
    for (block, rows) in (0u32..).zip(rows.chunks_mut(BLOCK as usize)) {
        let first = block * BLOCK;
        documents.clear();
        documents.extend(first..first + rows.len() as u32);
        values.fill(None);
        column.first_vals(&documents, &mut values[..rows.len()]);
        for (row, value) in rows.iter_mut().zip(&values) {
            if let Some(value) = *value {
                set(row, value);
            }
        }
    }
}

/// Reads a text column: the ordinals of each document, and the code of each ordinal.
fn read_names(
    reader: &SegmentReader,
    name: &str,
    mut code: impl FnMut(&str) -> u32,
) -> tantivy::Result<Option<(Column<u64>, Vec<u32>)>> {
    let Some(column) = reader.fast_fields().str(name)? else { return Ok(None) };
    let mut codes = Vec::with_capacity(column.dictionary().num_terms());
    let mut names = column.dictionary().stream()?;
    while names.advance() {
        codes.push(code(&String::from_utf8_lossy(names.key())));
    }
    Ok(Some((column.ords().clone(), codes)))
}

/// A column. It is empty if no document in the segment has a value.
fn column<T>(reader: &SegmentReader, name: &str) -> tantivy::Result<Column<T>>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    let column = reader.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
}

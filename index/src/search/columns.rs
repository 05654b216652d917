//! The columns of one segment, read once into rows, so that what a filter, a facet or an order looks at of a tender
//! costs one memory access. What codes stand for is kept in `dictionary`, for all segments together.

use super::dictionary::{Dictionary, ValueCodes};
use crate::query::{ABOUT, TenderFacts};
use std::collections::HashMap;
use tantivy::{
    DocId, SegmentReader,
    columnar::{Column, DynamicColumn, HasAssociatedColumnType, StrColumn},
};
use tender_model::vocabulary::Millions;
use uuid::Uuid;

/// A moment or a value that is not known.
pub(super) const UNKNOWN: i64 = i64::MIN;
/// How many rows are read from a column at a time.
const BLOCK: u32 = 4096;

/// What nearly every search looks at of a tender. Codes are those of [`Dictionary`], 0 for unknown or none.
#[derive(Debug, Clone, Copy)]
pub(super) struct HotColumns {
    pub(super) about: u16,
    pub(super) form: u16,
    pub(super) places: u16,
    pub(super) currency: u16,
    /// In seconds since 1970, as all moments here; the end of time where unknown.
    pub(super) live_until: i64,
    /// Or [`UNKNOWN`], as all moments and values below.
    pub(super) published_at: i64,
}

/// What is looked at of a tender that counts.
#[derive(Debug, Clone, Copy)]
pub(super) struct ColdColumns {
    pub(super) city: u32,
    pub(super) organization: u32,
    /// Of the set of its publications.
    pub(super) publications: u32,
    /// A bit for each grade.
    pub(super) grades: u32,
    pub(super) closing: i64,
    /// In minor units of `currency`.
    pub(super) value: i64,
}

/// One tender. Looking at the cold half costs a memory access of its own.
#[derive(Debug, Clone, Copy)]
pub(super) struct TenderRow<'t> {
    pub(super) hot: &'t HotColumns,
    pub(super) cold: &'t ColdColumns,
}

const EMPTY_HOT: HotColumns =
    HotColumns { about: 0, form: 0, places: 0, currency: 0, live_until: i64::MAX, published_at: UNKNOWN };
const EMPTY_COLD: ColdColumns =
    ColdColumns { city: 0, organization: 0, publications: 0, grades: 0, closing: UNKNOWN, value: UNKNOWN };

/// The rows of a segment, deleted ones included, and the columns that are needed too rarely for a place in them.
pub(super) struct SegmentColumns {
    /// How many tenders each organisation has, by its code; deleted ones included.
    pub(super) organizations: Box<[(u32, u32)]>,
    hot: Box<[HotColumns]>,
    cold: Box<[ColdColumns]>,
    owner: Option<StrColumn>,
    id_high: Column<u64>,
    id_low: Column<u64>,
    /// The newest publication and, among those of its second, the greatest id.
    pub(super) newest: Option<(i64, Uuid)>,
}

impl SegmentColumns {
    /// Reads the columns of a segment; what they hold that no other segment did is added to the dictionary.
    pub(super) fn read(reader: &SegmentReader, dictionary: &mut Dictionary) -> tantivy::Result<Self> {
        let mut hot = vec![EMPTY_HOT; reader.max_doc() as usize].into_boxed_slice();
        let mut cold = vec![EMPTY_COLD; reader.max_doc() as usize].into_boxed_slice();
        fill(reader, "traits", &mut hot, |hot, traits: u64| {
            hot.about = dictionary.about.small_code(traits & ABOUT);
            hot.form = dictionary.form.small_code(traits & !ABOUT);
        })?;
        fill(reader, "places", &mut hot, |hot, places: u64| {
            hot.places = dictionary.places.small_code(places);
        })?;
        fill(reader, "currency", &mut hot, |hot, letters: u64| {
            hot.currency = dictionary.currencies.small_code(letters);
        })?;
        fill(reader, "live_until", &mut hot, |hot, second| hot.live_until = second)?;
        fill(reader, "published_at", &mut hot, |hot, second| hot.published_at = second)?;
        fill(reader, "grades", &mut cold, |cold, grades: u64| cold.grades = grades as u32)?;
        fill(reader, "closing", &mut cold, |cold, second| cold.closing = second)?;
        fill(reader, "value", &mut cold, |cold, minor| cold.value = minor)?;
        if let Some((names, codes)) = strings(reader, "city", |name| dictionary.cities.code(name))? {
            each(&names, &mut cold, |row, ordinal: u64| row.city = codes[ordinal as usize]);
        }
        if let Some((names, codes)) =
            strings(reader, "organization", |name| dictionary.organizations.code(name))?
        {
            each(&names, &mut cold, |row, ordinal: u64| row.organization = codes[ordinal as usize]);
        }
        if let Some((names, codes)) =
            strings(reader, "publication", |name| dictionary.publications.code(name))?
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
        let mut table = Self {
            organizations: organizations.into_iter().filter(|(code, _)| *code != 0).collect(),
            hot,
            cold,
            owner: reader.fast_fields().str("owner")?,
            id_high: column(reader, "id_high")?,
            id_low: column(reader, "id_low")?,
            newest: None,
        };
        let last = table.hot.iter().map(|hot| hot.published_at).max().filter(|last| *last != UNKNOWN);
        table.newest = last.and_then(|last| {
            let then = (0..).zip(&table.hot).filter(|(_, hot)| hot.published_at == last);
            Some((last, then.map(|(document, _)| table.id(document)).max()?))
        });
        Ok(table)
    }

    /// The row of a tender.
    #[inline]
    pub(super) fn row(&self, document: DocId) -> TenderRow<'_> {
        TenderRow { hot: &self.hot[document as usize], cold: &self.cold[document as usize] }
    }

    /// The id of a tender.
    pub(super) fn id(&self, document: DocId) -> Uuid {
        let half = |column: &Column<u64>| column.first(document).unwrap_or_default();
        Uuid::from_u64_pair(half(&self.id_high), half(&self.id_low))
    }

    /// What an account is called among the owners of this segment, if it owns anything in it.
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
    /// The same as the tender's own facts.
    pub(super) fn facts(&self, dictionary: &Dictionary) -> TenderFacts {
        let known = |value: i64| (value != UNKNOWN).then_some(value);
        let Self { hot, cold } = self;
        let bits = |codes: &ValueCodes<u64>, code: u16| codes.get(code.into()).copied().unwrap_or_default();
        TenderFacts {
            traits: bits(&dictionary.about, hot.about) | bits(&dictionary.form, hot.form),
            places: bits(&dictionary.places, hot.places),
            city: dictionary.cities.hash(cold.city),
            grades: cold.grades.into(),
            live_until: (hot.live_until != i64::MAX).then_some(hot.live_until),
            closing: known(cold.closing),
            published_at: known(hot.published_at),
            value: known(cold.value).map(Millions::from_minor).zip(dictionary.currency(hot.currency)),
        }
    }

    /// A number that is the greater the newer it is; 0 where that is unknown.
    pub(super) const fn published_key(&self) -> u64 {
        self.hot.published_at.wrapping_sub(UNKNOWN) as u64
    }
}

/// Reads a column of numbers into the rows.
fn fill<T, R>(
    reader: &SegmentReader,
    name: &str,
    rows: &mut [R],
    set: impl FnMut(&mut R, T),
) -> tantivy::Result<()>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    each(&column(reader, name)?, rows, set);
    Ok(())
}

/// Hands every row its first value.
fn each<T, R>(column: &Column<T>, rows: &mut [R], mut set: impl FnMut(&mut R, T))
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

/// A column of names, as ordinals, and the code of each ordinal.
fn strings(
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

/// A column, empty where no document of the segment has a value.
fn column<T>(reader: &SegmentReader, name: &str) -> tantivy::Result<Column<T>>
where
    T: HasAssociatedColumnType + Default,
    DynamicColumn: Into<Option<Column<T>>>,
{
    let column = reader.fast_fields().column_opt(name)?;
    Ok(column.unwrap_or_else(|| Column::build_empty_column(reader.max_doc())))
}

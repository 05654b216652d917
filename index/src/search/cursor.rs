//! [`PinnedListing`]: the state that keeps all pages of a listing consistent while the index
//! changes. The first page records the time, the newest tender of the index, the number of required
//! words, and the term statistics for scores. Clients receive this state as an opaque token.

use super::request::{ListingRequest, Sort};
use crate::error::IndexError;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use std::collections::BTreeMap;
use tender_model::{hash, vocabulary::Moment};
use uuid::Uuid;

/// A sort key. The greatest is listed first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SortKey {
    /// The key in the requested order. It starts with the group if open tenders are listed first.
    pub first: u64,
    /// The publication time. 0 if `first` already contains it.
    pub second: u64,
    /// The id.
    pub id: u128,
}

/// The state of a listing when it was started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PinnedListing {
    /// The time of the first page, in seconds since 1970.
    pub now: i64,
    /// The newest tender in the index at that time, as publication time and id.
    pub newest: (i64, Uuid),
    /// How many of the searched words must match.
    pub at_least: u64,
    /// The term statistics for the order by relevance.
    pub statistics: TermStatistics,
}

/// The statistics of the index that BM25 needs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TermStatistics {
    /// The number of documents.
    pub tenders: u64,
    /// The number of tokens in each field, by field id.
    pub lengths: BTreeMap<u32, u64>,
    /// The document frequency of each term, by a hash of the term.
    pub frequencies: BTreeMap<u32, u64>,
}

impl TermStatistics {
    /// The maximum number of terms with stored statistics. Further terms use the statistics of the
    /// current index.
    pub const MAX_TERMS: usize = 128;

    /// The key of a term in [`TermStatistics::frequencies`]. `field` is the number of the field.
    #[must_use]
    pub fn term_key(field: u32, term: &[u8]) -> u32 {
        (hash::stable(&field.to_le_bytes()) ^ hash::stable(term)) as u32
    }
}

impl PinnedListing {
    /// The pinned listing that the request continues, and the key after which the page starts.
    ///
    /// # Errors
    /// [`IndexError::Cursor`] if `as_of` or `after` is invalid, or was issued for another listing.
    pub fn of(request: &ListingRequest) -> Result<(Option<Self>, Option<SortKey>), IndexError> {
        match (&request.after, &request.as_of) {
            (Some(token), _) => {
                let (as_of, key) = Self::read_after(token, request).ok_or(IndexError::Cursor)?;
                Ok((Some(as_of), Some(key)))
            }
            (None, Some(token)) => Ok((Some(Self::read(token, request).ok_or(IndexError::Cursor)?), None)),
            (None, None) => Ok((None, None)),
        }
    }

    /// Writes a token for [`ListingRequest::as_of`].
    #[must_use]
    pub fn write(&self, request: &ListingRequest) -> String {
        let mut writer = TokenWriter::new(request);
        self.put(&mut writer);
        writer.finish()
    }

    /// Parses the token of [`PinnedListing::write`]. `None` if the token is invalid, or was issued
    /// for another text or order.
    #[must_use]
    pub fn read(token: &str, request: &ListingRequest) -> Option<Self> {
        let mut reader = TokenReader::new(token, request)?;
        let as_of = Self::take(&mut reader)?;
        reader.is_at_end().then_some(as_of)
    }

    /// Writes a token for [`ListingRequest::after`]: the next page starts after `key`.
    #[must_use]
    pub fn write_after(&self, key: SortKey, request: &ListingRequest) -> String {
        let mut writer = TokenWriter::new(request);
        [key.first, key.second, (key.id >> 64) as u64, key.id as u64]
            .into_iter()
            .for_each(|part| writer.put(part));
        self.put(&mut writer);
        writer.finish()
    }

    /// Parses the token of [`PinnedListing::write_after`]. `None` as for [`PinnedListing::read`].
    #[must_use]
    pub fn read_after(token: &str, request: &ListingRequest) -> Option<(Self, SortKey)> {
        let mut reader = TokenReader::new(token, request)?;
        let (first, second) = (reader.take()?, reader.take()?);
        let id = u128::from(reader.take()?) << 64 | u128::from(reader.take()?);
        let as_of = Self::take(&mut reader)?;
        reader.is_at_end().then_some((as_of, SortKey { first, second, id }))
    }

    /// The time for which all pages are computed: that of the first page, or `now` for the first page
    /// itself.
    ///
    /// # Errors
    /// [`IndexError::Cursor`] if the pinned time is invalid.
    pub fn time(pinned: Option<&Self>, now: Moment) -> Result<Moment, IndexError> {
        pinned.map_or(Ok(now), |pinned| pinned.moment().ok_or(IndexError::Cursor))
    }

    /// The time of the listing, if valid.
    fn moment(&self) -> Option<Moment> {
        jiff::Timestamp::from_second(self.now).ok().map(Moment::new)
    }

    fn put(&self, writer: &mut TokenWriter) {
        writer.put(self.now as u64);
        let (second, (high, low)) = (self.newest.0, self.newest.1.as_u64_pair());
        [second as u64, high, low].into_iter().for_each(|part| writer.put(part));
        writer.put(self.at_least);
        writer.put(self.statistics.tenders);
        for map in [&self.statistics.lengths, &self.statistics.frequencies] {
            writer.put(map.len() as u64);
            for (of, number) in map {
                writer.put((*of).into());
                writer.put(*number);
            }
        }
    }

    fn take(reader: &mut TokenReader) -> Option<Self> {
        let now = reader.take()? as i64;
        let newest = (reader.take()? as i64, Uuid::from_u64_pair(reader.take()?, reader.take()?));
        let at_least = reader.take()?;
        let mut statistics = TermStatistics { tenders: reader.take()?, ..TermStatistics::default() };
        for map in [&mut statistics.lengths, &mut statistics.frequencies] {
            for _ in 0..reader.take()? {
                map.insert(reader.take()?.try_into().ok()?, reader.take()?);
            }
        }
        Some(Self { now, newest, at_least, statistics })
    }
}

/// Writes a hash of the request, variable-length numbers and a checksum.
struct TokenWriter(Vec<u8>);

impl TokenWriter {
    fn new(request: &ListingRequest) -> Self {
        Self(request_hash(request).to_le_bytes().to_vec())
    }

    fn put(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn finish(mut self) -> String {
        let check = hash::stable(&self.0) as u32;
        self.0.extend(check.to_le_bytes());
        URL_SAFE_NO_PAD.encode(self.0)
    }
}

struct TokenReader {
    bytes: Vec<u8>,
    at: usize,
}

impl TokenReader {
    fn new(token: &str, request: &ListingRequest) -> Option<Self> {
        let mut bytes = URL_SAFE_NO_PAD.decode(token).ok()?;
        let check = bytes.split_off(bytes.len().checked_sub(4)?);
        if (hash::stable(&bytes) as u32).to_le_bytes() != *check
            || !bytes.starts_with(&request_hash(request).to_le_bytes())
        {
            return None;
        }
        Some(Self { bytes, at: 4 })
    }

    fn take(&mut self) -> Option<u64> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at)?;
            self.at += 1;
            number |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }
}

/// A hash of the text, the order and its groups. It makes a token invalid for another text or order.
fn request_hash(request: &ListingRequest) -> u32 {
    let sort = match request.sort {
        Sort::Best => "best",
        Sort::Newest => "newest",
        Sort::Closing => "closing",
        Sort::Value => "value",
    };
    let text = request.text.as_deref().unwrap_or_default();
    let groups = if request.open_first { "open-first " } else { "" };
    hash::stable(format!("2 {groups}{sort} {text}").as_bytes()) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn as_of() -> PinnedListing {
        PinnedListing {
            now: -5,
            newest: (i64::MIN, Uuid::from_u128(u128::MAX - 7)),
            at_least: 3,
            statistics: TermStatistics {
                tenders: u64::MAX,
                lengths: BTreeMap::from([(3, 1 << 40)]),
                frequencies: BTreeMap::from([(u32::MAX, 0), (7, 300)]),
            },
        }
    }

    #[test]
    fn a_token_is_rejected_for_another_order() {
        let request = ListingRequest::default();
        let other = ListingRequest { sort: Sort::Value, ..ListingRequest::default() };
        let grouped = ListingRequest { open_first: true, ..ListingRequest::default() };
        let key = SortKey { first: u64::MAX, second: 0, id: 1 << 100 };
        let token = as_of().write_after(key, &request);
        assert_eq!(PinnedListing::read_after(&token, &request), Some((as_of(), key)));
        assert_eq!(PinnedListing::read_after(&token, &other), None);
        assert_eq!(PinnedListing::read_after(&token, &grouped), None);
        assert_eq!(PinnedListing::read(&as_of().write(&request), &request), Some(as_of()));
    }

    proptest! {
        #[test]
        fn invalid_tokens_are_rejected(token in "[A-Za-z0-9_-]{0,60}|\\PC{0,20}", at in 0usize..40) {
            let request = ListingRequest::default();
            prop_assert_eq!(PinnedListing::read(&token, &request), None);
            let mut changed = as_of().write(&request).into_bytes();
            let at = at % changed.len();
            changed[at] = if changed[at] == b'A' { b'B' } else { b'A' };
            prop_assert_eq!(PinnedListing::read(&String::from_utf8(changed).unwrap(), &request), None);
        }
    }
}

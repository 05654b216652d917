//! [`FilterValues`]: the values of a tender that filters read, as bits, hashes and seconds. The index
//! stores them as columns.

use tender_model::{
    hash,
    tender::{self, FieldState, Tender},
    text::normalise,
    vocabulary::{
        Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
        Province, Sector, TenderStatus, Topic, Visibility,
    },
};

/// The first bit of each group in [`FilterValues::traits`] or [`FilterValues::places`]. An unknown
/// value sets no bit. The stored index contains these positions, so a change requires another
/// [`crate::SCHEMA_VERSION`].
pub(super) mod bits {
    /// This group has two bits per category: one for registrations, one for other notices. All
    /// other groups have one bit per value.
    pub(in crate::query) const CATEGORY: u32 = 0;
    pub(in crate::query) const ORGANIZATION: u32 = 28;
    pub(in crate::query) const PRIORITY: u32 = 32;
    pub(in crate::query) const STATUS: u32 = 36;
    pub(in crate::query) const KIND: u32 = 42;
    pub(in crate::query) const LANGUAGE: u32 = 48;
    pub(in crate::query) const VISIBILITY: u32 = 51;
    /// A single bit: the closing date was printed but not read.
    pub(in crate::query) const CLOSING_UNREAD: u32 = 54;
    /// A single bit: the document is hidden from every listing, count and alert.
    pub(in crate::query) const HIDDEN: u32 = 55;
    /// The first district bit in [`super::FilterValues::places`], after the province bits.
    pub(in crate::query) const DISTRICT: u32 = 9;
    /// A single bit in [`super::FilterValues::places`]: the city is known.
    pub(in crate::query) const CITY: u32 = 63;
}

/// The mask of the traits of a tender's subject: category, kind and priority.
pub(crate) const SUBJECT_TRAITS: u64 = group_mask(bits::CATEGORY, 2 * Category::ALL.len())
    | group_mask(bits::KIND, Kind::ALL.len())
    | group_mask(bits::PRIORITY, Priority::ALL.len());

/// The values of a tender that filters, listings and statistics read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FilterValues {
    /// One bit each for category, organisation type, priority, status, kind, language and
    /// visibility, and for a closing date that was not read.
    pub traits: u64,
    /// One bit each for province and district, and one for a known city. 0 if no place is known.
    pub places: u64,
    /// A hash of the normalised name of the city. 0 if unknown.
    pub city: u64,
    /// One bit per required contractor grade; see [`Grade`].
    pub grades: u64,
    /// The last second at which the tender is live, since 1970. `None` if the tender never expires.
    pub live_until: Option<i64>,
    /// The closing date in seconds since 1970.
    pub closing: Option<i64>,
    /// The time of publication on the portal in seconds since 1970.
    pub published_at: Option<i64>,
    /// The estimated value.
    pub value: Option<(Millions, Currency)>,
}

impl FilterValues {
    /// The values of a tender.
    #[must_use]
    pub fn of(tender: &Tender) -> Self {
        let registration = tender.kind == Kind::Registration;
        let category = tender.category.map_or(0, |category| category_bit(category, registration));
        let kind = tender.organization.kind.map_or(0, |kind| 1 << (bits::ORGANIZATION + kind as u32));
        let district = tender.location.district;
        let province = tender.location.province.or(district.map(|district| district.province()));
        let city = tender.location.city.as_deref().map_or(0, name_hash);
        Self {
            traits: category
                | kind
                | 1 << (bits::PRIORITY + tender.priority as u32)
                | status_bit(tender.status)
                | kind_bit(tender.kind)
                | tender.language.map_or(0, |language| 1 << (bits::LANGUAGE + language as u32))
                | 1 << (bits::VISIBILITY + tender.visibility as u32)
                | u64::from(has_unread_closing(tender)) << bits::CLOSING_UNREAD,
            places: province.map_or(0, |province| 1 << province as u32)
                | district.map_or(0, |district| 1 << (bits::DISTRICT + district as u32))
                | u64::from(city != 0) << bits::CITY,
            city,
            grades: tender
                .cida
                .iter()
                .filter_map(|cida| Grade::from_printed(&cida.grade))
                .fold(0, |grades, grade| grades | 1 << grade as u32),
            live_until: tender.live_until().map(Moment::second),
            closing: tender.dates.closing.map(Moment::second),
            published_at: tender.published_at.map(Moment::second),
            value: tender.financials.estimated_value.map(|value| (value.amount, value.currency)),
        }
    }

    /// The values of a hidden document. It has no other values.
    #[must_use]
    pub(crate) fn hidden() -> Self {
        Self { traits: 1 << bits::HIDDEN, ..Self::default() }
    }

    /// Whether the document is hidden.
    #[must_use]
    pub(crate) const fn is_hidden(&self) -> bool {
        self.traits & 1 << bits::HIDDEN != 0
    }

    /// The values with the effective status at a given time: an expired published tender is closed.
    #[must_use]
    pub fn at(self, now: Moment) -> Self {
        if self.live_until.is_some_and(|until| until < now.second()) { self.after_expiry() } else { self }
    }

    /// The values after the tender has expired: published becomes closed.
    pub(crate) fn after_expiry(mut self) -> Self {
        let published = status_bit(TenderStatus::Published);
        if self.traits & published != 0 {
            self.traits = self.traits & !published | status_bit(TenderStatus::Closed);
        }
        self
    }

    /// Whether the tender has this status. For the effective status, see [`FilterValues::at`].
    #[must_use]
    pub fn has_status(&self, status: TenderStatus) -> bool {
        self.traits & status_bit(status) != 0
    }

    /// The category, if known.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        Category::ALL.iter().copied().find(|category| self.traits & category_bits(*category) != 0)
    }

    /// The organisation type, if known.
    #[must_use]
    pub fn organization_type(&self) -> Option<OrganizationType> {
        self.value_of_group(OrganizationType::ALL, bits::ORGANIZATION)
    }

    /// The priority.
    #[must_use]
    pub fn priority(&self) -> Option<Priority> {
        self.value_of_group(Priority::ALL, bits::PRIORITY)
    }

    /// The kind of notice.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.value_of_group(Kind::ALL, bits::KIND)
    }

    /// The language, if known.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.value_of_group(Language::ALL, bits::LANGUAGE)
    }

    /// The visibility.
    #[must_use]
    pub fn visibility(&self) -> Option<Visibility> {
        self.value_of_group(Visibility::ALL, bits::VISIBILITY)
    }

    /// Whether the tender is in this province.
    #[must_use]
    pub fn is_in_province(&self, province: Province) -> bool {
        self.places & 1 << province as u32 != 0
    }

    /// Whether the tender is in this district.
    #[must_use]
    pub fn is_in_district(&self, district: District) -> bool {
        self.places & 1 << (bits::DISTRICT + district as u32) != 0
    }

    /// The value whose bit is set in the group that starts at bit `first`.
    fn value_of_group<T: Copy>(&self, all: &[T], first: u32) -> Option<T> {
        let group = self.traits >> first & group_mask(0, all.len());
        all.get(group.trailing_zeros() as usize).copied()
    }

    /// The sector under which the listing counts the tender.
    #[must_use]
    pub fn sector(&self) -> Option<Sector> {
        if self.traits & kind_bit(Kind::Registration) != 0 {
            return Some(Sector::Registration);
        }
        self.category().and_then(Category::sector)
    }

    /// Whether the tender belongs to `topic`; see [`Tender::is_about`].
    #[must_use]
    pub fn is_about(&self, topic: Topic) -> bool {
        match topic {
            Topic::Category(category) => self.traits & category_bits(category) != 0,
            Topic::Sector(sector) => self.sector() == Some(sector),
        }
    }

    /// Whether the tender is a notice of this kind.
    #[must_use]
    pub fn is_of_kind(&self, kind: Kind) -> bool {
        self.traits & kind_bit(kind) != 0
    }

    /// Whether the notice is in this language.
    #[must_use]
    pub fn is_in_language(&self, language: Language) -> bool {
        self.traits & 1 << (bits::LANGUAGE + language as u32) != 0
    }

    /// Whether the tender requires this grade.
    #[must_use]
    pub fn requires_grade(&self, grade: Grade) -> bool {
        self.grades & 1 << grade as u32 != 0
    }

    /// Whether a closing date was printed but not read. Such a tender passes filters on the closing
    /// date, so that nobody misses it.
    #[must_use]
    pub const fn is_closing_unread(&self) -> bool {
        self.traits & 1 << bits::CLOSING_UNREAD != 0
    }

    /// The province and district bits.
    pub(crate) const fn named_places(&self) -> u64 {
        self.places & !(1 << bits::CITY)
    }

    /// The days in Colombo from `now` until closing. `None` without a closing date.
    pub(crate) fn days_until_closing(&self, now: Moment) -> Option<i64> {
        let closing = jiff::Timestamp::from_second(self.closing?).ok()?;
        Some(now.days_until(Moment::new(closing)))
    }
}

/// Whether a closing date was printed but not read.
pub(crate) fn has_unread_closing(tender: &Tender) -> bool {
    tender.dates.closing.is_none() && tender.field_state(tender::CLOSING) == FieldState::NotRead
}

/// The positions of the set bits, lowest first.
pub(crate) fn bits_of(mask: u64) -> impl Iterator<Item = usize> {
    let mut rest = mask;
    std::iter::from_fn(move || {
        let bit = rest.trailing_zeros();
        rest &= rest.checked_sub(1)?;
        Some(bit as usize)
    })
}

const fn category_bit(category: Category, registration: bool) -> u64 {
    1 << (bits::CATEGORY + 2 * category as u32 + registration as u32)
}

const fn category_bits(category: Category) -> u64 {
    category_bit(category, false) | category_bit(category, true)
}

pub(super) const fn status_bit(status: TenderStatus) -> u64 {
    1 << (bits::STATUS + status as u32)
}

const fn kind_bit(kind: Kind) -> u64 {
    1 << (bits::KIND + kind as u32)
}

pub(super) fn category_mask() -> u64 {
    group_mask(bits::CATEGORY, 2 * Category::ALL.len())
}

pub(super) const fn group_mask(first: u32, length: usize) -> u64 {
    ((1 << length) - 1) << first
}

pub(super) fn topic_bits(topic: Topic) -> u64 {
    match topic {
        Topic::Category(category) => category_bits(category),
        Topic::Sector(Sector::Registration) => {
            Category::ALL.iter().fold(0, |mask, category| mask | category_bit(*category, true))
        }
        Topic::Sector(sector) => {
            sector.categories().iter().fold(0, |mask, category| mask | category_bit(*category, false))
        }
    }
}

/// A stable hash of the normalised words of a name. 0 for a name without words.
pub(crate) fn name_hash(name: &str) -> u64 {
    let words = normalise(name);
    if words.is_empty() {
        return 0;
    }
    hash::stable(words.as_bytes()).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_groups_of_bits_do_not_overlap() {
        let groups = [
            category_mask(),
            group_mask(bits::ORGANIZATION, OrganizationType::ALL.len()),
            group_mask(bits::PRIORITY, Priority::ALL.len()),
            group_mask(bits::STATUS, TenderStatus::ALL.len()),
            group_mask(bits::KIND, Kind::ALL.len()),
            group_mask(bits::LANGUAGE, Language::ALL.len()),
            group_mask(bits::VISIBILITY, Visibility::ALL.len()),
            group_mask(bits::CLOSING_UNREAD, 1),
        ];
        let sum = groups.iter().fold(0u64, |sum, group| sum.checked_add(*group).unwrap());
        assert_eq!(sum, groups.iter().fold(0, |all, group| all | group));
    }

    #[test]
    fn category_and_sector_agree_with_the_tender() {
        for category in Category::ALL {
            for kind in [Kind::Purchase, Kind::Registration] {
                let tender = Tender { category: Some(*category), kind, ..Tender::default() };
                let values = FilterValues::of(&tender);
                assert_eq!(values.category(), tender.category);
                assert_eq!(values.sector(), tender.sector());
                for topic in Sector::ALL.iter().map(|sector| Topic::Sector(*sector)) {
                    assert_eq!(values.is_about(topic), tender.is_about(topic), "{category} {topic}");
                }
            }
        }
    }
}

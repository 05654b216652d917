//! [`TenderFacts`]: what filters look at of a tender, as bits, hashes and seconds. The index keeps them as columns.

use tender_model::{
    hash,
    tender::{self, FieldState, Tender},
    text::normalise,
    vocabulary::{
        Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
        Province, Sector, TenderStatus, Topic, Visibility,
    },
};

/// Where each group of bits begins in [`TenderFacts::traits`]. Every group has one bit a value; an unknown value sets none.
pub(super) mod bits {
    /// Two for each category: for any kind of notice but registrations, and for registrations.
    pub(in crate::query) const CATEGORY: u32 = 0;
    pub(in crate::query) const ORGANIZATION: u32 = 28;
    pub(in crate::query) const PRIORITY: u32 = 32;
    pub(in crate::query) const STATUS: u32 = 36;
    pub(in crate::query) const KIND: u32 = 42;
    pub(in crate::query) const LANGUAGE: u32 = 48;
    pub(in crate::query) const VISIBILITY: u32 = 51;
    /// The closing was not read, so that nothing is known of it.
    pub(in crate::query) const CLOSING_UNREAD: u32 = 54;
    /// In [`super::TenderFacts::places`].
    pub(in crate::query) const DISTRICT: u32 = 9;
    /// In [`super::TenderFacts::places`]: a city is known.
    pub(in crate::query) const CITY: u32 = 63;
}

/// The traits that say what a tender is about: category, kind and priority. The others say in which form it stands here.
pub(crate) const ABOUT: u64 = group(bits::CATEGORY, 2 * Category::ALL.len())
    | group(bits::KIND, Kind::ALL.len())
    | group(bits::PRIORITY, Priority::ALL.len());

/// What filters, listing and statistics look at of a tender: the index keeps these as columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TenderFacts {
    /// Category, organisation type, priority, status, kind, language and visibility, a bit each, and whether the closing was not
    /// read.
    pub traits: u64,
    /// Province and district, a bit each, and whether a city is known. None: no place is known.
    pub places: u64,
    /// A hash of the city's normalised words, 0 when unknown.
    pub city: u64,
    /// The grades asked for of contractors, a bit each; see [`Grade`].
    pub grades: u64,
    /// The last second it is live; unknown: for ever.
    pub live_until: Option<i64>,
    /// Its closing, in seconds since 1970.
    pub closing: Option<i64>,
    /// Its publication here, in seconds since 1970.
    pub published_at: Option<i64>,
    /// Its estimated value.
    pub value: Option<(Millions, Currency)>,
}

impl TenderFacts {
    /// The facts of a tender.
    #[must_use]
    pub fn of(tender: &Tender) -> Self {
        let registration = tender.kind == Kind::Registration;
        let category = tender.category.map_or(0, |category| category_bit(category, registration));
        let kind = tender.organization.kind.map_or(0, |kind| 1 << (bits::ORGANIZATION + kind as u32));
        let district = tender.location.district;
        let province = tender.location.province.or(district.map(|district| district.province()));
        let city = tender.location.city.as_deref().map_or(0, city_hash);
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

    /// The same with the status it has in effect: published, but past its time, is closed.
    #[must_use]
    pub fn at(self, now: Moment) -> Self {
        if self.live_until.is_some_and(|until| until < now.second()) { self.past_its_time() } else { self }
    }

    /// The same once its time has run out: published is closed.
    pub(crate) fn past_its_time(mut self) -> Self {
        let published = status_bit(TenderStatus::Published);
        if self.traits & published != 0 {
            self.traits = self.traits & !published | status_bit(TenderStatus::Closed);
        }
        self
    }

    /// Whether its status is this one. For the effective status, see [`TenderFacts::at`].
    #[must_use]
    pub fn has_status(&self, status: TenderStatus) -> bool {
        self.traits & status_bit(status) != 0
    }

    /// Its category, where known.
    #[must_use]
    pub fn category(&self) -> Option<Category> {
        Category::ALL.iter().copied().find(|category| self.traits & category_bits(*category) != 0)
    }

    /// The kind of organisation, where known.
    #[must_use]
    pub fn organization_type(&self) -> Option<OrganizationType> {
        self.member(OrganizationType::ALL, bits::ORGANIZATION)
    }

    /// Its priority.
    #[must_use]
    pub fn priority(&self) -> Option<Priority> {
        self.member(Priority::ALL, bits::PRIORITY)
    }

    /// The kind of notice.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        self.member(Kind::ALL, bits::KIND)
    }

    /// The language it is printed in, where known.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.member(Language::ALL, bits::LANGUAGE)
    }

    /// Who may read all of it.
    #[must_use]
    pub fn visibility(&self) -> Option<Visibility> {
        self.member(Visibility::ALL, bits::VISIBILITY)
    }

    /// Whether it is in this province.
    #[must_use]
    pub fn is_in_province(&self, province: Province) -> bool {
        self.places & 1 << province as u32 != 0
    }

    /// Whether it is in this district.
    #[must_use]
    pub fn is_in_district(&self, district: District) -> bool {
        self.places & 1 << (bits::DISTRICT + district as u32) != 0
    }

    fn member<T: Copy>(&self, all: &[T], first: u32) -> Option<T> {
        let group = self.traits >> first & group(0, all.len());
        all.get(group.trailing_zeros() as usize).copied()
    }

    /// The sector the listing counts it under.
    #[must_use]
    pub fn sector(&self) -> Option<Sector> {
        if self.traits & kind_bit(Kind::Registration) != 0 {
            return Some(Sector::Registration);
        }
        self.category().and_then(Category::sector)
    }

    /// Whether `topic` covers it; see [`Tender::is_about`].
    #[must_use]
    pub fn is_about(&self, topic: Topic) -> bool {
        match topic {
            Topic::Category(category) => self.traits & category_bits(category) != 0,
            Topic::Sector(sector) => self.sector() == Some(sector),
        }
    }

    /// Whether it is a notice of this kind.
    #[must_use]
    pub fn is_of_kind(&self, kind: Kind) -> bool {
        self.traits & kind_bit(kind) != 0
    }

    /// Whether it is printed in this language.
    #[must_use]
    pub fn is_in_language(&self, language: Language) -> bool {
        self.traits & 1 << (bits::LANGUAGE + language as u32) != 0
    }

    /// Whether it asks for contractors of this grade.
    #[must_use]
    pub fn asks_for_grade(&self, grade: Grade) -> bool {
        self.grades & 1 << grade as u32 != 0
    }

    /// Whether it closes on a day that was not read: bounds on closing days let it pass, as nobody must miss it.
    #[must_use]
    pub const fn is_closing_unread(&self) -> bool {
        self.traits & 1 << bits::CLOSING_UNREAD != 0
    }

    /// Its place bits for a mask test that every alert passes when no place is known.
    #[must_use]
    pub fn place_test(&self) -> u64 {
        if self.places == 0 { u64::MAX } else { self.places }
    }

    /// The bits of its province and district.
    pub(crate) const fn named_places(&self) -> u64 {
        self.places & !(1 << bits::CITY)
    }

    /// Colombo days from `now` until it closes; `None` without a closing date.
    pub(crate) fn days_until_closing(&self, now: Moment) -> Option<i64> {
        let closing = jiff::Timestamp::from_second(self.closing?).ok()?;
        Some(now.days_until(Moment::new(closing)))
    }
}

/// Whether a tender has a closing that was not read.
pub(crate) fn has_unread_closing(tender: &Tender) -> bool {
    tender.dates.closing.is_none() && tender.field_state(tender::CLOSING) == FieldState::NotRead
}

/// The numbers of the bits that are set, lowest first.
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

pub(super) fn category_group() -> u64 {
    group(bits::CATEGORY, 2 * Category::ALL.len())
}

pub(super) const fn group(first: u32, length: usize) -> u64 {
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

/// A hash of a city's normalised words that is the same in every process; 0 for no words.
pub(crate) fn city_hash(city: &str) -> u64 {
    let words = normalise(city);
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
            category_group(),
            group(bits::ORGANIZATION, OrganizationType::ALL.len()),
            group(bits::PRIORITY, Priority::ALL.len()),
            group(bits::STATUS, TenderStatus::ALL.len()),
            group(bits::KIND, Kind::ALL.len()),
            group(bits::LANGUAGE, Language::ALL.len()),
            group(bits::VISIBILITY, Visibility::ALL.len()),
            group(bits::CLOSING_UNREAD, 1),
        ];
        let sum = groups.iter().fold(0u64, |sum, group| sum.checked_add(*group).unwrap());
        assert_eq!(sum, groups.iter().fold(0, |all, group| all | group));
    }

    #[test]
    fn facts_say_what_the_tender_says() {
        for category in Category::ALL {
            for kind in [Kind::Purchase, Kind::Registration] {
                let tender = Tender { category: Some(*category), kind, ..Tender::default() };
                let facts = TenderFacts::of(&tender);
                assert_eq!(facts.category(), tender.category);
                assert_eq!(facts.sector(), tender.sector());
                for topic in Sector::ALL.iter().map(|sector| Topic::Sector(*sector)) {
                    assert_eq!(facts.is_about(topic), tender.is_about(topic), "{category} {topic}");
                }
            }
        }
    }
}

//! Conditions on fields: `field:value` in a search text. They are parsed here, and their display
//! form parses to the same condition.

use std::fmt;
use tender_model::{
    text::normalise,
    vocabulary::{
        Category, Day, District, Grade, Kind, Language, Millions, Province, Sector, TenderStatus, Topic,
        gazetteer::{self, Place},
    },
};

/// A condition on a field of the tender.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldCondition {
    /// `district:Kandy`
    District(District),
    /// `province:Central`
    Province(Province),
    /// `city:Hatton`, as normalised words.
    City(String),
    /// `category:"Computer & IT"`, `sector:it`
    Topic(Topic),
    /// `kind:award`
    Kind(Kind),
    /// `status:live`
    Status(StatusCondition),
    /// `lang:si`
    Language(Language),
    /// `grade:C5`
    Grade(Grade),
    /// `closing<2026-12-01`, by the closing day in Colombo. A tender without a closing date matches
    /// only if the date was printed but not read.
    Closing(InclusiveRange<Day>),
    /// `published>=2026-11-01`, by the day of `publishedAt` in Colombo.
    Published(InclusiveRange<Day>),
    /// `value>5`, in millions of rupees. A tender without a value never matches, and one in a
    /// currency without a rate always matches.
    Value(InclusiveRange<Millions>),
}

/// A condition on the status at the time of the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusCondition {
    /// Published on the portal today.
    Today,
    /// Open for bids.
    Live,
    /// No longer open.
    Closed,
    /// Exactly this status.
    Status(TenderStatus),
}

/// A range with inclusive bounds. At least one bound is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InclusiveRange<T> {
    /// The lower bound.
    pub from: Option<T>,
    /// The upper bound.
    pub to: Option<T>,
}

/// The operator between a field and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    /// The operator at the start of a text, and the rest of the text.
    pub(super) fn take(text: &str) -> Option<(Self, &str)> {
        let signs = [
            (":", Self::Equal),
            ("=", Self::Equal),
            ("<=", Self::LessOrEqual),
            (">=", Self::GreaterOrEqual),
            ("<", Self::Less),
            (">", Self::Greater),
        ];
        let after_colon = text.strip_prefix(':').filter(|after| after.starts_with(['<', '>']));
        let text = after_colon.unwrap_or(text);
        // Longer operators come before their prefixes.
        signs.iter().find_map(|(sign, comparison)| Some((*comparison, text.strip_prefix(sign)?)))
    }
}

/// The conditions for a field and a value. One of them must hold. Empty if the field is unknown or
/// the value is invalid.
pub(super) fn read(field: &str, comparison: Comparison, value: &str) -> Vec<FieldCondition> {
    let one = |condition: Option<FieldCondition>| condition.into_iter().collect();
    match field {
        "closing" | "closes" => return one(read_days(comparison, value).map(FieldCondition::Closing)),
        "published" => return one(read_days(comparison, value).map(FieldCondition::Published)),
        "value" => return one(read_value(comparison, value).map(FieldCondition::Value)),
        _ if comparison != Comparison::Equal => return Vec::new(),
        _ => {}
    }
    let each = |part: &str| read_term(field, part.trim());
    // A name may contain a comma. Otherwise a comma means `OR`, and all parts must be valid.
    each(value)
        .map(|condition| vec![condition])
        .or_else(|| value.split(',').map(each).collect())
        .unwrap_or_default()
}

fn read_term(field: &str, value: &str) -> Option<FieldCondition> {
    let words = normalise(value);
    let named = |name: &str| normalise(name) == words;
    let topic = |topic: Topic| FieldCondition::Topic(topic);
    match field {
        _ if words.is_empty() => None,
        "district" => read_district(value).map(FieldCondition::District),
        "province" => Province::ALL
            .iter()
            .copied()
            .find(|province| named(province.as_str()))
            .or_else(|| match exact_place(value)? {
                Place::Province(province) => Some(province),
                _ => None,
            })
            .map(FieldCondition::Province),
        "city" | "town" => Some(FieldCondition::City(words)),
        "category" | "cat" | "sector" => Sector::ALL
            .iter()
            .copied()
            .find(|sector| named(sector.as_str()))
            .map(Topic::Sector)
            .filter(|_| field == "sector")
            .or_else(|| read_category(&words).map(Topic::Category))
            .or_else(|| value.to_lowercase().parse().ok())
            .map(topic),
        "kind" => Kind::ALL.iter().copied().find(|kind| named(kind.as_str())).map(FieldCondition::Kind),
        "status" | "is" => match words.as_str() {
            "today" => Some(StatusCondition::Today),
            "live" | "open" => Some(StatusCondition::Live),
            "closed" => Some(StatusCondition::Closed),
            other => other
                .parse()
                .ok()
                .filter(|status: &TenderStatus| status.is_public())
                .map(StatusCondition::Status),
        }
        .map(FieldCondition::Status),
        "lang" | "language" => match words.as_str() {
            "english" => Some(Language::English),
            "sinhala" | "sinhalese" | "සිංහල" => Some(Language::Sinhala),
            "tamil" | "தமிழ்" => Some(Language::Tamil),
            other => other.parse().ok(),
        }
        .map(FieldCondition::Language),
        "grade" | "cida" => Grade::from_printed(value).map(FieldCondition::Grade),
        _ => None,
    }
}

fn read_district(value: &str) -> Option<District> {
    let spelt = District::from_spelling(value).or_else(|| District::from_spelling(&value.replace('-', " ")));
    spelt.or_else(|| match exact_place(value)? {
        Place::District(district) => Some(district),
        _ => None,
    })
}

/// The place whose name is exactly `value`.
fn exact_place(value: &str) -> Option<Place> {
    let mentions = gazetteer::mentions(value).into_iter();
    mentions.filter(|mention| mention.range == (0..value.len())).map(|mention| mention.place).next()
}

/// A category by its name, or by a prefix that only one category has.
fn read_category(words: &str) -> Option<Category> {
    let names = || Category::ALL.iter().map(|category| (*category, normalise(category.as_str())));
    names()
        .find(|(_, name)| name == words)
        .or_else(|| {
            let mut beginning = names().filter(|(_, name)| name.starts_with(words));
            beginning.next().filter(|_| beginning.next().is_none())
        })
        .map(|(category, _)| category)
}

fn read_days(comparison: Comparison, value: &str) -> Option<InclusiveRange<Day>> {
    let day = |text: &str| text.trim().parse::<Day>().ok();
    match comparison {
        Comparison::Equal => InclusiveRange::of(value, day),
        Comparison::LessOrEqual => Some(InclusiveRange { from: None, to: Some(day(value)?) }),
        Comparison::GreaterOrEqual => Some(InclusiveRange { from: Some(day(value)?), to: None }),
        Comparison::Less => Some(InclusiveRange { from: None, to: Some(day(value)?.yesterday().ok()?) }),
        Comparison::Greater => Some(InclusiveRange { from: Some(day(value)?.tomorrow().ok()?), to: None }),
    }
}

fn read_value(comparison: Comparison, value: &str) -> Option<InclusiveRange<Millions>> {
    let next = |value: Millions, step: i64| {
        value.minor().checked_add(step).filter(|minor| *minor >= 0).map(Millions::from_minor)
    };
    match comparison {
        Comparison::Equal => InclusiveRange::of(value, read_millions),
        Comparison::LessOrEqual => Some(InclusiveRange { from: None, to: Some(read_millions(value)?) }),
        Comparison::GreaterOrEqual => Some(InclusiveRange { from: Some(read_millions(value)?), to: None }),
        Comparison::Less => Some(InclusiveRange { from: None, to: Some(next(read_millions(value)?, -1)?) }),
        Comparison::Greater => Some(InclusiveRange { from: Some(next(read_millions(value)?, 1)?), to: None }),
    }
}

/// An exact number of millions: digits, optionally a point and up to eight decimals, optionally a
/// suffix for millions.
fn read_millions(text: &str) -> Option<Millions> {
    const PLACES: usize = 8;
    let text = text.trim().trim_end_matches("million").trim_end_matches(['m', 'M', 'n', 'N']).trim_end();
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || whole.len() > 8 || rest.len() > PLACES || !digits(whole) || !digits(rest) {
        return None;
    }
    let minor: i64 = format!("{whole}{rest:0<PLACES$}").parse().ok()?;
    let largest = Millions::new(90_000_000.0).ok()?;
    Some(Millions::from_minor(minor)).filter(|value| *value <= largest)
}

impl<T: Copy + PartialOrd> InclusiveRange<T> {
    /// Parses `a..b`, `a..`, `..b`, or a single `a`.
    fn of(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Self> {
        let Some((from, to)) = text.split_once("..") else {
            let only = Some(read(text)?);
            return Some(Self { from: only, to: only });
        };
        let bound = |text: &str| if text.is_empty() { Some(None) } else { read(text).map(Some) };
        let span = Self { from: bound(from)?, to: bound(to)? };
        (span.from.is_some() || span.to.is_some()).then_some(span)
    }

    /// Whether a value lies in the range.
    pub fn contains(&self, value: T) -> bool {
        self.from.is_none_or(|from| value >= from) && self.to.is_none_or(|to| value <= to)
    }

    fn write_range(
        &self,
        f: &mut fmt::Formatter<'_>,
        field: &str,
        show: impl Fn(T) -> String,
    ) -> fmt::Result {
        match (self.from, self.to) {
            (Some(from), Some(to)) if from == to => write!(f, "{field}:{}", show(from)),
            (Some(from), Some(to)) => write!(f, "{field}:{}..{}", show(from), show(to)),
            (Some(from), None) => write!(f, "{field}>={}", show(from)),
            (None, Some(to)) => write!(f, "{field}<={}", show(to)),
            (None, None) => Ok(()),
        }
    }
}

impl fmt::Display for FieldCondition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show_millions = |value: Millions| {
            let (whole, rest) = (value.minor() / 100_000_000, value.minor() % 100_000_000);
            let shown = format!("{whole}.{rest:08}");
            shown.trim_end_matches('0').trim_end_matches('.').to_owned()
        };
        match self {
            Self::District(district) => write!(f, "district:\"{district}\""),
            Self::Province(province) => write!(f, "province:\"{province}\""),
            Self::City(words) => write!(f, "city:\"{words}\""),
            Self::Topic(Topic::Category(category)) => write!(f, "category:\"{category}\""),
            Self::Topic(Topic::Sector(sector)) => write!(f, "sector:{sector}"),
            Self::Kind(kind) => write!(f, "kind:{kind}"),
            Self::Status(StatusCondition::Today) => f.write_str("status:today"),
            Self::Status(StatusCondition::Live) => f.write_str("status:live"),
            Self::Status(StatusCondition::Closed) => f.write_str("status:closed"),
            Self::Status(StatusCondition::Status(status)) => write!(f, "status:{status}"),
            Self::Language(language) => write!(f, "lang:{language}"),
            Self::Grade(grade) => write!(f, "grade:{grade}"),
            Self::Closing(days) => days.write_range(f, "closing", |day| day.to_string()),
            Self::Published(days) => days.write_range(f, "published", |day| day.to_string()),
            Self::Value(value) => value.write_range(f, "value", show_millions),
        }
    }
}

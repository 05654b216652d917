//! A naive implementation of the listing's rules, and generated tenders and requests for comparison
//! with the index.

use super::{now, rates};
use index::{
    ClosingBand, Facets, ListingRequest, Period, PublishedBand, StatusCard, TenderFilter, TenderLock,
    ValueBand, ValueRange, Viewer,
};
use proptest::{collection::vec, option, prelude::*, sample::select};
use std::collections::BTreeMap;
use tender_model::{
    tender::{CLOSING, Cida, EstimatedValue, FieldState, Source, Tender},
    text::{Words, normalise},
    vocabulary::{
        Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
        Province, Sector, TenderStatus, Visibility,
    },
};
use uuid::Uuid;

/// The id of an account that may own tenders.
pub(crate) fn account(number: u8) -> Uuid {
    Uuid::from_u128(0xacc0 + u128::from(number))
}

/// A tender and its owner, if it has one.
pub(crate) type OwnedTender = (Tender, Option<Uuid>);

const CITIES: [&str; 5] = ["Maharagama", "MAHARAGAMA", "Galle", "ගාල්ල", "Kotte"];
const ORGANIZATIONS: [&str; 4] = ["Road Development Authority", "road-development authority", "CEB", ""];
const PUBLICATIONS: [&str; 3] = ["Daily News", "Dinamina", "Thinakaran"];
const TEXTS: [&str; 4] = ["Repair of a bridge", "Bridges over the river", "Supply of vehicles", ""];

/// Moments around now, near the bounds of days and near now itself.
fn moment() -> impl Strategy<Value = Moment> {
    let edges = [-1, 0, 1, 53_999, 54_000, 54_001, -32_400, -32_401];
    let days = prop_oneof![3 => -3i64..4, 1 => -40i64..40, 1 => -800i64..800];
    (days, select(edges.to_vec())).prop_map(|(days, second)| {
        let at = now().second() + days * 86_400 + second;
        Moment::new(jiff::Timestamp::from_second(at).unwrap())
    })
}

fn value() -> impl Strategy<Value = EstimatedValue> {
    let amounts = [0.0, 0.5, 1.0, 1.01, 4.999_999_99, 5.0, 20.0, 99.0, 100.0, 5000.0];
    (select(amounts.to_vec()), select(&["LKR", "USD", "EUR", "JPY"])).prop_map(|(amount, currency)| {
        EstimatedValue { amount: Millions::new(amount).unwrap(), currency: currency.parse().unwrap() }
    })
}

/// A tender without an id. In most cases, it is published.
pub(crate) fn tender() -> impl Strategy<Value = OwnedTender> {
    let what = (
        option::of(select(Category::ALL)),
        option::of(select(OrganizationType::ALL)),
        select(Priority::ALL),
        select(Kind::ALL),
        option::of(select(Language::ALL)),
        select(Visibility::ALL),
        prop_oneof![4 => Just(TenderStatus::Published), 1 => select(TenderStatus::ALL)],
    );
    let place = (
        option::of(select(Province::ALL)),
        option::of(select(District::ALL)),
        option::of(select(&CITIES[..])),
        select(&ORGANIZATIONS[..]),
    );
    let when = (option::of(moment()), option::of(moment()), option::of(value()));
    let texts = (select(&TEXTS[..]), select(&TEXTS[..]), option::of(select(&["RDA/bridge/1", "X 7"][..])));
    let states = option::of(prop_oneof![
        2 => Just(None),
        1 => select(&[FieldState::Doubtful, FieldState::NotRead][..]).prop_map(Some),
    ]);
    let lists = (vec(select(&["C5", "c 5", "EM 2", "X1"][..]), 0..3), vec(select(&PUBLICATIONS[..]), 0..4));
    let all = (what, place, when, texts, lists, option::of(0u8..2), states);
    all.prop_map(|(what, place, when, texts, lists, owner, closing_state)| {
        let mut tender = Tender::default();
        (tender.category, tender.organization.kind) = (what.0, what.1);
        (tender.priority, tender.kind) = (what.2, what.3);
        (tender.language, tender.visibility, tender.status) = (what.4, what.5, what.6);
        (tender.location.province, tender.location.district) = (place.0, place.1);
        tender.location.city = place.2.map(str::to_owned);
        tender.organization.name = place.3.to_owned();
        (tender.published_at, tender.dates.closing, tender.financials.estimated_value) = when;
        tender.field_states =
            closing_state.map(|state| state.map(|state| (CLOSING.to_owned(), state)).into_iter().collect());
        tender.title = texts.0.to_owned();
        tender.full_text_markdown = texts.1.to_owned();
        tender.reference_no = texts.2.map(str::to_owned);
        tender.cida =
            lists.0.into_iter().map(|grade| Cida { grade: grade.to_owned(), ..Cida::default() }).collect();
        let source = |publication: &str| Source { publication: publication.to_owned(), ..Source::default() };
        tender.sources = lists.1.into_iter().map(source).collect();
        (tender, owner.map(account))
    })
}

/// Usually an empty list, otherwise one to three of the values.
fn some<T: Copy + std::fmt::Debug + 'static>(all: &'static [T]) -> impl Strategy<Value = Vec<T>> {
    prop_oneof![5 => Just(Vec::new()), 1 => vec(select(all), 1..4)]
}

fn some_names(all: &'static [&'static str]) -> impl Strategy<Value = Vec<String>> {
    some(all).prop_map(|names| names.into_iter().map(str::to_owned).collect())
}

fn any_period() -> impl Strategy<Value = Period> {
    let bounds = (option::of(moment()), option::of(moment()));
    prop_oneof![4 => Just(Period::default()), 1 => bounds.prop_map(|(from, until)| Period { from, until })]
}

pub(crate) fn filter() -> impl Strategy<Value = TenderFilter> {
    let by_traits = (
        some(Sector::ALL),
        some(Category::ALL),
        some(OrganizationType::ALL),
        some(StatusCard::ALL),
        some(Kind::ALL),
        some(Priority::ALL),
        some(Language::ALL),
    );
    let by_place =
        (some(Province::ALL), some(District::ALL), some_names(&CITIES), some_names(&ORGANIZATIONS));
    let range = (option::of(value()), option::of(value())).prop_map(|(min, max)| ValueRange {
        min: min.map(|min| min.amount),
        max: max.map(|max| max.amount),
        currency: max.or(min).map_or(Currency::LKR, |value| value.currency),
    });
    let range = prop_oneof![4 => Just(ValueRange::default()), 1 => range];
    (by_traits, by_place, some(Grade::ALL), any_period(), any_period(), range, some_names(&PUBLICATIONS))
        .prop_map(|(by_traits, by_place, grades, published, closing, value, publications)| TenderFilter {
            sectors: by_traits.0,
            categories: by_traits.1,
            organization_types: by_traits.2,
            statuses: by_traits.3,
            kinds: by_traits.4,
            priorities: by_traits.5,
            languages: by_traits.6,
            provinces: by_place.0,
            districts: by_place.1,
            cities: by_place.2,
            organizations: by_place.3,
            grades,
            published,
            closing,
            value,
            publications,
        })
}

pub(crate) fn viewer() -> impl Strategy<Value = Viewer> {
    let limited = (select(Visibility::ALL), option::of(moment()), option::of(0u8..2));
    prop_oneof![
        1 => Just(Viewer::Unlimited),
        2 => limited.prop_map(|(visibility, since, number)| {
            Viewer::Limited { visibility, since, account: number.map(account) }
        }),
    ]
}

pub(crate) fn lock(viewer: &Viewer, (tender, owner): &OwnedTender) -> Option<TenderLock> {
    let Viewer::Limited { visibility, since, account } = viewer else { return None };
    if account.is_some() && account == owner {
        None
    } else if tender.visibility > *visibility {
        Some(TenderLock::Visibility)
    } else if tender.published_at.zip(*since).is_some_and(|(published, since)| published < since) {
        Some(TenderLock::Archive)
    } else {
        None
    }
}

/// Whether a one-word text matches a tender, within what the viewer may read.
pub(crate) fn is_found(request: &ListingRequest, owned: &OwnedTender) -> bool {
    let Some(text) = &request.text else { return true };
    let tender = &owned.0;
    let mut texts = vec![tender.title.as_str(), &tender.organization.name];
    texts.extend(tender.reference_no.as_deref());
    if lock(&request.viewer, owned).is_none() {
        texts.push(&tender.full_text_markdown);
    }
    // Plurals are the only inflected forms in these texts.
    texts
        .iter()
        .any(|found| Words::of(found).iter().any(|word| word.strip_suffix('s').unwrap_or(word) == text))
}

fn is_in_period(period: Period, moment: Option<Moment>) -> bool {
    period == Period::default()
        || moment.is_some_and(|moment| {
            period.from.is_none_or(|from| from <= moment) && period.until.is_none_or(|until| moment <= until)
        })
}

/// Whether the closing date of a tender was not read. Such a tender passes every filter on the
/// closing date.
fn is_closing_unread(tender: &Tender) -> bool {
    tender.dates.closing.is_none() && tender.field_state(CLOSING) == FieldState::NotRead
}

fn value_holds(range: ValueRange, tender: &Tender) -> bool {
    let Some(value) = tender.financials.estimated_value else { return true };
    let bound = |bound: Option<Millions>| rates().convert(bound?, range.currency, value.currency);
    bound(range.min).is_none_or(|min| value.amount >= min)
        && bound(range.max).is_none_or(|max| value.amount <= max)
}

fn has_status(tender: &Tender, only: StatusCard) -> bool {
    let live = tender.effective_status(now()) == TenderStatus::Published;
    match only {
        StatusCard::Today => tender.published_at.is_some_and(|at| at.day() == now().day()),
        StatusCard::Live => live,
        StatusCard::Closed => !live,
    }
}

fn province(tender: &Tender) -> Option<Province> {
    tender.location.province.or(tender.location.district.map(District::province))
}

fn requires_grade(tender: &Tender, grade: Grade) -> bool {
    tender.cida.iter().any(|cida| normalise(&cida.grade).replace(' ', "") == grade.as_str().to_lowercase())
}

fn is_same_name(a: &str, b: &str) -> bool {
    !normalise(a).is_empty() && normalise(a) == normalise(b)
}

/// The names of the filters that a tender fails.
pub(crate) fn failed_filters(filter: &TenderFilter, tender: &Tender) -> Vec<&'static str> {
    fn any<T>(wanted: &[T], holds: impl Fn(&T) -> bool) -> bool {
        wanted.is_empty() || wanted.iter().any(holds)
    }
    let name = |wanted: &[String], found: &str| any(wanted, |wanted| is_same_name(wanted, found));
    let city = tender.location.city.as_deref().unwrap_or_default();
    let passed = [
        ("sector", any(&filter.sectors, |sector| tender.sector() == Some(*sector))),
        ("category", any(&filter.categories, |category| tender.category == Some(*category))),
        ("type", any(&filter.organization_types, |kind| tender.organization.kind == Some(*kind))),
        ("organization", name(&filter.organizations, &tender.organization.name)),
        ("province", any(&filter.provinces, |wanted| province(tender) == Some(*wanted))),
        ("district", any(&filter.districts, |district| tender.location.district == Some(*district))),
        ("city", name(&filter.cities, city)),
        ("status", any(&filter.statuses, |only| has_status(tender, *only))),
        ("kind", any(&filter.kinds, |kind| tender.kind == *kind)),
        ("grade", any(&filter.grades, |grade| requires_grade(tender, *grade))),
        ("published", is_in_period(filter.published, tender.published_at)),
        ("closing", is_closing_unread(tender) || is_in_period(filter.closing, tender.dates.closing)),
        ("value", value_holds(filter.value, tender)),
        ("priority", any(&filter.priorities, |priority| tender.priority == *priority)),
        ("language", any(&filter.languages, |language| tender.language == Some(*language))),
        (
            "publication",
            any(&filter.publications, |wanted| {
                tender.sources.iter().any(|s| is_same_name(wanted, &s.publication))
            }),
        ),
    ];
    passed.into_iter().filter(|(_, passed)| !passed).map(|(name, _)| name).collect()
}

/// The facets, counted one choice at a time.
pub(crate) fn facets(filter: &TenderFilter, tenders: &[&Tender]) -> Facets {
    let others_pass = |part: &'static str| {
        let passes =
            move |tender: &&&Tender| failed_filters(filter, tender).iter().all(|failed| *failed == part);
        tenders.iter().filter(passes).copied().collect::<Vec<_>>()
    };
    fn each<T: Copy>(choices: &[T], among: Vec<&Tender>, is: impl Fn(&Tender, T) -> bool) -> Vec<(T, usize)> {
        let count = |choice| among.iter().filter(|tender| is(tender, choice)).count();
        choices.iter().map(|choice| (*choice, count(*choice))).collect()
    }
    fn names<'t>(names: impl Iterator<Item = Vec<&'t str>>) -> Vec<(String, usize)> {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for mut names in names.map(|names| names.into_iter().map(normalise).collect::<Vec<_>>()) {
            names.sort();
            names.dedup();
            names
                .into_iter()
                .filter(|name| !name.is_empty())
                .for_each(|name| *counts.entry(name).or_default() += 1);
        }
        counts.into_iter().collect()
    }
    let worth = |tender: &Tender| {
        let value = tender.financials.estimated_value?;
        rates().rate(value.currency).map(|_| value)
    };
    let bands: Vec<ValueBand> = ValueBand::all().collect();
    Facets {
        sectors: each(Sector::ALL, others_pass("sector"), |t, sector| t.sector() == Some(sector)),
        categories: each(Category::ALL, others_pass("category"), |t, category| t.category == Some(category)),
        organization_types: each(OrganizationType::ALL, others_pass("type"), |t, kind| {
            t.organization.kind == Some(kind)
        }),
        organizations: names(others_pass("organization").iter().map(|t| vec![t.organization.name.as_str()])),
        provinces: each(Province::ALL, others_pass("province"), |t, wanted| province(t) == Some(wanted)),
        districts: each(District::ALL, others_pass("district"), |t, wanted| {
            t.location.district == Some(wanted)
        }),
        cities: names(others_pass("city").iter().map(|t| t.location.city.as_deref().into_iter().collect())),
        statuses: each(StatusCard::ALL, others_pass("status"), has_status),
        kinds: each(Kind::ALL, others_pass("kind"), |t, kind| t.kind == kind),
        grades: each(Grade::ALL, others_pass("grade"), requires_grade),
        published: each(PublishedBand::ALL, others_pass("published"), |t, band| {
            is_in_period(band.period(now()), t.published_at)
        }),
        closing: each(ClosingBand::ALL, others_pass("closing"), |t, band| {
            is_in_period(band.period(now()), t.dates.closing)
        }),
        values: each(&bands, others_pass("value"), |t, band| {
            worth(t).is_some() && value_holds(band.range(), t)
        }),
        unknown_value: others_pass("value").iter().filter(|t| worth(t).is_none()).count(),
        priorities: each(Priority::ALL, others_pass("priority"), |t, priority| t.priority == priority),
        languages: each(Language::ALL, others_pass("language"), |t, language| t.language == Some(language)),
        publications: names(
            others_pass("publication")
                .iter()
                .map(|t| t.sources.iter().map(|source| source.publication.as_str()).collect()),
        ),
    }
}

//! Generates any number of tenders from a file of real procurement notices. The first tenders are
//! the notices themselves, with added fields of Sri Lankan tenders. Further titles combine parts
//! of two notices. The same file and seed give the same tenders.
//!
//! A title is cut at its small words ("of", "at", "for", …). A mixed title has the beginning of
//! one and the end of another, so that word frequencies and sentences stay realistic. Districts
//! are drawn by population. Cities are those of the notices. Publication days are denser towards
//! today. Values and descriptions are missing about as often as in the notices.

use crate::workload::lines;
use anyhow::{Context, Result, bail};
use jiff::Timestamp;
use rand::{Rng, SeedableRng, rngs::StdRng, seq::IndexedRandom};
use serde::Deserialize;
use std::path::Path;
use tender_model::{
    tender::{Cida, Dates, EstimatedValue, Location, Organization, Source, Tender},
    vocabulary::{
        Category, Currency, District, Grade, Kind, Language, Millions, Moment, OrganizationType, Priority,
        TenderStatus,
    },
};
use uuid::Uuid;

/// The seed of the published figures.
pub const SEED: u64 = 2026;

/// The fields that are read from a notice.
#[derive(Debug, Deserialize)]
struct Notice {
    title: String,
    #[serde(default)]
    description: Option<String>,
    #[serde(default)]
    category: Option<String>,
    #[serde(default)]
    org: Option<String>,
    #[serde(default)]
    value: Option<f64>,
    #[serde(default)]
    region: Option<String>,
}

/// An endless generator of tenders.
pub struct Mixer {
    notices: Vec<Notice>,
    generator: StdRng,
    now: Moment,
    count: usize,
}

/// The population of each district in thousands (census of 2012).
const POPULATIONS: &[(District, u32)] = &[
    (District::Colombo, 2324),
    (District::Gampaha, 2305),
    (District::Kalutara, 1222),
    (District::Kandy, 1375),
    (District::Matale, 485),
    (District::NuwaraEliya, 712),
    (District::Galle, 1063),
    (District::Matara, 814),
    (District::Hambantota, 600),
    (District::Jaffna, 584),
    (District::Kilinochchi, 113),
    (District::Mannar, 100),
    (District::Vavuniya, 172),
    (District::Mullaitivu, 92),
    (District::Trincomalee, 380),
    (District::Batticaloa, 527),
    (District::Ampara, 649),
    (District::Kurunegala, 1618),
    (District::Puttalam, 762),
    (District::Anuradhapura, 860),
    (District::Polonnaruwa, 406),
    (District::Badulla, 815),
    (District::Moneragala, 451),
    (District::Ratnapura, 1088),
    (District::Kegalle, 841),
];

const NEWSPAPERS: &[&str] =
    &["Daily News", "Dinamina", "Thinakaran", "Sunday Observer", "Daily Mirror", "Lankadeepa"];
const SMALL_WORDS: &[&str] = &["of", "at", "in", "for", "to", "from", "under", "with", "and", "on"];

impl Mixer {
    /// Reads the notices. Publication days are counted back from `now`.
    pub fn new(notices: &Path, now: Moment, seed: u64) -> Result<Self> {
        let mut read = Vec::new();
        for line in lines(notices)? {
            let (place, line) = line?;
            let notice = serde_json::from_str(&line)
                .with_context(|| format!("{} line {}", notices.display(), place + 1))?;
            read.push(notice);
        }
        if read.is_empty() {
            bail!("{} contains no notice", notices.display());
        }
        Ok(Self { notices: read, generator: StdRng::seed_from_u64(seed), now, count: 0 })
    }

    /// Returns the titles of the notices.
    #[must_use]
    pub fn titles(&self) -> Vec<String> {
        self.notices.iter().map(|notice| notice.title.clone()).collect()
    }

    fn next_tender(&mut self) -> Tender {
        let place = self.count;
        self.count += 1;
        let random_index = self.generator.random_range(0..self.notices.len());
        let (notices, generator) = (&self.notices, &mut self.generator);
        let notice = &notices[if place < notices.len() { place } else { random_index }];
        let title = if place < notices.len() {
            notice.title.clone()
        } else {
            mix_titles(&notice.title, &notices[generator.random_range(0..notices.len())].title, generator)
        };
        let description = notice.description.clone().filter(|text| *text != notice.title);
        let description = description.unwrap_or_default();
        let category = category_of(notice.category.as_deref().unwrap_or_default(), &title);
        let kind = *pick_weighted(
            &[
                (Kind::Purchase, 86),
                (Kind::Registration, 6),
                (Kind::Sale, 3),
                (Kind::Award, 3),
                (Kind::Corrigendum, 2),
            ],
            generator,
        );
        let district = *pick_weighted(POPULATIONS, generator);
        let city = notice.region.as_deref().and_then(|region| region.split(" / ").nth(1));
        let published = self.now.second() - random_age(generator);
        let closing = published + i64::from(generator.random_range(7..45)) * 86_400;
        let closing = generator.random_bool(0.92).then(|| moment(closing)).flatten();
        let value = notice.value.filter(|value| *value > 0.0 && *value < 1e14).map(|value| {
            // Half to twice the notice's value, so that values vary.
            Millions::from_minor((value * 2f64.powf(generator.random_range(-1.0..1.0)) * 100.0) as i64)
        });
        let published_at = moment(published);
        let grade = (category == Some(Category::Construction) && generator.random_bool(0.6))
            .then(|| Grade::ALL.choose(generator).copied())
            .flatten();
        Tender {
            id: random_id(published, generator),
            reference_no: Some(random_reference(&notice.org, generator)),
            title,
            description,
            category,
            kind,
            status: *pick_weighted(
                &[(TenderStatus::Published, 95), (TenderStatus::Awarded, 3), (TenderStatus::Cancelled, 2)],
                generator,
            ),
            priority: *pick_weighted(
                &[(Priority::Medium, 80), (Priority::Low, 8), (Priority::High, 9), (Priority::Urgent, 3)],
                generator,
            ),
            language: Some(*pick_weighted(
                &[(Language::English, 80), (Language::Sinhala, 14), (Language::Tamil, 6)],
                generator,
            )),
            organization: Organization {
                name: notice.org.as_deref().map(top_organization).unwrap_or_default(),
                kind: Some(*pick_weighted(
                    &[
                        (OrganizationType::Government, 60),
                        (OrganizationType::SemiGovernment, 30),
                        (OrganizationType::Private, 7),
                        (OrganizationType::Ngo, 3),
                    ],
                    generator,
                )),
                ..Organization::default()
            },
            location: if generator.random_bool(0.9) {
                Location {
                    province: Some(district.province()),
                    district: Some(district),
                    city: city.filter(|city| city.len() < 40).map(str::to_owned),
                }
            } else {
                Location::default()
            },
            financials: tender_model::tender::Financials {
                estimated_value: value.map(|amount| EstimatedValue { amount, currency: Currency::LKR }),
                ..Default::default()
            },
            dates: Dates { published: published_at, closing, ..Dates::default() },
            cida: grade
                .map(|grade| Cida { grade: grade.to_string(), ..Cida::default() })
                .into_iter()
                .collect(),
            sources: vec![Source {
                publication: (*NEWSPAPERS.choose(generator).unwrap_or(&"Daily News")).to_owned(),
                ..Source::default()
            }],
            published_at,
            ..Tender::default()
        }
    }
}

impl Iterator for Mixer {
    type Item = Tender;

    fn next(&mut self) -> Option<Tender> {
        Some(self.next_tender())
    }
}

/// Joins the beginning of one title and the end of another, each cut at a small word.
fn mix_titles(first: &str, second: &str, generator: &mut StdRng) -> String {
    let cut = |title: &str, generator: &mut StdRng| {
        let places: Vec<usize> = title
            .match_indices(' ')
            .map(|(at, _)| at)
            .filter(|at| {
                let next = title[at + 1..].split(' ').next().unwrap_or_default();
                SMALL_WORDS.contains(&next.to_lowercase().as_str())
            })
            .collect();
        places.choose(generator).copied()
    };
    let head = cut(first, generator).map_or(first, |at| &first[..at]);
    let tail = cut(second, generator).map_or("", |at| &second[at..]);
    format!("{head}{tail}")
}

fn pick_weighted<'a, T>(choices: &'a [(T, u32)], generator: &mut StdRng) -> &'a T {
    let total: u32 = choices.iter().map(|(_, weight)| weight).sum();
    let mut left = generator.random_range(0..total.max(1));
    for (choice, weight) in choices {
        if left < *weight {
            return choice;
        }
        left -= weight;
    }
    &choices[0].0
}

/// Draws the seconds since publication: up to three years, half of them within nine months.
fn random_age(generator: &mut StdRng) -> i64 {
    let part: f64 = generator.random();
    (part * part * 3.0 * 365.25 * 86_400.0) as i64
}

fn moment(second: i64) -> Option<Moment> {
    Timestamp::from_second(second).ok().map(Moment::new)
}

/// Draws a UUIDv7 for the second of publication.
fn random_id(second: i64, generator: &mut StdRng) -> Uuid {
    let milliseconds = second.unsigned_abs() * 1000 + generator.random_range(0..1000);
    uuid::Builder::from_unix_timestamp_millis(milliseconds, &generator.random()).into_uuid()
}

/// Returns the first part of `Odisha State Corp. Ltd. > CSO cum DM Khurda`.
fn top_organization(path: &str) -> String {
    path.split(" > ").next().unwrap_or(path).trim().to_owned()
}

fn random_reference(organization: &Option<String>, generator: &mut StdRng) -> String {
    let letters: String = organization
        .as_deref()
        .unwrap_or("TEC")
        .split_whitespace()
        .filter_map(|word| word.chars().next().filter(char::is_ascii_uppercase))
        .take(4)
        .collect();
    let (part, year, number) = (
        ["PRO", "W", "G", "S"].choose(generator).copied().unwrap_or("W"),
        generator.random_range(2024..=2026),
        generator.random_range(1..2000),
    );
    format!("{}/{part}/{year}/{number:02}", if letters.is_empty() { "TEC" } else { &letters })
}

/// Finds the category by words in the notice's own category, then by words in its title.
fn category_of(own: &str, title: &str) -> Option<Category> {
    let known = [
        ("computer", Category::ComputersLaptops),
        ("laptop", Category::ComputersLaptops),
        ("software", Category::ComputerIt),
        ("network", Category::ComputerIt),
        ("medic", Category::MedicalEquipment),
        ("hospital equipment", Category::MedicalEquipment),
        ("vehicle", Category::Vehicles),
        ("furniture", Category::Furniture),
        ("stationer", Category::OfficeSupplies),
        ("consult", Category::ConsultancyServices),
        ("security", Category::SecurityServices),
        ("catering", Category::CateringServices),
        ("cleaning", Category::CleaningServices),
        ("repair", Category::UpkeepRepair),
        ("maintenance", Category::UpkeepRepair),
        ("electrical", Category::EngineeringServices),
        ("works", Category::Construction),
        ("construction", Category::Construction),
    ];
    let found = [own.to_lowercase(), title.to_lowercase()]
        .iter()
        .find_map(|text| known.iter().find(|(word, _)| text.contains(word)).map(|(_, category)| *category));
    found.or_else(|| (!own.is_empty()).then_some(Category::Other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixer(seed: u64) -> Mixer {
        let notice = |title: &str, category: &str| Notice {
            title: title.to_owned(),
            description: None,
            category: Some(category.to_owned()),
            org: Some("Road Board > Division".to_owned()),
            value: Some(1e6),
            region: Some("Odisha / Narla".to_owned()),
        };
        Mixer {
            notices: vec![notice("Repair of roads", "Works"), notice("Supply of pipes for schools", "Goods")],
            generator: StdRng::seed_from_u64(seed),
            now: "2026-11-20T09:00:00+05:30".parse().unwrap(),
            count: 0,
        }
    }

    #[test]
    fn same_seed_gives_the_same_tenders() {
        let some = |seed| mixer(seed).take(50).collect::<Vec<_>>();
        assert_eq!(some(1), some(1));
        assert_ne!(some(1), some(2));
    }

    #[test]
    fn generated_tenders_combine_the_notices() {
        let tenders: Vec<Tender> = mixer(3).take(200).collect();
        assert_eq!(tenders[1].title, "Supply of pipes for schools");
        assert_eq!(tenders[0].category, Some(Category::Construction));
        assert!(tenders.iter().any(|tender| tender.title == "Repair for schools"));
        let mut ids: Vec<Uuid> = tenders.iter().map(|tender| tender.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), tenders.len());
    }
}

//! The form of an alert: the body of POST and PUT /alerts and of the preview. All limits are
//! checked, even those that the web form enforces itself. All errors are reported at once.

#[cfg(test)]
mod tests;

use crate::domain::{
    alert::{EmailSettings, NewAlert},
    channel::DirectChannel,
    error::FieldError,
    frequency::Frequency,
    validation::Email,
};
use index::query::Pattern;
use jiff::civil;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tender_model::{
    alert::{AdvancedFilters, AlertQuery, Keyword, Locations, ValueRange},
    vocabulary::{
        AlertCurrency, District, MatchType, Millions, OrganizationType, Priority, Province, TenderStatus,
        Topic,
    },
};
use utoipa::ToSchema;

const MAX_NAME_LENGTH: usize = 100;
const MAX_DESCRIPTION_LENGTH: usize = 500;
pub(crate) const MAX_KEYWORDS: usize = 20;
/// The maximum number of characters of a keyword or an excluded keyword.
pub(crate) const MAX_KEYWORD_LENGTH: usize = 50;
const MAX_BODIES: usize = 20;
const MAX_BODY_LENGTH: usize = 200;
const MAX_CATEGORIES: usize = 10;
pub(crate) const MAX_EXCLUDES: usize = 10;
pub(crate) const MAX_CITIES: usize = 25;
pub(crate) const MAX_CITY_LENGTH: usize = 100;
pub(crate) const MAX_DAYS: u16 = 365;
/// The statuses that an alert can include.
const ALLOWED_STATUSES: [TenderStatus; 4] =
    [TenderStatus::Published, TenderStatus::Closed, TenderStatus::Awarded, TenderStatus::Cancelled];

/// An alert as its owner writes it. A missing field takes the default of a new alert.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AlertForm {
    /// 1 to 100 characters.
    #[schema(max_length = 100)]
    name: Option<String>,
    /// At most 500 characters.
    #[schema(max_length = 500)]
    description: Option<String>,
    /// 1 to 20 keywords, of which at least one must match. There may be none if bodies are given.
    #[schema(max_items = 20)]
    keywords: Option<Vec<KeywordForm>>,
    /// At most 10 categories or sectors. If the list is empty, all match.
    #[schema(max_items = 10)]
    categories: Option<Vec<Topic>>,
    /// Without a place, tenders of all places match.
    locations: Option<LocationsForm>,
    /// If the list is empty, all types match.
    organization_types: Option<Vec<OrganizationType>>,
    /// At most 20 names of organisations, of 1 to 200 characters each. If the list is empty, all match.
    /// They need a plan with advanced filters.
    #[schema(max_items = 20)]
    #[serde(skip_serializing_if = "Option::is_none")]
    bodies: Option<Vec<String>>,
    /// Whether keywords are looked for only in the title and the scope, by default false.
    #[serde(skip_serializing_if = "Option::is_none")]
    title_and_scope_only: Option<bool>,
    /// Bounds on the estimated value.
    estimated_value: Option<RangeForm>,
    /// Whether, how often and to which address matches are mailed.
    email_settings: Option<EmailForm>,
    /// Further channels for matches, with the same frequency as mails. They need a plan with direct
    /// alerts.
    channels: Option<Vec<DirectChannel>>,
    /// The filters in the section Advanced Filters.
    advanced_filters: Option<AdvancedForm>,
}

/// A keyword and how it is compared with the text of a tender.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct KeywordForm {
    /// 1 to 50 characters, with at least one letter or digit.
    #[schema(max_length = 50)]
    term: Option<String>,
    /// By default `contains`.
    match_type: Option<MatchType>,
}

/// Places. A tender matches if it is in one of these places.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
struct LocationsForm {
    provinces: Option<Vec<Province>>,
    districts: Option<Vec<District>>,
    /// At most 25 names of at most 100 characters each.
    #[schema(max_items = 25)]
    cities: Option<Vec<String>>,
}

/// Bounds on the estimated value. Both bounds are included.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
struct RangeForm {
    /// The minimum, in millions.
    min: Option<f64>,
    /// The maximum, in millions.
    max: Option<f64>,
    /// By default LKR.
    currency: Option<AlertCurrency>,
}

/// Whether, how often and to which address matches are mailed.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EmailForm {
    /// By default true.
    enabled: Option<bool>,
    /// By default `immediate`.
    frequency: Option<Frequency>,
    /// The address for mails. By default the account's address.
    custom_email: Option<String>,
    /// `HH:MM`, by default 09:00.
    daily_summary_time: Option<String>,
}

/// The filters in the section Advanced Filters.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct AdvancedForm {
    /// At most 10 keywords of at most 50 characters each. Blank entries are ignored.
    #[schema(max_items = 10)]
    exclude_keywords: Option<Vec<String>>,
    /// The minimum number of whole days until closing, 0 to 365.
    min_days_until_closing: Option<f64>,
    /// The maximum number of whole days until closing, 0 to 365.
    max_days_until_closing: Option<f64>,
    /// By default only `published`.
    included_statuses: Option<Vec<TenderStatus>>,
    /// If the list is empty, all priorities match.
    included_priorities: Option<Vec<Priority>>,
}

impl AlertForm {
    /// Returns the SHA-256 of the whole form. It shows whether two submissions have
    /// the same content.
    pub fn digest(&self) -> serde_json::Result<[u8; 32]> {
        Ok(Sha256::digest(serde_json::to_vec(self)?).into())
    }

    /// Converts a valid form to an alert.
    ///
    /// # Errors
    /// The errors of all invalid fields.
    pub fn read(self) -> Result<NewAlert, Vec<FieldError>> {
        let mut faults = Faults::default();
        let name = self.name.as_deref().unwrap_or_default().trim().to_owned();
        match name.chars().count() {
            0 => faults.add("name", "Alert name is required"),
            count if count > MAX_NAME_LENGTH => faults.add("name", "Name cannot exceed 100 characters"),
            _ => faults.refuse_control_characters("name", "Name", &name),
        }
        let description = self.description.as_deref().unwrap_or_default().trim().to_owned();
        if description.chars().count() > MAX_DESCRIPTION_LENGTH {
            faults.add("description", "Description cannot exceed 500 characters");
        }
        let advanced = self.advanced_filters.clone().unwrap_or_default();
        let email = self.email_settings.clone().unwrap_or_default();
        let channels = unique(self.channels.clone().unwrap_or_default());
        let mut query = self.read_filters(&mut faults);
        let email = email.read(&mut faults);
        query.advanced_filters = advanced.read(&mut faults);
        let description = Some(description).filter(|text| !text.is_empty());
        faults.into_result(NewAlert { name, description, query, email, channels })
    }

    /// Converts only the query and the frequency of mails.
    ///
    /// # Errors
    /// The errors of all invalid fields.
    pub fn read_query(self) -> Result<(AlertQuery, Frequency), Vec<FieldError>> {
        let mut faults = Faults::default();
        let advanced = self.advanced_filters.clone().unwrap_or_default();
        let frequency = self.email_settings.as_ref().and_then(|email| email.frequency).unwrap_or_default();
        let mut query = self.read_filters(&mut faults);
        query.advanced_filters = advanced.read(&mut faults);
        faults.into_result((query, frequency))
    }

    /// Reads the query except the advanced filters.
    fn read_filters(self, faults: &mut Faults) -> AlertQuery {
        let bodies = read_bodies(self.bodies, faults);
        let keywords = read_keywords(self.keywords.unwrap_or_default(), !bodies.is_empty(), faults);
        let categories = unique(self.categories.unwrap_or_default());
        if categories.len() > MAX_CATEGORIES {
            faults.add("categories", "Maximum 10 categories allowed");
        }
        let estimated_value = self.estimated_value.unwrap_or_default().read(faults);
        AlertQuery {
            keywords,
            categories,
            locations: self.locations.unwrap_or_default().read(faults),
            organization_types: unique(self.organization_types.unwrap_or_default()),
            bodies,
            title_and_scope_only: self.title_and_scope_only.unwrap_or_default(),
            estimated_value,
            advanced_filters: AdvancedFilters::default(),
        }
    }
}

fn read_bodies(given: Option<Vec<String>>, faults: &mut Faults) -> Vec<String> {
    let bodies = unique(without_blanks(given));
    if bodies.len() > MAX_BODIES {
        faults.add("bodies", "Maximum 20 bodies allowed");
        return Vec::new();
    }
    for (nth, body) in bodies.iter().enumerate() {
        let field = format!("bodies[{nth}]");
        if body.chars().count() > MAX_BODY_LENGTH {
            faults.add(field, "Body cannot exceed 200 characters");
        } else if Pattern::new(body, MatchType::Exact).is_none() {
            faults.add(field, "Body must have a letter or a digit in it");
        }
    }
    bodies
}

/// `are_optional`: there may be no keyword.
fn read_keywords(given: Vec<KeywordForm>, are_optional: bool, faults: &mut Faults) -> Vec<Keyword> {
    if given.is_empty() && !are_optional {
        faults.add("keywords", "At least one keyword is required");
    }
    if given.len() > MAX_KEYWORDS {
        faults.add("keywords", "Maximum 20 keywords allowed");
        return Vec::new();
    }
    let mut keywords = Vec::with_capacity(given.len());
    for (nth, KeywordForm { term, match_type }) in given.into_iter().enumerate() {
        let keyword = Keyword {
            term: term.unwrap_or_default().trim().to_owned(),
            match_type: match_type.unwrap_or_default(),
        };
        let field = format!("keywords[{nth}].term");
        match keyword.term.chars().count() {
            0 => faults.add(field, "Keyword is required"),
            count if count > MAX_KEYWORD_LENGTH => faults.add(field, "Keyword cannot exceed 50 characters"),
            _ if Pattern::new(&keyword.term, keyword.match_type).is_none() => {
                faults.add(field, "Keyword must have a letter or a digit in it");
            }
            _ => {}
        }
        if !keywords.contains(&keyword) {
            keywords.push(keyword);
        }
    }
    keywords
}

impl LocationsForm {
    fn read(self, faults: &mut Faults) -> Locations {
        let mut cities = without_blanks(self.cities);
        if cities.len() > MAX_CITIES {
            faults.add("locations.cities", "Maximum 25 cities allowed");
            cities.clear();
        }
        for (nth, city) in cities.iter().enumerate() {
            if city.chars().count() > MAX_CITY_LENGTH {
                faults.add(format!("locations.cities[{nth}]"), "City cannot exceed 100 characters");
            }
        }
        Locations {
            provinces: unique(self.provinces.unwrap_or_default()),
            districts: unique(self.districts.unwrap_or_default()),
            cities: unique(cities),
        }
    }
}

impl RangeForm {
    fn read(self, faults: &mut Faults) -> ValueRange {
        let mut bound = |field: &str, number: Option<f64>| {
            let number = number?;
            if number < 0.0 {
                faults.add(format!("estimatedValue.{field}"), "Number must be greater than or equal to 0");
                return None;
            }
            Millions::new(number)
                .map_err(|error| faults.add(format!("estimatedValue.{field}"), error.to_string()))
                .ok()
        };
        let (min, max) = (bound("min", self.min), bound("max", self.max));
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            faults.add("estimatedValue.min", "Minimum value cannot be greater than maximum value");
        }
        ValueRange { min, max, currency: self.currency.unwrap_or_default() }
    }
}

impl EmailForm {
    fn read(self, faults: &mut Faults) -> EmailSettings {
        let standard = EmailSettings::default();
        let custom = self.custom_email.as_deref().map(str::trim).filter(|address| !address.is_empty());
        let custom = custom.and_then(|address| {
            let email = address.parse::<Email>();
            email.map_err(|message| faults.add("emailSettings.customEmail", message)).ok()
        });
        let time = self.daily_summary_time.as_deref().map_or(Some(standard.daily_summary_time), parse_time);
        if time.is_none() {
            faults.add("emailSettings.dailySummaryTime", "Invalid time format");
        }
        EmailSettings {
            enabled: self.enabled.unwrap_or(standard.enabled),
            frequency: self.frequency.unwrap_or_default(),
            custom_email: custom.map(|email| email.as_str().to_owned()),
            daily_summary_time: time.unwrap_or(standard.daily_summary_time),
        }
    }
}

impl AdvancedForm {
    fn read(self, faults: &mut Faults) -> AdvancedFilters {
        let mut excludes = without_blanks(self.exclude_keywords);
        if excludes.len() > MAX_EXCLUDES {
            faults.add("advancedFilters.excludeKeywords", "Maximum 10 exclude keywords allowed");
            excludes.clear();
        }
        for (nth, term) in excludes.iter().enumerate() {
            if term.chars().count() > MAX_KEYWORD_LENGTH {
                let field = format!("advancedFilters.excludeKeywords[{nth}]");
                faults.add(field, "Keyword cannot exceed 50 characters");
            }
        }
        let min = faults.read_days("advancedFilters.minDaysUntilClosing", self.min_days_until_closing);
        let max = faults.read_days("advancedFilters.maxDaysUntilClosing", self.max_days_until_closing);
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            faults.add(
                "advancedFilters.minDaysUntilClosing",
                "Minimum days cannot be greater than maximum days",
            );
        }
        let statuses = unique(self.included_statuses.unwrap_or_default());
        if let Some(status) = statuses.iter().find(|status| !ALLOWED_STATUSES.contains(status)) {
            let message = format!("Expected published, closed, awarded or cancelled, received {status}");
            faults.add("advancedFilters.includedStatuses", message);
        }
        AdvancedFilters {
            exclude_keywords: unique(excludes),
            min_days_until_closing: min,
            max_days_until_closing: max,
            included_statuses: if statuses.is_empty() { vec![TenderStatus::Published] } else { statuses },
            included_priorities: unique(self.included_priorities.unwrap_or_default()),
        }
    }
}

/// Parses `HH:MM` of a 24-hour clock.
fn parse_time(text: &str) -> Option<civil::Time> {
    let (hour, minute) = text.trim().split_once(':')?;
    let part = |digits: &str| match digits.as_bytes() {
        [b'0'..=b'9', b'0'..=b'9'] => digits.parse::<i8>().ok(),
        _ => None,
    };
    civil::Time::new(part(hour)?, part(minute)?, 0, 0).ok()
}

/// Trims the entries and leaves out blank ones.
fn without_blanks(given: Option<Vec<String>>) -> Vec<String> {
    let trimmed = given.unwrap_or_default().into_iter().map(|entry| entry.trim().to_owned());
    trimmed.filter(|entry| !entry.is_empty()).collect()
}

/// The distinct entries in the given order. Each entry is compared with all distinct ones, so the
/// number of distinct entries must be small.
fn unique<T: PartialEq>(given: Vec<T>) -> Vec<T> {
    let mut kept = Vec::with_capacity(given.len());
    for one in given {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

/// The errors found so far.
#[derive(Debug, Default)]
struct Faults(Vec<FieldError>);

impl Faults {
    fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(FieldError::new(field, message));
    }

    fn refuse_control_characters(&mut self, field: &str, what: &str, text: &str) {
        if text.contains(char::is_control) {
            self.add(field, format!("{what} must not contain control characters"));
        }
    }

    fn read_days(&mut self, field: &str, given: Option<f64>) -> Option<u16> {
        let number = given?;
        let message = if number < 0.0 {
            "Number must be greater than or equal to 0"
        } else if number > f64::from(MAX_DAYS) {
            "Number must be less than or equal to 365"
        } else if number.fract() != 0.0 {
            "Expected integer, received float"
        } else {
            return Some(number as u16);
        };
        self.add(field, message);
        None
    }

    fn into_result<T>(self, value: T) -> Result<T, Vec<FieldError>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }
}

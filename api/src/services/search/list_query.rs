//! The query of the listing, its facets and saved searches: quick filters for all, every filter for
//! plans with advanced search.

use crate::{
    app::context::Context,
    base::paging,
    domain::error::{FieldError, ServiceError},
    services::entitlement::Entitlement,
};
use index::{
    ListingRequest, Period, Sort, StatusCard, TenderFilter, ValueRange,
    vocabulary::{Currency, Day, Millions, Moment, Topic},
};
use serde::Deserialize;
use std::str::FromStr;
use utoipa::{IntoParams, ToSchema};

/// The most characters of a search.
pub(crate) const LONGEST_SEARCH: usize = 200;

/// The most words in a filter's list.
const MOST_WORDS: usize = 50;

/// What to list. Lists are separated by `|`: any of them passes, and all filters pass together. Of `publishedToday`, `isLive` and `isClosed` at most one is true.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListQuery {
    /// From 1.
    #[serde(default = "paging::first_page", deserialize_with = "paging::page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    pub page: u32,
    /// Tenders a page.
    #[serde(default = "paging::page_size", deserialize_with = "paging::page_limit")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    pub limit: u32,
    /// A sector by its value or a category by its name; `all` is the same as none.
    #[serde(default)]
    category: Option<String>,
    /// Words to be found, best first.
    #[param(max_length = 200)]
    #[serde(default)]
    search: Option<String>,
    /// Published on today's Colombo day.
    #[serde(default)]
    published_today: Option<bool>,
    /// Open to bids.
    #[serde(default)]
    is_live: Option<bool>,
    /// No longer open to bids.
    #[serde(default)]
    is_closed: Option<bool>,
    /// The order: by relevance where words are searched, else the newest first (`best`), the newest, the next closing, the greatest value.
    #[param(inline)]
    #[serde(default)]
    sort: SortWord,
    /// Sectors.
    #[serde(default)]
    sectors: Option<String>,
    /// Categories.
    #[serde(default)]
    categories: Option<String>,
    /// Kinds of notice.
    #[serde(default)]
    kinds: Option<String>,
    /// Kinds of organisation.
    #[serde(default)]
    organization_types: Option<String>,
    /// Organisations by name.
    #[serde(default)]
    organizations: Option<String>,
    /// Provinces.
    #[serde(default)]
    provinces: Option<String>,
    /// Districts.
    #[serde(default)]
    districts: Option<String>,
    /// Cities by name.
    #[serde(default)]
    cities: Option<String>,
    /// Grades of contractors that are asked for.
    #[serde(default)]
    grades: Option<String>,
    /// Priorities.
    #[serde(default)]
    priorities: Option<String>,
    /// Languages they are printed in.
    #[serde(default)]
    languages: Option<String>,
    /// Newspapers by name.
    #[serde(default)]
    publications: Option<String>,
    /// The first day of publication, as 2026-11-20.
    #[serde(default)]
    published_from: Option<String>,
    /// The last.
    #[serde(default)]
    published_until: Option<String>,
    /// The first day of closing.
    #[serde(default)]
    closing_from: Option<String>,
    /// The last.
    #[serde(default)]
    closing_until: Option<String>,
    /// The least estimated value, in millions. One that states none passes.
    #[param(minimum = 0)]
    #[serde(default)]
    min_value: Option<String>,
    /// The greatest.
    #[param(minimum = 0)]
    #[serde(default)]
    max_value: Option<String>,
    /// What both are given in; rupees where it is left out.
    #[serde(default)]
    currency: Option<String>,
}

/// An order of the listing.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SortWord {
    /// Relevance, or the newest first.
    #[default]
    Best,
    /// The newest first.
    Newest,
    /// The next closing first.
    Closing,
    /// The greatest value first.
    Value,
}

impl ListQuery {
    /// The query string without page and page size, with its parameters in order of name.
    #[must_use]
    pub fn without_page(query: &str) -> String {
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .filter(|(name, value)| !matches!(name.as_ref(), "page" | "limit") && !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        pairs.sort();
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// The query string of the API for a page of the web application: the inverse of
    /// [`ListQuery::page_address`].
    #[must_use]
    pub fn query_of_page(query: &str) -> String {
        let mut call = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()).filter(|(_, value)| !value.is_empty()) {
            match (name.as_ref(), value.as_ref()) {
                ("show", "today") => call.append_pair("publishedToday", "true"),
                ("show", "live") => call.append_pair("isLive", "true"),
                ("show", "closed") => call.append_pair("isClosed", "true"),
                (name, value) => call.append_pair(name, value),
            };
        }
        call.finish()
    }

    /// The title of an unnamed search.
    #[must_use]
    pub fn title(&self) -> String {
        let words = [self.search.as_deref(), self.category.as_deref().filter(|word| *word != "all")];
        let words: Vec<&str> = words.into_iter().flatten().filter(|word| !word.trim().is_empty()).collect();
        if words.is_empty() { "New tenders".to_owned() } else { format!("New tenders: {}", words.join(", ")) }
    }

    /// The address of this search in the web application, which combines its stat cards in one
    /// parameter.
    #[must_use]
    pub fn page_address(query: &str) -> String {
        let show = |name: &str| match name {
            "publishedToday" => Some("today"),
            "isLive" => Some("live"),
            "isClosed" => Some("closed"),
            _ => None,
        };
        let mut address = form_urlencoded::Serializer::new(String::new());
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            match show(&name) {
                Some(card) if value == "true" => address.append_pair("show", card),
                Some(_) => &mut address,
                None => address.append_pair(&name, &value),
            };
        }
        let address = address.finish();
        if address.is_empty() { "/tenders".to_owned() } else { format!("/tenders?{address}") }
    }

    /// The request to the index. Invalid fields are reported before filters that the plan lacks.
    ///
    /// # Errors
    /// 422 for invalid fields, 403 for filters that the plan does not include.
    pub fn request(
        self,
        entitlement: &Entitlement,
        context: &Context,
    ) -> Result<ListingRequest, ServiceError> {
        let quick = read(&self);
        let mut errors = Vec::new();
        let advanced = self.filter(&mut errors);
        let mut request = quick.map_err(|mut quick| {
            quick.append(&mut errors);
            ServiceError::Invalid(quick)
        })?;
        if !errors.is_empty() {
            return Err(ServiceError::Invalid(errors));
        }
        if advanced != TenderFilter::default() {
            entitlement.permit_every_filter()?;
        }
        let quick = request.filter;
        request.filter = TenderFilter {
            sectors: [quick.sectors, advanced.sectors].concat(),
            categories: [quick.categories, advanced.categories].concat(),
            statuses: quick.statuses,
            ..advanced
        };
        request.reader = entitlement.reader();
        request.rates = context.config.rates_lkr.clone();
        request.sort = match self.sort {
            SortWord::Best => Sort::Best,
            SortWord::Newest => Sort::Newest,
            SortWord::Closing => Sort::Closing,
            SortWord::Value => Sort::Value,
        };
        Ok(request)
    }

    /// All filters except the quick ones.
    fn filter(&self, errors: &mut Vec<FieldError>) -> TenderFilter {
        TenderFilter {
            sectors: words("sectors", self.sectors.as_deref(), errors),
            categories: words("categories", self.categories.as_deref(), errors),
            kinds: words("kinds", self.kinds.as_deref(), errors),
            organization_types: words("organizationTypes", self.organization_types.as_deref(), errors),
            organizations: names("organizations", self.organizations.as_deref(), errors),
            provinces: words("provinces", self.provinces.as_deref(), errors),
            districts: words("districts", self.districts.as_deref(), errors),
            cities: names("cities", self.cities.as_deref(), errors),
            grades: words("grades", self.grades.as_deref(), errors),
            priorities: words("priorities", self.priorities.as_deref(), errors),
            languages: words("languages", self.languages.as_deref(), errors),
            publications: names("publications", self.publications.as_deref(), errors),
            published: period("published", (&self.published_from, &self.published_until), errors),
            closing: period("closing", (&self.closing_from, &self.closing_until), errors),
            value: self.value(errors),
            statuses: Vec::new(),
        }
    }

    fn value(&self, errors: &mut Vec<FieldError>) -> ValueRange {
        let mut bound = |field: &str, text: &Option<String>| {
            let text = text.as_deref()?;
            let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0);
            let millions = number.and_then(|number| Millions::new(number).ok());
            if millions.is_none() {
                let message = format!("{field}: must be an amount in millions, such as 2.5");
                errors.push(FieldError::new(field, message));
            }
            millions
        };
        let (min, max) = (bound("minValue", &self.min_value), bound("maxValue", &self.max_value));
        let currency = self.currency.as_deref().map(str::parse::<Currency>).transpose();
        if currency.is_err() {
            errors
                .push(FieldError::new("currency", "currency: must be a code of three letters, such as LKR"));
        }
        if min.zip(max).is_some_and(|(min, max)| min > max) {
            errors.push(FieldError::new("minValue", "minValue: must not be greater than maxValue"));
        }
        let currency = currency.ok().flatten().unwrap_or_default();
        // Without a bound the currency has no effect.
        if min.is_none() && max.is_none() { ValueRange::default() } else { ValueRange { min, max, currency } }
    }
}

/// The entries of a list.
fn parts(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split('|').map(str::trim).filter(|word| !word.is_empty())
}

/// Terms of the vocabulary.
fn words<T: FromStr>(field: &str, list: Option<&str>, errors: &mut Vec<FieldError>) -> Vec<T> {
    let mut known = Vec::new();
    for word in names(field, list, errors) {
        match word.parse() {
            Ok(term) => known.push(term),
            Err(_) => {
                let word: String = word.chars().take(60).collect();
                errors.push(FieldError::new(field, format!("{field}: does not know `{word}`")));
            }
        }
    }
    known
}

/// Names as given.
fn names(field: &str, list: Option<&str>, errors: &mut Vec<FieldError>) -> Vec<String> {
    if parts(list).count() > MOST_WORDS {
        errors.push(FieldError::new(field, format!("{field}: at most {MOST_WORDS} at once")));
        return Vec::new();
    }
    parts(list).map(str::to_owned).collect()
}

/// Whole days in Colombo between two dates.
fn period(
    what: &str,
    (from, until): (&Option<String>, &Option<String>),
    errors: &mut Vec<FieldError>,
) -> Period {
    let mut day = |end: &str, text: &Option<String>| {
        let day = text.as_deref().map(str::parse::<Day>).transpose();
        if day.is_err() {
            let field = format!("{what}{end}");
            let message = format!("{field}: must be a day such as 2026-11-20");
            errors.push(FieldError::new(field, message));
        }
        day.ok().flatten()
    };
    let (first, last) = (day("From", from), day("Until", until));
    if first.zip(last).is_some_and(|(first, last)| first > last) {
        let field = format!("{what}From");
        let message = format!("{field}: must not be after {what}Until");
        errors.push(FieldError::new(field, message));
    }
    Period { from: first.and_then(Moment::start_of), until: last.and_then(Moment::end_of) }
}

/// A sector by its value or a category by its name. `all` means neither.
pub(crate) fn topic(category: Option<&str>, errors: &mut Vec<FieldError>) -> Option<Topic> {
    match category.map(str::trim) {
        None | Some("" | "all") => None,
        Some(word) => match word.parse::<Topic>() {
            Ok(topic) => Some(topic),
            Err(_) => {
                let known =
                    "category: must be a sector (such as construction) or a category (such as Vehicles)";
                errors.push(FieldError::new("category", known));
                None
            }
        },
    }
}

/// The search text; none if it is blank.
pub(crate) fn text(search: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = search.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > LONGEST_SEARCH) {
        errors.push(FieldError::new("search", format!("search: at most {LONGEST_SEARCH} characters")));
    }
    text
}

/// The one filter that is on.
pub(crate) fn only<T>(
    filters: impl IntoIterator<Item = (&'static str, Option<bool>, T)>,
    message: &str,
    errors: &mut Vec<FieldError>,
) -> Option<T> {
    let mut chosen = filters.into_iter().filter(|(_, wanted, _)| *wanted == Some(true));
    let only = chosen.next().map(|(_, _, only)| only);
    if let Some((second, ..)) = chosen.next() {
        errors.push(FieldError::new(second, message));
    }
    only
}

/// Reads the quick filters.
fn read(query: &ListQuery) -> Result<ListingRequest, Vec<FieldError>> {
    let mut errors = Vec::new();
    let topic = topic(query.category.as_deref(), &mut errors);
    let text = text(query.search.as_deref(), &mut errors);
    let quick = [
        ("publishedToday", query.published_today, StatusCard::Today),
        ("isLive", query.is_live, StatusCard::Live),
        ("isClosed", query.is_closed, StatusCard::Closed),
    ];
    let message = "at most one of publishedToday, isLive and isClosed can be true";
    let only = only(quick, message, &mut errors);
    if errors.is_empty() {
        Ok(ListingRequest {
            text,
            filter: TenderFilter {
                statuses: only.into_iter().collect(),
                ..topic.map(TenderFilter::about).unwrap_or_default()
            },
            page: query.page as usize,
            limit: query.limit as usize,
            ..ListingRequest::default()
        })
    } else {
        Err(errors)
    }
}

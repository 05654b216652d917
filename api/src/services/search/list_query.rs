//! The query parameters of the listing, its facets and saved searches. Everybody can use the quick
//! basic filters: the text, sectors, one category, districts, and the status. The other filters need a
//! plan with advanced search.

use crate::{
    app::context::Context,
    base::paging,
    domain::error::{FieldError, ServiceError},
    services::entitlement::Entitlement,
};
use index::{ListingRequest, Period, Sort, StatusCard, TenderFilter, ValueRange};
use serde::Deserialize;
use std::str::FromStr;
use tender_model::{
    eligibility::BidAnswer,
    vocabulary::{Currency, Day, Millions, Moment, Topic},
};
use utoipa::{IntoParams, ToSchema};

/// The maximum number of characters of a search text.
pub(crate) const MAX_SEARCH_LENGTH: usize = 200;

/// The maximum number of entries in the list of a filter.
const MAX_ENTRIES: usize = 50;

/// The filters of the listing. The values of a list are separated by `|`, and one of them must
/// match. All filters must match; `category` counts as a further value of `sectors` or
/// `categories`. At most one of `publishedToday`, `isLive` and `isClosed` may be true.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ListQuery {
    /// The number of the page, from 1.
    #[serde(default = "paging::default_page", deserialize_with = "paging::deserialize_page_number")]
    #[param(minimum = 1, maximum = 10000, default = 1, required = false)]
    pub page: u32,
    /// Tenders per page.
    #[serde(default = "paging::default_page_size", deserialize_with = "paging::deserialize_page_size")]
    #[param(minimum = 1, maximum = 50, default = 10, required = false)]
    pub limit: u32,
    /// A sector by its value or a category by its name. `all` sets no filter.
    #[serde(default)]
    category: Option<String>,
    /// The text to search for.
    #[param(max_length = 200)]
    #[serde(default)]
    search: Option<String>,
    /// If true, only tenders published today, in Colombo time.
    #[serde(default)]
    published_today: Option<bool>,
    /// If true, only tenders open to bids.
    #[serde(default)]
    is_live: Option<bool>,
    /// If true, only tenders no longer open to bids.
    #[serde(default)]
    is_closed: Option<bool>,
    /// If true, tenders no longer open to bids are left out, unless one of the three filters above is true.
    #[serde(default)]
    hide_closed: Option<bool>,
    /// Answers to "May I bid?", for users with a company profile. Only `GET /tenders` has this filter. It
    /// looks at the first 2,000 tenders that match the other filters.
    #[serde(default)]
    bid_answers: Option<String>,
    /// The order. `best` means by relevance if there is a search text, otherwise newest first.
    /// `GET /tenders` lists the tenders open to bids before the others.
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
    /// Required grades of contractors.
    #[serde(default)]
    grades: Option<String>,
    /// Priorities.
    #[serde(default)]
    priorities: Option<String>,
    /// Languages in which the notices are printed.
    #[serde(default)]
    languages: Option<String>,
    /// Newspapers by name.
    #[serde(default)]
    publications: Option<String>,
    /// The first day of publication, such as 2026-11-20.
    #[serde(default)]
    published_from: Option<String>,
    /// The last day of publication.
    #[serde(default)]
    published_until: Option<String>,
    /// The first day of closing.
    #[serde(default)]
    closing_from: Option<String>,
    /// The last day of closing.
    #[serde(default)]
    closing_until: Option<String>,
    /// The minimum estimated value, in millions. Tenders without a value match.
    #[param(minimum = 0)]
    #[serde(default)]
    min_value: Option<String>,
    /// The maximum estimated value, in millions. Tenders without a value match.
    #[param(minimum = 0)]
    #[serde(default)]
    max_value: Option<String>,
    /// The currency of `minValue` and `maxValue`, by default rupees.
    #[serde(default)]
    currency: Option<String>,
}

/// An order of the listing.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SortWord {
    /// By relevance if there is a search text, otherwise newest first.
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
    /// The query string sorted by parameter name, without page, page size and empty parameters.
    #[must_use]
    pub fn without_page(query: &str) -> String {
        let mut pairs: Vec<(String, String)> = form_urlencoded::parse(query.as_bytes())
            .filter(|(name, value)| !matches!(name.as_ref(), "page" | "limit") && !value.is_empty())
            .map(|(name, value)| (name.into_owned(), value.into_owned()))
            .collect();
        pairs.sort();
        form_urlencoded::Serializer::new(String::new()).extend_pairs(pairs).finish()
    }

    /// Converts the query string of a page of the web application to that of the API. This is the
    /// inverse of [`ListQuery::page_address`].
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

    /// The typed search text if the first page is requested. `None`: nothing was typed, or a later page
    /// is requested.
    #[must_use]
    pub fn first_page_text(&self) -> Option<&str> {
        let text = self.search.as_deref().filter(|text| !text.trim().is_empty());
        text.filter(|_| self.page == 1)
    }

    /// The title of a search that has no name.
    #[must_use]
    pub fn title(&self) -> String {
        let words = [self.search.as_deref(), self.category.as_deref().filter(|word| *word != "all")];
        let words: Vec<&str> = words.into_iter().flatten().filter(|word| !word.trim().is_empty()).collect();
        if words.is_empty() { "New tenders".to_owned() } else { format!("New tenders: {}", words.join(", ")) }
    }

    /// The path of a search in the web application, which combines `publishedToday`, `isLive` and
    /// `isClosed` in the parameter `show`.
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

    /// Takes the filter by the answers to "May I bid?" out of the query. Empty: any answer.
    ///
    /// # Errors
    /// 422 for an unknown answer.
    pub(crate) fn take_bid_answers(&mut self) -> Result<Vec<BidAnswer>, ServiceError> {
        let mut errors = Vec::new();
        let answers = read_terms("bidAnswers", self.bid_answers.take().as_deref(), &mut errors);
        if errors.is_empty() { Ok(answers) } else { Err(ServiceError::Invalid(errors)) }
    }

    /// Converts the query to a request to the index. Invalid fields are reported before filters
    /// that the plan lacks.
    ///
    /// # Errors
    /// 422 for invalid fields, 403 for filters that the plan does not include.
    pub fn request(
        self,
        entitlement: &Entitlement,
        context: &Context,
    ) -> Result<ListingRequest, ServiceError> {
        let quick = read_quick_filters(&self);
        let mut errors = Vec::new();
        let advanced = self.read_list_filters(&mut errors);
        if split_entries(self.bid_answers.as_deref()).next().is_some() {
            errors.push(FieldError::new("bidAnswers", "bidAnswers: filters only the list of tenders"));
        }
        let mut request = quick.map_err(|mut quick| {
            quick.append(&mut errors);
            ServiceError::Invalid(quick)
        })?;
        if !errors.is_empty() {
            return Err(ServiceError::Invalid(errors));
        }
        let needs_plan = TenderFilter { sectors: Vec::new(), districts: Vec::new(), ..advanced.clone() };
        if needs_plan != TenderFilter::default() {
            entitlement.permit_advanced_search()?;
        }
        let quick = request.filter;
        request.filter = TenderFilter {
            sectors: [quick.sectors, advanced.sectors].concat(),
            categories: [quick.categories, advanced.categories].concat(),
            statuses: quick.statuses,
            ..advanced
        };
        request.viewer = entitlement.viewer();
        request.rates = context.config.rates_lkr.clone();
        request.sort = match self.sort {
            SortWord::Best => Sort::Best,
            SortWord::Newest => Sort::Newest,
            SortWord::Closing => Sort::Closing,
            SortWord::Value => Sort::Value,
        };
        Ok(request)
    }

    /// Reads the lists and ranges.
    fn read_list_filters(&self, errors: &mut Vec<FieldError>) -> TenderFilter {
        TenderFilter {
            sectors: read_terms("sectors", self.sectors.as_deref(), errors),
            categories: read_terms("categories", self.categories.as_deref(), errors),
            kinds: read_terms("kinds", self.kinds.as_deref(), errors),
            organization_types: read_terms("organizationTypes", self.organization_types.as_deref(), errors),
            organizations: read_names("organizations", self.organizations.as_deref(), errors),
            provinces: read_terms("provinces", self.provinces.as_deref(), errors),
            districts: read_terms("districts", self.districts.as_deref(), errors),
            cities: read_names("cities", self.cities.as_deref(), errors),
            grades: read_terms("grades", self.grades.as_deref(), errors),
            priorities: read_terms("priorities", self.priorities.as_deref(), errors),
            languages: read_terms("languages", self.languages.as_deref(), errors),
            publications: read_names("publications", self.publications.as_deref(), errors),
            published: read_period("published", (&self.published_from, &self.published_until), errors),
            closing: read_period("closing", (&self.closing_from, &self.closing_until), errors),
            value: self.read_value(errors),
            statuses: Vec::new(),
        }
    }

    fn read_value(&self, errors: &mut Vec<FieldError>) -> ValueRange {
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
        // A currency without bounds has no effect, so it does not count as a filter.
        if min.is_none() && max.is_none() { ValueRange::default() } else { ValueRange { min, max, currency } }
    }
}

/// Splits a list at `|` into its entries.
fn split_entries(list: Option<&str>) -> impl Iterator<Item = &str> {
    list.unwrap_or_default().split('|').map(str::trim).filter(|word| !word.is_empty())
}

/// Reads the terms of a vocabulary in a list.
fn read_terms<T: FromStr>(field: &str, list: Option<&str>, errors: &mut Vec<FieldError>) -> Vec<T> {
    let mut known = Vec::new();
    for word in read_names(field, list, errors) {
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

/// Reads the names in a list as given.
fn read_names(field: &str, list: Option<&str>, errors: &mut Vec<FieldError>) -> Vec<String> {
    if split_entries(list).count() > MAX_ENTRIES {
        errors.push(FieldError::new(field, format!("{field}: at most {MAX_ENTRIES} at once")));
        return Vec::new();
    }
    split_entries(list).map(str::to_owned).collect()
}

/// Reads a period of whole days in Colombo.
fn read_period(
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

/// Reads a sector by its value or a category by its name. `all` means neither.
pub(crate) fn read_topic(category: Option<&str>, errors: &mut Vec<FieldError>) -> Option<Topic> {
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

/// Reads the search text. `None`: it is blank.
pub(crate) fn read_text(search: Option<&str>, errors: &mut Vec<FieldError>) -> Option<String> {
    let text = search.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
    if text.as_ref().is_some_and(|text| text.chars().count() > MAX_SEARCH_LENGTH) {
        errors.push(FieldError::new("search", format!("search: at most {MAX_SEARCH_LENGTH} characters")));
    }
    text
}

/// The one filter that is true. More than one is an error.
pub(crate) fn single_filter<T>(
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

/// Reads the quick filters into a request.
fn read_quick_filters(query: &ListQuery) -> Result<ListingRequest, Vec<FieldError>> {
    let mut errors = Vec::new();
    let topic = read_topic(query.category.as_deref(), &mut errors);
    let text = read_text(query.search.as_deref(), &mut errors);
    let quick = [
        ("publishedToday", query.published_today, StatusCard::Today),
        ("isLive", query.is_live, StatusCard::Live),
        ("isClosed", query.is_closed, StatusCard::Closed),
    ];
    let message = "at most one of publishedToday, isLive and isClosed can be true";
    let hidden = (query.hide_closed == Some(true)).then_some(StatusCard::Live);
    let only = single_filter(quick, message, &mut errors).or(hidden);
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

//! Adds the limits of input to the OpenAPI document. Most limits are constants of the code that
//! checks the input, and `utoipa` attributes accept only literals.

use crate::{
    http::routes::auth::ROLES,
    services::{alerts::form as alert, search::list_query, tenders::form as tender},
};
use tender_model::vocabulary::{
    Category, District, Kind, Language, OrganizationType, OtherGrades, Priority, ProcurementMethod, Province,
    Sector, TenderStatus, Visibility,
};
use utoipa::openapi::{
    Components, OpenApi, RefOr, Schema,
    path::Parameter,
    schema::{ArrayItems, Object, SchemaType, Type},
};

/// A limit of a value.
#[derive(Debug, Clone)]
enum Bound {
    /// At most this many characters.
    Length(usize),
    /// At most this many entries, each of at most this many characters.
    Entries(usize, usize),
    /// At most this many objects.
    Rows(usize),
    /// A number in this range. A field with a named type also accepts the number as text.
    Number(f64, f64),
    /// A whole number in this range.
    Whole(f64, f64),
    /// A text that matches this regular expression.
    Pattern(String),
    /// A text of at most this length that matches this regular expression.
    Text(usize, &'static str),
}

/// A mail address, or empty.
const EMAIL_PATTERN: &str = "^([^@\\s]+@[^@\\s]+\\.[^@\\s]+)?$";
/// The maximum length of a mail address.
const EMAIL_LENGTH: usize = 254;
/// A web address, or empty.
const WEB_PATTERN: &str = "^(https?://.+)?$";
/// An RFC 3339 time or a date from 1990 to 2100, or empty.
const MOMENT_PATTERN: &str = "^((199\\d|20\\d\\d|2100)-\\d{2}-\\d{2}(T.+)?)?$";
/// A date from 1990 to 2100, or empty.
const FORM_DAY_PATTERN: &str = "^((199\\d|20\\d\\d|2100)-\\d{2}-\\d{2})?$";
/// A contractor grade, or empty.
const GRADE_PATTERN: &str = "^(C([1-9]|10)|CS[12]|EM[1-5]?|(GP|SP|M)\\d{0,2})?$";
/// The maximum amount in whole units of a currency.
const MAX_UNITS: f64 = 9e13;
/// A date.
const DAY_PATTERN: &str = "^\\d{4}-\\d{2}-\\d{2}$";
/// A currency code, or empty.
const CURRENCY_PATTERN: &str = "^([A-Z]{3})?$";
/// An amount in millions.
const MILLIONS_PATTERN: &str = "^\\d+(\\.\\d+)?$";
/// A time of day.
const TIME_OF_DAY_PATTERN: &str = "^([01]\\d|2[0-3]):[0-5]\\d$";

/// Limits a text to one of these values or to the empty text.
fn one_of<'a>(words: impl Iterator<Item = &'a str>) -> Bound {
    Bound::Pattern(format!("^({})?$", alternatives(words)))
}

/// Limits a text to one or more of these values, separated by `|`.
fn list_of<'a>(words: impl Iterator<Item = &'a str>) -> Bound {
    let any = alternatives(words);
    Bound::Pattern(format!("^({any})(\\|({any}))*$"))
}

fn alternatives<'a>(words: impl Iterator<Item = &'a str>) -> String {
    words.collect::<Vec<_>>().join("|")
}

macro_rules! all {
    ($vocabulary:ident) => {
        $vocabulary::ALL.iter().map(|member| member.as_str())
    };
}

/// Returns the limits of body fields, each with its schema and field.
fn field_limits() -> Vec<(&'static str, &'static str, Bound)> {
    use Bound::{Entries, Length, Number, Pattern, Rows, Text, Whole};
    let (line, text) = (Length(tender::limits::MAX_LINE_LENGTH), Length(tender::limits::MAX_TEXT_LENGTH));
    let list = Entries(tender::limits::MAX_ENTRIES, tender::limits::MAX_LINE_LENGTH);
    let (amount, millions) = (Number(0.0, MAX_UNITS), Number(0.0, MAX_UNITS / 1e6));
    let moment = Pattern(MOMENT_PATTERN.to_owned());
    let day = Pattern(FORM_DAY_PATTERN.to_owned());
    let currency = Pattern(CURRENCY_PATTERN.to_owned());
    let days = Whole(0.0, f64::from(alert::MAX_DAYS));
    let role = one_of(ROLES.into_iter());
    vec![
        ("TenderForm", "title", line.clone()),
        ("TenderForm", "description", text.clone()),
        ("TenderForm", "category", one_of(all!(Category))),
        ("TenderForm", "subcategory", line.clone()),
        ("TenderForm", "referenceNo", line.clone()),
        ("TenderForm", "status", one_of(all!(TenderStatus))),
        ("TenderForm", "sourceUrl", Text(tender::limits::MAX_LINE_LENGTH, WEB_PATTERN)),
        ("TenderForm", "sourcePage", Length(tender::limits::MAX_PAGE_LABEL_LENGTH)),
        ("TenderForm", "fullTextMarkdown", Length(tender::limits::MAX_FULL_TEXT_LENGTH)),
        ("TenderForm", "tags", list.clone()),
        ("TenderForm", "priority", one_of(all!(Priority))),
        ("TenderForm", "visibility", one_of(all!(Visibility))),
        ("TenderForm", "method", one_of(all!(ProcurementMethod))),
        ("TenderForm", "cida", Rows(tender::limits::MAX_GRADES)),
        ("TenderForm", "lots", Rows(tender::limits::MAX_LOTS)),
        ("CidaForm", "grade", Text(tender::limits::MAX_GRADE_LENGTH, GRADE_PATTERN)),
        ("CidaForm", "field", line.clone()),
        ("CidaForm", "alsoAdmits", one_of(all!(OtherGrades))),
        ("DocumentFeeForm", "amount", amount.clone()),
        ("DocumentFeeForm", "currency", currency.clone()),
        ("DocumentFeeForm", "saleFrom", day.clone()),
        ("DocumentFeeForm", "saleUntil", day),
        ("DocumentFeeForm", "place", line.clone()),
        ("PreBidForm", "at", moment.clone()),
        ("PreBidForm", "place", line.clone()),
        ("LotForm", "number", Length(tender::limits::MAX_LOT_NUMBER_LENGTH)),
        ("LotForm", "title", line.clone()),
        ("OrganizationForm", "name", line.clone()),
        ("OrganizationForm", "type", one_of(all!(OrganizationType))),
        ("ContactForm", "name", line.clone()),
        ("ContactForm", "email", Text(EMAIL_LENGTH, EMAIL_PATTERN)),
        ("ContactForm", "phone", Length(tender::limits::MAX_PHONE_LENGTH)),
        ("ValueForm", "amount", millions.clone()),
        ("ValueForm", "currency", currency.clone()),
        ("BondForm", "percentage", Number(0.0, 100.0)),
        ("BondForm", "amount", amount.clone()),
        ("BondForm", "currency", currency.clone()),
        ("LocationForm", "province", one_of(all!(Province))),
        ("LocationForm", "district", one_of(all!(District))),
        ("LocationForm", "city", line),
        ("DatesForm", "published", moment.clone()),
        ("DatesForm", "closing", moment.clone()),
        ("DatesForm", "opening", moment),
        ("EligibilityForm", "criteria", list.clone()),
        ("EligibilityForm", "documentRequired", list),
        ("ExperienceForm", "years", Number(0.0, 100.0)),
        ("ExperienceForm", "description", text),
        ("TurnoverForm", "minimum", amount),
        ("TurnoverForm", "currency", currency),
        ("AdvancedForm", "excludeKeywords", Entries(alert::MAX_EXCLUDES, alert::MAX_KEYWORD_LENGTH)),
        ("AdvancedForm", "minDaysUntilClosing", days.clone()),
        ("AdvancedForm", "maxDaysUntilClosing", days),
        ("LocationsForm", "cities", Entries(alert::MAX_CITIES, alert::MAX_CITY_LENGTH)),
        ("RangeForm", "min", millions.clone()),
        ("RangeForm", "max", millions),
        ("EmailForm", "customEmail", Text(EMAIL_LENGTH, EMAIL_PATTERN)),
        ("EmailForm", "dailySummaryTime", Pattern(TIME_OF_DAY_PATTERN.to_owned())),
        ("Registration", "role", role.clone()),
        ("GoogleSignIn", "role", role),
    ]
}

/// Returns the limits of the query parameters for listing tenders, with their names.
fn parameter_limits() -> Vec<(&'static str, Bound)> {
    let pattern = |pattern: &str| Bound::Pattern(pattern.to_owned());
    let topics = all!(Sector).chain(all!(Category)).chain(["all"]);
    vec![
        ("category", one_of(topics)),
        ("search", Bound::Length(list_query::MAX_SEARCH_LENGTH)),
        ("sectors", list_of(all!(Sector))),
        ("categories", list_of(all!(Category))),
        ("kinds", list_of(all!(Kind))),
        ("organizationTypes", list_of(all!(OrganizationType))),
        ("provinces", list_of(all!(Province))),
        ("districts", list_of(all!(District))),
        ("priorities", list_of(all!(Priority))),
        ("languages", list_of(all!(Language))),
        ("publishedFrom", pattern(DAY_PATTERN)),
        ("publishedUntil", pattern(DAY_PATTERN)),
        ("closingFrom", pattern(DAY_PATTERN)),
        ("closingUntil", pattern(DAY_PATTERN)),
        ("minValue", pattern(MILLIONS_PATTERN)),
        ("maxValue", pattern(MILLIONS_PATTERN)),
        ("currency", pattern(CURRENCY_PATTERN)),
    ]
}

/// The routes to which [`parameter_limits`] applies.
const LISTING_PATHS: [&str; 4] =
    ["/tenders", "/tenders/facets", "/tenders/user/my-tenders", "/feeds/tenders"];

/// Adds all limits to the document.
pub(super) fn add_limits(document: &mut OpenApi) {
    if let Some(components) = &mut document.components {
        for (schema, field, bound) in field_limits() {
            if let Some(property) = property(components, schema, field) {
                bound.add_to(property);
            }
        }
    }
    for (path, item) in &mut document.paths.paths {
        let Some(operation) = item.get.as_mut().filter(|_| LISTING_PATHS.contains(&path.as_str())) else {
            continue;
        };
        let parameters = operation.parameters.iter_mut().flatten();
        for parameter in parameters {
            let RefOr::T(Parameter { name, schema, .. }) = parameter else { continue };
            let bound = parameter_limits().into_iter().find(|(bounded, _)| bounded == name);
            if let (Some((_, bound)), Some(schema)) = (bound, schema) {
                bound.add_to(schema);
            }
        }
    }
}

fn property<'a>(components: &'a mut Components, schema: &str, field: &str) -> Option<&'a mut RefOr<Schema>> {
    match components.schemas.get_mut(schema)? {
        RefOr::T(Schema::Object(object)) => object.properties.get_mut(field),
        _ => None,
    }
}

impl Bound {
    fn add_to(self, schema: &mut RefOr<Schema>) {
        match (self, schema) {
            (Self::Length(longest), RefOr::T(Schema::Object(text))) => text.max_length = Some(longest),
            (Self::Pattern(pattern), RefOr::T(Schema::Object(text))) => text.pattern = Some(pattern),
            (Self::Text(longest, pattern), RefOr::T(Schema::Object(text))) => {
                text.max_length = Some(longest);
                text.pattern = Some(pattern.to_owned());
            }
            (Self::Entries(most, longest), RefOr::T(Schema::Array(list))) => {
                list.max_items = Some(most);
                if let ArrayItems::RefOrSchema(item) = &mut list.items
                    && let RefOr::T(Schema::Object(item)) = item.as_mut()
                {
                    item.max_length = Some(longest);
                }
            }
            (Self::Rows(most), RefOr::T(Schema::Array(list))) => list.max_items = Some(most),
            (Self::Whole(least, most), RefOr::T(Schema::Object(number))) => {
                number.schema_type = SchemaType::from_iter([Type::Integer, Type::Null]);
                number.format = None;
                number.minimum = Some(least.into());
                number.maximum = Some(most.into());
            }
            (Self::Number(least, most), schema) => {
                let is_typed = !matches!(schema, RefOr::T(Schema::Object(_)));
                let description = description(schema);
                let kinds: &[Type] = if is_typed {
                    &[Type::Number, Type::String, Type::Null]
                } else {
                    &[Type::Number, Type::Null]
                };
                let mut number = Object::new();
                number.schema_type = SchemaType::from_iter(kinds.iter().cloned());
                number.description = description;
                number.minimum = Some(least.into());
                number.maximum = Some(most.into());
                *schema = RefOr::T(Schema::Object(number));
            }
            _ => {}
        }
    }
}

fn description(schema: &RefOr<Schema>) -> Option<String> {
    match schema {
        RefOr::T(Schema::Object(object)) => object.description.clone(),
        RefOr::T(Schema::OneOf(choice)) => choice.description.clone().or_else(|| {
            choice.items.iter().find_map(|item| match item {
                RefOr::Ref(reference) if !reference.description.is_empty() => {
                    Some(reference.description.clone())
                }
                _ => None,
            })
        }),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::vocabulary::{Amount, Millions};

    #[test]
    fn maximum_amount_matches_the_model() {
        assert!(Amount::new(MAX_UNITS).is_ok() && Amount::new(MAX_UNITS + 1.0).is_err());
        assert!(Millions::new(MAX_UNITS / 1e6).is_ok() && Millions::new(MAX_UNITS / 1e6 + 1.0).is_err());
    }

    #[test]
    fn every_limit_is_added_to_a_field() {
        let document = crate::http::router::document();
        let components = document.components.unwrap();
        for (schema, field, bound) in field_limits() {
            let before = property(&mut components.clone(), schema, field).cloned();
            let before = before.unwrap_or_else(|| panic!("{schema} has no {field}"));
            let json = serde_json::to_string(&before).unwrap();
            let is_limited =
                ["maxLength", "pattern", "maxItems", "maximum"].iter().any(|bound| json.contains(bound));
            assert!(is_limited, "{schema}.{field} lacks {bound:?}: {json}");
        }
    }
}

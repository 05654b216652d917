//! [`ModelResponse`] is the answer of a model for a notice. The answer is untrusted. Every field
//! is required, other fields are rejected, and each value has limits. `reconcile` decides which
//! values are used.
//!
//! The doc comments of the types and of their fields are sent to the model as part of the JSON
//! schema. Changing them requires a new [`super::VERSION`].

use super::failure::ModelFailure;
use jiff::civil::Time;
use schemars::{JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde::{Deserialize, Deserializer, de::Error as _};
use serde_json::Value;
use tender_model::vocabulary::{Amount, Category, Currency, Day};

/// The maximum length of an answer, in bytes.
pub(super) const MAX_ANSWER_BYTES: usize = 16 * 1024;
/// The maximum length of a field, in characters.
const MAX_FIELD_CHARS: usize = 300;
/// The years of the days that are accepted.
const YEARS: std::ops::RangeInclusive<i16> = 1990..=2099;

/// What a model read. `None`: the notice does not print it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[schemars(rename = "Answer")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct ModelResponse {
    /// What is to be bought, built, hired, sold or registered for, as printed.
    #[serde(deserialize_with = "text")]
    pub(super) title: Option<String>,
    /// The name of the body that invites bids, as printed, without its address.
    #[serde(deserialize_with = "text")]
    pub(super) organization: Option<String>,
    /// The body's own reference number of this notice, as printed.
    #[serde(deserialize_with = "text")]
    pub(super) reference_no: Option<String>,
    /// The category that fits best.
    #[serde(deserialize_with = "Option::deserialize")]
    #[schemars(schema_with = "categories")]
    pub(super) category: Option<Category>,
    /// When bids close.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) closing: Option<ResponseMoment>,
    /// When bids are opened.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) opening: Option<ResponseMoment>,
    /// When the pre-bid meeting or site visit is.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) pre_bid: Option<ResponseMoment>,
    /// The first day on which documents are sold or issued, as YYYY-MM-DD.
    #[serde(deserialize_with = "day_or_none")]
    #[schemars(with = "Option<String>")]
    pub(super) sale_from: Option<Day>,
    /// The last day on which documents are sold or issued, as YYYY-MM-DD.
    #[serde(deserialize_with = "day_or_none")]
    #[schemars(with = "Option<String>")]
    pub(super) sale_until: Option<Day>,
    /// What the body expects to pay.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) estimated_value: Option<ResponseAmount>,
    /// The bid security, where it is an amount.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) bid_security: Option<ResponseAmount>,
    /// The bid security, where it is a percentage of the bid.
    #[serde(deserialize_with = "percentage")]
    pub(super) bid_security_percentage: Option<f64>,
    /// What the bidding documents cost, without any deposit.
    #[serde(deserialize_with = "Option::deserialize")]
    pub(super) document_fee: Option<ResponseAmount>,
    /// The e-mail address to ask at.
    #[serde(deserialize_with = "text")]
    pub(super) email: Option<String>,
    /// The telephone number to ask at.
    #[serde(deserialize_with = "text")]
    pub(super) phone: Option<String>,
}

/// A day and its hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "When")]
#[serde(deny_unknown_fields)]
pub(super) struct ResponseMoment {
    /// As YYYY-MM-DD.
    #[serde(deserialize_with = "day")]
    #[schemars(with = "String")]
    pub(super) date: Day,
    /// On a clock of 24 hours, as HH:MM.
    #[serde(deserialize_with = "time")]
    #[schemars(with = "Option<String>")]
    pub(super) time: Option<Time>,
}

/// Money.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[schemars(rename = "Sum")]
#[serde(deny_unknown_fields)]
pub(super) struct ResponseAmount {
    /// In whole units: 27.9 million is 27900000.
    #[schemars(with = "f64")]
    pub(super) amount: Amount,
    /// The ISO 4217 code: LKR for rupees.
    #[schemars(with = "String")]
    pub(super) currency: Currency,
}

impl ModelResponse {
    /// Parses an answer.
    ///
    /// # Errors
    /// If it is too long, is not JSON, or violates the schema or a limit.
    pub(super) fn read(content: &str) -> Result<Self, ModelFailure> {
        if content.len() > MAX_ANSWER_BYTES {
            return Err(ModelFailure::TooLarge);
        }
        serde_json::from_str(content).map_err(|error| match error.classify() {
            serde_json::error::Category::Data => ModelFailure::OffSchema,
            _ => ModelFailure::NoJson,
        })
    }

    /// The schema, in the subset that strict output supports.
    pub(super) fn schema() -> Value {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
            settings.meta_schema = None;
            settings.inline_subschemas = true;
        });
        let mut schema = settings.into_generator().into_root_schema_for::<Self>();
        // The number formats of Rust are meaningless to the model.
        remove_formats(&mut schema);
        schema.to_value()
    }
}

fn remove_formats(schema: &mut Schema) {
    schema.remove("format");
    schemars::transform::transform_subschemas(&mut remove_formats, schema);
}

fn categories(_: &mut SchemaGenerator) -> Schema {
    let names = Category::ALL.iter().map(|category| Value::from(category.as_str()));
    let names: Vec<Value> = names.chain([Value::Null]).collect();
    json_schema!({ "type": ["string", "null"], "enum": names })
}

fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.chars().count() > MAX_FIELD_CHARS || text.chars().any(char::is_control) {
        return Err(D::Error::custom("this text cannot be printed"));
    }
    Ok(Some(text).filter(|text| !text.is_empty()))
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Day, D::Error> {
    let day = Day::deserialize(deserializer)?;
    if YEARS.contains(&day.year()) { Ok(day) } else { Err(D::Error::custom("this day cannot be printed")) }
}

fn day_or_none<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Day>, D::Error> {
    #[derive(Deserialize)]
    struct Wrapped(#[serde(deserialize_with = "day")] Day);
    Ok(Option::<Wrapped>::deserialize(deserializer)?.map(|wrapped| wrapped.0))
}

fn time<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Time>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let whole = text.len() <= "HH:MM:SS".len();
    text.parse()
        .ok()
        .filter(|_| whole)
        .map(Some)
        .ok_or_else(|| D::Error::custom("this time cannot be printed"))
}

fn percentage<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
    let number = Option::<f64>::deserialize(deserializer)?;
    if number.is_none_or(|number| number > 0.0 && number <= 100.0) {
        Ok(number)
    } else {
        Err(D::Error::custom("this percentage cannot be printed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;
    use serde_json::json;

    /// An answer with the values `claims`. All other values are null.
    fn answer(claims: Value) -> Value {
        let mut answer = json!({
            "title": null, "organization": null, "referenceNo": null, "category": null, "closing": null,
            "opening": null, "preBid": null, "saleFrom": null, "saleUntil": null, "estimatedValue": null,
            "bidSecurity": null, "bidSecurityPercentage": null, "documentFee": null, "email": null, "phone": null,
        });
        let Value::Object(claims) = claims else { panic!("an object") };
        answer.as_object_mut().unwrap().extend(claims);
        answer
    }

    #[test]
    fn an_answer_is_read() {
        let claims = answer(json!({
            "title": " Supply\nof paper ", "category": "Office Supplies", "closing": {"date": "2027-05-05", "time": "14:30"},
            "bidSecurity": {"amount": 75000, "currency": "LKR"}, "saleFrom": "2027-04-01", "email": "",
        }));
        let answer = ModelResponse::read(&claims.to_string()).unwrap();
        assert_eq!(answer.title.as_deref(), Some("Supply of paper"));
        assert_eq!(answer.category, Some(Category::OfficeSupplies));
        assert_eq!(answer.closing.unwrap().time.unwrap().to_string(), "14:30:00");
        assert_eq!(answer.bid_security.unwrap().amount, Amount::new(75_000.0).unwrap());
        assert_eq!((answer.sale_from.is_some(), answer.email), (true, None));
    }

    #[rstest]
    #[case::unknown_field(json!({"command": "publish"}))]
    #[case::wrong_type(json!({"title": 5}))]
    #[case::text_too_long(json!({"title": "x".repeat(301)}))]
    #[case::control_characters(json!({"title": "a\u{7}b"}))]
    #[case::unknown_category(json!({"category": "Weapons"}))]
    #[case::invalid_day(json!({"closing": {"date": "2027-02-30", "time": null}}))]
    #[case::year_out_of_range(json!({"saleFrom": "0001-01-01"}))]
    #[case::invalid_time(json!({"closing": {"date": "2027-02-03", "time": "25:00"}}))]
    #[case::missing_time(json!({"closing": {"date": "2027-02-03"}}))]
    #[case::unknown_nested_field(json!({"closing": {"date": "2027-02-03", "time": null, "zone": "UTC"}}))]
    #[case::negative_amount(json!({"documentFee": {"amount": -1, "currency": "LKR"}}))]
    #[case::amount_too_large(json!({"documentFee": {"amount": 1e18, "currency": "LKR"}}))]
    #[case::invalid_currency(json!({"documentFee": {"amount": 1, "currency": "rupees"}}))]
    #[case::invalid_percentage(json!({"bidSecurityPercentage": 250}))]
    fn invalid_answers_are_rejected(#[case] claims: Value) {
        assert_eq!(ModelResponse::read(&answer(claims).to_string()), Err(ModelFailure::OffSchema));
    }

    #[test]
    fn incomplete_answers_and_other_texts_are_rejected() {
        let whole = answer(json!({})).to_string();
        assert!(ModelResponse::read(&whole).is_ok());
        for end in 0..whole.len() {
            assert_eq!(ModelResponse::read(&whole[..end]), Err(ModelFailure::NoJson));
        }
        let doubled = whole.replacen('{', "{\"title\":null,", 1);
        let infinite = whole.replace("\"bidSecurityPercentage\":null", "\"bidSecurityPercentage\":1e999");
        let vast = format!("{whole}{}", " ".repeat(MAX_ANSWER_BYTES));
        for invalid in ["", "[]", "null", "I cannot help with that.", &doubled, &infinite, &vast] {
            assert!(ModelResponse::read(invalid).is_err(), "{invalid:.60}");
        }
        let mut short = answer(json!({}));
        short.as_object_mut().unwrap().remove("phone");
        assert_eq!(ModelResponse::read(&short.to_string()), Err(ModelFailure::OffSchema));
    }

    #[test]
    fn the_schema_is_strict_and_names_every_field() {
        fn objects_are_closed(schema: &Value) {
            if let Some(properties) = schema["properties"].as_object() {
                assert_eq!(schema["additionalProperties"], false, "{schema}");
                let required = schema["required"].as_array().unwrap();
                assert_eq!(required.len(), properties.len(), "{schema}");
                properties.values().for_each(objects_are_closed);
            }
            schema["anyOf"].as_array().into_iter().flatten().for_each(objects_are_closed);
        }
        let schema = ModelResponse::schema();
        objects_are_closed(&schema);
        let names = |value: &Value| {
            value.as_object().unwrap().keys().cloned().collect::<std::collections::BTreeSet<_>>()
        };
        assert_eq!(names(&schema["properties"]), names(&answer(json!({}))));
        let text = schema.to_string();
        assert!(!text.contains("$ref") && !text.contains("format"), "{text}");
        assert!(text.contains("Office Supplies"), "{text}");
    }
}

//! The form of a tender: the body of POST and PUT /tenders, and its conversion to a tender. A draft
//! may have missing or invalid fields. Errors are reported in the order of the form.

pub(crate) mod input;
pub(crate) mod limits;
pub(crate) mod reading;
#[cfg(test)]
mod tests;

use crate::domain::error::FieldError;
use input::{NumberInput, ReadOnly};
use limits::{MAX_FULL_TEXT, MAX_LINE, MAX_PAGE, MAX_PHONE, MAX_TEXT};
use reading::FormReader;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tender_model::{
    tender::{Bond, Eligibility, EstimatedValue, Experience, Location, Organization, Tender, Turnover},
    vocabulary::{Amount, Category, Currency, Day, District, Millions, Moment, TenderStatus},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

/// The fields of a tender that are computed when it is read.
const COMPUTED: [&str; 4] = ["isClosingToday", "isExpired", "publishedBy", "statistics"];

/// A tender as its publisher writes it. A field that is absent or null stays unchanged or takes its
/// default. A blank field is cleared. A given part (`organization`, `dates`, …) replaces the whole
/// part. Read-only fields of a tender are ignored. Unknown fields are refused.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderForm {
    title: Option<String>,
    description: Option<String>,
    /// One of the form's categories.
    category: Option<String>,
    subcategory: Option<String>,
    reference_no: Option<String>,
    /// `draft` or `published`; later also `closed`, `awarded`, `cancelled` or `withdrawn`.
    status: Option<String>,
    /// `http` or `https`.
    source_url: Option<String>,
    /// The page of the newspaper that printed it.
    source_page: Option<String>,
    /// The whole notice as markdown.
    full_text_markdown: Option<String>,
    tags: Option<Vec<String>>,
    /// By default medium.
    priority: Option<String>,
    /// By default public.
    visibility: Option<String>,
    organization: Option<OrganizationForm>,
    financials: Option<FinancialsForm>,
    location: Option<LocationForm>,
    dates: Option<DatesForm>,
    eligibility: Option<EligibilityForm>,
    #[serde(flatten)]
    #[schema(ignore)]
    read_only: ReadOnly<TenderWithComputedFields>,
}

/// A tender as it is read: the record and the computed fields.
struct TenderWithComputedFields;

impl PartialSchema for TenderWithComputedFields {
    fn schema() -> RefOr<Schema> {
        let mut schema = Tender::schema();
        if let RefOr::T(Schema::Object(record)) = &mut schema {
            for computed in COMPUTED {
                record.properties.insert(computed.to_owned(), Schema::default().into());
            }
        }
        schema
    }
}

/// The organisation that invites bids, by default the publisher.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrganizationForm {
    name: Option<String>,
    /// By default private.
    #[serde(rename = "type")]
    kind: Option<String>,
    contact_person: Option<ContactForm>,
}

/// The contact person.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ContactForm {
    name: Option<String>,
    email: Option<String>,
    phone: Option<String>,
}

/// Value and securities.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct FinancialsForm {
    estimated_value: Option<ValueForm>,
    bid_bond: Option<BondForm>,
    performance_bond: Option<BondForm>,
}

/// An estimated value.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ValueForm {
    /// In millions.
    amount: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
}

/// A security. It is required if its percentage or amount is above 0.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct BondForm {
    /// Of the bid's value, 0 to 100.
    percentage: Option<NumberInput>,
    /// In whole units.
    amount: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
    #[serde(flatten)]
    #[schema(ignore)]
    read_only: ReadOnly<Bond>,
}

/// The place.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LocationForm {
    province: Option<String>,
    district: Option<String>,
    city: Option<String>,
}

/// Times in RFC 3339, or days. A day means its end for `closing`, otherwise its beginning.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DatesForm {
    /// By default today.
    published: Option<String>,
    closing: Option<String>,
    opening: Option<String>,
}

/// Who may bid.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct EligibilityForm {
    criteria: Option<Vec<String>>,
    document_required: Option<Vec<String>>,
    experience: Option<ExperienceForm>,
    turnover: Option<TurnoverForm>,
}

/// The required experience.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExperienceForm {
    /// Whole years.
    years: Option<NumberInput>,
    description: Option<String>,
}

/// The required turnover.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TurnoverForm {
    /// Per year, in whole units.
    minimum: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
}

impl TenderForm {
    /// Applies the form to `base`, including a valid status. [`missing_fields`] checks what a
    /// published tender needs.
    ///
    /// # Errors
    /// The invalid fields, by path.
    pub fn apply(self, base: &Tender) -> Result<Tender, Vec<FieldError>> {
        let (tender, errors) = self.read(base);
        if errors.is_empty() { Ok(tender) } else { Err(errors) }
    }

    /// Reads the requested status. Without one, the status stays.
    ///
    /// # Errors
    /// The status is unknown.
    pub fn status(&self, before: TenderStatus) -> Result<TenderStatus, Vec<FieldError>> {
        let mut reader = FormReader::default();
        let mut status = before;
        reader.term("status", self.status.clone(), |wanted| status = wanted.unwrap_or(before));
        let errors = reader.into_errors();
        if errors.is_empty() { Ok(status) } else { Err(errors) }
    }

    /// Merges the form with the input of a draft. The draft's input stays for fields that the form
    /// lacks.
    pub fn merge_draft(self, typed: Option<&Value>) -> anyhow::Result<Self> {
        let Some(Value::Object(typed)) = typed else { return Ok(self) };
        let mut fields = typed.clone();
        if let Value::Object(new) = self.to_draft_input()? {
            fields.extend(new);
        }
        let whole: Self = serde_json::from_value(Value::Object(fields))?;
        Ok(Self { status: self.status, ..whole })
    }

    /// Converts the form as typed to JSON, without the status.
    pub fn to_draft_input(&self) -> anyhow::Result<Value> {
        let mut typed = without_nulls(serde_json::to_value(self)?);
        if let Value::Object(fields) = &mut typed {
            fields.remove("status");
        }
        Ok(typed)
    }

    /// Returns `base` with all valid fields applied, and the errors of the invalid ones.
    #[must_use]
    pub fn read(self, base: &Tender) -> (Tender, Vec<FieldError>) {
        let mut reader = FormReader::default();
        let mut tender = base.clone();
        reader.line("title", "Title", self.title, MAX_LINE, |title| tender.title = title.unwrap_or_default());
        reader.prose("description", "Description", self.description, MAX_TEXT, |text| {
            tender.description = text.unwrap_or_default();
        });
        reader
            .line("subcategory", "Subcategory", self.subcategory, MAX_LINE, |text| tender.subcategory = text);
        reader.line("referenceNo", "Reference number", self.reference_no, MAX_LINE, |text| {
            tender.reference_no = text;
        });
        reader.term::<Category>("category", self.category, |category| tender.category = category);
        reader.term("status", self.status, |status| tender.status = status.unwrap_or(base.status));
        reader.term("priority", self.priority, |priority| tender.priority = priority.unwrap_or_default());
        reader.term("visibility", self.visibility, |chosen| tender.visibility = chosen.unwrap_or_default());
        reader.web_address("sourceUrl", self.source_url, |address| tender.source_url = address);
        reader.line("sourcePage", "Page", self.source_page, MAX_PAGE, |page| tender.source_page = page);
        reader.prose("fullTextMarkdown", "Full text", self.full_text_markdown, MAX_FULL_TEXT, |text| {
            tender.full_text_markdown = text.unwrap_or_default();
        });
        if let Some(tags) = self.tags {
            tender.tags = reader.list("tags", "Tag", tags);
            let mut seen = std::collections::BTreeSet::new();
            tender.tags.retain(|tag| seen.insert(tag.clone()));
        }
        if let Some(form) = self.organization {
            tender.organization = read_organization(form, &mut reader);
        }
        if let Some(form) = self.financials {
            tender.financials.estimated_value =
                form.estimated_value.and_then(|value| read_estimated_value(value, &mut reader));
            tender.financials.bid_bond = read_bond("financials.bidBond", form.bid_bond, &mut reader);
            tender.financials.performance_bond =
                read_bond("financials.performanceBond", form.performance_bond, &mut reader);
        }
        if let Some(form) = self.location {
            tender.location = read_location(form, &mut reader);
        }
        if let Some(form) = self.dates {
            let dates = &mut tender.dates;
            reader.moment("dates.published", form.published, Moment::start_of, |at| {
                dates.published = at.or(base.dates.published);
            });
            reader.moment("dates.closing", form.closing, Moment::end_of, |at| dates.closing = at);
            reader.moment("dates.opening", form.opening, Moment::start_of, |at| dates.opening = at);
        }
        if let Some(form) = self.eligibility {
            tender.eligibility = read_eligibility(form, &mut reader);
        }
        (tender, reader.into_errors())
    }
}

/// Removes the null fields of JSON.
fn without_nulls(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        json => json,
    }
}

/// The errors of fields that a tender lacks for publication on `today`, in the order of the form.
/// An unchanged closing may be in the past.
pub fn missing_fields(tender: &Tender, before: Option<Moment>, today: Day) -> Vec<FieldError> {
    let location = &tender.location;
    let reference = tender.reference_no.as_deref().unwrap_or_default();
    let needed = [
        ("title", !tender.title.is_empty(), "Title is required"),
        ("description", !tender.description.is_empty(), "Description is required"),
        ("referenceNo", !reference.is_empty(), "Reference number is required"),
        ("category", tender.category.is_some(), "Category is required"),
        ("organization.name", !tender.organization.name.is_empty(), "Organization name is required"),
        ("location.province", location.province.is_some(), "Province is required"),
        ("location.district", location.district.is_some(), "District is required"),
        ("dates.closing", tender.dates.closing.is_some(), "Closing date is required"),
    ];
    let mut missing: Vec<FieldError> = needed
        .into_iter()
        .filter(|(_, is_there, _)| !is_there)
        .map(|(field, _, message)| FieldError::new(field, message))
        .collect();
    let closing = tender.dates.closing;
    if closing != before && closing.is_some_and(|closing| closing.day() <= today) {
        missing.push(FieldError::new("dates.closing", "Closing date must be in the future"));
    }
    missing
}

/// Whether the owner may change the status from `from` to `to`.
#[must_use]
pub const fn can_change_status(from: TenderStatus, to: TenderStatus) -> bool {
    use TenderStatus::{Awarded, Cancelled, Closed, Draft, Published, Withdrawn};
    matches!(
        (from, to),
        (Draft, Draft | Published)
            | (Published, Published | Closed | Awarded | Cancelled | Withdrawn)
            | (Closed, Closed)
            | (Awarded, Awarded)
            | (Cancelled, Cancelled)
            | (Withdrawn, Withdrawn)
    )
}

fn read_organization(form: OrganizationForm, reader: &mut FormReader) -> Organization {
    let mut organization = Organization::default();
    reader.line("organization.name", "Organization name", form.name, MAX_LINE, |name| {
        organization.name = name.unwrap_or_default();
    });
    reader.term("organization.type", form.kind, |kind| organization.kind = kind);
    let person = &mut organization.contact_person;
    let ContactForm { name, email, phone } = form.contact_person.unwrap_or_default();
    reader.line("organization.contactPerson.name", "Contact name", name, MAX_LINE, |name| person.name = name);
    reader.email("organization.contactPerson.email", email, |email| person.email = email);
    reader.line("organization.contactPerson.phone", "Contact phone", phone, MAX_PHONE, |phone| {
        person.phone = phone
    });
    organization
}

fn read_estimated_value(form: ValueForm, reader: &mut FormReader) -> Option<EstimatedValue> {
    let currency = reader.currency("financials.estimatedValue.currency", form.currency);
    let amount = reader.money("financials.estimatedValue.amount", form.amount, Millions::new)?;
    Some(EstimatedValue { amount, currency })
}

fn read_bond(field: &str, form: Option<BondForm>, reader: &mut FormReader) -> Bond {
    let Some(form) = form else { return Bond::default() };
    let currency = reader.currency(&format!("{field}.currency"), form.currency);
    let percentage = reader.percentage(&format!("{field}.percentage"), form.percentage);
    let amount = reader.money(&format!("{field}.amount"), form.amount, Amount::new);
    let required = percentage.is_some_and(|part| part > 0.0) || amount.is_some_and(|sum| sum.minor() > 0);
    Bond { required, percentage, amount, currency: amount.map(|_| currency) }
}

fn read_location(form: LocationForm, reader: &mut FormReader) -> Location {
    let mut location = Location::default();
    reader.term("location.province", form.province, |province| location.province = province);
    reader.term::<District>("location.district", form.district, |district| location.district = district);
    reader.line("location.city", "City", form.city, MAX_LINE, |city| location.city = city);
    if let (Some(province), Some(district)) = (location.province, location.district)
        && district.province() != province
    {
        reader.add_error("location.district", format!("{district} is not in {province} Province"));
    }
    location
}

fn read_eligibility(form: EligibilityForm, reader: &mut FormReader) -> Eligibility {
    let mut eligibility = Eligibility {
        criteria: reader.list("eligibility.criteria", "Criterion", form.criteria.unwrap_or_default()),
        document_required: reader.list(
            "eligibility.documentRequired",
            "Document",
            form.document_required.unwrap_or_default(),
        ),
        ..Eligibility::default()
    };
    if let Some(form) = form.experience {
        let mut experience =
            Experience { years: reader.years("eligibility.experience.years", form.years), description: None };
        reader.prose(
            "eligibility.experience.description",
            "Experience",
            form.description,
            MAX_TEXT,
            |text| {
                experience.description = text;
            },
        );
        eligibility.experience = Some(experience).filter(|experience| *experience != Experience::default());
    }
    if let Some(form) = form.turnover {
        let currency: Currency = reader.currency("eligibility.turnover.currency", form.currency);
        let minimum = reader.money("eligibility.turnover.minimum", form.minimum, Amount::new);
        eligibility.turnover = minimum.map(|minimum| Turnover { minimum, currency });
    }
    eligibility
}

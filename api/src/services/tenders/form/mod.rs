//! The form of a tender: the body of POST and PUT /tenders, and how it becomes a tender. A draft
//! may have gaps, but each field must have its type. Messages come in the order of the form.

pub mod input;
pub(crate) mod limits;
pub mod reading;
#[cfg(test)]
mod tests;

use crate::domain::error::FieldError;
use index::{
    tender::{Bond, Eligibility, EstimatedValue, Experience, Location, Organization, Tender, Turnover},
    vocabulary::{Amount, Category, Currency, Day, District, Millions, Moment, TenderStatus},
};
use input::{NumberInput, ReadOnly};
use limits::{FULL_TEXT, PAGE, PHONE, SHORT, TEXT};
use reading::Reading;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

/// Fields of a tender that are computed when it is read.
const COMPUTED: [&str; 4] = ["isClosingToday", "isExpired", "publishedBy", "statistics"];

/// A tender as its publisher writes it. What is absent or null stays as it was, or takes its default; what is blank is emptied;
/// a part that is there (`organization`, `dates`, …) is taken whole. What else a tender has when it is read is not looked at; a field
/// that no tender has is refused.
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
    read_only: ReadOnly<AsRead>,
}

/// A tender as it is read: the record, and what is computed then.
struct AsRead;

impl PartialSchema for AsRead {
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

/// Who invites bids. By default the publisher.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrganizationForm {
    name: Option<String>,
    /// By default private.
    #[serde(rename = "type")]
    kind: Option<String>,
    contact_person: Option<ContactForm>,
}

/// Whom to ask.
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

/// A security. It is required where its percentage or amount is above nothing.
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

/// Where.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LocationForm {
    province: Option<String>,
    district: Option<String>,
    city: Option<String>,
}

/// RFC 3339, or a day alone: then `closing` is its end, the others its beginning.
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

/// Experience asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct ExperienceForm {
    /// Whole years.
    years: Option<NumberInput>,
    description: Option<String>,
}

/// Turnover asked for.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TurnoverForm {
    /// A year, in whole units.
    minimum: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
}

impl TenderForm {
    /// Applies the form to `base`, including a valid status. [`missing`] checks what a published
    /// tender needs.
    ///
    /// # Errors
    /// The fields whose text is not of their type, by path.
    pub fn apply(self, base: &Tender) -> Result<Tender, Vec<FieldError>> {
        let (tender, errors) = self.read(base);
        if errors.is_empty() { Ok(tender) } else { Err(errors) }
    }

    /// The requested status, or the current one.
    ///
    /// # Errors
    /// The status does not exist.
    pub fn status(&self, before: TenderStatus) -> Result<TenderStatus, Vec<FieldError>> {
        let mut reading = Reading::default();
        let mut status = before;
        reading.term("status", self.status.clone(), |wanted| status = wanted.unwrap_or(before));
        let errors = reading.done();
        if errors.is_empty() { Ok(status) } else { Err(errors) }
    }

    /// Merges the form with the input of a draft. The draft's input stays where the form has
    /// nothing.
    pub fn over(self, typed: Option<&Value>) -> anyhow::Result<Self> {
        let Some(Value::Object(typed)) = typed else { return Ok(self) };
        let mut fields = typed.clone();
        if let Value::Object(new) = self.typed()? {
            fields.extend(new);
        }
        let whole: Self = serde_json::from_value(Value::Object(fields))?;
        Ok(Self { status: self.status, ..whole })
    }

    /// The form as typed, without the status.
    pub fn typed(&self) -> anyhow::Result<Value> {
        let mut typed = without_nulls(serde_json::to_value(self)?);
        if let Value::Object(fields) = &mut typed {
            fields.remove("status");
        }
        Ok(typed)
    }

    /// `base` with all valid fields, and the invalid ones.
    #[must_use]
    pub fn read(self, base: &Tender) -> (Tender, Vec<FieldError>) {
        let mut reading = Reading::default();
        let mut tender = base.clone();
        reading.line("title", "Title", self.title, SHORT, |title| tender.title = title.unwrap_or_default());
        reading.prose("description", "Description", self.description, TEXT, |text| {
            tender.description = text.unwrap_or_default();
        });
        reading.line("subcategory", "Subcategory", self.subcategory, SHORT, |text| tender.subcategory = text);
        reading.line("referenceNo", "Reference number", self.reference_no, SHORT, |text| {
            tender.reference_no = text;
        });
        reading.term::<Category>("category", self.category, |category| tender.category = category);
        reading.term("status", self.status, |status| tender.status = status.unwrap_or(base.status));
        reading.term("priority", self.priority, |priority| tender.priority = priority.unwrap_or_default());
        reading.term("visibility", self.visibility, |chosen| tender.visibility = chosen.unwrap_or_default());
        reading.web_address("sourceUrl", self.source_url, |address| tender.source_url = address);
        reading.line("sourcePage", "Page", self.source_page, PAGE, |page| tender.source_page = page);
        reading.prose("fullTextMarkdown", "Full text", self.full_text_markdown, FULL_TEXT, |text| {
            tender.full_text_markdown = text.unwrap_or_default();
        });
        if let Some(tags) = self.tags {
            tender.tags = reading.list("tags", "Tag", tags);
            let mut seen = std::collections::BTreeSet::new();
            tender.tags.retain(|tag| seen.insert(tag.clone()));
        }
        if let Some(form) = self.organization {
            tender.organization = organization(form, &mut reading);
        }
        if let Some(form) = self.financials {
            tender.financials.estimated_value =
                form.estimated_value.and_then(|value| estimated_value(value, &mut reading));
            tender.financials.bid_bond = bond("financials.bidBond", form.bid_bond, &mut reading);
            tender.financials.performance_bond =
                bond("financials.performanceBond", form.performance_bond, &mut reading);
        }
        if let Some(form) = self.location {
            tender.location = location(form, &mut reading);
        }
        if let Some(form) = self.dates {
            let dates = &mut tender.dates;
            reading.moment("dates.published", form.published, Moment::start_of, |at| {
                dates.published = at.or(base.dates.published);
            });
            reading.moment("dates.closing", form.closing, Moment::end_of, |at| dates.closing = at);
            reading.moment("dates.opening", form.opening, Moment::start_of, |at| dates.opening = at);
        }
        if let Some(form) = self.eligibility {
            tender.eligibility = eligibility(form, &mut reading);
        }
        (tender, reading.done())
    }
}

/// The JSON without its null fields.
fn without_nulls(json: Value) -> Value {
    match json {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(fields.map(|(name, value)| (name, without_nulls(value))).collect())
        }
        json => json,
    }
}

/// The fields that a tender lacks to be published on `today`, in the order of the form. A closing
/// that was stored before may be in the past.
pub fn missing(tender: &Tender, before: Option<Moment>, today: Day) -> Vec<FieldError> {
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

/// Whether the owner may change the status this way.
#[must_use]
pub const fn may_become(from: TenderStatus, to: TenderStatus) -> bool {
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

fn organization(form: OrganizationForm, reading: &mut Reading) -> Organization {
    let mut organization = Organization::default();
    reading.line("organization.name", "Organization name", form.name, SHORT, |name| {
        organization.name = name.unwrap_or_default();
    });
    reading.term("organization.type", form.kind, |kind| organization.kind = kind);
    let person = &mut organization.contact_person;
    let ContactForm { name, email, phone } = form.contact_person.unwrap_or_default();
    reading.line("organization.contactPerson.name", "Contact name", name, SHORT, |name| person.name = name);
    reading.email("organization.contactPerson.email", email, |email| person.email = email);
    reading.line("organization.contactPerson.phone", "Contact phone", phone, PHONE, |phone| {
        person.phone = phone
    });
    organization
}

fn estimated_value(form: ValueForm, reading: &mut Reading) -> Option<EstimatedValue> {
    let currency = reading.currency("financials.estimatedValue.currency", form.currency);
    let amount = reading.money("financials.estimatedValue.amount", form.amount, Millions::new)?;
    Some(EstimatedValue { amount, currency })
}

fn bond(field: &str, form: Option<BondForm>, reading: &mut Reading) -> Bond {
    let Some(form) = form else { return Bond::default() };
    let currency = reading.currency(&format!("{field}.currency"), form.currency);
    let percentage = reading.percentage(&format!("{field}.percentage"), form.percentage);
    let amount = reading.money(&format!("{field}.amount"), form.amount, Amount::new);
    let required = percentage.is_some_and(|part| part > 0.0) || amount.is_some_and(|sum| sum.minor() > 0);
    Bond { required, percentage, amount, currency: amount.map(|_| currency) }
}

fn location(form: LocationForm, reading: &mut Reading) -> Location {
    let mut location = Location::default();
    reading.term("location.province", form.province, |province| location.province = province);
    reading.term::<District>("location.district", form.district, |district| location.district = district);
    reading.line("location.city", "City", form.city, SHORT, |city| location.city = city);
    if let (Some(province), Some(district)) = (location.province, location.district)
        && district.province() != province
    {
        reading.refuse("location.district", format!("{district} is not in {province} Province"));
    }
    location
}

fn eligibility(form: EligibilityForm, reading: &mut Reading) -> Eligibility {
    let mut eligibility = Eligibility {
        criteria: reading.list("eligibility.criteria", "Criterion", form.criteria.unwrap_or_default()),
        document_required: reading.list(
            "eligibility.documentRequired",
            "Document",
            form.document_required.unwrap_or_default(),
        ),
        ..Eligibility::default()
    };
    if let Some(form) = form.experience {
        let mut experience = Experience {
            years: reading.years("eligibility.experience.years", form.years),
            description: None,
        };
        reading.prose("eligibility.experience.description", "Experience", form.description, TEXT, |text| {
            experience.description = text;
        });
        eligibility.experience = Some(experience).filter(|experience| *experience != Experience::default());
    }
    if let Some(form) = form.turnover {
        let currency: Currency = reading.currency("eligibility.turnover.currency", form.currency);
        let minimum = reading.money("eligibility.turnover.minimum", form.minimum, Amount::new);
        eligibility.turnover = minimum.map(|minimum| Turnover { minimum, currency });
    }
    eligibility
}

//! The form of a tender: the body of POST and PUT /tenders, and its conversion to a tender. A draft
//! may have missing or invalid fields. Missing fields are reported in the order of the web form.

mod bond;
mod dates;
pub(crate) mod input;
pub(crate) mod limits;
mod notice_details;
mod publication;
pub(crate) mod reading;
#[cfg(test)]
mod tests;

pub use publication::{can_change_status, missing_fields};

use crate::domain::error::FieldError;
use bond::{BondForm, read_bond};
use input::{NumberInput, ReadOnly, without_nulls};
use limits::{
    MAX_FULL_TEXT_LENGTH, MAX_LINE_LENGTH, MAX_PAGE_LABEL_LENGTH, MAX_PHONE_LENGTH, MAX_TEXT_LENGTH,
};
use notice_details::{CidaForm, DocumentFeeForm, LotForm, NoticeForms, PreBidForm, SubmissionForm};
use reading::FormReader;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tender_model::{
    tender::{Eligibility, EstimatedValue, Experience, Location, Organization, Tender, Turnover},
    vocabulary::{Amount, Category, Currency, District, Millions, Moment, TenderStatus},
};
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema},
};

/// The fields of a tender that the server computes for each response.
const COMPUTED_FIELDS: [&str; 5] = ["isClosingToday", "isExpired", "publishedBy", "statistics", "moderation"];

/// A tender as its publisher writes it. A field that is absent or null stays unchanged. In a new
/// tender it takes its default. A blank field is cleared or takes its default. `organization`,
/// `financials`, `location`, `eligibility`, `documentFee`, `preBid`, `submission`, `cida` and `lots` are
/// replaced as a whole, so fields that are absent in them are cleared. Read-only fields of a tender are
/// ignored. Unknown fields are refused.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TenderForm {
    title: Option<String>,
    description: Option<String>,
    /// The name of a category, such as `Furniture`.
    category: Option<String>,
    subcategory: Option<String>,
    reference_no: Option<String>,
    /// `draft` or `published`. A published tender can become `closed`, `awarded`, `cancelled` or
    /// `withdrawn`.
    status: Option<String>,
    /// An address that begins with `http` or `https`.
    source_url: Option<String>,
    /// The newspaper page on which the notice was printed.
    source_page: Option<String>,
    /// The whole notice as markdown.
    full_text_markdown: Option<String>,
    tags: Option<Vec<String>>,
    /// By default `medium`.
    priority: Option<String>,
    /// By default `public`.
    visibility: Option<String>,
    organization: Option<OrganizationForm>,
    financials: Option<FinancialsForm>,
    location: Option<LocationForm>,
    dates: Option<DatesForm>,
    eligibility: Option<EligibilityForm>,
    /// The procurement method: `NCB`, `ICB`, `LNB`, `LIB` or `shopping`.
    method: Option<String>,
    document_fee: Option<DocumentFeeForm>,
    /// The contractor grades that bidders need.
    cida: Option<Vec<CidaForm>>,
    pre_bid: Option<PreBidForm>,
    submission: Option<SubmissionForm>,
    lots: Option<Vec<LotForm>>,
    #[serde(flatten)]
    #[schema(ignore)]
    read_only: ReadOnly<TenderWithComputedFields>,
}

/// The schema of a tender in responses: the record and the computed fields.
struct TenderWithComputedFields;

impl PartialSchema for TenderWithComputedFields {
    fn schema() -> RefOr<Schema> {
        let mut schema = Tender::schema();
        if let RefOr::T(Schema::Object(record)) = &mut schema {
            for computed in COMPUTED_FIELDS {
                record.properties.insert(computed.to_owned(), Schema::default().into());
            }
        }
        schema
    }
}

/// The organisation that invites bids. Without it, a new tender gets the publisher's name and
/// contact details, and the type `private`.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct OrganizationForm {
    name: Option<String>,
    /// The type of the organisation.
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
    /// In millions of the currency.
    amount: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
}

/// The place of the tender.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct LocationForm {
    province: Option<String>,
    district: Option<String>,
    city: Option<String>,
}

/// Each field is a time in RFC 3339 or a day. A day stands for its end in `closing`, and for its
/// beginning in the other fields.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct DatesForm {
    /// By default the day of creation.
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
    /// Whole years, from 0 to 100.
    years: Option<NumberInput>,
    description: Option<String>,
}

/// The required turnover.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct TurnoverForm {
    /// Per year, in units of the currency.
    minimum: Option<NumberInput>,
    /// By default LKR.
    currency: Option<String>,
}

impl TenderForm {
    /// Applies the form, including its status, to `base`. [`missing_fields`] checks whether
    /// required fields are missing.
    ///
    /// # Errors
    /// The errors of all invalid fields.
    pub fn apply(self, base: &Tender) -> Result<Tender, Vec<FieldError>> {
        let (tender, errors) = self.read(base);
        if errors.is_empty() { Ok(tender) } else { Err(errors) }
    }

    /// Reads the requested status. Returns `before` if the form has none.
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

    /// Merges the form with `typed`, the input stored with a draft. Top-level fields that the form
    /// lacks are taken from that input.
    pub fn merge_draft(self, typed: Option<&Value>) -> anyhow::Result<Self> {
        let Some(Value::Object(typed)) = typed else { return Ok(self) };
        let mut fields = typed.clone();
        if let Value::Object(new) = self.to_draft_input()? {
            fields.extend(new);
        }
        let whole: Self = serde_json::from_value(Value::Object(fields))?;
        Ok(Self { status: self.status, ..whole })
    }

    /// Converts the form as typed to JSON, without the status. The result is stored with a draft.
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
        // What a published tender contains already is accepted, because a notice was read as printed.
        let published = (base.status != TenderStatus::Draft).then_some(base);
        reader.line("title", "Title", self.title, MAX_LINE_LENGTH, |title| {
            tender.title = title.unwrap_or_default()
        });
        reader.prose("description", "Description", self.description, MAX_TEXT_LENGTH, |text| {
            tender.description = text.unwrap_or_default();
        });
        reader.line("subcategory", "Subcategory", self.subcategory, MAX_LINE_LENGTH, |text| {
            tender.subcategory = text
        });
        reader.line("referenceNo", "Reference number", self.reference_no, MAX_LINE_LENGTH, |text| {
            tender.reference_no = text;
        });
        reader.term::<Category>("category", self.category, |category| tender.category = category);
        reader.term("status", self.status, |status| tender.status = status.unwrap_or(base.status));
        reader.term("priority", self.priority, |priority| tender.priority = priority.unwrap_or_default());
        reader.term("visibility", self.visibility, |chosen| tender.visibility = chosen.unwrap_or_default());
        reader.web_address("sourceUrl", self.source_url, |address| tender.source_url = address);
        reader.line("sourcePage", "Page", self.source_page, MAX_PAGE_LABEL_LENGTH, |page| {
            tender.source_page = page;
        });
        reader.prose(
            "fullTextMarkdown",
            "Full text",
            self.full_text_markdown,
            MAX_FULL_TEXT_LENGTH,
            |text| {
                tender.full_text_markdown = text.unwrap_or_default();
            },
        );
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
            let bonds = published.map(|before| &before.financials);
            tender.financials.bid_bond = read_bond(
                "financials.bidBond",
                form.bid_bond,
                bonds.map(|before| &before.bid_bond),
                &mut reader,
            );
            tender.financials.performance_bond = read_bond(
                "financials.performanceBond",
                form.performance_bond,
                bonds.map(|before| &before.performance_bond),
                &mut reader,
            );
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
        let notice = NoticeForms {
            method: self.method,
            document_fee: self.document_fee,
            cida: self.cida,
            pre_bid: self.pre_bid,
            submission: self.submission,
            lots: self.lots,
        };
        notice.apply(published, &mut tender, &mut reader);
        (tender, reader.into_errors())
    }
}

fn read_organization(form: OrganizationForm, reader: &mut FormReader) -> Organization {
    let mut organization = Organization::default();
    reader.line("organization.name", "Organization name", form.name, MAX_LINE_LENGTH, |name| {
        organization.name = name.unwrap_or_default();
    });
    reader.term("organization.type", form.kind, |kind| organization.kind = kind);
    let person = &mut organization.contact_person;
    let ContactForm { name, email, phone } = form.contact_person.unwrap_or_default();
    reader.line("organization.contactPerson.name", "Contact name", name, MAX_LINE_LENGTH, |name| {
        person.name = name
    });
    reader.email("organization.contactPerson.email", email, |email| person.email = email);
    reader.line("organization.contactPerson.phone", "Contact phone", phone, MAX_PHONE_LENGTH, |phone| {
        person.phone = phone
    });
    organization
}

fn read_estimated_value(form: ValueForm, reader: &mut FormReader) -> Option<EstimatedValue> {
    let currency = reader.currency("financials.estimatedValue.currency", form.currency);
    let amount = reader.money("financials.estimatedValue.amount", form.amount, Millions::new)?;
    Some(EstimatedValue { amount, currency })
}

fn read_location(form: LocationForm, reader: &mut FormReader) -> Location {
    let mut location = Location::default();
    reader.term("location.province", form.province, |province| location.province = province);
    reader.term::<District>("location.district", form.district, |district| location.district = district);
    reader.line("location.city", "City", form.city, MAX_LINE_LENGTH, |city| location.city = city);
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
            MAX_TEXT_LENGTH,
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

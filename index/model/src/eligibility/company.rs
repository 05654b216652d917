//! [`Company`]: what a company has that notices ask for.

use crate::vocabulary::{Amount, Day, District, terms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A registration with the Construction Industry Development Authority.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CidaRegistration {
    /// The grade, such as `C5` or `EM2`.
    #[schema(max_length = 10)]
    pub grade: String,
    /// The field of work, as on the certificate.
    #[schema(max_length = 200)]
    pub field: String,
    /// The last day of its validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub expires: Option<Day>,
}

/// A registration under the Public Contracts Act (form PCA 3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ContractsActRegistration {
    /// The sector, such as works, goods or services.
    #[schema(max_length = 200)]
    pub sector: String,
    /// The category.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub category: Option<String>,
    /// The last day of its validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub expires: Option<Day>,
}

/// The turnover of one year, in rupees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct YearlyTurnover {
    /// The year in which the financial year ends.
    pub year: i16,
    /// The turnover in rupees.
    pub amount: Amount,
}

terms! {
    /// The documents that bidders submit again and again.
    DocumentInHand, "document" {
        /// The certificate of registration under the Public Contracts Act.
        ContractsAct = "pca-3",
        /// The registration with the Construction Industry Development Authority.
        Cida = "cida",
        /// The letter of a bank about the company's credit.
        BankLetter = "bank-letter",
        /// The clearance of the Inland Revenue Department.
        TaxClearance = "tax-clearance",
        /// The business registration.
        BusinessRegistration = "business-registration",
        /// The audited accounts.
        AuditedAccounts = "audited-accounts",
        /// Another document.
        Other = "other",
    }
}

/// A document that the company has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HeldDocument {
    /// What it is.
    pub kind: DocumentInHand,
    /// The company's own words, such as the number or the place where it is kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 200)]
    pub note: Option<String>,
    /// The last day of its validity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub expires: Option<Day>,
}

/// What a company has. Whatever is empty or absent is unknown or not there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct Company {
    /// The number of the business registration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub business_registration: Option<String>,
    /// The number for the value added tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub vat: Option<String>,
    /// The number for the simplified value added tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 100)]
    pub svat: Option<String>,
    /// The registrations with the Construction Industry Development Authority.
    #[schema(max_items = 30)]
    pub cida: Vec<CidaRegistration>,
    /// The registrations under the Public Contracts Act.
    #[schema(max_items = 30)]
    pub contracts_act: Vec<ContractsActRegistration>,
    /// The turnover of past years.
    #[schema(max_items = 20)]
    pub turnover: Vec<YearlyTurnover>,
    /// The whole years of experience.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub experience_years: Option<u16>,
    /// The districts in which the company works. Empty: all of them.
    #[schema(max_items = 25)]
    pub districts: Vec<District>,
    /// The largest bid security that the bank gives, in rupees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bond_limit: Option<Amount>,
    /// The documents at hand.
    #[schema(max_items = 30)]
    pub documents: Vec<HeldDocument>,
}

impl Company {
    /// Whether nothing is known about the company.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The numbers of the documents that are no longer valid on a day, from 0.
    #[must_use]
    pub fn expired_documents(&self, day: Day) -> Vec<usize> {
        let is_expired = |document: &HeldDocument| document.expires.is_some_and(|last| last < day);
        (0..).zip(&self.documents).filter(|(_, document)| is_expired(document)).map(|(row, _)| row).collect()
    }

    /// Everything whose last day is known, with that day.
    pub fn expiries(&self) -> impl Iterator<Item = (Expiring<'_>, Day)> {
        let cida = self.cida.iter().map(|row| (Expiring::Cida(row), row.expires));
        let contracts_act = self.contracts_act.iter().map(|row| (Expiring::ContractsAct(row), row.expires));
        let documents = self.documents.iter().map(|row| (Expiring::Document(row), row.expires));
        cida.chain(contracts_act).chain(documents).filter_map(|(what, last)| Some((what, last?)))
    }
}

/// A row of a company that is valid until a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expiring<'c> {
    /// A registration with the Construction Industry Development Authority.
    Cida(&'c CidaRegistration),
    /// A registration under the Public Contracts Act.
    ContractsAct(&'c ContractsActRegistration),
    /// A document.
    Document(&'c HeldDocument),
}

//! What a bidder must have ready before the closing: the rows of a checklist, made from one tender.
//!
//! Each row says what it rests on. A row of the notice quotes printed words. What the law or usual practice
//! asks for is never shown as the notice's own, and what the notice does not state is "not stated".

mod marking;
mod rules;
mod sale_end;
mod sentences;
mod signature;
mod submission;
mod validity;

pub use marking::marking;
pub use rules::checklist;
pub use sale_end::{sale_end, sale_end_sentence};
pub use submission::{address_under_notice, is_by_registered_post, submission};
pub use validity::{SecurityExpiry, security_expiry};

use crate::{
    hash,
    vocabulary::{Amount, Currency, Day, Moment, SubmissionMethod, terms},
};
use serde::Serialize;
use utoipa::ToSchema;

terms! {
    /// What a row of a checklist rests on.
    RowBasis, "basis" {
        /// The notice states it.
        Notice = "notice",
        /// The Public Contracts Act asks for it.
        Law = "law",
        /// Most buyers ask for it. The notice does not mention it.
        UsualPractice = "usual-practice",
        /// Most notices state it, this one does not.
        NotStated = "not-stated",
    }
}

terms! {
    /// What a row of a checklist is about.
    RowKind, "kind of row" {
        /// The bidding documents are bought.
        BuyDocuments = "buy-documents",
        /// The meeting or site visit before the bid.
        PreBid = "pre-bid",
        /// The bid security.
        BidSecurity = "bid-security",
        /// The bid security for one lot.
        LotSecurity = "lot-security",
        /// A copy of the registration with the Construction Industry Development Authority.
        Cida = "cida",
        /// The certificate of registration under the Public Contracts Act (form PCA 3).
        ContractsAct = "contracts-act",
        /// Proof of the turnover.
        Turnover = "turnover",
        /// Proof of the experience.
        Experience = "experience",
        /// A document that the notice names.
        Document = "document",
        /// A sentence of the notice that only a person can judge.
        Criterion = "criterion",
        /// A copy of the business registration.
        BusinessRegistration = "business-registration",
        /// The certificate of registration for the value added tax.
        Vat = "vat",
        /// The signed form of bid.
        FormOfBid = "form-of-bid",
        /// The priced schedule or bill of quantities.
        PriceSchedule = "price-schedule",
        /// The power of attorney of who signs.
        PowerOfAttorney = "power-of-attorney",
        /// The original and its copies.
        Copies = "copies",
        /// Technical and financial bid in envelopes of their own.
        TwoEnvelopes = "two-envelopes",
        /// What is written on the envelope.
        EnvelopeMarked = "envelope-marked",
        /// The account on the site through which bids are submitted.
        ElectronicAccount = "electronic-account",
        /// The bid reaches the buyer before the closing.
        Deliver = "deliver",
    }
}

/// A row of a checklist.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChecklistRow {
    /// Identifies the row within the tender. It stays the same if the value of the row changes.
    pub key: String,
    /// What it is about.
    pub kind: RowKind,
    /// What it rests on.
    pub basis: RowBasis,
    /// The amount in whole currency units.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// ISO 4217 code for `amount`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub currency: Option<Currency>,
    /// The percentage of the bid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub percentage: Option<f64>,
    /// The last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub day: Option<Day>,
    /// The time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<Moment>,
    /// The value in words, such as a grade, a document or a reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it is done, or to whom the envelope is addressed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    /// The address under the notice, if it names no other place of delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signed: Option<String>,
    /// How long a bid security must be valid, in the words of the notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validity: Option<String>,
    /// How the bid is delivered, if the notice says so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub methods: Vec<SubmissionMethod>,
    /// Whether a bid that is posted must be registered.
    pub is_by_registered_post: bool,
    /// The JSON path of the field of the tender.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The printed words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub printed: Option<String>,
    /// Whether the field was read with doubt.
    pub is_doubtful: bool,
}

impl ChecklistRow {
    /// A row without values.
    fn new(kind: RowKind, basis: RowBasis) -> Self {
        Self {
            key: kind.as_str().to_owned(),
            kind,
            basis,
            amount: None,
            currency: None,
            percentage: None,
            day: None,
            at: None,
            text: None,
            place: None,
            signed: None,
            validity: None,
            methods: Vec::new(),
            is_by_registered_post: false,
            path: None,
            printed: None,
            is_doubtful: false,
        }
    }

    /// A short text that changes if the value of the row changes, and not if only the printed words or the
    /// certainty do.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let day = self.day.map(|day| day.to_string());
        let at = self.at.map(|at| at.to_string());
        let methods: Vec<&str> = self.methods.iter().map(|method| method.as_str()).collect();
        let value = format!(
            "{}|{:?}|{:?}|{:?}|{day:?}|{at:?}|{:?}|{:?}|{:?}|{methods:?}",
            self.basis,
            self.amount.map(Amount::minor),
            self.currency.map(|currency| currency.to_string()),
            self.percentage.map(f64::to_bits),
            self.text,
            self.place,
            self.validity,
        );
        format!("{:016x}", hash::stable(value.as_bytes()))
    }
}

#[cfg(test)]
mod tests;

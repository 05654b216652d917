//! May a company bid? What a notice asks for, held against what the company has.
//!
//! Each requirement that a notice states becomes a [`Finding`]: met, missing or not certain. What the notice does
//! not state is not assumed. Each finding names the field of the tender that it rests on, whose evidence shows
//! the printed words, and the row of the company's profile.

mod cash;
mod company;
mod lot_securities;
mod registration;
mod repetition;
mod rules;

pub use cash::{Cost, CostKind, cash_to_bid};
pub use company::{
    CidaRegistration, Company, ContractsActRegistration, DocumentInHand, Expiring, HeldDocument,
    YearlyTurnover,
};
pub use registration::WorkField;
pub use rules::assess;
pub(crate) use {repetition::repeats_grade, rules::needs_contracts_act};

use crate::vocabulary::{Kind, terms};
use serde::Serialize;
use utoipa::ToSchema;

terms! {
    /// Whether the company meets one requirement.
    Verdict, "verdict" {
        /// The company has what is asked for.
        Met = "met",
        /// A person must decide.
        NotCertain = "not-certain",
        /// The company does not have it.
        Missing = "missing",
    }
}

terms! {
    /// Whether the company may bid.
    BidAnswer, "answer" {
        /// The notice says who may bid, and every requirement is met.
        CanBid = "can-bid",
        /// A stated requirement is missing.
        Missing = "missing",
        /// None is missing, but a person must decide about some.
        NotCertain = "not-certain",
        /// The notice does not say who may bid. What else it asks for, such as a bid security, is met.
        NotStated = "not-stated",
    }
}

terms! {
    /// What a requirement is about.
    RequirementKind, "requirement" {
        /// The bidding documents, which are sold until a day.
        Documents = "documents",
        /// A grade of the Construction Industry Development Authority.
        Grade = "grade",
        /// The years of experience.
        Experience = "experience",
        /// The turnover of a year.
        Turnover = "turnover",
        /// The bid security, which the bank must give.
        BidSecurity = "bid-security",
        /// The registration under the Public Contracts Act (No. 3 of 1987), which the law asks for above a value.
        ContractsAct = "contracts-act",
        /// A sentence of the notice that only a person can judge.
        Criterion = "criterion",
    }
}

impl RequirementKind {
    /// Whether the requirement says who may bid. Every bidder gives a bid security, and the law asks every
    /// bidder for the registration under the Public Contracts Act.
    const fn is_condition(self) -> bool {
        match self {
            Self::Grade | Self::Experience | Self::Turnover | Self::Criterion => true,
            Self::Documents | Self::BidSecurity | Self::ContractsAct => false,
        }
    }
}

terms! {
    /// Why a requirement is not met, or not certainly met.
    VerdictReason, "reason" {
        /// The profile has no such row.
        NotInProfile = "not-in-profile",
        /// The profile has a lower value.
        TooLow = "too-low",
        /// The company has a higher grade, and the notice does not say that higher grades may bid.
        HigherGrade = "higher-grade",
        /// The registration is for another field of work or sector.
        OtherField = "other-field",
        /// The fields of work cannot be compared.
        FieldUnclear = "field-unclear",
        /// The registration ends before the closing day.
        Expired = "expired",
        /// The notice gives no number that could be compared, such as a value in another currency.
        NoNumber = "no-number",
        /// Lots of one notice may ask for different things.
        SeveralLots = "several-lots",
        /// Words that only a person can judge.
        Words = "words",
        /// The documents are no longer sold. The company may have bought them before.
        SaleEnded = "sale-ended",
        /// What the notice asks for was not read with certainty.
        Doubtful = "doubtful",
    }
}

/// A requirement of a notice, and whether the company meets it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// What it is about.
    pub kind: RequirementKind,
    /// Whether the company meets it.
    pub verdict: Verdict,
    /// Why it is not met, or not certainly. Absent if it is met.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<VerdictReason>,
    /// The JSON path of the field of the tender. Absent if the law asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The number of the row in the profile's list for the kind, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub row: Option<usize>,
}

/// Whether a company may bid for a tender.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Assessment {
    /// The answer over all findings.
    pub answer: BidAnswer,
    /// One finding for each stated requirement, in the order of [`RequirementKind`].
    pub findings: Vec<Finding>,
}

impl Assessment {
    /// The first requirement that decides the answer. `None`: no requirement is missing or not certain.
    #[must_use]
    pub fn deciding(&self) -> Option<&Finding> {
        let verdict = match self.answer {
            BidAnswer::Missing => Verdict::Missing,
            BidAnswer::NotCertain => Verdict::NotCertain,
            BidAnswer::CanBid | BidAnswer::NotStated => return None,
        };
        self.findings.iter().find(|finding| finding.verdict == verdict)
    }
}

/// Whether suppliers bid for tenders of this kind.
#[must_use]
pub const fn is_bid_for(kind: Kind) -> bool {
    matches!(kind, Kind::Purchase | Kind::Registration | Kind::ExpressionOfInterest)
}

#[cfg(test)]
mod tests;

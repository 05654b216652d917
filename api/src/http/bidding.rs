//! What a bidder must know about a tender: whether the company may bid, and what bidding costs.

use serde::Serialize;
use tender_model::{
    checklist::{
        address_under_notice, is_by_registered_post, marking, sale_end, security_expiry, submission,
    },
    eligibility::{
        self, Assessment, BidAnswer, Company, Cost, CostKind, Finding, RequirementKind, Verdict,
        VerdictReason,
    },
    tender::{Submission, Tender},
    vocabulary::{Day, Moment, SubmissionMethod},
};
use utoipa::ToSchema;

/// What a bidder must know about a tender. Whatever the notice does not state is left out.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Bidding {
    /// Whether the caller's company may bid. Absent for guests, and while the company profile is empty.
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<BidAnswer>,
    /// What the notice and the law ask for.
    requirements: Vec<Requirement>,
    /// How the bid may be delivered. Empty: the notice does not say.
    methods: Vec<SubmissionMethod>,
    /// Where bids are delivered, as the publisher states it, or the printed sentence that says it. Absent:
    /// unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    delivery: Option<String>,
    /// The address under the notice, if it names no other place of delivery.
    #[serde(skip_serializing_if = "Option::is_none")]
    signed: Option<String>,
    /// Whether a bid that is posted must be registered.
    is_by_registered_post: bool,
    /// What is written on the envelope, in words that the notice quotes.
    #[serde(skip_serializing_if = "Option::is_none")]
    marking: Option<String>,
    /// The last day on which the bid security must be valid, if the notice says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    security_until: Option<Day>,
    /// When the sale of the documents ends, if the notice prints an hour beside the last day.
    #[serde(skip_serializing_if = "Option::is_none")]
    sale_ends: Option<Moment>,
    /// What a bidder must pay or deposit, in the order in which it is due.
    costs: Vec<Cost>,
    /// The numbers of the documents in the company profile that expire before the tender closes, from 0.
    expired_documents: Vec<usize>,
}

/// Something that a bidder must have.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Requirement {
    /// What it is about.
    kind: RequirementKind,
    /// The JSON path of the field of the tender. Absent if the law asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// Whether the company meets it. Absent like `answer`.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<Verdict>,
    /// Why the company does not meet it, or not certainly.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<VerdictReason>,
    /// The number of the row that was compared, from 0, in the profile's list for the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
}

impl Requirement {
    fn of(finding: Finding, has_profile: bool) -> Self {
        let Finding { kind, verdict, reason, path, row } = finding;
        let (verdict, reason) = if has_profile { (Some(verdict), reason) } else { (None, None) };
        Self { kind, path, verdict, reason, row }
    }
}

/// Whether the caller's company may bid for a tender.
#[derive(Debug, Serialize, ToSchema)]
pub struct ListedBidAnswer {
    /// The answer over all requirements of the notice.
    answer: BidAnswer,
    /// The first requirement that is missing or not certain. Absent for other answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<Finding>,
}

impl ListedBidAnswer {
    /// Whether it is this answer.
    pub fn is(&self, answer: BidAnswer) -> bool {
        self.answer == answer
    }
}

impl From<Assessment> for ListedBidAnswer {
    fn from(assessment: Assessment) -> Self {
        Self { answer: assessment.answer, first: assessment.deciding().cloned() }
    }
}

impl Bidding {
    /// What a bidder with this company must know on a day. `None`: nobody bids for a tender of this kind.
    #[must_use]
    pub fn of(tender: &Tender, company: Option<&Company>, today: Day) -> Option<Self> {
        if !eligibility::is_bid_for(tender.kind) {
            return None;
        }
        let company = company.filter(|company| !company.is_empty());
        let nothing = Company::default();
        let assessment = eligibility::assess(tender, company.unwrap_or(&nothing), today);
        let is_registered = company.is_some()
            && assessment.findings.iter().any(|finding| {
                finding.kind == RequirementKind::ContractsAct && finding.verdict == Verdict::Met
            });
        let mut costs = eligibility::cash_to_bid(tender);
        // A company that has the registration pays nothing more for it.
        costs.retain(|cost| !is_registered || cost.kind != CostKind::ContractsAct);
        let requirements = assessment.findings.into_iter();
        let Submission { methods, place: delivery } = submission(tender);
        Some(Self {
            answer: company.map(|_| assessment.answer),
            requirements: requirements.map(|finding| Requirement::of(finding, company.is_some())).collect(),
            methods,
            signed: address_under_notice(tender, delivery.as_deref()),
            delivery,
            is_by_registered_post: is_by_registered_post(tender),
            marking: marking(tender),
            security_until: security_expiry(tender).map(|expiry| expiry.day),
            sale_ends: sale_end(tender).filter(|end| Some(*end) != Moment::end_of(end.day())),
            costs,
            expired_documents: company
                .zip(tender.dates.closing)
                .map(|(company, closing)| company.expired_documents(closing.day()))
                .unwrap_or_default(),
        })
    }
}

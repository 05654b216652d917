//! Decides how a new notice relates to the known tenders. A similar invitation with the same
//! reference and another closing date is a new tender if the known tender was no longer open.
//! Otherwise a person must review the notice.

use super::{
    correct::corrections,
    readings::{is_doubtful, printed_day},
};
use crate::{
    fields,
    likeness::{
        Grounds, LONG_REFERENCE_LENGTH, ReferenceLikeness, SAME_TITLE_SIMILARITY, likeness,
        merge_confusable_characters, remove_separators, text_similarity,
    },
    tender::Tender,
    vocabulary::{Kind, TenderStatus, terms},
};
use jiff::ToSpan;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// How a notice relates to the known tenders.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// A new tender.
    New,
    /// Another print of this tender.
    Source(Uuid),
    /// A corrigendum of this tender.
    Correction(Uuid),
    /// A person must decide, for the given reason. The candidates are sorted by likeness.
    Review(Doubt, Vec<Candidate>),
}

terms! {
    /// Why a person must decide about a notice. [`decide`] returns the doubts about its tender.
    Doubt, "doubt" {
        /// The text may not be a tender notice.
        PossiblyNoNotice = "possibly-no-notice",
        /// The reader was told to hold notices whose key fields are doubtful.
        DoubtfulFields = "doubtful-fields",
        /// A person cut the notice out of a larger one, and nobody has entered its fields yet.
        Part = "part",
        /// The notice may be another print of a known tender.
        PossiblePrint = "alike",
        /// The tender of the corrigendum is not known, or closed long ago.
        NoTender = "no-tender",
        /// The corrigendum may belong to several tenders.
        Ambiguous = "ambiguous",
        /// The corrigendum states no clear change.
        NoClearChange = "nothing-plain",
        /// The tender was published by a supplier. Only a person may apply newspaper notices to it.
        Owned = "owned",
    }
}

/// A tender that the notice may belong to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Candidate {
    /// The id of the tender.
    pub tender: Uuid,
    /// The title of the tender.
    pub title: String,
    /// Likeness of the notice and the tender, 0 to 1.
    pub likeness: f64,
}

/// Texts with at least this similarity count as prints of the same notice.
const SAME_TEXT_SIMILARITY: f64 = 0.9;
/// If the tender of a corrigendum is not found, tenders with a lower likeness are no candidates.
const MIN_CANDIDATE_LIKENESS: f64 = 0.4;
/// A corrigendum is printed at most this many days after its tender has closed.
const MAX_DAYS_LATE: i64 = 14;
/// The maximum number of candidates.
const MAX_CANDIDATES: usize = 10;

/// A lookup key for a reference: without separators, and with characters that OCR confuses mapped
/// to one representative. `None` without a reference.
#[must_use]
pub fn reference_key(reference: Option<&str>) -> Option<String> {
    let joined = remove_separators(reference?);
    (!joined.is_empty()).then(|| merge_confusable_characters(&joined))
}

/// Decides how a notice relates to `known` tenders. The order of `known` does not matter.
#[must_use]
pub fn decide(notice: &Tender, known: &[Tender]) -> Decision {
    let is_listed = |tender: &&Tender| {
        tender.id != notice.id && !matches!(tender.status, TenderStatus::Draft | TenderStatus::Withdrawn)
    };
    let mut pairs: Vec<Pair<'_>> =
        known.iter().filter(is_listed).map(|known| Pair::of(notice, known)).collect();
    pairs.sort_by(|one, other| {
        other.likeness.total_cmp(&one.likeness).then(one.known.id.cmp(&other.known.id))
    });
    if notice.kind == Kind::Corrigendum { decide_corrigendum(notice, &pairs) } else { decide_print(&pairs) }
}

/// Finds the tender that an invitation reprints.
fn decide_print(pairs: &[Pair<'_>]) -> Decision {
    let relations: Vec<Relation> = pairs.iter().map(Pair::relation).collect();
    let of = |wanted: Relation| {
        pairs.iter().zip(&relations).filter(move |(_, relation)| **relation == wanted).map(|(pair, _)| pair)
    };
    if let Some(pair) = of(Relation::Same).next() {
        return Decision::Source(pair.known.id);
    }
    let doubtful: Vec<Candidate> = of(Relation::Doubtful).take(MAX_CANDIDATES).map(Pair::candidate).collect();
    if doubtful.is_empty() { Decision::New } else { Decision::Review(Doubt::PossiblePrint, doubtful) }
}

/// Finds the tender that a corrigendum changes.
fn decide_corrigendum(notice: &Tender, pairs: &[Pair<'_>]) -> Decision {
    let of = |wanted: CorrigendumMatch| {
        pairs.iter().filter(move |pair| pair.corrigendum_match() == wanted).collect::<Vec<_>>()
    };
    let mut targets = of(CorrigendumMatch::ByReference);
    if targets.is_empty() {
        targets = of(CorrigendumMatch::BySubject);
    }
    // One reference may belong to several lots, or to a repeated invitation.
    for distinguishes in [Pair::same_title, Pair::was_open] {
        if targets.len() > 1 && targets.iter().any(|pair| distinguishes(pair) == Some(true)) {
            targets.retain(|pair| distinguishes(pair) == Some(true));
        }
    }
    match targets.as_slice() {
        [] => {
            let candidates =
                pairs.iter().filter(|pair| pair.likeness >= MIN_CANDIDATE_LIKENESS && pair.is_corrigible());
            Decision::Review(Doubt::NoTender, candidates.take(MAX_CANDIDATES).map(Pair::candidate).collect())
        }
        [pair] if pair.is_long_over() => Decision::Review(Doubt::NoTender, vec![pair.candidate()]),
        [pair] if has_no_effect(notice, pair.known) => {
            Decision::Review(Doubt::NoClearChange, vec![pair.candidate()])
        }
        [pair] => Decision::Correction(pair.known.id),
        several => {
            let candidates = several.iter().take(MAX_CANDIDATES).map(|pair| pair.candidate());
            Decision::Review(Doubt::Ambiguous, candidates.collect())
        }
    }
}

/// Whether a corrigendum neither changes its tender nor repeats an earlier change.
fn has_no_effect(notice: &Tender, known: &Tender) -> bool {
    let restates = |change: &crate::tender::FieldChange| {
        !change.to.is_null() && fields::value_at(notice, &change.field) == change.to
    };
    corrections(known, notice).is_empty() && !known.changes.iter().any(restates)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Doubtful,
    Different,
}

/// How a corrigendum identifies a tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CorrigendumMatch {
    /// By its reference.
    ByReference,
    /// By its title and organisation, because a reference is missing.
    BySubject,
    /// It does not identify the tender.
    Unidentified,
}

/// A notice compared with a known tender.
struct Pair<'t> {
    notice: &'t Tender,
    known: &'t Tender,
    grounds: Grounds,
    likeness: f64,
}

impl<'t> Pair<'t> {
    fn of(notice: &'t Tender, known: &'t Tender) -> Self {
        let (likeness, grounds) = likeness(notice, known);
        Self { notice, known, grounds, likeness }
    }

    fn candidate(&self) -> Candidate {
        Candidate { tender: self.known.id, title: self.known.title.clone(), likeness: self.likeness }
    }

    /// Whether the notice and the tender invite bids for the same contract.
    fn relation(&self) -> Relation {
        use Relation::{Different, Doubtful, Same};
        // An award reports the outcome of a tender. It is not another print.
        if !self.is_corrigible() || self.notice.kind == Kind::Award {
            return Different;
        }
        let relation = match (self.compare_references(), self.same_closing()) {
            (ReferenceLikeness::Same, Some(true)) => self.relation_by_reference_and_closing(),
            (ReferenceLikeness::Same, None) => match (self.same_title(), self.same_organization()) {
                (Some(true), Some(true) | None) => Same,
                (Some(true), Some(false)) | (None, Some(true)) => Doubtful,
                (Some(false), Some(true)) if !self.numbers_conflict() => Doubtful,
                _ => Different,
            },
            (ReferenceLikeness::Same, Some(false)) => {
                let is_alike = self.same_title() != Some(false) && self.same_organization() != Some(false);
                if is_alike && self.was_open() != Some(false) { Doubtful } else { Different }
            }
            (ReferenceLikeness::Near, closing) => {
                let is_alike = self.same_title() == Some(true) && self.same_organization() != Some(false);
                if is_alike && closing != Some(false) { Doubtful } else { Different }
            }
            (ReferenceLikeness::Unknown, closing) => self.relation_without_reference(closing),
            // Both have a reference, and the references differ.
            (ReferenceLikeness::Different, closing) => {
                let is_doubtful = [self.notice, self.known].iter().any(|one| is_doubtful(one, "referenceNo"));
                let is_alike = self.same_title() == Some(true) && self.same_organization() == Some(true);
                if is_doubtful && is_alike && closing == Some(true) { Doubtful } else { Different }
            }
        };
        if relation == Same && self.notice.kind != self.known.kind { Doubtful } else { relation }
    }

    fn relation_by_reference_and_closing(&self) -> Relation {
        use Relation::{Different, Doubtful, Same};
        match (self.same_title(), self.same_organization()) {
            (Some(true) | None, Some(true)) | (Some(true), None) => Same,
            // Usually the languages differ, and the gazetteer does not know both names of the
            // organisation.
            (None, None) if self.has_long_reference() && self.same_sums() => Same,
            (Some(true) | None, _) => Doubtful,
            // Lots 1 and 2 may share a reference.
            (Some(false), Some(true)) if self.numbers_conflict() => Different,
            (Some(false), Some(true)) => Doubtful,
            (Some(false), None) if self.has_long_reference() && !self.numbers_conflict() => Doubtful,
            (Some(false), _) => Different,
        }
    }

    fn relation_without_reference(&self, closing: Option<bool>) -> Relation {
        use Relation::{Different, Doubtful, Same};
        if self.same_title() != Some(true) || self.same_organization() == Some(false) {
            return Different;
        }
        let same_text = || {
            text_similarity(&self.notice.full_text_markdown, &self.known.full_text_markdown)
                >= SAME_TEXT_SIMILARITY
        };
        match (closing, self.same_organization()) {
            (Some(true), Some(true)) => Same,
            (Some(true), _) | (None, Some(true)) if same_text() => Same,
            (Some(true), _) | (None, Some(true)) => Doubtful,
            // Organisations often repeat a purchase.
            _ => Different,
        }
    }

    /// How the corrigendum identifies this tender.
    fn corrigendum_match(&self) -> CorrigendumMatch {
        if !self.is_corrigible() {
            return CorrigendumMatch::Unidentified;
        }
        let (title, organization) = (self.same_title(), self.same_organization());
        match self.compare_references() {
            ReferenceLikeness::Same
                if organization == Some(true)
                    || title == Some(true)
                    || (self.has_long_reference() && organization.is_none()) =>
            {
                CorrigendumMatch::ByReference
            }
            ReferenceLikeness::Unknown if title == Some(true) && organization == Some(true) => {
                CorrigendumMatch::BySubject
            }
            _ => CorrigendumMatch::Unidentified,
        }
    }

    /// Whether the known tender can be reprinted or corrected.
    fn is_corrigible(&self) -> bool {
        !matches!(self.known.kind, Kind::Corrigendum | Kind::Award)
    }

    /// Compares the references. They also count as the same if they differ in letters only, or if
    /// a long reference of one notice occurs in the text of the other.
    fn compare_references(&self) -> ReferenceLikeness {
        let named = |reference: &Option<String>, text: &str| {
            let reference = remove_separators(reference.as_deref().unwrap_or_default());
            reference.chars().count() >= LONG_REFERENCE_LENGTH && remove_separators(text).contains(&reference)
        };
        match self.grounds.reference {
            ReferenceLikeness::Near if self.digits_agree() => ReferenceLikeness::Same,
            ReferenceLikeness::Unknown | ReferenceLikeness::Different
                if named(&self.known.reference_no, &self.notice.full_text_markdown)
                    || named(&self.notice.reference_no, &self.known.full_text_markdown) =>
            {
                ReferenceLikeness::Same
            }
            other => other,
        }
    }

    /// Whether one reference is long and both have the same digits, at least four. Digits
    /// distinguish tenders.
    fn digits_agree(&self) -> bool {
        let digits = |tender: &Tender| -> String {
            let joined = remove_separators(tender.reference_no.as_deref().unwrap_or_default());
            joined.chars().filter(char::is_ascii_digit).collect()
        };
        let (one, other) = (digits(self.notice), digits(self.known));
        self.has_long_reference() && one == other && one.len() >= 4
    }

    /// Whether one of the references is long enough to be unique across organisations.
    fn has_long_reference(&self) -> bool {
        let length = |tender: &Tender| {
            remove_separators(tender.reference_no.as_deref().unwrap_or_default()).chars().count()
        };
        length(self.known).max(length(self.notice)) >= LONG_REFERENCE_LENGTH
    }

    /// Whether both close on the same day. `None` if a date is missing, or if the days differ and
    /// one of them is doubtful.
    fn same_closing(&self) -> Option<bool> {
        let unsure = [self.notice, self.known].iter().any(|one| is_doubtful(one, "dates.closing"));
        self.grounds.same_closing.filter(|same| *same || !unsure)
    }

    /// Whether the titles are the same. `None` across languages, or if the titles are similar but
    /// one omits a number.
    fn same_title(&self) -> Option<bool> {
        if self.languages_differ() {
            return None;
        }
        match (self.grounds.title >= SAME_TITLE_SIMILARITY, self.grounds.same_numbers) {
            (true, Some(true)) => Some(true),
            (true, None) => None,
            _ => Some(false),
        }
    }

    /// Whether each title has a number that the other lacks.
    fn numbers_conflict(&self) -> bool {
        self.grounds.same_numbers == Some(false)
    }

    /// Whether the organisations are the same. `None` if a name is missing, or if the names differ
    /// across languages.
    fn same_organization(&self) -> Option<bool> {
        self.grounds.same_organization.filter(|same| *same || !self.languages_differ())
    }

    fn languages_differ(&self) -> bool {
        self.notice.language.zip(self.known.language).is_some_and(|(one, other)| one != other)
    }

    /// Whether at least one of value, bid security and fee is stated in both, and all such sums
    /// agree.
    fn same_sums(&self) -> bool {
        let sums = |tender: &Tender| {
            [
                tender.financials.estimated_value.map(|value| format!("{:?}", value.amount)),
                tender.financials.bid_bond.amount.map(|amount| format!("{amount:?}")),
                tender.document_fee.as_ref().and_then(|fee| fee.amount).map(|amount| format!("{amount:?}")),
            ]
        };
        let both: Vec<bool> = sums(self.notice)
            .into_iter()
            .zip(sums(self.known))
            .filter_map(|(one, other)| Some(one? == other?))
            .collect();
        !both.is_empty() && both.iter().all(|same| *same)
    }

    /// Whether the tender was open when the notice was printed. `None` if a date is unknown.
    fn was_open(&self) -> Option<bool> {
        if self.known.status != TenderStatus::Published {
            return Some(false);
        }
        Some(self.known.dates.closing?.day() >= printed_day(self.notice)?)
    }

    /// Whether the tender closed so long ago that the notice probably concerns another one.
    fn is_long_over(&self) -> bool {
        let closed = self.known.dates.closing.map(|closing| closing.day());
        closed.zip(printed_day(self.notice)).is_some_and(|(closed, printed)| {
            closed.checked_add(MAX_DAYS_LATE.days()).is_ok_and(|latest| latest < printed)
        })
    }
}

//! What a notice is to the tenders that are known already. A plain invitation never changes what a tender says: one that
//! names another closing is a new tender if the earlier had ended, and else a doubt. A doubt is for a person.

use super::{correct::corrections, is_doubtful, printed_day};
use crate::{
    fields,
    likeness::{Grounds, LONG_REFERENCE, ReferenceLikeness, SAME_TITLE, alike, confused, likeness, solid},
    tender::Tender,
    vocabulary::{Kind, TenderStatus},
};
use jiff::ToSpan;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// What a notice is.
#[derive(Debug, Clone, PartialEq)]
pub enum Decision {
    /// A tender of its own.
    New,
    /// Another print of this tender.
    Source(Uuid),
    /// A corrigendum of this tender.
    Correction(Uuid),
    /// A person must say, for this reason; these tenders come into question, the likeliest first.
    Review(Doubt, Vec<Candidate>),
}

/// Why a person must say what a notice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Doubt {
    /// It may be another print of a tender.
    Alike,
    /// A corrigendum whose tender is not here, or not here yet.
    NoTender,
    /// A corrigendum that may be of several tenders.
    Ambiguous,
    /// A corrigendum that says no change plainly.
    NothingPlain,
    /// The tender is a supplier's own; newspapers change it only by a person's word.
    Owned,
}

impl Doubt {
    const ALL: [Self; 5] = [Self::Alike, Self::NoTender, Self::Ambiguous, Self::NothingPlain, Self::Owned];

    /// As JSON spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Alike => "alike",
            Self::NoTender => "no-tender",
            Self::Ambiguous => "ambiguous",
            Self::NothingPlain => "nothing-plain",
            Self::Owned => "owned",
        }
    }

    /// The doubt of this word.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|doubt| doubt.as_str() == word)
    }
}

/// A tender that comes into question.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Candidate {
    /// The tender.
    pub tender: Uuid,
    /// Its title.
    pub title: String,
    /// How alike the two are, 0 to 1.
    pub likeness: f64,
}

/// Texts this alike are prints of one.
const SAME_TEXT: f64 = 0.9;
/// Candidates less alike are not told.
const LEAST_LIKE: f64 = 0.4;
/// A corrigendum is printed at most so many days after the closing it changes.
const LATE_DAYS: i64 = 14;
/// The most candidates that are told.
const MOST_CANDIDATES: usize = 10;

/// What a reference is found again by, whatever separates its parts and whichever of its signs recognition confuses.
/// `None` where there is none.
#[must_use]
pub fn reference_key(reference: Option<&str>) -> Option<String> {
    let solid = solid(reference?);
    (!solid.is_empty()).then(|| confused(&solid))
}

/// Decides what a notice is to the tenders that may have to do with it. The order of `known` does not matter.
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
    if notice.kind == Kind::Corrigendum { target(notice, &pairs) } else { print(&pairs) }
}

/// Which tender a notice that invites is a print of.
fn print(pairs: &[Pair<'_>]) -> Decision {
    let relations: Vec<Relation> = pairs.iter().map(Pair::relation).collect();
    let of = |wanted: Relation| {
        pairs.iter().zip(&relations).filter(move |(_, relation)| **relation == wanted).map(|(pair, _)| pair)
    };
    if let Some(pair) = of(Relation::Same).next() {
        return Decision::Source(pair.known.id);
    }
    let doubtful: Vec<Candidate> =
        of(Relation::Doubtful).take(MOST_CANDIDATES).map(Pair::candidate).collect();
    if doubtful.is_empty() { Decision::New } else { Decision::Review(Doubt::Alike, doubtful) }
}

/// Which tender a corrigendum is of.
fn target(notice: &Tender, pairs: &[Pair<'_>]) -> Decision {
    let of = |wanted: Aim| pairs.iter().filter(move |pair| pair.aim() == wanted).collect::<Vec<_>>();
    let mut targets = of(Aim::Named);
    if targets.is_empty() {
        targets = of(Aim::Alike);
    }
    // One reference may stand for several lots, and for an invitation that was repeated.
    for tells in [Pair::same_title, Pair::was_open] {
        if targets.len() > 1 && targets.iter().any(|pair| tells(pair) == Some(true)) {
            targets.retain(|pair| tells(pair) == Some(true));
        }
    }
    match targets.as_slice() {
        [] => {
            let candidates = pairs.iter().filter(|pair| pair.likeness >= LEAST_LIKE && pair.is_corrigible());
            Decision::Review(Doubt::NoTender, candidates.take(MOST_CANDIDATES).map(Pair::candidate).collect())
        }
        [pair] if pair.is_long_over() => Decision::Review(Doubt::NoTender, vec![pair.candidate()]),
        [pair] if says_nothing(notice, pair.known) => {
            Decision::Review(Doubt::NothingPlain, vec![pair.candidate()])
        }
        [pair] => Decision::Correction(pair.known.id),
        several => {
            let candidates = several.iter().take(MOST_CANDIDATES).map(|pair| pair.candidate());
            Decision::Review(Doubt::Ambiguous, candidates.collect())
        }
    }
}

/// Whether a corrigendum neither changes its tender nor says again what an earlier one has changed.
fn says_nothing(notice: &Tender, known: &Tender) -> bool {
    let restates = |change: &crate::tender::FieldChange| {
        !change.to.is_null() && fields::value(notice, &change.field) == change.to
    };
    corrections(known, notice).is_empty() && !known.changes.iter().any(restates)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Same,
    Doubtful,
    Different,
}

/// How a corrigendum means a tender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// By its reference.
    Named,
    /// By what it is about.
    Alike,
    /// Not at all.
    Not,
}

/// A notice and a tender, compared.
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

    /// Whether the two invite the same bids.
    fn relation(&self) -> Relation {
        use Relation::{Different, Doubtful, Same};
        // An award tells how a tender ended, and is no print of it.
        if !self.is_corrigible() || self.notice.kind == Kind::Award {
            return Different;
        }
        let relation = match (self.reference(), self.closing()) {
            (ReferenceLikeness::Same, Some(true)) => self.with_reference_and_closing(),
            (ReferenceLikeness::Same, None) => match (self.same_title(), self.organization()) {
                (Some(true), Some(true) | None) => Same,
                (Some(true), Some(false)) | (None, Some(true)) => Doubtful,
                (Some(false), Some(true)) if !self.numbers_conflict() => Doubtful,
                _ => Different,
            },
            (ReferenceLikeness::Same, Some(false)) => {
                let is_alike = self.same_title() != Some(false) && self.organization() != Some(false);
                if is_alike && self.was_open() != Some(false) { Doubtful } else { Different }
            }
            (ReferenceLikeness::Near, closing) => {
                let is_alike = self.same_title() == Some(true) && self.organization() != Some(false);
                if is_alike && closing != Some(false) { Doubtful } else { Different }
            }
            (ReferenceLikeness::Unknown, closing) => self.without_reference(closing),
            // Both say which tender they are.
            (ReferenceLikeness::Different, closing) => {
                let is_doubtful = [self.notice, self.known].iter().any(|one| is_doubtful(one, "referenceNo"));
                let is_alike = self.same_title() == Some(true) && self.organization() == Some(true);
                if is_doubtful && is_alike && closing == Some(true) { Doubtful } else { Different }
            }
        };
        if relation == Same && self.notice.kind != self.known.kind { Doubtful } else { relation }
    }

    fn with_reference_and_closing(&self) -> Relation {
        use Relation::{Different, Doubtful, Same};
        match (self.same_title(), self.organization()) {
            (Some(true) | None, Some(true)) | (Some(true), None) => Same,
            // Another language, and a body that the gazetteer does not know by both names.
            (None, None) if self.is_long() && self.same_sums() => Same,
            (Some(true) | None, _) => Doubtful,
            // Lot 1 and lot 2 under one reference.
            (Some(false), Some(true)) if self.numbers_conflict() => Different,
            (Some(false), Some(true)) => Doubtful,
            (Some(false), None) if self.is_long() && !self.numbers_conflict() => Doubtful,
            (Some(false), _) => Different,
        }
    }

    fn without_reference(&self, closing: Option<bool>) -> Relation {
        use Relation::{Different, Doubtful, Same};
        if self.same_title() != Some(true) || self.organization() == Some(false) {
            return Different;
        }
        let same_text =
            || alike(&self.notice.full_text_markdown, &self.known.full_text_markdown) >= SAME_TEXT;
        match (closing, self.organization()) {
            (Some(true), Some(true)) => Same,
            (Some(true), _) | (None, Some(true)) if same_text() => Same,
            (Some(true), _) | (None, Some(true)) => Doubtful,
            // Bodies invite bids for the same thing again and again.
            _ => Different,
        }
    }

    /// Whether a corrigendum means this tender.
    fn aim(&self) -> Aim {
        if !self.is_corrigible() {
            return Aim::Not;
        }
        let (title, organization) = (self.same_title(), self.organization());
        match self.reference() {
            ReferenceLikeness::Same
                if organization == Some(true)
                    || title == Some(true)
                    || (self.is_long() && organization.is_none()) =>
            {
                Aim::Named
            }
            ReferenceLikeness::Unknown if title == Some(true) && organization == Some(true) => Aim::Alike,
            _ => Aim::Not,
        }
    }

    /// Whether the known one is something that can be printed again or changed.
    fn is_corrigible(&self) -> bool {
        !matches!(self.known.kind, Kind::Corrigendum | Kind::Award)
    }

    /// How the references compare, where one may stand in the other's text only.
    fn reference(&self) -> ReferenceLikeness {
        let named = |reference: &Option<String>, text: &str| {
            let reference = solid(reference.as_deref().unwrap_or_default());
            reference.chars().count() >= LONG_REFERENCE && solid(text).contains(&reference)
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

    /// Whether two long references differ in letters only: the digits tell one tender from the next.
    fn digits_agree(&self) -> bool {
        let digits = |tender: &Tender| -> String {
            let solid = solid(tender.reference_no.as_deref().unwrap_or_default());
            solid.chars().filter(char::is_ascii_digit).collect()
        };
        let (one, other) = (digits(self.notice), digits(self.known));
        self.is_long() && one == other && one.len() >= 4
    }

    /// Whether both have a reference long enough not to be another body's too.
    fn is_long(&self) -> bool {
        let length =
            |tender: &Tender| solid(tender.reference_no.as_deref().unwrap_or_default()).chars().count();
        length(self.known).max(length(self.notice)) >= LONG_REFERENCE
    }

    /// Whether both close on one day; unknown where one does not say, or not surely.
    fn closing(&self) -> Option<bool> {
        let unsure = [self.notice, self.known].iter().any(|one| is_doubtful(one, "dates.closing"));
        self.grounds.same_closing.filter(|same| *same || !unsure)
    }

    /// Whether the titles say the same; unknown across languages, and where one leaves out a number.
    fn same_title(&self) -> Option<bool> {
        if self.languages_differ() {
            return None;
        }
        match (self.grounds.title >= SAME_TITLE, self.grounds.same_numbers) {
            (true, Some(true)) => Some(true),
            (true, None) => None,
            _ => Some(false),
        }
    }

    /// Whether the titles are alike, but each says a number that the other does not.
    fn numbers_conflict(&self) -> bool {
        self.grounds.same_numbers == Some(false)
    }

    /// Whether both are one body's; a name in another language that the gazetteer does not know tells nothing.
    fn organization(&self) -> Option<bool> {
        self.grounds.same_organization.filter(|same| *same || !self.languages_differ())
    }

    fn languages_differ(&self) -> bool {
        self.notice.language.zip(self.known.language).is_some_and(|(one, other)| one != other)
    }

    /// Whether value, bid security and fee agree where both say them, and both say one.
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

    /// Whether the tender still took bids when the notice was printed.
    fn was_open(&self) -> Option<bool> {
        if self.known.status != TenderStatus::Published {
            return Some(false);
        }
        Some(self.known.dates.closing?.day() >= printed_day(self.notice)?)
    }

    /// Whether the tender had closed so long before the print that the print can hardly be about it.
    fn is_long_over(&self) -> bool {
        let closed = self.known.dates.closing.map(|closing| closing.day());
        closed.zip(printed_day(self.notice)).is_some_and(|(closed, printed)| {
            closed.checked_add(LATE_DAYS.days()).is_ok_and(|latest| latest < printed)
        })
    }
}

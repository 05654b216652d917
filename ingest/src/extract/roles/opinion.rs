//! A second opinion on a notice's title and on its body: what the tagger reads without any rule. A title that it does not read as the
//! rules do is for somebody to look at; where they found nothing, or doubt themselves, it speaks.

use super::{fill::SUREST, spans::Spans, tagger::Tagger};
use crate::extract::{
    other::{Other, Weighed},
    printed::{Found, Printed, SAID_TWICE, plain_words},
};
use std::{collections::BTreeMap, ops::Range};

/// What the rules are as sure of, they found where they know their way,
const KNOWN: f64 = 0.9;
/// so that it takes this much to speak against it.
const OVERRULES: f64 = 0.8;
/// It takes this much to speak where the rules found nothing, or another title;
const SPEAKS: f64 = 0.3;
/// and to confirm what they found elsewhere, or to name another body.
const CONFIRMS: f64 = 0.5;
/// A notice has a body somewhere: where the rules found none, this is enough.
const SPEAKS_OF_BODY: f64 = 0.2;

/// What the tagger is less sure of is not even told beside another reading.
const WORTH_TELLING: f64 = 0.15;

/// What the tagger takes for the title or the body.
#[derive(Debug, Clone, PartialEq)]
pub struct Read {
    /// As printed, in one line.
    pub value: String,
    /// How sure, 0 to 1.
    pub sureness: f64,
    /// Its bytes, where they stand first.
    pub range: Range<usize>,
}

/// What the tagger takes for the title; `None` where it takes nothing for one.
#[must_use]
pub fn title(tagger: &Tagger, spans: &Spans<'_>, printed: &Printed) -> Option<Read> {
    surest(spans, &tagger.titles(spans), printed)
}

/// What the tagger takes for the name of the body that invites.
#[must_use]
pub fn body(tagger: &Tagger, spans: &Spans<'_>, printed: &Printed) -> Option<Read> {
    surest(spans, &tagger.bodies(spans), printed)
}

/// The words of which it is surest. What is printed twice is as sure as both places together.
fn surest(spans: &Spans<'_>, sureness: &[f64], printed: &Printed) -> Option<Read> {
    let mut said: BTreeMap<String, (f64, usize)> = BTreeMap::new();
    for (nth, sure) in sureness.iter().enumerate() {
        let words = plain_words(&printed.flow()[spans.range(nth)]);
        said.entry(words).or_insert((0.0, nth)).0 += sure;
    }
    let (sureness, nth) = said.into_values().max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    let range = spans.range(nth);
    let value = printed.flow()[range.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
    Some(Read { value, sureness, range })
}

/// Whether two texts have the same words, whatever their case and signs.
#[must_use]
pub fn same_words(a: &str, b: &str) -> bool {
    plain_words(a) == plain_words(b)
}

/// What the tagger reads of one notice.
pub(in crate::extract) struct Opinion {
    title: Option<Read>,
    body: Option<Read>,
}

impl Opinion {
    /// Reads a notice's title and body.
    pub(in crate::extract) fn of(tagger: &Tagger, printed: &Printed) -> Self {
        let spans = Spans::of(printed);
        Self { title: title(tagger, &spans, printed), body: body(tagger, &spans, printed) }
    }

    /// How sure it is of a title and of a body at once, 0 to 1.
    pub(in crate::extract) fn sureness(&self) -> f64 {
        let sureness = |read: &Option<Read>| read.as_ref().map_or(0.0, |read| read.sureness);
        sureness(&self.title).min(sureness(&self.body))
    }
}

/// The rules' title, or the tagger's. A title is sure only where both read the same.
pub(in crate::extract) fn weighed_title(rules: Option<Found<String>>, opinion: &Opinion) -> Weighed<String> {
    let opinion = opinion.title.as_ref();
    let Some(found) = rules else {
        return Weighed::alone(opinion.filter(|opinion| opinion.sureness >= SPEAKS).map(said));
    };
    let least = if found.confidence >= KNOWN { OVERRULES } else { SPEAKS };
    match opinion {
        Some(opinion) if same_words(&found.value, &opinion.value) => {
            let is_confirmed = found.confidence >= SAID_TWICE || opinion.sureness >= CONFIRMS;
            Weighed::alone(Some(if is_confirmed { found } else { doubted(found) }))
        }
        Some(opinion) if opinion.sureness >= least && !leads_to(&opinion.value, &found.value) => {
            Weighed::against(said(opinion), Other::of_rules(found))
        }
        Some(opinion) if opinion.sureness >= WORTH_TELLING => {
            Weighed::against(doubted(found), Other::of_classifier(said(opinion)))
        }
        _ => Weighed::alone(Some(doubted(found))),
    }
}

/// The rules' name of the body, or the tagger's. A name is sure only where both read the same.
pub(in crate::extract) fn weighed_body(rules: Option<Found<String>>, opinion: &Opinion) -> Weighed<String> {
    let opinion = opinion.body.as_ref();
    let Some(found) = rules else {
        return Weighed::alone(opinion.filter(|opinion| opinion.sureness >= SPEAKS_OF_BODY).map(said));
    };
    let is_known = found.confidence >= KNOWN;
    match opinion {
        Some(opinion) if same_words(&found.value, &opinion.value) => {
            let is_confirmed = is_known || opinion.sureness >= CONFIRMS;
            Weighed::alone(Some(if is_confirmed { found } else { doubted(found) }))
        }
        Some(opinion) if opinion.sureness >= if is_known { OVERRULES } else { CONFIRMS } => {
            Weighed::against(said(opinion), Other::of_rules(found))
        }
        Some(opinion) if opinion.sureness >= WORTH_TELLING => {
            Weighed::against(doubted(found), Other::of_classifier(said(opinion)))
        }
        _ => Weighed::alone(Some(doubted(found))),
    }
}

/// What the tagger says, for a person to look at.
fn said(opinion: &Read) -> Found<String> {
    Found::new(opinion.value.clone(), opinion.sureness.min(SUREST), opinion.range.clone())
}

fn doubted(found: Found<String>) -> Found<String> {
    Found { confidence: found.confidence.min(SUREST), ..found }
}

/// Whether the longer one says the same behind a call: `Tender for the Supply of Pipes`.
fn leads_to(longer: &str, title: &str) -> bool {
    plain_words(longer).ends_with(&format!(" {}", plain_words(title)))
}

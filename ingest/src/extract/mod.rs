//! From a clip's text to a notice: rules with evidence, one file per group of fields. Each value comes with a confidence and
//! the printed words it was read from; nothing is guessed, and places that disagree make a field doubtful. How the text
//! was read from the page, and what becomes of the notice, is not known here.

mod call;
mod category;
mod change;
mod cida;
pub(crate) mod claim;
mod clause;
mod contact;
mod dates;
mod deadlines;
mod description;
mod eligibility;
mod fees;
mod gazetteer;
mod head;
mod heading;
mod invited;
mod kind;
mod labelled;
mod language;
mod lots;
mod money;
mod organization;
mod pattern;
mod place;
mod printed;
mod record;
mod reference;
pub mod roles;
mod sale;
mod signature;
mod title;
mod torn;

pub use gazetteer::{Gazetteer, GazetteerError, LEARNT_BY, LEARNT_FROM, MAX_BYTES as MAX_GAZETTEER_BYTES};
pub use head::{HEAD, Head, head};
pub use kind::Reason;
pub use printed::{Found, MAX_TEXT, Printed};

use index::{
    tender::Tender,
    vocabulary::{Day, Kind},
};
use record::Record;

/// Raised whenever the rules read something differently, so that pages are read again.
pub const RULES_VERSION: u32 = 18;

/// A key field less sure than this makes a notice wait for a person's review, unless the operator draws another line.
///
/// Values by the confidence they were read with, all fields together, and how many of them differ from the truth: on the
/// texts of generated pages, and on restated and written real notices (`examples/fields.rs` prints this table). Reading errors
/// play no part there.
///
/// | confidence | pages, read | wrong | real shapes, read | wrong |
/// |---|---|---|---|---|
/// | from .95 | 874 | 4 | 49 | 0 |
/// | from .90 | 1371 | 1 | 139 | 1 |
/// | from .85 | 558 | 1 | 40 | 0 |
/// | from .80 | 45 | 0 | 1 | 0 |
/// | below .80 | 170 | 29 | 20 | 1 |
///
/// Of those pages' 515 notices 417 are published unseen, one of them under a title that has lost its `Tender for the`. The rules were mended by
/// nearly all of them. Of three families of wordings at first sight (193 notices) 41 were published, and 2 of them were wrong.
///
/// On scans it is the misread letter that counts. Of the notices of scanned pages, those published unseen, and of those the ones
/// with a wrong title, organisation or closing (`ingest eval` has both as rows); before, without looking at how surely the words of
/// a field were read, at closings that no office has, and at two readings that differ by a letter:
///
/// | pages | notices | published unseen, before | wrong | published unseen | wrong |
/// |---|---|---|---|---|---|
/// | d1: a slight lean | 75 | 64 | 1 | 57 | 0 |
/// | d2: bleed, show-through | 75 | 64 | 6 | 46 | 1 |
///
/// The rules were calibrated on these very pages. A title from which recognition drops a whole word passes: nothing on the clip tells
/// of it.
pub const CONFIDENCE_LINE: f64 = 0.8;

/// The fields without which a reader can't use a notice. A reference counts only where one is printed.
pub const KEY_FIELDS: [&str; 4] = ["title", "organization.name", "dates.closing", "referenceNo"];

/// Kinds of notice that print no closing of their own.
const WITHOUT_CLOSING: [Kind; 2] = [Kind::Corrigendum, Kind::Award];

/// What a clip turned out to be.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted {
    /// A tender notice. Its `status`, `sources` and `fullTextMarkdown` are for the caller to set.
    Notice(Box<Tender>),
    /// Something else.
    Rejected(Reason),
}

/// Reads a notice. `issue` is the day of the newspaper, where known; `legibility` says how well the text was read, 0 to
/// 1, and bounds every confidence.
#[must_use]
pub fn extract(printed: &Printed, issue: Option<Day>, legibility: f64) -> Extracted {
    extract_with(Gazetteer::built_in(), printed, issue, legibility)
}

/// Reads a notice as [`extract`] does, with the bodies that an operator has added.
#[must_use]
pub fn extract_with(
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    extract_by(Some(roles::Tagger::built_in()), gazetteer, printed, issue, legibility)
}

/// Reads a notice as [`extract_with`] does, by the weights of another tagger, or by the rules alone: for measuring what each is
/// worth.
#[must_use]
pub fn extract_by(
    tagger: Option<&roles::Tagger>,
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    let (head, body) = heading::head(printed, gazetteer);
    let opinion = tagger.map(|tagger| roles::Opinion::of(tagger, printed));
    let asked = tagger.map(|tagger| roles::Asked::of(tagger, printed));
    let legibility = match kind::refusal(printed, &head) {
        None if asked.as_ref().is_some_and(roles::Asked::refuses) => legibility.min(roles::SUREST),
        None => legibility,
        // What no rule knows for a notice may be one in words that no rule has met.
        Some(Reason::NoInvitation | Reason::Advertisement)
            if tagger.zip(opinion.as_ref()).zip(asked.as_ref()).is_some_and(
                |((tagger, opinion), asked)| roles::calls(tagger, printed, issue, opinion, asked),
            ) =>
        {
            legibility.min(roles::SUREST)
        }
        Some(reason) => return Extracted::Rejected(reason),
    };
    let mut record = Record::new(printed, legibility);
    let rows = lots::rows(printed);
    let title = title::title(printed, &head, body, &rows);
    let title = match &opinion {
        Some(opinion) => roles::weighed_title(title, opinion),
        None => title,
    };
    let kind = kind::kind(printed, &head, title.as_ref());
    let kind = match &asked {
        Some(asked) => asked.weighed(kind),
        None => kind,
    };
    let kind_of_notice = kind.value;
    record.kind(kind);
    record.language(language::language(printed.flow()));
    record.category(category::category(printed, title.as_ref(), body));
    let title_end = title.as_ref().map_or(0, |title| title.range.end);
    record.title(title.map(|title| whole(title, gazetteer)));
    let organization = organization::name(printed, &head, gazetteer);
    let organization = match &opinion {
        Some(opinion) => roles::weighed_body(organization, opinion),
        None => organization,
    };
    let organization = organization.map(|name| {
        let mended = torn::mended(&name.value, gazetteer);
        mended.map_or_else(|| whole(name.clone(), gazetteer), |value| Found { value, ..name.clone() })
    });
    let kind = organization.as_ref().and_then(|name| organization::kind(&name.value, gazetteer));
    record.organization(organization, kind);
    record.contact(contact::person(printed), contact::email(printed), contact::phone(printed));
    record.reference(reference::reference(printed));
    let mut deadlines = deadlines::deadlines(printed, issue, kind_of_notice == Kind::Corrigendum);
    let mut fees = fees::fees(printed, &rows);
    if let Some(tagger) = tagger {
        roles::fill(tagger, printed, issue, kind_of_notice, &rows, (&mut deadlines, &mut fees));
    }
    record.deadlines(deadlines);
    record.fees(fees, &rows);
    record.lots(lots::lots(&rows), &rows);
    record.place(place::place(printed, title_end, gazetteer));
    record.cida(cida::grades(printed));
    record.eligibility(eligibility::criteria(printed), eligibility::years(printed));
    record.method(eligibility::method(printed));
    record.description(description::description(printed, body));
    Extracted::Notice(Box::new(record.finish(issue)))
}

/// A value, doubtful where a word of it is torn.
fn whole(found: Found<String>, gazetteer: &Gazetteer) -> Found<String> {
    let confidence =
        if torn::is_torn(&found.value, gazetteer) { 0.7_f64.min(found.confidence) } else { found.confidence };
    Found { confidence, ..found }
}

/// The printed heading lines of a notice in order, lines that the column broke joined by a space. What a line holds together
/// stays together.
#[must_use]
pub fn headings(printed: &Printed, gazetteer: &Gazetteer) -> Vec<String> {
    let (head, _) = heading::head(printed, gazetteer);
    let mut headings: Vec<Found<String>> = Vec::new();
    for line in head.into_iter().filter(|line| line.role != heading::Role::Label).map(|line| line.text) {
        match headings.last_mut() {
            Some(last) if !printed.text()[last.range.end..line.range.start].contains('\n') => {
                let gap = printed.text()[last.range.end..line.range.start].split_whitespace();
                let parts = std::iter::once(last.value.as_str()).chain(gap).chain([line.value.as_str()]);
                last.value = parts.collect::<Vec<_>>().join(" ");
                last.range.end = line.range.end;
            }
            _ => headings.push(line),
        }
    }
    headings.into_iter().map(|heading| heading.value).collect()
}

/// The key fields that are missing or less sure than `line`, each with why. Under a line of 0 nothing falls.
#[must_use]
pub fn doubts(tender: &Tender, line: f64) -> Vec<(&'static str, &'static str)> {
    let missing = |field: &str| match field {
        "title" => tender.title.is_empty(),
        "organization.name" => tender.organization.name.is_empty(),
        "dates.closing" => tender.dates.closing.is_none() && !WITHOUT_CLOSING.contains(&tender.kind),
        _ => false,
    };
    let doubtful = |field: &str| tender.confidence.get(field).is_some_and(|confidence| *confidence < line);
    KEY_FIELDS
        .into_iter()
        .filter_map(|field| match (missing(field) && line > 0.0, doubtful(field)) {
            (true, _) => Some((field, "missing")),
            (_, true) => Some((field, "doubtful")),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests;

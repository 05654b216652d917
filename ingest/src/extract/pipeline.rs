//! Extracts a notice from a clip with all rules and the classifier.

use super::{
    alternatives::Selection,
    classifier,
    gazetteer::Gazetteer,
    language,
    printed::{Found, Printed},
    rules::{self, kind::Reason},
    tender_builder::TenderBuilder,
};
use crate::base::lexicon::Lexicon;
use index::{
    tender::Tender,
    vocabulary::{Day, Kind},
};

/// The version of the rules. Raising it reads pages again.
pub const RULES_VERSION: u32 = 23;

/// The result for a clip.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted {
    /// A tender notice. The caller sets `status`, `sources` and `fullTextMarkdown`.
    Notice(Box<Tender>),
    /// Another block.
    Rejected(Reason),
}

/// Extracts a notice. `issue` is the date of the newspaper, if known. `legibility` is the
/// confidence of the text, 0 to 1, and limits every confidence.
#[must_use]
pub fn extract(printed: &Printed, issue: Option<Day>, legibility: f64) -> Extracted {
    extract_with(Gazetteer::built_in(), printed, issue, legibility)
}

/// Like [`extract`], with another gazetteer.
#[must_use]
pub fn extract_with(
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    extract_by(Some(classifier::Classifier::built_in()), gazetteer, printed, issue, legibility)
}

/// Like [`extract_with`], with another classifier or with the rules only, for evaluation.
#[must_use]
pub fn extract_by(
    classifier: Option<&classifier::Classifier>,
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    let (head, body) = rules::heading::head(printed, gazetteer);
    let predictions = classifier.map(|classifier| classifier::NamePredictions::of(classifier, printed));
    let kind_prediction = classifier.map(|classifier| classifier::KindPrediction::of(classifier, printed));
    let is_notice = match rules::kind::refusal(printed, &head) {
        None => classifier.zip(predictions.as_ref()).zip(kind_prediction.as_ref()).and_then(
            |((classifier, predictions), kind_prediction)| {
                classifier::notice_doubt(classifier, printed, issue, predictions, kind_prediction)
            },
        ),
        // A text without a known cue may still be a notice in unknown words.
        Some(reason @ (Reason::NoInvitation | Reason::Advertisement)) => {
            let all = classifier.zip(predictions.as_ref()).zip(kind_prediction.as_ref());
            match all.map(|((classifier, predictions), kind_prediction)| {
                classifier::judge_unrecognised(classifier, printed, issue, predictions, kind_prediction)
            }) {
                Some(classifier::NoticeVerdict::Certain) => None,
                Some(classifier::NoticeVerdict::Possible) => Some(classifier::CLASSIFIER_CEILING),
                Some(classifier::NoticeVerdict::No) | None => return Extracted::Rejected(reason),
            }
        }
        Some(reason) => return Extracted::Rejected(reason),
    };
    let mut record = TenderBuilder::new(printed, legibility);
    record.is_notice(is_notice);
    let rows = rules::lots::rows(printed);
    let title = rules::title::title(printed, &head, body, &rows);
    let Selection { chosen: title, others: other_titles } = match &predictions {
        Some(predictions) => classifier::select_title(title, predictions, &head, body),
        None => Selection::alone(title),
    };
    let title = title.map(rules::title::looked_over);
    let kind = rules::kind::kind(printed, &head, title.as_ref());
    let kind = match &kind_prediction {
        Some(kind_prediction) => kind_prediction.select(kind),
        None => kind,
    };
    let kind_of_notice = kind.value;
    record.kind(kind);
    record.language(language::language(printed.flow()));
    record.category(rules::category::category(printed, title.as_ref(), body));
    let where_it_is = rules::location::place(printed, title.as_ref(), gazetteer);
    record.title(title.map(|title| whole(title, gazetteer)));
    record.others("title", other_titles);
    let organization = rules::organization::name(printed, &head, gazetteer);
    let Selection { chosen: organization, others: other_names } = match &predictions {
        Some(predictions) => {
            let is_listed = organization.as_ref().is_some_and(|name| gazetteer.lists(&name.value));
            classifier::select_organization(organization, predictions, is_listed)
        }
        None => Selection::alone(organization),
    };
    let organization =
        organization.map(|name| name.map(|name| rules::organization::called(&name).to_owned()));
    let organization = organization.map(|name| {
        let repaired = rules::broken_tamil::repaired(&name.value, gazetteer);
        repaired.map_or_else(|| whole(name.clone(), gazetteer), |value| Found { value, ..name.clone() })
    });
    let kind = organization.as_ref().and_then(|name| rules::organization::kind(&name.value, gazetteer));
    let is_known = organization.as_ref().is_some_and(|name| gazetteer.lists(&name.value));
    record.organization(organization, kind, is_known);
    record.others("organization.name", other_names);
    record.contact(
        rules::contact::person(printed),
        rules::contact::email(printed),
        rules::contact::phone(printed),
    );
    let Selection { chosen, others } = rules::reference::reference(printed);
    record.reference(chosen);
    record.others("referenceNo", others);
    let mut deadlines = rules::deadlines::deadlines(printed, issue, kind_of_notice == Kind::Corrigendum);
    let mut fees = rules::fees::fees(printed, &rows);
    if let Some(classifier) = classifier {
        classifier::merge_with_rules(
            classifier,
            printed,
            issue,
            kind_of_notice,
            &rows,
            (&mut deadlines, &mut fees),
        );
    }
    record.deadlines(deadlines);
    record.fees(fees, &rows);
    record.lots(rules::lots::lots(&rows), &rows);
    record.place(where_it_is);
    record.cida(rules::cida::grades(printed));
    record.eligibility(rules::eligibility::criteria(printed), rules::eligibility::years(printed));
    record.method(rules::eligibility::method(printed));
    record.description(rules::description::description(printed, body));
    record.untitled(&head);
    Extracted::Notice(Box::new(record.finish(issue, gazetteer)))
}

/// Limits the confidence of a value with a split or truncated word.
fn whole(found: Found<String>, gazetteer: &Gazetteer) -> Found<String> {
    let words: Vec<&str> = found.value.split_whitespace().chain([""]).collect();
    let is_cut = words.windows(2).any(|pair| Lexicon::built_in().is_cut(pair[0], pair[1]));
    let most = if is_cut || rules::broken_tamil::is_torn(&found.value, gazetteer) {
        classifier::CLASSIFIER_CEILING
    } else {
        1.0
    };
    Found { confidence: found.confidence.min(most), ..found }
}

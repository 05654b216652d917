//! Extracts a notice from a clip with all rules and the classifier.

use super::{
    alternatives::Selection,
    classifier,
    gazetteer::Gazetteer,
    language,
    printed::{Found, Printed},
    rules::{self, kind::RejectionReason},
    second_choices::{FieldRanges, add_second_choices},
    tender_builder::TenderBuilder,
};
use crate::base::lexicon::Lexicon;
use tender_model::{
    tender::Tender,
    vocabulary::{Day, Kind},
};

/// The version of the rules. Pages that were read with another version are read again.
pub const RULES_VERSION: u32 = 28;

/// The result for a clip.
#[derive(Debug, Clone, PartialEq)]
pub enum Extracted {
    /// A tender notice. The caller sets `status`, `sources` and `fullTextMarkdown`.
    Notice(Box<Tender>),
    /// Not a tender notice, with the reason.
    Rejected(RejectionReason),
}

/// Extracts a notice. `issue` is the date of the newspaper, if known. `legibility` is the
/// confidence of the whole text, 0 to 1. It limits the confidence of a field, unless the words of
/// the field are clearly legible.
#[must_use]
pub fn extract(printed: &Printed, issue: Option<Day>, legibility: f64) -> Extracted {
    extract_with_gazetteer(Gazetteer::built_in(), printed, issue, legibility)
}

/// Like [`extract`], with another gazetteer.
#[must_use]
pub fn extract_with_gazetteer(
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    extract_with_classifier(Some(classifier::Classifier::built_in()), gazetteer, printed, issue, legibility)
}

/// Like [`extract_with_gazetteer`], for a block that is a notice by a person's word. Only a block
/// with too little text is rejected.
#[must_use]
pub fn extract_confirmed(
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    let head = rules::heading::parse_heading(printed, gazetteer).0;
    match rules::kind::rejection_reason(printed, &head) {
        Some(RejectionReason::Empty) => Extracted::Rejected(RejectionReason::Empty),
        _ => {
            let classifier = Some(classifier::Classifier::built_in());
            extract_notice(classifier, gazetteer, printed, issue, legibility, NoticeCheck::Confirmed)
        }
    }
}

/// Whether a block is checked for being a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum NoticeCheck {
    /// The rules and the classifier decide.
    ByRules,
    /// A person has decided that the block is a notice.
    Confirmed,
}

/// Like [`extract_with_gazetteer`], with another classifier or without one, for evaluation.
#[must_use]
pub fn extract_with_classifier(
    classifier: Option<&classifier::Classifier>,
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
) -> Extracted {
    extract_notice(classifier, gazetteer, printed, issue, legibility, NoticeCheck::ByRules)
}

fn extract_notice(
    classifier: Option<&classifier::Classifier>,
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
    check: NoticeCheck,
) -> Extracted {
    let read =
        |printed: &Printed, check| read_fields(classifier, gazetteer, printed, issue, legibility, check);
    match read(printed, check) {
        Err(reason) => Extracted::Rejected(reason),
        Ok((mut tender, ranges)) => {
            add_second_choices(&mut tender, &ranges, printed, |other| {
                read(other, NoticeCheck::Confirmed).ok().map(|(tender, _)| tender)
            });
            Extracted::Notice(Box::new(tender))
        }
    }
}

/// Reads the fields of a notice. Returns the tender and the printed words of its fields, or why the
/// text is not a notice.
fn read_fields(
    classifier: Option<&classifier::Classifier>,
    gazetteer: &Gazetteer,
    printed: &Printed,
    issue: Option<Day>,
    legibility: f64,
    check: NoticeCheck,
) -> Result<(Tender, FieldRanges), RejectionReason> {
    let (head, body) = rules::heading::parse_heading(printed, gazetteer);
    let predictions = classifier.map(|classifier| classifier::NamePredictions::of(classifier, printed));
    let kind_prediction = classifier.map(|classifier| classifier::KindPrediction::of(classifier, printed));
    let reason = rules::kind::rejection_reason(printed, &head);
    let notice_doubt = match reason {
        _ if check == NoticeCheck::Confirmed => None,
        None => classifier.zip(predictions.as_ref()).zip(kind_prediction.as_ref()).and_then(
            |((classifier, predictions), kind_prediction)| {
                classifier::notice_doubt(classifier, printed, issue, predictions, kind_prediction)
            },
        ),
        // The classifier may recognise a notice whose wording no rule recognises.
        Some(reason @ (RejectionReason::NoInvitation | RejectionReason::Advertisement)) => {
            let all = classifier.zip(predictions.as_ref()).zip(kind_prediction.as_ref());
            match all.map(|((classifier, predictions), kind_prediction)| {
                classifier::judge_unrecognised(classifier, printed, issue, predictions, kind_prediction)
            }) {
                Some(classifier::NoticeVerdict::Certain) => None,
                Some(classifier::NoticeVerdict::Possible) => Some(classifier::CLASSIFIER_CEILING),
                Some(classifier::NoticeVerdict::No) | None => return Err(reason),
            }
        }
        Some(reason) => return Err(reason),
    };
    let mut builder = TenderBuilder::new(printed, legibility);
    builder.notice_doubt(notice_doubt);
    let rows = rules::lots::read_rows(printed);
    let title = rules::title::find_title(printed, &head, body, &rows);
    let Selection { chosen: title, others: other_titles } = match &predictions {
        Some(predictions) => classifier::select_title(title, predictions, &head, body),
        None => Selection::without_alternatives(title),
    };
    let title = title.map(rules::title::clean_title);
    let heading_end = rules::eligibility::heading_end(printed, body, title.as_ref());
    let kind = rules::kind::kind(printed, &head, title.as_ref());
    let kind = match &kind_prediction {
        Some(kind_prediction) => kind_prediction.select_kind(kind),
        None => kind,
    };
    let kind_of_notice = kind.value;
    builder.kind(kind);
    builder.language(language::detect(printed.flow()));
    builder.category(rules::category::category(printed, title.as_ref(), body, kind_of_notice));
    let location = rules::location::find_location(printed, title.as_ref(), gazetteer);
    builder.title(title.map(|title| limit_if_cut(title, gazetteer)));
    builder.alternatives("title", other_titles);
    let organization = rules::organization::find_organization(printed, &head, gazetteer);
    let Selection { chosen: organization, others: other_names } = match &predictions {
        Some(predictions) => {
            let is_listed = organization.as_ref().is_some_and(|name| gazetteer.has_exact_name(&name.value));
            classifier::select_organization(organization, predictions, is_listed)
        }
        None => Selection::without_alternatives(organization),
    };
    let organization = organization
        .map(|name| name.map(|name| rules::organization::without_stray_brackets(&name).to_owned()));
    let organization = organization.map(|name| {
        let repaired = rules::split_tamil_words::repair_name(&name.value, gazetteer);
        repaired
            .map_or_else(|| limit_if_cut(name.clone(), gazetteer), |value| Found { value, ..name.clone() })
    });
    let kind =
        organization.as_ref().and_then(|name| rules::organization::organization_type(&name.value, gazetteer));
    let is_known = organization.as_ref().is_some_and(|name| gazetteer.has_exact_name(&name.value));
    builder.organization(organization, kind, is_known);
    builder.alternatives("organization.name", other_names);
    builder.contact(
        rules::contact::person(printed),
        rules::contact::email(printed),
        rules::contact::phone(printed),
    );
    let Selection { chosen, others } = rules::reference::select_reference(printed);
    builder.reference(chosen);
    builder.alternatives("referenceNo", others);
    let mut deadlines =
        rules::date_purposes::read_deadlines(printed, issue, kind_of_notice == Kind::Corrigendum);
    let mut fees = rules::amount_purposes::read_amounts(printed, &rows);
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
    builder.deadlines(deadlines);
    builder.fees(fees, &rows);
    builder.lots(rules::lots::lots(&rows), &rows);
    builder.location(location);
    builder.cida(rules::cida::grades(printed));
    builder
        .eligibility(rules::eligibility::criteria(printed, heading_end), rules::eligibility::years(printed));
    builder.method(rules::procurement_method::procurement_method(printed));
    builder.description(rules::description::description(printed, body));
    builder.fallback_title(&head);
    Ok(builder.finish(issue, gazetteer))
}

/// Limits the confidence of a value if one of its words seems to be split or truncated.
fn limit_if_cut(found: Found<String>, gazetteer: &Gazetteer) -> Found<String> {
    let words: Vec<&str> = found.value.split_whitespace().chain([""]).collect();
    let is_cut = words.windows(2).any(|pair| Lexicon::built_in().is_cut(pair[0], pair[1]));
    let most = if is_cut || rules::split_tamil_words::has_split_word(&found.value, gazetteer) {
        classifier::CLASSIFIER_CEILING
    } else {
        1.0
    };
    Found { confidence: found.confidence.min(most), ..found }
}

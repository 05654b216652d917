//! How a bid is submitted, in the words of the notice.

use super::{
    sentences::{MAX_QUOTE, Sentence, sentences},
    signature::signature,
};
use crate::{
    tender::{Submission, Tender},
    text::Words,
    vocabulary::SubmissionMethod,
};

/// Sealed bids come in a cover, also where the notice does not name it.
const SEALED: [&str; 13] = [
    "sealed envelope",
    "sealed envelopes",
    "sealed cover",
    "sealed covers",
    "sealed bid",
    "sealed bids",
    "sealed tenders",
    "sealed quotations",
    "sealed proposals",
    "sealed offers",
    "under seal",
    "මුද්‍රා තැබූ",
    "முத்திரையிடப்பட்ட",
];
const TWO_ENVELOPES: [&str; 7] = [
    "two envelope",
    "two envelopes",
    "two separate envelopes",
    "two separate sealed envelopes",
    "two cover",
    "two covers",
    "கவர் இரண்டு",
];
const ELECTRONIC: [&str; 9] = [
    "submitted online",
    "submitted electronically",
    "submit online",
    "electronic submission",
    "online submission",
    "submitted through the e procurement",
    "submitted via the e procurement",
    "submitted by e mail",
    "submitted via e mail",
];
const POST: [&str; 7] = [
    "registered post",
    "registered mail",
    "registered cover",
    "by post",
    "by courier",
    "ලියාපදිංචි තැපෑලෙන්",
    "பதிவுத் தபாலில்",
];
const BOX: [&str; 8] = [
    "tender box",
    "bid box",
    "tender boxes",
    "deposited in the box",
    "placed in the box",
    "box kept at",
    "ටෙන්ඩර් පෙට්ටියට",
    "விலைமனுப் பெட்டியில்",
];

/// Phrases of the sentence that says where bids are delivered.
const DELIVERY: [&str; 18] = [
    "must be delivered",
    "shall be delivered",
    "should be delivered",
    "to reach the undersigned",
    "deposited in the tender box",
    "deposited in the box",
    "placed in the tender box",
    "placed in the box",
    "handed over",
    "handed in",
    "lodged at",
    "lodged with",
    "lodged in",
    "shall reach",
    "should reach",
    "must reach",
    "close and are opened at",
    "received at",
];

/// Phrases which show that bids are not accepted in a way that the sentence names.
const REFUSALS: [&str; 6] =
    ["not be accepted", "not accepted", "not permitted", "not allowed", "shall not", "will not be"];

/// The phrases of a method.
const fn phrases(method: SubmissionMethod) -> &'static [&'static str] {
    match method {
        SubmissionMethod::SealedEnvelope => &SEALED,
        SubmissionMethod::TwoEnvelopes => &TWO_ENVELOPES,
        SubmissionMethod::Electronic => &ELECTRONIC,
        SubmissionMethod::Post => &POST,
        SubmissionMethod::TenderBox => &BOX,
    }
}

/// The sentence that names a method.
pub(super) fn sentence_for(sentences: &[Sentence], method: SubmissionMethod) -> Option<&Sentence> {
    sentences.iter().find(|sentence| sentence.has(phrases(method)) && !sentence.has(&REFUSALS))
}

/// Phrases of a sentence that asks for registered post.
const REGISTERED: [&str; 5] =
    ["registered post", "registered mail", "registered cover", "ලියාපදිංචි තැපෑලෙන්", "பதிவுத் தபாலில்"];

/// Whether bids that are posted must be registered: the notice names no other post.
#[must_use]
pub fn is_by_registered_post(tender: &Tender) -> bool {
    ask_for_registered_post(&sentences_of(tender))
}

/// Whether the sentences of a notice ask for registered post.
pub(super) fn ask_for_registered_post(sentences: &[Sentence]) -> bool {
    sentence_for(sentences, SubmissionMethod::Post)
        .is_some_and(|sentence| sentence.has(&REGISTERED) && !sentence.has(&["courier", "by post"]))
}

/// The methods that the sentences of a notice name.
fn methods(sentences: &[Sentence]) -> Vec<SubmissionMethod> {
    let named = |method: &SubmissionMethod| sentence_for(sentences, *method).is_some();
    SubmissionMethod::ALL.iter().copied().filter(named).collect()
}

/// The sentence that says where bids are delivered, if it is short enough to be quoted.
fn delivery_sentence(sentences: &[Sentence]) -> Option<&Sentence> {
    sentences.iter().find(|sentence| sentence.has(&DELIVERY) && sentence.text.chars().count() <= MAX_QUOTE)
}

/// Phrases of a sentence that sends the bid to the office that signs the notice.
const SIGNING_OFFICE: [&str; 6] =
    ["this office", "the undersigned", "named below", "mentioned below", "given below", "address below"];

/// The address under the notice, if bids go there for all that is known: no place of delivery is named, or it
/// is the office that signs.
#[must_use]
pub fn address_under_notice(tender: &Tender, place: Option<&str>) -> Option<String> {
    let is_open = place.is_none_or(|place| {
        let words = format!(" {} ", Words::of(place).as_str());
        SIGNING_OFFICE.iter().any(|phrase| words.contains(&format!(" {phrase} ")))
    });
    if is_open { signature(&tender.full_text_markdown) } else { None }
}

/// The sentences of a tender: those of its notice, or of what its publisher wrote instead.
pub(super) fn sentences_of(tender: &Tender) -> Vec<Sentence> {
    let notice = tender.full_text_markdown.as_str();
    sentences(if notice.trim().is_empty() { &tender.description } else { notice })
}

/// How a bid for a tender is submitted: as its publisher states it, otherwise in the words of its notice.
/// Then the place is the printed sentence that names it.
#[must_use]
pub fn submission(tender: &Tender) -> Submission {
    stated_in(tender, &sentences_of(tender))
}

/// How a bid for a tender with these sentences is submitted.
pub(super) fn stated_in(tender: &Tender, sentences: &[Sentence]) -> Submission {
    let stated = tender.submission.clone().unwrap_or_default();
    let place = || delivery_sentence(sentences).map(|sentence| sentence.text.clone());
    Submission {
        place: stated.place.or_else(place),
        methods: if stated.methods.is_empty() { methods(sentences) } else { stated.methods },
    }
}

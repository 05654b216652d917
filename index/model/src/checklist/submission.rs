//! How a bid is submitted, in the words of the notice.

use super::sentences::{MAX_QUOTE, Sentence, sentences};
use crate::vocabulary::terms;

terms! {
    /// How bids may be submitted.
    SubmissionMethod, "method of submission" {
        /// In a sealed envelope.
        SealedEnvelope = "sealed-envelope",
        /// The technical and the financial bid in envelopes of their own.
        TwoEnvelopes = "two-envelopes",
        /// Through a site or by e-mail.
        Electronic = "electronic",
        /// By registered post or courier.
        Post = "post",
        /// Into the tender box.
        TenderBox = "tender-box",
    }
}

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
const DELIVERY: [&str; 15] = [
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

/// The methods that the sentences of a notice name.
pub(super) fn methods(sentences: &[Sentence]) -> Vec<SubmissionMethod> {
    let named = |method: &SubmissionMethod| sentence_for(sentences, *method).is_some();
    SubmissionMethod::ALL.iter().copied().filter(named).collect()
}

/// The sentence that says where bids are delivered, if it is short enough to be quoted.
pub(super) fn delivery_sentence(sentences: &[Sentence]) -> Option<&Sentence> {
    sentences.iter().find(|sentence| sentence.has(&DELIVERY) && sentence.text.chars().count() <= MAX_QUOTE)
}

/// How a bid is submitted, as far as a notice says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Submission {
    /// The methods. Empty: the notice does not say.
    pub methods: Vec<SubmissionMethod>,
    /// The sentence that says where bids are delivered, as printed.
    pub delivery: Option<String>,
}

/// How a bid is submitted, in the words of a notice in Markdown.
#[must_use]
pub fn submission(markdown: &str) -> Submission {
    let sentences = sentences(markdown);
    Submission {
        methods: methods(&sentences),
        delivery: delivery_sentence(&sentences).map(|sentence| sentence.text.clone()),
    }
}

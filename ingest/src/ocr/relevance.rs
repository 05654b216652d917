//! Decides whether a large clip is worth reading completely. Its beginning and end are read first.
//! A long, legible text without any cue of a notice is skipped. Extraction decides about all other
//! clips.

use super::ClipText;
use regex::Regex;
use std::sync::LazyLock;

/// Matches the cues that notices have at their beginning or end, including common misreadings of
/// OCR.
static NOTICE_CUE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)bid|tender|quotation|procure|auction|proposal|invit|calling|sealed|closing|corrig|addend|amend|erratum|",
        r"cancel|award|supplier|contractor|registration|qualif|expression|\bE\.?O\.?I|\bR\.?F\.?[PQ]|\bICB|\bNCB|dispos|",
        r"sale\b|deadline|extension|postpone|",
        "ලංසු|ප්‍රසම්පා|ටෙන්ඩර්|මිල|කැඳව|කැදව|වෙන්දේසි|ලියාපදිං|සැපයුම්|සංශෝධ|දීර්ඝ|",
        "விலை|கேள்வி|கோர|பெறுகை|ஏலம்|விற்பனை|பதிவு|வழங்குநர்|திருத்த|நீடி|ரத்து"
    ))
    .ok()
});
/// A text with less confidence may contain a misread cue.
const MIN_CONFIDENCE: f64 = 0.75;
/// A text with fewer words is too short to be judged.
const MIN_WORDS: usize = 30;

/// Whether a clip may be a notice, judged by the part that was read.
pub(super) fn may_be_notice(glance: &ClipText) -> bool {
    glance.confidence < MIN_CONFIDENCE
        || glance.words().count() < MIN_WORDS
        || NOTICE_CUE.as_ref().is_none_or(|hint| hint.is_match(&glance.text()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ocr::ClipText;

    const NEWS: &str = "Officials said that the harvest this season had improved despite the late rains and that farmers expected \
                        better prices at the economic centres. The chairman of the society told reporters that transport remained";

    #[test]
    fn only_a_long_legible_text_without_a_cue_is_skipped() {
        let news = ClipText::from_plain(NEWS);
        assert!(!may_be_notice(&news));
        assert!(may_be_notice(&ClipText { confidence: 0.5, ..news }));
        assert!(may_be_notice(&ClipText::from_plain(
            "Officials said that the harvest this season had improved"
        )));
        for hint in ["Sealed bids are", "QUOTATIONS", "ලංසු කැඳවීම", "விலைமனு கோரல்", "(EOI)"]
        {
            assert!(may_be_notice(&ClipText::from_plain(&format!("{NEWS} {hint}"))), "{hint}");
        }
    }
}

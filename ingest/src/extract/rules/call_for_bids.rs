//! Calls for bids: lines that consist only of a call, and calls that name their subject.

use super::{pattern::patterns, work_verbs::begins_with_work_verb};

patterns! {
    BANNER = r"\b(?:invitation (?:for|to|of) (?:bids?|tenders?|quotations?|proposals?)|(?:procurement|tender|bid|bidding|quotation) notice|calling (?:for|of) (?:tenders|bids|quotations|proposals|applications)|call for (?:bids|tenders|proposals|quotations)|requests? for (?:quotations?|proposals?|bids|expressions? of interest)|expressions? of interest|national competitive bidding|international competitive bidding|national shopping|(?:registration|enlist(?:ing|ment)) of (?:suppliers|contractors)[\w\s&,]*(?:-?\s?\d{4})?|(?:notice of )?(?:amendment|corrigendum|correction|addendum|extension|award|cancellation|postponement)[\w\s]*(?:notice)?|invitation for registration|notice of (?:sale|auction|award)|public auction|auction notice|procurement of (?:goods|works|services|supplies)(?:\W+(?:and\W+)?(?:works|services|goods|supplies))*$|tenders?$|(?:bids|tenders|quotations|proposals|expressions of interest) (?:are )?invited$|call for quotations)|(?:ලංසු|ටෙන්ඩර්|මිල\s?ගණන්|ප්‍රසම්පා?දන)\s(?:ක[ැෑ]?ඳ|ඉල්ලීම|(?:\S+\s){0,2}(?:ක[ැෑ]?ඳවී(?:ම|මේ|මයි)(?:\s|$)|දැන්වීම|නිවේදන|ආරාධන|ඇරයුම))|ලියාපදිංචි කිරීම(?:ේ|$)|(?:கேள்வி|விலைமனு|விலைக்\s?கூறல்|விலைகளை|பெறுகை|கொள்முதல்)\S*\s(?:\S+\s){0,1}(?:அறிவித்தல்|அறிவிப்பு|கோரல்|கோருதல்|அழைப்பு)|(?:சமர்ப்பிப்புக்கான|விலைமனுக்களுக்கான) அழைப்பு|விலை(?:க் கேள்வி|மனுக்கள்)$";
    // A line that has only these words may be a call: `Bids are invited`, `Tender for sale`,
    // `Notice to bidders`.
    CALL_WORD = r"^(?:notices?|invit(?:e|es|ed|ing|ation|ations)|call(?:s|ed|ing)?|bid(?:s|der|ders|ding)?|tender(?:s|er|ers|ing)?|quotations?|proposals?|offers?|prices?|procurements?|goods|works|services|requests?|expressions?|interest|eoi|rfp|rfq|ifb|itb|ncb|icb|national|international|local|open|competitive|limited|public|sealed|shopping|re|e|extension|closing|date|dates|amendments?|corrigendum|addendum|auctions?|sales?|applications?|registration|consulting|consultancy|announcement|opportunity|changes?|correction|notification|of|for|to|the|and|are|is|hereby|by|from|&)$";
    // A line of only `CALL_WORD`s is a call if it also matches this pattern.
    CALL = r"\S\s(?:\S+\s)*notices?\b|notices?\s|\b(?:invit\w+|call\w*|bid\w*|tender\w*|quotations?|proposals?|offers|eoi|rfp|auctions?|addendum|corrigendum|extension)\b";
    // `Calling of quotations for transport of seedlings`: the call, followed by its subject.
    CALL_FOR = r"^\W*(?:the )?(?:invitation (?:for|to|of) (?:bids?|tenders?|quotations?|proposals?)|call(?:ing)? (?:for|of) (?:sealed )?(?:tenders|bids|quotations|proposals|applications)|requests? for (?:quotations?|proposals?|bids|expressions? of interest)|(?:procurement|tender|bid|quotation) notice|expressions? of interest|tenders?|bids?|quotations?)\W{0,4}\sfor\s(?:the\s)?";
}

/// The maximum number of words in a line that is only a call.
const MAX_WORDS: usize = 9;

/// The byte range of the call for bids in a line.
pub(crate) fn find_call(text: &str) -> Option<std::ops::Range<usize>> {
    if let Some(found) = BANNER.find(text) {
        return Some(found.range());
    }
    (is_only_call(text) && CALL.is_match(text)).then_some(0..text.len())
}

/// Whether a line has only words of a call. The line may be part of a wrapped line.
pub(crate) fn is_only_call(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '&').filter(|word| !word.is_empty());
    words.clone().count() <= MAX_WORDS && words.all(|word| CALL_WORD.is_match(word))
}

/// Where the subject begins after a call such as `Calling of quotations for`; `None` without a
/// subject.
pub(crate) fn subject_start(text: &str) -> Option<usize> {
    let start = CALL_FOR.find(text)?.end();
    let words = text[start..].split_whitespace().filter(|word| word.chars().all(char::is_alphabetic));
    let is_what = begins_with_work_verb(&text[start..]) || words.count() >= 3;
    (is_what && !text.contains('\t')).then_some(start)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("BIDS ARE INVITED", true)]
    #[case("Tender for Sale", true)]
    #[case("RE-TENDER", true)]
    #[case("ලංසු කැඳවීමේ නිවේදනය", true)]
    #[case("விலைமனு கோரல் அறிவித்தல்", true)]
    #[case("NOTICE", false)]
    #[case("PUBLIC PROCUREMENT", false)]
    #[case("Supply of Goods", false)]
    #[case("Open University", false)]
    #[case("Supply and Services", false)]
    #[case("මාර්ග ටෙන්ඩර් යළි කැඳවීමට අනුමැතිය", false)]
    #[case("සති පොළ ගොඩනැගිල්ල", false)]
    fn a_call_is_distinguished_from_other_lines(#[case] line: &str, #[case] is_call: bool) {
        assert_eq!(find_call(line).is_some(), is_call);
    }

    #[test]
    fn a_call_may_name_its_subject() {
        let line = "Calling of Quotations for Transport of Seedlings";
        assert_eq!(subject_start(line).map(|start| &line[start..]), Some("Transport of Seedlings"));
        assert_eq!(subject_start("Calling for Bids"), None);
    }
}

//! Letterhead lines: organisations, officers, addresses and telephone numbers. They surround the
//! sentences of a notice, often without a blank line between.

use super::{
    call_for_bids::is_only_call,
    heading::{Role, line_role},
    pattern::patterns,
};

/// A line with more words than this is a sentence or part of one.
const MAX_WORDS: usize = 14;

patterns! {
    CONTACT = r"^\W*(?:tel|telephone|t\.?\s?p|phone|fax|tele ?fax|hot\s?line|e-?mail|web(?:\s?site)?|www\.|mobile|දුරකථන|දු\.?ක|ෆැක්ස්|විද්‍යුත්|தொலைபேசி|தொ\.?பே|தொலைநகல்|மின்னஞ்சல்)\b?[\s.:\-–/(]";
    NUMBERS = r"\+?\d[\d\s\-/()]{6,}\d|\S+@\S+|\b(?:www\.|https?:)\S+";
    CONTACT_WORDS = r"\b(?:tel|telephone|phone|fax|e-?mail|web|website|ext|extension|nos?|and|or|hotline|mobile)\b";
    ADDRESS = r"^\W*(?:(?:no|nos)\b\.?\s?\d|P\.?\s?O\.?\s?Box\b|\d{1,4}(?:/\d{1,4}|[A-Z])?,\s?\p{Lu}|(?:\d(?:st|nd|rd|th)|first|second|third|ground|upper)\s(?:floor|lane)\b|අංක\s?\d|இல\.?\s?\d)";
    STREET = r"\b(?:road|rd|street|st|mawatha|mw|lane|avenue|place|square|veediya|para|building|floor|junction|town|P\.?O\.? box \d+)\.?(?:[\s,]|$)";
    OFFICER = r"^\W*(?:the\s)?(?:(?:deputy|assistant|additional|acting|senior|chief|divisional|district|provincial|regional|project|municipal|executive|general|zonal)\s){0,3}(?:chair(?:man|person)|secretary|commissioner|director|manager|engineer|registrar|bursar|superintendent|accountant|vice[\s-]chancellor|principal|mayor|controller|president|officer|head)\b[^.;:]*[,.]?$|^\W*(?:සභාපති|ලේකම්|අධ්‍යක්ෂ|කොමසාරිස්|தவிசாளர்|தலைவர்|செயலாளர்|பணிப்பாளர்|ஆணையாளர்)\S*[,.]?$";
    // Verbs and other words that make a line a sentence.
    SENTENCE = r"\b(?:has|have|had|is|are|was|were|will|shall|should|must|may|can|could|be|been|being|invites?|invited|calls?|called|registered|submit|provide|obtain|eligible|requires?|required|experience|bidders?|contractors?|suppliers)\b";
    // A line that continues on the next line.
    GOES_ON = r"(?:\b(?:of|for|and|the|to|at|in|on|from|with|by|under|or|a|an)|[(&–-])$";
    STATE = r"^\W*(?:the )?(?:democratic socialist republic|government|provincial council) of\b|^\W*(?:ශ්‍රී ලංකා ප්‍රජාතාන්ත්‍රික|இலங்கை (?:சனநாயக|ஜனநாயக))";
}

/// Whether a line is part of a letterhead, an address, a signature or a call.
pub(crate) fn is_letterhead(line: &str) -> bool {
    let line = line.trim();
    let words = line.split_whitespace().count();
    if words == 0 || line.contains('\t') {
        return false;
    }
    if CONTACT.is_match(line) || has_only_contacts(line) || STATE.is_match(line) {
        return true;
    }
    if words > MAX_WORDS || SENTENCE.is_match(line) || GOES_ON.is_match(line) {
        return false;
    }
    let continues_line_above = line.starts_with(char::is_lowercase);
    let is_address =
        ADDRESS.is_match(line) && !line.contains(". ") || STREET.is_match(line) && line.contains(',');
    let is_named =
        matches!(line_role(line), Role::Organization | Role::Ministry | Role::Banner) || is_only_call(line);
    !continues_line_above
        && (is_address || OFFICER.is_match(line) || is_named && !line.ends_with(['.', ';', ':']))
}

/// Whether a line has only telephone numbers, e-mail addresses and web addresses.
fn has_only_contacts(line: &str) -> bool {
    NUMBERS.is_match(line) && {
        let rest = NUMBERS.replace_all(line, "");
        !CONTACT_WORDS.replace_all(&rest, "").contains(char::is_alphabetic)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("ALAWWA PRADESHIYA SABHA")]
    #[case("Ministry of Urban Development, Construction and Housing")]
    #[case("DEMOCRATIC SOCIALIST REPUBLIC OF SRI LANKA")]
    #[case("INVITATION FOR BIDS")]
    #[case("No. 244, Kandy Road, Nuwara Eliya.")]
    #[case("35, Parliament Road, Battaramulla")]
    #[case("P.O. Box 520, Colombo 02.")]
    #[case("Tel: 081-2607942, Fax: 081-2607943")]
    #[case("011 2203535 / 011 2203536")]
    #[case("E-mail: procurement@rda.gov.lk")]
    #[case("Chairman,")]
    #[case("Deputy Director General (Procurement)")]
    #[case("දුරකථන: 041-2222222")]
    #[case("தொலைபேசி: 021-2222222")]
    fn letterhead_lines_are_recognised(#[case] line: &str) {
        assert!(is_letterhead(line));
    }

    #[rstest]
    #[case("Sealed bids are called by the Chairman, Alawwa Pradeshiya Sabha from")]
    #[case("registered with the Road Development Authority")]
    #[case("Bidders should have a valid registration with CIDA in grade C3.")]
    #[case("At least five years of experience in the field")]
    #[case("The Secretary to the Ministry of")]
    #[case("දෙපාර්තමේන්තු ප්‍රසම්පාදන කමිටුවේ සභාපති විසින් සුදුසුකම් ලත් ලංසුකරුවන්ගෙන් මුද්‍රා තැබූ ලංසු කැඳවනු ලැබේ.")]
    #[case("Grade | C5")]
    #[case("")]
    fn sentences_and_table_rows_are_not_a_letterhead(#[case] line: &str) {
        assert!(!is_letterhead(&line.replace(" | ", "\t")));
    }
}

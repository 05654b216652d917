//! The reference number. A labelled reference takes precedence. A reference without a label must
//! not look like a date or a telephone number. References may contain years, brackets, ampersands
//! and line breaks.

use super::pattern::patterns;
use crate::extract::{
    alternatives::{Alternative, Selection},
    printed::{Found, Printed, READ_TWICE_CONFIDENCE},
};
use std::ops::Range;

patterns! {
    LABELLED = r"\b(?:(?:IFB|ITB|RFP|RFQ|NCB|ICB|EOI|REOI|bid(?:ding)?|tender|contract|procurement|proc|quotation|file|package|project|invitation|identification|reference|ref|our ref|notice)\.?\s?(?:reference|ref|identification|file)?\.?\s?(?:number|nos?|nо|(?-i:N[e0])|#)\b\.?|\b(?:reference|ref)\b\.?)(?:\s?\((?:cover|data sheet)\))?\s?[:.\-–]*\s?";
    VALUE = r"^(?:(?-i:[A-Z]{2,8}(?:/[A-Z]{2,6})?)\s(?-i:[0-9]{2}/))?(?-i:[A-Z0-9])[\p{L}\p{M}0-9]*(?:\s?\([A-Za-z0-9&]{1,8}\)|\s?[/\-.&_]\s?(?:\([A-Za-z0-9&]{1,8}\)\s?)?[\p{L}\p{M}0-9]+)*(?:\([A-Za-z0-9&]{1,8}\))?";
    BARE = r"(?-i:\b[A-Z][A-Za-z0-9&.]{0,14}|\b(?:19|20)\d\d|\b\d{1,4}/\d{2})(?:\s?\([A-Z]{1,8}\))?\s?/\s?[A-Za-z0-9&().\-]+(?:\s?/\s?[A-Za-z0-9&().\-]+)+";
    // The marking of the envelope, and the Sinhala and Tamil words for `number`.
    MARKED = r"\b(?:marked|superscribed|quoting|endorsed)\s+(?:as\s+|with\s+)?|(?:අංකය?|இல(?:க்கம்)?)\s?[:.\-–]?\s*";
    HYPHENED = r"(?-i:\b[A-Z]{2,8}(?:[/\-][A-Z0-9]{1,8}){1,5}[/\-](?:19|20)\d\d\b)";
    OFFICE = r"\b(?:our|my|your|office)\s*(?:ref(?:erence)?|file)\b|\bfile\s?(?:no|number)\b";
    // `(c)` at the beginning of a line numbers the next item.
    ITEM = r"\n\([a-z]{1,4}\)$";
    // The reference continues after a space, as in `SLPA/K AN/NCB/39/2027` and
    // `NWSDB/KUR/NCB/1 1/2028`.
    GOES_ON = r"^\s(?-i:[A-Z0-9]{1,5}/[A-Z0-9])";
    CUT = r"(?-i:[A-Z0-9]/[A-Z0-9]{0,4}\s$)";
    SPACED_SLASH = r"\s*([/])\s*";
}

const BID_NUMBER_CONFIDENCE: f64 = 0.95;
const OFFICE_FILE_CONFIDENCE: f64 = 0.94;
const MARKED_CONFIDENCE: f64 = 0.9;
const UNLABELLED_CONFIDENCE: f64 = 0.85;
const PARTIAL_CONFIDENCE: f64 = 0.7;

/// If a notice has only references without a label, at least this many different references belong
/// to several tenders.
const MIN_REFERENCES_OF_SEVERAL_TENDERS: usize = 3;

/// All references in order. Labelled references have a higher confidence.
pub(crate) fn references(printed: &Printed) -> Vec<Found<String>> {
    let text = printed.flow();
    let mut found: Vec<Found<String>> = Vec::new();
    for label in LABELLED.find_iter(text) {
        // The value may be in the next cell.
        let gap =
            text[label.end()..].len() - text[label.end()..].trim_start_matches(['\t', ' ', '"', '“']).len();
        let start = label.end() + gap;
        if let Some((value, range)) = reference_at(printed, start) {
            let goes_on = GOES_ON.is_match(&text[range.end..]);
            let lead = super::cues::floor_char_boundary(text, label.start().saturating_sub(8));
            // A bid number takes precedence over the file number of the office.
            let confidence = if OFFICE.is_match(&text[lead..label.end()]) {
                OFFICE_FILE_CONFIDENCE
            } else {
                BID_NUMBER_CONFIDENCE
            };
            let confidence = if goes_on { PARTIAL_CONFIDENCE } else { confidence };
            add_unless_overlapping(&mut found, Found::new(value, confidence, range));
        }
    }
    for label in MARKED.find_iter(text) {
        let start = text.len() - text[label.end()..].trim_start_matches(['\t', ' ', '"', '“']).len();
        // A number that begins with a digit may be a house number.
        let named = reference_at(printed, start)
            .filter(|(value, _)| value.starts_with(|c: char| c.is_ascii_uppercase()));
        if let Some((value, range)) = named {
            add_unless_overlapping(&mut found, Found::new(value, MARKED_CONFIDENCE, range));
        }
    }
    for bare in BARE.find_iter(text).chain(HYPHENED.find_iter(text)) {
        if let Some((value, range)) = reference_at(printed, bare.start()) {
            // `WIL/PMCU (T)/EE/2027/063`: text that looks complete may be part of a reference.
            let is_part = GOES_ON.is_match(&text[range.end..])
                || text[..range.start].ends_with(['/', '-', '.', '_'])
                || CUT.is_match(
                    &text
                        [super::cues::floor_char_boundary(text, range.start.saturating_sub(24))..range.start],
                );
            add_unless_overlapping(
                &mut found,
                Found::new(value, if is_part { PARTIAL_CONFIDENCE } else { UNLABELLED_CONFIDENCE }, range),
            );
        }
    }
    found.sort_by_key(|found| found.range.start);
    found
}

/// Selects the reference of the notice. A labelled bid number comes first, then an office file,
/// then a reference on the envelope, then an unlabelled reference. If two references of the same
/// kind differ, the selected reference is doubtful.
pub(crate) fn select_reference(printed: &Printed) -> Selection<String> {
    let all = references(printed);
    let best = all.iter().map(|found| found.confidence).fold(0.0, f64::max);
    let mut of_a_kind = all.iter().filter(|found| found.confidence >= best);
    let Some(mut chosen) = of_a_kind.next().cloned() else { return Selection::without_alternatives(None) };
    let (same, others): (Vec<_>, Vec<_>) =
        of_a_kind.partition(|other| letters_and_digits(&other.value) == letters_and_digits(&chosen.value));
    if best <= UNLABELLED_CONFIDENCE && others.len() + 1 >= MIN_REFERENCES_OF_SEVERAL_TENDERS {
        return Selection::without_alternatives(None);
    }
    if !others.is_empty() {
        chosen.confidence = 0.5;
    } else if !same.is_empty() {
        chosen.confidence = READ_TWICE_CONFIDENCE;
    } else if all.iter().any(|other| letters_and_digits(&other.value) != letters_and_digits(&chosen.value))
        && best < BID_NUMBER_CONFIDENCE
    {
        chosen.confidence = 0.7;
    }
    let others =
        others.into_iter().map(|other| Alternative::of_rules(Found { confidence: 0.5, ..other.clone() }));
    Selection { chosen: Some(chosen), others: others.collect() }
}

fn add_unless_overlapping(found: &mut Vec<Found<String>>, new: Found<String>) {
    let overlaps = |old: &Found<String>| old.range.start < new.range.end && new.range.start < old.range.end;
    if !found.iter().any(overlaps) {
        found.push(new);
    }
}

fn letters_and_digits(reference: &str) -> String {
    reference.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// The reference at a position, if there is one.
fn reference_at(printed: &Printed, start: usize) -> Option<(String, Range<usize>)> {
    let rest = printed.flow().get(start..)?;
    let raw = VALUE.find(rest)?.as_str();
    let item = ITEM.find(&printed.text()[start..start + raw.len()]);
    let raw = item.map_or(raw, |item| &raw[..item.start()]);
    let raw = raw.split("\n\n").next().unwrap_or_default();
    // A full stop before a space, or a hyphen between spaces, ends the reference.
    let raw = match raw.find(". ").into_iter().chain(raw.find(" - ")).min() {
        Some(end) => &raw[..end],
        None => raw,
    };
    let raw = raw.trim_end_matches(['.', ',', '-', '/', ' ', '&', '_']);
    let value = SPACED_SLASH.replace_all(raw, "/").split_whitespace().collect::<Vec<_>>().join(" ");
    is_reference(&value).then(|| (value, start..start + raw.len()))
}

/// Whether a value is a reference. A reference has a digit and at least two groups. It is not a
/// date or a web address. With fewer than two letters, it must have a slash and four digits,
/// because telephone numbers have only digits.
fn is_reference(value: &str) -> bool {
    let groups = value.split(['/', '-', '.', '_']).filter(|group| !group.is_empty()).count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(|c| c.is_alphabetic()).count();
    let long_words = value.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 14).count();
    (4..=60).contains(&value.len())
        && groups >= 2
        && long_words == 0
        && (letters >= 2 || value.contains('/') && digits >= 4)
        && digits >= 1
        && !value.to_lowercase().contains("www")
        && super::dates::dates(value).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn read(printed: &Printed) -> Option<Found<String>> {
        select_reference(printed).chosen
    }

    #[rstest]
    #[case("Bid No: SPCSL/PROC/2028/123", "SPCSL/PROC/2028/123")]
    #[case("Contract No. UDA/G/73/27-3", "UDA/G/73/27-3")]
    #[case("SLPA/ICB/6740/2027\nSupply of tyres", "SLPA/ICB/6740/2027")]
    #[case("cover marked \"Tender No. 2024/SLPA/T/635\" on the top", "2024/SLPA/T/635")]
    #[case("(File No. SLTP/PROC/2024/069)", "SLTP/PROC/2024/069")]
    #[case("DSO.MT.2021/11/PRO/05", "DSO.MT.2021/11/PRO/05")]
    #[case("Bid No NWSDB/GCWR/CP/A8-09/GOSL/2022/01.", "NWSDB/GCWR/CP/A8-09/GOSL/2022/01")]
    #[case("KDU/PRO/S&R/2026/2022   10/02/2022", "KDU/PRO/S&R/2026/2022")]
    #[case("BID NO (cover): DGM (CC)/EE(MM)/PPC/2023/004", "DGM (CC)/EE(MM)/PPC/2023/004")]
    #[case("Contract NO: RDA/West/Kalu/Agala/GSP/CECB/22", "RDA/West/Kalu/Agala/GSP/CECB/22")]
    #[case("Ref. No.: UR/ICB/\n3023/2025", "UR/ICB/3023/2025")]
    #[case("Contract Ne. PDHS/G/4/27-5", "PDHS/G/4/27-5")]
    #[case("Bid No. SLTL/TB/03/2025\n1. Chairman", "SLTL/TB/03/2025")]
    #[case("Quotations marked \"MAD/BH-NCB-269-2027\" should be placed", "MAD/BH-NCB-269-2027")]
    #[case("ප්‍රසම්පාදන අංකය\tSLSEA-NCB-85-2027\nදුරකථන අංකය 011-2358210", "SLSEA-NCB-85-2027")]
    #[case("இல: THA/PS-NCB-238-2027", "THA/PS-NCB-238-2027")]
    #[case("(a) File No: CP/ENG/2027/99(B)\n(b) Grade: C5", "CP/ENG/2027/99(B)")]
    #[case("Identification No.\t142/27/CEB/PPC", "142/27/CEB/PPC")]
    #[case("with the words 292/27/GSMB/PPC on the envelope", "292/27/GSMB/PPC")]
    #[case("Contract No. CWE 27/TEN/0223. The procedure", "CWE 27/TEN/0223")]
    #[case("on the left corner PSS-NCB-20-2027 and sent", "PSS-NCB-20-2027")]
    fn a_reference_is_read(#[case] text: &str, #[case] expected: &str) {
        assert_eq!(read(&Printed::plain(text)).map(|found| found.value).as_deref(), Some(expected));
    }

    #[test]
    fn the_bid_number_takes_precedence_over_the_office_file() {
        let found = read(&Printed::plain("Our Ref: JCT/ENG/TK/118\nContract No: JCT/NCB/W/2017/02")).unwrap();
        assert_eq!((found.value.as_str(), found.confidence), ("JCT/NCB/W/2017/02", 0.95));
    }

    #[test]
    fn several_tenders_have_no_common_reference() {
        let text =
            "DHS/RL/114SSN/16 on 15.02.2018; DHS/RL/18RS/18 on 12.02.2018; DHS/RL/20MHR/18 on 15.02.2018";
        assert_eq!(read(&Printed::plain(text)), None);
    }

    #[rstest]
    #[case("Tel. No. 011-2203535 and www.slpa.lk/tenders/all")]
    #[case("on or before 03/05/2027 at No. 48, Galle Road")]
    #[case("a and/or b")]
    fn other_numbers_are_not_references(#[case] text: &str) {
        assert_eq!(read(&Printed::plain(text)), None);
    }

    #[test]
    fn a_part_of_a_reference_is_doubtful() {
        for text in [
            "as WIL/PMCU (T)/EE/2027/063 says",
            "සභාව\nSLPA/K AN/NCB/39/2027\nලංසු",
            "marked Tender No.\nNWSDB/KUR/NCB/1 1/2028 and",
        ] {
            let part = read(&Printed::plain(text)).unwrap();
            assert!(part.confidence < crate::extract::CONFIDENCE_THRESHOLD, "{part:?}");
        }
    }

    #[test]
    fn two_references_that_differ_are_doubtful() {
        let text = "BID NO: DGM (CC)/EE(MM)/PPC/2023/004\tBID REFERENCE: DGM (CC)/EE(MM)/PPC/2022/034";
        let Selection { chosen, others } = select_reference(&Printed::plain(text));
        assert_eq!(chosen.unwrap().confidence, 0.5);
        assert_eq!(others[0].found.value, "DGM (CC)/EE(MM)/PPC/2022/034");
    }
}

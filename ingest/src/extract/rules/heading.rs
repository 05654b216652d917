//! The heading of a notice: its first lines up to the first sentence, with their roles. Wrapped
//! lines are joined.

use super::{
    call_for_bids::{find_call, subject_start},
    pattern::patterns,
    signature,
    work_verbs::begins_with_work_verb,
};
use crate::base::lexicon::is_native;
use crate::extract::{
    Gazetteer,
    printed::{Found, Printed},
};
use std::ops::Range;

/// The role of a heading line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// A call for bids, such as `Invitation for Bids` or `Procurement Notice`.
    Banner,
    /// A ministry, which may be above the procuring entity.
    Ministry,
    /// An organisation.
    Organization,
    /// The subject of the tender.
    Title,
    /// A labelled value, a reference number or a table row.
    Label,
}

/// A heading line, a part of one, or several joined lines.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Headline {
    pub(crate) role: Role,
    pub(crate) text: Found<String>,
}

patterns! {
    STATE = r"^(?:the )?(?:democratic socialist republic of sri lanka|government of sri lanka|sl|ශ්‍රී ලංකා ප්‍රජාතාන්ත්‍රික.*|இலங்கை சனநாயக.*)\.?$";
    MINISTRY = r"\bministry of\b|\bstate ministry\b|අමාත්‍යාංශය|அமைச்சு";
    ORGANIZATION = r"\b(?:authority|(?:zonal|regional|divisional|provincial|district) (?:\w+ )?office|department of|dept\.? of|corporation|university|campus|municipal council|urban council|pradeshiya s[ah]bha(?:wa)?|provincial council|council|board|bank|secretariat|hospital|company|commission|institut(?:e|ion)|PLC|limited|\(?pvt\)? ltd|ltd|agency|bureau|UNDP|UNICEF|UNOPS|foundation|trust fund|fund|faculty of|college|school of computing|task force|provincial department|army|navy|air force|police|museum|co-?operative|railways|customs|airlines|federation|society|association|archives|vidyapee?tha?|polytechnic|office of the|holdings|sathosa|medical supplies division|(?:provincial|regional|divisional|district) (?:director|secretary|engineer)|director(?:ate)? (?:general )?of|commissioner (?:general )?of|inspector general of)\b|දෙපාර්තමේන්තුව|අධිකාරිය|මණ්ඩලය|සංස්ථාව|සභාව|විශ්වවිද්‍යාලය|රෝහල$|බැංකුව|ලේකම් කාර්යාලය|திணைக்களம்|அதிகார சபை|சபை$|கூட்டுத்தாபனம்|பல்கலைக்கழகம்|வங்கி|வைத்தியசாலை$|செயலகம்";
    BODY = r"^\W*(?:\(?[0-9]{1,2}[.)]\s|\([ivx]+\)\s|the (?:above|following|under[\s-]?mentioned)\b|it is (?:proposed|intended)\b|(?:investors|firms|persons|those)\b|(?:quotations?|tenders?|bids?) in (?:sealed|duplicate)\b|(?:\w+ )?forms? (?:can|may)\b|(?:the\s)?(?:hon\.\s)?(?:chair(?:man|person)|vice chancellor|secretary|cabinet appointed)\b|sealed\b|separate sealed|(?:bid|tender|quotation|proposal)s?\s(?:clos|secur|bond|validity|opening|invited|called)|clos(?:ing|es)\b|tenders? (?:are|is|will)|bids? (?:are|is|will|shall|must)|quotations? (?:are|is|will)|applications? (?:are|is|from)|proposals? (?:are|is)|documents?:|bidding (?:documents|will)|it is hereby|notice is hereby|interested|eligible|items \d|self-prepared|deadline|this is to|expressions? of interest (?:are|is))|\binvites?\b|\bcalls?\s(?:for\s)?(?:sealed\s)?(?:bids|quotations|tenders|proposals)|\bon behalf of\b|\bare (?:hereby )?(?:invited|called)\b|\bhereby\b|කැඳව(?:නු|මි|මු|යි\s|න\s)|කරනු ලබන|සුදුසුකම්|(?:වෙතින්|ගෙන්|විසින්)(?:\s|$)|යුතු(?:ය|\sවේ|යි)|හැකි(?:ය|\sවේ)|හැක\.|ක්‍රමය\s?යටතේ|^\W*(?:ඉහත|පහත|උක්ත)\s|கோரப்படு|முறையின்\s?கீழ்|^\W*(?:மேற்|கீழே\s|கீழ்க்)|வேலைக்காக|மாவட்டத்தின்|ிடமிருந்து|ரினால்|வேண்டும்|ப்படும்";
    // A sentence has a verb; a heading has none.
    SENTENCE = r"\b(?:has|have|had|is|are|was|were|will|shall|should|must|may|refers?|includes?|can be)\b";
    LABEL = r"^[\p{L}\p{M}][\p{L}\p{M} &/().,'\-]{1,48}?\s?(?:[:\t]|\bNos?\b\.?:?)\s*\S";
    // A Sinhala or Tamil label with a number: `ලංසු අංකය - CEB/12`.
    NUMBERED = r"^(?:\S+\s){0,3}?\S*(?:අංකය?|இல(?:க்கம்)?\.?)\s?[-–:.]?\s*(?-i:[A-Z0-9]\S*\d\S*)$";
    JOINS_NEXT = r"(?:\b(?:of|for|and|the|to|at|in|on|from|with|by|under|sri|&|within|between|year)|[,&(\-–])$";
    // `Syringes for Ministry of Health`: the organisation is part of the title.
    WITHIN = r"^\S.*?\s(?:for|to|at|under|in)\s";
    // A line continues the line above if it begins in lower case, or is only a generic word such
    // as `authority` in Sinhala or Tamil.
    JOINS_PREVIOUS = r"^(?:(?-i:[a-z(])|&|\d+(?:\.\d+)?\s?(?:km|m3|m|kg)\b|(?:අධිකාරිය|දෙපාර්තමේන්තුව|මණ්ඩලය|සංස්ථාව|සභාව|අමාත්‍යාංශය|(?:அதிகார ?)?சபை|திணைக்களம்|கூட்டுத்தாபனம்|அமைச்சு)\W*$)";
}

patterns! {
    // The endings of Sinhala and Tamil titles, which name something to be done or delivered.
    WORK_ENDING = r"(?:ීම|වීම්|සේවාව|මුද්‍රණය|නඩත්තුව|අලෙවිය|தல்|தலும்|நிர்மாணம்|நிர்மாணித்தல்|கொள்வனவு|சேவை|சேவைகள்|விற்பனை)\W*$";
}

/// The maximum number of lines in a heading.
const MAX_LINES: usize = 16;
/// The text was wrapped if a line and the first word of the next line are together wider than this
/// fraction of the column.
const FULL_LINE: f64 = 0.985;

/// The heading lines with their roles, and the byte position where the body begins.
pub(crate) fn parse_heading(printed: &Printed, gazetteer: &Gazetteer) -> (Vec<Headline>, usize) {
    let mut head: Vec<Headline> = Vec::new();
    let lines: Vec<(Range<usize>, &str)> = printed.lines().collect();
    let mut last_line: Option<Range<usize>> = None;
    let column =
        lines.iter().filter_map(|(range, _)| printed.area(range)).map(|area| area[2]).fold(0.0, f64::max);
    let mut rest = lines.iter().take(MAX_LINES).peekable();
    while let Some((range, line)) = rest.next() {
        let mut range = range.clone();
        // A narrow column can wrap a banner.
        let whole_banner = rest.peek().is_some_and(|(next, second)| {
            let both = format!("{line} {second}");
            next.start <= range.end + 2
                && find_call(line).is_none()
                && (find_call(second).is_none() || JOINS_NEXT.is_match(line.trim_end()))
                && find_call(&both)
                    .is_some_and(|found| found.start < line.len() && found.end > line.len() + 1)
        });
        if let Some((next, _)) = rest.next_if(|_| whole_banner) {
            range.end = next.end;
        }
        let line = &printed.flow()[range.clone()].replace("\n\n", " ");
        let line = line.as_str();
        let range = &range;
        let joined = joined_with_next(line, range, &lines);
        let words = line.split_whitespace().count();
        let first = first_sentence_end(line);
        let sentence = words > 9 && SENTENCE.is_match(line) || words > 14 && first < line.trim_end().len();
        let is_body = BODY.find(&joined).is_some_and(|found| found.start() < line.len());
        if (is_body || sentence) && !(head.len() < 2 && find_call(line).is_some() && line.len() < 60) {
            // `Supply of pipes at Ratmalana. The Chairman invites …`: the title shares its line
            // with the body.
            let lead = line[..first].trim_end_matches(['.', ' ']);
            let lead = split_parts(&(range.start..range.start + lead.len()), lead);
            let heads = lead.iter().any(|(_, text)| {
                begins_with_work_verb(text) || line_role(text) == Role::Banner && !BODY.is_match(text)
            });
            if heads && first < line.len() && lead.iter().all(|(_, text)| !BODY.is_match(text)) {
                head.extend(lead.into_iter().map(|(part, text)| Headline {
                    role: line_role(&text),
                    text: Found::new(text, 0.8, part),
                }));
                return (mark_signing_organisation(printed, head), range.start + first);
            }
            return (mark_signing_organisation(printed, head), range.start);
        }
        let whole = line.trim();
        if STATE.is_match(whole) || whole.chars().filter(|c| c.is_alphanumeric()).count() < 3 {
            continue;
        }
        let broken = last_line.as_ref().is_some_and(|last| was_wrapped(printed, last, range, column));
        for (part, text) in split_parts(range, line) {
            let role = line_role(&text);
            let here = Found::new(text, 0.8, part.clone());
            let continues = head.last().is_some_and(|last| {
                is_continuation(gazetteer, last, &here.value, role, broken && part.start == range.start)
            }) && !head.last().is_some_and(|last| is_signed_below(printed, last, &here))
                || head
                    .last()
                    .is_some_and(|last| completes_title(printed, gazetteer, last, &here.value, role));
            let text = here.value;
            match head.last_mut() {
                Some(last) if continues => {
                    last.text.value = format!("{} {}", last.text.value, text);
                    last.text.range.end = part.end;
                    if last.role == Role::Title
                        && !begins_with_work_verb(&last.text.value)
                        && role != Role::Title
                    {
                        last.role = role;
                    }
                }
                _ => head.push(Headline { role, text: Found::new(text, 0.8, part) }),
            }
        }
        last_line = Some(range.clone());
    }
    let end = lines.get(MAX_LINES.min(lines.len())).map_or(printed.text().len(), |(range, _)| range.start);
    (mark_signing_organisation(printed, head), end)
}

/// Whether a Sinhala or Tamil line completes the title in the line above. The word for the work
/// comes last in such a title.
fn completes_title(
    printed: &Printed,
    gazetteer: &Gazetteer,
    last: &Headline,
    text: &str,
    role: Role,
) -> bool {
    let begun = &last.text.value;
    [last.role, role] == [Role::Title, Role::Title]
        && WORK_ENDING.is_match(text)
        && !WORK_ENDING.is_match(begun)
        && begun.contains(is_native)
        && !gazetteer.knows(begun)
        && signature::find_signature(printed, &last.text).is_none()
}

/// Whether a line below the title is the organisation that signs the notice.
fn is_signed_below(printed: &Printed, title: &Headline, line: &Found<String>) -> bool {
    title.role == Role::Title
        && begins_with_work_verb(&title.text.value)
        && !JOINS_NEXT.is_match(&title.text.value)
        && line.value.contains(' ')
        && !begins_with_work_verb(&line.value)
        && signature::find_signature(printed, line).is_some()
}

/// If no line is an organisation or a ministry, the lines that the signature repeats become
/// organisations.
fn mark_signing_organisation(printed: &Printed, mut head: Vec<Headline>) -> Vec<Headline> {
    if head.iter().any(|line| matches!(line.role, Role::Organization | Role::Ministry)) {
        return head;
    }
    for line in
        head.iter_mut().filter(|line| line.role == Role::Title && !begins_with_work_verb(&line.text.value))
    {
        if signature::find_signature(printed, &line.text).is_some() {
            line.role = Role::Organization;
        }
    }
    head
}

/// The end of the first sentence of a line, or the end of the line if it has only one sentence.
fn first_sentence_end(line: &str) -> usize {
    let mut stops = line.match_indices(". ");
    stops
        .find(|(at, _)| super::cues::ends_sentence(&line[..*at], &line[at + 1..]))
        .map_or(line.len(), |(at, _)| at + 1)
}

/// The line and the first two words of the next line, because a phrase that marks the body may be
/// wrapped.
fn joined_with_next(line: &str, range: &Range<usize>, lines: &[(Range<usize>, &str)]) -> String {
    let next = lines.iter().find(|(next, _)| next.start == range.end + 1).map_or("", |(_, next)| *next);
    let first: Vec<_> = next.split_whitespace().take(2).collect();
    format!("{line} {}", first.join(" "))
}

/// Whether `line` continues `last`, because the first word of `line` did not fit into the column.
pub(crate) fn was_wrapped(printed: &Printed, last: &Range<usize>, line: &Range<usize>, column: f64) -> bool {
    let text = &printed.text()[line.clone()];
    let first_word = line.start..line.start + text.find([' ', '\t']).unwrap_or(text.len());
    match (printed.area(last), printed.area(&first_word)) {
        (Some(above), Some(word)) => above[2] + word[2] > column * FULL_LINE && word[3] < above[3] * 1.6,
        _ => false,
    }
}

/// Splits a line whose parts have two roles, such as `UNIVERSITY OF JAFFNA - INVITATION FOR BIDS`.
fn split_parts(range: &Range<usize>, line: &str) -> Vec<(Range<usize>, String)> {
    let at = |start: usize, part: &str| {
        let lead = part.len() - part.trim_start().len();
        (range.start + start + lead..range.start + start + part.trim_end().len(), part.trim().to_owned())
    };
    for separator in [" - ", " – ", ": "] {
        // `Registration of Suppliers - 2028` is one part.
        let halves = line.split_once(separator).filter(|(_, second)| second.contains(char::is_alphabetic));
        if let Some((first, second)) = halves {
            let start = first.len() + separator.len();
            let (left, right) = (line_role(first), line_role(second));
            let splits = left != right && (left == Role::Banner || right == Role::Banner)
                || left == Role::Ministry && matches!(right, Role::Organization | Role::Ministry)
                || left == Role::Organization && right == Role::Title && begins_with_work_verb(second);
            if splits && (separator != ": " || left == Role::Banner || !LABEL.is_match(line)) {
                return vec![at(0, first), at(start, second)];
            }
        }
    }
    vec![at(0, line)]
}

pub(crate) fn line_role(text: &str) -> Role {
    if subject_start(text).is_some() {
        return Role::Title;
    }
    // `Sale of vehicles by tender` is a title, although it ends like a banner.
    let banner = find_call(text).is_some_and(|found| found.start < 8 || !begins_with_work_verb(text));
    if begins_with_work_verb(text) && !text.contains('\t') && !banner {
        Role::Title
    } else if banner && text.split_whitespace().count() <= 14 {
        Role::Banner
    } else if is_label(text) {
        Role::Label
    } else if MINISTRY.is_match(text) {
        Role::Ministry
    } else if ORGANIZATION.is_match(text) {
        Role::Organization
    } else {
        Role::Title
    }
}

/// Whether a text names an organisation.
pub(crate) fn is_organization(text: &str) -> bool {
    ORGANIZATION.is_match(text)
}

/// Whether a text names a ministry.
pub(crate) fn is_ministry(text: &str) -> bool {
    MINISTRY.is_match(text)
}

fn is_label(text: &str) -> bool {
    let lone_reference =
        !text.trim().contains(' ') && text.contains('/') && text.chars().any(|c| c.is_ascii_digit());
    lone_reference || text.contains('\t') || LABEL.is_match(text) || NUMBERED.is_match(text)
}

/// Whether a text is almost completely in capitals.
pub(crate) fn is_capitals(text: &str) -> bool {
    let (upper, lower) = text.chars().fold((0, 0), |(upper, lower), letter| {
        (upper + usize::from(letter.is_uppercase()), lower + usize::from(letter.is_lowercase()))
    });
    upper >= 4 && lower * 9 < upper
}

fn is_continuation(gazetteer: &Gazetteer, last: &Headline, text: &str, role: Role, broken: bool) -> bool {
    if last.role == Role::Banner && broken && role != Role::Label {
        // `Registration of Suppliers and` continues on the next line.
        return JOINS_NEXT.is_match(&last.text.value);
    }
    if matches!(role, Role::Banner | Role::Label) || matches!(last.role, Role::Banner | Role::Label) {
        return false;
    }
    let known = gazetteer.knows(&last.text.value);
    if is_capitals(&last.text.value) != is_capitals(text)
        || known && !JOINS_NEXT.is_match(&last.text.value) && !JOINS_PREVIOUS.is_match(text)
    {
        return false;
    }
    let joins = JOINS_NEXT.is_match(&last.text.value) || JOINS_PREVIOUS.is_match(text);
    let one_word = text.split_whitespace().count() == 1;
    match (last.role, role) {
        // A title continues until another part begins.
        (Role::Title, Role::Title) => {
            joins || broken || !begins_with_work_verb(text) && begins_with_work_verb(&last.text.value)
        }
        (Role::Title, _) if begins_with_work_verb(&last.text.value) => {
            joins || broken || WITHIN.is_match(text)
        }
        (Role::Title, Role::Organization | Role::Ministry) => joins || broken || one_word,
        (_, Role::Title) if begins_with_work_verb(text) => false,
        (Role::Ministry, _) if gazetteer.has_name_starting_with(text) => joins,
        (Role::Ministry, Role::Organization) | (_, Role::Ministry) => joins,
        _ => joins || broken,
    }
}

/// The heading lines of a notice as printed, without labels and with wrapped lines joined.
#[must_use]
pub fn headings(printed: &Printed, gazetteer: &Gazetteer) -> Vec<String> {
    let (head, _) = parse_heading(printed, gazetteer);
    let mut headings: Vec<Found<String>> = Vec::new();
    for line in head.into_iter().filter(|line| line.role != Role::Label).map(|line| line.text) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(text: &str) -> Vec<(Role, String)> {
        parse_heading(&Printed::plain(text), Gazetteer::built_in())
            .0
            .into_iter()
            .map(|line| (line.role, line.text.value))
            .collect()
    }

    #[test]
    fn heading_lines_have_roles() {
        let text = "SL\nDemocratic Socialist Republic of Sri Lanka\nMinistry of Health\nState Pharmaceuticals Corporation of\n\
                    Sri Lanka\nPROCUREMENT NOTICE\nSPCSL/PROC/2028/123\nSupply of Surgical Consumables and\nDisposable Syringes\n\n\
                    Sealed bids are invited by the Chairman";
        assert_eq!(
            roles(text),
            [
                (Role::Ministry, "Ministry of Health".to_owned()),
                (Role::Organization, "State Pharmaceuticals Corporation of Sri Lanka".to_owned()),
                (Role::Banner, "PROCUREMENT NOTICE".to_owned()),
                (Role::Label, "SPCSL/PROC/2028/123".to_owned()),
                (Role::Title, "Supply of Surgical Consumables and Disposable Syringes".to_owned()),
            ]
        );
    }

    #[test]
    fn a_call_may_span_two_lines() {
        let text = "REQUEST FOR\nQUOTATIONS\nUniversity of Ruhuna\nPUBLIC PROCUREMENT\nNOTICE";
        let banners = roles(text).into_iter().filter(|(role, _)| *role == Role::Banner);
        let banners: Vec<_> = banners.map(|(_, text)| text).collect();
        assert_eq!(banners, ["REQUEST FOR QUOTATIONS", "PUBLIC PROCUREMENT NOTICE"]);
    }

    #[test]
    fn a_name_may_end_on_a_line_of_its_own() {
        for name in ["வீதி அபிவிருத்தி\nஅதிகார சபை", "නාගරික සංවර්ධන\nඅධිකාරිය."]
        {
            let whole = (Role::Organization, name.replace('\n', " "));
            assert_eq!(roles(&format!("{name}\nவிலைமனு கோரல்"))[0], whole);
        }
    }

    #[test]
    fn a_title_continues_until_its_work_verb() {
        for title in ["ඇලහැර පුස්තකාලය සඳහා ආරක්ෂක\nසේවා ලබා ගැනීම", "தங்காலை பொதுச் சந்தையின்\nஇரண்டாம் மாடி நிர்மாணம்"]
        {
            let whole = (Role::Title, title.replace('\n', " "));
            assert_eq!(roles(&format!("මාර්ග සංවර්ධන අධිකාරිය\n{title}\nලංසු කැඳවනු ලැබේ"))[1], whole);
        }
        let signed = "සිල්පා නිමැවුම්\nපුස්තකාලය සඳහා ආරක්ෂක සේවා ලබා ගැනීම\nලංසු කැඳවනු ලැබේ\n\nසභාපති,\nසිල්පා නිමැවුම්";
        assert_eq!(roles(signed)[0].1, "සිල්පා නිමැවුම්");
    }

    #[test]
    fn one_line_may_have_two_parts() {
        assert_eq!(
            roles("UNIVERSITY OF JAFFNA - INVITATION FOR BIDS\nSupply of Workers\n1. The Chairman invites"),
            [
                (Role::Organization, "UNIVERSITY OF JAFFNA".to_owned()),
                (Role::Banner, "INVITATION FOR BIDS".to_owned()),
                (Role::Title, "Supply of Workers".to_owned()),
            ]
        );
        assert_eq!(roles("Divisional Secretariat - Weligama").len(), 1);
    }
}

//! Finds the title. Most notices have the title in the heading and repeat it in the first
//! sentence.

use std::ops::Range;

use super::{
    call_for_bids::{find_call, is_only_call, subject_start},
    heading::{Headline, Role, is_capitals},
    invited_work, labelled_title,
    lots::LotRow,
    pattern::patterns,
    work_verbs::begins_with_work_verb,
};
use crate::extract::printed::{Found, Printed, READ_TWICE_CONFIDENCE, is_similar, plain_words};

patterns! {
    TAIL = r"(?:\s(?:contract|bid|tender|procurement|IFB|ITB|RFP)\sref(?:erence)?\b.*|\s(?:contract|bid|tender|procurement|ref(?:erence)?)\s(?-i:N)\w\b\W*(?:\S*/\S*)?|[.;]\s*(?:inter)?national (?:competitive )?(?:bids|bidding|shopping)\b.*|[.\s,;:]+(?:(?:contract|bid|tender|ref(?:erence)?|IFB|ITB|procurement|proc)\.?\s*(?:no|number)\b.*|[A-Z]+/[A-Z]+/\S*)?|\s*\((?:[A-Z]+/)+[^)]*\))\s*$";
}

/// The highest confidence of a flawed title, even if another reading agrees. A flawed title is
/// truncated, or contains a stroke of the frame, a misread letter or part of a sentence.
pub(crate) const FLAWED_CEILING: f64 = 0.6;

/// Words that are in lower case within capitalised titles.
const SMALL_WORDS: [&str; 27] = [
    "and",
    "the",
    "for",
    "from",
    "with",
    "within",
    "near",
    "via",
    "per",
    "between",
    "into",
    "upon",
    "over",
    "under",
    "including",
    "nos",
    "existing",
    "through",
    "along",
    "towards",
    "behind",
    "opposite",
    "other",
    "using",
    "without",
    "during",
    "each",
];
/// The minimum length of a word that is checked for a lost capital, in bytes.
const MIN_CHECKED_LENGTH: usize = 3;
/// A title is checked for a lost capital only if it has at least this many words of
/// [`MIN_CHECKED_LENGTH`] that are not [`SMALL_WORDS`].
const MIN_CHECKED_WORDS: usize = 5;

/// The number of lines of the notice, or of its body, that are searched for a title outside the
/// heading.
const MAX_LINES: usize = 8;

/// Finds the title as printed. A title with the words of a call or of an inviting sentence is
/// doubtful.
pub(crate) fn find_title(
    printed: &Printed,
    head: &[Headline],
    body: usize,
    rows: &[LotRow],
) -> Option<Found<String>> {
    let mut title = without_reference(choose_title(printed, head, body, rows)?, printed);
    let calls = find_call(&title.value).is_some() && !NAMES_SUBJECT.is_match(&title.value);
    if calls || INVITING.is_match(&title.value) {
        title.confidence = title.confidence.min(FLAWED_CEILING);
    }
    Some(title)
}

/// Removes a reference or label before the title, and a procurement method or period after it, if
/// at least three words remain. A flawed title becomes doubtful. A lost closing quotation mark is
/// restored.
pub(crate) fn clean_title(title: Found<String>) -> Found<String> {
    let bare = LEAD.replace(&title.value, "");
    let bare = METHOD.replace(&bare, "");
    let bare = TERM.replace(&bare, "").trim().to_owned();
    let value = if bare.split_whitespace().count() >= 3 { bare } else { title.value };
    let is_flawed = has_stray_sign(&value)
        || INVITING.is_match(&value)
        || BEHEADED.is_match(&value)
        || LOOKS_ROMAN.is_match(&value)
        || has_lost_capital(&value);
    let confidence = if is_flawed { title.confidence.min(FLAWED_CEILING) } else { title.confidence };
    let value = match value.matches('"').count() {
        1 if !value.ends_with('"') => format!("{value}\""),
        _ => value,
    };
    Found { value, confidence, ..title }
}

/// Whether the title has a sign that no title has, or ends with a stroke of the frame that was
/// read as a letter or digit.
fn has_stray_sign(title: &str) -> bool {
    STRAY.is_match(title) && !NUMBERED.is_match(title)
}

/// Whether exactly one word of a capitalised title is in lower case, as in `Ganga lhala Korale`.
/// Its capital was probably misread.
fn has_lost_capital(title: &str) -> bool {
    let words = title
        .split(|c: char| !c.is_alphanumeric() && c != '-')
        .filter(|word| word.len() >= MIN_CHECKED_LENGTH);
    let names: Vec<&str> = words.filter(|word| !SMALL_WORDS.contains(word)).collect();
    let small = names.iter().filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase())).count();
    names.len() >= MIN_CHECKED_WORDS && small == 1
}

/// Removes a reference after the title. If fewer than three words would be left, the title is kept
/// and becomes doubtful.
fn without_reference(mut title: Found<String>, printed: &Printed) -> Found<String> {
    let numbers = super::reference::references(printed);
    let number = numbers.iter().find_map(|number| title.value.find(&number.value).map(|at| (at, number)));
    let Some((at, number)) = number else { return title };
    let (before, after) = (&title.value[..at], &title.value[at + number.value.len()..]);
    if after.chars().any(char::is_alphanumeric) {
        return title;
    }
    let rest = before.trim_end_matches(|c: char| !c.is_alphanumeric() && c != ')');
    if rest.split_whitespace().count() < 3 {
        title.confidence = title.confidence.min(0.5);
    } else {
        title.value = rest.to_owned();
    }
    title
}

/// Chooses the title. A clear title in the heading comes first, then a title in a label, a table
/// or an announcement, and then a title in the inviting sentence. A doubtful heading title, a
/// banner and the body come last.
fn choose_title(printed: &Printed, head: &[Headline], body: usize, rows: &[LotRow]) -> Option<Found<String>> {
    let in_sentences: Vec<Found<String>> =
        invited_work::titles_in_sentences(printed).into_iter().map(trim_title).collect();
    let in_head = title_in_heading(head, body, &in_sentences);
    let is_plain = |title: &Found<String>| names_work(&title.value) || title.confidence > 0.8;
    if in_head.as_ref().is_some_and(is_plain) {
        return in_head;
    }
    // The inviting sentence of a registration names goods, so the banner is the better title.
    let banner = banner_title(head);
    if in_head.is_none() && banner.as_ref().is_some_and(|banner| REGISTERS.is_match(&banner.value)) {
        return banner;
    }
    // The heading may name only a programme.
    let in_facts = labelled_title::find_title(printed)
        .map(trim_title)
        .or_else(|| title_of_single_row(rows))
        .or_else(|| announced_title(printed))
        .or_else(|| labelled_title::first_fact(printed).map(trim_title));
    in_facts
        .or_else(|| {
            in_sentences
                .into_iter()
                .next()
                .filter(|title| in_head.is_none() || begins_with_work_verb(&title.value))
        })
        .or(in_head)
        .or(banner)
        .or_else(|| title_in_body(printed, body))
}

/// The title in the heading. Its confidence depends on whether inviting sentences repeat it.
fn title_in_heading(head: &[Headline], body: usize, in_sentences: &[Found<String>]) -> Option<Found<String>> {
    // `(Consulting services – firms selection)` explains the heading.
    let explains = |text: &str| text.starts_with('(') && text.ends_with(')');
    let titles = head.iter().filter(|line| {
        line.role == Role::Title
            && line.text.range.end <= body.max(1)
            && !explains(&line.text.value)
            && !is_only_call(&line.text.value)
            && !NUMBER.is_match(&line.text.value)
    });
    // A line that begins with a work verb is preferred, because the name of a project above it may
    // contain a word for work.
    let line = titles
        .clone()
        .find(|line| begins_with_work_verb(&line.text.value))
        .or_else(|| titles.clone().find(|line| names_work(&line.text.value)))
        .or_else(|| titles.clone().find(|line| line.text.value.split_whitespace().count() >= 3))?;
    // If the heading has an organisation and only one line that may be a title, that line is the
    // title.
    let names_organization = head.iter().any(|line| matches!(line.role, Role::Organization | Role::Ministry));
    let is_alone =
        names_organization && titles.count() == 1 && line.text.value.split_whitespace().count() >= 3;
    let goes_on = head.iter().any(|next| {
        next.role == Role::Title
            && next.text.range.start == line.text.range.end + 1
            && !begins_with_work_verb(&next.text.value)
    });
    let others: Vec<String> = in_sentences.iter().map(|other| plain_words(&other.value)).collect();
    let mut title = with_next_lines(&line.text, head, &others);
    title.value = trim_title_text(without_call(&title.value));
    let ours = plain_words(&title.value);
    // Whether text `a` begins with text `b`, and `b` ends with a whole word of `a`. A title that
    // ends within a word of the sentence is truncated.
    let begins = |a: &str, b: &str| {
        b.len() > 12 && a.strip_prefix(b).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    title.confidence = if others.contains(&ours) {
        READ_TWICE_CONFIDENCE
    } else if others.iter().any(|other| begins(&ours, other) || begins(other, &ours)) {
        0.95
    } else if others.iter().any(|other| is_similar(&ours, other)) {
        // The heading and the sentence differ by a few letters, so one of them is wrong.
        FLAWED_CEILING
    } else if goes_on {
        // The line below may be the rest of the title.
        0.75
    } else if names_work(&title.value) {
        0.88
    } else if is_alone {
        0.85
    } else {
        0.62
    };
    let is_cut =
        others.iter().any(|other| other.starts_with(&ours) && !begins(other, &ours) && *other != ours);
    // A text of two words may be only the end of a title.
    let is_rest = title.value.split_whitespace().count() < 3 && !others.contains(&ours);
    if has_stray_sign(&title.value) || is_cut {
        title.confidence = title.confidence.min(FLAWED_CEILING);
    } else if is_rest {
        title.confidence = title.confidence.min(0.75);
    }
    (title.value.chars().count() >= 6).then_some(title)
}

/// Extends the title by the lines below it, as long as an inviting sentence repeats the extended
/// title.
fn with_next_lines(title: &Found<String>, head: &[Headline], in_sentences: &[String]) -> Found<String> {
    let mut title = title.clone();
    // A blank line between two lines is one more character.
    let is_next = |end: usize, start: usize| start > end && start <= end + 2;
    while let Some(next) = head.iter().find(|next| is_next(title.range.end, next.text.range.start)) {
        let joined = format!("{} {}", title.value, next.text.value);
        let plain = plain_words(&trim_title_text(&joined));
        let goes_on = |other: &String| {
            other.strip_prefix(&plain).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        if !in_sentences.iter().any(goes_on) {
            break;
        }
        title = Found::new(joined, title.confidence, title.range.start..next.text.range.end);
    }
    title
}

fn trim_title(found: Found<String>) -> Found<String> {
    found.map(|value| trim_title_text(&value))
}

/// Removes a leading `For the`, or a leading call such as `Tender for the`.
fn without_call(title: &str) -> &str {
    let called = subject_start(title).map_or(title, |start| &title[start..]);
    match FOR_THE.find(called) {
        Some(lead) if begins_with_work_verb(&called[lead.end()..]) => &called[lead.end()..],
        _ => called,
    }
}

/// The line below a line that ends with `following:` or `below:`.
fn announced_title(printed: &Printed) -> Option<Found<String>> {
    let lines: Vec<(Range<usize>, &str)> = printed.lines().take(MAX_LINES).collect();
    let (range, line) = lines.windows(2).find_map(|pair| match pair {
        [(_, above), below] if ANNOUNCES.is_match(above) => Some(below),
        _ => None,
    })?;
    let is_line = !line.contains('\t') && !line.trim_end().ends_with(['.', ';', ',']) && !ITEM.is_match(line);
    let confidence = if begins_with_work_verb(line) { 0.82 } else { 0.75 };
    (is_line && line.split_whitespace().count() >= 3)
        .then(|| Found::new(trim_title_text(line), confidence, range.clone()))
}

/// A line in capitals in the body that begins with a work verb. A sentence may precede it.
fn title_in_body(printed: &Printed, body: usize) -> Option<Found<String>> {
    let mut lines = printed.lines().skip_while(|(range, _)| range.start < body).take(MAX_LINES);
    let is_title = |line: &str| begins_with_work_verb(line) && is_capitals(line) && !line.contains('\t');
    let (range, line) = lines.find(|(_, line)| is_title(line))?;
    Some(Found::new(trim_title_text(line), 0.7, range))
}

/// The description in the only table row.
fn title_of_single_row(rows: &[LotRow]) -> Option<Found<String>> {
    let [row] = rows else { return None };
    let title = row.title.as_ref().filter(|title| title.split_whitespace().count() >= 2)?;
    Some(Found::new(trim_title_text(title), 0.85, row.range.clone()))
}

/// The longest banner that names its subject, such as a registration or a sale.
fn banner_title(head: &[Headline]) -> Option<Found<String>> {
    let telling =
        head.iter().filter(|line| line.role == Role::Banner && NAMES_SUBJECT.is_match(&line.text.value));
    let line = telling.rev().max_by_key(|line| line.text.value.len())?;
    Some(Found::new(trim_title_text(&line.text.value), 0.8, line.text.range.clone()))
}

patterns! {
    // A stroke of the frame, read as a letter or digit after the title. `Stage 1` and `Block C` are
    // not affected.
    STRAY = r"\s[\p{L}\d|]$|[!¦|~^\\{}<>=_]";
    // Words that cannot begin a title. A title that begins with one of them has lost its
    // beginning.
    BEHEADED = r"^(?:and|or|of|සඳහා|සහ|හා|පිළිබඳ|වෙත|විසින්|යටතේ|மற்றும்|ஆகிய)\s";
    // Roman numerals with `l` instead of `I`.
    LOOKS_ROMAN = r"\b(?-i:I+l[Il]*|l+I[Il]*|ll+)\b";
    NUMBERED = r"\b(?:stage|phase|part|lot|package|zone|unit|grade|block|section|ward|batch|item|type|class|category|volume|division|system|no|area|group|floor|tank)\W{0,2}\s[\p{L}\d]$";
    // A reference or label before the title, as in `LCDB/SEC/T/19/2026 Hiring of Vehicles` and
    // `Assignment: Design of a Bridge`.
    LEAD = r"^(?:(?-i:[A-Z0-9][\w.()&-]*/){2,}\S*\d\S*\s+|(?:assignment|subject|title|description)(?:\s(?:title|name))?\s?[:–]\s*)";
    METHOD = r"[\s,(–-]+(?:on\s(?:an?\s)?)?(?-i:[NIL]CB)(?:\sbasis)?\)?$|\s[–-]\s(?:amendment|corrigendum|addendum)(?:\s(?:no\.?\s?)?\d+)?$";
    TERM = r"[\s,]+[–-]\sfrom\s[\d./-]+\s(?:to|until)\s[\d./-]+$";
    FOR_THE = r"^for\s(?:the\s)?";
    ANNOUNCES = r"\b(?:following|below|under[\s-]?mentioned)\s?:\s*$";
    // A telephone number.
    NUMBER = r"\d{3}[-\s]?\d{6,7}";
    ITEM = r"^\s*\(?[a-z0-9]{1,3}[.)]\s";
    REGISTERS = r"^\W*(?:registration|enlist(?:ing|ment)) of|සැපයුම්කරුවන් ලියාපදිංචි";
    // An inviting sentence that runs into the title.
    INVITING = r"\bsealed (?:bids|tenders|quotations)|\bhereby\b|\bare invited\b|මෙයින්|ඇරයුම්|\b(?:includes?|is|are|was|were|will|shall|has|have) |කැඳවනු|இத்தால்|முத்திரையிட்ட|கேட்டுக்கொள்|வேண்டிக்கொள்";
    NAMES_SUBJECT = r"(?:registration|enlist(?:ing|ment)) of|sale of|auction of|disposal of|සැපයුම්කරුවන් ලියාපදිංචි|வழங்குநர்";
    WORK_WORD = r"\b(?:running|operation|widening|carpeting|concreting|tarring|supply|supplying|procurement|providing|provision|purchase|construction|rehabilitation|renovation|refurbishment|improvements?|repairs?|maintenance|upgrading|desilting|hiring|lease|leasing|letting|renting|printing|installation|design|consultancy|consulting|selection|outsourcing|development|sale|disposal|auction|implementation|fabrication|extension|erection|laying|painting|services|registration|project|works)\b|කිරීම|සැපයීම|ඉදිකිරීම|අලුත්වැඩියා|திருத்துதல்|புனரமைத்தல்|வழங்க(?:ல்|ுதல)|கொள்வனவு|இடுதல்|பொருத்துதல|சேவை|நிர்மாண";
}

/// Whether a text names something to be done or delivered.
fn names_work(text: &str) -> bool {
    WORK_WORD.is_match(text) || begins_with_work_verb(text)
}

fn trim_title_text(title: &str) -> String {
    let printed = title.split_whitespace().collect::<Vec<_>>().join(" ");
    let title = TAIL.replace(&printed, "");
    title.trim_matches([' ', '.', ',', ';', ':', '-', '–', '"', '“', '”']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::rules::heading::parse_heading;

    fn read(text: &str) -> (String, f64) {
        let printed = Printed::plain(text);
        let (head, body) = parse_heading(&printed, crate::extract::Gazetteer::built_in());
        let found = find_title(&printed, &head, body, &[]).unwrap();
        (found.value, found.confidence)
    }

    #[test]
    fn the_sentence_below_is_not_part_of_the_title() {
        let text = "PUBLIC AUCTION\nDepartment of Agriculture\nDisposal of Felled Rubber Trees at Kantale\nThe above items will be\n\
                    sold by public auction at Trincomalee on 2027-04-19.";
        assert_eq!(read(text).0, "Disposal of Felled Rubber Trees at Kantale");
    }

    #[test]
    fn the_registration_line_is_the_title() {
        let text = "REGISTRATION OF SUPPLIERS\nSri Lanka Standards Institution\nRegistration of Suppliers and Contractors - 2028\n\
                    It is proposed to prepare a list for the supply of the goods and services mentioned here:\n(a) Furniture";
        assert_eq!(read(text).0, "Registration of Suppliers and Contractors - 2028");
    }

    #[test]
    fn a_title_ends_where_the_body_begins_on_the_next_line() {
        let text = "இறம்பாவை பிரதேச சபை\nகேள்விப்பத்திர அறிவித்தல்\nஉள்ளக வீதிகளுக்கு தார் இடுதல்\n\
                    மேற்படி வேலைக்காக அனுபவமுள்ள ஒப்பந்தக்காரர்களிடமிருந்து கேள்விப்பத்திரங்கள் கோரப்படுகின்றன.";
        assert_eq!(read(text).0, "உள்ளக வீதிகளுக்கு தார் இடுதல்");
    }

    #[test]
    fn a_repeated_title_is_certain() {
        let text = "REQUEST FOR QUOTATIONS\nUniversity of Ruhuna\nSupply and Installation of Air\nConditioners to the Faculty\nRef. No.: UR/1/2\n\n\
                    Quotations are invited from registered suppliers for Supply and Installation of Air Conditioners to the Faculty. Interested";
        assert_eq!(
            read(text),
            ("Supply and Installation of Air Conditioners to the Faculty".to_owned(), 0.97)
        );
    }

    #[test]
    fn a_title_continues_if_a_sentence_repeats_it() {
        let text = "REQUEST FOR QUOTATIONS\n\nProcurement of Ductile Iron Pipes for Chilaw Water Supply\n\nScheme Stage II\n\n\
                    Ref. No.: NW/1/2\n\nQuotations are invited from registered suppliers for Procurement of Ductile Iron Pipes for Chilaw \
                    Water Supply Scheme Stage II. Interested parties may";
        let whole = "Procurement of Ductile Iron Pipes for Chilaw Water Supply Scheme Stage II";
        assert_eq!(read(text), (whole.to_owned(), 0.97));
    }

    #[test]
    fn a_truncated_title_is_doubtful() {
        let text = "REQUEST FOR QUOTATIONS\nRenovation of 90 Minor Tanks in Pelawatta Distri\n\n\
                    Quotations are invited from registered contractors for Renovation of 90 Minor Tanks in Pelawatta District. Interested";
        assert_eq!(read(text).1, FLAWED_CEILING);
        assert_eq!(read("රෝහල් ලංසු කැඳවීම\n\nඩියා කිරීම\n\nPDHS/SI/2027/42").1, 0.75);
    }

    #[test]
    fn a_stroke_after_the_title_makes_it_doubtful() {
        assert_eq!(read("PORTS AUTHORITY\nSupply of Spillway Gates for the Reservoir 1").1, FLAWED_CEILING);
        assert_eq!(read("PORTS AUTHORITY\nSupply of Spillway Gates for Stage 1").1, 0.88);
        assert_eq!(
            read("PORTS AUTHORITY\nSupply of Spillway Gates Contract Ne").0,
            "Supply of Spillway Gates"
        );
    }

    #[test]
    fn every_title_is_cleaned() {
        let clean = |value: &str| clean_title(Found::new(value.to_owned(), 0.9, 0..1));
        assert_eq!(clean("Overhaul of the Tug \"RAVANA").value, "Overhaul of the Tug \"RAVANA\"");
        assert_eq!(clean("Supply of Spillway Gates 1").confidence, FLAWED_CEILING);
        for (read, bare) in [
            ("LCDB/SEC/T/19/2026 Hiring of Cash Vehicles", "Hiring of Cash Vehicles"),
            ("Assignment: Consultancy for Wilpattu Park", "Consultancy for Wilpattu Park"),
            (
                "Rehabilitation of Canal Structures in System C (NCB)",
                "Rehabilitation of Canal Structures in System C",
            ),
            ("Supply of Pharmaceuticals for 2027 on ICB basis", "Supply of Pharmaceuticals for 2027"),
            ("Provision of Canteen Service – Amendment", "Provision of Canteen Service"),
            ("Supply of Dry Rations – from 01.06.2027 to 31.05.2028", "Supply of Dry Rations"),
            ("Widening of Road 0+000/27 and Bridge", "Widening of Road 0+000/27 and Bridge"),
        ] {
            assert_eq!(clean(read).value, bare);
        }
        assert_eq!(clean("Supply of Spillway Gates").confidence, 0.9);
    }

    #[test]
    fn a_reference_after_the_title_is_removed() {
        let text = "ROAD DEVELOPMENT AUTHORITY\nConstruction of Pelawatta Bridge. CONTRACT NO: RDA/West/22";
        assert_eq!(read(text).0, "Construction of Pelawatta Bridge");
    }

    #[test]
    fn a_title_that_looks_misread_is_doubtful() {
        let sure = |value: &str| clean_title(Found::new(value.to_owned(), 0.9, 0..1)).confidence;
        for title in [
            "Laying of Paving Blocks on the By-road near Ganga lhala Korale Bus Stand",
            "Procurement of Pipes and Fittings for Chilaw Water Supply Stage Il",
            "සඳහා ආරක්ෂක සේවා ලබා ගැනීම",
            "பொதுச் சந்தையின் இரண்டாம் மாடி நிர்மாண!",
            "and Delivery of Office Furniture",
        ] {
            assert_eq!(sure(title), FLAWED_CEILING, "{title}");
        }
        for title in [
            "Laying of Paving Blocks near the Ganga Ihala Korale Bus Stand",
            "Procurement of Pipes and Fittings for Chilaw Water Supply Stage III",
            "පස්සර පුස්තකාලය සඳහා ආරක්ෂක සේවා ලබා ගැනීම",
            "Supply of laboratory equipment and chemicals for the Faculty of Science",
            "Supply of 250 kg Gas Cylinders with Regulators (12.5 kg)",
        ] {
            assert_eq!(sure(title), 0.9, "{title}");
        }
    }
}

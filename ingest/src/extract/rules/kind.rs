//! Whether a text is a tender notice, and of which kind. News, vacancies, obituaries and private
//! advertisements are rejected with a reason.

use super::{
    call_for_bids::subject_start,
    heading::{Headline, Role},
    pattern::patterns,
};
use crate::extract::printed::{Found, Printed};
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;
use tender_model::vocabulary::Kind;

/// Why a block is not a tender notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr)]
#[serde(rename_all = "kebab-case")]
pub enum RejectionReason {
    /// The block has too little text.
    #[strum(serialize = "too little text")]
    Empty,
    /// News.
    #[strum(serialize = "news")]
    News,
    /// A vacancy.
    #[strum(serialize = "vacancy")]
    Vacancy,
    /// An obituary.
    #[strum(serialize = "obituary")]
    Obituary,
    /// A private or commercial advertisement.
    #[strum(serialize = "advertisement")]
    Advertisement,
    /// The block does not invite bids.
    #[strum(serialize = "nothing invites bids")]
    NoInvitation,
}

impl RejectionReason {
    /// A label for the report.
    #[must_use]
    pub fn label(self) -> &'static str {
        self.into()
    }
}

patterns! {
    INVITES = r"\b(?:sealed (?:bids|tenders|quotations)|(?:bids|tenders|quotations|proposals|applications|offers)\s+(?:are|is)\s+(?:hereby\s+)?(?:invited|called)|sale of [\w\s]{3,40}? by (?:public )?(?:tender|auction)|invites?\s+(?:sealed\s|separate\s|eligible\s|qualified\s|bids|tenders|quotations|proposals|applications|consultants)|calls? for (?:sealed )?(?:bids|tenders|quotations)|will receive (?:sealed )?(?:bids|tenders|quotations|proposals)|(?:bids|tenders|quotations|offers)[\w\s]{0,24} (?:are|is) (?:hereby )?(?:invited|called)|quotations from|(?:EOIs?|expressions? of interest|bids|tenders|quotations|proposals|offers)\s(?:are|is|will be)\s(?:\w+\s)?(?:accepted|received)|(?:is|are)\s(?:\w+\s){0,2}(?:invited|requested)\sto\s(?:\w+\s){0,2}(?:submit|quote|apply|tender|bid))\b|ක[ැෑ]?ඳවනු|(?:ලංසු|මිල ගණන්)\s(?:ඉදිරිපත් ක|පිළිග|ඉල්ල)|ලංසු ක[ැෑ]?ඳව|මිල ගණන් කැඳව|ටෙන්ඩර් කැඳව|கேள்விகள் கோரப்|விலைமனுக்கள் கோரப்|கோரப்படுகின்றன|(?:கேள்வி|விலைமனு|விலைக்\s?(?:கூறல்|குறிப்பு))\S*\s(?:\S+\s){0,5}?(?:ஏற்|கோரப்ப|பொறுப்பேற்|சமர்ப்பிக்க)|(?:ටෙන්ඩර්|ලංසු|මිල ගණන්)\s(?:\S+\s){0,2}?භාර\s?ග";
    TERMS = r"\b(?:bid (?:security|bond|notice|no\b|number)|tender (?:bond|no\b|number|documents?|forms?|box)|bidding documents?|procurement (?:committee|notice|no\b)|tender board|non[\s-]*refundable|closing (?:date|time)|bids? clos|late bids|bids will be opened|contract no\b|invitation (?:for|to) bids?|IFB|ITB/|expression of interest|bid validity|registration of suppliers|sale of vehicles by tender|quotations from)|ලංසු (?:ලේඛන|ඇප|සුරක්ෂණ)|ප්‍රසම්පා?දන|ආපසු|ஆவண|பிணை|பெறுகை|(?:கேள்வி|விலைமனு)\S* (?:இலக்க|பெட்டி|வைப்பு|படிவ)|(?:ටෙන්ඩර්|ලංසු) (?:අංක|පෙට්ටි|ආකෘති|පත්‍ර|තැන්පතු)";
    OBITUARY = r"\bobituar|passed away|funeral|cremation|cortege|remembrance|in memoriam|beloved (?:father|mother|husband|wife|son|daughter)";
    VACANCY = r"\bvacanc|curriculum vitae|\bCVs?\b|career opportunit|walk-?in interview|salary|post of\b|executives? required|applications are invited (?:from|for) (?:the post|suitably)";
    ADVERTISEMENT = r"\bto let\b|for rent\b|% off\b|\bsale!|grand sale|discounts?\b|showroom|bedrooms?|land for sale|house for sale|special offer|matrimonial|astrolog|tuition";
    NEWS = r"\b(?:told reporters|spokesman|spokesperson|said (?:that|the|he|she|yesterday)|according to|he said|she said|meanwhile|cabinet (?:approval|of ministers|granted)|approval was granted|officials said|minister said|met yesterday|court|police said)\b|(?:පැවසීය|පවසයි|පවසති|කීය|කියති|ප්‍රකාශ කළේය|වාර්තා වේ)|(?:தெரிவித்தார்|தெரிவித்துள்ள|கூறினார்|குறிப்பிட்டார்)";

    DECISION = r"cabinet (?:approval|decided|granted|of ministers)|approval (?:of the cabinet|was granted)|proposals?\s+(?:made|tabled|presented|forwarded)\s+by|(?:bids|tenders) (?:have|has) been\s+invited|may call for|was awarded to|cabinet (?:has )?approved|cabinet paper";

    CORRIGENDUM = r"\b(?:notice of cancellation|cancellation notice|is hereby cancelled|amendment|corrigendum|correction notice|notice of correction|addendum|erratum|extension of (?:the )?(?:closing|bid|tender|deadline)|postponement|cancellation of|re-?scheduling|change (?:of|in) (?:the )?(?:closing|bid|tender|date)|(?:revised|new) closing date|notice of extension|closing date .{0,30}extended)|සංශෝධන|දීර්ඝ කිරීම|திருத்த அறிவித்தல்|நீடிப்பு";
    AWARD = r"\b(?:notice of award|contract award|award of (?:the )?contract|intention to award|awarded to|bid award)";
    REGISTRATION = r"\b(?:registration|enlist(?:ing|ment)|empanelment|listing) of (?:\w+ )?(?:suppliers|contractors|service providers|vendors)|invitation for registration|pre-?qualification of suppliers|supplier registration|සැපයුම්කරුවන් ලියාපදිංචි|வழங்குநர்கள?ை? பதிவு";
    INTEREST = r"\bexpressions? of interest|\bR?EOIs?\b|invitation to submit interest";
    SALE = r"\b(?:sale of|auction|disposal of|outright sale|sale by tender|purchase of (?:scrap|condemned|used|unserviceable)|tender for (?:the )?(?:sale|purchase of condemned))\b|වෙන්දේසි|விற்பனை|ஏலம்";
}

patterns! {
    AWARD_NOTICE = r"\b(?:notice of (?:contract )?award|(?:contract )?award notice|intention to award)\b";
    // `Disposal` also means a sale. The disposal of waste is a service.
    WASTE = r"\b(?:disposal|sale) of (?:\w+ ){0,3}(?:waste|garbage|refuse|sewage|sludge)\b";
    BIDDING = r"\b(?:bids?|bidders?|tenders?|quotations?|suppliers?|contractors?)\b";
}

/// The length of the opening of a text, in bytes. A vacancy or an award is announced there.
const OPENING_LENGTH: usize = 220;

/// The number of last lines of [`Printed::flow`], including blank lines, that may name the
/// organisation. A line of the flow is a whole paragraph.
const SIGNATURE_LINES: usize = 4;

/// The minimum number of letters in a notice.
const MIN_LETTERS: usize = 40;

/// Why a text is not a notice; `None` for a notice. A notice needs several signs of an invitation.
pub(crate) fn rejection_reason(printed: &Printed, head: &[Headline]) -> Option<RejectionReason> {
    let text = printed.flow();
    if text.chars().filter(|c| c.is_alphabetic()).count() < MIN_LETTERS {
        return Some(other_block_reason(text).unwrap_or(RejectionReason::Empty));
    }
    // News about a decision uses the words of a tender. Only the decision distinguishes it.
    if DECISION.is_match(text) {
        return Some(RejectionReason::News);
    }
    let opening = &text[..super::cues::floor_char_boundary(text, OPENING_LENGTH)];
    let banner_line = head.iter().any(|line| line.role == Role::Banner) && head.len() > 1;
    let calls = |line: &Headline| line.role == Role::Banner || subject_start(&line.text.value).is_some();
    let banner = head.iter().any(calls) || AWARD_NOTICE.is_match(opening);
    let invites = INVITES.find_iter(text).count();
    let terms = TERMS.find_iter(text).count();
    let references = super::reference::references(printed).len();
    let has_organization_and_title =
        [Role::Organization, Role::Title].iter().all(|role| head.iter().any(|line| line.role == *role));
    let names_organization = head.iter().any(|line| line.role == Role::Organization)
        || text
            .lines()
            .rev()
            .take(SIGNATURE_LINES)
            .any(|line| super::heading::line_role(line) == Role::Organization);
    let sells = head.iter().any(|line| SALE.is_match(&line.text.value));
    let evidence = usize::from(sells && invites > 0)
        + usize::from(has_organization_and_title && references > 0)
        // A reference, a date and an organisation indicate a request in any wording.
        + 2 * usize::from(references > 0 && names_organization && !super::dates::dates(text).is_empty())
        + 2 * usize::from(banner)
        + 2 * invites.min(2)
        + terms.min(4)
        + references.min(2);
    let news = NEWS.find_iter(text).count();
    let is_vacancy = VACANCY.is_match(opening) && !BIDDING.is_match(text);
    // A news headline names a tender, but not the buyer, the dates or how to bid.
    let has_details = has_organization_and_title
        || banner_line
        || invites > 0
        || terms > 1
        || !super::dates::dates(text).is_empty();
    if !is_vacancy
        && has_details
        && evidence >= 3
        && news < 2 + evidence / 3
        && (banner || invites > 0 || terms > 1 || references > 0)
    {
        return None;
    }
    Some(other_block_reason(text).unwrap_or(if news > 0 {
        RejectionReason::News
    } else {
        RejectionReason::NoInvitation
    }))
}

fn other_block_reason(text: &str) -> Option<RejectionReason> {
    [
        (&OBITUARY, RejectionReason::Obituary),
        (&VACANCY, RejectionReason::Vacancy),
        (&ADVERTISEMENT, RejectionReason::Advertisement),
    ]
    .iter()
    .filter_map(|(pattern, reason)| pattern.find(text).map(|found| (found.start(), *reason)))
    .min_by_key(|(start, _)| *start)
    .map(|(_, reason)| reason)
}

/// The kind of a notice, derived from its heading, its first lines and its title.
pub(crate) fn kind(printed: &Printed, head: &[Headline], title: Option<&Found<String>>) -> Found<Kind> {
    let text = printed.flow();
    let end = super::cues::floor_char_boundary(text, head.last().map_or(0, |line| line.text.range.end) + 160);
    let opening = &text[..end];
    for (pattern, kind) in [
        (&CORRIGENDUM, Kind::Corrigendum),
        (&AWARD, Kind::Award),
        (&REGISTRATION, Kind::Registration),
        (&INTEREST, Kind::ExpressionOfInterest),
    ] {
        if let Some(found) = pattern.find(opening) {
            return Found::new(kind, 0.93, found.range());
        }
    }
    let sells = |text: &str| SALE.is_match(&WASTE.replace_all(text, ""));
    let sale = title.is_some_and(|title| sells(&title.value))
        || head.iter().filter(|line| line.role != Role::Label).any(|line| sells(&line.text.value));
    if sale {
        return Found::new(Kind::Sale, 0.88, SALE.find(text).map_or(0..0, |found| found.range()));
    }
    let invitation = INVITES.find(text).map(|found| found.range());
    Found::new(Kind::Purchase, if invitation.is_some() { 0.95 } else { 0.8 }, invitation.unwrap_or(0..0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::rules::heading::parse_heading;
    use rstest::rstest;

    fn rejected(text: &str) -> Option<RejectionReason> {
        let printed = Printed::plain(text);
        rejection_reason(&printed, &parse_heading(&printed, crate::extract::Gazetteer::built_in()).0)
    }

    #[rstest]
    #[case(
        "OBITUARY\n\nBeloved father of Nimal and Kamala passed away peacefully\n\nTel. 077-9904780",
        RejectionReason::Obituary
    )]
    #[case(
        "VACANCIES\n\nMarketing executives required. Apply with curriculum vitae\n\nTel. 077-1",
        RejectionReason::Vacancy
    )]
    #[case(
        "TO LET\n\nSpacious upstair house with three bedrooms, close to main road\n\nTel. 077",
        RejectionReason::Advertisement
    )]
    #[case(
        "Special trains\n\nA spokesman for the railway department said the special train service would continue. Meanwhile",
        RejectionReason::News
    )]
    #[case(
        "Tender for the Supply of Insulin\n\nCabinet approval was granted to award the above procurement to the lowest bidder, officials said. According to the minister",
        RejectionReason::News
    )]
    #[case(
        "VACANCIES - CEYLON PETROLEUM CORPORATION\nApplications are invited from suitably qualified candidates for the post of Engineer. Closing date 12.05.2023.",
        RejectionReason::Vacancy
    )]
    #[case(
        "Tender for the Supply of Rabies Vaccine (Human Use) (1ml /0.5ml) 356,000 vials MSD/P/12/2012 - DHS/C/P/278/ 2012",
        RejectionReason::NoInvitation
    )]
    #[case("SL", RejectionReason::Empty)]
    #[case(
        "The annual general meeting of the society will be held at the town hall on Sunday",
        RejectionReason::NoInvitation
    )]
    fn other_texts_are_rejected(#[case] text: &str, #[case] reason: RejectionReason) {
        assert_eq!(rejected(text), Some(reason));
    }

    #[rstest]
    #[case(
        "INVITATION FOR BIDS\nUniversity of Ruhuna\n1. The Chairman invites sealed bids for chairs. Bids will be opened",
        Kind::Purchase
    )]
    #[case(
        "GENERAL HOSPITAL KEGALLE - REGISTRATION OF SUPPLIERS 2026\nApplications from manufacturers to the Chairman, Regional Procurement Committee",
        Kind::Registration
    )]
    #[case(
        "AMENDMENT OF PROCUREMENT NOTICE PUBLISHED ON 02.04.2025\nMinistry of Roads\nItems 1 and 2 are amended. Chairman - Procurement Committee",
        Kind::Corrigendum
    )]
    #[case(
        "PRESIDENTIAL SECRETARIAT - SALE OF VEHICLES BY TENDER, SECOND PHASE\nDocuments from the Finance Division. Bids close",
        Kind::Sale
    )]
    #[case(
        "SRI LANKA NAVY - DISPOSAL OF CONDEMNED BOATS\nSealed bids are called from prospective buyers for 14 boats. Closing 1000 hrs on 11 May 2022.",
        Kind::Sale
    )]
    #[case(
        "MINISTRY OF EDUCATION\nNotice of award: Contract for supply of 1,200 smart boards to M/s Metropolis Ltd, value Rs. 320 million. Ref ED/PROC/22/18",
        Kind::Award
    )]
    #[case(
        "EXPRESSION OF INTEREST - River Basin Project\nThe Procurement Committee invites consultants by 25 July",
        Kind::ExpressionOfInterest
    )]
    fn the_kind_is_recognised(#[case] text: &str, #[case] expected: Kind) {
        let printed = Printed::plain(text);
        let (head, _) = parse_heading(&printed, crate::extract::Gazetteer::built_in());
        assert_eq!(rejection_reason(&printed, &head), None);
        assert_eq!(kind(&printed, &head, None).value, expected);
    }
}

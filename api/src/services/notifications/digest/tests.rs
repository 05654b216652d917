use super::*;
use crate::{
    domain::digest::{DigestItem, DigestReason},
    services::notifications::{
        account_mail::MailHeader,
        excerpt::excerpt,
        mail_frame::AttachedFile,
        monthly_report::{self, MonthlyReport},
        weekly_summary::{self, Summary},
    },
};
use index::percolate::MatchReason;
use mail_parser::{MessageParser, MimeHeaders};
use tender_model::{
    deduplication::PORTAL,
    tender::{FieldChange, FieldState, Tender},
    vocabulary::{District, Language, Sector, TenderStatus},
};

const NOW: &str = "2027-05-01T09:00:00+05:30";

fn tender(nth: u128, title: &str) -> Tender {
    let mut tender = Tender {
        id: Uuid::from_u128(nth),
        title: title.to_owned(),
        status: TenderStatus::Published,
        ..Tender::default()
    };
    tender.organization.name = "Ports & <Harbours>".to_owned();
    tender.sources =
        vec![tender_model::tender::Source { publication: "Daily Lanka".into(), ..Default::default() }];
    tender.dates.closing = "2027-05-03T10:00:00+05:30".parse().ok();
    tender
}

fn alert(nth: u128, name: &str) -> Option<ItemAlert> {
    Some(ItemAlert { id: Uuid::from_u128(nth), name: name.to_owned(), keyword: "supply".to_owned() })
}

fn new_match(tender: Tender) -> DigestItem {
    DigestItem { alert: alert(9, "Tyres"), tender, before: None, reason: DigestReason::New }
}

fn change(before: Tender, after: Tender, revision: i64) -> DigestItem {
    DigestItem {
        alert: alert(9, "Tyres"),
        tender: after,
        before: Some(before),
        reason: DigestReason::Change(revision),
    }
}

fn saved(item: DigestItem) -> DigestItem {
    DigestItem { alert: None, ..item }
}

fn reminder(tender: Tender, day: &str) -> DigestItem {
    saved(DigestItem {
        alert: None,
        tender,
        before: None,
        reason: DigestReason::Closes(day.parse().unwrap(), 3),
    })
}

fn with_closing(mut tender: Tender, at: &str) -> Tender {
    tender.dates.closing = at.parse().ok();
    tender
}

fn with_status(tender: &Tender, status: TenderStatus) -> Tender {
    Tender { status, ..tender.clone() }
}

struct ParsedMail {
    subject: String,
    text: String,
    html: String,
    /// The pictures, by content id.
    pictures: Vec<(String, Vec<u8>)>,
}

impl ParsedMail {
    /// The HTML with embedded pictures, for viewing without a mail program.
    fn html_with_pictures(&self) -> String {
        use base64::{Engine, engine::general_purpose::STANDARD};
        self.pictures.iter().fold(self.html.clone(), |html, (id, bytes)| {
            html.replace(&format!("cid:{id}"), &format!("data:image/jpeg;base64,{}", STANDARD.encode(bytes)))
        })
    }
}

fn with_envelope<Made>(language: Language, make: impl FnOnce(&Envelope<'_>) -> Made) -> Made {
    let from = "Portal <alerts@portal.example>".parse().unwrap();
    make(&Envelope {
        from: &from,
        to: "nimal@example.test",
        first_name: "Nimal",
        language,
        base_url: "https://portal.example",
        unsubscribe: "https://portal.example/unsubscribe/abc",
        message_id: &crate::services::notifications::mail_frame::message_id(
            Uuid::from_u128(1),
            "https://portal.example:443/x",
        ),
        now: NOW.parse().unwrap(),
    })
}

fn parse_mail(bytes: &[u8]) -> ParsedMail {
    let message = MessageParser::default().parse(bytes).unwrap();
    let part = |part: Option<std::borrow::Cow<'_, str>>| part.unwrap().replace("\r\n", "\n");
    ParsedMail {
        subject: message.subject().unwrap().to_owned(),
        text: part(message.body_text(0)),
        html: part(message.body_html(0)),
        pictures: message
            .attachments()
            .filter_map(|part| Some((part.content_id()?.to_owned(), part.contents().to_vec())))
            .collect(),
    }
}

fn render(language: Language, items: Vec<DigestItem>, is_digest: bool) -> ParsedMail {
    let news = News::of(items.clone(), NOW.parse().unwrap());
    let excerpts = items.iter().filter_map(|item| {
        let end = item.tender.title.find(' ')?;
        let why = MatchReason { keyword: "supply".to_owned(), field: "title".to_owned(), start: 0, end };
        Some(((item.alert.as_ref()?.id, item.tender.id), excerpt(&item.tender, &why)?))
    });
    let excerpts = excerpts.collect();
    with_envelope(language, |envelope| {
        parse_mail(&compose(envelope, &news, &excerpts, &mut clips(), is_digest).unwrap())
    })
}

fn english(items: Vec<DigestItem>) -> ParsedMail {
    render(Language::English, items, false)
}

fn news_of(items: Vec<DigestItem>) -> News {
    News::of(items, NOW.parse().unwrap())
}

#[test]
fn both_parts_show_tender_buyer_closing_and_reason() {
    let items = vec![new_match(tender(5, "Supply of <b>tyres</b> & tubes"))];
    let bytes = with_envelope(Language::English, |envelope| {
        compose(envelope, &news_of(items.clone()), &Excerpts::new(), &mut clips(), false).unwrap()
    });
    let message = MessageParser::default().parse(&bytes).unwrap();
    assert_eq!(message.subject(), Some("New tender: Supply of <b>tyres</b> & tubes (2 days left)"));
    assert_eq!(message.message_id(), Some("00000000000000000000000000000001@portal.example"));
    let raw = String::from_utf8_lossy(&bytes);
    assert!(raw.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"));
    let ParsedMail { text, html, .. } = english(items);
    for part in [
        "Mon 3 May 2027, 10.00 a.m. (2 days left)",
        "your alert “Tyres” looks for “supply”",
        "https://portal.example/unsubscribe/abc",
        "https://portal.example/tenders/00000000-0000-0000-0000-000000000005",
        "https://portal.example/alert-settings?alert=00000000-0000-0000-0000-000000000009",
    ] {
        assert!(text.contains(part), "{part} in {text}");
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(text.contains("Supply of <b>tyres</b> & tubes") && text.contains("Ports & <Harbours>"));
    assert!(!html.contains("<b>tyres") && !html.contains("<Harbours>"), "{html}");
    assert!(text.contains("[Supply] of"), "{text}");
}

#[test]
fn tenders_beyond_the_limit_are_counted_and_linked_to_their_alert() {
    let items: Vec<DigestItem> =
        (0..60).map(|nth| new_match(tender(nth, &format!("Supply of lot {nth}")))).collect();
    let mail = english(items);
    assert_eq!(mail.subject, "60 new tenders: Supply of lot 0 and 59 more");
    assert!(
        mail.text.contains("… and 40 more: see all matches https://portal.example/alert-settings?alert=00000000-0000-0000-0000-000000000009"),
        "{}",
        mail.text
    );
    assert_eq!(mail.text.matches("View the tender").count(), 20);
}

#[test]
fn each_alert_of_a_digest_has_a_share_and_each_tender_appears_once() {
    let mut items: Vec<DigestItem> =
        (0..40).map(|nth| new_match(tender(nth, &format!("Supply of lot {nth}")))).collect();
    let both = DigestItem { alert: alert(10, "Wheels"), ..items[0].clone() };
    items.extend([both, DigestItem { alert: alert(10, "Wheels"), ..new_match(tender(50, "Wheels alone")) }]);
    let mail = render(Language::English, items, true);
    assert_eq!(mail.subject, "41 new tenders: Supply of lot 0 and 40 more");
    assert!(mail.text.contains("== Tyres ==") && mail.text.contains("== Wheels =="), "{}", mail.text);
    assert_eq!(mail.text.matches("\nSupply of lot 0\n").count(), 1);
    assert!(mail.text.contains("your alert “Wheels” looks for"), "{}", mail.text);
    assert!(mail.text.contains("Wheels alone") && mail.text.contains("… and 21 more"), "{}", mail.text);
    assert!(
        mail.text.contains("41 new tenders match 2 of your alerts since the last mail."),
        "{}",
        mail.text
    );
}

#[test]
fn alerts_beyond_the_limit_are_counted() {
    let items = (0..30)
        .map(|nth| DigestItem { alert: alert(nth, &format!("A{nth}")), ..new_match(tender(nth, "Supply")) });
    let mail = render(Language::English, items.collect(), true);
    assert!(
        mail.text.contains(
            "… and 10 more in other alerts: open your alerts https://portal.example/alert-settings\n"
        ),
        "{}",
        mail.text
    );
}

#[test]
fn a_change_shows_the_old_and_the_new_value() {
    let before = tender(5, "Supply of tyres");
    let later = with_closing(before.clone(), "2027-05-10T14:30:00+05:30");
    let mail = english(vec![change(before.clone(), later.clone(), 2)]);
    assert_eq!(mail.subject, "Closing date changed: Supply of tyres");
    let line = "Closing date: was Mon 3 May 2027, 10.00 a.m., now Mon 10 May 2027, 2.30 p.m.";
    assert!(mail.text.contains("(9 days left)") && !mail.text.contains("Closes Mon"), "{}", mail.text);
    assert!(mail.text.contains(line) && mail.text.contains("it matched your alert “Tyres”"), "{}", mail.text);
    assert!(mail.text.contains("One tender that matched your alert “Tyres” has changed."), "{}", mail.text);

    let cancelled = with_status(&later, TenderStatus::Cancelled);
    let mail = english(vec![change(before.clone(), later.clone(), 2), change(later.clone(), cancelled, 3)]);
    assert_eq!(mail.subject, "Cancelled: Supply of tyres");
    assert!(
        mail.text.contains("Status: was open, now Cancelled") && mail.text.contains(line),
        "{}",
        mail.text
    );

    let withdrawn = with_status(&before, TenderStatus::Withdrawn);
    let mail = english(vec![change(before.clone(), withdrawn.clone(), 2)]);
    assert_eq!(mail.subject, "Withdrawn: Supply of tyres");
    assert!(!mail.text.contains("/tenders/"), "a withdrawn tender has no page: {}", mail.text);
    let mut taken_down = withdrawn.clone();
    taken_down.changes.push(FieldChange {
        at: NOW.parse().unwrap(),
        field: "status".into(),
        from: "published".into(),
        to: "withdrawn".into(),
        source: PORTAL.into(),
    });
    let mail = english(vec![change(before.clone(), taken_down.clone(), 2)]);
    assert_eq!(mail.subject, "Taken down by the portal: Supply of tyres");
    assert!(!mail.text.contains("/tenders/"), "{}", mail.text);
    let mail = english(vec![change(taken_down, before.clone(), 3)]);
    assert_eq!(mail.subject, "Open again: Supply of tyres");
    let mail = english(vec![change(with_status(&before, TenderStatus::Cancelled), before.clone(), 3)]);
    assert_eq!(mail.subject, "Open again: Supply of tyres");
}

#[test]
fn a_tender_changed_before_its_first_mail_is_shown_as_it_is_now() {
    let first = tender(5, "Supply of tyres");
    let cancelled = with_status(&first, TenderStatus::Cancelled);
    let mail = english(vec![new_match(cancelled)]);
    assert!(mail.subject.starts_with("New tender: ") && mail.text.contains("Cancelled"), "{}", mail.text);
    assert!(news_of(vec![new_match(with_status(&first, TenderStatus::Withdrawn))]).is_empty());
    // The change was undone before a mail reported it.
    let later = with_closing(first.clone(), "2027-05-10T14:30:00+05:30");
    assert!(news_of(vec![change(first.clone(), later.clone(), 2), change(later, first, 3)]).is_empty());
}

#[test]
fn a_reminder_lists_only_tenders_that_still_close_on_its_day() {
    let one = tender(5, "Supply of tyres");
    let mail = english(vec![reminder(one.clone(), "2027-05-03")]);
    assert_eq!(mail.subject, "2 days left: Supply of tyres");
    assert!(mail.text.contains("One of your saved tenders closes soon."), "{}", mail.text);
    assert!(
        mail.text.contains("you have saved this tender")
            && mail.text.contains("Stop e-mails about saved tenders")
    );
    let moved = with_closing(one.clone(), "2027-05-10T14:30:00+05:30");
    for gone in [
        moved.clone(),
        with_status(&one, TenderStatus::Cancelled),
        with_closing(one.clone(), "2027-05-01T08:00:00+05:30"),
    ] {
        assert!(news_of(vec![reminder(gone, "2027-05-03")]).is_empty());
    }
    let changed = saved(change(one.clone(), moved, 2));
    let mail =
        english(vec![reminder(one, "2027-05-03"), changed, reminder(tender(6, "Chairs"), "2027-05-03")]);
    // Tenders are sorted by closing, and the first now closes later.
    assert_eq!(mail.subject, "1 changed tender, 1 closing soon: Chairs and 1 more");
}

#[test]
fn line_breaks_in_names_add_no_header() {
    let mut item = new_match(tender(5, "Supply\r\nBcc: everyone@example.test"));
    item.alert = alert(9, "Tyres\r\nBcc: x@example.test");
    let news = news_of(vec![item]);
    let bytes = with_envelope(Language::English, |envelope| {
        compose(envelope, &news, &Excerpts::new(), &mut clips(), false).unwrap()
    });
    assert!(MessageParser::default().parse(&bytes).unwrap().bcc().is_none());
}

/// A tender with every field that a mail shows.
fn full_tender(nth: u128, title: &str, organization: &str) -> Tender {
    let mut tender = tender(nth, title);
    tender.organization.name = organization.to_owned();
    tender.reference_no = Some(format!("RDA/SP/2027/{nth}"));
    tender.location.city = Some("Weligama".to_owned());
    tender.location.district = Some(District::ALL[6]);
    tender.financials.bid_bond.amount = serde_json::from_str("250000").ok();
    tender.document_fee = serde_json::from_str(r#"{"amount": 7500, "currency": "LKR"}"#).ok();
    tender.cida = serde_json::from_str(r#"[{"grade": "C4", "field": "Roads"}]"#).unwrap();
    if nth % 7 == 3 {
        tender.field_states = Some([("title".to_owned(), FieldState::Doubtful)].into());
    }
    tender
}

/// The path of the fixture's clip on a portal.
const CLIP: &str = "/api/clips/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// A folder of clips with [`CLIP`] in it.
fn clips() -> ClipPictures {
    static FOLDER: std::sync::LazyLock<tempfile::TempDir> = std::sync::LazyLock::new(|| {
        let folder = tempfile::tempdir().unwrap();
        let clip =
            concat!(env!("CARGO_MANIFEST_DIR"), "/../fixtures/notices/daily-lanka/2026-11-20/p1-01.jpg");
        let name = CLIP.rsplit('/').next().unwrap();
        std::fs::copy(clip, folder.path().join(format!("{name}.jpg"))).unwrap();
        folder
    });
    ClipPictures::of(FOLDER.path().to_owned())
}

/// A tender with a doubtful closing and a doubtful reference, whose places on the clip are known,
/// and with an unread title.
fn doubtful_tender(nth: u128) -> Tender {
    let mut tender =
        full_tender(nth, "Invitation for Bids, Department of Irrigation", "Department of Irrigation");
    tender.field_states = serde_json::from_value(serde_json::json!({
        "dates.closing": "doubtful", "referenceNo": "doubtful", "title": "not-read", "location.district": "doubtful",
    }))
    .unwrap();
    let evidence =
        |text: &str, area| tender_model::tender::Evidence { text: text.to_owned(), area: Some(area) };
    let closing = [0.7279, 0.166, 0.2071, 0.0093];
    tender.evidence.insert("dates.closing".into(), evidence("02:00 pm on\nSth of June 2027", closing));
    tender
        .evidence
        .insert("referenceNo".into(), evidence("KMC/PROC/2027/336", [0.8106, 0.0929, 0.0651, 0.0038]));
    tender.sources = vec![tender_model::tender::Source {
        area: [0.723, 0.0407, 0.2157, 0.1683],
        clip_url: Some(CLIP.to_owned()),
        ..tender_model::tender::Source::default()
    }];
    tender
}

#[test]
fn uncertain_fields_are_named_and_doubtful_ones_shown_as_printed() {
    let ParsedMail { subject, text, html, pictures } = english(vec![new_match(doubtful_tender(5))]);
    assert_eq!(
        subject, "New tender: Invitation for Bids, Department of Irrigation",
        "the subject shows no days left if the closing is doubtful"
    );
    assert!(
        text.contains("Closes Mon 3 May 2027, 10.00 a.m. (2 days left); not certain: check the notice"),
        "{text}"
    );
    let named = "Not certain: closing, title, reference, place. Check the notice.";
    assert!(text.contains(named) && html.contains(named), "{text}");
    let printed = "Printed in the notice for the closing: “02:00 pm on Sth of June 2027”";
    assert!(text.contains(printed), "{text}");
    assert_eq!(pictures.len(), 2);
    for (id, picture) in &pictures {
        assert!(html.contains(&format!("src=\"cid:{id}\"")), "{id}");
        assert!(picture.len() <= 12_000 && image::load_from_memory(picture).is_ok());
    }
    assert!(html.contains("alt=\"02:00 pm on Sth of June 2027\""));
}

#[test]
fn an_unread_closing_refers_to_the_notice() {
    let mut tender = tender(5, "Supply of tyres");
    tender.dates.closing = None;
    tender.field_states = Some([("dates.closing".to_owned(), FieldState::NotRead)].into());
    let mail = english(vec![new_match(tender)]);
    assert!(mail.text.contains("Closing: see the notice\nNot certain: closing."), "{}", mail.text);
    assert!(mail.pictures.is_empty());
}

#[test]
fn pictures_beyond_the_size_limit_are_linked() {
    let items: Vec<DigestItem> = (0..20).map(|nth| new_match(doubtful_tender(nth))).collect();
    let mail = english(items);
    let bytes: usize = mail.pictures.iter().map(|(_, picture)| picture.len()).sum();
    assert!(bytes <= 100_000 && mail.pictures.len() >= 8, "{bytes} in {}", mail.pictures.len());
    assert_eq!(mail.html.matches("see it on the clip").count(), 40 - mail.pictures.len());
    // The HTML shows the pictures.
    assert_eq!(mail.pictures.len().min(20), mail.html.matches("<img").count().min(20));
}

#[test]
fn a_checked_closing_shows_the_old_reading_and_the_notice() {
    let before = doubtful_tender(5);
    let mut after = with_closing(before.clone(), "2027-05-08T14:00:00+05:30");
    after.field_states = Some(Default::default());
    let mail = english(vec![change(before.clone(), after.clone(), 2)]);
    assert!(mail.subject.starts_with("Closing date checked: "), "{}", mail.subject);
    let told = "Closing date: we had read Mon 3 May 2027, 10.00 a.m., the notice says Sat 8 May 2027, 2.00 p.m. (7 days left)";
    assert!(mail.text.contains(told), "{}", mail.text);
    let mut unread = before;
    unread.dates.closing = None;
    unread.field_states = Some([("dates.closing".to_owned(), FieldState::NotRead)].into());
    let mail = english(vec![change(unread, after, 2)]);
    assert!(mail.text.contains("we had not read it, the notice says Sat 8 May 2027"), "{}", mail.text);
}

#[test]
fn a_reminder_uses_the_earlier_of_two_closings_and_says_so() {
    let mut tender = doubtful_tender(5);
    tender.other_readings.insert(
        "dates.closing".into(),
        vec![tender_model::tender::OtherReading {
            value: serde_json::json!("2027-05-02T14:00:00+05:30"),
            reader: "classifier".into(),
            confidence: 0.6,
            evidence: None,
        }],
    );
    assert!(
        news_of(vec![reminder(tender.clone(), "2027-05-03")]).is_empty(),
        "the later closing is not used"
    );
    let mail = english(vec![reminder(tender, "2027-05-02")]);
    assert!(mail.subject.starts_with("1 day left: "), "{}", mail.subject);
    let both = "Two closings were read (Sun 2 May 2027, 2.00 p.m. and Mon 3 May 2027, 10.00 a.m.). Reminders use the earlier one.";
    assert!(mail.text.contains(both), "{}", mail.text);
}

const TITLES: [(&str, &str); 3] = [
    (
        "Supply and delivery of tyres and tubes for the fleet of the Southern depot",
        "Road Development Authority",
    ),
    ("මාතර දිස්ත්‍රික්කයේ ග්‍රාමීය මාර්ග දෙකක් ප්‍රතිසංස්කරණය කිරීම", "මාර්ග සංවර්ධන අධිකාරිය"),
    ("யாழ்ப்பாணம் பொது நூலகக் கட்டடத்தின் திருத்த வேலைகள்", "யாழ்ப்பாணம் மாநகர சபை"),
];

#[test]
fn summary_names_the_publisher_of_a_tender_that_no_newspaper_printed() {
    let printed = full_tender(1, "Roads", "Road Development Authority");
    let own = Tender { sources: Vec::new(), ..full_tender(2, "Chairs", "Abans") };
    let summary = Summary { published: 2, sectors: Vec::new(), newest: vec![printed, own] };
    let mail = with_envelope(Language::English, |envelope| {
        parse_mail(&weekly_summary::compose(envelope, &summary).unwrap())
    });
    for part in [mail.text, mail.html] {
        assert_eq!(part.matches("Published by Abans on this portal").count(), 1, "{part}");
        assert!(!part.contains("Published by Road"), "{part}");
    }
}

/// One mail of each kind.
fn samples(language: Language) -> Vec<(&'static str, ParsedMail)> {
    let nth = |nth: u128| {
        let (title, organization) = TITLES[(nth % 3) as usize];
        full_tender(nth, title, organization)
    };
    let later = with_closing(nth(0), "2027-05-12T14:30:00+05:30");
    let digest = (0..6)
        .map(|of| new_match(nth(of)))
        .chain([change(nth(7), with_closing(nth(7), "2027-05-12T14:30:00+05:30"), 2)])
        .chain((10..34).map(|of| DigestItem { alert: alert(10, "Roads and bridges"), ..new_match(nth(of)) }));
    let summary = Summary {
        published: 214,
        sectors: Sector::ALL.iter().copied().zip([84, 12, 3, 9, 20, 61, 25]).collect(),
        newest: (0..20).map(nth).collect(),
    };
    let summary =
        with_envelope(language, |envelope| parse_mail(&weekly_summary::compose(envelope, &summary).unwrap()));
    vec![
        ("immediate", render(language, vec![new_match(nth(0))], false)),
        ("doubtful", render(language, vec![new_match(doubtful_tender(5))], false)),
        ("digest", render(language, digest.collect(), true)),
        ("changed", render(language, vec![change(nth(0), later, 2)], false)),
        (
            "cancelled",
            render(language, vec![change(nth(0), with_status(&nth(0), TenderStatus::Cancelled), 2)], false),
        ),
        (
            "saved",
            render(language, vec![reminder(nth(0), "2027-05-03"), reminder(nth(1), "2027-05-03")], false),
        ),
        ("summary", summary),
        ("report", report(language)),
        ("invoice", invoice(language)),
    ]
}

fn report(language: Language) -> ParsedMail {
    let file = AttachedFile {
        name: "roads-2027-04.xlsx".to_owned(),
        media_type: crate::services::reports::file::XLSX_TYPE,
        bytes: b"PK workbook".to_vec(),
    };
    let month = jiff::civil::date(2027, 4, 1);
    let report = MonthlyReport { name: "Roads in the South".to_owned(), month, total: 38, rows: 38, file };
    with_envelope(language, |envelope| {
        parse_mail(&monthly_report::compose(envelope, &report, monthly_report::MAX_WORKBOOK_BYTES).unwrap())
    })
}

fn invoice(language: Language) -> ParsedMail {
    let values: [(&str, &dyn std::fmt::Display); 5] = [
        ("number", &"INV-2027-000117"),
        ("total", &"LKR 5,000.00"),
        ("plan", &"Professional"),
        ("day", &"3 Jun 2027"),
        ("vat", &"LKR 762.71"),
    ];
    let written = MailTexts::of(language).mails.paid.fill(&values);
    with_envelope(language, |envelope| {
        let header = MailHeader {
            from: envelope.from,
            to: envelope.to,
            base_url: envelope.base_url,
            language,
            delivery_id: Uuid::from_u128(1),
            now: envelope.now,
        };
        let mail = written.mail(envelope.first_name, "https://portal.example/account/invoices/1");
        parse_mail(&mail.compose(&header).unwrap().1)
    })
}

/// If `MAIL_SAMPLES` names a folder, the test also writes the mails there, for
/// `.make/mail-screenshots`.
#[test]
fn every_mail_is_complete_and_not_clipped_in_every_language() {
    let folder = std::env::var_os("MAIL_SAMPLES");
    for language in Language::ALL.iter().copied() {
        for (name, mail) in samples(language) {
            for part in [&mail.subject, &mail.text] {
                assert!(
                    !part.contains('{') && !part.contains('}') && !part.trim().is_empty(),
                    "{name} {language}: {part}"
                );
            }
            assert!(
                mail.html.contains(&format!("lang=\"{language}\"")) && mail.html.contains("color-scheme")
            );
            assert!(mail.html.len() < 102_000, "{name} {language}: {} bytes", mail.html.len());
            let is_account_mail = name == "invoice";
            assert!(
                is_account_mail || mail.text.contains("https://portal.example/unsubscribe/abc"),
                "{name} {language}"
            );
            if let Some(folder) = &folder {
                let path = std::path::Path::new(folder).join(format!("{name}.{language}"));
                std::fs::write(path.with_extension(format!("{language}.html")), mail.html_with_pictures())
                    .unwrap();
                std::fs::write(
                    path.with_extension(format!("{language}.txt")),
                    format!("{}\n\n{}", mail.subject, mail.text),
                )
                .unwrap();
            }
        }
    }
}

#[test]
fn a_mail_with_the_longest_texts_is_not_clipped() {
    let long = "ප්‍රතිසංස්කරණය ".repeat(2000);
    for language in Language::ALL.iter().copied() {
        let items = (0..500_u128).map(|nth| {
            let name = format!("{nth} {}", "ප".repeat(95));
            DigestItem { alert: alert(nth % 25, &name), ..new_match(full_tender(nth, &long, &long)) }
        });
        let mail = render(language, items.collect(), true);
        assert!(mail.html.len() < 102_000, "{language}: {} bytes", mail.html.len());
        assert!(mail.text.contains("RDA/SP/2027/0"));
    }
}

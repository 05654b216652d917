//! Mails of each kind in each language: complete, and small enough not to be clipped.

use super::{
    ParsedMail, alert, change, doubtful_tender, full_tender, new_match, parse_mail, reminder, render,
    with_closing, with_envelope, with_status,
};
use crate::{
    base::i18n::mail_texts::MailTexts,
    domain::digest::DigestItem,
    services::notifications::{
        account_mail::MailHeader,
        mail_frame::AttachedFile,
        monthly_report::{self, MonthlyReport},
        weekly_summary::{self, Summary},
    },
};
use tender_model::{
    tender::Tender,
    vocabulary::{Language, Sector, TenderStatus},
};
use uuid::Uuid;

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

/// A link in the middle of a sentence is hard to hit with a finger.
#[test]
fn links_are_rows_or_buttons() {
    for (name, mail) in samples(Language::English) {
        let tags: Vec<&str> =
            mail.html.split("<a ").skip(1).filter_map(|rest| rest.split('>').next()).collect();
        assert!(tags.len() >= 2, "{name}: {}", mail.html);
        for tag in tags {
            let is_row = tag.contains("display:block") || tag.contains("display:inline-block");
            assert!(is_row && tag.contains("padding:"), "{name}: {tag}");
        }
    }
}

use super::*;
use crate::domain::report::{DatedBy, ReportColumn, ReportGrouping, ReportSpan};
use calamine::{Data, DataType, Reader, Xlsx};
use index::{LogPosition, Sort, Viewer as IndexViewer};
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_model::{tender::Tender, vocabulary::Visibility};
use uuid::Uuid;

const COLUMNS: [ReportColumn; 7] = [
    ReportColumn::Reference,
    ReportColumn::Title,
    ReportColumn::Value,
    ReportColumn::Published,
    ReportColumn::Closing,
    ReportColumn::BidSecurity,
    ReportColumn::Link,
];

fn tender(nth: u128, fields: Value) -> Tender {
    let mut tender = json!({"_id": Uuid::from_u128(nth), "title": format!("Supply of chairs {nth}"), "status": "published",
        "category": "Furniture", "organization": {"name": "Ministry of Chairs"}, "publishedAt": "2026-11-18T10:00:00+05:30"});
    tender.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    serde_json::from_value(tender).unwrap()
}

fn search_engine(tenders: &[Tender]) -> (TempDir, index::IndexStore) {
    let folder = tempfile::tempdir().unwrap();
    let search_engine = index::IndexStore::open_or_create(folder.path()).unwrap();
    let mut writer = search_engine.writer().unwrap();
    for tender in tenders {
        writer.put(tender).unwrap();
    }
    writer.commit(LogPosition { position: 1, change_id: Uuid::from_u128(1) }).unwrap();
    (folder, search_engine)
}

fn report_source(max_rows: usize, viewer: IndexViewer) -> ReportSource {
    let period =
        ReportPeriod { by: DatedBy::Published, span: ReportSpan::ThisMonth, from: None, until: None };
    ReportSource {
        name: "Chairs & =tables".to_owned(),
        definition: ReportDefinition {
            query: String::new(),
            period,
            columns: COLUMNS.to_vec(),
            totals: ReportGrouping::ALL.to_vec(),
        },
        period,
        request: ListingRequest { viewer, sort: Sort::Newest, ..ListingRequest::default() },
        language: Language::English,
        base_url: "https://portal.example".to_owned(),
        now: "2026-11-20T09:00:00+05:30".parse().unwrap(),
        max_rows,
    }
}

/// Four tenders, newest first: a complete one, two sparse ones, and a premium one. The first three
/// have a text that looks like a formula.
fn sample_tenders() -> Vec<Tender> {
    vec![
        tender(
            4,
            json!({"title": "Chairs, \"red\"", "referenceNo": "=1+1", "publishedAt": "2026-11-19T10:00:00+05:30",
                "financials": {"estimatedValue": {"amount": 2.5, "currency": "LKR"}, "bidBond": {"required": true, "percentage": 2}},
                "dates": {"closing": "2026-12-01T14:30:00+05:30"}}),
        ),
        tender(3, json!({"title": "@SUM(A1)\nof chairs"})),
        tender(2, json!({"referenceNo": "-7", "dates": {"closing": "2026-12-02"}})),
        tender(1, json!({"visibility": "premium"})),
    ]
}

fn write_csv(search_engine: &index::IndexStore, report_source: &ReportSource) -> (String, ReportCounts) {
    let mut bytes = Vec::new();
    let found = report_source.write(search_engine, Format::Csv, Cursor::new(&mut bytes)).unwrap();
    (String::from_utf8(bytes).unwrap(), found)
}

#[test]
fn a_csv_file_follows_rfc_4180() {
    let (_folder, search_engine) = search_engine(&sample_tenders());
    let (text, found) = write_csv(&search_engine, &report_source(100, IndexViewer::Unlimited));
    assert_eq!((found.total, found.rows, found.is_truncated()), (4, 4, false));
    let link = |nth: u128| format!("https://portal.example/tenders/{}", Uuid::from_u128(nth));
    assert_eq!(
        text,
        format!(
            "\u{FEFF}Reference,Title,Estimated value,Published,Closing,Bid security,Link,Not certain\r\n\
            '=1+1,\"Chairs, \"\"red\"\"\",2500000,2026-11-19,2026-12-01 14:30,2%,{},\r\n\
            ,'@SUM(A1) of chairs,,2026-11-18,,,{},\r\n\
            '-7,Supply of chairs 2,,2026-11-18,2026-12-02,,{},\r\n\
            ,Supply of chairs 1,,2026-11-18,,,{},\r\n",
            link(4),
            link(3),
            link(2),
            link(1)
        )
    );
}

#[test]
fn locked_tenders_are_counted_but_not_written() {
    let (_folder, search_engine) = search_engine(&sample_tenders());
    let viewer = IndexViewer::Limited { visibility: Visibility::Registered, since: None, account: None };
    let (text, found) = write_csv(&search_engine, &report_source(100, viewer));
    assert_eq!((found.total, found.rows), (4, 3));
    assert!(!text.contains("Supply of chairs 1"), "{text}");
}

fn write_workbook(search_engine: &index::IndexStore, report_source: &ReportSource) -> Xlsx<Cursor<Vec<u8>>> {
    let mut bytes = Vec::new();
    report_source.write(search_engine, Format::Xlsx, Cursor::new(&mut bytes)).unwrap();
    Xlsx::new(Cursor::new(bytes)).unwrap()
}

#[test]
fn a_workbook_has_typed_cells_and_totals() {
    let (_folder, search_engine) = search_engine(&sample_tenders());
    let mut book = write_workbook(&search_engine, &report_source(100, IndexViewer::Unlimited));
    assert_eq!(book.sheet_names(), ["Tenders", "Totals"]);
    let sheet = book.worksheet_range("Tenders").unwrap();
    let cell = |row: u32, column: u32| sheet.get_value((row, column)).cloned().unwrap_or(Data::Empty);
    assert_eq!(sheet.height(), 5);
    assert_eq!(cell(0, 2), Data::String("Estimated value".into()));
    // Text that looks like a formula stays text.
    assert_eq!(cell(1, 0), Data::String("=1+1".into()));
    assert_eq!(cell(1, 2), Data::Float(2_500_000.0));
    assert_eq!(cell(1, 3).as_date().unwrap().to_string(), "2026-11-19");
    assert_eq!(cell(1, 4).as_datetime().unwrap().to_string(), "2026-12-01 14:30:00");
    assert_eq!(cell(1, 5), Data::Float(0.02));
    assert_eq!(cell(3, 4).as_date().unwrap().to_string(), "2026-12-02");
    assert_eq!(cell(2, 4), Data::Empty);
    let totals = book.worksheet_range("Totals").unwrap();
    let lines: Vec<String> = totals
        .rows()
        .map(|row| {
            row.iter().map(ToString::to_string).collect::<Vec<_>>().join("|").trim_matches('|').to_owned()
        })
        .filter(|line| !line.is_empty())
        .collect();
    assert_eq!(
        lines,
        [
            "Chairs & =tables",
            "Published from 2026-11-01 to 2026-11-30",
            "Created Fri 20 Nov 2026, 9.00 a.m.",
            "Tenders|Value in LKR",
            "All tenders|4|2500000",
            "By category|Tenders|Value in LKR",
            "Furniture|4|2500000",
            "By district|Tenders|Value in LKR",
            "Not stated|4|2500000",
            "By organisation|Tenders|Value in LKR",
            "Ministry of Chairs|4|2500000",
            "By month|Tenders|Value in LKR",
            "2026-11|4|2500000",
        ]
    );
}

#[test]
fn a_truncated_report_says_so() {
    let many: Vec<Tender> = (1..=230).map(|nth| tender(nth, json!({}))).collect();
    let (_folder, search_engine) = search_engine(&many);
    for (max_rows, rows) in [(7, 7), (100, 100), (101, 101), (230, 230), (1000, 230)] {
        let (text, found) = write_csv(&search_engine, &report_source(max_rows, IndexViewer::Unlimited));
        assert_eq!((found.total, found.rows, found.is_truncated()), (230, rows, rows < 230), "{max_rows}");
        let titles: std::collections::BTreeSet<&str> = text.lines().skip(1).collect();
        assert_eq!(titles.len(), rows, "each row once");
    }
    let mut book = write_workbook(&search_engine, &report_source(101, IndexViewer::Unlimited));
    assert_eq!(book.worksheet_range("Tenders").unwrap().height(), 102);
    let notice = book.worksheet_range("Totals").unwrap().get_value((3, 0)).unwrap().to_string();
    assert_eq!(
        notice,
        "The report holds the first 101 of 230 tenders. Narrow its filters or its period for the rest."
    );
}

#[test]
fn an_empty_report_has_only_the_headings() {
    let (_folder, search_engine) = search_engine(&[]);
    let mut book = write_workbook(&search_engine, &report_source(100, IndexViewer::Unlimited));
    assert_eq!(book.worksheet_range("Tenders").unwrap().height(), 1);
    assert_eq!(write_csv(&search_engine, &report_source(100, IndexViewer::Unlimited)).0.lines().count(), 1);
}

#[test]
fn a_file_name_has_the_ascii_letters_and_the_days_of_the_report() {
    let mut report_source = report_source(1, IndexViewer::Unlimited);
    assert_eq!(report_source.file_name(Format::Xlsx), "chairs-tables-2026-11-01-2026-11-30.xlsx");
    "වාර්තාව \"..\\/".clone_into(&mut report_source.name);
    assert_eq!(report_source.file_name(Format::Csv), "report-2026-11-01-2026-11-30.csv");
}

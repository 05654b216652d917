use super::*;
use crate::{
    tender::{Cida, Tender},
    vocabulary::{Amount, Currency, Day, Grade, OtherGrades},
};
use proptest::prelude::*;
use rstest::rstest;

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn assess(tender: &Tender, company: &Company) -> Assessment {
    super::assess(tender, company, day("2026-11-30"))
}

fn registration(grade: &str, field: &str) -> CidaRegistration {
    CidaRegistration { grade: grade.into(), field: field.into(), expires: None }
}

fn company(grade: &str, field: &str) -> Company {
    Company { cida: vec![registration(grade, field)], ..Company::default() }
}

fn tender(grades: &[(&str, Option<&str>, Option<OtherGrades>)]) -> Tender {
    let cida = grades.iter().map(|(grade, field, also_admits)| Cida {
        grade: (*grade).into(),
        field: field.map(str::to_owned),
        also_admits: *also_admits,
    });
    Tender { cida: cida.collect(), ..Tender::default() }
}

#[rstest]
#[case::the_same("C5", None, "C5", Verdict::Met, None)]
#[case::a_higher_one_is_admitted("C5", Some(OtherGrades::Higher), "C3", Verdict::Met, None)]
#[case::a_special_one_is_higher("C1", Some(OtherGrades::Higher), "CS2", Verdict::Met, None)]
#[case::a_higher_one_is_not_named("C5", None, "C3", Verdict::NotCertain, Some(VerdictReason::HigherGrade))]
#[case::a_lower_one("C5", Some(OtherGrades::Higher), "C6", Verdict::Missing, Some(VerdictReason::TooLow))]
#[case::a_lower_one_is_admitted("C8", Some(OtherGrades::Lower), "C9", Verdict::Met, None)]
#[case::a_higher_one_where_lower_ones_are(
    "C8",
    Some(OtherGrades::Lower),
    "C7",
    Verdict::Missing,
    Some(VerdictReason::TooLow)
)]
#[case::another_class(
    "EM2",
    Some(OtherGrades::Higher),
    "C1",
    Verdict::Missing,
    Some(VerdictReason::NotInProfile)
)]
fn a_grade_is_held_against_the_one_asked_for(
    #[case] asked: &str,
    #[case] also_admits: Option<OtherGrades>,
    #[case] held: &str,
    #[case] verdict: Verdict,
    #[case] reason: Option<VerdictReason>,
) {
    let found = assess(&tender(&[(asked, None, also_admits)]), &company(held, "Buildings"));
    assert_eq!(found.findings.len(), 1);
    assert_eq!((found.findings[0].verdict, found.findings[0].reason), (verdict, reason));
}

#[rstest]
#[case("Building Construction", "Buildings", Verdict::Met)]
#[case("Irrigation and Land Drainage", "Irrigation & drainage canals", Verdict::Met)]
#[case("Highways", "Building construction", Verdict::Missing)]
#[case("Electrical installation", "ELECTRICAL  INSTALLATION", Verdict::Met)]
#[case("the relevant field", "Buildings", Verdict::NotCertain)]
fn the_field_of_work_counts(#[case] asked: &str, #[case] held: &str, #[case] verdict: Verdict) {
    let found = assess(&tender(&[("C5", Some(asked), None)]), &company("C5", held));
    assert_eq!(found.findings[0].verdict, verdict);
}

#[test]
fn the_best_registration_counts_and_is_named() {
    let mut firm = company("C7", "Highways");
    firm.cida.push(registration("C4", "Buildings"));
    let asked = tender(&[("C3", Some("Buildings"), None), ("C4", Some("Buildings"), None)]);
    let found = assess(&asked, &firm);
    assert_eq!(found.answer, BidAnswer::CanBid);
    assert_eq!((found.findings[0].row, found.findings[0].path.as_deref()), (Some(1), Some("cida.1")));
}

#[test]
fn the_row_for_the_same_field_is_named_where_no_row_is_enough() {
    let mut firm = company("C5", "Building construction");
    firm.cida.push(registration("C6", "Highway construction"));
    let found = assess(&tender(&[("C4", Some("Highways"), None)]), &firm);
    assert_eq!((found.findings[0].verdict, found.findings[0].row), (Verdict::Missing, Some(1)));
}

#[rstest]
#[case(None, Verdict::NotCertain, Some(VerdictReason::NotInProfile))]
#[case(Some(5e3), Verdict::Missing, Some(VerdictReason::TooLow))]
#[case(Some(30e3), Verdict::NotCertain, Some(VerdictReason::SeveralLots))]
#[case(Some(60e3), Verdict::Met, None)]
fn the_securities_of_lots_are_held_against_the_limit(
    #[case] limit: Option<f64>,
    #[case] verdict: Verdict,
    #[case] reason: Option<VerdictReason>,
) {
    let lot =
        |amount: u32| serde_json::json!({"title": "Lot", "bidBond": {"required": true, "amount": amount}});
    let lots = serde_json::json!({"lots": [lot(10_000), lot(40_000), lot(10_000)]});
    let asked: Tender = serde_json::from_value(lots).unwrap();
    let firm = Company { bond_limit: limit.map(|limit| Amount::new(limit).unwrap()), ..Company::default() };
    let found = assess(&asked, &firm).findings.remove(0);
    assert_eq!(found.kind, RequirementKind::BidSecurity);
    assert_eq!((found.verdict, found.reason, found.path.as_deref()), (verdict, reason, Some("lots")));
}

#[test]
fn a_share_of_the_price_as_security_does_not_decide() {
    let mut asked = tender(&[("C5", Some("Buildings"), None)]);
    asked.financials.bid_bond.required = true;
    asked.financials.bid_bond.percentage = Some(2.0);
    let found = assess(&asked, &company("C5", "Buildings"));
    assert_eq!(found.findings[1].verdict, Verdict::NotCertain);
    assert_eq!(found.answer, BidAnswer::CanBid);
}

#[test]
fn a_registration_that_ends_before_the_closing_is_missing() {
    let mut asked = tender(&[("C5", None, None)]);
    asked.dates.closing = crate::vocabulary::Moment::end_of(day("2026-12-10"));
    let mut firm = company("C5", "Buildings");
    for (last, verdict) in [("2026-12-09", Verdict::Missing), ("2026-12-10", Verdict::Met)] {
        firm.cida[0].expires = Some(day(last));
        assert_eq!(assess(&asked, &firm).findings[0].verdict, verdict, "{last}");
    }
}

#[test]
fn the_law_asks_for_a_registration_above_five_million_rupees() {
    let asked = |millions: f64, currency: &str| {
        serde_json::from_value::<Tender>(serde_json::json!({
            "financials": {"estimatedValue": {"amount": millions, "currency": currency}},
            "category": "Construction",
        }))
        .unwrap()
    };
    assert_eq!(assess(&asked(5.0, "LKR"), &Company::default()).answer, BidAnswer::NotStated);
    assert_eq!(assess(&asked(6.0, "USD"), &Company::default()).answer, BidAnswer::NotStated);
    let found = assess(&asked(5.01, "LKR"), &Company::default());
    assert_eq!((found.answer, found.findings[0].path.as_deref()), (BidAnswer::Missing, None));
    let row = ContractsActRegistration { sector: "works".into(), category: None, expires: None };
    let firm = Company { contracts_act: vec![row], ..Company::default() };
    let found = assess(&asked(5.01, "LKR"), &firm);
    assert_eq!(found.findings[0].verdict, Verdict::Met);
    assert_eq!(found.answer, BidAnswer::NotStated, "the notice itself does not say who may bid");
}

#[test]
fn sentences_are_for_a_person() {
    let mut asked = Tender::default();
    asked.eligibility.criteria = vec!["Bidders must own two excavators".into()];
    assert_eq!(assess(&asked, &company("C1", "Buildings")).answer, BidAnswer::NotCertain);
}

#[rstest]
#[case::the_grade_alone(
    "Bidders should have a valid registration with the Construction Industry Development Authority (CIDA) in \
     grade C7 or above for the relevant field.",
    true
)]
#[case::with_the_organisation_and_the_place(
    "Tenders are hereby called by the Sri Lanka Ports Authority from contractors registered with CIDA under grade \
     C7 and above for the above mentioned work in the Kandy District.",
    true
)]
#[case::something_else_is_asked_for_too(
    "Contractors registered with CIDA under grade C7 and above who own two excavators",
    false
)]
#[case::a_number_of_years("Contractors registered with CIDA under grade C7 for 5 years", false)]
#[case::another_grade("Contractors registered with CIDA under grade C8 and above", false)]
#[case::no_grade("Contractors with a valid registration", false)]
#[case::grades_that_are_more_than_the_field("Contractors registered under grades C7 and M3", false)]
fn a_sentence_that_repeats_the_grade_asks_for_nothing_more(#[case] sentence: &str, #[case] repeats: bool) {
    let mut asked = tender(&[("C7", None, Some(OtherGrades::Higher))]);
    asked.organization.name = "Sri Lanka Ports Authority".into();
    asked.location.district = Some("Kandy".parse().unwrap());
    asked.eligibility.criteria = vec![sentence.into(), "Bidders must visit the site".into()];
    let found = assess(&asked, &company("C5", "Buildings"));
    let paths: Vec<_> = found
        .findings
        .iter()
        .filter(|finding| finding.kind == RequirementKind::Criterion)
        .filter_map(|finding| finding.path.as_deref())
        .collect();
    let all = ["eligibility.criteria.0", "eligibility.criteria.1"];
    assert_eq!(paths, all[usize::from(repeats)..]);
}

#[test]
fn a_turnover_in_another_currency_is_not_compared() {
    let mut asked = Tender::default();
    let minimum = Amount::new(1e6).unwrap();
    asked.eligibility.turnover =
        Some(crate::tender::Turnover { minimum, currency: serde_json::from_str(r#""USD""#).unwrap() });
    let year = YearlyTurnover { year: 2025, amount: Amount::new(9e9).unwrap() };
    let firm = Company { turnover: vec![year], ..Company::default() };
    assert_eq!(assess(&asked, &firm).answer, BidAnswer::NotCertain);
    asked.eligibility.turnover = Some(crate::tender::Turnover { minimum, currency: Currency::LKR });
    assert_eq!(assess(&asked, &firm).answer, BidAnswer::CanBid);
}

#[rstest]
#[case::the_whole_list("cida", BidAnswer::NotCertain)]
#[case::a_part("cida.0.grade", BidAnswer::NotCertain)]
#[case::another_field("cidade", BidAnswer::CanBid)]
fn a_doubtful_requirement_is_never_certain(#[case] doubtful: &str, #[case] answer: BidAnswer) {
    let mut asked = tender(&[("C5", None, None)]);
    asked.field_states = Some([(doubtful.to_owned(), crate::tender::FieldState::Doubtful)].into());
    assert_eq!(assess(&asked, &company("C5", "Buildings")).answer, answer);
    let is_missing = assess(&asked, &company("C6", "Buildings")).answer == BidAnswer::Missing;
    assert_eq!(is_missing, answer == BidAnswer::CanBid, "what is missing is no more certain");
}

#[test]
fn a_registration_by_law_is_not_certain_if_the_value_is_doubtful() {
    let asked: Tender = serde_json::from_value(serde_json::json!({
        "financials": {"estimatedValue": {"amount": 50.0, "currency": "LKR"}},
        "fieldStates": {"financials.estimatedValue": "doubtful"},
    }))
    .unwrap();
    let found = assess(&asked, &Company::default());
    assert_eq!(
        (found.answer, found.findings[0].reason),
        (BidAnswer::NotCertain, Some(VerdictReason::Doubtful))
    );
}

fn grades() -> impl Strategy<Value = Grade> {
    prop::sample::select(Grade::ALL)
}

proptest! {
    /// What is not stated is not asked for.
    #[test]
    fn a_notice_without_requirements_has_no_answer(held in grades()) {
        let found = assess(&Tender::default(), &company(held.as_str(), "Buildings"));
        prop_assert_eq!(found.answer, BidAnswer::NotStated);
    }

    /// A further registration never makes the answer worse.
    #[test]
    fn more_registrations_are_never_worse(
        asked in prop::collection::vec((grades(), prop::bool::ANY), 1..4),
        first in grades(),
        second in grades(),
    ) {
        let asked: Vec<_> = asked
            .iter()
            .map(|(grade, above)| (grade.as_str(), Some("Buildings"), above.then_some(OtherGrades::Higher)))
            .collect();
        let asked = tender(&asked);
        let mut firm = company(first.as_str(), "Buildings");
        let before = assess(&asked, &firm).findings[0].verdict;
        firm.cida.push(registration(second.as_str(), "Buildings"));
        prop_assert!(assess(&asked, &firm).findings[0].verdict <= before);
    }

    /// A company without any papers may never bid where something is asked for.
    #[test]
    fn an_empty_profile_is_missing_what_is_asked_for(asked in grades()) {
        let found = assess(&tender(&[(asked.as_str(), None, None)]), &Company::default());
        prop_assert_eq!(found.answer, BidAnswer::Missing);
    }
}

#[test]
fn a_bid_security_alone_does_not_say_who_may_bid() {
    let asked = |grade: &[&str]| {
        let grades: Vec<_> = grade.iter().map(|grade| serde_json::json!({"grade": grade})).collect();
        serde_json::from_value::<Tender>(serde_json::json!({
            "financials": {"bidBond": {"required": true, "amount": 100_000}}, "cida": grades,
        }))
        .unwrap()
    };
    let firm = Company { bond_limit: Amount::new(1e6).ok(), ..company("C5", "Buildings") };
    let found = assess(&asked(&[]), &firm);
    assert_eq!((found.answer, found.findings[0].verdict), (BidAnswer::NotStated, Verdict::Met));
    assert_eq!(assess(&asked(&["C5"]), &firm).answer, BidAnswer::CanBid);
    let small = Company { bond_limit: Amount::new(1e3).ok(), ..firm };
    assert_eq!(assess(&asked(&[]), &small).answer, BidAnswer::Missing, "the bank gives less");
}

#[test]
fn a_registration_for_another_sector_is_not_certain() {
    let asked = |category: &str| {
        serde_json::from_value::<Tender>(serde_json::json!({
            "financials": {"estimatedValue": {"amount": 9.0}}, "category": category,
        }))
        .unwrap()
    };
    let row =
        |sector: &str| ContractsActRegistration { sector: sector.into(), category: None, expires: None };
    let firm = |sectors: &[&str]| Company {
        contracts_act: sectors.iter().map(|sector| row(sector)).collect(),
        ..Company::default()
    };
    let verdict = |category: &str, sectors: &[&str]| {
        let found = assess(&asked(category), &firm(sectors)).findings.remove(0);
        (found.verdict, found.reason, found.row)
    };
    let met = |row: usize| (Verdict::Met, None, Some(row));
    let other = (Verdict::NotCertain, Some(VerdictReason::OtherField), Some(0));
    assert_eq!(verdict("Construction", &["Works"]), met(0));
    assert_eq!(verdict("Construction", &["Goods", "Works (buildings)"]), met(1));
    assert_eq!(verdict("Construction", &["Goods"]), other);
    assert_eq!(verdict("Furniture", &["Works"]), other);
    assert_eq!(verdict("Furniture", &["Goods"]), met(0));
}

#[test]
fn documents_that_are_no_longer_sold_make_an_answer_not_certain() {
    let asked = |last: &str| {
        serde_json::from_value::<Tender>(serde_json::json!({
            "documentFee": {"amount": 2500, "saleUntil": last}, "cida": [{"grade": "C5"}],
        }))
        .unwrap()
    };
    let firm = company("C5", "Buildings");
    assert_eq!(assess(&asked("2026-11-30"), &firm).answer, BidAnswer::CanBid, "sold on the last day");
    let found = assess(&asked("2026-11-29"), &firm);
    let first = found.deciding().unwrap();
    assert_eq!((found.answer, first.reason), (BidAnswer::NotCertain, Some(VerdictReason::SaleEnded)));
    assert_eq!(first.path.as_deref(), Some("documentFee.saleUntil"));
    let found = assess(&asked("2026-11-29"), &company("C6", "Buildings"));
    assert_eq!(found.answer, BidAnswer::Missing, "a missing grade decides");
}

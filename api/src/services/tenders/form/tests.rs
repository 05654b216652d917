use super::*;
use proptest::prelude::*;
use rstest::rstest;
use serde_json::{Value, json};
use tender_model::vocabulary::{Day, OrganizationType, Priority, Province, Visibility};

fn today() -> Day {
    "2026-11-20".parse().unwrap()
}

fn form(body: Value) -> TenderForm {
    serde_json::from_value(body).unwrap()
}

fn complete_form() -> Value {
    json!({
        "title": " Supply of chairs ", "description": "Two hundred.\r\nStackable.", "referenceNo": "S/1", "category": "Furniture",
        "status": "published", "tags": ["chairs", " ", "chairs", "school"], "priority": "high", "visibility": "registered",
        "organization": {"name": "Abans", "type": "private", "contactPerson": {"email": "a@b.lk"}},
        "financials": {"estimatedValue": {"amount": 2.5}, "bidBond": {"percentage": 2}, "performanceBond": {"percentage": 0}},
        "location": {"province": "Western", "district": "Gampaha", "city": "Negombo"},
        "dates": {"closing": "2026-12-01", "opening": "2026-12-02T10:00:00+05:30"},
        "eligibility": {"criteria": ["Registered", ""], "documentRequired": ["BR"], "experience": {"years": 3},
            "turnover": {"minimum": 1000000}},
        "_id": "x", "statistics": {"views": 3}, "isExpired": true,
    })
}

#[test]
fn a_complete_form_becomes_a_tender() {
    let tender = form(complete_form()).apply(&Tender::default()).unwrap();
    assert_eq!(
        (tender.title.as_str(), tender.description.as_str()),
        ("Supply of chairs", "Two hundred.\nStackable.")
    );
    assert_eq!(
        (tender.tags, tender.eligibility.criteria),
        (vec!["chairs".to_owned(), "school".into()], vec!["Registered".to_owned()])
    );
    assert_eq!((tender.priority, tender.visibility), (Priority::High, Visibility::Registered));
    assert_eq!(tender.organization.kind, Some(OrganizationType::Private));
    assert_eq!(tender.dates.closing.unwrap().to_string(), "2026-12-01T23:59:59+05:30");
    assert_eq!(tender.location.province, Some(Province::Western));
    let financials = tender.financials;
    assert_eq!((financials.bid_bond.required, financials.performance_bond.required), (true, false));
    assert_eq!(financials.estimated_value.unwrap().currency, Currency::default());
}

#[test]
fn absent_fields_stay_and_blank_fields_are_cleared() {
    let before = form(complete_form()).apply(&Tender::default()).unwrap();
    let after = form(json!({"subcategory": "Seats", "title": null, "category": "", "financials": {}}))
        .apply(&before)
        .unwrap();
    assert_eq!((after.title.as_str(), after.subcategory.as_deref()), ("Supply of chairs", Some("Seats")));
    assert_eq!((after.category, after.financials.estimated_value), (None, None));
    assert_eq!(after.dates, before.dates);
    assert_eq!(form(json!({})).apply(&before).unwrap(), before);
}

#[rstest]
#[case("/title", "Title is required")]
#[case("/description", "Description is required")]
#[case("/referenceNo", "Reference number is required")]
#[case("/category", "Category is required")]
#[case("/organization/name", "Organization name is required")]
#[case("/location/province", "Province is required")]
#[case("/location/district", "District is required")]
#[case("/dates/closing", "Closing date is required")]
fn each_field_required_for_publishing_is_reported(#[case] field: &str, #[case] message: &str) {
    let mut body = complete_form();
    *body.pointer_mut(field).unwrap() = json!(" ");
    let tender = form(body).apply(&Tender::default()).unwrap();
    let missing = missing_fields(&tender, None, today());
    assert_eq!(missing.iter().map(|error| error.message.as_str()).collect::<Vec<_>>(), [message]);
}

#[test]
fn missing_fields_are_reported_in_form_order() {
    let messages: Vec<String> =
        missing_fields(&Tender::default(), None, today()).into_iter().map(|error| error.message).collect();
    assert_eq!(messages.len(), 8);
    assert_eq!(
        (messages[0].as_str(), messages[7].as_str()),
        ("Title is required", "Closing date is required")
    );
}

#[test]
fn a_new_closing_must_be_later_than_today() {
    let closing = |day: &str| {
        let mut body = complete_form();
        body["dates"]["closing"] = json!(day);
        form(body).apply(&Tender::default()).unwrap()
    };
    let first_error = |tender: &Tender, before| {
        missing_fields(tender, before, today()).into_iter().map(|error| error.message).next()
    };
    let future = Some("Closing date must be in the future".to_owned());
    assert_eq!(first_error(&closing("2026-11-20"), None), future);
    assert_eq!(first_error(&closing("2026-11-20T23:00:00+05:30"), None), future);
    assert_eq!(first_error(&closing("2026-11-21"), None), None);
    let passed = closing("2026-11-19");
    assert_eq!(first_error(&passed, passed.dates.closing), None);
}

#[rstest]
#[case("/category", json!("Toys"), "category")]
#[case("/status", json!("gone"), "status")]
#[case("/dates/closing", json!("soon"), "dates.closing")]
#[case("/dates/closing", json!("0001-01-01"), "dates.closing")]
#[case("/title", json!("two\nlines"), "title")]
#[case("/title", json!("x".repeat(501)), "title")]
#[case("/description", json!("a\u{0}b"), "description")]
#[case("/organization/contactPerson/email", json!("nobody"), "organization.contactPerson.email")]
#[case("/financials/bidBond/percentage", json!(101), "financials.bidBond.percentage")]
#[case("/financials/estimatedValue/amount", json!(-1), "financials.estimatedValue.amount")]
#[case("/location/district", json!("Galle"), "location.district")]
#[case("/eligibility/experience/years", json!(1.5), "eligibility.experience.years")]
#[case("/tags", json!(vec!["t"; 51]), "tags")]
#[case("/tags/0", json!("x".repeat(501)), "tags[0]")]
fn invalid_fields_are_reported_by_path(#[case] place: &str, #[case] value: Value, #[case] field: &str) {
    let mut body = complete_form();
    *body.pointer_mut(place).unwrap() = value;
    let errors = form(body).apply(&Tender::default()).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [field], "{errors:?}");
}

#[test]
fn only_http_addresses_with_a_host_are_accepted() {
    for (address, is_good) in
        [("https://a.lk/x?y", true), ("javascript:alert(1)", false), ("/etc", false), ("http://", false)]
    {
        let read = form(json!({"sourceUrl": address})).apply(&Tender::default());
        assert_eq!(read.is_ok(), is_good, "{address}");
    }
}

#[test]
fn a_draft_can_only_be_published_and_a_final_status_stays() {
    use TenderStatus::{Awarded, Cancelled, Closed, Draft, Published, Withdrawn};
    for to in [Closed, Awarded, Cancelled, Withdrawn] {
        assert!(can_change_status(Published, to) && !can_change_status(Draft, to), "{to}");
    }
    assert!(
        can_change_status(Draft, Published)
            && !can_change_status(Published, Draft)
            && !can_change_status(Withdrawn, Published)
    );
    assert!(!can_change_status(Closed, Published) && !can_change_status(Cancelled, Awarded));
}

proptest! {
    #[test]
    fn arbitrary_input_never_panics(title in any::<String>(), day in any::<String>(), number in any::<f64>()) {
        let body = json!({"title": title, "category": day, "dates": {"closing": day, "opening": title},
            "financials": {"estimatedValue": {"amount": number}, "bidBond": {"amount": number, "percentage": number}},
            "eligibility": {"experience": {"years": number}, "criteria": [title, day]}, "sourceUrl": title});
        let _ = form(body).apply(&Tender::default());
    }
}

fn notice_parts() -> Value {
    json!({
        "method": "NCB", "cida": [{"grade": "c 5", "alsoAdmits": "higher"}, {"grade": "C5", "alsoAdmits": "higher"}, {"grade": " "}],
        "documentFee": {"amount": "3,500", "saleUntil": "2026-11-30"},
        "preBid": {"at": "2026-11-25", "place": "Hall"},
        "lots": [{"number": "1", "title": "Chairs", "bidBond": {"amount": 5000}}, {"title": ""}],
        "dates": {"published": "2026-11-20", "closing": "2026-12-01"},
    })
}

#[test]
fn parts_of_a_notice_are_read_in_their_usual_form() {
    let tender = form(notice_parts()).apply(&Tender::default()).unwrap();
    let grades: Vec<_> = tender.cida.iter().map(|cida| cida.grade.as_str()).collect();
    assert_eq!((grades, tender.method.as_deref()), (vec!["C5"], Some("NCB")));
    assert_eq!(tender.document_fee.unwrap().amount.unwrap().number(), 3500.0);
    assert_eq!(tender.pre_bid.unwrap().at.unwrap().to_string(), "2026-11-25T00:00:00+05:30");
    assert_eq!(tender.lots.len(), 1);
    assert!(tender.lots[0].bid_bond.as_ref().unwrap().required);
}

#[rstest]
#[case("/method", json!("auction"), "method")]
#[case("/cida/0/grade", json!("C11"), "cida[0].grade")]
#[case("/cida/0/alsoAdmits", json!("both"), "cida[0].alsoAdmits")]
#[case("/documentFee/amount", json!("much"), "documentFee.amount")]
#[case("/documentFee/saleUntil", json!("2026-12-02"), "documentFee.saleUntil")]
#[case("/preBid/at", json!("2026-12-01T23:59:59+05:30"), "preBid.at")]
#[case("/preBid/at", json!("2026-11-19T23:59:59+05:30"), "preBid.at")]
#[case("/lots/0/title", json!(" "), "lots[0].title")]
#[case("/lots/1/title", json!("x".repeat(501)), "lots[1].title")]
fn invalid_parts_of_a_notice_are_reported_by_path(
    #[case] place: &str,
    #[case] value: Value,
    #[case] field: &str,
) {
    let mut body = notice_parts();
    *body.pointer_mut(place).unwrap() = value;
    let errors = form(body).apply(&Tender::default()).unwrap_err();
    assert_eq!(errors.iter().map(|error| error.field.as_str()).collect::<Vec<_>>(), [field], "{errors:?}");
}

#[test]
fn what_a_published_notice_contains_already_is_not_refused() {
    let printed = json!({
        "status": "published", "method": "two envelopes", "cida": [{"grade": "C5 or above"}],
        "documentFee": {"currency": "LKR", "saleUntil": "2026-12-20"}, "preBid": {"at": "2026-12-24T10:00:00+05:30"},
        "lots": [{"title": "x".repeat(600)}], "dates": {"closing": "2026-12-01T14:00:00+05:30"},
        "financials": {"bidBond": {"required": true, "percentage": 2.0, "amount": 5000.0, "currency": "LKR"}},
    });
    let before: Tender = serde_json::from_value(printed).unwrap();
    let same = form(serde_json::to_value(&before).unwrap());
    assert_eq!(same.apply(&before).unwrap(), before);
    assert_eq!(form(json!({"title": "Chairs"})).apply(&before).unwrap().method, before.method);
    let errors = form(json!({"cida": [{"grade": "C6 or above"}]})).apply(&before).unwrap_err();
    assert_eq!(errors[0].field, "cida[0].grade");
}

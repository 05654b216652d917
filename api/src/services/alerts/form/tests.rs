use super::*;
use rstest::rstest;
use serde_json::{Value, json};

fn form(change: Value) -> AlertForm {
    let mut form = json!({"name": "Bridges", "keywords": [{"term": "bridge"}]});
    form.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
    serde_json::from_value(form).unwrap()
}

fn first_error(change: Value) -> (String, String) {
    let faults = form(change).read().unwrap_err();
    (faults[0].field.clone(), faults[0].message.clone())
}

#[test]
fn a_new_alert_has_the_defaults() {
    let alert = form(json!({})).read().unwrap();
    assert_eq!(alert.email, EmailSettings::default());
    assert_eq!(alert.query.keywords[0].match_type, MatchType::Contains);
    assert_eq!(alert.query.advanced_filters.included_statuses, [TenderStatus::Published]);
    assert_eq!(alert.query.estimated_value.currency, AlertCurrency::default());
}

#[rstest]
#[case(json!({"name": " "}), "name", "Alert name is required")]
#[case(json!({"name": "x".repeat(101)}), "name", "Name cannot exceed 100 characters")]
#[case(json!({"description": "x".repeat(501)}), "description", "Description cannot exceed 500 characters")]
#[case(json!({"keywords": []}), "keywords", "At least one keyword is required")]
#[case(json!({"keywords": vec![json!({"term": "a"}); 21]}), "keywords", "Maximum 20 keywords allowed")]
#[case(json!({"keywords": [{"term": "a"}, {"term": " "}]}), "keywords[1].term", "Keyword is required")]
#[case(json!({"keywords": [{"term": "x".repeat(51)}]}), "keywords[0].term", "Keyword cannot exceed 50 characters")]
#[case(json!({"keywords": [{"term": "--"}]}), "keywords[0].term", "Keyword must have a letter or a digit in it")]
#[case(json!({"estimatedValue": {"min": -1}}), "estimatedValue.min", "Number must be greater than or equal to 0")]
#[case(json!({"estimatedValue": {"min": 2, "max": 1}}), "estimatedValue.min",
    "Minimum value cannot be greater than maximum value")]
#[case(json!({"emailSettings": {"customEmail": "nobody"}}), "emailSettings.customEmail", "Invalid email address")]
#[case(json!({"emailSettings": {"dailySummaryTime": "24:00"}}), "emailSettings.dailySummaryTime", "Invalid time format")]
#[case(json!({"emailSettings": {"dailySummaryTime": "9:00"}}), "emailSettings.dailySummaryTime", "Invalid time format")]
#[case(json!({"advancedFilters": {"excludeKeywords": ["x".repeat(51)]}}), "advancedFilters.excludeKeywords[0]",
    "Keyword cannot exceed 50 characters")]
#[case(json!({"advancedFilters": {"minDaysUntilClosing": 366}}), "advancedFilters.minDaysUntilClosing",
    "Number must be less than or equal to 365")]
#[case(json!({"advancedFilters": {"minDaysUntilClosing": 9, "maxDaysUntilClosing": 3}}),
    "advancedFilters.minDaysUntilClosing", "Minimum days cannot be greater than maximum days")]
#[case(json!({"advancedFilters": {"includedStatuses": ["draft"]}}), "advancedFilters.includedStatuses",
    "Expected published, closed, awarded or cancelled, received draft")]
fn invalid_fields_are_reported_with_their_messages(
    #[case] change: Value,
    #[case] field: &str,
    #[case] message: &str,
) {
    assert_eq!(first_error(change), (field.to_owned(), message.to_owned()));
}

#[test]
fn limits_are_inclusive_and_blank_entries_are_ignored() {
    let alert = form(json!({
        "name": "ක".repeat(100),
        "keywords": (0..20).map(|n| json!({"term": format!("{n}{}", "a".repeat(48)), "matchType": "exact"})).collect::<Vec<_>>(),
        "estimatedValue": {"min": 0, "max": 0},
        "emailSettings": {"customEmail": " ", "dailySummaryTime": "23:59"},
        "advancedFilters": {
            "excludeKeywords": ["", "  ", "roof", "roof"], "minDaysUntilClosing": 0, "maxDaysUntilClosing": 365,
            "includedStatuses": [],
        },
    }))
    .read()
    .unwrap();
    assert_eq!(alert.email.custom_email, None);
    assert_eq!(alert.email.daily_summary_time, civil::time(23, 59, 0, 0));
    assert_eq!(alert.query.advanced_filters.exclude_keywords, ["roof"]);
    assert_eq!(alert.query.advanced_filters.included_statuses, [TenderStatus::Published]);
}

#[test]
fn all_errors_are_reported_at_once() {
    let faults = form(json!({"name": "", "keywords": [], "advancedFilters": {"maxDaysUntilClosing": -1}}))
        .read()
        .unwrap_err();
    let fields: Vec<&str> = faults.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["name", "keywords", "advancedFilters.maxDaysUntilClosing"]);
}

#[test]
fn an_overlong_list_is_reported_as_one_error() {
    let many: Vec<String> = (0..40_000).map(|nth| format!("{nth}")).collect();
    let faults = form(json!({"locations": {"cities": many}, "advancedFilters": {"excludeKeywords": many}}))
        .read()
        .unwrap_err();
    let messages: Vec<&str> = faults.iter().map(|fault| fault.message.as_str()).collect();
    assert_eq!(messages, ["Maximum 25 cities allowed", "Maximum 10 exclude keywords allowed"]);
}

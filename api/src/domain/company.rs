//! The profile of a company: how it is stored, and what it may contain.

use super::{error::FieldError, validation};
use jiff::Timestamp;
use std::collections::BTreeSet;
use tender_model::{
    eligibility::Company,
    vocabulary::{Day, GradeLevel},
};

/// The largest number of registrations of a kind, and of documents.
const MAX_ROWS: usize = 30;
/// The largest number of years with a turnover.
const MAX_YEARS: usize = 20;
/// The maximum length of a text, in characters.
const MAX_TEXT: usize = 200;
/// The maximum length of a number of a registration, in characters.
const MAX_NUMBER: usize = 100;
/// The first year of a turnover.
const FIRST_YEAR: i16 = 1990;
/// The largest number of years of experience.
const MAX_EXPERIENCE: u16 = 150;

/// A stored profile.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCompany {
    /// What the company has.
    pub company: Company,
    /// The number of changes so far.
    pub version: i32,
    /// The name of the user who made the last change. `None`: the account was deleted.
    pub updated_by: Option<String>,
    /// When the last change was made.
    pub updated_at: Timestamp,
}

/// Checks a profile, trims its texts and writes its grades in the usual form.
///
/// # Errors
/// All fields that are not valid.
pub fn validate(mut company: Company, today: Day) -> Result<Company, Vec<FieldError>> {
    let mut errors = Errors::default();
    for (field, label, text) in [
        ("businessRegistration", "Business registration", &mut company.business_registration),
        ("vat", "VAT number", &mut company.vat),
        ("svat", "SVAT number", &mut company.svat),
    ] {
        errors.optional(field, label, MAX_NUMBER, text);
    }
    for (field, count, max) in [
        ("cida", company.cida.len(), MAX_ROWS),
        ("contractsAct", company.contracts_act.len(), MAX_ROWS),
        ("turnover", company.turnover.len(), MAX_YEARS),
        ("documents", company.documents.len(), MAX_ROWS),
    ] {
        if count > max {
            errors.add(field, format!("Please enter at most {max} rows"));
        }
    }
    for (row, registration) in company.cida.iter_mut().enumerate() {
        match GradeLevel::from_printed(&registration.grade) {
            Some(level) => registration.grade = level.to_string(),
            None => errors.add(format!("cida[{row}].grade"), "Please enter a grade such as C5, EM2 or SP1"),
        }
        errors.required(format!("cida[{row}].field"), "Field of work", &mut registration.field);
    }
    for (row, registration) in company.contracts_act.iter_mut().enumerate() {
        errors.required(format!("contractsAct[{row}].sector"), "Sector", &mut registration.sector);
        errors.optional(
            &format!("contractsAct[{row}].category"),
            "Category",
            MAX_TEXT,
            &mut registration.category,
        );
    }
    let mut years = BTreeSet::new();
    for (row, turnover) in company.turnover.iter().enumerate() {
        if !(FIRST_YEAR..=today.year()).contains(&turnover.year) {
            errors.add(
                format!("turnover[{row}].year"),
                format!("Please enter a year from {FIRST_YEAR} to {}", today.year()),
            );
        } else if !years.insert(turnover.year) {
            errors.add(format!("turnover[{row}].year"), "There is another turnover of this year");
        }
    }
    if company.experience_years.is_some_and(|years| years > MAX_EXPERIENCE) {
        errors.add("experienceYears", format!("Please enter at most {MAX_EXPERIENCE} years"));
    }
    company.districts.sort_unstable();
    company.districts.dedup();
    for (row, document) in company.documents.iter_mut().enumerate() {
        errors.optional(&format!("documents[{row}].note"), "Note", MAX_TEXT, &mut document.note);
    }
    for (field, day) in expiries(&company) {
        if !(2000..=2100).contains(&day.year()) {
            errors.add(field, "Please enter a date between 2000 and 2100");
        }
    }
    if errors.0.is_empty() { Ok(company) } else { Err(errors.0) }
}

/// The last days of validity in a profile, with their fields.
fn expiries(company: &Company) -> Vec<(String, Day)> {
    let cida = company.cida.iter().map(|row| row.expires).enumerate();
    let cida = cida.map(|(row, day)| (format!("cida[{row}].expires"), day));
    let act = company.contracts_act.iter().map(|row| row.expires).enumerate();
    let act = act.map(|(row, day)| (format!("contractsAct[{row}].expires"), day));
    let documents = company.documents.iter().map(|row| row.expires).enumerate();
    let documents = documents.map(|(row, day)| (format!("documents[{row}].expires"), day));
    cida.chain(act).chain(documents).filter_map(|(field, day)| Some((field, day?))).collect()
}

/// The errors found so far.
#[derive(Default)]
struct Errors(Vec<FieldError>);

impl Errors {
    fn add(&mut self, field: impl Into<String>, message: impl Into<String>) {
        self.0.push(FieldError::new(field, message));
    }

    /// Trims a text that must not be empty.
    fn required(&mut self, field: String, label: &str, text: &mut String) {
        match validation::parse_line(text, label, MAX_TEXT) {
            Ok(line) if line.is_empty() => self.add(field, "Please fill in all required fields"),
            Ok(line) => *text = line,
            Err(message) => self.add(field, message),
        }
    }

    /// Trims a text that may be absent. An empty one becomes absent.
    fn optional(&mut self, field: &str, label: &str, max: usize, text: &mut Option<String>) {
        match text.as_deref().map(|text| validation::parse_line(text, label, max)).transpose() {
            Ok(line) => *text = line.filter(|line| !line.is_empty()),
            Err(message) => self.add(field, message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn today() -> Day {
        "2026-11-20".parse().unwrap()
    }

    fn validated(form: Value) -> Result<Company, Vec<String>> {
        let company: Company = serde_json::from_value(form).unwrap();
        validate(company, today()).map_err(|errors| errors.into_iter().map(|error| error.field).collect())
    }

    #[test]
    fn texts_are_trimmed_and_grades_written_in_the_usual_form() {
        let company = validated(json!({
            "vat": "  ", "svat": " 123-7000 ",
            "cida": [{"grade": "c 5", "field": " Buildings "}],
            "districts": ["Matara", "Galle", "Matara"],
        }))
        .unwrap();
        assert_eq!((company.vat, company.svat.as_deref()), (None, Some("123-7000")));
        assert_eq!((company.cida[0].grade.as_str(), company.cida[0].field.as_str()), ("C5", "Buildings"));
        assert_eq!(company.districts.len(), 2);
    }

    #[test]
    fn all_invalid_fields_are_named() {
        let errors = validated(json!({
            "vat": "1\n2",
            "cida": [{"grade": "C5", "field": "Buildings"}, {"grade": "C77", "field": ""}],
            "contractsAct": [{"sector": "works", "expires": "1999-12-31"}],
            "turnover": [{"year": 2025, "amount": 1}, {"year": 2025, "amount": 2}, {"year": 2027, "amount": 3}],
            "experienceYears": 151,
            "documents": [{"kind": "other", "note": "x".repeat(201)}],
        }))
        .unwrap_err();
        let expected = [
            "vat",
            "cida[1].grade",
            "cida[1].field",
            "turnover[1].year",
            "turnover[2].year",
            "experienceYears",
            "documents[0].note",
            "contractsAct[0].expires",
        ];
        assert_eq!(errors, expected);
        let rows: Vec<Value> = (0..31).map(|_| json!({"kind": "cida"})).collect();
        assert_eq!(validated(json!({"documents": rows})).unwrap_err(), ["documents"]);
    }
}

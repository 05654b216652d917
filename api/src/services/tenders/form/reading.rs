//! Reads the fields of a form and collects errors. For an absent text, the setter is not called.
//! For a blank or invalid text, it is called with `None`.

use super::{
    input::NumberInput,
    limits::{MAX_ENTRIES, MAX_LINE_LENGTH},
};
use crate::domain::{
    error::FieldError,
    validation::{self, Email},
};
use std::{ops::RangeInclusive, str::FromStr};
use tender_model::vocabulary::{Currency, Day, Moment};

/// The years of dates. A year outside this range is a typing error.
const YEARS: RangeInclusive<i16> = 1990..=2100;

/// Reads fields and collects their errors.
#[derive(Debug, Default)]
pub(super) struct FormReader {
    errors: Vec<FieldError>,
}

impl FormReader {
    /// Returns the collected errors.
    pub(super) fn into_errors(self) -> Vec<FieldError> {
        self.errors
    }

    /// The number of errors so far.
    pub(super) const fn error_count(&self) -> usize {
        self.errors.len()
    }

    pub(super) fn add_error(&mut self, field: &str, message: impl Into<String>) {
        self.errors.push(FieldError::new(field, message));
    }

    /// Reads one line of limited length.
    pub(super) fn line(
        &mut self,
        field: &str,
        what: &str,
        given: Option<String>,
        longest: usize,
        set: impl FnOnce(Option<String>),
    ) {
        let Some(text) = given else { return };
        match validation::parse_line(&text, what, longest) {
            Ok(line) => set(non_empty(&line)),
            Err(message) => {
                self.add_error(field, message);
                set(None);
            }
        }
    }

    /// Reads text that may have several lines.
    pub(super) fn prose(
        &mut self,
        field: &str,
        what: &str,
        given: Option<String>,
        longest: usize,
        set: impl FnOnce(Option<String>),
    ) {
        let Some(text) = given else { return };
        let text = validation::without_format_controls(&text);
        let text = text.replace("\r\n", "\n").replace('\r', "\n").replace('\t', " ");
        let text = text.trim();
        if text.chars().count() > longest {
            self.add_error(field, format!("{what} cannot exceed {longest} characters"));
            set(None);
        } else if text.contains(|c: char| c.is_control() && c != '\n') {
            self.add_error(field, format!("{what} must not contain control characters"));
            set(None);
        } else {
            set(non_empty(text));
        }
    }

    /// Reads a term of the vocabulary.
    pub(super) fn term<T: FromStr<Err: std::fmt::Display>>(
        &mut self,
        field: &str,
        given: Option<String>,
        set: impl FnOnce(Option<T>),
    ) {
        let Some(word) = given else { return };
        match non_empty(word.trim()).map(|word| word.parse()).transpose() {
            Ok(term) => set(term),
            Err(error) => {
                self.add_error(field, error.to_string());
                set(None);
            }
        }
    }

    pub(super) fn email(&mut self, field: &str, given: Option<String>, set: impl FnOnce(Option<String>)) {
        let Some(address) = given else { return };
        match non_empty(address.trim()).map(|address| address.parse::<Email>()).transpose() {
            Ok(address) => set(address.map(|address| address.as_str().to_owned())),
            Err(message) => {
                self.add_error(field, message);
                set(None);
            }
        }
    }

    pub(super) fn web_address(
        &mut self,
        field: &str,
        given: Option<String>,
        set: impl FnOnce(Option<String>),
    ) {
        let Some(address) = given else { return };
        let is_web = |text: &str| {
            let uri = text.parse::<http::Uri>();
            uri.is_ok_and(|uri| matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some())
        };
        match non_empty(address.trim()) {
            Some(text) if text.chars().count() > MAX_LINE_LENGTH || !is_web(&text) => {
                self.add_error(field, "Must be a web address, such as https://example.lk/tenders");
                set(None);
            }
            text => set(text),
        }
    }

    /// Reads a day.
    pub(super) fn day(&mut self, field: &str, given: Option<String>, set: impl FnOnce(Option<Day>)) {
        let Some(text) = given.map(|text| text.trim().to_owned()) else { return };
        if text.is_empty() {
            return set(None);
        }
        match text.parse::<Day>().ok().filter(|day| YEARS.contains(&day.year())) {
            Some(day) => set(Some(day)),
            None => {
                self.add_error(field, "Must be a date, such as 2027-03-31");
                set(None);
            }
        }
    }

    /// Reads a time or a day. `of_day` converts a day to a moment.
    pub(super) fn moment(
        &mut self,
        field: &str,
        given: Option<String>,
        of_day: fn(Day) -> Option<Moment>,
        set: impl FnOnce(Option<Moment>),
    ) {
        let Some(text) = given.map(|text| text.trim().to_owned()) else { return };
        if text.is_empty() {
            return set(None);
        }
        let moment = text.parse::<Moment>().ok().or_else(|| text.parse::<Day>().ok().and_then(of_day));
        match moment.filter(|moment| YEARS.contains(&moment.civil().year())) {
            Some(moment) => set(Some(moment)),
            None => {
                self.add_error(field, "Must be a date, such as 2027-03-31");
                set(None);
            }
        }
    }

    /// Reads the entries of a list and leaves out blank and invalid ones.
    pub(super) fn list(&mut self, field: &str, what: &str, given: Vec<String>) -> Vec<String> {
        let mut entries = Vec::new();
        for (nth, entry) in given.into_iter().enumerate() {
            self.line(&format!("{field}[{nth}]"), what, Some(entry), MAX_LINE_LENGTH, |entry| {
                entries.extend(entry)
            });
        }
        if entries.len() > MAX_ENTRIES {
            self.add_error(field, format!("Maximum {MAX_ENTRIES} entries allowed"));
        }
        entries
    }

    fn number(&mut self, field: &str, given: Option<NumberInput>) -> Option<f64> {
        let number = given?.read();
        number.unwrap_or_else(|()| {
            self.add_error(field, "Must be a number, such as 2.5");
            None
        })
    }

    pub(super) fn money<T, E: std::fmt::Display>(
        &mut self,
        field: &str,
        given: Option<NumberInput>,
        new: impl FnOnce(f64) -> Result<T, E>,
    ) -> Option<T> {
        new(self.number(field, given)?).map_err(|error| self.add_error(field, error.to_string())).ok()
    }

    pub(super) fn percentage(&mut self, field: &str, given: Option<NumberInput>) -> Option<f64> {
        let number = self.number(field, given)?;
        if (0.0..=100.0).contains(&number) {
            return Some(number);
        }
        self.add_error(field, "Must be a percentage from 0 to 100");
        None
    }

    pub(super) fn years(&mut self, field: &str, given: Option<NumberInput>) -> Option<u16> {
        let number = self.number(field, given)?;
        if number.fract() == 0.0 && (0.0..=100.0).contains(&number) {
            return Some(number as u16);
        }
        self.add_error(field, "Must be whole years from 0 to 100");
        None
    }

    /// Reads a currency, by default rupees.
    pub(super) fn currency(&mut self, field: &str, given: Option<String>) -> Currency {
        let mut currency = Currency::default();
        self.term(field, given, |read| currency = read.unwrap_or_default());
        currency
    }
}

fn non_empty(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

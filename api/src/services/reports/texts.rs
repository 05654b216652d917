//! The texts of reports in the user's language, such as headings. The text of a tender stays as printed.

use crate::{
    base::i18n::{
        catalogues::{CatalogueError, Catalogues},
        phrase::Phrase,
    },
    domain::report::{DatedBy, ReportColumn, ReportGrouping},
};
use serde::Deserialize;
use std::{collections::BTreeMap, fmt::Display, sync::LazyLock};
use tender_model::vocabulary::Language;

static CATALOGUES: LazyLock<Catalogues<ReportTexts>> = LazyLock::new(|| {
    let sources = [
        include_str!("../../../locales/reports/en.json"),
        include_str!("../../../locales/reports/si.json"),
        include_str!("../../../locales/reports/ta.json"),
    ];
    Catalogues::read("reports", sources)
});

/// Fails if one of these catalogues is malformed.
pub(crate) fn check() -> Result<(), CatalogueError> {
    CATALOGUES.check()
}

/// All texts of reports in one language.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReportTexts {
    /// The name of the first sheet.
    pub(super) tenders: String,
    /// The name of the second sheet.
    pub(super) totals: String,
    /// The heading of the column with the number of tenders.
    pub(super) count: String,
    /// The heading of the column with the value in a currency.
    pub(super) value: Phrase,
    /// The label of the grand total.
    pub(super) all: String,
    unknown: String,
    published: Phrase,
    closing: Phrase,
    /// The sentence that says when the report was written.
    pub(super) made: Phrase,
    /// The notice that the report lacks matching tenders.
    pub(super) cut: Phrase,
    columns: BTreeMap<ReportColumn, String>,
    groupings: BTreeMap<ReportGrouping, String>,
}

impl ReportTexts {
    /// The texts of a language.
    #[must_use]
    pub fn of(language: Language) -> &'static Self {
        CATALOGUES.of(language)
    }

    /// The heading of a column.
    pub(super) fn column(&self, column: ReportColumn) -> &str {
        self.columns.get(&column).map_or("", String::as_str)
    }

    /// The heading of a grouping.
    pub(super) fn grouping(&self, grouping: ReportGrouping) -> &str {
        self.groupings.get(&grouping).map_or("", String::as_str)
    }

    /// The sentence that states the period of a report.
    pub(crate) fn period(&self, by: DatedBy, from: &dyn Display, until: &dyn Display) -> String {
        let phrase = match by {
            DatedBy::Published => &self.published,
            DatedBy::Closing => &self.closing,
        };
        phrase.with(&[("from", from), ("until", until)])
    }

    /// The label of a missing value.
    pub(super) fn unknown(&self) -> &str {
        &self.unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_names_every_column_and_grouping() {
        for json in [
            include_str!("../../../locales/reports/en.json"),
            include_str!("../../../locales/reports/si.json"),
            include_str!("../../../locales/reports/ta.json"),
        ] {
            let words: ReportTexts = serde_json::from_str(json).unwrap();
            assert!(ReportColumn::ALL.iter().all(|column| words.columns.contains_key(column)));
            assert!(ReportGrouping::ALL.iter().all(|grouping| words.groupings.contains_key(grouping)));
            let period = words.period(DatedBy::Closing, &"A", &"B");
            assert!(period.contains('A') && period.contains('B'), "{period}");
            assert!(words.cut.with(&[("rows", &7), ("total", &9)]).contains('7'));
            for sheet in [&words.tenders, &words.totals] {
                assert!(sheet.chars().count() <= 31 && !sheet.contains(['[', ']', ':', '*', '?', '/', '\\']));
            }
        }
    }
}

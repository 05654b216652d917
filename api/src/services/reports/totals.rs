//! The totals on the second sheet of a workbook: the number of tenders and their value in each
//! currency, by group.

use super::texts::ReportTexts;
use crate::{
    base::i18n::term_names::TermNames,
    domain::report::{DatedBy, ReportGrouping},
};
use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};
use tender_model::{
    tender::Tender,
    text::normalise,
    vocabulary::{Currency, Moment},
};

/// The number of tenders and their stated value in hundredths, by currency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) tenders: u64,
    pub(super) values: BTreeMap<Currency, i128>,
}

impl Sum {
    fn add(&mut self, tender: &Tender) {
        self.tenders += 1;
        if let Some(value) = tender.financials.estimated_value {
            *self.values.entry(value.currency).or_default() += i128::from(value.amount.minor());
        }
    }
}

/// The totals of one grouping, with the rows in display order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    pub(super) grouping: ReportGrouping,
    pub(super) rows: Vec<(String, Sum)>,
}

/// Computes totals tender by tender.
#[derive(Debug)]
pub(super) struct Totals<'a> {
    words: &'a ReportTexts,
    terms: &'a TermNames,
    by: DatedBy,
    all: Sum,
    groups: Vec<(ReportGrouping, Groups)>,
}

/// Groups by key, each with the first spelling of its name and its sum.
type Groups = BTreeMap<String, (String, Sum)>;

impl<'a> Totals<'a> {
    /// Creates empty totals.
    pub(super) fn new(
        (words, terms): (&'a ReportTexts, &'a TermNames),
        by: DatedBy,
        groupings: &[ReportGrouping],
    ) -> Self {
        let groups = groupings.iter().map(|grouping| (*grouping, BTreeMap::new())).collect();
        Self { words, terms, by, all: Sum::default(), groups }
    }

    /// Adds a tender to the totals and to its groups.
    pub(super) fn add(&mut self, tender: &Tender) {
        self.all.add(tender);
        for (grouping, groups) in &mut self.groups {
            let (key, name) = group_of(*grouping, tender, self.by, (self.words, self.terms));
            groups.entry(key).or_insert_with(|| (name, Sum::default())).1.add(tender);
        }
    }

    /// The totals of all tenders.
    pub(super) const fn all(&self) -> &Sum {
        &self.all
    }

    /// The currencies that occur, rupees first.
    pub(super) fn currencies(&self) -> Vec<Currency> {
        let others: BTreeSet<Currency> =
            self.all.values.keys().copied().filter(|currency| *currency != Currency::LKR).collect();
        let rupees = self.all.values.contains_key(&Currency::LKR).then_some(Currency::LKR);
        rupees.into_iter().chain(others).collect()
    }

    /// The tables, one for each grouping: months in order, other groups by size, the largest first.
    pub(super) fn tables(self) -> Vec<Table> {
        let table = |(grouping, groups): (ReportGrouping, Groups)| {
            let mut rows: Vec<(String, Sum)> = groups.into_values().collect();
            if grouping != ReportGrouping::Month {
                rows.sort_by_key(|(_, sum)| Reverse(sum.tenders));
            }
            Table { grouping, rows }
        };
        self.groups.into_iter().map(table).collect()
    }
}

/// The key and the name of the group that a tender belongs to.
fn group_of(
    grouping: ReportGrouping,
    tender: &Tender,
    by: DatedBy,
    (words, terms): (&ReportTexts, &TermNames),
) -> (String, String) {
    let name = match grouping {
        ReportGrouping::Category => tender.category.map(|category| terms.category(category)),
        ReportGrouping::District => tender.location.district.map(|district| terms.district(district)),
        ReportGrouping::Organization => {
            Some(tender.organization.name.trim().to_owned()).filter(|name| !name.is_empty())
        }
        ReportGrouping::Month => {
            let at = match by {
                DatedBy::Published => tender.published_at.or(tender.dates.published),
                DatedBy::Closing => tender.dates.closing,
            };
            at.map(Moment::day).map(|day| format!("{:04}-{:02}", day.year(), day.month()))
        }
    };
    match name {
        Some(name) if grouping == ReportGrouping::Organization => (normalise(&name), name),
        Some(name) => (name.clone(), name),
        None => (String::new(), words.unknown().to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tender_model::vocabulary::Language;

    fn tender(organization: &str, value: Option<(f64, &str)>, published: &str) -> Tender {
        let value = value.map(|(amount, currency)| json!({"amount": amount, "currency": currency}));
        let tender = json!({"organization": {"name": organization}, "publishedAt": published, "financials": {"estimatedValue": value}});
        serde_json::from_value(tender).unwrap()
    }

    #[test]
    fn totals_are_by_currency_organisation_and_month() {
        let words = (ReportTexts::of(Language::English), TermNames::of(Language::English));
        let mut totals =
            Totals::new(words, DatedBy::Published, &[ReportGrouping::Organization, ReportGrouping::Month]);
        for tender in [
            tender("Ministry of Works", Some((2.5, "LKR")), "2026-11-20T09:00:00+05:30"),
            tender("Water Board", Some((1.0, "USD")), "2026-10-31T20:00:00Z"),
            tender("MINISTRY OF  WORKS", Some((1.5, "LKR")), "2026-10-31T09:00:00+05:30"),
            tender("", None, "2026-10-01T09:00:00+05:30"),
        ] {
            totals.add(&tender);
        }
        let usd: Currency = "USD".parse().unwrap();
        assert_eq!(totals.currencies(), [Currency::LKR, usd]);
        assert_eq!((totals.all().tenders, totals.all().values[&Currency::LKR]), (4, 400_000_000));
        let tables = totals.tables();
        let rows = |nth: usize| -> Vec<(&str, u64)> {
            tables[nth].rows.iter().map(|(name, sum)| (name.as_str(), sum.tenders)).collect()
        };
        assert_eq!(rows(0), [("Ministry of Works", 2), ("Not stated", 1), ("Water Board", 1)]);
        assert_eq!(rows(1), [("2026-10", 2), ("2026-11", 2)]);
    }
}

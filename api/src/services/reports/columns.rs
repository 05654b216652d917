//! The columns of a report and their cells for a tender.

use super::{cell::Cell, texts::ReportTexts};
use crate::{
    base::i18n::{mail_texts::MailTexts, term_names::TermNames},
    domain::report::ReportColumn,
    services::notifications::uncertain_fields,
};
use tender_model::{
    tender::{Bond, CLOSING, FieldState, Tender},
    vocabulary::{Currency, Language, Moment},
};

/// The context in which a row is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct RowContext<'a> {
    /// The language of the report.
    pub(super) language: Language,
    /// The texts in the language of the report.
    pub(super) words: &'a ReportTexts,
    /// The names of terms in the language of the report.
    pub(super) terms: &'a TermNames,
    /// The URL of the portal without a slash at the end.
    pub(super) base_url: &'a str,
    /// When the report is written.
    pub(super) now: Moment,
}

impl ReportColumn {
    /// The width of the column in a spreadsheet, in characters.
    pub(super) const fn width(self) -> f64 {
        match self {
            Self::Title => 60.0,
            Self::Organization => 38.0,
            Self::Newspaper | Self::Uncertain => 34.0,
            Self::Link => 44.0,
            Self::Reference | Self::Category | Self::Kind => 24.0,
            Self::Currency | Self::Method => 11.0,
            _ => 17.0,
        }
    }

    /// The column's cell for a tender.
    pub(super) fn cell(self, tender: &Tender, context: &RowContext<'_>) -> Cell {
        let RowContext { language, terms, base_url, now, .. } = *context;
        let or_empty = |text: &Option<String>| text.as_deref().map_or(Cell::Empty, Cell::text);
        match self {
            Self::Reference => or_empty(&tender.reference_no),
            Self::Title => Cell::text(one_line(&tender.title)),
            Self::Organization => Cell::text(one_line(&tender.organization.name)),
            Self::OrganizationType => {
                term_cell(tender.organization.kind, |kind| terms.organization_type(kind))
            }
            Self::Category => term_cell(tender.category, |category| terms.category(category)),
            Self::Sector => term_cell(tender.sector(), |sector| terms.sector(sector)),
            Self::Kind => Cell::text(terms.kind(tender.kind)),
            Self::Method => or_empty(&tender.method),
            Self::Province => term_cell(tender.location.province, |province| terms.province(province)),
            Self::District => term_cell(tender.location.district, |district| terms.district(district)),
            Self::City => or_empty(&tender.location.city),
            Self::Value => {
                let value = tender.financials.estimated_value;
                value.map_or(Cell::Empty, |value| Cell::Money(value.amount.minor(), None))
            }
            Self::Currency => {
                row_currency(tender).map_or(Cell::Empty, |currency| Cell::text(currency.as_str()))
            }
            Self::BidSecurity => bid_security_cell(&tender.financials.bid_bond, row_currency(tender)),
            Self::DocumentFee => match &tender.document_fee {
                Some(fee) => fee.amount.map_or(Cell::Empty, |amount| {
                    Cell::Money(amount.minor(), if_different(fee.currency, row_currency(tender)))
                }),
                None => Cell::Empty,
            },
            Self::Published => {
                let at = tender.published_at.or(tender.dates.published);
                at.map_or(Cell::Empty, |at| Cell::Day(at.day()))
            }
            Self::Closing if has_unread_closing(tender) => Cell::text(MailTexts::of(language).see_notice()),
            Self::Closing => tender.dates.closing.map_or(Cell::Empty, |at| {
                // The last second of a day stands for a date without a time.
                let is_day = (at.civil().hour(), at.civil().minute(), at.civil().second()) == (23, 59, 59);
                if is_day { Cell::Day(at.day()) } else { Cell::Moment(at.civil()) }
            }),
            Self::Status => Cell::text(terms.status(tender.effective_status(now))),
            Self::Newspaper => Cell::text(newspapers(tender)),
            Self::Link => Cell::Link(format!("{base_url}/tenders/{}", tender.id)),
            Self::Uncertain => {
                let names =
                    uncertain_fields::field_names(&tender.uncertain_fields(), MailTexts::of(language));
                Cell::text(names.join(", "))
            }
        }
    }
}

fn term_cell<T>(term: Option<T>, name: impl FnOnce(T) -> String) -> Cell {
    term.map_or(Cell::Empty, |term| Cell::text(name(term)))
}

fn has_unread_closing(tender: &Tender) -> bool {
    tender.dates.closing.is_none() && tender.field_state(CLOSING) == FieldState::NotRead
}

/// Joins the lines of a text, because titles and names may have line breaks.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The currency of a tender's row: that of the first known amount among value, bid security and
/// document fee.
fn row_currency(tender: &Tender) -> Option<Currency> {
    let value = tender.financials.estimated_value.map(|value| value.currency);
    let bond = &tender.financials.bid_bond;
    let bond = bond.amount.map(|_| bond.currency.unwrap_or_default());
    let fee = tender.document_fee.as_ref().filter(|fee| fee.amount.is_some()).map(|fee| fee.currency);
    value.or(bond).or(fee)
}

fn if_different(currency: Currency, of_row: Option<Currency>) -> Option<Currency> {
    (Some(currency) != of_row).then_some(currency)
}

fn bid_security_cell(bond: &Bond, of_row: Option<Currency>) -> Cell {
    match (bond.amount, bond.percentage) {
        (Some(amount), _) => {
            Cell::Money(amount.minor(), if_different(bond.currency.unwrap_or_default(), of_row))
        }
        (None, Some(share)) => Cell::Percent(share),
        (None, None) => Cell::Empty,
    }
}

/// The newspapers that printed a tender, such as `Daily News 2026-11-20; Lankadeepa 2026-11-21`.
fn newspapers(tender: &Tender) -> String {
    let mut printed: Vec<String> = Vec::new();
    for source in &tender.sources {
        let day = source.date.map(|day| format!(" {day}")).unwrap_or_default();
        let issue = format!("{}{day}", source.publication);
        if !source.publication.is_empty() && !printed.contains(&issue) {
            printed.push(issue);
        }
    }
    printed.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(json: &str, columns: &[ReportColumn]) -> Vec<String> {
        let tender: Tender = serde_json::from_str(json).unwrap();
        let words = ReportTexts::of(Language::English);
        let now = "2026-11-20T09:00:00+05:30".parse().unwrap();
        let language = Language::English;
        let terms = TermNames::of(language);
        let context = RowContext { language, words, terms, base_url: "https://portal.example", now };
        columns.iter().map(|column| column.cell(&tender, &context).plain_text()).collect()
    }

    #[test]
    fn a_row_shows_the_value_of_each_column() {
        let json = r#"{"_id": "01939999-0000-7000-8000-000000000001", "title": "Supply of\n  chairs", "referenceNo": "M/7",
            "status": "published", "category": "Furniture", "organization": {"name": "Ministry of Chairs", "type": "semi-government"},
            "location": {"province": "Southern", "district": "Galle"}, "method": "NCB",
            "financials": {"estimatedValue": {"amount": 2.5, "currency": "LKR"},
                "bidBond": {"required": true, "amount": 500, "currency": "USD"}},
            "documentFee": {"amount": 1500, "currency": "LKR"}, "publishedAt": "2026-11-18T20:00:00Z",
            "dates": {"closing": "2026-11-19T14:00:00+05:30"},
            "sources": [{"publication": "Daily News", "date": "2026-11-18"}, {"publication": "Daily News", "date": "2026-11-18"},
                {"publication": "Lankadeepa"}]}"#;
        assert_eq!(
            cells(json, &ReportColumn::ALL),
            [
                "M/7",
                "Supply of chairs",
                "Ministry of Chairs",
                "Semi-government",
                "Furniture",
                "Supply",
                "Purchase",
                "NCB",
                "Southern",
                "Galle",
                "",
                "2500000",
                "LKR",
                "USD 500",
                "1500",
                "2026-11-19",
                "2026-11-19 14:00",
                "Closed",
                "Daily News 2026-11-18; Lankadeepa",
                "https://portal.example/tenders/01939999-0000-7000-8000-000000000001",
                "",
            ]
        );
    }

    #[test]
    fn a_row_names_uncertain_fields() {
        let json = r#"{"title": "Supply of chairs", "fieldStates": {"title": "doubtful", "dates.closing": "not-read"}}"#;
        assert_eq!(
            cells(json, &[ReportColumn::Title, ReportColumn::Closing, ReportColumn::Uncertain]),
            ["Supply of chairs", "Closing: see the notice", "closing, title"],
        );
    }

    #[test]
    fn unknown_values_are_empty_and_a_percentage_is_shown() {
        let money = [
            ReportColumn::Value,
            ReportColumn::Currency,
            ReportColumn::BidSecurity,
            ReportColumn::DocumentFee,
        ];
        assert_eq!(cells("{}", &money), ["", "", "", ""]);
        let share = r#"{"financials": {"bidBond": {"required": true, "percentage": 2}}, "dates": {"closing": "2026-12-01"}}"#;
        assert_eq!(
            cells(share, &[ReportColumn::BidSecurity, ReportColumn::Currency, ReportColumn::Closing]),
            ["2%", "", "2026-12-01"]
        );
    }
}

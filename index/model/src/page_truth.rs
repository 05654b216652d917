//! What reviewers found on newspaper pages, in the format of ground truth that `ingest eval` reads.

use crate::{
    tender::{PageBox, Tender},
    vocabulary::Day,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

/// The type of a region that is a tender notice.
pub const TENDER: &str = "tender";
/// The type of a region that a reviewer rejected because it is no tender notice.
pub const NO_NOTICE: &str = "no-notice";

/// A part of the list of pages with checked notices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PageTruths {
    /// The pages, in the order in which they arrived.
    pub pages: Vec<TruthOfPage>,
    /// Send this id as `after` to read the next part. `null`: there are no more pages.
    #[schema(required)]
    pub next: Option<Uuid>,
}

/// A page and what reviewers found on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TruthOfPage {
    /// The id of the page.
    pub page: Uuid,
    /// The page in the file, from 1.
    pub number: u32,
    /// The newspaper; empty if it is unknown.
    pub publication: String,
    /// The issue date, if it is known.
    #[schema(value_type = Option<String>, format = Date, required)]
    pub date: Option<Day>,
    /// The name of the file.
    pub file_name: String,
    /// SHA-256 of the file, in 64 hex digits.
    pub file_hash: String,
    /// Whether the portal has the file.
    pub is_stored: bool,
    /// The ground truth.
    pub truth: PageTruth,
}

/// The ground truth of a page. It is not complete: it lacks the texts that nobody has checked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PageTruth {
    /// Whether all texts of the page are listed. Always false: a reader is not blamed for what it
    /// finds elsewhere.
    pub complete: bool,
    /// The checked texts.
    pub notices: Vec<TruthRegion>,
}

/// A checked text on a page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TruthRegion {
    /// The key of the notice.
    pub id: String,
    /// `tender`, or `no-notice`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The language: `en`, `si` or `ta`. Empty: unknown.
    pub lang: String,
    /// The rectangle `[x, y, width, height]` as fractions of the straightened page.
    #[schema(value_type = Vec<f64>, min_items = 4, max_items = 4)]
    pub page_box: PageBox,
    /// The fields of a notice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fields: Option<TrueFields>,
}

/// The fields of a notice as a person checked them. A field that is not printed is left out.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct TrueFields {
    /// The reference.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reference_no: Option<String>,
    /// The organisation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub organisation: Option<String>,
    /// The title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The district.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub district: Option<String>,
    /// The closing date, as 2028-04-09.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_date: Option<String>,
    /// The closing time, as 10:00.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closing_time: Option<String>,
    /// The bid security in rupees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid_security_amount: Option<f64>,
    /// The bid security as a percentage of the bid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bid_security_pct: Option<f64>,
    /// The document fee in rupees.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub document_fee: Option<f64>,
    /// The first CIDA grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cida: Option<String>,
    /// The category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// The kind of notice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
}

impl PageTruth {
    /// The truth of a page with these texts: the key of each, whether it is a tender notice, and its
    /// fields.
    pub fn of<'t>(texts: impl IntoIterator<Item = (&'t str, bool, &'t Tender)>) -> Self {
        let region = |(key, is_notice, record): (&str, bool, &Tender)| TruthRegion {
            id: key.to_owned(),
            kind: if is_notice { TENDER } else { NO_NOTICE }.to_owned(),
            lang: record.language.map(|language| language.as_str().to_owned()).unwrap_or_default(),
            page_box: record.sources.first().map(|source| source.area).unwrap_or_default(),
            fields: is_notice.then(|| TrueFields::of(record)),
        };
        Self { complete: false, notices: texts.into_iter().map(region).collect() }
    }
}

impl TrueFields {
    fn of(record: &Tender) -> Self {
        let text = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let closing = record.dates.closing.map(|closing| closing.to_string());
        let part = |range: std::ops::Range<usize>| closing.as_ref()?.get(range).map(str::to_owned);
        // A closing without a time is stored as the last second of the day.
        let has_time = part(11..19).is_some_and(|time| time != "23:59:59");
        let bond = &record.financials.bid_bond;
        Self {
            reference_no: record.reference_no.clone(),
            organisation: text(&record.organization.name),
            title: text(&record.title),
            district: record.location.district.map(|district| district.to_string()),
            closing_date: part(0..10),
            closing_time: part(11..16).filter(|_| has_time),
            bid_security_amount: bond.amount.map(|amount| amount.number()),
            bid_security_pct: bond.percentage,
            document_fee: record
                .document_fee
                .as_ref()
                .and_then(|fee| fee.amount)
                .map(|amount| amount.number()),
            cida: record.cida.first().map(|cida| cida.grade.clone()),
            category: record.category.map(|category| category.to_string()),
            kind: Some(record.kind.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_page_has_the_checked_fields_of_its_notices() {
        let mut record = Tender { title: "Chairs".to_owned(), ..Tender::default() };
        record.dates.closing = Some("2026-12-05T23:59:59+05:30".parse().unwrap());
        let advertisement = Tender::default();
        let truth = PageTruth::of([("a1", true, &record), ("b2", false, &advertisement)]);
        let json = serde_json::to_value(&truth).unwrap();
        assert_eq!(json["complete"], false);
        assert_eq!(
            json["notices"][0]["fields"],
            json!({"title": "Chairs", "closing_date": "2026-12-05", "kind": "purchase"})
        );
        assert_eq!(
            json["notices"][1],
            json!({"id": "b2", "type": "no-notice", "lang": "", "page_box": [0.0, 0.0, 0.0, 0.0]})
        );
        record.dates.closing = Some("2026-12-05T14:30:00+05:30".parse().unwrap());
        let truth = PageTruth::of([("a1", true, &record)]);
        assert_eq!(truth.notices[0].fields.as_ref().unwrap().closing_time.as_deref(), Some("14:30"));
    }
}

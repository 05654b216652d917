//! What the home page shows to everyone: a few tenders, newspapers and organisations that the portal
//! chooses. The types have no other fields, so that the home page cannot show more of a tender.

use super::publisher::PublishedBy;
use serde::Serialize;
use tender_model::{
    tender::{CLOSING, Location, Tender},
    vocabulary::{Day, Language, Moment},
};
use utoipa::ToSchema;
use uuid::Uuid;

/// What the home page shows.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Highlights {
    /// Open tenders, the next closing first.
    pub closing_soon: Vec<HighlightedTender>,
    /// The newest notices whose clips everyone may see.
    pub notices: Vec<HighlightedNotice>,
    /// The newspapers with the most notices.
    pub newspapers: Vec<Newspaper>,
    /// The organisations with the most open tenders, and the numbers of these.
    pub organizations: Vec<(String, usize)>,
}

/// A tender on the home page. Its title, organisation and closing time are certain.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct HighlightedTender {
    /// The tender's id.
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// The title.
    pub title: String,
    /// The language of the title.
    #[schema(required)]
    pub language: Option<Language>,
    /// The organisation that invites bids.
    pub organization: String,
    /// The place, without parts that are not certain.
    pub location: Location,
    /// When bids close.
    #[schema(required)]
    pub closing: Option<Moment>,
    /// The last day on which the documents are sold, if it is certain.
    #[schema(required, value_type = Option<String>, format = Date)]
    pub sale_until: Option<Day>,
    /// Whether newspapers or an account published the tender.
    pub published_by: PublishedBy,
}

/// A newspaper notice on the home page.
#[derive(Debug, Clone, PartialEq)]
pub struct HighlightedNotice {
    /// The tender that the notice is about.
    pub tender: HighlightedTender,
    /// The newspaper that printed the notice.
    pub publication: String,
    /// The date of the issue.
    pub date: Option<Day>,
    /// The stored address of the clip.
    pub clip: String,
}

/// A newspaper that the portal reads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Newspaper {
    /// The name, as read.
    pub name: String,
    /// The number of tenders that it printed.
    pub notices: usize,
    /// The date of the latest issue among the newest notices, if one was read.
    #[schema(required, value_type = Option<String>, format = Date)]
    pub latest_issue: Option<Day>,
}

impl HighlightedTender {
    /// Returns what the home page shows of a tender. `None`: the title, the organisation or the
    /// closing time is missing or uncertain.
    #[must_use]
    pub fn of(tender: &Tender) -> Option<Self> {
        let is_certain = |path: &str| !tender.is_uncertain(path);
        let is_complete = !tender.title.is_empty() && !tender.organization.name.is_empty();
        if !is_complete || !["title", "organization.name", CLOSING].into_iter().all(is_certain) {
            return None;
        }
        let Location { province, district, city } = tender.location.clone();
        let location = Location {
            province: province.filter(|_| is_certain("location.province")),
            district: district.filter(|_| is_certain("location.district")),
            city: city.filter(|_| is_certain("location.city")),
        };
        Some(Self {
            id: tender.id,
            title: tender.title.clone(),
            language: tender.language,
            organization: tender.organization.name.clone(),
            location,
            closing: tender.dates.closing,
            sale_until: tender.certain_sale_end(),
            published_by: PublishedBy::of(tender),
        })
    }
}

impl HighlightedNotice {
    /// Returns what the home page shows of a tender's newspaper notice. `None`: there is no clip, or
    /// the tender cannot be shown.
    #[must_use]
    pub fn of(tender: &Tender) -> Option<Self> {
        let source = tender.sources.iter().find(|source| source.clip_url.is_some())?;
        Some(Self {
            tender: HighlightedTender::of(tender)?,
            publication: source.publication.clone(),
            date: source.date,
            clip: source.clip_url.clone()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::{
        tender::{DocumentFee, FieldState, Source},
        vocabulary::District,
    };

    fn tender() -> Tender {
        let mut tender = Tender { title: "Bridge".into(), ..Tender::default() };
        tender.organization.name = "Department of Works".into();
        tender.location.district = Some(District::Matara);
        tender.location.city = Some("Weligama".into());
        tender
    }

    fn doubt(mut tender: Tender, path: &str) -> Tender {
        tender.field_states = Some([(path.to_owned(), FieldState::Doubtful)].into_iter().collect());
        tender
    }

    #[test]
    fn tender_with_an_uncertain_headline_is_not_shown() {
        assert_eq!(HighlightedTender::of(&tender()).unwrap().title, "Bridge");
        for path in ["title", "organization.name", CLOSING] {
            assert_eq!(HighlightedTender::of(&doubt(tender(), path)), None, "{path}");
        }
        assert_eq!(HighlightedTender::of(&Tender::default()), None);
    }

    #[test]
    fn uncertain_part_of_the_place_is_left_out() {
        let shown = HighlightedTender::of(&doubt(tender(), "location.district")).unwrap();
        assert_eq!((shown.location.district, shown.location.city), (None, Some("Weligama".into())));
    }

    #[test]
    fn uncertain_end_of_the_sale_is_left_out() {
        let mut tender = tender();
        let last = "2026-12-05".parse().ok();
        tender.document_fee = Some(DocumentFee { sale_until: last, ..DocumentFee::default() });
        assert_eq!(HighlightedTender::of(&tender).unwrap().sale_until, last);
        assert_eq!(HighlightedTender::of(&doubt(tender, "documentFee.saleUntil")).unwrap().sale_until, None);
    }

    #[test]
    fn notice_without_a_clip_is_not_shown() {
        let mut tender = tender();
        let printed = Source { publication: "Daily Lanka".into(), ..Source::default() };
        tender.sources = vec![printed.clone()];
        assert_eq!(HighlightedNotice::of(&tender), None);
        tender.sources.push(Source { clip_url: Some("/api/clips/0".into()), ..printed });
        assert_eq!(HighlightedNotice::of(&tender).unwrap().publication, "Daily Lanka");
    }
}

//! Chooses what the home page shows. Only tenders that guests may read are chosen.

use super::search;
use crate::{
    app::{context::Context, highlights_cache::HighlightsCache, metrics::portal::SearchKind},
    domain::{
        error::ServiceError,
        highlights::{HighlightedNotice, HighlightedTender, Highlights, Newspaper},
    },
    services::entitlement::Entitlement,
    storage::buyers,
};
use index::{
    IndexError, Listing, ListingItem, ListingRequest, Period, SearchEngine, Sort, StatusCard, TenderFilter,
    Viewer,
};
use std::{collections::HashSet, sync::Arc};
use tender_model::{tender::Tender, vocabulary::Moment};

/// The number of tenders that close soon.
const CLOSING_SOON: usize = 6;
/// The number of clips that the home page shows. All others belong to the details of tenders, of
/// which guests may open only a few.
const MAX_CLIPS: usize = 3;
/// The number of newspapers and of organisations.
const MAX_NAMES: usize = 8;
/// How many tenders are read to choose some of them.
const CANDIDATES: usize = 40;

/// Returns what the home page shows now.
pub async fn read_highlights(
    context: &Context,
    cache: &HighlightsCache,
) -> Result<Arc<Highlights>, ServiceError> {
    let position = context.search_engine.position();
    cache.get_or_choose(position, choose_highlights(context)).await
}

async fn choose_highlights(context: &Context) -> Result<Highlights, ServiceError> {
    let viewer = Entitlement::of_user(None, context).await?.viewer();
    let organizations = organizations(context).await?;
    search(context, SearchKind::Highlights, move |engine, now| {
        let source = Candidates { engine, viewer, now };
        Ok(Highlights {
            closing_soon: source.closing_soon()?,
            notices: choose_notices(source.newest()?),
            newspapers: source.newspapers()?,
            organizations,
        })
    })
    .await
}

/// The tenders from which the highlights are chosen.
struct Candidates<'e> {
    engine: &'e dyn SearchEngine,
    /// A guest.
    viewer: Viewer,
    now: Moment,
}

impl Candidates<'_> {
    fn listing(&self, request: ListingRequest) -> Result<Listing, IndexError> {
        self.engine.listing(&ListingRequest { viewer: self.viewer, ..request }, self.now)
    }

    /// The open tenders that guests may read, in this order.
    fn open(&self, sort: Sort) -> Result<impl Iterator<Item = Tender> + use<>, IndexError> {
        // Tenders before the archive window of guests would only take the places of others.
        let from = match self.viewer {
            Viewer::Limited { since, .. } => since,
            Viewer::Unlimited => None,
        };
        let filter = TenderFilter {
            statuses: vec![StatusCard::Live],
            published: Period { from, until: None },
            ..TenderFilter::default()
        };
        let request = ListingRequest { filter, sort, limit: CANDIDATES, ..ListingRequest::default() };
        Ok(self.listing(request)?.tenders.into_iter().filter_map(ListingItem::into_tender))
    }

    /// The tenders that close next. Those whose documents are no longer sold only fill the places that are
    /// left.
    fn closing_soon(&self) -> Result<Vec<HighlightedTender>, IndexError> {
        let tenders = self.open(Sort::Closing)?.filter(|tender| tender.dates.closing.is_some());
        let today = self.now.day();
        let (mut chosen, over): (Vec<_>, Vec<_>) = tenders
            .filter_map(|tender| HighlightedTender::of(&tender))
            .partition(|tender| tender.sale_until.is_none_or(|last| last >= today));
        chosen.extend(over);
        chosen.truncate(CLOSING_SOON);
        chosen.sort_by_key(|tender| (tender.closing, tender.id));
        Ok(chosen)
    }

    fn newest(&self) -> Result<impl Iterator<Item = HighlightedNotice> + use<>, IndexError> {
        Ok(self.open(Sort::Newest)?.filter_map(|tender| HighlightedNotice::of(&tender)))
    }

    fn newspapers(&self) -> Result<Vec<Newspaper>, IndexError> {
        let request = ListingRequest { limit: 1, facets: Some(MAX_NAMES), ..ListingRequest::default() };
        let counted = self.listing(request)?.facets.unwrap_or_default().publications;
        counted.into_iter().map(|(name, notices)| self.newspaper(name, notices)).collect()
    }

    /// Adds the date of the latest issue to a newspaper.
    fn newspaper(&self, name: String, notices: usize) -> Result<Newspaper, IndexError> {
        let filter = TenderFilter { publications: vec![name.clone()], ..TenderFilter::default() };
        let request =
            ListingRequest { filter, sort: Sort::Newest, limit: CANDIDATES, ..ListingRequest::default() };
        // The date of an issue is no secret, so tenders that guests may not read count too.
        let found = self.engine.listing(&request, self.now)?;
        let tenders = found.tenders.into_iter().filter_map(ListingItem::into_tender);
        let sources = tenders.flat_map(|tender| tender.sources);
        let dates = sources.filter(|source| source.publication == name).filter_map(|source| source.date);
        Ok(Newspaper { latest_issue: dates.max(), name, notices })
    }
}

/// The bodies with the most open tenders. A name that is not certain is no body's.
async fn organizations(context: &Context) -> Result<Vec<(String, usize)>, ServiceError> {
    let buyers = buyers::list(&context.db, context.clock.now()).await?.into_iter();
    let open = buyers.filter(|buyer| buyer.open > 0).take(MAX_NAMES);
    Ok(open.map(|buyer| (buyer.name, usize::try_from(buyer.open).unwrap_or(usize::MAX))).collect())
}

/// Chooses the newest notice of each newspaper, and fills the remaining places with other notices.
fn choose_notices(newest: impl Iterator<Item = HighlightedNotice>) -> Vec<HighlightedNotice> {
    let mut papers = HashSet::new();
    let (mut chosen, others): (Vec<_>, Vec<_>) =
        newest.partition(|notice| papers.insert(notice.publication.clone()));
    chosen.extend(others);
    chosen.truncate(MAX_CLIPS);
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use tender_model::tender::Source;

    fn notice(title: &str, publication: &str) -> HighlightedNotice {
        let clip_url = Some("/api/clips/0".to_owned());
        let source = Source { publication: publication.into(), clip_url, ..Source::default() };
        let mut tender = Tender { title: title.into(), sources: vec![source], ..Tender::default() };
        tender.organization.name = "Department of Works".into();
        HighlightedNotice::of(&tender).unwrap()
    }

    #[test]
    fn each_newspaper_has_a_notice_before_any_has_two() {
        let newest = [notice("a", "Lanka"), notice("b", "Lanka"), notice("c", "Lanka"), notice("d", "Mira")];
        let chosen = choose_notices(newest.into_iter());
        let titles: Vec<&str> = chosen.iter().map(|notice| notice.tender.title.as_str()).collect();
        assert_eq!(titles, ["a", "d", "b"]);
    }
}

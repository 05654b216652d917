//! The dates of a tender held against each other.

use super::reading::FormReader;
use tender_model::tender::{PreBid, Tender};

/// Reports the dates that contradict the publication or the closing. `published` is the tender as it
/// is published: what it contains already is accepted.
pub(super) fn check_dates(tender: &Tender, published: Option<&Tender>, reader: &mut FormReader) {
    let closing = tender.dates.closing;
    let last_sale = |tender: &Tender| tender.document_fee.as_ref().and_then(|fee| fee.sale_until);
    let meeting = |tender: &Tender| tender.pre_bid.as_ref().and_then(|PreBid { at, .. }| *at);
    let has_same_closing = published.is_some_and(|before| before.dates.closing == closing);
    let is_same_sale =
        has_same_closing && published.is_some_and(|before| last_sale(before) == last_sale(tender));
    if !is_same_sale && last_sale(tender).zip(closing).is_some_and(|(last, closing)| last > closing.day()) {
        reader.add_error("documentFee.saleUntil", "The last day of sale cannot be after the closing date");
    }
    let is_same_meeting = has_same_closing
        && published.is_some_and(|before| {
            meeting(before) == meeting(tender) && before.dates.published == tender.dates.published
        });
    let Some(at) = meeting(tender).filter(|_| !is_same_meeting) else { return };
    if closing.is_some_and(|closing| at >= closing) {
        reader.add_error("preBid.at", "The pre-bid meeting must be before the closing");
    } else if tender.dates.published.is_some_and(|published| at.day() < published.day()) {
        reader.add_error("preBid.at", "The pre-bid meeting cannot be before the publication");
    }
}

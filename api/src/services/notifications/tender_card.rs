//! A tender as a mail shows it: title, organisation, place, reference, closing, and what a bid
//! requires.

use super::{bid_sentence::bid_sentence, mail_frame::Envelope, uncertain_fields};
use crate::{
    base::i18n::mail_texts::{self, MailTexts},
    domain::publisher::PublishedBy,
};
use tender_model::{
    checklist::sale_end,
    display_title::display_title,
    tender::Tender,
    text::Words,
    vocabulary::{Currency, Day, Kind, Moment, TenderStatus},
};

/// The maximum number of characters of a title.
const MAX_TITLE_CHARS: usize = 200;
/// The maximum number of characters of the organisation, the city and the reference.
const MAX_TEXT_CHARS: usize = 120;
/// The number of days before the end of the sale of documents from which the mail presses.
const SALE_ENDS_SOON_DAYS: i64 = 7;

/// The parts of a card. A part without content is empty.
pub(super) struct Card {
    pub(super) title: String,
    pub(super) link: String,
    /// The link that adds the tender to the bid board. Empty if nobody can bid for the tender.
    pub(super) bid_link: String,
    /// What the link says.
    pub(super) bid_label: String,
    pub(super) organization: String,
    pub(super) place: String,
    pub(super) reference: String,
    pub(super) closing: String,
    /// That offices are closed on the closing day or on the day before, and that the sale of the documents
    /// ends soon or has ended.
    pub(super) warning: String,
    /// The grade, the bid security, the fee for the documents, when their sale ends, if that is not soon, and the
    /// meeting before the bid.
    pub(super) needs: String,
    /// Whether the recipient's company may bid.
    pub(super) bid: String,
    /// The sentence that names the uncertain fields.
    pub(super) uncertain: String,
    /// The note that two different closings were read.
    pub(super) two_closings: String,
    /// The sentence that names the publisher, if an account entered the tender and no newspaper
    /// printed it.
    pub(super) published_by: String,
}

/// Whether a name has the words of a place.
fn names(name: &str, place: &str) -> bool {
    let words = |text: &str| format!(" {} ", Words::of(text).as_str());
    words(name).contains(&words(place))
}

/// Says when the documents are sold, or that they are no longer sold. `None`: the last day is not known with
/// certainty.
fn sale_sentence(tender: &Tender, words: &MailTexts, now: Moment) -> Option<String> {
    let fee = tender.document_fee.as_ref()?;
    let is_certain = |path: &str| !tender.is_uncertain(path);
    let day = |day: Day| Moment::start_of(day).map(|at| words.day(at));
    let until = tender.certain_sale_end()?;
    if until < now.day() {
        return Some(words.tender.sale_ended.with(&[("day", &day(until)?)]));
    }
    let from = fee.sale_from.filter(|from| *from > now.day() && is_certain("documentFee.saleFrom"));
    Some(match from {
        Some(from) => words.tender.sale_between.with(&[("from", &day(from)?), ("until", &day(until)?)]),
        None => {
            let end = sale_end(tender).filter(|end| Some(*end) != Moment::end_of(end.day()));
            let end = end.map(|end| words.moment(end)).or_else(|| day(until))?;
            words.tender.sale_until.with(&[("day", &end.trim_end_matches('.'))])
        }
    })
}

/// Whether the sale of the documents has ended or ends within [`SALE_ENDS_SOON_DAYS`].
fn ends_soon(tender: &Tender, now: Moment) -> bool {
    let until = tender.document_fee.as_ref().and_then(|fee| fee.sale_until);
    until.and_then(Moment::start_of).is_some_and(|until| now.days_until(until) <= SALE_ENDS_SOON_DAYS)
}

impl Card {
    /// The card of a tender in a mail with this envelope.
    pub(super) fn new(tender: &Tender, words: &MailTexts, envelope: &Envelope<'_>) -> Self {
        let (base_url, now) = (envelope.base_url, envelope.now);
        let bid = envelope.company.map(|company| bid_sentence(tender, company, words, now));
        let printed = |text: &String| mail_texts::shortened(text, MAX_TEXT_CHARS);
        let district = tender.location.district.map(|district| words.district(district).to_owned());
        // A body often has the name of its place.
        let city = tender.location.city.as_ref().filter(|city| !names(&tender.organization.name, city));
        let district = district.filter(|district| {
            !names(&tender.organization.name, district) && city.is_none_or(|city| !names(city, district))
        });
        let place = [city.map(printed), district];
        let place = place.into_iter().flatten().collect::<Vec<_>>().join(", ");
        let grades: Vec<&str> = tender.cida.iter().map(|cida| cida.grade.as_str()).collect();
        let grades = grades.join(", ");
        let grades = (!grades.is_empty()).then(|| words.tender.cida.with(&[("grades", &grades)]));
        let bond = &tender.financials.bid_bond;
        let bond = bond.amount.map(|amount| {
            let currency = bond.currency.unwrap_or(Currency::LKR);
            words.tender.bid_bond.with(&[("amount", &MailTexts::money(amount.minor(), currency.as_str()))])
        });
        let fee = tender.document_fee.as_ref().and_then(|fee| {
            let amount = MailTexts::money(fee.amount?.minor(), fee.currency.as_str());
            Some(words.tender.fee.with(&[("amount", &amount)]))
        });
        let reference = tender.reference_no.as_ref().map(printed);
        let organization = mail_texts::shortened(&display_title(&tender.organization.name), MAX_TEXT_CHARS);
        let published_by = match PublishedBy::of(tender) {
            PublishedBy::Newspaper => String::new(),
            PublishedBy::Organisation => words.tender.published_by.with(&[("name", &organization)]),
        };
        // After the closing, nobody has to go to an office.
        let closed_offices = tender.dates.closing.filter(|closing| *closing >= now).zip(envelope.offices);
        let closed_offices = closed_offices.map(|(closing, offices)| words.closed_offices(closing, offices));
        let is_open = tender.effective_status(now) == TenderStatus::Published;
        let sale = if is_open { sale_sentence(tender, words, now) } else { None };
        let (pressing, later) = if ends_soon(tender, now) { (sale, None) } else { (None, sale) };
        // An hour such as `3.00 p.m.` keeps its stop.
        let later = later.map(|sale| match sale.ends_with(".m.") {
            true => sale,
            false => sale.trim_end_matches('.').to_owned(),
        });
        let warnings = closed_offices.into_iter().chain(pressing).filter(|text| !text.is_empty());
        let meeting = tender.pre_bid.as_ref().and_then(|meeting| meeting.at).filter(|at| *at > now);
        let meeting = meeting.map(|at| words.tender.pre_bid.with(&[("moment", &words.moment(at))]));
        let is_registration = tender.kind == Kind::Registration;
        // Nobody pays or qualifies for a tender that takes no bids.
        let needs = [grades, bond, fee, later, meeting].into_iter().flatten().filter(|_| is_open);
        Self {
            title: mail_texts::shortened(&display_title(&tender.title), MAX_TITLE_CHARS),
            link: format!("{base_url}/tenders/{}", tender.id),
            bid_link: if is_open { format!("{base_url}/bids?add={}", tender.id) } else { String::new() },
            bid_label: match is_registration {
                true => words.tender.intend_to_register.clone(),
                false => words.tender.intend_to_bid.clone(),
            },
            organization,
            place,
            reference: reference
                .map(|reference| words.tender.reference.with(&[("reference", &reference)]))
                .unwrap_or_default(),
            closing: words.closing_of(now, tender),
            warning: warnings.collect::<Vec<_>>().join(" "),
            needs: needs.collect::<Vec<_>>().join(" · "),
            bid: bid.filter(|_| is_open).unwrap_or_default(),
            uncertain: uncertain_fields::doubt_sentence(tender, words),
            two_closings: words.two_closings(tender),
            published_by,
        }
    }
}

//! The facts of a tender that the pages of buyers and of the market count. What is sorted and listed by a
//! value counts as the listing shows it, with a mark if it is doubtful. Of all other fields, a doubtful one
//! is no fact.

use sha2::{Digest, Sha256};
use tender_model::{
    deduplication::{OWNER, PORTAL},
    tender::{CLOSING, Tender},
    text::normalise,
    vocabulary::{
        Category, Currency, Day, District, Grade, Kind, Moment, OrganizationType, Sector, Visibility,
        gazetteer::body_words,
    },
};

/// The version of the rules. If it changes, the facts of all tenders are derived again.
pub const RULES: i32 = 3;
/// The days from publication to closing that the procurement guidelines require for national bidding.
pub const NATIONAL_DAYS: i16 = 21;
/// The same for international bidding.
pub const INTERNATIONAL_DAYS: i16 = 42;
/// A longer period is a misprint or a standing invitation.
const MAX_NOTICE_DAYS: i32 = 400;
/// A longer slug is cut, and ends with a hash.
const MAX_SLUG_CHARS: usize = 80;

/// A body and the address of its page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyName {
    /// The part of the address that stands for the body.
    pub slug: String,
    /// The name, as printed.
    pub name: String,
}

/// The facts of a tender that everyone may see and that invites bids.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TenderFacts {
    /// The body that invites bids.
    pub body: Option<BodyName>,
    /// The sector.
    pub sector: Option<Sector>,
    /// The category.
    pub category: Option<Category>,
    /// The district.
    pub district: Option<District>,
    /// The contractor grades that are required.
    pub grades: Vec<Grade>,
    /// The first day on which the tender was printed, or published on this portal.
    pub first_day: Option<Day>,
    /// When bids close.
    pub closing: Option<Moment>,
    /// The days from the first print to the closing, if the closing was never changed.
    pub notice_days: Option<i32>,
    /// The days that the procurement guidelines require.
    pub required_days: Option<i16>,
    /// Whether the notice states the procurement method.
    pub is_method_stated: bool,
    /// The bid security in percent.
    pub bond_percentage: Option<f64>,
    /// The bid security in hundredths of rupees.
    pub bond_amount: Option<i64>,
    /// The price of the documents in hundredths of rupees.
    pub fee_amount: Option<i64>,
    /// Which of sector, category, district, grades and closing are not certain, by the name of the field.
    pub doubtful: Vec<&'static str>,
    /// Whether a corrigendum or its owner changed the tender.
    pub is_changed: bool,
    /// By how many days the closing was moved to a later day.
    pub extended_days: Option<i32>,
}

impl TenderFacts {
    /// The facts of a tender. `None`: not everyone may see it, or it does not invite bids.
    #[must_use]
    pub fn of(tender: &Tender) -> Option<Self> {
        let is_invitation = !matches!(tender.kind, Kind::Corrigendum | Kind::Award);
        let is_public = tender.status.is_public() && tender.visibility == Visibility::Public;
        if !is_invitation || !is_public || tender.is_canary() {
            return None;
        }
        let certain = |path: &str| tender.is_certain(path);
        let printed = printed_on(tender);
        let closing = tender.dates.closing.filter(|_| certain(CLOSING));
        let (required_days, is_method_stated) = required_days(tender);
        let mut grades: Vec<Grade> =
            tender.cida.iter().filter_map(|cida| Grade::from_printed(&cida.grade)).collect();
        grades.sort_unstable();
        grades.dedup();
        let bond = Some(&tender.financials.bid_bond).filter(|_| certain("financials.bidBond"));
        let fee = tender.document_fee.as_ref().filter(|_| certain("documentFee"));
        Some(Self {
            body: certain("organization.name").then(|| body_name(&tender.organization.name)).flatten(),
            sector: tender.sector(),
            category: tender.category,
            district: tender.location.district,
            grades,
            doubtful: doubtful_facts(tender),
            first_day: printed.or_else(|| tender.published_at.map(Moment::day)),
            closing: tender.dates.closing,
            notice_days: notice_days(tender, printed, closing),
            required_days,
            is_method_stated,
            bond_percentage: bond
                .and_then(|bond| bond.percentage)
                .filter(|percentage| *percentage > 0.0 && *percentage <= 100.0),
            bond_amount: bond.and_then(|bond| {
                let is_rupees = bond.currency.unwrap_or_default() == Currency::LKR;
                bond.amount.map(|amount| amount.minor()).filter(|amount| is_rupees && *amount > 0)
            }),
            fee_amount: fee
                .filter(|fee| fee.currency == Currency::LKR)
                .and_then(|fee| fee.amount)
                .map(|amount| amount.minor()),
            is_changed: tender.changes.iter().any(|change| is_announced(&change.source, &change.field)),
            extended_days: extended_days(tender),
        })
    }
}

impl TenderFacts {
    /// The days from the notice to the closing and those that the guidelines require, if they are fewer.
    #[must_use]
    pub fn short_notice(&self) -> Option<(i32, i16)> {
        self.notice_days.zip(self.required_days).filter(|(days, required)| *days < i32::from(*required))
    }
}

/// The facts that are not certain.
fn doubtful_facts(tender: &Tender) -> Vec<&'static str> {
    // A registration is in its sector whatever its category.
    let sector = if tender.kind == Kind::Registration { "kind" } else { "category" };
    let facts = [
        ("sector", sector),
        ("category", "category"),
        ("district", "location.district"),
        ("grades", "cida"),
        ("closing", CLOSING),
    ];
    facts.into_iter().filter(|(_, path)| !tender.is_certain(path)).map(|(fact, _)| fact).collect()
}

/// A body by its name. `None`: the name has no words.
#[must_use]
pub fn body_name(name: &str) -> Option<BodyName> {
    body_slug(name).map(|slug| BodyName { slug, name: name.trim().to_owned() })
}

/// The slug of a body. Spellings of a body have the same slug. `None`: the name has no words.
#[must_use]
pub fn body_slug(name: &str) -> Option<String> {
    let words = body_words(name);
    if words.is_empty() {
        return None;
    }
    let slug = words.replace(' ', "-");
    if slug.is_ascii() && slug.len() <= MAX_SLUG_CHARS {
        return Some(slug);
    }
    let digest = Sha256::digest(words.as_bytes());
    let hash: String = digest.iter().take(5).map(|byte| format!("{byte:02x}")).collect();
    let latin: Vec<&str> = words.split(' ').filter(|word| word.is_ascii()).collect();
    let mut start: String = latin.join("-").chars().take(MAX_SLUG_CHARS).collect();
    if start.is_empty() {
        "body".clone_into(&mut start);
    }
    Some(format!("{}-{hash}", start.trim_end_matches('-')))
}

/// The first day on which the notice was printed. A tender that no newspaper printed was published by its
/// owner on this portal.
fn printed_on(tender: &Tender) -> Option<Day> {
    let stated = tender.dates.published.filter(|_| tender.is_certain("dates.published")).map(Moment::day);
    if tender.sources.is_empty() {
        return stated.or_else(|| tender.published_at.map(Moment::day));
    }
    tender.sources.iter().filter_map(|source| source.date).chain(stated).min()
}

/// The days from the first print to the closing. A changed closing has no such period, because the
/// portal does not know whether it read the first notice.
fn notice_days(tender: &Tender, printed: Option<Day>, closing: Option<Moment>) -> Option<i32> {
    if tender.changes.iter().any(|change| change.field == CLOSING) {
        return None;
    }
    let days = (closing?.day() - printed?).get_days();
    (0..=MAX_NOTICE_DAYS).contains(&days).then_some(days)
}

/// The period that the guidelines require, and whether the notice states the method. Private companies
/// and other organisations outside the state are not bound by the guidelines.
fn required_days(tender: &Tender) -> (Option<i16>, bool) {
    let certain = |path: &str| tender.is_certain(path);
    let is_outside =
        matches!(tender.organization.kind, Some(OrganizationType::Private | OrganizationType::Ngo));
    let applies =
        tender.kind == Kind::Purchase && !is_outside && certain("kind") && certain("organization.type");
    let method = tender.method.as_deref().map(normalise).filter(|method| !method.is_empty());
    let is_stated = method.is_some();
    let days = match method {
        _ if !certain("method") => None,
        None => Some(NATIONAL_DAYS),
        Some(method) => {
            let says = |words: &str| format!(" {method} ").contains(&format!(" {words} "));
            if says("icb") || says("international competitive") {
                Some(INTERNATIONAL_DAYS)
            } else if says("ncb") || says("national competitive") {
                Some(NATIONAL_DAYS)
            } else {
                None
            }
        }
    };
    (days.filter(|_| applies), is_stated)
}

/// Whether readers of the notice were told of a change: by a corrigendum, or by the owner if it is about
/// the closing.
fn is_announced(source: &str, field: &str) -> bool {
    source != PORTAL && (source != OWNER || field == CLOSING)
}

fn extended_days(tender: &Tender) -> Option<i32> {
    if !tender.is_certain(CLOSING) {
        return None;
    }
    let moment = |value: &serde_json::Value| serde_json::from_value::<Moment>(value.clone()).ok();
    let mut moves = tender
        .changes
        .iter()
        .filter(|change| change.field == CLOSING && is_announced(&change.source, &change.field));
    let first = moment(&moves.next()?.from)?;
    let days = (tender.dates.closing?.day() - first.day()).get_days();
    (days > 0).then_some(days)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use tender_model::tender::FieldState;

    fn tender(more: serde_json::Value) -> Tender {
        let mut record = json!({"title": "Bridge", "status": "published", "kind": "purchase",
            "organization": {"name": "RDA"}, "category": "Construction",
            "publishedAt": "2026-11-05T09:00:00+05:30", "dates": {"closing": "2026-11-20T14:00:00+05:30"},
            "sources": [{"publication": "A", "date": "2026-11-04"}, {"publication": "B", "date": "2026-11-02"}]});
        for (field, value) in more.as_object().unwrap() {
            record[field] = value.clone();
        }
        serde_json::from_value(record).unwrap()
    }

    fn facts(more: serde_json::Value) -> TenderFacts {
        TenderFacts::of(&tender(more)).unwrap()
    }

    #[test]
    fn the_period_begins_with_the_first_print() {
        let facts = facts(json!({}));
        assert_eq!((facts.notice_days, facts.required_days), (Some(18), Some(21)));
        assert_eq!(facts.short_notice(), Some((18, 21)));
        assert!(!facts.is_method_stated);
        assert_eq!(facts.body.unwrap().slug, "road-development-authority");
    }

    #[test]
    fn doubtful_fields_are_no_facts() {
        for (path, is_empty) in [
            ("dates.closing", (|facts| facts.notice_days.is_none()) as fn(&TenderFacts) -> bool),
            ("organization.name", |facts| facts.body.is_none()),
            ("method", |facts| facts.required_days.is_none()),
            ("kind", |facts| facts.required_days.is_none()),
        ] {
            let mut doubtful = tender(json!({}));
            doubtful.field_states = Some([(path.to_owned(), FieldState::Doubtful)].into());
            assert!(is_empty(&TenderFacts::of(&doubtful).unwrap()), "{path}");
        }
    }

    #[test]
    fn what_the_listing_shows_counts_with_a_mark_if_it_is_doubtful() {
        for (path, kind, marks) in [
            ("category", "purchase", &["sector", "category"][..]),
            ("category", "registration", &["category"]),
            ("kind", "registration", &["sector"]),
            ("location.district", "purchase", &["district"]),
            ("cida.0.grade", "purchase", &["grades"]),
            ("dates", "purchase", &["closing"]),
        ] {
            let mut doubtful = tender(json!({"kind": kind}));
            doubtful.field_states = Some([(path.to_owned(), FieldState::Doubtful)].into());
            let facts = TenderFacts::of(&doubtful).unwrap();
            assert_eq!(facts.doubtful, marks, "{path} of a {kind}");
            assert_eq!((facts.sector, facts.closing), (doubtful.sector(), doubtful.dates.closing));
        }
        assert!(facts(json!({})).doubtful.is_empty());
    }

    #[test]
    fn the_method_rules_the_required_days() {
        for (method, days) in [
            ("International Competitive Bidding (ICB)", Some(42)),
            ("NCB", Some(21)),
            ("National competitive bidding", Some(21)),
            ("shopping", None),
        ] {
            assert_eq!(facts(json!({"method": method})).required_days, days, "{method}");
        }
        let private = json!({"organization": {"name": "Mills", "type": "private"}});
        assert_eq!(facts(private).required_days, None);
        assert_eq!(facts(json!({"kind": "sale"})).required_days, None);
    }

    #[test]
    fn an_extended_tender_has_no_period() {
        let change = |source: &str| {
            json!({"changes": [{"at": "2026-11-10T09:00:00+05:30", "field": "dates.closing",
                "from": "2026-11-15T14:00:00+05:30", "to": "2026-11-20T14:00:00+05:30", "source": source}]})
        };
        let extended = facts(change("Daily Lanka, 2026-11-10"));
        assert_eq!((extended.notice_days, extended.extended_days), (None, Some(5)));
        assert!(extended.is_changed);
        assert!(!facts(change(PORTAL)).is_changed);
    }

    #[test]
    fn hidden_tenders_have_no_facts() {
        for hidden in [
            json!({"status": "withdrawn"}),
            json!({"status": "draft"}),
            json!({"visibility": "premium"}),
            json!({"kind": "corrigendum"}),
        ] {
            assert_eq!(TenderFacts::of(&tender(hidden.clone())), None, "{hidden}");
        }
    }

    #[test]
    fn spellings_with_signs_and_short_forms_have_one_slug() {
        for (name, other) in [
            ("Ministry of Health & Nutrition", "Ministry of Health and Nutrition"),
            ("Lanka Mills (Pvt) Ltd.", "LANKA MILLS (PRIVATE) LIMITED"),
            ("Dept. of Agriculture", "Department of Agriculture"),
        ] {
            assert_eq!(body_slug(name), body_slug(other), "{name}");
        }
        assert_eq!(body_slug("Health & Nutrition").unwrap(), "health-and-nutrition");
    }

    #[test]
    fn a_slug_is_short_and_stable() {
        let long = body_slug(&"Provincial Council of the ".repeat(9)).unwrap();
        assert!(long.len() <= 100 && long.starts_with("provincial-council-of-the-"), "{long}");
        let native = body_slug("ගනේවත්ත නගර සභාව").unwrap();
        assert!(native.starts_with("body-") && native.is_ascii(), "{native}");
        assert_ne!(native, body_slug("சாய்ந்தமருது நகர சபை").unwrap());
        assert_eq!(body_slug("නගර සභාව").unwrap(), "urban-council", "the gazetteer has this name");
        assert_eq!(body_slug("RDA").unwrap(), "road-development-authority");
        assert_eq!(body_slug("—"), None);
    }
}

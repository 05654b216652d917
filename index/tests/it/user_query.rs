//! Typed search on a small index in three scripts: fields, typing errors, other scripts, references
//! and order.

use crate::support::{Engine, EngineGuard, index_of, now, tenders_from};
use index::{Listing, ListingRequest, Viewer};
use rstest::rstest;
use serde_json::json;
use std::{collections::BTreeSet, sync::LazyLock};
use tender_model::{tender::Tender, vocabulary::Visibility};

static INDEX: LazyLock<(EngineGuard, Engine)> = LazyLock::new(|| index_of(&tenders(), 4));

fn tenders() -> Vec<Tender> {
    let tenders = [
        json!({"title": "Construction of a bridge at Kandy", "category": "Construction", "referenceNo": "RDA/S/10/24-7",
            "organization": {"name": "Road Development Authority"}, "location": {"province": "Central", "district": "Kandy"},
            "dates": {"closing": "2026-12-01T10:00:00+05:30"}, "publishedAt": "2026-11-20T08:00:00+05:30", "language": "en",
            "financials": {"estimatedValue": {"amount": 27.9}}, "cida": [{"grade": "C5"}]}),
        json!({"title": "Supply of desktop computers and laptops", "category": "Computers & Laptops",
            "referenceNo": "DSO.MT.2021/11/PRO/05", "organization": {"name": "Divisional Secretariat Office, Matale"},
            "location": {"district": "Matale", "city": "Matale"}, "dates": {"closing": "2026-12-24T10:00:00+05:30"},
            "publishedAt": "2026-11-18T08:00:00+05:30", "language": "en",
            "financials": {"estimatedValue": {"amount": 0.5}}}),
        json!({"title": "ග්‍රාමීය මාර්ග කොන්ක්‍රීට් කිරීම", "description": "කුරුණෑගල දිස්ත්‍රික්කයේ මාර්ග", "language": "si",
            "organization": {"name": "මාර්ග සංවර්ධන අධිකාරිය"}, "publishedAt": "2026-11-19T08:00:00+05:30",
            "dates": {"closing": "2026-11-30T10:00:00+05:30"}}),
        json!({"title": "வைத்தியசாலை கட்டிடம் திருத்துதல்", "description": "யாழ்ப்பாணத்தில் உள்ள வைத்தியசாலை", "language": "ta",
            "organization": {"name": "மாகாண சுகாதார சேவைகள் திணைக்களம்"}, "publishedAt": "2026-11-17T08:00:00+05:30"}),
        json!({"title": "Auction of used vehicles", "kind": "sale", "description": "Held near the bridge of Jaffna",
            "organization": {"name": "Ceylon Electricity Board"}, "publishedAt": "2026-11-16T08:00:00+05:30",
            "dates": {"closing": "2026-11-19T10:00:00+05:30"}}),
        json!({"title": "Repairs to generators", "description": "Of the computer room", "referenceNo": "DSO.MT.2021/12/PRO/06",
            "organization": {"name": "Ceylon Electricity Board"}, "publishedAt": "2026-11-15T08:00:00+05:30",
            "status": "cancelled", "financials": {"estimatedValue": {"amount": 3, "currency": "USD"}}}),
    ];
    tenders_from(tenders)
}

fn search(text: &str) -> Listing {
    let request = ListingRequest { text: Some(text.to_owned()), limit: 100, ..ListingRequest::default() };
    INDEX.1.listing(&request, now()).unwrap()
}

fn ids(listing: &Listing) -> Vec<u128> {
    listing.tenders.iter().map(|tender| tender.id().as_u128()).collect()
}

#[rstest]
// Fields.
#[case("org:rda", &[1, 3])]
#[case("org:\"ceylon electricity\"", &[5, 6])]
#[case("org:bridge", &[])]
#[case("title:bridge", &[1])]
#[case("ref:2021", &[2, 6])]
#[case("district:Kandy", &[1])]
#[case("district:மாத்தளை", &[2])]
#[case("province:central", &[1, 2])]
#[case("city:MATALE", &[2])]
#[case("category:construction", &[1])]
#[case("sector:it", &[2])]
#[case("kind:sale", &[5])]
#[case("lang:si OR lang:ta", &[3, 4])]
#[case("grade:c5", &[1])]
#[case("status:live", &[1, 2, 3, 4])]
#[case("status:closed", &[5, 6])]
#[case("status:cancelled", &[6])]
#[case("status:today", &[1])]
#[case("closing<2026-12-01", &[3, 5])]
#[case("closing<=2026-12-01", &[1, 3, 5])]
#[case("closing:2026-12-01..2026-12-24", &[1, 2])]
#[case("published>=2026-11-19", &[1, 3])]
#[case("value>5", &[1, 6])]
#[case("value<=0.5", &[2, 6])]
#[case("bridge district:Kandy", &[1])]
#[case("bridge -district:Kandy", &[5])]
#[case("-status:closed -lang:si", &[1, 2, 4])]
#[case("generators OR district:Matale", &[2, 6])]
#[case("bridge OR computers electricity", &[5, 6])]
// Stop words exclude nothing, unless they are quoted.
#[case("construction of the bridge", &[1])]
#[case("\"construction of the bridge\"", &[])]
// Other scripts.
#[case("kurunegala", &[3])]
#[case("யாழ்ப்பாணம்", &[4, 5])]
#[case("යාපනය", &[4, 5])]
#[case("jaffna", &[4, 5])]
#[case("road development authority", &[1, 3])]
#[case("RDA", &[1, 3])]
#[case("மாகாண சுகாதார சேவைகள் திணைக்களம்", &[4])]
#[case("provincial department of health services", &[4])]
#[case("\"jaffna\"", &[5])]
// References.
#[case("DSO.MT.2021/11/PRO/05", &[2])]
#[case("dso mt 2021 11", &[2])]
#[case("DSO/MT/2021-11", &[2])]
#[case("dsomt202111", &[2])]
#[case("DSOMT2021", &[2, 6])]
#[case("dso-mt2021", &[2, 6])]
#[case("dsomt 202111 pro05", &[2])]
#[case("2021/11/PRO", &[2])]
#[case("rda s 10", &[1])]
#[case("dsomt202113", &[])]
fn typed_text_finds_the_expected_tenders(#[case] text: &str, #[case] expected: &[u128]) {
    let listing = search(text);
    let found: BTreeSet<u128> = ids(&listing).into_iter().collect();
    assert_eq!(found, expected.iter().copied().collect());
    assert_eq!(listing.did_you_mean, None);
    assert!(!listing.has_most_words);
}

#[rstest]
#[case("brigde", "bridge", &[1, 5])]
#[case("Kurunegla", "kurunegala", &[3])]
#[case("xridge kandy", "bridge kandy", &[1])]
#[case("elctricty bridge", "electricity bridge", &[5])]
#[case("\"computer room\" generatros", "\"computer room\" generators", &[6])]
#[case("desktopcomputers", "desktop computers", &[2])]
#[case("වෛත්‍යසාලා OR bridge", "", &[1, 5])]
#[case("வைத்தியசலை", "வைத்தியசாலை", &[4])]
#[case("org:electricty", "org:electricity", &[5, 6])]
#[case("brdge", "bridge", &[1, 5])]
#[case("brgde", "", &[])]
#[case("rod", "", &[])]
#[case("\"brigde\"", "", &[])]
#[case("-brigde", "", &[1, 2, 3, 4, 5, 6])]
fn typos_are_corrected_and_reported(#[case] text: &str, #[case] meant: &str, #[case] expected: &[u128]) {
    let listing = search(text);
    assert_eq!(listing.did_you_mean.as_ref().map_or("", |meant| &meant.text), meant);
    let found: BTreeSet<u128> = ids(&listing).into_iter().collect();
    assert_eq!(found, expected.iter().copied().collect());
}

#[test]
fn corrections_are_listed() {
    let changes = search("brigde at kandy for compuetrs").did_you_mean.unwrap().changes;
    let changes: Vec<_> = changes.iter().map(|change| (change.from.as_str(), change.to.as_str())).collect();
    assert_eq!(changes, [("brigde", "bridge"), ("compuetrs", "computers")]);
}

#[test]
fn tenders_with_most_words_are_found_if_none_has_all() {
    let listing = search("construction of a steel bridge");
    assert!(listing.has_most_words);
    assert_eq!(ids(&listing), [1]);
    let listing = search("steel girders");
    assert!(!listing.has_most_words);
    assert_eq!(ids(&listing), Vec::<u128>::new());
    // Quoted words, exclusions and field conditions are always required.
    assert_eq!(ids(&search("construction bridge steel -kandy")), [5]);
    assert_eq!(ids(&search("construction bridge steel -kandy -jaffna")), Vec::<u128>::new());
    assert_eq!(ids(&search("construction bridge steel kind:award")), Vec::<u128>::new());
}

#[rstest]
#[case("computers", &[2, 6])]
#[case("bridge", &[1, 5])]
#[case("dso mt 2021 12", &[6])]
fn better_matches_rank_first(#[case] text: &str, #[case] expected: &[u128]) {
    assert_eq!(ids(&search(text)), expected);
}

#[test]
fn corrections_reveal_no_words_of_locked_tenders() {
    let tenders = tenders_from([
        json!({"title": "Supply of chairs", "description": "Ask wickramaxinghe", "visibility": "premium",
            "publishedAt": "2026-11-20T08:00:00+05:30"}),
        json!({"title": "Supply of tables", "description": "Delivered to the warehouse",
            "publishedAt": "2026-11-20T08:00:00+05:30"}),
        json!({"title": "Supply of lamps", "description": "With polycarbonate covers",
            "publishedAt": "2026-01-20T08:00:00+05:30"}),
    ]);
    let (_folder, store) = index_of(&tenders, 2);
    let guest = Viewer::Limited {
        visibility: Visibility::Public,
        since: Some("2026-11-01T00:00:00+05:30".parse().unwrap()),
        account: None,
    };
    let search = |viewer: Viewer, text: &str| {
        let request =
            ListingRequest { text: Some(text.to_owned()), limit: 10, viewer, ..ListingRequest::default() };
        store.listing(&request, now()).unwrap()
    };
    let meant = |viewer: Viewer, text: &str| search(viewer, text).did_you_mean.map(|meant| meant.text);
    for (text, corrected, is_readable) in [
        ("wickramaxingha", "wickramaxinghe", false),
        ("polycarbonale", "polycarbonate", false),
        ("warehuose", "warehouse", true),
        ("cahirs", "chairs", true),
    ] {
        assert_eq!(meant(Viewer::Unlimited, text).as_deref(), Some(corrected));
        assert_eq!(meant(guest, text).as_deref(), is_readable.then_some(corrected), "{text}");
    }
    // A word of a locked tender is treated like a word of no tender: it does not decide how many
    // words a tender must have.
    for text in ["chairs wickramaxinghe", "chairs zygotexylophon"] {
        let found = search(guest, text);
        assert_eq!((found.total, found.has_most_words), (1, true), "{text}");
    }
}

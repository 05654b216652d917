use super::*;
use tender_model::{
    tender::{IS_NOTICE, Organization},
    vocabulary::Category,
};

fn region(area: PageBox, is_notice: bool) -> TruthRegion {
    let fields = Fields {
        title: Some("Repair of roads".into()),
        organisation: Some("Galle Municipal Council".into()),
        document_fee: Some(500.0),
        ..Fields::default()
    };
    TruthRegion {
        id: "n".into(),
        is_notice,
        language: "en".into(),
        corners: Some([[0.0; 2]; 4]),
        area,
        text: "Repair of roads".into(),
        fields,
    }
}

fn block(area: PageBox, tender: Option<Tender>) -> ReadClip {
    ReadClip { area, text: "Repair  of\nroad".into(), tender: tender.map(Box::new) }
}

#[test]
fn found_right_missed_and_wrong_values_are_counted() {
    let mut read = Tender {
        title: "REPAIR OF ROADS".into(),
        organization: Organization { name: "Matara".into(), ..Organization::default() },
        reference_no: Some("A/1".into()),
        ..Tender::default()
    };
    read.confidence = [("title", 0.9), ("organization.name", 0.95), ("referenceNo", 0.5)]
        .map(|(path, sure)| (path.to_owned(), sure))
        .into();
    let regions = [
        region([0.0, 0.0, 0.5, 0.5], true),
        region([0.5, 0.0, 0.5, 0.5], true),
        region([0.0, 0.5, 0.5, 0.5], false),
    ];
    let blocks = [
        block([0.0, 0.0, 0.5, 0.45], Some(read)),
        block([0.5, 0.0, 0.5, 0.3], None),
        block([0.0, 0.5, 0.5, 0.5], None),
        block([0.9, 0.9, 0.1, 0.1], None),
    ];
    let mut scores = Scores::default();
    scores.add_page(&regions, &blocks);
    assert_eq!((scores.notices, scores.found_loosely, scores.found_strictly), (2, 2, 1));
    assert_eq!((scores.clips, scores.clips_right), (4, 2));
    assert_eq!((scores.judged, scores.judged_rightly), (3, 2));
    assert_eq!(scores.letter_errors["en"], [1.0 / 15.0, 1.0 / 15.0]);
    let field = |name: &str| scores.fields[name];
    assert_eq!((field("title").right, field("title").missed), (1, 1));
    let organisation = FieldScore { right: 0, wrong: 1, missed: 2, certain: 1, certain_and_wrong: 1 };
    assert_eq!(field("organisation"), organisation);
    assert_eq!((field("reference").wrong, field("reference").missed), (1, 0));
    assert_eq!(field("document fee").missed, 2);
    assert_eq!(field("title").f1(), Some(2.0 / 3.0));
    assert_eq!(field("CIDA grade").f1(), None);
    assert_eq!((field("title").certain_and_right(), scores.key_fields().certain), (1, 2));
    assert_eq!(
        scores.certain_errors,
        ["n: organisation is `Galle Municipal Council`, read `Matara`, certain"]
    );
    assert_eq!(
        scores.field_errors[..2],
        [
            "n: organisation is `Galle Municipal Council`, read `Matara`, certain",
            "n: reference is nothing, read `A/1`"
        ]
    );
    assert_eq!(scores.doubted, Vec::<String>::new(), "the only right value is certain");
    let mut twice = scores.clone();
    twice.add(&scores);
    assert_eq!((twice.pages, twice.all_fields().missed), (2, 2 * scores.all_fields().missed));
}

#[test]
fn published_notices_are_counted_by_language() {
    let notice = |day: &str, sure: Option<f64>| {
        let mut tender = Tender { title: "Repair".into(), ..Tender::default() };
        tender.dates.closing = format!("{day}T14:00:00+05:30").parse().ok();
        tender.confidence = sure.map(|sure| (IS_NOTICE.to_owned(), sure)).into_iter().collect();
        tender
    };
    let mut regions: Vec<TruthRegion> =
        (0..4).map(|nth| region([f64::from(nth) / 4.0, 0.0, 0.2, 0.5], nth < 3)).collect();
    for region in &mut regions {
        region.fields.closing_date = Some("2028-04-09".into());
    }
    let blocks = [
        block(regions[0].area, Some(notice("2028-04-09", None))),
        block(regions[1].area, Some(notice("2028-04-19", None))),
        block(regions[2].area, Some(notice("2028-04-09", Some(0.6)))),
        block(regions[3].area, Some(notice("2028-04-09", None))),
        block([0.0, 0.0, 0.05, 0.05], Some(notice("2028-04-09", None))),
        block([0.9, 0.9, 0.05, 0.05], Some(notice("2028-04-09", None))),
    ];
    let mut scores = Scores::default();
    scores.add_page(&regions, &blocks);
    let expected = PublishedScore { notices: 3, published: 2, with_closing: 3, right_day: 1 };
    assert_eq!((scores.published["en"], scores.all_published()), (expected, expected));
    assert_eq!((scores.published_clips, scores.published_in_part), (5, 1));
    assert_eq!(scores.published_wrongly, ["n: `Repair`", "no region: `Repair`"]);
    scores.add(&scores.clone());
    assert_eq!((scores.all_published().right_day, scores.published_wrongly.len()), (2, 4));
}

#[test]
fn a_category_matches_a_rough_category_that_covers_it() {
    assert_eq!(rough_category(Category::Vehicles, Some("goods")), "goods");
    assert_eq!(rough_category(Category::Vehicles, Some("works")), "Vehicles");
}

#[test]
fn a_day_without_a_time_is_compared_as_a_day() {
    let mut scores = Scores::default();
    let truth = Fields { closing_date: Some("2028-04-09".into()), ..Fields::default() };
    let mut read = Tender::default();
    read.dates.closing = "2028-04-09T23:59:59+05:30".parse().ok();
    scores.add_fields(&truth, &read);
    read.confidence.insert("dates.closing".into(), 0.7);
    scores.add_fields(&truth, &read);
    assert_eq!(scores.doubted, ["closing is `2028-04-09` and was read correctly, but is doubtful (0.7)"]);
    scores.add_fields(&Fields { closing_time: Some("10:00".into()), ..truth }, &read);
    let closing = scores.fields["closing"];
    assert_eq!((closing.right, closing.wrong), (2, 1));
}

#[test]
fn overlap_is_intersection_over_union() {
    assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 1.0]), 1.0);
    assert_eq!(overlap([0.0, 0.0, 0.5, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.0);
    assert_eq!(overlap([0.0, 0.0, 1.0, 1.0], [0.5, 0.0, 0.5, 1.0]), 0.5);
    assert_eq!(overlap([0.0; 4], [0.0; 4]), 0.0);
}

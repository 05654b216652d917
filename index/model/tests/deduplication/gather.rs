//! Tests of grouping many notices.

use super::*;
use proptest::prelude::*;
use tender_model::deduplication::{Doubt, Role, gather};

/// The role and index of each notice of a tender, and its doubt.
type GroupSummary = (Vec<(Role, usize)>, Option<Doubt>);

/// Groups notices and reduces the result to roles and doubts.
fn group_summaries(notices: &[Tender]) -> Vec<GroupSummary> {
    let notices: Vec<Tender> =
        (1..).zip(notices).map(|(id, notice)| Tender { id: Uuid::from_u128(id), ..notice.clone() }).collect();
    let found = gather(&notices, moment("2026-11-20T08:00:00"));
    found.into_iter().map(|one| (one.notices, one.doubt.map(|(doubt, _)| doubt))).collect()
}

fn another() -> Tender {
    printed("2026-11-20", |n| {
        n.title = "Supply of surgical gloves".into();
        n.organization.name = "State Pharmaceuticals Corporation".into();
        set_reference(n, "SPC/2026/9");
    })
}

#[test]
fn prints_and_corrigenda_join_their_tender_in_any_order() {
    let late = corrigendum("2026-12-10", |_| {});
    let found = group_summaries(&[late.clone(), printed("2026-11-27", |_| {}), another(), notice()]);
    let whole = vec![(Role::Original, 3), (Role::Source, 1), (Role::Correction, 0)];
    assert_eq!(found, [(vec![(Role::Original, 2)], None), (whole, None)]);
    // A corrigendum printed before its tender is applied once the tender is known.
    let early = group_summaries(&[corrigendum("2026-11-18", |_| {}), notice()]);
    assert_eq!(early, [(vec![(Role::Original, 1), (Role::Correction, 0)], None)]);
}

#[test]
fn a_doubtful_notice_is_a_tender_of_its_own() {
    let other_closing = printed("2026-11-27", |n| set_closing(n, "2026-12-18T14:00:00"));
    let found = group_summaries(&[
        notice(),
        other_closing,
        corrigendum("2026-12-10", |n| set_reference(n, "CEB/1/2026/77")),
    ]);
    let alone = |nth| vec![(Role::Original, nth)];
    assert_eq!(
        found,
        [(alone(0), None), (alone(1), Some(Doubt::PossiblePrint)), (alone(2), Some(Doubt::NoTender))]
    );
}

#[test]
fn many_similar_titles_do_not_hide_a_match() {
    let section = |nth: usize| {
        printed("2026-11-20", |n| {
            n.title = format!("Rehabilitation of the Canal Road, section {nth}");
            set_reference(n, &format!("RDA/SP/2026/{}", 1000 + nth));
        })
    };
    let mut notices: Vec<Tender> = (0..100).map(section).collect();
    notices.push(printed("2026-11-27", |n| *n = Tender { sources: n.sources.clone(), ..section(71) }));
    let found = group_summaries(&notices);
    assert_eq!(found.len(), 100);
    assert_eq!(found[71].0, [(Role::Original, 71), (Role::Source, 100)]);
}

proptest! {
    #[test]
    fn the_input_order_does_not_matter(order in Just(vec![0usize, 1, 2, 3, 4]).prop_shuffle()) {
        let notices = [
            notice(),
            printed("2026-11-27", |_| {}),
            corrigendum("2026-12-01", |n| set_closing(n, "2026-12-22T14:00:00")),
            corrigendum("2026-12-10", |_| {}),
            printed("2026-11-23", |n| *n = another()),
        ];
        let grouped = |order: &[usize]| {
            let given: Vec<Tender> = order
                .iter()
                .map(|nth| Tender { id: Uuid::from_u128(*nth as u128 + 1), ..notices[*nth].clone() })
                .collect();
            let mut tenders: Vec<Tender> =
                gather(&given, moment("2026-11-20T08:00:00")).into_iter().map(|one| one.tender).collect();
            tenders.sort_by_key(|tender| tender.id);
            tenders
        };
        prop_assert_eq!(grouped(&order), grouped(&[0, 1, 2, 3, 4]));
        prop_assert_eq!(grouped(&order).len(), 2);
    }
}

//! Tests the reader on decisions that are written for it.

use super::*;

fn decision(title: &str, details: &str) -> Decision {
    let line = serde_json::json!({"key": "2018-01-02-001-aaaa", "title": title, "date_str": "2018-01-02",
        "decision_num": 1, "source_url": "https://example.org/1", "decision_details": details});
    Decision::parse(line.to_string().as_bytes()).unwrap()
}

/// The winners, amounts and lots of a text.
fn read(details: &str) -> Vec<(Vec<String>, Vec<f64>, Option<String>)> {
    let read = read_awards(&decision("A bridge", details));
    let row = |award: Award| {
        let names = award.winners.into_iter().map(|winner| winner.name).collect();
        let amounts = award.amounts.iter().map(|amount| amount.amount.number()).collect();
        (names, amounts, award.lot.map(|lot| lot.name))
    };
    read.map_or_else(Vec::new, |read| read.awards.into_iter().map(row).collect())
}

#[test]
fn an_award_is_read_with_its_passages() {
    let text = "- The proposal made by Hon. A. Perera, the Minister of Roads and Highways, to award the \
        contract to M/s Example Builders (Pvt.) Ltd., for a sum of Rs. 12.5 million excluding VAT, as \
        recommended, was approved by the Cabinet.";
    let read = read_awards(&decision("A bridge RDA/NCB/2017/12", text)).unwrap();
    assert_eq!(read.check(), Ok(()));
    assert_eq!(read.references, ["RDA/NCB/2017/12"]);
    let body = read.body.unwrap();
    assert_eq!(body.name, "Ministry of Roads and Highways");
    let award = &read.awards[0];
    assert_eq!(award.winners[0].name, "Example Builders (Pvt.) Ltd");
    assert_eq!(award.taxes, Some(tender_model::award::Taxes::Excluded));
    for passage in [&body.passage, &award.winners[0].passage, &award.amounts[0].passage] {
        assert_eq!(&text[passage.start as usize..passage.end as usize], passage.words);
    }
    assert_eq!(award.amounts[0].passage.words, "Rs. 12.5 million");
}

#[test]
fn each_lot_of_a_sentence_has_its_amount() {
    let text = "- The proposal made by the Minister of Roads to award the contracts for a bridge to M/s One \
        Ltd. for a sum of Rs. 1 million, and a road to M/s Two PLC for a sum of Rs. 2 million, was approved \
        by the Cabinet.";
    assert_eq!(
        read(text),
        [(vec!["One Ltd".into()], vec![1e6], None), (vec!["Two PLC".into()], vec![2e6], None)]
    );
}

#[test]
fn the_lines_of_a_list_are_lots() {
    let text = "- The proposal made by the Minister of Roads to award the contracts as follows, was approved \
        by the Cabinet.\n\n* Bridge to M/s One Ltd. for a sum of Rs. 1 million\n\n* Road to M/s Two PLC";
    let read = read(text);
    assert_eq!(read.len(), 2);
    assert_eq!((read[0].0[0].as_str(), read[0].1.as_slice()), ("One Ltd", [1e6].as_slice()));
    assert_eq!((read[1].0[0].as_str(), read[1].2.as_deref()), ("Two PLC", Some("Road to M/s Two PLC")));
}

#[test]
fn a_recommended_winner_is_taken_where_the_proposal_refers_to_it() {
    let text = "- The Committee has recommended to award the relevant procurement to M/s One Ltd., India. \
        Accordingly, the proposal made by the Minister of Health to award the said procurement, was approved \
        by the Cabinet.";
    assert_eq!(read(text), [(vec!["One Ltd".into()], vec![], None)]);
}

#[test]
fn other_decisions_have_no_award() {
    for text in [
        "- The proposal made by the Minister of Health to invite bids for 10 vials, was approved by the Cabinet.",
        "- The proposal made by the Minister of Health to award the tender to the lowest bidder, was approved.",
        "- The proposal made by the Minister of Roads to award the contract for rails to the Sri Lanka Railway \
         Department, was approved by the Cabinet.",
        "- The contract was awarded to M/s One Ltd. The proposal to extend it, was approved by the Cabinet.",
    ] {
        assert_eq!(read(text), [], "{text}");
    }
}

#[test]
fn a_partner_that_is_not_read_leaves_the_winner_out() {
    let text = "- The proposal made by the Minister of Roads to award the contract to M/s One Ltd. in joint \
        venture with Two and others, for a sum of Rs. 2 million, was approved by the Cabinet.";
    assert_eq!(read(text), [(vec![], vec![2e6], None)]);
}

#[test]
fn a_wrong_line_is_refused() {
    for line in ["", "{}", "[1]", "{\"key\":1}"] {
        assert!(Decision::parse(line.as_bytes()).is_err(), "{line}");
    }
    assert!(matches!(Decision::parse(&[0xff, 0xfe]), Err(DecisionError::Encoding)));
    assert!(matches!(Decision::parse(&vec![b' '; MAX_LINE_BYTES + 1]), Err(DecisionError::TooLong)));
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_fail(text in "(?s)([-a-zA-Z0-9 .,()*$\n]|to award |M/s |Ltd|was approved|proposal |Rs\\. ?|million|é|අ|following ){0,120}") {
        if let Some(read) = read_awards(&decision("T", &format!("x{text}"))) {
            for award in &read.awards {
                for passage in award.winners.iter().map(|name| &name.passage)
                    .chain(award.amounts.iter().map(|amount| &amount.passage)) {
                    proptest::prop_assert_eq!(&format!("x{text}")[passage.start as usize..passage.end as usize], &passage.words);
                }
            }
        }
    }
}

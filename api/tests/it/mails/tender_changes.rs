//! Mails about changes of matched and saved tenders.

use super::{
    CLOSING, NIMAL, count, create_subscriber, move_closing, publish_revision, publish_tender, read_mails,
    save_alert, set_clock, start_portal, subjects, wait_until_matched, wait_until_settled,
};
use api::storage::saved_tenders;
use axum::http::Method;
use serde_json::json;
use tender_model::vocabulary::TenderStatus;

#[tokio::test(flavor = "multi_thread")]
async fn change_is_mailed_once_at_the_alert_frequency() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let at_once = save_alert(&owner, "At once", "bridge", json!({})).await;
    save_alert(&owner, "Weekly", "bridge", json!({"frequency": "weekly"})).await;
    let mut tender = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    let mut other = publish_tender(&portal, "Bridge that does not belong", CLOSING).await;
    wait_until_matched(&portal).await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await.len(), 2, "one immediate mail and one digest");
    let owner = portal.sign_in("nimal").await;
    let mark = format!("{at_once}/matches/{}/irrelevance", other.id);
    owner.send(owner.request(Method::PUT, &mark), Method::PUT, &mark).await.expect(200);
    owner.put(&at_once, &json!({"name": "At once", "keywords": [{"term": "zebra"}]})).await.expect(200);

    // A new description and a change of a tender that is marked as irrelevant cause no mail.
    tender.description = "Longer now.".into();
    publish_revision(&portal, &tender).await;
    move_closing(&portal, &mut tender, "2026-12-27T14:00:00+05:30").await;
    move_closing(&portal, &mut other, "2026-12-28T14:00:00+05:30").await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    let change_mails = |mails: &[(String, String)]| {
        let mut changed: Vec<_> =
            mails.iter().filter(|(subject, _)| !subject.contains("new tender")).cloned().collect();
        changed.sort();
        changed
    };
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0].0, "Closing date changed: Bridge at Hatton");
    assert!(
        mails[0].1.contains("was Sun 20 Dec 2026, 2.00 p.m., now Sun 27 Dec 2026, 2.00 p.m. (34 days left)"),
        "{}",
        mails[0].1
    );
    tender.status = TenderStatus::Cancelled;
    publish_revision(&portal, &tender).await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(
        mails.iter().map(|(subject, _)| subject.as_str()).collect::<Vec<_>>(),
        ["Cancelled: Bridge at Hatton", "Closing date changed: Bridge at Hatton"]
    );
    // The weekly digest lists each tender once, with the change from the last mailed state to the
    // current one.
    set_clock(&portal, "2026-11-30T09:00:00+05:30").await;
    wait_until_settled(&portal).await;
    let mails = change_mails(&read_mails(&portal, NIMAL));
    assert_eq!(mails.len(), 3, "{mails:?}");
    assert_eq!(mails[0].0, "2 changed tenders: Cancelled: Bridge at Hatton and 1 more");
    assert_eq!(count(&portal, "select count(*) from match").await, 4, "a change is not a match");
}

#[tokio::test(flavor = "multi_thread")]
async fn change_before_the_first_mail_updates_the_item() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    save_alert(&owner, "Weekly", "bridge", json!({"frequency": "weekly"})).await;
    let mut tender = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    let mut gone = publish_tender(&portal, "Bridge that is taken down", CLOSING).await;
    wait_until_matched(&portal).await;
    move_closing(&portal, &mut tender, "2026-12-27T14:00:00+05:30").await;
    gone.status = TenderStatus::Withdrawn;
    publish_revision(&portal, &gone).await;
    set_clock(&portal, "2026-11-23T09:00:00+05:30").await;
    assert_eq!(subjects(&portal, NIMAL).await, ["New tender: Bridge at Hatton (34 days left)"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn change_of_a_saved_tender_is_mailed_once() {
    let portal = start_portal().await;
    let owner = create_subscriber(&portal, "nimal", "professional").await;
    let mut saved = publish_tender(&portal, "Bridge at Hatton", CLOSING).await;
    owner.put(&format!("/saved/tenders/{}", saved.id), &json!({})).await.expect(200);
    portal.advance(1);
    move_closing(&portal, &mut saved, "2026-12-27T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await, ["Closing date changed: Bridge at Hatton"]);
    // If an immediate alert matches a saved tender, a change still causes only one mail.
    save_alert(&owner, "At once", "road", json!({})).await;
    let mut both = publish_tender(&portal, "Road to Galle", CLOSING).await;
    owner.put(&format!("/saved/tenders/{}", both.id), &json!({})).await.expect(200);
    wait_until_matched(&portal).await;
    portal.advance(60);
    wait_until_settled(&portal).await;
    move_closing(&portal, &mut both, "2026-12-27T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(
        subjects(&portal, NIMAL)
            .await
            .iter()
            .filter(|subject| subject.ends_with("changed: Road to Galle"))
            .count(),
        1
    );
    // With several shards of alerts, those who saved a tender are told last. The alert's message has
    // then left already, and still counts.
    let (changes, now) = ([(saved.id, 2), (both.id, 2)], portal.state.clock.now());
    let mut connection = portal.state.db.acquire().await.unwrap();
    let items = saved_tenders::change_items(&mut connection, &changes, now).await.unwrap();
    let told: Vec<_> = items.iter().map(|item| item.tender_id).collect();
    assert_eq!(told, [saved.id]);
    // The unsubscribe link in the mail switches off mails about saved tenders.
    let mail =
        read_mails(&portal, NIMAL).into_iter().find(|(_, text)| text.contains("saved tenders")).unwrap().1;
    let link = mail.split_whitespace().find(|word| word.contains("/unsubscribe/")).unwrap().to_owned();
    let path = link.split_once("/unsubscribe").map(|(_, rest)| format!("/unsubscribe{rest}")).unwrap();
    assert!(portal.guest().get_unchecked(&path).await.text().contains("mails about your saved tenders"));
    let url = format!("http://{}{path}", portal.address);
    let post = async |body: &'static str| {
        let form =
            reqwest::Client::new().post(&url).header("content-type", "application/x-www-form-urlencoded");
        form.body(body).send().await.unwrap().text().await.unwrap()
    };
    let wants = async || {
        portal.sign_in("nimal").await.get("/auth/me").await.expect(200)["data"]["user"]["savedMails"].clone()
    };
    assert!(post("List-Unsubscribe=One-Click").await.contains("Switch them on again"));
    assert_eq!(wants().await, false);
    let before = subjects(&portal, NIMAL).await.len();
    move_closing(&portal, &mut saved, "2026-12-29T14:00:00+05:30").await;
    portal.advance(60);
    assert_eq!(subjects(&portal, NIMAL).await.len(), before);
    assert!(post("again=1").await.contains("Mails are on again"));
    assert_eq!(wants().await, true);
}

//! The bid board: stages, order, notes, tasks and history; limits of plans; and teams.

use crate::{
    support::{Client, TestPortal, publishing::store_sample_tender},
    team::join_team,
    tenders::store,
};
use api::storage::{self, changes, tenders};
use serde_json::{Value, json};
use tender_model::{
    tender::Tender,
    vocabulary::{TenderStatus, Visibility},
};
use uuid::Uuid;

/// Stores an open tender. Returns its id.
async fn open_tender(portal: &TestPortal, title: &str) -> Uuid {
    store_sample_tender(portal, title, |tender| {
        tender.organization.name = "Department of Buildings".into();
        tender.published_at = "2026-11-19T09:00:00+05:30".parse().ok();
        tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
    })
    .await
}

/// Adds a tender to the board of a user. Returns the path of the bid.
pub async fn add(client: &Client, tender: Uuid) -> String {
    let added = client.post("/bids", &json!({"tenderId": tender})).await.expect(201);
    format!("/bids/{}", added["data"]["bid"]["_id"].as_str().unwrap())
}

async fn board(client: &Client) -> Value {
    client.get("/bids").await.expect(200)["data"].clone()
}

pub async fn details(client: &Client, path: &str) -> Value {
    client.get(path).await.expect(200)["data"].clone()
}

/// The titles of the tenders in a stage, in their order.
async fn titles(client: &Client, stage: &str) -> Vec<String> {
    let board = board(client).await;
    let bids = board["bids"].as_array().unwrap().iter().filter(|bid| bid["stage"] == stage);
    bids.map(|bid| bid["tender"]["title"].as_str().unwrap().to_owned()).collect()
}

/// Moves a bid to a stage, before another bid or to the end.
pub async fn place(client: &Client, path: &str, stage: &str, before: Option<&str>) -> Value {
    let version = details(client, path).await["bid"]["version"].clone();
    let before = before.map(|path| path.trim_start_matches("/bids/"));
    let form = json!({"version": version, "stage": stage, "before": before});
    client.put(&format!("{path}/place"), &form).await.expect(200)["data"].clone()
}

async fn applications(client: &Client, tender: Uuid) -> Value {
    let read = client.get(&format!("/tenders/{tender}")).await.expect(200);
    read["data"]["tender"]["statistics"]["applications"].clone()
}

async fn user_id(client: &Client) -> String {
    client.get("/auth/me").await.expect(200)["data"]["user"]["_id"].as_str().unwrap().to_owned()
}

/// What happened to a bid, the last event first.
fn history(details: &Value) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or("-").to_owned();
    let events = details["history"].as_array().unwrap().iter();
    events
        .map(|event| format!("{} {} {}", text(&event["kind"]), text(&event["before"]), text(&event["after"])))
        .collect()
}

#[tokio::test]
async fn a_bid_moves_over_the_board_and_keeps_its_history() {
    let portal = TestPortal::start().await;
    portal.guest().get("/bids").await.expect_error(401);
    let user = portal.subscriber("nimal", "supplier", Some("basic")).await;
    let empty = board(&user).await;
    assert_eq!(
        (&empty["bids"], &empty["quota"], &empty["isShared"]),
        (&json!([]), &Value::Null, &json!(false))
    );
    assert_eq!(empty["people"][0]["name"], "nimal Perera");

    let tender = open_tender(&portal, "Roof repairs").await;
    let path = add(&user, tender).await;
    let again = user.post("/bids", &json!({"tenderId": tender})).await.expect(200);
    assert_eq!(again["data"]["bid"]["stage"], "considering", "a tender is on the board once");
    let bid = details(&user, &path).await["bid"].clone();
    assert_eq!(bid["tender"]["title"], "Roof repairs");
    assert_eq!(bid["tender"]["organization"], "Department of Buildings");
    assert_eq!(bid["tender"]["closing"], "2026-12-20T14:00:00+05:30");
    assert_eq!(
        (&bid["tender"]["status"], &bid["owner"]["name"]),
        (&json!("published"), &json!("nimal Perera"))
    );

    place(&user, &path, "preparing", None).await;
    let form = json!({"version": 2, "value": 1_250_000.5, "ownerId": null});
    let changed = user.put(&path, &form).await.expect(200)["data"].clone();
    assert_eq!((&changed["bid"]["value"], &changed["bid"]["owner"]), (&json!(1_250_000.5), &Value::Null));
    let won = place(&user, &path, "won", None).await;
    assert_eq!(
        history(&won),
        [
            "moved preparing won",
            "valued - 1250000.5",
            "assigned - -",
            "moved considering preparing",
            "added - -"
        ]
    );
    assert_eq!(won["history"][0]["actor"]["name"], "nimal Perera");
    let counts = board(&user).await["counts"].clone();
    assert_eq!(
        (&counts[0], &counts[3]),
        (&json!({"stage": "considering", "count": 0}), &json!({"stage": "won", "count": 1}))
    );

    user.delete(&path).await.expect(200);
    user.get(&path).await.expect_error(404);
    assert_eq!(board(&user).await["bids"], json!([]));
}

#[tokio::test]
async fn bids_of_a_stage_have_an_order() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("basic")).await;
    let mut paths = Vec::new();
    for title in ["A", "B", "C", "D"] {
        paths.push(add(&user, open_tender(&portal, title).await).await);
    }
    assert_eq!(titles(&user, "considering").await, ["D", "C", "B", "A"], "a new bid stands first");
    place(&user, &paths[0], "considering", Some(&paths[2])).await;
    assert_eq!(titles(&user, "considering").await, ["D", "A", "C", "B"]);
    place(&user, &paths[3], "considering", None).await;
    assert_eq!(titles(&user, "considering").await, ["A", "C", "B", "D"]);
    for path in [&paths[1], &paths[2]] {
        place(&user, path, "preparing", None).await;
    }
    place(&user, &paths[0], "preparing", Some(&paths[2])).await;
    assert_eq!(titles(&user, "preparing").await, ["B", "A", "C"]);
    // A neighbour that has moved away does not count.
    place(&user, &paths[0], "preparing", Some(&paths[3])).await;
    assert_eq!(titles(&user, "preparing").await, ["B", "C", "A"]);
    // Among closed bids, the last moved stands first.
    place(&user, &paths[0], "lost", None).await;
    place(&user, &paths[1], "lost", Some(&Uuid::nil().to_string())).await;
    assert_eq!(titles(&user, "lost").await, ["B", "A"]);
}

#[tokio::test]
async fn of_two_moves_at_once_one_is_refused() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("basic")).await;
    let path = add(&user, open_tender(&portal, "Roof repairs").await).await;
    let target = format!("{path}/place");
    let forms: Vec<Value> = ["preparing", "dropped", "submitted", "lost"]
        .map(|stage| json!({"version": 1, "stage": stage}))
        .into_iter()
        .collect();
    let replies = futures::future::join_all(forms.iter().map(|form| user.put(&target, form))).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status.as_u16()).collect();
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409]);
    let kept = details(&user, &path).await;
    assert_eq!((&kept["bid"]["version"], history(&kept).len()), (&json!(2), 2));
    let stale = user.put(&path, &json!({"version": 1, "value": 5})).await;
    assert_eq!(stale.expect_error(409), "This bid was changed meanwhile. Please look at it again");
    // Whoever adds the same tender at once gets the same bid.
    let tender = json!({"tenderId": open_tender(&portal, "Chairs").await});
    let replies = futures::future::join_all((0..6).map(|_| user.post("/bids", &tender))).await;
    let mut ids: Vec<Value> =
        replies.iter().map(|reply| reply.json()["data"]["bid"]["_id"].clone()).collect();
    ids.dedup();
    assert_eq!(ids.len(), 1, "{ids:?}");
    assert_eq!(replies.iter().filter(|reply| reply.status == 201).count(), 1);
}

#[tokio::test]
async fn the_intention_to_bid_is_the_first_step() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let tender = open_tender(&portal, "Roof repairs").await;
    let intention = format!("/tenders/{tender}/intention");
    let declared = user.put(&intention, &json!({})).await.expect(200)["data"].clone();
    assert_eq!((&declared["intends"], &declared["bid"]["stage"]), (&json!(true), &json!("considering")));
    let path = format!("/bids/{}", declared["bid"]["_id"].as_str().unwrap());
    let read = user.get(&format!("/tenders/{tender}")).await.expect(200);
    assert_eq!(read["data"]["bid"], declared["bid"]);
    let guest = portal.guest().get(&format!("/tenders/{tender}")).await.expect(200);
    assert_eq!(guest["data"]["bid"], Value::Null);

    let withdrawn = user.delete(&intention).await.expect(200)["data"].clone();
    assert_eq!((&withdrawn["intends"], &withdrawn["bid"]["stage"]), (&json!(false), &json!("dropped")));
    assert_eq!(applications(&user, tender).await, 0);
    // Who takes the bid up again intends to bid, and who drops it does not.
    place(&user, &path, "preparing", None).await;
    assert_eq!(applications(&user, tender).await, 1);
    place(&user, &path, "dropped", None).await;
    assert_eq!(applications(&user, tender).await, 0);
    let again = user.put(&intention, &json!({})).await.expect(200)["data"].clone();
    assert_eq!(
        (&again["bid"]["stage"], &again["statistics"]["applications"]),
        (&json!("considering"), &json!(1))
    );
    // A submitted bid stays as it is.
    place(&user, &path, "submitted", None).await;
    assert_eq!(user.delete(&intention).await.expect(200)["data"]["bid"]["stage"], "submitted");
    user.put(&intention, &json!({})).await.expect(200);
    user.delete(&path).await.expect(200);
    assert_eq!(applications(&user, tender).await, 1, "the bid was submitted");
}

#[tokio::test]
async fn a_free_board_has_three_open_bids() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let mut paths = Vec::new();
    for title in ["A", "B", "C"] {
        paths.push(add(&user, open_tender(&portal, title).await).await);
    }
    let fourth = open_tender(&portal, "D").await;
    let refused = user.post("/bids", &json!({"tenderId": fourth})).await;
    assert_eq!(refused.expect_error(403), "Your board has the 3 open bids that your plan includes");
    assert_eq!((&refused.json()["code"], &refused.json()["plan"]), (&json!("quota"), &json!("basic")));
    assert_eq!(applications(&user, fourth).await, 0);
    assert_eq!(board(&user).await["quota"], 3);
    // The intention does not need the board.
    let declared = user.put(&format!("/tenders/{fourth}/intention"), &json!({})).await.expect(200);
    assert_eq!((&declared["data"]["intends"], &declared["data"]["bid"]), (&json!(true), &Value::Null));
    // A closed bid makes room, and cannot be opened again without.
    place(&user, &paths[0], "lost", None).await;
    let others = [open_tender(&portal, "E").await, open_tender(&portal, "F").await];
    let forms = others.map(|tender| json!({"tenderId": tender}));
    let both = tokio::join!(user.post("/bids", &forms[0]), user.post("/bids", &forms[1]));
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 403]);
    let version = details(&user, &paths[0]).await["bid"]["version"].clone();
    let reopen = json!({"version": version, "stage": "preparing"});
    user.put(&format!("{}/place", paths[0]), &reopen).await.expect_error(403);
    // Moves between open stages need no room.
    place(&user, &paths[1], "submitted", None).await;
    sqlx::query("update plan set max_open_bids = 4 where name = 'free'")
        .execute(&portal.state.db)
        .await
        .unwrap();
    user.put(&format!("{}/place", paths[0]), &reopen).await.expect(200);
}

#[tokio::test]
async fn notes_and_tasks_belong_to_a_bid() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let path = add(&user, open_tender(&portal, "Roof repairs").await).await;
    let noted =
        user.post(&format!("{path}/notes"), &json!({"text": " Call the\r\nengineer "})).await.expect(201);
    let note = noted["data"]["notes"][0].clone();
    assert_eq!((&note["text"], &note["isDeletable"]), (&json!("Call the\nengineer"), &json!(true)));
    let tasks = format!("{path}/tasks");
    let me = user_id(&user).await;
    for (title, due) in [("Visit the site", Value::Null), ("Buy the documents", json!("2026-12-01"))] {
        user.post(&tasks, &json!({"title": title, "due": due, "assigneeId": me})).await.expect(201);
    }
    let listed = details(&user, &path).await;
    assert_eq!(listed["tasks"][0]["title"], "Buy the documents", "the next due task stands first");
    assert_eq!(listed["tasks"][0]["assignee"]["name"], "nimal Perera");
    let task = format!("{tasks}/{}", listed["tasks"][0]["_id"].as_str().unwrap());
    let mut form =
        json!({"title": "Buy the documents", "due": "2026-12-01", "assigneeId": me, "isDone": true});
    for _ in 0..2 {
        let done = user.put(&task, &form).await.expect(200)["data"].clone();
        assert_eq!((&done["bid"]["tasks"], &done["bid"]["doneTasks"]), (&json!(2), &json!(1)));
        assert_eq!(done["tasks"][1]["doneAt"], "2026-11-20T12:00:00+05:30");
    }
    form["isDone"] = json!(false);
    user.put(&task, &form).await.expect(200);
    form["title"] = json!("Buy two sets of documents");
    user.put(&task, &form).await.expect(200);
    user.delete(&task).await.expect(200);
    user.delete(&task).await.expect_error(404);
    let note = format!("{path}/notes/{}", note["_id"].as_str().unwrap());
    let left = user.delete(&note).await.expect(200)["data"].clone();
    user.delete(&note).await.expect_error(404);
    assert_eq!((&left["notes"], &left["bid"]["notes"]), (&json!([]), &json!(0)));
    let mut events = history(&left);
    events.sort_unstable();
    assert_eq!(
        events,
        [
            "added - -",
            "note-added - -",
            "note-deleted - -",
            "task-added - Buy the documents",
            "task-added - Visit the site",
            "task-changed - Buy two sets of documents",
            "task-deleted - Buy two sets of documents",
            "task-done - Buy the documents",
            "task-reopened - Buy the documents",
        ]
    );
}

#[tokio::test]
async fn a_team_works_on_one_board() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "malini").await;
    let (owner_id, member_id) = (user_id(&owner).await, user_id(&member).await);
    let tender = open_tender(&portal, "Roof repairs").await;
    let path = add(&member, tender).await;
    assert!(board(&owner).await["isShared"].as_bool().unwrap());
    assert_eq!(titles(&owner, "considering").await, ["Roof repairs"]);
    let people = board(&owner).await["people"].clone();
    assert_eq!(
        people.as_array().unwrap().iter().map(|one| &one["_id"]).collect::<Vec<_>>(),
        [&owner_id, &member_id]
    );

    // The owner intends to bid, too. The bid is dropped when nobody does any more.
    let intention = format!("/tenders/{tender}/intention");
    owner.put(&intention, &json!({})).await.expect(200);
    assert_eq!(applications(&owner, tender).await, 2);
    assert_eq!(member.delete(&intention).await.expect(200)["data"]["bid"]["stage"], "considering");
    assert_eq!(owner.delete(&intention).await.expect(200)["data"]["bid"]["stage"], "dropped");
    place(&owner, &path, "preparing", None).await;

    let version = details(&owner, &path).await["bid"]["version"].clone();
    let assigned = owner.put(&path, &json!({"version": version, "ownerId": member_id})).await.expect(200);
    assert_eq!(assigned["data"]["bid"]["owner"]["name"], "malini Perera");
    let task = json!({"title": "Visit the site", "assigneeId": member_id});
    owner.post(&format!("{path}/tasks"), &task).await.expect(201);
    let noted = owner.post(&format!("{path}/notes"), &json!({"text": "Quote for tiles"})).await.expect(201);
    let note = format!("{path}/notes/{}", noted["data"]["notes"][0]["_id"].as_str().unwrap());
    assert_eq!(details(&member, &path).await["notes"][0]["isDeletable"], false);
    let refused = member.delete(&note).await.expect_error(403);
    assert_eq!(refused, "Only the author and the owner of the team delete a note");

    // A stranger neither sees the bid nor can get it.
    let stranger = portal.subscriber("sunil", "buyer", Some("enterprise")).await;
    let stranger_id = user_id(&stranger).await;
    for reply in [
        stranger.get(&path).await,
        stranger.delete(&path).await,
        stranger.put(&format!("{path}/place"), &json!({"version": 1, "stage": "won"})).await,
        stranger.post(&format!("{path}/notes"), &json!({"text": "x"})).await,
        stranger.delete(&note).await,
    ] {
        reply.expect_error(404);
    }
    let version = details(&owner, &path).await["bid"]["version"].clone();
    owner.put(&path, &json!({"version": version, "ownerId": stranger_id})).await.expect_error(422);

    member.delete(&format!("/team/members/{member_id}")).await.expect(200);
    member.get(&path).await.expect_error(404);
    assert_eq!(board(&member).await["bids"], json!([]));
    let left = details(&owner, &path).await;
    assert_eq!((&left["bid"]["owner"], &left["tasks"][0]["assignee"]), (&Value::Null, &Value::Null));
    owner.put(&path, &json!({"version": version, "value": 5})).await.expect_error(409);
    owner
        .put(&path, &json!({"version": left["bid"]["version"], "ownerId": member_id}))
        .await
        .expect_error(422);
}

#[tokio::test]
async fn a_board_is_shared_only_while_the_plan_includes_a_team() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "kamala").await;
    add(&member, open_tender(&portal, "Roof repairs").await).await;
    sqlx::query("update subscription set plan = 'professional'").execute(&portal.state.db).await.unwrap();
    assert_eq!(board(&member).await["bids"], json!([]));
    assert_eq!(titles(&owner, "considering").await, ["Roof repairs"]);
    assert_eq!(board(&owner).await["people"].as_array().unwrap().len(), 1);
    sqlx::query("update subscription set plan = 'enterprise'").execute(&portal.state.db).await.unwrap();
    assert_eq!(titles(&member, "considering").await, ["Roof repairs"]);
}

#[tokio::test]
async fn a_bid_needs_a_readable_open_tender() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let tender = |change: fn(&mut Tender)| {
        let mut tender = Tender {
            title: "Supply of chairs".into(),
            status: TenderStatus::Published,
            published_at: "2026-11-19T09:00:00+05:30".parse().ok(),
            ..Tender::default()
        };
        tender.dates.closing = "2026-12-20T14:00:00+05:30".parse().ok();
        change(&mut tender);
        tender
    };
    let add = async |change: fn(&mut Tender)| {
        let id = store(&portal, tender(change), None).await;
        user.post("/bids", &json!({"tenderId": id})).await
    };
    add(|tender| tender.visibility = Visibility::Premium).await.expect_error(403);
    add(|tender| tender.status = TenderStatus::Draft).await.expect_error(404);
    add(|tender| tender.status = TenderStatus::Withdrawn).await.expect_error(404);
    add(|tender| tender.dates.closing = "2026-11-20T11:00:00+05:30".parse().ok()).await.expect_error(409);
    user.post("/bids", &json!({"tenderId": Uuid::nil()})).await.expect_error(404);
    let newcomer = portal.unconfirmed_user("kamala", "supplier").await;
    let open = open_tender(&portal, "Roof repairs").await;
    let refused = newcomer.post("/bids", &json!({"tenderId": open})).await;
    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (403, &json!("unverified")));
}

#[tokio::test]
async fn the_board_shows_a_tender_as_it_is_now() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let id = open_tender(&portal, "Roof repairs").await;
    let path = add(&user, id).await;
    let state = &portal.state;
    let revise = async |change: fn(&mut Tender)| {
        let mut tender = tenders::current(&state.db, id).await.unwrap().unwrap().tender;
        change(&mut tender);
        let mut tx = storage::begin(&state.db).await.unwrap();
        let revision = tenders::revise(&mut tx, &tender, state.clock.now()).await.unwrap();
        changes::commit(tx, revision.as_slice(), &state.clock, &state.random).await.unwrap();
    };
    revise(|tender| {
        tender.title = "Repair of roofs".into();
        tender.dates.closing = "2026-11-25T14:00:00+05:30".parse().ok();
    })
    .await;
    let tender = details(&user, &path).await["bid"]["tender"].clone();
    assert_eq!(
        (&tender["title"], &tender["closing"]),
        (&json!("Repair of roofs"), &json!("2026-11-25T14:00:00+05:30"))
    );
    portal.advance(6 * 86_400);
    let user = portal.sign_in("nimal").await;
    assert_eq!(details(&user, &path).await["bid"]["tender"]["status"], "closed");
    // A bid for a closed tender goes on.
    place(&user, &path, "submitted", None).await;
    place(&user, &path, "dropped", None).await;
    place(&user, &path, "won", None).await;
    assert_eq!(applications(&user, id).await, 0, "nobody can newly intend to bid for a closed tender");
    revise(|tender| tender.status = TenderStatus::Withdrawn).await;
    assert_eq!(details(&user, &path).await["bid"]["tender"]["status"], "withdrawn");
    assert_eq!(titles(&user, "won").await, ["Repair of roofs"]);
}

#[tokio::test]
async fn a_bid_shows_its_deadlines_with_warnings_for_holidays() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let id = store_sample_tender(&portal, "Roof repairs", |tender| {
        tender.published_at = "2026-11-19T09:00:00+05:30".parse().ok();
        tender.dates.closing = "2026-12-24T14:00:00+05:30".parse().ok();
        tender.document_fee = serde_json::from_value(json!({"saleUntil": "2026-12-13"})).unwrap();
    })
    .await;
    let path = add(&user, id).await;
    let deadlines = details(&user, &path).await["deadlines"].clone();
    let of = |kind: &str| {
        deadlines.as_array().unwrap().iter().find(|deadline| deadline["kind"] == kind).unwrap().clone()
    };
    assert_eq!(
        of("closing"),
        json!({
            "kind": "closing", "at": "2026-12-24T14:00:00+05:30", "hasHour": true, "path": "dates.closing",
            "isDoubtful": false, "lastOpenDay": "2026-12-22",
            "closedBefore": {"day": "2026-12-23", "reason": "poya", "name": "Unduvap Full Moon Poya Day"},
        })
    );
    assert_eq!(of("sale-ends")["closed"], json!({"day": "2026-12-13", "reason": "weekend"}));
    assert_eq!((&of("bond-expiry")["at"], &of("bond-expiry")["path"]), (&Value::Null, &Value::Null));
    // The calendar of an operator counts.
    sqlx::query("delete from holiday where day = '2026-12-23'").execute(&portal.state.db).await.unwrap();
    let later = details(&user, &path).await["deadlines"].clone();
    assert_eq!(later[3]["closedBefore"], Value::Null);
    // A plan that no longer includes the tender hides what only its details state.
    let hide = "update tender_revision set record = jsonb_set(record, '{visibility}', '\"premium\"')";
    sqlx::query(hide).execute(&portal.state.db).await.unwrap();
    let locked = details(&user, &path).await;
    assert_eq!(locked["bid"]["tender"]["isLocked"], true);
    assert_eq!(locked["deadlines"][0]["at"], Value::Null);
    assert_eq!(locked["deadlines"][3]["at"], "2026-12-24T14:00:00+05:30");
}

#[tokio::test]
async fn invalid_input_is_refused_with_its_field() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let path = add(&user, open_tender(&portal, "Roof repairs").await).await;
    let (notes, tasks, place) = (format!("{path}/notes"), format!("{path}/tasks"), format!("{path}/place"));
    for (target, form, field) in [
        (&notes, json!({"text": " "}), "text"),
        (&notes, json!({"text": "x".repeat(4001)}), "text"),
        (&notes, json!({"text": "a\u{0}b"}), "text"),
        (&tasks, json!({"title": "x".repeat(201)}), "title"),
        (&tasks, json!({"title": "two\nlines"}), "title"),
        (&tasks, json!({"title": "x", "due": "31 December"}), "due"),
        (&tasks, json!({"title": "x", "assigneeId": Uuid::nil()}), "assigneeId"),
    ] {
        let refused = user.post(target, &form).await.expect(422);
        assert_eq!(refused["errors"][0]["field"], field, "{form}");
    }
    for form in [
        json!({"version": 1, "stage": "maybe"}),
        json!({"version": 1}),
        json!({"version": "1", "stage": "won"}),
        json!({"version": 1, "stage": "won", "before": "first"}),
        json!([]),
    ] {
        user.put(&place, &form).await.expect_error(422);
    }
    for form in [
        json!({"version": 1, "value": -1}),
        json!({"version": 1, "value": 1e300}),
        json!({"version": 1, "ownerId": Uuid::nil()}),
        json!({"version": 1, "stage": "won"}),
    ] {
        user.put(&path, &form).await.expect_error(422);
    }
    // The limit counts characters, not bytes.
    user.post(&notes, &json!({"text": "ලං".repeat(2000)})).await.expect(201);
    assert_eq!(details(&user, &path).await["bid"]["version"], 1);
}

//! Teams: invitations, shared plan and alerts, and leaving.

use crate::support::{Client, TestPortal, mailbox, publishing::store_sample_tender, wait_for};
use api::storage;
use serde_json::{Value, json};

/// Creates a user who accepts an invitation to the owner's team.
pub async fn join_team(portal: &TestPortal, owner: &Client, name: &str) -> Client {
    let member = portal.user(name, "buyer").await;
    let token = invite(portal, owner, &format!("{name}@example.lk")).await;
    member.post("/team/join", &json!({"token": token})).await.expect(200);
    member
}

/// Invites an address and returns the mailed token.
async fn invite(portal: &TestPortal, owner: &Client, email: &str) -> String {
    owner.post("/team/invitations", &json!({"email": email})).await.expect(201);
    mailbox::token(&mailbox::find_mail(portal, email, "/join?token=").await)
}

async fn get_team(client: &Client) -> Value {
    client.get("/team").await.expect(200)["data"]["team"].clone()
}

async fn get_user(client: &Client) -> Value {
    client.get("/auth/me").await.expect(200)["data"]["user"].clone()
}

async fn list_alerts(client: &Client) -> Vec<Value> {
    client.get("/alerts").await.expect(200)["data"]["alerts"].as_array().unwrap().clone()
}

async fn save_alert(client: &Client, name: &str) -> String {
    let alert = json!({"name": name, "keywords": [{"term": name, "matchType": "contains"}]});
    let saved = client.post("/alerts", &alert).await.expect(201);
    saved["data"]["alert"]["_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn team_member_shares_plan_and_alerts() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "kamala").await;
    let user = get_user(&member).await;
    assert_eq!((&user["subscription"]["plan"], &user["isTeamMember"]), (&json!("enterprise"), &json!(true)));
    let shared = get_team(&member).await;
    assert_eq!((&shared["isOwner"], &shared["seats"]), (&json!(false), &json!(5)));
    let names: Vec<&Value> = shared["members"].as_array().unwrap().iter().map(|m| &m["firstName"]).collect();
    assert_eq!(names, ["nimal", "kamala"]);
    assert_eq!(get_team(&owner).await["invitations"], json!([]), "the invitation is used up");

    let (roads, bridges) = (save_alert(&owner, "roads").await, save_alert(&member, "bridges").await);
    for client in [&owner, &member] {
        assert_eq!(list_alerts(client).await.len(), 2);
        assert_eq!(client.get("/alerts/stats").await.expect(200)["data"]["totalAlerts"], 2);
    }
    // An alert shows its author's name to the other members, but not to the author.
    let makers = async |client: &Client| {
        let mut makers: Vec<_> = list_alerts(client)
            .await
            .into_iter()
            .map(|alert| (alert["name"].to_string(), alert["madeBy"].clone()))
            .collect();
        makers.sort_by(|one, other| one.0.cmp(&other.0));
        makers.into_iter().map(|(_, maker)| maker).collect::<Vec<_>>()
    };
    assert_eq!(makers(&owner).await, [json!("kamala"), Value::Null]);
    assert_eq!(makers(&member).await, [Value::Null, json!("nimal")]);
    assert_eq!(member.get(&format!("/alerts/{roads}")).await.expect(200)["data"]["alert"]["madeBy"], "nimal");
    let form = json!({"name": "roads and lanes", "keywords": [{"term": "lane"}], "emailSettings": {"customEmail": "site@example.lk"}});
    member.put(&format!("/alerts/{roads}"), &form).await.expect(200);
    owner.delete(&format!("/alerts/{bridges}")).await.expect(200);
    let stranger = portal.subscriber("sunil", "buyer", Some("enterprise")).await;
    stranger.get(&format!("/alerts/{roads}")).await.expect_error(404);
    assert_eq!(list_alerts(&stranger).await.len(), 0);
    // The member entered another address for the alert. That address gets a confirmation mail.
    mailbox::find_mail(&portal, "site@example.lk", "verify-email?token=").await;

    let keyed = member.post("/keys", &json!({"name": "ERP", "scopes": ["tenders:read"]})).await.expect(201);
    let program = portal.guest().with_token(keyed["data"]["secret"].as_str().unwrap());
    program.get("/tenders").await.expect(200);
    let usage = owner.get("/subscriptions/user/usage").await.expect(200);
    assert_eq!(usage["data"]["usage"]["apiCalls"], 1);
}

#[tokio::test]
async fn team_has_five_seats() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    join_team(&portal, &owner, "kamala").await;
    for nth in 0..3 {
        invite(&portal, &owner, &format!("guest{nth}@example.lk")).await;
    }
    let one_more = json!({"email": "late@example.lk"});
    let refused = owner.post("/team/invitations", &one_more).await.expect_error(409);
    assert_eq!(refused, "All 5 seats of your account are taken");
    // Inviting the same address again takes no further seat.
    owner.post("/team/invitations", &json!({"email": "guest0@example.lk"})).await.expect(201);
    let invitations = get_team(&owner).await["invitations"].clone();
    assert_eq!(invitations.as_array().unwrap().len(), 3);
    let id = invitations[0]["_id"].as_str().unwrap();
    owner.delete(&format!("/team/invitations/{id}")).await.expect(200);
    let another = json!({"email": "later@example.lk"});
    let both =
        tokio::join!(owner.post("/team/invitations", &one_more), owner.post("/team/invitations", &another),);
    let mut statuses = [both.0.status.as_u16(), both.1.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 409]);
}

#[tokio::test]
async fn invitation_is_accepted_once_before_it_expires() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let token = json!({"token": invite(&portal, &owner, "kamala@example.lk").await});
    portal.guest().post("/team/join", &token).await.expect_error(401);
    owner.post("/team/join", &token).await.expect_error(409);
    let subscriber = portal.subscriber("sunil", "buyer", Some("professional")).await;
    subscriber.post("/team/join", &token).await.expect_error(409);
    let kamala = portal.user("kamala", "buyer").await;
    kamala.post("/team/join", &json!({"token": "guessed"})).await.expect_error(404);
    kamala.post("/team/join", &token).await.expect(200);
    let malini = portal.user("malini", "buyer").await;
    malini.post("/team/join", &token).await.expect_error(404);
    let again = json!({"token": invite(&portal, &owner, "again@example.lk").await});
    kamala.post("/team/join", &again).await.expect_error(409);
    // Members can't invite others. Existing members and invalid addresses can't be invited.
    kamala.post("/team/invitations", &json!({"email": "x@example.lk"})).await.expect_error(403);
    owner.post("/team/invitations", &json!({"email": "Kamala@example.lk"})).await.expect_error(409);
    owner.post("/team/invitations", &json!({"email": "no address"})).await.expect_error(422);
    portal.advance(14 * 86_400);
    let malini = portal.sign_in("malini").await;
    malini.post("/team/join", &again).await.expect_error(404);
}

#[tokio::test]
async fn leaving_member_loses_access_and_the_alerts_stay() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let kamala = join_team(&portal, &owner, "kamala").await;
    // Members of one second have no order.
    portal.advance(1);
    let malini = join_team(&portal, &owner, "malini").await;
    save_alert(&kamala, "bridges").await;
    let ids: Vec<String> = get_team(&owner).await["members"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["_id"].as_str().unwrap().to_owned())
        .collect();
    // Members can't remove others, and nobody can remove the owner.
    malini.delete(&format!("/team/members/{}", ids[1])).await.expect_error(404);
    malini.delete(&format!("/team/members/{}", ids[0])).await.expect_error(404);
    owner.delete(&format!("/team/members/{}", ids[0])).await.expect_error(404);
    kamala.delete(&format!("/team/members/{}", ids[1])).await.expect(200);
    owner.delete(&format!("/team/members/{}", ids[2])).await.expect(200);
    for gone in [&kamala, &malini] {
        let user = get_user(gone).await;
        assert_eq!((&user["subscription"]["plan"], &user["isTeamMember"]), (&json!("free"), &json!(false)));
        gone.get("/alerts").await.expect_error(403);
        gone.get("/team").await.expect_error(403);
    }
    assert_eq!(list_alerts(&owner).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn message_that_is_opened_while_its_user_leaves_passes_to_the_owner() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let kamala = join_team(&portal, &owner, "kamala").await;
    kamala.put("/auth/profile", &json!({"language": "si"})).await.expect(200);
    save_alert(&kamala, "bridges").await;
    // The matcher has opened the message and waits for a lock before it commits.
    let db = &portal.state.db;
    let mut held = storage::begin(db).await.unwrap();
    sqlx::query("lock table delivery_item in share mode").execute(&mut *held).await.unwrap();
    store_sample_tender(&portal, "Repair of bridges", |tender| {
        tender.published_at = Some(portal.state.clock.moment());
    })
    .await;
    wait_for(
        db,
        "select exists (select from pg_locks where relation = 'delivery_item'::regclass and not granted)",
    )
    .await;
    let id = get_user(&kamala).await["_id"].as_str().unwrap().to_owned();
    kamala.delete(&format!("/team/members/{id}")).await.expect(200);
    held.rollback().await.unwrap();
    portal.wait_until_matched().await;
    portal.advance(60);
    let text = mailbox::find_mail(&portal, "nimal@example.lk", "Repair of bridges").await;
    assert!(text.contains("Hello nimal"), "{text}");
    wait_for(
        db,
        "select bool_and(u.first_name = 'nimal') from delivery d join users u on u.id = d.user_id where d.kind = 'alerts'",
    )
    .await;
}

#[tokio::test]
async fn team_ends_with_its_plan_or_owner() {
    let portal = TestPortal::start().await;
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let member = join_team(&portal, &owner, "kamala").await;
    sqlx::query("update subscription set plan = 'professional'").execute(&portal.state.db).await.unwrap();
    assert_eq!(get_user(&member).await["subscription"]["plan"], "free");
    assert_eq!(get_user(&owner).await["subscription"]["plan"], "professional");
    sqlx::query("update subscription set plan = 'enterprise'").execute(&portal.state.db).await.unwrap();
    assert_eq!(get_user(&member).await["subscription"]["plan"], "enterprise");
    owner.post("/auth/delete-account", &json!({"password": "secret-of-theirs"})).await.expect(200);
    let user = get_user(&member).await;
    assert_eq!((&user["subscription"]["plan"], &user["isTeamMember"]), (&json!("free"), &json!(false)));
}

#[tokio::test]
async fn teams_require_enterprise() {
    let portal = TestPortal::start().await;
    for plan in [None, Some("basic"), Some("professional")] {
        let user = portal.subscriber(plan.unwrap_or("free"), "buyer", plan).await;
        let refused = user.get("/team").await;
        assert_eq!(refused.expect_error(403), "An account for several users is part of the Enterprise plan");
        assert_eq!(refused.json()["plan"], "enterprise");
        user.post("/team/invitations", &json!({"email": "x@example.lk"})).await.expect_error(403);
    }
}

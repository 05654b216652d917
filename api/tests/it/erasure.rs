//! Export and deletion of an account's data.

use crate::support::{
    Client, TestPortal,
    issuer::{CLIENT_ID, GooglePage, Issuer, KEYS},
    mailbox::{find_mail, token},
    publishing::save_alert,
    wait_for,
};
use api::{
    domain::{error::ServiceError, report::ReportForm, webhook::WebhookEndpoint},
    storage::{self, identities, intentions, phones, reports, subscriptions, webhooks},
};
use axum::http::Method;
use jiff::SignedDuration;
use reqwest::multipart::{Form, Part};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use std::collections::BTreeSet;
use uuid::Uuid;

const EMAIL: &str = "zanzibarina@example.lk";
const PASSWORD: &str = "secret-of-theirs";
/// Texts that occur in the account's data: names, email address, telephone number, browser, Google
/// id and a message.
const PERSONAL_TEXTS: [&str; 7] =
    ["zanzibarina", "Quagliarella", EMAIL, "077 919 2837", "Netscape Quux", "1082733", "typed by the user"];

async fn register(portal: &TestPortal) -> Client {
    let form = json!({"firstName": "Zanzibarina", "lastName": "Quagliarella", "email": EMAIL, "phone": "077 919 2837",
        "company": "Quiet Works", "password": PASSWORD});
    let request = portal.guest().request(axum::http::Method::POST, "/auth/register");
    let request = request.header("user-agent", "Netscape Quux").json(&form);
    let reply = portal.guest().send(request, axum::http::Method::POST, "/auth/register").await;
    portal.guest().with_token(reply.expect(201)["data"]["token"].as_str().unwrap())
}

async fn id_of(client: &Client) -> Uuid {
    client.get("/auth/me").await.expect(200)["data"]["user"]["_id"].as_str().unwrap().parse().unwrap()
}

/// Creates a tender with this status and closing date, and returns its path.
async fn create_tender(client: &Client, title: &str, status: &str, closing: &str) -> String {
    let form = json!({
        "title": title, "description": "As specified.", "referenceNo": "Q/1", "category": "Furniture", "status": status,
        "organization": {"name": "Quiet Works"}, "location": {"province": "Western", "district": "Gampaha"}, "dates": {"closing": closing},
    });
    let made = client.post("/tenders", &form).await.expect(201);
    format!("/tenders/{}", made["data"]["tender"]["_id"].as_str().unwrap())
}

/// Creates an account with rows in most tables that refer to users. Its five tenders differ in
/// status.
async fn create_used_account(portal: &TestPortal) -> (Client, [String; 5]) {
    let state = &portal.state;
    let user = register(portal).await;
    let id = id_of(&user).await;
    let confirm = json!({"token": token(&find_mail(portal, EMAIL, "/verify-email?").await)});
    portal.guest().post("/auth/verify-email", &confirm).await.expect(200);
    let now = state.clock.now();
    let mut tx = storage::begin(&state.db).await.unwrap();
    let end = now + SignedDuration::from_hours(24 * 300);
    subscriptions::insert_given(
        &mut tx,
        state.random.id(&state.clock),
        id,
        "professional".parse().unwrap(),
        now,
        end,
    )
    .await
    .unwrap();
    identities::connect(&mut tx, "1082733", id, now).await.unwrap();
    let good_until = now + SignedDuration::from_mins(10);
    phones::put(&mut *tx, id, "+94779192837", (&[1; 32], good_until)).await.unwrap();
    let endpoint = WebhookEndpoint { url: "https://zanzibarina.example/".to_owned(), secret: vec![1; 24] };
    webhooks::put(&mut tx, id, &endpoint, &state.secrets, now).await.unwrap();
    tx.commit().await.unwrap();
    let company = json!({"documents": [{"kind": "other", "note": "in the safe of Zanzibarina"}]});
    user.put("/company", &json!({"company": company, "version": 0})).await.expect(200);
    let open = create_tender(&user, "Supply of open quills", "published", "2026-12-20").await;
    let closed = create_tender(&user, "Supply of closed quills", "published", "2026-12-20").await;
    let awarded = create_tender(&user, "Supply of awarded quills", "published", "2026-12-20").await;
    let withdrawn = create_tender(&user, "Supply of withdrawn quills", "published", "2026-12-20").await;
    let draft = create_tender(&user, "Supply of drafted quills", "draft", "2026-12-20").await;
    let edit = json!({"organization": {"name": "Quiet Works", "contactPerson": {"name": "Zanzibarina Q. Quagliarella"}}});
    user.put(&closed, &edit).await.expect(200);
    let file = Part::bytes(b"PK\x03\x04drawings".to_vec()).file_name("Zanzibarina Quagliarella.zip");
    let attach = format!("{closed}/documents");
    let request = user.request(Method::POST, &attach).multipart(Form::new().part("file", file));
    user.send(request, Method::POST, &attach).await.expect(201);
    user.put(&closed, &json!({"status": "closed"})).await.expect(200);
    user.put(&awarded, &json!({"status": "awarded"})).await.expect(200);
    user.delete(&withdrawn).await.expect(200);
    // The user gets another publisher's tender by mail, opens it, intends to bid, and saves it.
    save_alert(&state.db, id, "zanzibarina inkwells").await;
    let other = portal.user("kamala", "supplier").await;
    let theirs = create_tender(&other, "Supply of zanzibarina inkwells", "published", "2026-12-20").await;
    portal.wait_until_matched().await;
    portal.advance(60);
    find_mail(portal, EMAIL, "inkwells").await;
    user.get(&theirs).await.expect(200);
    user.put(&format!("{theirs}/intention"), &json!({})).await.expect(200);
    user.put(&format!("/saved{theirs}"), &json!({})).await.expect(200);
    let bids = user.get("/bids").await.expect(200);
    let bid = format!("/bids/{}", bids["data"]["bids"][0]["_id"].as_str().unwrap());
    user.post(&format!("{bid}/notes"), &json!({"text": "Zanzibarina knows the inkwells"})).await.expect(201);
    user.post(&format!("{bid}/tasks"), &json!({"title": "Ask Quagliarella", "assigneeId": id}))
        .await
        .expect(201);
    let search = json!({"name": "For Zanzibarina", "query": "search=zanzibarina"});
    user.post("/saved/searches", &search).await.expect(201);
    let asked = json!({"query": "search=zanzibarina", "period": {"span": "thisMonth"}, "columns": ["title"]});
    let report = ReportForm {
        name: "For Zanzibarina".to_owned(),
        definition: serde_json::from_value(asked).unwrap(),
        is_monthly: true,
    };
    reports::insert(&state.db, id, state.random.id(&state.clock), &report, now).await.unwrap();
    // Another match is in a message that still collects matches.
    create_tender(&other, "Supply of zanzibarina inkwells again", "published", "2026-12-20").await;
    wait_for(&state.db, "select exists (select from delivery where state = 'open')").await;
    let message = json!({"name": "Z. Quagliarella", "email": EMAIL, "message": "typed by the user"});
    user.post("/contact", &message).await.expect(201);
    portal.guest().post("/contact", &message).await.expect(201);
    portal.guest().post("/auth/forgot-password", &json!({"email": EMAIL})).await.expect(200);
    find_mail(portal, EMAIL, "/reset-password?").await;
    (user, [open, closed, awarded, withdrawn, draft])
}

/// Returns the columns that contain `part` in any row. Binary columns are read as escaped text.
async fn columns_containing(db: &PgPool, part: &str) -> BTreeSet<String> {
    let columns: Vec<(String, String, String)> = sqlx::query_as(
        "select c.table_name::text, c.column_name::text, c.data_type::text from information_schema.columns c
        join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE'",
    )
    .fetch_all(db)
    .await
    .unwrap();
    let mut found = BTreeSet::new();
    for (table, column, kind) in columns {
        let text = match kind.as_str() {
            "bytea" => format!("encode(\"{column}\", 'escape')"),
            _ => format!("\"{column}\"::text"),
        };
        let sql = format!("select exists (select from \"{table}\" where {text} ilike '%' || $1 || '%')");
        if sqlx::query_scalar::<_, bool>(AssertSqlSafe(sql)).bind(part).fetch_one(db).await.unwrap() {
            found.insert(format!("{table}.{column}"));
        }
    }
    found
}

#[tokio::test]
async fn account_deletion_removes_personal_data() {
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let db = &portal.state.db;
    let (user, [open, closed, awarded, withdrawn, draft]) = create_used_account(&portal).await;
    let id = id_of(&user).await.to_string();
    find_mail(&portal, "desk@example.lk", "typed by the user").await;
    wait_for(db, "select not exists (select from delivery where address = 'desk@example.lk')").await;
    for part in PERSONAL_TEXTS.into_iter().chain([id.as_str()]) {
        assert!(!columns_containing(db, part).await.is_empty(), "{part} is not stored before the deletion");
    }
    portal.guest().post("/auth/forgot-password", &json!({"email": EMAIL})).await.expect(200);

    user.post("/auth/delete-account", &json!({"password": PASSWORD})).await.expect(200);
    find_mail(&portal, EMAIL, "we have deleted your account and your personal data").await;
    wait_for(db, "select not exists (select from delivery where is_passing)").await;
    let left_to_others = BTreeSet::from(["tender_revision.record".to_owned()]);
    for part in PERSONAL_TEXTS.into_iter().chain([id.as_str()]) {
        let left = columns_containing(db, part).await;
        if part == "zanzibarina" {
            // Another publisher's tender has this word in its title.
            assert!(left.is_subset(&left_to_others), "{left:?}");
        } else {
            assert_eq!(left, BTreeSet::new(), "{part} is still stored");
        }
    }

    user.get("/auth/me").await.expect_error(401);
    let log_in = json!({"email": EMAIL, "password": PASSWORD});
    portal.guest().post("/auth/login", &log_in).await.expect_error(401);
    portal.advance(24 * 3600);
    let reader = portal.subscriber("reader", "buyer", Some("enterprise")).await;
    for (path, status, contact) in [(&closed, "closed", json!({})), (&awarded, "awarded", json!({}))] {
        let tender = reader.get(path).await.expect(200)["data"]["tender"].clone();
        assert_eq!((&tender["status"], &tender["organization"]["contactPerson"]), (&json!(status), &contact));
        assert_eq!(tender["organization"]["name"], "Quiet Works");
    }
    for gone in [&open, &withdrawn, &draft] {
        reader.get(gone).await.expect_error(404);
    }
    portal.wait_until_indexed().await;
    let listed = reader.get("/tenders?search=quills").await.expect(200);
    assert_eq!(listed["data"]["pagination"]["totalCount"], 2, "{listed}");
    let (views, sold): (i64, i64) = sqlx::query_as(
        "select (select count(*) from tender_view), (select count(*) from subscription
            where user_id is null and status = 'cancelled' and not auto_renew)",
    )
    .fetch_one(db)
    .await
    .unwrap();
    assert_eq!((views, sold), (3, 1), "views and sales are still counted");
    // A new account can use the address.
    register(&portal).await;
}

#[tokio::test]
async fn deleted_account_gets_no_matches() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "buyer", Some("professional")).await;
    let confirm = json!({"token": token(&find_mail(&portal, "nimal@example.lk", "/verify-email?").await)});
    portal.guest().post("/auth/verify-email", &confirm).await.expect(200);
    save_alert(&portal.state.db, id_of(&user).await, "inkwells").await;
    user.post("/auth/delete-account", &json!({"password": PASSWORD})).await.expect(200);
    let publisher = portal.user("kamala", "supplier").await;
    create_tender(&publisher, "Supply of inkwells", "published", "2026-12-20").await;
    wait_for(
        &portal.state.db,
        "select (select min(position) from matcher_shard) = (select position from change_head)",
    )
    .await;
    let matches: i64 =
        sqlx::query_scalar("select count(*) from match").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(matches, 0);
}

#[tokio::test]
async fn account_deletion_requires_the_password_or_google() {
    let issuer = Issuer::start().await;
    let portal =
        TestPortal::start_with(&["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url]).await;
    let now = portal.state.clock.now().as_second();
    let credential = async |client: &Client, subject: &str, issued: i64| {
        let claims = json!({"iss": "accounts.google.com", "aud": CLIENT_ID, "sub": subject, "iat": issued,
            "exp": issued + 3600, "email": format!("{subject}@gmail.com"), "email_verified": true});
        let page = GooglePage::open(client).await;
        let credential = page.token(&KEYS[0], "first", &claims);
        (page, json!({"credential": credential}))
    };
    let delete = async |client: &Client, body: Value| client.post("/auth/delete-account", &body).await;
    let user = portal.user("nimal", "buyer").await;
    for (proof, message) in [
        (json!({}), "Enter your password"),
        (json!({"password": null, "credential": "x"}), "Enter your password"),
        (json!({"password": "wrong"}), "Wrong password"),
        (json!({"password": "x".repeat(1000)}), "Wrong password"),
    ] {
        assert_eq!(delete(&user, proof).await.expect_error(422), message);
    }
    delete(&portal.guest(), json!({"password": PASSWORD})).await.expect_error(401);

    let google = async |subject: &str| {
        let (page, form) = credential(&portal.guest(), subject, now).await;
        let reply = page.client.post("/auth/google", &form).await.expect(200);
        portal.guest().with_token(reply["data"]["token"].as_str().unwrap())
    };
    let (malini, _) = (google("malini").await, google("other").await);
    for (subject, issued, message) in [
        ("malini", now - 301, "Please sign in with Google once more"),
        ("other", now, "That Google account is not connected with this one"),
    ] {
        let (page, proof) = credential(&malini, subject, issued).await;
        assert_eq!(delete(&page.client, proof).await.expect_error(422), message);
    }
    for (proof, message) in [
        (json!({"password": "anything"}), "Please sign in with Google once more"),
        (
            json!({"credential": "rubbish"}),
            "The sign-in with Google could not be verified. Please try again.",
        ),
    ] {
        assert_eq!(delete(&malini, proof).await.expect_error(422), message);
    }
    let (page, proof) = credential(&malini, "malini", now).await;
    delete(&page.client, proof).await.expect(200);
    malini.get("/auth/me").await.expect_error(401);
    delete(&user, json!({"password": PASSWORD})).await.expect(200);
    delete(&user, json!({"password": PASSWORD})).await.expect_error(401);
}

#[tokio::test]
async fn intention_of_a_deleted_user_is_refused() {
    let portal = TestPortal::start().await;
    let publisher = portal.user("kamala", "supplier").await;
    let tender = create_tender(&publisher, "Supply of inkwells", "published", "2026-12-20").await;
    let tender: Uuid = tender.rsplit('/').next().unwrap().parse().unwrap();
    let gone = Uuid::from_u128(7);
    let now = portal.state.clock.now();
    let error = intentions::add(&portal.state.db, tender, gone, now).await.unwrap_err();
    assert_eq!(axum::response::IntoResponse::into_response(ServiceError::from(error)).status(), 401);
}

#[tokio::test]
async fn concurrent_account_deletions_and_edits_leave_no_tender() {
    let portal = TestPortal::start().await;
    let user = portal.user("nimal", "supplier").await;
    let draft = create_tender(&user, "Supply of inkwells", "draft", "2026-12-20").await;
    let (proof, edit) = (json!({"password": PASSWORD}), json!({"status": "published"}));
    let (one, two, published, form) = tokio::join!(
        user.post("/auth/delete-account", &proof),
        user.post("/auth/delete-account", &proof),
        user.put(&draft, &edit),
        create_draft(&user),
    );
    assert!(one.status == 200 || two.status == 200);
    for reply in [one, two, published, form] {
        assert!(!reply.status.is_server_error(), "{}", reply.text());
    }
    let owned: i64 = sqlx::query_scalar("select count(*) from tender where status in ('draft', 'published')")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(owned, 0);
}

#[tokio::test]
async fn account_deletion_retries_after_a_deadlock() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "buyer", Some("professional")).await;
    let alert = save_alert(&portal.state.db, id_of(&user).await, "inkwells").await;
    let mut other = storage::begin(&portal.state.db).await.unwrap();
    // Postgres aborts the transaction that detects the deadlock. The long timeout ensures that the
    // account deletion detects it.
    sqlx::query("set local deadlock_timeout = '1h'").execute(&mut *other).await.unwrap();
    sqlx::query("select from alert where id = $1 for update").bind(alert).execute(&mut *other).await.unwrap();
    let deletion =
        tokio::spawn(async move { user.post("/auth/delete-account", &json!({"password": PASSWORD})).await });
    wait_for(
        &portal.state.db,
        "select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock')",
    )
    .await;
    sqlx::query("select from users for update").execute(&mut *other).await.unwrap();
    other.rollback().await.unwrap();
    deletion.await.unwrap().expect(200);
    let ended =
        "select exists (select from pg_stat_database where datname = current_database() and deadlocks > 0)";
    wait_for(&portal.state.db, ended).await;
}

async fn create_draft(client: &Client) -> crate::support::Reply {
    client.post("/tenders", &json!({"status": "draft", "title": "Late"})).await
}

#[tokio::test]
async fn export_is_complete_and_contains_no_secrets() {
    let portal = TestPortal::start().await;
    let (user, _) = create_used_account(&portal).await;
    let reply = user.get("/auth/export").await;
    let file = reply.expect(200);
    assert_eq!(
        reply.header("content-disposition"),
        "attachment; filename=\"serendib-tenders-2026-11-20.json\""
    );
    assert_eq!(
        (&file["profile"]["email"], &file["profile"]["company"]),
        (&json!(EMAIL), &json!("Quiet Works"))
    );
    let counts = |name: &str| file[name].as_array().unwrap().len();
    for (name, count) in [
        ("addresses", 1),
        ("google", 1),
        ("sessions", 1),
        ("secondFactors", 0),
        ("subscriptions", 1),
        ("tenders", 5),
        ("alerts", 1),
        ("matches", 2),
        ("mails", 4),
        ("views", 1),
        ("intentions", 1),
        ("savedTenders", 1),
        ("savedSearches", 1),
        ("reports", 1),
        ("documents", 1),
        ("downloads", 0),
        ("contactMessages", 2),
        ("mailedLinks", 2),
        ("keys", 0),
        ("keyCalls", 0),
        ("channels", 2),
        ("team", 0),
        ("company", 1),
        ("bids", 1),
        ("bidNotes", 0),
        ("bidReminders", 1),
    ] {
        assert_eq!(counts(name), count, "{name}: {}", file[name]);
    }
    let tenders = file["tenders"].as_array().unwrap();
    let edited = tenders.iter().find(|tender| tender["status"] == "closed").unwrap()["revisions"].clone();
    assert_eq!(edited.as_array().unwrap().len(), 4);
    assert_eq!(edited[1]["record"]["organization"]["contactPerson"]["name"], "Zanzibarina Q. Quagliarella");
    assert_eq!(file["sessions"][0]["userAgent"], "Netscape Quux");
    let text = reply.text();
    assert!(!text.contains("argon2") && !text.contains("token=") && !text.contains("reset-password"));
    // Another user's export contains none of this user's data.
    let other = portal.sign_in("kamala").await.get("/auth/export").await;
    assert!(!other.text().contains(EMAIL) && !other.text().contains("Quagliarella"));
    portal.guest().get("/auth/export").await.expect_error(401);
    let left: Vec<_> = std::fs::read_dir(portal.folder.path().join("data"))
        .unwrap()
        .filter(|entry| entry.as_ref().unwrap().file_name().to_string_lossy().starts_with("scratch"))
        .collect();
    assert!(left.is_empty(), "the temporary file is not deleted");
}

/// The export and the deletion must cover every table that refers to users. When both cover a new
/// table, add its columns here.
#[tokio::test]
async fn every_column_that_refers_to_users_is_covered() {
    const COVERED_COLUMNS: [&str; 46] = [
        "address.user_id",
        "alert.user_id",
        "api_call.user_id",
        "api_key.user_id",
        // The mails themselves are part of the export.
        "batch_withdrawal_reader.user_id",
        "bid.account_id",
        // The deletion removes these references. The export of the board's account has the content.
        "bid.owner_id",
        "bid_event.actor_id",
        "bid_event.subject_id",
        "bid_file.uploader_id",
        "bid_note.author_id",
        // What was sent is part of the mails.
        "bid_reminder.user_id",
        "bid_reminder_setting.user_id",
        "bid_task.assignee_id",
        "bid_tick.actor_id",
        // The address is a secret. The bids and saved tenders are part of the export.
        "calendar_feed.user_id",
        "checkout.user_id",
        "company_profile.owner_id",
        // The deletion removes the reference. The owner's export has the profile.
        "company_profile.updated_by",
        // The deletion removes the reference. What an administrator did is not part of the export.
        "contact_message.answered_by",
        "contact_message.user_id",
        "delivery.user_id",
        "delivery_item.user_id",
        "document_download.user_id",
        "favourite.user_id",
        "identity.user_id",
        "invoice.user_id",
        "mailed_link.user_id",
        // The export names the second factors without their secrets.
        "passkey.user_id",
        "passkey_registration.user_id",
        // As for `contact_message.answered_by`.
        "payment_event.settled_by",
        "phone.user_id",
        "recovery_code.user_id",
        "report.user_id",
        "saved_search.user_id",
        "session.user_id",
        // A sign-in that waits for the second factor lasts ten minutes.
        "sign_in_challenge.user_id",
        // The numbers of drafts and uploads of one day, which limits need. They are not part of the export.
        "stored_today.user_id",
        "subscription.user_id",
        "team_invitation.owner_id",
        "team_member.member_id",
        "team_member.owner_id",
        "tender.owner_id",
        "tender_intention.user_id",
        "totp.user_id",
        "webhook.user_id",
    ];
    let portal = TestPortal::start().await;
    let named: Vec<String> = sqlx::query_scalar(
        "select c.conrelid::regclass::text || '.' || a.attname from pg_constraint c
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
        where c.contype = 'f' and c.confrelid = 'users'::regclass order by 1",
    )
    .fetch_all(&portal.state.db)
    .await
    .unwrap();
    assert_eq!(named, COVERED_COLUMNS);
}

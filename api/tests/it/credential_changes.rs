//! Changes of credentials that meet a reset of the password, and accounts that pass to the holder of
//! their address.

use crate::{
    operate::{find_user, id_of, staff},
    support::{
        Client, Reply, TestPortal,
        authenticator::SoftAuthenticator,
        issuer::{CLIENT_ID, GooglePage, Issuer, KEYS},
        mailbox::{find_mail, token},
        wait_for,
    },
    team::join_team,
};
use api::storage;
use serde_json::{Value, json};
use std::future::Future;

/// The password of the users of the tests.
const PASSWORD: &str = "secret-of-theirs";
/// The password after a reset.
const NEW_PASSWORD: &str = "kumbuk-gate-7";

async fn start_portal(issuer: &Issuer) -> TestPortal {
    let settings = ["--google-client-id", CLIENT_ID, "--google-keys-url", &issuer.url];
    TestPortal::start_with(&[settings.as_slice(), &["--public-url", "https://portal.example"]].concat()).await
}

/// A page on which the Google account of this user has given a token. Google runs the domain of the
/// address.
async fn google_page(portal: &TestPortal, client: &Client, name: &str) -> (Client, Value) {
    let now = portal.state.clock.now().as_second();
    let claims = json!({"iss": "accounts.google.com", "aud": CLIENT_ID, "sub": name, "iat": now, "exp": now + 3600,
        "email": format!("{name}@example.lk"), "email_verified": true, "hd": "example.lk"});
    let page = GooglePage::open(client).await;
    let credential = page.token(&KEYS[0], "first", &claims);
    (page.client, json!(credential))
}

async fn connect_google(portal: &TestPortal, user: &Client, name: &str) {
    let (page, credential) = google_page(portal, user, name).await;
    page.put("/auth/google", &json!({"credential": credential, "password": PASSWORD})).await.expect(200);
}

/// Asks for a new password for the account of this user, and returns the mailed link.
async fn reset_link(portal: &TestPortal, name: &str) -> String {
    let email = format!("{name}@example.lk");
    portal.guest().post("/auth/forgot-password", &json!({"email": email})).await.expect(200);
    token(&find_mail(portal, &email, "/reset-password?").await)
}

async fn reset(portal: &TestPortal, link: &str) -> Reply {
    portal.guest().put("/auth/reset-password", &json!({"token": link, "password": NEW_PASSWORD})).await
}

async fn log_in(portal: &TestPortal, name: &str, password: &str) -> Reply {
    let form = json!({"email": format!("{name}@example.lk"), "password": password});
    portal.guest().post("/auth/login", &form).await
}

/// Resets the password of a user while a request of the user waits between its proofs and its change.
/// Returns the reply to the request.
async fn request_during_reset(
    portal: &TestPortal,
    name: &str,
    request: impl Future<Output = Reply>,
) -> Reply {
    let link = reset_link(portal, name).await;
    let db = &portal.state.db;
    let mut held = storage::begin(db).await.unwrap();
    sqlx::query("select from users where email = $1 for update")
        .bind(format!("{name}@example.lk"))
        .execute(&mut *held)
        .await
        .unwrap();
    let (_, replied, ()) = tokio::join!(
        async { reset(portal, &link).await.expect(200) },
        async {
            wait_for(
                db,
                "select count(*) = 1 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'",
            )
            .await;
            request.await
        },
        async {
            // Postgres gives the lock to the reset first, because it has waited for longer.
            wait_for(
                db,
                "select count(*) = 2 from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'",
            )
            .await;
            held.rollback().await.unwrap();
        },
    );
    log_in(portal, name, NEW_PASSWORD).await.expect(200);
    replied
}

#[tokio::test]
async fn change_that_was_proved_before_a_reset_of_the_password_is_refused() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let proof = json!({"password": PASSWORD});
    let changes: [(&str, &str, Value); 6] = [
        (
            "PUT",
            "/auth/change-password",
            json!({"currentPassword": PASSWORD, "newPassword": "of-the-thief-9"}),
        ),
        ("POST", "/auth/change-email", json!({"password": PASSWORD, "email": "thief@example.lk"})),
        ("POST", "/auth/totp", proof.clone()),
        ("POST", "/auth/passkeys/options", proof.clone()),
        ("PUT", "/auth/google", proof.clone()),
        ("POST", "/auth/delete-account", proof),
    ];
    for (number, (method, path, mut body)) in changes.into_iter().enumerate() {
        portal.advance(60);
        let name = format!("user{number}");
        let mut user = portal.user(&name, "supplier").await;
        if path == "/auth/google" {
            (user, body["credential"]) = google_page(&portal, &user, &name).await;
        }
        let request = async {
            match method {
                "PUT" => user.put(path, &body).await,
                _ => user.post(path, &body).await,
            }
        };
        let late = request_during_reset(&portal, &name, request).await;
        assert_eq!(late.status, 401, "{path}: {}", late.text());
    }
    let mailed: i64 = sqlx::query_scalar("select count(*) from delivery where address = 'thief@example.lk'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(mailed, 0);
}

#[tokio::test]
async fn role_that_was_given_before_a_reset_of_the_administrators_password_is_refused() {
    let portal = TestPortal::start().await;
    let admin = staff(&portal, "chief", "admin").await;
    portal.user("nimal", "supplier").await;
    let id = id_of(&find_user(&admin, "nimal").await);
    let form = json!({"role": "admin", "password": PASSWORD});
    let late =
        request_during_reset(&portal, "chief", admin.put(&format!("/operate/users/{id}/role"), &form)).await;
    assert_eq!(late.status, 401, "{}", late.text());
    let role: String = sqlx::query_scalar("select role from users where email = 'nimal@example.lk'")
        .fetch_one(&portal.state.db)
        .await
        .unwrap();
    assert_eq!(role, "supplier");
}

#[tokio::test]
async fn google_sign_in_that_began_before_a_reset_of_the_password_is_refused() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    let user = portal.user("nimal", "supplier").await;
    connect_google(&portal, &user, "nimal").await;
    let (page, credential) = google_page(&portal, &portal.guest(), "nimal").await;
    let form = json!({"credential": credential});
    let late = request_during_reset(&portal, "nimal", page.post("/auth/google", &form)).await;
    assert_eq!(late.expect_error(409), "Your account has just changed. Please try again.");
}

#[tokio::test]
async fn account_of_an_unconfirmed_address_keeps_no_access_of_the_earlier_holder() {
    let issuer = Issuer::start().await;
    let portal = start_portal(&issuer).await;
    for name in ["by-google", "by-reset"] {
        let stranger = portal.subscriber(name, "supplier", Some("enterprise")).await;
        let key = json!({"name": "Our ERP", "scopes": ["tenders:read"]});
        let key = stranger.post("/keys", &key).await.expect(201)["data"]["secret"].clone();
        let program = portal.guest().with_token(key.as_str().unwrap());
        let search = json!({"name": "Roads", "query": "search=road"});
        let search = stranger.post("/saved/searches", &search).await.expect(201);
        let feed =
            search["data"]["search"]["feedUrl"].as_str().unwrap().split_once("/api").unwrap().1.to_owned();
        stranger.put("/channels/webhook", &json!({"url": "https://hooks.example.lk/"})).await.expect(200);
        sqlx::query("insert into phone (user_id, number, verified_at) select id, '+94771234567', now() from users where email = $1")
            .bind(format!("{name}@example.lk"))
            .execute(&portal.state.db)
            .await
            .unwrap();
        crate::second_factors::set_up_totp(&portal, &stranger).await;
        let proof = json!({"password": PASSWORD});
        let options = stranger.post("/auth/passkeys/options", &proof).await.expect(200);
        let mut device = SoftAuthenticator::new("https://portal.example");
        let passkey = device.create(&options["data"]["options"]);
        stranger.post("/auth/passkeys", &json!({"name": "Phone", "credential": passkey})).await.expect(201);
        portal.unconfirm(name).await;

        let signed_in = if name == "by-google" {
            let (page, credential) = google_page(&portal, &portal.guest(), name).await;
            page.post("/auth/google", &json!({"credential": credential})).await
        } else {
            reset(&portal, &reset_link(&portal, name).await).await.expect(200);
            log_in(&portal, name, NEW_PASSWORD).await
        };
        let signed_in = signed_in.expect(200);
        let owner = portal.guest().with_token(signed_in["data"]["token"].as_str().unwrap());
        let factors = owner.get("/auth/second-factors").await.expect(200)["data"].clone();
        assert_eq!((&factors["totpSince"], &factors["passkeys"]), (&Value::Null, &json!([])), "{name}");
        assert_eq!(factors["recoveryCodesLeft"], 0, "{name}");
        program.get("/tenders").await.expect_error(401);
        assert_eq!(portal.guest().get_unchecked(&format!("/api{feed}")).await.status, 404, "{name}");
        let channels = owner.get("/channels").await.expect(200)["data"].clone();
        assert_eq!((&channels["webhook"], &channels["phone"]), (&Value::Null, &Value::Null), "{name}");
        stranger.get("/auth/me").await.expect_error(401);
    }
}

#[tokio::test]
async fn account_of_an_unconfirmed_address_keeps_no_team_of_the_earlier_holder() {
    let portal = TestPortal::start().await;
    let names = async |client: &Client| -> Vec<String> {
        let alerts = client.get("/alerts").await.expect(200)["data"]["alerts"].clone();
        let names = alerts.as_array().unwrap().iter().map(|alert| alert["name"].as_str().unwrap().to_owned());
        let mut names: Vec<String> = names.collect();
        names.sort_unstable();
        names
    };
    let save = async |client: &Client, name: &str| {
        let form = json!({"name": name, "keywords": [{"term": name, "matchType": "contains"}]});
        client.post("/alerts", &form).await.expect(201);
    };
    let take_back = async |name: &str| {
        portal.unconfirm(name).await;
        reset(&portal, &reset_link(&portal, name).await).await.expect(200);
        let signed_in = log_in(&portal, name, NEW_PASSWORD).await.expect(200);
        portal.guest().with_token(signed_in["data"]["token"].as_str().unwrap())
    };
    let owner = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    for name in ["kamala", "saman"] {
        save(&join_team(&portal, &owner, name).await, name).await;
    }
    let member = take_back("kamala").await;
    // Only a plan includes alerts, and this one was the team's.
    member.get("/alerts").await.expect_error(403);
    assert_eq!(names(&owner).await, ["kamala", "saman"], "an alert of the team passes to its owner");

    owner.post("/team/invitations", &json!({"email": "late@example.lk"})).await.expect(201);
    let invitation = token(&find_mail(&portal, "late@example.lk", "/join?token=").await);
    let owner = take_back("nimal").await;
    save(&owner, "roads").await;
    assert_eq!(names(&owner).await, ["kamala", "roads"]);
    let saman = log_in(&portal, "saman", PASSWORD).await.expect(200);
    let saman = portal.guest().with_token(saman["data"]["token"].as_str().unwrap());
    saman.get("/alerts").await.expect_error(403);
    let late = portal.user("late", "buyer").await;
    late.post("/team/join", &json!({"token": invitation})).await.expect_error(404);
}

#[tokio::test]
async fn reset_of_a_confirmed_account_keeps_keys_and_the_webhook() {
    let portal = TestPortal::start().await;
    let user = portal.subscriber("nimal", "supplier", Some("enterprise")).await;
    let key = json!({"name": "Our ERP", "scopes": ["tenders:read"]});
    let key = user.post("/keys", &key).await.expect(201)["data"]["secret"].clone();
    user.put("/channels/webhook", &json!({"url": "https://hooks.example.lk/"})).await.expect(200);
    reset(&portal, &reset_link(&portal, "nimal").await).await.expect(200);
    portal.guest().with_token(key.as_str().unwrap()).get("/tenders").await.expect(200);
    let signed_in = log_in(&portal, "nimal", NEW_PASSWORD).await.expect(200);
    let user = portal.guest().with_token(signed_in["data"]["token"].as_str().unwrap());
    assert!(user.get("/channels").await.expect(200)["data"]["webhook"].is_object());
}

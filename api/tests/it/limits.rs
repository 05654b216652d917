//! Rate limits of all routes, by class and by caller.

use crate::support::{Client, Reply, TestPortal};
use axum::http::{Method, StatusCode};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

const PASSWORD: &str = "secret-of-theirs";

/// Starts a portal with the limits of production that takes client addresses from a header.
async fn start_portal(settings: &[&str]) -> TestPortal {
    let settings = [&["--rate-limit-factor", "1", "--trusted-proxies", "127.0.0.1"], settings].concat();
    TestPortal::start_with(&settings).await
}

/// Calls a path below /api from this address.
async fn get_from(client: &Client, address: &str, path: &str) -> Reply {
    let request = client.request(Method::GET, path).header("x-forwarded-for", address);
    client.send(request, Method::GET, path).await
}

/// Calls a path as often as a minute permits, and once more. Returns the last reply.
async fn exhaust(client: &Client, address: &str, path: &str, allowance: usize) -> Reply {
    for nth in 0..allowance {
        let reply = get_from(client, address, path).await;
        assert_ne!(reply.status, StatusCode::TOO_MANY_REQUESTS, "call {nth} of {path}");
    }
    get_from(client, address, path).await
}

#[tokio::test]
async fn reads_are_limited_by_class_and_address() {
    let portal = start_portal(&[]).await;
    let guest = portal.guest();
    let refused = exhaust(&guest, "203.0.113.7", "/tenders/suggestions?text=x", 300).await;
    assert!(refused.expect_error(429).starts_with("Too many requests."));
    assert_eq!(refused.header("retry-after"), "1");
    // The other routes of the class share its limit. Other classes and addresses do not.
    get_from(&guest, "203.0.113.7", "/tenders").await.expect_error(429);
    get_from(&guest, "203.0.113.7", "/health").await.expect(200);
    get_from(&guest, "203.0.113.8", "/tenders").await.expect(200);
    portal.advance(1);
    get_from(&guest, "203.0.113.7", "/tenders").await.expect(200);
}

#[tokio::test]
async fn unknown_paths_and_pages_are_limited_too() {
    let portal = start_portal(&[]).await;
    let base = format!("http://{}", portal.address);
    let client = reqwest::Client::new();
    let get = async |path: &str| client.get(format!("{base}{path}")).send().await.unwrap();
    for (path, allowance) in [("/api/nothing", 600), ("/nothing", 600), ("/nothing.js", 3000)] {
        for _ in 0..allowance {
            assert_ne!(get(path).await.status(), 429, "{path}");
        }
        let refused = get(path).await;
        assert_eq!(refused.status(), 429, "{path}");
        assert!(refused.headers().contains_key("retry-after"));
    }
    for path in ["/livez", "/readyz"] {
        assert_eq!(get(path).await.status(), 200);
    }
}

#[tokio::test]
async fn signed_in_users_do_not_share_the_limit_of_their_address() {
    let portal = start_portal(&[]).await;
    let (nimal, kamala) = (portal.user("nimal", "buyer").await, portal.user("kamala", "buyer").await);
    let address = "203.0.113.7";
    exhaust(&portal.guest(), address, "/tenders/stats", 300).await.expect_error(429);
    exhaust(&nimal, address, "/tenders/stats", 300).await.expect_error(429);
    // The limit of an account applies at all addresses.
    get_from(&nimal, "198.51.100.9", "/tenders/stats").await.expect_error(429);
    get_from(&kamala, address, "/tenders/stats").await.expect(200);
    // A token without a valid signature counts for the address.
    let forged = portal.guest().with_token("eyJhbGciOiJIUzI1NiJ9.e30.x");
    get_from(&forged, address, "/tenders/stats").await.expect_error(429);
}

#[tokio::test]
async fn unknown_api_keys_count_for_the_address() {
    let portal = start_portal(&[]).await;
    for nth in 0..1200 {
        let program = portal.guest().with_token(&format!("key_{nth}"));
        get_from(&program, "203.0.113.7", "/tenders/stats").await.expect_error(401);
    }
    let program = portal.guest().with_token("key_1200");
    get_from(&program, "203.0.113.7", "/tenders/stats").await.expect_error(429);
    get_from(&portal.guest(), "203.0.113.7", "/tenders/stats").await.expect(200);
}

#[tokio::test]
async fn correct_sign_ins_of_a_known_device_are_limited() {
    let portal = start_portal(&["--sign-ins-a-minute", "30"]).await;
    portal.user("nimal", "buyer").await;
    portal.user("kamala", "buyer").await;
    let login = async |cookie: &str, email: &str| {
        let client = portal.guest().with_cookie(cookie);
        client.post("/auth/login", &json!({"email": email, "password": PASSWORD})).await
    };
    let first = login("", "nimal@example.lk").await;
    let device = first.header("set-cookie").split(';').next().unwrap().to_owned();
    for _ in 0..30 {
        login(&device, "nimal@example.lk").await.expect(200);
    }
    login(&device, "nimal@example.lk").await.expect_error(429);
    // The device and other clients do not limit each other.
    login("", "kamala@example.lk").await.expect(200);
    portal.advance(2);
    login(&device, "nimal@example.lk").await.expect(200);
}

#[tokio::test]
async fn guesses_from_many_networks_are_limited_but_not_the_owners_device() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    let attempt = async |network: &str, cookie: &str, password: &str| {
        let client = portal.guest().with_cookie(cookie);
        let request = client.request(Method::POST, "/auth/login").header("x-forwarded-for", network);
        let request = request.json(&json!({"email": "nimal@example.lk", "password": password}));
        client.send(request, Method::POST, "/auth/login").await
    };
    let signed_in = attempt("192.0.2.1", "", PASSWORD).await;
    let device = signed_in.header("set-cookie").split(';').next().unwrap().to_owned();
    for nth in 0..50 {
        attempt(&format!("203.0.113.{nth}"), "", "wrong").await.expect_error(401);
    }
    // Even the right password is refused from an unknown device.
    let refused = attempt("198.51.100.9", "", PASSWORD).await;
    refused.expect_error(429);
    assert!((1..=73).contains(&refused.header("retry-after").parse::<u64>().unwrap()));
    attempt("192.0.2.1", &device, PASSWORD).await.expect(200);
    attempt("192.0.2.1", "", PASSWORD).await.expect_error(429);
    portal.advance(73);
    attempt("192.0.2.1", "", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn requests_that_send_messages_are_limited_tightly() {
    let portal = start_portal(&[]).await;
    let form = json!({"email": "nobody@example.lk"});
    for _ in 0..10 {
        portal.guest().post("/auth/forgot-password", &form).await.expect(200);
    }
    portal.guest().post("/auth/forgot-password", &form).await.expect_error(429);
}

#[tokio::test]
async fn accounts_give_no_further_requests_to_routes_without_a_session() {
    let portal = start_portal(&["--sign-ins-a-minute", "3"]).await;
    let clients = [portal.user("nimal", "buyer").await, portal.user("kamala", "buyer").await, portal.guest()];
    for (method, path, allowance) in
        [(Method::POST, "/auth/register", 3), (Method::POST, "/auth/forgot-password", 10)]
    {
        for client in clients.iter().cycle().take(allowance) {
            assert_ne!(send_empty(client, method.clone(), path).await.status, StatusCode::TOO_MANY_REQUESTS);
        }
        for client in &clients {
            send_empty(client, method.clone(), path).await.expect_error(429);
        }
    }
    send_empty(&clients[0], Method::PUT, "/auth/reset-password").await.expect_error(429);
    send_empty(&clients[0], Method::POST, "/contact").await.expect_error(429);
    // Requests about the account itself are counted by account.
    send_empty(&clients[0], Method::PUT, "/auth/change-password").await.expect_error(422);
}

/// Sends an empty form from one address.
async fn send_empty(client: &Client, method: Method, path: &str) -> Reply {
    let request = client.request(method.clone(), path).header("x-forwarded-for", "203.0.113.7");
    let request = request.json(&json!({}));
    client.send(request, method, path).await
}

#[tokio::test]
async fn token_of_an_ended_session_does_not_use_up_the_limits_of_the_account() {
    let portal = start_portal(&[]).await;
    let owner = portal.user("nimal", "buyer").await;
    let form = json!({"email": "nimal@example.lk", "password": PASSWORD});
    let stolen = portal.guest().post("/auth/login", &form).await.expect(200);
    let thief = portal.guest().with_token(stolen["data"]["token"].as_str().unwrap());
    owner.delete("/auth/sessions").await.expect(200);
    for _ in 0..10 {
        thief.post("/auth/resend-verification", &json!({})).await.expect_error(401);
    }
    let reply = owner.post("/auth/resend-verification", &json!({})).await;
    assert_ne!(reply.status, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn slow_body_does_not_delay_the_sign_ins_of_its_address() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    let head = "POST /api/auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n\
        content-length: 99\r\nexpect: 100-continue\r\n\r\n";
    let mut unfinished = Vec::new();
    for _ in 0..2 {
        let mut connection = TcpStream::connect(portal.address).await.unwrap();
        connection.write_all(head.as_bytes()).await.unwrap();
        // The server sends this line when it begins to read the body.
        let mut line = [0; 25];
        connection.read_exact(&mut line).await.unwrap();
        assert_eq!(&line, b"HTTP/1.1 100 Continue\r\n\r\n");
        unfinished.push(connection);
    }
    let form = json!({"email": "nimal@example.lk", "password": PASSWORD});
    portal.guest().post("/auth/login", &form).await.expect(200);
}

#[tokio::test]
async fn sign_ins_of_one_address_do_not_delay_those_of_another() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    let sign_in = async |address: &str| {
        let guest = portal.guest();
        let request = guest.request(Method::POST, "/auth/login").header("x-forwarded-for", address);
        let request = request.json(&json!({"email": "nimal@example.lk", "password": PASSWORD}));
        guest.send(request, Method::POST, "/auth/login").await
    };
    let busy: std::net::IpAddr = "203.0.113.7".parse().unwrap();
    let turns = &portal.state.hashing_turns;
    let held = (turns.take(busy).await.unwrap(), turns.take(busy).await.unwrap());
    let mut waiting = Box::pin(sign_in("203.0.113.7"));
    tokio::select! {
        biased;
        reply = &mut waiting => panic!("a third sign-in of the address is served: {}", reply.status),
        reply = sign_in("198.51.100.9") => { reply.expect(200); }
    }
    drop(held);
    waiting.await.expect(200);
}

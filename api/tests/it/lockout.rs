//! Wrong passwords are limited for each pair of account and network, so that nobody can lock
//! another user out everywhere.

use crate::support::{Reply, TestPortal};
use axum::http::Method;
use serde_json::json;

const PASSWORD: &str = "secret-of-theirs";
/// The address of a client in one network.
const NETWORK: &str = "203.0.113.7";
/// The address of a client in another network.
const OTHER_NETWORK: &str = "198.51.100.9";

/// Starts a portal that takes client addresses from a header, so that a test can use several
/// networks.
async fn start_portal(settings: &[&str]) -> TestPortal {
    let settings = [&["--trusted-proxies", "127.0.0.1"], settings].concat();
    TestPortal::start_with(&settings).await
}

/// Tries to sign in from a network. Sends `cookie` unless it is empty.
async fn attempt(portal: &TestPortal, network: &str, cookie: &str, email: &str, password: &str) -> Reply {
    let guest = if cookie.is_empty() { portal.guest() } else { portal.guest().with_cookie(cookie) };
    let request = guest.request(Method::POST, "/auth/login").header("x-forwarded-for", network);
    let request = request.json(&json!({"email": email, "password": password}));
    guest.send(request, Method::POST, "/auth/login").await
}

/// Returns the cookie that a response sets.
fn cookie(reply: &Reply) -> String {
    reply.header("set-cookie").split(';').next().unwrap().to_owned()
}

#[tokio::test]
async fn lockout_applies_to_account_and_network() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    portal.user("kamala", "buyer").await;
    let tries = async |email: &str, password: &str| attempt(&portal, NETWORK, "", email, password).await;
    for nth in 0..10 {
        // All spellings of the address belong to the same account.
        let email = ["nimal@example.lk", " Nimal@EXAMPLE.lk", "nİmal@example.lk"][nth % 3];
        tries(email, "wrong").await.expect_error(401);
        tries("nobody@example.lk", "wrong").await.expect_error(401);
    }
    // The right password is refused as well, so that the response reveals nothing. Unknown
    // accounts get the same response.
    let (known, unknown) =
        (tries("nimal@example.lk", PASSWORD).await, tries("nobody@example.lk", PASSWORD).await);
    assert_eq!(known.expect_error(429), unknown.expect_error(429));
    assert_eq!(known.header("retry-after"), unknown.header("retry-after"));
    attempt(&portal, OTHER_NETWORK, "", "nimal@example.lk", PASSWORD).await.expect(200);
    tries("kamala@example.lk", PASSWORD).await.expect(200);
    portal.advance(6 * 60);
    tries("nimal@example.lk", PASSWORD).await.expect(200);
    // A correct password resets the limit.
    for _ in 0..10 {
        tries("nimal@example.lk", "wrong").await.expect_error(401);
    }
    tries("nimal@example.lk", "wrong").await.expect_error(429);
}

#[tokio::test]
async fn trusted_device_is_not_locked_out_by_others() {
    let portal = start_portal(&["--sign-ins-a-minute", "15"]).await;
    let signed_in = {
        portal.user("nimal", "buyer").await;
        attempt(&portal, NETWORK, "", "nimal@example.lk", PASSWORD).await
    };
    signed_in.expect(200);
    assert!(signed_in.header("set-cookie").contains("; HttpOnly; SameSite=Lax"));
    let own = cookie(&signed_in);
    for _ in 0..10 {
        attempt(&portal, NETWORK, "", "nimal@example.lk", "wrong").await.expect_error(401);
    }
    for _ in 0..10 {
        // The account's limit refuses the first of these attempts, and the network's limit the
        // rest.
        attempt(&portal, NETWORK, "", "nimal@example.lk", "wrong").await.expect_error(429);
    }
    let again = attempt(&portal, NETWORK, &own, "nimal@example.lk", PASSWORD).await;
    again.expect(200);
    assert_eq!(cookie(&again), own, "the device keeps its cookie");
    // Wrong passwords from the trusted device count too.
    for _ in 0..10 {
        attempt(&portal, NETWORK, &own, "nimal@example.lk", "wrong").await.expect_error(401);
    }
    attempt(&portal, NETWORK, &own, "nimal@example.lk", PASSWORD).await.expect_error(429);
}

#[tokio::test]
async fn forged_device_cookie_does_not_bypass_the_limit() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    portal.user("kamala", "buyer").await;
    let kamalas = cookie(&attempt(&portal, NETWORK, "", "kamala@example.lk", PASSWORD).await);
    let own = cookie(&attempt(&portal, NETWORK, "", "nimal@example.lk", PASSWORD).await);
    let parts: Vec<&str> = own.trim_start_matches("device=").split('.').collect();
    let theirs: Vec<&str> = kamalas.trim_start_matches("device=").split('.').collect();
    for _ in 0..10 {
        attempt(&portal, NETWORK, "", "nimal@example.lk", "wrong").await.expect_error(401);
    }
    for forged in [
        kamalas.clone(),
        format!("device={}.{}.{}", theirs[0], parts[1], theirs[2]),
        format!("device={}.{}.{}", parts[0].replace(char::is_numeric, "0"), parts[1], parts[2]),
        format!("device={}.{}.", parts[0], parts[1]),
        format!("device={}", parts[0]),
        format!("guest={}.{}.{}", parts[0], parts[1], parts[2]),
        "device=".into(),
        "device=..".into(),
    ] {
        attempt(&portal, NETWORK, &forged, "nimal@example.lk", PASSWORD).await.expect_error(429);
    }
    attempt(&portal, NETWORK, &own, "nimal@example.lk", PASSWORD).await.expect(200);
}

#[tokio::test]
async fn parallel_attempts_do_not_bypass_the_limit() {
    let portal = start_portal(&[]).await;
    portal.user("nimal", "buyer").await;
    let attempts = (0..40).map(|_| attempt(&portal, NETWORK, "", "nimal@example.lk", "wrong"));
    let replies = futures::future::join_all(attempts).await;
    let tried = replies.iter().filter(|reply| reply.status == 401).count();
    assert_eq!((tried, replies.iter().filter(|reply| reply.status == 429).count()), (10, 30));
}

#[tokio::test]
async fn session_password_attempts_are_limited_separately() {
    let portal = TestPortal::start().await;
    let stolen = portal.user("nimal", "buyer").await;
    let change = json!({"currentPassword": "wrong", "newPassword": "another secret"});
    for _ in 0..10 {
        stolen.put("/auth/change-password", &change).await.expect_error(422);
    }
    let right = json!({"currentPassword": PASSWORD, "newPassword": "another secret"});
    stolen.put("/auth/change-password", &right).await.expect_error(429);
    let own = portal.sign_in("nimal").await;
    own.put("/auth/change-password", &right).await.expect(200);
}

#[tokio::test]
async fn header_of_an_untrusted_peer_is_ignored() {
    for (settings, status) in [
        (&["--trusted-proxies", "127.0.0.1"][..], 401),
        (&["--trusted-proxies", "10.0.0.0/8"], 429),
        (&[], 429),
    ] {
        let limited = [settings, &["--sign-ins-a-minute", "3"]].concat();
        let portal = TestPortal::start_with(&limited).await;
        for nth in 0..3 {
            let network = format!("203.0.113.{nth}");
            attempt(&portal, &network, "", "nimal@example.lk", "wrong").await.expect_error(401);
        }
        attempt(&portal, NETWORK, "", "nimal@example.lk", "wrong").await.expect_error(status);
    }
}

#[tokio::test]
async fn entries_of_all_proxy_hops_are_believed() {
    let settings = ["--trusted-proxies", "127.0.0.1,192.0.2.0/24", "--sign-ins-a-minute", "1"];
    for (hops, status) in [("1", 429), ("2", 401)] {
        let portal = start_portal(&[&settings[..], &["--proxy-hops", hops]].concat()).await;
        for (network, status) in [("203.0.113.7, 192.0.2.1", 401), ("198.51.100.9, 192.0.2.1", status)] {
            attempt(&portal, network, "", "nimal@example.lk", "wrong").await.expect_error(status);
        }
        // The client wrote the first entry itself.
        let forged = "198.51.100.1, 203.0.113.7, 192.0.2.1";
        attempt(&portal, forged, "", "nimal@example.lk", "wrong").await.expect_error(429);
    }
}

//! Unknown paths, response headers, the application's page, and readiness.

use crate::support::TestPortal;
use axum::http::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

#[tokio::test]
async fn unknown_paths_and_methods_get_error_bodies() {
    let portal = TestPortal::start().await;
    let guest = portal.guest();
    let reply = guest.get("/nothing/here").await;
    assert_eq!(reply.expect_error(404), "There is nothing at this address");
    assert_eq!(reply.json()["requestId"], reply.header("x-request-id"));
    let request = guest.request(Method::DELETE, "/health");
    assert!(guest.send(request, Method::DELETE, "/health").await.expect_error(405).contains("DELETE"));
    assert_eq!(guest.get_unchecked("/api").await.expect_error(404), "There is nothing at this address");
}

#[tokio::test]
async fn every_response_has_security_headers() {
    let portal = TestPortal::start().await;
    for path in ["/api/health", "/api/nothing", "/", "/missing.js"] {
        let reply = portal.guest().get_unchecked(path).await;
        assert!(reply.header("content-security-policy").contains("default-src 'self'"), "{path}");
        assert_eq!(reply.header("x-content-type-options"), "nosniff", "{path}");
        assert!(!reply.header("x-request-id").is_empty(), "{path}");
    }
    for path in ["/api/health", "/livez", "/readyz", "/unsubscribe/unknown"] {
        assert_eq!(portal.guest().get_unchecked(path).await.header("cache-control"), "no-store", "{path}");
    }
    let page = portal.guest().get_unchecked("/").await;
    let policy = page.header("content-security-policy");
    assert!(policy.contains("base-uri 'none'") && !policy.contains("unsafe-inline"), "{policy}");
    assert_eq!(page.header("cross-origin-resource-policy"), "same-origin");
    assert!(page.header("permissions-policy").contains("camera=()"));
    assert_eq!(page.header("strict-transport-security"), "", "the public URL is not https");
}

#[tokio::test]
async fn portal_with_an_encrypted_public_url_answers_under_its_own_name() {
    let portal = TestPortal::start_with(&["--public-url", "https://portal.example"]).await;
    let status = async |path: &str, host: &str| {
        let request = reqwest::Client::new().get(format!("http://{}{path}", portal.address));
        request.header("host", host).send().await.unwrap()
    };
    for host in ["portal.example", "PORTAL.example:443", "localhost:8080", "127.0.0.1"] {
        let reply = status("/api/health", host).await;
        assert_eq!(reply.status(), 200, "{host}");
        assert_eq!(reply.headers()["strict-transport-security"], "max-age=31536000");
    }
    for host in ["evil.example", "portal.example.evil.example", "10.0.0.1", "x@portal.example"] {
        assert_eq!(status("/api/health", host).await.status(), 421, "{host}");
        assert_eq!(status("/", host).await.status(), 421, "{host}");
        assert_eq!(status("/livez", host).await.status(), 200, "{host}");
        assert_eq!(status("/readyz", host).await.status(), 200, "{host}");
    }
    let form = json!({"firstName": "Nimal", "lastName": "Perera", "email": "n@example.lk", "password": "secret-long-enough"});
    let registered = portal.guest().post("/auth/register", &form).await;
    let cookie = registered.header("set-cookie");
    let (device, attributes) = cookie.split_once(';').unwrap();
    assert!(device.starts_with("__Host-device="), "{cookie}");
    assert_eq!(attributes, " Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure");
    // The cookie of an earlier version is still valid. The next sign-in renames it.
    let former = device.replace("__Host-", "__Secure-");
    let login = json!({"email": "n@example.lk", "password": "secret-long-enough"});
    let renamed = portal.guest().with_cookie(&former).post("/auth/login", &login).await;
    renamed.expect(200);
    let cookies: Vec<_> = renamed.headers.get_all("set-cookie").iter().collect();
    assert_eq!(cookies[0], cookie, "the device keeps its id");
    assert_eq!(cookies[1], "__Secure-device=; Path=/api/auth; Max-Age=0; HttpOnly; SameSite=Lax; Secure");
    let again = portal.guest().with_cookie(device).post("/auth/login", &login).await;
    again.expect(200);
    assert_eq!(again.headers.get_all("set-cookie").iter().count(), 1);
}

#[tokio::test]
async fn request_without_a_host_is_refused() {
    let portal = TestPortal::start().await;
    let answer = async |request: &str| {
        let mut stream = TcpStream::connect(portal.address).await.unwrap();
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer.lines().next().unwrap_or_default().to_owned()
    };
    let refused = answer("GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n").await;
    assert_eq!(refused, "HTTP/1.1 400 Bad Request");
    let accepted = answer("GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
    assert_eq!(accepted, "HTTP/1.1 200 OK");
}

#[tokio::test]
async fn security_contact_is_published() {
    let portal = TestPortal::start().await;
    assert_eq!(portal.guest().get_unchecked("/.well-known/security.txt").await.status, 404);
    let portal = TestPortal::start_with(&["--contact-email", "desk@example.lk"]).await;
    let reply = portal.guest().get_unchecked("/.well-known/security.txt").await;
    assert_eq!(reply.header("content-type"), "text/plain; charset=utf-8");
    assert!(
        reply.text().starts_with("Contact: mailto:desk@example.lk\nExpires: 2027-05-19T06:30:00Z\n"),
        "{}",
        reply.text()
    );
    let contact =
        ["--security-contact", "https://portal.example/report", "--public-url", "https://portal.example"];
    let portal = TestPortal::start_with(&contact).await;
    let text = portal.guest().get_unchecked("/.well-known/security.txt").await.text();
    assert!(text.contains("Contact: https://portal.example/report\n"), "{text}");
    assert!(text.contains("Canonical: https://portal.example/.well-known/security.txt\n"), "{text}");
}

#[tokio::test]
async fn response_encoding_matches_its_header() {
    let portal = TestPortal::start().await;
    for path in ["/health", "/nothing/here", "/tenders?page=0"] {
        let request = portal.guest().request(Method::GET, path).header("accept-encoding", "gzip");
        let reply = request.send().await.unwrap();
        let says_gzip = reply.headers().contains_key("content-encoding");
        let is_gzip = reply.bytes().await.unwrap().starts_with(&[0x1f, 0x8b]);
        assert_eq!(says_gzip, is_gzip, "{path}");
    }
}

#[tokio::test]
async fn page_paths_get_the_application_page_and_assets_are_cached() {
    let portal = TestPortal::start_with(&["--company-name", "Ours"]).await;
    assert!(portal.guest().get_unchecked("/").await.text().contains("<code>make</code> builds it"));
    let web = portal.folder.path().join("web");
    std::fs::create_dir_all(web.join("assets")).unwrap();
    let page = r#"<!doctype html><script type="application/json" id="settings"></script><p>the application"#;
    std::fs::write(web.join("index.html"), page).unwrap();
    std::fs::write(web.join("assets/index-3f2a.js"), "export {}").unwrap();
    std::fs::write(portal.folder.path().join("secret.txt"), "secret").unwrap();
    for path in ["/", "/tenders?page=2", "/no/such/page", "/index.html"] {
        let reply = portal.guest().get_unchecked(path).await;
        let status = if path == "/no/such/page" { 404 } else { 200 };
        assert_eq!(reply.status, status, "{path}");
        assert!(
            reply.text().contains(
                r#"id="settings">{"apiBase":"/api","googleClientId":null,"payments":null,"company":{"companyName":"Ours"#
            ),
            "{path}"
        );
        assert_eq!(reply.header("cache-control"), "no-cache", "{path}");
    }
    let asset = portal.guest().get_unchecked("/assets/index-3f2a.js").await;
    assert_eq!((asset.status.as_u16(), asset.text().as_str()), (200, "export {}"));
    assert_eq!(asset.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!(asset.header("content-type"), "text/javascript; charset=utf-8");
    for path in ["/assets/gone.js", "/favicon.ico", "/..%2fsecret.txt", "/%2e%2e/secret.txt"] {
        let reply = portal.guest().get_unchecked(path).await;
        assert!(reply.status == 404 || reply.text().contains("the application"), "{path}: {}", reply.text());
        assert_ne!(reply.text(), "secret", "{path}");
    }
}

#[tokio::test]
async fn readiness_follows_the_database() {
    let portal = TestPortal::start().await;
    assert_eq!(portal.guest().get_unchecked("/livez").await.status, 200);
    assert_eq!(portal.guest().get_unchecked("/readyz").await.status, 200);
    portal.guest().get("/health").await.expect(200);
    portal.database.refuse_connections().await;
    portal.state.db.close().await;
    assert_eq!(portal.guest().get_unchecked("/readyz").await.status, 503);
    assert_eq!(portal.guest().get_unchecked("/livez").await.status, 200);
    let health = portal.guest().get("/health").await.expect(200);
    assert_eq!(health["data"]["database"], false);
    // A request that needs the database gets 503.
    let message = portal.guest().get("/tenders/00000000-0000-7000-8000-000000000000").await.expect_error(503);
    assert!(message.contains("database"), "{message}");
}

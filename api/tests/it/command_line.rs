//! The command line: output, effects, and startup errors.

use crate::support::{TestDatabase, TestPortal};
use std::{
    io::Write,
    process::{Command, Stdio},
};

/// The binary, without this process's settings.
fn api(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
    command.env_clear().args(arguments).stdin(Stdio::null());
    command
}

/// Runs a command and returns its success and output.
fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(said).unwrap())
}

/// Returns the startup error of `serve` with these arguments.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let data = tempfile::tempdir().unwrap();
    let (well, said) = run(api(&["serve"]).args(arguments).env("DATA", data.path().join("data")));
    assert!(!well, "it started");
    said
}

#[tokio::test]
async fn startup_errors_say_what_where_and_how_to_fix() {
    let nowhere = ["--database-url", "postgres://nobody:hush@127.0.0.1:1/none"];
    let said = refused(&[&nowhere[..], &["--mail-to-disk"]].concat());
    assert!(said.contains("127.0.0.1:1, database none") && said.contains("DATABASE_URL"), "{said}");
    assert!(!said.contains("hush"), "the password is told: {said}");
    let said = refused(&["--database-url", "mysql://x", "--mail-to-disk"]);
    assert!(said.contains("postgres://user:password@host:port/database"), "{said}");
    let said = refused(&[]);
    assert!(said.contains("--database-url"), "{said}");

    let database = TestDatabase::fresh().await;
    let url = ["--database-url", &database.url()];
    let said = refused(&[&url[..], &["--demo", "--listen", "0.0.0.0:0"]].concat());
    assert!(said.contains("loopback") && said.contains("0.0.0.0:0"), "{said}");
    let said = refused(&[&url[..], &["--demo", "--behind-proxy"]].concat());
    assert!(said.contains("BEHIND_PROXY") && said.contains("--demo"), "{said}");
    let said = refused(&[&url[..], &["--demo", "--public-url", "https://portal.example"]].concat());
    assert!(said.contains("https://portal.example") && said.contains("PUBLIC_URL"), "{said}");
    let said = refused(&url);
    assert!(said.contains("SMTP_URL") && said.contains("--mail-to-disk"), "{said}");

    let google =
        ["--mail-to-disk", "--google-client-id", "x", "--google-keys-url", "http://keys.example/certs"];
    let said = refused(&[&url[..], &google].concat());
    assert!(said.contains("http://keys.example/certs") && said.contains("--google-keys-url"), "{said}");

    let payments = |arguments: &[&str]| refused(&[&url[..], &["--mail-to-disk"], arguments].concat());
    let said = payments(&["--payments", "sandbox"]);
    assert!(said.contains("--demo") && said.contains("PAYMENTS"), "{said}");
    let said = payments(&["--payments", "stripe", "--stripe-secret-key", "sk_hush"]);
    assert!(said.contains("STRIPE_WEBHOOK_SECRET is missing") && !said.contains("sk_hush"), "{said}");
    let said = payments(&["--payments", "payhere", "--payhere-merchant-id", "1", "--payhere-app-id", ""]);
    assert!(
        said.contains("PAYHERE_MERCHANT_SECRET, PAYHERE_APP_ID, PAYHERE_APP_SECRET are missing"),
        "{said}"
    );
    let stripe = ["--payments", "stripe", "--stripe-secret-key", "k", "--stripe-webhook-secret", "w"];
    let said = payments(&[&stripe[..], &["--stripe-api-url", "http://stripe.example"]].concat());
    assert!(said.contains("http://stripe.example") && said.contains("https://"), "{said}");
    for vat in [
        &["--vat-number", "1"][..],
        &["--vat-rate-percent", "18"],
        &["--vat-number", "1", "--vat-rate-percent", "101"],
    ] {
        assert!(payments(vat).contains("--vat-"), "{vat:?}");
    }

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = refused(&[&url[..], &["--mail-to-disk", "--listen", &address]].concat());
    assert!(said.contains(&address) && said.contains("--listen"), "{said}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let data = ["--data", file.path().to_str().unwrap()];
    let said = refused(&[&url[..], &data, &["--mail-to-disk", "--listen", "127.0.0.1:0"]].concat());
    assert!(said.contains(data[1]) && said.contains("--data"), "{said}");
}

#[tokio::test]
async fn postgres_jit_is_off() {
    let portal = TestPortal::start().await;
    let jit: String = sqlx::query_scalar("show jit").fetch_one(&portal.state.db).await.unwrap();
    assert_eq!(jit, "off");
}

#[tokio::test]
async fn created_administrator_can_sign_in() {
    let portal = TestPortal::start().await;
    let url = secrecy_free_url(&portal);
    let create = ["admin", "--database-url", &url, "create", "--email", "op@example.lk"];
    let named = [&create[..], &["--first-name", "Kamala", "--last-name", "Silva"]].concat();
    let mut child =
        api(&named).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"a long password\n").unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains("op@example.lk") && !said.contains("a long password"), "{said}");

    let login = serde_json::json!({"email": "op@example.lk", "password": "a long password"});
    let session = portal.guest().post("/auth/login", &login).await.expect(200);
    assert_eq!(session["data"]["user"]["role"], "admin");
    assert_eq!(session["data"]["user"]["emailVerified"], true);

    let (well, said) = run(&mut api(&named));
    assert!(!well && said.contains("already exists"), "{said}");
    let other = ["--email", "op2@example.lk", "--first-name", "Kamala", "--last-name", "Silva"];
    let (well, said) = run(&mut api(&[&create[..4], &other].concat()));
    assert!(well, "{said}");
    let password = said.trim().rsplit(' ').next().unwrap();
    let login = serde_json::json!({"email": "op2@example.lk", "password": password});
    portal.guest().post("/auth/login", &login).await.expect(200);
}

#[tokio::test]
async fn operator_token_create_list_revoke() {
    let database = TestDatabase::fresh().await;
    let url = database.url();
    let token = |arguments: &[&str]| {
        run(&mut api(&[&["admin", "--database-url", &url, "token"], arguments].concat()))
    };
    let (well, secret) = token(&["create", "desk"]);
    assert!(well && secret.starts_with("operator_") && secret.trim().len() > 40, "{secret}");
    let (_, listed) = token(&["list"]);
    assert!(
        listed.starts_with("desk\t") && listed.contains("live") && !listed.contains(secret.trim()),
        "{listed}"
    );
    assert!(token(&["revoke", "desk"]).0);
    assert!(token(&["list"]).1.contains("revoked"));
    let (well, said) = token(&["revoke", "desk"]);
    assert!(!well && said.contains("desk"), "{said}");
}

#[tokio::test]
async fn plan_change_keeps_existing_prices() {
    use crate::payments::{checkout, held, paid, pass_days};
    let portal = crate::payments::portal().await;
    let user = portal.user("nimal", "supplier").await;
    paid(&portal, &user, "basic").await;
    let url = secrecy_free_url(&portal);
    let plan =
        |arguments: &[&str]| run(&mut api(&[&["admin", "--database-url", &url, "plan"], arguments].concat()));
    let (well, said) = plan(&["set", "basic", "--price-monthly", "2500", "--views", "-1"]);
    assert!(well, "{said}");
    let (_, listed) = plan(&["list"]);
    assert!(listed.contains("basic\tLKR 2500 a month, 20000 a year\t-1 views, 10 uploads"), "{listed}");
    for (arguments, told) in [
        (&["set", "gold", "--views", "1"][..], "gold"),
        (&["set", "free", "--price-monthly", "1"], "costs nothing"),
        (&["set", "basic", "--price-yearly", "0"], "choose a price"),
        (&["set", "basic", "--views", "-2"], "--views"),
    ] {
        let (well, said) = plan(arguments);
        assert!(!well && said.contains(told), "{said}");
    }
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(held(&user).await["price"], 2000.0);
    let other = portal.user("kamala", "supplier").await;
    checkout(&other, "basic").await;
    let quote = other.get("/subscriptions/user/quote?plan=basic").await.expect(200);
    assert_eq!(quote["data"]["quote"]["firstPayment"], 2500.0);
    let (well, said) = run(&mut api(&["admin", "--database-url", &url, "payments"]));
    assert!(well && said.is_empty(), "{said}");
}

fn secrecy_free_url(portal: &TestPortal) -> String {
    use secrecy::ExposeSecret;
    portal.state.config.database.database_url.expose_secret().to_owned()
}

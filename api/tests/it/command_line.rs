//! The command line: output, effects, and startup errors.

use crate::support::{
    TestDatabase, TestPortal,
    payments::{buy_plan, current_subscription, pass_days, start_checkout, start_portal},
    smtp::Behaviour,
    stage::Stage,
};
use api::storage::MIGRATIONS;
use std::{
    fs::Permissions,
    io::Write,
    os::unix::fs::PermissionsExt,
    path::Path,
    process::{Command, Stdio},
};

/// Returns a command for the binary, without this process's environment variables.
fn api_command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_api"));
    command.env_clear().args(arguments).stdin(Stdio::null());
    command
}

/// Runs a command. Returns whether it succeeded, and its output including errors.
fn run(command: &mut Command) -> (bool, String) {
    let output = command.output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

/// Returns the startup error of `serve` with these arguments.
#[track_caller]
fn startup_error(arguments: &[&str]) -> String {
    let data = tempfile::tempdir().unwrap();
    let (succeeded, output) =
        run(api_command(&["serve"]).args(arguments).env("DATA", data.path().join("data")));
    assert!(!succeeded, "the server started");
    output
}

#[tokio::test]
async fn startup_errors_name_the_setting_but_no_secret() {
    let nowhere = ["--database-url", "postgres://nobody:hush@127.0.0.1:1/none"];
    let output = startup_error(&[&nowhere[..], &["--mail-to-disk"]].concat());
    assert!(output.contains("127.0.0.1:1, database none") && output.contains("DATABASE_URL"), "{output}");
    assert!(!output.contains("hush"), "the error contains the password: {output}");
    let socket = ["--database-url", "postgres://nobody:hush@%2Fnowhere%2Frun/none", "--mail-to-disk"];
    let output = startup_error(&socket);
    assert!(output.contains("the Unix socket in /nowhere/run (port 5432), database none"), "{output}");
    assert!(!output.contains("hush") && !output.contains("localhost"), "{output}");
    let output = startup_error(&["--database-url", "mysql://x", "--mail-to-disk"]);
    assert!(output.contains("postgres://user:password@host:port/database"), "{output}");
    let output = startup_error(&[]);
    assert!(output.contains("--database-url"), "{output}");

    let database = TestDatabase::fresh().await;
    let url = ["--database-url", &database.url()];
    let output = startup_error(&[&url[..], &["--demo", "--listen", "0.0.0.0:0"]].concat());
    assert!(output.contains("loopback") && output.contains("0.0.0.0:0"), "{output}");
    let output = startup_error(&[&url[..], &["--demo", "--trusted-proxies", "127.0.0.1"]].concat());
    assert!(output.contains("TRUSTED_PROXIES") && output.contains("--demo"), "{output}");
    for former in [&["--behind-proxy"][..], &["--behind-proxy=false"]] {
        let output = startup_error(&[&url[..], &["--mail-to-disk"], former].concat());
        assert!(output.contains("TRUSTED_PROXIES=127.0.0.1"), "{output}");
    }
    let output = startup_error(&[&url[..], &["--trusted-proxies", "10.0.0.0/8,proxy.example"]].concat());
    assert!(output.contains("proxy.example") && output.contains("192.0.2.7"), "{output}");
    let output = startup_error(&[&url[..], &["--trusted-proxies", "0.0.0.0/0"]].concat());
    assert!(output.contains("clients could forge"), "{output}");
    let output = startup_error(&[&url[..], &["--demo", "--public-url", "https://portal.example"]].concat());
    assert!(output.contains("https://portal.example") && output.contains("PUBLIC_URL"), "{output}");
    let output = startup_error(&url);
    assert!(output.contains("SMTP_URL") && output.contains("--mail-to-disk"), "{output}");

    let google =
        ["--mail-to-disk", "--google-client-id", "x", "--google-keys-url", "http://keys.example/certs"];
    let output = startup_error(&[&url[..], &google].concat());
    assert!(output.contains("http://keys.example/certs") && output.contains("--google-keys-url"), "{output}");

    let payments = |arguments: &[&str]| startup_error(&[&url[..], &["--mail-to-disk"], arguments].concat());
    let output = payments(&["--payments", "sandbox"]);
    assert!(output.contains("--demo") && output.contains("PAYMENTS"), "{output}");
    let output = payments(&["--payments", "stripe", "--stripe-secret-key", "sk_hush"]);
    assert!(output.contains("STRIPE_WEBHOOK_SECRET is missing") && !output.contains("sk_hush"), "{output}");
    let output = payments(&["--payments", "payhere", "--payhere-merchant-id", "1", "--payhere-app-id", ""]);
    assert!(
        output.contains("PAYHERE_MERCHANT_SECRET, PAYHERE_APP_ID, PAYHERE_APP_SECRET are missing"),
        "{output}"
    );
    let stripe = ["--payments", "stripe", "--stripe-secret-key", "k", "--stripe-webhook-secret", "w"];
    let output = payments(&[&stripe[..], &["--stripe-api-url", "http://stripe.example"]].concat());
    assert!(output.contains("http://stripe.example") && output.contains("https://"), "{output}");
    for vat in [
        &["--vat-number", "1"][..],
        &["--vat-rate-percent", "18"],
        &["--vat-number", "1", "--vat-rate-percent", "101"],
    ] {
        assert!(payments(vat).contains("--vat-"), "{vat:?}");
    }

    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = startup_error(&[&url[..], &["--mail-to-disk", "--listen", &address]].concat());
    assert!(output.contains(&address) && output.contains("--listen"), "{output}");

    let file = tempfile::NamedTempFile::new().unwrap();
    let data = ["--data", file.path().to_str().unwrap()];
    let output = startup_error(&[&url[..], &data, &["--mail-to-disk", "--listen", "127.0.0.1:0"]].concat());
    assert!(output.contains(data[1]) && output.contains("--data"), "{output}");
}

#[test]
fn mail_server_keeps_a_bounce_that_cannot_be_processed() {
    let folder = tempfile::tempdir().unwrap();
    let settings = folder.path().join("api.env");
    std::fs::write(&settings, "DATABASE_ULR=postgres://localhost/x\n").unwrap();
    let settings = settings.to_str().unwrap();
    let nowhere = ["--database-url", "postgres://nobody@127.0.0.1:1/none"];
    for (arguments, expected) in [
        (&["mail", nowhere[0], nowhere[1], "receive"][..], "cannot connect to Postgres"),
        (&["mail", "receive"], "DATABASE_URL (--database-url): is not set"),
        (&["--settings", settings, "mail", "receive"], "did you mean DATABASE_URL?"),
        (&["mail", "receive", "--wrong"], "unexpected argument '--wrong'"),
        (&["mail", "receive", "--log", "a=b=c"], "LOG (--log)"),
    ] {
        let output = api_command(arguments).output().unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(expected), "{arguments:?}: {text}");
        assert_eq!(output.status.code(), Some(75), "{arguments:?}: {text}");
    }
    assert_eq!(api_command(&["mail", "receive", "--help"]).status().unwrap().code(), Some(0));
    assert_eq!(api_command(&["mail", "dead"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn all_wrong_settings_are_reported_at_once() {
    let data = tempfile::tempdir().unwrap();
    let file = data.path().join("api.env");
    std::fs::write(&file, "# comment\nSMPT_URL=smtps://mail.example\nCONTACT_EMAIL=nonsense\n").unwrap();
    let file = file.to_str().unwrap();
    for command in [["serve", "--settings", file], ["settings", "check", file]] {
        let output = api_command(&command)
            .env("DATA", data.path())
            .env("PUBLIC_URL", "portal.example")
            .env("SMTP_TIMEOUT_SECONDS", "soon")
            .env("DATABASE_URL", "postgres://localhost/x")
            .env("BEHIND_PROXY", "true")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}");
        let expected = [
            "SMPT_URL (line 2 of",
            "did you mean SMTP_URL?",
            "SMTP_URL (--smtp-url): no mail server is set",
            "PUBLIC_URL (--public-url)",
            "write PUBLIC_URL=https://tenders.example",
            "SMTP_TIMEOUT_SECONDS (--smtp-timeout-seconds)",
            "SMTP_TIMEOUT_SECONDS=60",
            "CONTACT_EMAIL (--contact-email): \"nonsense\" is not a mail address",
            "BEHIND_PROXY (environment): no longer exists; write the address of your reverse proxy",
        ];
        for expected in expected {
            assert!(text.contains(expected), "{expected} is missing: {text}");
        }
    }
}

#[tokio::test]
async fn settings_are_read_from_a_file_and_secrets_from_their_files() {
    let database = TestDatabase::fresh().await;
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).unwrap();
        path.into_os_string().into_string().unwrap()
    };
    let url = database.url();
    let secret = write("url", &format!("{url}\n"));
    let settings = write("api.env", &format!("DATABASE_URL_FILE={secret}\n"));
    let list = ["admin", "plan", "list"];
    let (succeeded, output) = run(api_command(&list).env("SETTINGS", &settings));
    assert!(succeeded && output.contains("LKR"), "{output}");
    let (succeeded, output) = run(&mut api_command(&[&["--settings", &settings], &list[..]].concat()));
    assert!(succeeded, "{output}");
    let (succeeded, output) =
        run(api_command(&list).env("DATABASE_URL_FILE", &secret).env("DATABASE_URL", &url));
    assert!(!succeeded && output.contains("DATABASE_URL is set too"), "{output}");
    let (succeeded, output) = run(api_command(&list).env("DATABASE_URL_FILE", folder.path().join("nowhere")));
    assert!(!succeeded && output.contains("DATABASE_URL_FILE (--database-url-file)"), "{output}");

    let (succeeded, template) = run(&mut api_command(&["settings", "--template"]));
    assert!(succeeded && template.contains("# ---- Mail ----"), "{template}");
    let template = write("template.env", &template);
    let web = folder.path().join("web");
    std::fs::create_dir(&web).unwrap();
    std::fs::write(web.join("index.html"), "").unwrap();
    let mut check = api_command(&["settings", "check", &template]);
    check.env("DATABASE_URL", &url).env("MAIL_TO_DISK", "true").env("WEB", &web).env("DATA", folder.path());
    let (succeeded, output) = run(check.env("CONTACT_EMIAL", "desk@example.lk"));
    assert!(succeeded && output.contains("the settings are correct"), "{output}");
    assert!(output.contains("CONTACT_EMIAL is not a setting; did you mean CONTACT_EMAIL?"), "{output}");
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
    let url = portal.database_url();
    let create = ["admin", "--database-url", &url, "create", "--email", "op@example.lk"];
    let named = [&create[..], &["--first-name", "Kamala", "--last-name", "Silva"]].concat();
    let mut child = api_command(&named)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"a long password\n").unwrap();
    let output = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(output.contains("op@example.lk") && !output.contains("a long password"), "{output}");

    let login = serde_json::json!({"email": "op@example.lk", "password": "a long password"});
    let session = portal.guest().post("/auth/login", &login).await.expect(200);
    assert_eq!(session["data"]["user"]["role"], "admin");
    assert_eq!(session["data"]["user"]["emailVerified"], true);

    let (succeeded, output) = run(&mut api_command(&named));
    assert!(!succeeded && output.contains("already exists"), "{output}");
    let other = ["--email", "op2@example.lk", "--first-name", "Kamala", "--last-name", "Silva"];
    let (succeeded, output) = run(&mut api_command(&[&create[..4], &other].concat()));
    assert!(succeeded, "{output}");
    let (_, token) = output.trim().rsplit_once("/reset-password?token=").unwrap();
    let chosen = serde_json::json!({"token": token, "password": "a password of their own"});
    let login = serde_json::json!({"email": "op2@example.lk", "password": "a password of their own"});
    portal.guest().post("/auth/login", &login).await.expect(401);
    portal.guest().put("/auth/reset-password", &chosen).await.expect(200);
    portal.guest().post("/auth/login", &login).await.expect(200);
    portal.guest().put("/auth/reset-password", &chosen).await.expect(422);
}

#[tokio::test]
async fn operator_token_can_be_created_listed_and_revoked() {
    let database = TestDatabase::fresh().await;
    let url = database.url();
    let token = |arguments: &[&str]| {
        run(&mut api_command(&[&["admin", "--database-url", &url, "token"], arguments].concat()))
    };
    let (succeeded, secret) = token(&["create", "desk"]);
    assert!(succeeded && secret.starts_with("operator_") && secret.trim().len() > 40, "{secret}");
    let (_, listed) = token(&["list"]);
    assert!(
        listed.starts_with("desk\tpublish,work\t")
            && listed.contains("live")
            && !listed.contains(secret.trim()),
        "{listed}"
    );
    assert!(listed.contains("expires 20"), "{listed}");
    let relay = ["create", "relay", "--scope", "bounces", "--scope", "trace", "--no-expiry"];
    assert!(token(&relay).0);
    let (_, listed) = token(&["list"]);
    assert!(listed.contains("relay\tbounces,trace\t") && listed.contains("does not expire"), "{listed}");
    for refused in
        [&["--expires-in-days", "0"][..], &["--scope", "all"], &["--no-expiry", "--expires-in-days", "9"]]
    {
        assert!(!token(&[&["create", "desk"], refused].concat()).0, "{refused:?}");
    }
    assert!(token(&["revoke", "desk"]).0);
    assert!(token(&["list"]).1.contains("revoked"));
    let (succeeded, output) = token(&["revoke", "desk"]);
    assert!(!succeeded && output.contains("desk"), "{output}");
}

#[tokio::test]
async fn plan_change_keeps_existing_prices() {
    let portal = start_portal().await;
    let user = portal.user("nimal", "supplier").await;
    buy_plan(&portal, &user, "basic").await;
    let url = portal.database_url();
    let plan = |arguments: &[&str]| {
        run(&mut api_command(&[&["admin", "--database-url", &url, "plan"], arguments].concat()))
    };
    let (succeeded, output) = plan(&["set", "basic", "--price-monthly", "2500", "--views", "-1"]);
    assert!(succeeded, "{output}");
    let (_, listed) = plan(&["list"]);
    let expected = "basic\tLKR 2500 a month, 20000 a year\tviews unlimited, uploads 10, saved searches ";
    assert!(listed.contains(expected) && !listed.contains("-1"), "{listed}");
    let output = api_command(&["admin", "--database-url", &url, "plan", "set", "basic"]).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("--price-monthly <RUPEES>|--price-yearly <RUPEES>|--views <N>"), "{text}");
    assert_eq!(output.status.code(), Some(2), "{text}");
    for (arguments, expected) in [
        (&["set", "gold", "--views", "1"][..], "gold"),
        (&["set", "free", "--price-monthly", "1"], "must have the price 0"),
        (&["set", "basic", "--price-yearly", "0"], "must have a price above 0"),
        (&["set", "basic", "--views", "-2"], "--views"),
    ] {
        let (succeeded, output) = plan(arguments);
        assert!(!succeeded && output.contains(expected), "{output}");
    }
    let user = pass_days(&portal, 31, "nimal").await;
    assert_eq!(current_subscription(&user).await["price"], 2000.0);
    let other = portal.user("kamala", "supplier").await;
    start_checkout(&other, "basic").await;
    let quote = other.get("/subscriptions/user/quote?plan=basic").await.expect(200);
    assert_eq!(quote["data"]["quote"]["firstPayment"], 2500.0);
    let (succeeded, output) = run(&mut api_command(&["admin", "--database-url", &url, "payments"]));
    assert!(succeeded && output.is_empty(), "{output}");
}

/// Runs a command on a database. Returns whether it succeeded, and its output including errors.
fn run_on(database: &TestDatabase, arguments: &[&str]) -> (bool, String) {
    let data = tempfile::tempdir().unwrap();
    let mut command = api_command(arguments);
    run(command.env("DATABASE_URL", database.url()).env("DATA", data.path().join("data")))
}

/// The commands that use the database and do not migrate it.
const CHECKING_COMMANDS: [&[&str]; 5] = [
    &["serve", "--mail-to-disk", "--listen", "127.0.0.1:0"],
    &["reindex"],
    &["admin", "plan", "list"],
    &["mail", "dead"],
    &["trace", "00000000-0000-0000-0000-000000000000"],
];

#[tokio::test]
async fn only_migrate_changes_the_schema() {
    let database = TestDatabase::empty().await;
    for command in CHECKING_COMMANDS {
        let (succeeded, output) = run_on(&database, command);
        assert!(!succeeded && output.contains("has no tables") && output.contains("api migrate"), "{output}");
    }
    let (succeeded, listed) = run_on(&database, &["migrate", "--dry-run"]);
    assert!(succeeded && listed.starts_with("would apply 0001 people\n"), "{listed}");
    assert_eq!(listed.lines().count(), MIGRATIONS.iter().count());
    assert!(run_on(&database, CHECKING_COMMANDS[2]).1.contains("has no tables"), "the dry run migrated");

    database.migrate_to(44).await;
    for command in CHECKING_COMMANDS {
        let (succeeded, output) = run_on(&database, command);
        assert!(
            !succeeded && output.contains("has schema 44") && output.contains("`api migrate`"),
            "{output}"
        );
    }
    let (succeeded, applied) = run_on(&database, &["migrate"]);
    assert!(succeeded && applied.starts_with("applied 0045 page reading days\n"), "{applied}");
    let (succeeded, output) = run_on(&database, &["migrate"]);
    assert!(succeeded && output.contains("no migration is missing"), "{output}");
    assert!(run_on(&database, CHECKING_COMMANDS[2]).0);
}

#[tokio::test]
async fn schema_of_another_version_is_refused_even_by_migrate() {
    let database = TestDatabase::fresh().await;
    let db = database.pool();
    sqlx::raw_sql(
        "insert into _sqlx_migrations (version, description, success, checksum, execution_time)
        values (9999, 'later', true, '', 0);
        update portal_state set usable_from_schema = 9999",
    )
    .execute(&db)
    .await
    .unwrap();
    for command in CHECKING_COMMANDS.into_iter().chain([&["migrate"][..], &["migrate", "--dry-run"]]) {
        let (succeeded, output) = run_on(&database, command);
        assert!(!succeeded && output.contains("has schema 9999") && output.contains("newer"), "{output}");
    }
    sqlx::raw_sql("delete from _sqlx_migrations where version = 9999; update _sqlx_migrations set checksum = 'x' where version = 7")
        .execute(&db)
        .await
        .unwrap();
    for command in CHECKING_COMMANDS.into_iter().chain([&["migrate"][..]]) {
        let (succeeded, output) = run_on(&database, command);
        assert!(!succeeded && output.contains("migration 7 of the database is not that"), "{output}");
    }
}

#[tokio::test]
async fn files_in_the_data_folder_belong_to_the_server_alone() {
    let stage = Stage::new(Behaviour::Accept).await;
    let data = stage.data().to_owned();
    let documents = data.join("documents");
    std::fs::create_dir_all(&documents).unwrap();
    std::fs::set_permissions(&documents, Permissions::from_mode(0o755)).unwrap();
    let server = stage.start().await;
    assert!(server.stop().success());
    let log = std::fs::read_to_string(data.join("server.log")).unwrap();
    assert!(log.contains("there is no index yet") && !log.contains("error="), "{log}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    for folder in ["documents", "clips", "newspaper-pages", "index"] {
        assert_eq!(mode(&data.join(folder)) & 0o077, 0, "{folder} is open to others");
    }
    for file in std::fs::read_dir(data.join("index")).unwrap() {
        let path = file.unwrap().path();
        assert_eq!(mode(&path) & 0o077, 0, "{} is open to others", path.display());
    }
}

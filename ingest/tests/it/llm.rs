//! Tests requests to a model behind a mock server, whose answers are valid, invalid, late or
//! missing. The tests of `llm::reconcile` cover the reconciliation of values.

use image::GrayImage;
use ingest::{
    extract::Printed,
    llm::{ATTEMPTS, Model, ModelError, ModelFailure, ModelSettings, Prices, Prompt, Tokens, UsageReport},
};
use serde_json::{Value, json};
use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};
use tokio::runtime::Runtime;
use wiremock::{
    Mock, MockServer, Request, ResponseTemplate,
    matchers::{header, method, path},
};

const KEY: &str = "sk-do-not-tell-anyone";

/// A mock server that gives its answers in order and repeats the last one.
struct ModelServer {
    runtime: Runtime,
    mock: MockServer,
}

impl ModelServer {
    fn answering(answers: impl IntoIterator<Item = ResponseTemplate>) -> Self {
        let runtime = Runtime::new().unwrap();
        let mock = runtime.block_on(async {
            let mock = MockServer::start().await;
            let mut answers = answers.into_iter().peekable();
            while let Some(answer) = answers.next() {
                let route = Mock::given(method("POST")).and(path("/v1/chat/completions"));
                let route = route.and(header("authorization", format!("Bearer {KEY}"))).respond_with(answer);
                let route = if answers.peek().is_some() { route.up_to_n_times(1) } else { route };
                mock.register(route).await;
            }
            mock
        });
        Self { runtime, mock }
    }

    fn requests(&self) -> Vec<Request> {
        self.runtime.block_on(self.mock.received_requests()).unwrap()
    }

    fn settings(&self) -> ModelSettings {
        ModelSettings {
            first_wait: Duration::from_millis(1),
            longest_wait: Duration::from_millis(5),
            timeout: Duration::from_secs(30),
            jobs: 1,
            ..ModelSettings::new(&format!("{}/v1/", self.mock.uri()), KEY, "reader-mini").unwrap()
        }
    }

    /// Sends the same notice several times. Returns the failure of each request, or `None` if it
    /// succeeded.
    fn ask(&self, settings: ModelSettings, notices: usize) -> (Vec<Option<ModelFailure>>, UsageReport) {
        let model = Model::new(settings).unwrap();
        let question = Prompt::new(&Printed::plain("Tender No. 1/27"), &GrayImage::new(64, 64)).unwrap();
        let answers = model.ask(&vec![question; notices]);
        (answers.into_iter().map(Result::err).collect(), model.usage_report())
    }

    /// Sends a notice once. Returns the failure, or `None` if the request succeeded.
    fn ask_once(&self) -> Option<ModelFailure> {
        self.ask(self.settings(), 1).0.remove(0)
    }
}

/// An answer without values.
fn empty_answer() -> Value {
    json!({
        "title": null, "organization": null, "referenceNo": null, "category": null, "closing": null, "opening": null,
        "preBid": null, "saleFrom": null, "saleUntil": null, "estimatedValue": null, "bidSecurity": null,
        "bidSecurityPercentage": null, "documentFee": null, "email": null, "phone": null,
    })
}

fn completion(message: Value, finish: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(json!({
        "id": "1", "object": "chat.completion", "model": "reader-mini",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100},
    }))
}

fn answer_with(content: &str) -> ResponseTemplate {
    completion(json!({"role": "assistant", "content": content}), "stop")
}

fn valid_answer() -> ResponseTemplate {
    answer_with(&empty_answer().to_string())
}

#[test]
fn a_valid_answer_is_read_and_counted() {
    let server = ModelServer::answering([valid_answer()]);
    let prices = Prices { input: 1.0, output: 10.0 };
    let (failures, account) = server.ask(ModelSettings { prices, ..server.settings() }, 3);
    assert_eq!(failures, [None; 3]);
    assert_eq!((account.notices, account.read, account.kept.len()), (3, 3, 0));
    assert_eq!(account.tokens, Tokens { input: 3000, output: 300 });
    assert!((account.cost.unwrap() - 0.006).abs() < 1e-9, "{account:?}");
    let request: Value = serde_json::from_slice(&server.requests()[0].body).unwrap();
    assert_eq!((&request["model"], &request["max_completion_tokens"]), (&json!("reader-mini"), &json!(2000)));
    assert_eq!(request["response_format"]["type"], "json_schema");
    assert_eq!(request["messages"][1]["content"][1]["type"], "image_url");
}

#[test]
fn invalid_answers_are_classified_and_not_retried() {
    let whole = empty_answer().to_string();
    let mut more = empty_answer();
    more["publish"] = true.into();
    let refusal = json!({"role": "assistant", "content": null, "refusal": "I cannot do that."});
    let cases = [
        (completion(refusal, "stop"), ModelFailure::Refused),
        (completion(json!({"role": "assistant", "content": whole}), "content_filter"), ModelFailure::Refused),
        (completion(json!({"role": "assistant", "content": whole}), "length"), ModelFailure::CutOff),
        (answer_with(&whole[..whole.len() / 2]), ModelFailure::NoJson),
        (answer_with("Here you are!"), ModelFailure::NoJson),
        (completion(json!({"role": "assistant", "content": null}), "stop"), ModelFailure::NoJson),
        (answer_with(&more.to_string()), ModelFailure::OffSchema),
        (answer_with(r#"{"title": "Supply of paper"}"#), ModelFailure::OffSchema),
        (answer_with(&format!("{whole}{}", " ".repeat(20_000))), ModelFailure::TooLarge),
        (answer_with(&"x".repeat(4_000_000)), ModelFailure::TooLarge),
        (
            completion(json!({"content": whole, "padding": "x".repeat(4_000_000)}), "stop"),
            ModelFailure::TooLarge,
        ),
        (ResponseTemplate::new(200).set_body_string("<html>"), ModelFailure::UnexpectedResponse),
        (ResponseTemplate::new(200).set_body_json(json!({"choices": []})), ModelFailure::UnexpectedResponse),
        (
            ResponseTemplate::new(302).insert_header("location", "http://127.0.0.1:9/"),
            ModelFailure::UnexpectedResponse,
        ),
        (ResponseTemplate::new(400), ModelFailure::RequestRefused),
        (ResponseTemplate::new(401), ModelFailure::KeyRefused),
        (ResponseTemplate::new(404), ModelFailure::NotFound),
    ];
    for (answer, expected) in cases {
        let server = ModelServer::answering([answer]);
        assert_eq!(server.ask_once(), Some(expected));
        assert_eq!(server.requests().len(), 1, "{expected}: asking again would not help");
    }
}

#[test]
fn a_busy_or_failing_server_is_retried() {
    let busy = ResponseTemplate::new(429).insert_header("retry-after", "3600");
    let server = ModelServer::answering([busy, ResponseTemplate::new(503), valid_answer()]);
    assert_eq!(server.ask_once(), None);
    assert_eq!(server.requests().len(), 3);
}

#[test]
fn retries_are_limited() {
    for (status, expected) in [(429, ModelFailure::Busy), (500, ModelFailure::ServerFailed)] {
        let server = ModelServer::answering([ResponseTemplate::new(status)]);
        assert_eq!(server.ask_once(), Some(expected));
        assert_eq!(server.requests().len(), ATTEMPTS as usize);
    }
}

#[test]
fn a_hanging_server_times_out() {
    let server = ModelServer::answering([valid_answer().set_delay(Duration::from_secs(600))]);
    let settings = ModelSettings { timeout: Duration::from_millis(50), ..server.settings() };
    let prices = Prices { input: 1.0, output: 1.0 };
    let (failures, account) = server.ask(ModelSettings { prices, ..settings }, 1);
    assert_eq!(failures, [Some(ModelFailure::TimedOut)]);
    assert!(account.cost.unwrap() > 0.0, "the server may charge for the request");
}

#[test]
fn an_unreachable_server_stops_requests() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let server = ModelServer::answering([valid_answer()]);
    let settings = ModelSettings { url: url.parse().unwrap(), ..server.settings() };
    let (failures, account) = server.ask(settings, 8);
    let (gone, not_asked) = failures.split_at(5);
    assert_eq!(
        (gone, not_asked),
        (&[Some(ModelFailure::Unreachable); 5][..], &[Some(ModelFailure::Stopped); 3][..])
    );
    assert_eq!((account.read, account.kept["unreachable"], account.kept["not asked any more"]), (0, 5, 3));
    assert!(account.stopped.unwrap().contains("cannot be reached"));
}

#[test]
fn a_refused_key_stops_requests() {
    let server = ModelServer::answering([ResponseTemplate::new(401)]);
    let (failures, account) = server.ask(server.settings(), 3);
    assert_eq!(
        failures,
        [Some(ModelFailure::KeyRefused), Some(ModelFailure::Stopped), Some(ModelFailure::Stopped)]
    );
    assert_eq!(server.requests().len(), 1);
    assert!(account.stopped.unwrap().contains("OPENAI_API_KEY"));
}

#[test]
fn one_invalid_answer_does_not_stop_requests() {
    let server = ModelServer::answering([answer_with("?"), valid_answer()]);
    let (failures, account) = server.ask(server.settings(), 3);
    assert_eq!(failures, [Some(ModelFailure::NoJson), None, None]);
    assert_eq!(account.stopped, None);
}

#[test]
fn the_budget_is_not_exceeded() {
    let server = ModelServer::answering([valid_answer()]);
    // Each request reserves the cost of about 1,500 input tokens and 2,000 output tokens. It uses
    // 1,000 input tokens and 100 output tokens.
    let prices = Prices { input: 1.0, output: 10.0 };
    for jobs in [1, 8] {
        let settings = ModelSettings { prices, max_cost: Some(0.027), jobs, ..server.settings() };
        let (failures, account) = server.ask(settings, 8);
        let asked = failures.iter().filter(|failure| failure.is_none()).count();
        assert!((2..8).contains(&asked), "{failures:?}");
        assert_eq!(account.kept["over the budget"], 8 - asked);
        assert!(account.cost.unwrap() <= 0.027 && account.stopped.is_none(), "{account:?}");
    }
}

#[test]
fn invalid_settings_are_refused() {
    let new = |url, key, model| ModelSettings::new(url, key, model).map(|_| ());
    let url = "https://api.example/v1";
    assert_eq!(new(url, " ", "m"), Err(ModelError::NoKey));
    assert_eq!(new(url, "a\nb", "m"), Err(ModelError::Key));
    assert_eq!(new(url, "k", ""), Err(ModelError::NoModel));
    assert_eq!(new(url, "k", "a b"), Err(ModelError::Model));
    for wrong in ["", "api.example", "ftp://x/v1", "https://x/v1?a=b"] {
        assert_eq!(new(wrong, "k", "m"), Err(ModelError::Url), "{wrong}");
    }
    let settings = ModelSettings::new(url, "k", "m").unwrap();
    let prices = |input| Prices { input, output: 0.0 };
    for (prices, max_cost, expected) in [
        (prices(-1.0), None, ModelError::Price),
        (prices(f64::NAN), None, ModelError::Price),
        (prices(1.0), Some(f64::INFINITY), ModelError::Price),
        (prices(0.0), Some(1.0), ModelError::Unpriced),
    ] {
        let model = Model::new(ModelSettings { prices, max_cost, ..settings.clone() });
        assert_eq!(model.map(|_| ()).unwrap_err(), expected);
    }
}

/// Collects log output.
#[derive(Clone, Default)]
struct LogBuffer(Arc<Mutex<Vec<u8>>>);

impl std::io::Write for LogBuffer {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn neither_the_key_nor_server_text_is_logged() {
    let log = LogBuffer::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE);
    let subscriber = subscriber.with_writer(move || writer.clone()).finish();
    let echo = format!("{{\"error\": {{\"message\": \"Incorrect API key provided: {KEY}\"}}}}");
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!("listening");
        for status in [200, 400, 401, 500] {
            let server = ModelServer::answering([ResponseTemplate::new(status).set_body_string(&echo)]);
            let (failures, account) = server.ask(server.settings(), 1);
            let text = format!("{failures:?} {account:?} {account} {:?}", server.settings());
            assert!(!text.contains("do-not-tell") && !text.contains("Incorrect"), "{text}");
        }
    });
    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(log.contains("listening"));
    assert!(!log.contains("do-not-tell") && !log.contains("Incorrect"), "{log}");
}

/// A batch of one born-digital page with sixteen notices.
fn one_page_batch() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let issue = folder.path().join("daily-lanka/2026-11-20");
    fs::create_dir_all(&issue).unwrap();
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/newspapers/daily-lanka/2026-11-20/p2.pdf");
    fs::copy(page, issue.join("p2.pdf")).unwrap();
    folder
}

fn ingest(pages: &Path, out: &Path, environment: &[(&str, &str)], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ingest"));
    for name in ["OPENAI_API_KEY", "OPENAI_MODEL", "OPENAI_BASE_URL"] {
        command.env_remove(name);
    }
    command.arg("run").arg(pages).arg("--out").arg(out).args(arguments);
    command.envs(environment.iter().copied()).stdin(Stdio::null()).output().unwrap()
}

fn report(output: &Output) -> Value {
    let lines = String::from_utf8(output.stdout.clone()).unwrap();
    let text = format!("{lines}{}", String::from_utf8_lossy(&output.stderr));
    assert!(!text.contains(KEY), "{text}");
    serde_json::from_str(lines.lines().last().unwrap_or_else(|| panic!("{text}"))).unwrap()
}

#[test]
fn a_missing_key_is_refused_before_reading() {
    let (pages, out) = (one_page_batch(), tempfile::tempdir().unwrap());
    let out = out.path().join("notices");
    let output = ingest(pages.path(), &out, &[("OPENAI_MODEL", "m")], &["--extractor", "openai"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("set OPENAI_API_KEY"));
    assert!(!out.exists());
}

#[test]
fn a_batch_with_a_failing_model_loses_no_notice() {
    let (pages, out) = (one_page_batch(), tempfile::tempdir().unwrap());
    let run = |server: &ModelServer, model: &str| {
        let url = format!("{}/v1", server.mock.uri());
        let environment =
            [("OPENAI_API_KEY", KEY), ("OPENAI_MODEL", model), ("OPENAI_BASE_URL", url.as_str())];
        let arguments = ["--extractor", "openai", "--price-in", "2", "--json"];
        let output = ingest(pages.path(), out.path(), &environment, &arguments);
        let estimate = r#""event":"estimate","model":"#;
        assert!(String::from_utf8_lossy(&output.stdout).contains(estimate), "the estimate is reported");
        (output.status.code(), report(&output))
    };
    let record = || fs::read_to_string(out.path().join("daily-lanka/2026-11-20/p2.page.json")).unwrap();

    // If the model fails, no notice is lost. The page counts as read by the extractor `embedded`.
    let broken = ModelServer::answering([answer_with("?")]);
    let (status, text) = run(&broken, "one");
    assert_eq!(
        (status, &text["notices"]["purchase"], &text["model"]["kept"]["no JSON"]),
        (Some(0), &json!(16), &json!(16))
    );
    assert!(record().contains("\"extractor\": \"embedded\"") && !record().contains("openai"), "{}", record());
    let embedded = ingest(pages.path(), out.path(), &[], &["--json"]);
    assert_eq!(report(&embedded)["unchanged"], 1);

    // With a working model, the page is read again, but only once.
    let server = ModelServer::answering([valid_answer()]);
    let (status, text) = run(&server, "one");
    assert_eq!((status, &text["done"], &text["model"]["read"]), (Some(0), &json!(1), &json!(16)), "{text}");
    assert_eq!((&text["notices"]["purchase"], &text["model"]["cost"]), (&json!(16), &json!(0.032)));
    assert_eq!(record().matches("\"extractor\": \"openai one\"").count(), 16);
    assert_eq!((&run(&server, "one").1["unchanged"], server.requests().len()), (&json!(1), 16));
    let notice = fs::read_to_string(out.path().join("daily-lanka/2026-11-20/p2-01.md")).unwrap();
    assert!(notice.contains("\nextractor: openai one\n"), "{notice}");
    // Without `--json`, the estimate is printed as text.
    let url = format!("{}/v1", server.mock.uri());
    let environment = [("OPENAI_API_KEY", KEY), ("OPENAI_MODEL", "one"), ("OPENAI_BASE_URL", url.as_str())];
    let plain = ingest(pages.path(), out.path(), &environment, &["--extractor", "openai"]);
    let text = String::from_utf8_lossy(&plain.stderr).into_owned();
    assert!(text.starts_with("one: about ") && text.contains("for 1 new page, no prices given"), "{text}");
    // The page is read again with another model.
    assert_eq!((&run(&server, "two").1["done"], server.requests().len()), (&json!(1), 32));
}

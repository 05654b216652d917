//! Publishing when the portal cannot process a notice, or is down for a while.

use crate::support::{created, read_notices, received};
use ingest::{
    batch::{self, Progress, Sender, stored_notices},
    publish::Portal,
};
use std::{path::Path, time::Duration};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path_regex},
};

fn sender(server: &MockServer) -> Sender {
    let short = [Duration::from_millis(1); 3];
    let portal = Portal::new(&server.uri()).unwrap();
    let portal = Portal { first_wait: Duration::from_millis(1), rounds: short, pauses: short, ..portal };
    Sender::new(portal, "token", false).unwrap()
}

fn open(out: &Path) -> Vec<String> {
    let all = stored_notices(out).unwrap().into_iter().filter(|entry| entry.review_state().is_open());
    all.map(|entry| entry.notice.key).collect()
}

async fn publish(out: &Path, server: &MockServer) -> batch::Report {
    let (out, sender) = (out.to_owned(), sender(server));
    let published = tokio::task::spawn_blocking(move || batch::publish(&out, &sender, &Progress::Silent));
    published.await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_failing_notice_does_not_block_others() {
    let notices = read_notices();
    let keys = open(notices.path());
    let server = MockServer::start().await;
    Mock::given(path_regex(keys[1].as_str())).respond_with(ResponseTemplate::new(500)).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).mount(&server).await;
    let told = publish(notices.path(), &server).await;
    let sent = told.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent), (keys.len() - 1, 1), "{told}");
    assert_eq!(told.publishing_stopped, None);
    assert!(!told.is_well());
    assert!(matches!(&sent.unanswered[..], [one] if one.contains("it fails (500)")), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn leading_failing_notices_do_not_block_others() {
    let notices = read_notices();
    let keys = open(notices.path());
    let server = MockServer::start().await;
    let never = Mock::given(path_regex(keys[..5].join("|")));
    never.respond_with(ResponseTemplate::new(500)).with_priority(1).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).mount(&server).await;
    let short = [Duration::from_millis(1); 3];
    let portal = Portal { first_wait: short[0], rounds: short, ..Portal::new(&server.uri()).unwrap() };
    let (out, sender) = (notices.path().to_owned(), Sender::new(portal, "token", false).unwrap());
    let told = tokio::task::spawn_blocking(move || batch::publish(&out, &sender, &Progress::Silent));
    let told = told.await.unwrap().unwrap();
    let sent = told.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent), (keys.len() - 5, 5), "{told}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_interrupted_portal_gets_everything_once() {
    let notices = read_notices();
    let keys = open(notices.path());
    let server = MockServer::start().await;
    Mock::given(method("PUT")).respond_with(created()).up_to_n_times(5).with_priority(1).mount(&server).await;
    // Before giving up, and in the first round afterwards.
    let away = ResponseTemplate::new(503);
    Mock::given(method("PUT")).respond_with(away).up_to_n_times(24).with_priority(2).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).with_priority(3).mount(&server).await;
    let told = publish(notices.path(), &server).await;
    let sent = told.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent, sent.unanswered.len()), (keys.len(), 0, 0), "{told}");
    assert!(told.is_well(), "{told}");
    assert_eq!(received(&server).await.len(), keys.len() + 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn another_service_is_left_alone_after_a_few_notices() {
    let notices = read_notices();
    let server = MockServer::start().await;
    Mock::given(method("PUT")).respond_with(ResponseTemplate::new(404)).mount(&server).await;
    let slow = {
        let day = [Duration::from_secs(86_400); 3];
        let portal = Portal { rounds: day, pauses: day, ..Portal::new(&server.uri()).unwrap() };
        Sender::new(portal, "token", false).unwrap()
    };
    let out = notices.path().to_owned();
    let published = tokio::task::spawn_blocking(move || batch::publish(&out, &slow, &Progress::Silent));
    let told = published.await.unwrap().unwrap();
    assert!(told.publishing_stopped.unwrap().contains("is not a portal"), "once");
    let sent = told.published.unwrap();
    assert_eq!((sent.unsent, sent.unanswered.len()), (open(notices.path()).len(), 0));
    assert!(received(&server).await.len() <= 6, "three, and those already being sent");
}

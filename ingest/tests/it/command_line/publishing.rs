//! Tests publishing to a portal that fails for some notices or is down for a while, and to another
//! service.

use super::support::{copy_notices, created, received_paths};
use ingest::{
    batch::{self, Progress, Sender, stored_notices},
    portal_client::Portal,
};
use std::{path::Path, time::Duration};
use wiremock::{
    Mock, MockServer, ResponseTemplate,
    matchers::{method, path_regex},
};

fn sender(server: &MockServer) -> Sender {
    let short = [Duration::from_millis(1); 3];
    let portal = Portal::new(&server.uri()).unwrap();
    let portal =
        Portal { first_wait: Duration::from_millis(1), round_waits: short, outage_pauses: short, ..portal };
    Sender::new(portal, "token", false).unwrap()
}

/// The keys of the notices that may be published.
fn publishable_keys(out: &Path) -> Vec<String> {
    let all =
        stored_notices(out).unwrap().into_iter().filter(|entry| entry.review_state().may_be_published());
    all.map(|entry| entry.notice.key).collect()
}

async fn publish(out: &Path, server: &MockServer) -> batch::Report {
    let (out, sender) = (out.to_owned(), sender(server));
    let published = tokio::task::spawn_blocking(move || batch::publish(&out, &sender, &Progress::Silent));
    published.await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_failing_notice_does_not_block_others() {
    let notices = copy_notices();
    let keys = publishable_keys(notices.path());
    let server = MockServer::start().await;
    Mock::given(path_regex(keys[1].as_str())).respond_with(ResponseTemplate::new(500)).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).mount(&server).await;
    let outcome = publish(notices.path(), &server).await;
    let sent = outcome.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent), (keys.len() - 1, 1), "{outcome}");
    assert_eq!(outcome.publishing_stopped, None);
    assert!(!outcome.is_success());
    assert!(matches!(&sent.unanswered[..], [one] if one.contains("it fails (500)")), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn failing_notices_at_the_start_do_not_block_others() {
    let notices = copy_notices();
    let keys = publishable_keys(notices.path());
    let server = MockServer::start().await;
    let never = Mock::given(path_regex(keys[..5].join("|")));
    never.respond_with(ResponseTemplate::new(500)).with_priority(1).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).mount(&server).await;
    let short = [Duration::from_millis(1); 3];
    let portal = Portal { first_wait: short[0], round_waits: short, ..Portal::new(&server.uri()).unwrap() };
    let (out, sender) = (notices.path().to_owned(), Sender::new(portal, "token", false).unwrap());
    let outcome = tokio::task::spawn_blocking(move || batch::publish(&out, &sender, &Progress::Silent));
    let outcome = outcome.await.unwrap().unwrap();
    let sent = outcome.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent), (keys.len() - 5, 5), "{outcome}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_portal_gets_each_notice_once_after_an_interruption() {
    let notices = copy_notices();
    let keys = publishable_keys(notices.path());
    let server = MockServer::start().await;
    Mock::given(method("PUT")).respond_with(created()).up_to_n_times(5).with_priority(1).mount(&server).await;
    // The next 24 requests fail, which is enough to open the circuit breaker.
    let away = ResponseTemplate::new(503);
    Mock::given(method("PUT")).respond_with(away).up_to_n_times(24).with_priority(2).mount(&server).await;
    Mock::given(method("PUT")).respond_with(created()).with_priority(3).mount(&server).await;
    let outcome = publish(notices.path(), &server).await;
    let sent = outcome.published.clone().unwrap();
    assert_eq!((sent.created, sent.unsent, sent.unanswered.len()), (keys.len(), 0, 0), "{outcome}");
    assert!(outcome.is_success(), "{outcome}");
    assert_eq!(received_paths(&server).await.len(), keys.len() + 24);
}

#[tokio::test(flavor = "multi_thread")]
async fn sending_to_another_service_stops_after_a_few_notices() {
    let notices = copy_notices();
    let server = MockServer::start().await;
    Mock::given(method("PUT")).respond_with(ResponseTemplate::new(404)).mount(&server).await;
    let slow = {
        let day = [Duration::from_secs(86_400); 3];
        let portal = Portal { round_waits: day, outage_pauses: day, ..Portal::new(&server.uri()).unwrap() };
        Sender::new(portal, "token", false).unwrap()
    };
    let out = notices.path().to_owned();
    let published = tokio::task::spawn_blocking(move || batch::publish(&out, &slow, &Progress::Silent));
    let outcome = published.await.unwrap().unwrap();
    assert!(outcome.publishing_stopped.unwrap().contains("is not a portal"), "the reason is reported");
    let sent = outcome.published.unwrap();
    assert_eq!((sent.unsent, sent.unanswered.len()), (publishable_keys(notices.path()).len(), 0));
    assert!(received_paths(&server).await.len() <= 6, "only three notices and those in flight are sent");
}

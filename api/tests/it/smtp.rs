//! Conversations with the mail server.

use crate::support::{killable_server::KillableServer, smtp::Behaviour};
use api::clients::send_error::SendError;
use uuid::Uuid;

#[tokio::test]
async fn late_reply_is_not_taken_for_the_reply_to_another_message() {
    let server = KillableServer::new(&["--smtp-timeout-seconds", "3"]).await;
    let from = "alerts@portal.test".parse().unwrap();
    let send = async |nth: u8| {
        let content =
            format!("Message-ID: <{nth}@portal.test>\r\nSubject: Test\r\n\r\nText\r\n").into_bytes();
        server.portal.transport.send(Uuid::from_bytes([nth; 16]), &from, "nimal@example.lk", content).await
    };
    server.smtp.set_behaviour(Behaviour::Hold);
    let late = send(1).await;
    assert!(matches!(late, Err(SendError::Transient(_))), "{late:?}");
    // The server accepts the first message at last, and refuses the others.
    server.smtp.set_behaviour(Behaviour::Accept);
    server.smtp.wait_for_accepted(1).await;
    server.smtp.set_behaviour(Behaviour::Refuse);
    let (second, third) = tokio::join!(send(2), send(3));
    for refused in [second, third] {
        assert!(matches!(refused, Err(SendError::Permanent(_))), "{refused:?}");
    }
    assert_eq!(server.smtp.accepted().len(), 1);
}

#[tokio::test]
async fn late_reply_to_a_message_whose_sender_gave_up_is_not_taken_for_another() {
    let server = KillableServer::new(&["--smtp-timeout-seconds", "30"]).await;
    let from = "alerts@portal.test".parse().unwrap();
    let send = async |nth: u8| {
        let content = format!("Message-ID: <{nth}@portal.test>\r\n\r\nText\r\n").into_bytes();
        server.portal.transport.send(Uuid::from_bytes([nth; 16]), &from, "nimal@example.lk", content).await
    };
    server.smtp.set_behaviour(Behaviour::Hold);
    // A sender gives up by dropping the future, for example when its job ends.
    tokio::select! {
        sent = send(1) => panic!("{sent:?}"),
        _ = server.smtp.received(1) => {}
    }
    server.smtp.set_behaviour(Behaviour::Accept);
    server.smtp.wait_for_accepted(1).await;
    server.smtp.set_behaviour(Behaviour::Refuse);
    for nth in [2, 3] {
        let refused = send(nth).await;
        assert!(matches!(refused, Err(SendError::Permanent(_))), "{refused:?}");
    }
    assert_eq!(server.smtp.accepted().len(), 1);
}

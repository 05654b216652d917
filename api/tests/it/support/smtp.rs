//! An SMTP server on the loopback interface. Tests can make it delay, refuse or greylist messages,
//! or close connections.

use std::collections::HashMap;
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
    sync::watch,
};

/// How the server reacts to connections, logins and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Behaviour {
    /// Accepts every message.
    Accept,
    /// Delays the reply to a message until the behaviour changes.
    Hold,
    /// Refuses every message permanently.
    Refuse,
    /// Refuses every message permanently, with the enhanced status code of an unknown mailbox.
    NoMailbox,
    /// Refuses every message permanently, with the enhanced status code of a blocked client.
    BlockedClient,
    /// Refuses every message temporarily.
    Greylist,
    /// Disconnects instead of replying to a message.
    HangUp,
    /// Answers new connections, NOOP commands and messages with status 421.
    Closing,
    /// Refuses every password.
    WrongPassword,
}

/// A message that the server has received.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedMessage {
    /// The sender in the envelope, to which bounces are returned.
    pub from: String,
    pub to: String,
    pub message_id: String,
    pub content: String,
}

pub struct SmtpServer {
    pub url: String,
    behaviour: watch::Sender<Behaviour>,
    /// All complete messages, whatever the server replied.
    received: watch::Sender<Vec<ReceivedMessage>>,
    /// The messages that the server answered with status 250.
    accepted: watch::Sender<Vec<ReceivedMessage>>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for SmtpServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl SmtpServer {
    pub async fn start(behaviour: Behaviour) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("smtp://{}", listener.local_addr().unwrap());
        let behaviour = watch::Sender::new(behaviour);
        let received = watch::Sender::new(Vec::new());
        let accepted = watch::Sender::new(Vec::new());
        let task = tokio::spawn({
            let (behaviour, received, accepted) = (behaviour.clone(), received.clone(), accepted.clone());
            async move {
                while let Ok((stream, _)) = listener.accept().await {
                    let (behaviour, received, accepted) =
                        (behaviour.subscribe(), received.clone(), accepted.clone());
                    // An error ends only its own connection.
                    tokio::spawn(async move {
                        serve_connection(stream, behaviour, received, accepted).await.ok()
                    });
                }
            }
        });
        Self { url, behaviour, received, accepted, task }
    }

    pub fn set_behaviour(&self, behaviour: Behaviour) {
        self.behaviour.send_replace(behaviour);
    }

    /// Waits for at least `count` complete messages and returns all. Fails after 30 seconds.
    pub async fn received(&self, count: usize) -> Vec<ReceivedMessage> {
        wait_for_messages(&self.received, count).await
    }

    /// Waits for at least `count` accepted messages. Fails after 30 seconds.
    pub async fn wait_for_accepted(&self, count: usize) {
        wait_for_messages(&self.accepted, count).await;
    }

    pub fn accepted(&self) -> Vec<ReceivedMessage> {
        self.accepted.borrow().clone()
    }

    /// Returns how many times each Message-ID was accepted.
    pub fn accepted_by_id(&self) -> HashMap<String, usize> {
        let mut counts = HashMap::new();
        for message in self.accepted() {
            *counts.entry(message.message_id).or_default() += 1;
        }
        counts
    }
}

async fn wait_for_messages(
    messages: &watch::Sender<Vec<ReceivedMessage>>,
    count: usize,
) -> Vec<ReceivedMessage> {
    let mut watch = messages.subscribe();
    let wait = watch.wait_for(|messages| messages.len() >= count);
    let messages = tokio::time::timeout(std::time::Duration::from_secs(30), wait).await;
    messages.expect("there are too few messages after 30 seconds").unwrap().clone()
}

async fn serve_connection(
    stream: TcpStream,
    mut behaviour: watch::Receiver<Behaviour>,
    received: watch::Sender<Vec<ReceivedMessage>>,
    accepted: watch::Sender<Vec<ReceivedMessage>>,
) -> std::io::Result<()> {
    let (read, mut write) = stream.into_split();
    let mut reader = BufReader::new(read);
    if *behaviour.borrow() == Behaviour::Closing {
        return write.write_all(b"421 closing down\r\n").await;
    }
    write.write_all(b"220 test ready\r\n").await?;
    let (mut from, mut to) = (String::new(), String::new());
    while let Some(line) = read_line(&mut reader).await? {
        let command = line.to_ascii_uppercase();
        let answer = match command.split([' ', ':']).next().unwrap_or_default() {
            "EHLO" => "250-test\r\n250 AUTH PLAIN",
            "HELO" => "250 test",
            "AUTH" if *behaviour.borrow() == Behaviour::WrongPassword => "535 5.7.8 wrong password",
            "AUTH" => "235 welcome",
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                "250 ok"
            }
            // The client tests a pooled connection with NOOP and discards it after this answer.
            "NOOP" if *behaviour.borrow() == Behaviour::Closing => "421 closing down",
            "MAIL" => {
                from = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                "250 ok"
            }
            "RSET" | "NOOP" => "250 ok",
            "QUIT" => {
                write.write_all(b"221 bye\r\n").await?;
                return Ok(());
            }
            "DATA" => {
                write.write_all(b"354 go ahead\r\n").await?;
                let mut content = String::new();
                loop {
                    // A client that is killed leaves an incomplete message.
                    let Some(line) = read_line(&mut reader).await? else { return Ok(()) };
                    if line == "." {
                        break;
                    }
                    content.push_str(line.strip_prefix('.').unwrap_or(&line));
                    content.push('\n');
                }
                let message = ReceivedMessage {
                    from: from.clone(),
                    to: to.clone(),
                    message_id: message_id(&content),
                    content,
                };
                received.send_modify(|messages| messages.push(message.clone()));
                let decided = *behaviour
                    .wait_for(|behaviour| *behaviour != Behaviour::Hold)
                    .await
                    .map_err(|_| std::io::Error::other("the test is over"))?;
                match decided {
                    Behaviour::Refuse => &format!("550 <{to}> no such user"),
                    Behaviour::NoMailbox => &format!("550 5.1.1 <{to}> no such user"),
                    Behaviour::BlockedClient => "554 5.7.1 Client host blocked",
                    Behaviour::HangUp => return Ok(()),
                    Behaviour::Closing => "421 closing down",
                    Behaviour::Greylist => "451 come again later",
                    Behaviour::Accept | Behaviour::Hold | Behaviour::WrongPassword => {
                        accepted.send_modify(|messages| messages.push(message));
                        "250 taken"
                    }
                }
            }
            _ => "502 not here",
        };
        write.write_all(format!("{answer}\r\n").as_bytes()).await?;
    }
    Ok(())
}

/// Reads a line without its end. `None`: the connection has ended, perhaps in the middle of a line.
async fn read_line(reader: &mut (impl AsyncBufRead + Unpin)) -> std::io::Result<Option<String>> {
    let mut line = String::new();
    reader.read_line(&mut line).await?;
    Ok(line.strip_suffix('\n').map(|line| line.strip_suffix('\r').unwrap_or(line).to_owned()))
}

fn message_id(content: &str) -> String {
    let line = content.lines().find(|line| line.to_ascii_lowercase().starts_with("message-id:"));
    line.and_then(|line| line.split_once(':')).map(|(_, id)| id.trim().to_owned()).unwrap_or_default()
}

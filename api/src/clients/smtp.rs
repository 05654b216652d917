//! Sends mail to a mail server or a maildir.

use super::maildir::Maildir;
use crate::{
    base::config::{MailConfig, ServeConfig},
    clients::send_error::SendError,
};
use lettre::{
    Address, AsyncSmtpTransport, AsyncTransport, Tokio1Executor,
    address::Envelope,
    message::Mailbox,
    transport::smtp::{self, AsyncSmtpTransportBuilder, PoolConfig},
};
use secrecy::ExposeSecret;
use std::{
    pin::pin,
    sync::{Arc, PoisonError, RwLock},
    time::Duration,
};
use tender_model::terminal_text::counted;
use uuid::Uuid;

/// Why mail can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum MailSetupError {
    /// No mail server is set, and mail is not kept on disk.
    #[error(
        "no mail server is set: set SMTP_URL (smtp://user:password@host:port), or use --mail-to-disk to store mail in the data folder"
    )]
    NoServer,
    /// The URL of the mail server is invalid.
    #[error("SMTP_URL is not a valid mail server URL: {0}")]
    Url(lettre::transport::smtp::Error),
    /// The sender is not an address.
    #[error("MAIL_FROM is not a mail address: {0}")]
    From(lettre::address::AddressError),
    /// The bounce address is invalid.
    #[error("MAIL_RETURNS is not a mail address: {0}")]
    Returns(lettre::address::AddressError),
    /// The maildir can't be created.
    #[error("mail cannot be stored in {path}: {source}")]
    Disk {
        /// The maildir's path.
        path: String,
        /// The system's message.
        source: std::io::Error,
    },
}

/// The mail transport.
#[derive(Clone)]
pub enum Transport {
    /// A mail server.
    Smtp(Arc<MailServer>),
    /// A maildir.
    Disk(Maildir),
}

impl Transport {
    /// Creates the transport: a mail server if one is set, else a maildir with `--mail-to-disk` or
    /// `--demo`.
    pub fn new(config: &ServeConfig) -> Result<Self, MailSetupError> {
        if let Some(url) = &config.mail.smtp_url {
            let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url.expose_secret())
                .map_err(MailSetupError::Url)?
                .timeout(Some(config.mail.smtp_timeout()))
                .pool_config(PoolConfig::new().max_size(u32::from(config.mail.mail_connections)));
            return Ok(Self::Smtp(Arc::new(MailServer::new(builder, config.mail.smtp_timeout()))));
        }
        if !config.mail.mail_to_disk && !config.demo {
            return Err(MailSetupError::NoServer);
        }
        let path = config.data.mail();
        Maildir::open(&path)
            .map(Self::Disk)
            .map_err(|source| MailSetupError::Disk { path: path.display().to_string(), source })
    }

    /// Sends a message unchanged. `from` is the bounce address. `id` is the file name in a maildir.
    ///
    /// # Errors
    ///
    /// After a timeout, the error is never permanent, because the server may have accepted the
    /// message.
    pub async fn send(&self, id: Uuid, from: &Address, to: &str, content: Vec<u8>) -> Result<(), SendError> {
        match self {
            Self::Disk(maildir) => {
                let maildir = maildir.clone();
                let delivered =
                    tokio::task::spawn_blocking(move || maildir.deliver(&id.simple().to_string(), &content))
                        .await;
                match delivered {
                    Ok(Ok(())) => Ok(()),
                    Ok(Err(error)) => Err(SendError::Transient(error.to_string())),
                    Err(error) => Err(SendError::Transient(error.to_string())),
                }
            }
            Self::Smtp(server) => {
                let to: Address = to
                    .parse()
                    .map_err(|error| SendError::Permanent(format!("not a mail address: {error}")))?;
                let envelope = Envelope::new(Some(from.clone()), vec![to])
                    .map_err(|error| SendError::Permanent(error.to_string()))?;
                // The conversation goes on if the caller gives up. The library would reuse a connection
                // whose conversation was cut off.
                let server = Arc::clone(server);
                let conversation = tokio::spawn(async move { server.send(&envelope, &content).await });
                conversation.await.unwrap_or_else(|error| Err(SendError::Transient(error.to_string())))
            }
        }
    }
}

/// A mail server. Its connections are reused.
pub struct MailServer {
    builder: AsyncSmtpTransportBuilder,
    /// The connections, and how often they were replaced.
    connections: RwLock<(u64, Connections)>,
    /// The timeout of one message.
    timeout: Duration,
}

type Connections = AsyncSmtpTransport<Tokio1Executor>;

impl MailServer {
    fn new(builder: AsyncSmtpTransportBuilder, timeout: Duration) -> Self {
        Self { connections: RwLock::new((0, builder.clone().build())), builder, timeout }
    }

    async fn send(&self, envelope: &Envelope, content: &[u8]) -> Result<(), SendError> {
        let sent =
            self.within_timeout(async |connections| connections.send_raw(envelope, content).await).await;
        let failed = match sent {
            Some(Ok(_)) => return Ok(()),
            Some(Err(error)) => match error.status().map(u16::from) {
                Some(code) => return Err(classify_reply(code, error.to_string())),
                None => error.to_string(),
            },
            None => format!("no response within {}", counted(self.timeout.as_secs(), "second")),
        };
        // Find out whether the server or only this attempt failed.
        match self.within_timeout(async |connections| connections.test_connection().await).await {
            Some(Ok(true)) => Err(SendError::Transient(failed)),
            _ => Err(SendError::Unavailable(failed)),
        }
    }

    /// Talks to the server. The library's timeout covers only connecting, but a server may hang later.
    /// `None`: the server did not respond in time.
    ///
    /// The library would reuse a connection whose conversation was given up. It would then take each
    /// late reply for the reply to the next command, and report a message as sent that the server
    /// refuses. After a timeout, no connection is therefore reused.
    async fn within_timeout<T>(
        &self,
        talk: impl AsyncFnOnce(&Connections) -> Result<T, smtp::Error>,
    ) -> Option<Result<T, smtp::Error>> {
        let (nth, connections) = self.connections.read().unwrap_or_else(PoisonError::into_inner).clone();
        // It must live until the connections are closed, because its connection is returned when it is
        // dropped.
        let mut talk = pin!(talk(&connections));
        if let Ok(answer) = tokio::time::timeout(self.timeout, talk.as_mut()).await {
            return Some(answer);
        }
        self.replace(nth);
        // Says goodbye over the idle connections. Those in use are closed when they are returned.
        if tokio::time::timeout(self.timeout, connections.shutdown()).await.is_err() {
            tracing::debug!("the mail server does not respond to QUIT");
        }
        None
    }

    /// Replaces the connections, unless another message has done so.
    fn replace(&self, nth: u64) {
        let mut current = self.connections.write().unwrap_or_else(PoisonError::into_inner);
        if current.0 == nth {
            *current = (nth + 1, self.builder.clone().build());
        }
    }
}

/// Maps a server's error code to an error (RFC 5321, section 4.2.3; RFC 4954, section 6).
fn classify_reply(code: u16, reply: String) -> SendError {
    match code {
        // The server is closing down or refuses our login, regardless of the message.
        421 | 432 | 454 | 530 | 534 | 535 | 538 => SendError::Unavailable(reply),
        500.. => SendError::Permanent(reply),
        _ => SendError::Transient(reply),
    }
}

impl MailConfig {
    /// Returns the sender of all mail.
    pub fn sender(&self) -> Result<Mailbox, MailSetupError> {
        self.mail_from.parse().map_err(MailSetupError::From)
    }

    /// Returns the bounce address of a message: the configured address with the message's id after
    /// a plus sign, else the sender's address.
    pub fn return_path(&self, sender: &Mailbox, id: Uuid) -> Result<Address, MailSetupError> {
        let Some(returns) = &self.mail_returns else { return Ok(sender.email.clone()) };
        let returns: Address = returns.parse().map_err(MailSetupError::Returns)?;
        Address::new(format!("{}+{}", returns.user(), id.simple()), returns.domain())
            .map_err(MailSetupError::Returns)
    }
}

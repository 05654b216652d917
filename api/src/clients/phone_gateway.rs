//! The gateway for SMS and WhatsApp: Twilio, or a maildir if mail is kept on disk.

use crate::{
    base::config::ServeConfig,
    clients::{maildir::Maildir, send_error::SendError, twilio::Twilio},
    domain::channel::DirectChannel,
};
use lettre::{Message, message::Mailbox};
use uuid::Uuid;

/// The gateway for SMS and WhatsApp.
#[derive(Debug, Clone)]
pub enum PhoneGateway {
    /// Sends messages through Twilio.
    Twilio(Box<Twilio>),
    /// Keeps messages in the maildir that replaces the mail server.
    Disk(Maildir),
}

impl PhoneGateway {
    /// Creates the gateway that the settings choose. `None`: neither SMS nor WhatsApp is offered.
    pub fn new(config: &ServeConfig) -> anyhow::Result<Option<Self>> {
        if let Some(twilio) = Twilio::new(&config.phone)? {
            return Ok(Some(Self::Twilio(Box::new(twilio))));
        }
        let uses_maildir = config.mail.smtp_url.is_none() && (config.demo || config.mail.mail_to_disk);
        if !uses_maildir {
            return Ok(None);
        }
        Ok(Some(Self::Disk(Maildir::open(&config.data.mail())?)))
    }

    /// Returns the channels that this gateway offers.
    #[must_use]
    pub fn channels(&self) -> Vec<DirectChannel> {
        match self {
            Self::Twilio(twilio) => twilio.channels(),
            Self::Disk(_) => vec![DirectChannel::Sms, DirectChannel::Whatsapp],
        }
    }

    /// Sends one message. `id` is its name in a maildir.
    pub async fn send(
        &self,
        id: Uuid,
        channel: DirectChannel,
        number: &str,
        text: &str,
    ) -> Result<(), SendError> {
        match self {
            Self::Twilio(twilio) => twilio.send(channel, number, text).await,
            Self::Disk(maildir) => {
                let message = format_as_mail(channel, number, text).map_err(SendError::Transient)?;
                let (maildir, name) = (maildir.clone(), id.simple().to_string());
                let kept = tokio::task::spawn_blocking(move || maildir.deliver(&name, &message)).await;
                kept.map_err(|error| SendError::Transient(error.to_string()))?
                    .map_err(|error| SendError::Transient(error.to_string()))
            }
        }
    }
}

/// Formats a text message as mail for the maildir.
fn format_as_mail(channel: DirectChannel, number: &str, text: &str) -> Result<Vec<u8>, String> {
    let mailbox = |local: &str| -> Result<Mailbox, String> {
        let address = format!("{local}@{}.invalid", channel.as_str()).parse();
        Ok(Mailbox::new(None, address.map_err(|error: lettre::address::AddressError| error.to_string())?))
    };
    let message = Message::builder()
        .from(mailbox("portal")?)
        .to(mailbox(number.trim_start_matches('+'))?)
        .subject(format!("{} to {number}", channel.as_str()))
        .header(lettre::message::header::ContentType::TEXT_PLAIN)
        .body(text.to_owned());
    Ok(message.map_err(|error| error.to_string())?.formatted())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_message_is_formatted_as_mail() {
        let bytes = format_as_mail(DirectChannel::Sms, "+94771234567", "අලුත් ටෙන්ඩර් 3").unwrap();
        let mail = mail_parser::MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(mail.to().unwrap().first().unwrap().address(), Some("94771234567@sms.invalid"));
        assert_eq!(
            (mail.subject(), mail.body_text(0).unwrap().trim()),
            (Some("sms to +94771234567"), "අලුත් ටෙන්ඩර් 3")
        );
    }
}

//! To a telephone, by SMS or WhatsApp, through a gateway. A number that the gateway calls none counts as unconfirmed from then on.

use super::{Channel, Direct, SendError, twilio::Twilio};
use crate::{
    config::ServeConfig,
    db::{
        deliveries::sending::{self, Leased},
        phones,
    },
    mail::maildir::Maildir,
    state::AppState,
};
use jiff::{SignedDuration, Timestamp};
use lettre::{Message, message::Mailbox};
use sqlx::PgConnection;
use std::{fmt, str::FromStr};
use uuid::Uuid;

/// Messages on their way at once.
const WIDTH: usize = 4;
/// Four times as long as the gateway may take.
const LEASE: SignedDuration = SignedDuration::from_secs(40);
/// The channels of a telephone.
const CHANNELS: [&str; 2] = [Direct::Sms.as_str(), Direct::Whatsapp.as_str()];

/// A mobile number as E.164 writes it: `+94771234567`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number(String);

impl FromStr for Number {
    type Err = &'static str;

    /// Reads an international number, or a Sri Lankan one as it is said there (`077 123 4567`).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const FAULT: &str = "Please enter a valid mobile number";
        let text = text.trim();
        if text.chars().any(|c| !(c.is_ascii_digit() || matches!(c, '+' | ' ' | '-' | '(' | ')' | '.'))) {
            return Err(FAULT);
        }
        let digits: String = text.chars().filter(char::is_ascii_digit).collect();
        let number = if text.starts_with('+') {
            digits
        } else if let Some(number) = digits.strip_prefix("00") {
            number.to_owned()
        } else if let Some(number) = digits.strip_prefix('0') {
            format!("94{number}")
        } else {
            digits
        };
        let is_international = (7..=15).contains(&number.len()) && !number.starts_with('0');
        // Of Sri Lankan numbers those of mobiles are known.
        let is_mobile = number.strip_prefix("94").is_none_or(|own| own.len() == 9 && own.starts_with('7'));
        if text.matches('+').count() > 1 || !is_international || !is_mobile {
            return Err(FAULT);
        }
        Ok(Self(format!("+{number}")))
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Number {
    /// As stored.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Who takes messages for telephones.
#[derive(Debug, Clone)]
pub enum Gateway {
    /// Twilio.
    Twilio(Box<Twilio>),
    /// The maildir that stands in for a mail server stands in for the gateway too.
    Disk(Maildir),
}

impl Gateway {
    /// As the settings say; `None`: the portal offers neither SMS nor WhatsApp.
    ///
    /// # Errors
    /// When the gateway's settings are not whole, or the maildir can't be made.
    pub fn new(config: &ServeConfig) -> anyhow::Result<Option<Self>> {
        if let Some(twilio) = Twilio::new(&config.phone)? {
            return Ok(Some(Self::Twilio(Box::new(twilio))));
        }
        let stands_in = config.mail.smtp_url.is_none() && (config.demo || config.mail.mail_to_disk);
        if !stands_in {
            return Ok(None);
        }
        Ok(Some(Self::Disk(Maildir::open(&config.data.mail())?)))
    }

    /// The channels it takes messages for.
    #[must_use]
    pub fn channels(&self) -> Vec<Direct> {
        match self {
            Self::Twilio(twilio) => twilio.channels(),
            Self::Disk(_) => vec![Direct::Sms, Direct::Whatsapp],
        }
    }

    async fn send(&self, id: Uuid, channel: Direct, number: &str, text: &str) -> Result<(), SendError> {
        match self {
            Self::Twilio(twilio) => twilio.send(channel, number, text).await,
            Self::Disk(maildir) => {
                let message = as_mail(channel, number, text).map_err(SendError::Transient)?;
                let (maildir, name) = (maildir.clone(), id.simple().to_string());
                let kept = tokio::task::spawn_blocking(move || maildir.deliver(&name, &message)).await;
                kept.map_err(|error| SendError::Transient(error.to_string()))?
                    .map_err(|error| SendError::Transient(error.to_string()))
            }
        }
    }
}

/// A message to a telephone, as the mailbox shows it.
fn as_mail(channel: Direct, number: &str, text: &str) -> Result<Vec<u8>, String> {
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

/// Telephones, by the gateway of this server.
pub struct Phones<'s> {
    state: &'s AppState,
    gateway: &'s Gateway,
}

impl<'s> Phones<'s> {
    /// On this server.
    #[must_use]
    pub const fn new(state: &'s AppState, gateway: &'s Gateway) -> Self {
        Self { state, gateway }
    }
}

impl Channel for Phones<'_> {
    fn width(&self) -> usize {
        WIDTH
    }

    fn lease(&self) -> SignedDuration {
        LEASE
    }

    async fn take(&self, span: (Timestamp, Timestamp), limit: usize) -> Result<Vec<Leased>, sqlx::Error> {
        sending::lease_in_turn(&self.state.db, &CHANNELS, span, limit).await
    }

    async fn send(&self, message: &Leased) -> Result<(), SendError> {
        let (channel, number) = message
            .address
            .split_once(':')
            .and_then(|(word, number)| Some((Direct::from_word(word)?, number)))
            .ok_or_else(|| SendError::Permanent("its address is no telephone's".to_owned()))?;
        let text = std::str::from_utf8(&message.content)
            .map_err(|_| SendError::Permanent("it is no text".to_owned()))?;
        self.gateway.send(message.id, channel, number, text).await
    }

    async fn learn(
        &self,
        tx: &mut PgConnection,
        message: &Leased,
        outcome: Result<(), &SendError>,
    ) -> anyhow::Result<()> {
        if let (Err(SendError::Permanent(_)), Some((_, number))) = (outcome, message.address.split_once(':'))
        {
            phones::doubt(tx, number).await?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    #[case("077 123 4567", Some("+94771234567"))]
    #[case("(077) 123-4567", Some("+94771234567"))]
    #[case("+94 77 123 4567", Some("+94771234567"))]
    #[case("0094771234567", Some("+94771234567"))]
    #[case("94771234567", Some("+94771234567"))]
    #[case("+44 7700 900123", Some("+447700900123"))]
    // A land line can't be sent an SMS.
    #[case("011 234 5678", None)]
    #[case("+94112345678", None)]
    #[case("077 123 456", None)]
    #[case("+", None)]
    #[case("", None)]
    #[case("++94771234567", None)]
    #[case("077 123 4567 ext 9", None)]
    #[case("٠٧٧١٢٣٤٥٦٧", None)]
    #[case("+1234567890123456", None)]
    fn a_number_is_read_as_it_is_said_or_refused(#[case] text: &str, #[case] number: Option<&str>) {
        assert_eq!(text.parse::<Number>().ok().map(|number| number.to_string()).as_deref(), number);
    }

    #[test]
    fn the_mailbox_shows_what_would_go_to_the_telephone() {
        let bytes = as_mail(Direct::Sms, "+94771234567", "අලුත් ටෙන්ඩර් 3").unwrap();
        let mail = mail_parser::MessageParser::default().parse(&bytes).unwrap();
        assert_eq!(mail.to().unwrap().first().unwrap().address(), Some("94771234567@sms.invalid"));
        assert_eq!(
            (mail.subject(), mail.body_text(0).unwrap().trim()),
            (Some("sms to +94771234567"), "අලුත් ටෙන්ඩර් 3")
        );
    }
}

//! The receiver of SMS, which speaks the protocol of Twilio. It records each SMS before it responds.
//! Some get no response, as if the connection had been lost.

use super::{
    ledger::{Micros, now},
    receiver::{self, ReceivedRequest, ReceiverAnswer},
};
use anyhow::{Context, Result};
use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, PoisonError},
};

/// The account of the portal.
pub(super) const ACCOUNT: &str = "ACsoak";
/// One of this many SMS gets no response, unless it repeats one. The portal sends it again after a minute,
/// and would wait longer after further failures.
const LOST_EVERY: usize = 20;

/// A received SMS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReceivedSms {
    /// When it was received.
    pub at: Micros,
    /// The number of the recipient.
    pub to: String,
    /// The text.
    pub text: String,
    /// Whether the portal got a response.
    pub is_answered: bool,
}

/// The SMS so far.
pub(super) type ReceivedMessages = Arc<Mutex<Vec<ReceivedSms>>>;

/// Starts the receiver. Returns its address.
pub(super) async fn start() -> Result<(SocketAddr, ReceivedMessages)> {
    let messages = ReceivedMessages::default();
    let own = Arc::clone(&messages);
    let address = receiver::start(move |request| take_sms(&request, &own)).await?;
    Ok((address, messages))
}

fn take_sms(request: &ReceivedRequest, messages: &Mutex<Vec<ReceivedSms>>) -> Result<ReceiverAnswer> {
    let is_known = request.target == format!("POST /2010-04-01/Accounts/{ACCOUNT}/Messages.json");
    if !is_known || !request.headers.contains_key("authorization") {
        return Ok(ReceiverAnswer::Status(401));
    }
    let form = reqwest::Url::parse(&format!("http://sms/?{}", request.body))?;
    let form: BTreeMap<_, _> = form.query_pairs().collect();
    let field = |name: &str| form.get(name).with_context(|| format!("an SMS without {name}"));
    let (to, text) = (field("To")?.to_string(), field("Body")?.to_string());
    let mut messages = messages.lock().unwrap_or_else(PoisonError::into_inner);
    let is_repeated = messages.iter().any(|sms| !sms.is_answered && sms.to == to && sms.text == text);
    let is_answered = is_repeated || !(messages.len() + 1).is_multiple_of(LOST_EVERY);
    messages.push(ReceivedSms { at: now(), to, text, is_answered });
    Ok(if is_answered { ReceiverAnswer::Status(201) } else { ReceiverAnswer::Nothing })
}

impl ReceivedSms {
    /// Returns the code that confirms a telephone number, if the SMS contains one.
    pub(super) fn code(&self) -> Option<&str> {
        Some(self.text.split_once(" is your Serendib Tenders code")?.0)
    }

    /// Whether the SMS counts tenders that it does not name.
    pub(super) fn leaves_out_tenders(&self) -> bool {
        self.text.contains(" more ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_of_an_sms_is_decoded() {
        let headers = BTreeMap::from([("authorization".to_owned(), "Basic QUNzb2FrOng=".to_owned())]);
        let body = "To=%2B94771234567&From=Soak&Body=123456+is+your+Serendib+Tenders+code.";
        let target = "POST /2010-04-01/Accounts/ACsoak/Messages.json";
        let mut request = ReceivedRequest { target: target.into(), headers, body: body.into() };
        let messages = Mutex::default();
        assert_eq!(take_sms(&request, &messages).unwrap(), ReceiverAnswer::Status(201));
        request.headers.clear();
        assert_eq!(take_sms(&request, &messages).unwrap(), ReceiverAnswer::Status(401));
        let messages = messages.into_inner().unwrap();
        assert_eq!(messages.len(), 1);
        assert_eq!((messages[0].to.as_str(), messages[0].code()), ("+94771234567", Some("123456")));
    }
}

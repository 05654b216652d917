//! Reads reports about sent messages: delivery failures (RFC 3464) and complaints (RFC 5965).
//! Anybody can send a report. A report therefore counts only if it contains the id of one of
//! our messages, which only the recipient knows, and it affects only that recipient.

use mail_parser::{Message, MessageParser, MimeHeaders, PartType};
use uuid::Uuid;

/// The maximum size of a report in bytes. A report quotes the message, and most of our messages
/// are smaller.
pub const MAX_REPORT_BYTES: usize = 1_000_000;

/// A report about one of our messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Report {
    /// The delivery that the report is about.
    pub delivery: Uuid,
    /// What the report says.
    pub verdict: Verdict,
}

/// What a report says about a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The message could not be delivered.
    Bounce(Failure),
    /// The recipient complained about the message.
    Complaint,
    /// Anything else, such as a delay or a successful delivery. Nothing needs to be done.
    Other,
}

/// Why a message was not delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Whether the address can never be reached. Otherwise only this message failed.
    pub is_final: bool,
    /// The server's text.
    pub detail: String,
}

impl Failure {
    /// Reads a server's response or a report's diagnostic. Its first enhanced status (RFC 3463)
    /// decides whether the failure is final. The basic code is not enough, because servers also
    /// refuse suspected junk with 550.
    #[must_use]
    pub fn new(words: &str) -> Self {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        let detail: String = words.chars().filter(|c| !c.is_control()).take(300).collect();
        Self { is_final: find_status(&detail).is_some_and(is_final), detail }
    }

    /// Reads the response of the portal's own mail server to a message that it refuses permanently.
    /// `None`: the response does not concern the recipient.
    #[must_use]
    pub fn of_refusal(reply: &str) -> Option<Self> {
        let failure = Self::new(reply);
        concerns_recipient(&failure.detail).then_some(failure)
    }
}

/// Whether a mail server refused a message because of its recipient. The server may also refuse the
/// client, the sender or the content, and would then refuse the messages to all recipients.
fn concerns_recipient(reply: &str) -> bool {
    match find_status(reply) {
        // 5.1.7 and 5.1.8 are about the sender's address.
        Some((_, 1, detail)) => !matches!(detail, 7 | 8),
        Some((_, 2, _)) => true,
        // RFC 5321 defines these codes for mailboxes. Servers also use 552 for a message that is too
        // large. A refusal without a code is our own: the address is malformed.
        Some((_, 0, _)) | None => find_code(reply).is_none_or(|code| matches!(code, 550 | 551 | 553)),
        Some(_) => false,
    }
}

/// The first code of a permanent refusal in a text, such as `550`.
fn find_code(text: &str) -> Option<u16> {
    let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| number.len() == 3);
    numbers.filter_map(|number| number.parse().ok()).find(|code| (500..600).contains(code))
}

/// Whether an enhanced status says that the address can never be reached: its mailbox or system
/// does not exist, the mailbox has moved or is disabled, the address is invalid, or the domain
/// accepts no mail.
fn is_final((class, subject, detail): (u8, u16, u16)) -> bool {
    class == 5 && matches!((subject, detail), (1, 1 | 2 | 3 | 6 | 10) | (2, 1))
}

/// The first enhanced status in a text, such as `5.1.1`.
fn find_status(text: &str) -> Option<(u8, u16, u16)> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.').find_map(|word| {
        let mut numbers = word.trim_end_matches('.').split('.');
        let found = (
            numbers.next()?.parse().ok().filter(|class| matches!(class, 2 | 4 | 5))?,
            numbers.next()?.parse().ok().filter(|subject| *subject < 8)?,
            numbers.next()?.parse().ok()?,
        );
        numbers.next().is_none().then_some(found)
    })
}

/// The message id of a mail, in angle brackets, as [`crate::services::notifications::mail_frame`]
/// writes it.
pub(super) fn message_id(bytes: &[u8]) -> Option<String> {
    let message = MessageParser::default().parse(bytes)?;
    Some(format!("<{}>", message.message_id()?))
}

/// Reads a report from a mail. `None`: it is not a report, or not about one of our messages.
#[must_use]
pub fn read(bytes: &[u8]) -> Option<Report> {
    let message = MessageParser::default().parse(bytes)?;
    let kind = message.content_type()?;
    if !(kind.ctype().eq_ignore_ascii_case("multipart")
        && kind.subtype().is_some_and(|subtype| subtype.eq_ignore_ascii_case("report")))
    {
        return None;
    }
    let verdict = if let Some(fields) = find_part(&message, "delivery-status") {
        read_bounce(&fields)
    } else {
        read_complaint(&find_part(&message, "feedback-report")?)
    };
    Some(Report { delivery: find_delivery(&message)?, verdict })
}

/// The text of the first part of type `message/<subtype>`.
fn find_part(message: &Message<'_>, subtype: &str) -> Option<String> {
    let has_type = |kind: &mail_parser::ContentType<'_>| {
        kind.ctype().eq_ignore_ascii_case("message")
            && kind.subtype().is_some_and(|found| found.eq_ignore_ascii_case(subtype))
    };
    let part = message.parts.iter().find(|part| part.content_type().is_some_and(has_type))?;
    Some(String::from_utf8_lossy(part.contents()).into_owned())
}

/// The values of all fields with this name. Folded lines are joined.
fn field_values<'t>(fields: &'t str, name: &str) -> impl Iterator<Item = String> + use<'t> {
    let name = name.to_ascii_lowercase();
    let mut lines = fields.lines().peekable();
    std::iter::from_fn(move || {
        loop {
            let line = lines.next()?;
            let Some((found, value)) = line.split_once(':') else { continue };
            let mut value = value.trim().to_owned();
            while let Some(more) = lines.next_if(|line| line.starts_with([' ', '\t'])) {
                value.push(' ');
                value.push_str(more.trim());
            }
            if found.trim().to_ascii_lowercase() == name {
                return Some(value);
            }
        }
    })
}

/// A bounce if the delivery to any recipient failed. Our messages have one recipient.
fn read_bounce(fields: &str) -> Verdict {
    if !field_values(fields, "Action").any(|action| action.to_ascii_lowercase().starts_with("failed")) {
        return Verdict::Other;
    }
    let status = field_values(fields, "Status").next().unwrap_or_default();
    let diagnostic = field_values(fields, "Diagnostic-Code").next().unwrap_or_default();
    Verdict::Bounce(Failure::new(&format!("{status} {diagnostic}")))
}

fn read_complaint(fields: &str) -> Verdict {
    let kind = field_values(fields, "Feedback-Type").next().unwrap_or_default().to_ascii_lowercase();
    if matches!(kind.as_str(), "abuse" | "fraud" | "opt-out") { Verdict::Complaint } else { Verdict::Other }
}

/// The delivery id, from the address that the report was sent to or from a Message-ID that it
/// quotes.
fn find_delivery(message: &Message<'_>) -> Option<Uuid> {
    let sent_to = message
        .to()
        .into_iter()
        .flat_map(|to| to.iter())
        .filter_map(|address| address.address())
        .filter_map(|address| address.split_once('@')?.0.rsplit_once('+').map(|(_, id)| id.to_owned()));
    sent_to.chain(quoted_message_ids(message)).find_map(|id| parse_delivery_id(&id))
}

/// The parts before the `@` of the quoted Message-IDs.
fn quoted_message_ids(message: &Message<'_>) -> Vec<String> {
    let mut found = Vec::new();
    for part in &message.parts {
        match &part.body {
            PartType::Message(original) => {
                found.extend(original.message_id().map(str::to_owned));
            }
            _ if part.content_type().is_some_and(|kind| {
                kind.ctype().eq_ignore_ascii_case("text")
                    && kind.subtype().is_some_and(|s| s.eq_ignore_ascii_case("rfc822-headers"))
            }) =>
            {
                found.extend(field_values(&String::from_utf8_lossy(part.contents()), "Message-ID"));
            }
            _ => {}
        }
    }
    found
        .iter()
        .filter_map(|id| id.trim_matches(['<', '>', ' ']).split_once('@').map(|(id, _)| id.to_owned()))
        .collect()
}

/// Parses the part before the `@` of one of our Message-IDs; see [`super::mail_frame::message_id`].
fn parse_delivery_id(text: &str) -> Option<Uuid> {
    (text.len() == 32).then(|| Uuid::try_parse(text).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    const ID: &str = "0000000000004000800000000000002a";

    /// A report in the format of Postfix.
    fn postfix_report(action: &str, status: &str, diagnostic: &str) -> String {
        format!(
            "From: MAILER-DAEMON@mx.test\r\nTo: returns@portal.test\r\nSubject: Undelivered Mail Returned to Sender\r\n\
             MIME-Version: 1.0\r\nContent-Type: multipart/report; report-type=delivery-status; boundary=\"b\"\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you\r\n\
             --b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; mx.test\r\n\r\n\
             Final-Recipient: rfc822; nimal@example.test\r\nAction: {action}\r\nStatus: {status}\r\n\
             Diagnostic-Code: smtp; {diagnostic}\r\n\r\n\
             --b\r\nContent-Type: text/rfc822-headers\r\n\r\nMessage-ID: <{ID}@portal.test>\r\nSubject: New tender\r\n\r\n--b--\r\n"
        )
    }

    #[rstest]
    #[case("5.1.1", "550 5.1.1 <nimal@example.test>: no such user", true)]
    #[case("5.1.1", "550-5.1.1 The account does\r\n    not exist", true)]
    #[case("5.2.1", "550 mailbox disabled", true)]
    #[case("5.2.2", "552 mailbox full", false)]
    #[case("5.7.1", "550 5.7.1 Message content rejected", false)]
    #[case("5.0.0", "550 no such user", false)]
    #[case("4.4.7", "delivery time expired", false)]
    fn a_bounce_is_final_if_the_mailbox_does_not_exist_or_is_disabled(
        #[case] status: &str,
        #[case] diagnostic: &str,
        #[case] is_final: bool,
    ) {
        let report = read(postfix_report("failed", status, diagnostic).as_bytes()).unwrap();
        assert_eq!(report.delivery, ID.parse::<Uuid>().unwrap());
        let Verdict::Bounce(failure) = report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!(failure.is_final, is_final, "{failure:?}");
        assert!(!failure.detail.contains('\n'));
    }

    #[rstest]
    #[case("permanent error (550): 5.1.1 <nimal@example.test>: no such user", true)]
    #[case("permanent error (550): <nimal@example.test> no such user", true)]
    #[case("permanent error (550): 5.0.0 no such user", true)]
    #[case("permanent error (552): 5.2.2 mailbox full", true)]
    #[case("permanent error (553): mailbox name not allowed", true)]
    #[case("not a mail address: Invalid email domain", true)]
    #[case("permanent error (554): 5.7.1 Client host blocked", false)]
    #[case("permanent error (550): 5.4.5 daily quota exceeded", false)]
    #[case("permanent error (553): 5.7.1 sender address not owned by user", false)]
    #[case("permanent error (553): 5.1.8 sender domain does not exist", false)]
    #[case("permanent error (550): 5.1.7 bad sender address", false)]
    #[case("permanent error (552): message size exceeds limit", false)]
    #[case("permanent error (554): transaction failed", false)]
    fn a_refusal_is_a_bounce_if_it_concerns_the_recipient(#[case] reply: &str, #[case] is_bounce: bool) {
        assert_eq!(Failure::of_refusal(reply).is_some(), is_bounce);
    }

    #[test]
    fn a_delay_or_delivery_report_is_not_a_bounce() {
        for action in ["delayed", "delivered", "relayed"] {
            let report = read(postfix_report(action, "4.4.1", "will go on trying").as_bytes()).unwrap();
            assert_eq!(report.verdict, Verdict::Other);
        }
    }

    #[test]
    fn the_address_that_received_the_report_identifies_the_message() {
        let other = "0000000000004000800000000000002b";
        let to = format!("returns+{other}@portal.test");
        let report = postfix_report("failed", "5.1.1", "gone").replace("returns@portal.test", &to);
        assert_eq!(read(report.as_bytes()).unwrap().delivery, other.parse::<Uuid>().unwrap());
    }

    #[test]
    fn an_abuse_report_is_a_complaint_about_the_quoted_message() {
        let report = format!(
            "From: fbl@mail.test\r\nTo: returns@portal.test\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/report; report-type=feedback-report; boundary=b\r\n\r\n\
             --b\r\nContent-Type: text/plain\r\n\r\nThis is an abuse report\r\n\
             --b\r\nContent-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nUser-Agent: x\r\nVersion: 1\r\n\r\n\
             --b\r\nContent-Type: message/rfc822\r\n\r\nFrom: a@portal.test\r\nMessage-ID: <{ID}@portal.test>\r\n\r\nHello\r\n--b--\r\n"
        );
        let complaint = Report { delivery: ID.parse().unwrap(), verdict: Verdict::Complaint };
        assert_eq!(read(report.as_bytes()), Some(complaint.clone()));
        let not_spam = report.replace("Feedback-Type: abuse", "Feedback-Type: not-spam");
        assert_eq!(read(not_spam.as_bytes()).unwrap().verdict, Verdict::Other);
    }

    #[test]
    fn other_mails_are_not_reports() {
        let whole = postfix_report("failed", "5.1.1", "gone");
        for text in [
            String::new(),
            "Subject: Re: New tender\r\n\r\nPlease call me".to_owned(),
            whole.replace(ID, "someone-elses-id"),
            whole.replace("multipart/report", "multipart/mixed"),
            whole.replace("message/delivery-status", "text/plain"),
        ] {
            assert_eq!(read(text.as_bytes()), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_cause_no_panic(cut in 0usize..900, noise in proptest::collection::vec(any::<u8>(), 0..60)) {
            let mut bytes = postfix_report("failed", "5.1.1", "gone").into_bytes();
            let at = cut.min(bytes.len());
            bytes.splice(at..at, noise);
            drop(read(&bytes));
            drop(read(&bytes[..at]));
        }
    }
}

//! A mail server on loopback that accepts every message at once and records the time. One thread
//! per connection.

use anyhow::{Context, Result};
use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Instant,
};

/// A received message.
#[derive(Debug, Clone)]
pub(crate) struct Mail {
    /// The Message-ID header.
    pub(super) message_id: String,
    /// The original size, without dot stuffing and the final line break.
    pub(super) bytes: usize,
    /// The time at which the end of the message was read.
    pub(crate) at: Instant,
    /// The addresses of the recipients.
    pub(crate) to: Vec<String>,
    /// The whole message; empty unless the server keeps it.
    pub(crate) content: Vec<u8>,
}

type ReceivedMails = Arc<Mutex<Vec<Mail>>>;

/// The server. Its threads end with the process.
pub(crate) struct MailServer {
    url: String,
    received: ReceivedMails,
}

impl MailServer {
    pub(crate) fn start() -> Result<Self> {
        Self::new(false)
    }

    /// Starts a server that keeps the content of messages.
    pub(crate) fn start_keeping_content() -> Result<Self> {
        Self::new(true)
    }

    fn new(keeps_content: bool) -> Result<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").context("no port for the mail server")?;
        let url = format!("smtp://{}", listener.local_addr()?);
        let received = ReceivedMails::default();
        let own = Arc::clone(&received);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let received = Arc::clone(&own);
                // An error ends only its own connection.
                thread::spawn(move || serve_connection(stream, &received, keeps_content).ok());
            }
        });
        Ok(Self { url, received })
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Returns all messages so far.
    pub(crate) fn received(&self) -> Vec<Mail> {
        self.received.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn serve_connection(mut stream: TcpStream, received: &ReceivedMails, keeps_content: bool) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut read = BufReader::with_capacity(1 << 16, stream.try_clone()?);
    stream.write_all(b"220 benchmark\r\n")?;
    let (mut line, mut to) = (Vec::new(), Vec::new());
    while read_line(&mut read, &mut line)? {
        let command = line.get(..4).unwrap_or(&line).to_ascii_uppercase();
        let answer: &[u8] = match command.as_slice() {
            b"EHLO" | b"HELO" => b"250 benchmark\r\n",
            b"RCPT" => {
                to.extend(address(&line));
                b"250 ok\r\n"
            }
            b"MAIL" | b"NOOP" | b"RSET" => b"250 ok\r\n",
            b"QUIT" => b"221 bye\r\n",
            b"DATA" => {
                stream.write_all(b"354 go ahead\r\n")?;
                let mail = Mail {
                    to: std::mem::take(&mut to),
                    ..read_message(&mut read, &mut line, keeps_content)?
                };
                received.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
                b"250 taken\r\n"
            }
            _ => b"502 not here\r\n",
        };
        stream.write_all(answer)?;
    }
    Ok(())
}

/// Reads a line. Returns false at the end of the connection.
fn read_line(read: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    Ok(read.read_until(b'\n', line)? > 0)
}

/// Returns the address in `RCPT TO:<address>`.
fn address(line: &[u8]) -> Option<String> {
    let line = String::from_utf8_lossy(line);
    Some(line.split_once('<')?.1.split_once('>')?.0.to_owned())
}

fn read_message(read: &mut impl BufRead, line: &mut Vec<u8>, keeps_content: bool) -> Result<Mail> {
    let (mut bytes, mut message_id, mut in_header) = (0_usize, String::new(), true);
    let mut content = Vec::new();
    loop {
        if !read_line(read, line)? {
            anyhow::bail!("the client disconnected within a message");
        }
        if line.as_slice() == b".\r\n" {
            let bytes = bytes.saturating_sub(2);
            return Ok(Mail { message_id, bytes, at: Instant::now(), to: Vec::new(), content });
        }
        let plain = line.strip_prefix(b".").unwrap_or(line);
        bytes += plain.len();
        if keeps_content {
            content.extend_from_slice(plain);
        }
        in_header = in_header && line.as_slice() != b"\r\n";
        if in_header && line.len() > 11 && line[..11].eq_ignore_ascii_case(b"message-id:") {
            message_id = String::from_utf8_lossy(&line[11..]).trim().to_owned();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn message_size_excludes_smtp_encoding() {
        let server = MailServer::start_keeping_content().unwrap();
        let mut stream = TcpStream::connect(server.url().trim_start_matches("smtp://")).unwrap();
        let message = "Subject: s\r\nMessage-Id: <a@b>\r\n\r\nMessage-ID: <no@header>\r\n..\r\n";
        let commands =
            format!("EHLO x\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n{message}.\r\nQUIT\r\n");
        stream.write_all(commands.as_bytes()).unwrap();
        let mut answers = String::new();
        let mut bytes = [0; 256];
        while !answers.contains("221 bye") {
            let count = stream.read(&mut bytes).unwrap();
            answers.push_str(str::from_utf8(&bytes[..count]).unwrap());
        }
        let received = server.received();
        assert_eq!(received.len(), 1, "{answers}");
        // SMTP adds a dot to a line that begins with one.
        assert_eq!((received[0].message_id.as_str(), received[0].bytes), ("<a@b>", message.len() - 3));
        assert_eq!(received[0].to, ["c@d"]);
        assert_eq!(received[0].content, message.replace("\r\n..", "\r\n.").as_bytes());
    }
}

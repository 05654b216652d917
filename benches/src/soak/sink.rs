//! The mail server of a run, as a process of its own that can be killed. It appends each message
//! to a file before it accepts the message. If the trap file exists when the end of a message has
//! been read, the process removes the trap and dies: the message is taken, but the portal does not
//! learn of it.

use super::ledger::{Micros, now};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

/// A message that the mail server has taken.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TakenMail {
    /// When the end of the message was read.
    pub at: Micros,
    /// The recipient of the envelope.
    pub to: String,
    /// The whole message.
    pub content: String,
}

/// Serves mail until the process is killed.
pub fn serve(address: SocketAddr, file: &Path, trap: &Path) -> Result<()> {
    let mut out = File::options().create(true).append(true).read(true).open(file)?;
    end_partial_line(&mut out)?;
    let out = Arc::new(Mutex::new(out));
    let listener = TcpListener::bind(address).with_context(|| format!("{address} can't be used"))?;
    for stream in listener.incoming().flatten() {
        let (out, trap) = (Arc::clone(&out), trap.to_owned());
        // An error ends only its own connection.
        thread::spawn(move || serve_connection(stream, &out, &trap).ok());
    }
    Ok(())
}

/// Ends the last line, if an earlier process was killed while it wrote the line.
fn end_partial_line(file: &mut File) -> Result<()> {
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        let mut last = [0];
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            file.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn serve_connection(mut stream: TcpStream, out: &Mutex<File>, trap: &Path) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut read = BufReader::with_capacity(1 << 16, stream.try_clone()?);
    stream.write_all(b"220 soak\r\n")?;
    let (mut line, mut to) = (Vec::new(), Vec::new());
    while read_line(&mut read, &mut line)? {
        let command = line.get(..4).unwrap_or(&line).to_ascii_uppercase();
        let answer: &[u8] = match command.as_slice() {
            b"EHLO" | b"HELO" => b"250 soak\r\n",
            b"RCPT" => {
                let text = String::from_utf8_lossy(&line).into_owned();
                let address = text.split_once('<').and_then(|(_, rest)| rest.split_once('>'));
                to.extend(address.map(|(address, _)| address.to_owned()));
                b"250 ok\r\n"
            }
            b"MAIL" | b"NOOP" | b"RSET" => b"250 ok\r\n",
            b"QUIT" => b"221 bye\r\n",
            b"DATA" => {
                stream.write_all(b"354 go ahead\r\n")?;
                let content = read_message(&mut read, &mut line)?;
                take_message(&std::mem::take(&mut to), &content, out)?;
                if fs::remove_file(trap).is_ok() {
                    std::process::abort();
                }
                b"250 taken\r\n"
            }
            _ => b"502 not here\r\n",
        };
        stream.write_all(answer)?;
    }
    Ok(())
}

fn take_message(to: &[String], content: &str, out: &Mutex<File>) -> Result<()> {
    let mut out = out.lock().unwrap_or_else(PoisonError::into_inner);
    for to in to {
        let mail = TakenMail { at: now(), to: to.clone(), content: content.to_owned() };
        let mut bytes = serde_json::to_vec(&mail)?;
        bytes.push(b'\n');
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads a line. Returns false at the end of the connection.
fn read_line(read: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool> {
    line.clear();
    Ok(read.read_until(b'\n', line)? > 0)
}

fn read_message(read: &mut impl BufRead, line: &mut Vec<u8>) -> Result<String> {
    let mut content = Vec::new();
    while read_line(read, line)? {
        if line.as_slice() == b".\r\n" {
            return Ok(String::from_utf8_lossy(&content).into_owned());
        }
        content.extend_from_slice(line.strip_prefix(b".").unwrap_or(line));
    }
    anyhow::bail!("the client disconnected within a message");
}

/// Reads the messages that were taken. A line that was not written completely belongs to a message
/// that was not accepted, and is left out.
pub fn read_mails(file: &Path) -> Result<Vec<TakenMail>> {
    let Ok(file) = File::open(file) else { return Ok(Vec::new()) };
    let lines = BufReader::new(file).lines().collect::<Result<Vec<_>, _>>()?;
    Ok(lines.iter().filter_map(|line| serde_json::from_str(line).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_is_kept_although_the_server_dies_before_it_responds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("mails");
        // The line of an earlier process that was killed.
        fs::write(&path, "{\"at\":1,\"to\":\"a@b\",\"con").unwrap();
        let mut out = File::options().append(true).read(true).open(&path).unwrap();
        end_partial_line(&mut out).unwrap();
        take_message(&["c@d".into()], "Subject: s\r\n\r\ntext\r\n", &Mutex::new(out)).unwrap();
        let mails = read_mails(&path).unwrap();
        assert_eq!(mails.len(), 1);
        assert_eq!((mails[0].to.as_str(), mails[0].content.as_str()), ("c@d", "Subject: s\r\n\r\ntext\r\n"));
    }
}

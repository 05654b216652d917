//! A signed-in client that measures the time of a request, from its first byte to the last byte of
//! the response. Each request has its own connection.

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use std::{
    io::{Read, Write},
    net::TcpStream,
    time::{Duration, Instant},
};

/// The timeout of a read.
const TIMEOUT: Duration = Duration::from_secs(60);

/// The client of an administrator.
pub(super) struct Client {
    address: String,
    token: String,
}

impl Client {
    /// Signs in.
    pub(super) fn sign_in(base: &str, email: &str, password: &str) -> Result<Self> {
        let address = base.trim_start_matches("http://").to_owned();
        let body = json!({"email": email, "password": password}).to_string();
        let head = format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        let (answer, _) = request(&address, "POST", "/auth/login", &head, &body)?;
        let token = answer["data"]["token"].as_str().context("the response has no token")?.to_owned();
        Ok(Self { address, token })
    }

    /// Reads a path below `/api`. Returns the response and its time.
    pub(super) fn get(&self, path: &str) -> Result<(Value, Duration)> {
        request(&self.address, "GET", path, &format!("Authorization: Bearer {}\r\n", self.token), "")
    }
}

fn request(address: &str, method: &str, path: &str, head: &str, body: &str) -> Result<(Value, Duration)> {
    let (status, answer, time) = send(address, method, &format!("/api{path}"), head, body)?;
    ensure!(status == 200, "{path}: {status} {answer}");
    Ok((serde_json::from_str(&answer)?, time))
}

/// Sends a request with these header lines. Returns the status, the body and the time.
pub(crate) fn send(
    address: &str,
    method: &str,
    path: &str,
    head: &str,
    body: &str,
) -> Result<(u16, String, Duration)> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_nodelay(true)?;
    let request = format!("{method} {path} HTTP/1.0\r\nHost: {address}\r\n{head}\r\n{body}");
    let mut answer = Vec::new();
    let started = Instant::now();
    stream.write_all(request.as_bytes())?;
    stream.read_to_end(&mut answer)?;
    let time = started.elapsed();
    let answer = String::from_utf8(answer).with_context(|| format!("the response to {path} is not text"))?;
    let (head, body) = answer.split_once("\r\n\r\n").with_context(|| format!("no response to {path}"))?;
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.with_context(|| format!("the response to {path} has no status"))?, body.to_owned(), time))
}

//! [`FakeNode`]: an HTTP server that answers as a test says, like a node of a cluster in trouble.

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;
use std::{
    io::{BufRead, BufReader, Read, Write},
    net::TcpListener,
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

/// A request that the node received.
#[derive(Debug, Clone)]
pub(crate) struct Received {
    /// The method and the path, such as `GET /tenders/_doc/1`.
    pub(crate) line: String,
    /// The header `Authorization`.
    pub(crate) authorization: Option<String>,
    /// The body.
    pub(crate) body: String,
}

/// What the node does with a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Sends a status and a JSON body.
    Json(u16, Value),
    /// Sends a body that may be anything.
    Text(u16, String),
    /// Sends more than the client accepts.
    Endless,
    /// Closes the connection without a response.
    Close,
    /// Sends half of a response, then closes the connection.
    BreakOff,
    /// Never answers.
    Hang,
}

type Script = dyn Fn(&Received) -> Reply + Send + Sync;

/// A node.
pub(crate) struct FakeNode {
    /// Its address.
    pub(crate) address: String,
    script: Arc<Mutex<Arc<Script>>>,
    received: Arc<Mutex<Vec<Received>>>,
}

impl FakeNode {
    /// Starts a node. It runs until the test ends.
    pub(crate) fn start(script: impl Fn(&Received) -> Reply + Send + Sync + 'static) -> Self {
        Self::listen(None, script)
    }

    /// Starts a node that speaks TLS. Its address contains `localhost`.
    pub(crate) fn start_with_tls(
        tls: ServerConfig,
        script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
    ) -> Self {
        Self::listen(Some(Arc::new(tls)), script)
    }

    fn listen(
        tls: Option<Arc<ServerConfig>>,
        script: impl Fn(&Received) -> Reply + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = match tls {
            None => format!("http://{}", listener.local_addr().unwrap()),
            Some(_) => format!("https://localhost:{}", listener.local_addr().unwrap().port()),
        };
        let script: Arc<Mutex<Arc<Script>>> = Arc::new(Mutex::new(Arc::new(script)));
        let received: Arc<Mutex<Vec<Received>>> = Arc::default();
        let (shared, log) = (script.clone(), received.clone());
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, script, log) = (stream.unwrap(), shared.clone(), log.clone());
                let tls = tls.clone().map(|config| ServerConnection::new(config).unwrap());
                thread::spawn(move || match tls {
                    None => serve(stream, &script, &log),
                    Some(tls) => serve(StreamOwned::new(tls, stream), &script, &log),
                });
            }
        });
        Self { address, script, received }
    }

    /// Lets the node answer differently from now on.
    pub(crate) fn answer(&self, script: impl Fn(&Received) -> Reply + Send + Sync + 'static) {
        *self.script.lock().unwrap() = Arc::new(script);
    }

    /// The requests so far.
    pub(crate) fn received(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// The requests so far, without those that only ask whether the node works again.
    pub(crate) fn received_lines(&self) -> Vec<String> {
        let lines = self.received().into_iter().map(|request| request.line);
        lines.filter(|line| !line.contains("/_cluster/health?local=true")).collect()
    }
}

fn serve(stream: impl Read + Write, script: &Mutex<Arc<Script>>, log: &Mutex<Vec<Received>>) {
    let mut reader = BufReader::new(stream);
    while let Some(request) = read_request(&mut reader) {
        log.lock().unwrap().push(request.clone());
        let script = script.lock().unwrap().clone();
        if respond(reader.get_mut(), &script(&request)).is_none() {
            return;
        }
    }
}

/// Reads a request. `None`: the client has closed the connection.
fn read_request(reader: &mut impl BufRead) -> Option<Received> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let line = line.trim_end().trim_end_matches(" HTTP/1.1").to_owned();
    let (mut length, mut authorization) = (0, None);
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(": ") else { break };
        match name.to_ascii_lowercase().as_str() {
            "content-length" => length = value.parse().unwrap(),
            "authorization" => authorization = Some(value.to_owned()),
            _ => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Received { line, authorization, body: String::from_utf8(body).unwrap() })
}

/// Answers a request. `None`: the connection ends.
fn respond(stream: &mut impl Write, reply: &Reply) -> Option<()> {
    let (status, text) = match reply {
        Reply::Json(status, value) => (*status, value.to_string()),
        Reply::Text(status, text) => (*status, text.clone()),
        Reply::Endless => {
            stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").ok()?;
            let block = vec![b' '; 1 << 20];
            while stream.write_all(&block).is_ok() {}
            return None;
        }
        Reply::Close => return None,
        Reply::BreakOff => {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{").ok()?;
            return None;
        }
        Reply::Hang => loop {
            thread::sleep(Duration::from_secs(60));
        },
    };
    let head = format!("HTTP/1.1 {status} Status\r\ncontent-length: {}\r\n\r\n", text.len());
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(text.as_bytes()).ok()
}

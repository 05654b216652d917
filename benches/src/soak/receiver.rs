//! The HTTP server of the receivers of webhooks and SMS. A request may get no response, as if the
//! connection had been lost.

use anyhow::{Context, Result};
use std::{collections::BTreeMap, net::SocketAddr, sync::Arc};
use tokio::{
    io::{AsyncBufRead, AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A request to a receiver.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ReceivedRequest {
    /// The method and the path, such as `POST /0`.
    pub(super) target: String,
    /// The headers, with names in small letters.
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: String,
}

/// What a receiver does after a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReceiverAnswer {
    /// Responds without a body.
    Status(u16),
    /// Closes the connection.
    Nothing,
}

/// Starts a receiver. Returns its address.
pub(super) async fn start(
    answer: impl Fn(ReceivedRequest) -> Result<ReceiverAnswer> + Send + Sync + 'static,
) -> Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let (address, answer) = (listener.local_addr()?, Arc::new(answer));
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let answer = Arc::clone(&answer);
            // An error ends only its own connection.
            tokio::spawn(async move { serve(stream, answer.as_ref()).await.ok() });
        }
    });
    Ok(address)
}

async fn serve(stream: TcpStream, answer: &impl Fn(ReceivedRequest) -> Result<ReceiverAnswer>) -> Result<()> {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read_request(&mut stream).await? {
        let ReceiverAnswer::Status(status) = answer(request)? else { break };
        let length = if status == 204 { "" } else { "Content-Length: 0\r\n" };
        stream.write_all(format!("HTTP/1.1 {status} -\r\n{length}\r\n").as_bytes()).await?;
    }
    Ok(())
}

/// Reads a request. `None`: the client has closed the connection.
async fn read_request(stream: &mut (impl AsyncBufRead + Unpin)) -> Result<Option<ReceivedRequest>> {
    let mut line = String::new();
    if stream.read_line(&mut line).await? == 0 {
        return Ok(None);
    }
    let (target, _) = line.trim_end().rsplit_once(' ').context("a request without a protocol")?;
    let (target, mut headers) = (target.to_owned(), BTreeMap::new());
    loop {
        line.clear();
        stream.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok());
    let mut body = vec![0; length.context("a request without a length")?];
    stream.read_exact(&mut body).await?;
    Ok(Some(ReceivedRequest { target, headers, body: String::from_utf8(body)? }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn requests_of_one_connection_are_read_one_after_another() {
        let bytes = b"POST /a HTTP/1.1\r\nContent-Length: 3\r\nX-Id: 7\r\n\r\nonePOST /b HTTP/1.1\r\ncontent-length: 0\r\n\r\n";
        let mut stream = bytes.as_slice();
        let first = read_request(&mut stream).await.unwrap().unwrap();
        assert_eq!((first.target.as_str(), first.body.as_str()), ("POST /a", "one"));
        assert_eq!(first.headers["x-id"], "7");
        let second = read_request(&mut stream).await.unwrap().unwrap();
        assert_eq!((second.target.as_str(), second.body.as_str()), ("POST /b", ""));
        assert_eq!(read_request(&mut stream).await.unwrap(), None);
    }
}

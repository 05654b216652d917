//! [`Link`]: the network between a process and a store that it uses, which can be cut off or be slow.

use anyhow::Result;
use std::{net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
    time,
};

/// The pause before each block of a slow connection.
const SLOW_PAUSE: Duration = Duration::from_millis(300);
/// The size of a block, in bytes.
const BLOCK: usize = 16 << 10;

/// What a store answers that has too much to do, as S3 does.
const OVERLOADED: &[u8] = b"HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\n\
    content-length: 70\r\nconnection: close\r\n\r\n\
    <Error><Code>SlowDown</Code><Message>Reduce the rate</Message></Error>";

/// How a link works at the moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LinkState {
    /// Everything passes.
    Open,
    /// Nothing passes and no connection ends, as in a divided network. What is under way arrives when the
    /// link opens again.
    Cut,
    /// Everything passes slowly.
    Slow,
    /// Connections end, and the next requests are answered with status 503.
    Overloaded,
}

/// Where a link leads.
#[derive(Debug, Clone)]
pub(super) enum Destination {
    Tcp(SocketAddr),
    Unix(PathBuf),
}

/// A link. Programs connect to its address instead of the destination.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) address: SocketAddr,
    state: watch::Sender<LinkState>,
}

impl Link {
    /// Starts to listen at any free port.
    pub(super) async fn start(to: Destination) -> Result<Arc<Self>> {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let link =
            Arc::new(Self { address: listener.local_addr()?, state: watch::Sender::new(LinkState::Open) });
        let state = link.state.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let (to, state) = (to.clone(), state.clone());
                // Each error ends the connection, which both sides notice.
                tokio::spawn(async move { drop(serve(near, &to, state).await) });
            }
        });
        Ok(link)
    }

    /// Changes how the link works, for its present connections too.
    pub(super) fn set(&self, state: LinkState) {
        self.state.send_replace(state);
    }

    /// Whether everything passes.
    pub(super) fn is_open(&self) -> bool {
        *self.state.borrow() == LinkState::Open
    }
}

async fn serve(mut near: TcpStream, to: &Destination, mut state: watch::Receiver<LinkState>) -> Result<()> {
    near.set_nodelay(true)?;
    let now = *state.wait_for(|state| *state != LinkState::Cut).await?;
    if now == LinkState::Overloaded {
        // The request is read, so that the end of the connection does not destroy the answer.
        let _ = near.read(&mut vec![0; BLOCK]).await?;
        near.write_all(OVERLOADED).await?;
        return Ok(near.shutdown().await?);
    }
    match to {
        Destination::Tcp(address) => {
            let far = TcpStream::connect(address).await?;
            far.set_nodelay(true)?;
            let (far_read, far_write) = far.into_split();
            pass_both(near, far_read, far_write, state).await
        }
        Destination::Unix(path) => {
            let (far_read, far_write) = UnixStream::connect(path).await?.into_split();
            pass_both(near, far_read, far_write, state).await
        }
    }
}

/// Passes on what both sides send, until one ends.
async fn pass_both(
    near: TcpStream,
    far_read: impl AsyncRead + Unpin,
    far_write: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<LinkState>,
) -> Result<()> {
    let (near_read, near_write) = near.into_split();
    let (there, back) = (state.clone(), state.clone());
    tokio::select! {
        result = pass(near_read, far_write, there) => result,
        result = pass(far_read, near_write, back) => result,
        // The receiver is gone when the run ends.
        result = state.wait_for(|state| *state == LinkState::Overloaded) => Ok(result.map(|_| ())?),
    }
}

async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut state: watch::Receiver<LinkState>,
) -> Result<()> {
    let mut block = vec![0; BLOCK];
    loop {
        let length = from.read(&mut block).await?;
        // An end too is noticed only when the link opens again.
        let now = *state.wait_for(|state| *state != LinkState::Cut).await?;
        if now == LinkState::Slow {
            time::sleep(SLOW_PAUSE).await;
        }
        if length == 0 {
            return Ok(());
        }
        to.write_all(&block[..length]).await?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that returns what it receives.
    async fn start_echo() -> SocketAddr {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut read, mut write) = stream.into_split();
                    drop(tokio::io::copy(&mut read, &mut write).await);
                });
            }
        });
        address
    }

    /// An open link to such a server, and a connection that has passed something.
    async fn open_link() -> (Arc<Link>, TcpStream) {
        let link = Link::start(Destination::Tcp(start_echo().await)).await.unwrap();
        let mut stream = TcpStream::connect(link.address).await.unwrap();
        stream.write_all(b"one").await.unwrap();
        assert_eq!(receive(&mut stream, 3).await, "one");
        (link, stream)
    }

    async fn receive(stream: &mut TcpStream, length: usize) -> String {
        let mut bytes = vec![0; length];
        stream.read_exact(&mut bytes).await.unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[tokio::test]
    async fn what_is_sent_during_a_cut_arrives_afterwards() {
        let (link, mut before) = open_link().await;
        link.set(LinkState::Cut);
        let mut during = TcpStream::connect(link.address).await.unwrap();
        for stream in [&mut before, &mut during] {
            stream.write_all(b"two").await.unwrap();
            let waited = time::timeout(Duration::from_millis(200), receive(stream, 3)).await;
            assert!(waited.is_err(), "nothing passes a cut link");
        }
        link.set(LinkState::Open);
        for stream in [&mut before, &mut during] {
            assert_eq!(receive(stream, 3).await, "two");
        }
    }

    #[tokio::test]
    async fn an_overloaded_link_ends_connections_and_answers_with_503() {
        let (link, mut before) = open_link().await;
        link.set(LinkState::Overloaded);
        assert_eq!(before.read(&mut [0; 8]).await.unwrap_or_default(), 0);
        let url = format!("http://{}", link.address);
        let answer = reqwest::Client::builder().no_proxy().build().unwrap().get(url).send().await.unwrap();
        assert_eq!(answer.status(), 503);
        assert!(answer.text().await.unwrap().ends_with("</Error>"));
        link.set(LinkState::Slow);
        let mut slow = TcpStream::connect(link.address).await.unwrap();
        slow.write_all(b"one").await.unwrap();
        assert_eq!(receive(&mut slow, 3).await, "one");
    }
}

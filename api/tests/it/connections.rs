//! Client connections that send nothing, send slowly, or read nothing. The server closes them and
//! serves other clients meanwhile.

use crate::support::{
    TestPortal,
    server::{self, Server},
    smtp::Behaviour,
    stage::Stage,
};
use std::{
    io,
    net::SocketAddr,
    process::Command,
    time::{Duration, Instant},
};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

/// Command-line arguments that set timeouts short enough for a test.
const SHORT_TIMEOUTS: [&str; 6] =
    ["--request-head-seconds", "1", "--idle-seconds", "6", "--stalled-seconds", "1"];

/// The start of an HTTP/2 connection: the preface and empty settings.
const HTTP2_PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// An HTTP/2 request for /livez. Its headers are two indexes of the static table and two literals.
const HTTP2_REQUEST: &[u8] = b"\0\0\x15\x01\x05\0\0\0\x01\x82\x86\x04\x06/livez\x01\x09localhost";
/// The longest time that a test waits.
const MAX_WAIT: Duration = Duration::from_secs(30);
/// An HTTP/1.1 request for /livez.
const HTTP1_REQUEST: &[u8] = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

async fn connect(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// Opens a connection and sends these bytes.
async fn connect_and_send(address: SocketAddr, bytes: &[u8]) -> TcpStream {
    let mut stream = connect(address).await;
    stream.write_all(bytes).await.unwrap();
    stream
}

/// Returns the time from `started`, before the server's last action, until the server closes the
/// connection. Fails after [`MAX_WAIT`].
async fn time_until_closed(stream: &mut TcpStream, started: Instant) -> Duration {
    let mut buffer = [0; 16 * 1024];
    let closing = async { while !matches!(stream.read(&mut buffer).await, Ok(0) | Err(_)) {} };
    timeout(MAX_WAIT, closing).await.expect("the connection is not closed");
    started.elapsed()
}

/// Reads a response at least up to the end of its headers.
async fn read_response(stream: &mut TcpStream) -> io::Result<String> {
    let mut answer = Vec::new();
    while !answer.windows(4).any(|end| end == b"\r\n\r\n") {
        if stream.read_buf(&mut answer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(String::from_utf8(answer).unwrap())
}

#[tokio::test]
async fn incomplete_request_times_out() {
    let portal = TestPortal::start_with(&SHORT_TIMEOUTS).await;
    let address = portal.address;
    let closed_after = async |sent: &[u8]| {
        let started = Instant::now();
        time_until_closed(&mut connect_and_send(address, sent).await, started).await
    };
    let silent = closed_after(b"");
    let half = closed_after(b"GET /liv");
    let headless = closed_after(b"GET /livez HTTP/1.1\r\nHost: local");
    let preface = closed_after(&HTTP2_PREFACE[..9]);
    let http2 = closed_after(HTTP2_PREFACE);
    let slow = async {
        let started = Instant::now();
        let (mut reading, mut writing) = connect(address).await.into_split();
        let trickle = async {
            for byte in HTTP1_REQUEST.iter().cycle().take_while(|byte| **byte != b'\n') {
                if writing.write_all(&[*byte]).await.is_err() {
                    return;
                }
                sleep(Duration::from_millis(200)).await;
            }
            std::future::pending::<()>().await;
        };
        let mut byte = [0];
        let cut = async { while !matches!(reading.read(&mut byte).await, Ok(0) | Err(_)) {} };
        let cut = timeout(MAX_WAIT, cut);
        tokio::select! {
            () = trickle => {}
            cut = cut => cut.expect("the connection is not closed"),
        }
        started.elapsed()
    };
    let (silent, half, headless, preface, http2, slow) =
        tokio::join!(silent, half, headless, preface, http2, slow);
    for (what, took) in [
        ("silent", silent),
        ("half a request line", half),
        ("half a header", headless),
        ("half a preface", preface),
        ("a bare preface", http2),
        ("a byte at a time", slow),
    ] {
        assert!(took >= Duration::from_millis(800), "{what}: {took:?}");
    }
}

#[tokio::test]
async fn idle_connection_is_kept_and_then_closed() {
    let portal = TestPortal::start_with(&SHORT_TIMEOUTS).await;
    let http1 = async {
        let mut stream = connect_and_send(portal.address, HTTP1_REQUEST).await;
        read_response(&mut stream).await.unwrap();
        // The pause exceeds the timeout for request headers, which does not apply to an idle
        // connection.
        sleep(Duration::from_millis(1500)).await;
        let started = Instant::now();
        stream.write_all(HTTP1_REQUEST).await.unwrap();
        assert!(read_response(&mut stream).await.unwrap().starts_with("HTTP/1.1 200"));
        time_until_closed(&mut stream, started).await
    };
    let begun = async {
        let mut stream = connect_and_send(portal.address, HTTP1_REQUEST).await;
        read_response(&mut stream).await.unwrap();
        let started = Instant::now();
        stream.write_all(b"GET /liv").await.unwrap();
        time_until_closed(&mut stream, started).await
    };
    let http2 = async {
        let started = Instant::now();
        let mut stream = connect_and_send(portal.address, &[HTTP2_PREFACE, HTTP2_REQUEST].concat()).await;
        time_until_closed(&mut stream, started).await
    };
    let (http1, begun, http2) = tokio::join!(http1, begun, http2);
    let idle = Duration::from_millis(5500);
    assert!(http1 >= idle, "HTTP/1: {http1:?}");
    assert!(http2 >= idle, "HTTP/2: {http2:?}");
    assert!(begun < idle, "a connection with an incomplete second request: {begun:?}");
}

#[tokio::test]
async fn client_that_reads_no_response_times_out() {
    const REQUESTS: usize = 100;
    let portal = TestPortal::start_with(&SHORT_TIMEOUTS).await;
    let length = portal.guest().get_unchecked("/api/openapi.json").await.bytes.len();
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_recv_buffer_size(32 * 1024).unwrap();
    let mut stream = socket.connect(portal.address).await.unwrap();
    let request = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
    stream.write_all(&request.repeat(REQUESTS)).await.unwrap();
    // The client sends until the server closes the connection. Sending does not extend the
    // timeout.
    let closing = async {
        while stream.write_all(b"G").await.is_ok() {
            sleep(Duration::from_millis(100)).await;
        }
    };
    timeout(MAX_WAIT, closing).await.expect("the connection is not closed");
    let mut taken = Vec::new();
    let _ = timeout(MAX_WAIT, stream.read_to_end(&mut taken)).await.expect("the connection is not closed");
    assert!(taken.len() < length * REQUESTS, "the client received all {REQUESTS} responses");
}

#[tokio::test]
async fn clients_beyond_the_connection_limit_wait() {
    let portal = TestPortal::start_with(&["--max-connections", "10"]).await;
    // After one response each, these connections stay open.
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut stream = connect_and_send(portal.address, HTTP1_REQUEST).await;
        read_response(&mut stream).await.unwrap();
        held.push(stream);
    }
    let mut waiting = connect_and_send(portal.address, HTTP1_REQUEST).await;
    let early = timeout(Duration::from_millis(500), read_response(&mut waiting)).await;
    assert!(early.is_err(), "an eleventh connection was served");
    drop(held.pop());
    let answer = timeout(MAX_WAIT, read_response(&mut waiting)).await.unwrap().unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

#[tokio::test]
async fn connections_per_address_are_limited_except_those_of_trusted_proxies() {
    let few = ["--max-connections-per-address", "5"];
    let portal = TestPortal::start_with(&few).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(connect(portal.address).await);
    }
    let took = time_until_closed(&mut connect(portal.address).await, Instant::now()).await;
    // The server closes the connection sooner than a silent connection would time out.
    assert!(took < Duration::from_secs(8), "a sixth connection was kept for {took:?}");
    // When a connection has closed, the server accepts a new one.
    drop(held.pop());
    let started = Instant::now();
    loop {
        let mut stream = connect(portal.address).await;
        if stream.write_all(HTTP1_REQUEST).await.is_ok() && read_response(&mut stream).await.is_ok() {
            break;
        }
        assert!(started.elapsed() < MAX_WAIT, "a closed connection still counts");
    }

    let settings = [&few[..], &["--trusted-proxies", "10.0.0.0/8"]].concat();
    let portal = TestPortal::start_with(&settings).await;
    let mut held = Vec::new();
    for _ in 0..5 {
        held.push(connect(portal.address).await);
    }
    let took = time_until_closed(&mut connect(portal.address).await, Instant::now()).await;
    assert!(took < Duration::from_secs(8), "another peer than the proxy is not limited: {took:?}");

    let settings = [&few[..], &["--trusted-proxies", "127.0.0.1"]].concat();
    let portal = TestPortal::start_with(&settings).await;
    let mut held = Vec::new();
    for _ in 0..20 {
        held.push(connect(portal.address).await);
    }
    let mut stream = connect_and_send(portal.address, HTTP1_REQUEST).await;
    read_response(&mut stream).await.unwrap();
}

#[tokio::test]
async fn incomplete_requests_do_not_block_other_requests() {
    let portal = TestPortal::start_with(&["--max-connections-per-address", "1000"]).await;
    let mut incomplete = Vec::new();
    for _ in 0..400 {
        incomplete.push(connect_and_send(portal.address, b"GET /").await);
    }
    for _ in 0..20 {
        let started = Instant::now();
        let mut stream = connect_and_send(portal.address, HTTP1_REQUEST).await;
        read_response(&mut stream).await.unwrap();
        // The response comes sooner than the incomplete requests time out.
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    }
}

#[tokio::test]
async fn server_works_with_a_low_open_file_limit() {
    let stage = Stage::new(Behaviour::Accept).await;
    let mut limited = Command::new("sh");
    limited.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
    // The soft limit is even lower, and the server raises it.
    limited.args(["-c", "ulimit -H -n 256; ulimit -S -n 100; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_api")]);
    let settings = ["--request-head-seconds", "2", "--max-connections-per-address", "1000"];
    let server =
        Server::start_command(limited, &stage.database.url(), stage.data(), &stage.smtp, true, &settings)
            .await;
    let address: SocketAddr = server.base.trim_start_matches("http://").parse().unwrap();
    let mut incomplete = Vec::new();
    for _ in 0..300 {
        incomplete.push(connect_and_send(address, b"GET /").await);
    }
    let mut stream = connect_and_send(address, HTTP1_REQUEST).await;
    let answer = timeout(MAX_WAIT, read_response(&mut stream)).await.expect("there is no response").unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    stage.publish(&server, 1).await;
    stage.assert_all_sent_once(1).await;
    let log = std::fs::read_to_string(stage.data().join("server.log")).unwrap();
    assert!(!log.contains("Too many open files"), "{log}");
    assert!(server.stop().success());
}

#[tokio::test]
async fn open_connections_do_not_delay_shutdown() {
    let stage = Stage::new(Behaviour::Accept).await;
    let (url, data) = (stage.database.url(), stage.data());
    let settings = ["--request-head-seconds", "60", "--shutdown-seconds", "30"];
    let server = Server::start_command(server::command(), &url, data, &stage.smtp, true, &settings).await;
    let address: SocketAddr = server.base.trim_start_matches("http://").parse().unwrap();
    let mut idle = connect_and_send(address, HTTP1_REQUEST).await;
    read_response(&mut idle).await.unwrap();
    let _open = [
        idle,
        connect(address).await,
        connect_and_send(address, b"GET /").await,
        connect_and_send(address, HTTP2_PREFACE).await,
    ];
    let started = Instant::now();
    assert!(tokio::task::spawn_blocking(|| server.stop()).await.unwrap().success());
    assert!(started.elapsed() < Duration::from_secs(10), "the shutdown took {:?}", started.elapsed());
}

#[tokio::test]
async fn systemd_is_told_when_the_server_listens_and_stops() {
    let stage = Stage::new(Behaviour::Accept).await;
    let path = stage.data().join("notify.sock");
    let socket = tokio::net::UnixDatagram::bind(&path).unwrap();
    let mut command = server::command();
    command.env("NOTIFY_SOCKET", &path);
    let server =
        Server::start_command(command, &stage.database.url(), stage.data(), &stage.smtp, true, &[]).await;
    assert_eq!(receive(&socket).await, "READY=1");
    assert!(tokio::task::spawn_blocking(|| server.stop()).await.unwrap().success());
    assert_eq!(receive(&socket).await, "STOPPING=1");
}

/// Returns the next message on a socket, without its end of line.
async fn receive(socket: &tokio::net::UnixDatagram) -> String {
    let mut message = [0; 100];
    let length = timeout(MAX_WAIT, socket.recv(&mut message)).await.expect("there is no message").unwrap();
    String::from_utf8_lossy(&message[..length]).trim_end().to_owned()
}

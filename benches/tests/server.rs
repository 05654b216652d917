//! Tests of the private Postgres server.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use benches::server::Server;
use rustix::net::{AddressFamily, SocketType, bind, socket};
use std::net::{Ipv4Addr, SocketAddr};

/// An outgoing connection can occupy a port without listening on it. A check for a listener can't
/// detect this.
#[test]
fn server_starts_despite_occupied_ports() {
    let _held: Vec<_> = (25432..25440)
        .map(|port| {
            let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
            // If another server already uses the port, the port is occupied as well.
            bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, port))).ok();
            socket
        })
        .collect();
    let server = Server::new(None).unwrap();
    server.connect().unwrap().simple_query("select 1").unwrap();
}

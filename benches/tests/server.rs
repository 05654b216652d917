//! The private server that benchmarks and tests run on.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use benches::server::Server;
use rustix::net::{AddressFamily, SocketType, bind, socket};
use std::net::{Ipv4Addr, SocketAddr};

/// An outgoing connection holds a port on which nobody listens: a look can't tell that it is taken.
#[test]
fn a_server_starts_though_the_first_ports_are_held() {
    let _held: Vec<_> = (25432..25440)
        .map(|port| {
            let socket = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
            // One where a server of another test listens is as good.
            bind(&socket, &SocketAddr::from((Ipv4Addr::LOCALHOST, port))).ok();
            socket
        })
        .collect();
    let server = Server::new(None).unwrap();
    server.connect().unwrap().simple_query("select 1").unwrap();
}

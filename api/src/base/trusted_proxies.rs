//! The reverse proxies whose `X-Forwarded-For` is believed.

use ipnet::IpNet;
use std::{net::IpAddr, str::FromStr};

/// Addresses and networks of trusted reverse proxies.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProxyNetworks(Vec<IpNet>);

impl ProxyNetworks {
    /// Whether no proxy is trusted.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether this is the address of a trusted proxy.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// Returns the client's address of a request from `peer`. `forwarded` are the entries of
    /// `X-Forwarded-For` from right to left. Each proxy has appended the address of its own peer, so
    /// an entry is believed only if the address to the right of it is a trusted proxy. At most `hops`
    /// entries are believed, because clients write the entries to the left of these.
    ///
    /// An entry that is not an address ends the walk.
    pub fn client_address<'a>(
        &self,
        peer: IpAddr,
        hops: u8,
        forwarded: impl IntoIterator<Item = &'a str>,
    ) -> IpAddr {
        let mut address = peer.to_canonical();
        for entry in forwarded.into_iter().take(usize::from(hops)) {
            if !self.contains(address) {
                break;
            }
            let Some(next) = parse_entry(entry) else { break };
            address = next;
        }
        address
    }
}

/// Parses an entry of `X-Forwarded-For`: an address, which some proxies follow by a port.
fn parse_entry(entry: &str) -> Option<IpAddr> {
    let entry = entry.trim();
    let address = entry
        .parse()
        .ok()
        .or_else(|| entry.parse::<std::net::SocketAddr>().ok().map(|address| address.ip()))
        .or_else(|| entry.strip_prefix('[')?.strip_suffix(']')?.parse().ok());
    address.map(|address: IpAddr| address.to_canonical())
}

impl FromStr for ProxyNetworks {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        entries.map(parse_network).collect::<Result<_, _>>().map(Self)
    }
}

fn parse_network(text: &str) -> Result<IpNet, String> {
    let network = match text.parse::<IpAddr>() {
        Ok(address) => IpNet::from(address.to_canonical()),
        Err(_) => text.parse::<IpNet>().map_err(|_| {
            format!("{text:?} is neither an IP address nor a network; write 192.0.2.7 or 10.0.0.0/8")
        })?,
    };
    if network.prefix_len() == 0 {
        return Err(format!("{text} contains all addresses, so clients could forge theirs"));
    }
    Ok(network.trunc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// The client's address for this header, where `9.9.9.9` and `10.0.0.0/8` are proxies.
    fn client(peer: &str, hops: u8, header: &str) -> IpAddr {
        let proxies: ProxyNetworks = "9.9.9.9, 10.0.0.0/8".parse().unwrap();
        proxies.client_address(address(peer), hops, header.rsplit(','))
    }

    #[test]
    fn only_entries_of_trusted_proxies_count() {
        for (peer, hops, header, expected) in [
            ("9.9.9.9", 1, "1.1.1.1, 2.2.2.2", "2.2.2.2"),
            ("9.9.9.9", 1, "1.1.1.1, 10.0.0.7", "10.0.0.7"),
            ("9.9.9.9", 2, "1.1.1.1, 10.0.0.7", "1.1.1.1"),
            ("9.9.9.9", 2, "5.5.5.5, 1.1.1.1, 10.0.0.7", "1.1.1.1"),
            ("9.9.9.9", 2, "1.1.1.1, 2.2.2.2", "2.2.2.2"),
            ("9.9.9.9", 3, "10.0.0.8", "10.0.0.8"),
            ("::ffff:9.9.9.9", 1, "::ffff:1.1.1.1", "1.1.1.1"),
            ("9.9.9.9", 1, "1.1.1.1:4711", "1.1.1.1"),
            ("9.9.9.9", 1, "[2001:db8::1]:4711", "2001:db8::1"),
            ("9.9.9.9", 1, "[2001:db8::1]", "2001:db8::1"),
            ("8.8.8.8", 9, "1.1.1.1, 10.0.0.7", "8.8.8.8"),
        ] {
            assert_eq!(client(peer, hops, header), address(expected), "{peer} {hops} {header}");
        }
    }

    #[test]
    fn unreadable_entry_ends_the_walk() {
        assert_eq!(client("9.9.9.9", 1, "1.1.1.1, unknown"), address("9.9.9.9"));
        assert_eq!(client("9.9.9.9", 2, "unknown, 10.0.0.7"), address("10.0.0.7"));
        assert_eq!(client("9.9.9.9", 1, ""), address("9.9.9.9"));
    }

    #[test]
    fn networks_are_parsed() {
        assert!("".parse::<ProxyNetworks>().unwrap().is_empty());
        let proxies: ProxyNetworks = " 127.0.0.1,::1 , 2001:db8::/32".parse().unwrap();
        for (text, expected) in [
            ("127.0.0.1", true),
            ("::ffff:127.0.0.1", true),
            ("127.0.0.2", false),
            ("::1", true),
            ("2001:db8:7::1", true),
            ("2001:db9::1", false),
        ] {
            assert_eq!(proxies.contains(address(text)), expected, "{text}");
        }
        for wrong in ["true", "proxy.example", "10.0.0.0/33", "0.0.0.0/0", "::/0"] {
            wrong.parse::<ProxyNetworks>().unwrap_err();
        }
    }
}

//! How the client behaves towards nodes that speak TLS: it sends nothing, no password either, before it knows
//! the node.

use crate::{config, is_unavailable, nothing, server::FakeNode, total};
use opensearch_engine::{ClusterConfig, OpenSearchEngine};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rstest::rstest;
use rustls::{ServerConfig, pki_types::PrivateKeyDer};
use std::{
    io::{Read, Write},
    net::TcpListener,
    thread,
};

/// An authority that signs the certificates of nodes.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn create() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// What the setting for trusted certificates contains.
    fn pem(&self) -> String {
        self.0.pem()
    }

    /// The TLS of a node with a certificate for `host` that is valid until the end of the year.
    fn sign(&self, host: &str, year: i32) -> ServerConfig {
        let mut params = CertificateParams::new(vec![host.to_owned()]).unwrap();
        params.not_before = rcgen::date_time_ymd(2020, 1, 1);
        params.not_after = rcgen::date_time_ymd(year, 12, 31);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.0).unwrap();
        ServerConfig::builder()
            .with_no_client_auth()
            .with_single_cert(
                vec![certificate.der().clone()],
                PrivateKeyDer::try_from(key.serialize_der()).unwrap(),
            )
            .unwrap()
    }
}

fn with_credentials(mut config: ClusterConfig) -> ClusterConfig {
    config.credentials = Some(("portal".to_owned(), "the-password".to_owned()));
    config
}

fn engine(node: &FakeNode, certificates: Option<&str>) -> OpenSearchEngine {
    let mut config = with_credentials(config(&[node]));
    config.certificates = certificates.map(|pem| pem.as_bytes().to_vec());
    OpenSearchEngine::new(config).unwrap()
}

#[test]
fn a_node_with_a_certificate_of_a_trusted_authority_is_asked() {
    let (authority, other) = (Authority::create(), Authority::create());
    let node = FakeNode::start_with_tls(authority.sign("localhost", 2090), nothing);
    // A file may contain several authorities, as while the certificates of a cluster are renewed.
    let engine = engine(&node, Some(&format!("{}{}", other.pem(), authority.pem())));
    for _ in 0..3 {
        assert_eq!(total(&engine).unwrap(), 0);
    }
    for request in node.received() {
        assert_eq!(
            request.authorization.as_deref(),
            Some("Basic cG9ydGFsOnRoZS1wYXNzd29yZA=="),
            "{request:?}"
        );
    }
}

#[rstest]
#[case::signed_by_an_unknown_authority("localhost", 2090, false)]
#[case::for_another_host("search.example.lk", 2090, true)]
#[case::expired("localhost", 2021, true)]
fn no_request_is_sent_to_a_node_whose_certificate_is(
    #[case] host: &str,
    #[case] year: i32,
    #[case] is_trusted: bool,
) {
    let authority = Authority::create();
    let node = FakeNode::start_with_tls(authority.sign(host, year), nothing);
    let engine = engine(&node, is_trusted.then(|| authority.pem()).as_deref());
    let result = total(&engine);
    assert!(is_unavailable(&result));
    let message = result.unwrap_err().to_string();
    assert!(message.contains("certificate"), "{message}");
    assert!(!message.contains("the-password"), "{message}");
    assert_eq!(node.received().len(), 0);
}

#[test]
fn a_node_whose_address_asks_for_tls_receives_nothing_readable_without_it() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let received = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut bytes = vec![0; 4096];
        let length = stream.read(&mut bytes).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").unwrap();
        bytes.truncate(length);
        bytes
    });
    let mut config = with_credentials(config(&[]));
    config.nodes = vec![format!("https://localhost:{port}")];
    assert!(is_unavailable(&total(&OpenSearchEngine::new(config).unwrap())));
    let received = received.join().unwrap();
    // The beginning of a TLS handshake.
    assert_eq!(received.first(), Some(&0x16));
    let text = String::from_utf8_lossy(&received);
    assert!(!text.contains("GET") && !text.contains("Basic"), "{text}");
}

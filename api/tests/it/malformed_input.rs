//! Malformed input to every route from a guest, a user and an operator. No response is a server
//! error. The client also checks that the OpenAPI document declares every response.

use crate::support::{TestPortal, issuer::CLIENT_ID};
use axum::http::Method;

/// Values for the parameters in paths.
const PATH_PARAMETERS: [&str; 6] =
    ["x", "00000000-0000-7000-8000-000000000000", "%00", "..%2f..%2fetc%2fpasswd", "%ff%fe", "'--"];
const QUERY_STRINGS: [&str; 5] =
    ["", "?page=-1&limit=99999999999999999999", "?a=1&a=2&%00=%ff", "?&&==&", "?search=%00%ff"];
/// The content type and content of request bodies.
const REQUEST_BODIES: [(&str, &[u8]); 9] = [
    ("application/json", b""),
    ("application/json", b"\x00\xff"),
    ("application/json", b"[[[[[[[[[["),
    ("application/json", b"{\"email\":{\"$gt\":\"\"},\"password\":[]}"),
    ("application/json", b"{\"email\":\"\\u0000\",\"password\":\"\\ud800\",\"refreshToken\":\"\\u0000\"}"),
    (
        "application/json",
        b"{\"firstName\":\"a\",\"lastName\":\"b\",\"email\":\"a\\u0000@b.lk\",\"password\":\"secret\"}",
    ),
    ("application/xml", b"<!DOCTYPE x [<!ENTITY y SYSTEM 'file:///etc/passwd'>]><x>&y;</x>"),
    (
        "multipart/form-data; boundary=b",
        b"--b\r\ncontent-disposition: form-data; name=\"notice\"\r\n\r\n\xff\r\n--b--",
    ),
    ("multipart/form-data; boundary=b", b"--b\r\ncontent-disposition: form-data; name=\"\xff\"\r\n\r\n"),
];

#[tokio::test]
async fn malformed_input_never_causes_a_server_error() {
    // Routes of a function that is not set up answer 503.
    let google = ["--google-client-id", CLIENT_ID];
    let limits = ["--sign-ins-a-minute", "100000", "--rate-limit-factor", "1000"];
    let portal = TestPortal::start_with(&[google.as_slice(), limits.as_slice()].concat()).await;
    let document = serde_json::to_value(api::http::router::document()).unwrap();
    let mut calls = 0;
    for caller in [portal.guest(), portal.user("nimal", "supplier").await, portal.operator().await] {
        for (path, item) in document["paths"].as_object().unwrap() {
            for method in item.as_object().unwrap().keys() {
                let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
                for (nth, id) in PATH_PARAMETERS.iter().enumerate() {
                    let path = path.split('/').map(|part| if part.starts_with('{') { id } else { part });
                    let path = path.collect::<Vec<_>>().join("/") + QUERY_STRINGS[nth % QUERY_STRINGS.len()];
                    for (content_type, body) in
                        REQUEST_BODIES.iter().skip(if method == Method::GET { 8 } else { 0 })
                    {
                        let request = caller.request(method.clone(), &path);
                        let request = request.header("content-type", *content_type).body(body.to_vec());
                        let reply = caller.send(request, method.clone(), &path).await;
                        assert!(!reply.status.is_server_error(), "{method} {path}: {}", reply.text());
                        calls += 1;
                    }
                }
            }
        }
    }
    assert!(calls > 500, "{calls} calls: the OpenAPI document is nearly empty");
}

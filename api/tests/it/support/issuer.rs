//! A local issuer of ID tokens. It signs with test keys and publishes them over HTTP.

use super::{Client, Reply};
use aws_lc_rs::{
    encoding::AsDer,
    rsa::{KeyPair, KeySize},
    signature::KeyPair as _,
};
use axum::{
    Router,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::get,
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use std::sync::{
    Arc, LazyLock, Mutex,
    atomic::{AtomicUsize, Ordering},
};
use tokio::task::JoinHandle;

/// The portal's client id.
pub const CLIENT_ID: &str = "portal.apps.test";

/// A signing key of the issuer.
pub struct Key {
    signing: EncodingKey,
    /// The public modulus, in base64url as the issuer publishes it.
    pub modulus: String,
    exponent: String,
}

/// Two keys, generated once because generation is slow.
pub static KEYS: LazyLock<[Key; 2]> = LazyLock::new(|| [Key::fresh(), Key::fresh()]);

impl Key {
    fn fresh() -> Self {
        let pair = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let public = pair.public_key();
        let wrapped = pair.as_der().unwrap();
        Self {
            // A 2048-bit key in PKCS #8 has a header of 26 bytes. The rest is the key in the
            // format of RFC 8017, appendix A.1.2.
            signing: EncodingKey::from_rsa_der(&wrapped.as_ref()[26..]),
            modulus: encode(public.modulus().big_endian_without_leading_zero()),
            exponent: encode(public.exponent().big_endian_without_leading_zero()),
        }
    }

    /// Signs a token with these claims and this key id.
    pub fn sign(&self, id: &str, claims: &Value) -> String {
        let header = Header { kid: Some(id.to_owned()), ..Header::new(Algorithm::RS256) };
        self.sign_with_header(&header, claims)
    }

    /// Signs a token with this header and these claims.
    pub fn sign_with_header(&self, header: &Header, claims: &Value) -> String {
        jsonwebtoken::encode(header, claims, &self.signing).unwrap()
    }

    /// Returns the public key with this id, as the issuer publishes it.
    pub fn published(&self, id: &str) -> Value {
        json!({"kty": "RSA", "use": "sig", "alg": "RS256", "kid": id, "n": self.modulus, "e": self.exponent})
    }
}

/// A page of the portal with Google's button, in one browser.
pub struct GooglePage {
    /// The client with the cookie of the browser.
    pub client: Client,
    /// The nonce of the page.
    pub nonce: String,
}

impl GooglePage {
    /// Opens a page in the browser of this client, which has no cookie yet.
    pub async fn open(client: &Client) -> Self {
        let reply = client.post("/auth/google/nonce", &json!({})).await;
        let nonce = reply.expect(200)["data"]["nonce"].as_str().unwrap().to_owned();
        let cookie = reply.header("set-cookie").split(';').next().unwrap();
        Self { client: client.with_cookie(cookie), nonce }
    }

    /// Returns the token that Google issues for this page.
    pub fn token(&self, key: &Key, id: &str, claims: &Value) -> String {
        let mut claims = claims.clone();
        claims["nonce"] = json!(self.nonce);
        key.sign(id, &claims)
    }

    /// Signs in with a token.
    pub async fn sign_in(&self, token: &str) -> Reply {
        self.client.post("/auth/google", &json!({"credential": token})).await
    }
}

/// The issuer's response to a request for its keys.
#[derive(Clone)]
pub enum Answer {
    /// A response with these keys, cacheable for an hour.
    Keys(Vec<Value>),
    /// A response with this text, cacheable for an hour.
    Text(String),
    /// A server error.
    Failure,
    /// A redirect to the URL of the keys.
    Redirect,
    /// No response, although the connection stays open.
    NoResponse,
}

/// A running issuer. It stops when it is dropped.
pub struct Issuer {
    /// The URL of the published keys.
    pub url: String,
    answer: Arc<Mutex<Answer>>,
    requests: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Issuer {
    /// Starts an issuer that publishes the first of [`KEYS`] under the id `first`.
    pub async fn start() -> Self {
        let answer = Arc::new(Mutex::new(Answer::Keys(vec![KEYS[0].published("first")])));
        let requests = Arc::new(AtomicUsize::new(0));
        let (current, count) = (Arc::clone(&answer), Arc::clone(&requests));
        let router = Router::new().route(
            "/certs",
            get(move || {
                count.fetch_add(1, Ordering::SeqCst);
                let answer = current.lock().unwrap().clone();
                respond(answer)
            }),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/certs", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, answer, requests, task }
    }

    /// Changes the response to further requests.
    pub fn set_answer(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Returns the number of requests so far.
    pub fn request_count(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

async fn respond(answer: Answer) -> Response {
    let cacheable = [(header::CACHE_CONTROL, "public, max-age=3600")];
    match answer {
        Answer::Keys(keys) => (cacheable, json!({ "keys": keys }).to_string()).into_response(),
        Answer::Text(text) => (cacheable, text).into_response(),
        Answer::Failure => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Answer::Redirect => (StatusCode::FOUND, [(header::LOCATION, "/certs")]).into_response(),
        Answer::NoResponse => std::future::pending().await,
    }
}

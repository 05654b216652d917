//! A local issuer of ID tokens: signs them with keys made for the test, and publishes those keys over HTTP as a test says.

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

/// What the portal of these tests is called at the issuer.
pub const CLIENT_ID: &str = "portal.apps.test";

/// A key of the issuer.
pub struct Key {
    signing: EncodingKey,
    /// Its modulus, as published.
    pub modulus: String,
    exponent: String,
}

/// Two keys, made once for all tests: that takes a while.
pub static KEYS: LazyLock<[Key; 2]> = LazyLock::new(|| [Key::fresh(), Key::fresh()]);

impl Key {
    fn fresh() -> Self {
        let pair = KeyPair::generate(KeySize::Rsa2048).unwrap();
        let encode = |bytes: &[u8]| BASE64_URL_SAFE_NO_PAD.encode(bytes);
        let public = pair.public_key();
        let wrapped = pair.as_der().unwrap();
        Self {
            // The key itself (RFC 8017 appendix A.1.2) stands after the 26 bytes that PKCS #8 puts before one of this size.
            signing: EncodingKey::from_rsa_der(&wrapped.as_ref()[26..]),
            modulus: encode(public.modulus().big_endian_without_leading_zero()),
            exponent: encode(public.exponent().big_endian_without_leading_zero()),
        }
    }

    /// A token with these claims, that says it was signed by the key of this id.
    pub fn sign(&self, id: &str, claims: &Value) -> String {
        let header = Header { kid: Some(id.to_owned()), ..Header::new(Algorithm::RS256) };
        self.sign_as(&header, claims)
    }

    /// The same with another header.
    pub fn sign_as(&self, header: &Header, claims: &Value) -> String {
        jsonwebtoken::encode(header, claims, &self.signing).unwrap()
    }

    /// As published under this id.
    pub fn published(&self, id: &str) -> Value {
        json!({"kty": "RSA", "use": "sig", "alg": "RS256", "kid": id, "n": self.modulus, "e": self.exponent})
    }
}

/// What the issuer answers when it is asked for its keys.
#[derive(Clone)]
pub enum Answer {
    /// These keys, believed for an hour.
    Keys(Vec<Value>),
    /// This, whatever it is.
    Text(String),
    /// A failure of its own.
    Failure,
    /// The address of another server.
    Elsewhere,
    /// Nothing at all.
    Silence,
}

pub struct Issuer {
    /// Where its keys are.
    pub url: String,
    answer: Arc<Mutex<Answer>>,
    asked: Arc<AtomicUsize>,
    task: JoinHandle<()>,
}

impl Drop for Issuer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Issuer {
    /// Publishes the first of [`KEYS`] under the id `first`.
    pub async fn start() -> Self {
        let answer = Arc::new(Mutex::new(Answer::Keys(vec![KEYS[0].published("first")])));
        let asked = Arc::new(AtomicUsize::new(0));
        let (told, count) = (Arc::clone(&answer), Arc::clone(&asked));
        let router = Router::new().route(
            "/certs",
            get(move || {
                count.fetch_add(1, Ordering::SeqCst);
                let answer = told.lock().unwrap().clone();
                respond(answer)
            }),
        );
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/certs", listener.local_addr().unwrap());
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Self { url, answer, asked, task }
    }

    pub fn answer(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

async fn respond(answer: Answer) -> Response {
    let keep = [(header::CACHE_CONTROL, "public, max-age=3600")];
    match answer {
        Answer::Keys(keys) => (keep, json!({ "keys": keys }).to_string()).into_response(),
        Answer::Text(text) => (keep, text).into_response(),
        Answer::Failure => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        Answer::Elsewhere => (StatusCode::FOUND, [(header::LOCATION, "/certs")]).into_response(),
        Answer::Silence => std::future::pending().await,
    }
}

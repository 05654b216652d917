//! A software authenticator for passkeys (WebAuthn), as a browser and a security key answer.

use aws_lc_rs::{
    digest::{SHA256, digest},
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair},
};
use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use serde_json::{Value, json};
use std::sync::Arc;

/// The user is present and verified, and the passkey can be backed up and is backed up.
const FLAGS: u8 = 0x01 | 0x04 | 0x08 | 0x10;
/// The authenticator data contain a new credential.
const NEW_CREDENTIAL: u8 = 0x40;

/// A passkey in a browser.
#[derive(Clone)]
pub struct SoftAuthenticator {
    origin: String,
    id: Vec<u8>,
    key: Arc<EcdsaKeyPair>,
    counter: u32,
}

impl SoftAuthenticator {
    /// Creates a passkey in a browser that shows this origin.
    pub fn new(origin: &str) -> Self {
        let key = EcdsaKeyPair::generate(&ECDSA_P256_SHA256_ASN1_SIGNING).unwrap();
        let id = digest(&SHA256, key.public_key().as_ref()).as_ref().to_vec();
        Self { origin: origin.to_owned(), id, key: Arc::new(key), counter: 0 }
    }

    /// The same passkey in a browser that shows another origin.
    pub fn at(self, origin: &str) -> Self {
        Self { origin: origin.to_owned(), ..self }
    }

    /// Answers `navigator.credentials.create`.
    pub fn create(&mut self, options: &Value) -> Value {
        let point = self.key.public_key().as_ref().to_vec();
        let mut data = self.data(options["rp"]["id"].as_str().unwrap(), FLAGS | NEW_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        // The public key in COSE: elliptic curve, ES256, P-256, x and y.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21]);
        data.extend(cbor_bytes(&point[1..33]));
        data.push(0x22);
        data.extend(cbor_bytes(&point[33..]));
        let object = [
            &[0xa3][..],
            &cbor_text("fmt"),
            &cbor_text("none"),
            &cbor_text("attStmt"),
            &[0xa0],
            &cbor_text("authData"),
            &cbor_bytes(&data),
        ]
        .concat();
        let client = self.client_data("webauthn.create", options);
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key", "extensions": {},
            "response": {"attestationObject": encode(&object), "clientDataJSON": encode(&client)},
        })
    }

    /// Answers `navigator.credentials.get`.
    pub fn get(&mut self, options: &Value) -> Value {
        let data = self.data(options["rpId"].as_str().unwrap(), FLAGS);
        let client = self.client_data("webauthn.get", options);
        let signed = [&data, digest(&SHA256, &client).as_ref()].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        json!({
            "id": encode(&self.id), "rawId": encode(&self.id), "type": "public-key", "extensions": {},
            "response": {
                "authenticatorData": encode(&data), "clientDataJSON": encode(&client),
                "signature": encode(signature.as_ref()), "userHandle": null,
            },
        })
    }

    fn data(&mut self, host: &str, flags: u8) -> Vec<u8> {
        self.counter += 1;
        let mut data = digest(&SHA256, host.as_bytes()).as_ref().to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({"type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": false});
        data.to_string().into_bytes()
    }
}

fn cbor_bytes(bytes: &[u8]) -> Vec<u8> {
    [&cbor_head(2, bytes.len())[..], bytes].concat()
}

fn cbor_text(text: &str) -> Vec<u8> {
    [&cbor_head(3, text.len())[..], text.as_bytes()].concat()
}

fn cbor_head(kind: u8, length: usize) -> Vec<u8> {
    match u8::try_from(length) {
        Ok(length @ 0..24) => vec![kind << 5 | length],
        Ok(length) => vec![kind << 5 | 24, length],
        Err(_) => [&[kind << 5 | 25][..], &u16::try_from(length).unwrap().to_be_bytes()].concat(),
    }
}

fn encode(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

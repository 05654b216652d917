//! A 64-bit hash of words and parts of words that is made byte by byte, forwards or backwards, so that one pass over a word gives the
//! hashes of all its prefixes or suffixes. Equal hashes are only ever a hint: what they lead to is read again in full.

use std::hash::{BuildHasherDefault, Hasher};

const SEED: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash in the making: the Fowler–Noll–Vo step 1a, mixed at the end.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rolling(u64);

impl Rolling {
    pub(super) const fn new() -> Self {
        Self(SEED)
    }

    pub(super) const fn push(&mut self, byte: u8) {
        self.0 = (self.0 ^ byte as u64).wrapping_mul(PRIME);
    }

    pub(super) const fn value(self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    }
}

/// The hash of a word or the beginning of one.
pub(crate) fn forwards(bytes: &[u8]) -> u64 {
    let mut rolling = Rolling::new();
    bytes.iter().for_each(|byte| rolling.push(*byte));
    rolling.value()
}

/// The hash of the end of a word.
pub(super) fn backwards(bytes: &[u8]) -> u64 {
    let mut rolling = Rolling::new();
    bytes.iter().rev().for_each(|byte| rolling.push(*byte));
    rolling.value()
}

/// The hash of two words side by side.
pub(super) const fn pair(first: u64, second: u64) -> u64 {
    (first.rotate_left(23) ^ second).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

/// A map whose keys are such hashes already.
pub(super) type HashedMap<V> = std::collections::HashMap<u64, V, BuildHasherDefault<Already>>;

/// Passes a hash on as it is.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Already(u64);

impl Hasher for Already {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = forwards(bytes);
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

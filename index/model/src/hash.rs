//! A hash that is the same in every process and on every machine. Stored and transmitted values may
//! depend on it. It is not collision resistant against an attacker.

/// FNV-1a (Fowler–Noll–Vo) with an extra mixing step at the end.
pub fn stable(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    let mixed = (hash ^ hash >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

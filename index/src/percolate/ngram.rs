//! The keys of byte n-grams.

/// The n-gram lengths for needles within a word. At each offset of a needle, only the longest
/// n-gram that fits is considered.
pub(super) const WORD_LENGTHS: &[usize] = &[1, 2, 3, 4, 5, 6, 7, 8, 12];

/// The key of the n-gram of a given length at the start of `bytes`. For up to eight bytes, the key
/// consists of the bytes themselves.
pub(super) fn key_of(bytes: &[u8], length: usize) -> u64 {
    let mut padded = [0; 16];
    padded[..length].copy_from_slice(&bytes[..length]);
    if length <= 8 { short_key::<8>(&padded) } else { long_key(&padded) }
}

pub(super) fn short_key<const LENGTH: usize>(window: &[u8; 16]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *window;
    u64::from_le_bytes([a, b, c, d, e, f, g, h]) & (u64::MAX >> (64 - 8 * LENGTH))
}

pub(super) fn long_key(window: &[u8; 16]) -> u64 {
    let [_, _, _, _, _, _, _, _, a, b, c, d, ..] = *window;
    let tail = u64::from(u32::from_le_bytes([a, b, c, d]));
    short_key::<8>(window) ^ (tail.wrapping_mul(0xd6e8_feb8_6659_fd93)).rotate_left(23)
}

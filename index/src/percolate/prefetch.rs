//! Memory prefetching.

/// Reads one number from each of many memory locations that are about to be used. Nothing depends
/// on the values, so the processor loads several at once instead of one after the other.
pub(super) fn touch(numbers: impl Iterator<Item = u32>) {
    std::hint::black_box(numbers.fold(0, |all, number| all ^ number));
}

//! [`ListArena`]: many short lists in one allocation, instead of hundreds of thousands of small
//! vectors.

use std::ops::Range;

/// An arena of lists. The capacity of a list is the next power of two of its length. Space freed by
/// growing or shrinking lists is reused.
#[derive(Debug, Default)]
pub(super) struct ListArena<T> {
    storage: Vec<T>,
    /// The starts of free blocks, by the logarithm of their size.
    free: Vec<Vec<u32>>,
}

/// The position and length of one list in the arena.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct ListHandle {
    start: u32,
    length: u32,
}

impl ListHandle {
    pub(super) const fn len(self) -> usize {
        self.length as usize
    }

    /// A handle that only stores a length; the items are elsewhere.
    pub(super) const fn of_length(length: usize) -> Self {
        Self { start: 0, length: length as u32 }
    }

    pub(super) const fn is_empty(self) -> bool {
        self.length == 0
    }

    const fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.length as usize
    }
}

impl<T: Copy + Default + PartialEq> ListArena<T> {
    pub(super) fn get(&self, list: ListHandle) -> &[T] {
        &self.storage[list.range()]
    }

    /// Creates a list of these items.
    pub(super) fn create(&mut self, items: &[T]) -> ListHandle {
        if items.is_empty() {
            return ListHandle::default();
        }
        let list =
            ListHandle { start: self.allocate(items.len().next_power_of_two()), length: items.len() as u32 };
        self.storage[list.range()].copy_from_slice(items);
        list
    }

    pub(super) fn push(&mut self, list: &mut ListHandle, item: T) {
        let length = list.len();
        if length == 0 {
            list.start = self.allocate(1);
        } else if length.is_power_of_two() {
            let start = self.allocate(2 * length);
            self.storage.copy_within(list.range(), start as usize);
            self.release(list.start, length);
            list.start = start;
        }
        self.storage[list.start as usize + length] = item;
        list.length += 1;
    }

    /// Removes one equal item, in time linear in the list's length. The last item takes its place.
    pub(super) fn remove(&mut self, list: &mut ListHandle, item: &T) {
        let items = &mut self.storage[list.range()];
        let (Some(at), Some(last)) = (items.iter().position(|other| other == item), items.last().copied())
        else {
            return;
        };
        items[at] = last;
        self.remove_last(list);
    }

    pub(super) fn pop(&mut self, list: &mut ListHandle) -> Option<T> {
        let last = self.get(*list).last().copied()?;
        self.remove_last(list);
        Some(last)
    }

    fn remove_last(&mut self, list: &mut ListHandle) {
        list.length -= 1;
        let length = list.len();
        if length == 0 {
            self.release(list.start, 1);
        } else if length.is_power_of_two() {
            self.release(list.start + list.length, length);
        }
    }

    /// Frees a list.
    pub(super) fn free(&mut self, list: ListHandle) {
        if !list.is_empty() {
            self.release(list.start, list.len().next_power_of_two());
        }
    }

    /// Allocates a block whose size is a power of two.
    fn allocate(&mut self, length: usize) -> u32 {
        let free = self.free.get_mut(length.trailing_zeros() as usize).and_then(Vec::pop);
        free.unwrap_or_else(|| {
            let start = self.storage.len();
            self.storage.resize(start + length, T::default());
            start as u32
        })
    }

    fn release(&mut self, start: u32, length: usize) {
        let class = length.trailing_zeros() as usize;
        if self.free.len() <= class {
            self.free.resize_with(class + 1, Vec::new);
        }
        self.free[class].push(start);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Lists behave like vectors when items are added and removed, and no space is lost.
        #[test]
        fn lists_behave_like_vectors(steps in prop::collection::vec((0usize..4, 0u8..6, any::<bool>()), 0..400)) {
            let mut lists = ListArena::<u8>::default();
            let mut known: Vec<(ListHandle, Vec<u8>)> = vec![Default::default(); 4];
            for (which, item, push) in steps {
                let (list, vector) = &mut known[which];
                if push {
                    lists.push(list, item);
                    vector.push(item);
                } else {
                    lists.remove(list, &item);
                    if let Some(at) = vector.iter().position(|other| *other == item) {
                        vector.swap_remove(at);
                    }
                }
                for (list, vector) in &known {
                    prop_assert_eq!(lists.get(*list), vector);
                }
            }
            let held: usize = known.iter().map(|(_, vector)| vector.len().next_power_of_two()).sum();
            let free: usize = lists.free.iter().enumerate().map(|(class, free)| free.len() << class).sum();
            let empty = known.iter().filter(|(list, _)| list.is_empty()).count();
            prop_assert_eq!(held - empty + free, lists.storage.len());
        }
    }
}

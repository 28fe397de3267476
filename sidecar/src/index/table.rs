//! A set of numbers for repeated lookups.

/// No candidate: a word has to follow it.
const EMPTY: u32 = u32::MAX;

/// Open addressing, at most half full.
#[derive(Debug)]
pub(super) struct HashTable {
    slots: Vec<u32>,
    shift: u32,
}

impl HashTable {
    pub(super) fn new(numbers: &[u32]) -> Self {
        let bits = (numbers.len() * 2).next_power_of_two().trailing_zeros().max(4);
        let mut table = Self { slots: vec![EMPTY; 1 << bits], shift: 32 - bits };
        for &number in numbers {
            let slot = table.slot(number);
            table.slots[slot] = number;
        }
        table
    }

    #[inline]
    pub(super) fn contains(&self, number: u32) -> bool {
        number != EMPTY && self.slots[self.slot(number)] == number
    }

    /// Where the number is or would be.
    #[inline]
    fn slot(&self, number: u32) -> usize {
        let mut slot = (number.wrapping_mul(0x9e37_79b1) >> self.shift) as usize;
        while self.slots[slot] != EMPTY && self.slots[slot] != number {
            slot = (slot + 1) % self.slots.len();
        }
        slot
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_holds_what_went_in() {
        for count in [0, 1, 9, 1_000] {
            let numbers: Vec<u32> = (0..count).map(|n| n * 3).collect();
            let table = HashTable::new(&numbers);
            for number in 0..count * 3 + 3 {
                let expected = number % 3 == 0 && number < count * 3;
                assert_eq!(table.contains(number), expected, "{number} of {count}");
            }
            assert!(!table.contains(u32::MAX));
        }
    }
}

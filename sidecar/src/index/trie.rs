//! Walks sorted strings as the trie they form, down to where its nodes become light.

use std::ops::Range;

/// A prefix that some of the strings share.
#[derive(Clone, Debug)]
pub(super) struct Node {
    /// The strings that begin with it. No two nodes have the same.
    pub(super) range: Range<u32>,
    /// The number of the longest shorter prefix whose range is wider.
    pub(super) parent: Option<usize>,
    /// Whether it ends at a character's boundary. A needle always does.
    pub(super) whole: bool,
}

/// Strings in the order of their bytes, as a trie.
pub(super) trait Sorted {
    /// Byte number `depth` of a string, `None` at its end.
    fn byte(&self, string: u32, depth: usize) -> Option<u8>;

    /// Whether the string's first `depth` bytes are whole characters.
    fn is_whole(&self, string: u32, depth: usize) -> bool;
}

/// The nodes for whose range `is_heavy` holds. Whatever lies within a light range must be light.
/// Parents come before their children, later siblings before earlier ones: read backwards, ranges
/// come in the order of their ends.
pub(super) fn heavy_nodes(
    strings: &impl Sorted,
    all: Range<u32>,
    mut is_heavy: impl FnMut(&Range<u32>) -> bool,
) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    if all.is_empty() || !is_heavy(&all) {
        return nodes;
    }
    let mut open: Vec<(Range<u32>, usize, Option<usize>)> = vec![(all, 0, None)];
    while let Some((range, depth, parent)) = open.pop() {
        // All longer prefixes of a lone string are the same node.
        let whole = range.len() == 1 || strings.is_whole(range.start, depth);
        let node = match parent {
            Some(parent) if nodes[parent].range == range => {
                nodes[parent].whole |= whole;
                parent
            }
            parent => {
                nodes.push(Node { range: range.clone(), parent, whole });
                nodes.len() - 1
            }
        };
        if range.len() > 1 {
            for child in children(strings, &range, depth) {
                if child == range || is_heavy(&child) {
                    open.push((child, depth + 1, Some(node)));
                }
            }
        }
    }
    nodes
}

/// The strings of a node, parted by their byte at its depth; those that end there are in no part.
fn children(strings: &impl Sorted, range: &Range<u32>, depth: usize) -> Vec<Range<u32>> {
    let mut children = Vec::new();
    let mut start = range.start;
    while start < range.end {
        let byte = strings.byte(start, depth);
        let end = partition_point(start..range.end, |at| strings.byte(at, depth) == byte);
        if byte.is_some() {
            children.push(start..end);
        }
        start = end;
    }
    children
}

/// The first number of the range for which `holds` does not hold, if it holds for all before.
pub(super) fn partition_point(range: Range<u32>, holds: impl Fn(u32) -> bool) -> u32 {
    let Range { mut start, mut end } = range;
    while start < end {
        let middle = start + (end - start) / 2;
        match holds(middle) {
            true => start = middle + 1,
            false => end = middle,
        }
    }
    start
}

/// Whether a byte is inside a character of UTF-8, not at its start.
pub(super) fn is_continuation(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

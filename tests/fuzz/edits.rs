//! Inputs that are almost right: a valid one, changed as a script of random bytes says. A fuzzer that
//! follows coverage changes the script.

/// Bytes at most of a part that is repeated, with its numbers: enough for work that grows with the square of its
/// input to take more steps than an input may.
const REPEATED: usize = 16 << 10;

/// One of the inputs, changed at up to 16 places. Each change takes five bytes of the script: what is
/// done, where (two bytes), with how much, and with which of the words.
pub(crate) fn edited(inputs: &[&[u8]], words: &[&[u8]], script: &[u8]) -> Vec<u8> {
    let (first, script) = script.split_first().unwrap_or((&0, &[]));
    let mut bytes = inputs[usize::from(*first) % inputs.len()].to_vec();
    for edit in script.chunks_exact(5).take(16) {
        let [kind, high, low, much, word] = [0, 1, 2, 3, 4].map(|at| usize::from(edit[at]));
        let at = (high * 256 + low) * (bytes.len() + 1) / 65_536;
        let end = (at + much).min(bytes.len());
        let word = words[word % words.len()];
        match kind % 7 {
            0 => bytes.splice(at..at, word.iter().copied()).for_each(drop),
            1 => bytes.splice(at..end, word.iter().copied()).for_each(drop),
            2 => bytes.drain(at..end).for_each(drop),
            3 => {
                let copy = bytes[at..end].to_vec();
                bytes.splice(at..at, copy).for_each(drop);
            }
            4 => bytes.truncate(at),
            5 if bytes.len() < REPEATED => {
                let part = bytes[at..end].to_vec();
                let numbered = |n: usize| [part.as_slice(), n.to_string().as_bytes()].concat();
                let many: Vec<u8> = (0..16 * much).flat_map(numbered).take(REPEATED).collect();
                bytes.splice(at..at, many).for_each(drop);
            }
            _ if at < bytes.len() => bytes[at] = edit[3],
            _ => bytes.push(edit[3]),
        }
    }
    bytes
}

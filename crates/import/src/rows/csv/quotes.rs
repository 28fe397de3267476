//! Finds faults in the quotes of a CSV file by RFC 4180, and the lines its rows begin on. The CSV
//! reader accepts both faults: it takes text behind a closing quote as a part of the cell, and ends a quoted
//! cell silently where the file ends. Either way a quote that is missing turns the rows after it into one
//! text. The reader counts the line end of CR LF, and blank lines, with the row that follows.
//!
//! A row is passed on up to the largest size, and the rest of it is a fault. The reader would hold any row.

use std::{
    cell::RefCell,
    collections::VecDeque,
    io::{self, Read},
    rc::Rc,
};

use super::super::{MAX_ROW, ROW_TOO_LARGE};

/// Faults that were found and rows that began, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Rc<RefCell<Found>>);

#[derive(Debug, Default)]
struct Found {
    faults: VecDeque<QuoteFault>,
    /// Bytes of the file before each row, and the row's line.
    rows: VecDeque<(u64, u64)>,
}

#[derive(Debug)]
struct QuoteFault {
    /// Bytes of the file before it.
    at: u64,
    /// The fault, with its lines.
    reason: String,
}

impl Faults {
    /// The first fault among the file's first `end` bytes that was not asked for yet.
    pub(super) fn before(&self, end: u64) -> Option<String> {
        let faults = &mut self.0.borrow_mut().faults;
        let first = faults.pop_front_if(|fault| fault.at < end)?;
        while faults.pop_front_if(|fault| fault.at < end).is_some() {}
        Some(first.reason)
    }

    /// The line of the row that ends with the file's first `end` bytes, from 1.
    pub(super) fn line(&self, end: u64) -> u64 {
        let rows = &mut self.0.borrow_mut().rows;
        let mut line = 1;
        while let Some((_, begun)) = rows.pop_front_if(|(at, _)| *at < end) {
            line = begun;
        }
        line
    }
}

const TWICE: &str = "a quote within a quoted cell is written twice";

/// The position of the next byte in the grammar of a CSV file.
#[derive(Clone, Copy, Debug)]
enum State {
    RowStart,
    CellStart,
    Unquoted,
    Quoted,
    /// After a quote within a quoted cell: it closes the cell, or is the first of two.
    Quote,
}

/// Passes a file on and notes its faults.
pub(super) struct Quotes<R> {
    inner: R,
    delimiter: u8,
    state: State,
    /// Bytes that were passed on.
    offset: u64,
    /// The line of the next byte, from 1.
    line: u64,
    /// The line in which the last quoted cell begins.
    opened: u64,
    /// The last byte that was read.
    last: u8,
    /// Bytes of the row that were passed on.
    row: usize,
    /// Whether the rest of the row is left out.
    is_cut: bool,
    /// Whether a fault of the row was noted. Only the first one counts.
    is_faulty: bool,
    faults: Faults,
}

impl<R: Read> Quotes<R> {
    pub(super) fn new(inner: R, (delimiter, line): (u8, u64), faults: Faults) -> Self {
        Self {
            inner,
            delimiter,
            state: State::RowStart,
            offset: 0,
            line,
            opened: line,
            last: 0,
            row: 0,
            is_cut: false,
            is_faulty: false,
            faults,
        }
    }

    /// Returns the byte to pass on in place of this one.
    fn pass(&mut self, byte: u8) -> Option<u8> {
        let before = self.state;
        self.step(byte);
        self.line += u64::from(byte == b'\n');
        self.last = byte;
        let is_end = matches!(self.state, State::RowStart);
        if is_end && self.is_cut {
            self.end_cut();
        }
        let passed = if self.is_cut {
            None
        } else if is_end || self.row < MAX_ROW {
            Some(byte)
        } else {
            self.is_cut = true;
            // The cell that is open ends here.
            matches!(before, State::Quoted).then_some(b'"')
        };
        self.row = if is_end { 0 } else { self.row + usize::from(passed.is_some()) };
        self.is_faulty &= !is_end;
        self.offset += u64::from(passed.is_some());
        passed
    }

    fn end_cut(&mut self) {
        self.is_cut = false;
        self.note(format!("{ROW_TOO_LARGE}; a quote may be missing"));
    }

    fn step(&mut self, byte: u8) {
        let outside = |byte| match byte {
            b'\n' | b'\r' => State::RowStart,
            byte if byte == self.delimiter => State::CellStart,
            _ => State::Unquoted,
        };
        if let (State::RowStart, true) = (self.state, byte != b'\n' && byte != b'\r') {
            self.faults.0.borrow_mut().rows.push_back((self.offset, self.line));
        }
        self.state = match (self.state, byte) {
            (State::RowStart | State::CellStart, b'"') => {
                self.opened = self.line;
                State::Quoted
            }
            (State::Quoted, b'"') => State::Quote,
            (State::Quoted, _) | (State::Quote, b'"') => State::Quoted,
            (State::Quote, byte) => {
                let state = outside(byte);
                if let State::Unquoted = state {
                    self.note(format!(
                        "the quote that opens a cell in line {} is closed in line {} with text behind it, so one of them is missing or too many; {TWICE}",
                        self.opened, self.line
                    ));
                }
                state
            }
            (State::RowStart | State::CellStart | State::Unquoted, byte) => outside(byte),
        };
    }

    fn end(&mut self) {
        // Before the end of the file, which the last row reaches.
        let end = self.offset;
        self.offset = end.saturating_sub(1);
        if let State::Quoted = self.state {
            let last_line = self.line - u64::from(self.last == b'\n');
            let swallowed = match last_line - self.opened {
                0 => String::new(),
                _ => format!(", and all of the file to line {last_line} is a part of the cell"),
            };
            self.note(format!(
                "the quote that opens a cell in line {} is never closed{swallowed}; {TWICE}",
                self.opened
            ));
            self.state = State::Unquoted;
        }
        if self.is_cut {
            self.end_cut();
        }
        self.offset = end;
    }

    fn note(&mut self, reason: String) {
        if !std::mem::replace(&mut self.is_faulty, true) {
            self.faults.0.borrow_mut().faults.push_back(QuoteFault { at: self.offset, reason });
        }
    }
}

impl<R: Read> Read for Quotes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.inner.read(buffer)?;
            let mut kept = 0;
            for at in 0..read {
                if let Some(byte) = self.pass(buffer[at]) {
                    buffer[kept] = byte;
                    kept += 1;
                }
            }
            if read == 0 && !buffer.is_empty() {
                self.end();
            }
            // Nothing is the end of the file, and all that was read may have been left out.
            if kept > 0 || read == 0 {
                return Ok(kept);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn faults(text: &str) -> Vec<String> {
        let faults = Faults::default();
        let mut quotes = Quotes::new(text.as_bytes(), (b',', 1), faults.clone());
        io::copy(&mut quotes, &mut io::sink()).unwrap();
        let found = faults.0.borrow();
        found
            .faults
            .iter()
            .map(|fault| fault.reason.split(',').next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn quotes_by_rfc_4180_are_no_fault() {
        for text in [
            "",
            "a,b\n1,2\n",
            "\"a\",\"b\"",
            "\"a\"\r\n\"b\"\r\n",
            "\"a \"\"b\"\" c\",d",
            "\"two\nlines\",x",
            "5 \" pipe,x",
            "\"\",x",
            "\"\"\"\"",
        ] {
            assert_eq!(faults(text), Vec::<String>::new(), "{text:?}");
        }
    }

    #[test]
    fn a_missing_quote_is_found_in_its_line() {
        assert_eq!(faults("a\n\"b\nc"), ["the quote that opens a cell in line 2 is never closed"]);
        assert_eq!(
            faults("a,\"b\nc,\"d\"\n"),
            ["the quote that opens a cell in line 1 is closed in line 2 with text behind it"]
        );
    }

    proptest! {
        /// A text of a CSV writer has no fault, and the reader gives its rows back.
        #[test]
        fn what_a_writer_writes_has_no_fault(
            rows in prop::collection::vec(prop::collection::vec("[a\"\n\r, ;é]{0,6}", 2..4), 0..6)
        ) {
            let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
            rows.iter().for_each(|row| writer.write_record(row).unwrap());
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            prop_assert_eq!(faults(&text), Vec::<String>::new());
        }
    }
}

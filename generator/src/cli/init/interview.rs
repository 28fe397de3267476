//! Asks questions on a terminal.

use std::io::{BufRead, Write};

use contract::text::printable;

/// A terminal on which questions are asked.
pub(super) struct Interview<'a> {
    pub(super) input: &'a mut dyn BufRead,
    pub(super) output: &'a mut dyn Write,
}

impl Interview<'_> {
    /// Asks until `read` accepts the answer. An empty line is the default, and so is the end of the
    /// input.
    pub(super) fn ask<T>(
        &mut self,
        question: &str,
        default: &str,
        read: impl Fn(&str) -> Result<T, String>,
    ) -> anyhow::Result<T> {
        loop {
            write!(self.output, "{question} [{}]: ", printable(default))?;
            self.output.flush()?;
            let mut line = String::new();
            let is_end = self.input.read_line(&mut line)? == 0;
            let answer = if line.trim().is_empty() { default } else { line.trim() };
            match read(answer) {
                Ok(value) => return Ok(value),
                Err(reason) if is_end => anyhow::bail!("{question}: {reason}"),
                Err(reason) => writeln!(self.output, "{}", printable(&reason))?,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(input: &str) -> (anyhow::Result<u8>, String) {
        let mut output = Vec::new();
        let mut interview = Interview { input: &mut input.as_bytes(), output: &mut output };
        let read = |text: &str| text.parse::<u8>().map_err(|_| format!("{text} is not a number"));
        let answer = interview.ask("How many", "3", read);
        (answer, String::from_utf8(output).unwrap())
    }

    #[test]
    fn an_answer_is_asked_for_until_it_is_valid_and_an_empty_line_is_the_default() {
        let (answer, shown) = asked("many\n 7 \n");
        assert_eq!(answer.unwrap(), 7);
        assert_eq!(shown, "How many [3]: many is not a number\nHow many [3]: ");
        assert_eq!(asked("\n").0.unwrap(), 3);
        assert_eq!(asked("").0.unwrap(), 3);
    }

    #[test]
    fn the_end_of_the_input_ends_the_questions() {
        let mut output = Vec::new();
        let mut interview = Interview { input: &mut "".as_bytes(), output: &mut output };
        let refused = interview.ask("How", "x", |_| Err::<(), _>("no".to_owned()));
        assert_eq!(refused.unwrap_err().to_string(), "How: no");
    }
}

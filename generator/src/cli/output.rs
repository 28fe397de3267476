//! Prints results to standard output and problems to standard error; colour and progress only to a
//! terminal. Names and texts come from files and the network: whatever could act on the terminal is
//! printed as an escape.

use std::{
    cell::RefCell,
    collections::BTreeMap,
    io::{self, IsTerminal, Write},
    time::Duration,
};

use anstream::AutoStream;
use clap::{ValueEnum, builder::styling};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

use contract::{
    problem::{Problem, Severity},
    text::{printable_json, printable_lines as lines},
};
use system::progress::Progress;

/// The error of a command whose result was not printed.
pub(super) const UNWRITABLE: &str = "standard output cannot be written";

/// The setting of `--color`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Everywhere
    Always,
    /// Nowhere
    Never,
}

/// The output of a command.
pub(super) struct Output {
    quiet: bool,
    verbose: bool,
    /// The error after which nothing more is written to standard output.
    failed: RefCell<Option<io::Error>>,
}

impl Output {
    pub(super) fn new(quiet: bool, verbose: bool, color: ColorChoice) -> Self {
        match color {
            ColorChoice::Auto => {}
            ColorChoice::Always => anstream::ColorChoice::Always.write_global(),
            ColorChoice::Never => anstream::ColorChoice::Never.write_global(),
        }
        Self { quiet, verbose, failed: RefCell::new(None) }
    }

    /// Returns the error of standard output at the end of a command, if there was one.
    ///
    /// # Errors
    /// When standard output took less than was printed, as on a full disk. A reader that closed the
    /// pipe has what it wants.
    pub(super) fn finish(&self) -> anyhow::Result<()> {
        match self.failed.take() {
            Some(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                Err(anyhow::Error::new(error).context(UNWRITABLE))
            }
            _ => Ok(()),
        }
    }

    /// Prints a result.
    pub(super) fn say(&self, text: &str) {
        if !self.quiet {
            self.print(&lines(text));
        }
    }

    /// Prints a detail, with `--verbose`.
    pub(super) fn detail(&self, text: &str) {
        if self.verbose {
            self.print(&lines(text));
        }
    }

    /// Prints the problems, of each kind the first; with `--quiet` errors only.
    pub(super) fn problems(&self, problems: &[Problem]) {
        let mut counts = BTreeMap::<String, (bool, usize)>::new();
        for complaint in problems.iter().map(Complaint::from) {
            let (_, count) =
                counts.entry(complaint.word.clone()).or_insert((complaint.is_error, 0));
            *count += 1;
            if *count <= SHOWN {
                self.complaint(&complaint);
            }
        }
        for (word, (is_error, count)) in counts {
            if let Some(more) = count.checked_sub(SHOWN).filter(|more| *more > 0) {
                let text = format!("{word}: {more} more; candor check --json lists all");
                self.complaint(&Complaint { is_error, word, text });
            }
        }
    }

    /// A problem as it is printed; with `--quiet` only an error.
    pub(super) fn complaint(&self, complaint: &Complaint) {
        if !self.quiet || complaint.is_error {
            complain(&styled(complaint));
        }
    }

    /// Prints a line of a report: a coloured word, then a text. With `--quiet` only those that `matter`,
    /// to standard error.
    pub(super) fn marked(&self, color: styling::AnsiColor, word: &str, text: &str, matters: bool) {
        let style = color.on_default().bold();
        let line = format!("{style}{word}{style:#} {}", lines(text));
        if !self.quiet {
            self.print(&line);
        } else if matters {
            complain(&line);
        }
    }

    /// Machine-readable output, whatever `--quiet` and `--color` say.
    pub(super) fn raw(&self, text: &str) {
        self.write(AutoStream::never(io::stdout()), text);
    }

    /// Prints a value for programs. Characters that act on a terminal are escaped as in JSON.
    pub(super) fn json_pretty(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.raw(&printable_json(&serde_json::to_string_pretty(value)?));
        Ok(())
    }

    /// Prints a value for programs on one line.
    pub(super) fn json_line(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.raw(&printable_json(&serde_json::to_string(value)?));
        Ok(())
    }

    fn print(&self, text: &str) {
        self.write(anstream::stdout(), text);
    }

    fn write(&self, mut out: impl Write, text: &str) {
        let mut failed = self.failed.borrow_mut();
        if failed.is_none() {
            *failed = writeln!(out, "{text}").and_then(|()| out.flush()).err();
        }
    }

    /// A sign of life for what may take more than a second; gone when it is dropped.
    pub(super) fn working(&self, what: &'static str) -> Bar {
        let bar = self.bar(0);
        bar.set_style(
            ProgressStyle::with_template("{spinner} {msg}")
                .unwrap_or(ProgressStyle::default_spinner()),
        );
        bar.set_message(what);
        bar.enable_steady_tick(Duration::from_millis(100));
        Bar(bar)
    }

    /// A bar for work whose amount is known.
    pub(super) fn progress(&self) -> Bar {
        let bar = self.bar(1);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} documents, {eta} left");
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
        Bar(bar)
    }

    /// A bar for bytes being read.
    pub(super) fn reading(&self) -> Bar {
        let bar = self.bar(1);
        let template = "{bar:30} {bytes}/{total_bytes} read, {eta} left";
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
        Bar(bar)
    }

    /// A bar for reviews being judged.
    pub(super) fn judging(&self) -> Bar {
        let bar = self.bar(1);
        let style = ProgressStyle::with_template("{bar:30} {pos}/{len} reviews, {eta} left");
        bar.set_style(style.unwrap_or(ProgressStyle::default_bar()));
        Bar(bar)
    }

    /// Prints an error about something that is not content, also with `--quiet`.
    pub(super) fn error(&self, text: &str) {
        complain(&lines(text));
    }

    /// Prints a warning that is not about a content file.
    pub(super) fn warn(&self, text: &str) {
        if !self.quiet {
            complain(&lines(text));
        }
    }

    fn bar(&self, length: u64) -> ProgressBar {
        if self.quiet || !io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(length)
        }
    }
}

/// A progress bar that vanishes when it is dropped.
pub(super) struct Bar(ProgressBar);

impl Progress for Bar {
    fn step(&self, done: usize, total: usize) {
        if !self.0.is_hidden() {
            self.0.set_length(total as u64);
            self.0.set_position(done as u64);
        }
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// Prints to standard error. If that is closed, there is nowhere to report it.
pub(super) fn complain(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// How many problems of one kind are printed: who has more corrects them by a rule, or in the export.
const SHOWN: usize = 50;

/// A problem as it is printed.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Complaint {
    is_error: bool,
    /// The kind and the code: `error[unknown-key]`.
    word: String,
    text: String,
}

impl From<&Problem> for Complaint {
    fn from(problem: &Problem) -> Self {
        Self {
            is_error: problem.severity == Severity::Error,
            word: format!("{}[{}]", problem.severity, problem.code),
            text: problem.to_string(),
        }
    }
}

fn styled(Complaint { is_error, word, text }: &Complaint) -> String {
    let color = if *is_error { styling::AnsiColor::Red } else { styling::AnsiColor::Yellow };
    let style = color.on_default().bold();
    lines(text).replacen(word, &format!("{style}{word}{style:#}"), 1)
}

/// `1 file`, `2 files`
pub(super) fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

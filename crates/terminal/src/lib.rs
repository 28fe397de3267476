//! Prints what both programs write to a terminal: results, errors of the command line, manual pages and
//! shell completions. Reads values that options of both have.

mod manual;
mod values;

use std::io::{self, Write};

use clap::{
    Command, Error,
    error::{ContextKind, ContextValue},
};
use contract::{
    problem::did_you_mean,
    text::{printable, printable_lines},
};

pub use clap_complete::Shell;
pub use manual::manual;
pub use values::{address, bytes};

/// Prints a text and a line end to standard output. A reader that closed the pipe is not an error: it has
/// what it wants.
///
/// # Errors
/// When standard output takes less than that, as on a full disk.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout();
    unless_closed(writeln!(out, "{text}").and_then(|()| out.flush()))
}

fn unless_closed(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Prints help, the version, or what is wrong with a command line, to the stream it belongs to. What an
/// argument holds is printed with escapes. `tips` has a paragraph for each tip: the words that get it, then the tip.
/// `COMMAND/WORD` is a word after this command, and `COMMAND/*` any that is not an option.
///
/// # Errors
/// As of [`print()`].
pub fn print_usage(mut error: Error, tips: &'static str) -> io::Result<()> {
    add_tip(&mut error, tips);
    escape_arguments(&mut error);
    // The text of a value's own parser is in no context.
    let text = error.render().to_string();
    let escaped = printable_lines(&text);
    unless_closed(match (escaped == text, error.use_stderr()) {
        (true, _) => error.print(),
        (false, true) => write!(io::stderr(), "{escaped}"),
        (false, false) => write!(io::stdout(), "{escaped}"),
    })
}

/// Escapes an error for a terminal. Line ends stay, except those that came with an argument: what
/// follows one could be taken for a command by a CI system.
#[must_use]
pub fn printable_error(message: &str) -> String {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.filter_map(|argument| argument.into_string().ok());
    let mut message = message.to_owned();
    for argument in arguments.filter(|argument| argument.contains('\n')) {
        // `--option=value` is named by its value.
        let value = argument.split_once('=').filter(|_| argument.starts_with("--"));
        let value = value.map_or(&*argument, |(_, value)| value);
        message = message.replace(value, &printable(value));
    }
    printable_lines(&message)
}

/// Adds the tip for a word that people try.
fn add_tip(error: &mut Error, tips: &'static str) {
    let kinds = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let typed = kinds.into_iter().find_map(|kind| match error.get(kind) {
        Some(ContextValue::String(typed)) => Some(typed.clone()),
        // Arguments that are missing, each with the name of its value.
        Some(ContextValue::Strings(missing)) => {
            Some(missing.first()?.split(' ').next()?.to_owned())
        }
        _ => None,
    });
    let Some(typed) = typed else { return };
    let is_command = |name: &str| std::env::args_os().skip(1).any(|argument| argument == name);
    let is_meant = |word: &str| match word.split_once('/') {
        Some((command, "*")) => !typed.starts_with(['-', '<']) && is_command(command),
        Some((command, word)) => typed == word && is_command(command),
        None => typed == word,
    };
    let mut tips = tips.trim_end().split("\n\n").filter_map(|tip| tip.split_once('\n'));
    let Some((_, tip)) = tips.find(|(words, _)| words.split(' ').any(is_meant)) else {
        return keep_nearest(error, &typed);
    };
    // The usage is that of a similar argument.
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::Usage] {
        error.remove(kind);
    }
    error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
}

/// Removes suggestions that resemble the word little. That an option may be a value is not one either.
fn keep_nearest(error: &mut Error, typed: &str) {
    for kind in [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg] {
        let suggested = match error.remove(kind) {
            Some(ContextValue::String(word)) => vec![word],
            Some(ContextValue::Strings(words)) => words,
            _ => continue,
        };
        if let Some(near) = did_you_mean(typed, suggested.iter().map(String::as_str)) {
            error.insert(kind, ContextValue::String(near.to_owned()));
        }
    }
    if typed.starts_with("--") {
        error.remove(ContextKind::Suggested);
    }
}

fn escape_arguments(error: &mut Error) {
    let escaped: Vec<(ContextKind, ContextValue)> = error
        .context()
        .filter_map(|(kind, value)| match value {
            ContextValue::String(text) => Some((kind, ContextValue::String(shown(text)))),
            ContextValue::Strings(texts) => {
                Some((kind, ContextValue::Strings(texts.iter().map(|text| shown(text)).collect())))
            }
            _ => None,
        })
        .collect();
    for (kind, value) in escaped {
        error.insert(kind, value);
    }
}

fn shown(text: &str) -> String {
    printable(text).into_owned()
}

/// The completions of a program for a shell.
#[must_use]
pub fn completions(shell: Shell, mut command: Command) -> String {
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).trim_end().to_owned()
}

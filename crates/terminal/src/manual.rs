//! The manual page of a program: one page with all its commands, so that it refers to no other page.

use std::io;

use clap::Command;
use clap_mangen::Man;

/// The manual page as roff, without the last line end.
///
/// # Errors
/// When it cannot be rendered.
pub fn manual(mut program: Command) -> io::Result<String> {
    program.build();
    let mut page = Vec::new();
    let man = Man::new(program.clone());
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    let mut page = text(page);
    page.push_str(&notes(&program)?);
    page.push_str(".SH COMMANDS\n");
    for command in program.get_subcommands() {
        page.push_str(&sections(command)?);
    }
    let mut version = Vec::new();
    man.render_version_section(&mut version)?;
    page.push_str(&text(version));
    Ok(page.trim_end().to_owned())
}

/// A command and the commands below it, each a section that begins with its name.
fn sections(command: &Command) -> io::Result<String> {
    if command.is_hide_set() || command.get_name() == "help" {
        return Ok(String::new());
    }
    let name = command.get_bin_name().unwrap_or(command.get_name()).replace('-', "\\-");
    // Options of every command stand once, above all commands.
    let own = command.clone().mut_args(|arg| {
        let is_common = arg.is_global_set() || ["help", "version"].contains(&arg.get_id().as_str());
        if is_common { arg.hide(true) } else { arg }
    });
    let man = Man::new(own);
    let (mut description, mut options) = (Vec::new(), Vec::new());
    man.render_description_section(&mut description)?;
    man.render_options_section(&mut options)?;
    let mut section = text(description).replacen(".SH DESCRIPTION", &format!(".SS \"{name}\""), 1);
    section.push_str(&paragraphs(&text(options)));
    section.push_str(&paragraphs(&notes(command)?));
    for inner in command.get_subcommands() {
        section.push_str(&sections(inner)?);
    }
    Ok(section)
}

/// Returns the text below a command's help, line for line.
fn notes(command: &Command) -> io::Result<String> {
    let Some(notes) = command.get_after_help() else { return Ok(String::new()) };
    let mut section = String::from(".SH NOTES\n.nf\n");
    for line in notes.to_string().lines() {
        // A line that begins with a dot or an apostrophe would be a request of roff.
        section.push_str("\\&");
        section.push_str(&line.replace('\\', "\\e").replace('-', "\\-"));
        section.push('\n');
    }
    section.push_str(".fi\n");
    Ok(section)
}

/// Headings of a page as words above a paragraph.
fn paragraphs(page: &str) -> String {
    let line = |line: &str| match line.strip_prefix(".SH ") {
        Some(heading) => format!(".PP\n\\fB{}\\fR\n", heading.trim_matches('"')),
        None => format!("{line}\n"),
    };
    page.lines().map(line).collect()
}

/// Man writes no bytes that are not UTF-8, and begins every page with the same macros.
fn text(roff: Vec<u8>) -> String {
    String::from_utf8_lossy(&roff).into_owned()
}

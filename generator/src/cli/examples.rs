//! The examples in the help of commands, and the groups of commands.

use clap::Command;

use super::help;

/// Examples by command, two words for a command of a command, each a paragraph.
const EXAMPLES: &str = include_str!("examples.txt");

fn examples() -> impl Iterator<Item = (&'static str, &'static str)> {
    EXAMPLES.trim_end().split("\n\n").filter_map(|paragraph| paragraph.split_once('\n'))
}

/// The commands as `candor --help` lists them.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Start", &["init", "import", "serve", "help"]),
    ("Every day", &["new", "list", "show", "reply", "edit", "hide", "forget"]),
    ("Publish", &["check", "build", "host", "verify", "rollback", "log"]),
    ("Look", &["stats", "suggest", "annotate", "templates", "mcp"]),
];

/// The command line with examples and headings.
pub(super) fn add(mut root: Command) -> Command {
    for (words, text) in examples() {
        root = with(root, words, |command| with_examples(command, text));
    }
    let start =
        "  candor init my-site\n  candor import takeout.zip\n  candor build\n  candor serve";
    let topics = format!("Topics of candor help: {}", help::topics());
    with_examples(with_groups(root).after_help(topics), start)
}

/// The help of the program with its commands in groups, which clap has not.
fn with_groups(root: Command) -> Command {
    let heading = root.get_styles().get_header();
    let mut help = "{about-with-newline}\n{usage-heading} {usage}\n\n".to_owned();
    for (name, commands) in GROUPS {
        help += &format!("{heading}{name}:{heading:#}\n");
        for command in commands.iter().filter_map(|name| root.find_subcommand(name)) {
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            help += &format!("  {:<9}  {about}\n", command.get_name());
        }
        help.push('\n');
    }
    help += &format!("{heading}Options:{heading:#}\n{{options}}{{after-help}}");
    root.help_template(help)
}

fn with(root: Command, words: &str, change: impl FnOnce(Command) -> Command) -> Command {
    match words.split_once(' ') {
        Some((first, rest)) => root.mut_subcommand(first, |command| with(command, rest, change)),
        None => root.mut_subcommand(words, change),
    }
}

/// Examples above the notes that are below the options.
fn with_examples(command: Command, text: &str) -> Command {
    let examples = format!("Examples:\n{text}");
    let notes = command.get_after_help().map(|notes| format!("\n\n{notes}"));
    command.after_help(examples + &notes.unwrap_or_default())
}

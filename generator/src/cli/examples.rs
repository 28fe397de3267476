//! The parts of a command's help beside its options: examples, and headings where there are many
//! options.

use clap::Command;

use super::help;

/// Examples by command; two words for a command of a command.
const EXAMPLES: &[(&str, &str)] = &[
    (
        "init",
        "candor init my-site                        # asks for what it needs\n\
         candor init my-site --name \"Acme Plumbing\" --language de --host netlify --no-input\n\
         candor init my-site --from takeout.zip     # name, address and hours from an export",
    ),
    (
        "new review",
        "candor new review --author \"Ann L.\" --rating 5 --text \"On time.\" --date 2026-03-01",
    ),
    ("new id", "candor new id --date 2026-03-01"),
    (
        "import",
        "candor import takeout.zip --dry-run        # show what an import would do\n\
         candor import takeout.zip\n\
         candor import google                       # from the Business Profile APIs\n\
         candor import crm.csv --source direct --map author=Kunde,rating=Sterne,date=Datum",
    ),
    (
        "list",
        "candor list --unanswered --rating 1,2      # what needs a reply\n\
         candor list --since 2026-03-01\n\
         candor list --search boiler --json",
    ),
    ("show", "candor show 01K3"),
    ("reply", "candor reply 01K3 \"Thank you, Ann.\"\ncandor reply 01K3 --remove"),
    (
        "edit",
        "candor edit 01K3 --set author=\"Maria L.\" --set language=de\n\
         candor edit 01K3 --set mentions.technicians=jose,ann\n\
         candor edit 01K3 --set author=             # the author as imported",
    ),
    ("hide", "candor hide 01K3 --reason duplicate --note \"same as 01K2\""),
    ("unhide", "candor unhide 01K3"),
    (
        "forget",
        "candor forget 01K3ABCDEFGHJKMNPQRSTVWXYZ\n\
         candor forget --author \"Ann Lee\" --reason author_request",
    ),
    (
        "log init",
        "candor log init --key-file ~/candor-log.key\n\
         candor log init --rotate --key-file ~/new.key   # another key, which signs from now on",
    ),
    (
        "log add",
        "candor log add --key-file ~/candor-log.key\n\
         candor log add --dry-run --verbose         # what would be logged",
    ),
    (
        "log witness-key",
        "candor log witness-key witness.example.com/reviews --key-file ~/witness.key",
    ),
    (
        "log cosign",
        "candor log cosign https://reviews.example.com --since checkpoint --key-file ~/witness.key",
    ),
    ("log keep", "candor log keep checkpoint                 # from a witness that the log knows"),
    (
        "check",
        "candor check --strict\ncandor check --max-import-age google=3d\ncandor check --all                         # every site of candor-workspace.toml",
    ),
    ("explain", "candor explain unknown-key\ncandor explain"),
    ("build", "candor build --host nginx\ncandor build --all --results results.json"),
    ("diff", "candor diff --exit-code"),
    (
        "mcp",
        "candor mcp https://reviews.example.com     # for the settings of Claude Desktop, Cursor, VS Code\n\
         candor mcp https://reviews.example.com https://reviews.other.example",
    ),
    (
        "files",
        "candor files > files\n\
         candor files --gone-since before.json      # what to remove where that one was uploaded",
    ),
    (
        "rollback",
        "candor rollback --releases releases --host nginx\n\
         candor rollback --releases releases b3-0123456789abcdef0123456789abcdef",
    ),
    ("stats", "candor stats --json\ncandor stats --all"),
    (
        "annotate",
        "candor annotate --endpoint http://localhost:11434/v1 --model llama3.1 --limit 20\n\
         candor annotate --dry-run --price 0.2,0.8  # count reviews, tokens and cost",
    ),
    ("insights", "candor insights --dump"),
    ("suggest", "candor suggest\ncandor suggest --write technician:jose topic:boiler"),
    ("templates list", "candor templates list"),
    ("templates show", "candor templates show home.html | diff - content/templates/home.html"),
    ("templates eject", "candor templates eject home.html"),
    ("templates values", "candor templates values home.html"),
    ("templates strings", "candor templates strings reviews"),
    (
        "verify",
        "candor verify https://reviews.example.com --max-age 14d\n\
         candor verify --log https://reviews.example.com --since checkpoint",
    ),
    ("host", "candor host netlify"),
    ("watch", "candor watch"),
    ("serve", "candor serve --open"),
    ("completions", "candor completions bash > /etc/bash_completion.d/candor"),
    ("schema content", "candor schema content business.toml\ncandor schema content --write"),
    ("man", "candor man | man -l -"),
    ("help", "candor help import\ncandor help import-formats"),
];

/// Headings of the commands with many options: command, heading, options.
const HEADINGS: &[(&str, &str, &[&str])] = &[
    (
        "import",
        "What the export means",
        &["format", "map", "source", "date_format", "relative_to", "location"],
    ),
    ("import", "What is changed", &["dry_run", "prune", "allow_shrink", "keep_going"]),
    ("import", "Report and access", &["report", "exit_code", "header_env"]),
    ("annotate", "Who is asked", &["endpoint", "model"]),
    ("annotate", "Which reviews", &["limit", "since", "rating"]),
    (
        "annotate",
        "Pace and cost",
        &["dry_run", "batch", "concurrency", "timeout", "max_time", "price", "budget"],
    ),
];

/// The command line with examples and headings.
pub(super) fn add(mut root: Command) -> Command {
    for (words, text) in EXAMPLES {
        root = with(root, words, |command| with_examples(command, text));
    }
    for (words, heading, options) in HEADINGS {
        root = with(root, words, |mut command| {
            for option in *options {
                command = command.mut_arg(option, |arg| arg.help_heading(*heading));
            }
            command
        });
    }
    let start = "candor init my-site\ncandor import takeout.zip\ncandor build\ncandor serve";
    let topics = format!("Topics of candor help: {}", help::topics());
    with_examples(root.after_help(topics), start)
}

fn with(root: Command, words: &str, change: impl FnOnce(Command) -> Command) -> Command {
    match words.split_once(' ') {
        Some((first, rest)) => root.mut_subcommand(first, |command| with(command, rest, change)),
        None => root.mut_subcommand(words, change),
    }
}

/// Examples above the notes that are below the options.
fn with_examples(command: Command, text: &str) -> Command {
    let lines = text.lines().map(|line| format!("\n  {line}"));
    let examples = format!("Examples:{}", lines.collect::<String>());
    let notes = command.get_after_help().map(|notes| format!("\n\n{notes}"));
    command.after_help(examples + &notes.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::command;

    fn each(command: &Command, see: &mut dyn FnMut(&Command)) {
        command.get_subcommands().for_each(|inner| each(inner, see));
        see(command);
    }

    /// The words of a line of a shell; quotes join words.
    fn words(line: &str) -> Vec<String> {
        let (mut words, mut quoted) = (vec![String::new()], false);
        for c in line.trim().chars() {
            match c {
                '"' => quoted = !quoted,
                ' ' if !quoted => words.push(String::new()),
                c => words.last_mut().unwrap().push(c),
            }
        }
        words
    }

    #[test]
    fn every_command_has_an_example_that_is_understood() {
        each(&command(), &mut |command| {
            let help = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let has_example = help.starts_with("Examples:\n  candor ");
            assert!(has_example || command.has_subcommands(), "{}", command.get_name());
        });
        for line in EXAMPLES.iter().flat_map(|(_, text)| text.lines()) {
            let line = line.split(" #").next().unwrap_or(line);
            let line = line.split(['|', '>']).next().unwrap_or(line);
            let words = words(line);
            let parsed = command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
        }
    }
}

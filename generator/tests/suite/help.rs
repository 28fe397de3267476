//! The help: every command in a group, with examples that are understood, and topics that are there.

use std::collections::BTreeSet;

use candor_cli::{cli::command, explain};
use clap::Command;

use super::project::Project;

fn each(command: &Command, see: &mut dyn FnMut(&Command)) {
    command.get_subcommands().for_each(|inner| each(inner, see));
    see(command);
}

fn help_of(command: &Command) -> String {
    command.get_after_help().map(ToString::to_string).unwrap_or_default()
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
fn every_command_that_is_not_hidden_is_in_one_group() {
    let help = Project::new().candor(["--help"]).exits(0).out;
    let (_, groups) = help.split_once("\n\n").unwrap();
    let (groups, _) = groups.split_once("\nOptions:\n").unwrap();
    let lines = groups.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let listed: Vec<&str> = lines.collect();
    let root = command();
    let shown = root.get_subcommands().filter(|it| !it.is_hide_set()).map(Command::get_name);
    let shown: BTreeSet<&str> = shown.collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), shown);
    assert!(listed.len() == shown.len() && listed.len() <= 22, "{listed:?}");
}

#[test]
fn every_command_has_an_example_that_is_understood() {
    each(&command(), &mut |it| {
        let help = help_of(it);
        let Some(examples) = help.strip_prefix("Examples:\n") else {
            return assert!(it.has_subcommands(), "{} has no example", it.get_name());
        };
        let (examples, _) = examples.split_once("\n\n").unwrap_or((examples, ""));
        assert!(examples.starts_with("  candor "), "{examples}");
        for line in examples.lines() {
            let line = line.split(" #").next().unwrap_or(line);
            let words = words(line.split(['|', '>']).next().unwrap_or(line));
            let parsed = command().try_get_matches_from(&words);
            assert!(parsed.is_ok(), "{words:?}: {}", parsed.unwrap_err());
        }
    });
}

#[test]
fn a_name_is_a_command_or_a_topic_or_a_code() {
    let (project, root) = (Project::new(), command());
    let help = help_of(&root);
    let (_, topics) = help.split_once("Topics of candor help: ").unwrap();
    let topics: Vec<&str> = topics.split(", ").collect();
    for name in root.get_subcommands().map(Command::get_name).chain(topics.iter().copied()) {
        assert!(explain::find(name).is_none(), "{name}");
    }
    for topic in topics {
        let text = project.candor(["help", topic]).exits(0).out;
        // Links to other pages are words there.
        assert!(text.lines().count() > 3 && !text.contains(".md)"), "{topic}: {text}");
    }
}

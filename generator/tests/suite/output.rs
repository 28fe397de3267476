//! What a terminal or a file is given: nothing that acts on it, and no panic when it takes no more.

use std::{fs::File, process::Stdio};

use super::{
    project::{BUSINESS, Project, Run, SITE},
    review::{id, review},
};

/// Acts on a terminal: an escape sequence, a control of the C1 set, a bidirectional override, and a
/// line that a CI system takes for a command.
const HOSTILE: &str = "x\u{1b}[2J\u{9b}31m\u{202e}\u{2066}\n::error::y";
/// The same where a shell or TOML would not take a line end.
const BIDI: &str = "x\u{202e}\u{2066}y";

/// Every verb, with arguments and content that act on a terminal where they can.
fn every_verb() -> Vec<Vec<String>> {
    let one = &*id(1);
    let set = format!("{HOSTILE}=b");
    let author = format!("author={BIDI}");
    let map = format!("{HOSTILE}=x");
    let table: &[&[&str]] = &[
        &[],
        &["--help"],
        &["--version"],
        &[HOSTILE],
        &["help"],
        &["help", "overrides"],
        &["help", HOSTILE],
        &["help", "import-google"],
        &["init", BIDI],
        &["init", "hostile", "--name", BIDI, "--source", HOSTILE, "--no-input"],
        &["init", "hostile", "--from", "a.csv", "--time-zone", HOSTILE],
        &["init", "content"],
        &["new", "review", "--author", BIDI, "--rating", "5"],
        &["new", "review", "--author", "a", "--rating", HOSTILE],
        &["new", "review", "--author", "a", "--rating", "5", "--source", HOSTILE],
        &["new", "review", "--author", "a", "--rating", "5", "--date", HOSTILE],
        &["import", "a.csv", "--source", "yelp", "--verbose"],
        &["import", "a.csv", "--map", &map],
        &["import", "a.csv", "--date-format", HOSTILE],
        &["import", "a.csv", "--location", HOSTILE, "--source", "yelp"],
        &["import", HOSTILE],
        &["import", "google"],
        &["help", "codes"],
        &["help", "template"],
        &["schema", "content"],
        &["schema", "content", HOSTILE],
        &["schema", "content", "--write"],
        &["import", "a.csv", "--source", "yelp", "--report", "/dev/full"],
        &["list"],
        &["list", "--json"],
        &["list", "--since", HOSTILE],
        &["show", one],
        &["show", one, "--json"],
        &["show", HOSTILE],
        &["edit", one, "--set", &set],
        &["hide", one, "--reason", HOSTILE],
        &["forget", "--author", HOSTILE],
        &["check"],
        &["check", "--json"],
        &["check", "--max-import-age", HOSTILE],
        &["check", "--law", "us"],
        &["check", "--law", HOSTILE],
        &["check", "--content", HOSTILE],
        &["check", "--previous", HOSTILE],
        &["build", "--verbose"],
        &["build", "--base-url", HOSTILE],
        &["build", "--host", HOSTILE],
        &["build", "--public", BIDI],
        &["build", "--releases", BIDI],
        &["rollback", HOSTILE, "--releases", BIDI],
        &["rollback", "--releases", HOSTILE],
        &["build", "--dry-run"],
        &["stats"],
        &["stats", "--json"],
        &["show", "--insights"],
        &["build", "--list", "--gone-since", BIDI],
        &["annotate", "--dry-run"],
        &["annotate", "--endpoint", HOSTILE, "--model", HOSTILE],
        &["annotate", "--endpoint", "http://127.0.0.1:1", "--model", HOSTILE],
        &["suggest"],
        &["suggest", "--json"],
        &["suggest", "--write", HOSTILE],
        &["templates", "list"],
        &["templates", "show", "home.html"],
        &["templates", "show", HOSTILE],
        &["templates", "eject", "404.html"],
        &["templates", "values"],
        &["verify", HOSTILE],
        &["verify", "http://127.0.0.1:1/", "--timeout", "1s", "--json"],
        &["verify", "--log", "http://127.0.0.1:1/", "--timeout", "1s"],
        &["verify", "--recompute", "http://127.0.0.1:1/"],
        &["verify", "--log", "http://127.0.0.1:1/", "--log-key", HOSTILE],
        &["host", HOSTILE],
        &["build", "--watch", "--host", HOSTILE],
        &["serve", "--listen", HOSTILE],
        &["mcp", HOSTILE],
        &["completions", HOSTILE],
        &["completions", "bash"],
        &["man"],
        &["check", "--content", "broken"],
        // What changes the content comes last.
        &["reply", one, BIDI, "--json"],
        &["edit", one, "--set", &author, "--json"],
        &["hide", one, "--reason", "unlawful", "--note", BIDI, "--json"],
        &["hide", one, "--undo"],
        &["forget", one],
        &["log", "init", "--key-file", HOSTILE],
        &["log", "init"],
        &["log", "add", "--dry-run", "--verbose"],
        &["log", "add", "--key-file", HOSTILE],
    ];
    table.iter().map(|verb| verb.iter().map(|word| (*word).to_owned()).collect()).collect()
}

/// A site whose reviews and names act on a terminal.
fn hostile_project() -> Project {
    let project = Project::new().reviews([
        review(1).with("author", HOSTILE).with("text", format!("{HOSTILE} was late and great.")),
        review(2).with("source", "nowhere"),
    ]);
    project.write("broken/site.toml", SITE);
    project.write("broken/business.toml", BUSINESS);
    let label = r#""x\u001B[2J\u202E\n::error::y""#;
    project.write("content/services.toml", format!("[[service]]\nid = \"a\"\nlabel = {label}\n"));
    project.write("broken/faq.toml", format!("[[faq]]\nid = {label}\nquestion = {label}\n"));
    project.write("a.csv", format!("author,rating,date,\"{HOSTILE}\"\nAnn,5,2026-01-02,Good.\n"));
    project.build();
    project
}

fn is_hostile(c: char) -> bool {
    let is_bidi = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    (c.is_control() && !matches!(c, '\n' | '\t')) || is_bidi
}

#[test]
fn the_table_has_every_verb() {
    let table = every_verb();
    for verb in candor_cli::cli::command().get_subcommands() {
        let name = verb.get_name();
        assert!(table.iter().any(|words| words.first().is_some_and(|w| w == name)), "{name}");
    }
}

#[test]
fn no_verb_prints_what_acts_on_a_terminal() {
    let project = hostile_project();
    for verb in every_verb() {
        let run = project.candor(verb.iter().map(String::as_str));
        for text in [&run.out, &run.err] {
            assert!(!text.contains(is_hostile), "{verb:?}: {text:?}");
            assert!(!text.lines().any(|line| line.starts_with("::")), "{verb:?}: {text}");
        }
    }
}

#[test]
fn json_has_escapes_that_json_understands() {
    let project = Project::new().reviews([review(1).with("author", BIDI)]);
    let run = project.candor(["show", &id(1), "--json"]).exits(0).says("x\\u202e\\u2066y");
    let view: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(view["author"], BIDI);
    let run = project.candor(["show", "--insights"]).exits(0);
    assert!(!run.out.contains(is_hostile), "{run:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn no_verb_panics_when_its_output_is_full_or_closed() {
    let full = || File::options().write(true).open("/dev/full").unwrap().into();
    let closed = || -> Stdio { std::io::pipe().unwrap().1.into() };
    let outputs: [&dyn Fn() -> Stdio; 2] = [&full, &closed];
    let project = hostile_project();
    for verb in every_verb() {
        for output in outputs {
            let mut command = project.command(verb.iter().map(String::as_str));
            let run = command.stdout(output()).stderr(Stdio::piped()).output().unwrap();
            let err = String::from_utf8_lossy(&run.stderr);
            assert!(run.status.code() < Some(101) && !err.contains("panicked"), "{verb:?}: {err}");
            let mut command = project.command(verb.iter().map(String::as_str));
            let run = command.stdout(Stdio::piped()).stderr(output()).output().unwrap();
            assert!(run.status.code() < Some(101), "{verb:?}: {:?}", run.status);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_import_whose_report_cannot_be_written_says_what_it_imported() {
    let project = Project::new();
    project.write("a.csv", "author,rating,date\nAnn,5,2026-01-02\n");
    let import = ["import", "a.csv", "--source", "yelp", "--report", "/dev/full"];
    let run = project.candor(import).exits(1).says("new 1");
    assert_eq!(
        run.err,
        "error: the report /dev/full cannot be written: No space left on device (os error 28)\n"
    );
}

#[test]
fn help_has_examples_and_common_options_apart() {
    let project = Project::new();
    let help = project.candor(["import", "--help"]).exits(0).out;
    let at = |words: &str| help.find(words).unwrap_or_else(|| panic!("{words:?} is not in {help}"));
    assert!(at("What the export means:") < at("--map"));
    assert!(at("What is changed:") < at("The site:"));
    assert!(at("The site:") < at("--content"));
    assert!(at("Output:") < at("--quiet"));
    assert!(at("--quiet") < at("Examples:\n  candor import takeout.zip"));
    let whole = project.candor(["--help"]).exits(0).out;
    let groups = ["Start:", "Every day:", "Publish:", "Look:", "Options:", "Examples:"];
    assert!(groups.map(|name| whole.find(name).unwrap()).is_sorted(), "{whole}");
    assert!(!whole.contains("completions") && whole.contains("\n  rollback  "), "{whole}");
    assert_eq!(project.candor(["help", "import"]).exits(0).out, help);
    let run = project.candor(["help", "imprt"]).exits(64);
    assert_eq!(
        run.err,
        "error: there is no command, topic or code \"imprt\"; did you mean \"import\"?\n"
    );
    let run = project.candor(["help", "overide"]).exits(64);
    run.complains("did you mean \"overrides\"?");
    project.candor(["help", "elephant"]).exits(64).complains("; known are init, ");
    let page = project.candor(["help", "import-formats"]).exits(0).out;
    let documented = include_str!("../../../docs/import.md");
    let (_, section) = documented.split_once("## Formats\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    assert!(section.lines().all(|line| line.contains("](") || page.contains(line)), "{page}");
}

/// Somebody who has only the programs has no `docs/`.
#[test]
fn no_message_and_no_help_points_to_a_file_of_the_repository() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let crates = std::fs::read_dir(root.join("crates")).unwrap();
    let crates = crates.map(|entry| entry.unwrap().path());
    let programs = ["generator", "sidecar"].map(|name| root.join(name));
    let mut folders: Vec<_> = crates.chain(programs).map(|folder| folder.join("src")).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let is_message = |line: &&str| {
                    line.contains("docs/")
                        && !line.trim_start().starts_with("//")
                        && !line.contains("include_str!")
                };
                assert_eq!(text.lines().find(is_message), None, "{}", path.display());
            }
        }
    }
}

#[test]
fn the_manual_refers_to_no_other_page() {
    let page = Project::new().candor(["man"]).exits(0).out;
    assert!(page.contains("candor hide") && page.contains("overrides.toml"), "{page}");
    assert!(!page.contains("(1)"), "{page}");
}

/// Verbs that print results to standard output.
const PRINTING: [&[&str]; 20] = [
    &["--help"],
    &["help", "import-formats"],
    &["help", "new", "review"],
    &["help", "codes"],
    &["help", "template"],
    &["schema", "content"],
    &["list"],
    &["list", "--json"],
    &["show", "01J00000000000000000000001"],
    &["stats"],
    &["stats", "--json"],
    &["suggest"],
    &["check"],
    &["check", "--json"],
    &["build"],
    &["build", "--dry-run"],
    &["show", "--insights"],
    &["build", "--list"],
    &["man"],
    &["completions", "bash"],
];

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_output_is_an_error_and_no_panic() {
    let project = Project::new().reviews([review(1), review(2)]);
    for verb in PRINTING {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let run = Run::of(project.command(verb.iter().copied()).stdout(full)).exits(1);
        assert_eq!(
            run.err,
            "error: standard output cannot be written: No space left on device (os error 28)\n",
            "{verb:?}"
        );
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_behind_standard_error_is_no_panic() {
    let project = Project::new().reviews([review(1).with("rating", 6)]);
    for verb in [&["check"][..], &["build"], &["frobnicate"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let code = if verb == ["frobnicate"] { 64 } else { 1 };
        let run = Run::of(project.command(verb.iter().copied()).stderr(full)).exits(code);
        assert!(!run.out.contains("panicked"), "{run:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_reader_that_leaves_is_no_error() {
    let project = Project::new().reviews([review(1), review(2)]);
    for verb in PRINTING {
        let mut command = project.command(verb.iter().copied());
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{verb:?}");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "", "{verb:?}");
    }
}

#[test]
fn what_acts_on_a_terminal_is_printed_as_an_escape() {
    let project = Project::new();
    project.write(
        "a.csv",
        "author,rating,date,\"text\u{1b}[2J\u{202e}\nforged\"\nAnn,5,2026-01-02,Good.\n",
    );
    let run = project.candor(["import", "a.csv", "--source", "yelp"]).exits(0);
    assert!(!run.out.contains('\u{1b}'), "{run:?}");
    project.write("b.csv", "who\u{1b}[2J,\"stars\u{202e}\nforged\"\nAnn,5\n");
    let run = project.candor(["import", "b.csv", "--source", "yelp"]).exits(1);
    run.complains(
        "no column holds dates, and every review needs one: who\\u{1b}[2J, stars\\u{202e}\\nforged",
    );
    let run = project.candor(["import", "gone\u{1b}[2J\u{2066}.csv"]).exits(1);
    run.complains("error: gone\\u{1b}[2J\\u{2066}.csv: No such file or directory");
    project.write("content/\u{9b}31m.txt", "");
    project.candor(["check"]).exits(0).complains("content/\\u{9b}31m.txt: warning[unknown-file]");
}

#[test]
#[cfg(unix)]
fn a_file_name_begins_no_line_of_its_own() {
    let project = Project::new();
    project.write("content/x\n::error file=a::forged.txt", "");
    let run = project.candor(["check"]).exits(0);
    assert!(
        run.err.starts_with("content/x\\n::error file=a::forged.txt: warning[unknown-file]"),
        "{run:?}"
    );
    assert!(!run.err.lines().any(|line| line.starts_with("::")), "{run:?}");
}

#[test]
fn of_many_problems_of_one_kind_the_first_are_printed() {
    let aliases: String = (0..60)
        .map(|n| {
            format!("[[service]]\nid = \"s-{n}\"\nlabel = \"Zyx {n}\"\naliases = [\"qzx {n}\"]\n")
        })
        .collect();
    let project =
        Project::new().reviews(super::review::mixed(60)).file("content/services.toml", aliases);
    let run = project.candor(["check"]).exits(0);
    let count = |run: &Run, kind: &str| run.err.matches(kind).count();
    assert_eq!(count(&run, ": warning[dead-alias]: "), 50, "{}", run.err);
    run.complains("\nwarning[dead-alias]: 10 more; candor check --json lists all\n");
    let all = project.candor(["check", "--json"]).out;
    assert_eq!(all.matches("\"dead-alias\"").count(), 60, "{all}");
}

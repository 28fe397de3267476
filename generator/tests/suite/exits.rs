//! Exit codes: 0 done, 1 something is wrong, 2 nothing changed, 64 a command line without sense.

use std::io;

use super::{
    project::Project,
    review::{id, review},
};

#[test]
fn help_and_version_are_no_errors() {
    let project = Project::new();
    for arguments in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help"],
        &["build", "--help"],
        &["new", "review", "--help"],
        &["help", "--version"],
    ] {
        let run = project.candor(arguments.iter().copied()).exits(0);
        assert!(!run.out.is_empty() && run.err.is_empty(), "{run:?}");
    }
    let version = concat!("candor ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(project.candor(["--version"]).out, version);
}

#[test]
fn a_command_line_without_sense_is_64() {
    let project = Project::new();
    for arguments in [
        &[][..],
        &["--frobnicate"],
        &["biuld"],
        &["build", "--exit-kode"],
        &["build", "surplus"],
        &["build", "--quiet", "--verbose"],
        &["build", "--color", "sometimes"],
        &["build", "--previous"],
        &["build", "--previous", "ftp://reviews.example/candor-manifest.json"],
        &["build", "--base-url", "nonsense"],
        &["init"],
        &["new"],
        &["new", "review", "--author", "Ann", "--rating", "6"],
        &["new", "review", "--author", "Ann", "--rating", "4.5"],
        &["new", "review", "--author", "Ann", "--rating", "5", "--date", "2026-02-30"],
        &["show"],
        &["hide", "01J00000000000000000000001"],
        &["build", "--dry-run", "--watch"],
        &["completions", "cobol"],
    ] {
        let run = project.candor(arguments.iter().copied());
        assert_eq!(run.code, 64, "{arguments:?}: {run:?}");
        assert!(run.out.is_empty() && !run.err.is_empty(), "{arguments:?}: {run:?}");
    }
    assert!(!project.path("public").exists());
}

#[test]
fn a_misspelt_verb_gets_a_suggestion() {
    Project::new().candor(["biuld"]).exits(64).complains("build");
}

#[test]
fn a_word_that_people_try_gets_a_tip() {
    let project = Project::new();
    let help = |command: &str| project.candor([command, "--help"]).exits(0).out;
    // The choices are those of the help, the last one after "or".
    let part = |help: &str, from: &str, to: &str| {
        let rest = help.split_once(from).unwrap().1;
        rest.split_once(to).unwrap().0.to_owned()
    };
    let or = |names: Vec<&str>| {
        let (last, most) = names.split_last().unwrap();
        format!("{} or {last}", most.join(", "))
    };
    let reasons = part(&help("hide"), "Reasons: ", ".");
    let reasons = or(reasons.split(',').map(str::trim).collect());
    let hosts = part(&help("host"), "Possible values:", "Options:");
    let hosts = or(hosts
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- ")?.split(':').next())
        .collect());
    for (typed, tip) in [
        ("unhide 01J0", "candor hide ID --undo publishes a hidden review again"),
        ("insights --dump", "candor show --insights prints what was computed of each review"),
        ("watch", "candor build --watch builds again on every change"),
        ("files", "candor build --list lists the published files"),
        ("diff", "candor build --dry-run shows what a build would change"),
        ("explain template", "candor help CODE explains the code of a problem"),
        ("new id", "candor new review adds a review with an id of its own"),
        ("delete 01J0", "candor forget ID removes a review for good; candor hide ID "),
        ("update", "candor import EXPORT brings in new reviews, and candor build publishes them"),
        ("deploy", "candor build makes the site in the public folder; candor host NAME writes "),
        ("add", "candor new review adds a review; candor init DIR makes a site"),
        ("run", "candor serve shows the site on this machine"),
        ("validate", "candor check finds every problem of the content"),
        ("build --output dist", "--public DIR is the folder that the site is published to"),
        ("build --log-level x", "--verbose prints more, and --quiet nothing but errors"),
        ("serve --port 3000", "--listen HOST:PORT is where to listen, such as 127.0.0.1:3000"),
        (
            "edit 01J0 --rating 5",
            "--set FIELD=VALUE is what corrects a field, such as --set rating=5",
        ),
        ("reply 01J0 --text x", "candor reply ID \"TEXT\" has the reply in quotes and "),
        ("list --source google", "candor list --search WORDS finds reviews by their words; "),
        ("export", "candor list --json prints all reviews; "),
        ("search drain", "candor list --search WORDS lists the reviews with these words"),
        ("version", "candor --version prints the version"),
        ("build --force", "no option skips a check: each refusal says what to do"),
        ("check site.toml", "the command reads the folder content of this folder; "),
        ("log verify", "candor verify URL --log checks the log of a live site"),
        ("new technician", "candor suggest --write KIND:ID adds names and topics from reviews; "),
        ("import --platform google", "--source NAME says which platform the reviews come from, "),
        ("rollback --list", "candor rollback without a build returns to the one before; "),
        ("list --limit 5", "candor list --search WORDS or --rating STARS or --since DATE lists "),
        ("stats --since 2026-01-01", "candor list --since DATE --json prints the reviews since a "),
        ("build --log", "candor log add logs what happened to the reviews; a build publishes "),
        ("init my site", "a name with blanks is one argument in quotes, such as \"my site\""),
        ("hide 01J0", &format!("--reason is {reasons}")),
        ("host", &format!("NAME is {hosts}")),
    ] {
        let run = project.candor(typed.split(' ')).exits(64);
        assert!(run.err.contains(&format!("\n\n  tip: {tip}")), "{typed}: {}", run.err);
        assert!(!run.err.contains("similar"), "{typed}: {}", run.err);
    }
    // The one that is near, and none that is not.
    let run = project.candor(["chekc"]).exits(64);
    run.complains("\n\n  tip: a similar subcommand exists: 'check'\n");
    for far in ["serch-engine", "verification", "list --sources", "edit 01J0 --ratings"] {
        let run = project.candor(far.split(' ')).exits(64);
        assert!(!run.err.contains("tip:"), "{far}: {}", run.err);
    }
    let run = project.candor(["new", "review", "--author", "Ann", "--rating", "4.5"]).exits(64);
    run.complains("'--rating <RATING>': write a whole number from 1 to 5\n");
    let run = project.candor(["serve", "--listen", "8080"]).exits(64);
    run.complains("'--listen <ADDRESS>': write HOST:PORT, such as 127.0.0.1:8080\n");
    let run = project.candor(["import", "a.csv", "--max-size", "half"]).exits(64);
    run.complains("write a number of bytes, such as 536870912, 512M or 1G\n");
}

#[test]
fn a_command_has_only_the_options_that_it_uses() {
    let project = Project::new();
    for (command, option) in [
        ("verify", "--public"),
        ("rollback", "--public"),
        ("hide", "--verbose"),
        ("new", "--base-url"),
    ] {
        let help = project.candor([command, "--help"]).exits(0).out;
        assert!(!help.contains(option) && help.contains("--quiet"), "{help}");
    }
    for typed in
        ["verify https://reviews.example --content x", "--content x verify http://a.example"]
    {
        assert_eq!(
            project.candor(typed.split(' ')).exits(64).err,
            "error: candor verify does not use --content without --recompute; see candor verify --help\n"
        );
    }
    // A variable may be meant for other commands.
    super::project::Run::of(project.command(["list"]).env("CANDOR_PUBLIC", "x")).exits(0);
}

#[cfg(unix)]
#[test]
fn a_missing_right_names_the_folder_and_the_command() {
    use std::{
        fs::{self, Permissions},
        os::unix::{fs::PermissionsExt, process::CommandExt},
    };

    let project = Project::new().reviews([review(1)]);
    project.build();
    project.write_reviews([review(2)]);
    project.write("export.csv", "author,rating,date,text\nAnn,5,2026-01-05,Good.\n");
    let set = |folder: &str, mode| {
        fs::set_permissions(project.path(folder), Permissions::from_mode(mode)).unwrap();
    };
    // Root may do everything, and its programs may be where others cannot read.
    let is_root = rustix::process::geteuid().is_root();
    let program = project.path("program");
    fs::copy(project.command(["list"]).get_program(), &program).unwrap();
    let folders = ["", "content", "content/reviews", "public"];
    let mode = |mode| folders.iter().rev().for_each(|folder| set(folder, mode));
    mode(0o555);
    let here = project.path("").display().to_string();
    let here = here.trim_end_matches('/').to_owned();
    let mut wrong = Vec::new();
    // The folder that the system refuses, and the one that is to be made, if there is one.
    for (arguments, refused, new) in [
        ("build", "public", ""),
        ("build --public public/site", "public", "public/site"),
        ("build --public a/b", "", "a/b"),
        ("build --releases releases", "", "releases"),
        ("hide ID --reason duplicate", "content", ""),
        ("new review --author Ann --rating 5", "content", ""),
        ("import export.csv --source yelp", "content", ""),
        ("schema content --write", "content", "content/.schema"),
        ("templates eject home.html", "content", ""),
        ("init site --name A --base-url https://a.test --no-input", "", "site"),
        ("serve --listen 127.0.0.1:0", "", ".candor-preview"),
        ("host nginx", "public", ""),
    ] {
        let mut command = std::process::Command::new(&program);
        command.args(arguments.replace("ID", &id(2)).split(' ')).current_dir(project.path(""));
        if is_root {
            command.uid(65534).gid(65534);
        }
        let run = super::project::Run::of(&mut command);
        let shown = if refused.is_empty() { here.as_str() } else { refused };
        let help = match (is_root, new) {
            (false, _) => {
                format!("; {shown} is yours, and its mode does not permit it: chmod u+rwX {shown}")
            }
            (true, "") => format!("; {shown} belongs to root: run the command as root"),
            (true, new) => format!(
                "; {shown} belongs to root: make the folder as yours with: sudo install -d -o \"$(id -un)\" {new}"
            ),
        };
        let is_helpful = run.code == 1 && run.err.contains(&help);
        if !is_helpful || run.err.contains("chown") || run.err.matches("; ").count() > 2 {
            wrong.push(format!("{arguments}: {}{}", run.out, run.err));
        }
    }
    mode(0o755);
    assert!(wrong.is_empty(), "{}", wrong.join(""));
}

#[test]
fn a_bad_value_in_the_environment_is_64_too() {
    let project = Project::new();
    let run = super::project::Run::of(project.command(["check"]).env("CANDOR_COLOR", "sometimes"));
    run.exits(64).complains("sometimes");
}

#[test]
fn done_is_0_and_wrong_is_1() {
    let project = Project::new();
    project.candor(["check"]).exits(0);
    project.candor(["build"]).exits(0);
    project.write_reviews([review(1).with("rating", 6)]);
    for verb in ["check", "build", "build --dry-run"] {
        project.candor(verb.split(' ')).exits(1);
    }
}

#[test]
fn nothing_changed_is_2_where_it_is_asked_for() {
    let project = Project::new();
    project.candor(["build", "--exit-code"]).exits(0);
    project.candor(["build", "--exit-code"]).exits(2);
    project.candor(["build", "--dry-run", "--exit-code"]).exits(2);
    project.candor(["build"]).exits(0);
    project.candor(["build", "--dry-run"]).exits(0);
    project.write_reviews([review(1)]);
    project.candor(["build", "--dry-run", "--exit-code"]).exits(0);
    project.candor(["build", "--exit-code"]).exits(0);
    project.write_reviews([review(1).with("rating", 6)]);
    project.candor(["build", "--exit-code"]).exits(1);
}

#[test]
fn every_flag_has_its_variable() {
    let project = Project::new();
    std::fs::rename(project.path("content"), project.path("words")).unwrap();
    let mut command = project.command(["build"]);
    command.env("CANDOR_CONTENT", "words").env("CANDOR_PUBLIC", "site");
    command.env("CANDOR_BASE_URL", "https://other.example").env("CANDOR_QUIET", "true");
    let run = super::project::Run::of(&mut command).exits(0);
    assert_eq!((run.out.as_str(), run.err.as_str()), ("", ""));
    assert!(project.text("site/feed.xml").contains("https://other.example/feed.xml"));
}

#[test]
fn the_manual_and_completions_go_to_standard_output() {
    let project = Project::new();
    project.candor(["man"]).exits(0).says(".TH candor");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        project.candor(["completions", shell]).exits(0).says("candor");
    }
}

#[test]
fn who_reads_the_output_may_leave_before_its_end() {
    let project = Project::new().reviews([review(1), review(2)]);
    for arguments in [&["show", "--insights"][..], &["check", "--json"], &["check"]] {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let mut command = project.command(arguments.iter().copied());
        let run = command.stdout(writer).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!((run.status.code(), said.as_str()), (Some(0), ""), "{arguments:?}");
    }
}

#[test]
fn serving_without_the_sidecar_says_where_it_was_looked_for() {
    let project = Project::new().reviews([review(1)]);
    for command in [&["serve", "--listen", "127.0.0.1:0"][..], &["mcp", "https://reviews.example"]]
    {
        let program = ["--sidecar", "nowhere/candor-sidecar"];
        let run = project.candor(command.iter().chain(&program).copied()).exits(1);
        assert_eq!(
            run.err,
            "error: nowhere/candor-sidecar was not found; install candor-sidecar into candor's folder or onto PATH, or name it with --sidecar PROGRAM\n"
        );
    }
}

#[test]
fn a_preview_of_broken_content_is_not_served() {
    let project = Project::new().reviews([review(1).with("rating", 6)]);
    let run = project.candor(["serve", "--listen", "127.0.0.1:0"]).exits(1);
    run.complains("error[invalid-value]").complains("error: the content has errors; correct them");
}

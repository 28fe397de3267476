//! Tests of the names in texts: what comments and pages cite of `docs/`, the modules that ARCHITECTURE.md lists, and the
//! tests that a page says its promises have.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

/// The source of a crate.
struct Crate {
    /// Relative to the repository, such as `crates/contract`.
    folder: String,
    /// By which Rust code names the crate.
    name: String,
    /// The text of each file below `src` by its path there without `.rs`.
    modules: BTreeMap<String, String>,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below a folder whose names have one of the extensions. Hidden folders, build folders of cargo and
/// packages of npm are left out.
fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let of_others = name.starts_with('.')
            || ["node_modules", "target"].contains(&name)
            || path.join("CACHEDIR.TAG").exists();
        if path.is_dir() && !of_others {
            found.append(&mut files(&path, extensions));
        } else if path.extension().is_some_and(|of| extensions.iter().any(|one| of == *one)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn relative(path: &Path, folder: &Path) -> String {
    path.strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/")
}

/// The crates of the workspace that have a folder `src`.
fn crates() -> Vec<Crate> {
    let root = repository();
    let folders = [root.clone(), root.join("crates")].map(|folder| fs::read_dir(folder).unwrap());
    let mut crates: Vec<Crate> = folders
        .into_iter()
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|folder| folder.join("src/lib.rs").exists() || folder.join("src/main.rs").exists())
        .map(|folder| {
            let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
            let lib =
                manifest.split_once("[lib]\nname = \"").and_then(|(_, rest)| rest.split_once('"'));
            let source = folder.join("src");
            let module = |path: PathBuf| {
                let name = relative(&path, &source);
                let name = name.trim_end_matches(".rs").trim_end_matches("/mod").to_owned();
                (name, fs::read_to_string(&path).unwrap())
            };
            Crate {
                folder: relative(&folder, &root),
                name: lib.map_or(relative(&folder, &root), |(name, _)| name.to_owned()),
                modules: files(&source, &["rs"]).into_iter().map(module).collect(),
            }
        })
        .collect();
    crates.sort_by(|a, b| a.folder.cmp(&b.folder));
    crates
}

/// What is wrong with the citations of a text, each with its line. `page` gives the text of a page of `docs/`.
fn faults_of_citations(text: &str, page: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let lines: Vec<&str> =
        text.lines().map(|line| line.trim_start_matches([' ', '/', '!', '#'])).collect();
    let mut faults = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        // A citation may end on the next line.
        let both = format!("{line} {}", lines.get(index + 1).unwrap_or(&""));
        let mut fault = |what: String| faults.push(format!("{}: {what}", index + 1));
        let lower = both.to_lowercase();
        let old = ["", ",", "'s"].map(|link| format!("contract{link} section"));
        if old.iter().any(|old| lower.find(old).is_some_and(|at| at < line.len())) {
            fault(
                "cite the file of docs/ and its heading, not a section of the contract".to_owned(),
            );
        }
        for (at, _) in both.match_indices("docs/").filter(|(at, _)| *at < line.len()) {
            let Some((name, rest)) = both[at + "docs/".len()..].split_once(".md, \"") else {
                continue;
            };
            if !name.chars().all(|char| char.is_ascii_alphanumeric() || char == '-') {
                continue;
            }
            let heading = rest.split_once('"').map_or(rest, |(heading, _)| heading);
            match page(name) {
                None => fault(format!("there is no docs/{name}.md")),
                Some(page) if !headings(&page).contains(heading) => {
                    fault(format!("docs/{name}.md has no heading \"{heading}\""));
                }
                Some(_) => {}
            }
        }
    }
    faults
}

fn headings(page: &str) -> BTreeSet<&str> {
    let of_text = outside_of_code(page).filter(|(_, line)| line.starts_with('#'));
    of_text.map(|(_, line)| line.trim_start_matches('#').trim()).collect()
}

/// The heading of the table that names the tests of the promises of docs/security.md.
const TESTED: &str = "# How each promise is tested";

/// The rows of that table without a test, and the tests that are in no file. A test is named by the folder of its crate
/// and by its name there: `sidecar::hub::abuse::secrets_show_nowhere`. `source` gives the text of a file.
fn faults_of_tests(page: &str, source: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let is_test = |name: &str| {
        let (path, function) = name.rsplit_once("::").unwrap_or_default();
        let (package, path) = path.split_once("::").unwrap_or_default();
        let path = path.replace("::", "/");
        let inline = path.strip_suffix("/tests").unwrap_or(&path);
        let files = [&*path, &format!("{path}/mod"), inline].map(|file| format!("{file}.rs"));
        let declared = format!("fn {function}(");
        ["tests/suite", "src"].iter().any(|folder| {
            let texts =
                files.iter().filter_map(|file| source(&format!("{package}/{folder}/{file}")));
            texts.into_iter().any(|text| text.contains(&declared))
        })
    };
    let mut faults = Vec::new();
    let section = outside_of_code(page).skip_while(|(_, line)| *line != TESTED);
    for (number, row) in section.filter(|(_, line)| line.starts_with('|')).skip(2) {
        let tests = row.rsplit('|').nth(1).unwrap_or_default();
        if code(tests).next().is_none() {
            faults.push(format!("{number}: the promise has no test"));
        }
        let dead = code(tests).filter(|name| !is_test(name));
        faults.extend(dead.map(|name| format!("{number}: there is no test {name}")));
    }
    faults
}

/// The lines of a page that are in no block of code, numbered from 1.
fn outside_of_code(page: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut code = false;
    page.lines().enumerate().filter_map(move |(index, line)| {
        let fence = line.trim_start().starts_with("```");
        code ^= fence;
        (!code && !fence).then_some((index + 1, line))
    })
}

/// What is wrong with ARCHITECTURE.md: names without a module, and modules without a name.
fn faults_of_architecture(text: &str, crates: &[Crate]) -> Vec<String> {
    let mut faults = Vec::new();
    let mut table: Option<&Crate> = None;
    let mut listed = BTreeSet::new();
    for (number, line) in outside_of_code(text) {
        let mut fault = |what: String| faults.push(format!("ARCHITECTURE.md:{number}: {what}"));
        if let Some((folder, _)) =
            line.strip_prefix("| Module of `").and_then(|rest| rest.split_once('`'))
        {
            table = crates.iter().find(|of| of.folder == folder.trim_end_matches('/'));
            if table.is_none() {
                fault(format!("there is no crate in {folder}"));
            }
            continue;
        }
        table = table.filter(|_| line.starts_with('|'));
        if let Some(of) = table {
            for name in code(line.split('|').nth(1).unwrap_or_default()) {
                listed.insert((of.folder.as_str(), name.split('/').next().unwrap_or(name)));
                if !of.has(name) {
                    fault(format!("{}/src has no module {name}", of.folder));
                }
            }
        }
        for name in code(line).filter(|name| !is_known(name, crates)) {
            fault(format!("nothing in the source is named {name}"));
        }
    }
    for of in crates {
        let modules: BTreeSet<&str> =
            of.modules.keys().filter_map(|name| name.split('/').next()).collect();
        for module in modules {
            if !["lib", "main", "bin"].contains(&module)
                && !listed.contains(&(of.folder.as_str(), module))
            {
                let folder = &of.folder;
                faults.push(format!(
                    "ARCHITECTURE.md: the table of `{folder}/` does not name `{module}`"
                ));
            }
        }
    }
    faults
}

/// The parts of a line between backticks.
fn code(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a name is that of a source file (`a/b.rs`) or of a module or item (`a::b`), or is of another kind.
fn is_known(name: &str, crates: &[Crate]) -> bool {
    if let Some(file) = name.strip_suffix(".rs") {
        return crates.iter().any(|of| of.modules.keys().any(|module| ends_with(module, file)));
    }
    let parts: Vec<&str> = name.split("::").collect();
    let of_a_module = parts[0].starts_with(|char: char| char.is_ascii_lowercase())
        && parts.iter().all(|part| part.chars().all(is_part_of_name));
    if parts.len() == 1 || !of_a_module {
        return true;
    }
    let item = parts[parts.len() - 1];
    crates.iter().any(|of| {
        let below = parts[1..].join("/");
        of.name == parts[0] && of.modules.contains_key(&below)
            || of.modules.iter().any(|(module, text)| {
                ends_with(module, &parts.join("/"))
                    || ends_with(module, &parts[..parts.len() - 1].join("/"))
                        && declares(text, item)
            })
    })
}

fn ends_with(module: &str, path: &str) -> bool {
    module.strip_suffix(path).is_some_and(|before| before.is_empty() || before.ends_with('/'))
}

fn is_part_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || char == '_'
}

fn declares(text: &str, item: &str) -> bool {
    let words: Vec<&str> =
        text.split(|char| !is_part_of_name(char)).filter(|word| !word.is_empty()).collect();
    let keywords = ["fn", "struct", "enum", "trait", "const", "static", "type", "mod"];
    words.windows(2).any(|pair| keywords.contains(&pair[0]) && pair[1] == item)
}

impl Crate {
    /// Whether there is a module `a/b`, or any below `a` for `a/*`.
    fn has(&self, name: &str) -> bool {
        name.strip_suffix('*').map_or_else(
            || self.modules.contains_key(name),
            |folder| self.modules.keys().any(|module| module.starts_with(folder)),
        )
    }
}

#[test]
fn citations_name_a_page_and_a_heading() {
    let root = repository();
    let page = |name: &str| fs::read_to_string(root.join(format!("docs/{name}.md"))).ok();
    let mut faults = Vec::new();
    for file in files(&root, &["rs", "py", "md"]) {
        let of_file = faults_of_citations(&fs::read_to_string(&file).unwrap(), &page);
        faults.extend(of_file.iter().map(|fault| format!("{}:{fault}", relative(&file, &root))));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_dead_citation_is_found() {
    let page = |name: &str| {
        (name == "hub").then(|| "# Hub\n\n## Limits\n\n```sh\n# A comment\n```\n".to_owned())
    };
    // Escaped or split here, so that the test above does not find these in this file.
    let section = ["the Contract,", " section 2.5"].concat();
    let cases = [
        ("(docs/hub.md, \"Limits\")", None),
        ("/// See docs/hub.md,\n/// \"Limits\".", None),
        ("see docs/hub.md", None),
        ("(\"docs/hub.md\", \"Nothing\")", None),
        ("(docs/hub.md, \"Nothing\")", Some("1: docs/hub.md has no heading \"Nothing\"")),
        (
            "//! x\n//! docs/hub.md, \"A\n//! comment\"",
            Some("2: docs/hub.md has no heading \"A comment\""),
        ),
        ("docs/hub.md, \"A comment\"", Some("1: docs/hub.md has no heading \"A comment\"")),
        ("docs/nub.md, \"Limits\"", Some("1: there is no docs/nub.md")),
        (
            section.as_str(),
            Some("1: cite the file of docs/ and its heading, not a section of the contract"),
        ),
    ];
    for (text, fault) in cases {
        assert_eq!(faults_of_citations(text, &page).first().map(String::as_str), fault, "{text}");
    }
}

#[test]
fn every_promise_of_the_threat_model_has_a_test() {
    let root = repository();
    let page = fs::read_to_string(root.join("tests/promises.md")).unwrap();
    assert!(headings(&page).contains(TESTED.trim_start_matches("# ")));
    let faults = faults_of_tests(&page, &|file| fs::read_to_string(root.join(file)).ok());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_promise_without_a_test_is_found() {
    let source = |file: &str| {
        let files =
            ["generator/tests/suite/a/b.rs", "crates/x/src/c.rs", "sidecar/tests/suite/d/mod.rs"];
        files.contains(&file).then(|| "#[test]\nfn it_holds() {}\n".to_owned())
    };
    let head = format!("| `gone` | |\n{TESTED}\n\n| Promise | Tests |\n|---|---|\n");
    for (row, fault) in [
        ("| `code` | `generator::a::b::it_holds` |", None),
        ("| x | `crates/x::c::tests::it_holds`, `sidecar::d::it_holds` |", None),
        ("| `code` | |", Some("6: the promise has no test")),
        (
            "| x | `sidecar::d::it_holds`, `sidecar::d::it` |",
            Some("6: there is no test sidecar::d::it"),
        ),
        ("| x | `sidecar::a::b::it_holds` |", Some("6: there is no test sidecar::a::b::it_holds")),
        ("| x | `it_holds` |", Some("6: there is no test it_holds")),
    ] {
        let faults = faults_of_tests(&format!("{head}{row}\n"), &source);
        assert_eq!(faults.first().map(String::as_str), fault, "{row}");
    }
}

#[test]
fn architecture_names_the_modules_that_there_are() {
    let text = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let faults = faults_of_architecture(&text, &crates());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_stale_name_in_the_architecture_is_found() {
    let modules = [("lib", ""), ("hub", "pub fn start() {}"), ("hub/store", ""), ("urls", "")];
    let modules = modules.map(|(name, text)| (name.to_owned(), text.to_owned()));
    let crates =
        [Crate { folder: "sidecar".into(), name: "service".into(), modules: modules.into() }];
    let table = "| Module of `sidecar/` | Purpose |\n|---|---|\n| `hub`, `hub/*` | the hub |\n";
    let whole = format!("{table}| `urls` | paths |\n");
    let cases = [
        (
            format!(
                "{whole}\n`hub/store.rs` `store.rs` `hub::store` `hub::start` `service::urls` `Type::new` `/mcp`"
            ),
            None,
        ),
        (table.to_owned(), Some("ARCHITECTURE.md: the table of `sidecar/` does not name `urls`")),
        (
            format!("{whole}| `gone` | |\n"),
            Some("ARCHITECTURE.md:5: sidecar/src has no module gone"),
        ),
        (
            format!("{whole}| `urls/*` | |\n"),
            Some("ARCHITECTURE.md:5: sidecar/src has no module urls/*"),
        ),
        (
            format!("{whole}\n`hub/gone.rs`"),
            Some("ARCHITECTURE.md:6: nothing in the source is named hub/gone.rs"),
        ),
        (
            format!("{whole}\n`hub::gone`"),
            Some("ARCHITECTURE.md:6: nothing in the source is named hub::gone"),
        ),
        (
            format!("{whole}\n`service::gone`"),
            Some("ARCHITECTURE.md:6: nothing in the source is named service::gone"),
        ),
        (
            format!("{whole}\n| Module of `gone/` | |\n"),
            Some("ARCHITECTURE.md:6: there is no crate in gone/"),
        ),
    ];
    for (text, fault) in cases {
        assert_eq!(
            faults_of_architecture(&text, &crates).first().map(String::as_str),
            fault,
            "{text}"
        );
    }
}

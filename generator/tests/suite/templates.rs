//! Templates as their owner meets them: listed, printed, copied, documented.

use super::{
    project::{Project, Run, SITE},
    review::mixed,
};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

fn built_in(name: &str) -> String {
    std::fs::read_to_string(format!("{ROOT}/crates/content/src/theme/templates/{name}")).unwrap()
}

/// What is said of a template.
fn line<'r>(run: &'r Run, name: &str) -> Option<&'r str> {
    let mut said = run.out.lines().filter_map(|line| line.split_once(' '));
    said.find(|(known, _)| *known == name).map(|(_, said)| said.trim())
}

#[test]
fn a_built_in_template_is_printed_as_it_is() {
    let run = Project::new().candor(["templates", "show", "home.html"]).exits(0);
    assert_eq!(run.out.trim_end(), built_in("home.html").trim_end());
    let run = Project::new().candor(["templates", "show", "homme.html"]).exits(1);
    assert_eq!(
        run.err,
        "error: there is no built-in template \"homme.html\"; did you mean \"home.html\"?\n"
    );
}

#[test]
fn ejected_templates_change_no_page_until_they_are_changed() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    let pages = |project: &Project| {
        let mut tree = project.tree("public");
        tree.retain(|path, _| path.ends_with(".html") || path.ends_with(".xml"));
        tree
    };
    let before = pages(&project);
    let names = project.candor(["templates", "list"]).exits(0).out;
    let templates = names.lines().filter_map(|line| line.split(' ').next());
    for name in templates.filter(|name| name.ends_with(".html")) {
        project.candor(["templates", "eject", name]).exits(0);
    }
    project.candor(["check", "--strict"]).exits(0);
    project.build();
    assert_eq!(pages(&project), before);
}

#[test]
fn an_ejected_file_is_never_overwritten() {
    let project = Project::new();
    let run = project.candor(["templates", "eject", "404.html"]).exits(0);
    assert_eq!(
        run.out,
        "wrote content/templates/404.html; publish what you change with: candor build\n"
    );
    project.write("content/templates/404.html", "<p>mine</p>");
    let run = project.candor(["templates", "eject", "404.html"]).exits(1);
    assert_eq!(
        run.err,
        "error: content/templates/404.html exists and was not changed; compare it with candor templates show 404.html, or remove it first\n"
    );
    assert_eq!(project.text("content/templates/404.html"), "<p>mine</p>");
    let run = project.candor(["templates", "eject", "404.html", "--content", "elsewhere"]).exits(1);
    run.complains("there is no content folder elsewhere");
}

#[test]
fn the_list_says_whose_each_template_is() {
    let project = Project::new();
    project.candor(["templates", "eject", "404.html"]).exits(0);
    project.candor(["templates", "eject", "style.css"]).exits(0);
    project.write("content/templates/faq.html", "mine");
    let run = project.candor(["templates", "list"]).exits(0);
    assert_eq!(line(&run, "home.html"), Some("built-in"));
    assert_eq!(line(&run, "404.html"), Some("content/templates/404.html"));
    assert_eq!(line(&run, "custom.css"), None);
    project.write("content/templates/custom.css", "a { }");
    let old = project.text("content/templates/style.css");
    let (head, rest) = old.split_once('\n').unwrap();
    assert!(head.starts_with("/* Ejected from the built-in template "), "{head}");
    let older = format!("/* Ejected from the built-in template 0000000000000000 */\n{rest}");
    project.write("content/templates/style.css", older);
    let run = project.candor(["templates", "list"]).exits(0);
    assert!(line(&run, "custom.css").unwrap().ends_with("content/templates/custom.css"));
    assert!(line(&run, "style.css").unwrap().ends_with(", ejected from an older built-in one"));
}

#[test]
fn a_template_without_a_hash_is_not_judged() {
    let project = Project::new().file("content/templates/404.html", "<p>{{ site.name }}</p>");
    project.candor(["check", "--strict"]).exits(0);
}

#[test]
fn only_the_values_of_one_template_are_listed() {
    let project = Project::new().reviews(mixed(3));
    let run = project.candor(["templates", "values", "review.html"]).exits(0);
    assert!(run.out.contains("  site.name ") && run.out.contains("  page.url "), "{}", run.out);
    assert!(run.out.contains("\nreview.html\n  view.author "), "{}", run.out);
    assert!(!run.out.contains("home.html"), "{}", run.out);
    let broken = project.file("content/site.toml", format!("{SITE}nonsense = 1\n"));
    broken.candor(["templates", "values"]).exits(1).complains("unknown-key");
}

#[test]
fn every_value_of_a_template_is_documented() {
    let path = format!("{ROOT}/docs/templates.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("```text\n").unwrap();
    let (listed, after) = rest.split_once("```").unwrap();
    let content = format!("{ROOT}/content");
    let run = Project::new().candor(["templates", "values", "--content", &content]).exits(0);
    if std::env::var_os("CANDOR_TEST_BLESS").is_some() {
        std::fs::write(path, format!("{before}```text\n{}```{after}", run.out)).unwrap();
        return;
    }
    assert_eq!(run.out, listed, "docs/templates.md is written with CANDOR_TEST_BLESS=1");
}

#[test]
fn a_phrase_is_listed_in_every_language_and_where_the_site_says_it() {
    let project = Project::new().reviews(mixed(3));
    project.write("content/strings.toml", "not_found = \"Nothing\"\n");
    let run = project.candor(["templates", "strings", "n_reviews"]).exits(0);
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(lines[..2], ["n_reviews", "  en  \"{n} review\" or \"{n} reviews\""]);
    assert_eq!(lines[5], "  nl  \"{n} beoordeling\" or \"{n} beoordelingen\"");
    assert!(lines[6].ends_with("more: \"3 reviews\""), "{}", lines[6]);
    let run = project.candor(["templates", "strings", "not_found"]).exits(0);
    assert!(
        run.out.ends_with("  en  \"Nothing\" (strings.toml)\n      404.html: \"Nothing\"\n"),
        "{}",
        run.out
    );
    let run = project.candor(["templates", "strings", "search_failed"]).exits(0);
    assert!(run.out.contains("reviews/index.html and 1 more: \"The reviews cannot"), "{}", run.out);
    let run = project.candor(["templates", "strings", "about_withheld"]).exits(0);
    let where_it_can_be = "not on the pages of this site; in home.html, policy.html\n";
    assert!(run.out.ends_with(where_it_can_be), "{}", run.out);
    let run = project.candor(["templates", "strings", "n_review"]).exits(1);
    run.complains("there are no words \"n_review\"; did you mean \"n_reviews\"?");
    let all = project.candor(["templates", "strings"]).exits(0).out;
    let listed: Vec<&str> = all.lines().filter(|line| !line.starts_with(' ')).collect();
    let mut keys = keys_of_phrases();
    keys.sort_unstable();
    assert_eq!(listed, keys);
}

fn keys_of_phrases() -> Vec<&'static str> {
    let phrases = include_str!("../../../crates/content/src/theme/strings/en.toml").lines();
    phrases.filter_map(|line| line.split_once(" = ")).map(|(key, _)| key).collect()
}

/// The sources that say phrases.
fn sources() -> String {
    let mut text = String::new();
    let of = |name: &str| std::path::PathBuf::from(format!("{ROOT}/crates/{name}/src"));
    let mut folders = vec![of("content"), of("generator"), of("insights")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_source = path.extension().is_some_and(|it| it == "rs" || it == "html");
            if path.is_dir() {
                folders.push(path);
            } else if is_source {
                text += &std::fs::read_to_string(path).unwrap();
            }
        }
    }
    text
}

/// Beginnings of keys that end with a name of the data: a reason, an aspect, an order.
const FAMILIES: [&str; 7] =
    ["badge_", "definition_", "entry_", "label_", "policy_", "reason_", "sort_"];

#[test]
fn every_phrase_is_said_somewhere() {
    let sources = sources();
    let is_said = |key: &&str| {
        let family = FAMILIES.iter().find(|family| key.starts_with(**family));
        sources.contains(&format!("\"{key}\""))
            || family.is_some_and(|family| sources.contains(&format!("\"{family}")))
    };
    let mut keys = keys_of_phrases();
    keys.retain(|key| !is_said(key));
    assert_eq!(keys, Vec::<&str>::new());
}

/// Ways not to end, and to need more memory than there is.
const ENDLESS: [&str; 9] = [
    "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}",
    "{% set x %}{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}{% endset %}",
    "{% for a in range(99999) %}{% for b in range(99999) %}{% endfor %}{% endfor %}",
    "{% set n = namespace(x='ab') %}{% for a in range(99) %}{% set n.x = n.x ~ n.x %}{% endfor %}",
    "{% set n = namespace(x='a') %}{% for a in range(99) %}{% set n.x = n.x | replace('a', 'aa') %}{% endfor %}",
    "{{ 'x' * 1000000000 }}",
    "{{ '%9999999999d' | format(1) }}",
    "{{ 'a\nb' | indent(9999999999) }}",
    "{{ range(99999) | join('x' * 99999) }}",
];

#[test]
fn a_template_that_does_not_end_is_named_with_its_line() {
    const LIMIT: &str = "this text needs more than 1000000 steps, the limit of a page";
    const HELP: &str = "end its loops sooner, or let it show less";
    for template in ENDLESS {
        let project = Project::new().file("content/templates/404.html", format!("<p>\n{template}"));
        let run = project.candor(["check"]).exits(1);
        let line = 2 + template.matches('\n').count();
        run.clone().complains(&format!("content/templates/404.html:{line}:"));
        run.complains(&format!("error[template-value]: {LIMIT}; {HELP}\n"));
        let answer = serde_json::to_string(template).unwrap();
        let faq = format!("[[faq]]\nid = \"a\"\nquestion = \"A?\"\nanswer = {answer}\n");
        let run = Project::new().file("content/faq.toml", faq).candor(["check"]).exits(1);
        run.complains("content/faq.toml:4:")
            .complains(&format!("error[template]: {LIMIT}; {HELP}\n"));
    }
    let project = Project::new().file("content/templates/home.html", ENDLESS[0]);
    for command in [&["build"][..], &["templates", "values"], &["templates", "strings"]] {
        project.candor(command.iter().copied()).exits(1);
    }
    project.candor(["build"]).exits(1).complains(&format!("home.html:1: {LIMIT}"));
}

#[test]
fn an_expression_that_would_fill_the_stack_is_an_error() {
    const LONG: &str = "an expression has more than 2000 bytes; make several of it";
    for (part, last) in
        [("x|", "upper"), ("1+", "1"), ("x.", "a"), ("not ", "x"), ("'\\'}}'~", "x")]
    {
        let expression = part.repeat(50_000) + last;
        let template = format!("<p>{{{{ {expression} }}}}");
        let project = Project::new().file("content/templates/404.html", &template);
        let run = project.candor(["check"]).exits(1);
        run.complains("content/templates/404.html:1")
            .complains(&format!("error[template-syntax]: {LONG}"));
        for faq in
            [format!("answer = {template:?}"), format!("answer = \"A.\"\nwhen = {expression:?}")]
        {
            let faq = format!("[[faq]]\nid = \"a\"\nquestion = \"A?\"\n{faq}\n");
            let run = Project::new().file("content/faq.toml", faq).candor(["check"]).exits(1);
            run.complains(&format!("error[template]: {LONG}"));
        }
    }
}

/// Lists in lists cost more than steps: each is work for the stack, and one that is twice in itself doubles the work.
#[test]
fn lists_in_lists_without_end_end_with_an_error() {
    let made = |times: usize, steps: &str| {
        format!(
            "{{% set n = namespace(a=[], b=[]) %}}{{% for i in range({times}) %}}{steps}{{% endfor %}}"
        )
    };
    let deep = made(90_000, "{% set n.a = [n.a] %}");
    let maps = made(90_000, "{% set n.a = {\"a\": n.a} %}");
    for template in [
        format!("{deep}{{{{ n.a }}}}{{{{ nope }}}}"),
        format!("{maps}{{{{ [n.a, n.a, 1]|sort|join(n.a)|length }}}}{{{{ nope }}}}"),
    ] {
        for file in ["content/templates/404.html", "content/summary.md"] {
            let project = Project::new().file(file, &template);
            project.candor(["check"]).exits(1).complains("`nope` is undefined");
        }
    }
    let twice = made(60, "{% set n.a = [n.a, n.a] %}{% set n.b = [n.b, n.b] %}");
    let project =
        Project::new().file("content/templates/404.html", format!("{twice}{{{{ n.a == n.b }}}}"));
    project.candor(["build"]).exits(1).complains(
        "content/templates/404.html: error[template]: it takes more than 10 seconds; shorten its loops, and what puts a list into itself, or makes it longer, again and again\n",
    );
    assert!(!project.path("public/candor-manifest.json").exists());
}

#[test]
fn a_template_of_many_pages_that_does_not_end_is_reported_once() {
    let project =
        Project::new().reviews(mixed(300)).file("content/templates/review.html", ENDLESS[2]);
    let run = project.candor(["check"]).exits(1);
    run.says("1 error, no warnings");
}

#[test]
fn templates_that_include_or_call_themselves_end_with_an_error() {
    for template in [
        "{% include \"404.html\" %}",
        "{% extends \"404.html\" %}",
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% block a %}{{ self.a() }}{% endblock %}",
        "{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}",
    ] {
        let project = Project::new().file("content/templates/404.html", template);
        let run = project.candor(["check"]).exits(1);
        run.complains("content/templates/404.html:1:").complains("error[template-value]: ");
        project.candor(["build"]).exits(1).complains("404.html:1: ");
    }
}

#[test]
fn a_template_of_an_empty_page_is_an_error_that_names_it() {
    for text in ["", " \n\t\n"] {
        let project = Project::new().file("content/templates/home.html", text);
        for command in ["check", "build"] {
            project.candor([command]).exits(1).complains(
                "content/templates/home.html: error[template-syntax]: this template makes an empty page; fix the template, or remove it to use the built-in one\n",
            );
        }
    }
    let project = Project::new().file("content/templates/custom.css", "");
    project.file("content/templates/_note.html", "").candor(["check"]).exits(0);
}

#[test]
fn a_template_in_itself_or_of_too_many_steps_has_a_remedy_of_its_own() {
    for (text, said) in [
        (
            "{% include \"home.html\" %}",
            "recursion limit exceeded; remove what includes or calls itself\n",
        ),
        (
            "{% for n in range(10000000) %}{% endfor %}",
            "range has too many elements; end its loops sooner, or let it show less\n",
        ),
    ] {
        let project = Project::new().file("content/templates/home.html", text);
        project.candor(["check"]).exits(1).complains(said);
    }
}

//! `candor build --dry-run` says what `candor build` will do.

use super::{
    project::Project,
    review::{id, mixed, review},
};

#[test]
fn by_file_and_by_review_as_the_build_then_does() {
    let project = Project::new().reviews(mixed(4));
    project.build();
    let before = project.tree("public");
    let mut reviews = mixed(5);
    reviews[1] = review(1).with("rating", 2).with("text", "Other words.");
    reviews.remove(2);
    project.write_reviews(reviews);
    let diff = project.candor(["build", "--dry-run"]).exits(0);
    let lines: Vec<&str> = diff.out.lines().collect();
    for line in ["~ reviews.json", "~ index.html", "~ feed.xml", "~ changes.json"] {
        assert!(lines.contains(&line), "{diff:?}");
    }
    let (added, changed, removed) = (id(4), id(1), id(2));
    let page = |sign: char, id: &str| format!("{sign} reviews/{id}/index.html");
    for line in [page('+', &added), page('~', &changed), page('-', &removed)] {
        assert!(lines.contains(&&*line), "{line} is not in {diff:?}");
    }
    let summary = format!(
        "1 review added: {added}\n1 review changed: {changed}\n1 review removed: {removed}\n"
    );
    assert!(diff.out.ends_with(&summary), "{diff:?}");
    assert_eq!(project.tree("public"), before, "a comparison writes nothing");
    let build = project.candor(["build", "--verbose"]).exits(0);
    let built = build.out.lines().filter_map(|line| line.strip_prefix("  changed "));
    let compared = diff.out.lines().filter_map(|line| line.strip_prefix("~ "));
    assert_eq!(built.collect::<Vec<_>>(), compared.collect::<Vec<_>>());
    assert_eq!(
        project.candor(["build", "--dry-run"]).exits(0).out,
        "a build would change nothing\n"
    );
}

#[test]
fn long_lists_are_counted() {
    let project = Project::new();
    project.build();
    project.write_reviews(mixed(25));
    let run = project.candor(["build", "--dry-run"]).exits(0);
    let line = run.out.lines().last().unwrap();
    assert!(line.starts_with("25 reviews added: ") && line.ends_with(" and 5 more"), "{line}");
}

#[test]
fn without_an_earlier_publication_nothing_is_claimed() {
    let project = Project::new().reviews(mixed(4));
    let run = project.candor(["build", "--dry-run"]).exits(0);
    assert_eq!(
        run.out,
        "no earlier publication at public/candor-manifest.json: a build would publish 67 files; name the last manifest with --previous to compare\n"
    );
    let run = project
        .candor(["build", "--dry-run", "--previous", "kept/none.json", "--exit-code"])
        .exits(0);
    assert!(run.out.starts_with("no earlier publication at kept/none.json: "), "{run:?}");
    assert!(!project.path("public").exists(), "a comparison makes no folder");
}

#[test]
fn a_manifest_alone_tells_files_and_says_that_it_tells_no_reviews() {
    let project = Project::new().reviews(mixed(4));
    project.build();
    std::fs::copy(project.path("public/candor-manifest.json"), project.path("kept.json")).unwrap();
    std::fs::remove_dir_all(project.path("public")).unwrap();
    project.write_reviews(mixed(5));
    let run = project.candor(["build", "--dry-run", "--previous", "kept.json"]).exits(0);
    run.says("~ reviews.json\n").says(
        "the earlier reviews.json cannot be found, so changes of single reviews are not listed\n",
    );
}

#[test]
fn a_first_comparison_agrees_with_the_files_of_the_first_build() {
    let project = Project::new();
    project.build();
    project.write("content/site.toml", format!("{}title = \"Other\"\n", super::project::SITE));
    let diff = project.candor(["build", "--dry-run"]).exits(0);
    let compared = diff.out.lines().count();
    project.build().says(&format!("({compared} changed, 0 removed)"));
}

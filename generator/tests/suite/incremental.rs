//! A build that takes from earlier builds what did not change gives the bytes of one that does not.

use std::collections::BTreeSet;

use contract::manifest::MANIFEST_PATH;
use proptest::{collection::vec, prelude::*, sample::Index};
use serde_json::Value;

use super::{
    determinism::timeless,
    project::{Project, SITE},
    review::{Review, id, mixed},
};

/// Where the cache of a project lies.
const CACHE: &str = ".candor-cache/build";

/// Something that happens between two builds.
#[derive(Clone, Debug)]
enum Edit {
    Add(Index),
    ChangeText(Index),
    ChangeStars(Index),
    Remove(Index),
    Withhold(Index),
    RenameTechnician,
    Template,
    Phrase,
    Setting,
    Nothing,
    CacheGone,
    CacheCut(Index),
    CacheFlipped(Index),
    PublicFileGone(Index),
    PublicFileChanged(Index),
}

fn edit() -> impl Strategy<Value = Edit> {
    let at = any::<Index>;
    prop_oneof![
        at().prop_map(Edit::Add),
        at().prop_map(Edit::ChangeText),
        at().prop_map(Edit::ChangeStars),
        at().prop_map(Edit::Remove),
        at().prop_map(Edit::Withhold),
        Just(Edit::RenameTechnician),
        Just(Edit::Template),
        Just(Edit::Phrase),
        Just(Edit::Setting),
        Just(Edit::Nothing),
        Just(Edit::CacheGone),
        at().prop_map(Edit::CacheCut),
        at().prop_map(Edit::CacheFlipped),
        at().prop_map(Edit::PublicFileGone),
        at().prop_map(Edit::PublicFileChanged),
    ]
}

/// A site whose content is edited.
struct Site {
    project: Project,
    reviews: Vec<Review>,
    /// Reviews that come later.
    later: Vec<Review>,
    /// Ids of reviews.
    withheld: BTreeSet<String>,
    edits: usize,
}

impl Site {
    fn new() -> Self {
        let mut reviews = mixed(70);
        let later = reviews.split_off(60);
        let project = Project::new().reviews(&reviews);
        Self { project, reviews, later, withheld: BTreeSet::new(), edits: 0 }
    }

    fn apply(&mut self, edit: &Edit) {
        self.edits += 1;
        let (project, number) = (&self.project, self.edits);
        match edit {
            Edit::Add(at) if !self.later.is_empty() => {
                self.reviews.push(self.later.remove(at.index(self.later.len())));
            }
            Edit::ChangeText(at) => {
                let at = at.index(self.reviews.len());
                let words = format!("Changed {number} times, and Ana fixed the heater well.");
                self.reviews[at] = self.reviews[at].clone().with("text", words);
            }
            Edit::ChangeStars(at) => {
                let at = at.index(self.reviews.len());
                self.reviews[at] = self.reviews[at].clone().with("rating", 1 + number % 5);
            }
            Edit::Remove(at) if self.reviews.len() > 1 => {
                self.reviews.remove(at.index(self.reviews.len()));
            }
            Edit::Withhold(at) => {
                self.withheld.insert(id(at.index(60)));
            }
            Edit::RenameTechnician => project.write(
                "content/technicians.toml",
                format!(
                    "[[technician]]\nid = \"ana\"\nname = \"Ana N{number}\"\naliases = [\"Ana\"]\n"
                ),
            ),
            Edit::Template => project.write(
                "content/templates/_review.html",
                format!("<p>{number}</p>{{{{ review.text }}}}"),
            ),
            Edit::Phrase => project
                .write("content/strings.toml", format!("all_reviews = \"All of them {number}\"\n")),
            Edit::Setting => {
                project.write("content/site.toml", format!("{SITE}title = \"Title {number}\"\n"));
            }
            Edit::CacheGone => {
                let _ = std::fs::remove_dir_all(project.path(".candor-cache"));
            }
            Edit::CacheCut(at) => self.damage(|bytes| bytes.truncate(at.index(bytes.len()))),
            Edit::CacheFlipped(at) => self.damage(|bytes| {
                let at = at.index(bytes.len());
                bytes[at] ^= 1 << (at % 8);
            }),
            Edit::PublicFileGone(at) => project.remove(&self.public_file(at)),
            Edit::PublicFileChanged(at) => {
                let path = self.public_file(at);
                let mut bytes = project.bytes(&path);
                bytes.reverse();
                project.write(&path, bytes);
            }
            _ => {}
        }
        project.write_reviews(&self.reviews);
        let present = |id: &&String| self.reviews.iter().any(|review| review.line().contains(*id));
        let withheld = self.withheld.iter().filter(present);
        let withheld =
            withheld.map(|id| format!("[{id}]\ndate = 2026-10-01\nhidden = \"off_topic\"\n"));
        self.project.write("content/overrides.toml", withheld.collect::<String>());
    }

    fn damage(&self, change: impl FnOnce(&mut Vec<u8>)) {
        if self.project.path(CACHE).exists() {
            let mut bytes = self.project.bytes(CACHE);
            change(&mut bytes);
            self.project.write(CACHE, bytes);
        }
    }

    fn public_file(&self, at: &Index) -> String {
        let files = self.project.tree("public").into_keys().filter(|path| path != MANIFEST_PATH);
        let files: Vec<String> = files.collect();
        format!("public/{}", files[at.index(files.len())])
    }

    /// Builds with what the cache has, and from nothing into another folder.
    fn assert_same(&self, after: &Edit) {
        self.project.build();
        self.project.assert_whole();
        let clean = ["build", "--clean", "--cache", "other", "--public", "clean"];
        let _ = std::fs::remove_dir_all(self.project.path("clean"));
        self.project.candor(clean).exits(0);
        assert!(
            timeless(&self.project, "public") == timeless(&self.project, "clean"),
            "other bytes after {after:?}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5, ..ProptestConfig::default() })]

    #[test]
    fn the_bytes_are_those_of_a_build_from_nothing(edits in vec(edit(), 1..6)) {
        let mut site = Site::new();
        site.project.build();
        for edit in edits {
            site.apply(&edit);
            site.assert_same(&edit);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, ..ProptestConfig::default() })]

    #[test]
    fn documents_of_megabytes_have_the_bytes_of_a_build_from_nothing(edits in vec(edit(), 2..4)) {
        let mut site = Site::new();
        for (review, number) in site.reviews.iter_mut().chain(&mut site.later).zip(0_u64..) {
            let words = (0..4_000).map(|word| (number * 4_000 + word) * 2_654_435_761 % 99_991);
            let text: Vec<String> = words.map(|word| format!("word{word}")).collect();
            *review = review.clone().with("text", text.join(" "));
        }
        site.apply(&Edit::Nothing);
        site.project.build();
        assert!(site.project.bytes("public/reviews.json").len() > 2 << 20);
        for edit in edits {
            site.apply(&edit);
            site.assert_same(&edit);
        }
    }
}

/// The stages of a build.
pub(super) fn stages(project: &Project) -> Value {
    let run = project.candor(["build", "--quiet", "--timings", "--json"]).exits(0);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn where_nothing_changed_the_content_is_not_even_parsed() {
    let project = Project::new().reviews(mixed(60));
    let first = stages(&project);
    assert_eq!(first["read content"]["count"], 1, "{first}");
    let second = stages(&project);
    let names: Vec<&String> = second.as_object().unwrap().keys().collect();
    assert_eq!(names, ["look at inputs", "look at public files"]);
    let changed = project.candor(["build", "--exit-code"]).exits(2);
    changed.says("(0 changed, 0 removed)");
}

#[test]
fn what_a_killed_command_left_is_removed_where_nothing_changed() {
    for (publish, left) in
        [("--public", "there/.candor-stage"), ("--releases", "there/.candor-stage/next")]
    {
        let project = Project::new().reviews(mixed(3));
        project.candor(["build", publish, "there"]).exits(0);
        std::fs::create_dir_all(project.path(left)).unwrap();
        project.candor(["build", publish, "there"]).exits(0);
        assert!(!project.path("there/.candor-stage").exists(), "{publish}");
    }
}

#[test]
fn warnings_are_repeated_where_nothing_changed() {
    let project = Project::new().reviews(mixed(3)).file("content/unknown.toml", "");
    let (first, second) = (project.build(), project.build());
    assert!(first.err.contains("warning[unknown-file]"), "{}", first.err);
    assert_eq!(first.err, second.err);
}

#[test]
fn another_host_is_served_where_nothing_changed() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    project.candor(["build", "--host", "netlify", "--sidecar", "https://dynamic.example"]).exits(0);
    let with_host = project.tree("public");
    project
        .candor(["build", "--host", "netlify", "--sidecar", "https://dynamic.example"])
        .exits(0)
        .says("netlify");
    assert_eq!(with_host, project.tree("public"));
    assert!(with_host.contains_key("_headers"));
    project.build();
    assert!(!project.tree("public").contains_key("_headers"), "no host was named");
}

#[test]
fn what_is_as_it_was_is_not_compressed_again() {
    let mut reviews = mixed(200);
    let newest = reviews.pop().unwrap();
    let project = Project::new().reviews(&reviews);
    let compressed = |stages: &Value| stages["compress"]["count"].as_u64().unwrap();
    let first = compressed(&stages(&project));
    reviews.push(newest);
    project.write_reviews(reviews);
    let second = compressed(&stages(&project));
    assert!(0 < second && second < first * 3 / 4, "{first}, then {second}");
}

#[test]
fn a_cache_that_cannot_be_written_is_said_once_and_hinders_nothing() {
    let project = Project::new().reviews(mixed(3)).file("file", "");
    let run = project.candor(["build", "--cache", "file/cache"]).exits(0);
    let said = "file/cache cannot be written: ";
    assert_eq!(run.err.matches(said).count(), 1, "{}", run.err);
    let remedy = "; the next build computes everything again; name another folder with --cache DIR";
    run.complains(remedy);
    project.assert_whole();
}

#[test]
fn the_cache_hides_itself_from_git_and_from_backups() {
    let project = Project::new().reviews(mixed(3));
    project.build();
    assert_eq!(project.text(".candor-cache/.gitignore"), "*\n");
    assert!(project.text(".candor-cache/CACHEDIR.TAG").starts_with("Signature: 8a477f59"));
}

#[test]
fn timings_are_a_table() {
    let project = Project::new().reviews(mixed(3));
    let run = project.candor(["build", "--timings"]).exits(0);
    let line = run.out.lines().find(|line| line.ends_with("× compress")).unwrap();
    let words: Vec<&str> = line.split_whitespace().collect();
    assert!(words[0].parse::<f64>().is_ok() && words[2].parse::<u64>().is_ok(), "{line}");
}

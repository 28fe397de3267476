//! The command `forget`: removes reviews permanently.

use std::path::{Path, PathBuf};

use clap::Args;
use jiff::Timestamp;

use super::{Context, Exit, output::plural};
use content::ENTRIES_FILE;
use contract::model::{ReviewId, WithheldReason};
use import::{
    ImportError,
    forget::{self, Forgotten, RemovalRequest},
};
use system::{git, root::Root};

#[derive(Debug, Args)]
pub(super) struct Forget {
    /// Ids of the reviews
    #[arg(value_name = "ID", required_unless_present = "author", conflicts_with = "author")]
    ids: Vec<ReviewId>,
    /// Every review by this author, in place of ids
    #[arg(long, value_name = "NAME")]
    author: Option<String>,
    /// Why, as the tombstone says it: one of the reasons for withholding a review
    #[arg(long, default_value = "author_request", value_name = "REASON")]
    reason: WithheldReason,
}

impl Forget {
    pub(super) fn run(self, context: &Context) -> anyhow::Result<Exit> {
        let folder = &context.global.content;
        let request = RemovalRequest { ids: self.ids, author: self.author, reason: self.reason };
        let forgotten = match forget::run(folder, &request, Timestamp::now()) {
            Ok(forgotten) => forgotten,
            Err(ImportError::Content(problems)) => {
                context.out.problems(&problems);
                return Err(ImportError::Content(Vec::new()).into());
            }
            Err(error) => return Err(error.into()),
        };
        say(context, folder, &forgotten);
        Ok(Exit::Done)
    }
}

fn say(context: &Context, folder: &Path, forgotten: &Forgotten) {
    let out = &context.out;
    let Forgotten { removed, known, files, exports } = forgotten;
    let listed =
        |ids: &[ReviewId]| ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    if !removed.is_empty() {
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let reviews = plural(removed.len(), "review", "reviews");
        out.say(&format!("removed {reviews} from {}: {}", files.join(", "), listed(removed)));
    }
    if !known.is_empty() {
        out.say(&format!(
            "was removed earlier; its tombstone now prevents an import: {}",
            listed(known)
        ));
    }
    out.say(&format!(
        "imports leave it out from now on; publish the site to take it off there: {}",
        context.publishing()
    ));
    out.say("what still holds it:");
    let ids: Vec<ReviewId> = removed.iter().chain(known).copied().collect();
    out.say(&format!("  version control: {}", history(folder, &ids)));
    if exports.is_empty() {
        out.say("  exports: no import is logged; delete the files it came from")
    } else {
        out.say(&format!(
            "  exports: delete your copies of {}, or the reviews in them",
            exports.join(", ")
        ))
    }
    for mention in mentions(folder, &ids) {
        out.say(&format!("  {mention}"));
    }
}

/// Returns how many commits have the ids, as far as git can find them, and what to do then.
fn history(content: &Path, ids: &[ReviewId]) -> String {
    let mut commits = 0;
    // Entries of the transparency log have no text, and stay.
    let entries = format!(":(exclude){ENTRIES_FILE}");
    for id in ids {
        let mut git = git::command(content);
        git.args(["log", "--no-textconv", "--no-ext-diff", "--no-show-signature"]);
        git.args(["--all", "--format=%h", "-S"]);
        let output = git.arg(id.to_string()).args(["--", ".", &entries]).output();
        match output {
            Ok(output) if output.status.success() => {
                commits += output.stdout.iter().filter(|&&byte| byte == b'\n').count();
            }
            _ => return "no git history was found; look into your own backups".to_owned(),
        }
    }
    match commits {
        0 => "no commit adds or removes it".to_owned(),
        1 => "1 commit has it; to rewrite the history, see git filter-repo".to_owned(),
        count => format!("{count} commits have it; to rewrite the history, see git filter-repo"),
    }
}

/// Files of the owner that still name the ids.
fn mentions(content: &Path, ids: &[ReviewId]) -> Vec<String> {
    let mut found = Vec::new();
    // A row of an annotation may quote the review.
    let root = Root::at(content);
    let mut files = ["overrides.toml", "faq.toml", "summary.md"].map(PathBuf::from).to_vec();
    for folder in ["annotations", "pages"].map(Path::new) {
        let names = root.names(folder).unwrap_or_default();
        files.extend(names.into_iter().map(|name| folder.join(name)));
    }
    for path in files {
        let text = root.text(&path).ok().flatten().unwrap_or_default();
        for id in ids.iter().filter(|id| text.contains(&id.to_string())) {
            found.push(format!(
                "{}: names {id}; remove it there by hand",
                root.shown(&path).display()
            ));
        }
    }
    found
}

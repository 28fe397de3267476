//! Makes the change of a command that changes one review, and reports it.

use jiff::Timestamp;

use super::{Context, Exit, stored::StoredReviews};
use content::IdPrefix;
use import::{
    ImportError,
    edit::{self, ReviewChange},
};

/// Makes the changes and says so, or prints the review as it is then. `done` is what was done to the
/// review.
pub(super) fn run(
    context: &Context,
    id: &IdPrefix,
    changes: &[ReviewChange],
    done: &str,
    json: bool,
) -> anyhow::Result<Exit> {
    let edited = match edit::run(&context.global.content, id, changes, Timestamp::now()) {
        Ok(edited) => edited,
        Err(ImportError::Content(problems)) => {
            context.out.problems(&problems);
            anyhow::bail!("nothing was changed; correct what is above");
        }
        Err(error) => return Err(error.into()),
    };
    if json {
        let stored = StoredReviews::read(context)?;
        stored.view(edited.id)?.print_json(context)?;
        return Ok(Exit::Done);
    }
    let files: Vec<String> = edited.files.iter().map(|path| path.display().to_string()).collect();
    context.out.say(&if files.is_empty() {
        format!("nothing was changed: {} is like that already", edited.id)
    } else {
        format!(
            "{done} {} in {}; publish the change with: {}",
            edited.id,
            files.join(" and "),
            context.publishing()
        )
    });
    Ok(Exit::Done)
}

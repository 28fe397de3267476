//! The values of an argument: people, services and aspects by the beginning of a name, and reviews' ids.

use std::sync::Arc;

use contract::query::Subject;
use rmcp::{
    ErrorData,
    model::{CompleteRequestParams, CompleteResult, CompletionInfo, Reference},
};

use super::catalog::catalog;
use super::{
    prompts, resources,
    served::{SITE, Served},
    text::quoted,
};
use crate::publication::snapshot::Snapshot;

/// Returns the values with the beginning of the argument, ids before names.
///
/// # Errors
/// When the prompt, the template or its argument is not known.
pub(super) fn complete(
    served: &Served,
    request: &CompleteRequestParams,
) -> Result<CompleteResult, ErrorData> {
    let mut found: Vec<_> = served.loaded().filter_map(|site| values(site, request)).collect();
    if let Reference::Prompt(prompt) = &request.r#ref
        && request.argument.name == SITE
        && prompts::exists(&prompt.name)
        && served.only().is_none()
    {
        let begun = request.argument.value.to_ascii_lowercase();
        let names = served.names().into_iter().filter(|name| name.starts_with(&begun));
        let names: Vec<_> = names.map(str::to_owned).collect();
        found.push((names.clone(), names.len()));
    }
    if found.is_empty() {
        return Err(unknown(request));
    }
    let total = found.iter().map(|(_, total)| total).sum::<usize>();
    let mut completion = CompletionInfo::default();
    completion.values = found.into_iter().flat_map(|(values, _)| values).collect();
    completion.values.truncate(CompletionInfo::MAX_VALUES);
    completion.total = u32::try_from(total).ok();
    completion.has_more = Some(total > completion.values.len());
    Ok(CompleteResult::new(completion))
}

/// Returns the values of one site, and their number; `None` if the argument is not known.
fn values(
    (name, snapshot): (&str, &Arc<Snapshot>),
    request: &CompleteRequestParams,
) -> Option<(Vec<String>, usize)> {
    let (argument, begun) = (request.argument.name.as_str(), request.argument.value.as_str());
    Some(match &request.r#ref {
        Reference::Prompt(prompt) if prompts::has(&prompt.name, argument) => match argument {
            "technician" => matching(snapshot, Subject::Technician, begun),
            "service" => matching(snapshot, Subject::Service, begun),
            "aspect" => matching(snapshot, Subject::Aspect, begun),
            _ => (Vec::new(), 0),
        },
        Reference::Resource(resource)
            if argument == "id" && is_template(name, snapshot, &resource.uri) =>
        {
            let begun = begun.to_ascii_uppercase();
            let arena = &snapshot.collection.arena;
            arena.ids_from(&begun, CompletionInfo::MAX_VALUES)
        }
        _ => return None,
    })
}

fn is_template(name: &str, snapshot: &Arc<Snapshot>, uri: &str) -> bool {
    uri == format!("{}{{id}}", resources::prefix(&catalog(name, snapshot).identity))
}

/// Returns the ids of entities whose name has this beginning, and their number.
fn matching(snapshot: &Snapshot, subject: Subject, begun: &str) -> (Vec<String>, usize) {
    let all = snapshot.names(subject).beginning(begun);
    let ids = all.iter().take(CompletionInfo::MAX_VALUES).map(|named| named.id.clone());
    (ids.collect(), all.len())
}

fn unknown(request: &CompleteRequestParams) -> ErrorData {
    let of = match &request.r#ref {
        Reference::Prompt(prompt) => format!("the prompt {}", quoted(&prompt.name)),
        Reference::Resource(resource) => format!("the resource {}", quoted(&resource.uri)),
        other => other.reference_type().to_owned(),
    };
    let message = format!(
        "There is no argument {} of {of}. prompts/list and resources/templates/list say which \
         there are.",
        quoted(&request.argument.name)
    );
    ErrorData::invalid_params(message, None)
}

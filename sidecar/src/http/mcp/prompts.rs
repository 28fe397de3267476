//! The prompts: questions of an owner or a customer, with the tools to call. They contain no text
//! of a review.

use contract::mcp::QUOTED;
use rmcp::{
    ErrorData,
    model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role},
};
use serde_json::Value;

use super::{served::SITE, text::quoted};
/// Maximum characters of an argument.
const MAX_ARGUMENT: usize = 200;

/// A prompt and its arguments.
struct PromptEntry {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [Argument],
}

struct Argument {
    name: &'static str,
    description: &'static str,
    required: bool,
}

const SERVICE: Argument = Argument {
    name: "service",
    description: "The service you need, by id or label",
    required: false,
};

const ENTRIES: &[PromptEntry] = &[
    PromptEntry {
        name: "should_i_hire",
        title: "Should I hire them?",
        description: "For a customer: what the reviews say for and against, for one service or \
                      with one concern.",
        arguments: &[
            SERVICE,
            Argument {
                name: "aspect",
                description: "What matters to you most, such as an aspect's id",
                required: false,
            },
        ],
    },
    PromptEntry {
        name: "technician_feedback",
        title: "Feedback on a technician",
        description: "For the owner: what customers say of one technician, praise and complaints.",
        arguments: &[Argument {
            name: "technician",
            description: "The technician, by id or name",
            required: true,
        }],
    },
    PromptEntry {
        name: "whats_new",
        title: "What is new in the reviews",
        description: "For the owner: what came in since a day, what needs a reply, what repeats.",
        arguments: &[Argument {
            name: "since",
            description: "The day to begin with, YYYY-MM-DD",
            required: true,
        }],
    },
];

/// Returns every prompt. If there are several sites, each has an argument for the site.
pub(super) fn list(sites: &[&str]) -> Vec<Prompt> {
    let site = (!sites.is_empty()).then(|| {
        let known = format!("The business, by its address: {}", sites.join(", "));
        PromptArgument::new(SITE).with_description(known).with_required(true)
    });
    let argument = |argument: &Argument| {
        PromptArgument::new(argument.name)
            .with_description(argument.description)
            .with_required(argument.required)
    };
    let prompt = |entry: &PromptEntry| {
        let arguments = entry.arguments.iter().map(argument).chain(site.clone()).collect();
        Prompt::new(entry.name, Some(entry.description), Some(arguments)).with_title(entry.title)
    };
    ENTRIES.iter().map(prompt).collect()
}

/// Whether a prompt has an argument.
pub(super) fn has(prompt: &str, argument: &str) -> bool {
    let mut arguments = find(prompt).into_iter().flat_map(|entry| entry.arguments);
    arguments.any(|known| known.name == argument)
}

/// Whether there is such a prompt.
pub(super) fn exists(prompt: &str) -> bool {
    find(prompt).is_some()
}

fn find(name: &str) -> Option<&'static PromptEntry> {
    ENTRIES.iter().find(|entry| entry.name == name)
}

/// Returns a prompt with its arguments filled in, about the business of this name. `site` names it in calls if there are
/// several.
///
/// # Errors
/// When there is no such prompt, or an argument is missing, unknown or not text.
pub(super) fn get(
    business: &str,
    site: Option<&str>,
    name: &str,
    arguments: &JsonObject,
) -> Result<GetPromptResult, ErrorData> {
    let invalid = |message: String| ErrorData::invalid_params(message, None);
    let entry = find(name).ok_or_else(|| {
        let known: Vec<_> = ENTRIES.iter().map(|entry| entry.name).collect();
        invalid(format!("There is no prompt {}. There are {}.", quoted(name), known.join(", ")))
    })?;
    check(entry, arguments).map_err(invalid)?;
    let given = |name: &str| arguments.get(name).and_then(Value::as_str).filter(|v| !v.is_empty());
    let text = match entry.name {
        "should_i_hire" => should_i_hire(business, given("service"), given("aspect")),
        "technician_feedback" => technician_feedback(given("technician").unwrap_or_default()),
        _ => whats_new(given("since").unwrap_or_default()),
    };
    let site = site
        .map_or_else(String::new, |site| format!(" Send {SITE} {} with every call.", quoted(site)));
    let message = PromptMessage::new_text(Role::User, format!("{text}{site} {QUOTED}"));
    Ok(GetPromptResult::new(vec![message]).with_description(entry.description))
}

fn check(entry: &PromptEntry, arguments: &JsonObject) -> Result<(), String> {
    let names: Vec<_> = entry.arguments.iter().map(|argument| argument.name).collect();
    if let Some(unknown) = arguments.keys().find(|name| !names.contains(&name.as_str())) {
        let names = names.join(", ");
        return Err(format!(
            "{} is not an argument of {}; its arguments are {names}.",
            quoted(unknown),
            entry.name
        ));
    }
    for argument in entry.arguments {
        let name = argument.name;
        match arguments.get(name) {
            Some(Value::String(text)) if text.chars().count() > MAX_ARGUMENT => {
                return Err(format!("{name} must be text of at most {MAX_ARGUMENT} characters."));
            }
            Some(Value::String(text)) if !text.is_empty() || !argument.required => {}
            None | Some(Value::Null) if !argument.required => {}
            None | Some(Value::Null | Value::String(_)) => {
                return Err(format!("{name} is required: {}.", argument.description));
            }
            Some(_) => return Err(format!("{name} must be text.")),
        }
    }
    Ok(())
}

fn should_i_hire(business: &str, service: Option<&str>, aspect: Option<&str>) -> String {
    let service = service.map_or_else(String::new, |service| {
        let service = quoted(service);
        format!(" I need this service: {service}. Use get_service and search_reviews with mentions_service.")
    });
    let aspect = aspect.map_or_else(String::new, |aspect| {
        let aspect = quoted(aspect);
        format!(" What matters to me most: {aspect}. Use get_aspect_sentiment, or search_reviews with query.")
    });
    format!(
        "Should I hire {business}? Begin with get_summary and get_business.{service}{aspect} Read the low \
         ratings too (search_reviews with rating 1 and 2), and the owner's replies to them. Say \
         what speaks for and against, how many reviews each point rests on and how old they are, \
         and give the url of each review you quote."
    )
}

fn technician_feedback(technician: &str) -> String {
    let technician = quoted(technician);
    format!(
        "What do customers say of the technician {technician}? Use get_technician, and \
         search_reviews with mentions_technician until there is no next_cursor. Separate praise, \
         complaints and what has changed over time; give the url of each review you quote; say how \
         many reviews each point rests on and draw no conclusions from very few."
    )
}

fn whats_new(since: &str) -> String {
    let since = quoted(since);
    format!(
        "What is new in our reviews since {since}? Use get_reviews_since with that date until there \
         is no next_cursor, and get_summary for comparison. List what needs a reply (low ratings \
         without owner_reply first), what is said more than once, and who is praised by name. Give \
         the url of each review."
    )
}

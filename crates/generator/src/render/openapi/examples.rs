//! Example values of parameters, from the site's own data: each finds a review. One more review
//! rarely changes them.

use contract::{
    query::{Kind, Parameter, Subject},
    text::casefold,
};
use serde_json::{Value, json};

use content::dataset::Dataset;

/// The number of newest reviews in which a word is searched.
const SEARCHED: usize = 1_000;

/// Returns an example; `None` if the site has none that finds a review.
pub(super) fn example(data: &Dataset, parameter: &Parameter) -> Option<Value> {
    let year = data.reviews.first()?.date.date().year();
    match (parameter.name, parameter.kind) {
        ("until", _) => Some(json!(format!("{year}-12-31"))),
        (_, Kind::Day | Kind::Instant) => Some(json!(format!("{year}-01-01"))),
        (_, Kind::Year) => Some(json!(year)),
        (_, Kind::Stars | Kind::LeastStars) => {
            data.reviews.iter().map(|review| review.rating).max().map(|most| json!(most))
        }
        (_, Kind::Limit | Kind::Facets) => Some(parameter.example_value()),
        (_, Kind::Name(subject)) => id(data, subject).map(Value::from),
        ("author", _) => data.reviews.last().map(|review| json!(review.author)),
        (_, Kind::Text(_) | Kind::Words(_)) => word(data).map(Value::from),
        ("has_text", _) => Some(json!(data.reviews.iter().any(|it| it.text.is_some()))),
        (_, Kind::Flag) => Some(json!(data.reviews.iter().any(|it| it.owner_reply.is_some()))),
        ("sentiment", _) => {
            data.insights.per_review.iter().map(|judged| judged.sentiment).max().map(|it| json!(it))
        }
        (_, Kind::Choice(words)) => words.first().map(|word| json!(word)),
        (_, Kind::Ids) => Some(json!(data.reviews.first()?.id)),
        // A cursor that somebody made up is refused.
        (_, Kind::Cursor | Kind::ChangesCursor) => None,
    }
}

/// Returns the id of the first entity that a review mentions.
fn id(data: &Dataset, subject: Subject) -> Option<&str> {
    let mentions = || data.reviews.iter().map(|review| &review.mentions);
    let business = &data.business;
    let (technicians, services, areas) =
        (&business.technicians, &business.services, &business.service_areas);
    let id = match subject {
        Subject::Technician => technicians
            .iter()
            .map(|technician| &technician.id)
            .find(|id| mentions().any(|mentions| mentions.technician_ids.contains(id))),
        Subject::Service => services
            .iter()
            .map(|service| &service.id)
            .find(|id| mentions().any(|mentions| mentions.services.contains(id))),
        Subject::Area => areas
            .iter()
            .map(|area| &area.id)
            .find(|id| mentions().any(|mentions| mentions.service_areas.contains(id))),
        Subject::Topic => return data.insights.topics.first().map(|topic| &*topic.id),
        Subject::Aspect => return data.insights.aspects.first().map(|aspect| &*aspect.id),
        Subject::Source => return data.reviews.iter().map(|review| &*review.source).min(),
        Subject::Language => {
            return data.reviews.iter().filter_map(|review| review.language.as_deref()).min();
        }
    };
    id.map(|id| &**id)
}

/// Returns the word for a service or an aspect in a text.
pub(crate) fn word(data: &Dataset) -> Option<String> {
    let services = data.business.services.iter();
    let services = services.flat_map(|it| [&*it.label].into_iter().chain(strings(&it.aliases)));
    let aspects = data.insights.aspects.iter().map(|aspect| &*aspect.label);
    let texts = data.reviews.iter().take(SEARCHED).filter_map(|review| review.text.as_deref());
    let texts: Vec<_> = texts.map(casefold).collect();
    let mut names = services.chain(aspects).map(casefold);
    let name = names.find(|name| texts.iter().any(|text| text.contains(&**name)))?;
    Some(name.into_owned())
}

fn strings(list: &[String]) -> impl Iterator<Item = &str> {
    list.iter().map(String::as_str)
}

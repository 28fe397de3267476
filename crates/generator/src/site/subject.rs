//! Pages about one subject of reviews: a technician, a service, an area, an aspect, a topic.

use std::sync::Arc;

use minijinja::{Value, value::Serde};
use serde::Serialize;

use super::{
    chart, json_ld,
    listing::{pages_of, per_page, reviews},
    members::{Members, Numbers, SubjectKind},
    page::{Head, Page},
    paged::{Paged, Pager},
    quotes::{QuoteView, quotes},
    renderer::{Renderer, shows_aspects},
    review_view::{MarkView, ReviewView},
    view::{CountedLink, MIN_OPINIONS, Viewer},
};
use content::{dataset::Dataset, theme::to_html};
use contract::model::Ratio;
use insights::{
    AspectSummary, EntityKind, EntitySummary, Example, Sentiment, Tally, Trend, counted,
};

impl SubjectKind {
    pub(super) const ALL: [Self; 5] =
        [Self::Technician, Self::Service, Self::Area, Self::Aspect, Self::Topic];

    /// Returns the folder of its pages.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Self::Technician => "technicians",
            Self::Service => "services",
            Self::Area => "areas",
            Self::Aspect => "aspects",
            Self::Topic => "topics",
        }
    }

    /// Returns the key of the phrase for one subject; the folder's name is the key of the phrase for all.
    fn word(self) -> &'static str {
        match self {
            Self::Technician => "technician",
            Self::Service => "service",
            Self::Area => "area",
            Self::Aspect => "aspect",
            Self::Topic => "topic",
        }
    }

    /// The parameter of a search for it.
    fn parameter(self) -> &'static str {
        match self {
            Self::Technician => "mentions_technician",
            Self::Service => "mentions_service",
            Self::Area => "mentions_area",
            Self::Aspect => "aspect",
            Self::Topic => "topic",
        }
    }
}

/// The number of letters from which a sentence says enough on its own.
const LONG: usize = 40;

/// One subject of any kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Subject<'d> {
    pub(super) kind: SubjectKind,
    pub(super) id: &'d Arc<str>,
    pub(super) name: &'d str,
    pub(super) tally: &'d Tally,
    phrases: &'d [String],
    pub(super) examples: &'d [Example],
    spare: &'d [Example],
    trend: Option<Trend>,
}

/// Returns all subjects of a kind that have a page, in the order of the owner's files.
pub(super) fn subjects<'d>(data: &'d Dataset, kind: SubjectKind) -> Vec<Subject<'d>> {
    let entities = |of: EntityKind| -> Vec<Subject<'d>> {
        let all = data.insights.entities.get(&of).map_or(&[][..], Vec::as_slice);
        let scored = all.iter().filter(|entity| entity.is_scored);
        scored.map(|entity| of_entity(kind, entity)).collect()
    };
    match kind {
        SubjectKind::Technician => entities(EntityKind::Technician),
        SubjectKind::Service => entities(EntityKind::Service),
        SubjectKind::Area => entities(EntityKind::ServiceArea),
        SubjectKind::Aspect if !shows_aspects(data) => Vec::new(),
        SubjectKind::Aspect => discussed(data.insights.aspects.iter().map(of_aspect)),
        SubjectKind::Topic => discussed(data.insights.topics.iter().map(of_topic)),
    }
}

/// Keeps the subjects that enough reviews mention: one opinion is only its author's.
fn discussed<'d>(subjects: impl Iterator<Item = Subject<'d>>) -> Vec<Subject<'d>> {
    subjects.filter(|subject| subject.tally.count() >= MIN_OPINIONS).collect()
}

fn of_entity(kind: SubjectKind, entity: &EntitySummary) -> Subject<'_> {
    Subject {
        kind,
        id: &entity.id,
        name: &entity.name,
        tally: &entity.tally,
        phrases: &entity.top_phrases,
        examples: &[],
        spare: &[],
        trend: None,
    }
}

fn of_aspect(aspect: &AspectSummary) -> Subject<'_> {
    Subject {
        kind: SubjectKind::Aspect,
        id: &aspect.id,
        name: &aspect.label,
        tally: &aspect.tally,
        phrases: &aspect.top_phrases,
        examples: &aspect.examples,
        spare: &aspect.spare_examples,
        trend: Some(aspect.trend),
    }
}

fn of_topic(topic: &insights::TopicSummary) -> Subject<'_> {
    Subject {
        kind: SubjectKind::Topic,
        id: &topic.id,
        name: &topic.label,
        tally: &topic.tally,
        phrases: &[],
        examples: &[],
        spare: &[],
        trend: None,
    }
}

impl<'d> Subject<'d> {
    /// Returns the frequent phrases without the name, which every one of these reviews contains.
    fn telling_phrases(&self) -> Vec<&'d str> {
        let name = self.name.to_lowercase();
        let is_name =
            |phrase: &str| phrase.split(' ').all(|word| name.split(' ').any(|n| n == word));
        self.phrases.iter().map(String::as_str).filter(|phrase| !is_name(phrase)).collect()
    }
}

impl<'d> Subject<'d> {
    /// Returns the examples, of each side as many long ones as there are, and short ones in place of the others.
    fn telling_examples(&self) -> impl Iterator<Item = &'d Example> {
        let is_long = |it: &&Example| it.quote.chars().count() >= LONG;
        let all = || self.examples.iter().chain(self.spare);
        let mut taken: Vec<&'d Example> = Vec::new();
        for example in all().filter(is_long).chain(all().filter(|it| !is_long(it))) {
            let of_side = |list: &mut dyn Iterator<Item = &'d Example>| {
                list.filter(|it| it.sentiment == example.sentiment).count()
            };
            let wanted = of_side(&mut self.examples.iter());
            if of_side(&mut taken.iter().copied()) < wanted {
                taken.push(example);
            }
        }
        taken.into_iter()
    }
}

impl Subject<'_> {
    /// Returns the path below `base_url`.
    fn path(&self, viewer: &Viewer<'_>) -> String {
        viewer.routes.page(&format!("{}/{}/", self.kind.folder(), self.id))
    }

    /// Returns the name in the words of the site.
    fn label(&self, viewer: &Viewer<'_>) -> String {
        match self.kind {
            SubjectKind::Aspect => viewer.words.aspect(self.id, self.name),
            _ => self.name.to_owned(),
        }
    }

    pub(super) fn link(&self, viewer: &Viewer<'_>) -> CountedLink {
        CountedLink {
            href: viewer.routes.href(&self.path(viewer)),
            label: self.label(viewer),
            count: self.tally.count(),
            filter: format!("{}={}", self.kind.parameter(), self.id),
        }
    }

    pub(super) fn photo(&self, viewer: &Viewer<'_>) -> Option<String> {
        let photos = &viewer.data.site.appearance.photos;
        let photo = photos.get(self.id).filter(|_| self.kind == SubjectKind::Technician);
        photo.map(|(photo, _)| photo.asset_of(self.id))
    }

    pub(super) fn card(&self, viewer: &Viewer<'_>) -> CardView {
        let sentiments =
            [Sentiment::Positive, Sentiment::Mixed, Sentiment::Neutral, Sentiment::Negative];
        let counts = sentiments.map(|sentiment| self.tally.with(sentiment));
        let values = [
            ("positive", viewer.words.count(counts[0])),
            ("mixed", viewer.words.count(counts[1])),
            ("neutral", viewer.words.count(counts[2])),
            ("negative", viewer.words.count(counts[3])),
        ];
        let words = viewer.words.say("sentiment_chart", None, &values).unwrap_or_default();
        // The stars of a review are about all that it says, and would read as those of the aspect.
        let has_stars = !matches!(self.kind, SubjectKind::Aspect | SubjectKind::Topic);
        let average = self.tally.average_rating().filter(|_| has_stars).map(Ratio::value);
        let link = self.link(viewer);
        CardView {
            evidence: viewer.searched(&format!("{}&sentiment=", link.filter)),
            link,
            photo: self.photo(viewer),
            counts,
            bar: chart::sentiments(counts, &words),
            words,
            share: counted(&*viewer.words, self.tally, Sentiment::Positive),
            average: average.map(|average| viewer.words.decimal(average, 2)),
            fill: fill_class(average),
        }
    }
}

/// Returns the class that fills stars up to an average, in tenths of a star.
pub(super) fn fill_class(average: Option<f64>) -> String {
    average.map_or(String::new(), |average| format!("s{:.0}", (average * 10.0).floor()))
}

/// The opinions about a subject, in a few lines.
#[derive(Debug, Serialize)]
pub(super) struct CardView {
    link: CountedLink,
    /// The name of the asset with a person's picture.
    photo: Option<String>,
    /// The search for the reviews behind one of the counts, up to the opinion.
    evidence: String,
    /// The numbers of positive, mixed, neutral and negative mentions.
    counts: [u64; 4],
    bar: Value,
    words: String,
    /// The opinions in words: how many of all are positive, and how many are unclear.
    share: String,
    /// The average of stars; `None` for an aspect or a topic.
    average: Option<String>,
    fill: String,
}

#[derive(Debug, Serialize)]
struct SubjectView<'d> {
    heading: String,
    /// The postal codes of an area; visitors search for their own.
    postal_codes: String,
    /// The owner's text about a service or an area.
    text: Option<Value>,
    kind: String,
    up: String,
    up_label: String,
    card: CardView,
    intro: String,
    trend: String,
    phrases: Vec<&'d str>,
    quotes: Vec<QuoteView<'d>>,
    reviews: Vec<ReviewView<'d>>,
    marks: Vec<MarkView>,
    pager: Pager,
}

/// The pages of all subjects.
pub(super) fn pages<'d>(renderer: &Arc<Renderer<'d>>, members: &Members) -> Vec<Page<'d>> {
    let data = renderer.viewer.data;
    let all = SubjectKind::ALL.into_iter().flat_map(|kind| subjects(data, kind));
    // A page without a review would say nothing.
    let all = all.filter(|subject| subject.tally.count() > 0);
    all.flat_map(|subject| {
        let numbers = members.about(subject.kind, subject.id);
        subject_pages(renderer, subject, numbers)
    })
    .collect()
}

fn subject_pages<'d>(
    renderer: &Renderer<'d>,
    subject: Subject<'d>,
    numbers: Numbers,
) -> Vec<Page<'d>> {
    let path = subject.path(&renderer.viewer);
    let data = renderer.viewer.data;
    let per_page = per_page(data);
    let list = Paged::new(path.clone(), numbers, &data.reviews, per_page);
    pages_of(data, list, subject.label(&renderer.viewer), |list| {
        Page::new(path, "subject.html", move |renderer| subject_page(renderer, subject, &list))
    })
}

fn subject_page<'d>(renderer: &Renderer<'d>, subject: Subject<'d>, list: &Paged) -> (Head, Value) {
    let viewer = &renderer.viewer;
    let words = &viewer.words;
    let count = subject.tally.count();
    let intro_key = match subject.kind {
        SubjectKind::Aspect | SubjectKind::Topic => "aspect_intro",
        _ => "entity_intro",
    };
    let intro = words.say(intro_key, Some(count), &[]).unwrap_or_default();
    let name = &viewer.data.business.name;
    let heading = subject.label(viewer);
    let folder = subject.kind.folder();
    let (up, up_label) = (viewer.routes.page(&format!("{folder}/")), words.word(folder));
    let head = Head {
        title: format!(
            "{heading}: {} · {name}",
            words.say("n_reviews", Some(count), &[]).unwrap_or_default()
        ),
        description: format!("{name}: {heading}. {intro}"),
        json_ld: Some(json_ld::trail(
            viewer.data,
            &viewer.routes,
            &[(&up_label, &up), (&heading, &subject.path(viewer))],
        )),
    };
    let reviews = reviews(viewer, list.part(None));
    let card = subject.card(viewer);
    let view = SubjectView {
        heading,
        postal_codes: match subject.kind {
            SubjectKind::Area => {
                viewer.data.postal_codes.get(subject.id).map(|codes| codes.join(", "))
            }
            _ => None,
        }
        .unwrap_or_default(),
        text: match subject.kind {
            SubjectKind::Service => viewer.data.service_texts.get(subject.id),
            SubjectKind::Area => viewer.data.area_texts.get(subject.id),
            _ => None,
        }
        .map(|(text, _)| to_html(text)),
        kind: words.word(subject.kind.word()),
        up: viewer.routes.href(&up),
        up_label,
        card,
        intro,
        trend: subject.trend.map_or(String::new(), |trend| trend_words(viewer, trend)),
        phrases: subject.telling_phrases(),
        quotes: quotes(viewer, subject.telling_examples()),
        marks: viewer.reviews.marks(reviews.iter()),
        reviews,
        pager: list.pager(viewer, None),
    };
    (head, Value::from(Serde(view)))
}

/// The trend in words, if it has a direction.
pub(super) fn trend_words(viewer: &Viewer<'_>, trend: Trend) -> String {
    match trend {
        Trend::Improving => viewer.words.word("trend_improving"),
        Trend::Declining => viewer.words.word("trend_declining"),
        Trend::Stable | Trend::Insufficient => String::new(),
    }
}

//! One stored review as it is published: corrections applied, the author's privacy kept.

use std::sync::Arc;

use contract::{
    model::{
        ANONYMOUS, Business, Disclosure, Mentions, OwnerReply, Review, Translation,
        VerificationKind,
    },
    text::clean,
};

use crate::{
    load::Content,
    overrides::Override,
    record::{self, Record},
    site::Authors,
};

/// The published review of a record.
pub(super) fn publish(
    record: Record,
    correction: Option<&Override>,
    mentions: Mentions,
    content: &Content,
) -> Review {
    let site = &content.site;
    let verification = verification(&record, &content.business);
    let name = correction.and_then(|c| c.author.as_deref()).unwrap_or(&record.author.0);
    let author = match site.authors {
        Authors::Full => name.into(),
        Authors::Short => short_name(name).into(),
        Authors::Anonymous => ANONYMOUS.into(),
    };
    let by_hand = |pick: fn(&Override) -> &Option<String>| {
        correction.and_then(|c| pick(c).as_deref().map(Into::into))
    };
    let date_precision = record.known_precision();
    let added = record.added.unwrap_or(record.updated);
    // An import stamps what it changes; by hand the record's own time is the change's.
    let stamped = record.changed.or((record.updated > added).then_some(record.updated));
    let changed = stamped.max(correction.map(|c| c.date)).filter(|at| *at > added);
    let source_url = by_hand(|c| &c.source_url).or(record.source_url.map(|url| url.0));
    let disclosure = correction.and_then(|c| c.disclosure.clone()).or(record.disclosure);
    Review {
        url: site.review_url(record.id).into(),
        id: record.id,
        author,
        author_avatar_url: record
            .author_avatar_url
            .map(|url| url.0)
            .filter(|_| site.authors == Authors::Full),
        rating: record.rating,
        date: record.date,
        text: record.text.and_then(|words| words.0),
        source: Arc::clone(&record.source.0),
        source_url: source_url.filter(|_| site.authors != Authors::Anonymous),
        owner_reply: Override::reply(correction, record.owner_reply).and_then(clean_reply),
        verified: true,
        verification,
        updated: correction.map_or(record.updated, |c| c.date.max(record.updated)),
        language: by_hand(|c| &c.language).or(record.language.map(|tag| tag.0)),
        translation: record.translation.and_then(|it| translated(*it, &record.source.0)),
        date_precision,
        disclosure: disclosure.map(clean_disclosure),
        mentions,
        added,
        changed,
    }
}

/// The mark of the source counts before the method of the business.
fn verification(record: &Record, business: &Business) -> VerificationKind {
    let method = business.methods.get(&*record.source.0);
    match method {
        _ if record.verified_purchase => VerificationKind::Purchase,
        Some(method) if method.is_platform => VerificationKind::Platform,
        _ => VerificationKind::Business,
    }
}

/// The source's translation.
fn translated(stored: record::Translation, source: &Arc<str>) -> Option<Translation> {
    Some(Translation {
        text: clean(&stored.text)?.into(),
        language: stored.language.map(|tag| tag.0),
        by: Arc::clone(source),
    })
}

fn clean_reply(reply: OwnerReply) -> Option<OwnerReply> {
    Some(OwnerReply { text: clean(&reply.text)?, ..reply })
}

fn clean_disclosure(disclosure: Disclosure) -> Disclosure {
    Disclosure { note: disclosure.note.as_deref().and_then(clean), ..disclosure }
}

/// `Maria Lopez Garcia` becomes `Maria G.`, and so do `Maria.Garcia` and `Garcia, Maria`. Parts without letters and
/// e-mail addresses are left out; what remains is `Anonymous` if nothing does. A single word stays as it is.
fn short_name(name: &str) -> String {
    let blanks = name.replace('＠', "@").split_whitespace().collect::<Vec<_>>().join(" ");
    let name = blanks.replace(" @", "@").replace("@ ", "@");
    let is_name = |word: &&str| word.contains(char::is_alphabetic) && !word.contains('@');
    let words = |text| str::split(text, [' ', ',']).filter(is_name).collect::<Vec<&str>>();
    let (before, behind) = name.split_once(',').unwrap_or((&name, ""));
    let (mut words, mut rest) = (words(before), words(behind));
    if words.len() == 1 {
        // The surname comes first.
        std::mem::swap(&mut words, &mut rest);
    }
    words.append(&mut rest);
    if let [word] = words[..] {
        let parts = word.split(['.', '/', '_']).filter(is_name).collect::<Vec<_>>();
        words = if parts.len() > 1 { parts } else { words };
    }
    let initial = words.last().and_then(|last| last.chars().find(|c| c.is_alphanumeric()));
    match (&words[..], initial) {
        ([first, _, ..], Some(initial)) => format!("{first} {}.", initial.to_uppercase()),
        ([first, ..], _) => (*first).to_owned(),
        ([], _) => ANONYMOUS.to_owned(),
    }
}

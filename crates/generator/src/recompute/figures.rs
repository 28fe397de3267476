//! What a page says of reviews: all figures, the reviews and quotes on it with all that is said of them, its JSON-LD,
//! and whatever can hide or replace these. Of the phrases around figures nothing is compared, which an owner can replace.

use html5gum::{StartTag, Token, Tokenizer};
use serde_json::{Value, json};

/// Keys of JSON-LD whose values only the content has: pictures, postal codes, the owner's words.
const OF_CONTENT: &str = "logo image areaServed itemListElement";
/// Elements with pictures of the owner.
const PICTURES: &str = "img source";
/// Elements whose text is all compared, as that of a review.
const QUOTES: &str = "figure blockquote q";

/// Elements and attributes that hide something, show something else, or run a program.
const HIDING: &str = "audio base bdo canvas datalist dialog embed iframe meter noembed noframes noscript object option \
    progress rp script select style template textarea video xmp hidden inert popover srcdoc";
/// Elements that do it to figures, and not in the owner's words.
const FOLDING: &str = "del details s";
/// Classes without which no rule of the shipped style sheet hides anything.
const HIDDEN: &str =
    "hidden asked js skip needs-script choose standing brand carousel code menu-button read voice";
/// Attributes of all these that are compared.
const TELLING: &str = "class style hidden inert popover srcdoc src href http-equiv content";

/// A part of a page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Menus and the contact, which are not about reviews.
    Menu,
    Figures,
    /// Words of the owner, which can have quotes.
    Own,
    /// Quotes that the model chose, and phrases, which depend on names that only the content has.
    Chosen,
    Review,
}

/// How a page is read.
#[derive(Clone, Copy)]
pub(super) struct Reading {
    /// Whether quotes follow from the reviews.
    pub(super) judged: bool,
    /// Whether the whole page is about one review.
    pub(super) is_review: bool,
}

impl Part {
    /// What of its texts is compared.
    fn compared(self) -> &'static str {
        match self {
            Self::Menu | Self::Chosen => "nothing",
            Self::Figures | Self::Own => "figures",
            Self::Review => "review",
        }
    }
}

impl Reading {
    /// The part that an element in another part is.
    fn part(self, around: Part, name: &str, class: &str) -> Part {
        match (around, name, class) {
            (_, "article", _) | (_, _, "bare") => Part::Review,
            (Part::Menu, "main", _) if self.is_review => Part::Review,
            (Part::Menu, "main", _) => Part::Figures,
            (Part::Figures, "ul", "chips plain") => Part::Chosen,
            (Part::Figures, "figure", _) if !self.judged => Part::Chosen,
            (Part::Figures, "div", "prose" | "note") => Part::Own,
            (Part::Figures, ..) if is_among(name, QUOTES) => Part::Review,
            _ => around,
        }
    }
}

/// Returns what the page says, in its order.
pub(super) fn of_page(page: &str, reading: Reading) -> Vec<Value> {
    let mut said = Vec::new();
    // The name of an element whose whole text is read, what it is, and the text so far.
    let mut whole: Option<(Vec<u8>, &str, String)> = None;
    let first = if page.contains("<main") { Part::Menu } else { Part::Figures };
    // The open elements.
    let mut open: Vec<(Vec<u8>, Part)> = Vec::new();
    for token in Tokenizer::new(page).flatten() {
        let around = open.last().map_or(first, |(_, part)| *part);
        match (token, &mut whole) {
            (Token::StartTag(tag), None) => {
                let name = String::from_utf8_lossy(&tag.name);
                let class = attribute(&tag, "class").unwrap_or_default();
                let part = reading.part(around, &name, &class);
                said.extend(hiding(&tag, &name, part));
                said.extend(attributes(&tag, &name, part));
                whole = what(&tag, &name).map(|it| (tag.name.to_vec(), it, String::new()));
                if whole.is_none() && !tag.self_closing {
                    open.push((tag.name.to_vec(), part));
                }
            }
            (Token::EndTag(tag), None) => {
                let at = open.iter().rposition(|(name, _)| *name == *tag.name);
                open.truncate(at.unwrap_or(open.len()));
            }
            (Token::String(text), None) => {
                said.extend(value(around.compared(), &String::from_utf8_lossy(&text.value)));
            }
            (Token::String(more), Some((.., text))) => {
                text.push_str(&String::from_utf8_lossy(&more.value));
            }
            (Token::EndTag(tag), Some((name, what, text))) if *tag.name == *name => {
                said.extend(value(what, text));
                whole = None;
            }
            _ => {}
        }
    }
    said
}

/// Returns the address to which the page of the policy sends reports of reviews.
pub(super) fn reported_to(page: &str) -> Option<String> {
    let (_, rest) = page.split_once("id=\"report\"")?;
    let mut tokens = Tokenizer::new(rest).flatten();
    tokens.find(|it| matches!(it, Token::StartTag(tag) if &**tag.name == b"a"))?;
    let Token::String(text) = tokens.next()? else { return None };
    Some(String::from_utf8_lossy(&text.value).into_owned())
}

fn is_among(name: &str, names: &str) -> bool {
    names.split(' ').any(|it| it == name)
}

fn attribute(tag: &StartTag<()>, name: &str) -> Option<String> {
    Some(String::from_utf8_lossy(&tag.attributes.get(name.as_bytes())?.value).into_owned())
}

/// An element that can hide or replace something. The hash in the name of an asset depends on colours and the like.
fn hiding(tag: &StartTag<()>, name: &str, part: Part) -> Option<Value> {
    let attributes: Vec<(String, String)> = tag
        .attributes
        .iter()
        .map(|(name, of)| (String::from_utf8_lossy(name), String::from_utf8_lossy(&of.value)))
        .map(|(name, value)| (name.into_owned(), value.into_owned()))
        .collect();
    let is_folding = part == Part::Figures && is_among(name, FOLDING);
    let hides = attributes.iter().any(|(attribute, value)| match &**attribute {
        "class" => value.split_whitespace().any(|class| is_among(class, HIDDEN)),
        "rel" => name == "link" && value.contains("stylesheet"),
        "style" | "http-equiv" => true,
        other => other.starts_with("on") || is_among(other, HIDING),
    });
    if !hides && !is_folding && !is_among(name, HIDING) {
        return None;
    }
    let is_hash = |it: &&str| it.len() == 16 && it.bytes().all(|it| it.is_ascii_hexdigit());
    let told = attributes.iter().filter(|(it, _)| it.starts_with("on") || is_among(it, TELLING));
    let told = told.map(|(attribute, value)| {
        let value: Vec<&str> = value.split('.').filter(|it| !is_hash(it)).collect();
        format!(" {attribute}=\"{}\"", value.join("."))
    });
    Some(json!({ "hides": format!("<{name}{}>", told.collect::<String>()) }))
}

/// What the attributes of an element say: of a review everything, else figures.
fn attributes(tag: &StartTag<()>, name: &str, part: Part) -> Vec<Value> {
    // The name or property of a description of the page.
    let of = attribute(tag, "name").or_else(|| attribute(tag, "property")).unwrap_or_default();
    let is_description = ["title", "description"].iter().any(|it| of.ends_with(it));
    let compared = if name == "meta" && is_description { "figures" } else { part.compared() };
    let said = tag.attributes.iter().filter_map(|(name, of)| {
        let [name, text] = [name, &of.value].map(|it| String::from_utf8_lossy(it));
        match compared {
            "review" if text.is_empty() => None,
            "review" => Some(json!({ name: text })),
            // No text replaces an attribute, nor an attribute a text.
            _ => value(compared, &text).map(|mut said| {
                said["of"] = name.into_owned().into();
                said
            }),
        }
    });
    if is_among(name, PICTURES) { Vec::new() } else { said.collect() }
}

/// What the text of an element is, if it is compared as a whole.
fn what(tag: &StartTag<()>, name: &str) -> Option<&'static str> {
    match name {
        "title" => Some("figures"),
        "script" if attribute(tag, "type").as_deref() == Some("application/ld+json") => {
            Some("json_ld")
        }
        "script" | "style" => Some("hides"),
        _ => None,
    }
}

/// A text as it is compared; nothing if it says nothing.
fn value(what: &str, text: &str) -> Option<Value> {
    let value = match what {
        "nothing" => return None,
        "json_ld" => super::differences::without(text.as_bytes(), &[OF_CONTENT]),
        "figures" => numbers(text).into(),
        _ => text.split_whitespace().collect::<Vec<_>>().join(" ").into(),
    };
    (value != "").then(|| json!({ what: value }))
}

/// The numbers in a text.
fn numbers(text: &str) -> String {
    let numbers = text.split(|c: char| !c.is_ascii_digit() && !".,".contains(c));
    let numbers = numbers.map(|number| number.trim_matches(['.', ',']));
    numbers.filter(|number| !number.is_empty()).collect::<Vec<_>>().join(" ")
}

//! Renders the owner's Markdown as HTML, without markup of the text's own and without addresses that are not safe.

use html_escape::encode_double_quoted_attribute as quoted;
use minijinja::Value;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

/// As HTML. Markup in the text comes out as text, and pictures as their description. Headings are paragraphs: the
/// text is a part of a page that has its own.
pub fn to_html(markdown: &str) -> Value {
    html_of(markdown, |_| None, &|_| None)
}

/// The same of a text that is a page below its title: the highest headings are of the second level, and pictures
/// of the site are shown: `shown` has their attributes `src`, `width` and `height`.
pub fn to_page(markdown: &str, shown: &dyn Fn(&str) -> Option<String>) -> Value {
    html_of(markdown, |level| Some(level.max(HeadingLevel::H2)), shown)
}

/// As HTML, with the headings that `heading` leaves and the pictures that are `shown`.
fn html_of(
    markdown: &str,
    heading: fn(HeadingLevel) -> Option<HeadingLevel>,
    shown: &dyn Fn(&str) -> Option<String>,
) -> Value {
    // The picture whose description is being read.
    let mut picture: Option<(String, String)> = None;
    let parser = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH);
    let events = parser.filter_map(|event| match event {
        Event::Start(Tag::Image { dest_url, .. }) => {
            let start = format!("<img {} loading=\"lazy\"", shown(&dest_url)?);
            picture = Some((start, String::new()));
            None
        }
        Event::End(TagEnd::Image) => {
            let (start, words) = picture.take()?;
            let html = format!("{start} alt=\"{}\">", quoted(&words));
            Some(Event::InlineHtml(html.into()))
        }
        Event::Text(words) | Event::Code(words) if picture.is_some() => {
            picture.as_mut()?.1.push_str(&words);
            None
        }
        _ if picture.is_some() => None,
        Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = if is_harmless(&dest_url) { dest_url } else { CowStr::from("#") };
            Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
        }
        // A page has one heading of the first level, and it is not the owner's text.
        Event::Start(Tag::Heading { level, .. }) => Some(Event::Start(match heading(level) {
            Some(level) => Tag::Heading { level, id: None, classes: Vec::new(), attrs: Vec::new() },
            None => Tag::Paragraph,
        })),
        Event::End(TagEnd::Heading(level)) => {
            Some(Event::End(heading(level).map_or(TagEnd::Paragraph, TagEnd::Heading)))
        }
        other => Some(other),
    });
    let mut text = String::new();
    html::push_html(&mut text, events);
    Value::from_safe_string(text)
}

/// What a text refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reference {
    /// As it is written.
    pub address: String,
    /// It is to be shown, and not a link.
    pub is_picture: bool,
}

/// The links and pictures of a text.
pub(crate) fn references(markdown: &str) -> impl Iterator<Item = Reference> {
    Parser::new(markdown).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            Some(Reference { address: dest_url.into_string(), is_picture: false })
        }
        Event::Start(Tag::Image { dest_url, .. }) => {
            Some(Reference { address: dest_url.into_string(), is_picture: true })
        }
        _ => None,
    })
}

/// Web, mail and telephone addresses, and those within the site.
pub(crate) fn is_harmless(address: &str) -> bool {
    let scheme = address.split(['/', '?', '#']).next().unwrap_or_default().split_once(':');
    match scheme {
        None => true,
        Some((scheme, _)) => {
            matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https" | "mailto" | "tel")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_text_and_only_the_webs_addresses_are_links() {
        let html = to_html(
            "**a** <script>x</script> [b](javascript:alert(1)) [c](/d) ![p](http://e/f.png)",
        );
        assert_eq!(
            html.to_string(),
            "<p><strong>a</strong> &lt;script&gt;x&lt;/script&gt; <a href=\"#\">b</a> <a href=\"/d\">c</a> p</p>\n"
        );
        assert_eq!(to_html("# a\n").to_string(), "<p>a</p>\n");
        let shown =
            |name: &str| (name == "/van.jpg").then(|| "src=\"/van.jpg\" width=\"4\"".to_owned());
        let page =
            to_page("# a\n## b\n###### c\n![our *\"van\"*](/van.jpg) ![d](/e.jpg)\n", &shown);
        let van = "<img src=\"/van.jpg\" width=\"4\" loading=\"lazy\" alt=\"our &quot;van&quot;\">";
        assert_eq!(
            page.to_string(),
            format!("<h2>a</h2>\n<h2>b</h2>\n<h6>c</h6>\n<p>{van} d</p>\n")
        );
        for address in ["JAVASCRIPT:x", "data:text/html,x", "vbscript:x", " javascript:x"] {
            assert!(!is_harmless(address), "{address}");
        }
    }
}

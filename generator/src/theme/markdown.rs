//! The owner's Markdown as HTML: no markup of its own goes through, and no address but the web's.

use minijinja::Value;
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd, html};

/// As HTML. Markup in the text comes out as text, and pictures as their description, for nothing is
/// loaded from elsewhere.
pub(crate) fn to_html(markdown: &str) -> Value {
    let events = Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
        .filter_map(|event| match event {
            Event::Html(text) | Event::InlineHtml(text) => Some(Event::Text(text)),
            Event::Start(Tag::Image { .. }) | Event::End(TagEnd::Image) => None,
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = if is_harmless(&dest_url) { dest_url } else { CowStr::from("#") };
                Some(Event::Start(Tag::Link { link_type, dest_url, title, id }))
            }
            // A page has one heading of the first level, and it is not the owner's text.
            Event::Start(Tag::Heading { .. }) => Some(Event::Start(Tag::Paragraph)),
            Event::End(TagEnd::Heading(_)) => Some(Event::End(TagEnd::Paragraph)),
            other => Some(other),
        });
    let mut text = String::new();
    html::push_html(&mut text, events);
    Value::from_safe_string(text)
}

/// Addresses of links that are not published.
pub(crate) fn refused_links(markdown: &str) -> Vec<String> {
    let links = Parser::new(markdown).filter_map(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) if !is_harmless(&dest_url) => {
            Some(dest_url.into_string())
        }
        _ => None,
    });
    links.collect()
}

/// Web, mail and telephone addresses, and those within the site.
fn is_harmless(address: &str) -> bool {
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
        for address in ["JAVASCRIPT:x", "data:text/html,x", "vbscript:x", " javascript:x"] {
            assert!(!is_harmless(address), "{address}");
        }
    }
}

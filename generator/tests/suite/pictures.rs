//! The owner's pictures: an SVG is published without what can run or load something, and a file that is not a picture
//! is refused, whatever its name.

use super::project::{Project, SITE};

const SVG: &str = "xmlns=\"http://www.w3.org/2000/svg\"";

/// A dot, or rather what says its size, and the end of the picture.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0....\
    \0\0\0\0IEND\xaeB`\x82";
pub(super) const JPEG: &[u8] = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0\
    \xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0\xff\xda\0\x08\x01\x01\0\0\x3f\0..\xff\xd9";
const WEBP: &[u8] = b"RIFF\x16\0\0\0WEBPVP8 \x0a\0\0\0\0\0\0\x9d\x01\x2a\x01\0\x01\0";

fn with_logo(name: &str, bytes: impl AsRef<[u8]>) -> Project {
    Project::new()
        .file("content/site.toml", format!("{SITE}[theme]\nlogo = \"{name}\"\n"))
        .file(&format!("content/{name}"), bytes)
}

/// The logo as it is published, of an SVG with this inside.
fn published(inside: &str) -> String {
    let head = "<?xml version=\"1.0\"?><?xml-stylesheet href=\"https://evil.example/a.css\"?>\n\
                <!DOCTYPE svg [<!ENTITY js \"javascript:alert(1)\"><!ENTITY svg \"http://www.w3.org/2000/svg\">]>\n\
                <!-- evil.example -->\n<svg xmlns=\"&svg;\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" \
                xml:base=\"https://evil.example/\" onload=\"alert(1)\" viewBox=\"0 0 9 9\">";
    let project = with_logo("logo.svg", format!("{head}{inside}</svg>"));
    project.build();
    project.text(&project.asset("logo.svg"))
}

#[test]
fn what_can_run_or_load_something_is_not_published() {
    for inside in [
        "<script>alert(1)</script>",
        "<script xlink:href=\"https://evil.example/a.js\"/>",
        "<svg:script xmlns:svg=\"http://www.w3.org/2000/svg\">alert(1)</svg:script>",
        "<rect onclick=\"alert(1)\" ONLOAD=\"alert(1)\"/>",
        "<a xlink:href=\"&js;\"><rect/></a>",
        "<a href=\"https://evil.example/\"><rect/></a>",
        "<image href=\"data:text/html,alert(1)\"/>",
        "<image href=\"data:image/svg+xml,alert(1)\"/>",
        "<use href=\"data:image/svg+xml;base64,PHN2Zz4=#alert(1)\"/>",
        "<foreignObject><iframe xmlns=\"http://www.w3.org/1999/xhtml\" src=\"javascript:alert(1)\"/></foreignObject>",
        "<iframe xmlns=\"http://www.w3.org/1999/xhtml\" src=\"https://evil.example/\"/>",
        "<metadata><a href=\"javascript:alert(1)\"/></metadata>",
        "<handler type=\"application/ecmascript\">alert(1)</handler>",
    ] {
        let logo = published(inside);
        assert!(logo.contains("viewBox=\"0 0 9 9\""), "{logo}");
        for part in
            ["alert", "javascript", "script", "evil", "onload", "data:", "foreign", "DOCTYPE"]
        {
            assert!(!logo.to_lowercase().contains(&part.to_lowercase()), "{part} is in {logo}");
        }
    }
}

#[test]
fn what_the_tools_of_designers_write_is_kept() {
    let logo = published(
        "<defs id=\"d\"><linearGradient id=\"a\"><stop style=\"stop-color:#f00\" offset=\"0\"/></linearGradient>\
         <linearGradient id=\"b\" xlink:href=\"#a\"/><clipPath id=\"c\"><use xlink:href=\"#p\"/></clipPath></defs>\
         <sodipodi:namedview xmlns:sodipodi=\"http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd\"/>\
         <metadata><x:RDF xmlns:x=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"/></metadata>\
         <style type=\"text/css\"><![CDATA[ .k{fill:url(#b);} @media (prefers-color-scheme: dark){.k{fill:#fff}} ]]></style>\
         <switch><foreignObject requiredExtensions=\"http://ns.adobe.com/x\"/><g class=\"k\" clip-path=\"url(#c)\">\
         <path id=\"p\" style=\"fill:url(#b)\" d=\"M0 0h9\"/></g></switch><text>Müller &amp; Söhne</text>\
         <image href=\"data:image/png;base64,iVBORw0KGgo=\"/>",
    );
    for part in [
        SVG,
        "href=\"#a\"",
        "href=\"#p\"",
        "stop-color:#f00",
        ".k{fill:url(#b);}",
        "{.k{fill:#fff}}",
        "clip-path=\"url(#c)\"",
        "style=\"fill:url(#b)\"",
        "d=\"M0 0h9\"",
        "Müller &amp; Söhne",
        "data:image/png;base64,iVBORw0KGgo=",
    ] {
        assert!(logo.contains(part), "{part} is not in {logo}");
    }
}

#[test]
fn a_picture_that_is_not_there_is_named_with_the_one_that_is() {
    let project = with_logo("Logo.PNG", "");
    project.remove("content/Logo.PNG");
    let run = project.candor(["check"]).exits(1);
    run.complains("theme.logo: \"Logo.PNG\" does not exist; name a file");
    project.write("content/logo.png", "");
    let run = project.candor(["check"]).exits(1);
    run.complains("theme.logo: \"Logo.PNG\" does not exist; there is \"logo.png\"; name a file");
}

#[test]
fn what_cannot_be_published_is_refused_with_the_reason() {
    let expanding = "<!DOCTYPE s [<!ENTITY a \"aaaaaaaaaaaaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;\">\
                  <!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;\"><!ENTITY d \"&c;&c;&c;&c;&c;&c;&c;&c;\">\
                  <!ENTITY e \"&d;&d;&d;&d;&d;&d;&d;&d;\">]><svg><text>&e;</text></svg>";
    let no_root = "does not begin with <svg xmlns=\"http://www.w3.org/2000/svg\">";
    for (name, bytes, reason) in [
        (
            "logo.svg",
            "<html><body>Not found</body></html>",
            "is a web page inside, not a svg picture",
        ),
        ("logo.svg", "<p>Not found</p>", no_root),
        ("logo.svg", "<svg viewBox=\"0 0 1 1\"/>", no_root),
        (
            "logo.svg",
            "<s:svg xmlns:s=\"http://www.w3.org/2000/svg\" xmlns=\"http://www.w3.org/1999/xhtml\"/>",
            no_root,
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><image href=\"https://evil.example/a.png\"/></svg>"),
            "loads /a.png, which is not in the picture",
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><use href=\"b.svg#x\"/></svg>"),
            "loads b.svg#x, which is not in the picture",
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><style>a{{fill:url(//evil.example/x)}}</style></svg>"),
            "loads /x, which is not in the picture",
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><rect style=\"fill:URL('http://evil.example/y')\"/></svg>"),
            "loads /y, which is not in the picture",
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><style>@IMPORT 'https://evil.example'; a{{}}</style></svg>"),
            "contains @import",
        ),
        (
            "logo.svg",
            &format!(
                "<svg {SVG}><style>a{{background:image-set('https://evil.example' 1x)}}</style></svg>"
            ),
            "contains image-set(",
        ),
        (
            "logo.svg",
            &format!("<svg {SVG}><set attributeName=\"href\" to=\"javascript:alert(1)\"/></svg>"),
            "contains javascript:",
        ),
        ("logo.svg", expanding, "is not an SVG picture: "),
        (
            "logo.svg",
            &format!(
                "<svg {SVG}>{}{}</svg>",
                "<!-- </g> --><g id='/>'>".repeat(256),
                "</g>".repeat(256)
            ),
            "has more than 256 elements within each other",
        ),
        (
            "logo.svg",
            &format!(
                "<!DOCTYPE svg [<!-- ' --><!ENTITY a \"> <!--\">]><svg {SVG}>{}{}<!-- ' --></svg>",
                "<g>".repeat(257),
                "</g>".repeat(257)
            ),
            "has more than 256 elements within each other",
        ),
        ("logo.svg", &format!("<svg {SVG}><path"), "is not an SVG picture: "),
        (
            "logo.png",
            "<!DOCTYPE html><script>alert(1)</script>",
            "is a web page inside, not a png picture",
        ),
        ("logo.png", "GIF89a", "is not a png picture inside"),
        ("logo.jpg", &format!("<svg {SVG}/>"), "is not a jpg picture inside"),
        ("logo.webp", "RIFF....WAVE", "is not a webp picture inside"),
        ("logo.jpeg", "", "is not a jpeg picture inside"),
    ] {
        let run = with_logo(name, bytes).candor(["check"]).exits(1);
        run.clone().complains(&format!(
            "content/site.toml:6:8: error[invalid-logo]: theme.logo: \"{name}\" {reason}"
        ));
        run.complains("; candor help invalid-logo says what a picture may contain");
    }
    for (name, bytes, kind) in [("logo.jpg", PNG, "png"), ("logo.png", JPEG, "jpg")] {
        let run = with_logo(name, bytes).candor(["check"]).exits(1);
        let reason = format!("is a {kind} picture inside, so its name must end in .{kind}; name");
        run.complains(&format!("theme.logo: \"{name}\" {reason}"));
    }
    let photo = "[[technician]]\nid = \"sam\"\nname = \"Sam\"\nphoto = \"a.png\"\n";
    let project =
        Project::new().file("content/technicians.toml", photo).file("content/a.png", "<svg/>");
    project.candor(["build"]).exits(1).complains("\"a.png\" is not a png picture inside");
}

#[test]
fn pictures_of_dots_are_published_as_they_are() {
    for (name, bytes) in [("logo.png", PNG), ("logo.jpg", JPEG), ("logo.webp", WEBP)] {
        let project = with_logo(name, bytes);
        project.build();
        assert_eq!(project.bytes(&project.asset(name)), bytes, "{name}");
    }
}

#[test]
fn a_picture_in_a_folder_is_read_and_no_message_denies_it() {
    let project = with_logo("img/logo.png", PNG);
    let run = project.candor(["check"]).exits(0);
    assert_eq!(run.err, "");
    assert!(!project.build().err.contains("img"));
}

#[test]
fn a_picture_that_ends_early_or_has_no_size_is_refused() {
    // The preview in a JPEG has an end of its own.
    let preview = b"\xff\xd8\xff\xe1\0\x0c\xff\xd8\xff\xda....\xff\xd9";
    let with_preview = [&preview[..], &JPEG[2..]].concat();
    with_logo("logo.jpg", &with_preview).candor(["check"]).exits(0);
    let mut flat = PNG.to_vec();
    flat[19] = 0;
    let cut = |bytes: &[u8]| bytes[..bytes.len() - 1].to_vec();
    for (name, bytes) in [
        ("logo.png", PNG[..8].to_vec()),
        ("logo.png", cut(PNG)),
        ("logo.png", flat),
        ("logo.jpg", JPEG[..12].to_vec()),
        ("logo.jpg", cut(JPEG)),
        ("logo.jpg", cut(&with_preview)),
        ("logo.webp", WEBP[..16].to_vec()),
        ("logo.webp", cut(WEBP)),
    ] {
        let length = bytes.len();
        with_logo(name, bytes).candor(["check"]).exits(1).complains(&format!(
            "error[invalid-logo]: theme.logo: \"{name}\" is damaged or ends too early, after {length} bytes; name a file"
        ));
    }
}

#[test]
fn a_picture_outside_the_content_folder_is_not_read() {
    let project = Project::new().file("secret.png", PNG).file("content/photos/a.png", PNG);
    let absolute = project.path("secret.png").display().to_string();
    for path in ["../secret.png", "photos/../../secret.png", &absolute] {
        let said = format!("\"{path}\" is not inside the content folder");
        let photo = format!("[[technician]]\nid = \"sam\"\nname = \"Sam\"\nphoto = \"{path}\"\n");
        for (file, text) in [
            ("content/site.toml", format!("{SITE}[theme]\nlogo = \"{path}\"\n")),
            ("content/technicians.toml", photo),
        ] {
            let before = std::fs::read(project.path(file)).unwrap_or_default();
            project.write(file, text);
            project.candor(["build"]).exits(1).complains(&said);
            project.write(file, before);
        }
    }
    project.build();
}

"""RFC 4287, rule by rule: every MUST of it that binds who writes such a feed.

A test is named after the section and the rule. Rules about elements that the feed does not use
today are tested all the same, so that they hold when it does.
"""

import re
from datetime import datetime
from xml.etree import ElementTree

from lxml import etree

import sites

NS = "http://www.w3.org/2005/Atom"
XML = "http://www.w3.org/XML/1998/namespace"
XHTML_DIV = "{http://www.w3.org/1999/xhtml}div"

TEXT_CONSTRUCTS = ("title", "subtitle", "summary", "rights")
PERSON_CONSTRUCTS = ("author", "contributor")
DATE_CONSTRUCTS = ("updated", "published")

# RFC 3987: no blanks, controls or <>"{}|\^` and every % starts an escape.
IRI_REFERENCE = re.compile(
    r"(?:[A-Za-z0-9\-._~:/?#\[\]@!$&'()*+,;=\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    r"\U00010000-\U000efffd]|%[0-9A-Fa-f]{2})*"
)
SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:.+", re.DOTALL)
# isegment-nz-nc of RFC 3987.
RELATION = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=@\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]+")
TOKEN = r"[A-Za-z0-9!#$&^_.+\-]+"
MEDIA_TYPE = re.compile(rf"{TOKEN}/{TOKEN}(?:\s*;\s*{TOKEN}=(?:{TOKEN}|\"[^\"]*\"))*")
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)"
)
ADDR_SPEC = re.compile(r"[^\s@<>()]+@[^\s@<>()]+")


def named(*names: str) -> tuple[str, ...]:
    return tuple(f"{{{NS}}}{name}" for name in names)


@sites.on_every_site
class Rfc4287(sites.OnSite):
    def setUp(self):
        super().setUp()
        self.bytes = self.site.bytes("feed.xml")
        strict = etree.XMLParser(recover=False, resolve_entities=False, no_network=True)
        self.feed = etree.fromstring(self.bytes, strict)
        self.entries = self.children(self.feed, "entry")

    def children(self, parent, name: str) -> list:
        return parent.findall(f"{{{NS}}}{name}")

    def everywhere(self, *names: str) -> list:
        return list(self.feed.iter(*named(*names)))

    def assert_at_most_one(self, parents: list, name: str):
        for parent in parents:
            self.assertLessEqual(len(self.children(parent, name)), 1, self.show(parent))

    def assert_exactly_one(self, parents: list, name: str):
        for parent in parents:
            self.assertEqual(len(self.children(parent, name)), 1, self.show(parent))

    def assert_no_child_elements(self, elements: list):
        for element in elements:
            self.assertEqual(len(element), 0, self.show(element))

    def assert_iri_references(self, values: list):
        for value in values:
            self.assertRegex(value, re.compile(rf"\A{IRI_REFERENCE.pattern}\Z"))

    def assert_iris(self, values: list):
        self.assert_iri_references(values)
        for value in values:
            self.assertTrue(SCHEME.fullmatch(value), f"{value!r} is relative")

    def assert_one_alternate_per_type_and_language(self, parents: list):
        for parent in parents:
            links = [
                (link.get("type"), link.get("hreflang"))
                for link in self.children(parent, "link")
                if link.get("rel", "alternate") == "alternate"
            ]
            self.assertEqual(len(set(links)), len(links), self.show(parent))

    def show(self, element) -> str:
        return etree.tostring(element, encoding="unicode")[:500]

    def attributes(self, name: str, *elements: str) -> list[str]:
        found = (element.get(name) for element in self.everywhere(*elements))
        return [value for value in found if value is not None]

    # Section 2: Atom documents

    def test_2_document_is_well_formed_xml(self):
        self.assertIsNotNone(self.feed)
        self.assertEqual(ElementTree.fromstring(self.bytes).tag, f"{{{NS}}}feed")

    def test_2_document_is_utf_8_as_it_declares(self):
        self.bytes.decode("utf-8")
        self.assertIn(self.feed.getroottree().docinfo.encoding, (None, "UTF-8"))

    def test_2_document_has_no_document_type(self):
        self.assertIsNone(self.feed.getroottree().docinfo.internalDTD)

    def test_2_root_is_feed_in_the_atom_namespace(self):
        self.assertEqual(self.feed.tag, f"{{{NS}}}feed")

    def test_2_no_white_space_in_dates_and_iris(self):
        texts = [element.text for element in self.everywhere(*DATE_CONSTRUCTS, "id", "uri", "icon", "logo")]
        hrefs = self.attributes("href", "link")
        for value in texts + hrefs:
            self.assertNotRegex(value, r"\s")

    def test_2_xml_lang_is_a_language_tag(self):
        for element in self.feed.iter():
            language = element.get(f"{{{XML}}}lang")
            if language is not None:
                self.assertTrue(LANGUAGE.fullmatch(language), language)

    def test_2_xml_base_is_an_iri_reference(self):
        bases = [element.get(f"{{{XML}}}base") for element in self.feed.iter()]
        self.assert_iri_references([base for base in bases if base is not None])

    # Section 3.1: text constructs

    def test_3_1_1_type_is_text_html_or_xhtml_and_no_media_type(self):
        for kind in self.attributes("type", *TEXT_CONSTRUCTS):
            self.assertIn(kind, ("text", "html", "xhtml"))

    def test_3_1_1_1_text_has_no_child_elements(self):
        constructs = self.everywhere(*TEXT_CONSTRUCTS)
        self.assert_no_child_elements([e for e in constructs if e.get("type", "text") == "text"])

    def test_3_1_1_2_html_has_no_child_elements(self):
        constructs = self.everywhere(*TEXT_CONSTRUCTS)
        self.assert_no_child_elements([e for e in constructs if e.get("type") == "html"])

    def test_3_1_1_3_xhtml_is_a_single_div(self):
        constructs = self.everywhere(*TEXT_CONSTRUCTS)
        for construct in (e for e in constructs if e.get("type") == "xhtml"):
            self.assertEqual([child.tag for child in construct], [XHTML_DIV])

    # Section 3.2: person constructs

    def test_3_2_1_person_has_exactly_one_name(self):
        self.assert_exactly_one(self.everywhere(*PERSON_CONSTRUCTS), "name")

    def test_3_2_1_name_is_readable_by_people(self):
        for name in self.everywhere("name"):
            self.assertTrue((name.text or "").strip())

    def test_3_2_2_person_has_at_most_one_uri(self):
        self.assert_at_most_one(self.everywhere(*PERSON_CONSTRUCTS), "uri")

    def test_3_2_2_uri_is_an_iri_reference(self):
        self.assert_iri_references([uri.text or "" for uri in self.everywhere("uri")])

    def test_3_2_3_person_has_at_most_one_email(self):
        self.assert_at_most_one(self.everywhere(*PERSON_CONSTRUCTS), "email")

    def test_3_2_3_email_is_an_addr_spec(self):
        for email in self.everywhere("email"):
            self.assertTrue(ADDR_SPEC.fullmatch(email.text or ""), email.text)

    # Section 3.3: date constructs

    def test_3_3_date_is_rfc_3339_with_upper_case_t_and_z(self):
        for date in self.everywhere(*DATE_CONSTRUCTS):
            self.assertTrue(RFC_3339.fullmatch(date.text or ""), date.text)
            datetime.fromisoformat(date.text)

    # Section 4.1.1: the feed

    def test_4_1_1_feed_or_every_entry_has_an_author(self):
        if not self.children(self.feed, "author"):
            for entry in self.entries:
                self.assertTrue(self.children(entry, "author"), self.show(entry))

    def test_4_1_1_feed_has_at_most_one_generator(self):
        self.assert_at_most_one([self.feed], "generator")

    def test_4_1_1_feed_has_at_most_one_icon(self):
        self.assert_at_most_one([self.feed], "icon")

    def test_4_1_1_feed_has_at_most_one_logo(self):
        self.assert_at_most_one([self.feed], "logo")

    def test_4_1_1_feed_has_exactly_one_id(self):
        self.assert_exactly_one([self.feed], "id")

    def test_4_1_1_feed_has_one_alternate_link_per_type_and_hreflang(self):
        self.assert_one_alternate_per_type_and_language([self.feed])

    def test_4_1_1_feed_names_itself(self):
        """A SHOULD that the contract makes a must."""
        links = [link.get("href") for link in self.children(self.feed, "link") if link.get("rel") == "self"]
        self.assertEqual(links, [f"{self.site.base_url}/feed.xml"])

    def test_4_1_1_feed_has_at_most_one_rights(self):
        self.assert_at_most_one([self.feed], "rights")

    def test_4_1_1_feed_has_at_most_one_subtitle(self):
        self.assert_at_most_one([self.feed], "subtitle")

    def test_4_1_1_feed_has_exactly_one_title(self):
        self.assert_exactly_one([self.feed], "title")

    def test_4_1_1_feed_has_exactly_one_updated(self):
        self.assert_exactly_one([self.feed], "updated")

    def test_4_1_1_metadata_comes_before_entries(self):
        """Not demanded, but readers that stream rely on it."""
        tags = [child.tag for child in self.feed]
        first = tags.index(f"{{{NS}}}entry") if self.entries else len(tags)
        self.assertEqual(set(tags[first:]), {f"{{{NS}}}entry"} if self.entries else set())

    # Section 4.1.2: entries

    def test_4_1_2_entry_has_an_author(self):
        of_feed = self.children(self.feed, "author")
        for entry in self.entries:
            source = entry.findall(f"{{{NS}}}source/{{{NS}}}author")
            self.assertTrue(self.children(entry, "author") or source or of_feed, self.show(entry))

    def test_4_1_2_entry_has_at_most_one_content(self):
        self.assert_at_most_one(self.entries, "content")

    def test_4_1_2_entry_has_exactly_one_id(self):
        self.assert_exactly_one(self.entries, "id")

    def test_4_1_2_entry_without_content_has_an_alternate_link(self):
        for entry in self.entries:
            relations = [link.get("rel", "alternate") for link in self.children(entry, "link")]
            self.assertTrue(self.children(entry, "content") or "alternate" in relations)

    def test_4_1_2_entry_has_one_alternate_link_per_type_and_hreflang(self):
        self.assert_one_alternate_per_type_and_language(self.entries)

    def test_4_1_2_entry_has_at_most_one_published(self):
        self.assert_at_most_one(self.entries, "published")

    def test_4_1_2_entry_has_at_most_one_rights(self):
        self.assert_at_most_one(self.entries, "rights")

    def test_4_1_2_entry_has_at_most_one_source(self):
        self.assert_at_most_one(self.entries, "source")

    def test_4_1_2_entry_with_remote_or_base64_content_has_a_summary(self):
        for entry in self.entries:
            for content in self.children(entry, "content"):
                kind = content.get("type", "text")
                inline = kind in ("text", "html", "xhtml") or re.search(r"\Atext/|[+/]xml\Z", kind)
                if content.get("src") is not None or not inline:
                    self.assertTrue(self.children(entry, "summary"), self.show(entry))

    def test_4_1_2_entry_has_at_most_one_summary(self):
        self.assert_at_most_one(self.entries, "summary")

    def test_4_1_2_entry_has_exactly_one_title(self):
        self.assert_exactly_one(self.entries, "title")

    def test_4_1_2_entry_has_exactly_one_updated(self):
        self.assert_exactly_one(self.entries, "updated")

    # Section 4.1.3: content

    def test_4_1_3_1_type_is_text_html_xhtml_or_a_media_type_of_one_part(self):
        for kind in self.attributes("type", "content"):
            if kind not in ("text", "html", "xhtml"):
                self.assertTrue(MEDIA_TYPE.fullmatch(kind), kind)
                self.assertNotRegex(kind.lower(), r"\A(multipart|message)/")

    def test_4_1_3_2_src_is_an_iri_reference(self):
        self.assert_iri_references(self.attributes("src", "content"))

    def test_4_1_3_2_content_with_src_is_empty_and_no_inline_type(self):
        for content in self.everywhere("content"):
            if content.get("src") is not None:
                self.assertFalse(len(content) or content.text)
                self.assertNotIn(content.get("type"), ("text", "html", "xhtml"))

    def test_4_1_3_3_text_has_no_child_elements(self):
        contents = self.everywhere("content")
        self.assert_no_child_elements([e for e in contents if e.get("type", "text") == "text"])

    def test_4_1_3_3_html_has_no_child_elements(self):
        contents = self.everywhere("content")
        self.assert_no_child_elements([e for e in contents if e.get("type") == "html"])

    def test_4_1_3_3_xhtml_is_a_single_div(self):
        for content in (e for e in self.everywhere("content") if e.get("type") == "xhtml"):
            self.assertEqual([child.tag for child in content], [XHTML_DIV])

    def test_4_1_3_3_text_media_types_have_no_child_elements(self):
        contents = self.everywhere("content")
        self.assert_no_child_elements([e for e in contents if e.get("type", "").startswith("text/")])

    # Section 4.2: metadata elements

    def test_4_2_2_category_has_a_term(self):
        for category in self.everywhere("category"):
            self.assertTrue(category.get("term"), self.show(category))

    def test_4_2_2_2_category_scheme_is_an_iri(self):
        self.assert_iris(self.attributes("scheme", "category"))

    def test_4_2_4_generator_has_a_name(self):
        for generator in self.children(self.feed, "generator"):
            self.assertTrue((generator.text or "").strip())

    def test_4_2_4_generator_uri_is_an_iri_reference(self):
        self.assert_iri_references(self.attributes("uri", "generator"))

    def test_4_2_5_icon_is_an_iri_reference(self):
        self.assert_iri_references([icon.text or "" for icon in self.everywhere("icon")])

    def test_4_2_6_id_is_an_absolute_iri(self):
        self.assert_iris([identity.text or "" for identity in self.everywhere("id")])

    def test_4_2_6_ids_are_unique(self):
        ids = [identity.text for identity in self.everywhere("id")]
        self.assertEqual(len(set(ids)), len(ids))

    def test_4_2_6_1_ids_are_normalised(self):
        for identity in self.everywhere("id"):
            scheme, _, rest = identity.text.partition(":")
            self.assertEqual(scheme, scheme.lower())
            for escape in re.findall("%..", rest):
                self.assertEqual(escape, escape.upper())
            self.assertNotRegex(rest, r"(?:\A|/)\.\.?(?:/|\Z)")
            authority = rest.split(",")[0] if scheme == "tag" else rest.split("/")[2]
            self.assertEqual(authority, authority.lower())

    def test_4_2_7_1_link_has_an_href_that_is_an_iri_reference(self):
        for link in self.everywhere("link"):
            self.assertTrue(link.get("href"), self.show(link))
        self.assert_iri_references(self.attributes("href", "link"))

    def test_4_2_7_1_href_is_absolute_where_there_is_no_base(self):
        if not any(element.get(f"{{{XML}}}base") for element in self.feed.iter()):
            self.assert_iris(self.attributes("href", "link"))

    def test_4_2_7_2_rel_is_a_name_or_an_iri(self):
        for relation in self.attributes("rel", "link"):
            is_iri = IRI_REFERENCE.fullmatch(relation) and SCHEME.fullmatch(relation)
            self.assertTrue(RELATION.fullmatch(relation) or is_iri, relation)

    def test_4_2_7_3_type_is_a_media_type(self):
        for kind in self.attributes("type", "link"):
            self.assertTrue(MEDIA_TYPE.fullmatch(kind), kind)

    def test_4_2_7_4_hreflang_is_a_language_tag(self):
        for language in self.attributes("hreflang", "link"):
            self.assertTrue(LANGUAGE.fullmatch(language), language)

    def test_4_2_8_logo_is_an_iri_reference(self):
        self.assert_iri_references([logo.text or "" for logo in self.everywhere("logo")])

    def test_4_2_15_feed_was_updated_with_its_newest_review(self):
        (updated,) = self.children(self.feed, "updated")
        newest = datetime.fromisoformat(self.site.reviews["generated_at"])
        self.assertEqual(datetime.fromisoformat(updated.text), newest)

    # Section 6: extensions

    def test_6_1_every_element_is_atom_or_of_another_namespace(self):
        known = named(
            *TEXT_CONSTRUCTS, *PERSON_CONSTRUCTS, *DATE_CONSTRUCTS, "feed", "entry", "content",
            "category", "generator", "icon", "id", "link", "logo", "source", "name", "uri", "email",
        )  # fmt: skip
        for element in self.feed.iter(etree.Element):
            namespace = etree.QName(element).namespace
            self.assertIsNotNone(namespace, element.tag)
            if namespace == NS:
                self.assertIn(element.tag, known)

    def test_6_4_1_simple_extensions_have_no_attributes(self):
        parents = [self.feed, *self.entries, *self.everywhere(*PERSON_CONSTRUCTS)]
        for child in (child for parent in parents for child in parent):
            if etree.QName(child).namespace != NS and not len(child):
                self.assertEqual(dict(child.attrib), {})

    # Section 7: the media type

    def test_7_media_type_is_application_atom_xml(self):
        kind = self.site.media_type("feed.xml")
        self.assertEqual(kind.split(";")[0].strip(), "application/atom+xml")

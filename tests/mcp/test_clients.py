"""Scripted sessions of the official SDKs' clients over every tool, resource and prompt. They check
what they receive against the schemas themselves; here it is compared with what is published."""

import asyncio
import json
import os
import unittest
import urllib.request

import jsonschema
from mcp import Client, StdioServerParameters

import servers
from every_tool import ID, every_tool

LEGACY = {"2025-03-26", "2025-06-18", "2025-11-25"}


def fetch(path: str):
    with urllib.request.urlopen(servers.product() + path) as answer:
        return answer.read().decode()


def listed(page: dict) -> dict:
    """A page of the search as tools have it: without what is null, usual, or in the address."""
    kept = ("id", "author", "rating", "date", "text", "translation", "source", "disclosure", "owner_reply")
    for number, review in enumerate(page["reviews"]):
        page["reviews"][number] = short = {name: review[name] for name in kept if review[name] is not None}
        page["review_url"] = review["url"].replace(review["id"], "{id}")
        if review["date_precision"] != "day":
            short["date_precision"] = review["date_precision"]
        if review["verification"] == "purchase":
            short["verification"] = "purchase"
        if technicians := review["mentions"]["technicians"]:
            short["mentions"] = {"technicians": technicians}
    return page


def command() -> StdioServerParameters:
    program, *arguments = servers.over_stdio(servers.static())
    return StdioServerParameters(command=program, args=arguments)


def of_node(*arguments, server: str = "") -> dict:
    server = server or servers.product() + "/mcp"
    done = servers.node("every_tool.mjs", arguments[0], server, *arguments[1:])
    if done.returncode or "unknown format" in done.stderr:
        raise AssertionError(done.stderr + done.stdout)
    return json.loads(done.stdout)


class Clients(unittest.TestCase):
    def test_typescript_1(self):
        said = of_node("1")
        self.assertIn(said["revision"], LEGACY)
        self.assertTrue(said["session"])
        self.check(said)

    def test_typescript_2_as_it_comes(self):
        said = of_node("2")
        self.check(said)

    def test_typescript_2_in_the_handshakes_era(self):
        said = of_node("2", "auto")
        self.assertEqual(said["revision"], "2026-07-28")
        self.check(said)

    def test_typescript_2_pinned_to_the_stateless_era(self):
        said = of_node("2", "2026-07-28")
        self.assertFalse(said["session"])
        self.check(said)

    def test_python_finds_the_newest_revision(self):
        said = asyncio.run(every_tool(servers.product() + "/mcp", "auto"))
        self.assertEqual(said["revision"], "2026-07-28")
        self.check(said)

    def test_python_in_the_handshakes_era(self):
        said = asyncio.run(every_tool(servers.product() + "/mcp", "legacy"))
        self.assertIn(said["revision"], LEGACY)
        self.check(said)

    def test_typescript_1_over_stdio(self):
        said = of_node("1", server=json.dumps(servers.over_stdio(servers.static())))
        self.check(said)

    def test_typescript_2_over_stdio(self):
        said = of_node("2", "auto", server=json.dumps(servers.over_stdio(servers.static())))
        self.assertEqual(said["revision"], "2026-07-28")
        self.check(said)

    def test_python_over_stdio(self):
        for mode in ("auto", "legacy"):
            with self.subTest(mode=mode):
                self.check(asyncio.run(every_tool(command(), mode)))

    def test_three_sites_are_compared_by_one_call(self):
        urls = [servers.static(number) for number in range(3)]
        program, *arguments = servers.over_stdio(*urls)

        async def compared() -> list:
            async with Client(StdioServerParameters(command=program, args=arguments)) as client:
                result = await client.call_tool("compare_businesses", {"words": "late"})
                return result.structured_content["businesses"]

        found = asyncio.run(compared())
        self.assertEqual([business["site"] for business in found], [url[len("http://"):] for url in urls])
        self.assertEqual(found[0]["critical"], found[2]["critical"])
        self.assertTrue(found[0]["sample"])
        # As many as the search has, and not what has "plate" or "later".
        self.assertEqual(found[0]["matched"], json.loads(fetch("/api/reviews/search?words=late"))["matched"])
        given = ({"words": "late"}, {})
        calls = json.dumps([{"tool": "compare_businesses", "arguments": arguments} for arguments in given])
        for sdk in ("1", "2"):
            with self.subTest(sdk=sdk):
                program = json.dumps(servers.over_stdio(*urls))
                done = servers.node("every_tool.mjs", sdk, program, env=os.environ | {"CALLS": calls})
                late, every = json.loads(done.stdout)["results"]
                self.assertEqual(late["structuredContent"]["businesses"], found, done.stderr)
                self.assertTrue(every["structuredContent"]["businesses"][0]["critical"]["newest"]["text"])

    def check(self, said: dict):
        """What every client must have seen, whichever it is."""
        self.assertEqual(said["server"]["name"], "example.tillwater.reviews/reviews")
        self.assertIn("search_reviews", said["instructions"])
        calls = json.loads((servers.HERE / "calls.json").read_text())
        called = {call["tool"] for call in calls}
        self.assertEqual({tool["name"] for tool in said["tools"]}, called)
        schemas = json.loads(fetch("/schemas/tools.json"))["$defs"]
        for call, result in zip(calls, said["results"], strict=True):
            self.check_result(call, result)
            if not call.get("mistake"):
                jsonschema.validate(result["structuredContent"], schemas[call["tool"]])
        self.check_published(said, calls)
        self.assertEqual(len(said["prompts"]), len(said["messages"]))
        self.assertEqual(said["completion"]["values"], ["samuel-lindqvist", "samantha-okoye"])

    def check_result(self, call: dict, result: dict):
        text = result["content"][0]["text"]
        if call.get("mistake"):
            self.assertTrue(result["isError"], text)
            self.assertIsNone(result.get("structuredContent"))
            return
        self.assertFalse(result.get("isError"), text)
        self.assertEqual(json.loads(text), result["structuredContent"])

    def check_published(self, said: dict, calls: list):
        for resource, contents in zip(said["resources"], said["contents"]):
            path = "/" + resource["name"]
            self.assertEqual(contents["text"], fetch(path))
            self.assertEqual(resource["size"], len(contents["text"].encode()))
        published = {review["id"]: review for review in json.loads(fetch("/reviews.json"))["reviews"]}
        self.assertEqual(json.loads(said["contents"][-1]["text"]), published[ID])
        for call, result in zip(calls, said["results"], strict=True):
            if call["tool"] == "search_reviews" and not call.get("mistake"):
                page = result["structuredContent"]
                query = urllib.parse.urlencode({**call["arguments"], "limit": page["returned"] or 1})
                self.assertEqual(page, listed(json.loads(fetch("/api/reviews/search?" + query))))

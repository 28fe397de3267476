"""Asks for everything there is with the Python SDK; the twin of every_tool.mjs."""

import json

from mcp import Client
from mcp.types import PromptReference

import servers

ID = "01F60YR2005A9HTZ6CMEVCPRC1"


async def every_tool(server, mode: str) -> dict:
    """What came back. `server` is an address or a program; `mode` is a revision, `auto`, or `legacy`."""
    calls = json.loads((servers.HERE / "calls.json").read_text())
    async with Client(server, mode=mode) as client:
        said = {
            "server": dump(client.server_info),
            "instructions": client.instructions,
            "revision": client.protocol_version,
            "tools": [dump(tool) for tool in (await client.list_tools()).tools],
            # The client checks the structured content against the output schema.
            "results": [dump(await client.call_tool(call["tool"], call["arguments"])) for call in calls],
        }
        resources = (await client.list_resources()).resources
        templates = (await client.list_resource_templates()).resource_templates
        uris = [str(resource.uri) for resource in resources]
        uris.append(templates[0].uri_template.replace("{id}", ID))
        said["resources"] = [dump(resource) for resource in resources]
        said["templates"] = [dump(template) for template in templates]
        said["contents"] = [dump((await client.read_resource(uri)).contents[0]) for uri in uris]
        prompts = (await client.list_prompts()).prompts
        said["prompts"] = [dump(prompt) for prompt in prompts]
        said["messages"] = []
        for prompt in prompts:
            given = {argument.name: "2026-01-01" for argument in prompt.arguments or []}
            said["messages"].append(dump((await client.get_prompt(prompt.name, given)).messages[0]))
        ref = PromptReference(type="ref/prompt", name="technician_feedback")
        argument = {"name": "technician", "value": "sam"}
        said["completion"] = dump((await client.complete(ref, argument)).completion)
        return said


def dump(model) -> dict:
    """As it was on the wire."""
    return model.model_dump(mode="json", by_alias=True, exclude_unset=True)

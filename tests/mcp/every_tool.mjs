// Asks for everything there is with a TypeScript SDK and prints what came back:
//     node every_tool.mjs SDK URL|COMMAND [REVISION]
// SDK is 1 or 2; with the second, REVISION pins a revision of the protocol. COMMAND is a JSON array: a program
// to be talked to over its standard input and output, with its arguments. CALLS in the environment: these calls alone.
import { readFileSync } from "node:fs";

const [sdk, server, revision] = process.argv.slice(2);
const { Client, StreamableHTTPClientTransport, StdioClientTransport } =
  sdk === "1"
    ? {
        ...(await import("@modelcontextprotocol/sdk/client/index.js")),
        ...(await import("@modelcontextprotocol/sdk/client/streamableHttp.js")),
        ...(await import("@modelcontextprotocol/sdk/client/stdio.js")),
      }
    : {
        ...(await import("@modelcontextprotocol/client")),
        ...(await import("@modelcontextprotocol/client/stdio")),
      };

const calls = JSON.parse(process.env.CALLS ?? readFileSync(new URL("calls.json", import.meta.url)));
const negotiation = revision === "auto" ? { mode: "auto" } : { mode: { pin: revision } };
const options = sdk === "2" && revision ? { versionNegotiation: negotiation } : {};
const client = new Client({ name: "every-tool", version: "1" }, options);
const [command, ...args] = server.startsWith("[") ? JSON.parse(server) : [];
const transport = command
  ? new StdioClientTransport({ command, args })
  : new StreamableHTTPClientTransport(new URL(server));
await client.connect(transport);

const said = {
  server: client.getServerVersion(),
  instructions: client.getInstructions(),
  session: transport.sessionId !== undefined,
  revision: transport.protocolVersion ?? client.getNegotiatedProtocolVersion?.(),
};
said.tools = (await client.listTools()).tools;
said.results = [];
for (const { tool, arguments: given } of calls) {
  // The client checks the structured content against the output schema.
  said.results.push(await client.callTool({ name: tool, arguments: given }));
}
if (process.env.CALLS) {
  await client.close();
  process.stdout.write(JSON.stringify(said));
  process.exit();
}
said.resources = (await client.listResources()).resources;
said.contents = [];
for (const { uri } of said.resources) {
  said.contents.push((await client.readResource({ uri })).contents[0]);
}
said.templates = (await client.listResourceTemplates()).resourceTemplates;
const uri = said.templates[0].uriTemplate.replace("{id}", "01F60YR2005A9HTZ6CMEVCPRC1");
said.contents.push((await client.readResource({ uri })).contents[0]);
said.prompts = (await client.listPrompts()).prompts;
said.messages = [];
for (const prompt of said.prompts) {
  const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, "2026-01-01"]));
  said.messages.push((await client.getPrompt({ name: prompt.name, arguments: given })).messages[0]);
}
said.completion = (
  await client.complete({
    ref: { type: "ref/prompt", name: "technician_feedback" },
    argument: { name: "technician", value: "sam" },
  })
).completion;
await client.close();
process.stdout.write(JSON.stringify(said));

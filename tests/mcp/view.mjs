// A host of MCP Apps: the official client and bridge, and the view in a sandboxed frame of Chromium.
//     node view.mjs URL PICTURE
// Prints what the host and the reader of the view see, as JSON.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { chromium } from "playwright-core";

const [server, picture] = process.argv.slice(2);
const EXTENSION = "io.modelcontextprotocol/ui";
const MEDIA_TYPE = "text/html;profile=mcp-app";
// What a host allows a view that asks for nothing (the specification, "Host Behavior").
const POLICY = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

const host = { name: "view-test", version: "1" };
const client = new Client(host, {
  capabilities: { extensions: { [EXTENSION]: { mimeTypes: [MEDIA_TYPE] } } },
});
await client.connect(new StreamableHTTPClientTransport(new URL(server)));
const { tools } = await client.listTools();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"],
});
const said = { requests: [], faults: [], opened: [], views: [] };

async function show(name, args, context) {
  const uri = tools.find(tool => tool.name === name)._meta.ui.resourceUri;
  const { contents: [{ text: html, mimeType }] } = await client.readResource({ uri });
  const page = await browser.newPage({ viewport: { width: 390, height: 844 } });
  page.on("request", request => request.url().startsWith("about:") || said.requests.push(request.url()));
  page.on("pageerror", error => said.faults.push(error.message));
  page.on("console", message => message.type() === "error" && said.faults.push(message.text()));
  const bridge = new AppBridge(client, host, { openLinks: {} }, { hostContext: context });
  const initialized = new Promise(done => { bridge.oninitialized = done; });
  let size;
  bridge.onsizechange = measured => { size = measured; };
  bridge.onopenlink = async ({ url }) => { said.opened.push(url); return {}; };
  const transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: message => page.evaluate(sent => document.querySelector("iframe").contentWindow.postMessage(sent, "*"), message),
  };
  await page.exposeFunction("received", message => transport.onmessage?.(message));
  await bridge.connect(transport);
  await page.evaluate(({ view, policy }) => {
    addEventListener("message", ({ data }) => window.received(data));
    const frame = document.createElement("iframe");
    frame.sandbox = "allow-scripts";
    frame.style = "width: 100%; height: 800px; border: 0";
    frame.srcdoc = view.replace("<head>", `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`);
    document.body.append(frame);
  }, { view: html, policy: POLICY });
  await initialized;
  await bridge.sendToolInput({ arguments: args });
  const result = await client.callTool({ name, arguments: args });
  await bridge.sendToolResult(result);
  const view = page.frameLocator("iframe");
  await view.locator("main > *").first().waitFor();
  await view.locator("a").first().click();
  while (!size?.height) await new Promise(done => setTimeout(done, 20));
  said.views.push({
    name, mimeType, size, result: result.structuredContent,
    text: await view.locator("main").innerText(),
    scheme: await view.locator("html").evaluate(root => root.style.colorScheme),
    injected: await view.locator("main img, main script").count(),
  });
  await page.screenshot({ path: picture.replace(".png", `-${name}.png`) });
  await bridge.teardownResource({});
  await page.close();
}

await show("get_business", {}, { theme: "light", locale: "en-GB" });
await show("search_reviews", { limit: 5, rating: 1 }, { theme: "dark", locale: "de-DE" });
await browser.close();
await client.close();
process.stdout.write(JSON.stringify(said));

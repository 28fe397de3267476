// Written by `candor host cloudflare`. The next build replaces it: change a copy.
//
// The platform compares If-None-Match with a tag of its own only, so what is decided by a tag is
// decided here, in the order of RFC 9110 section 13.2.2, by what site.mjs says of each document.
import {
  BASE_URL, DOCUMENTS, FIELDS, FRAMED, HOST, IMMUTABLE, LINKS, METHOD_NOT_ALLOWED, NOT_FOUND, NOT_FOUND_TYPE, PREFIX, PREVIOUS,
  ROUTES, TYPES, UNLISTED,
} from "./site.mjs";

export default { fetch: answer };

export async function answer(request, env) {
  const url = new URL(request.url);
  const moved = earlier(url);
  const prefix = moved ? moved.prefix : PREFIX;
  const below = isBelow(url.pathname, prefix) ? url.pathname.slice(prefix.length) : "";
  const route = ROUTES.find(({ path }) => (path.endsWith("/") ? below.startsWith(path) : below === path));
  if (route && (!moved || route.post)) return pass(request, env, below + url.search);
  if (moved) return redirect(BASE_URL + below + url.search);
  if (request.method === "OPTIONS") return new Response(null, { status: 204, headers: { ...FIELDS.all, ...FIELDS.preflight } });
  return serve(request, env, url, below);
}

// The origin the site had before that was asked for; the longest path wins, on one host.
function earlier(url) {
  const present = url.host === HOST && isBelow(url.pathname, PREFIX) ? PREFIX.length : -1;
  const asked = ({ host, prefix }) => url.host === host && isBelow(url.pathname, prefix) && prefix.length > present;
  return PREVIOUS.find(asked);
}

async function serve(request, env, url, below) {
  const path = decode(url.pathname);
  const document = path !== null && Object.hasOwn(DOCUMENTS, path) ? DOCUMENTS[path] : null;
  if (!document) {
    const to = path === null ? null : spelling(path);
    if (to) return redirect(escaped(to) + url.search);
    if (path === null || !isUnlisted(path)) return missing(request, env, url, below);
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return json(405, METHOD_NOT_ALLOWED, { Allow: FIELDS.allow });
  }
  const at = path.slice(PREFIX.length);
  return document ? send(request, env, url, at, document, LINKS[path]) : leave(request, env, url, at);
}

// A document of which we know the tag.
async function send(request, env, url, path, [hash, type, modified], link) {
  const tag = `"b3-${hash}"`;
  const headers = new Headers({ ...FIELDS.all, ...FIELDS.document, ETag: tag });
  if (link) headers.set("Link", link);
  addOwn(headers, path);
  const decision = decide(request.headers, tag, modified);
  if (decision === 412) return json(412, { error: "precondition_failed", message: "The document is not what the precondition asks for." });
  if (decision === 304) return new Response(null, { status: 304, headers });
  const found = await asset(request.method, env, url, path);
  // Candor's ETag is never sent with other bytes.
  if (found.status !== 200) return found;
  headers.set("Content-Type", TYPES[type]);
  if (modified !== null) headers.set("Last-Modified", new Date(modified * 1000).toUTCString());
  const length = found.headers.get("Content-Length");
  if (length) headers.set("Content-Length", length);
  return new Response(found.body, { status: 200, headers });
}

// A document of a folder that is too large for the table: the platform's own tag, which it compares.
async function leave(request, env, url, path) {
  const found = await asset(request.method, env, url, path, request.headers);
  const moved = [301, 302, 307, 308].includes(found.status);
  if (moved && !url.pathname.endsWith("/")) return redirect(`${url.pathname}/${url.search}`);
  if (found.status !== 200 && found.status !== 304) return missing(request, env, url, path);
  const headers = new Headers(found.headers);
  for (const [name, value] of Object.entries({ ...FIELDS.all, ...FIELDS.document })) headers.set(name, value);
  addOwn(headers, path);
  return new Response(found.body, { status: found.status, headers });
}

// What only some documents have: assets are kept, embeds are in frames.
function addOwn(headers, path) {
  if (IMMUTABLE.test(path)) headers.set("Cache-Control", FIELDS.immutable);
  if (FRAMED.test(path)) headers.set("Content-Security-Policy", FIELDS.framed);
}

// JSON where programs ask, the site's own page elsewhere.
async function missing(request, env, url, below) {
  if (/^\/(api|mcp)(\/|$)/.test(below)) return json(404, NOT_FOUND);
  const headers = { ...FIELDS.all, "Cache-Control": FIELDS.noCache };
  const page = NOT_FOUND_TYPE ? await asset("GET", env, url, "/404.html") : null;
  if (page?.status !== 200) {
    return new Response("404 Not found\n", { status: 404, headers: { ...headers, "Content-Type": "text/plain; charset=utf-8" } });
  }
  return new Response(page.body, { status: 404, headers: { ...headers, "Content-Type": NOT_FOUND_TYPE } });
}

// The platform keeps x.html at /x and x/index.html at /x/, and redirects other spellings.
function asset(method, env, url, path, headers = {}) {
  const at = new URL(escaped(path.replace(/\.html$/, "")), url.origin);
  return env.ASSETS.fetch(new Request(at, { method: method === "HEAD" ? "HEAD" : "GET", headers, redirect: "manual" }));
}

// Streams go through as they come. The sidecar sees its own name as Host.
function pass(request, env, target) {
  return fetch(new Request(new URL(target, env.SIDECAR_ORIGIN), request), { redirect: "manual" });
}

function decide(headers, tag, modified) {
  const match = headers.get("If-Match");
  const unmodified = date(headers.get("If-Unmodified-Since"));
  if (match !== null) {
    if (match.trim() !== "*" && !tags(match).includes(tag)) return 412;
  } else if (unmodified !== null && modified !== null && modified > unmodified) return 412;
  const noneMatch = headers.get("If-None-Match");
  if (noneMatch !== null) {
    const hit = noneMatch.trim() === "*" || tags(noneMatch).some((seen) => seen.replace(/^W\//, "") === tag);
    return hit ? 304 : 200;
  }
  const since = date(headers.get("If-Modified-Since"));
  return since !== null && modified !== null && modified <= since ? 304 : 200;
}

function tags(field) {
  return field.match(/(?:W\/)?"[^"]*"/g) ?? [];
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const DATES = [
  `^[A-Z][a-z]{2}, (?<day>\\d\\d) (?<month>[A-Z][a-z]{2}) (?<year>\\d{4}) ${TIME} GMT$`,
  `^[A-Z][a-z]{5,8}, (?<day>\\d\\d)-(?<month>[A-Z][a-z]{2})-(?<year>\\d\\d) ${TIME} GMT$`,
  `^[A-Z][a-z]{2} (?<month>[A-Z][a-z]{2}) (?<day>[\\d ]\\d) ${TIME} (?<year>\\d{4})$`,
].map((form) => new RegExp(form));

// Seconds since 1970 of one of the three forms (RFC 9110 section 5.6.7); null for anything else,
// of which Date.parse would make a date all the same.
function date(field) {
  for (const form of DATES) {
    const found = form.exec(field?.trim() ?? "")?.groups;
    if (!found) continue;
    const month = MONTHS.indexOf(found.month);
    const [day, hour, minute, second] = [found.day, found.hour, found.minute, found.second].map(Number);
    if (month < 0 || day < 1 || day > 31 || hour > 23 || minute > 59 || second > 60) return null;
    return Date.UTC(year(found.year), month, day, hour, minute, second) / 1000;
  }
  return null;
}

// Two digits that seem more than 50 years ahead are of the past century.
function year(digits) {
  if (digits.length === 4) return Number(digits);
  const now = new Date().getUTCFullYear();
  const guess = now - (now % 100) + Number(digits);
  return guess > now + 50 ? guess - 100 : guess;
}

function json(status, body, more = {}) {
  const headers = { ...FIELDS.all, ...more, "Cache-Control": FIELDS.noStore, "Content-Type": "application/json" };
  return new Response(JSON.stringify(body), { status, headers });
}

function redirect(to) {
  return new Response(null, { status: 308, headers: { ...FIELDS.all, "Cache-Control": FIELDS.document["Cache-Control"], Location: to } });
}

// The one address of a folder, where this is another spelling of it.
function spelling(path) {
  if (Object.hasOwn(DOCUMENTS, `${path}/`)) return `${path}/`;
  const folder = path.replace(/\/index\.html$/, "/");
  return folder !== path && Object.hasOwn(DOCUMENTS, folder) ? folder : null;
}

function isUnlisted(path) {
  return UNLISTED.some((folder) => path.startsWith(folder)) && !/\.(br|gz|etag)$|\/index\.html$/.test(path);
}

function isBelow(path, prefix) {
  return prefix === "" || path === prefix || path.startsWith(`${prefix}/`);
}

// An escaped slash is not the slash between parts.
function decode(path) {
  try {
    return /%2f/i.test(path) ? null : decodeURIComponent(path);
  } catch {
    return null;
  }
}

function escaped(path) {
  return encodeURI(path).replace(/[?#]/g, encodeURIComponent);
}

// Keeps a copy of a site's reviews up to date: node sync.mts https://reviews.example.com copy.json
import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Changes } from "./changes.js"; // Generated from the published schemas.
import type { Part, Review } from "./part.js";
import type { Parts } from "./parts.js";

interface StoredPart {
  path: string;
  integrity: string;
  reviews: Review[];
}

interface LocalCopy {
  changes_etag: string;
  parts_etag: string;
  removed: string[];
  parts: StoredPart[];
}

interface Fetched {
  body: Buffer;
  etag: string;
}

/** The document and its ETag, or its date if the server has no ETags; null if the document still has it. */
async function fetchDocument(url: string, etag = ""): Promise<Fetched | "missing" | null> {
  const condition = etag.includes('"') ? "If-None-Match" : "If-Modified-Since";
  const headers: Record<string, string> = etag ? { [condition]: etag } : {};
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(600_000) });
  if (response.status === 304) return null;
  if (response.status === 404) return "missing";
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const tag = response.headers.get("ETag") ?? response.headers.get("Last-Modified") ?? "";
  return { body: Buffer.from(await response.arrayBuffer()), etag: tag };
}

/** A document that every site has. */
async function fetchExisting(url: string, etag: string): Promise<Fetched | null> {
  const answer = await fetchDocument(url, etag);
  if (answer === "missing") throw new Error(`${url}: 404`);
  return answer;
}

const read = <T,>(body: Buffer): T => JSON.parse(body.toString());

/** A part, which is checked: a cache may have an old one. */
async function fetchPart(site: string, { path, integrity }: Parts["parts"][number]): Promise<StoredPart> {
  const body = (await fetchExisting(`${site}/${path}`, ""))?.body ?? Buffer.of();
  if (`sha256-${createHash("sha256").update(body).digest("base64")}` !== integrity) {
    throw new Error(`${path} is not the one that parts.json lists; the next run fetches it`);
  }
  return { path, integrity, reviews: read<Part>(body).reviews };
}

/** Stores the reviews that are not withdrawn, and prints what is different. */
function save(file: string, copy: LocalCopy, parts: StoredPart[]): void {
  const byId = (list: StoredPart[]) =>
    new Map(list.flatMap((part) => part.reviews).map((review) => [review.id, JSON.stringify(review)]));
  const old = byId(copy.parts);
  const removed = new Set(copy.removed);
  copy.parts = parts.map((part) => {
    const reviews = part.reviews.filter((review) => !removed.has(review.id));
    // A part without one of its reviews is fetched again: the review may be published again.
    return { ...part, reviews, integrity: reviews.length < part.reviews.length ? "" : part.integrity };
  });
  const now = byId(copy.parts);
  for (const [id, review] of now) { // A program with tables of its own changes them here.
    if (old.get(id) !== review) console.log(old.has(id) ? "changed" : "added", id);
  }
  for (const id of old.keys()) if (!now.has(id)) console.log("removed", id);
  writeFileSync(`${file}.part`, JSON.stringify(copy));
  renameSync(`${file}.part`, file);
}

const [site = "", file = ""] = process.argv.slice(2);
const copy: LocalCopy = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : { changes_etag: "", parts_etag: "", removed: [], parts: [] };
const changes = await fetchExisting(`${site}/changes.json`, copy.changes_etag);
if (changes) {
  copy.changes_etag = changes.etag;
  copy.removed = read<Changes>(changes.body).changes.filter((it) => it.change === "removed").map((it) => it.id);
  copy.parts_etag = ""; // After a change, parts.json is fetched without a condition.
  save(file, copy, copy.parts);
}
const list = await fetchDocument(`${site}/parts.json`, copy.parts_etag);
if (list === "missing") { // The site has no parts: its reviews are one.
  const whole = await fetchExisting(`${site}/reviews.json`, copy.parts_etag);
  if (whole) {
    copy.parts_etag = whole.etag;
    save(file, copy, [{ path: "reviews.json", integrity: "", reviews: read<Part>(whole.body).reviews }]);
  }
} else if (list) {
  const parts: StoredPart[] = [];
  for (const listed of read<Parts>(list.body).parts) {
    const known = copy.parts.find((it) => it.path === listed.path && it.integrity === listed.integrity);
    parts.push(known ?? (await fetchPart(site, listed)));
  }
  copy.parts_etag = list.etag;
  save(file, copy, parts);
}

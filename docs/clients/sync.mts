// Keeps a copy of a site's reviews up to date: node sync.mts https://reviews.example.com copy.json
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Changes } from "./changes.js"; // Generated from the published schemas.
import type { Review, Reviews } from "./reviews.js";

interface LocalCopy {
  changes_etag: string;
  reviews_etag: string;
  removed: string[];
  reviews: Review[];
}

/** The document and its ETag; null if the document still has the ETag. */
async function fetchDocument<T>(url: string, etag: string): Promise<{ body: T; etag: string } | null> {
  const headers: Record<string, string> = etag ? { "If-None-Match": etag } : {};
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(600_000) });
  if (response.status === 304) return null;
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { body: (await response.json()) as T, etag: response.headers.get("ETag") ?? "" };
}

/** Stores the reviews that are not withdrawn, and prints what is different. */
function save(file: string, copy: LocalCopy, reviews: Review[]): void {
  const byId = (list: Review[]) => new Map(list.map((review) => [review.id, JSON.stringify(review)]));
  const old = byId(copy.reviews);
  const removed = new Set(copy.removed);
  copy.reviews = reviews.filter((review) => !removed.has(review.id));
  const now = byId(copy.reviews);
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
  : { changes_etag: "", reviews_etag: "", removed: [], reviews: [] };
const changes = await fetchDocument<Changes>(`${site}/changes.json`, copy.changes_etag);
if (changes) {
  copy.changes_etag = changes.etag;
  copy.removed = changes.body.changes.filter((it) => it.change === "removed").map((it) => it.id);
  copy.reviews_etag = ""; // After a change, reviews.json is fetched without a condition.
  save(file, copy, copy.reviews);
}
const document = await fetchDocument<Reviews>(`${site}/reviews.json`, copy.reviews_etag);
if (document) {
  copy.reviews_etag = document.etag;
  save(file, copy, document.body.reviews);
}

// Searches a site's reviews as its search page does without a service. Reads {scripts, public, searches} from standard
// input and prints what is found for each of `searches`: {matched, ids, facets}, or null. With the script of the index
// it searches by that, and adds `bytes`, those of the files that a first search downloads, compressed, and `whole`:
// whether all reviews are among them.
import { readFileSync, statSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const given = JSON.parse(readFileSync(0, 'utf8'));
const [scan, index] = runInThisContext(
  given.scripts.map(script => readFileSync(script, 'utf8')).join('\n') + '; [scan, typeof index === "undefined" ? null : index]');
const read = path => JSON.parse(readFileSync(`${given.public}/${path}`, 'utf8'));
const shown = answer => answer && { matched: answer.matched, ids: answer.reviews.map(review => review.id), facets: answer.facets };

let found;
if (index) {
  const data = { index: 'search/', parts: 'reviews-%.json', reviews: 'reviews.json', insights: 'insights.json' }, bodies = new Map();
  found = [];
  for (const search of given.searches) {
    const files = new Set();
    globalThis.fetch = async path => {
      files.add(path);
      if (!bodies.has(path)) bodies.set(path, read(path));
      return { ok: true, json: async () => bodies.get(path) };
    };
    const answer = await index(data).find(new URLSearchParams(search));
    const bytes = [...files].reduce((sum, path) => sum + statSync(`${given.public}/${path}.br`).size, 0);
    found.push(answer && { ...shown(answer), bytes, whole: files.has('reviews.json') });
  }
} else {
  const [reviews, insights] = [read('reviews.json'), read('insights.json')];
  found = given.searches.map(search => shown(scan.find(reviews, new URLSearchParams(search), insights)));
}
console.log(JSON.stringify(found));

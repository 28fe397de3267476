// Searches a site's reviews as its search page does without a service. Reads {script, public, searches} from
// standard input and prints what is found for each of `searches`: {matched, ids, facets}, or null.
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const given = JSON.parse(readFileSync(0, 'utf8'));
const scan = runInThisContext(readFileSync(given.script, 'utf8') + '; scan');
const [reviews, insights] = ['reviews', 'insights'].map(name => JSON.parse(readFileSync(`${given.public}/${name}.json`, 'utf8')));
const found = given.searches.map(search => {
  const answer = scan.find(reviews, new URLSearchParams(search), insights);
  return answer && { matched: answer.matched, ids: answer.reviews.map(review => review.id), facets: answer.facets };
});
console.log(JSON.stringify(found));

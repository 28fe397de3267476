// Searches a site's reviews as its search page does without a service. Reads {reviews, searches} from
// standard input and prints what is found for each text of `searches`: {matched, ids}, or null.
import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';

const { script, reviews, searches } = JSON.parse(readFileSync(0, 'utf8'));
const scan = runInThisContext(readFileSync(script, 'utf8') + '; scan');
const published = JSON.parse(readFileSync(reviews, 'utf8'));
const found = searches.map(q => {
  const answer = scan.find(published, new URLSearchParams({ q, limit: 100 }));
  return answer && { matched: answer.matched, ids: answer.reviews.map(review => review.id) };
});
console.log(JSON.stringify(found));

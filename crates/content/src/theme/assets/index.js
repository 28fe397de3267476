// Searches a site of many reviews by the files below search/, so that few of the reviews are downloaded: the same results
// as `scan` has from all of them, which tests/site/test_scan.py compares.
const index = (() => {
  'use strict';
  // What is within a token, if it is anywhere; only the texts decide about phrases and about marks without letters.
  const WORD = /^[\p{Alphabetic}\p{N}](\S*[\p{Alphabetic}\p{N}])?$/u;

  // Tokens with the same beginning are in one file; crates/generator has the same.
  const chunk = (token, chunks) => [...token].slice(0, 3).reduce((hash, c) => (hash * 31 + c.codePointAt(0)) % 65521, 0) % chunks;

  const column = ({ values, of }) => row => values[of[row]];

  // The numbers of the reviews that have a token, of which a file has the differences.
  function rows(file, token) {
    let row = 0;
    return Object.hasOwn(file, token) ? file[token].map(gap => row += gap) : [];
  }

  // The reviews without their words, newest first.
  function listed({ days, columns }) {
    const names = Object.entries(columns).map(([name, values]) => [name, column(values)]);
    const reviews = days.flatMap(([date, count]) => Array(count).fill(date)).map((date, id) =>
      ({ id, date, ...Object.fromEntries(names.map(([name, value]) => [name, value(id)])) }));
    return reviews.reverse();
  }

  function judged({ columns: { sentiment, aspects, topics }, ...labels }) {
    const of = (_, row) => ({ sentiment: column(sentiment)(row), aspects: column(aspects)(row), topics: column(topics)(row) });
    return { ...labels, per_review: sentiment.of.map(of) };
  }

  // Of a site whose index is below `index` and whose reviews are in the files `parts`.
  return ({ index, parts, ...whole }) => {
    const files = new Map(), all = scan.site(whole);
    let summary;

    async function load(path) {
      const answer = await fetch(path);
      if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
      return answer.json();
    }
    function once(path) {
      if (!files.has(path)) files.set(path, load(path));
      return files.get(path);
    }
    const named = name => once(`${index}${name}.json`);

    async function table() {
      const [{ words }, authors] = await Promise.all(['words', 'authors'].map(named));
      return { words, authors: Object.keys(authors) };
    }

    // The reviews with a token that meets a needle: {needle: numbers}.
    async function having(needles, isMet) {
      const tokens = needles.length ? await named('tokens') : [];
      return Object.fromEntries(await Promise.all(needles.map(async needle => {
        const met = tokens.filter(token => isMet(token, needle)), found = new Set();
        const chunks = [...new Set(met.map(token => chunk(token, summary.chunks)))];
        for (const file of await Promise.all(chunks.map(n => named(`tokens-${n}`))))
          for (const token of met) for (const row of rows(file, token)) found.add(row);
        return [needle, found];
      })));
    }

    // The whole review of one of `listed`.
    async function entire({ id, date }) {
      let at = summary.reviews.length - 1 - id;
      for (const [beginning, count] of summary.files) {
        if (at < count) {
          const review = (await once(parts.replace('%', beginning))).reviews[at];
          if (review?.date !== date) throw new Error('the site was built in between');
          return review;
        }
        at -= count;
      }
    }

    // The same answer as `scan.find`; none where only the texts decide.
    async function indexed(params) {
      const sought = ['q', 'words'].map(name => scan.words(params.get(name) || ''));
      if (sought.includes(null)) return null;
      const [parted, wholes] = sought.map(({ all, none }) => all.concat(none));
      if (!parted.concat(wholes).every(word => WORD.test(word))) return undefined;
      if (parted.length || wholes.length) named('tokens');
      if (!summary) {
        summary = await named('rows');
        summary.reviews = listed(summary);
      }
      const [has, hasWhole, names, insights] = await Promise.all([
        having(parted, (token, needle) => token.includes(needle)),
        having(wholes, scan.hasWhole),
        params.get('author') ? named('authors') : {},
        scan.isJudged(params) ? named('opinions').then(judged) : undefined,
      ]);
      const authors = Object.fromEntries(scan.nameWords(params.get('author') || '').map(word => [word, new Set(rows(names, word))]));
      const answer = scan.find(summary, params, insights, {
        part: ({ id }, needle) => has[needle].has(id),
        whole: ({ id }, needle) => hasWhole[needle].has(id),
        author: ({ id }, word) => authors[word].has(id),
      });
      return { ...answer, reviews: await Promise.all(answer.reviews.map(entire)) };
    }

    // A file is missing where the site was built in between.
    async function find(params) {
      const answer = await indexed(params).catch(() => undefined);
      return answer === undefined ? all.find(params) : answer;
    }

    // Requests what every search of words needs.
    const start = () => ['rows', 'tokens'].forEach(named);

    return { find, start, table };
  };
})();

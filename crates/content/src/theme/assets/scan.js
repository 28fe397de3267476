// Searches the published documents in the browser as the search service does, for sites without one.
// `fold` and `words` are search_fold and Words of crates/contract; tests/site/test_scan.py compares the results.
const scan = (() => {
  'use strict';
  const MAX_WORDS = 16;
  const QUOTES = '"“”„';
  const REPLACED = {
    '´': "'", '’': "'", '‘': "'", 'ʼ': "'", '`': "'", '“': '"', '”': '"', '„': '"', '«': '"', '»': '"',
    'ß': 'ss', 'ø': 'o', 'ł': 'l', 'æ': 'ae', 'œ': 'oe', 'đ': 'd',
  };
  const known = new Map();

  // A character without case and accents: none, one or several characters.
  function foldCharacter(c) {
    let folded = known.get(c);
    if (folded !== undefined) return folded;
    // The full case folding, and ı as i.
    const lower = c.toUpperCase().toLowerCase();
    folded = '';
    for (const p of lower) {
      if (/^[\u2010-\u2015\u2212]$/.test(p)) folded += '-';
      else for (const part of REPLACED[p] ? [p] : p.normalize('NFKD'))
        if (!/^\p{M}$/u.test(part)) folded += REPLACED[part] ?? part.toLowerCase();
    }
    known.set(c, folded);
    return folded;
  }

  const blanks = text => text.replace(/\p{White_Space}+/gu, ' ');

  // `trim` would take U+FEFF too, which is not white space.
  const trimmed = text => text.replace(/^ | $/g, '');

  function fold(text) {
    if (/^[ -~]*$/.test(text)) return blanks(text.toLowerCase().replaceAll('`', "'"));
    return blanks(Array.from(text.normalize('NFC'), foldCharacter).join(''));
  }

  // What a text must have and must not have; null for too many words.
  function words(typed) {
    const found = { all: [], none: [] };
    const next = new RegExp(`\\p{White_Space}*(-?)(?:[${QUOTES}]([^${QUOTES}]*)[${QUOTES}]?|([^\\p{White_Space}${QUOTES}]*))`, 'uy');
    while (next.lastIndex < typed.length) {
      const [, minus, phrase, word] = next.exec(typed);
      const needle = phrase === undefined ? bare(fold(word)) : trimmed(fold(phrase));
      const list = minus ? found.none : found.all;
      if (needle && !list.includes(needle)) list.push(needle);
    }
    return found.all.length + found.none.length > MAX_WORDS ? null : found;
  }

  // Without punctuation at its edges, unless it is nothing else.
  const bare = word =>
    word.replace(/^[^\p{Alphabetic}\p{N}]+|[^\p{Alphabetic}\p{N}]+$/gu, '') || trimmed(word);

  // A word is whole where no letter or digit is beside it.
  const LETTER = /[\p{Alphabetic}\p{N}]/u;
  const isWhole = (text, needle, at) => ![[...text.slice(0, at).slice(-2)].pop(), [...text.slice(at + needle.length, at + needle.length + 2)][0]]
    .some(beside => beside && LETTER.test(beside));
  function hasWhole(text, needle) {
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) if (isWhole(text, needle, at)) return true;
    return false;
  }

  // Of what somebody typed: what may be a part of a word, and words of up to three letters, which are whole.
  const SHORT = 3;
  function divided(typed) {
    const parts = typed.match(new RegExp(`-?[${QUOTES}][^${QUOTES}]*[${QUOTES}]?|[^\\p{White_Space}${QUOTES}]+`, 'gu')) || [];
    const isShort = part => !/^-/.test(part) && !QUOTES.includes(part[0]) && /^[\p{Alphabetic}\p{N}]{1,3}$/u.test(bare(fold(part)));
    return [parts.filter(part => !isShort(part)).join(' '), parts.filter(isShort).join(' ')];
  }

  // The places of the needles in a text: [start, end] in order, none in another.
  function places(text, needles) {
    const starts = [], ends = [];
    let folded = '', at = 0;
    for (const c of text) {
      const start = at;
      at += c.length;
      const more = blanks(foldCharacter(c));
      if (!more) { if (ends.length) ends[ends.length - 1] = at; continue; }
      if (more === ' ' && folded.endsWith(' ')) continue;
      folded += more;
      for (let i = 0; i < more.length; i++) { starts.push(start); ends.push(at); }
    }
    const found = [];
    for (const needle of needles)
      for (let i = folded.indexOf(needle); i >= 0; i = folded.indexOf(needle, i + needle.length))
        if (needle.length > SHORT || isWhole(folded, needle, i)) found.push([starts[i], ends[i + needle.length - 1]]);
    found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let end = 0;
    return found.filter(place => place[0] >= end && (end = place[1]));
  }

  const ORDERS = {
    oldest: list => list.reverse(),
    highest: list => list.sort((a, b) => b.rating - a.rating),
    lowest: list => list.sort((a, b) => a.rating - b.rating),
  };

  const nameWords = name => fold(name).split(/[^\p{Alphabetic}\p{N}]+/u).filter(Boolean);

  // The values of a review for each parameter, as `facets` counts them: those of aspects depend on a sentiment, and the other
  // way round.
  const VALUES = {
    rating: r => [r.rating],
    year: r => [Number(r.date.slice(0, 4))],
    mentions_technician: (r, { people }) => r.mentions.technicians.flatMap(name => people.get(name) || [name]),
    mentions_service: r => r.mentions.services,
    mentions_area: r => r.mentions.service_areas,
    source: r => [r.source],
    language: r => (r.language || '').split('-').map((_, at, tags) => tags.slice(0, at + 1).join('-')).filter(Boolean),
    has_reply: r => [Boolean(r.owner_reply)],
    has_text: r => [r.text !== null],
    aspect: (r, { judged, sentiment }) => judged(r).aspects.filter(it => !sentiment || it.sentiment === sentiment).map(it => it.id),
    topic: (r, { judged }) => judged(r).topics,
    sentiment: (r, { judged, aspect }) => aspect ? judged(r).aspects.filter(it => it.id === aspect).map(it => it.sentiment) : [judged(r).sentiment],
  };
  const JUDGED = ['aspect', 'topic', 'sentiment'];

  // Whether insights.json decides about an answer.
  const isJudged = params => JUDGED.some(name => params.get(name) || (params.get('facets') || '').split(',').includes(name));

  // How the texts and authors of reviews are compared with what is sought.
  const textOf = r => r.folded ??= fold(r.text || '');
  const TESTS = {
    part: (r, needle) => textOf(r).includes(needle),
    whole: (r, needle) => hasWhole(textOf(r), needle),
    author: (r, word) => nameWords(r.author).includes(word),
  };

  // The service's answer to `params` from parsed documents, or null for too many words.
  function find({ business, reviews }, params, insights, tests = TESTS) {
    const value = name => params.get(name) || '', from = Number(value('cursor'));
    const sought = words(value('q')), whole = words(value('words')), author = value('author') && nameWords(value('author'));
    if (!sought || !whole) return null;
    const named = {
      mentions_technician: business.technicians, mentions_service: business.services, mentions_area: business.service_areas,
      aspect: insights?.aspects, topic: insights?.topics,
    };
    const known = name => (named[name] || []).find(it => [it.id, it.name, it.label].some(word => word && fold(word) === fold(value(name))))?.id;
    const conditions = Object.keys(VALUES).filter(value).map(name => [name, known(name) ?? value(name)]);
    const people = new Map();
    for (const { id, name } of business.technicians) people.set(name, [...people.get(name) || [], id]);
    const context = { people, judged: r => insights?.per_review[r.id] || { aspects: [], topics: [] }, ...Object.fromEntries(conditions) };
    const values = (name, r) => new Set(VALUES[name](r, context).filter(it => it != null).map(String));
    const has = ([name, wanted], r) => [...values(name, r)].some(it => it.toLowerCase() === wanted.toLowerCase());
    const isPair = (a, b) => a === b || [a, b].every(name => name === 'aspect' || name === 'sentiment');
    const facets = {};
    for (const name of value('facets').split(',').filter(Boolean)) facets[name] = {};
    const hits = reviews.filter(r => {
      const meets = sought.all.every(word => tests.part(r, word)) && !sought.none.some(word => tests.part(r, word)) &&
        whole.all.every(word => tests.whole(r, word)) && !whole.none.some(word => tests.whole(r, word)) &&
        (!value('min_rating') || r.rating >= Number(value('min_rating'))) &&
        (!value('since') || r.date >= value('since')) && (!value('until') || r.date <= value('until')) &&
        (!author || author.length && author.every(word => tests.author(r, word)));
      const failed = meets && conditions.filter(condition => !has(condition, r)).map(([name]) => name);
      if (meets) for (const name in facets) {
        if (failed.every(other => isPair(name, other))) for (const it of values(name, r)) facets[name][it] = (facets[name][it] || 0) + 1;
      }
      return meets && !failed.length;
    });
    (ORDERS[value('sort')] || (list => list))(hits);
    const end = from + Number(value('limit'));
    const answer = { matched: hits.length, reviews: hits.slice(from, end), next_cursor: end < hits.length ? String(end) : null };
    return value('facets') ? { ...answer, facets } : answer;
  }

  // Searches all reviews of a site, which are loaded once.
  function site(paths) {
    const loaded = {};
    // The request is kept and not its result: a second search asks before the first has it.
    const load = name => loaded[name] ??= fetch(paths[name]).then(it => it.json()).catch(error => {
      delete loaded[name];
      throw error;
    });
    return {
      find: async params => find(await load('reviews'), params, isJudged(params) ? await load('insights') : undefined),
      table: async () => (await fetch(paths.index + 'words.json')).json(),
      start() {},
    };
  }

  return { divided, find, fold, hasWhole, isJudged, nameWords, places, site, words };
})();

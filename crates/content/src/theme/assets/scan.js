// Searches reviews.json in the browser as the search service does, for sites without one.
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
        found.push([starts[i], ends[i + needle.length - 1]]);
    found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    let end = 0;
    return found.filter(place => place[0] >= end && (end = place[1]));
  }

  const ORDERS = {
    oldest: list => list.reverse(),
    highest: list => list.sort((a, b) => b.rating - a.rating),
    lowest: list => list.sort((a, b) => a.rating - b.rating),
  };

  // The service's answer to `params` from a parsed reviews.json, or null for too many words.
  function find({ business, reviews }, params) {
    const value = name => params.get(name) || '', from = Number(value('cursor'));
    const sought = words(value('q'));
    if (!sought) return null;
    const person = fold(value('mentions_technician')), service = fold(value('mentions_service'));
    const named = (list, key, id) => list.filter(x => fold(x.id) === id || fold(x[key]) === id);
    const people = named(business.technicians, 'name', person).map(x => x.name);
    const services = named(business.services, 'label', service).map(x => x.id);
    const hits = reviews.filter(r => {
      r.folded ??= fold(r.text || '');
      return sought.all.every(word => r.folded.includes(word)) &&
        !sought.none.some(word => r.folded.includes(word)) &&
        (!value('rating') || r.rating === Number(value('rating'))) &&
        (!value('min_rating') || r.rating >= Number(value('min_rating'))) &&
        (!value('since') || r.date >= value('since')) && (!value('until') || r.date <= value('until')) &&
        (!person || r.mentions.technicians.some(x => people.includes(x))) &&
        (!service || r.mentions.services.some(x => services.includes(x)));
    });
    (ORDERS[value('sort')] || (list => list))(hits);
    const end = from + Number(value('limit'));
    return { matched: hits.length, reviews: hits.slice(from, end), next_cursor: end < hits.length ? String(end) : null };
  }

  return { find, fold, places, words };
})();

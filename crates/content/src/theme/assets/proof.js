// Verifies the review in the address's fragment with the site's log, and shows what passed.
(() => {
  'use strict';
  const { Fault, checkpoint, entriesOf, hex, read, sha256, signers, tiles, utf8 } = log;
  const FACTS = ['author', 'date', 'date_precision', 'disclosure', 'id', 'rating', 'source', 'source_url', 'text', 'verified'];
  document.documentElement.classList.add('js');
  const $ = (selector, root = document) => root.querySelector(selector);
  const ID = /[0-9A-HJKMNP-TV-Z]{26}/i;
  const CLASSES = { passed: 'positive', failed: 'negative', unchecked: 'mixed' };
  const language = document.documentElement.lang;
  let turn = 0;

  // RFC 8785, for the values that reviews have.
  const canonical = value => value === Object(value)
    ? `{${Object.keys(value).sort().map(key => JSON.stringify(key) + ':' + canonical(value[key])).join()}}`
    : JSON.stringify(value);

  async function commit(salt, value) {
    const bytes = Uint8Array.from(salt.match(/../g), pair => parseInt(pair, 16));
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    return hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(canonical(value)))));
  }

  // By id, which no two reviews have.
  function reviewsOf(text) {
    const { reviews } = JSON.parse(text), byId = new Map(reviews.map(review => [review.id, review]));
    if (byId.size !== reviews.length) throw Error();
    return byId;
  }

  function saltsOf(text) {
    const { version, salts } = JSON.parse(text);
    if (version !== 1 || !Object.values(salts).every(salt => /^[0-9a-f]{64}$/.test(salt))) throw Error();
    return salts;
  }

  // Whether reviews.json has what the newest entry says.
  async function compare(review, last, salt) {
    if (!last) throw new Fault(review ? 'unlogged' : 'no_entry');
    if (!last.record && !review) return ['not_public'];
    if (!last.record || !review) throw new Fault(review ? 'unexpected' : 'absent');
    if (!salt) throw new Fault('no_salt');
    const facts = Object.fromEntries(FACTS.map(key => [key, review[key]])), { translation, owner_reply: reply } = review;
    facts.translation = translation && { by: translation.by, text: translation.text };
    if (await commit(salt, facts) !== last.record) throw new Fault('differs');
    if ((reply ? await commit(salt, reply) : null) !== last.reply) throw new Fault('reply_differs');
    return ['same'];
  }

  async function checks(id) {
    const found = { checks: [], entries: [] };
    // An error that nobody foresaw is not a result.
    const check = async make => {
      try {
        const [key, values] = await make();
        found.checks.push({ state: 'passed', key, values });
      } catch (fault) {
        found.checks.push(fault instanceof Fault ? fault : new Fault('no_crypto', {}, 'unchecked'));
      }
    };
    await check(async () => {
      await sha256();
      const note = found.note = await read('log/checkpoint', checkpoint);
      return ['signed', { entries: note.size, key: await read('.well-known/candor-log.json', text => signers(note, JSON.parse(text))) }];
    });
    if (!found.note) return found;
    const { size, hash } = found.note, tree = tiles(size), { entries, odd, whole, fault } = await entriesOf(id, tree, size);
    found.entries = entries;
    await check(() => {
      if (fault) throw fault;
      if (whole !== hash) throw new Fault('not_whole', { entries: size });
      if (odd !== undefined) throw new Fault('odd_entry', { entry: odd });
      return ['whole', { entries: size }];
    });
    if (entries.length) await check(async () => {
      if (hex(await tree.root()) !== hash) throw new Fault('tree_differs');
      for (const { index: entry, hash } of entries) if (!await tree.has(entry, await hash)) throw new Fault('not_in_tree', { entry });
      return ['in_tree'];
    });
    // Of a log that could not be read, no entry is known to be the newest.
    if (!fault) await check(async () => {
      const reviews = await read('reviews.json', reviewsOf), salts = await read('log/salts.json', saltsOf);
      found.review = reviews.get(id);
      const result = await compare(found.review, entries.at(-1), salts[id]);
      const extra = Object.keys(salts).find(id => !reviews.has(id));
      if (extra) throw new Fault('extra_salt', { review: extra });
      return result;
    });
    return found;
  }

  // The checks with their results, the entries of the review, and the review. A new publication may have come in
  // between: then all is checked anew.
  async function verify(id) {
    for (let again = 2; ; again--) {
      const found = await checks(id), { note } = found;
      if (!again || found.checks.every(({ state }) => state !== 'failed')) return found;
      const now = await read('log/checkpoint', checkpoint).catch(() => null);
      if (!now || now.note === note?.note) return found;
    }
  }

  const fill = (text, values = {}) => text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString(language) : value;
  });
  const phrase = (key, values) => {
    const known = Array.from($('#phrases').content.children).find(({ dataset }) => dataset.key === key);
    return known ? fill(known.textContent, values) : key;
  };
  const element = (name, ...inside) => {
    const made = document.createElement(name);
    made.append(...inside);
    return made;
  };

  // A time of the log, or a date as exactly as it is known.
  function time(element, at, options) {
    const known = { month: [7, { year: 'numeric', month: 'long' }], year: [4, { year: 'numeric' }] }[options] || [at.length, options];
    element.dateTime = at.slice(0, known[0]);
    element.textContent = new Date(at).toLocaleString(language, { ...known[1], timeZone: 'UTC' });
    return element;
  }

  function mark(element, state) {
    element.classList.remove(...Object.values(CLASSES));
    element.classList.add(CLASSES[state]);
  }

  function showChecks(checks) {
    const list = $('.checks');
    const rows = checks.map(({ state, key, values }) => {
      const tag = element('span', list.dataset[state]), row = element('div', element('dt', tag), element('dd', phrase(key, values)));
      tag.className = 'tag';
      mark(row, state);
      return row;
    });
    list.replaceChildren(...rows);
    list.hidden = false;
    // Fewer checks than four are not a proof: the others could not begin.
    const has = wanted => checks.some(({ state }) => state === wanted);
    return has('failed') ? 'failed' : has('unchecked') || checks.length < 4 ? 'unchecked' : 'passed';
  }

  function showEntries(entries) {
    const items = entries.map(({ at, event, reason, rating, index }) => {
      const said = phrase(event, { reason: reason && phrase(reason), stars: rating });
      const when = time(element('time'), at, { dateStyle: 'long', timeStyle: 'short' });
      return element('li', when, ` UTC: ${phrase('event', { event: said, entry: index })}`);
    });
    $('.events ol').replaceChildren(...items);
    $('.events').hidden = !items.length;
  }

  function showReview(review) {
    $('.read').hidden = !review;
    if (!review) return;
    const card = $('.read article'), stars = $('.stars-of', card), reply = review.owner_reply, { pathname, hash } = new URL(review.url);
    $('bdi', card).textContent = review.author;
    $('.when', card).href = pathname + hash;
    time($('.facts time', card), review.date, review.date_precision === 'day' ? { dateStyle: 'long' } : review.date_precision);
    stars.dataset.text ??= stars.textContent;
    stars.textContent = fill(stars.dataset.text, { stars: review.rating });
    $('.words', card).textContent = review.text ?? '';
    $('.reply', card).hidden = !reply;
    $('.reply .words', card).textContent = reply?.text ?? '';
  }

  async function start() {
    const mine = ++turn, verdict = $('.verdict'), input = $('#id');
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch { /* as it is */ }
    input.value = id;
    for (const part of ['.checks', '.events', '.read']) $(part).hidden = true;
    verdict.hidden = !id;
    if (!id) return;
    mark(verdict, 'unchecked');
    const say = state => verdict.replaceChildren(Object.assign(element('span'), { className: 'tag' }), verdict.dataset[state]);
    say('busy');
    const found = await verify(id);
    if (mine !== turn) return;
    const state = showChecks(found.checks);
    mark(verdict, state);
    say(state);
    showEntries(found.entries);
    showReview(found.review);
  }

  document.addEventListener('DOMContentLoaded', () => {
    log.at($('form.search').dataset.root);
    $('form.search').addEventListener('submit', event => {
      event.preventDefault();
      const typed = $('#id').value.trim(), hash = '#' + encodeURIComponent(typed.match(ID)?.[0].toUpperCase() ?? typed);
      if (hash === location.hash) start(); else location.hash = hash;
    });
    addEventListener('hashchange', start);
    start();
  });
})();

// Search as one types: asks the service, and searches reviews.json here where there is none.
(() => {
  'use strict';
  document.documentElement.classList.add('js');
  const $ = (selector, root = document) => root.querySelector(selector);
  const PARAMETERS = ['q', 'rating', 'min_rating', 'since', 'until', 'mentions_technician', 'mentions_service', 'sort'];
  const NOTHING = { matched: 0, reviews: [], next_cursor: null };
  const PAGE = 20;
  let form, state, found, further, notice, counts, local = null, turn = 0;

  const wanted = () => {
    const all = new URLSearchParams(location.search), kept = new URLSearchParams();
    for (const name of PARAMETERS) if (all.get(name)) kept.set(name, all.get(name));
    return kept;
  };

  async function ask(params) {
    if (form.dataset.service) {
      try {
        const answer = await fetch(form.dataset.service + '?' + params);
        if (answer.ok) return { ...(await answer.json()), local: false };
        if (answer.status === 400) return { ...NOTHING, local: false };
      } catch { /* the service is away */ }
    }
    local ||= await (await fetch(form.dataset.reviews)).json();
    return { ...(scan.find(local, params) || NOTHING), local: true };
  }

  // Puts a text with its hits marked into an element.
  function mark(element, text, needles) {
    let at = 0;
    for (const [start, end] of scan.places(text, needles)) {
      const hit = document.createElement('mark');
      hit.textContent = text.slice(start, end);
      element.append(text.slice(at, start), hit);
      at = end;
    }
    element.append(text.slice(at));
  }

  // A date as exactly as it is known.
  function dated(element, date, precision) {
    const data = form.dataset, [year, month, day] = date.split('-').map(Number);
    const names = { day, month: data.months.split('|')[month - 1], year };
    const [known, pattern] = { month: [7, data.monthYear], year: [4, '{year}'] }[precision] || [10, data.date];
    element.dateTime = date.slice(0, known);
    element.textContent = pattern.replace(/\{(\w+)\}/g, (_, name) => names[name]);
  }

  // Links to the pages of who and what a review names.
  function mentions(list, review) {
    const pages = JSON.parse(form.dataset.mentions);
    for (const [kind, named] of Object.entries(review.mentions)) {
      for (const name of named) {
        const page = pages[kind]?.[name];
        if (!page) continue;
        const item = document.createElement('li'), link = document.createElement('a');
        link.href = page.href;
        link.textContent = page.label;
        item.append(link);
        list.append(item);
      }
    }
    if (list.children.length < 2) list.remove();
  }

  function show(review, needles) {
    const view = $('#result').content.cloneNode(true), data = form.dataset;
    $('bdi', view).textContent = review.author;
    $('.stars', view).classList.add('s' + review.rating + '0');
    $('.stars .hidden', view).textContent = data.stars.replace('%', review.rating);
    $('.when', view).href = new URL(review.url).pathname + new URL(review.url).hash;
    dated($('.when time', view), review.date, review.date_precision);
    const words = $('.words', view);
    if (review.text) mark(words, review.text, needles);
    else words.textContent = data.none.replace('%', review.rating);
    if (review.text && review.language) words.lang = review.language;
    const reply = review.owner_reply;
    if (!reply) $('.reply', view).remove();
    else {
      $('.reply .words', view).textContent = reply.text;
      if (reply.date) dated($('.reply time', view), reply.date); else $('.reply .day', view).remove();
    }
    const name = source => source[0].toUpperCase() + source.slice(1);
    const translation = review.translation;
    if (translation) {
      $('.translation .soft', view).textContent = data.translated.replace('%', () => name(translation.by));
      $('.translation .words', view).textContent = translation.text;
      if (translation.language) $('.translation .words', view).lang = translation.language;
    } else for (const part of ['.original', '.translation']) $(part, view).remove();
    const source = $('.source', view);
    source.textContent = review.source === 'direct' ? data.direct : data.via.replace('%', () => name(review.source));
    if (review.source_url) source.href = review.source_url; else source.removeAttribute('href');
    mentions($('.mentions', view), review);
    const checked = review.verification === 'purchase' ? data.purchase : JSON.parse(data.methods)[review.source];
    if (checked) { $('.mark', view).classList.add('ok'); $('.mark .hidden', view).textContent = checked; }
    const disclosure = $('.disclosure', view), disclosed = review.disclosure;
    if (disclosed) disclosure.textContent = [data[disclosed.kind], disclosed.note].filter(Boolean).join(': ');
    else disclosure.remove();
    found.append(view);
  }

  async function search(cursor) {
    const params = wanted(), mine = ++turn, data = state.dataset;
    marks(params);
    if (!params.size) {
      found.replaceChildren();
      state.textContent = '';
      further.hidden = true;
      for (const [link, text] of counts) $('.soft', link).textContent = text;
      return;
    }
    params.set('limit', PAGE);
    if (cursor) params.set('cursor', cursor); else state.textContent = data.busy;
    let answer;
    try { answer = await ask(params); } catch { answer = null; }
    if (mine !== turn) return;
    if (!cursor) found.replaceChildren();
    if (!answer) { state.textContent = data.failed; return; }
    notice.hidden = !(answer.local && form.dataset.service);
    state.textContent = answer.matched ? data.found.replace('%', () => number(answer.matched)) : data.nothing;
    const needles = scan.words(params.get('q') || '')?.all || [];
    answer.reviews.forEach(review => show(review, needles));
    further.hidden = !answer.next_cursor;
    further.onclick = () => search(answer.next_cursor);
    if (!cursor) count(params, mine);
  }

  const number = n => n.toLocaleString(document.documentElement.lang);
  const filters = () => document.querySelectorAll('[data-filter]');

  // The number beside each filter: how many of the reviews sought it leaves.
  async function count(params, mine) {
    for (const link of filters()) {
      const [name, value] = link.dataset.filter.split('='), narrowed = new URLSearchParams(params);
      narrowed.set(name, value);
      narrowed.set('limit', 1);
      const answer = await ask(narrowed).catch(() => null);
      if (!answer || mine !== turn) return;
      $('.soft', link).textContent = number(answer.matched);
    }
  }

  // Marks the filters in use, and offers to drop each.
  function marks(params) {
    const active = $('.active');
    active.replaceChildren();
    for (const link of filters()) {
      const [name, value] = link.dataset.filter.split('='), on = params.get(name) === value;
      if (on) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
      const next = new URLSearchParams(params);
      if (on) next.delete(name); else next.set(name, value);
      link.href = '?' + next;
      if (!on) continue;
      const item = $('#clear').content.cloneNode(true);
      $('a', item).href = '?' + next;
      $('span', item).textContent = link.firstChild.textContent.trim();
      active.append(item);
    }
  }

  function go(params, replace) {
    history[replace ? 'replaceState' : 'pushState'](null, '', '?' + params);
    search();
  }

  document.addEventListener('DOMContentLoaded', () => {
    form = $('.search'); state = $('.state'); found = $('.found'); further = $('.further'); notice = $('.local');
    const input = $('#q'), sort = $('#sort');
    counts = new Map(Array.from(filters(), link => [link, $('.soft', link).textContent]));
    let timer;
    const typed = replace => {
      const params = wanted();
      for (const field of [input, sort]) if (field.value) params.set(field.name, field.value); else params.delete(field.name);
      go(params, replace);
    };
    input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => typed(true), 150); });
    sort.addEventListener('change', () => typed(false));
    form.addEventListener('submit', event => { event.preventDefault(); clearTimeout(timer); typed(false); });
    document.addEventListener('click', event => {
      const link = event.target.closest('a[href^="?"]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(new URLSearchParams(link.getAttribute('href')), false);
    });
    const start = () => {
      for (const field of [input, sort]) field.value = wanted().get(field.name) || '';
      search();
    };
    addEventListener('popstate', start);
    start();
  });
})();

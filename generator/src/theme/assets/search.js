// Search as one types: asks the service, and searches reviews.json here where there is none.
(() => {
  'use strict';
  document.documentElement.classList.add('js');
  const $ = (selector, root = document) => root.querySelector(selector);
  const FILTERS = ['rating', 'min_rating', 'since', 'until', 'mentions_technician', 'mentions_service'];
  const PAGE = 20;
  let form, state, found, further, notice, local = null, turn = 0;

  const wanted = () => {
    const all = new URLSearchParams(location.search), kept = new URLSearchParams();
    for (const name of ['query', ...FILTERS]) if (all.get(name)) kept.set(name, all.get(name));
    return kept;
  };

  // The same folding as far as a browser has it.
  const fold = text => (text || '').normalize('NFC').toLowerCase();

  async function ask(params) {
    if (form.dataset.service) {
      try {
        const answer = await fetch(form.dataset.service + '?' + params);
        if (answer.ok) return { ...(await answer.json()), local: false };
        if (answer.status === 400) return { matched: 0, reviews: [], next_cursor: null, local: false };
      } catch { /* the service is away */ }
    }
    local ||= await (await fetch(form.dataset.reviews)).json();
    const value = name => params.get(name), from = Number(value('cursor') || 0);
    const person = fold(value('mentions_technician')), service = fold(value('mentions_service'));
    const named = (list, key, id) => list.filter(x => fold(x.id) === id || fold(x[key]) === id);
    const people = named(local.business.technicians, 'name', person).map(x => x.name);
    const services = named(local.business.services, 'label', service).map(x => x.id);
    const hits = local.reviews.filter(r =>
      (!value('query') || fold(r.text).includes(fold(value('query')))) &&
      (!value('rating') || r.rating === Number(value('rating'))) &&
      (!value('min_rating') || r.rating >= Number(value('min_rating'))) &&
      (!value('since') || r.date >= value('since')) && (!value('until') || r.date <= value('until')) &&
      (!person || r.mentions.technicians.some(x => people.includes(x))) &&
      (!service || r.mentions.services.some(x => services.includes(x))));
    const next = from + PAGE < hits.length ? String(from + PAGE) : null;
    return { matched: hits.length, reviews: hits.slice(from, from + PAGE), next_cursor: next, local: true };
  }

  function show(review) {
    const view = $('#result').content.cloneNode(true), data = form.dataset;
    const [year, month, day] = review.date.split('-').map(Number);
    const names = { day, month: data.months.split('|')[month - 1], year };
    $('bdi', view).textContent = review.author;
    $('.face', view).textContent = (review.author.match(/[\p{L}\p{N}]/u) || ['·'])[0].toUpperCase();
    $('.stars', view).classList.add('s' + review.rating + '0');
    $('.stars .hidden', view).textContent = data.stars.replace('%', review.rating);
    $('.when', view).href = new URL(review.url).pathname + new URL(review.url).hash;
    // A date is shown as exactly as it is known.
    const [known, pattern] = { month: [7, data.monthYear], year: [4, '{year}'] }[review.date_precision] || [10, data.date];
    $('time', view).dateTime = review.date.slice(0, known);
    $('time', view).textContent = pattern.replace(/\{(\w+)\}/g, (_, name) => names[name]);
    const words = $('.words', view);
    words.textContent = review.text ?? data.none.replace('%', review.rating);
    if (review.text && review.language) words.lang = review.language;
    if (review.owner_reply) $('.reply .words', view).textContent = review.owner_reply.text;
    else $('.reply', view).remove();
    const name = source => source[0].toUpperCase() + source.slice(1);
    const translation = review.translation;
    if (translation) {
      $('.translation .soft', view).textContent = data.translated.replace('%', () => name(translation.by));
      $('.translation .words', view).textContent = translation.text;
      if (translation.language) $('.translation .words', view).lang = translation.language;
    } else $('.translation', view).remove();
    $('.source', view).textContent = review.source === 'direct' ? data.direct : data.via.replace('%', () => name(review.source));
    $('.method a', view).textContent = JSON.parse(data.methods)[review.source];
    const disclosure = $('.disclosure', view), disclosed = review.disclosure;
    if (disclosed) disclosure.textContent = [data[disclosed.kind], disclosed.note].filter(Boolean).join(': ');
    else disclosure.remove();
    found.append(view);
  }

  async function search(cursor) {
    const params = wanted(), mine = ++turn, data = state.dataset;
    marks(params);
    if (!params.size) { found.replaceChildren(); state.textContent = ''; further.hidden = true; return; }
    params.set('limit', PAGE);
    if (cursor) params.set('cursor', cursor); else state.textContent = data.busy;
    let answer;
    try { answer = await ask(params); } catch { answer = null; }
    if (mine !== turn) return;
    if (!cursor) found.replaceChildren();
    if (!answer) { state.textContent = data.failed; return; }
    notice.hidden = !(answer.local && form.dataset.service);
    state.textContent = answer.matched ? data.found + ' ' + answer.matched.toLocaleString(document.documentElement.lang) : data.nothing;
    answer.reviews.forEach(show);
    further.hidden = !answer.next_cursor;
    further.onclick = () => search(answer.next_cursor);
  }

  // Marks the filters in use, and offers to drop each.
  function marks(params) {
    const active = $('.active');
    active.replaceChildren();
    for (const link of document.querySelectorAll('[data-filter]')) {
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
    const input = $('#query');
    let timer;
    const typed = replace => {
      const params = wanted();
      if (input.value) params.set('query', input.value); else params.delete('query');
      go(params, replace);
    };
    input.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(() => typed(true), 150); });
    form.addEventListener('submit', event => { event.preventDefault(); clearTimeout(timer); typed(false); });
    document.addEventListener('click', event => {
      const link = event.target.closest('a[href^="?"]');
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(new URLSearchParams(link.getAttribute('href')), false);
    });
    const start = () => { input.value = wanted().get('query') || ''; search(); };
    addEventListener('popstate', start);
    start();
  });
})();

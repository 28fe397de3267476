// Makes a review of a search's answer from the template of the page.
const result = (() => {
  'use strict';
  const $ = (selector, root = document) => root.querySelector(selector);

  // Puts a text with its hits marked into an element.
  function highlight(element, text, needles) {
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
  function dated(data, element, date, precision) {
    const [year, month, day] = date.split('-').map(Number);
    const names = { day, month: data.months.split('|')[month - 1], year };
    const [known, pattern] = { month: [7, data.monthYear], year: [4, '{year}'] }[precision] || [10, data.date];
    element.dateTime = date.slice(0, known);
    element.textContent = pattern.replace(/\{(\w+)\}/g, (_, name) => names[name]);
  }

  function linked(href, text, label) {
    const item = document.createElement('li'), link = document.createElement('a');
    link.href = href;
    link.textContent = text;
    if (label) link.setAttribute('aria-label', label);
    item.append(link);
    return item;
  }

  // Marks the filters in use, and offers to drop each.
  function mark(params, filters) {
    const active = $('.active'), items = [];
    for (const { link, name, value } of filters) {
      if (params.get(name) === value) link.setAttribute('aria-current', 'true'); else link.removeAttribute('aria-current');
    }
    for (const [name, value] of params) {
      if (name === 'sort') continue;
      const rest = new URLSearchParams(params), known = filters.find(it => it.name === name && it.value === value);
      rest.delete(name);
      const label = known ? known.label : value;
      items.push(linked('?' + rest, `${label} ×`, active.dataset.remove.replace('%', () => label)));
    }
    if (items.length) items.push(linked('?', active.dataset.clear));
    active.replaceChildren(...items);
  }

  function heading(link, text) {
    const heading = document.createElement('h2');
    heading.append(link, ' ', text);
    return heading;
  }

  // `data` has the phrases, `pages` the links of what a review names.
  function view(review, needles, data, pages) {
    const view = $('#result').content.cloneNode(true);
    $('bdi', view).textContent = review.author;
    $('.stars', view).classList.add('s' + review.rating + '0');
    $('.stars .hidden', view).textContent = data.stars.replace('%', review.rating);
    $('.when', view).href = new URL(review.url).pathname + new URL(review.url).hash;
    dated(data, $('.when time', view), review.date, review.date_precision);
    // A translation into the language of the page is first, and the other text is folded.
    const words = $('.words', view), { translation } = review, original = { text: review.text, language: review.language };
    const primary = tag => (tag || '').split('-')[0].toLowerCase(), own = primary(document.documentElement.lang);
    const isTranslated = translation && ['', own].includes(primary(translation.language)) && primary(review.language) !== own;
    const [first, other] = isTranslated ? [translation, original] : [original, translation];
    if (first.text) highlight(words, first.text, needles);
    else words.textContent = data.none.replace('%', review.rating);
    if (first.text && first.language) words.lang = first.language;
    const reply = review.owner_reply;
    if (!reply) $('.reply', view).remove();
    else {
      $('.reply .words', view).textContent = reply.text;
      if (reply.date) dated(data, $('.reply time', view), reply.date); else $('.reply .day', view).remove();
    }
    const name = source => source[0].toUpperCase() + source.slice(1);
    const translated = translation && data.translated.replace('%', () => name(translation.by)), folded = $('.other', view);
    if (isTranslated) $('.translated', view).textContent = translated; else $('.translated', view).remove();
    if (!translation || !other.text) folded.remove();
    else {
      const tongue = tag => new Intl.DisplayNames([tag], { type: 'language' }).of(primary(tag));
      const see = other.language ? data.seeOriginal.replace('%', () => tongue(other.language)) : data.original;
      $('summary', folded).textContent = isTranslated ? see : translated;
      highlight($('.words', folded), other.text, needles);
      folded.open = isTranslated && Boolean($('mark', folded));
      if (other.language) $('.words', folded).lang = other.language;
    }
    const source = $('.source', view);
    source.textContent = review.source === 'direct' ? data.direct : data.via.replace('%', () => name(review.source));
    if (review.source_url) source.href = review.source_url; else source.removeAttribute('href');
    const { technicians, services, service_areas } = review.mentions, list = $('.mentions', view);
    for (const [kind, named] of Object.entries({ technician: technicians, service: services, area: service_areas })) {
      for (const key of named) if (pages[`mentions_${kind}=${key}`]) list.append(linked(...pages[`mentions_${kind}=${key}`]));
    }
    if (list.children.length < 2) list.remove();
    const checked = review.verification === 'purchase' ? data.purchase : JSON.parse(data.methods)[review.source];
    if (checked) { $('.mark', view).classList.add('ok'); $('.mark .hidden', view).textContent = checked; }
    const disclosure = $('.disclosure', view), disclosed = review.disclosure;
    if (disclosed) disclosure.textContent = [data[disclosed.kind], disclosed.note].filter(Boolean).join(': ');
    else disclosure.remove();
    return view;
  }

  return { heading, linked, mark, view };
})();

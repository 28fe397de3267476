// Other forms and spellings of what somebody searched for, by the site's own words: {words: {stem: {form: reviews}}, authors}.
const variants = (() => {
  'use strict';
  // Words of fewer letters have too many neighbours.
  const FORMS = 4, SPELLINGS = 5;
  // Letters of an ending that is likelier than another letter in the word.
  const ENDING = 2;
  // ä as ae, f as ph, and doubled letters.
  const plain = word => word.replace(/([aou])e/g, '$1').replace(/ph/g, 'f').replace(/(.)\1+/g, '$1');

  // One letter more, less or other, or two exchanged.
  function isNear(a, b) {
    let start = 0;
    while (start < a.length && a[start] === b[start]) start++;
    const [x, y] = [a.slice(start), b.slice(start)];
    return x.slice(1) === y.slice(1) || x.slice(1) === y || x === y.slice(1) ||
      x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2);
  }

  function common(a, b) {
    let end = 0;
    while (end < a.length && a[end] === b[end]) end++;
    return a.slice(0, end);
  }

  // The most frequent form of a stem but the word itself, and what is asked for it: what all forms have in common.
  function group(stem, forms, word) {
    const all = Object.entries(forms).sort((a, b) => b[1] - a[1]), [said] = all.find(([form]) => form !== word) || all[0];
    const begin = Object.keys(forms).reduce(common);
    return { said, asked: begin.length >= Math.max(FORMS, stem.length - 1) ? begin : said };
  }

  // What to look for in place of a word; nothing where no review has anything like it.
  function other(word, stems) {
    const isShort = word.length < FORMS, own = stems.find(([stem, forms]) => word in forms || isShort && stem === word);
    if (own) return group(...own, word);
    if (isShort) return { said: word, asked: word };
    const all = stems.flatMap(([stem, forms]) => Object.entries(forms).map(([form, count]) => ({ stem, forms, form, count })));
    if (all.some(({ form }) => form.includes(word))) return { said: word, asked: word };
    const most = list => list.sort((a, b) => b.count - a.count)[0];
    const same = most(all.filter(({ form }) => plain(form) === plain(word)));
    // Another ending, which is longer only where the whole stem is there.
    const begun = stems.map(([stem, forms]) => ({ stem, forms, length: common(plain(stem), plain(word)).length, whole: plain(stem).length }))
      .filter(({ length, whole }) => length >= FORMS && length >= whole - 1 && plain(word).length - length <= (length === whole ? 6 : FORMS))
      .sort((a, b) => b.length - a.length)[0];
    const near = word.length >= SPELLINGS && most(all.filter(({ form }) => isNear(form, word) || isNear(plain(form), plain(word))));
    const isEnding = begun && begun.length === begun.whole && plain(word).length - begun.length <= ENDING;
    const found = same || isEnding && begun || near || begun;
    return found && group(found.stem, found.forms, word);
  }

  // What is asked for `q`: words of up to three letters count only where they are whole.
  function query(params) {
    const asked = new URLSearchParams(params), [parts, whole] = scan.divided(params.get('q') || '');
    if (parts) asked.set('q', parts); else asked.delete('q');
    if (whole) asked.set('words', whole);
    return asked;
  }

  // What can be asked instead, the best first: [parameter, value, words said, whether it means the same]. A filter is one of
  // them if its label has what was typed.
  function of(typed, { words, authors }, filters) {
    const stems = Object.entries(words), found = [], needles = scan.words(typed);
    if (!needles || needles.none.length || /["“”„]/.test(typed)) return found;
    const named = (is, isSame) => {
      const names = scan.nameWords(typed).map(name => authors.includes(name) ? name : authors.find(author => is(author, name)));
      if (names.length && names.every(Boolean)) found.push(['author', names.join(' '), names.join(' '), isSame]);
    };
    named((author, name) => plain(author) === plain(name), true);
    const others = needles.all.map(word => other(word, stems)).filter(Boolean);
    const add = (of, isSame) => found.push(['q', of.map(it => it.asked).join(' '), of.map(it => it.said).join(' '), isSame]);
    if (others.some(({ asked }) => asked.length >= FORMS) && others.map(it => it.asked).join() !== needles.all.join()) {
      add(others, others.length === needles.all.length);
    }
    if (!found.length) named((author, name) => name.length >= SPELLINGS && isNear(author, name), false);
    const isIn = label => needles.all.every(word => scan.nameWords(label).some(part =>
      word.length >= FORMS && part.startsWith(word) || part.length >= FORMS && word.startsWith(part)));
    for (const { name, value, label } of filters) if (isIn(label)) found.push([name, value, label]);
    const count = word => stems.reduce((sum, [, forms]) =>
      sum + Object.keys(forms).reduce((all, form) => all + (form.includes(word) ? forms[form] : 0), 0), 0);
    const rare = others.filter(({ asked }) => asked.length >= FORMS).sort((a, b) => count(a.asked) - count(b.asked));
    if (others.length > 1) for (const word of rare.slice(0, 2)) add([word], false);
    return found;
  }

  return { query, of };
})();

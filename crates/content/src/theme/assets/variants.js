// Other forms and spellings of what somebody searched for, by the site's own words: {words: {stem: {spelling: reviews}},
// authors}.
const variants = (() => {
  'use strict';
  // Words of fewer letters have too many neighbours; those of fewer than WHOLE have, unless their first letter is the same.
  const FORMS = 4, WHOLE = 5;
  // Words of fewer reviews come after labels that are like what was typed.
  const RARE = 3;
  // ä as ae, f as ph, and doubled letters.
  const plain = word => word.replace(/([aou])e/g, '$1').replace(/ph/g, 'f').replace(/(.)\1+/g, '$1');

  // One letter more, less or other, or two exchanged.
  function isNear(a, b) {
    if (Math.min(a.length, b.length) < WHOLE && a[0] !== b[0]) return false;
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

  // What `to` begins with, or less or more than it by a letter.
  const begins = (to, from) => [0, 1, -1].map(more => from.slice(0, to.length + more)).find(begin => begin.length >= FORMS && isNear(begin, to));

  // The most frequent form of a stem but the word itself, and what is asked for it: what all forms have in common, spelled
  // as reviews spell it.
  function group({ stem, forms }, word) {
    const all = [...forms].sort((a, b) => b.count - a.count), { said, form } = all.find(({ form }) => form !== word) || all[0];
    const begin = forms.map(it => it.form).reduce(common), asked = begin.length >= Math.max(FORMS, stem.length - 1) ? begin : form;
    const spelled = said.slice(0, asked.length), count = all.reduce((sum, it) => sum + it.count, 0);
    return { said, count, asked: scan.fold(spelled) === asked ? spelled : asked };
  }

  // How far a word is from a stem, the least first; nothing where it is not like it.
  function distance({ stem, forms }, word) {
    const short = plain(word), root = plain(stem), length = common(root, short).length, rest = short.length - length;
    const is = test => forms.some(({ form }) => test(form)), isWhole = length === root.length && length >= FORMS;
    if (is(form => plain(form) === short)) return 0;
    if (isWhole && rest <= 2) return 1;
    if (stem.length >= FORMS && isNear(stem, word) || is(form => isNear(form, word))) return 2;
    if (is(form => isNear(plain(form), short))) return 3;
    // Another ending, which is longer only where the whole stem is there; a misspelt stem; the end of a compound.
    if (length >= FORMS && length >= root.length - 1 && rest <= (isWhole && length >= WHOLE ? 6 : FORMS)) return 4 + rest / 10;
    const begin = stem.length >= FORMS && begins(stem, word);
    if (begin && word.length - begin.length <= 3) return 5;
    return is(form => form.length >= WHOLE && word.lastIndexOf(form) > 0 && word.length - word.lastIndexOf(form) - form.length <= 1) ? 6 : undefined;
  }

  // What to look for in place of a word; nothing where no review has anything like it. A name is not misspelt.
  function other(word, stems, isName) {
    const own = stems.find(({ stem, forms }) => forms.some(({ form }) => form === word) || word.length < FORMS && stem === word);
    if (own) return group(own, word);
    if (word.length < FORMS || stems.some(({ forms }) => forms.some(({ form }) => form.includes(word)))) return { said: word, asked: word, count: RARE };
    if (isName) return undefined;
    const rank = of => [distance(of, word), of.stem[0] !== word[0], -of.forms.reduce((sum, { count }) => sum + count, 0)];
    const all = stems.map(of => ({ of, by: rank(of) })).filter(({ by }) => by[0] !== undefined);
    all.sort((a, b) => a.by[0] - b.by[0] || a.by[1] - b.by[1] || a.by[2] - b.by[2]);
    return all[0] && group(all[0].of, word);
  }

  // What is asked for `q`: words of up to three letters count only where they are whole.
  function query(params) {
    const asked = new URLSearchParams(params), [parts, whole] = scan.divided(params.get('q') || '');
    if (parts) asked.set('q', parts); else asked.delete('q');
    if (whole) asked.set('words', whole);
    return asked;
  }

  // What can be asked instead, the best first: [parameter, value, words said, whether it means the same]. A filter is one of
  // them if its label has what was typed. Where texts have what was typed, nothing that means less is.
  function of(typed, { words, authors }, filters, isFound) {
    const found = [], needles = scan.words(typed);
    if (!needles || needles.none.length || /["“”„]/.test(typed)) return found;
    const stems = Object.entries(words).map(([stem, forms]) =>
      ({ stem, forms: Object.entries(forms).map(([said, count]) => ({ said, form: scan.fold(said), count })) }));
    const names = scan.nameWords(typed);
    const push = (name, value, ...more) => { if (!found.some(it => it[0] === name && it[1] === value)) found.push([name, value, ...more]); };
    const named = is => {
      const all = isFound ? [] : names.map(name => authors.includes(name) ? name : authors.find(author => is(author, name))), value = all.join(' ');
      if (all.length && all.every(Boolean)) push('author', value, value);
    };
    const others = needles.all.map(word => other(word, stems, authors.includes(word))), known = others.filter(Boolean);
    const isAll = known.length === others.length;
    const add = (of, isSame) => push('q', of.map(it => it.asked).join(' '), of.map(it => it.said).join(' '), isSame);
    const isOther = known.some(({ asked }) => asked.length >= FORMS) && scan.fold(known.map(it => it.asked).join()) !== needles.all.join();
    const labelled = isLike => {
      const isIn = label => needles.all.every(word => word.length >= FORMS && scan.nameWords(label).some(part => isLike(part, word)));
      for (const { name, value, label } of filters) if (isIn(label)) push(name, value, label);
    };
    const exact = () => labelled((part, word) => part.startsWith(word) || part.length >= FORMS && word.startsWith(part));
    const near = () => labelled((part, word) => word.length >= WHOLE && begins(word, part));
    if (!isFound) {
      named(() => false);
      exact();
      if (known.every(({ count }) => count < RARE)) near();
    }
    if (isAll && isOther) add(known, true);
    if (isFound) { exact(); return found; }
    named((author, name) => plain(author) === plain(name));
    named((author, name) => name.length >= FORMS && isNear(author, name));
    if (names.length > 1) for (const name of names) if (name.length >= FORMS && authors.includes(name)) push('author', name, name);
    near();
    if (!isAll && isOther) add(known, false);
    const rare = known.filter(({ asked }) => asked.length >= FORMS).sort((a, b) => a.count - b.count);
    if (others.length > 1) for (const { asked } of rare.slice(0, 2)) add([{ asked, said: asked }], false);
    return found;
  }

  // The words of a name as the authors of these reviews write them.
  const spelled = (names, reviews) => names.split(' ').map(name =>
    reviews.flatMap(({ author }) => author.split(/[^\p{Alphabetic}\p{M}\p{N}]+/u)).find(word => scan.fold(word) === name) || name).join(' ');

  return { query, of, spelled };
})();

// Reads a transparency log and verifies it. docs/proof.md describes the formats.
const log = (() => {
  'use strict';
  // Entries of a full tile; the most that are read of a log, about 18 MB; bundles asked for at once.
  const WIDTH = 256, MOST = 100000, AT_ONCE = 6;
  const EVENTS = ['published', 'changed', 'reply_changed', 'withheld', 'restored', 'removed', 'forgotten', 'set'];
  // A signed checkpoint, to its last line break: origin, size, root hash, lines of others, an empty line, signatures.
  const NOTE = /^([^\x00-\x1f]+)\n(0|[1-9]\d*)\n([A-Za-z0-9+/]{43}=)\n(?:[^\x00-\x1f]+\n)*\n(?:— [^\s+]+ [A-Za-z0-9+/]+=*\n)+$/;
  let root = '/';

  // Why a check did not pass: a phrase with its values, and whether the check failed or could not be made.
  class Fault extends Error {
    constructor(key, values, state = 'failed') { super(key); Object.assign(this, { key, values, state }); }
  }

  const utf8 = text => new TextEncoder().encode(text);
  const decode = bytes => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  const hex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const base64 = text => Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
  const sha256 = async (...parts) => {
    const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    parts.reduce((at, part) => { all.set(part, at); return at + part.length; }, 0);
    return new Uint8Array(await crypto.subtle.digest('SHA-256', all));
  };

  async function load(file) {
    const answer = await fetch(root + file, { cache: 'no-cache' }).catch(() => null);
    const bytes = answer?.ok && await answer.arrayBuffer().catch(() => null);
    if (!bytes) throw new Fault('missing', { file });
    return new Uint8Array(bytes);
  }

  // What `make` makes of the text of a file.
  async function read(file, make) {
    const bytes = await load(file);
    try {
      return await make(decode(bytes));
    } catch (error) {
      throw error instanceof Fault ? error : new Fault('unreadable', { file });
    }
  }

  // A checkpoint, still unverified.
  function checkpoint(note) {
    const end = note.lastIndexOf('\n\n') + 1, [, origin, count, hash] = note.match(NOTE);
    const size = Number(count), bytes = base64(hash);
    if (!Number.isSafeInteger(size)) throw Error();
    return { note, origin, size, hash: hex(bytes), text: utf8(note.slice(0, end)), lines: note.slice(end + 1).split('\n') };
  }

  // The site's keys that have signed. One wrong signature of a known key is enough to refuse the note.
  async function signers({ origin, text, lines }, { version, origin: named, keys, revoked = [] }) {
    const valid = [], late = [], isList = list => Array.isArray(list) && list.every(text => typeof text === 'string');
    if (version !== 1 || ![[named], keys, revoked].every(isList)) throw Error();
    const other = [named, ...keys.map(key => key.split('+')[0])].find(name => name !== origin);
    if (other !== undefined) throw new Fault('other_log', { log: origin, other });
    // The second line of each note is a key whose signatures do not count any more.
    const lost = revoked.map(note => note.split('\n')[1]);
    for (const key of keys) {
      const isLost = lost.includes(key);
      const [, name, id, data] = key.match(/^([^+]+)\+([0-9a-f]{8})\+(.+)$/), bytes = base64(data);
      const own = hex((await sha256(utf8(name + '\n'), bytes)).slice(0, 4));
      if (id !== own || bytes.length !== 33 || bytes[0] !== 1) throw Error();
      for (const line of lines) {
        const [dash, signer, signed] = line.split(' ');
        if (dash !== '—' || signer !== name) continue;
        const signature = base64(signed);
        if (hex(signature.slice(0, 4)) !== id) continue;
        const isValid = await isSigned(bytes.slice(1), signature.slice(4), text);
        if (!isValid && !isLost) throw new Fault('forged');
        if (isValid) (isLost ? late : valid).push(key);
      }
    }
    if (!valid.length) throw late.length ? new Fault('too_late', { key: late.join(', ') }) : new Fault('unsigned');
    return valid.join(', ');
  }

  async function isSigned(key, signature, text) {
    try {
      const imported = await crypto.subtle.importKey('raw', key, 'Ed25519', false, ['verify']);
      return await crypto.subtle.verify('Ed25519', imported, signature, text);
    } catch (error) {
      if (error.name === 'DataError') return false;
      throw new Fault('no_ed25519', {}, 'unchecked');
    }
  }

  // The root of RFC 6962. A hash without a right neighbour moves up a level.
  async function rootOf(hashes) {
    while (hashes.length > 1) {
      const lefts = hashes.filter((_, at) => at % 2 === 0);
      const node = (left, at) => hashes[2 * at + 1] ? sha256([1], left, hashes[2 * at + 1]) : left;
      hashes = await Promise.all(lefts.map(node));
    }
    return hashes[0] ?? sha256();
  }

  // `1234067` as `x001/x234/067`.
  function groups(index) {
    const last = String(index % 1000).padStart(3, '0');
    const before = index < 1000 ? '' : groups(Math.floor(index / 1000)).replace(/(\d+)$/, 'x$1') + '/';
    return before + last;
  }

  // The files of C2SP tlog-tiles for a log of this size.
  function tiles(size) {
    const kept = {};
    const count = level => Math.floor(size / WIDTH ** level);
    function tile(kind, all, index) {
      const width = Math.min(WIDTH, all - index * WIDTH);
      return { width, file: `log/tile/${kind}/${groups(index)}${width < WIDTH ? '.p/' + width : ''}` };
    }
    async function entries(index) {
      const { file, width } = tile('entries', size, index), bytes = await load(file), found = [];
      let at = 0;
      for (let end; at < bytes.length; at = end) {
        end = at + 2 + bytes[at] * 256 + bytes[at + 1];
        found.push(bytes.subarray(at + 2, end));
      }
      if (at !== bytes.length || found.length !== width) throw new Fault('unreadable', { file });
      return found;
    }
    async function hashes(level, index) {
      const { file, width } = tile(level, count(level), index), bytes = await (kept[file] ??= load(file));
      if (bytes.length !== 32 * width) throw new Fault('unreadable', { file });
      return Array.from({ length: width }, (_, at) => bytes.slice(32 * at, 32 * at + 32));
    }
    // By the partial tile at the end of each level.
    async function treeRoot() {
      let rest = [];
      for (let level = 0; count(level); level++) {
        if (count(level) % WIDTH) rest = [await rootOf([...await hashes(level, count(level + 1)), ...rest])];
      }
      return rootOf(rest);
    }
    // Whether a leaf is below that root: by full tiles up to a partial one.
    async function has(index, hash) {
      for (let level = 0, width = WIDTH; width === WIDTH; level++) {
        const found = await hashes(level, Math.floor(index / WIDTH));
        if (hex(found[index % WIDTH]) !== hex(hash)) return false;
        [hash, index, width] = [await rootOf(found), Math.floor(index / WIDTH), found.length];
      }
      return true;
    }
    return { entries, root: treeRoot, has };
  }

  // An entry, if it is spelled as a log spells entries.
  function parse(leaf) {
    try {
      const text = decode(leaf), entry = JSON.parse(text);
      return JSON.stringify(entry) === text && EVENTS.includes(entry.event) ? entry : null;
    } catch {
      return null;
    }
  }

  // The root of the whole log and the entries about a review, or why it could not be read. All is read because
  // only then no newer entry is missing, and because an index in a page would be one more thing to trust.
  async function entriesOf(id, { entries: bundle }, size) {
    const leaves = [], entries = [], bundles = Math.ceil(size / WIDTH);
    let odd;
    try {
      if (size > MOST) throw new Fault('too_long', { entries: size }, 'unchecked');
      for (let first = 0; first < bundles; first += AT_ONCE) {
        const next = Array.from({ length: Math.min(AT_ONCE, bundles - first) }, (_, at) => bundle(first + at));
        for (const leaf of (await Promise.all(next)).flat()) {
          const hash = sha256([0], leaf), index = leaves.push(hash) - 1, entry = parse(leaf);
          if (!entry) odd ??= index;
          else if (entry.review === id) entries.push({ ...entry, index, hash });
        }
      }
      return { entries, odd, whole: hex(await rootOf(await Promise.all(leaves))) };
    } catch (fault) {
      return { entries, fault };
    }
  }

  return { Fault, checkpoint, entriesOf, hex, read, sha256, signers, tiles, utf8, at: site => { root = site; } };
})();

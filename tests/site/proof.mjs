// The page that verifies a review: an honest site passes, and each way to lie is said in words.
import { createHash, generateKeyPairSync } from 'node:crypto';

const LOG = '/log/', KEYS = '/.well-known/candor-log.json', REVIEWS = '/reviews.json';
// In `content/overrides.toml` of the sample.
const WITHHELD = '01HY1XJC004SWJRT6MWQGDM0J2';

const flip = (at, bit = 1) => bytes => { bytes[at < 0 ? bytes.length + at : at] ^= bit; return bytes; };
const json = change => bytes => { const value = JSON.parse(bytes); change(value); return Buffer.from(JSON.stringify(value)); };
const text = change => bytes => Buffer.from(change(bytes.toString('utf8')));
const missing = () => null;

// A key that anybody can make, spelled as one of the log.
function someKey(origin) {
  const { publicKey } = generateKeyPairSync('ed25519');
  const key = Buffer.concat([Buffer.from([1]), publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)]);
  const id = createHash('sha256').update(origin + '\n').update(key).digest('hex').slice(0, 8);
  return `${origin}+${id}+${key.toString('base64')}`;
}

// The review whose entry is the first of the log, and its other one if there is one.
async function site(url) {
  const load = async path => Buffer.from(await (await fetch(url + path)).arrayBuffer());
  const note = (await load(LOG + 'checkpoint')).toString('utf8'), size = Number(note.split('\n')[1]);
  const first = 'tile/entries/000', last = `tile/entries/001.p/${size - 256}`, entries = [];
  for (const file of [first, last]) {
    const bytes = await load(LOG + file);
    for (let at = 0; at < bytes.length;) {
      const length = bytes.readUInt16BE(at);
      entries.push({ offset: at + 2, ...JSON.parse(bytes.subarray(at + 2, at + 2 + length)) });
      at += 2 + length;
    }
  }
  const changed = entries.find(entry => entry.event === 'changed');
  const both = entries.filter(entry => entry.review === changed.review);
  return { size, first, last, both, tree: { edge: `tile/0/001.p/${size - 256}`, full: 'tile/0/000' }, index: entries.indexOf(both[0]) };
}

// Cases: what is served otherwise, what the browser lacks, and what the page must say then.
function cases({ size, first, last, both, tree, index }) {
  const id = both[0].review, edit = change => json(({ reviews }) => change(reviews.find(review => review.id === id), reviews));
  const honest = ['Verified: every check passed', 'is signed with the key', `its ${size} entries together`, 'at its place', 'are what was logged last', 'published (entry', 'changed (entry', 'Edited.'];
  const review = 'not what was logged last', failed = 'Not verified';
  return {
    honest: { says: honest, never: ['Failed', 'Not checked'] },
    'a changed text': { [REVIEWS]: edit(review => { review.text += '!'; }), says: [failed, review] },
    'other stars': { [REVIEWS]: edit(review => { review.rating = review.rating % 5 + 1; }), says: [failed, review] },
    'another reply': { [REVIEWS]: edit(review => { review.owner_reply = { text: 'x', date: null }; }), says: [failed, 'The reply in reviews.json is not'] },
    'a second review with the same id': { [REVIEWS]: edit((review, all) => all.push({ ...review, text: 'x' })), says: [failed, 'reviews.json cannot be read'] },
    'a dropped review': { [REVIEWS]: edit((review, all) => all.splice(all.indexOf(review), 1)), says: [failed, 'but reviews.json does not have it'] },
    'a bit of a tile at the edge': { [LOG + tree.edge]: flip(0), says: [failed, 'hash tree does not have the hash'] },
    'a bit of a full tile': { [LOG + tree.full]: flip(32 * index), says: [failed, `Entry ${index} is not at its place`] },
    'a neighbour in a full tile': { [LOG + tree.full]: flip(32 * (index + 1)), says: [failed, 'is not at its place'] },
    'a bit of an entry': { [LOG + first]: flip(both[0].offset + 7), says: [failed, 'do not have the hash of the checkpoint'] },
    'a bit of another entry': { [LOG + last]: flip(-3), says: [failed, 'do not have the hash of the checkpoint', 'at its place'] },
    'a bit of a length': { [LOG + first]: flip(1), says: [failed, 'log/tile/entries/000 cannot be read'] },
    'a missing bundle': { [LOG + last]: missing, says: [failed, `${last} is missing or could not be loaded`] },
    'a missing tile': { [LOG + tree.edge]: missing, says: [failed, `${tree.edge} is missing`] },
    'a bit of the signature': { [LOG + 'checkpoint']: text(note => note.replace(/.(.{4})\n$/, (all, rest) => (all[0] === 'A' ? 'B' : 'A') + rest + '\n')), says: [failed, 'The signature of the checkpoint is wrong'] },
    'another size': { [LOG + 'checkpoint']: text(note => note.replace(`\n${size}\n`, `\n${size - 1}\n`)), says: [failed, 'The signature of the checkpoint is wrong'] },
    'another key': { [KEYS]: json(keys => { keys.keys = [someKey(keys.origin)]; }), says: [failed, 'signed with none of the keys'] },
    'a key that was revoked': { [KEYS]: json(keys => { keys.revoked = [`candor log revocation v1\n${keys.keys[0]}\n2026-05-02\n\n— x AA==\n`]; }), says: [failed, 'signed only with a key that was revoked: '] },
    'a broken key': { [KEYS]: json(keys => { keys.keys[0] = keys.keys[0].replace(/\+[0-9a-f]{8}\+/, '+00000000+'); }), says: [failed, 'candor-log.json cannot be read'] },
    'another origin': { [KEYS]: json(keys => { keys.origin = 'other.example/log'; }), says: [failed, 'candor-log.json names other.example/log'] },
    'a key of another log': { [KEYS]: json(keys => { keys.keys.push(someKey('other.example/log')); }), says: [failed, 'candor-log.json names other.example/log'] },
    'keys of another version': { [KEYS]: json(keys => { keys.version = 2; }), says: [failed, 'candor-log.json cannot be read'] },
    'keys without a version': { [KEYS]: json(keys => { delete keys.version; }), says: [failed, 'candor-log.json cannot be read'] },
    'no origin': { [KEYS]: json(keys => { delete keys.origin; }), says: [failed, 'candor-log.json cannot be read'] },
    'revocations that are not a list': { [KEYS]: json(keys => { keys.revoked = 'x'; }), says: [failed, 'candor-log.json cannot be read'] },
    'a checkpoint without its last line break': { [LOG + 'checkpoint']: text(note => note.trimEnd()), says: [failed, 'log/checkpoint cannot be read'] },
    'a checkpoint with a line that is not a signature': { [LOG + 'checkpoint']: text(note => note + 'x\n'), says: [failed, 'log/checkpoint cannot be read'] },
    'a size with a zero before it': { [LOG + 'checkpoint']: text(note => note.replace(`\n${size}\n`, `\n0${size}\n`)), says: [failed, 'log/checkpoint cannot be read'] },
    'no checkpoint': { [LOG + 'checkpoint']: missing, says: [failed, 'log/checkpoint is missing'] },
    'a page in place of the checkpoint': { [LOG + 'checkpoint']: text(() => '<!DOCTYPE html>\n\n'), says: [failed, 'log/checkpoint cannot be read'] },
    'no salt': { [LOG + 'salts.json']: json(({ salts }) => { delete salts[id]; }), says: [failed, 'has no salt'] },
    'the salt of a withheld review': { [LOG + 'salts.json']: json(({ salts }) => { salts[WITHHELD] = salts[id]; }), says: [failed, `the salt of review ${WITHHELD}, which reviews.json does not have`] },
    'the salt of the withheld review': { id: WITHHELD, [LOG + 'salts.json']: json(({ salts }) => { salts[WITHHELD] = salts[id]; }), says: [failed, 'which reviews.json does not have'] },
    'salts of another version': { [LOG + 'salts.json']: json(file => { file.version = 2; }), says: [failed, 'salts.json cannot be read'] },
    'a withheld review': { id: WITHHELD, says: ['Verified', 'withheld', 'of 5 stars; the reason: about something else', 'reviews.json does not have it'], never: ['Failed'] },
    'a withheld review that is published': { id: WITHHELD, [REVIEWS]: json(({ reviews }) => reviews.push({ ...reviews[0], id: WITHHELD })), says: [failed, 'but reviews.json has it'] },
    'an unknown id': { id: '01HZZZZZZZZZZZZZZZZZZZZZZZ', says: [failed, 'Neither the log nor reviews.json'] },
    'a review that was never logged': { id: 'x', [REVIEWS]: json(({ reviews }) => reviews.push({ ...reviews[0], id: 'x' })), says: [failed, 'the log has no entry about it'] },
    'an id that is not text': { id: '%E0%A4%A', raw: true, says: [failed, 'Neither the log nor reviews.json'] },
    'no Ed25519': { without: 'Ed25519', says: ['Not fully verified', 'this browser cannot check Ed25519', 'candor verify --log', 'at its place'], never: ['Verified:', 'Failed'] },
    'no Ed25519 and a changed text': { without: 'Ed25519', [REVIEWS]: edit(review => { review.text = 'x'; }), says: [failed, 'cannot check Ed25519', review] },
    'no cryptography': { without: 'all', says: ['Not fully verified', 'cannot compute hashes here'], never: ['Verified:'] },
  };
}

// Takes from the browser what older ones do not have, or what none has without HTTPS.
const lack = what => {
  if (what === 'all') return Object.defineProperty(crypto, 'subtle', { value: undefined });
  const known = SubtleCrypto.prototype.importKey;
  SubtleCrypto.prototype.importKey = function (format, bytes, algorithm, ...rest) {
    if (algorithm === 'Ed25519') return Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
    return known.call(this, format, bytes, algorithm, ...rest);
  };
};

async function one(worker, name, { says, never = ['Verified:'], id, raw, without, ...served }) {
  const page = await worker.open({}, {
    fresh: true,
    prepare: async page => {
      if (without) await page.addInitScript(lack, without);
      for (const [path, change] of Object.entries(served)) {
        await page.route(url => url.pathname === path, async route => {
          const answer = await route.fetch(), body = change(await answer.body());
          return body ? route.fulfill({ status: 200, body }) : route.fulfill({ status: 404, body: '' });
        });
      }
    },
  });
  if (await page.locator('.verdict').isVisible()) worker.say(`${name}: a verdict on nothing`);
  if (raw) await page.evaluate(id => { location.hash = id; }, id);
  else {
    await page.fill('#id', id);
    await page.click('.search button');
  }
  const verdict = page.locator('.verdict');
  await page.waitForFunction(() => { const text = document.querySelector('.verdict').textContent; return text && !text.includes('…'); });
  const said = await page.locator('.results').innerText();
  for (const words of says) if (!said.includes(words)) worker.say(`${name}: does not say ${JSON.stringify(words)}: ${said}`);
  for (const words of never) if (said.includes(words)) worker.say(`${name}: says ${JSON.stringify(words)}: ${said}`);
  if (!await verdict.isVisible()) worker.say(`${name}: no verdict`);
  await page.context().close();
}

export async function proof(worker, AXE) {
  const known = await site(worker.unit.url);
  const ways = Object.entries(cases(known));
  // Below /reviews/ everything is the same but the paths.
  const tried = worker.unit.path === '/proof/' ? ways : ways.slice(0, 1);
  for (const [name, way] of tried) await one(worker, name, { id: known.both[0].review, ...way });
  await links(worker, AXE, known.both[0].review);
}

// The line on a review's page leads to its proof, and what is typed may be the address of the page. The result is
// as accessible as any page, and fits a small telephone.
async function links(worker, AXE, id) {
  const { url, path } = worker.unit, page = await worker.page({ bypassCSP: true }, true);
  const answer = await page.goto(`${url}/reviews/${id}/`);
  const passed = () => page.waitForFunction(() => document.querySelector('.verdict')?.textContent.startsWith('Verified'));
  if (answer.status() === 200) {
    await page.click('a[href*="/proof/#"]');
    await passed();
  }
  await page.goto(url + path);
  await page.fill('#id', `${url}/reviews/${id.toLowerCase()}/`);
  await page.keyboard.press('Enter');
  await passed();
  if (!page.url().endsWith(`#${id}`)) worker.say(`the address is ${page.url()}`);
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
  for (const { id, nodes } of violations) worker.say(`result: ${id}: ${nodes[0].target} ${nodes[0].failureSummary}`);
  await page.setViewportSize({ width: 320, height: 900 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) worker.say(`result: ${wide} px wider than the window`);
  await page.context().close();
}

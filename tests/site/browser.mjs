// Looks at pages in Chromium and prints what is wrong with them, one line of JSON for each fault.
//
//     node browser.mjs WHAT URL [PATH …]
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { chromium } from 'playwright-core';

const require = createRequire(import.meta.url);
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [what, base, ...paths] = process.argv.slice(2);
const say = (path, fault) => console.log(JSON.stringify({ path, fault }));

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'],
});

// A page in a context of its own, that reports what it must not do.
async function open(path, options = {}, prepare) {
  const context = await browser.newContext({ bypassCSP: options.bypassCSP, ...options });
  const page = await context.newPage();
  page.on('console', message => {
    // A 404's own page is an error to the console, and meant to be one here.
    if (['error', 'warning'].includes(message.type()) && !path.startsWith('/no-such')) say(path, `console: ${message.text()}`);
  });
  page.on('pageerror', error => say(path, `script: ${error.message}`));
  page.on('request', request => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith('data:')) say(path, `a request to ${url}`);
  });
  if (prepare) await prepare(page);
  await page.goto(base + path, { waitUntil: 'load' });
  return { page, close: () => context.close() };
}

// What fits a window scrolls in one direction only, nothing moves after it was drawn.
async function layout(page, path, note) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) say(path, `${note}: ${wide} px wider than the window`);
}

const tasks = {
  // Accessibility, in both schemes.
  async axe() {
    for (const path of paths) for (const colorScheme of ['light', 'dark']) {
      const { page, close } = await open(path, { colorScheme, bypassCSP: true });
      await page.evaluate(AXE);
      const { violations } = await page.evaluate(() => axe.run(document, { resultTypes: ['violations'] }));
      for (const { id, nodes } of violations) say(path, `${colorScheme}: ${id}: ${nodes.slice(0, 3).map(n => `${n.target} ${n.failureSummary}`).join(' | ')}`);
      await close();
    }
  },

  // Widths from a small phone to a wall, print, forced colours; no shift, no foreign request.
  async layout() {
    for (const path of paths) {
      const { page, close } = await open(path, { viewport: { width: 1280, height: 900 } }, page => page.addInitScript(() => {
        window.shifted = 0;
        new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) window.shifted += e.value; })
          .observe({ type: 'layout-shift', buffered: true });
      }));
      await page.waitForTimeout(150);
      const shifted = await page.evaluate(() => window.shifted);
      if (shifted > 0.001) say(path, `moves by ${shifted} after it was drawn`);
      for (const width of [320, 768, 3840]) {
        await page.setViewportSize({ width, height: 900 });
        await layout(page, path, `${width} px`);
      }
      await page.setViewportSize({ width: 794, height: 1123 });
      await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
      await layout(page, path, 'print');
      const seen = await page.evaluate(() => document.querySelector('h1').getBoundingClientRect().height);
      if (!seen) say(path, 'print hides the heading');
      await close();
    }
  },

  // Every link and control is reached by the keyboard, and shows that it is.
  async keyboard() {
    for (const path of paths) {
      const { page, close } = await open(path, { viewport: { width: 1000, height: 800 } });
      const count = await page.evaluate(() => [...document.querySelectorAll('a[href], button, input, summary, pre[tabindex], section[tabindex], iframe')]
        .filter(e => e.checkVisibility()).length);
      const reached = new Set();
      for (let press = 0; press < count + 5; press++) {
        await page.keyboard.press('Tab');
        const at = await page.evaluate(() => {
          const e = document.activeElement;
          if (!e || e === document.body) return null;
          e.dataset.n ||= String(Math.random());
          const style = getComputedStyle(e);
          return { n: e.dataset.n, frame: e.tagName === 'IFRAME', shown: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0, text: e.outerHTML.slice(0, 80) };
        });
        if (!at) continue;
        if (!at.shown && !at.frame) say(path, `no focus ring: ${at.text}`);
        reached.add(at.n);
      }
      if (reached.size < count) say(path, `${reached.size} of ${count} reached by Tab`);
      await close();
    }
  },

  // Without a script the page is all there.
  async noscript() {
    for (const path of paths) {
      const { page, close } = await open(path, { javaScriptEnabled: false });
      if (!(await page.locator('h1').isVisible())) say(path, 'no heading');
      const form = page.locator('form');
      if (await form.count() && await form.isVisible()) say(path, 'a form that does nothing');
      if (path.endsWith('/search/') && await page.locator('.groups a').count() < 5) say(path, 'no lists to look through');
      await close();
    }
  },

  // Typing finds, filters are links, and where the service is away the browser searches itself.
  async search() {
    const path = paths[0];
    for (const away of [false, true]) {
      const note = away ? 'service away' : 'service';
      const { page, close } = await open(path, {}, async page => {
        if (away) await page.route('**/api/reviews/search**', route => route.fulfill({ status: 503, body: '{}' }));
        page.removeAllListeners('console');
      });
      await page.fill('#query', 'leak');
      await page.waitForFunction(() => document.querySelectorAll('.found article').length > 3);
      const words = await page.locator('.found .words').allTextContents();
      if (!words.some(text => /leak/i.test(text))) say(path, `${note}: what is found has not the word`);
      if (!page.url().includes('query=leak')) say(path, `${note}: the address does not say what is sought`);
      const local = await page.locator('.local').isVisible();
      if (local !== away) say(path, `${note}: the note is ${local}`);
      const state = await page.locator('.state').textContent();
      await page.click('[data-filter="rating=5"]');
      await page.waitForFunction(before => document.querySelector('.state').textContent !== before && !/…/.test(document.querySelector('.state').textContent), state);
      const stars = await page.locator('.found .stars .hidden').allTextContents();
      if (!stars.length || stars.some(text => !text.startsWith('5'))) say(path, `${note}: a filter lets others through`);
      if (await page.locator('[data-filter="rating=5"][aria-current]').count() !== 1) say(path, `${note}: the filter is not marked`);
      await page.goBack();
      await page.waitForFunction(before => document.querySelector('.state').textContent === before, state);
      await page.fill('#query', 'no review says this');
      await page.waitForFunction(() => !document.querySelector('.found article'));
      await page.fill('#query', '');
      await page.click('[data-filter="rating=5"]');
      await page.waitForFunction(() => document.querySelectorAll('.found article').length === 20);
      await page.click('.further');
      await page.waitForFunction(() => document.querySelectorAll('.found article').length > 20);
      await close();
    }
  },

  // Nothing a stranger wrote runs, loads or names the page.
  async hostile() {
    for (const path of paths) {
      const { page, close } = await open(path);
      if ((await page.title()) === 'owned') say(path, 'a script of a stranger ran');
      if (await page.locator('img[onerror], style').count()) say(path, 'markup of a stranger is markup');
      await close();
    }
  },
};

await tasks[what]();
await browser.close();

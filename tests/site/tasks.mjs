// What is looked at on a page. A task opens the page as it needs it and says what is wrong.

const WIDTHS = [320, 768, 3840];

// Nothing of a page that was made to fit the window is beside it.
async function fits(worker, page, note) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) worker.say(`${note}: ${wide} px wider than the window`);
}

const watchShifts = () => {
  window.shifted = 0;
  const moved = ({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100);
  const add = entries => {
    for (const e of entries) if (!e.hadRecentInput) { window.shifted += e.value; window.moved = e.sources.map(moved); }
  };
  const observer = new PerformanceObserver(list => add(list.getEntries()));
  observer.observe({ type: 'layout-shift', buffered: true });
  const frame = () => new Promise(requestAnimationFrame);
  window.shiftsOnceDrawn = async () => { await frame(); await frame(); add(observer.takeRecords()); return [window.shifted, window.moved]; };
};

export const TASKS = {
  // Accessibility; in dark what depends on colours.
  async axe(worker, AXE) {
    const page = await worker.open({ bypassCSP: true });
    await page.evaluate(AXE);
    for (const [colorScheme, only] of [['light', null], ['dark', ['color-contrast']]]) {
      await page.emulateMedia({ colorScheme });
      const options = { resultTypes: ['violations'], ...(only && { runOnly: only }) };
      const { violations } = await page.evaluate(options => axe.run(document, options), options);
      for (const { id, nodes } of violations) {
        worker.say(`${colorScheme}: ${id}: ${nodes.slice(0, 3).map(n => `${n.target} ${n.failureSummary}`).join(' | ')}`);
      }
    }
    await page.emulateMedia({ colorScheme: null });
  },

  // Nothing moves while a page comes in over a slow line.
  async arrival(worker) {
    const page = await worker.page({ viewport: { width: 1280, height: 900 } });
    if (!page.watched) { page.watched = true; await page.addInitScript(watchShifts); }
    await page.goto(worker.unit.url + worker.unit.path, { waitUntil: 'load' });
    if (worker.unit.path.includes('?')) await page.waitForSelector('.found article');
    const [shifted, moved] = await page.evaluate(() => shiftsOnceDrawn());
    // Half a line of text moves by up to 0.009 when its other half comes; from 0.1 on a page is no longer good (Web Vitals).
    if (shifted > 0.01) worker.say(`moves by ${shifted} while it comes in: ${moved}`);
  },

  // On a phone a review begins within two screens, and the bar stays on it when text is twice as large. On a desk
  // the number itself is in the header. The hours say whether it is open.
  async visitor(worker) {
    const page = await worker.open({ viewport: { width: 390, height: 844 } });
    const top = await page.evaluate(() => document.querySelector('article.review')?.getBoundingClientRect().top);
    if (worker.unit.path === '/' && !(top < 1200)) worker.say(`the first review begins at ${top}`);
    await page.evaluate(() => { document.documentElement.style.fontSize = '200%'; });
    await fits(worker, page, 'text twice as large');
    const bar = await page.locator('.act').boundingBox();
    if (!bar || bar.y + bar.height > 845 || bar.height > 300) worker.say(`the bar is at ${JSON.stringify(bar)}`);
    await page.evaluate(() => { document.documentElement.style.fontSize = ''; });
    await page.setViewportSize({ width: 1280, height: 900 });
    const number = await page.locator('header a[href^="tel:"]').boundingBox();
    if (!number || number.y > 120) worker.say(`the number is at ${JSON.stringify(number)}`);
    for (const width of [1024, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      const { height } = await page.locator('.top .wide').boundingBox();
      if (height > 90) worker.say(`${width} px: the header is ${height} px high, more than a row`);
    }
    const said = await page.locator('.open').textContent();
    if (!/^(Open now until|Closed, opens)/.test(said)) worker.say(`the hours say ${said}`);
    await page.setViewportSize({ width: 390, height: 844 });
  },

  // Widths from a small phone to a wall, and paper.
  async layout(worker) {
    const page = await worker.page({});
    await page.emulateMedia({ media: null, reducedMotion: null });
    await worker.open({});
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      await fits(worker, page, `${width} px`);
    }
    await page.setViewportSize({ width: 390, height: 900 });
    // Links within sentences may be as high as their line (WCAG 2.2, 2.5.8).
    const small = await page.evaluate(() => {
      const isInSentence = e => e.matches('a') && [e.closest('p, blockquote, dd, label')].some(it => it && it.textContent.trim() !== e.textContent.trim());
      const all = [...document.querySelectorAll('main :is(a, button, input, select, summary)')].filter(e => e.checkVisibility() && !isInSentence(e));
      return all.map(e => [e.textContent.trim().slice(0, 30), e.getBoundingClientRect()]).filter(([, { width, height }]) => width && height && Math.min(width, height) < 23.9)
        .map(([text, { width, height }]) => `${text} ${Math.round(width)} × ${Math.round(height)}`);
    });
    if (small.length) worker.say(`targets below 24 px: ${small.slice(0, 4).join(', ')}`);
    await page.setViewportSize({ width: 794, height: 1123 });
    await page.emulateMedia({ media: 'print', reducedMotion: 'reduce' });
    await fits(worker, page, 'print');
    const seen = await page.evaluate(() => document.querySelector('h1').getBoundingClientRect().height);
    if (!seen) worker.say('print hides the heading');
  },

  // Every link and control is reached by the keyboard, and shows that it is.
  async keyboard(worker) {
    const page = await worker.open({ viewport: { width: 1000, height: 800 } });
    const count = await page.evaluate(() => {
      window.reached = new Set(); window.faint = [];
      addEventListener('focusin', ({ target }) => {
        const style = getComputedStyle(target);
        const shown = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
        if (!shown && target.tagName !== 'IFRAME') window.faint.push(target.outerHTML.slice(0, 80));
        window.reached.add(target);
      });
      // Of a group of radio buttons one is reached by Tab, the others by arrows.
      const all = document.querySelectorAll('a[href], button, input:not([type=radio]:not(:checked)), summary, pre[tabindex], section[tabindex], iframe');
      return [...all].filter(e => e.checkVisibility()).length;
    });
    // A frame takes the focus to another document, and tells nobody in this one. What it holds is reached too.
    const frames = await page.locator('iframe:visible').count();
    for (let press = 0, done = false; press < count + 5 + frames * 80 && !done; press++) {
      await page.keyboard.press('Tab');
      if (frames) done = await page.evaluate(count => { if (document.activeElement.tagName === 'IFRAME') window.reached.add(document.activeElement); return window.reached.size >= count; }, count);
    }
    const [reached, faint] = await page.evaluate(() => [window.reached.size, window.faint]);
    for (const text of faint) worker.say(`no focus ring: ${text}`);
    if (reached < count) worker.say(`${reached} of ${count} reached by Tab`);
  },

  // Without a script the page is all there.
  async noscript(worker) {
    const page = await worker.open({ javaScriptEnabled: false });
    if (!(await page.locator('h1').isVisible())) worker.say('no heading');
    const form = page.locator('form');
    if (await form.count() && await form.isVisible()) worker.say('a form that does nothing');
    if (worker.unit.path.endsWith('/search/')) {
      if (await page.locator('.groups a').count() < 5) worker.say('no lists to look through');
      if (!(await page.locator('noscript .notice a').isVisible())) worker.say('no word that a script is needed');
      await page.locator('.groups summary').click();
      const dead = await page.locator('.groups a[href*="?"]:visible').allTextContents();
      if (dead.length) worker.say(`filters that do nothing: ${dead}`);
    }
  },

  // Typing finds, filters are links with their numbers, and where the service is away the browser searches itself.
  async search(worker) {
    for (const away of [false, true]) {
      const note = away ? 'service away' : 'service';
      const asked = [];
      const page = await worker.open({}, {
        fresh: true,
        prepare: page => {
          page.on('request', request => { if (/\/search\?|\.json$/.test(request.url())) asked.push(request.url()); });
          return away && page.route('**/api/reviews/search**', route => route.fulfill({ status: 503, body: '{}' }));
        },
      });
      const say = fault => worker.say(`${note}: ${fault}`);
      const settled = before => page.waitForFunction(
        before => { const text = document.querySelector('.state').textContent; return text !== before && !text.includes('…'); }, before);
      const ALL = '[data-filter] > :last-child';
      const counts = () => page.evaluate(all => [...document.querySelectorAll(all)].map(e => e.textContent).join(), ALL);
      const state = () => page.locator('.state').textContent();
      const find = async text => { const before = await state(); await page.fill('#q', text); await settled(before); };
      const all = await counts();
      await page.evaluate(() => { document.querySelector('.groups').open = true; });
      await page.locator('#q').pressSequentially('water heater', { delay: 150 });
      await settled('');
      if (asked.length > 4) say(`${asked.length} requests for two words: ${asked}`);
      await find('LEAK');
      const hits = await page.locator('.found mark').allTextContents();
      const cards = await page.locator('.found article').count();
      if (hits.length < cards || hits.some(text => text.toLowerCase() !== 'leak')) say(`marked is ${hits}`);
      if (!page.url().includes('q=LEAK')) say('the address does not say what is sought');
      if (await page.locator('.standing').isVisible()) say('the list of all reviews is still there');
      if (!(await page.locator('.found .mentions a').count())) say('no link to what a review mentions');
      if (!(await page.locator('.found .reply time').count())) say('no reply with its day');
      const dates = await page.locator('.found time').allTextContents();
      if (dates.some(text => !/\b20\d\d\b/.test(text))) say(`a review without its day: ${dates}`);
      if (await page.locator('.local').isVisible() !== away) say('the note on the service');
      const leaks = await state();
      if (!/^\d+ of 248 reviews$/.test(leaks)) say(`found is ${leaks}`);
      if (await counts() === all) say('the numbers of the filters stay');
      // Every filter leaves as many reviews as it says.
      const filters = page.locator('[data-filter]');
      for (let at = 0, of = await filters.count(); at < of; at += 5) {
        const filter = filters.nth(at), left = await filter.locator('> :last-child').textContent();
        const before = await state();
        await filter.click();
        if (left !== leaks.split(' ')[0]) await settled(before); else await page.waitForTimeout(300);
        const found = (await state()).match(/^\d+/)?.[0] || '0';
        if (found !== left) say(`${await filter.textContent()}: ${found} are left`);
        if (await filter.getAttribute('aria-current') !== 'true') say(`${await filter.textContent()} is not marked`);
        await page.goBack();
        await page.waitForFunction(before => document.querySelector('.state').textContent === before, before);
      }
      // What people type in another way than the reviews.
      for (const [typed, wanted] of [['plummers', /plumber/], ['freindly', /friend/], ['expense', /expensive/], ['punctuality', /Punctuality and waiting/], ['Calvin Rhoades', /Calvin/],
        ['leek', /“?leak/], ['celing', /ceiling/], ['technicain', /technician/], ['puncual', /Punctuality/], ['Eleanor Baks', /Eleanor/], ['overpriced', /price/]]) {
        await find(typed);
        if (!wanted.test(await state()) || !(await page.locator('.found article').count())) say(`${typed}: ${await state()}`);
      }
      // Reviews with other forms of the word follow a few hits, each review once.
      await find('charged');
      await page.waitForFunction(() => document.querySelector('.found > h2 a')?.textContent === 'Did you mean “charge”?');
      const [few] = (await state()).match(/^\d+/), ids = await page.locator('.found article').evaluateAll(all => all.map(it => it.querySelector('.when').href));
      if (ids.length <= few || new Set(ids).size !== ids.length) say(`charged: ${few} hits, and ${ids.length} reviews`);
      if (await page.locator('.mean a').isVisible()) say('it asks twice what was meant');
      if (await page.locator('.overview .score').isVisible()) say('the average of all is above the bars of a search');
      await find('no review says zzyzx');
      await page.fill('#q', '');
      await page.waitForFunction(([all, counts]) => [...document.querySelectorAll(all)].map(e => e.textContent).join() === counts, [ALL, all]);
      await page.selectOption('#sort', 'lowest');
      await page.waitForFunction(() => document.querySelectorAll('.found article').length === 20);
      const lowest = await page.locator('.found .stars .hidden').first().textContent();
      if (!lowest.startsWith('1')) say(`the worst first is ${lowest}`);
      await page.click('.further');
      await page.waitForFunction(() => document.querySelectorAll('.found article').length > 20);
      await page.context().close();
    }
  },

  // The agent of a browser calls the search as a tool (WebMCP), with a service and without.
  async agent(worker) {
    for (const away of [false, true]) {
      const prepare = page => away && page.route('**/api/reviews/search**', route => route.abort());
      const page = await worker.open({}, { fresh: true, prepare });
      const [tools, answer, shown] = await page.evaluate(async () => {
        const tools = await document.modelContext.getTools();
        const answer = await document.modelContext.executeTool(tools[0], { q: 'leak', sort: 'lowest' });
        return [tools.map(tool => [tool.name, tool.description, tool.inputSchema]), answer, location.search];
      });
      const [[name, description, schema] = []] = tools;
      if (tools.length !== 1 || name !== 'search_reviews' || !description.includes('never instructions')) worker.say(`the tools are ${JSON.stringify(tools)}`);
      if (Object.keys(schema.properties).join() !== 'q,sort') worker.say(`its schema is ${JSON.stringify(schema)}`);
      const { matched, reviews } = JSON.parse(answer);
      const texts = JSON.stringify(reviews).toLowerCase().split('leak').length - 1;
      if (!(matched >= reviews.length && reviews.length > 3) || texts < reviews.length) worker.say(`it answers ${answer.slice(0, 200)}`);
      if (reviews.some(review => review.rating < reviews[0].rating) || shown !== '?q=leak&sort=lowest') worker.say(`sorted by ${shown}`);
      // Each call counts alone: not a filter of the page, what somebody typed, or a call before.
      await page.goto(worker.unit.url + worker.unit.path + '?rating=5');
      await page.fill('#q', 'leak');
      const call = given => page.evaluate(async given =>
        JSON.parse(await document.modelContext.executeTool((await document.modelContext.getTools())[0], given)), given);
      const all = await call({}), worst = await call({ sort: 'lowest' });
      if (all.matched !== worst.matched || worst.reviews[0].rating !== 1) worker.say(`without words ${all.matched} and ${worst.matched}`);
      const url = worker.unit.url + '/reviews.json';
      const published = (await (await page.request.get(url)).json()).reviews.map(({ text }) => (text || '').toLowerCase());
      for (const q of ['late', 'the']) {
        const { matched } = await call({ q }), expected = published.filter(text => text.includes(q)).length;
        if (matched !== expected) worker.say(`${q}: ${matched} of ${expected}`);
      }
      if ((await call({})).matched !== all.matched) worker.say('the last words are repeated');
      for (const q of ['x'.repeat(1200), 'a b c d e f g h i j k l m n o p q']) {
        const refused = await call({ q });
        if (refused.error !== 'q must be text of at most 1000 characters and 16 words') worker.say(`refused: ${JSON.stringify(refused)}`);
      }
      await page.context().close();
    }
  },

  // Nothing a customer wrote runs, loads or names the page.
  async hostile(worker) {
    const page = await worker.open();
    if ((await page.title()) === 'owned') worker.say('a script of a stranger ran');
    if (await page.locator('img[onerror], style').count()) worker.say('markup of a stranger is markup');
  },
};

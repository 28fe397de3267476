// Opens a page once and waits until it shows a text that it did not show at first.
//   node reload.mjs URL TEXT
import { chromium } from 'playwright-core';

const [url, text] = process.argv.slice(2);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage();
  const refused = [];
  page.on('console', message => { if (/Content Security Policy/.test(message.text())) refused.push(message.text()); });
  await page.goto(url, { waitUntil: 'load' });
  if ((await page.content()).includes(text)) throw new Error('the text is there before the change');
  console.log('open');
  await page.waitForFunction(text => document.documentElement.innerText.includes(text), text, { timeout: 60_000 });
  if (refused.length) throw new Error(refused.join('\n'));
  console.log('reloaded');
} finally {
  await browser.close();
}

// Looks at pages in Chromium. Reads a list of jobs, {task, site, url, paths}, from standard input; prints
// a line of JSON for each fault, {task, site, path, fault}, and at the end how many pages it looked at.
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { chromium } from 'playwright-core';
import { slowly } from './slowly.mjs';
import { proof } from './proof.mjs';
import { TASKS } from './tasks.mjs';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const jobs = JSON.parse(readFileSync(0, 'utf8'));
for (const job of jobs) if (job.task === 'arrival') job.url = await slowly(job.url);
const units = jobs.flatMap(({ paths, ...job }) => paths.map(path => ({ ...job, path })));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--enable-features=WebMCPTesting'],
});

// Contexts are kept by what they are set to, one of each kind to a worker.
class Worker {
  pages = new Map();

  say(fault) {
    const { task, site, path } = this.unit;
    console.log(JSON.stringify({ task, site, path, fault }));
  }

  // A page that reports what it must not do.
  async page(options, fresh) {
    const key = JSON.stringify(options);
    if (!fresh && this.pages.has(key)) return this.pages.get(key);
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', message => {
      // An answer that is not a 200 is an error to the console; here it is meant to be one.
      const meant = this.unit.path.startsWith('/no-such') || ['search', 'proof', 'agent'].includes(this.unit.task);
      if (!meant && ['error', 'warning'].includes(message.type())) this.say(`console: ${message.text()}`);
    });
    page.on('pageerror', error => this.say(`script: ${error.message}`));
    page.on('request', request => {
      const url = request.url();
      if (!url.startsWith(this.unit.url) && !url.startsWith('data:')) this.say(`a request to ${url}`);
    });
    if (!fresh) this.pages.set(key, page);
    return page;
  }

  async open(options = {}, { fresh = false, prepare } = {}) {
    const page = await this.page(options, fresh);
    if (prepare) await prepare(page);
    await page.goto(this.unit.url + this.unit.path, { waitUntil: 'load' });
    return page;
  }

  async run() {
    for (let unit; (unit = units[next++]);) {
      this.unit = unit;
      await (unit.task === 'proof' ? proof(this, AXE) : TASKS[unit.task](this, AXE));
      looked++;
    }
  }
}

let next = 0, looked = 0;
await Promise.all(Array.from({ length: availableParallelism() + 1 }, () => new Worker().run()));
await browser.close();
console.log(JSON.stringify({ looked }));

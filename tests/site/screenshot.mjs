// Takes the picture of the README: the top of the sample's home page.
//
//     node screenshot.mjs CANDOR FILE
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const [candor, file] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'candor-screenshot-'));
const serve = spawn(candor, ['serve', '--listen', '127.0.0.1:0', '--folder', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
const ended = new Promise((resolve) => serve.once('exit', resolve));
try {
  let address;
  for await (const line of createInterface(serve.stdout)) {
    if ((address = line.match(/http:\/\/127\.0\.0\.1:\d+/)?.[0])) break;
  }
  if (!address) throw new Error('candor serve never said its address');
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox'],
  });
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  await page.goto(address, { waitUntil: 'load' });
  await page.screenshot({ path: file, type: 'jpeg', quality: 80 });
  await browser.close();
} finally {
  serve.kill('SIGINT');
  await ended;
  rmSync(folder, { recursive: true, force: true });
}

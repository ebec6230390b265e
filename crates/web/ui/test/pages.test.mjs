// Every page in a real browser, light and dark, wide and narrow. The server's address is in ERRARE_URL; its history has one slip,
// which is due.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, base, close, launch, open, watchJumps } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

const PAGES = ['/', '/explore?fen=8/8/8/3k4/8/8/8/Q3K3_w_-_-_0_1', '/analyse', '/endgames', '/endgames/KQK', '/lab', '/papers', '/rush', '/review', '/history'];

for (const dark of [false, true]) {
  for (const width of [1280, 360]) {
    test(`every page, ${width} px wide, ${dark ? 'dark' : 'light'}: no error, no overflow, no jump, accessible`, async () => {
      for (const path of PAGES) {
        const page = await open(browser, { width, dark });
        await watchJumps(page);
        await page.goto(base + path);
        await page.locator('h1').first().waitFor();
        await page.waitForLoadState('networkidle');
        const found = await page.evaluate(() => ({ over: document.documentElement.scrollWidth - innerWidth, jumps: window.jumps, title: document.title }));
        assert.ok(found.over <= 0, `${path} is ${found.over} px too wide`);
        assert.ok(found.jumps < 0.1, `${path} jumps by ${found.jumps}`);
        assert.match(found.title, /Errare/);
        // Width does not affect contrast, so check the narrow page in one theme only.
        if (width > 600 || !dark) await accessible(page, path);
        await close(page);
      }
    });
  }
}

test('what the browser loads at first is small, and is there when the server is not', async () => {
  const page = await open(browser);
  let bytes = 0;
  const sizes = [];
  page.on('response', response => {
    if (!new URL(response.url()).pathname.startsWith('/api/')) sizes.push(response.request().sizes().then(size => { bytes += size.responseBodySize; }, () => undefined));
  });
  await page.goto(base);
  await page.waitForLoadState('networkidle');
  await Promise.all(sizes);
  assert.ok(bytes > 20_000 && bytes < 90_000, `${bytes} bytes`);
  const manifest = await (await page.request.get(`${base}/manifest.webmanifest`)).json();
  assert.equal(manifest.display, 'standalone');
  assert.ok(manifest.icons.length >= 1);
  // The shell comes from the worker's cache.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await page.waitForLoadState('networkidle');
  page.problems.length = 0;
  await page.context().setOffline(true);
  await page.goto(`${base}/analyse`);
  await page.getByRole('heading', { name: 'Analyse' }).waitFor();
  await page.goto(base);
  await page.getByText('The server does not answer').waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await page.getByText('The server does not answer').count(), 1, 'said once');
  await page.context().close();
});

test('keys, help, theme and an address that is not', async () => {
  const page = await open(browser);
  await page.goto(base);
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keys' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'theme' }).click();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  await page.reload();
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  // The first Tab leads past the header.
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'Skip to the page');
  await close(page);
});

// The browser for tests and screenshots: Debian's Chromium, or the one that ERRARE_CHROMIUM names.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const FLAGS = [
  '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync',
];

export const base = process.env.ERRARE_URL ?? 'http://127.0.0.1:8651';

export const launch = () =>
  chromium.launch({ executablePath: process.env.ERRARE_CHROMIUM ?? '/usr/bin/chromium', args: FLAGS });

/** A page that records its errors. */
export async function open(browser, options = {}) {
  const { width = 1280, height = 860, dark = false, origin = base } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: dark ? 'dark' : 'light',
    reducedMotion: 'reduce',
    hasTouch: width < 600,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.problems = [];
  page.on('console', message => {
    // The browser also reports error responses that the test provokes.
    if (message.type() === 'error' && !/the server responded with a status/.test(message.text())) page.problems.push(message.text());
  });
  page.on('pageerror', error => page.problems.push(error.message));
  page.on('request', request => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url())) page.problems.push(`asks ${request.url()}`);
  });
  return page;
}

/** Sums the layout shifts of pages opened from now on into `window.jumps`. */
export const watchJumps = page => page.addInitScript(() => {
  window.jumps = 0;
  new PerformanceObserver(list => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.jumps += entry.value; }).observe({ type: 'layout-shift', buffered: true });
});

/** The position of a square on the screen. */
export async function square(page, name) {
  const box = await page.locator('.board cg-board').boundingBox();
  const white = (await page.locator('.board .cg-wrap.orientation-black').count()) === 0;
  const [file, rank] = [name.charCodeAt(0) - 97, Number(name[1]) - 1];
  const [column, row] = white ? [file, 7 - rank] : [7 - file, rank];
  return { x: box.x + ((column + 0.5) * box.width) / 8, y: box.y + ((row + 0.5) * box.height) / 8 };
}

export async function click(page, uci) {
  for (const name of [uci.slice(0, 2), uci.slice(2, 4)]) {
    const { x, y } = await square(page, name);
    await page.mouse.click(x, y);
  }
}

export async function tap(page, uci) {
  for (const name of [uci.slice(0, 2), uci.slice(2, 4)]) {
    const { x, y } = await square(page, name);
    await page.touchscreen.tap(x, y);
  }
}

/** Drags a finger across the board. */
export async function swipe(page, uci) {
  const [from, to] = [await square(page, uci.slice(0, 2)), await square(page, uci.slice(2, 4))];
  const finger = await page.context().newCDPSession(page);
  const touch = (type, ...touchPoints) => finger.send('Input.dispatchTouchEvent', { type, touchPoints });
  await touch('touchStart', from);
  for (const share of [0.25, 0.5, 0.75, 1]) await touch('touchMove', { x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) });
  await touch('touchEnd');
}

export async function drag(page, uci) {
  const [from, to] = [await square(page, uci.slice(0, 2)), await square(page, uci.slice(2, 4))];
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}

export async function type(page, move) {
  // The field keeps the focus after a move.
  const typing = await page.evaluate(() => document.activeElement?.matches('.typed input') ?? false);
  if (!typing) await page.keyboard.press('m');
  await page.keyboard.type(move);
  await page.keyboard.press('Enter');
}

export const boardFen = page => page.locator('.board').getAttribute('data-fen');

/** The moves of a position, best first, by the server's tables. */
export async function moves(fen) {
  const answer = await (await fetch(`${base}/standard?metric=dtc&fen=${fen.replaceAll(' ', '_')}`)).json();
  return answer.moves;
}

/** Begins a game from a given position. */
export async function begin(page, fen, opponent = 'Perfect') {
  await page.goto(`${base}/practise?fen=${fen.replaceAll(' ', '_')}`);
  await page.getByRole('radio', { name: opponent, exact: true }).check();
  await page.getByRole('button', { name: 'Practise it' }).click();
  await page.waitForURL(/\/practise\/[0-9a-f]+/);
  await page.locator('.figures').first().waitFor();
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Checks the current page with axe-core. */
export async function accessible(page, what) {
  await page.evaluate(axe);
  const serious = await page.evaluate(async () => (await axe.run(document, { resultTypes: ['violations'] })).violations
    .filter(one => one.impact === 'serious' || one.impact === 'critical').map(one => `${one.id} ${one.nodes[0].html}`));
  assert.deepEqual(serious, [], what);
}

/** Closes a page, and fails if it logged an error. */
export async function close(page) {
  const { problems } = page;
  await page.context().close();
  if (problems.length) throw new Error(problems.join('\n'));
}

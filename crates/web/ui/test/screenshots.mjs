// Pictures of every page at work, for the README: node test/screenshots.mjs DIRECTORY [WIDTH...], with the server's address in ERRARE_URL
// and the path of a page by errare rate --html in ERRARE_RATING.
import { mkdir } from 'node:fs/promises';
import { base, boardFen, launch, moves, open, type } from './browser.mjs';

const [, , directory = 'screenshots', ...widths] = process.argv;
const QUEEN_AGAINST_ROOK = '8/8/8/8/1Q6/8/4k3/K2r4 w - - 0 1';

/** A few moves with two slips among them. */
async function play(page) {
  await page.goto(`${base}/practise?fen=${QUEEN_AGAINST_ROOK.replaceAll(' ', '_')}&opponent=predator&seed=1`);
  await page.getByRole('button', { name: 'Practise it' }).click();
  await page.waitForURL(/\/practise\/[0-9a-f]+/, { timeout: 90_000 });
  await page.locator('.figures').first().waitFor();
  for (let turn = 0; turn < 8; turn++) {
    const fen = await boardFen(page);
    const legal = await moves(fen);
    const slip = turn === 3 || turn === 7 ? legal.find(move => move.ceded > 1) ?? legal.find(move => move.ceded > 0) : undefined;
    await type(page, (slip ?? legal[0]).uci);
    await page.waitForFunction(before => {
      const now = document.querySelector('.board').dataset.fen;
      return now !== before && now.includes(' w ');
    }, fen);
  }
  await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
}

const PAGES = [
  ['practise', page => page.goto(base)],
  ['explore', page => page.goto(`${base}/explore?fen=8/8/4k3/8/3K4/8/3P4/8_w_-_-_0_1&c=10`)],
  ['analyse', async page => {
    await page.goto(`${base}/analyse`);
    await page.getByRole('button', { name: 'Try it with an example' }).click();
    await page.getByRole('heading', { name: 'Games', exact: true }).waitFor({ timeout: 90_000 });
    await page.getByRole('button', { name: /^▲/ }).first().click();
    // Below the header: where the player erred, and the game.
    await page.evaluate(() => scrollTo(0, document.querySelector('section.card:has(.slips)').getBoundingClientRect().top + scrollY - 76));
  }, 980],
  ['endgames', page => page.goto(`${base}/endgames`)],
  ['endgame', async page => {
    await page.goto(`${base}/endgames/KQKR`);
    await page.locator('.chart').first().waitFor({ timeout: 90_000 });
  }],
  ['markov', async page => {
    await page.goto(`${base}/endgames/KQKR?c=10`);
    await page.getByRole('button', { name: 'Compute the matrix' }).click({ timeout: 90_000 });
    await page.locator('canvas.heat').waitFor({ timeout: 90_000 });
    await page.evaluate(() => document.querySelector('canvas.heat').scrollIntoView({ block: 'center' }));
  }],
  ['lab', async page => {
    await page.goto(`${base}/lab?white=rep:c=20&black=predator&games=200&seed=1&fen=${QUEEN_AGAINST_ROOK.replaceAll(' ', '_')}`);
    await page.getByRole('button', { name: 'Play the match' }).click();
    await page.getByText('200 games:').waitFor({ timeout: 90_000 });
  }],
  ['papers', page => page.goto(`${base}/papers`)],
  ['rush', page => page.goto(`${base}/rush`)],
  ['review', page => page.goto(`${base}/review`)],
  ['history', page => page.goto(`${base}/history`)],
  ['game', play],
  ...process.env.ERRARE_RATING ? [['rating', page => page.goto(`file://${process.env.ERRARE_RATING}`), 720]] : [],
];

await mkdir(directory, { recursive: true });
const browser = await launch();
for (const width of widths.length ? widths.map(Number) : [1280, 360]) {
  for (const dark of [false, true]) {
    const page = await open(browser, { width, height: width < 600 ? 760 : 860, dark });
    for (const [name, visit, tall = 860] of PAGES) {
      if (width > 600) await page.setViewportSize({ width, height: tall });
      await visit(page);
      await page.waitForLoadState('networkidle');
      await page.screenshot({ path: `${directory}/${name}-${width}${dark ? '-dark' : ''}.png` });
    }
    await page.context().close();
  }
}
await browser.close();

// Explore, Analyse, Endgames, Lab and Papers at work: good and bad input, and the output.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, base, boardFen, close, launch, open, square } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('a FEN is explored, a bad one is refused, and moves go into the address', async () => {
  const page = await open(browser);
  await page.goto(`${base}/explore?fen=8/8/8/3k4/8/8/8/Q3K3_w_-_-_0_1`);
  await page.getByText('White wins').waitFor();
  await page.getByLabel('FEN').fill('rubbish');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText('That is no FEN').waitFor();
  await page.getByLabel('FEN').fill('8/8/8/3k4/8/8/8/R3K3 w - - 0 1');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/fen=8\/8\/8\/3k4\/8\/8\/8\/R3K3_w/);
  await page.getByText('Rook · KRK').waitFor();
  await page.getByText(/the Predator would play/).waitFor();
  // The slider changes probabilities at once, and then the address.
  await page.getByRole('slider').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.getByText('At c = 21').waitFor();
  await page.waitForURL(/c=21/);
  await page.locator('h1').click();
  await page.keyboard.press('Space');
  await page.waitForURL(/fen=.*_b_/);
  await page.locator('[aria-live] p', { hasText: /^White plays \S+\.$/ }).waitFor({ state: 'attached' });
  // The moves are listed, and the arrow keys step through them.
  const played = page.locator('.moves button');
  assert.equal(await played.getAttribute('aria-current'), 'true');
  await page.keyboard.press('ArrowLeft');
  await page.waitForURL(/R3K3_w/);
  assert.equal(await played.getAttribute('aria-current'), null);
  await played.click();
  await page.waitForURL(/fen=.*_b_/);
  await accessible(page, 'a line');
  await page.goBack();
  await page.waitForURL(/R3K3_w/);
  await page.getByText('White wins').waitFor();
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByText('Edit the position').waitFor();
  await page.getByRole('button', { name: 'Cancel' }).click();
  // The editor: a rook becomes a queen, and Black is to move.
  await page.getByRole('button', { name: 'Edit' }).click();
  await page.getByRole('button', { name: 'White queen' }).click();
  const { x, y } = await square(page, 'a1');
  await page.mouse.click(x, y);
  await page.getByRole('radio', { name: 'Black' }).check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(/fen=8\/8\/8\/3k4\/8\/8\/8\/Q3K3_b/);
  await page.getByText('Queen · KQK').waitFor();
  // The move under the mouse is drawn on the board.
  await page.locator('tr.pick').first().hover();
  await page.locator('cg-container svg.cg-shapes line').first().waitFor({ state: 'attached' });
  // With tables of one metric, as practice builds them, moves still show cost and chances.
  await page.route('**/standard?*', route => route.fulfill({ status: 404, json: { error: 'no table', missing: 'KRK' } }));
  await page.goto(`${base}/explore?fen=8/8/8/3k4/8/8/8/R3K3_w_-_-_0_1`);
  await page.getByText('What moves cost, in DTC').waitFor();
  await page.locator('tr.pick', { hasText: 'best' }).first().waitFor();
  await page.getByText(/the Predator would play/).waitFor();
  await page.unroute('**/standard?*');
  await page.getByRole('button', { name: 'Build them' }).click();
  await page.getByText('White wins').waitFor();
  await page.goto(`${base}/explore?fen=not_a_position`);
  await page.getByText('That is not a position').waitFor();
  // An impossible position is still shown, with the reason.
  await page.goto(`${base}/explore?fen=8/8/8/8/1Q6/8/4k3/K2r4_b_-_-_0_1`);
  await page.getByText('the side that is not to move is in check').waitFor();
  assert.equal(await page.locator('cg-board piece').count(), 4);
  await close(page);
});

const GAME = `[White "First"]\n[Black "Second"]\n[SetUp "1"]\n[FEN "k7/8/1K6/8/8/8/8/7R w - - 0 1"]\n\n1. Rh2 {my words} Kb8 2. Rh8# 1-0\n`;

/** Sends games by pasting them. */
async function paste(page, pgn) {
  await page.goto(`${base}/analyse`);
  await page.getByText('Or paste the games').click();
  await page.getByLabel('PGN').fill(pgn);
  await page.getByRole('button', { name: 'Analyse', exact: true }).click();
}

test('a PGN is analysed, a point of the curve shows its position; what is no PGN is said to be none', async () => {
  const page = await open(browser);
  await paste(page, GAME);
  await page.getByRole('heading', { name: 'Players' }).waitFor();
  await page.getByRole('heading', { level: 2, name: 'First – Second' }).waitFor();
  await page.getByRole('button', { name: /1\. Rh2/ }).click();
  assert.match(await boardFen(page), /^k7\/8\/1K6/);
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  assert.match(await boardFen(page), /^k7\/8\/1K6\/8\/8\/8\/7R/);
  await accessible(page, 'an analysis');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Annotated PGN' }).click();
  const stream = await (await download).createReadStream();
  let text = '';
  for await (const part of stream) text += part;
  assert.match(text, /my words/);
  // A file in Windows-1252.
  await page.goto(`${base}/analyse`);
  const old = Buffer.from(GAME.replace('First', 'M\u00fcller'), 'latin1');
  await page.locator('input[type=file]').setInputFiles({ name: 'old.pgn', mimeType: 'text/plain', buffer: old });
  await page.getByRole('heading', { level: 1, name: 'Müller – Second' }).waitFor();
  await page.getByText('old.pgn (converted to UTF-8)').waitFor();
  await paste(page, 'this is not chess at all');
  await page.getByText('There is no game in that').waitFor();
  assert.equal(new URL(page.url()).pathname, '/analyse');
  await paste(page, '[White "A"]\n\n1. e4 e5 2. Ke3 *\n');
  await page.getByText('No endgame with five men or fewer').waitFor();
  await page.getByText('Game 1: Ke3 is not a legal move at 2.').waitFor();
  await close(page);
});

test('an analysis has an address, with the game and the ply, that anybody may open later', async () => {
  const page = await open(browser);
  const pgn = GAME.replace('First', 'Sharer');
  await paste(page, pgn);
  await page.waitForURL(/\/analyse\/[0-9a-f]{20}$/);
  await page.getByRole('button', { name: /1\. Rh2/ }).click();
  await page.waitForURL(/game=1&ply=\d+$/);
  const [first, slip] = [page.url(), await boardFen(page)];
  await page.locator('h1').click();
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(url => url.href !== first);
  const seen = async other => {
    await other.getByRole('heading', { level: 1, name: 'Sharer – Second' }).waitFor();
    await other.locator('.board cg-board').waitFor();
    return { fen: await boardFen(other), curves: await other.locator('.chart').evaluateAll(charts => charts.map(chart => chart.getAttribute('aria-label'))) };
  };
  const { curves } = await seen(page);
  assert.ok(curves.length > 0);
  // The same in another browser, even after a restart has made the server forget its jobs.
  const other = await open(browser);
  await other.route('**/api/v1/jobs', route => (route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.continue()));
  await other.goto(first);
  assert.deepEqual(await seen(other), { fen: slip, curves });
  await close(other);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy link' }).click();
  await page.getByText('Link copied').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  // Back to the games that were sent, and forward again.
  await page.goBack();
  const before = page.getByRole('region', { name: 'Analysed before' });
  await before.getByRole('link', { name: 'Sharer – Second' }).waitFor();
  await accessible(page, 'what was analysed before');
  await page.goForward();
  await seen(page);
  // Erased here: the plain address leads nowhere, but the link carries the games.
  await page.goto(`${base}/analyse`);
  await before.getByRole('button', { name: 'Erase Sharer – Second' }).click();
  await before.getByRole('link', { name: 'Sharer – Second' }).waitFor({ state: 'detached' });
  await page.goto(first);
  await page.getByText('These games are not here').waitFor();
  await page.goto(link);
  assert.deepEqual((await seen(page)).curves, curves);
  await close(page);
});

test('an endgame has its curve and its matrix', async () => {
  const page = await open(browser);
  await page.goto(`${base}/endgames/KRK?c=10`);
  await page.getByText('Mutual zugzwangs').waitFor();
  await page.getByRole('button', { name: 'Compute the matrix' }).click();
  const heat = page.locator('canvas.heat');
  await heat.waitFor();
  // The picture follows the theme and can be read by keyboard.
  const colours = () => heat.evaluate(canvas => canvas.toDataURL());
  const light = await colours();
  await page.getByRole('button', { name: 'theme' }).click();
  assert.notEqual(await colours(), light);
  await page.getByRole('button', { name: 'theme' }).click();
  assert.equal(await colours(), light);
  await page.locator('.heat-frame').focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.getByText(/^From win 1 to win 0: .* at c = 10/).waitFor();
  await accessible(page, 'a matrix');
  await page.getByRole('button', { name: 'Compute the curve' }).click();
  await page.getByText('Even chance at').waitFor();
  // Opening the address shows both.
  const other = await open(browser);
  await other.goto(page.url());
  await other.locator('canvas.heat').waitFor();
  await other.getByText('Even chance at').waitFor();
  await close(other);
  // Missing tables can be built from here.
  const statistics = '**/statistics*';
  await page.route(statistics, route => route.fulfill({ status: 404, json: { error: 'no table', missing: 'KBK' } }));
  await page.goto(`${base}/endgames/KBK`);
  const build = page.getByRole('button', { name: 'Build them' });
  await build.waitFor();
  await page.unroute(statistics);
  await build.click();
  await page.getByText('Mutual zugzwangs').waitFor();
  await page.goto(`${base}/endgames/KXK`);
  await page.getByRole('alert').waitFor();
  await close(page);
});

test('players meet, a game is watched, and minimax is computed by depth', async () => {
  const page = await open(browser);
  await page.goto(`${base}/lab?white=best&black=random&games=20&seed=3&fen=8/8/8/3k4/8/8/8/Q3K3_w_-_-_0_1`);
  await page.getByRole('button', { name: 'Play the match' }).click();
  await page.getByText('20 games: best against random').waitFor();
  const shown = () => page.locator('.result').innerText();
  assert.match((await shown()).replace(/\s+/g, ' '), /White wins 20 100 % \(84.100\).*Length \d+\.\d \(\d+\.\d.\d+\.\d\) moves/);
  // Opening the address shows the same match.
  const result = await shown();
  const other = await open(browser);
  await other.goto(page.url());
  await other.getByText('20 games: best against random').waitFor();
  assert.equal(await other.locator('.result').innerText(), result);
  await close(other);
  await page.getByRole('button', { name: 'Watch one game' }).click();
  await page.getByRole('heading', { name: 'best against random', exact: true }).waitFor();
  assert.equal(await page.getByText('20 games: best against random').count(), 1, 'the match is still there');
  await page.getByRole('button', { name: 'Pause' }).click();
  const fen = await boardFen(page);
  await page.keyboard.press('ArrowRight');
  assert.notEqual(await boardFen(page), fen);
  await page.getByLabel('Position').fill('8/8/8/3k4/8/8/8/Q3K3 w - - 0 1');
  await page.getByRole('button', { name: 'Compute' }).click();
  await page.getByText('Depth 3', { exact: true }).waitFor();
  await accessible(page, 'the lab');
  // A bad request gets an explanation in plain words.
  await page.getByLabel('White', { exact: true }).fill('nobody');
  await page.getByRole('button', { name: 'Play the match' }).click();
  const alert = page.getByRole('region', { name: 'Matches' }).getByRole('alert');
  assert.match(await alert.innerText(), /^There is no player "nobody"\s+Players are best/);
  await close(page);
});

test('the papers are there before anything is computed', async () => {
  const page = await open(browser);
  await page.goto(`${base}/papers`);
  await page.getByRole('heading', { name: 'Depth by The Rule' }).waitFor();
  await page.getByText('side by side').first().click();
  await page.getByText('wKa1Ra2b1/bKd1Bc1+w: dz in plies').waitFor();
  await close(page);
});

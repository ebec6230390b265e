// Whole games with an engine, and the fleet.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { accessible, base, close, launch, open } from './browser.mjs';

const GAMES = { name: 'match.pgn', mimeType: 'text/plain', buffer: readFileSync(new URL('./games.pgn', import.meta.url)) };
/** Engines are slow on a busy machine. */
const PATIENCE = 600_000;
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('players are rated and screened; the page may be left meanwhile, and work be stopped', async () => {
  let page = await open(browser);
  await page.goto(`${base}/analyse`);
  await page.locator('input[type=file]').setInputFiles(GAMES);
  await page.getByText('No endgame with five men or fewer').waitFor();
  await page.getByRole('heading', { name: 'Whole games, with an engine' }).waitFor();
  const rate = () => page.getByRole('button', { name: 'Rate the players' });
  const missing = page.getByText('need an engine');
  await rate().or(missing).first().waitFor();
  if (await missing.count()) {
    // Without an engine, only this sentence can be tested.
    await page.getByText('Install Stockfish').waitFor();
    await close(page);
    return;
  }
  await page.getByRole('radio', { name: '8, faster' }).check();
  await rate().click();
  const progress = () => page.getByRole('progressbar', { name: 'Progress' });
  await progress().waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByText('What was evaluated is kept').waitFor();
  await rate().click();
  await progress().waitFor();
  // Closed and reopened in another browser: the job kept running.
  const address = page.url();
  await close(page);
  page = await open(browser);
  await page.goto(address);
  await page.getByRole('heading', { name: 'Intrinsic ratings' }).waitFor({ timeout: PATIENCE });
  await page.getByText('Alpha, Ann').first().waitFor();
  assert.match(await page.locator('.person .figure').first().innerText(), /^[<>]? ?\d{3,4} \((\d+-\d+|under \d+|over \d+|anything)\)$/);
  await accessible(page, 'ratings');
  await page.locator('.person .slips button').first().click();
  await page.locator('.turn cg-board').first().waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Report to print' }).click();
  assert.equal((await download).suggestedFilename(), 'ratings.html');
  // The address says what is shown.
  await page.waitForURL(/rate=8/);
  await page.getByRole('radio', { name: '8, faster' }).check();
  await page.getByRole('button', { name: 'Screen the players' }).click();
  await page.getByText('Nothing here is a finding about a person').waitFor({ timeout: PATIENCE });
  const person = page.getByRole('region', { name: 'Screening' }).locator('.person').first();
  await person.locator('summary').first().click();
  await person.getByText(/Round 1/).click();
  await person.locator('tr.pick').first().click();
  await person.locator('cg-board').waitFor();
  await accessible(page, 'a screening');
  await page.waitForURL(/rate=8&screen=8/);
  // After a server restart both are recomputed from the kept evaluations.
  const other = await open(browser);
  await other.route('**/api/v1/jobs', route => (route.request().method() === 'GET' ? route.fulfill({ json: [] }) : route.continue()));
  await other.goto(page.url());
  await other.getByRole('heading', { name: 'Intrinsic ratings' }).waitFor({ timeout: PATIENCE });
  await other.getByText('Nothing here is a finding about a person').waitFor({ timeout: PATIENCE });
  await close(other);
  await close(page);
});

const FLEET = {
  queue: 'nats://example:4222',
  batches: [{ batch: 'b1', title: 'evaluate study.db', jobs: 120, done: 80, dead: [{ job: 'j1', reason: 'the engine kept failing' }] }],
  workers: [{ name: 'hall-3', kit: 'errare 0.1.0, Stockfish 15.1', cores: 4, completed: 80, failed: 2, per_minute: 16 },
    { name: 'hall-4', kit: 'errare 0.1.0, Stockfish 15.1', cores: 4, completed: 0, failed: 3, per_minute: 0, trouble: 'the engine ended' }],
  per_minute: 16,
  left: 39,
};

test('the fleet: none, at work, and a queue that is gone', async () => {
  const page = await open(browser);
  await page.goto(`${base}/lab`);
  await page.getByText('errare serve --queue').waitFor();
  const answer = async reply => {
    await page.unroute('**/api/v1/fleet');
    await page.route('**/api/v1/fleet', route => route.fulfill(reply));
    await page.reload();
  };
  const fleet = page.getByRole('region', { name: 'Fleet' });
  await answer({ json: FLEET });
  await fleet.getByText('hall-3').waitFor();
  const shown = (await fleet.innerText()).replace(/\s+/g, ' ');
  for (const text of ['16 jobs a minute', '39 jobs, about 3 min', '1 job given up', '80 of 120', 'the engine kept failing', 'hall-4 may be broken; its last jobs all failed: the engine ended']) assert.ok(shown.includes(text), `${text} in ${shown}`);
  await answer({ status: 404, json: { error: 'there is nothing at example' } });
  await fleet.getByRole('alert').waitFor();
  await close(page);
});

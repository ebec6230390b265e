// A phone on the same network: the token, touch, a narrow screen. The server's address is in ERRARE_SHARED_URL.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { boardFen, close, launch, open, tap } from './browser.mjs';

const origin = process.env.ERRARE_SHARED_URL;
const token = process.env.ERRARE_TOKEN;
let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

/** The best move of a position, fetched as a program would. */
async function best(fen) {
  const answer = await fetch(`${origin}/standard?metric=dtc&fen=${fen.replaceAll(' ', '_')}`, { headers: { authorization: `Bearer ${token}` } });
  return (await answer.json()).moves[0].uci;
}

test('the token lets a phone in, which plays a rush by touch, exports its games and erases them', async () => {
  const page = await open(browser, { width: 360, height: 740, origin });
  await page.goto(`${origin}/rush?endgames=KRK&seed=3`);
  await page.getByLabel('Token').fill('wronghorse00');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByText('That is not the token').waitFor();
  await page.goto(`${origin}/rush?endgames=KRK&seed=3&token=${token}`);
  await page.getByRole('heading', { name: 'Rush' }).waitFor();
  assert.ok(!page.url().includes(token), 'the token is gone from the address');
  await page.getByRole('button', { name: 'Start' }).tap();
  for (let number = 1; number <= 10; number++) {
    await page.getByText(`${number} of 10:`).waitFor();
    await tap(page, await best(await boardFen(page)));
  }
  await page.getByText('10.0 of 10').waitFor();
  await page.getByRole('link', { name: 'Practise' }).last().tap();
  await page.getByText('One slip is due again').waitFor();
  await page.goto(`${origin}/history`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as PGN' }).tap();
  assert.equal((await download).suggestedFilename(), 'errare-games.pgn');
  page.on('dialog', dialog => void dialog.accept());
  await page.getByRole('button', { name: 'Erase…' }).tap();
  await page.getByText('No game yet').waitFor();
  await close(page);
});

// Practice in a real browser: games to mate, slips, reviews, a rush.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { accessible, base, begin, boardFen, click, close, drag, launch, moves, open, swipe, tap, type, watchJumps } from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

for (const [how, make] of [['clicks', click], ['drags', drag], ['the keyboard alone', type]]) {
  test(`a game is practised to mate by ${how}`, async () => {
    const page = await open(browser);
    if (make === type) await beginByKeyboard(page, '8/8/8/8/8/5K2/3R4/7k w - - 0 1');
    else await begin(page, '8/8/8/8/8/5K2/3R4/7k w - - 0 1');
    for (let turn = 0; turn < 20; turn++) {
      if (await page.getByText('Checkmate: you have won').count()) break;
      const fen = await boardFen(page);
      const [best] = await moves(fen);
      await make(page, best.uci);
      await page.waitForFunction(before => {
        const now = document.querySelector('.board').dataset.fen;
        return now !== before && (!now.includes(' b ') || document.body.innerText.includes('Checkmate'));
      }, fen);
    }
    await page.getByText('Checkmate: you have won').first().waitFor();
    await page.getByText('No slips.').waitFor();
    await page.getByText('What to practise next').waitFor();
    await accessible(page, 'the report');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Annotated PGN' }).click();
    assert.match((await download).suggestedFilename(), /\.pgn$/);
    // The next position is about as deep; then the same one again.
    await page.locator('h1').click();
    await page.keyboard.press('n');
    await page.getByText('No move yet.').waitFor();
    assert.match(await page.locator('.where').innerText(), /KRK · you play White, to win · [2-4] moves deep/);
    await page.goBack();
    await page.getByRole('button', { name: 'Play it again' }).click();
    await page.getByText('No move yet.').waitFor();
    assert.equal(await boardFen(page), '8/8/8/8/8/5K2/3R4/7k w - - 0 1');
    await close(page);
  });
}

/** Everything by Tab, arrows and Enter. */
async function beginByKeyboard(page, fen) {
  await page.goto(base);
  await page.getByText('Rook', { exact: true }).first().waitFor();
  const reach = async found => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(found)) return;
    }
    assert.fail('not reached by Tab');
  };
  await reach(() => document.activeElement?.closest('fieldset')?.textContent.startsWith('Opponent') ?? false);
  for (const _ of ['Hunts', 'Perfect']) await page.keyboard.press('ArrowRight');
  await reach(() => document.activeElement?.textContent === 'Own position…');
  await page.keyboard.press('Enter');
  await page.keyboard.type(fen);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/practise\/[0-9a-f]+/);
  await page.locator('.figures').first().waitFor();
}

test('a slip is shown, tried again, and put right; hints come in two steps', async () => {
  const page = await open(browser);
  await begin(page, 'k7/8/1K6/8/8/8/8/7R w - - 0 1');
  await click(page, 'h1h3');
  await page.getByRole('button', { name: 'Try again' }).waitFor();
  await accessible(page, 'a slip');
  assert.equal(await page.getByText('was best').count(), 0, 'what was best is hidden until asked for');
  await page.keyboard.press('Space');
  await page.getByText('was best').first().waitFor();
  await page.keyboard.press('r');
  await page.getByText('No move yet.').waitFor();
  // With the keyboard alone, focus stays on the messages.
  await page.getByRole('button', { name: 'Hint' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Look at the rook on h1').waitFor();
  await page.locator('square.glow').first().waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.firstChild.textContent), 'More');
  await page.keyboard.press('h');
  await page.getByText('goes to h8').waitFor();
  await type(page, 'Rh8');
  await page.getByText('Checkmate: you have won').first().waitFor();
  await page.getByText('1. Rh3').first().waitFor();
  await page.getByRole('button', { name: 'Try again from here' }).first().click();
  await page.getByText('No move yet.').waitFor();
  await close(page);
});

test('what was best at an earlier slip is told when it is asked for; a slow opponent is seen to think', async () => {
  const page = await open(browser);
  await begin(page, '8/8/8/3k4/8/8/8/R3K3 w - - 0 1');
  const slip = (await moves(await boardFen(page))).find(move => move.ceded > 0);
  await page.route('**/acts', async route => {
    await new Promise(done => setTimeout(done, 1500));
    await route.continue();
  });
  await type(page, slip.uci);
  await page.getByText('thinking…').waitFor();
  assert.match(await boardFen(page), / b /, 'one’s own move stands on the board meanwhile');
  await page.waitForFunction(() => document.querySelectorAll('.moves button').length === 2);
  await page.getByText('thinking…').waitFor({ state: 'detached' });
  await page.unroute('**/acts');
  await page.locator('h1').click();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('button', { name: 'Back to the game' }).waitFor();
  assert.equal(await page.getByText(/was best|were best/).count(), 0);
  await accessible(page, 'an earlier slip');
  await page.getByRole('button', { name: 'Show best' }).click();
  await page.getByText(/was best|were best/).first().waitFor();
  await close(page);
});

test('reload keeps the game, arrows step, f flips, back leaves', async () => {
  const page = await open(browser);
  await begin(page, '8/8/8/3k4/8/8/8/R3K3 w - - 0 1');
  await click(page, 'a1a4');
  await page.waitForFunction(() => document.querySelectorAll('.moves button').length === 2);
  const fen = await boardFen(page);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('.moves button').length === 2);
  assert.equal(await boardFen(page), fen);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  assert.equal(await boardFen(page), '8/8/8/3k4/8/8/8/R3K3 w - - 0 1');
  await page.keyboard.press('f');
  await page.locator('.cg-wrap.orientation-black').first().waitFor();
  assert.match(await page.locator('.board').getAttribute('aria-label'), /White: king e1, rook a1/);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('u');
  await page.getByText('No move yet.').waitFor();
  await page.goBack();
  await page.getByText('Win won endgames.').waitFor();
  await close(page);
});

test('a slip that is due is reviewed, and the history is exported', async () => {
  const page = await open(browser);
  await page.goto(base);
  await page.getByText('One slip is due again').waitFor();
  await page.keyboard.press('n');
  await page.getByText('find the best').waitFor();
  const fen = await boardFen(page);
  const all = await moves(fen);
  await click(page, all[0].uci);
  await page.getByText('That is it').waitFor();
  await page.getByText(/It comes back/).waitFor();
  await page.keyboard.press('n');
  await page.getByText('Nothing is due').first().waitFor();
  await page.goto(`${base}/history`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as PGN' }).click();
  assert.equal((await download).suggestedFilename(), 'errare-games.pgn');
  await close(page);
});

test('a rush is played and shared', async () => {
  const page = await open(browser);
  let slipped;
  await page.goto(`${base}/rush?endgames=KQK,KRK&seed=7`);
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await page.keyboard.press('n');
  for (let number = 1; number <= 10; number++) {
    await page.getByText(`${number} of 10:`).waitFor();
    const fen = await boardFen(page);
    const all = await moves(fen);
    // Following a link would leave the rush.
    assert.equal(await page.getByRole('link', { name: /^see position/ }).count(), 0);
    if (number === 3) slipped = fen;
    await type(page, (number === 3 ? all.at(-1) : all[0]).uci);
  }
  await page.getByText('Copy the result').waitFor();
  assert.match(await page.locator('.say .mono').innerText(), /^● ● [▲✕]( ●){7}$/);
  assert.equal(await page.getByRole('link', { name: /^see position/ }).count(), 10);
  await accessible(page, 'a result');
  assert.match(page.url(), /seed=7/);
  // Others get the same positions from the address.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the result' }).click();
  await page.getByText('Result copied').waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /\/rush\?seed=7&endgames=KQK%2CKRK$/);
  // The slip comes up for review like those of games.
  const { slips } = await (await fetch(`${base}/api/v1/practice/history`)).json();
  assert.deepEqual(slips.filter(slip => slip.session === 'rush 7').map(slip => slip.fen), [slipped]);
  await close(page);
});

for (const [how, width, make] of [['clicks', 1280, click], ['touch on a phone', 360, tap]]) {
  test(`promotion is asked for by ${how}, and a move that is not legal is refused`, async () => {
    const page = await open(browser, { width });
    await begin(page, '8/4P3/8/8/8/1k6/8/4K3 w - - 0 1');
    await type(page, 'Qa9');
    await page.getByText('is not a legal move here').waitFor();
    await make(page, 'e7e8');
    await page.getByRole('button', { name: 'Queen' }).click();
    await page.waitForFunction(() => document.querySelector('.moves').innerText.includes('e8=Q'));
    // No field to type in when the game is over.
    await page.getByText('What to practise next').waitFor();
    assert.equal(await page.getByLabel('Type a move').isVisible(), false);
    await close(page);
  });
}

test('on a phone a finger moves men, and beside them the page', async () => {
  const page = await open(browser, { width: 360, height: 740 });
  await begin(page, '8/8/8/3k4/8/8/8/R3K3 w - - 0 1');
  await swipe(page, 'a1a4');
  await page.waitForFunction(() => document.querySelectorAll('.moves button').length === 2);
  assert.equal(await page.evaluate(() => scrollY), 0);
  await swipe(page, 'h2h6');
  await page.waitForFunction(() => scrollY > 50);
  // Reopened: nothing shifts while it loads.
  await watchJumps(page);
  await page.reload();
  await page.locator('.figures').first().waitFor();
  await page.waitForLoadState('networkidle');
  const jumps = await page.evaluate(() => window.jumps);
  assert.ok(jumps < 0.1, `the game jumps by ${jumps}`);
  await close(page);
});

test('a classic position by its address keeps its title, and one of the trickiest is begun', async () => {
  const page = await open(browser);
  await page.goto(`${base}/?drill=kpk-opposition`);
  await page.getByRole('heading', { name: 'King and pawn: the opposition' }).waitFor();
  await page.keyboard.press('n');
  await page.waitForURL(/\/practise\/[0-9a-f]+/);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'King and pawn: the opposition' }).waitFor();
  await page.goto(base);
  await page.getByRole('radio', { name: 'Trickiest' }).check();
  await page.getByRole('button', { name: /^Pawn KPK/ }).click();
  await page.waitForURL(/\/practise\/[0-9a-f]+/);
  await page.getByText('KPK · you play White, to win').waitFor();
  await close(page);
});

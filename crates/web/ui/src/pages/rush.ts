// Rush: ten positions against the clock, one move each, scored by the depth kept.
import { address, isAborted } from '../api';
import { Board } from '../board';
import { fill, h, type Child } from '../dom';
import { button, copy, failure, figure, say } from '../parts';
import { answerRush, beginRush, library, tone, type RushStanding } from '../practice';
import { fenToUrl, setAddress, setTitle, type Page } from '../router';
import { sign, SYMBOL } from '../sign';
import { capital, endgameName, format, spelled } from '../words';

const POSITIONS = 10;
const SECONDS = 180;
const SIGNS = { good: '●', slip: SYMBOL.slip!, lost: SYMBOL.lost! };

export const rush: Page = ({ root, query, signal }) => {
  setTitle('Rush');
  let standing: RushStanding | undefined;
  let begun = 0;
  let timer = 0;
  let busy = false;
  let left = false;
  const board = new Board({ onMove: uci => void move(uci) });
  const side = h('div', { class: 'stack side' });
  const bar = h('progress', { max: SECONDS, value: SECONDS, 'aria-label': 'Time left' });
  const clock = h('b', { class: 'num' }, `${SECONDS / 60}:00`);
  const prompt = h('div', { 'aria-live': 'polite' });
  const list = h('ol', { class: 'tries' });

  fill(root, h('div', { class: 'where' }, h('h1', {}, 'Rush'), h('span', { class: 'soft' }, `${POSITIONS} positions, one move each, ${SECONDS / 60} minutes`)),
    h('div', { class: 'two play' }, h('section', { class: 'stack tight', 'aria-label': 'Board' }, board.element, h('div', { class: 'clock-row' }, bar, clock), board.typed, board.text), side));
  board.set('8/8/2Q5/8/3K1k2/r7/8/8 w - - 0 1', null, null);
  board.typed.hidden = true;
  const shared = query.get('seed');
  // First the positions in the address, then others.
  let first = shared ? Number(shared) : undefined;
  fill(side, say('next', 'Find the best move, ten times', [
    'A move scores the share of the depth that it keeps: a best move one point, one that throws the result away nothing. The positions get harder.',
    shared ? ` These are the positions of seed ${shared}, as somebody else had them.` : ''], button('Start', 'n', () => void start(), 'go')));

  const elapsed = (): number => (performance.now() - begun) / 1000;

  async function start(): Promise<void> {
    const seed = first;
    try {
      fill(side, say('next', 'Drawing positions…', 'Tables that are missing are built first.'));
      const wanted = query.get('endgames')?.split(',').filter(Boolean);
      const endgames = wanted?.length ? wanted : (await library()).slice(-POSITIONS).map(entry => entry.endgame);
      standing = await beginRush({ endgames, task: 'win', positions: POSITIONS, seconds: SECONDS, seed: Number.isSafeInteger(seed) ? seed : Math.floor(Math.random() * 1e9) });
      if (left) return;
      first = undefined;
      setAddress(address('/rush', { seed: standing.rush.seed, endgames: wanted?.join(',') }), true);
      fill(side, prompt, h('div', { class: 'card' }, h('h3', {}, 'Your moves'), list));
      fill(list);
      begun = performance.now();
      board.typed.hidden = false;
      clearInterval(timer);
      timer = window.setInterval(tick, 200);
      next();
    } catch (error) {
      if (!isAborted(error) && !signal.aborted) fill(side, failure(error, () => void start()));
    }
  }

  function tick(): void {
    const rest = Math.max(0, SECONDS - elapsed());
    bar.value = rest;
    clock.textContent = `${Math.floor(rest / 60)}:${String(Math.floor(rest % 60)).padStart(2, '0')}`;
    if (rest <= 0 && !busy) void finish(true);
  }

  function next(): void {
    const { rush: now } = standing!;
    const position = now.positions[now.answers.length];
    if (!position || now.out_of_time) { void finish(false); return; }
    board.orient(position.side);
    board.set(position.fen, null, position.side);
    fill(prompt, say('next', `${now.answers.length + 1} of ${now.positions.length}: ${endgameName(position.endgame)}`,
      `${capital(position.side)} to move and win${position.standing.moves ? ` in ${spelled(position.standing.moves, 'move')}` : ''}.`));
  }

  async function move(uci: string): Promise<void> {
    if (busy || !standing) return;
    busy = true;
    try {
      standing = await answerRush(standing.rush, uci, elapsed());
      drawList();
      next();
    } catch (error) {
      if (!isAborted(error)) fill(prompt, failure(error, next));
    } finally {
      busy = false;
    }
  }

  function drawList(over = false): void {
    const { rush: now } = standing!;
    fill(list, now.answers.map((answer, index): Child => {
      const position = now.positions[index]!;
      const kind = tone(answer.judgement);
      return h('li', {}, h('span', { class: `${kind}-text` }, SIGNS[kind]), ` ${position.endgame} `, h('b', {}, format(answer.score, 2)), h('span', { class: 'soft' }, kind === 'good' ? ' best' : ` ${answer.judgement.better ?? answer.judgement.words}`), 
        // Leaving the page ends the rush, so show links only when it is over.
        over ? [' ', h('a', { class: 'small', href: `/explore?fen=${fenToUrl(position.fen)}`, 'aria-label': `see position ${index + 1}` }, 'see')] : null);
    }));
  }

  async function finish(late: boolean): Promise<void> {
    clearInterval(timer);
    const { rush: now, result } = standing!;
    drawList(true);
    board.typed.hidden = true;
    board.set(now.positions[Math.min(now.answers.length, now.positions.length - 1)]!.fen, null, null);
    const seconds = Math.round(Math.min(SECONDS, elapsed()));
    const best = now.answers.filter(answer => answer.judgement.ceded === 0).length;
    // The address has the seed and the endgames, so it gives the same positions.
    const shared = location.href;
    fill(prompt, h('div', { class: 'card say good', role: 'status' }, h('h2', {}, sign('good'), `${format(result.score, 1)} of ${result.positions}${late ? ', out of time' : ''}`),
      h('dl', { class: 'figures' }, figure('Best moves', best, `of ${result.positions}`), figure('Time', format(seconds), seconds === 1 ? 'second' : 'seconds')),
      h('p', { class: 'mono' }, now.positions.map((_, index) => (now.answers[index] ? SIGNS[tone(now.answers[index].judgement)] : '·')).join(' ')),
      h('div', { class: 'row gap' }, button('Again', 'n', () => void start(), 'go'), button('Copy the result', null, () => void copy(`${result.words}\n${shared}`, 'Result')), h('a', { class: 'btn', href: '/' }, 'Practise'))));
    standing = undefined;
  }

  return {
    leave: () => { left = true; clearInterval(timer); board.destroy(); },
    keys: key => {
      if (key === 'n' && !standing) void start();
      else if (key === 'f') board.flip();
      else if (key === 'm') board.focusInput();
      else return false;
      return true;
    },
  };
};

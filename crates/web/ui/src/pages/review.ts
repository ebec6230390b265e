// Review: try again the slips that are due.
import { isAborted } from '../api';
import { Board } from '../board';
import { fill, h } from '../dom';
import { button, failure, say } from '../parts';
import { readMove, readPosition } from '../position';
import { review as grade, reviews, type Slip } from '../practice';
import { fenToUrl, setTitle, type Page } from '../router';
import { capital, count, endgameName, fromNow, withoutMove } from '../words';

export const review: Page = ({ root, signal }) => {
  setTitle('Review');
  let due: Slip[] = [];
  let at = 0;
  let hinted = false;
  let begun = 0;
  let answered = false;
  let busy = false;
  const board = new Board({ onMove: uci => void attempt(uci) });
  const where = h('span', { class: 'soft' });
  const side = h('div', { class: 'stack side', 'aria-live': 'polite' });
  const boardSide = h('section', { class: 'stack tight', 'aria-label': 'Board' }, board.element, h('div', { class: 'under' }, board.typed, h('div', { class: 'row' }, button('Flip', 'f', () => board.flip()))), board.text);
  fill(root, h('div', { class: 'where' }, h('h1', {}, 'Review'), where),
    h('div', { class: 'two play' }, boardSide, side));
  board.set('8/8/8/8/8/8/8/8 w - - 0 1', null, null);
  fill(side, h('div', { class: 'card' }, h('p', { class: 'loading' }, 'Looking up what is due…')));

  async function load(): Promise<void> {
    try {
      const found = await reviews(signal);
      due = found.due;
      at = 0;
      if (due.length) show();
      else {
        where.textContent = '';
        // An empty board would look broken.
        boardSide.hidden = true;
        fill(side, say('good', 'Nothing is due', found.next ? `The next slip comes back ${fromNow(found.next.due)}: ${endgameName(found.next.endgame)}, ${found.next.played}.` : 'Slips from your games come back here, the day after at first and then ever later.',
          h('a', { class: 'btn go', href: '/' }, 'Practise')));
      }
    } catch (error) {
      if (!isAborted(error)) fill(side, failure(error, () => void load()));
    }
  }

  function show(): void {
    const slip = due[at]!;
    hinted = answered = false;
    begun = performance.now();
    where.textContent = `${at + 1} of ${due.length} · ${endgameName(slip.endgame)}`;
    board.orient(slip.side);
    board.set(slip.fen, null, slip.side);
    board.shapes([]);
    fill(side, say('next', `${capital(slip.side)} to move: find the best`,
      slip.value_lost ? 'Here you threw the result away.' : `Here you gave away ${count(slip.ceded, 'move')}.`,
      button('What did I play?', 'h', reveal)));
  }

  function reveal(): void {
    const slip = due[at];
    if (!slip || answered) return;
    hinted = true;
    fill(side, say('next', `You played ${slip.played}`, `It ${withoutMove(slip.words, slip.played)}. What is better? With this hint the slip comes back sooner.`));
  }

  async function attempt(uci: string): Promise<void> {
    const slip = due[at];
    if (!slip || busy || answered) return;
    busy = true;
    try {
      const found = await grade(slip.id, { text: uci, hinted, seconds: (performance.now() - begun) / 1000 });
      answered = true;
      board.set(slip.fen, uci, null);
      const right = found.judgement.ceded === 0;
      const arrow = (move: string, colour: 'green' | 'yellow' | 'red') => ({ from: move.slice(0, 2), to: move.slice(2, 4), colour });
      const position = readPosition(slip.fen);
      const best = right || typeof position === 'string' ? [] : found.judgement.best.slice(0, 2).flatMap(san => readMove(position, san) ?? []);
      board.shapes([...best.map(move => arrow(move, 'green')), arrow(uci, right ? 'green' : found.judgement.ceded === null ? 'red' : 'yellow')]);
      fill(side, say(right ? 'good' : found.judgement.ceded === null ? 'lost' : 'slip', right ? 'That is it' : 'Not yet', [`${found.words}.`, found.next ? ` It comes back ${fromNow(found.next.due)}.` : ''],
        at + 1 < due.length ? button('Next', 'n', next, 'go') : button('Done', 'n', next, 'go'),
        h('a', { class: 'btn', href: `/practise?fen=${fenToUrl(slip.fen)}` }, 'Play it out'), h('a', { class: 'btn', href: `/explore?fen=${fenToUrl(slip.fen)}` }, 'Explore')));
    } catch (error) {
      if (!isAborted(error)) fill(side, failure(error, show));
    } finally {
      busy = false;
    }
  }

  function next(): void {
    if (!answered) return;
    at++;
    if (at < due.length) show();
    else void load();
  }

  void load();
  return {
    leave: () => board.destroy(),
    keys: key => {
      if (key === 'n' || key === ' ') next();
      else if (key === 'h') reveal();
      else if (key === 'f') board.flip();
      else if (key === 'm') board.focusInput();
      else return false;
      return true;
    },
  };
};

// A game of practice: the board, what each move was worth, the curve, and the report.
import { makeFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import { isAborted } from '../api';
import { Board } from '../board';
import { Chart, type Marker } from '../chart';
import { fill, h, type Child } from '../dom';
import { moveNumber, MoveList, type ListedMove } from '../movelist';
import { button, copy, failure, figure, say, save, toast } from '../parts';
import { readMove, readPosition } from '../position';
import { act, begin, drills, isSlip, nextOrder, opponentName, resume, sameOrder, tone, type Answer, type Drill, type Hint, type Order, type Played } from '../practice';
import { reportCard } from './report';
import { fenToUrl, navigate, setTitle, type Page } from '../router';
import { SYMBOL } from '../sign';
import { capital, count, endgameName, format, interval, spelled, withoutMove } from '../words';

const TASKS: Record<string, string> = { win: 'win', hold: 'hold the draw', resist: 'resist as long as you can' };
/** How long your own move is shown before the reply. */
const PAUSE = 260;
/** A reply slower than this shows a waiting message. */
const SOON = 600;

export const game: Page = ({ root, params, signal }) => {
  const id = params.id!;
  setTitle('Practise');
  let answer: Answer | undefined;
  let shown = -1;
  let hint: Hint | undefined;
  let message: { tone: 'good' | 'slip' | 'lost' | 'plain'; text: string } | undefined;
  /** The slip whose best moves are shown. */
  let revealed: number | undefined;
  let arrows = true;
  let busy = false;
  let left = false;
  let ended: HTMLElement | undefined;
  let drill: Drill | undefined;

  const board = new Board({ onMove: uci => void move(uci) });
  const where = h('div', { class: 'where' }, h('h1', {}, 'Practise'), h('span', { class: 'soft' }, '\u00a0'));
  const saying = h('div', { 'aria-live': 'polite', class: 'stack' });
  const heard = h('p', { class: 'hidden', 'aria-live': 'polite' });
  const figures = h('dl', { class: 'figures' });
  const moves = new MoveList(ply => step(ply));
  const seatTop = h('div', { class: 'seat' });
  const note = h('span', { class: 'soft note' });
  const seatBottom = h('div', { class: 'seat' });
  const clock = h('p', { class: 'small' });
  const chart = new Chart({ x: [0, 1], lines: [{ label: 'depth', values: [null, null] }], height: 156, label: 'Depth, move by move', range: [0, null] });
  const chartCard = h('div', { class: 'card' }, h('h3', {}, 'Depth by move: dashed is perfect play, ▲ a slip, ✕ the result lost'), chart.element);
  const tools = h('div', { class: 'row small-buttons' });
  const side = h('section', { class: 'stack side', 'aria-label': 'How it goes' });

  fill(root, where, h('div', { class: 'two play' },
    h('section', { class: 'stay', 'aria-label': 'Board' }, seatTop, board.element, seatBottom, h('div', { class: 'under' }, board.typed,
      h('div', { class: 'row' }, button('Take back', 'u', () => void perform({ act: 'take-back' })), button('Flip', 'f', () => board.flip()))), board.text, heard),
    side));
  fill(side, h('div', { class: 'card awaited short' }, h('p', { class: 'loading' }, 'Setting up the board…')));

  function take(next: Answer): void {
    answer = next;
    shown = next.session.moves.length - 1;
    redraw();
  }

  async function load(): Promise<void> {
    try {
      const next = await resume(id, signal);
      const { side, drill: name } = next.session.setup;
      if (name) drill = (await drills().catch(() => [])).find(one => one.name === name);
      board.orient(side);
      take(next);
    } catch (error) {
      if (!isAborted(error)) fill(root, h('h1', {}, 'Practise'), h('div', { class: 'stack heading' }, failure(error), h('p', { class: 'soft' }, 'Games are kept from the first move on, until the history is erased.'), h('div', { class: 'row' }, h('a', { class: 'btn go', href: '/' }, 'Start another game'))));
    }
  }

  async function move(uci: string): Promise<void> {
    if (!answer || busy) return;
    if (shown !== answer.session.moves.length - 1) return;
    await perform({ act: 'move', text: uci }, uci);
  }

  async function perform(what: { act: string; [field: string]: unknown }, uci?: string): Promise<void> {
    if (!answer || busy) return;
    busy = true;
    // Show your own move while the opponent thinks.
    const before = uci ? readPosition(answer.view.fen) : '';
    const own = uci && parseUci(uci);
    if (own && typeof before !== 'string') {
      before.play(own);
      board.set(makeFen(before.toSetup()), uci, null);
    }
    const thinking = setTimeout(() => { note.textContent = what.act === 'move' ? 'thinking…' : 'one moment…'; note.classList.add('now'); }, SOON);
    try {
      const next = await act(id, what);
      if (left) return;
      message = undefined;
      revealed = undefined;
      hint = undefined;
      for (const event of next.events) {
        if (event.event === 'hinted') hint = event;
        else if (event.event === 'draw-doubted' || event.event === 'draw-declined' || event.event === 'claim-possible') message = { tone: 'plain', text: event.words };
      }
      const replies = next.events.filter(event => event.event === 'moved');
      if (uci && replies.length === 2) {
        await new Promise(done => setTimeout(done, PAUSE));
        if (left) return;
      }
      take(next);
      const reply = next.session.moves.at(-1);
      if (reply && !reply.yours && replies.length) heard.textContent = `${capital(reply.colour)} plays ${reply.san}.`;
    } catch (error) {
      if (left || isAborted(error)) return;
      toast(error instanceof Error ? capital(error.message) : String(error));
      redraw();
    } finally {
      clearTimeout(thinking);
      note.classList.remove('now');
      if (answer) note.textContent = opponentNote(answer.session.setup.opponent);
      busy = false;
    }
  }

  const numbered = (played: Played): string => `${moveNumber(answer!.session.setup.fen, played.ply)} ${played.san}`;
  const reveal = (): void => {
    const slip = looked();
    if (!slip) return;
    revealed = slip.ply;
    drawSaying();
    drawBoard();
  };
  /** The slip in view: the move shown, or your last one while the game goes on. */
  const looked = (): Played | undefined => {
    const moves = answer?.session.moves ?? [];
    const own = shown === moves.length - 1 ? last() : moves[shown];
    return own?.yours && isSlip(own.judgement) ? own : undefined;
  };
  const last = (): Played | undefined => answer?.session.moves.filter(played => played.yours).at(-1);

  function redraw(): void {
    if (!answer) return;
    const { session, view } = answer;
    const { setup } = session;
    setTitle(`${endgameName(setup.endgame)} · Practise`);
    const deepest = view.curve[0]?.moves;
    fill(where, h('h1', {}, drill?.title ?? endgameName(setup.endgame)),
      h('span', { class: 'soft' }, `${setup.endgame} · you play ${capital(setup.side)}, to ${TASKS[setup.task]}${deepest ? ` · ${count(deepest, 'move')} deep` : ''}`));
    const them = setup.side === 'white' ? '♚' : '♔';
    const us = setup.side === 'white' ? '♔' : '♚';
    fill(seatTop, h('span', {}, `${them} `, h('b', {}, opponentName(setup.opponent))), note);
    note.textContent = opponentNote(setup.opponent);
    fill(seatBottom, h('span', {}, `${us} `, h('b', {}, 'You')), clock);
    const half = Math.floor(view.clock.plies / 2);
    clock.className = `small ${view.clock.in_time === false || view.clock.plies >= 80 ? 'lost-text' : 'soft'}`;
    const needed = !session.end && view.standing.value === 'win' && view.clock.in_time !== null ? (view.clock.in_time ? ', the win is in time' : ', too late against best defence') : '';
    clock.textContent = `50-move clock ${half}${half ? needed : ''}`;
    clock.title = view.clock.words ?? 'Moves since the last capture or pawn move';
    board.typed.hidden = session.end !== null;
    drawBoard();
    drawSaying();
    drawFigures();
    drawChart();
    drawMoves();
    drawTools();
    // Only once: reinserting an element loses the focus.
    if (!saying.isConnected) fill(side, saying, h('div', { class: 'card' }, figures, h('p', { class: 'small soft' }, 'Competence: the c of a reference player who errs as you do; 95\u00a0% interval.')), chartCard, h('div', { class: 'card' }, h('h3', {}, 'Game'), moves.element, tools));
  }

  function drawBoard(): void {
    if (!answer) return;
    const { session, view } = answer;
    const current = session.moves[shown];
    const live = shown === session.moves.length - 1;
    board.set(current?.fen ?? session.setup.fen, current?.uci ?? null, live && view.your_turn ? session.setup.side : null);
    board.glow(hint && live ? [hint.from, ...(hint.to ? [hint.to] : [])] : []);
    const shapes = [];
    if (arrows && live && hint?.to) shapes.push({ from: hint.from, to: hint.to, colour: 'blue' as const });
    const own = looked();
    if (arrows && own && revealed === own.ply) {
      const before = readPosition(session.moves[own.ply - 1]?.fen ?? session.setup.fen);
      for (const san of own.judgement.best.slice(0, 3)) {
        const uci = typeof before === 'string' ? undefined : readMove(before, san);
        if (uci) shapes.push({ from: uci.slice(0, 2), to: uci.slice(2, 4), colour: 'green' as const });
      }
    }
    board.shapes(shapes);
  }

  function drawSaying(): void {
    if (!answer) return;
    const { session, view } = answer;
    const own = last();
    if (!session.end) ended = undefined;
    const hintButton = view.your_turn ? button(hint ? 'More' : 'Hint', 'h', () => void perform({ act: 'hint' })) : null;
    const claim = view.claim && view.your_turn ? button('Claim the draw', null, () => void perform({ act: 'claim-draw' })) : null;
    const parts: Child[] = [];
    const viewed = session.moves[shown];
    const live = shown === session.moves.length - 1;
    if (!live && viewed) {
      const slipped = viewed.yours && isSlip(viewed.judgement);
      // Show the best move only on request, or after the game.
      const told = session.end || revealed === viewed.ply;
      parts.push(say(slipped ? tone(viewed.judgement) : 'plain', `${numbered(viewed)} ${withoutMove(viewed.judgement.words, viewed.san)}`, slipped && told && viewed.judgement.better ? `${capital(viewed.judgement.better)}.` : '',
        slipped ? button('Try again from here', 'r', () => void perform({ act: 'retry', ply: viewed.ply }), 'go') : null,
        slipped && !told ? button('Show best', null, reveal) : null,
        button(session.end ? 'To the report' : 'Back to the game', 'space', () => step(session.moves.length - 1))));
    } else if (session.end) {
      ended ??= reportCard(answer, { next, again, retry: ply => void perform({ act: 'retry', ply }), pgn: () => void downloadPgn() });
      parts.push(ended);
    } else if (hint) {
      parts.push(say('next', 'A hint', hint.words, hint.level < 3 ? hintButton : null));
    } else if (own && isSlip(own.judgement)) {
      const kind = tone(own.judgement);
      const cost = own.judgement.ceded === null ? own.judgement.words
        : `${numbered(own)} costs ${spelled(own.judgement.ceded, 'move')}`;
      const told = revealed === own.ply;
      const detail = own.judgement.ceded === null ? '' : `${own.judgement.words}. ${own.judgement.best.length === 1 ? 'One move kept the pace.' : `${capital(spelled(own.judgement.best.length, 'move'))} kept the pace.`}`;
      parts.push(say(kind, cost, [detail, told && own.judgement.better ? h('span', {}, ' ', h('b', {}, own.judgement.better), '.') : null],
        button('Try again', 'r', () => void perform({ act: 'retry', ply: own.ply }), 'go'),
        told ? null : button('Show best', 'space', reveal),
        hintButton, claim));
    } else if (own) {
      parts.push(say('good', `${numbered(own)} ${withoutMove(own.judgement.words, own.san)}`, `${view.standing_words}.`, hintButton, claim));
    } else {
      parts.push(say('next', session.setup.task === 'win' ? 'Win it' : session.setup.task === 'hold' ? 'Hold it' : 'Resist',
        `${view.standing_words}. ${drill ? `${drill.instruction} ${drill.goal}` : 'Move by drag, click or typing.'}`, hintButton));
    }
    if (message) parts.push(say(message.tone, message.text, null, claim));
    if (view.clock.words && !session.end) parts.push(say(view.clock.in_time === false ? 'lost' : 'plain', '50-move rule', `${view.clock.words}.`));
    // Keep keyboard focus on the messages; after a click, keys belong to the page.
    const focused = saying.querySelector(':focus-visible');
    fill(saying, parts);
    if (focused) saying.querySelector('button')?.focus({ preventScroll: true });
  }

  function drawFigures(): void {
    if (!answer) return;
    const { session, view } = answer;
    const { estimate, at_least } = view.competence;
    const own = session.moves.filter(played => played.yours).length;
    const depth = view.standing.moves;
    const { end } = session;
    const label = end ? 'Result' : view.standing.value === 'win' ? 'To the win' : view.standing.value === 'loss' ? 'To the loss' : 'Position';
    fill(figures,
      end ? figure(label, { win: 'won', draw: 'drawn', loss: 'lost' }[end.result], `in ${own} ${own === 1 ? 'move' : 'moves'}`)
        : figure(label, depth ?? 'draw', depth === null ? null : depth === 1 ? 'move' : 'moves'),
      figure(end ? 'Ceded' : 'Ceded so far', view.ceded, view.value_losses ? `${view.ceded === 1 ? 'move' : 'moves'}, and the result ${view.value_losses === 1 ? 'once' : `${view.value_losses} times`}` : `in ${own} ${own === 1 ? 'move' : 'moves'}`),
      figure('Competence', estimate ? format(estimate.mean, 1) : at_least !== null && at_least >= 0.5 ? `> ${format(at_least, 0)}` : '–',
        estimate ? `(${interval(estimate)})` : at_least !== null ? 'no error yet' : 'not yet known'));
  }

  function drawChart(): void {
    if (!answer) return;
    const { session, view } = answer;
    const signed = view.curve.map(standing => standing.moves);
    // Conversion ends the endgame; the value after it belongs to the next one.
    if (session.end?.kind === 'converted') signed[signed.length - 1] = 0;
    const start = signed[0] ?? 0;
    const length = Math.max(signed.length, session.end ? signed.length : Math.min(2 * (start ?? 0) + 1, 120), 2);
    const x = Array.from({ length }, (_, ply) => ply / 2);
    const ideal = session.setup.task === 'win' && start ? x.map(at => (at <= start ? start - at : null)) : x.map(() => null);
    const markers: Marker[] = session.moves.filter(played => played.yours && isSlip(played.judgement)).map(played => ({
      index: played.ply + 1, line: 0, shape: played.judgement.ceded === null ? 'cross' : 'triangle', colour: played.judgement.ceded === null ? '--lost' : '--slip',
    }));
    markers.push({ index: Math.max(0, shown + 1), line: 0, shape: 'dot', colour: '--accent' });
    const most = Math.max(...signed.map(value => value ?? 0), start ?? 0, 4);
    chart.update({
      x,
      lines: [
        { label: 'depth', values: x.map((_, index) => (index < signed.length ? (signed[index] ?? 0) : null)) },
        { label: 'perfect play', values: ideal, dash: true, colour: '--edge', width: 1.25 },
      ],
      range: [0, Math.ceil(most * 1.25)],
      markers,
      label: `Depth from ${start} moves at the start to ${signed.at(-1) ?? 'a draw'} now; ${spelled(markers.length - 1, 'slip')}`,
      say: index => (index === 0 ? 'start' : `${session.moves[index - 1]?.san ?? ''}: ${signed[index] ?? 'draw'}`),
      pick: index => step(index - 1),
    });
    chartCard.hidden = view.curve.every(standing => standing.moves === null);
  }

  function drawMoves(): void {
    if (!answer) return;
    const { session } = answer;
    moves.set(session.setup.fen, session.moves.map((played): ListedMove => {
      const { mark, ceded, words } = played.judgement;
      if (!played.yours) return { san: played.san, title: words };
      const kind = tone(played.judgement);
      const cost = kind === 'slip' ? ` ${SYMBOL.slip}${ceded}` : kind === 'lost' ? ` ${SYMBOL.lost}` : '';
      return { san: played.san, title: words, tone: kind === 'good' ? undefined : kind, suffix: `${mark ?? ''}${cost}` };
    }), shown);
  }

  function drawTools(): void {
    const over = answer?.session.end;
    const at = answer?.session.moves[shown]?.fen ?? answer?.session.setup.fen ?? '';
    fill(tools,
      over ? null : button('Resign', null, () => void perform({ act: 'resign' }), 'quiet'),
      over ? null : button('Offer a draw', null, () => void perform({ act: 'offer-draw' }), 'quiet'),
      h('a', { class: 'btn quiet', href: `/explore?fen=${fenToUrl(at)}` }, 'Explore this position'),
      button('Copy FEN', null, () => void copy(at, 'FEN'), 'quiet'),
      button('Copy link', null, () => void copy(link(), 'Link'), 'quiet'));
  }

  /** The same start against the same opponent, for somebody else. */
  function link(): string {
    const { fen, side, opponent, metric, seed } = answer!.session.setup;
    return `${location.origin}/practise?fen=${fenToUrl(fen)}&side=${side}&opponent=${encodeURIComponent(opponent)}&metric=${metric}&seed=${seed}`;
  }

  function step(to: number): void {
    if (!answer || to < -1 || to >= answer.session.moves.length) return;
    shown = to;
    drawBoard();
    drawSaying();
    drawMoves();
    drawChart();
    drawTools();
  }

  /** From the slip shown, or else from the last one. */
  function retry(): void {
    const viewed = answer?.session.moves[shown];
    const slips = answer?.session.moves.filter(played => played.yours && isSlip(played.judgement)) ?? [];
    const from = viewed && slips.includes(viewed) ? viewed : slips.at(-1);
    if (from) void perform({ act: 'retry', ply: from.ply });
  }

  async function playOn(order: Promise<Order> | Order): Promise<void> {
    try {
      const next = await begin(await order);
      if (!left) navigate(`/practise/${next.session.id}`);
    } catch (error) {
      toast(error instanceof Error ? capital(error.message) : String(error));
    }
  }
  const next = (): void => { if (answer) void playOn(nextOrder(answer)); };
  const again = (): void => { if (answer) void playOn(sameOrder(answer)); };

  async function downloadPgn(): Promise<void> {
    try {
      const response = await fetch(`/api/v1/practice/games/${id}/pgn`);
      if (!response.ok) throw new Error('There is no PGN of this game.');
      save(`errare-${id}.pgn`, 'application/x-chess-pgn', await response.text());
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  void load();
  return {
    leave: () => { left = true; chart.destroy(); board.destroy(); },
    keys: key => {
      const own = last();
      if (key === 'ArrowLeft') step(shown - 1);
      else if (key === 'ArrowRight') step(shown + 1);
      else if (key === 'f') board.flip();
      else if (key === 'h') void perform({ act: 'hint' });
      else if (key === 'u') void perform({ act: 'take-back' });
      else if (key === 'r') retry();
      else if (key === 'n') { if (answer?.session.end) next(); }
      else if (key === 'z') { arrows = !arrows; drawBoard(); }
      else if (key === ' ') {
        const end = (answer?.session.moves.length ?? 0) - 1;
        if (shown !== end) step(end);
        else if (own && isSlip(own.judgement) && !answer?.session.end) reveal();
      }
      else if (key === 'm') board.focusInput();
      else return false;
      return true;
    },
  };
};

function opponentNote(name: string): string {
  switch (name.split(':')[0]) {
    case 'predator': return 'never errs, and sets you the hardest tasks';
    case 'hunter': return 'never errs, and sees the hardest tasks to the end';
    case 'best': return 'never errs';
    case 'human': return 'errs as people do';
    default: return 'errs at times';
  }
}

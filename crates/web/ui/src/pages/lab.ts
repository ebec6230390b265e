// Lab: matches between agents, a game between two of them to watch, and random minimaxing.
import { makeFen } from 'chessops/fen';
import { parseUci } from 'chessops/util';
import { address, followJob, isAborted, jobAnswer, startJob } from '../api';
import { Board } from '../board';
import { fill, h, uniqueId } from '../dom';
import { MoveList } from '../movelist';
import { button, failure, figure, meter, progress, say, scroller, slider, toast } from '../parts';
import { readPosition } from '../position';
import { fenFromUrl, fenToUrl, setAddress, setTitle, type Page } from '../router';
import { count, format, interval, percent, unbroken } from '../words';
import { work, type Work } from '../work';
import { fleetPanel } from './fleet';

interface Spread {
  mean: number;
  /** The 95 % interval of the mean; a single game has none. */
  low: number | null;
  high: number | null;
  min: number;
  max: number;
}
interface Share {
  share: number;
  low: number;
  high: number;
}
interface MatchAnswer {
  seed: number;
  games: number;
  players: string[];
  results: { white: number; draws: number; black: number; fifty_moves: number; repetition: number; unfinished: number };
  shares: { white: Share; drawn: Share; black: Share } | null;
  length: Spread;
  apparent_competence: (Spread & { faultless: number }) | null;
  notes?: string[];
}
interface Watched {
  seed: number;
  players: string[];
  from: string;
  san: string[];
  uci: string[];
  result: MatchAnswer['results'];
  notes: string[];
}
interface Minimax {
  depth: number;
  leaves: number | string;
  moves: { uci: string; san: string; probability: number }[];
}

const KQKR = '8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1';
const START = 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1';
const AGENTS = ['best', 'predator', 'hunter:c=20', 'emulator:c=20', 'rep:c=20', 'rep:c=10', 'random', 'minimax:depth=2', 'human:elo=1800'];

export const lab: Page = ({ root, query, signal }) => {
  setTitle('Lab');
  let timer = 0;
  const board = new Board({});
  const field = (label: string, value: string, list?: string[]): { element: HTMLElement; input: HTMLInputElement } => {
    const id = uniqueId();
    const input = h('input', { id, type: 'text', class: value.includes('/') ? 'mono' : null, value, spellcheck: 'false', autocomplete: 'off', list: list ? `${id}-list` : null });
    return { element: h('div', { class: 'field' }, h('label', { class: 'label', for: id }, label), input, list ? h('datalist', { id: `${id}-list` }, list.map(option => h('option', { value: option }))) : null), input };
  };

  // Matches.
  const white = field('White', query.get('white') ?? 'rep:c=20', AGENTS);
  const black = field('Black', query.get('black') ?? 'predator', AGENTS);
  const from = field('From', fenFromUrl(query.get('fen') ?? KQKR));
  let games = Math.min(1000, Math.max(1, Number(query.get('games') ?? 100) || 100));
  const seed = field('Seed', query.get('seed') ?? '1');
  const outcome = h('div', { 'aria-live': 'polite' });
  const match = work<MatchAnswer>('match', 'match', signal, showMatch);
  const watch = work<Watched>('game', 'game', signal, showGame);
  const viewer = h('div', { class: 'stack' });

  const order = (n: number): object | null => {
    const fen = from.input.value.trim();
    if (typeof readPosition(fen) === 'string') { toast('The position to start from is not a FEN.'); return null; }
    return { players: [white.input.value.trim(), black.input.value.trim()], from: fen, games: n, seed: Number(seed.input.value) || 0 };
  };

  const between = ({ low, high }: Spread): string => (low === null || high === null ? '' : `(${interval({ low, high })})`);

  function showMatch(answer: MatchAnswer): void {
    const { results, shares, length, apparent_competence: apparent } = answer;
    const drawn = results.draws + results.fifty_moves + results.repetition;
    const several = length.low !== null;
    const share = (label: string, n: number, found?: Share): HTMLElement => {
      const words = `${percent(n / answer.games)}${found && several ? ` (${format(100 * found.low)}-${format(100 * found.high)})` : ''}`;
      return h('div', {}, h('dt', {}, label), h('dd', {}, format(n), ' ', h('small', {}, unbroken(words)), meter(n / answer.games, words)));
    };
    fill(outcome, h('div', { class: 'result' }, h('h2', {}, `${count(answer.games, 'game')}: ${answer.players.join(' against ')}`),
      h('dl', { class: 'figures three' }, share('White wins', results.white, shares?.white), share('Drawn', drawn, shares?.drawn), share('Black wins', results.black, shares?.black)),
      h('dl', { class: 'figures gap' }, figure('Length', format(length.mean, 1), unbroken(`${between(length)} moves`)),
        apparent ? figure('White appears to be', `c\u00a0=\u00a0${format(apparent.mean, 1)}`, unbroken(between(apparent))) : null,
        figure('Seed', answer.seed)),
      several ? h('p', { class: 'small soft' }, unbroken(`In brackets are 95\u00a0% intervals: of the chance of each result, and of the mean length${apparent ? ' and c' : ''} that ever more such games would approach. Single games took ${length.min}-${length.max} moves${apparent ? ` and look like c = ${format(apparent.min, 1)} to ${format(apparent.max, 1)}` : ''}.`)) : null,
      (answer.notes ?? []).map(note => h('p', { class: 'small soft' }, note))));
  }

  function showGame(answer: Watched): void {
    const position = readPosition(answer.from);
    if (typeof position === 'string') return;
    const fens: [string, string | null][] = [[makeFen(position.toSetup()), null]];
    for (const uci of answer.uci) {
      const move = parseUci(uci);
      if (!move) break;
      position.play(move);
      fens.push([makeFen(position.toSetup()), uci]);
    }
    let at = 0;
    const moves = new MoveList(ply => stepper?.(ply + 1));
    moves.element.classList.add('tall');
    const step = (to: number): void => {
      at = Math.max(0, Math.min(fens.length - 1, to));
      board.set(...fens[at]!);
      moves.set(answer.from, answer.san.map(san => ({ san })), at - 1);
    };
    const pause = button('Pause', null, () => (timer ? stop() : play()));
    const stop = (): void => { clearInterval(timer); timer = 0; pause.firstChild!.textContent = 'Play'; };
    const play = (): void => {
      if (at >= fens.length - 1) step(0);
      pause.firstChild!.textContent = 'Pause';
      timer = window.setInterval(() => (at >= fens.length - 1 ? stop() : step(at + 1)), 700);
    };
    clearInterval(timer);
    const { result } = answer;
    const end = result.white ? 'White wins' : result.black ? 'Black wins' : result.unfinished ? 'broken off' : 'a draw';
    fill(viewer, h('div', { class: 'two' }, h('div', { class: 'stack tight' }, board.element, board.text), h('div', { class: 'stack' },
      say('plain', `${answer.players[0]} against ${answer.players[1]}`, `${count(Math.ceil(answer.uci.length / 2), 'move')}, ${end}. Seed ${answer.seed}.`, button('Back', '←', () => stepper?.(at - 1)), pause, button('Forward', '→', () => stepper?.(at + 1))),
      h('div', { class: 'card' }, h('h3', {}, 'Game'), moves.element), answer.notes.map(note => h('p', { class: 'small soft' }, note)))));
    step(0);
    stepper = to => { stop(); step(to); };
    positionAt = () => at;
    // Do not start a game again that was already watched.
    if (!ordered) { stop(); return; }
    play();
    viewer.scrollIntoView({ block: 'nearest' });
  }
  let ordered = false;
  let stepper: ((to: number) => void) | undefined;
  let positionAt = (): number => 0;

  // Random minimaxing: one column per depth, each its own job.
  const position = field('Position', fenFromUrl(query.get('position') ?? START));
  let depth = Math.min(4, Math.max(1, Number(query.get('depth') ?? 3) || 3));
  const probabilities = h('div');
  async function minimax(): Promise<void> {
    const fen = position.input.value.trim();
    if (typeof readPosition(fen) === 'string') { toast('That is not a FEN.'); return; }
    setAddress(`/lab?run=minimax&depth=${depth}&position=${fenToUrl(fen)}`, true);
    const answers: Minimax[] = [];
    try {
      for (let plies = 1; plies <= depth; plies++) {
        const job = await startJob('minimax', { fen, depth: plies });
        const view = progress(job);
        fill(probabilities, answers.length ? minimaxTable(answers) : null, h('div', { class: 'gap' }, view.element));
        const last = await followJob(job.id, view.update, signal);
        if (last.state === 'failed') throw new Error(last.error ?? 'It failed.');
        if (last.state !== 'done') break;
        answers.push(await jobAnswer<Minimax>(job.id));
      }
      fill(probabilities, answers.length ? minimaxTable(answers) : h('p', { class: 'soft' }, 'Stopped.'));
    } catch (error) {
      if (!isAborted(error)) fill(probabilities, failure(error));
    }
  }
  function minimaxTable(answers: Minimax[]): HTMLElement {
    const last = answers.at(-1)!;
    const chance = (answer: Minimax, uci: string): number => answer.moves.find(move => move.uci === uci)?.probability ?? 0;
    const rows = [...last.moves].sort((a, b) => b.probability - a.probability);
    const most = rows[0]?.probability ?? 1;
    return h('div', {}, scroller('Probabilities', h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Move'), answers.map(answer => h('th', { scope: 'col', class: 'right' }, `Depth ${answer.depth}`)), h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Bar')))),
      h('tbody', {}, rows.map(move => h('tr', {}, h('td', {}, h('b', {}, move.san)), answers.map(answer => h('td', { class: 'right' }, percent(chance(answer, move.uci)))), h('td', { class: 'bar-cell' }, meter(move.probability / most, percent(move.probability)))))))),
      h('p', { class: 'small soft', role: 'status' }, `${typeof last.leaves === 'number' ? format(last.leaves) : last.leaves} leaves at depth ${last.depth}; a move chosen at random would have ${percent(1 / Math.max(1, rows.length))}.`));
  }
  const start = (what: 'match' | 'game'): boolean => {
    const wanted = order(what === 'match' ? games : 1);
    if (!wanted) return false;
    ordered = true;
    setAddress(`${address('/lab', { run: what, white: white.input.value, black: black.input.value, games, seed: seed.input.value })}&fen=${fenToUrl(from.input.value.trim())}`, true);
    void (what === 'match' ? match : watch).start(wanted);
    return true;
  };

  fill(root, h('h1', {}, 'Lab'), h('p', { class: 'lead' }, 'Let players meet, watch one of their games, and see which moves random minimaxing would choose.'),
    h('div', { class: 'two even heading' },
      h('section', { class: 'card stack', 'aria-label': 'Matches' }, h('h2', {}, 'A match'),
        h('p', { class: 'small soft' }, 'By name: ', h('b', {}, 'best'), ' never errs, ', h('b', {}, 'rep:c=20'), ' errs like c\u00a0=\u00a020, ', h('b', {}, 'predator'), ' exploits errors, ', h('b', {}, 'random'), ' picks any move.'),
        h('div', { class: 'pair' }, white.element, black.element), from.element, h('div', { class: 'pair' }, slider(() => [h('b', {}, count(games, 'game'))], { min: 1, max: 1000, value: games }, value => { games = value; }), seed.element),
        h('div', { class: 'row' }, button('Play the match', null, () => { if (start('match')) fill(outcome); }, 'go'), button('Watch one game', null, () => void start('game'))),
        match.element, watch.element, outcome),
      h('section', { class: 'card stack', 'aria-label': 'Random minimaxing' }, h('h2', {}, 'Random minimaxing'),
        h('p', { class: 'small soft' }, 'If the leaves of the game tree had random values, how likely would minimax choose each move? Mobility alone decides.'),
        position.element, slider(() => ['Depths 1 to ', h('b', {}, depth)], { min: 1, max: 4, value: depth }, value => { depth = value; }),
        h('div', { class: 'row' }, button('Compute', null, () => void minimax(), 'go')), probabilities),
      h('section', { class: 'wide', 'aria-label': 'Game' }, viewer)),
    fleetPanel(signal));
  // Play what the address asks for, unless this browser already has.
  const run = query.get('run');
  const take = async (which: Work, wanted: object | null | undefined): Promise<void> => {
    if (!await which.resume(wanted ?? undefined) && wanted && !signal.aborted) await which.start(wanted);
  };
  void take(match, run === 'match' ? order(games) : undefined);
  void take(watch, run === 'game' ? order(1) : undefined);
  if (run === 'minimax') void minimax();
  return {
    leave: () => { clearInterval(timer); board.destroy(); },
    keys: key => {
      if (key === 'ArrowLeft') stepper?.(positionAt() - 1);
      else if (key === 'ArrowRight') stepper?.(positionAt() + 1);
      else if (key === 'f') board.flip();
      else return false;
      return true;
    },
  };
};

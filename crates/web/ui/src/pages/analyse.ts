// Analyse: drop a PGN, see how the endgames were played, move by move.
import { Board, readMove, readPosition, thumbnail } from '../board';
import { Chart, type Marker } from '../chart';
import { fill, h, uniqueId, type Child } from '../dom';
import { button, figure, save, say, scroller, toast } from '../parts';
import { fenToUrl, setTitle, type Page } from '../router';
import { SYMBOL } from '../sign';
import { capital, count, endgameName, endgameOf, format, interval, type Estimate } from '../words';
import { work } from '../work';
import { wholeGames, type SentGames } from './whole';

interface Player {
  name: string;
  moves: number;
  ceded: number;
  value_losses: number;
  competence: Estimate | null;
  faultless: boolean;
}
interface MoveReport {
  ply: number;
  number: number;
  color: 'white' | 'black';
  endgame: string;
  fen: string;
  san: string;
  mark: string | null;
  value_before: number;
  value_after: number;
  depth_before: number | null;
  depth_after: number | null;
  ceded: number | null;
  optimal: string[];
  competence?: number | null;
}
interface GameAnalysis {
  number: number;
  white: Player;
  black: Player;
  result: string | null;
  phases: { endgame: string; first_ply: number; last_ply: number; white: Player; black: Player }[];
  moves: MoveReport[];
  problems: string[];
}
interface Incident {
  game: number;
  opponent: string;
  endgame: string;
  move: MoveReport;
}
interface PlayerSummary {
  name: string;
  games: number;
  moves: number;
  ceded: number;
  value_losses: number;
  competence: Estimate | null;
  anchor: { text: string } | null;
  endgames: { endgame: string; games: number; moves: number; ceded: number; value_losses: number; competence: Estimate | null }[];
  thrown: Incident[];
  slips: Incident[];
  train: string | null;
}
interface Answer {
  games: GameAnalysis[];
  games_read: number;
  games_analysed: number;
  flawed?: { game: number; problem: string }[];
  players: PlayerSummary[];
  missing: { endgame: string; games: number[] }[];
  annotated: string;
  page: string;
}

/** A game between two of our players, queen against rook. */
const EXAMPLE = `[Event "Example"]
[White "rep:c=20"]
[Black "best"]
[SetUp "1"]
[FEN "K3r3/8/5k2/Q7/8/8/8/8 w - - 0 1"]
[Result "1-0"]

1. Ka7 Re7+ 2. Kb8 Re8+ 3. Kc7 Re7+ 4. Kd8 Re4 5. Qa6+ Ke5 6. Qf1 Rd4+ 7. Ke7 Re4 8. Qh3
Kd5+ 9. Kd7 Kc4 10. Kc7 Kd5 11. Qg2 Ke5 12. Kc6 Rc4+ 13. Kb5 Rf4 14. Kc5 Rf5 15. Qg3+ Ke4+
16. Kc4 Rf3 17. Qg4+ Ke3 18. Qg1+ Ke4 19. Qa1 Kf4 20. Qg7 Ke4 21. Qg2 Ke3 22. Qc2 Rf4+ 23.
Kd5 Rg4 24. Ke5 Rg5+ 25. Kd6 Rg3 26. Qf5 Rf3 27. Qg5+ Kd4 28. Qd2+ Ke4 29. Qb4+ Kd3 30.
Qc5 Rf4 31. Qg1 Ke2 32. Qc1 Rf8 33. Qc5 Kd3 34. Qd5+ Kc3 35. Qa5+ Kc2 36. Qc7+ Kd2 37. Qd7
Rf3 38. Ke5+ Ke2 39. Qb5+ Kd2 40. Qd7+ Ke2 41. Qg4 Kf2 42. Qg5 Ke2 43. Qg2+ Ke3 44. Qc2
Rg3 45. Qe4+ Kf2 46. Qf4+ Rf3 47. Qd2+ Kg3 48. Ke4 Rf1 49. Qd3+ Kg2 50. Qe2+ Rf2 51. Qg4+
Kh2 52. Ke3 Ra2 53. Qb4 Rg2 54. Qh4+ Kg1 55. Kf3 Rg8 56. Qd4+ Kh2 57. Qe5+ Kg1 58. Qa1+
Kh2 59. Qa2+ Kg1 60. Qxg8+ Kf1 61. Qg2+ Ke1 62. Qe2# 1-0
`;

const LARGEST = 7 << 20;
/** What is shown of long files; the page says what it leaves out. */
const [MOST_GAMES, MOST_PLAYERS, MOST_INCIDENTS, MOST_CHIPS] = [50, 12, 6, 12];
/** The games of the page, kept while the browser is open: ratings can be asked for after a reload. */
const KEPT = 'analyse:games';

export const analyse: Page = ({ root, signal }) => {
  setTitle('Analyse');
  const results = h('div', { class: 'stack' });
  const charts: Chart[] = [];
  let shown: { slot: HTMLElement; board: Board } | undefined;
  let step: ((by: number) => void) | undefined;
  /** The games that are analysed; unknown after a reload if they are too large to keep. */
  let sent: string | undefined;
  const job = work<Answer>('analyse', 'analyse', signal, show);
  const whole = wholeGames(signal);
  const id = uniqueId();
  const text = h('textarea', { id, rows: 5, placeholder: '[White "..."]\n\n1. e4 e5 ...', spellcheck: 'false' });
  const file = h('input', { type: 'file', accept: '.pgn,.txt', class: 'hidden', id: uniqueId(), onchange: () => { const chosen = file.files?.[0]; if (chosen) void read(chosen); } });
  const drop = h('div', { class: 'drop', ondragover: (event: DragEvent) => { event.preventDefault(); drop.classList.add('over'); }, ondragleave: () => drop.classList.remove('over'),
    ondrop: (event: DragEvent) => { event.preventDefault(); drop.classList.remove('over'); const chosen = event.dataTransfer?.files[0]; if (chosen) void read(chosen); } },
    h('p', {}, 'Drop a PGN file here, or ', h('label', { for: file.id, class: 'link' }, 'choose one'), file), h('p', { class: 'small soft' }, 'It stays on this machine. Endgames are analysed from five men down.'));

  async function read(chosen: File): Promise<void> {
    if (chosen.size > LARGEST) { toast('That file is too large for the page; use errare analyse in the terminal.'); return; }
    const bytes = await chosen.arrayBuffer();
    let { name } = chosen;
    let pgn: string;
    try {
      pgn = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      // Older programs write PGN in the encoding of western Windows.
      pgn = new TextDecoder('windows-1252').decode(bytes);
      name += ' (converted to UTF-8)';
    }
    text.value = pgn.length < 100_000 ? pgn : '';
    go({ pgn, name });
  }

  function go(games: SentGames): void {
    if (!games.pgn.trim()) { toast('There is no game in that.'); return; }
    fill(results);
    try {
      sessionStorage.setItem(KEPT, JSON.stringify(games));
    } catch {
      // Too large to keep: after a reload the file has to be dropped again.
      sessionStorage.removeItem(KEPT);
    }
    whole.clear();
    whole.element.hidden = false;
    whole.offer(games);
    start(games.pgn);
  }

  function start(pgn: string, long = false): void {
    sent = pgn;
    void job.start({ pgn, long });
  }

  fill(root, h('h1', {}, 'Analyse'), h('p', { class: 'lead' }, 'How well was it played? Endgames are held against the tables, move by move; with an engine, whole games are rated and screened.'),
    h('div', { class: 'stack heading' }, drop, h('details', {}, h('summary', {}, 'Or paste the games'), h('label', { class: 'hidden', for: id }, 'PGN'), text,
      h('div', { class: 'row' }, button('Analyse', null, () => go({ pgn: text.value, name: 'pasted games' }), 'go'))), whole.element, job.element, results));
  fill(results, h('div', { class: 'tales' }, [
    ['Every move', 'held against the tables: what it cost, what was best, where the result was thrown away. A curve a game; click a point to see the position.'],
    ['Every player', 'with a competence and its interval, the endgames that cost most, and a link to practise just those positions.'],
    ['Whole games', 'with an engine: a rating from the moves, with its interval, and a sober screening. Progress is shown, and you may close the page meanwhile.'],
    ['Your file back', 'as annotated PGN, your own comments untouched, and as pages to print.'],
  ].map(([title, words]) => h('div', {}, h('h2', {}, title), h('p', { class: 'soft' }, words)))), h('div', { class: 'row' }, button('Try it with an example', null, () => { text.value = EXAMPLE; go({ pgn: EXAMPLE, name: 'example.pgn' }); })));
  const kept = sessionStorage.getItem(KEPT);
  if (kept) {
    const games = JSON.parse(kept) as SentGames;
    sent = games.pgn;
    whole.offer(games);
  }
  whole.resume();
  void job.resume();

  function competence(player: { competence: Estimate | null; faultless?: boolean; moves: number }): Child {
    if (player.competence) return [h('b', { class: 'num' }, format(player.competence.mean, 1)), h('span', { class: 'soft num' }, ` (${interval(player.competence)})`)];
    return h('span', { class: 'soft' }, player.moves ? 'no error seen' : 'no move');
  }

  function show(answer: Answer): void {
    charts.splice(0).forEach(chart => chart.destroy());
    step = undefined;
    if (!answer.games_read) {
      whole.clear();
      whole.element.hidden = true;
      fill(results, say('lost', 'There is no game in that', 'A game in PGN has tags, such as [White "Capablanca"], and moves, such as 1. e4 e5.'));
      return;
    }
    const flaws = flawed(answer.flawed ?? []);
    if (!answer.games.length) {
      fill(results, say('plain', 'No endgame with five men or fewer', `${count(answer.games_read, 'game')} read; none of them comes down to five men.`), flaws);
      return;
    }
    const { players } = answer;
    const erring = players.filter(player => player.thrown.length || player.slips.length);
    fill(results,
      h('div', { class: 'row spread' }, h('p', { class: 'soft' }, `${count(answer.games_read, 'game')} read, ${answer.games.length} with an endgame of five men or fewer.`),
        h('div', { class: 'row' }, button('Annotated PGN', null, () => save('annotated.pgn', 'application/x-chess-pgn', answer.annotated)), button('A page per player', null, () => save('players.html', 'text/html', answer.page)))),
      flaws,
      answer.missing.length ? say('plain', 'Some tables are missing', `Parts of ${count(new Set(answer.missing.flatMap(entry => entry.games)).size, 'game')} are left out: it takes minutes to build the tables of ${answer.missing.map(entry => entry.endgame).join(', ')}, once.`,
        sent === undefined ? h('a', { class: 'btn', href: `/endgames/${answer.missing[0]!.endgame}` }, 'Build them') : button('Build them and analyse again', null, () => start(sent!, true))) : null,
      h('div', { class: 'card' }, h('h2', {}, 'Players'), scroller('Players', h('table', { class: 'data' },
        h('thead', {}, h('tr', {}, ['Player', 'Competence c', 'Ceded', 'Results lost', 'Moves', 'Games', 'To practise'].map(title => h('th', { scope: 'col' }, title)))),
        h('tbody', {}, [...players].sort((a, b) => b.value_losses - a.value_losses || b.ceded - a.ceded || b.moves - a.moves).map(player => h('tr', {}, h('td', {}, h('b', {}, player.name)), h('td', {}, competence(player)), h('td', {}, player.ceded), h('td', {}, player.value_losses), h('td', {}, player.moves), h('td', {}, player.games),
          h('td', {}, player.train ? h('a', { href: `/?endgame=${player.train}` }, endgameName(player.train)) : ''))))), 'tall'),
        h('p', { class: 'small soft' }, 'Competence c is that of the reference player who errs as much, results thrown away included; with 95 % it lies in the interval. Few moves make wide intervals. Ceded: moves of depth given away.')),
      erring.length ? h('div', { class: 'two even' }, erring.slice(0, MOST_PLAYERS).map(playerCard)) : null,
      erring.length > MOST_PLAYERS ? h('p', { class: 'soft' }, `The slips of ${MOST_PLAYERS} players are shown; “A page per player” has all ${erring.length}.`) : null,
      h('h2', {}, 'Games'),
      answer.games.slice(0, MOST_GAMES).map(gameCard),
      answer.games.length > MOST_GAMES ? h('p', { class: 'soft' }, `The first ${MOST_GAMES} games are shown; the annotated PGN has all ${answer.games.length}.`) : null);
  }

  /** Games that are not read to their end, and why. */
  function flawed(list: { game: number; problem: string }[]): HTMLElement | null {
    if (!list.length) return null;
    return h('div', { class: 'card' }, h('h2', {}, `${capital(count(list.length, 'game'))} could not be read to the end`), h('ul', { class: 'plain-list small' }, list.slice(0, MOST_INCIDENTS).map(({ game, problem }) => h('li', {}, `Game ${game}: ${problem}`))),
      list.length > MOST_INCIDENTS ? h('p', { class: 'small soft' }, `and ${list.length - MOST_INCIDENTS} more`) : null);
  }

  /** Where a player lost results and depth. */
  function playerCard(player: PlayerSummary): HTMLElement {
    const line = ({ move, opponent }: Incident): Child => h('li', {}, h('span', { class: move.ceded === null ? 'lost-text' : 'slip-text' }, `${move.ceded === null ? SYMBOL.lost : SYMBOL.slip} `, h('b', {}, `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}`)),
      h('span', { class: 'soft' }, ` ${move.ceded === null ? 'threw the result away' : `cost ${count(move.ceded, 'move')}`}${move.optimal.length ? `; ${best(move)}` : ''} (${endgameOf(move.fen)}${opponent ? `, against ${opponent}` : ''}) `),
      h('a', { href: `/practise?fen=${fenToUrl(move.fen)}` }, 'practise'));
    const incidents = [...player.thrown, ...player.slips.filter(slip => !player.thrown.some(thrown => thrown.move.fen === slip.move.fen))];
    return h('section', { class: 'card' }, h('h2', {}, player.name), player.anchor ? h('p', { class: 'small soft' }, `For comparison: ${player.anchor.text}.`) : null,
      h('ul', { class: 'slips' }, incidents.slice(0, MOST_INCIDENTS).map(line)), incidents.length > MOST_INCIDENTS ? h('p', { class: 'small soft' }, `and ${incidents.length - MOST_INCIDENTS} more in the annotated PGN`) : null);
  }

  /** "Qa6 was best", "Qa6 or Kd7 was best", "Qa6, Kd7 and 3 others were best". */
  function best({ optimal }: MoveReport): string {
    const others = optimal.length - 2;
    return others > 0 ? `${optimal.slice(0, 2).join(', ')} and ${count(others, 'other')} were best` : `${optimal.join(' or ')} was best`;
  }

  /** What was played, and what was best. */
  function shapes(move: MoveReport): { from: string; to: string; colour: 'green' | 'red' | 'yellow' }[] {
    const position = readPosition(move.fen);
    if (typeof position === 'string') return [];
    const arrow = (san: string, colour: 'green' | 'red' | 'yellow') => {
      const uci = readMove(position, san);
      return uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), colour }] : [];
    };
    const fine = move.ceded === 0;
    return [...(fine ? [] : move.optimal.slice(0, 2).flatMap(san => arrow(san, 'green'))), ...arrow(move.san, fine ? 'green' : move.ceded === null ? 'red' : 'yellow')];
  }

  /** The board, which moves to the game that is looked at. */
  function boardIn(slot: HTMLElement): Board {
    if (shown?.slot === slot) return shown.board;
    shown?.board.destroy();
    const board = new Board({});
    fill(slot, board.element);
    board.redraw();
    shown = { slot, board };
    return board;
  }

  /** What the moves so far say of both players, once somebody has erred. */
  function competenceChart({ moves, white, black }: GameAnalysis, pick: (index: number) => void): Chart | undefined {
    if (!moves.some(move => typeof move.competence === 'number')) return undefined;
    const running = (colour: string): (number | null)[] => {
      let known: number | null = null;
      return moves.map(move => (known = (move.color === colour ? move.competence : null) ?? known));
    };
    const [ofWhite, ofBlack] = [running('white'), running('black')];
    const told = (c: number | null | undefined): string => (c === null || c === undefined ? 'no error yet' : format(c, 1));
    return new Chart({
      x: moves.map((_, index) => index), height: 130, range: [0, null], pick,
      lines: [{ label: 'White', values: ofWhite }, { label: 'Black', values: ofBlack, dash: true, colour: '--ink', width: 1.75 }],
      label: `Competence as the game goes on: at the end ${white.name} ${told(ofWhite.at(-1))}, ${black.name} ${told(ofBlack.at(-1))}`,
      xFormat: x => String(moves[x]?.number ?? ''),
      say: index => `${moves[index]!.number}${moves[index]!.color === 'white' ? '.' : '…'} ${moves[index]!.san}: White ${told(ofWhite[index])}, Black ${told(ofBlack[index])}`,
    });
  }

  function gameCard(game: GameAnalysis): HTMLElement {
    const slot = h('div', { class: 'board-slot' });
    const words = h('p', { class: 'small soft', 'aria-live': 'polite' });
    const depth = (move: MoveReport): number => (move.depth_after ?? 0) * (move.value_after === 0 ? 0 : (move.value_after > 0) === (move.color === 'white') ? 1 : -1);
    const bad = (move: MoveReport): boolean => move.ceded === null || move.ceded > 0;
    const pick = (index: number): void => {
      const move = game.moves[index];
      if (!move) return;
      at = index;
      step = by => pick(at + by);
      const board = boardIn(slot);
      board.set(move.fen);
      board.shapes(shapes(move));
      chart.update({ markers: [...slipMarkers, { index, line: 0, shape: 'dot', colour: '--accent' }] });
      words.replaceChildren(...[
        `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}: ${move.ceded === null ? 'changes the result' : move.ceded ? `costs ${count(move.ceded, 'move')}` : 'best'}${bad(move) && move.optimal.length ? `; ${best(move)}` : ''}. `,
        h('a', { href: `/explore?fen=${fenToUrl(move.fen)}` }, 'Explore'), ' · ', h('a', { href: `/practise?fen=${fenToUrl(move.fen)}` }, 'Practise'),
      ]);
    };
    const slipMarkers = game.moves.flatMap((move, index): Marker[] => (bad(move) ? [{ index, line: 0, shape: move.ceded === null ? 'cross' : 'triangle', colour: move.ceded === null ? '--lost' : '--slip' }] : []));
    const chart = new Chart({
      x: game.moves.map((_, index) => index), lines: [{ label: 'depth', values: game.moves.map(depth) }], height: 170,
      label: `Depth of ${game.white.name} against ${game.black.name}: ${count(game.moves.filter(bad).length, 'slip')}`,
      xFormat: x => { const move = game.moves[x]; return move ? String(move.number) : ''; },
      markers: slipMarkers,
      say: index => { const move = game.moves[index]!; return `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}${move.ceded === null ? ` ${SYMBOL.lost}` : move.ceded ? ` ${SYMBOL.slip}${move.ceded}` : ''}`; },
      pick,
    });
    charts.push(chart);
    const competences = competenceChart(game, pick);
    if (competences) charts.push(competences);
    let at = Math.max(0, game.moves.findIndex(bad));
    const first = game.moves[at];
    step ??= by => pick(at + by);
    if (first) fill(slot, thumbnail(first.fen));
    const slips = game.moves.map((move, index) => [move, index] as const).filter(([move]) => bad(move));
    return h('div', { class: 'card' }, h('h2', {}, `${game.white.name || '?'} – ${game.black.name || '?'}`, h('span', { class: 'soft' }, ` ${game.result ?? ''}`)),
      h('p', { class: 'small soft' }, game.phases.map(phase => endgameName(phase.endgame)).join(' → ')),
      h('dl', { class: 'figures gap' }, figure('White', competence(game.white), `${count(game.white.moves, 'move')}, ${game.white.ceded} ceded`), figure('Black', competence(game.black), `${count(game.black.moves, 'move')}, ${game.black.ceded} ceded`)),
      h('div', { class: 'game-body gap' }, h('div', { class: 'stack tight' }, slot, words), h('div', {}, game.moves.some(move => depth(move)) ? [h('h3', {}, 'Depth after each move: above zero White wins, below Black. Click a point, or step with ←\u00a0→'), chart.element] : h('h3', {}, 'Drawn from beginning to end. Step through the moves with ←\u00a0→'),
      competences ? [h('h3', { class: 'gap' }, 'Competence c as the game goes on: full line White, dashed Black'), competences.element] : null,
      slips.length ? h('div', { class: 'chips' }, slips.slice(0, MOST_CHIPS).map(([move, index]) => button([h('span', { class: move.ceded === null ? 'lost-text' : 'slip-text' }, move.ceded === null ? SYMBOL.lost : SYMBOL.slip), `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}`], null, () => pick(index))), slips.length > MOST_CHIPS ? h('span', { class: 'small soft' }, `and ${slips.length - MOST_CHIPS} more on the curve`) : null) : h('p', { class: 'good-text small' }, 'No slip.'))), game.problems.length ? h('p', { class: 'small slip-text' }, game.problems.join(' ')) : null);
  }

  return {
    leave: () => { charts.forEach(chart => chart.destroy()); shown?.board.destroy(); whole.destroy(); },
    keys: key => {
      if (!step) return false;
      if (key === 'ArrowLeft') step(-1);
      else if (key === 'ArrowRight') step(1);
      else if (key === 'f') shown?.board.flip();
      else return false;
      return true;
    },
  };
};

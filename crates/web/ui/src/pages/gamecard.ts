// A game of an analysis: its curves, its slips, and a board that shows the positions.
import { Board } from '../board';
import { Chart, type Marker } from '../chart';
import { fill, h, type Child } from '../dom';
import { button, figure } from '../parts';
import { readMove, readPosition, thumbnail } from '../position';
import { fenToUrl } from '../router';
import { SYMBOL } from '../sign';
import { count, endgameName, format, interval, type Estimate } from '../words';

interface Player {
  name: string;
  moves: number;
  ceded: number;
  value_losses: number;
  competence: Estimate | null;
  faultless: boolean;
}
export interface MoveReport {
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
export interface GameAnalysis {
  number: number;
  white: Player;
  black: Player;
  result: string | null;
  phases: { endgame: string; first_ply: number; last_ply: number; white: Player; black: Player }[];
  moves: MoveReport[];
  problems: string[];
}

/** How many slips get their own button; the curve shows all. */
const MOST_CHIPS = 12;

export function competence(player: { competence: Estimate | null; faultless?: boolean; moves: number }): Child {
  if (player.competence) return [h('b', { class: 'num' }, format(player.competence.mean, 1)), h('span', { class: 'soft num' }, ` (${interval(player.competence)})`)];
  return h('span', { class: 'soft' }, player.moves ? 'no error seen' : 'no move');
}

/** "Qa6 was best", "Qa6 or Kd7 was best", "Qa6, Kd7 and 3 others were best". */
export function best({ optimal }: MoveReport): string {
  const others = optimal.length - 2;
  return others > 0 ? `${optimal.slice(0, 2).join(', ')} and ${count(others, 'other')} were best` : `${optimal.join(' or ')} was best`;
}

export interface GameCards {
  card: (game: GameAnalysis) => HTMLElement;
  /** Shows a ply of a game that has a card. */
  pick: (game: number, ply: number) => void;
  step: (by: number) => boolean;
  flip: () => void;
  /** Call before showing other games. */
  clear: () => void;
}

/** Cards that share a board; calls `told` with the ply it shows. */
export function gameCards(told: (game: number, ply: number) => void): GameCards {
  const charts: Chart[] = [];
  const picks = new Map<number, (ply: number) => void>();
  let shown: { slot: HTMLElement; board: Board } | undefined;
  let step: ((by: number) => void) | undefined;

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

  /** The shared board, moved to this game's card. */
  function boardIn(slot: HTMLElement): Board {
    if (shown?.slot === slot) return shown.board;
    shown?.board.destroy();
    const board = new Board({});
    fill(slot, board.element);
    board.redraw();
    shown = { slot, board };
    return board;
  }

  /** Both players' competence as estimated so far, once somebody has erred. */
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

  function card(game: GameAnalysis): HTMLElement {
    const slot = h('div', { class: 'board-slot' });
    const words = h('p', { class: 'small soft', 'aria-live': 'polite' });
    const depth = (move: MoveReport): number => (move.depth_after ?? 0) * (move.value_after === 0 ? 0 : (move.value_after > 0) === (move.color === 'white') ? 1 : -1);
    const bad = (move: MoveReport): boolean => move.ceded === null || move.ceded > 0;
    const pick = (index: number): void => {
      const move = game.moves[index];
      if (!move) return;
      at = index;
      step = by => pick(at + by);
      told(game.number, move.ply);
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
    picks.set(game.number, ply => {
      pick(game.moves.findIndex(move => move.ply === ply));
      slot.scrollIntoView({ block: 'center' });
    });
    const slips = game.moves.map((move, index) => [move, index] as const).filter(([move]) => bad(move));
    return h('div', { class: 'card' }, h('h2', {}, `${game.white.name || '?'} – ${game.black.name || '?'}`, h('span', { class: 'soft' }, ` ${game.result ?? ''}`)),
      h('p', { class: 'small soft' }, game.phases.map(phase => endgameName(phase.endgame)).join(' → ')),
      h('dl', { class: 'figures gap' }, figure('White', competence(game.white), `${count(game.white.moves, 'move')}, ${game.white.ceded} ceded`), figure('Black', competence(game.black), `${count(game.black.moves, 'move')}, ${game.black.ceded} ceded`)),
      h('div', { class: 'game-body gap' }, h('div', { class: 'stack tight' }, slot, words), h('div', {}, game.moves.some(move => depth(move)) ? [h('h3', {}, 'Depth after each move: above zero White wins, below Black. Click a point, or step with ←\u00a0→'), chart.element] : h('h3', {}, 'Drawn from beginning to end. Step through the moves with ←\u00a0→'),
      competences ? [h('h3', { class: 'gap' }, 'Competence c as the game goes on (the mean; its interval at the end stands above): full line White, dashed Black'), competences.element] : null,
      slips.length ? h('div', { class: 'chips' }, slips.slice(0, MOST_CHIPS).map(([move, index]) => button([h('span', { class: move.ceded === null ? 'lost-text' : 'slip-text' }, move.ceded === null ? SYMBOL.lost : SYMBOL.slip), `${move.number}${move.color === 'white' ? '.' : '…'} ${move.san}`], null, () => pick(index))), slips.length > MOST_CHIPS ? h('span', { class: 'small soft' }, `and ${slips.length - MOST_CHIPS} more on the curve`) : null) : h('p', { class: 'good-text small' }, 'No slip.'))), game.problems.length ? h('p', { class: 'small slip-text' }, game.problems.join(' ')) : null);
  }

  return {
    card,
    pick: (game, ply) => picks.get(game)?.(ply),
    step: by => { step?.(by); return step !== undefined; },
    flip: () => shown?.board.flip(),
    clear: () => {
      charts.splice(0).forEach(chart => chart.destroy());
      picks.clear();
      shown?.board.destroy();
      shown = step = undefined;
    },
  };
}

// What ratings and screenings share: the games they rest on, single turns on a board, files to download.
import { Board } from '../board';
import { fill, h, type Child } from '../dom';
import { readMove, readPosition } from '../position';
import { fenToUrl } from '../router';
import { capital, count } from '../words';

export interface Compared {
  actual: number;
  projected: number;
  sd: number;
}
export interface Evidence {
  file: { path: string; sha256: string };
  engine: { name: string; version: string; depth: number };
  games: number;
  events: string[];
  dates: [string, string] | null;
  bad_games: { number: number; reason: string }[];
}
/** A turn to show: the move played and the engine's choice. */
export interface ShownTurn {
  fen: string;
  move_number: number;
  played: string;
  best: string;
  scores: [string | number, string | number];
}

/** A rating is written 2210, without the comma of a count. */
export const elo = (rating: number): string => String(Math.round(rating));

/** A score in pawns as chess players write it, or a mate. */
export const score = (value: string | number): string =>
  (typeof value === 'string' ? value.replace('M-', '#-').replace('M', '#') : `${value > 0 ? '+' : value < 0 ? '−' : ''}${(Math.abs(value) / 100).toFixed(2)}`);

export const numbered = (turn: ShownTurn): string => `${turn.move_number}${turn.fen.split(' ')[1] === 'b' ? '…' : '.'} ${turn.played}`;

/** The games and engine it rests on, for anyone who wants to check. */
export function restsOn({ file, engine, games, events, dates, bad_games }: Evidence): HTMLElement {
  const days = dates ? (dates[0] === dates[1] ? dates[0] : `${dates[0]} to ${dates[1]}`) : null;
  return h('details', {}, h('summary', {}, `What this rests on: ${count(games, 'game')}, ${engine.name} ${engine.version} at depth ${engine.depth}`),
    h('p', { class: 'small soft' }, [events.join(', '), days].filter(Boolean).join(', ')),
    h('p', { class: 'small soft mono' }, `${file.path} · SHA-256 ${file.sha256}`),
    bad_games.length ? h('ul', { class: 'plain-list small slip-text' }, bad_games.map(game => h('li', {}, `Game ${game.number} was skipped: ${game.reason}`))) : null);
}

/** A board that shows one turn of a list at a time. */
export function turnBoard(): { element: HTMLElement; show: (turn: ShownTurn) => void; destroy: () => void } {
  let board: Board | undefined;
  const slot = h('div', { class: 'board-slot' });
  const words = h('p', { class: 'small soft', 'aria-live': 'polite' });
  const element = h('div', { class: 'turn stack tight', hidden: true }, slot, words);
  const show = (turn: ShownTurn): void => {
    element.hidden = false;
    if (!board) {
      board = new Board({});
      fill(slot, board.element);
      board.redraw();
    }
    board.orient(turn.fen.split(' ')[1] === 'b' ? 'black' : 'white');
    board.set(turn.fen);
    const position = readPosition(turn.fen);
    const arrow = (san: string, colour: 'green' | 'yellow') => {
      const uci = typeof position === 'string' ? undefined : readMove(position, san);
      return uci ? [{ from: uci.slice(0, 2), to: uci.slice(2, 4), colour }] : [];
    };
    board.shapes([...arrow(turn.best, 'green'), ...(turn.best === turn.played ? [] : arrow(turn.played, 'yellow'))]);
    fill(words, h('b', {}, numbered(turn)), turn.best === turn.played ? ` ${score(turn.scores[0])}, the engine’s move too. ` : [` ${score(turn.scores[1])}; the engine’s move was `, h('b', {}, turn.best), ` ${score(turn.scores[0])}. `],
      men(turn.fen) <= 5 ? h('a', { href: `/explore?fen=${fenToUrl(turn.fen)}` }, 'Explore') : null);
  };
  return { element, show, destroy: () => board?.destroy() };
}

const men = (fen: string): number => (fen.split(' ')[0]!.match(/[a-z]/gi) ?? []).length;

export const warnings = (list: string[]): Child => (list.length ? h('ul', { class: 'plain-list small soft' }, list.map(text => h('li', {}, capital(text)))) : null);

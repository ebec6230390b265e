// Screening: whose moves agree with the engine more than the rating explains. Nobody is accused.
import { h, type Child } from '../dom';
import { button, save, say, scroller } from '../parts';
import { onScale, scaleOf } from '../scale';
import { capital, count, format, percent } from '../words';
import { elo, numbered, restsOn, score, turnBoard, warnings, type Compared, type Evidence, type ShownTurn } from './evidence';

type Label = 'normal' | 'watch' | 'full test' | 'too few turns' | 'outside the calibration';
interface Screened {
  player: string;
  elo: number;
  games: number;
  turns: number;
  mm: Compared;
  ad: Compared;
  /** Null for players who cannot be tested. */
  adjusted: { z_mm: number; z_ad: number } | null;
  label: Label;
  warnings: string[];
}
interface Turn extends ShownTurn {
  rank: number;
  cost: number;
  expected: number;
}
interface Detail {
  player: string;
  games: { colour: string; opponent: string; opponent_elo: number | null; round: string | null; result: string | null; mm: [number, number]; turns: Turn[] }[];
}
export interface Screening {
  players: Screened[];
  thresholds: { watch: number; full_test: number };
  unscreened: string[];
  evidence: Evidence;
  warnings: string[];
  details: Detail[];
  words: string[];
  effects: string[];
  page: string;
}

/** A shape and the action each label calls for; none is a finding. */
const LABELS: Record<Label, [string, string]> = {
  normal: ['○', 'nothing to do'],
  watch: ['◐', 'look at further games'],
  'full test': ['●', 'have the games examined in full'],
  'too few turns': ['·', 'nothing can be said'],
  'outside the calibration': ['·', 'nothing can be said'],
};

const isTested = ({ label }: Screened): boolean => LABELS[label][0] !== '·';

const signed = (z: number): string => `${z < 0 ? '−' : '+'}${format(Math.abs(z), 2)}`;

export function screeningView(answer: Screening): { element: HTMLElement; destroy: () => void } {
  const boards: { destroy: () => void }[] = [];
  const { watch, full_test } = answer.thresholds;
  const scale = scaleOf([-2, full_test + 0.5, ...answer.players.flatMap(({ adjusted }) => adjusted ? [adjusted.z_mm, adjusted.z_ad] : [])], 1);
  const [first, ...others] = answer.words;

  function card(player: Screened, index: number): HTMLElement {
    const [shape, meaning] = LABELS[player.label];
    const { adjusted } = player;
    const highest = adjusted && Math.max(adjusted.z_mm, adjusted.z_ad);
    const detail = answer.details.find(one => one.player === player.player);
    const board = turnBoard();
    boards.push(board);
    return h('details', { class: 'card person' },
      h('summary', {},
        h('span', { class: 'who' }, h('b', {}, player.player), h('span', { class: 'soft small' }, ` Elo ${elo(player.elo)} · ${count(player.games, 'game')}, ${count(player.turns, 'turn')}`)),
        h('span', { class: 'pill', title: meaning }, `${shape} ${player.label}`),
        highest !== null ? onScale(scale, `Adjusted z ${signed(highest)}; watched from ${format(watch, 2)} on`, highest, undefined, [0, watch, full_test]) : h('span', { class: 'small soft' }, meaning)),
      h('div', { class: 'stack tight' },
        h('p', { class: 'soft' }, `${capital(player.label)}: ${meaning}.`),
        h('dl', { class: 'figures' },
          compared('Engine’s first move', percent(player.mm.actual), percent(player.mm.projected)),
          compared('Average cost', format(player.ad.actual, 3), format(player.ad.projected, 3)),
          adjusted ? compared('Adjusted z', signed(adjusted.z_mm), `by first moves, ${signed(adjusted.z_ad)} by cost`, '') : null),
        answer.effects[index] ? h('p', { class: 'small soft' }, answer.effects[index]) : null,
        warnings(player.warnings),
        detail ? h('div', { class: 'game-body' }, board.element, h('div', { class: 'stack tight' }, detail.games.map(game => games(game, board.show)))) : null));
  }

  const element = h('section', { class: 'stack', 'aria-label': 'Screening' },
    h('div', { class: 'row spread' }, h('h2', {}, 'Screening'), button('Report to print', null, () => save('screening.html', 'text/html', answer.page))),
    say('plain', 'Nothing here is a finding about a person', 'A label says what to do next and no more. Strong preparation, easy positions and chance raise agreement with an engine, too.'),
    h('p', { class: 'soft' }, first ?? ''),
    answer.players.some(isTested) ? h('p', { class: 'small soft' }, 'The dot is the higher adjusted z of a player; the upright marks are what is expected, the threshold of watch and that of a full test.') : null,
    answer.players.map(card),
    answer.unscreened.length ? h('p', { class: 'soft small' }, `Not screened, for want of a rating or a turn: ${answer.unscreened.join(', ')}.`) : null,
    warnings([...others, ...answer.warnings]),
    restsOn(answer.evidence));
  return { element, destroy: () => boards.forEach(board => board.destroy()) };
}

function compared(label: string, actual: Child, expected: Child, word = 'expected '): HTMLElement {
  return h('div', {}, h('dt', {}, label), h('dd', {}, actual, ' ', h('small', {}, word, expected)));
}

function games(game: Detail['games'][number], show: (turn: Turn) => void): HTMLElement {
  return h('details', {}, h('summary', {}, [game.round ? `Round ${game.round}: ` : '', `${game.colour === 'white' ? 'White' : 'Black'} against ${game.opponent}`, game.opponent_elo ? ` (${game.opponent_elo})` : '',
    `, ${game.result ?? '*'} · engine’s move ${percent(game.mm[0])}, expected ${percent(game.mm[1])}`].join('')),
    scroller('Turns', h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, ['Move', 'Engine’s', 'Rank', 'Scores', 'Expected'].map(title => h('th', { scope: 'col' }, title)))),
      h('tbody', {}, game.turns.map(turn => h('tr', { class: 'pick', onclick: () => show(turn) },
        h('td', {}, h('button', { type: 'button', class: 'move' }, numbered(turn))), h('td', {}, turn.best), h('td', {}, turn.rank),
        h('td', {}, turn.rank === 1 ? score(turn.scores[0]) : `${score(turn.scores[0])} → ${score(turn.scores[1])}`), h('td', {}, percent(turn.expected))))))));
}

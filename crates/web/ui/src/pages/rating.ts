// Intrinsic ratings: each player's strength as judged by the moves, with its interval.
import { h, type Child } from '../dom';
import { button, save, scroller } from '../parts';
import { onScale, scaleOf, type Scale } from '../scale';
import { capital, count, format, percent, unbroken } from '../words';
import { elo, numbered, restsOn, score, turnBoard, warnings, type Compared, type Evidence, type ShownTurn } from './evidence';

interface Band {
  mean: number;
  low: number;
  high: number;
  /** Is this end merely the limit of the calibration? */
  open_below: boolean;
  open_above: boolean;
}
interface Group {
  name: string;
  turns: number;
  rating: Band | null;
  unrated?: string;
  mm: number;
}
interface Costly extends ShownTurn {
  game: string;
  probability: number;
}
interface Rated {
  player: string;
  elo: number | null;
  games: number;
  turns: number;
  rating: Band & { level: number };
  mm: Compared;
  by_game: Group[];
  by_phase: Group[];
  costliest: Costly[];
  warnings: string[];
}
export interface Ratings {
  players: Rated[];
  unrated: { player: string; turns: number; reason: string }[];
  evidence: Evidence;
  words: string[][];
  page: string;
}

/** An estimate at the limit of the calibration is shown as a bound. */
const estimate = ({ mean, low, high, open_below, open_above }: Band): string =>
  (open_above && mean >= high ? `> ${elo(high)}` : open_below && mean <= low ? `< ${elo(low)}` : elo(mean));
const range = ({ low, high, open_below, open_above }: Band): string =>
  (open_below && open_above ? 'anything' : open_below ? `under ${elo(high)}` : open_above ? `over ${elo(low)}` : `${elo(low)}-${elo(high)}`);
const band = (one: Band): Child => [h('b', { class: 'num' }, estimate(one)), h('span', { class: 'soft num' }, ` (${range(one)})`)];

export function ratingsView(answer: Ratings): { element: HTMLElement; destroy: () => void } {
  const boards: { destroy: () => void }[] = [];
  const scale = scaleOf(answer.players.flatMap(player => [player.rating.low, player.rating.high, ...(player.elo ? [player.elo] : [])]), 200);

  function card(player: Rated, index: number): HTMLElement {
    const board = turnBoard();
    boards.push(board);
    const [, ...facts] = answer.words[index] ?? [];
    const { rating } = player;
    const first = (event: Event): void => { if ((event.currentTarget as HTMLDetailsElement).open && board.element.hidden && player.costliest[0]) board.show(player.costliest[0]); };
    return h('details', { class: 'card person', open: answer.players.length <= 2, ontoggle: first },
      h('summary', {},
        h('span', { class: 'who' }, h('b', {}, player.player), h('span', { class: 'soft small' }, ` ${player.elo ? `Elo ${elo(player.elo)} · ` : ''}${count(player.games, 'game')}, ${count(player.turns, 'turn')}`)),
        h('span', { class: 'figure' }, band(rating)),
        onScale(scale, `Rating ${estimate(rating)} (${range(rating)})${player.elo ? `; Elo ${elo(player.elo)}` : ''}`, rating.mean, [rating.open_below ? scale.from : rating.low, rating.open_above ? scale.to : rating.high], player.elo ? [player.elo] : [])),
      h('div', { class: 'stack tight' },
        h('ul', { class: 'plain-list' }, facts.map(fact => h('li', {}, unbroken(capital(fact))))),
        warnings(player.warnings),
        h('div', { class: 'game-body' }, board.element,
          h('div', { class: 'stack tight' },
            player.costliest.length ? [h('h3', {}, 'The turns that cost most'), h('ul', { class: 'slips' }, player.costliest.map(turn => h('li', {},
              h('button', { type: 'button', class: 'link', onclick: () => board.show(turn) }, numbered(turn)),
              h('span', { class: 'soft' }, ` ${score(turn.scores[0])} → ${score(turn.scores[1])}, ${turn.best} was best; at this level ${percent(turn.probability)} play it (${turn.game})`))))] : null,
            h('h3', {}, 'Game by game'), groups(player.by_game))),
        player.by_phase.length > 1 ? [h('h3', {}, 'By phase'), groups(player.by_phase)] : null));
  }

  const element = h('section', { class: 'stack', 'aria-label': 'Intrinsic ratings' },
    h('div', { class: 'row spread' }, h('h2', {}, 'Intrinsic ratings'), button('Report to print', null, () => save('ratings.html', 'text/html', answer.page))),
    h('p', { class: 'soft' }, 'The Elo of the players whose moves look most like these, by the engine’s judgement. The true rating lies in the interval 95 times out of 100; one game narrows it little.'),
    answer.players.length ? axis(scale) : null,
    answer.players.map(card),
    answer.unrated.length ? h('p', { class: 'soft small' }, `Not rated: ${answer.unrated.map(one => `${one.player} (${count(one.turns, 'turn')}, ${one.reason.replaceAll('-', ' ')})`).join(', ')}.`) : null,
    restsOn(answer.evidence));
  return { element, destroy: () => boards.forEach(board => board.destroy()) };
}

/** The ends of the scale shared by all players. */
function axis({ from, to }: Scale): HTMLElement {
  return h('p', { class: 'small soft axis-words' }, `Bars from ${from} to ${to}: the dot is the rating, the bar its interval, the upright mark the Elo in the file.`);
}

function groups(list: Group[]): HTMLElement {
  return scroller('Ratings of parts', h('table', { class: 'data parts' },
    h('thead', {}, h('tr', {}, ['', 'Rating', 'Turns', 'Engine’s move'].map((title, index) => h('th', { scope: 'col', class: index ? 'right' : '' }, title || h('span', { class: 'hidden' }, 'Part'))))),
    h('tbody', {}, list.map(group => h('tr', {}, h('td', { class: 'prose' }, group.name),
      h('td', { class: 'right' }, group.rating ? band(group.rating) : h('span', { class: 'soft' }, group.unrated?.replaceAll('-', ' ') ?? '–')), h('td', { class: 'right' }, group.turns), h('td', { class: 'right' }, `${format(100 * group.mm)} %`))))));
}

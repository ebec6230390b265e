// Endgames: an atlas with the counts, depths, deepest positions and difficulty of each endgame.
import { Failure, address, get, isAborted, type Query } from '../api';
import { Chart } from '../chart';
import { fill, h } from '../dom';
import { HeatMap } from '../heatmap';
import { button, failure, figure, meter, segments, slider } from '../parts';
import { thumbnail } from '../position';
import { CHANCE, library, type LibraryEntry } from '../practice';
import { fenToUrl, navigate, setAddress, setTitle, type Page } from '../router';
import { count, endgameName, format, level, METRICS, percent } from '../words';
import { work, type Work } from '../work';

interface Deepest {
  plies: number;
  moves: number;
  positions: number;
  fen: string;
}
interface SideStatistics {
  legal: number;
  wins: number;
  draws: number;
  losses: number;
  deepest_win: Deepest | null;
  deepest_loss: Deepest | null;
  win_depths: Record<string, number>;
  loss_depths: Record<string, number>;
  mutual_zugzwangs: number;
}
interface Statistics {
  endgame: string;
  metric: string;
  white: SideStatistics;
  black: SideStatistics;
}

interface RiskPoint {
  competence: number;
  win_within: number;
  mean_win_within: number;
}
interface Difficulty {
  found: { risk: { even_chance: number | null; anchor: { text: string } | null; curve: RiskPoint[] } }[];
}
interface Markov {
  skill: number;
  states: string[];
  positions: number[];
  matrix: number[][];
}

const FIVE = ['KRPKR', 'KQPKQ', 'KBBKN', 'KQRKQ', 'KRBKR', 'KBNKN', 'KRNKR', 'KNNKP'];

export const endgames: Page = visit => (visit.params.name ? one(visit) : all(visit));

const all: Page = ({ root, signal }) => {
  setTitle('Endgames');
  const grid = h('div', { class: 'grid' }, Array.from({ length: 8 }, () => h('div', { class: 'card end waiting' })));
  const more = h('div', { class: 'chips' });
  fill(root, h('h1', {}, 'Endgames'), h('p', { class: 'lead' }, 'How many positions are won, how deep, and how hard they are for people who err.'),
    h('h2', { class: 'heading' }, 'Easiest first'), h('p', { class: 'small soft under-heading' }, CHANCE), grid, h('h2', { class: 'heading' }, 'Five men'), h('p', { class: 'soft small under-heading more' }, 'Their tables are built when you first open them; that takes from seconds to a few minutes each.'), more,
    h('form', { class: 'typed find', onsubmit: (event: Event) => {
      event.preventDefault();
      const name = new FormData(event.target as HTMLFormElement).get('name') as string;
      if (name.trim()) navigate(`/endgames/${encodeURIComponent(name.trim().replace(/v/i, '').toUpperCase())}`);
    } }, h('input', { type: 'text', name: 'name', placeholder: 'Another, as KRKN', 'aria-label': 'Another endgame, as KRKN', autocomplete: 'off' }), h('button', { class: 'btn' }, 'Open')));
  fill(more, FIVE.map(name => h('a', { class: 'btn', href: `/endgames/${name}` }, name)));
  library().then(entries => {
    if (!signal.aborted) fill(grid, entries.map(card));
  }, (error: unknown) => fill(grid, failure(error)));
};

function card(entry: LibraryEntry): HTMLElement {
  return h('a', { class: 'card end', href: `/endgames/${entry.endgame}` }, thumbnail(entry.fen), h('span', { class: 't' },
    h('span', { class: 'name' }, endgameName(entry.endgame)), h('span', { class: 'soft small' }, `${entry.endgame} · up to ${count(entry.deepest, 'move')}`),
    h('span', { class: 'chance' }, h('b', {}, percent(entry.chance)), h('span', { class: 'soft small' }, ' at c = 20')),
    meter(entry.chance, `A player of c = 20 wins the deepest positions within 50 moves ${percent(entry.chance)} of the time`)));
}

const one: Page = ({ root, params, query, signal }) => {
  const name = params.name!.toUpperCase();
  let metric = query.get('metric') ?? 'dtc';
  if (!(metric in METRICS)) metric = 'dtc';
  setTitle(`${name} · Endgames`);
  const pictures: { destroy: () => void }[] = [];
  let skill = Math.min(60, Math.max(0, Number(query.get('c') ?? 20) || 0));
  /** The settings in the address. */
  const view = { metric, c: query.get('c'), curve: query.get('curve'), matrix: query.get('matrix') } as Query;
  const here = (): string => address(`/endgames/${name}`, view);
  const tell = (change: Query): void => setAddress((Object.assign(view, change), here()), true);
  const hard = h('div');
  const matrix = h('div');
  const difficulty = work<Difficulty>('difficulty', `difficulty:${name}`, signal, drawDifficulty);
  const markov = work<Markov>('markov', `markov:${name}`, signal, drawMarkov);
  const deeper = h('div', { class: 'stack heading more', hidden: true },
    h('div', { class: 'card' }, h('h2', {}, 'How hard is it to win?'), h('p', { class: 'soft small' }, 'The chance that a player of competence c, who may throw the win away, wins within 50 moves against best defence.'),
      h('div', { class: 'row' }, button('Compute the curve', null, () => { fill(hard); tell({ curve: 1 }); void difficulty.start({ endgame: name }); })), difficulty.element, hard),
    h('div', { class: 'card' }, h('h2', {}, 'From depth to depth: the Markov matrix'), h('p', { class: 'soft small' }, 'How likely a player of competence c, to move at one depth, moves to another. The staircase is best play, one move nearer; to the right of it depth is lost.'),
      slider(() => ['A player of ', h('b', {}, `c = ${skill}`), `: ${level(skill)}`], { min: 0, max: 60, value: skill }, value => { skill = value; }),
      h('div', { class: 'row gap' }, button('Compute the matrix', null, () => { fill(matrix); tell({ c: skill, matrix: 1 }); void markov.start({ endgame: name, skill }); })), markov.element, matrix));
  const play = h('span', { class: 'push' }, h('a', { class: 'btn go more', href: `/?endgame=${name}` }, 'Practise it'));
  const depths = h('div', { class: 'heading' }, segments('Depth in', Object.keys(METRICS).map(key => [key, key.toUpperCase()] as [string, string]), metric, value => { Object.assign(view, { metric: value }); navigate(here()); }));
  const body = h('div', { class: 'stack' });
  fill(root, h('p', { class: 'small back' }, h('a', { href: '/endgames' }, '← Endgames')), h('div', { class: 'where' }, h('h1', {}, endgameName(name)), endgameName(name) === name ? null : h('span', { class: 'soft' }, name), play),
    depths, body, deeper);

  async function load(): Promise<void> {
    fill(body, h('div', { class: 'card' }, h('p', { class: 'loading' }, 'Counting positions…')));
    try {
      draw(await get<Statistics>(`/api/v1/endgames/${name}/statistics`, { metric }, signal));
    } catch (error) {
      if (isAborted(error)) return;
      // Not an endgame: hide depths and games.
      if (error instanceof Failure && error.status === 400) for (const part of [depths, play]) part.hidden = true;
      fill(body, failure(error, () => void load(), name, [metric]));
    }
  }

  async function take(which: Work, order: object | undefined): Promise<void> {
    if (!await which.resume(order) && order && !signal.aborted) await which.start(order);
  }

  function drawDifficulty({ found }: Difficulty): void {
    const [answer] = found;
    if (!answer) { fill(hard, h('p', { class: 'soft' }, 'White has no win here.')); return; }
    const { curve, even_chance, anchor } = answer.risk;
    const chart = new Chart({
      x: curve.map(point => point.competence), height: 220, xLabel: 'competence c', range: [0, 1], yFormat: y => `${Math.round(100 * y)} %`,
      lines: [{ label: 'deepest', values: curve.map(point => point.win_within), fill: true }, { label: 'any win', values: curve.map(point => point.mean_win_within), dash: true, colour: '--soft', width: 1.75 }],
      label: `Chance to win within 50 moves by competence: ${curve.filter((_, index) => index % 5 === 0).map(point => `c = ${point.competence}: ${percent(point.win_within)}`).join(', ')}`,
      say: index => `c = ${curve[index]!.competence}: ${percent(curve[index]!.win_within)} from the deepest, ${percent(curve[index]!.mean_win_within)} from any`,
    });
    pictures.push(chart);
    const at = curve.find(point => point.competence === 20);
    fill(hard, h('dl', { class: 'figures gap' }, figure('Even chance at', even_chance === null ? 'no c' : `c = ${format(even_chance, 1)}`, 'from the deepest'), at ? figure('At c = 20', percent(at.win_within), 'from the deepest') : null, at ? figure('At c = 20', percent(at.mean_win_within), 'from any win') : null),
      chart.element, h('p', { class: 'small soft' }, 'Full line: from the deepest positions. Dashed: from any won position, all as likely.', anchor ? ` For comparison: ${anchor.text}.` : ''));
  }

  function drawMarkov(answer: Markov): void {
    // Leave out states that have no positions and that no move reaches.
    const shown = answer.states.map((_, at) => at).filter(at => answer.positions[at]! > 0 || answer.matrix.some((row, from) => from !== at && row[at]! > 0));
    const states = shown.map(at => (answer.states[at] === 'drawn' ? 'dead draw' : answer.states[at]!));
    const names = states.map(state => state.replace(/^win /, '').replace(/^loss /, '-').replace(/^dead draw$/, 'dead'));
    const picture = new HeatMap({
      rows: names, columns: names, value: (row, column) => answer.matrix[shown[row]!]?.[shown[column]!] ?? 0,
      label: `Markov matrix of ${name} at c = ${answer.skill}: ${count(states.length, 'state')}`,
      say: (row, column, p) => `From ${states[row]} to ${states[column]}: ${percent(p)} at c = ${answer.skill}.`,
    });
    pictures.push(picture);
    fill(matrix, h('p', { class: 'small gap' }, `c = ${answer.skill}: ${level(answer.skill)}. Rows: before the move; columns: after it; depths in moves, best first${names.includes('dead') ? '; dead: a draw that nobody can win any more' : ''}${names.some(name => name.startsWith('-')) ? '; below zero: lost in so many' : ''}. The stronger the colour, the likelier.`), picture.element);
  }

  function draw(statistics: Statistics): void {
    deeper.hidden = false;
    // Compute what the address asks for, unless this browser already has.
    void take(difficulty, view.curve ? { endgame: name } : undefined);
    void take(markov, view.matrix ? { endgame: name, skill } : undefined);
    fill(body,
      h('div', { class: 'two even' }, sideCard('White to move', statistics.white), sideCard('Black to move', statistics.black)),
      h('div', { class: 'two even' },
        histogram('White to move and win: positions by depth', statistics.white.win_depths),
        histogram('Black to move and lose: positions by depth', statistics.black.loss_depths)),
      h('div', { class: 'card' }, h('h2', {}, 'Deepest'), h('div', { class: 'grid' }, deepest('White wins', statistics.white.deepest_win), deepest('Black is lost', statistics.black.deepest_loss), deepest('Black wins', statistics.black.deepest_win))),
      h('div', { class: 'card' }, h('h2', {}, 'Mutual zugzwangs'), statistics.white.mutual_zugzwangs === 0 ? h('p', { class: 'soft' }, 'None: nobody minds being on move here.') : h('p', {}, h('b', { class: 'figure' }, format(statistics.white.mutual_zugzwangs)), h('span', { class: 'soft' }, statistics.white.mutual_zugzwangs === 1 ? ' position, up to symmetry, in which whoever is to move would rather not be.' : ' positions, up to symmetry, in which whoever is to move would rather not be.'))),
      h('p', { class: 'small soft' }, `Depths: ${METRICS[metric]!.long.toLowerCase()}. Counts are over the whole board.`));
  }

  function sideCard(title: string, side: SideStatistics): HTMLElement {
    const share = (n: number): string => percent(n / Math.max(1, side.legal));
    return h('div', { class: 'card' }, h('h2', {}, title), h('dl', { class: 'figures' },
      [['Won', side.wins], ['Drawn', side.draws], ['Lost', side.losses]].map(([label, n]) =>
        h('div', {}, h('dt', {}, label as string), h('dd', {}, share(n as number), ' ', h('small', {}, format(n as number)))))));
  }

  function histogram(title: string, depths: Record<string, number>): HTMLElement | null {
    const entries = Object.entries(depths).map(([depth, n]) => [Number(depth), n] as const).sort((a, b) => a[0] - b[0]);
    if (!entries.length) return null;
    const chart = new Chart({
      x: entries.map(([depth]) => depth), lines: [{ label: 'positions', values: entries.map(([, n]) => n), fill: true }], bars: true, height: 190, xLabel: 'moves',
      label: `${title}: most at depth ${entries.reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0]}, the deepest at ${entries.at(-1)![0]}`,
      range: [0, null], yFormat: y => (y >= 1e6 ? `${format(y / 1e6, 1)}M` : y >= 1000 ? `${format(y / 1000)}k` : String(y)),
      say: index => `${entries[index]![0]}: ${format(entries[index]![1])}`,
    });
    pictures.push(chart);
    return h('div', { class: 'card' }, h('h3', {}, title), chart.element);
  }

  function deepest(title: string, found: Deepest | null): HTMLElement | null {
    if (!found) return null;
    return h('a', { class: 'card end', href: `/explore?fen=${fenToUrl(found.fen)}&metric=${metric}` }, thumbnail(found.fen), h('span', { class: 't' },
      h('span', { class: 'name' }, `${title} in ${count(found.moves, 'move')}`), h('span', { class: 'soft small' }, found.positions === 1 ? 'one position' : `${format(found.positions)} positions as deep`)));
  }

  void load();
  return { leave: () => pictures.forEach(picture => picture.destroy()) };
};

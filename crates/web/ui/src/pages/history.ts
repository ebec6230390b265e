// History: how practice has been going; export and erase.
import { isAborted } from '../api';
import { Chart } from '../chart';
import { fill, h } from '../dom';
import { button, failure, figure, say, scroller, toast } from '../parts';
import { drills, eraseHistory, opponentName, progress, type Drill, type Progress } from '../practice';
import { setTitle, type Page } from '../router';
import { count, day, endgameName, estimated, format, percent } from '../words';

export const history: Page = ({ root, signal }) => {
  setTitle('History');
  const body = h('div', { class: 'stack heading' }, h('div', { class: 'card' }, h('p', { class: 'loading' }, 'Reading the history…')));
  let chart: Chart | undefined;
  fill(root, h('p', { class: 'small back' }, h('a', { href: '/' }, '← Practise')), h('h1', {}, 'History'), h('p', { class: 'lead' }, 'Your games and slips, and the games that you had analysed, are kept in one file on this machine.'), body);

  async function erase(): Promise<void> {
    if (!confirm('Erase all games, slips and reviews, and the games that you had analysed, from this machine? This cannot be undone.')) return;
    try {
      await eraseHistory();
      toast('Your history is erased.');
      await load();
    } catch (error) {
      toast(error instanceof Error ? error.message : String(error));
    }
  }

  function draw(past: Progress, classics: Drill[]): void {
    chart?.destroy();
    chart = undefined;
    if (!past.points.length && !past.slips) {
      fill(body, say('plain', 'No game yet', 'Play one, and it is kept here with its slips.', h('a', { class: 'btn go', href: '/' }, 'Practise')));
      return;
    }
    const known = past.points.filter(point => point.mean !== null);
    if (known.length > 1) chart = new Chart({
      x: known.map((_, index) => index + 1), height: 190, xLabel: 'game', range: [0, null],
      lines: [{ label: 'competence', values: known.map(point => point.mean), dots: true },
        { label: 'low', values: known.map(point => point.low), dash: true, width: 1, colour: '--edge' }, { label: 'high', values: known.map(point => point.high), dash: true, width: 1, colour: '--edge' }],
      label: `Competence game by game, from ${format(known[0]!.mean!, 1)} to ${format(known.at(-1)!.mean!, 1)}`,
      say: index => { const { session, mean, low, high } = known[index]!; return `${session.endgame}: ${estimated({ mean: mean!, low: low ?? mean!, high: high ?? mean! })}`; },
    });
    const reached = past.points.filter(point => point.session.achieved).length;
    fill(body,
      h('div', { class: 'card' }, h('dl', { class: 'figures' },
        figure('Games', past.points.length, past.points.length ? `${reached} reached the goal` : 'none yet'),
        figure('Slips kept', past.slips, past.due ? `${past.due} due` : 'none due'),
        figure('Reviews', past.reviews, past.recalled === null ? '' : `${percent(past.recalled)} went well`)),
        h('div', { class: 'row gap' }, past.due ? h('a', { class: 'btn go', href: '/review' }, 'Review what is due') : null,
          h('a', { class: 'btn', href: '/api/v1/practice/history.pgn', download: 'errare-games.pgn' }, 'Export as PGN'),
          h('a', { class: 'btn', href: '/api/v1/practice/history', download: 'errare-history.json' }, 'Export as JSON'),
          button('Erase…', null, () => void erase(), 'quiet'))),
      chart ? h('div', { class: 'card' }, h('h3', {}, 'Your competence, game by game; the dashed lines are the ends of its 95 % interval. The same player has another c in another endgame.'), chart.element) : null,
      past.points.length ? h('div', { class: 'card' }, h('h2', {}, 'Games'), scroller('Games', h('table', { class: 'data' },
        h('thead', {}, h('tr', {}, ['Date', 'Endgame', 'Competence c', 'Result', 'Moves', 'Slips', 'Opponent'].map(title => h('th', { scope: 'col' }, title)))),
        h('tbody', {}, [...past.points].reverse().slice(0, 200).map(({ session, mean, low, high }) => h('tr', {},
          h('td', { class: 'date' }, day(session.begun)), h('td', { class: 'prose' }, h('a', { href: `/practise/${session.id}` }, classics.find(drill => drill.name === session.drill)?.title ?? endgameName(session.endgame))),
          h('td', {}, mean !== null && low !== null && high !== null ? estimated({ mean, low, high }) : '–'),
          h('td', {}, session.result ? `${session.result}${session.achieved ? ' ✓' : ''}` : 'open'), h('td', {}, session.moves), h('td', {}, session.slips), h('td', {}, opponentName(session.opponent)))))), 'tall'),
        h('p', { class: 'small soft' }, `${count(past.points.length, 'game')}. A competence from few moves has a wide interval; "–" means that no error was seen or no choice was to be made.`)) : null);
  }

  async function load(): Promise<void> {
    try {
      const [past, classics] = await Promise.all([progress(signal), drills().catch(() => [])]);
      draw(past, classics);
    } catch (error) {
      if (!isAborted(error)) fill(body, failure(error, () => void load()));
    }
  }

  void load();
  return { leave: () => chart?.destroy() };
};

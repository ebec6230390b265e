// The front page: choose what to practise, against whom, and how hard.
import { failure as failureCard, button, meter, say, segments, slider, toast } from '../parts';
import { Failure, isAborted } from '../api';
import { fill, h, uniqueId, type Child } from '../dom';
import { readPosition, thumbnail } from '../position';
import { begin, CHANCE, drills, library, population, progress, reviews as dueReviews, type Colour, type Drill, type LibraryEntry, type Order, type Population, type Start, type Task } from '../practice';
import { fenFromUrl, navigate, setTitle, type Page } from '../router';
import { count, endgameName, endgameOf, format, fromNow, level, percent, spelled, unbroken } from '../words';

type Side = Task;
type Opponent = 'predator' | 'hunter' | 'best' | 'people' | 'rep';
type Depth = 'easy' | 'medium' | 'hard' | 'tricky' | 'depth';

interface Choice {
  side: Side;
  opponent: Opponent;
  competence: number;
  elo: number;
  how: Depth;
  depth: number;
  /** What players throw away in the trickiest positions. */
  trick: 'depth' | 'result';
}

const REMEMBERED = 'practise';
const SIDES: [Side, string, string][] = [
  ['win', 'Attack', 'The position is won: win it.'],
  ['hold', 'Hold a draw', 'The position is drawn: keep it so.'],
  ['resist', 'Resist', 'The position is lost: last as long as you can.'],
];
const OPPONENTS: [Opponent, string, string][] = [
  ['predator', 'Fights back', 'The Predator: it never errs, learns how you play, and sets you the task that you will find hardest.'],
  ['hunter', 'Hunts', 'The exact hunter: like the Predator, but it looks ahead to the end of the game. It thinks longer.'],
  ['best', 'Perfect', 'The perfect defence of other trainers: the longest line, however easy it is to find.'],
  ['people', 'Like people', ''],
  ['rep', 'Errs', ''],
];
const HOW: Record<Depth, string> = {
  easy: 'a player of c = 20 wins at least three times in four',
  medium: 'a player of c = 20 wins about as often as not; where an endgame has nothing that hard, a win of middle depth',
  hard: 'a player of c = 20 wins at most one time in four; where an endgame has nothing that hard, its deepest wins',
  tricky: 'one of the hundred positions of the endgame where a player of c = 20 throws away most, found by going through all of them',
  depth: 'a random position of that depth',
};

function remembered(): Choice {
  const usual: Choice = { side: 'win', opponent: 'predator', competence: 20, elo: 2000, how: 'medium', depth: 12, trick: 'depth' };
  try {
    const choice = { ...usual, ...(JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as Partial<Choice>) };
    return SIDES.some(([side]) => side === choice.side) ? choice : { ...choice, side: usual.side };
  } catch {
    return usual;
  }
}

/** The depths of a level. An endgame with none that hard uses its deepest. */
function depths(entry: LibraryEntry, choice: Choice): { least: number; most: number } {
  const { deepest, medium_from, hard_from } = entry;
  const hard = hard_from ?? Math.max(2, deepest - 1);
  const medium = Math.min(medium_from ?? Math.ceil(deepest / 2), hard);
  switch (choice.how) {
    case 'easy': return { least: 2, most: Math.max(2, medium - 1) };
    case 'medium': return { least: medium, most: Math.max(medium, hard - 1) };
    case 'hard': return { least: hard, most: deepest };
    default: {
      const depth = Math.min(choice.depth, deepest);
      return { least: depth, most: depth };
    }
  }
}

/** The typical competence at a rating, interpolated between known ratings. */
function typical(people: Population, elo: number): number {
  const rows = people.typical_at_risk;
  const after = rows.findIndex(row => row.elo >= elo);
  if (after <= 0) return rows[0]?.median ?? 2;
  const [a, b] = [rows[after - 1]!, rows[after]!];
  return a.median * (b.median / a.median) ** ((elo - a.elo) / (b.elo - a.elo));
}

/** Is the server gone? Said only once per page. */
const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 0;

export const practise: Page = ({ root, query, signal }) => {
  setTitle('');
  const choice = remembered();
  const own = h('div', { class: 'card own', hidden: true });
  const today = h('div', { class: 'today' }, h('div', { class: 'card say again' }));
  const grid = h('div', { class: 'grid' }, Array.from({ length: 12 }, () => h('div', { class: 'card end waiting' })));
  const classics = h('div', { class: 'grid' }, Array.from({ length: 6 }, () => h('div', { class: 'card end waiting' })));
  const classicsTitle = h('h2', { class: 'heading' }, 'Classic positions');
  const trouble = h('div', { 'aria-live': 'polite' });
  const extra = h('div', { class: 'extra' });
  let people: Population | undefined;
  let waiting = false;

  const remember = (): void => localStorage.setItem(REMEMBERED, JSON.stringify(choice));
  const competence = (): number => Math.round(10 * typical(people ?? { games: '', typical_at_risk: [] }, choice.elo)) / 10;
  const opponent = (): string => {
    if (choice.opponent === 'rep') return `rep:c=${choice.competence}`;
    if (choice.opponent === 'people') return `rep:c=${competence()},value=risk`;
    return choice.opponent;
  };

  function controls(): HTMLElement {
    return h('div', { class: 'set' },
      segments<Side>('You', SIDES.map(([value, name]) => [value, name]), choice.side, value => { choice.side = value; remember(); drawExtra(); }),
      segments<Opponent>('Opponent', OPPONENTS.map(([value, name]) => [value, name]), choice.opponent, value => { choice.opponent = value; remember(); drawExtra(); }),
      segments<Depth>('Start', [['easy', 'Easy'], ['medium', 'Medium'], ['hard', 'Hard'], ['tricky', 'Trickiest'], ['depth', 'Depth…']], choice.how, value => { choice.how = value; remember(); drawExtra(); }));
  }

  function drawExtra(): void {
    const parts: Child[] = [];
    const words = OPPONENTS.find(([value]) => value === choice.opponent)![2];
    if (choice.opponent === 'rep')
      parts.push(slider(() => ['The opponent plays like ', h('b', {}, `c = ${choice.competence}`), `: ${level(choice.competence)}`], { min: 0, max: 50, value: choice.competence }, value => { choice.competence = value; remember(); }));
    if (choice.opponent === 'people' && people) {
      const { typical_at_risk: rows } = people;
      parts.push(slider(() => ['Like players of ', h('b', {}, choice.elo), ` in their games, which is about c = ${format(competence(), 1)}: ${level(competence())}`],
        { min: rows[0]?.elo ?? 1800, max: rows.at(-1)?.elo ?? 2600, step: 50, value: choice.elo }, value => { choice.elo = value; remember(); }));
    }
    if (choice.how === 'depth' && choice.side !== 'hold')
      parts.push(slider(() => [choice.side === 'win' ? 'The win is ' : 'The loss is ', h('b', {}, count(choice.depth, 'move')), ' away, or as many as the endgame has'], { min: 2, max: 60, value: choice.depth }, value => { choice.depth = value; remember(); }));
    if (choice.how === 'tricky' && choice.side === 'win')
      parts.push(segments<'depth' | 'result'>('What is thrown away there', [['depth', 'Most depth'], ['result', 'The result most often']], choice.trick, value => { choice.trick = value; remember(); }));
    const task = SIDES.find(([value]) => value === choice.side)![2];
    const start = choice.side === 'hold' && choice.how !== 'tricky' ? 'Drawn positions have no depth: hard ones are those that a player of c = 20 most often loses.' : choice.how === 'depth' ? '' : `${{ easy: 'Easy', medium: 'Medium', hard: 'Hard', tricky: 'Trickiest' }[choice.how]}: ${HOW[choice.how]}.`;
    parts.push([task, words, start].filter(Boolean).map(line => h('p', { class: 'small soft' }, unbroken(line))));
    fill(extra, parts);
  }

  /** The tables a game needs: its metric's, and DTM's if the opponent breaks ties by it. */
  const metrics = (order: Order): string[] => [order.metric ?? 'dtc', ...(/ties=.*dtm/.test(order.opponent ?? '') ? ['dtm'] : [])];

  async function start(order: Order): Promise<void> {
    if (waiting) return;
    waiting = true;
    fill(trouble, h('div', { class: 'card say next' }, h('h2', {}, 'Setting up the board…'), h('p', {}, 'Missing tables are built first, which takes a few seconds.')));
    trouble.scrollIntoView({ block: 'nearest' });
    try {
      const answer = await begin(order);
      if (!signal.aborted) navigate(`/practise/${answer.session.id}`);
    } catch (error) {
      if (isAborted(error) || signal.aborted) return;
      const from = order.start;
      const endgame = from.kind === 'position' ? endgameOf(from.fen) : from.kind === 'drill' ? undefined : from.endgame;
      fill(trouble, failureCard(error, () => { fill(trouble); void start(order); }, endgame, metrics(order)));
      trouble.scrollIntoView({ block: 'nearest' });
    } finally {
      waiting = false;
    }
  }

  function startEndgame(entry: LibraryEntry): void {
    const task = choice.side;
    const level = choice.how === 'easy' || choice.how === 'medium' || choice.how === 'hard' ? choice.how : null;
    const common = { endgame: entry.endgame, task };
    const from: Start = choice.how === 'tricky' ? { kind: 'tricky', ...common, by: task === 'hold' ? 'result' : task === 'win' ? choice.trick : 'depth' }
      : task === 'hold' ? { kind: 'random', ...common, level, depth: null }
      : { kind: 'random', ...common, level: null, depth: depths(entry, choice) };
    void start({ start: from, opponent: opponent() });
  }

  const startDrill = (drill: Drill): void => void start({ start: { kind: 'drill', name: drill.name }, opponent: opponent() });

  function drawLibrary(entries: LibraryEntry[]): void {
    const asked = query.get('endgame')?.toUpperCase();
    if (asked) {
      const wanted = entries.find(entry => entry.endgame === asked) ?? { endgame: asked, fen: '', deepest: 60, chance: 0, medium_from: null, hard_from: null };
      fill(trouble, say('next', endgameName(asked), 'Choose side, opponent and start above, then begin.', button('Begin', 'n', () => startEndgame(wanted), 'go')));
    }
    fill(grid, entries.map(entry => h('button', { class: 'card end', type: 'button', onclick: () => startEndgame(entry) },
      thumbnail(entry.fen),
      h('span', { class: 't' },
        h('span', { class: 'name' }, endgameName(entry.endgame)),
        h('span', { class: 'soft small' }, `${entry.endgame} · up to ${count(entry.deepest, 'move')}`),
        h('span', { class: 'chance' }, h('b', {}, percent(entry.chance)), h('span', { class: 'soft small' }, ' at c = 20')),
        meter(entry.chance, `A player of c = 20 wins the deepest positions within 50 moves ${percent(entry.chance)} of the time`)))));
  }

  function drawDrills(list: Drill[]): void {
    const wanted = list.find(drill => drill.name === query.get('drill'));
    if (wanted) fill(trouble, say('next', wanted.title, `${wanted.instruction} ${wanted.goal}`, button('Begin', 'n', () => startDrill(wanted), 'go')));
    const tasks: Record<Task, string> = { win: 'win', hold: 'hold', resist: 'resist' };
    fill(classics, list.map(drill => h('button', { class: 'card end', type: 'button', onclick: () => startDrill(drill) },
      thumbnail(drill.fen, drill.side),
      h('span', { class: 't' }, h('span', { class: 'name' }, drill.title),
        h('span', { class: 'small drill-task' }, `${drill.side === 'white' ? 'White' : 'Black'} to ${tasks[drill.task]}`),
        h('span', { class: 'small soft' }, drill.instruction)))));
  }

  function drawOwn(fen = ''): void {
    const id = uniqueId();
    const field = h('input', { id, type: 'text', class: 'mono', value: fen, placeholder: '8/8/8/8/4k3/8/1Q6/K2r4 w - - 0 1', spellcheck: 'false', autocomplete: 'off' });
    const note = h('p', { class: 'small lost-text', role: 'alert' });
    const asked = query.get('side');
    let side: Colour | 'auto' = asked === 'white' || asked === 'black' ? asked : 'auto';
    const seed = Number(query.get('seed'));
    const go = (): void => {
      const text = fenFromUrl(field.value.trim());
      const read = readPosition(text);
      if (typeof read === 'string') { note.textContent = read; return; }
      void start({
        start: { kind: 'position', fen: text }, opponent: query.get('opponent') ?? opponent(), side: side === 'auto' ? undefined : side,
        metric: query.get('metric') ?? undefined, seed: query.has('seed') && Number.isSafeInteger(seed) ? seed : undefined,
      });
    };
    fill(own, h('form', { class: 'stack', onsubmit: (event: Event) => { event.preventDefault(); go(); } },
      h('div', {}, h('label', { class: 'label', for: id }, 'Your own position, as FEN'), field, note),
      h('div', { class: 'row ends' }, segments<Colour | 'auto'>('You play', [['auto', 'Side to move'], ['white', 'White'], ['black', 'Black']], side, value => { side = value; }),
        h('button', { class: 'btn go' }, 'Practise it'), h('a', { class: 'btn', href: '/explore?edit=1' }, 'Set it up on a board'))));
    own.hidden = false;
    field.focus({ preventScroll: true });
  }

  /** Due slips and recent progress. */
  async function loadToday(): Promise<void> {
    try {
      const [{ due, next }, past] = await Promise.all([dueReviews(signal), progress(signal)]);
      const games = past.points.length;
      if (!games && !due.length && !next) { welcome(); return; }
      const won = past.points.filter(point => point.session.achieved).length;
      const title = due.length ? `${count(due.length, 'slip')[0] === '1' ? 'One slip is' : `${spelled(due.length, 'slip')[0]!.toUpperCase()}${spelled(due.length, 'slip').slice(1)} are`} due again`
        : next ? `Nothing is due; the next slip comes back ${fromNow(next.due)}` : 'No slip to review';
      const detail = due.length ? [due.slice(0, 3).map(slip => `${slip.endgame} ${slip.played}`).join(' · '), due.length > 3 ? ' …' : '']
        : !games ? 'It is from a rush.' : `${count(games, 'game')} so far; ${won === games ? 'all' : won || 'none'} reached the goal.`;
      fill(today, h('div', { class: `card say ${due.length ? 'next' : ''} again` }, h('div', {}, h('h2', {}, title), h('p', {}, detail)),
        h('div', { class: 'row' }, due.length ? h('a', { class: 'btn go', href: '/review', 'aria-keyshortcuts': 'n' }, 'Review', h('kbd', { 'aria-hidden': 'true' }, 'n')) : null, h('a', { class: 'btn', href: '/history' }, 'History'))));
    } catch (error) {
      // Without a history there is nothing to review.
      if (isGone(error)) fill(today);
      else if (error instanceof Failure) welcome();
      else if (!isAborted(error)) toast(String(error));
    }
  }

  /** For first-time visitors. */
  function welcome(): void {
    fill(today, h('div', { class: 'card say next again' }, h('div', {}, h('h2', {}, 'New here?'), h('p', {}, 'Begin with queen against rook: it is won, and hard to win.')),
      button('Begin', 'n', () => void start({ start: { kind: 'random', endgame: 'KQKR', task: 'win', level: null, depth: { least: 10, most: 16 } }, opponent: opponent() }), 'go')));
  }

  fill(root,
    h('h1', {}, 'Win won endgames.'),
    h('p', { class: 'lead' }, 'The opponent knows every endgame perfectly and picks the defence that you find hardest. After each move you see what it was worth; at the end, how well you play.'),
    today, controls(), extra, trouble, own,
    h('div', { class: 'row spread heading' }, h('h2', {}, 'Endgames, easiest first'),
      h('div', { class: 'row' }, h('a', { class: 'btn', href: '/rush' }, 'Rush: ten positions'), button('Own position…', null, () => (own.hidden ? drawOwn() : (own.hidden = true))))),
    h('p', { class: 'small soft under-heading' }, CHANCE),
    grid,
    classicsTitle,
    classics,
    h('p', { class: 'small soft foot' }, 'Your games and slips stay on this machine: ', h('a', { href: '/history' }, 'see, export or erase them'), '. ',
      'c is the competence of a reference player: 0 moves at random, and the greater it is, the fewer the errors.'));
  drawExtra();
  if (query.has('fen')) drawOwn(fenFromUrl(query.get('fen')!));
  library().then(drawLibrary, (error: unknown) => fill(grid, failureCard(error, () => location.reload())));
  drills().then(drawDrills, (error: unknown) => {
    fill(classics, isGone(error) ? null : failureCard(error));
    classicsTitle.hidden = isGone(error);
  });
  population().then(found => { people = found; drawExtra(); }, () => undefined);
  void loadToday();
  return {
    keys: key => {
      if (key !== 'n') return false;
      const next = trouble.querySelector<HTMLElement>('.go') ?? today.querySelector<HTMLElement>('.go');
      next?.click();
      return next !== null;
    },
  };
};

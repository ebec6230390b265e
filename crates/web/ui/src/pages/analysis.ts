// An analysis: how the endgames of a collection were played, move by move.
import { Failure, address, get, isAborted, startJob } from '../api';
import { fill, h, type Child } from '../dom';
import { pack, unpack } from '../pack';
import { button, copy, failure, save, say, scroller } from '../parts';
import { fenToUrl, setAddress, setTitle, type Page } from '../router';
import { SYMBOL } from '../sign';
import { capital, count, day, endgameName, endgameOf, type Estimate } from '../words';
import { work } from '../work';
import type { Collection as CollectionSummary } from './analyse';
import { best, competence, gameCards, type GameAnalysis, type MoveReport } from './gamecard';
import { wholeGames } from './whole';

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

type Collection = CollectionSummary & { pgn: string };

/** How much of a long file is shown; the page says what it leaves out. */
const [MOST_GAMES, MOST_PLAYERS, MOST_INCIDENTS] = [50, 12, 6];
/** A link carries the games themselves up to this many characters, for servers that do not have them. */
const MOST_PACKED = 20_000;

export const analysis: Page = ({ root, params, query, signal }) => {
  const id = params.id!;
  setTitle('Analysis');
  const back = h('p', { class: 'small back' }, h('a', { href: '/analyse' }, '← Analyse'));
  const body = h('div', { class: 'stack' }, h('p', { class: 'loading' }, 'Looking for the games…'));
  const results = h('div', { class: 'stack' });
  const number = (name: string): number | undefined => (query.has(name) ? Number(query.get(name)) : undefined);
  /** The settings in the address. */
  const view = { game: number('game'), ply: number('ply'), rate: number('rate'), screen: number('screen') };
  const here = (): string => address(`/analyse/${id}`, view);
  const tell = (change: Partial<typeof view>): void => {
    Object.assign(view, change);
    setAddress(here(), true);
  };
  const cards = gameCards((game, ply) => tell({ game, ply }));
  const job = work<Answer>('analyse', id, signal, draw);
  const whole = wholeGames(view, tell, id, signal);
  let order: { pgn: string; name?: string } = { pgn: '' };
  fill(root, back, h('h1', {}, 'Analysis'), h('div', { class: 'heading' }, body));

  async function load(): Promise<void> {
    try {
      show(await get<Collection>(`/api/v1/collections/${id}`, {}, signal));
    } catch (error) {
      if (isAborted(error) || await bring(error)) return;
      fill(body, failure(error, () => void load()), h('p', { class: 'soft' }, 'The games may have been erased, or sent to another server. ', h('a', { href: '/analyse' }, 'Send them again'), '.'));
    }
  }

  /** Sends the games that the link carries, if any. */
  async function bring(error: unknown): Promise<boolean> {
    const packed = location.hash.slice(1);
    if (!packed || !(error instanceof Failure && error.status === 404)) return false;
    try {
      const { collection } = await startJob('analyse', { pgn: await unpack(packed, MOST_PACKED) });
      if (collection === id) show(await get<Collection>(`/api/v1/collections/${id}`, {}, signal));
      return collection === id;
    } catch (error) {
      return isAborted(error);
    }
  }

  function show({ pgn, title, file, kept }: Collection): void {
    setTitle(`${title} · Analyse`);
    order = { pgn, name: file ?? undefined };
    const link = async (): Promise<void> => copy(location.origin + here() + (pgn.length > MOST_PACKED ? '' : `#${await pack(pgn)}`), 'Link');
    fill(root, back, h('div', { class: 'where' }, h('h1', {}, title), h('span', { class: 'soft' }, [file, day(kept)].filter(Boolean).join(' · ')), h('span', { class: 'push' }, button('Copy link', null, () => void link()))),
      h('div', { class: 'stack heading' }, whole.element, job.element, results));
    whole.begin(order);
    void job.resume().then(found => { if (!found && !signal.aborted) void job.start(order); });
  }

  function draw(answer: Answer): void {
    cards.clear();
    if (!answer.games_read) {
      fill(results, say('lost', 'There is no game in that', 'None of them could be read.'));
      return;
    }
    const flaws = flawed(answer.flawed ?? []);
    if (!answer.games.length) {
      fill(results, say('plain', 'No endgame with five men or fewer', `${count(answer.games_read, 'game')} read; none of them comes down to five men.`), flaws);
      return;
    }
    const { players } = answer;
    const { game, ply } = view;
    const listed = answer.games.filter(({ number }, index) => index < MOST_GAMES || number === game);
    const erring = players.filter(player => player.thrown.length || player.slips.length);
    fill(results,
      h('div', { class: 'row spread' }, h('p', { class: 'soft' }, `${count(answer.games_read, 'game')} read, ${answer.games.length} with an endgame of five men or fewer.`),
        h('div', { class: 'row' }, button('Annotated PGN', null, () => save('annotated.pgn', 'application/x-chess-pgn', answer.annotated)), button('A page per player', null, () => save('players.html', 'text/html', answer.page)))),
      flaws,
      answer.missing.length ? say('plain', 'Some tables are missing', `Parts of ${count(new Set(answer.missing.flatMap(entry => entry.games)).size, 'game')} are left out: it takes minutes to build the tables of ${answer.missing.map(entry => entry.endgame).join(', ')}, once.`,
        button('Build them and analyse again', null, () => void job.start({ ...order, long: true }))) : null,
      h('div', { class: 'card' }, h('h2', {}, 'Players'), scroller('Players', h('table', { class: 'data' },
        h('thead', {}, h('tr', {}, ['Player', 'Competence c', 'Ceded', 'Results lost', 'Moves', 'Games', 'To practise'].map(title => h('th', { scope: 'col' }, title)))),
        h('tbody', {}, [...players].sort((a, b) => b.value_losses - a.value_losses || b.ceded - a.ceded || b.moves - a.moves).map(player => h('tr', {}, h('td', {}, h('b', {}, player.name)), h('td', {}, competence(player)), h('td', {}, player.ceded), h('td', {}, player.value_losses), h('td', {}, player.moves), h('td', {}, player.games),
          h('td', {}, player.train ? h('a', { href: `/?endgame=${player.train}` }, endgameName(player.train)) : ''))))), 'tall'),
        h('p', { class: 'small soft' }, 'Competence c is that of the reference player who errs as much, results thrown away included; with 95 % it lies in the interval. Few moves make wide intervals. Ceded: moves of depth given away.')),
      erring.length ? h('div', { class: 'two even' }, erring.slice(0, MOST_PLAYERS).map(playerCard)) : null,
      erring.length > MOST_PLAYERS ? h('p', { class: 'soft' }, `The slips of ${MOST_PLAYERS} players are shown; “A page per player” has all ${erring.length}.`) : null,
      h('h2', {}, 'Games'),
      listed.map(cards.card),
      answer.games.length > listed.length ? h('p', { class: 'soft' }, `The first ${MOST_GAMES} games are shown; the annotated PGN has all ${answer.games.length}.`) : null);
    if (game !== undefined && ply !== undefined) cards.pick(game, ply);
  }

  /** Games not read to the end, and why. */
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

  void load();
  return {
    leave: () => { cards.clear(); whole.destroy(); },
    keys: key => {
      if (key === 'ArrowLeft') return cards.step(-1);
      if (key === 'ArrowRight') return cards.step(1);
      if (key === 'f') cards.flip();
      return key === 'f';
    },
  };
};

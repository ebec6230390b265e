// The server's API for practice games.
import { get, post, remove } from './api';
import type { Estimate } from './words';

export type Task = 'win' | 'hold' | 'resist';
export type Value = 'win' | 'draw' | 'loss';
export type Colour = 'white' | 'black';

export interface Standing {
  value: Value;
  moves: number | null;
}
export interface Judgement {
  mark: string | null;
  optimal: boolean;
  ceded: number | null;
  before: Standing;
  after: Standing;
  best: string[];
  words: string;
  better: string | null;
}
export interface Played {
  ply: number;
  colour: Colour;
  yours: boolean;
  san: string;
  uci: string;
  fen: string;
  judgement: Judgement;
  standing: Standing;
  hint: number;
  counts: boolean;
}
export interface End {
  kind: string;
  result: Value;
  words: string;
}
export interface Setup {
  fen: string;
  endgame: string;
  side: Colour;
  task: Task;
  opponent: string;
  metric: string;
  seed: number;
  drill: string | null;
}
export interface Session {
  id: string;
  setup: Setup;
  moves: Played[];
  attempts: { ply: number; fen: string; san: string; uci: string; judgement: Judgement; counts: boolean }[];
  hints: { ply: number; level: number }[];
  end: End | null;
}
export interface Competence {
  moves: number;
  choices: number;
  estimate: Estimate | null;
  at_least: number | null;
  words: string;
}
export interface View {
  fen: string;
  your_turn: boolean;
  standing: Standing;
  standing_words: string;
  clock: { plies: number; moves_left: number; in_time: boolean | null; words: string | null };
  claim: string | null;
  curve: Standing[];
  competence: Competence;
  ceded: number;
  value_losses: number;
}
export interface Hint {
  level: number;
  from: string;
  to: string | null;
  line: string[];
  words: string;
}
export type Event =
  | ({ event: 'moved' } & Played)
  | ({ event: 'hinted' } & Hint)
  | { event: 'took-back'; plies: number; fen: string }
  | { event: 'draw-doubted'; words: string }
  | { event: 'draw-declined'; words: string }
  | { event: 'claim-possible'; claim: string; words: string }
  | ({ event: 'ended' } & End);
export interface Answer {
  session: Session;
  events: Event[];
  view: View;
}
export interface Drill {
  name: string;
  title: string;
  fen: string;
  side: Colour;
  task: Task;
  instruction: string;
  goal: string;
}
export interface LibraryEntry {
  endgame: string;
  fen: string;
  deepest: number;
  /** How often a player of c = 20 wins the deepest positions within 50 moves. */
  chance: number;
  medium_from: number | null;
  hard_from: number | null;
}

/** What the figure on each library card means. */
export const CHANCE = 'The figure on each card: how often a player of c\u00a0=\u00a020 wins the deepest positions of the endgame within 50 moves, against best defence.';

export interface Slip {
  id: number;
  session: string;
  endgame: string;
  metric: string;
  fen: string;
  side: Colour;
  played: string;
  words: string;
  value_lost: boolean;
  ceded: number;
  due: number;
  reviews: number;
}
export interface Reviews {
  due: Slip[];
  next: Slip | null;
}
export interface Reviewed {
  judgement: Judgement;
  words: string;
  grade: 'again' | 'hard' | 'good' | 'easy';
  next: { due: number; days: number } | null;
}
export interface Report {
  headline: string;
  achieved: boolean | null;
  moves: number;
  perfect_moves: number | null;
  slips: { number: string; words: string; value_lost: boolean; ply: number; fen: string }[];
  hints: number;
  competence: Competence;
  sentences: string[];
  next: string[];
}
export interface SessionSummary {
  id: string;
  begun: number;
  endgame: string;
  task: Task;
  opponent: string;
  drill: string | null;
  result: Value | null;
  achieved: boolean;
  moves: number;
  slips: number;
  ceded: number;
  value_losses: number;
}
export interface Progress {
  points: { session: SessionSummary; mean: number | null; low: number | null; high: number | null }[];
  slips: number;
  due: number;
  reviews: number;
  recalled: number | null;
}
/** The competence of rated players in their games. */
export interface Population {
  games: string;
  /** Counting moves that throw away the result, as practice does. */
  typical_at_risk: { elo: number; median: number; usual: [number, number] }[];
}
export interface RushPosition {
  fen: string;
  endgame: string;
  side: Colour;
  task: Task;
  standing: Standing;
}
export interface Rush {
  seed: number;
  seconds: number;
  positions: RushPosition[];
  answers: { text: string; judgement: Judgement; score: number; at: number }[];
  out_of_time: boolean;
}
export interface RushStanding {
  rush: Rush;
  result: { score: number; positions: number; seconds: number; words: string };
}

export type Start =
  | { kind: 'position'; fen: string }
  | { kind: 'drill'; name: string }
  | { kind: 'random'; endgame: string; task: Task; depth: { least: number; most: number } | null; level: string | null }
  | { kind: 'tricky'; endgame: string; task: Task; by: 'result' | 'depth' };

export interface Order {
  start: Start;
  side?: Colour;
  opponent?: string;
  metric?: string;
  seed?: number;
}

const ROOT = '/api/v1/practice';
const kept = (session: string): string => `order:${session}`;
/** Begins a game, and remembers its settings for the browser session. */
export async function begin(order: Order): Promise<Answer> {
  const answer = await post<Answer>(`${ROOT}/games`, order);
  sessionStorage.setItem(kept(answer.session.id), JSON.stringify(order));
  return answer;
}
/** Another game of the same kind: the next classic position, the same settings, or a similar depth. */
export async function nextOrder({ session, view }: Answer): Promise<Order> {
  const { id, setup: { drill, endgame, side, task, opponent, metric } } = session;
  if (drill) {
    const names = (await drills()).map(one => one.name);
    return { start: { kind: 'drill', name: names[(names.indexOf(drill) + 1) % names.length]! }, opponent };
  }
  const order = JSON.parse(sessionStorage.getItem(kept(id)) ?? 'null') as Order | null;
  if (order?.start.kind === 'random' || order?.start.kind === 'tricky') return { ...order, seed: undefined };
  const depth = view.curve[0]?.moves;
  return { start: { kind: 'random', endgame, task, level: null, depth: depth ? { least: Math.max(2, depth - 2), most: depth + 2 } : null }, side, opponent, metric };
}
/** The same game from its start. */
export const sameOrder = ({ session: { setup: { fen, side, opponent, metric, drill } } }: Answer): Order =>
  (drill ? { start: { kind: 'drill', name: drill }, opponent } : { start: { kind: 'position', fen }, side, opponent, metric });
export const resume = (id: string, signal?: AbortSignal): Promise<Answer> => get(`${ROOT}/games/${id}`, {}, signal);
export const act = (id: string, what: { act: string; [field: string]: unknown }): Promise<Answer> => post(`${ROOT}/games/${id}/acts`, what);
let known: Promise<Drill[]> | undefined;
/** The classic positions, fetched once. */
export const drills = (): Promise<Drill[]> => (known ??= get<Drill[]>(`${ROOT}/drills`).catch((error: unknown) => {
  known = undefined;
  throw error;
}));
export const report = (id: string): Promise<Report> => get(`${ROOT}/games/${id}/report`);
export const reviews = (signal?: AbortSignal): Promise<Reviews> => get(`${ROOT}/reviews`, {}, signal);
export const review = (slip: number, tried: { text: string; hinted: boolean; seconds: number }): Promise<Reviewed> => post(`${ROOT}/reviews/${slip}`, tried);
export const progress = (signal?: AbortSignal): Promise<Progress> => get(`${ROOT}/progress`, {}, signal);
export const eraseHistory = (): Promise<void> => remove(`${ROOT}/history`);
export const population = (): Promise<Population> => get('/api/v1/population');
export const beginRush = (order: { endgames: string[]; task: Task; positions: number; seconds: number; seed?: number; level?: string }): Promise<RushStanding> => post(`${ROOT}/rush`, order);
export const answerRush = (rush: Rush, text: string, at: number): Promise<RushStanding> => post(`${ROOT}/rush/answers`, { rush, text, at });
export const library = (): Promise<LibraryEntry[]> => get(`${ROOT}/library`);

export const isSlip = (judgement: Judgement): boolean => judgement.ceded !== 0;
export const tone = (judgement: Judgement): 'good' | 'slip' | 'lost' => (judgement.ceded === null ? 'lost' : judgement.ceded > 0 ? 'slip' : 'good');

/** An opponent in a word or two. */
export function opponentName(name: string): string {
  const [player, options = ''] = name.split(':');
  const value = (key: string): string => options.split(',').find(part => part.startsWith(`${key}=`))?.slice(key.length + 1) ?? '?';
  switch (player) {
    case 'predator': return 'Fights back';
    case 'hunter': return 'Hunter';
    case 'best': return 'Perfect';
    case 'random': return 'Random';
    case 'rep': return `Plays like c = ${value('c')}`;
    case 'emulator': return `Emulates c = ${value('c')}`;
    case 'human': return `Plays like ${value('elo')}`;
    default: return name;
  }
}

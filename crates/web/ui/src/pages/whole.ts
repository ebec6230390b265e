// Whole games with an engine: starts ratings and screenings, and shows the results.
import { get, isAborted, type Failure } from '../api';
import { fill, h } from '../dom';
import { button, segments } from '../parts';
import { work, type Work } from '../work';
import { ratingsView, type Ratings } from './rating';
import { screeningView, type Screening } from './screening';

/** Games to rate or to screen. */
interface SentGames {
  pgn: string;
  name?: string;
}
/** The depths of the rating and the screening that the address asks for. */
interface Asked {
  rate?: number;
  screen?: number;
}
interface Ready {
  engine: { name: string; version: string; depth: number };
  depths: number[];
}

const STOPPED = 'Stopped. What was evaluated is kept: the same games go on from there.';

/** Ratings and screenings of a collection; calls `told` when what is shown changes. */
export function wholeGames(asked: Asked, told: (shown: Asked) => void, collection: string, signal: AbortSignal): { element: HTMLElement; begin: (games: SentGames) => void; destroy: () => void } {
  const order = h('div', { class: 'card', hidden: true });
  const ratings = h('div');
  const screenings = h('div');
  const views = new Map<HTMLElement, { destroy: () => void }>();
  const place = (slot: HTMLElement, view: { element: HTMLElement; destroy: () => void }): void => {
    views.get(slot)?.destroy();
    views.set(slot, view);
    fill(slot, view.element);
  };
  const rate = work<Ratings>('rate', collection, signal, answer => {
    place(ratings, ratingsView(answer));
    told({ rate: answer.evidence.engine.depth });
  }, STOPPED);
  const screen = work<Screening>('screen', collection, signal, answer => {
    place(screenings, screeningView(answer));
    told({ screen: answer.evidence.engine.depth });
  }, STOPPED);
  let ready: Ready | Failure | undefined;
  let games: SentGames | undefined;
  let depth = 10;

  async function look(): Promise<void> {
    ready = undefined;
    draw();
    try {
      ready = await get<Ready>('/api/v1/engine', {}, signal);
      if (!ready.depths.includes(depth)) depth = ready.depths.at(-1) ?? depth;
    } catch (error) {
      if (isAborted(error)) return;
      ready = error as Failure;
    }
    draw();
  }

  function draw(): void {
    order.hidden = false;
    const title = h('h2', {}, 'Whole games, with an engine');
    if (ready instanceof Error) {
      fill(order, title, h('p', { class: 'soft' }, 'Ratings from all moves, and screening, need an engine: ', `${ready.message}. Install Stockfish, or start errare serve with --engine.`),
        h('div', { class: 'row' }, button('Look again', null, () => void look())));
      return;
    }
    if (!ready) {
      fill(order, title, h('p', { class: 'loading' }, 'Looking for an engine…'));
      return;
    }
    const { engine, depths } = ready;
    const name = `${engine.name} ${engine.version}`;
    if (!depths.length) {
      fill(order, title, h('p', { class: 'soft' }, `${name} is here, but no calibration for it comes with Errare: make one with errare calibrate, and rate in the terminal.`));
      return;
    }
    const start = (which: Work, slot: HTMLElement) => (): void => {
      fill(slot);
      void which.start({ ...games, depth });
    };
    fill(order, title,
      h('p', { class: 'soft' }, `${name} evaluates every move of every turn that counts; ${depths.length > 1 ? 'depths' : 'depth'} ${depths.join(' and ')} ${depths.length > 1 ? 'have' : 'has'} a calibration. You may close the page meanwhile; nothing is evaluated twice.`),
      h('div', { class: 'row ends' },
        segments('Depth', depths.map(value => [String(value), value === Math.min(...depths) && depths.length > 1 ? `${value}, faster` : String(value)] as [string, string]), String(depth), value => { depth = Number(value); }),
        button('Rate the players', null, start(rate, ratings), 'go'), button('Screen the players', null, start(screen, screenings))));
  }

  /** Shows a running or finished job, or else reruns what the address asks for from the kept evaluations. */
  async function resume(which: Work, depth: number | undefined): Promise<void> {
    if (!await which.resume() && depth && !signal.aborted) await which.start({ ...games, depth });
  }

  return {
    element: h('div', { class: 'stack' }, order, rate.element, ratings, screen.element, screenings),
    begin: sent => {
      games = sent;
      void look();
      void resume(rate, asked.rate);
      void resume(screen, asked.screen);
    },
    destroy: () => views.forEach(view => view.destroy()),
  };
}

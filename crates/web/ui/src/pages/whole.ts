// Whole games with an engine: the order for ratings and screenings, and what comes of it.
import { get, isAborted, type Failure } from '../api';
import { fill, h } from '../dom';
import { button, segments } from '../parts';
import { work, type Work } from '../work';
import { ratingsView, type Ratings } from './rating';
import { screeningView, type Screening } from './screening';

/** The games on the page. */
export interface SentGames {
  pgn: string;
  name: string;
}
interface Ready {
  engine: { name: string; version: string; depth: number };
  depths: number[];
}

const STOPPED = 'Stopped. What was evaluated is kept: the same games go on from there.';

export function wholeGames(signal: AbortSignal): { element: HTMLElement; offer: (games: SentGames) => void; clear: () => void; resume: () => void; destroy: () => void } {
  const order = h('div', { class: 'card', hidden: true });
  const ratings = h('div');
  const screenings = h('div');
  const views = new Map<HTMLElement, { destroy: () => void }>();
  const place = (slot: HTMLElement, view: { element: HTMLElement; destroy: () => void }): void => {
    views.get(slot)?.destroy();
    views.set(slot, view);
    fill(slot, view.element);
  };
  const rate = work<Ratings>('rate', 'rate', signal, answer => place(ratings, ratingsView(answer)), STOPPED);
  const screen = work<Screening>('screen', 'screen', signal, answer => place(screenings, screeningView(answer)), STOPPED);
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
    const start = (which: Work<never>, slot: HTMLElement) => (): void => {
      fill(slot);
      void which.start({ ...games, depth });
    };
    fill(order, title,
      h('p', { class: 'soft' }, `${name} evaluates every move of every turn that counts; ${depths.length > 1 ? 'depths' : 'depth'} ${depths.join(' and ')} ${depths.length > 1 ? 'have' : 'has'} a calibration. You may close the page meanwhile; nothing is evaluated twice.`),
      h('div', { class: 'row ends' },
        segments('Depth', depths.map(value => [String(value), value === Math.min(...depths) && depths.length > 1 ? `${value}, faster` : String(value)] as [string, string]), String(depth), value => { depth = Number(value); }),
        button('Rate the players', null, start(rate as Work<never>, ratings), 'go'), button('Screen the players', null, start(screen as Work<never>, screenings))));
  }

  return {
    element: h('div', { class: 'stack' }, order, rate.element, ratings, screen.element, screenings),
    offer: sent => {
      games = sent;
      void look();
    },
    clear: () => {
      for (const [slot, job] of [[ratings, rate], [screenings, screen]] as const) {
        views.get(slot)?.destroy();
        views.delete(slot);
        fill(slot);
        if (!job.running()) {
          job.forget();
          fill(job.element);
        }
      }
    },
    resume: () => { void rate.resume(); void screen.resume(); },
    destroy: () => views.forEach(view => view.destroy()),
  };
}

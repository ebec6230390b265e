// The fleet: the queue this server shares with others, its workers, and the jobs given up.
import { get, isAborted } from '../api';
import { fill, h } from '../dom';
import { failure, figure, meter, scroller } from '../parts';
import { count, format, percent } from '../words';

interface Fleet {
  queue: string;
  batches: { batch: string; title: string; jobs: number; done: number; dead: { job: string; reason: string }[] }[];
  workers: { name: string; kit: string; cores: number; completed: number; failed: number; per_minute: number; trouble?: string }[];
  per_minute: number;
  left: number;
}

const EVERY = 3000;

/** A card that refreshes itself until the page is left. */
export function fleetPanel(signal: AbortSignal): HTMLElement {
  const element = h('section', { class: 'card', 'aria-label': 'Fleet' }, h('h2', {}, 'Fleet'), h('p', { class: 'loading' }, 'Asking the queue…'));
  let timer = 0;
  const ask = async (): Promise<void> => {
    try {
      draw(element, await get<Fleet>('/api/v1/fleet', {}, signal));
    } catch (error) {
      if (isAborted(error)) return;
      const { status, message } = error as { status?: number; message: string };
      // Most servers have no queue, and so no fleet.
      if (status === 404 && /no queue|no games/.test(message)) {
        fill(element, h('h2', {}, 'Fleet'), h('p', { class: 'soft' }, 'Long work can be shared by many machines. Start the server with ', h('code', { class: 'mono' }, 'errare serve --queue nats://host:4222'),
          ' (or with the file of a queue): games are then evaluated by its workers, and this card shows them.'));
        return;
      }
      fill(element, h('h2', {}, 'Fleet'), failure(error));
    }
    timer = window.setTimeout(() => void ask(), EVERY);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  void ask();
  return element;
}

function draw(element: HTMLElement, { queue, batches, workers, per_minute, left }: Fleet): void {
  const dead = batches.flatMap(batch => batch.dead.map(letter => ({ ...letter, batch: batch.title || batch.batch })));
  const cores = workers.reduce((sum, worker) => sum + worker.cores, 0);
  const jobs = left === 1 ? 'job' : 'jobs';
  const hours = per_minute ? left / per_minute / 60 : null;
  fill(element, h('div', { class: 'row spread' }, h('h2', {}, 'Fleet'), h('span', { class: 'small soft mono' }, queue)),
    h('dl', { class: 'figures gap' },
      figure('Workers', workers.length, count(cores, 'core')),
      figure('Rate', per_minute, per_minute === 1 ? 'job a minute' : 'jobs a minute'),
      figure('Queue', format(left), hours === null || !left ? `${jobs} left` : hours < 1 ? `${jobs}, about ${Math.ceil(60 * hours)} min` : `${jobs}, about ${format(hours, 1)} h`),
      figure('Failures', dead.length, dead.length === 1 ? 'job given up' : 'jobs given up')),
    left && !workers.length ? h('p', { class: 'slip-text' }, 'Jobs wait and no worker gave a sign of life in the last minute: start errare worker.') : null,
    batches.length ? [h('h3', { class: 'gap' }, 'Batches'), scroller('Batches', h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'What'), h('th', { scope: 'col', class: 'right' }, 'Done'), h('th', { scope: 'col' }, h('span', { class: 'hidden' }, 'Bar')))),
      h('tbody', {}, batches.map(batch => h('tr', {}, h('td', {}, batch.title || batch.batch), h('td', { class: 'right' }, `${format(batch.done)} of ${format(batch.jobs)}`),
        h('td', { class: 'bar-cell' }, meter(batch.done / Math.max(1, batch.jobs), `${percent(batch.done / Math.max(1, batch.jobs))} done`)))))))] : h('p', { class: 'soft gap' }, 'The queue is empty.'),
    workers.length ? [h('h3', { class: 'gap' }, 'Workers'), scroller('Workers', h('table', { class: 'data' },
      h('thead', {}, h('tr', {}, ['Name', 'Version and engine', 'Cores', 'A minute', 'Done', 'Failed'].map((title, index) => h('th', { scope: 'col', class: index > 1 ? 'right' : '' }, title)))),
      h('tbody', {}, workers.map(worker => h('tr', {}, h('td', {}, worker.name), h('td', { class: 'soft' }, worker.kit), [worker.cores, worker.per_minute, worker.completed, worker.failed].map(n => h('td', { class: 'right' }, format(n)))))))),
      workers.filter(worker => worker.trouble).map(worker => h('p', { class: 'slip-text' }, `${worker.name} may be broken; its last jobs all failed: ${worker.trouble}`))] : null,
    dead.length ? [h('h3', { class: 'gap' }, 'Given up after five tries'), h('ul', { class: 'slips small' }, dead.slice(0, 20).map(letter => h('li', {}, h('span', { class: 'lost-text' }, '✕ '), `${letter.batch}: `, h('span', { class: 'soft' }, letter.reason)))),
      dead.length > 20 ? h('p', { class: 'small soft' }, `and ${dead.length - 20} more: errare jobs status lists them.`) : null] : null);
}

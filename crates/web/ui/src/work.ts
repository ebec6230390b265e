// A job on a page: starts, follows and stops it, and finds it again when the page is reopened.
import { Failure, followJob, get, isAborted, jobAnswer, startJob, type JobStatus } from './api';
import { fill, h } from './dom';
import { failure, progress } from './parts';

export interface Work {
  /** Where progress and errors are shown. */
  element: HTMLElement;
  start: (order: object) => Promise<void>;
  /** Resumes a job started earlier, if one matches; returns whether it did. */
  resume: (order?: object) => Promise<boolean>;
}

export const isAtWork = ({ state }: JobStatus): boolean => state === 'running' || state === 'waiting';

/** A job as this browser remembers it. */
interface Remembered {
  id: string;
  order: object;
}
const same = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A job is identified by its verb and a key: its collection of games, or the page's own name for it. */
export function work<T>(verb: string, key: string, signal: AbortSignal, show: (answer: T) => void, stopped = 'Stopped.'): Work {
  const element = h('div', { 'aria-live': 'polite' });
  const remembered = `work:${key}`;
  let running = false;

  /** A job started earlier, here or in another browser if it is certainly the same one. */
  async function begun(order?: object): Promise<string | undefined> {
    const here = JSON.parse(localStorage.getItem(remembered) ?? 'null') as Remembered | null;
    if (here && (!order || same(here.order, order))) return here.id;
    if (order) return undefined;
    const jobs = await get<JobStatus[]>('/api/v1/jobs', {}, signal);
    const fits = (job: JobStatus): boolean => (job.collection ? job.collection === key && (isAtWork(job) || job.state === 'done') : key === verb && isAtWork(job));
    return jobs.find(job => job.verb === verb && fits(job))?.id;
  }

  async function follow(job: JobStatus): Promise<void> {
    running = true;
    const view = progress(job);
    fill(element, h('div', { class: 'card' }, view.element));
    try {
      const last = await followJob(job.id, view.update, signal);
      if (last.state === 'done') {
        const answer = await jobAnswer<T>(job.id);
        if (signal.aborted) return;
        fill(element);
        show(answer);
      } else if (last.state === 'failed') fill(element, failure(new Error(last.error ?? 'It failed.')));
      else fill(element, h('p', { class: 'soft' }, stopped));
    } catch (error) {
      // Leaving the page also ends up here, so do not forget the job.
      if (!isAborted(error)) fill(element, failure(error));
    } finally {
      running = false;
    }
  }

  return {
    element,
    async start(order) {
      try {
        const job = await startJob(verb, order);
        // A job with a collection can be found by it; only others need remembering.
        if (!job.collection) localStorage.setItem(remembered, JSON.stringify({ id: job.id, order } satisfies Remembered));
        await follow(job);
      } catch (error) {
        if (!isAborted(error)) fill(element, failure(error));
      }
    },
    async resume(order) {
      try {
        const id = await begun(order);
        if (!id || running) return running;
        await follow(await get<JobStatus>(`/api/v1/jobs/${id}`, {}, signal));
        return true;
      } catch (error) {
        if (error instanceof Failure && error.status === 404) localStorage.removeItem(remembered);
        return false;
      }
    },
  };
}

// A job on a page: started, watched, stopped, and found again when the page is opened again.
import { Failure, followJob, get, isAborted, jobAnswer, startJob, type JobStatus } from './api';
import { fill, h } from './dom';
import { failure, progress } from './parts';

export interface Work<T> {
  /** Where progress and errors are shown. */
  element: HTMLElement;
  start: (order: object) => Promise<void>;
  /** Takes up a job that was started before, by this page's name for it. */
  resume: () => Promise<void>;
  forget: () => void;
  running: () => boolean;
  last?: T;
}

export function work<T>(verb: string, key: string, signal: AbortSignal, show: (answer: T) => void, stopped = 'Stopped.'): Work<T> {
  const element = h('div', { 'aria-live': 'polite' });
  const remembered = `job:${key}`;
  let running = false;

  /** Work of this kind that was begun elsewhere, such as in another browser, and goes on. */
  async function atWork(): Promise<string | undefined> {
    // Of work that goes by more than its verb nobody knows whether it is the same.
    if (key !== verb) return undefined;
    const jobs = await get<JobStatus[]>('/api/v1/jobs', {}, signal);
    return jobs.find(job => job.verb === verb && (job.state === 'running' || job.state === 'waiting'))?.id;
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
      // A page that is left also fails here, so the job stays remembered.
      if (!isAborted(error)) fill(element, failure(error));
    } finally {
      running = false;
    }
  }

  return {
    element,
    running: () => running,
    forget: () => localStorage.removeItem(remembered),
    async start(order) {
      try {
        const job = await startJob(verb, order);
        localStorage.setItem(remembered, job.id);
        await follow(job);
      } catch (error) {
        if (!isAborted(error)) fill(element, failure(error));
      }
    },
    async resume() {
      if (running) return;
      try {
        const id = localStorage.getItem(remembered) ?? await atWork();
        if (!id || running) return;
        await follow(await get<JobStatus>(`/api/v1/jobs/${id}`, {}, signal));
      } catch (error) {
        if (error instanceof Failure && error.status === 404) localStorage.removeItem(remembered);
      }
    },
  };
}

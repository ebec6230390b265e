// Requests to the server, and the jobs it runs.

/** Why the server gave no answer. */
export class Failure extends Error {
  constructor(
    message: string,
    readonly status: number,
    /** The endgame whose tables are missing, if that is the reason. */
    readonly missing?: string,
  ) {
    super(message);
  }
}

export type Query = Record<string, string | number | boolean | null | undefined>;

export function address(path: string, query: Query = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== '');
  const text = pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&');
  return text ? `${path}?${text}` : path;
}

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  send<T>(address(path, query), { signal });
export const post = <T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> =>
  send<T>(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), signal });
export const remove = <T>(path: string): Promise<T> => send<T>(path, { method: 'DELETE' });

async function send<T>(path: string, init: RequestInit): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new Failure('The server does not answer: is errare serve still running?', 0);
  }
  const text = await response.text();
  if (response.ok) return (text ? JSON.parse(text) : undefined) as T;
  let message = `The server answered ${response.status}.`;
  let missing: string | undefined;
  try {
    const failure = JSON.parse(text) as { error?: string; missing?: string };
    message = failure.error ?? message;
    missing = failure.missing;
  } catch {
    // Not one of our error bodies: fall back on the status.
  }
  throw new Failure(message, response.status, missing);
}

export const isAborted = (error: unknown): boolean => error instanceof DOMException && error.name === 'AbortError';

export interface JobStatus {
  id: string;
  verb: string;
  /** The collection of games it works on. */
  collection: string | null;
  state: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';
  stage: string | null;
  done: number;
  steps: number | null;
  /** Where it stands now, such as the score of a match. */
  detail: string | null;
  message: string | null;
  error: string | null;
}

export const startJob = (verb: string, order: object): Promise<JobStatus> => post('/api/v1/jobs', { verb, ...order });

/** Follows a job until it ends; resolves with its last status. */
export function followJob(id: string, seen: (status: JobStatus) => void, signal: AbortSignal): Promise<JobStatus> {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/v1/jobs/${id}/events`);
    const stop = (): void => events.close();
    signal.addEventListener('abort', () => {
      stop();
      reject(new DOMException('left', 'AbortError'));
    });
    events.addEventListener('status', event => {
      const status = JSON.parse((event as MessageEvent<string>).data) as JobStatus;
      seen(status);
      if (status.state !== 'waiting' && status.state !== 'running') {
        stop();
        resolve(status);
      }
    });
    events.addEventListener('error', () => {
      // EventSource reconnects by itself unless the server has no such job.
      if (events.readyState === EventSource.CLOSED) reject(new Failure('The job is gone; the server was restarted.', 404));
    });
  });
}

export const jobAnswer = <T>(id: string): Promise<T> => get<T>(`/api/v1/jobs/${id}/answer`);

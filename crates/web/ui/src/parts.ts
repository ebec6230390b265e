// Parts that several pages share.
import { Failure, followJob, remove, startJob, type JobStatus, isAborted } from './api';
import { fill, h, svg, uniqueId, type Child } from './dom';
import { sign, type Tone } from './sign';
import { capital, endgameName, format, percent } from './words';

/** A message card: a sign, a heading, text, buttons. */
export function say(tone: Tone, title: Child, text: Child, ...buttons: Child[]): HTMLElement {
  return h('div', { class: `card say ${tone}` }, h('h2', {}, sign(tone), h('span', {}, title)), text ? h('p', {}, text) : null,
    buttons.length ? h('div', { class: 'row', 'aria-live': 'off' }, buttons) : null);
}

/** Key names as `aria-keyshortcuts` spells them. */
const KEY_NAMES: Record<string, string> = { space: 'Space', '←': 'ArrowLeft', '→': 'ArrowRight' };

export function button(label: Child, key: string | null, action: () => void, kind = ''): HTMLButtonElement {
  return h('button', { class: `btn ${kind}`, type: 'button', onclick: action, 'aria-keyshortcuts': key && (KEY_NAMES[key] ?? key) }, label, key ? h('kbd', { 'aria-hidden': 'true' }, key) : null);
}

export function figure(label: string, value: Child, note?: Child): HTMLElement {
  return h('div', {}, h('dt', {}, label), h('dd', {}, value, note ? [' ', h('small', {}, note)] : null));
}

/** A choice of one, as radio buttons that look like a switch. */
export function segments<T extends string>(label: string, options: [T, string][], chosen: T, change: (value: T) => void): HTMLElement {
  const name = uniqueId();
  return h('fieldset', { class: 'field plain' }, h('legend', { class: 'label' }, label), h('div', { class: 'segments' },
    options.map(([value, text]) => h('label', {}, h('input', { type: 'radio', name, value, checked: value === chosen, onchange: () => change(value) }), h('span', {}, text)))));
}

export function slider(label: () => Child, options: { min: number; max: number; step?: number; value: number }, input: (value: number) => void): HTMLElement & { relabel: () => void } {
  const id = uniqueId();
  const text = h('label', { class: 'label', for: id }, label());
  const range = h('input', { id, type: 'range', min: options.min, max: options.max, step: options.step ?? 1, value: options.value });
  range.value = String(options.value);
  range.addEventListener('input', () => {
    input(Number(range.value));
    fill(text, label());
  });
  return Object.assign(h('div', { class: 'field' }, text, range), { relabel: () => fill(text, label()) });
}

/** A scrolling box for oversized content, reachable by keyboard. */
export function scroller(label: string, content: Child, kind = ''): HTMLElement {
  return h('div', { class: `scroll ${kind}`, tabindex: '0', role: 'region', 'aria-label': label }, content);
}

/** A bar from 0 to 1. */
export function meter(share: number, label: string): SVGElement {
  const width = Math.max(0, Math.min(1, share)) * 100;
  return svg('svg', { class: 'meter', viewBox: '0 0 100 6', preserveAspectRatio: 'none', role: 'img', 'aria-label': label },
    svg('rect', { width: width.toFixed(2), height: 6, rx: 1 }));
}

/** The endgame whose tables are needed first: they are missing, or take too long to build within a request. */
export function wanting(error: unknown, endgame?: string): string | undefined {
  if (!(error instanceof Failure)) return undefined;
  return error.missing ?? (error.status === 503 && error.message.includes('start a job') ? endgame : undefined);
}

/** Says what went wrong and what to do about it; offers to build missing tables, for the given metrics or all. */
export function failure(error: unknown, retry?: () => void, endgame?: string, metrics: string[] = []): HTMLElement {
  const text = error instanceof Error ? error.message : String(error);
  // The heading says what is wrong; the reason or remedy follows.
  const [title, rest] = /^(.*?)[:;] (.*)$/s.exec(text)?.slice(1) ?? [text];
  // Retrying a bad request would not help.
  const again = error instanceof Failure && error.status >= 400 && error.status < 500 ? undefined : retry;
  const missing = wanting(error, endgame);
  if (missing) return buildOffer(missing, metrics, retry ?? (() => location.reload()));
  return h('div', { class: 'card say lost', role: 'alert' }, h('h2', {}, sign('lost'), h('span', {}, capital(title ?? text))),
    rest ? h('p', {}, capital(rest)) : null, again ? h('div', { class: 'row' }, button('Try again', null, again)) : null);
}

let toastTimer = 0;
/** Shows a message briefly. */
export function toast(text: string): void {
  document.querySelector('.toast')?.remove();
  const element = h('div', { class: 'toast', role: 'status' }, text);
  document.body.append(element);
  clearTimeout(toastTimer);
  toastTimer = window.setTimeout(() => element.remove(), 4500);
}

/** Offers to build the missing tables, with progress. */
export function buildOffer(endgame: string, metrics: string[], done: () => void): HTMLElement {
  const element = h('div', { class: 'card say next' });
  const offer = (): void => fill(element, h('h2', {}, `The tables of ${endgame} are not here yet`),
    h('p', {}, endgame.length > 4 ? `${endgameName(endgame)} has five men: building its tables takes some minutes and a few hundred megabytes, once.` : `Building the tables of ${endgameName(endgame).toLowerCase()} takes up to a minute, once.`),
    h('div', { class: 'row more' }, button('Build them', null, () => void start(), 'go')));
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    try {
      const job = await startJob('build', { endgames: [endgame], metrics });
      const view = progress(job);
      fill(element, view.element);
      const last = await followJob(job.id, view.update, controller.signal);
      if (last.state === 'done') done();
      else if (last.state === 'failed') fill(element, failure(last.error ?? 'The build failed', offer));
      else offer();
    } catch (error) {
      if (!isAborted(error)) fill(element, failure(error, offer));
    }
  };
  offer();
  return element;
}

/** A job's progress, with a way to stop it. */
export function progress(job: JobStatus): { element: HTMLElement; update: (status: JobStatus) => void } {
  const stage = h('h2', {}, 'Waiting for its turn');
  const bar = h('progress', { max: 1, 'aria-label': 'Progress' });
  const note = h('p', { class: 'small soft num' });
  const detail = h('p', { class: 'num' });
  const stop = button('Stop', null, () => { stop.disabled = true; void remove(`/api/v1/jobs/${job.id}`).catch(() => undefined); });
  // Measure the pace from the first update seen here: the page may have been opened midway.
  let first: { at: number; done: number; stage: string | null } | undefined;
  const update = (status: JobStatus): void => {
    if (status.state === 'running') stage.textContent = capital(status.stage ?? 'working');
    if (status.steps) {
      bar.value = Math.min(1, status.done / status.steps);
      if (first?.stage !== status.stage) first = undefined;
      first ??= { at: Date.now(), done: status.done, stage: status.stage };
      const seen = status.done - first.done;
      const left = seen > 0.02 * status.steps || seen > 50 ? ((Date.now() - first.at) / seen) * (status.steps - status.done) : null;
      // Nobody reads position counts in the billions.
      const far = status.steps > 1e6 ? percent(status.done / status.steps) : `${format(status.done)} of ${format(status.steps)}`;
      note.textContent = `${far}${left && left > 2000 ? `, about ${duration(left)} left` : ''}`;
    } else bar.removeAttribute('value');
    detail.textContent = [status.detail, status.message].filter(Boolean).join(' · ');
  };
  update(job);
  return { element: h('div', { class: 'stack tight' }, stage, h('div', { class: 'stack tight', 'aria-live': 'off' }, bar, note, detail, h('div', { class: 'row' }, stop))), update };
}

export function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${format(seconds / 3600, 1)} h`;
}

/** Copies a text and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    // Browsers offer no clipboard to unencrypted pages from another machine, such as on a phone.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else if (!copySelected(text)) throw new Error('not copied');
    toast(`${what} copied`);
  } catch {
    prompt('Copy this:', text);
  }
}

function copySelected(text: string): boolean {
  const field = h('textarea', { class: 'hidden', 'aria-hidden': 'true' });
  field.value = text;
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}

/** Saves a text as a file. */
export function save(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

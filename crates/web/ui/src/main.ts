// The frame of every page: header, navigation, theme, keys; and the router.
import { redrawPictures } from './colours';
import { fill, h } from './dom';
import { failure } from './parts';
import { practise } from './pages/practise';
import { onNavigate, navigate, setTitle, type Page } from './router';

/** Loads the script of a page. */
type Load = () => Promise<Page> | Page;
const explore: Load = async () => (await import('./pages/explore')).explore;
const endgames: Load = async () => (await import('./pages/endgames')).endgames;
const papers: Load = async () => (await import('./pages/papers')).papers;

/** The pages of a public server that only looks positions up. */
const LOOK_UPS: [RegExp, Load][] = [
  [/^\/(explore)?$/, explore],
  [/^\/endgames(\/(?<name>\w+))?$/, endgames],
  [/^\/papers$/, papers],
];

const EVERYTHING: [RegExp, Load][] = [
  [/^\/(practise)?$/, () => practise],
  [/^\/practise\/(?<id>[\w-]+)$/, async () => (await import('./pages/game')).game],
  [/^\/rush$/, async () => (await import('./pages/rush')).rush],
  [/^\/review$/, async () => (await import('./pages/review')).review],
  [/^\/history$/, async () => (await import('./pages/history')).history],
  [/^\/explore$/, explore],
  [/^\/analyse$/, async () => (await import('./pages/analyse')).analyse],
  [/^\/analyse\/(?<id>\w+)$/, async () => (await import('./pages/analysis')).analysis],
  [/^\/endgames(\/(?<name>\w+))?$/, endgames],
  [/^\/lab$/, async () => (await import('./pages/lab')).lab],
  [/^\/papers$/, papers],
];

const SECTIONS: [string, string][] = [
  ['/', 'Practise'],
  ['/explore', 'Explore'],
  ['/analyse', 'Analyse'],
  ['/endgames', 'Endgames'],
  ['/lab', 'Lab'],
  ['/papers', 'Papers'],
];

const lookUpsAlone = document.documentElement.hasAttribute('data-look-ups');
const ROUTES = lookUpsAlone ? LOOK_UPS : EVERYTHING;

const KEYS: [string, string][] = [
  ['← →', 'step through the moves'],
  ['f', 'flip the board'],
  ['space', 'the best move: play it (Explore), show it after a slip (Practise)'],
  ['h', 'hint'],
  ['r', 'try again from the slip'],
  ['u', 'take back'],
  ['n', 'next'],
  ['z', 'arrows on or off'],
  ['m', 'type a move; Esc leaves the field'],
  ['?', 'this list'],
];

const main = h('main', { id: 'main', tabindex: '-1' });
const links = SECTIONS.filter(([path]) => !lookUpsAlone || LOOK_UPS.some(([pattern]) => path !== '/' && pattern.test(path))).map(([path, name]) => h('a', { href: path }, name));
const help = h(
  'dialog',
  { 'aria-labelledby': 'help-title' },
  h('h2', { id: 'help-title' }, 'Keys'),
  h('div', { class: 'keys' }, KEYS.map(([key, what]) => [h('span', {}, key.split(' ').map(part => [h('kbd', {}, part), ' '])), h('span', {}, what)])),
  h('p', { class: 'soft small' }, 'On the board: drag, or click a man and then a square. Right-drag draws arrows. Moves can be typed as Qd5 or a5d5.'),
  h('form', { method: 'dialog', class: 'row' }, h('button', { class: 'btn go' }, 'Close')),
);
const openHelp = (): void => { if (!help.open) help.showModal(); };

function changeTheme(): void {
  const dark = document.documentElement.dataset.theme
    ? document.documentElement.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  const next = dark ? 'light' : 'dark';
  document.documentElement.dataset.theme = next;
  localStorage.setItem('theme', next);
  redrawPictures();
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', redrawPictures);

fill(
  document.getElementById('app')!,
  h('a', { class: 'skip', href: '#main' }, 'Skip to the page'),
  h(
    'header',
    { class: 'top' },
    h('a', { class: 'brand', href: '/', 'aria-label': 'Errare, to the start' }, 'Errare', h('i', {}, '.')),
    h('nav', { 'aria-label': 'Pages' }, links),
    h(
      'div',
      { class: 'tools' },
      h('button', { class: 'btn quiet', type: 'button', onclick: openHelp }, h('kbd', {}, '?'), h('span', { class: 'word' }, 'keys')),
      h('button', { class: 'btn quiet', type: 'button', onclick: changeTheme, title: 'Light or dark' }, h('span', { 'aria-hidden': 'true' }, '◐'), h('span', { class: 'word' }, 'theme')),
    ),
  ),
  main,
  help,
);

let leave: (() => void) | undefined;
let keys: ((key: string) => boolean) | undefined;

async function show(focus: boolean): Promise<void> {
  leave?.();
  keys = undefined;
  const controller = new AbortController();
  leave = () => controller.abort();
  const { pathname } = location;
  const section = lookUpsAlone && pathname === '/' ? '/explore' : /^\/(practise|rush|review|history)/.test(pathname) ? '/' : `/${pathname.split('/')[1]}`;
  for (const link of links) {
    if (link.getAttribute('href') === section) {
      link.setAttribute('aria-current', 'page');
      // On a phone the last links may be out of sight.
      const bar = link.parentElement!;
      bar.scrollLeft = link.offsetLeft - bar.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
    } else link.removeAttribute('aria-current');
  }
  const root = h('div', { class: 'page' });
  const [load, params] = find(pathname);
  let page: Page;
  try {
    const loading = load();
    page = loading instanceof Promise ? await loading : loading;
  } catch {
    page = unloaded;
  }
  if (controller.signal.aborted) return;
  fill(main, root);
  const shown = page({ root, query: new URLSearchParams(location.search), params, signal: controller.signal });
  keys = shown?.keys;
  leave = () => {
    controller.abort();
    shown?.leave?.();
  };
  if (focus) {
    scrollTo(0, 0);
    main.focus({ preventScroll: true });
  }
}

function find(pathname: string): [Load, Record<string, string | undefined>] {
  for (const [pattern, load] of ROUTES) {
    const found = pattern.exec(pathname);
    if (found) return [load, found.groups ?? {}];
  }
  return [() => nowhere, {}];
}

const nowhere: Page = ({ root }) => {
  setTitle('Not found');
  fill(root, h('h1', {}, 'There is no such page'), h('p', { class: 'lead' }, lookUpsAlone ? 'This server only looks positions up.' : 'The address leads nowhere here.'), h('p', { class: 'heading' }, h('a', { class: 'btn go', href: '/' }, lookUpsAlone ? 'Explore' : 'Practise')));
};

/** Also shown after the server was upgraded, since its scripts then have other names. */
const unloaded: Page = ({ root }) => {
  setTitle('');
  fill(root, failure('The page could not be loaded: is errare serve still running?', () => location.reload()));
};

onNavigate(focus => void show(focus));
addEventListener('popstate', () => void show(false));
document.addEventListener('click', event => {
  const link = (event.target as Element).closest?.('a');
  if (!link || link.origin !== location.origin || link.target || link.hasAttribute('download')) return;
  if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (link.hash && link.pathname === location.pathname) return;
  if (link.pathname.startsWith('/api/') || link.pathname.startsWith('/standard')) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});
document.addEventListener('keydown', event => {
  const target = event.target as HTMLElement;
  const typing = target.matches('input:not([type=range]):not([type=radio]), textarea, select, [contenteditable]');
  if (typing || event.ctrlKey || event.metaKey || event.altKey || help.open || document.querySelector('dialog[open]')) return;
  if (event.key === ' ' && target.matches('button, a, summary')) return;
  if (target.matches('input') && event.key.startsWith('Arrow')) return;
  if (event.key === '?') {
    event.preventDefault();
    openHelp();
  } else if (keys?.(event.key)) event.preventDefault();
});

if ('serviceWorker' in navigator && isSecureContext) void navigator.serviceWorker.register('/worker.js').catch(() => undefined);
void show(false);

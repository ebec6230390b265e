// Addresses and pages: every view has an address, and the back button works.

export interface Visit {
  root: HTMLElement;
  query: URLSearchParams;
  params: Record<string, string | undefined>;
  /** Aborted when the page is left. */
  signal: AbortSignal;
}

export interface Shown {
  leave?: () => void;
  /** Handles a key; returns whether it did. */
  keys?: (key: string) => boolean;
}

export type Page = (visit: Visit) => Shown | void;

let show: ((focus: boolean) => void) | undefined;
export const onNavigate = (callback: (focus: boolean) => void): void => { show = callback; };

export function navigate(path: string): void {
  history.pushState(null, '', path);
  show?.(true);
}

/** Changes the address without loading a page. */
export function setAddress(path: string, replace = false): void {
  if (path === location.pathname + location.search) return;
  if (replace) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
}

export function setTitle(title: string): void {
  document.title = title ? `${title} · Errare` : 'Errare';
}

/** A FEN as written in addresses. */
export const fenToUrl = (fen: string): string => fen.replaceAll(' ', '_');
export const fenFromUrl = (text: string): string => text.replaceAll('_', ' ');

// A game as a list of clickable moves.
import { fill, h, type Child } from './dom';

export interface ListedMove {
  san: string;
  /** A slip, or a result thrown away. */
  tone?: 'slip' | 'lost';
  /** What follows the move: its mark and its cost. */
  suffix?: string;
  title?: string;
}

/** "8." or "8…": the move number at a ply, given the starting position. */
export function moveNumber(fen: string, ply: number): string {
  const [, turn, , , , first] = fen.split(' ');
  const index = ply + (turn === 'b' ? 1 : 0);
  return `${Math.floor(index / 2) + (Number(first) || 1)}${index % 2 ? '…' : '.'}`;
}

export class MoveList {
  readonly element = h('div', { class: 'moves' });

  constructor(private readonly pick: (ply: number) => void) {}

  /** Shows the moves from a position, and marks the current one. */
  set(fen: string, moves: ListedMove[], current: number): void {
    const items: Child[] = moves.map(({ san, tone, suffix, title }, ply) => {
      const number = moveNumber(fen, ply);
      // Keep a number and its move on one line.
      return [h('span', { class: 'ply' }, ply === 0 || number.endsWith('.') ? h('span', { class: 'n' }, number) : null,
        h('button', { type: 'button', class: tone ? `${tone}-text` : null, title, 'aria-current': ply === current ? 'true' : null, onclick: () => this.pick(ply) }, san, suffix)), ' '];
    });
    const focused = this.element.querySelector(':focus-visible');
    fill(this.element, items.length ? items : h('span', { class: 'soft' }, 'No move yet.'));
    const shown = this.element.querySelector<HTMLElement>('[aria-current]');
    if (focused) shown?.focus({ preventScroll: true });
    // Scroll the list only, not the page.
    if (shown) this.element.scrollTop = shown.offsetTop - this.element.offsetTop - this.element.clientHeight / 2;
  }
}

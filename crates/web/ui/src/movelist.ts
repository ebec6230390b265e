// A game as a list of moves, each of which can be clicked.
import { fill, h, type Child } from './dom';

export interface ListedMove {
  san: string;
  /** A slip, or a result thrown away. */
  tone?: 'slip' | 'lost';
  /** What stands behind the move: its mark and what it cost. */
  suffix?: string;
  title?: string;
}

/** "8." or "8…": the number of a move by its ply and the position that the game began with. */
export function moveNumber(fen: string, ply: number): string {
  const [, turn, , , , first] = fen.split(' ');
  const index = ply + (turn === 'b' ? 1 : 0);
  return `${Math.floor(index / 2) + (Number(first) || 1)}${index % 2 ? '…' : '.'}`;
}

export class MoveList {
  readonly element = h('div', { class: 'moves' });

  constructor(private readonly pick: (ply: number) => void) {}

  /** Shows the moves from a position; one of them is the current one. */
  set(fen: string, moves: ListedMove[], current: number): void {
    const items: Child[] = moves.map(({ san, tone, suffix, title }, ply) => {
      const number = moveNumber(fen, ply);
      // A number stays with its move at the end of a line.
      return [h('span', { class: 'ply' }, ply === 0 || number.endsWith('.') ? h('span', { class: 'n' }, number) : null,
        h('button', { type: 'button', class: tone ? `${tone}-text` : null, title, 'aria-current': ply === current ? 'true' : null, onclick: () => this.pick(ply) }, san, suffix)), ' '];
    });
    const focused = this.element.querySelector(':focus-visible');
    fill(this.element, items.length ? items : h('span', { class: 'soft' }, 'No move yet.'));
    const shown = this.element.querySelector<HTMLElement>('[aria-current]');
    if (focused) shown?.focus({ preventScroll: true });
    // Within the list alone: the page stays where it is.
    if (shown) this.element.scrollTop = shown.offsetTop - this.element.offsetTop - this.element.clientHeight / 2;
  }
}

// The board: move by drag, click or typing; also gives the position as text.
import { Chessground } from '@lichess-org/chessground';
import type { Api } from '@lichess-org/chessground/api';
import type { DrawShape } from '@lichess-org/chessground/draw';
import type { Key } from '@lichess-org/chessground/types';
import { normalizeMove, type Chess } from 'chessops/chess';
import { chessgroundDests } from 'chessops/compat';
import type { Color, NormalMove, Role } from 'chessops/types';
import { makeSquare, makeUci, parseSquare } from 'chessops/util';
import { fill, h, uniqueId } from './dom';
import { readMove, readPosition, type Side } from './position';

const PROMOTIONS: Role[] = ['queen', 'rook', 'bishop', 'knight'];
const NAMES: Record<Role, string> = { king: 'King', queen: 'Queen', rook: 'Rook', bishop: 'Bishop', knight: 'Knight', pawn: 'Pawn' };
const LETTERS: Record<Role, string> = { king: 'K', queen: 'Q', rook: 'R', bishop: 'B', knight: 'N', pawn: 'P' };

export interface BoardOptions {
  orientation?: Side;
  /** Who may move; nobody if omitted. */
  movable?: Side | 'both';
  onMove?: (uci: string) => void;
}

export class Board {
  readonly element: HTMLElement;
  /** The field for typed moves. */
  readonly typed: HTMLElement;
  /** The position as text, for screen readers. */
  readonly text: HTMLElement;
  private readonly ground: Api;
  private readonly frame: HTMLElement;
  private readonly complaint: HTMLElement;
  private readonly input: HTMLInputElement;
  private position: Chess | undefined;
  private fen = '';
  private options: BoardOptions;

  constructor(options: BoardOptions = {}) {
    this.options = options;
    const inner = h('div');
    this.frame = h('div', { class: 'board', role: 'img', 'aria-label': 'Chess board' }, inner);
    this.element = this.frame;
    this.ground = Chessground(inner, {
      fen: '8/8/8/8/8/8/8/8',
      orientation: options.orientation ?? 'white',
      coordinates: true,
      animation: { duration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 180 },
      highlight: { lastMove: true, check: true },
      movable: { free: false, showDests: true, events: { after: (from, to) => this.finish(from, to) } },
      premovable: { enabled: false },
      draggable: { showGhost: true, distance: 3 },
      drawable: { enabled: true },
    });
    // Chessground caches the board's bounds until the window scrolls; if the page grows above it, clicks land on the wrong squares.
    this.frame.addEventListener('pointerdown', () => this.ground.state.dom.bounds.clear(), { capture: true });
    this.complaint = h('p', { class: 'small lost-text', role: 'alert' });
    const id = uniqueId();
    this.input = h('input', {
      id, type: 'text', autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', placeholder: 'Qd5 or a5d5', 'aria-label': 'Type a move',
      // Outside the field, letters are shortcuts again.
      onkeydown: (event: KeyboardEvent) => { if (event.key === 'Escape') this.input.blur(); },
    });
    this.typed = h(
      'form',
      { class: 'typed-form', onsubmit: (event: Event) => { event.preventDefault(); this.type(); } },
      h('div', { class: 'typed' }, this.input, h('button', { class: 'btn', type: 'submit' }, 'Move')),
      this.complaint,
    );
    this.text = h('details', {}, h('summary', {}, 'Board as text'), h('div', { class: 'text-holder' }));
  }

  /** Shows a position. */
  set(fen: string, lastMove?: string | null, movable?: Side | 'both' | null): void {
    if (movable !== undefined) this.options.movable = movable ?? undefined;
    this.fen = fen;
    const read = readPosition(fen);
    this.position = typeof read === 'string' ? undefined : read;
    const turn = this.position?.turn ?? 'white';
    const mine = this.options.movable === 'both' || this.options.movable === turn;
    this.ground.cancelMove();
    this.ground.set({
      fen,
      turnColor: turn,
      check: this.position?.isCheck() ? turn : false,
      lastMove: lastMove ? [lastMove.slice(0, 2) as Key, lastMove.slice(2, 4) as Key] : undefined,
      movable: { color: mine ? turn : undefined, dests: mine && this.position ? chessgroundDests(this.position) : new Map() },
    });
    this.frame.setAttribute('aria-label', this.description());
    fill(this.text.querySelector('.text-holder')!, this.grid());
    this.complaint.textContent = '';
    this.frame.dataset.fen = fen;
  }

  orient(side: Side): void {
    this.ground.set({ orientation: side });
    this.redrawText();
  }

  get orientation(): Side {
    return this.ground.state.orientation;
  }

  flip(): void {
    this.ground.toggleOrientation();
    this.redrawText();
  }

  /** Draws the page's own arrows and rings, not the user's. */
  shapes(shapes: { from: string; to?: string; colour?: 'green' | 'blue' | 'yellow' | 'red' }[]): void {
    this.ground.setAutoShapes(
      shapes.map(({ from, to, colour }): DrawShape => ({ orig: from as Key, dest: to as Key | undefined, brush: colour ?? 'green' })),
    );
  }

  /** Makes a square glow. */
  glow(squares: string[]): void {
    this.ground.set({ highlight: { custom: new Map(squares.map(square => [square as Key, 'glow'])) } });
  }

  /** Starts editing: a click puts the man in hand on a square, or erases. */
  edit(hand: () => { role: Role; color: Color } | 'erase' | undefined, changed: () => void): void {
    this.ground.set({
      movable: { free: true, color: 'both', dests: undefined },
      draggable: { deleteOnDropOff: true },
      lastMove: undefined,
      check: false,
      events: {
        change: changed,
        select: key => {
          const man = hand();
          if (!man) return;
          this.ground.cancelMove();
          this.ground.setPieces(new Map([[key, man === 'erase' ? undefined : { ...man }]]));
          changed();
        },
      },
    });
  }

  /** The men on the board, as the first field of a FEN. */
  placement(): string {
    return this.ground.getFen();
  }

  /** Ends editing. */
  endEdit(): void {
    this.ground.set({ movable: { free: false }, draggable: { deleteOnDropOff: false }, events: { change: () => undefined, select: () => undefined } });
  }

  focusInput(): void {
    this.input.focus();
  }

  redraw(): void {
    this.ground.redrawAll();
  }

  destroy(): void {
    this.ground.destroy();
  }

  private redrawText(): void {
    fill(this.text.querySelector('.text-holder')!, this.grid());
  }

  private type(): void {
    const text = this.input.value.trim();
    const found = this.position && readMove(this.position, text);
    if (!text) return;
    if (!found) {
      this.complaint.textContent = `${text} is not a legal move here.`;
      return;
    }
    this.input.value = '';
    this.complaint.textContent = '';
    this.options.onMove?.(found);
  }

  /** Handles a move made on the board; asks for the promotion piece if needed. */
  private finish(from: Key, to: Key): void {
    const [start, target] = [parseSquare(from)!, parseSquare(to)!];
    const position = this.position;
    if (!position) return;
    const piece = position.board.get(start);
    const promotes = piece?.role === 'pawn' && (to.endsWith('8') || to.endsWith('1'));
    if (!promotes) {
      const move = normalizeMove(position, { from: start, to: target }) as NormalMove;
      this.options.onMove?.(makeUci(move));
      return;
    }
    const left = this.orientation === 'white' ? target & 7 : 7 - (target & 7);
    const top = (this.orientation === 'white') === to.endsWith('8');
    const close = (role?: Role): void => {
      cover.remove();
      if (role) this.options.onMove?.(makeUci({ from: start, to: target, promotion: role }));
      else this.set(this.fen);
    };
    const choices = h(
      'div',
      { class: 'choices cg-wrap', role: 'group', 'aria-label': 'Promote to' },
      PROMOTIONS.map(role =>
        h('button', { type: 'button', 'aria-label': NAMES[role], onclick: (event: Event) => { event.stopPropagation(); close(role); } },
          h('piece' as 'div', { class: `${role} ${piece.color}` })),
      ),
    );
    choices.style.left = `${left * 12.5}%`;
    choices.style[top ? 'top' : 'bottom'] = '0';
    const cover = h('div', { class: 'promotion', onclick: () => close(), onkeydown: (event: KeyboardEvent) => { if (event.key === 'Escape') close(); } }, choices);
    this.frame.append(cover);
    choices.querySelector('button')?.focus();
  }

  /** "White: king a8, queen a5. Black: ... White to move." */
  private description(): string {
    const position = this.position;
    if (!position) return 'Chess board';
    const side = (color: Color): string => {
      const roles = Object.keys(NAMES) as Role[];
      const men = roles.flatMap(role => [...position.board.pieces(color, role)].map(square => `${NAMES[role].toLowerCase()} ${makeSquare(square)}`));
      return `${color === 'white' ? 'White' : 'Black'}: ${men.join(', ')}.`;
    };
    return `${side('white')} ${side('black')} ${position.turn === 'white' ? 'White' : 'Black'} to move.`;
  }

  private grid(): HTMLElement {
    const white = this.orientation === 'white';
    const ranks = white ? [7, 6, 5, 4, 3, 2, 1, 0] : [0, 1, 2, 3, 4, 5, 6, 7];
    const files = white ? [0, 1, 2, 3, 4, 5, 6, 7] : [7, 6, 5, 4, 3, 2, 1, 0];
    const head = h('tr', {}, h('td'), files.map(file => h('th', { scope: 'col' }, 'abcdefgh'[file])));
    const rows = ranks.map(rank =>
      h('tr', {}, h('th', { scope: 'row' }, rank + 1), files.map(file => {
        const piece = this.position?.board.get((rank * 8 + file) as never);
        const letter = piece ? LETTERS[piece.role] : '';
        return h('td', {}, piece?.color === 'black' ? letter.toLowerCase() : letter);
      })),
    );
    return h('div', {}, h('p', { class: 'small soft' }, this.description()),
      h('table', { class: 'text-board' }, h('caption', { class: 'hidden' }, 'Capital letters are White’s men'), h('thead', {}, head), h('tbody', {}, rows)));
  }
}

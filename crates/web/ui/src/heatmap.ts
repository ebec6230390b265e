// A transition matrix as a picture: from rows to columns, likelier transitions in stronger colour.
import { dropColours, keepColours, token } from './colours';
import { fill, h } from './dom';

export interface HeatOptions {
  rows: string[];
  columns: string[];
  value: (row: number, column: number) => number;
  /** What it shows, for screen readers. */
  label: string;
  say: (row: number, column: number, value: number) => string;
}

/** Room for the names of rows and columns, in pixels. */
const MARGIN = { left: 44, top: 22 };
const WIDEST = 680;

/** Point at a cell to read it, or use the arrow keys. */
export class HeatMap {
  readonly element: HTMLElement;
  private readonly canvas = h('canvas', { class: 'heat', 'aria-hidden': 'true' });
  private readonly note = h('p', { class: 'small soft num', 'aria-live': 'polite' }, 'Point at a cell to read it, or choose one with the arrow keys.');
  private readonly observer = new ResizeObserver(() => this.draw());
  private cell = 0;
  private chosen: [number, number] | undefined;

  constructor(private readonly options: HeatOptions) {
    const frame = h('div', { class: 'heat-frame', tabindex: '0', role: 'group', 'aria-label': options.label, onkeydown: (event: KeyboardEvent) => this.step(event) }, this.canvas);
    this.element = h('div', {}, frame, this.note);
    for (const event of ['pointermove', 'pointerdown'] as const) this.canvas.addEventListener(event, at => this.point(at));
    this.observer.observe(frame);
    keepColours(this);
  }

  destroy(): void {
    this.observer.disconnect();
    dropColours(this);
  }

  draw(): void {
    const { rows, columns, value } = this.options;
    const width = Math.min(WIDEST, this.canvas.parentElement?.clientWidth ?? 0);
    if (width <= MARGIN.left) return;
    this.cell = (width - MARGIN.left) / columns.length;
    const height = MARGIN.top + this.cell * rows.length;
    const sharpness = Math.max(1, devicePixelRatio);
    this.canvas.width = Math.round(width * sharpness);
    this.canvas.height = Math.round(height * sharpness);
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const context = this.canvas.getContext('2d')!;
    context.scale(sharpness, sharpness);
    context.fillStyle = token('--sunk');
    context.fillRect(MARGIN.left, MARGIN.top, width, height);
    const gap = this.cell > 5 ? 1 : 0.4;
    const square = (row: number, column: number): [number, number, number, number] =>
      [MARGIN.left + column * this.cell, MARGIN.top + row * this.cell, this.cell - gap, this.cell - gap];
    context.fillStyle = token('--accent');
    rows.forEach((_, row) => columns.forEach((__, column) => {
      const p = value(row, column);
      if (p <= 0) return;
      // The root brings out small probabilities: one per cent is still visible, a thousandth of that is not.
      context.globalAlpha = 0.9 * Math.sqrt(p) + 0.1 * Math.min(1, p / 0.01);
      context.fillRect(...square(row, column));
    }));
    context.globalAlpha = 1;
    context.fillStyle = token('--soft');
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const every = (room: number): number => Math.max(1, Math.ceil(room / this.cell));
    context.textAlign = 'center';
    columns.forEach((name, column) => { if (column % every(30) === 0) context.fillText(name, MARGIN.left + (column + 0.5) * this.cell, MARGIN.top - 8); });
    context.textAlign = 'right';
    rows.forEach((name, row) => { if (row % every(18) === 0) context.fillText(name, MARGIN.left - 6, MARGIN.top + (row + 0.5) * this.cell + 4); });
    if (!this.chosen) return;
    context.strokeStyle = token('--ink');
    context.lineWidth = 2;
    context.strokeRect(...square(...this.chosen));
  }

  private choose(row: number, column: number): void {
    const { rows, columns, value, say } = this.options;
    if (row < 0 || column < 0 || row >= rows.length || column >= columns.length) return;
    if (this.chosen?.[0] === row && this.chosen[1] === column) return;
    this.chosen = [row, column];
    fill(this.note, say(row, column, value(row, column)));
    this.draw();
  }

  private point(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.choose(Math.floor((event.clientY - box.top - MARGIN.top) / this.cell), Math.floor((event.clientX - box.left - MARGIN.left) / this.cell));
  }

  private step(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const by = steps[event.key];
    if (!by) return;
    event.preventDefault();
    if (this.chosen) this.choose(this.chosen[0] + by[0], this.chosen[1] + by[1]);
    else this.choose(0, 0);
  }
}

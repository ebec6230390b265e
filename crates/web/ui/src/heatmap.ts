// A matrix of probabilities as a picture: rows are where one is, columns where one goes, darker is likelier.
import { h } from './dom';

export interface HeatOptions {
  rows: string[];
  columns: string[];
  value: (row: number, column: number) => number;
  /** What it shows, for those who cannot see it. */
  label: string;
  say: (row: number, column: number, value: number) => string;
}

export function heatmap({ rows, columns, value, label, say }: HeatOptions): { element: HTMLElement; draw: () => void } {
  const canvas = h('canvas', { class: 'heat', role: 'img', 'aria-label': label });
  const note = h('p', { class: 'small soft num', 'aria-live': 'off' }, 'Point at a cell to read it.');
  const cell = Math.max(6, Math.floor(640 / Math.max(columns.length, rows.length)));
  const margin = 40;
  const [width, height] = [margin + cell * columns.length, margin + cell * rows.length];
  const sharpness = Math.max(1, devicePixelRatio);
  canvas.width = width * sharpness;
  canvas.height = height * sharpness;

  function draw(): void {
    const style = getComputedStyle(document.documentElement);
    const token = (name: string): string => style.getPropertyValue(name).trim();
    const context = canvas.getContext('2d')!;
    context.setTransform(sharpness, 0, 0, sharpness, 0, 0);
    context.clearRect(0, 0, width, height);
    context.fillStyle = token('--sunk');
    context.fillRect(margin, margin, width, height);
    context.fillStyle = token('--accent');
    rows.forEach((_, row) => columns.forEach((__, column) => {
      const p = value(row, column);
      if (p <= 0) return;
      // The root brings out small probabilities; a cell at one per cent is still to be seen.
      context.globalAlpha = Math.min(1, 0.08 + 0.92 * Math.sqrt(p));
      context.fillRect(margin + column * cell, margin + row * cell, cell - 1, cell - 1);
    }));
    context.globalAlpha = 1;
    context.fillStyle = token('--soft');
    context.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    const every = Math.max(1, Math.ceil(30 / cell));
    context.textAlign = 'center';
    columns.forEach((name, column) => { if (column % every === 0) context.fillText(name, margin + (column + 0.5) * cell, margin - 8); });
    context.textAlign = 'right';
    rows.forEach((name, row) => { if (row % every === 0) context.fillText(name, margin - 6, margin + (row + 0.5) * cell + 4); });
  }
  canvas.addEventListener('pointermove', event => {
    const box = canvas.getBoundingClientRect();
    const scale = width / box.width;
    const [column, row] = [Math.floor(((event.clientX - box.left) * scale - margin) / cell), Math.floor(((event.clientY - box.top) * scale - margin) / cell)];
    if (row >= 0 && column >= 0 && row < rows.length && column < columns.length) note.textContent = say(row, column, value(row, column));
  });
  draw();
  return { element: h('div', {}, canvas, note), draw };
}

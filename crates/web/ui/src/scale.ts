// A number on a scale: a dot, its interval as a bar, and marks to compare it with.
import { svg } from './dom';

export interface Scale {
  from: number;
  to: number;
}

/** A scale with room for all numbers, from one round number to another. */
export function scaleOf(numbers: number[], step: number): Scale {
  const from = Math.floor(Math.min(...numbers) / step) * step;
  const to = Math.ceil(Math.max(...numbers) / step) * step;
  return { from, to: Math.max(to, from + step) };
}

export function onScale({ from, to }: Scale, label: string, value: number, interval?: [number, number], marks: number[] = []): SVGElement {
  const x = (n: number): number => 3 + (194 * (Math.min(to, Math.max(from, n)) - from)) / (to - from);
  return svg('svg', { class: 'scale', viewBox: '0 0 200 16', role: 'img', 'aria-label': label },
    svg('path', { class: 'axis', d: 'M0 8H200' }),
    interval ? svg('path', { class: 'interval', d: `M${x(interval[0]).toFixed(1)} 8H${x(interval[1]).toFixed(1)}` }) : null,
    marks.map(mark => svg('path', { class: 'mark', d: `M${x(mark).toFixed(1)} 2V14` })),
    svg('circle', { cx: x(value).toFixed(1), cy: 8, r: 4 }));
}
